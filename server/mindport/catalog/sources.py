"""Reading `mapping_data`: the generated correspondences with the curated corrections merged over them.

Uses the standard library only. What the files hold is said in `docs/mapping.md`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mindport.catalog.jsonl import Record, read_json, read_lines
from mindport.catalog.ran import add_runs, call_evidence_files
from mindport.catalog.target import VERSIONS, version_number
from mindport.catalog.template import parse_template

_LIBRARIES = ("torchvision-*.jsonl", "torchaudio-*.jsonl", "torchtext-*.jsonl")
_TENSOR = "mindspore.Tensor"
_FIRST_CATALOG = "2.7"
"""The oldest MindSpore version that has a catalog."""
_OF_API = ("status", "note", "reason", "way_out", "removable", "overrides")


def older_catalogs(source_dir: Path) -> list[Path]:
    """What differs in older MindSpore versions from the latest one, which has a catalog in full."""
    return sorted((source_dir / "catalog" / "older").glob("mindspore-*.jsonl"))


def newer_catalogs(source_dir: Path) -> list[Path]:
    """What torch versions after the one that has a catalog in full have added."""
    return sorted((source_dir / "catalog" / "newer").glob("torch-*.jsonl"))


def catalogs(source_dir: Path) -> dict[str, list[Record]]:
    """The records of each catalog, by the name of its file; those of torchvision, torchaudio and torchtext
    are among those of torch, whose libraries they are, and so is what newer versions of torch have added."""
    folder = source_dir / "catalog"
    libraries = sorted(path for pattern in _LIBRARIES for path in folder.glob(pattern))
    added = [record for path in (*libraries, *newer_catalogs(source_dir)) for record in read_lines(path)]
    found = {}
    for path in sorted(set(folder.glob("*.jsonl")) - set(libraries)):
        found[path.stem] = read_lines(path) + (added if path.stem.startswith("torch-") else [])
    return found


def generated_files(source_dir: Path) -> list[Path]:
    """The generated correspondences, one file per torch module."""
    return sorted((source_dir / "correspondences").glob("*.jsonl"))


def curated_files(source_dir: Path) -> list[Path]:
    """The hand-written corrections."""
    return sorted((source_dir / "curated" / "correspondences").glob("*.json"))


def correspondences(source_dir: Path) -> dict[str, Record]:
    """Per torch API: `candidates` (in order; templates too), and if curated `status`, `note`, `reason` and
    `way_out`. A name that ends in `.*` holds for all below it. Raises ValueError for a template that is
    none."""
    result: dict[str, Record] = {}
    for path in generated_files(source_dir):
        for record in read_lines(path):
            result[record["torch"]] = {"candidates": record["candidates"]}
    since = _first_versions(source_dir, result)
    for path in curated_files(source_dir):
        for torch, correction in read_json(path).items():
            result[torch] = corrected(result.get(torch, {"candidates": []}), correction)
            for candidate in result[torch]["candidates"]:
                if candidate.get("since") is None:
                    names = candidate.get("apis") or [candidate["target"]]
                    first = (since.get(name, _FIRST_CATALOG) for name in names)
                    candidate["since"] = max(first, key=version_number, default=VERSIONS[0])
    for path in call_evidence_files(source_dir):
        add_runs(result, path)
    _name_members(result)
    return {torch: result[torch] for torch in sorted(result)}


def _name_members(records: Mapping[str, Record]) -> None:
    """A template that takes a member of its receiver is about a member of Tensor, unless the class of the
    receiver becomes another one."""
    for torch, record in records.items():
        owners = records.get(torch.rpartition(".")[0], {}).get("candidates", ())
        owner = next((one["target"] for one in owners if "template" not in one), _TENSOR)
        for candidate in record["candidates"] if owner != _TENSOR else ():
            target = candidate["target"]
            is_member = target.startswith(f"{_TENSOR}.") and target not in candidate.get("apis", ())
            if is_member and "self" in candidate.get("template", ""):
                candidate["target"] = owner + target.removeprefix(_TENSOR)


def _first_versions(source_dir: Path, generated: Mapping[str, Record]) -> dict[str, str]:
    """Since when MindSpore has an API: what the generated candidates say, or the catalogs; an API that is not
    in the result is in all catalogs."""
    first: dict[str, str] = {}
    for record in generated.values():
        for candidate in record["candidates"]:
            known = first.get(candidate["target"], candidate["since"])
            first[candidate["target"]] = min(known, candidate["since"], key=version_number)
    for path in older_catalogs(source_dir):
        version = path.stem.removeprefix("mindspore-")
        following = VERSIONS[VERSIONS.index(version) + 1]
        for name in (r["name"] for r in read_lines(path) if "absent" in r):
            first[name] = max(first.get(name, following), following, key=version_number)
    return first


def corrected(record: Mapping[str, Any], correction: Mapping[str, Any]) -> Record:
    """A generated record with a correction merged over it."""
    candidates = {c["target"]: dict(c) for c in record["candidates"]}
    for target, change in correction.get("candidates", {}).items():
        if change.get("remove"):
            candidates.pop(target, None)
            continue
        entry = candidates.setdefault(target, {"target": target, "source": "curated"})
        entry.update({k: v for k, v in change.items() if k != "drop"})
        if "parameters" in change:
            entry.pop("earlier", None)
        _drop(entry, change.get("drop", []))
        _join(entry)
    order = {target: place for place, target in enumerate(correction.get("order", ()))}
    ordered = sorted(candidates.values(), key=lambda c: order.get(c["target"], len(order)))
    ordered += [_from_template(each) for each in correction.get("equivalents", ())]
    result: Record = {**record, "candidates": ordered}
    result.update({k: v for k, v in correction.items() if k in _OF_API})
    return result


def _join(entry: Record) -> None:
    """A hand-written difference about what a parameter fact says replaces it: it says the same in other
    words. What it leaves out, the fact gives."""
    said = {(d["code"], d.get("torch"), d.get("mindspore")): d for d in entry.get("differences", ())}
    facts, joined = [], []
    for fact in entry.get("parameters", ()):
        own = said.get((fact["code"], fact.get("torch"), fact.get("mindspore")))
        if own is not None and "device" not in own:
            joined.append(own)
            fact = {**fact, **own}
        facts.append(fact)
    if joined:
        entry["parameters"] = facts
        entry["differences"] = [d for d in entry["differences"] if d not in joined]


def _drop(entry: Record, dropped: list[Mapping[str, Any]]) -> None:
    """Leave out parameter facts, of all versions."""
    for facts in [entry, *(earlier := [dict(e) for e in entry.get("earlier", ())])]:
        if "parameters" in facts and dropped:
            facts["parameters"] = [f for f in facts["parameters"] if not _matches(f, dropped)]
    if earlier:
        entry["earlier"] = earlier


def _from_template(equivalent: Mapping[str, Any]) -> Record:
    """An equivalent as a candidate; `target` is the name to show in lists."""
    template = parse_template(equivalent["template"])
    record = {"target": template.target, "source": "curated", "apis": list(template.apis), **equivalent}
    if "ran" in equivalent:
        record["ran"] = [{"result": "equal", **equivalent["ran"]}]
    return record


def _matches(fact: Mapping[str, Any], patterns: list[Mapping[str, Any]]) -> bool:
    return any(all(fact.get(k) == v for k, v in pattern.items()) for pattern in patterns)


def general_parameters(source_dir: Path) -> dict[str, list[str]]:
    """Torch parameters that have nothing to do with the result, with the values that may be dropped."""
    rules: dict[str, list[str]] = _comparison(source_dir).get("general_parameters", {})
    return rules


def misspellings(source_dir: Path) -> dict[str, str]:
    """Names that the official tables misspell, with the right ones."""
    names: dict[str, str] = _comparison(source_dir).get("misspellings", {})
    return names


def _comparison(source_dir: Path) -> Record:
    path = source_dir / "curated" / "comparison.json"
    rules: Record = read_json(path) if path.exists() else {}
    return rules


def evidence_files(source_dir: Path) -> list[Path]:
    """What ran: `mindspore-VERSION-DEVICE.jsonl`."""
    return sorted((source_dir / "evidence").glob("mindspore-*-*.jsonl"))


def evidence(path: Path) -> dict[str, Record]:
    """Per MindSpore API the result and the number of calls: an evidence file, with the hand-written results
    of `curated/evidence` (a file of the same name) over it."""
    results = {record["mindspore"]: record for record in read_lines(path)}
    curated = curated_evidence(path)
    results.update(read_json(curated) if curated.exists() else {})
    return results


def curated_evidence(path: Path) -> Path:
    """Where the hand-written results for an evidence file are."""
    return path.parents[1] / "curated" / "evidence" / f"{path.stem}.json"


def verification_files(source_dir: Path) -> list[Path]:
    """What APIs are run with: `general.json`, the others by API."""
    return sorted((source_dir / "verification").glob("*.json"))


def verification(source_dir: Path) -> Record:
    """The input table for running APIs in both frameworks: `general`, and `apis` by their names."""
    files = {path.stem: read_json(path) for path in verification_files(source_dir)}
    general: Record = files.pop("general", {})
    apis = {name: row for apis in files.values() for name, row in apis.items()}
    return {"general": general, "apis": apis, "seen": _seen_calls(source_dir)}


def seen_calls_file(source_dir: Path) -> Path:
    """The shapes of calls in published code: `scripts/seen_calls.py` writes them."""
    return source_dir / "verification" / "seen" / "calls.jsonl"


def _seen_calls(source_dir: Path) -> dict[str, list[dict[str, str]]]:
    path = seen_calls_file(source_dir)
    return {record["torch"]: record["shapes"] for record in read_lines(path)} if path.exists() else {}


def libraries(source_dir: Path) -> dict[str, Any]:
    """What is known of libraries that are not torch: the files of `libraries/` by their names."""
    files = sorted((source_dir / "libraries").glob("*.json"))
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in files}
