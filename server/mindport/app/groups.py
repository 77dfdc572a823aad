"""Which parts of a program are converted together: found out by looking at all its files once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.catalog.catalog import Catalog
from mindport.language import Text
from mindport.rewrite.groups import ConversionGroup, ConversionPlan
from mindport.rewrite.unit_findings import FileUnits, file_units
from mindport.rewrite.whole import WholeProgram
from mindport.scan.scan import Progress, scan
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.catalog.target import Target
    from mindport.project.discover import Discovery
    from mindport.project.setting_table import Settings
    from mindport.project.takers import Takers
    from mindport.scan.scan import ScanEngine

_NO_SUCH_GROUP = Text(
    "No class or function named {name} needs converting. `--list-groups` lists those that do.",
    "没有名为 {name} 且需要转换的类或函数。`--list-groups` 可列出需要转换的类和函数。",
)
_SIMILAR = Text(
    "No class or function named {name} needs converting. Did you mean {names}?",
    "没有名为 {name} 且需要转换的类或函数。您是否要找 {names}？",
)
_SEVERAL = Text(
    "Several classes or functions are named {name}. Choose one: {names}.",
    "有多个名为 {name} 的类或函数，请指明其一：{names}。",
)
_MOST_SIMILAR = 3


@dataclass(frozen=True)
class FileUnitReporter:
    """Makes entries of a scan: the units of files, None for what cannot be read."""

    target: Target

    def file(self, path: str, found: FileFindings) -> FileUnits | None:
        """The units of a file, with what was found in each."""
        if found.document.refusal is not None:
            return None
        return file_units(found, WholeProgram(Catalog.load(), self.target))

    def unreadable(self, path: str, error: TextError) -> None:
        """Nothing: the conversion tells of it."""


def conversion_plan(
    files: Discovery,
    settings: Settings,
    takers: Takers,
    output: Path | None = None,
    progress: Progress | None = None,
    engine: ScanEngine | None = None,
) -> ConversionPlan:
    """The groups of the program that these files are; what is in the folder `output` was converted earlier.
    An `engine` may keep what it finds for the conversion. Raises what `scan` raises."""
    progress = progress or Progress()
    progress.total = files.total
    reporter = FileUnitReporter(settings.ported_to)
    found = scan(files, settings, reporter, settings.jobs, progress=progress, engine=engine)
    return plan_of([one for one in found if one is not None], takers, output)


def plan_of(files: Sequence[FileUnits], takers: Takers, output: Path | None = None) -> ConversionPlan:
    """The groups of a program, from its files, and which files outside of it use them."""
    given = {file.module.path for file in files}
    plan = ConversionPlan(files, is_harmless)
    return plan.known_to_others(_outside(takers, given, output.absolute() if output else None))


def _outside(
    takers: Takers, given: Collection[str], output: Path | None
) -> Callable[[str, str], Collection[str]]:
    def taken(path: str, name: str) -> Collection[str]:
        found = [taker for taker in takers.takers_of(path, name) if taker not in given]
        return [one for one in found if output is None or output not in Path(one).parents]

    return taken


def is_harmless(library: str) -> bool:
    """Whether a library, by its top-level name, has nothing to do with Tensors."""
    return library in sys.stdlib_module_names or Catalog.load().libraries.never_gives_tensors(library)


def groups_named(plan: ConversionPlan, names: Iterable[str]) -> list[ConversionGroup]:
    """The groups of classes and functions, by their names. Raises TextError for a name that is none, or
    several."""
    found: dict[ConversionGroup, None] = {}
    for name in names:
        units = plan.named(name)
        groups = {group: None for key in units if (group := plan.group_of(key)) is not None}
        if not groups:
            similar = _similar(plan, name)
            if similar:
                raise TextError(_SIMILAR, name=name, names=", ".join(similar))
            raise TextError(_NO_SUCH_GROUP, name=name)
        if len(groups) > 1:
            known = sorted(unit_name(plan, path, number) for path, number in units)
            raise TextError(_SEVERAL, name=name, names=", ".join(known))
        found.update(groups)
    return list(found)


def unit_name(plan: ConversionPlan, path: str, number: int) -> str:
    """A unit as it is given on the command line: `module:Name`, or its line."""
    file = plan.files[path].module
    unit = file.units[number]
    return f"{file.name or Path(path).stem}:{unit.name or unit.line}"


def _similar(plan: ConversionPlan, name: str) -> list[str]:
    known = {
        unit_name(plan, *key) for group in plan.groups for key in group.units if plan.unit(key).kind != "code"
    }
    last = name.replace(":", ".").rpartition(".")[2]
    by_last: dict[str, list[str]] = {}
    for one in sorted(known):
        by_last.setdefault(one.rpartition(":")[2], []).append(one)
    close = get_close_matches(last, by_last, _MOST_SIMILAR)
    return [one for match in close for one in by_last[match]][:_MOST_SIMILAR]
