"""Checks of the mapping data: what a machine can say about it.

`python -I -m mindport.catalog.check [FILE...]` prints the problems, of these files only if there are any.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mindport.catalog.build import index_bytes
from mindport.catalog.check_entries import EntryChecker
from mindport.catalog.check_format import format_problems
from mindport.catalog.check_templates import unparsed_templates
from mindport.catalog.index import Index
from mindport.catalog.problem import DataProblem

__all__ = ["DataProblem", "check"]


def check(source_dir: Path) -> list[DataProblem]:
    """All problems of the mapping data in a folder, sorted; empty when it is sound."""
    found = [*format_problems(source_dir)] or [*unparsed_templates(source_dir)]
    if not found:
        found = [*EntryChecker(source_dir, Index(index_bytes(source_dir))).problems()]
    return sorted(set(found), key=lambda p: (p.file, p.api, p.code, p.detail))


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
