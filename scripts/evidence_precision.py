"""How often what resolution claims is true, for each kind of evidence: measured against what really ran.

A kind is left out of resolution, and what is claimed no more, or otherwise, are the claims that rest on it:
of those that could be judged, because the code ran, the share that is right. Claims that two kinds support,
each by itself, rest on neither.

`python scripts/evidence_precision.py ../shared/truth DIR` prints the table of
docs/development/resolution-measured.md; DIR holds the packages that the truth was recorded on. mindport must
not be compiled: kinds are left out by replacing parts of it.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from mindport.catalog.catalog import Catalog
from mindport.catalog.libraries import Libraries
from mindport.index.definitions import FunctionParameter, Narrowed
from mindport.infer import attributes, calls, evaluator, library_calls, operators, parameters
from mindport.infer import of_definitions as definition_values
from mindport.infer.values import NEVER, UNKNOWN
from mindport.project.session import Session
from mindport.project.setting_table import Settings

PACKAGES = ("torchvision", "vit_pytorch", "torchmetrics")

Place = tuple[str, int, int]
"""A file, and where the expression that names an API ends: line and column."""


class Judged(NamedTuple):
    """What really was at a place that ran: the names of the torch API, none for what is not torch's."""

    names: frozenset[str]
    is_call: bool


class Claim(NamedTuple):
    """What resolution says of a place: the APIs that it may be, each as likely as the others."""

    apis: frozenset[str]
    certainty: str
    kind: str


def _without_default(known: Callable[..., Any]) -> Callable[..., Any]:
    """The value of a parameter as if it had no default value."""

    def value(evaluator: Any, parameter: FunctionParameter) -> Any:
        default = parameter.default
        if parameter.function.name != "forward":
            parameter.default = None
        try:
            return known(evaluator, parameter)
        finally:
            parameter.default = default

    return value


def _before(evaluator: Any, narrowed: Narrowed) -> Any:
    return evaluator.definition(narrowed.before)


def _unknown(*_: Any, **__: Any) -> Any:
    return UNKNOWN


DEFINITIONS = definition_values.DEFINITIONS
KINDS: dict[str, Any] = {
    "annotation of a parameter": lambda: patch.object(parameters, "annotated", _unknown),
    "annotation of a result or a name": lambda: patch.object(definition_values, "annotated", _unknown),
    "default value of a parameter": lambda: patch.dict(
        DEFINITIONS, {FunctionParameter: _without_default(DEFINITIONS[FunctionParameter])}
    ),
    "what PyTorch promises of inputs": lambda: patch.object(parameters, "_promised", lambda *_: None),
    "what calls give": lambda: patch.object(evaluator.Evaluator, "passed", lambda *_: NEVER),
    "use: members that only a Tensor has together": lambda: patch.object(
        Libraries, "only_tensors_have", lambda *_: False
    ),
    "use: a member that only a Tensor has": lambda: patch.object(
        evaluator.Evaluator, "owner_of_member", lambda *_: None
    ),
    "`isinstance`": lambda: patch.dict(DEFINITIONS, {Narrowed: _before}),
    "what a torch API returns": lambda: patch.object(calls, "returned", _unknown),
    "what a function of the project returns": lambda: patch.object(
        evaluator.Evaluator, "returned_by", _unknown
    ),
    "attributes of the project's objects": lambda: patch.object(attributes, "_of_object", _unknown),
    "operators": lambda: patch.object(operators, "operation", _unknown),
    "rules for other libraries": lambda: patch.dict(library_calls._RULES, clear=True),
}
"""What leaves each kind of evidence out."""


def truth_of(folder: Path, source: Path) -> dict[Place, Judged]:
    """What really was at each place that ran, by the recordings in `folder`."""
    spec = importlib.util.spec_from_file_location("truth_score", folder / "score.py")
    assert spec is not None and spec.loader is not None
    score = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(score)
    text = score.Source(str(source))
    found: dict[Place, Judged] = {}
    for path in [one for one in sorted(folder.glob("*.jsonl.gz")) if score.is_in(str(source), str(one))]:
        is_other = ".nontorch." in path.name
        for row in score.rows(str(path)):
            names = frozenset() if is_other else frozenset([*row["api"], *row.get("aliases", [])])
            place = (row["file"], *text.key(row))
            before = found.get(place)
            found[place] = Judged(names | before.names if before is not None else names, is_other)
    return found


def claims(catalog: Catalog, source: Path) -> dict[Place, Claim]:
    """All that resolution says of the packages in `source`."""
    session = Session(catalog, Settings(), [source])
    files = [file for package in PACKAGES for file in sorted((source / package).rglob("*.py"))]
    for file in files:
        session.load(file)
    session.settle([str(file) for file in files])
    found: dict[Place, Claim] = {}
    for file in files:
        analysis = session.analyse_file(file).analysis
        for shift, use in analysis.uses():
            line, column = analysis.document.lines.code_point_position(shift + use.end)
            place = file.relative_to(source).as_posix(), line, column
            others = found[place].apis if place in found else frozenset()
            found[place] = Claim(others | {use.api}, use.certainty.value, use.kind)
    return found


def judge(rested: dict[Place, Claim], truth: dict[Place, Judged]) -> tuple[int, int]:
    """How many of the claims could be judged, and how many of those are right."""
    judged = right = 0
    for place, claim in rested.items():
        known = truth.get(place)
        if known is None or (known.is_call and claim.kind not in ("call", "reference")):
            continue
        judged += 1
        right += not claim.apis.isdisjoint(known.names)
    return judged, right


def claimed(found: dict[Place, Claim]) -> dict[Place, Claim]:
    """Those that are more than possible."""
    return {place: claim for place, claim in found.items() if claim.certainty != "possible"}


def rows(
    catalog: Catalog, truth: dict[Place, Judged], source: Path, kinds: list[str]
) -> Iterator[tuple[str, int, int, int]]:
    """For each of `kinds` (none: all) its name, and the number of claims that rest on it, of those of them
    that were judged, and of those that are right."""
    every = claims(catalog, source)
    certain = claimed(every)
    for certainty in ("certain", "likely", "possible"):
        found = {place: claim for place, claim in every.items() if claim.certainty == certainty}
        yield f"all that is {certainty}", len(found), *judge(found, truth)
    for name in kinds or KINDS:
        leave_out = KINDS[name]
        with contextlib.ExitStack() as stack:
            stack.enter_context(leave_out())
            others = claimed(claims(catalog, source))
        rested = {
            place: claim
            for place, claim in certain.items()
            if place not in others or others[place].apis != claim.apis
        }
        yield name, len(rested), *judge(rested, truth)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("truth", type=Path, help="the folder of what really ran")
    parser.add_argument("source", type=Path, help="the folder that holds the packages")
    parser.add_argument("--kind", action="append", choices=KINDS, default=[], help="only this kind")
    options = parser.parse_args()
    if not (options.truth / "score.py").is_file():
        print(f"{options.truth} does not hold the recordings of what really ran", file=sys.stderr)
        return 2
    sys.setrecursionlimit(10_000)
    truth = truth_of(options.truth, options.source.absolute())
    print("| what claims rest on | claims | judged | right |", "|---|---|---|---|", sep="\n")
    for name, number, judged, right in rows(Catalog.load(), truth, options.source.absolute(), options.kind):
        share = f"{right / judged:.2%}" if judged else "-"
        print(f"| {name} | {number} | {judged} | {share} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
