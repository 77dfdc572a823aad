"""The analysis of a project: what its files say, put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel

from mindport.catalog.catalog import Catalog
from mindport.report.analysis.file_analysis import (
    CodeLine,
    FileAnalysis,
    GivenParameter,
    ImportEntry,
    RecipeEntry,
    RuleEntry,
    SettingEntry,
)
from mindport.report.analysis.known_values import KnownValues

if TYPE_CHECKING:
    from mindport.catalog.migration_facts import RecipeItem
    from mindport.report.api_uses import ApiUse
    from mindport.report.summary import Totals

_MOST_PLACES: Final = 5
_MOST_VALUES: Final = 3
"""As many values of a name are told, where several places give it one."""


class ApiCount(BaseModel):
    """A torch API without counterpart: how often it is used, why there is none, and the first places."""

    api: str
    uses: int
    reason: str
    places: list[CodeLine]


class ModuleCount(BaseModel):
    """The uses of a torch module's APIs, by status."""

    module: str
    by_status: dict[str, int]

    @property
    def total(self) -> int:
        """All uses."""
        return sum(self.by_status.values())


class RuleCount(BaseModel):
    """The findings of a rule about functions and classes."""

    code: str
    number: int
    places: list[RuleEntry]


class PackageCount(BaseModel):
    """A package that carries torch code, and the files that import it."""

    package: str
    places: list[ImportEntry]


class RecipeCount(BaseModel):
    """An item of the training recipe, and what belongs to it."""

    item: str
    entries: list[RecipeEntry]


class ProjectAnalysis(BaseModel):
    """All that is said of a project, but for texts."""

    files: int
    lines: int
    uses: int
    by_status: dict[str, int]
    modules: list[ModuleCount]
    missing: list[ApiCount]
    safe: int
    review: int
    waits: int
    rules: list[RuleCount]
    packages: list[PackageCount]
    recipe: list[RecipeCount]


def analyse_project(
    files: Sequence[FileAnalysis],
    totals: Totals,
    uses: Mapping[ApiUse, int],
    configured: Sequence[SettingEntry] = (),
) -> ProjectAnalysis:
    """Put together what is said of all files that were looked at. `configured` are the settings of
    configuration files."""
    items = Catalog.load().migration.recipe
    settings = [*[one for file in files for one in file.settings], *configured]
    values = KnownValues(settings)
    entries = [values.explained(one) for file in files for one in file.recipe]
    entries += _derived(files, entries)
    entries += [one for item in items for one in _of_configuration(item, configured)]
    return ProjectAnalysis(
        files=totals.files,
        lines=totals.lines,
        uses=totals.uses,
        by_status=dict(totals.by_status),
        modules=_modules(uses),
        missing=_missing(files, uses),
        safe=sum(file.safe for file in files),
        review=sum(file.review for file in files),
        waits=sum(file.waits for file in files),
        rules=_rules(one for file in files for one in file.rules),
        packages=_packages(one for file in files for one in file.imports),
        recipe=[
            RecipeCount(
                item=item.name, entries=sorted([one for one in entries if one.item == item.name], key=_place)
            )
            for item in items
        ],
    )


def _of_configuration(item: RecipeItem, settings: Sequence[SettingEntry]) -> list[RecipeEntry]:
    """An entry for each name in configuration files, with all its values, at the first of them."""
    by_name: dict[str, list[SettingEntry]] = {}
    for one in settings:
        if item.has_name(one.name):
            by_name.setdefault(one.name, []).append(one)
    found = []
    for name, given in by_name.items():
        values = list(dict.fromkeys(one.value for one in given))
        shown = [*values[:_MOST_VALUES], *(["…"] if len(values) > _MOST_VALUES else [])]
        value = " / ".join(shown)
        files = len({one.path for one in given})
        code = f"{name}: {value}" + (f"  ({files} files)" if files > 1 else "")
        entry = RecipeEntry(path=given[0].path, line=given[0].line, item=item.name, name=name, code=code)
        entry.parameters = [GivenParameter(name=name, value=value)]
        found.append(entry)
    return found


def _place(entry: RecipeEntry) -> tuple[str, int, int]:
    return entry.path, entry.cell or 0, entry.line


def _derived(files: Sequence[FileAnalysis], entries: Sequence[RecipeEntry]) -> list[RecipeEntry]:
    """Entries for the classes of the project that derive from classes which are entries."""
    of: dict[str, set[str]] = {}
    for entry in entries:
        if entry.code.startswith("class "):
            of.setdefault(entry.name, set()).add(entry.item)
    told = {(one.path, one.line, one.item) for one in entries}
    classes = [one for file in files for one in file.classes]
    found: list[RecipeEntry] = []
    is_changed = True
    while is_changed:
        is_changed = False
        for one in classes:
            for item in sorted({item for base in one.bases for item in of.get(base, ())}):
                if (one.path, one.line, item) not in told:
                    told.add((one.path, one.line, item))
                    of.setdefault(one.name, set()).add(item)
                    entry = RecipeEntry(path=one.path, line=one.line, item=item, name=one.name, code=one.code)
                    found.append(entry)
                    is_changed = True
    return found


def _modules(uses: Mapping[ApiUse, int]) -> list[ModuleCount]:
    counts: dict[str, Counter[str]] = {}
    for use, number in uses.items():
        counts.setdefault(use.module, Counter())[use.status] += number
    found = [ModuleCount(module=module, by_status=dict(by_status)) for module, by_status in counts.items()]
    return sorted(found, key=lambda one: (-one.total, one.module))


def _missing(files: Sequence[FileAnalysis], uses: Mapping[ApiUse, int]) -> list[ApiCount]:
    places: dict[str, list[CodeLine]] = {}
    for file in files:
        for one in file.missing:
            places.setdefault(one.message, []).append(CodeLine(path=one.path, line=one.line, cell=one.cell))
    reasons = {use.api: use.differs for use in uses if use.status == "missing"}
    found = [
        ApiCount(api=api, uses=len(at), reason=reasons.get(api, ""), places=at[:_MOST_PLACES])
        for api, at in places.items()
    ]
    return sorted(found, key=lambda one: (-one.uses, one.api))


def _rules(found: Iterable[RuleEntry]) -> list[RuleCount]:
    by_code: dict[str, list[RuleEntry]] = {}
    for one in found:
        by_code.setdefault(one.code, []).append(one)
    return [RuleCount(code=code, number=len(at), places=at) for code, at in sorted(by_code.items())]


def _packages(found: Iterable[ImportEntry]) -> list[PackageCount]:
    by_name: dict[str, list[ImportEntry]] = {}
    for one in found:
        by_name.setdefault(one.name, []).append(one)
    counts = [PackageCount(package=name, places=places) for name, places in by_name.items()]
    return sorted(counts, key=lambda one: (-len(one.places), one.package))
