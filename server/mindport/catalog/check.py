"""Checks of the mapping data: what a machine can say about it.

`python -I -m mindport.catalog.check [FILE...]` prints the problems, of these files only if there are any.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from mindport.catalog.build import index_bytes
from mindport.catalog.catalog import Catalog
from mindport.catalog.check_entries import EntryChecker
from mindport.catalog.check_format import format_problems
from mindport.catalog.check_templates import unparsed_templates
from mindport.catalog.index import Index
from mindport.catalog.not_run import Pair, all_not_run
from mindport.catalog.problem import DataProblem

__all__ = ["Checked", "DataProblem", "check", "checked"]


class Checked(NamedTuple):
    """What is wrong with mapping data, sorted, and which correspondences were not run yet: that is no
    problem, but a task for whoever has both frameworks."""

    problems: list[DataProblem]
    not_run: list[Pair]


def checked(source_dir: Path) -> Checked:
    """Look at the mapping data in a folder."""
    found = [*format_problems(source_dir)] or [*unparsed_templates(source_dir)]
    if found:
        return Checked(_sorted(found), [])
    index = Index(index_bytes(source_dir))
    problems = EntryChecker(source_dir, index).problems()
    return Checked(_sorted(problems), all_not_run(Catalog(index), source_dir))


def check(source_dir: Path) -> list[DataProblem]:
    """All problems of the mapping data in a folder, sorted; empty when it is sound."""
    return checked(source_dir).problems


def _sorted(problems: Iterable[DataProblem]) -> list[DataProblem]:
    return sorted(set(problems), key=lambda p: (p.file, p.api, p.code, p.detail))


def main(arguments: list[str]) -> int:
    """Check the mapping data of this checkout. `arguments` are names of files to report on."""
    source = Path(__file__).resolve().parents[3] / "mapping_data"
    wanted = {Path(argument).name for argument in arguments}
    problems = [p for p in check(source) if not wanted or Path(p.file).name in wanted]
    for problem in problems:
        print(problem.message("en"))
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
