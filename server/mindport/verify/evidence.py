"""Evidence: what the outcomes of a pair say together, as a record of `mapping_data/evidence`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from mindport.catalog.api import Api
from mindport.catalog.catalog import Catalog
from mindport.catalog.differences import SOME_CALLS
from mindport.catalog.jsonl import Record, read_json, read_lines
from mindport.catalog.ran import Pairs, pairs_of_run, run_file, sum_of, unverified_file, versions_file
from mindport.catalog.tried_calls import TriedOutcome
from mindport.source.replace_file import replace_file
from mindport.verify.call_shape import forms_of, shape_text
from mindport.verify.outcome import Outcome
from mindport.verify.run import Verified

_ORDINARY = ("float32", "initial")
_OF_CALLS = ("float32", "3-d")
"""The inputs of calls that prove something of the shape of the call: what others do is told apart."""


def record_of(verified: Verified, catalog: Catalog) -> Record | None:
    """The record of a pair; None where no snippet of it was run in both frameworks.

    `result` is `equal` (all calls, or all that MindSpore takes: `partly`), `differs`, `dtype_differs` (in the
    dtype alone), `unsupported` (no kernel) or `fails`. `aspects` says what differs, `inputs` of which
    particular kinds of inputs alone that is true, `refused` which kinds MindSpore refuses with an error.
    """
    api = catalog.api(verified.torch)
    assert api is not None
    ran = [o for o in verified.outcomes if o.kind not in ("torch_raises", "not_converted")]
    if not ran:
        return None
    record: Record = {"torch": verified.torch, "target": verified.target, "result": _result(ran)}
    equal = [o for o in ran if o.kind == "equal"]
    different = [o for o in ran if o.kind == "differs"]
    record["calls"] = len(equal) + len(different) or len(ran)
    if equal:
        record["largest_difference"] = _rounded(max(o.largest for o in equal))
        record["shapes"] = sorted({shape for o in equal for shape in o.case.shapes})
    if any(o.has_gradient for o in equal):
        record["gradient"] = True
    if different:
        record["aspects"] = sorted({str(o.aspect) for o in different})
        kinds = {o.case.inputs for o in different}
        if not kinds.intersection(_ORDINARY):
            record["inputs"] = sorted(kinds)
        elif _are_of_some_calls(different, equal, api, catalog):
            record["inputs"] = sorted({*(kinds - {*_ORDINARY, *_OF_CALLS}), SOME_CALLS})
        record["detail"] = _most_telling(different)
    failed = [o for o in ran if o.kind in ("refused", "unsupported", "fails") or o.no_gradient]
    if failed:
        record["refused"] = _refused(failed, equal, lambda o: forms_of(o.case.arguments, api, catalog))
        record.setdefault("detail", _most_telling(failed))
    tried = _tried(ran, api, catalog)
    if tried:
        record["tried"] = tried
    return record


def _are_of_some_calls(
    different: Sequence[Outcome], equal: Sequence[Outcome], api: Api, catalog: Catalog
) -> bool:
    """Whether calls of other shapes are equal, so that only some calls differ."""
    shapes = [shape_text(o.case.arguments, api, catalog) for o in different if o.case.inputs in _OF_CALLS]
    return None not in shapes and any(
        shape_text(o.case.arguments, api, catalog) not in shapes for o in equal if o.case.inputs in _OF_CALLS
    )


def _tried(ran: Sequence[Outcome], api: Api, catalog: Catalog) -> dict[str, list[dict[str, str]]]:
    """Per outcome the shapes of the calls that had it, each once: with ordinary inputs, and with the others
    only where there are no ordinary ones."""
    ordinary = [o for o in ran if o.case.inputs in _OF_CALLS] or ran
    found: dict[str, list[dict[str, str]]] = {}
    for outcome in ordinary:
        shape = shape_text(outcome.case.arguments, api, catalog)
        kind = _outcome_of(outcome)
        if shape is not None and shape not in found.setdefault(kind, []):
            found[kind].append(shape)
    return {kind: sorted(shapes, key=str) for kind, shapes in sorted(found.items()) if shapes}


def _outcome_of(outcome: Outcome) -> TriedOutcome:
    if outcome.kind == "equal":
        return "no_gradient" if outcome.no_gradient else "equal"
    if outcome.kind == "differs":
        return "differs"
    is_of_call = outcome.kind == "fails" and outcome.detail.startswith(("TypeError", "ValueError"))
    return "raises" if is_of_call else "unsupported"


def _result(ran: Sequence[Outcome]) -> str:
    kinds = Counter(o.kind for o in ran)
    if kinds["differs"]:
        aspects = {o.aspect for o in ran if o.kind == "differs"}
        return "dtype_differs" if aspects == {"dtype"} else "differs"
    usual = {o.kind for o in ran if o.case.inputs == "float32"}
    if kinds["equal"] and (not usual or "equal" in usual):
        is_all = kinds["equal"] == len(ran) and not any(o.no_gradient for o in ran)
        return "equal" if is_all else "partly"
    return "unsupported" if kinds["unsupported"] else "fails"


def _refused(
    failed: Sequence[Outcome], equal: Sequence[Outcome], forms: Callable[[Outcome], object]
) -> list[str]:
    """The kinds of inputs that are refused altogether; `some` where ordinary calls fail while others run. An
    error that some value alone has, while others of the same form are equal, is that value's."""
    fine = {o.case.inputs for o in equal}
    wrong = {o.case.arguments for o in failed}
    fine_forms = [forms(o) for o in equal if o.case.inputs in _OF_CALLS and o.case.arguments not in wrong]
    refused = {"gradient"} if any(o.no_gradient for o in failed) else set()
    for outcome in failed:
        if outcome.no_gradient:
            continue
        if outcome.case.inputs not in fine:
            refused.add(outcome.case.inputs)
        elif outcome.case.inputs not in _OF_CALLS or forms(outcome) not in fine_forms:
            refused.add(SOME_CALLS)
    return sorted(refused)


def _most_telling(outcomes: Sequence[Outcome]) -> str:
    """Of an ordinary call, if there is one: the arguments and what was seen."""
    first = min(outcomes, key=lambda o: o.case.inputs not in _ORDINARY)
    kind = "gradient" if first.no_gradient else first.aspect or first.kind
    seen = "" if first.case.inputs == "empty" else f": {first.detail}"  # memory that nobody has written
    return f"({first.case.arguments}) {kind}{seen}"[:240]


def _rounded(number: float) -> float:
    return float(f"{number:.2g}")


def evidence_file(source_dir: Path, version: str, device: str) -> Path:
    """Where the evidence for a MindSpore version and a device is."""
    return source_dir / "evidence" / "calls" / f"mindspore-{version}-{device}.jsonl"


def update(
    path: Path, records: Iterable[Record], torch_names: Iterable[str] | None, versions: Mapping[str, str]
) -> int:
    """Put the records of these torch APIs in place of the ones that the file has for them (None: of all); the
    file and the versions beside it are written in one step each. Returns how many records the file has."""
    again = set(torch_names or ())
    known = read_lines(path) if path.exists() and torch_names is not None else []
    kept = [record for record in known if record["torch"] not in again]
    merged = sorted([*kept, *records], key=lambda r: f"{r['torch']} {r['target']}")
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in merged))
    _write(versions_file(path), json.dumps(dict(versions), indent=2) + "\n")
    return len(merged)


def update_unverified(path: Path, unverified: Mapping[str, str], torch_names: Iterable[str] | None) -> None:
    """Put the reasons why these torch APIs have no evidence (None: all) into the file beside the evidence."""
    file = unverified_file(path)
    known = read_json(file) if file.exists() and torch_names is not None else {}
    again = set(torch_names or ())
    merged = {**{name: why for name, why in known.items() if name not in again}, **unverified}
    _write(file, json.dumps(dict(sorted(merged.items())), indent=1) + "\n")


def update_run(path: Path, pairs: Pairs, torch_names: Iterable[str] | None) -> None:
    """Say beside an evidence file what the candidates of these torch APIs (None: of all) were when it was
    made, and what it and the reasons say, now that they are written."""
    again = set(torch_names or ())
    known = pairs_of_run(path) if torch_names is not None else {}
    merged = {**{name: then for name, then in known.items() if name not in again}, **pairs}
    run = {
        "evidence": sum_of(path),
        "unverified": sum_of(unverified_file(path)),
        "candidates": {name: dict(sorted(merged[name].items())) for name in sorted(merged)},
    }
    _write(run_file(path), json.dumps(run, ensure_ascii=False, indent=1) + "\n")


def _write(path: Path, text: str) -> None:
    replace_file(path, [text.encode()])
