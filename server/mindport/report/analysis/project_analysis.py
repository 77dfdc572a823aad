"""The analysis of a project: what its files say, put together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from mindport.catalog.argument_form import is_dotted_name
from mindport.catalog.catalog import Catalog
from mindport.catalog.migration_facts import LOADED
from mindport.report.analysis.call_sites import OF_FUNCTION
from mindport.report.analysis.choosing_tables import ChoosingTables
from mindport.report.analysis.dropped_code import DroppedCode
from mindport.report.analysis.entries import (
    LOOP,
    ClassEntry,
    CodeLine,
    FileAnalysis,
    FunctionEntry,
    GivenParameter,
    ImportEntry,
    ProblemEntry,
    RecipeEntry,
    RuleEntry,
    SettingEntry,
    ShownCode,
)
from mindport.report.analysis.file_code import ALL, WORD, dotted_keys, last_part, spelled
from mindport.report.analysis.given_names import GivenNames
from mindport.report.analysis.group_values import with_groups
from mindport.report.analysis.known_values import KnownValues
from mindport.report.analysis.loss_formulas import LossFormulas
from mindport.report.analysis.project_files import ProjectFiles
from mindport.report.analysis.reached import Reached
from mindport.report.analysis.read_settings import ReadSettings
from mindport.report.analysis.shown_functions import LOOPS, ShownFunctions
from mindport.report.analysis.training_parts import TrainingParts, measuring

if TYPE_CHECKING:
    from mindport.catalog.migration_facts import RecipeItem
    from mindport.report.api_uses import ApiUse
    from mindport.report.summary import Totals

_MOST_PLACES: Final = 5
_NETWORK: Final = "network"
_GIVEN: Final = frozenset({_NETWORK})
"""The items of which functions give objects that count where the functions are called."""
_CHOSEN_FROM: Final = frozenset({"network", "data", "loss"})
"""The items whose classes functions may choose by their names from a module that they are given."""
_KEPT: Final = re.compile(r"(?P<kept>[\w.]+) = (?P<name>(?:\w+\.)*\w+)\(")
"""An assignment of an object that is made of a class."""
_NEVER: Final = frozenset({"0", "False"})
_ELEMENT: Final = re.compile(r"(?P<list>[A-Za-z_]\w*)\[(?P<at>\d+)\]")
"""An element of a list."""
_CALLED: Final = re.compile(r"([A-Za-z_]\w*)\(")
"""The last names of what an expression calls."""
_MAKING: Final = re.compile(r"(?:[A-Za-z_]\w*\.)*(?P<name>[A-Z]\w*)\(")
"""An expression that makes an object of a class."""
_OF_MODULE: Final = re.compile(r"\((?:[\w.]+\.)?Module\)")
"""The head of a class that derives from torch's module alone."""
_OF_LOSS: Final = re.compile(r"(?:^|_)loss(?:es)?(?:_|$)")
"""What stands in the names of losses."""
_LISTED: Final = re.compile(r"[A-Za-z_][\w.]*")
_WEIGHTED: Final = frozenset(
    {"Linear", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"}
    | {"LSTM", "GRU", "RNN", "Embedding", "Parameter", "Sequential", "ModuleList", "Bilinear"}
)
"""The names of layers with weights, and of what holds such."""
_INITIALIZATION: Final = "initialization"
_TORCHVISION: Final = "torchvision."
_PRETRAINED: Final = ("pretrained", "weights")
"""The parameters that say whether a network is given weights which others have trained."""
_UNTRAINED: Final = ("False", "None", "0")
_OPTIMIZER: Final = "optimizer"
_SCHEDULE: Final = "schedule"
_ASSIGNED: Final = "assigned"
_GIVEN_VALUES: Final = (_ASSIGNED, "parameter")
_SET: Final = re.compile(r"(?P<name>(?:\w+\.)*\w+) [-+*/]?= ")
"""A statement that gives a name or attribute a value."""
_SETTINGS: Final = (_ASSIGNED, "option")
_OF_RATES: Final = frozenset({"optimizer", "schedule"})
"""The items whose classes give learning rates."""
_MOST_VALUES: Final = 3
"""As many values of a name are told, where several places give it one."""


@dataclass(kw_only=True)
class ApiCount:
    """A torch API without counterpart: how often it is used, why there is none, and the first places."""

    api: str
    uses: int
    reason: str
    places: list[CodeLine]


@dataclass(kw_only=True)
class ModuleCount:
    """The uses of a torch module's APIs, by status."""

    module: str
    by_status: dict[str, int]

    @property
    def total(self) -> int:
        """All uses."""
        return sum(self.by_status.values())


@dataclass(kw_only=True)
class RuleCount:
    """The findings of a rule about functions and classes."""

    code: str
    number: int
    places: list[RuleEntry]


@dataclass(kw_only=True)
class PackageCount:
    """A package that carries torch code, and the files that import it."""

    package: str
    places: list[ImportEntry]


@dataclass(kw_only=True)
class RecipeCount:
    """An item of the training recipe, what belongs to it, and the functions that do it."""

    item: str
    entries: list[RecipeEntry]
    functions: list[ShownCode] = field(default_factory=list)


@dataclass(kw_only=True)
class ProjectAnalysis:
    """All that is said of a project, but for texts. `left_out` are the programs that do not train, whose code
    is no part of the recipe."""

    files: int
    lines: int
    uses: int
    by_status: dict[str, int]
    modules: list[ModuleCount]
    missing: list[ApiCount]
    safe: int
    review: int
    waits: int
    waits_in_code: int
    rules: list[RuleCount]
    packages: list[PackageCount]
    problems: list[ProblemEntry]
    recipe: list[RecipeCount]
    left_out: list[str]


def analyse_project(
    files: Sequence[FileAnalysis],
    totals: Totals,
    uses: Mapping[ApiUse, int],
    configured: Sequence[SettingEntry] = (),
) -> ProjectAnalysis:
    """Put together what is said of all files that were looked at. `configured` are the settings of
    configuration files."""
    items = Catalog.load().migration.recipe
    project = ProjectFiles(files)
    words = {word for one in configured for word in WORD.findall(one.value)}
    training = TrainingParts(files, project, words)
    parts = training.files
    left_out = {one.path for one in files} - {one.path for one in parts}
    configured = _without_others(configured, parts, [one for one in files if one.path in left_out])
    values = KnownValues(parts, project, configured)
    classes: dict[str, list[ClassEntry]] = {}
    for one in [one for file in parts for one in file.classes]:
        classes.setdefault(one.name, []).append(one)
    found = [one for file in parts for one in file.recipe]
    found += _in_named_files(parts, found, items)
    derived = _derived(parts, found)
    modules = {(one.path, one.line) for one in derived if one.item in _GIVEN}
    changing = {item.name for item in items if item.only_training and not item.has_layers}
    found = [one for one in found if one.item not in changing or (one.path, one.line) not in modules]
    found = _without_unmeant(found, derived, classes, items)
    made = _made(parts, [*found, *derived], project)
    found = [*_without_kept(found, made, items), *made]
    found += _hinted(parts, found)
    reached = Reached(parts, project)
    found += reached.entries(found, lambda file: (file.called_for_samples, file.sampled))
    found += reached.entries(found, lambda file: (file.called_for_data, file.read_files))
    for item in items:
        if item.is_reading:
            found += _read_by_classes(parts, [*found, *derived], items, item)
    if training.has_programs:
        found = _without_unused(parts, found)
    read = ReadSettings(parts, found, project, training)
    if training.has_programs:
        found = [one for one in found if read.reads(one)]
    found = [one for one in found if not _never(one)]
    never = [one for one in found if values.never_holds(one)]
    unmade = _never_made(parts, never)
    found = [one for one in found if one not in never and not _is_of_classes(one, unmade)]
    derived = [one for one in derived if one.name not in unmade]
    dropped = DroppedCode(parts, values)
    found = [one for one in found if not dropped.is_dropped(one)]
    parts = [
        replace(
            file,
            code=[
                one
                for one in file.code
                if unmade.isdisjoint(one.classes) and not dropped.is_of_dropped(one.path, one.name)
            ],
        )
        for file in parts
    ]
    found = [one for one in found if values.holds(one) and (one.kind != LOOP or training.trains(one))]
    minimized = {item.name for item in items if item.minimized}
    found = [one for one in found if one.item not in minimized or not training.is_result(one)]
    only = measuring(parts) if training.has_programs else set()
    found = [one for one in found if one.item not in minimized or one.scope not in only]
    found = _without_given(LossFormulas(parts, project, values).entries(found), items)
    found, derived = _with_criteria(found, derived, items, _with_weights(parts))
    found, derived = _with_kept_criteria(found, derived, items, parts)
    networks = {one.name for one in [*found, *derived] if one.is_class and one.item in _GIVEN}
    layered = {item.name for item in items if item.has_layers} | _GIVEN
    found = [one for one in found if one.item in layered or not _is_made_of(one, networks)]
    entries = [values.explained(_bound(one, classes)) for one in found]
    entries += [values.explained(one) for one in derived]
    entries = _without_told([one for one in entries if not _is_set_otherwise(one, items)], items)
    chosen = {item.name: _chosen(item, configured) for item in items}
    sizes = {
        item.name: _names_read_by_classes(parts, [*found, *derived], items, item)
        for item in items
        if item.is_reading
    }
    configurations = [
        one
        for item in items
        for one in _of_configuration(
            item,
            configured,
            chosen,
            items,
            sizes.get(item.name, frozenset()),
            is_told=any(one.item == item.name for one in found),
        )
    ]
    entries += [one for one in configurations if not training.has_programs or read.reads_configured(one)]
    functions = ShownFunctions(parts, project, values, dropped, entries)
    given = GivenNames(parts, functions.sources, values, entries)
    entries = [
        *map(given.completed, entries),
        *functions.source_entries(),
        *given.chosen_networks(),
        *given.rates(),
        *[one for item in items if item.minimized for one in given.coefficients(item.name)],
    ]
    entries += functions.counted_entries(items)
    entries += [one for item in items if item.minimized for one in functions.computed_entries(item.name)]
    entries += [one for item in items for one in functions.copying_entries(item)]
    entries = functions.without_unread_parameters(entries)
    entries = functions.without_evaluations(entries, changing)
    for name in minimized:
        entries = functions.without_unneeded_losses(entries, name, words)
    entries = with_groups(_without_schedules(entries))
    entries += list(_pretrained(entries))
    functions.restrict_to(entries)
    for item in items:
        entries += functions.loop_entries(item.name) if LOOPS in item.shows else ()
    shown = {item.name: functions.of_item(item) for item in items}
    tables = ChoosingTables(parts, project, values)
    for item in items:
        own = [one for one in entries if one.item == item.name]
        shown[item.name] += tables.of_item(item.name, own, shown[item.name], is_plain=not item.shows)
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
        waits_in_code=sum(file.waits_in_code for file in files),
        rules=_rules(one for file in files for one in file.rules),
        packages=_packages(one for file in files for one in file.imports),
        problems=[one for file in files for one in file.problems],
        recipe=[
            RecipeCount(
                item=item.name,
                entries=sorted([one for one in entries if one.item == item.name], key=_place),
                functions=[*shown[item.name], *functions.pointers(item.name, shown)],
            )
            for item in items
        ],
        left_out=sorted(left_out),
    )


def _without_others(
    configured: Sequence[SettingEntry], parts: Sequence[FileAnalysis], left_out: Sequence[FileAnalysis]
) -> list[SettingEntry]:
    """The settings without those of files that only programs name which are left out, where their folder has
    no others; where such programs evaluate, those of files that are for that by their names (`test.yaml`)
    beside others are none of the training, either."""
    named = {name for file in left_out for name in file.named_files}
    named -= {name for file in parts for name in file.named_files}
    places = {PurePath(one.path) for one in configured}
    kept = {place.parent for place in places if place.name not in named}
    read = {name for file in parts for name in file.named_files}
    is_tested = any(map(_is_for_tests, [PurePath(one.path) for one in left_out]))
    testing = {place for place in places if is_tested and _is_for_tests(place) and place.name not in read}
    beside = {place.parent for place in places - testing}
    testing = {place for place in testing if place.parent in beside}
    found = [one for one in configured if PurePath(one.path).parent in kept]
    return [one for one in found if PurePath(one.path) not in testing]


def _is_for_tests(place: PurePath) -> bool:
    return Catalog.load().migration.only_evaluates(place.stem.lower())


_Owner = tuple[str, str]
"""A configuration file, and the dotted name of what has settings of its own in it."""


def _chosen(item: RecipeItem, settings: Sequence[SettingEntry]) -> set[_Owner]:
    """What of an item is chosen by its name in configuration files, and given settings."""
    own = [one for one in settings if item.has_name(one.name) or item.has_option(one.name)]
    return {(one.path, one.owner) for one in own if one.owner.rpartition(".")[2] == one.name}


def _is_under(one: SettingEntry, owners: Set[_Owner]) -> bool:
    above = one.owner.split(".")
    return any((one.path, ".".join(above[: at + 1])) in owners for at in range(len(above)))


def _is_of_tests(one: SettingEntry) -> bool:
    """Whether a setting is in a part of a configuration file that is for what evaluates, by its name."""
    facts = Catalog.load().migration
    return any(facts.only_evaluates(name.lower()) for name in one.owner.split(".") if name)


def _of_configuration(
    item: RecipeItem,
    settings: Sequence[SettingEntry],
    chosen: Mapping[str, Set[_Owner]],
    items: Sequence[RecipeItem],
    read: Set[str],
    *,
    is_told: bool,
) -> list[RecipeEntry]:
    """An entry for each name in configuration files, with all its values, at the first of them: also for what
    is `read` by its classes or chosen by its name, but for what belongs to another item, and for hints at it
    where something of it `is_told`."""
    by_name: dict[str, list[SettingEntry]] = {}
    for one in settings:
        is_own = item.has_name(one.name) or (item.has_option(one.name) and len(one.name) > 1)
        is_own = is_own or (is_told and item.has_hint(one.name))
        others = any(each.has_name(one.name) or each.has_hint(one.name) for each in items if each != item)
        is_given = not others and (_is_under(one, chosen[item.name]) or one.name in read)
        is_other = any(_is_under(one, chosen[name]) for name in item.not_under) or _is_of_tests(one)
        if (is_own or is_given) and not is_other:
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


def _without_unmeant(
    found: Sequence[RecipeEntry],
    derived: Sequence[RecipeEntry],
    classes: Mapping[str, Sequence[ClassEntry]],
    items: Sequence[RecipeItem],
) -> list[RecipeEntry]:
    """The entries without the calls of classes of the project whose names alone say that they belong to an
    item."""
    asking = {item.name for item in items if item.has_class_words}
    told = {(one.item, one.name) for one in [*found, *derived] if one.is_class}
    return [
        one
        for one in found
        if one.item not in asking
        or one.is_class
        or last_part(one.name) not in classes
        or (one.item, last_part(one.name)) in told
    ]


def _pretrained(entries: Sequence[RecipeEntry]) -> Iterator[RecipeEntry]:
    """The calls that give networks with weights which others have trained, as entries of the
    initialization."""
    told = {(one.path, one.line) for one in entries if one.item == _INITIALIZATION}
    for one in [one for one in entries if one.item == _NETWORK and not one.is_class]:
        names = _PRETRAINED if one.name.startswith(_TORCHVISION) else _PRETRAINED[:1]
        given = [each for each in one.parameters if each.name in names and not each.is_default]
        given = [each for each in given if (each.known or each.value) not in _UNTRAINED]
        if given and (one.path, one.line) not in told:
            yield replace(one, item=_INITIALIZATION, parameters=given)


def _without_schedules(entries: Sequence[RecipeEntry]) -> list[RecipeEntry]:
    """The entries without settings of networks by their names in classes of optimizers and schedules."""
    classes = {(one.path, one.name) for one in entries if one.is_class and one.item in _OF_RATES}
    found = [
        one
        for one in entries
        if one.item != _NETWORK
        or one.kind not in _GIVEN_VALUES
        or classes.isdisjoint((one.path, name) for name in one.classes)
    ]
    schedule = next(one for one in Catalog.load().migration.recipe if one.name == _SCHEDULE)
    scopes = {(one.path, one.scope) for one in entries if one.item == _SCHEDULE and one.scope}
    found = [
        one
        for one in found
        if one.item != _OPTIMIZER
        or not _is_setting(one)
        or not schedule.has_function(last_part(one.scope))
        or (one.path, one.scope) not in scopes
    ]
    return [one for one in found if one.item != _SCHEDULE or not _is_given_to_optimizer(one, entries)]


def _is_given_to_optimizer(entry: RecipeEntry, entries: Sequence[RecipeEntry]) -> bool:
    """Whether a setting is a parameter of an optimizer, other than its rate, and nothing else of the schedule
    reads it."""
    target = _SET.match(entry.code)
    if not _is_setting(entry) or (target is None and not entry.parameters):
        return False
    last = last_part(target["name"]) if target is not None else entry.parameters[0].name
    name = re.compile(rf"(?:\w+\.)?{re.escape(last)}", re.IGNORECASE)
    given = {
        each.name
        for one in entries
        if one.item == _OPTIMIZER and not one.is_class and one.kind == ""
        for each in one.parameters
        if each.name and name.fullmatch(each.value) is not None
    }
    others = [one for one in entries if one.item == _SCHEDULE and not _is_setting(one)]
    is_read = any(
        name.search(text) for one in others for text in (one.code, *[each.value for each in one.parameters])
    )
    return bool(given) and "lr" not in given and not is_read


def _is_setting(entry: RecipeEntry) -> bool:
    return entry.kind in _SETTINGS or (entry.kind == "" and _SET.match(entry.code) is not None)


def _is_set_otherwise(entry: RecipeEntry, items: Sequence[RecipeItem]) -> bool:
    """Whether a setting that belongs to an item with some values alone is known to have another one."""
    item = next(one for one in items if one.name == entry.item)
    chosen = item.arguments.get(entry.name)
    told = [one for one in entry.parameters if chosen is not None and one.name in chosen.names]
    if chosen is not None and told and all(one.known in chosen.but for one in told):
        return True
    return any(
        item.is_set(one.name) and one.known and not item.is_set_to(one.name, one.known)
        for one in entry.parameters
        if is_dotted_name(one.known)
    )


def _never(entry: RecipeEntry) -> bool:
    """Whether code never runs, by what its conditions are."""
    return any(one.value in _NEVER for one in entry.conditions)


def _place(entry: RecipeEntry) -> tuple[str, int, int]:
    return entry.path, entry.cell or 0, entry.line


def _in_named_files(
    files: Sequence[FileAnalysis], entries: Sequence[RecipeEntry], items: Sequence[RecipeItem]
) -> list[RecipeEntry]:
    """Entries for the classes in files whose names say what they belong to, but for those that are told."""
    told = {(one.path, one.line) for one in entries if one.is_class}
    return [
        RecipeEntry(path=one.path, line=one.line, item=item.name, name=one.name, code=one.code)
        for file in files
        for item in items
        if item.has_file(PurePath(file.path).stem)
        for one in file.classes
        if (one.path, one.line) not in told and not item.leaves_out(one.name)
    ]


def _derived(files: Sequence[FileAnalysis], entries: Sequence[RecipeEntry]) -> list[RecipeEntry]:
    """Entries for the classes of the project that derive from classes which are entries."""
    of: dict[str, set[str]] = {}
    for entry in entries:
        if entry.is_class:
            of.setdefault(entry.name, set()).add(entry.item)
    items = {item.name: item for item in Catalog.load().migration.recipe}
    told = {(one.path, one.line, one.item) for one in entries}
    classes = [one for file in files for one in file.classes]
    found: list[RecipeEntry] = []
    is_changed = True
    while is_changed:
        is_changed = False
        for one in classes:
            for item in sorted({item for base in one.bases for item in of.get(base, ())}):
                if not items[item].leaves_out(one.name) and (one.path, one.line, item) not in told:
                    told.add((one.path, one.line, item))
                    of.setdefault(one.name, set()).add(item)
                    entry = RecipeEntry(path=one.path, line=one.line, item=item, name=one.name, code=one.code)
                    if items[item].is_reading:
                        entry.parameters = list(one.reads)
                    is_changed = True
                    if not one.is_unused:
                        found.append(entry)
    return found


def _made(
    files: Sequence[FileAnalysis], entries: Sequence[RecipeEntry], project: ProjectFiles
) -> list[RecipeEntry]:
    """Entries for the calls of the project's classes which are entries, but for those in classes that are
    entries of the same item, as the blocks of a network; and for the calls of its functions which are, or
    which give networks; in functions that an option names, also for those of other classes."""
    of: dict[str, set[str]] = {}
    for entry in entries:
        if entry.is_class:
            of.setdefault(entry.name, set()).add(entry.item)
    assembled = {api: {item.name} for item in Catalog.load().migration.recipe for api in item.assembled}
    networks = _giving(files, of)
    together = _giving(files, assembled)
    trained = {file.path for file in files if file.is_program or file.training}
    minimized = {item.name for item in Catalog.load().migration.recipe if item.minimized}
    aliases = _aliases(files)
    for where, classes in _given_classes(files, of).items():
        aliases.setdefault(where, set()).update(classes)
    gives = {file.path for file in files if any(name in networks for name, _ in file.giving)}
    assigned = {(one.path, one.name) for file in files for one in file.settings if one.kind == "assigned"}
    chosen = {
        (one.item, text.strip("\"'"))
        for one in entries
        for text in [each.value for each in one.parameters]
        if one.item in _GIVEN and text.strip("\"'")
    }
    facts = Catalog.load().migration
    holders = {
        one.name for file in files for one in file.classes if any(map(facts.holds_networks, one.bases))
    }
    functions = {(one.name, one.item) for one in entries if one.code.startswith("def ")}
    places = {(one.path, one.item) for one in entries if one.is_class}
    told = {(one.path, one.line, one.item): one.code for one in entries}
    objects = {
        (one.path, one.scope, one.exact or one.name)
        for file in files
        for one in file.settings
        if one.kind == "assigned" and not one.owner and not of.keys().isdisjoint(_CALLED.findall(one.source))
    }
    defined = {(file.path, name) for file in files for name in file.defined}
    found = []
    for call in [one for file in files for one in file.made]:
        name = call.name.removesuffix(LOADED).rpartition(".")[2]
        if call.item:
            is_told = (call.path, call.line, call.item) in told
            if (name, call.item) in functions and not is_told:
                found.append(call)
            continue
        items = of.get(name, set()) or networks.get(name, set())
        is_variable = name == call.name and _is_kept_object(call, objects, defined, project)
        items = set() if is_variable else items
        function = last_part(call.scope)
        if not items and call.path in trained and function not in together and function not in networks:
            items = together.get(name, set())
        for alias in aliases.get((call.path, call.scope, spelled(name)), ()) if call.name == name else ():
            items = items | of.get(alias, set()) | networks.get(alias, set())
        if not items:
            modules = [
                value
                for value in _plain_values(call)
                if project.is_module(value, call.path) and (call.path, spelled(value)) not in assigned
            ]
            given = {item for path, item in places for value in modules if _is_of_module(path, value)}
            items = given & _CHOSEN_FROM
        if name == ALL:
            found_in = [(path, item) for path, item in places if _is_of_module(path, call.name)]
            items = {item for _, item in found_in}
            if items & _GIVEN:
                items = {item for path, item in found_in if item in _GIVEN or PurePath(path).stem == item}
            if not items and any(_is_of_module(path, call.name) for path in gives):
                items = set(_GIVEN)
        items = items | {item for item in _GIVEN if (item, function) in chosen and _is_class(name)}
        for item in sorted(items):
            is_inside = any(item in of.get(name, ()) for name in set(call.classes) - holders)
            known = told.get((call.path, call.line, item))
            is_kept = known is not None and item not in minimized and known.endswith(f"= {call.code}")
            if (known is None or is_kept) and not is_inside:
                found.append(replace(call, item=item))
    return found


def _is_kept_object(
    call: RecipeEntry,
    objects: Set[tuple[str, str, str]],
    defined: Set[tuple[str, str]],
    project: ProjectFiles,
) -> bool:
    """Whether what is called is an object that a name of the function or the module has, which others use for
    a class."""
    is_kept = any((call.path, scope, call.name) in objects for scope in (call.scope, ""))
    is_own = (call.path, call.name) in defined
    return is_kept and not is_own and not any(project.imported_as(call.name, call.path))


def _with_criteria(
    found: Sequence[RecipeEntry],
    derived: Sequence[RecipeEntry],
    items: Sequence[RecipeItem],
    weighted: Set[str],
) -> tuple[list[RecipeEntry], list[RecipeEntry]]:
    """The entries with those of classes of losses that have other names as entries of the loss, and of no
    network: modules whose objects are all kept as what computes losses, or that have no weights (not
    `weighted`) and are made where losses are, by the names of the files."""
    loss = next(item for item in items if item.minimized)
    kept = [
        (made["name"], one)
        for one in found
        if one.item == loss.name
        and (made := _KEPT.match(one.code)) is not None
        and loss.has_result(spelled(last_part(made["kept"])))
    ]
    lines = {(one.path, one.line) for _, one in kept}
    calls = [
        one for one in found if one.item in _GIVEN and not one.is_class and (one.path, one.line) not in lines
    ]
    classes = {one.name for one in [*found, *derived] if one.is_class and one.item in _GIVEN}
    names = {last_part(name) for name, _ in kept} & classes - {last_part(one.name) for one in calls}
    names |= {
        name
        for name in classes - weighted
        if (making := [one for one in calls if last_part(one.name) == name])
        and any(loss.has_file(PurePath(one.path).stem) for one in making)
        and all(_is_of_measures(loss, one.path) for one in making)
    }
    told = {(one.path, one.line) for one in found if one.item == loss.name}

    def moved(entries: Sequence[RecipeEntry]) -> Iterator[RecipeEntry]:
        for one in entries:
            is_of_network = one.item in _GIVEN and last_part(one.name) in names
            if not is_of_network:
                yield one
            elif (one.is_class or loss.has_file(PurePath(one.path).stem)) and (
                one.path,
                one.line,
            ) not in told:
                yield replace(one, item=loss.name)

    return list(moved(found)), list(moved(derived))


def _with_kept_criteria(
    found: Sequence[RecipeEntry],
    derived: Sequence[RecipeEntry],
    items: Sequence[RecipeItem],
    files: Sequence[FileAnalysis],
) -> tuple[list[RecipeEntry], list[RecipeEntry]]:
    """The entries with modules without weights as entries of the loss, and of no network, whose objects are
    all kept under names of losses (`ssim_loss`); with where these are made."""
    loss = next(item for item in items if item.minimized)
    classes = _modules_without_weights(files)
    makings: dict[str, list[tuple[SettingEntry, bool]]] = {}
    settings = [
        one
        for file in files
        for one in file.settings
        if one.kind == "assigned" and not file.evaluates and one.scope not in file.evaluations
    ]
    for one in settings:
        made = _MAKING.match(one.source)
        if made is not None and made["name"] in classes:
            is_loss = loss.has_result(one.name) or _OF_LOSS.search(one.name) is not None
            makings.setdefault(made["name"], []).append((one, is_loss))
    names = {name for name, given in makings.items() if all(is_loss for _, is_loss in given)}
    kept = [
        one
        for one in (*found, *derived)
        if last_part(one.name) not in names or one.item not in (*_GIVEN, loss.name)
    ]
    told = [one for one in found if last_part(one.name) in names and one.item == loss.name]
    lines = {(one.path, one.line) for one in told}
    new = []
    for name in sorted(names):
        new += [
            RecipeEntry(path=one.path, line=one.line, item=loss.name, name=name, code=one.code)
            for one in classes[name]
        ]
        for one, _ in makings[name]:
            entry = RecipeEntry(path=one.path, line=one.line, item=loss.name, name=name, code=one.source)
            entry.scope, entry.classes = one.scope, one.classes
            new.append(entry)
    new = [one for one in new if (one.path, one.line) not in lines]
    places = {id(one) for one in derived}
    return [one for one in kept if id(one) not in places] + told + new, [
        one for one in kept if id(one) in places
    ]


def _modules_without_weights(files: Sequence[FileAnalysis]) -> dict[str, list[ClassEntry]]:
    """The classes that derive from torch's module and name no layers with weights."""
    weighted = _with_weights(files)
    found: dict[str, list[ClassEntry]] = {}
    for one in [one for file in files for one in file.classes]:
        if _OF_MODULE.search(one.code) is not None and one.name not in weighted:
            found.setdefault(one.name, []).append(one)
    return found


def _with_weights(files: Sequence[FileAnalysis]) -> set[str]:
    """The classes that name layers with weights."""
    return {
        one.name
        for file in files
        for one in file.classes
        if not _WEIGHTED.isdisjoint(file.mentioned.get(one.name, ()))
    }


def _is_of_measures(loss: RecipeItem, path: str) -> bool:
    """Whether a file has losses or what only measures, by its name."""
    stem = PurePath(path).stem
    return loss.has_file(stem) or "metric" in stem.lower()


def _never_made(files: Sequence[FileAnalysis], never: Sequence[RecipeEntry]) -> set[str]:
    """The classes that nothing but these entries names, which stand on conditions that constants never meet,
    and those that only such classes name."""
    lines = {(one.path, one.line) for one in never}
    classes = {one.name for file in files for one in file.classes}
    made = {last_part(one.name) for one in never if not one.is_class} & classes
    found: set[str] = set()
    while made:
        named = {
            word
            for file in files
            for text in _texts_of(file, lines, found | made)
            for word in WORD.findall(text)
        }
        new = made - named
        found |= new
        calls = [call for file in files for call in file.calls if not new.isdisjoint(call.classes)]
        texts = [text for one in calls for text in (one.name, *[value for _, value in one.arguments])]
        settings = [one for file in files for one in file.settings if not new.isdisjoint(one.classes)]
        texts += [one.source for one in settings]
        made = {word for text in texts for word in WORD.findall(text)} & classes - found
    return found


def _is_of_classes(entry: RecipeEntry, classes: Set[str]) -> bool:
    """Whether an entry is one of these classes, or stands in one."""
    return (entry.is_class and entry.name in classes) or not classes.isdisjoint(entry.classes)


def _texts_of(file: FileAnalysis, lines: Set[tuple[str, int]], classes: Set[str]) -> Iterator[str]:
    """What may name a class in a file, but for some lines, and what stands in some classes: calls with what
    they are given, what names are given, bases, and texts."""
    for call in file.calls:
        if (call.path, call.line) not in lines and classes.isdisjoint(call.classes):
            yield from (call.written, *[value for _, value in call.arguments])
    for one in file.settings:
        if (one.path, one.line) not in lines and classes.isdisjoint(one.classes):
            yield one.source
    for each in file.classes:
        yield from each.bases if each.name not in classes else ()
    for _, _, names in file.tables:
        yield from names
    yield from file.names_in_texts


def _without_kept(
    entries: Sequence[RecipeEntry], made: Sequence[RecipeEntry], items: Sequence[RecipeItem]
) -> list[RecipeEntry]:
    """The entries without the names that are given what is made in the same line: that is told with its
    parameters, but for losses, which are told as they are kept, too."""
    others = {item.name for item in items if not item.minimized}
    calls = {(one.path, one.line, one.item): one.code for one in made if one.item in others}
    return [
        one
        for one in entries
        if not one.code.endswith(f"= {calls.get((one.path, one.line, one.item), one.code)}")
    ]


def _plain_values(call: RecipeEntry) -> list[str]:
    """What a call is given that is a name without attributes."""
    return [one.value for one in call.parameters if one.value.isidentifier()]


def _is_made_of(entry: RecipeEntry, classes: Set[str]) -> bool:
    """Whether an entry makes an object of one of these classes."""
    return not entry.is_class and entry.name.rpartition(".")[2] in classes


def _aliases(files: Sequence[FileAnalysis]) -> dict[tuple[str, str, str], set[str]]:
    """The names that functions give to others, as in `net = ResNet`, also as what functions of the project
    choose: by file, function and name."""
    tables: dict[str, set[str]] = {}
    for table, _, names in [one for file in files for one in file.tables]:
        if table.endswith("()"):
            tables.setdefault(table.removesuffix("()"), set()).update(map(last_part, names))
    found: dict[tuple[str, str, str], set[str]] = {}
    for one in [one for file in files for one in file.settings]:
        if one.kind != "assigned" or one.owner:
            continue
        key = (one.path, one.scope, one.name)
        given = OF_FUNCTION.fullmatch(one.source)
        if is_dotted_name(one.source):
            found.setdefault(key, set()).add(one.source.rpartition(".")[2])
        elif given is not None and given["table"] in tables:
            found.setdefault(key, set()).update(tables[given["table"]])
    return found


def _given_classes(
    files: Sequence[FileAnalysis], of: Mapping[str, set[str]]
) -> dict[tuple[str, str, str], set[str]]:
    """The parameters that calls give classes of networks, by file, function and name, with these classes."""
    lists = {
        (one.path, one.name): _LISTED.findall(one.source)
        for file in files
        for one in file.settings
        if one.kind == "assigned" and one.source.startswith(("[", "("))
    }
    functions: dict[str, list[FunctionEntry]] = {}
    for one in [one for file in files for one in file.functions if not one.classes]:
        functions.setdefault(one.name, []).append(one)
    found: dict[tuple[str, str, str], set[str]] = {}
    for call in [call for file in files for call in file.calls]:
        for function in functions.get(last_part(call.name), ()):
            names = iter([name for name, _ in function.parameters])
            for name, value in [(name or next(names, ""), value) for name, value in call.arguments]:
                chosen = _ELEMENT.fullmatch(value)
                listed = lists.get((call.path, spelled(chosen["list"])), []) if chosen is not None else []
                at = int(chosen["at"]) if chosen is not None else 0
                value = listed[at] if at < len(listed) else value
                if of.get(last_part(value), set()) & _GIVEN:
                    key = (function.path, function.name, spelled(name))
                    found.setdefault(key, set()).add(last_part(value))
    return found


def _is_class(name: str) -> bool:
    """Whether what is called is a class, by its name."""
    return name[:1].isupper() and not name.isupper()


def _giving(files: Sequence[FileAnalysis], of: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The functions that return objects of networks, with that item, also of what such functions give."""
    pairs = {pair for file in files for pair in file.giving}
    found: dict[str, set[str]] = {}
    is_changed = True
    while is_changed:
        is_changed = False
        for function, called in pairs:
            items = (of.get(called, set()) | found.get(called, set())) & _GIVEN
            if not items <= found.get(function, set()) and function not in of:
                found.setdefault(function, set()).update(items)
                is_changed = True
    return found


def _is_of_module(path: str, name: str) -> bool:
    """Whether a file is a module, or in a package, from which a name is chosen (`models.*`)."""
    module = name.removesuffix(f".{ALL}").rpartition(".")[2]
    return module in (*PurePath(path).parts, PurePath(path).stem)


def _hinted(files: Sequence[FileAnalysis], entries: Sequence[RecipeEntry]) -> list[RecipeEntry]:
    """The hints at items that other entries belong to."""
    items = {one.item for one in entries}
    told = {(one.path, one.line, one.item) for one in entries}
    hints = [one for file in files for one in file.hints if one.item in items]
    return [one for one in hints if (one.path, one.line, one.item) not in told]


def _without_given(entries: Sequence[RecipeEntry], items: Sequence[RecipeItem]) -> list[RecipeEntry]:
    """The entries without the options that APIs of other items are given, whose settings do not belong to
    theirs, and nothing else of the item uses."""
    under = {item.name: item.not_under for item in items}
    apart = {item.name: item.not_given_to for item in items}
    given, asked = _names_given(entries, with_conditions=False), _names_given(entries, with_conditions=True)
    return [
        one
        for one in entries
        if one.kind != "option"
        or one.parameters[0].name in asked.get(one.item, ())
        or not (
            any(one.parameters[0].name in asked.get(item, ()) for item in under[one.item])
            or any(one.parameters[0].name in given.get(item, ()) for item in apart[one.item])
        )
    ]


def _names_given(entries: Sequence[RecipeEntry], *, with_conditions: bool) -> Mapping[str, Set[str]]:
    """The names in what the entries of each item are given, but for options, or are told on conditions of."""
    found: dict[str, set[str]] = {}
    for one in entries:
        if one.kind != "option":
            places = [*one.parameters, *(one.conditions if with_conditions else ())]
            names = [spelled(name) for each in places for name in WORD.findall(each.value)]
            found.setdefault(one.item, set()).update(names)
    return found


def _read_by_classes(
    files: Sequence[FileAnalysis],
    entries: Sequence[RecipeEntry],
    items: Sequence[RecipeItem],
    item: RecipeItem,
) -> list[RecipeEntry]:
    """Entries for the options that classes of an item read of the settings they are made with, but for those
    that are told, and what says where and how a program runs."""
    read = _names_read_by_classes(files, entries, items, item)
    told = {(one.path, one.line) for one in entries if one.kind == "option"}
    options = [one for file in files for one in file.options]
    return [
        replace(one, item=item.name)
        for one in options
        if one.parameters[0].name in read and (one.path, one.line) not in told
    ]


def _names_read_by_classes(
    files: Sequence[FileAnalysis],
    entries: Sequence[RecipeEntry],
    items: Sequence[RecipeItem],
    item: RecipeItem,
) -> set[str]:
    """The names of the settings that classes of an item read, but for what says where and how a program runs,
    and, unless it is a network that does, for what others belong to."""
    classes = {(one.path, one.name) for one in entries if one.is_class and one.item == item.name}
    others = [] if item.name == _NETWORK else [one for one in items if one != item]
    return {
        name
        for file in files
        for where, names in file.read.items()
        if (file.path, where) in classes
        for name in names
        if item.is_read(name) and not any(one.has_name(name) or one.has_option(name) for one in others)
    }


def _without_unused(files: Sequence[FileAnalysis], entries: Sequence[RecipeEntry]) -> list[RecipeEntry]:
    """The entries without what is only kept as an attribute that nothing names."""
    unused = {(file.path, line): name for file in files for line, name in file.unnamed}
    named = {
        file.path: {name for names in file.mentioned.values() for name in names} if unused else set()
        for file in files
    }
    return [
        one
        for one in entries
        if (one.path, one.line) not in unused
        or any(unused[one.path, one.line] in names for path, names in named.items() if path != one.path)
    ]


def _without_told(entries: Sequence[RecipeEntry], items: Sequence[RecipeItem]) -> list[RecipeEntry]:
    """The entries with classes told without the settings that they read and that are entries themselves, or
    do not belong to the item."""
    by_name = {item.name: item for item in items}
    told = {(one.item, one.path, one.line) for one in entries if not one.is_class}

    def is_other(entry: RecipeEntry, read: GivenParameter) -> bool:
        item, name = by_name[entry.item], spelled(last_part(dotted_keys(read.value)))
        others = [] if item.name == _NETWORK else [one for one in items if one != item]
        if (
            not item.is_read(name)
            or (others and read.value.isupper())
            or any(one.has_name(name) or one.has_option(name) for one in others)
        ):
            return True
        return read.at is not None and (entry.item, read.at.path, read.at.line) in told

    return [
        replace(one, parameters=[each for each in one.parameters if not is_other(one, each)])
        if one.is_class and one.parameters
        else one
        for one in entries
    ]


def _bound(entry: RecipeEntry, classes: Mapping[str, Sequence[ClassEntry]]) -> RecipeEntry:
    """The call of a class of the project with the names of its parameters, and the defaults of those that it
    leaves out; anything else as it is. Of several classes of one name, that of the same file counts."""
    named = classes.get(entry.name.rpartition(".")[2], ())
    here = [one for one in named if one.path == entry.path] or named
    made = here[0] if len(here) == 1 else None
    known = made.parameters if made is not None else None
    is_call = entry.code.endswith((")", "…")) and not entry.is_class and not entry.code.startswith("def ")
    if known is None or not is_call or any(one.value.startswith("*") for one in entry.parameters):
        return entry
    positional = len(known) if made is None or made.positional < 0 else made.positional
    free = iter([one.name for one in known[:positional]])
    given = [one if one.name else replace(one, name=next(free, "")) for one in entry.parameters]
    names = {one.name for one in given}
    left = [one for one in known if one.is_default and one.name not in names]
    return replace(entry, parameters=[*given, *left])


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
