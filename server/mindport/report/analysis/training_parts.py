"""What of a project its programs that train reach."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, TypeVar

from mindport.catalog.catalog import Catalog
from mindport.report.analysis.call_graph import CallGraph, with_entries, without_unreached
from mindport.report.analysis.entries import MAIN
from mindport.report.analysis.file_code import ALL, OF_SELF
from mindport.report.analysis.file_reader import EVALUATING, is_named_for_evaluation
from mindport.report.analysis.project_files import ProjectFiles
from mindport.source.decode import PACKAGE_FILE

if TYPE_CHECKING:
    from mindport.report.analysis.entries import CallEntry, CodeLine, FileAnalysis, RecipeEntry

_CHOSEN: Final = frozenset({"network", "loss"})
"""The items whose classes are chosen by their names."""
_RESULT: Final = re.compile(r"[\w., ()]+=\s*[\w.]+\.(?P<name>\w+)\(")
"""An assignment of what a method gives."""
_DEEPEST: Final = 3
"""As many classes derive one from the next."""
_FORWARD: Final = "forward"
_STARTING: Final = "fire.Fire"
"""What has the command line name a function of the file, where it is given none."""
_Line = TypeVar("_Line", bound="CodeLine")
_Function = tuple[str, str]
"""The path of a function's file and its last name; the name of what is run at the top level is empty."""


class TrainingParts:
    """The `files` of a project without what is no part of its training, where it has programs that train:
    programs that do not (what evaluates, shows, converts or tries something out), files that none of the rest
    imports or names, and functions that nothing names. Of a program that others import, only what it does as
    a program is left out. `words` are names in configuration files. It `has_programs` where there are such,
    so that all that is read is seen."""

    def __init__(self, files: Sequence[FileAnalysis], project: ProjectFiles, words: Set[str]) -> None:
        self._project = project
        self._training = _training(files, project)
        files = _with_programs(files, project, self._training)
        self._training_methods = {name for file in files for name in file.training if name} - {_FORWARD}
        self._by_path = {file.path: file for file in files}
        self._facts = Catalog.load().migration
        self._above = _common_folders(list(self._by_path))
        self._importing = {file.path for file in files if project.imports_by_name([file])}
        roots = self._roots(files)
        self.has_programs = False
        if not roots:
            self.files = list(files)
            return
        known_words = frozenset(words)
        reached = self._reached(roots, set(words))
        kept = [file for file in files if file.path in reached]
        programs = [file.path for file in kept if file.is_program]
        others = [one for one in programs if (one, "") not in self._training or self._is_tried(one, programs)]
        kept = [_without_main(file) if file.path in others else file for file in kept]
        if not any(file.is_program and (file.path, "") in self._training for file in kept):
            self.files = kept  # of a library, others call everything
            return
        self.has_programs = True
        known = {name for file in kept for name in file.trainers}
        started = {file.path: self._started(file) for file in kept}
        named = _named_functions(kept, project, words | known, started)
        chosen = self._chosen_from(kept)
        unused = {file.path: set(file.free) - named[file.path] for file in kept}
        kept = [
            _without_functions(file, unused[file.path], is_chosen_from=file.path in chosen) for file in kept
        ]
        unused = {path: names for path, names in unused.items() if path not in chosen}
        words = words | _words_in_use(kept, unused)
        kept = [_without_methods(file, words) for file in kept]
        kept = [with_entries(file, lambda one: not one.is_evaluation) for file in kept]
        graph = CallGraph(kept, project)
        first = [(file.path, "") for file in kept]
        first += [(file.path, MAIN) for file in kept if file.path not in others]
        first += [(file.path, name) for file in kept for name in {*started[file.path], *file.commands}]
        graph.follow(first, known_words)
        self.files = [without_unreached(file, graph) for file in kept]

    def _started(self, file: FileAnalysis) -> set[str]:
        """The functions that train and that the command line may name."""
        if not _is_started_by_name(file):
            return set()
        return {name for name in file.free if (file.path, name) in self._training}

    def _is_tried(self, path: str, programs: Sequence[str]) -> bool:
        """Whether a module of another program only tries itself out where it is run: it has no options."""
        training = [one for one in programs if one != path and (one, "") in self._training]
        is_used = any(path in self._project.all_imported_by(one) for one in training)
        return is_used and not self._by_path[path].options

    def _chosen_from(self, files: Sequence[FileAnalysis]) -> set[str]:
        """The files that classes are chosen from by their names: modules and packages that are named for it,
        and where any name may be chosen, the file itself and what it imports."""
        found = (
            set() if self._importing.isdisjoint(one.path for one in files) else {one.path for one in files}
        )
        for file in files:
            for name in file.chosen_from:
                if name == ALL:
                    found.add(file.path)
                    found |= self._project.all_imported_by(file.path)
                    continue
                modules = self._project.module_files(name, file.path)
                found |= modules.union(*map(self._project.all_imported_by, modules))
                found |= {
                    one.path for one in files if name in (*PurePath(one.path).parts, PurePath(one.path).stem)
                }
        return found

    def _roots(self, files: Sequence[FileAnalysis]) -> list[str]:
        """The programs that train, and the files that take gradients; none from folders that are set aside,
        where there are others."""
        found = [file.path for file in files if file.training or (file.path, "") in self._training]
        facts = self._facts
        used = [one for one in found if not self._is_set_aside(one) and not facts.is_set_aside(_stem(one))]
        return used or found

    def _is_set_aside(self, path: str) -> bool:
        """Whether a file is in a folder of the project for what is no longer in use."""
        return any(map(self._facts.is_set_aside, PurePath(path).parts[self._above : -1]))

    def trains(self, entry: RecipeEntry) -> bool:
        """Whether an entry stands in a function that takes gradients or calls such; true where none does."""
        return not self._training or _function_of(entry) in self._training

    def is_training(self, path: str, function: str) -> bool:
        """Whether a function of a file, by its last name, takes gradients or calls one that does."""
        return not self._training or (path, function) in self._training

    def is_result(self, entry: RecipeEntry) -> bool:
        """Whether an entry is what a method of an object gives that takes gradients itself."""
        made = _RESULT.match(entry.code)
        return made is not None and made["name"] in self._training_methods

    def _reached(self, roots: Sequence[str], words: set[str]) -> set[str]:
        """The files that programs import, and those whose names stand in texts there; where modules are
        imported by their names, also those whose folders' names do, or that are in a package with others."""
        reached: set[str] = set()
        waiting = list(roots)
        while waiting:
            path = waiting.pop()
            if path not in reached:
                reached.add(path)
                words.update(self._by_path[path].names_in_texts)
                waiting += self._project.imported_by(path)
            if not waiting:
                waiting = [other for other in self._by_path if self._may_be_named(other, reached, words)]
        return reached

    def _may_be_named(self, path: str, reached: set[str], words: set[str]) -> bool:
        if path in reached or self._by_path[path].is_program:
            return False
        place = PurePath(path)
        if self._is_set_aside(path) or self._is_of_evaluation(place) or is_named_for_evaluation(place.stem):
            return False
        if place.stem in words:
            return True
        is_package = place.parent.name in words or str(place.parent / PACKAGE_FILE) in reached
        return is_package and not self._importing.isdisjoint(reached)

    def _is_of_evaluation(self, place: PurePath) -> bool:
        """Whether a file is in a folder for what evaluates, by its name, and another folder has one of the
        same name."""
        if EVALUATING.fullmatch(place.parent.name.lower()) is None:
            return False
        same = [one for one in map(PurePath, self._by_path) if one.name == place.name]
        return any(EVALUATING.fullmatch(one.parent.name.lower()) is None for one in same)


def _with_programs(
    files: Sequence[FileAnalysis], project: ProjectFiles, training: Set[_Function]
) -> list[FileAnalysis]:
    """The files with those as programs that train where they are imported, which no other does."""
    imported = {path for file in files for path in project.imported_by(file.path)}
    return [
        replace(file, is_program=True)
        if not file.is_program and (file.path, "") in training and file.path not in imported
        else file
        for file in files
    ]


def measuring(files: Sequence[FileAnalysis]) -> set[str]:
    """The names of functions that only measure: plain numbers are made of what all their calls give, but for
    those in functions that evaluate or only measure; nothing keeps them or is given them."""
    calls: dict[str, list[CallEntry]] = {}
    for call in [call for file in files for call in file.calls]:
        calls.setdefault(call.name.rpartition(".")[2], []).append(call)
    kept = {one.source.rpartition(".")[2] for file in files for one in file.settings}
    kept |= {
        value.rpartition(".")[2] for given in calls.values() for call in given for _, value in call.arguments
    }
    evaluations = {(file.path, one) for file in files for one in file.evaluations}
    own = {name for file in files for name in file.free if name in calls} - kept
    found: set[str] = set()
    is_changed = True
    while is_changed:
        new = {
            name
            for name in own - found
            if all(
                call.is_measuring or call.scope in found or (call.path, call.scope) in evaluations
                for call in calls[name]
            )
        }
        found |= new
        is_changed = bool(new)
    return found


def _stem(path: str) -> str:
    return PurePath(path).stem


def _common_folders(paths: Sequence[str]) -> int:
    """How many folders all files are in, one in the other."""
    folders = [PurePath(path).parts[:-1] for path in paths]
    return sum(len(set(names)) == 1 for names in zip(*folders, strict=False))


def _named_functions(
    files: Sequence[FileAnalysis],
    project: ProjectFiles,
    words: Set[str],
    started: Mapping[str, Set[str]],
) -> dict[str, set[str]]:
    """The functions of each file that something names which runs: in it, in one that imports it, in a
    configuration file, or on the command line (those that are started)."""
    importing: dict[str, list[FileAnalysis]] = {file.path: [file] for file in files}
    for file in files:
        for path in project.all_imported_by(file.path):
            if path in importing and path != file.path:
                importing[path].append(file)
    by_name = [file for file in files if project.imports_by_name([file])]
    for file in files:
        importing[file.path] += [one for one in by_name if one is not file]
    seen = {file.path: {*file.mentioned.get("", ()), *file.mentioned.get(MAIN, ())} for file in files}
    for file in files:
        words_here = {name for names in file.mentioned.values() for name in names}
        seen[file.path] |= {
            one.name for one in file.names if one.bound != one.name and one.bound in words_here
        }
    named = {file.path: (set(file.free) & words) | started[file.path] for file in files}
    for file in files:
        for function in named[file.path]:
            seen[file.path].update(_mentioned_by(file, function))
    is_changed = True
    while is_changed:
        is_changed = False
        for file in files:
            for function in set(file.free) - named[file.path]:
                if any(
                    function in seen[one.path] and (one is file or function not in one.free or one in by_name)
                    for one in importing[file.path]
                ):
                    named[file.path].add(function)
                    seen[file.path].update(_mentioned_by(file, function))
                    is_changed = True
    return named


def _mentioned_by(file: FileAnalysis, function: str) -> Sequence[str]:
    """What a function of a file names for training: nothing where it only evaluates, by its name or that
    of the file."""
    if file.evaluates or (EVALUATING.fullmatch(function.lower()) and function not in file.training):
        return ()
    if function in file.evaluations:
        return ()
    return _named_in(file, function, without=file.evaluations)


def _named_in(file: FileAnalysis, function: str, *, without: Sequence[str] = ()) -> list[str]:
    """What a function names; of a class, also what its methods do, but for those without."""
    within = f"{function}."
    return [
        name
        for where, names in file.mentioned.items()
        if (where == function or where.startswith(within)) and where not in without
        for name in names
    ]


def _words_in_use(files: Sequence[FileAnalysis], unused: Mapping[str, Set[str]]) -> set[str]:
    """The names that stand in what may run, and the words in texts: not those in the functions that are
    unused in each file, nor in methods that none of these names."""
    found = {word for file in files for word in file.strings}
    waiting: dict[str, list[Sequence[str]]] = {}
    for file in files:
        methods = {f"{owner}.{one}": one for owner, names in file.methods.items() for one in names}
        for where, names in file.mentioned.items():
            if where.partition(".")[0] in unused.get(file.path, ()) or where in file.evaluations:
                continue
            if where in methods:
                waiting.setdefault(methods[where], []).append(names)
            else:
                found.update(names)
    while reached := found.intersection(waiting):
        for method in reached:
            for others in waiting.pop(method):
                found.update(others)
    return found


def _without_functions(file: FileAnalysis, functions: set[str], *, is_chosen_from: bool) -> FileAnalysis:
    """A file without these functions, which nobody calls, as far as the recipe goes; where something is
    chosen from it by its name, with all networks and losses and what gives such."""

    if not functions:
        return file
    if is_chosen_from:
        classes = {one.name for one in file.recipe if one.is_class and one.item in _CHOSEN}
        functions = functions - classes - {name for name, called in file.giving if called in classes}
        functions -= {one.scope for one in file.settings if one.kind == "assigned" and one.source in classes}
        functions = _without_named_in(file, classes, functions)
    kept = with_entries(file, lambda one: functions.isdisjoint((one.scope.partition(".")[0], _defined(one))))
    kept = _without_calls(kept, lambda scope: scope.partition(".")[0] in functions)
    defined = [
        replace(one, is_unused=one.name in functions)
        for one in file.classes
        if one.name not in functions or set(one.bases) - {"object"}
    ]
    return replace(kept, classes=defined)


def _without_named_in(file: FileAnalysis, classes: set[str], functions: set[str]) -> set[str]:
    """These functions without those that classes name, also through others."""
    waiting, left = list(classes), set(functions)
    while waiting:
        named = left.intersection(_named_in(file, waiting.pop()))
        waiting += named
        left -= named
    return left


def _without_methods(file: FileAnalysis, words: Set[str]) -> FileAnalysis:
    """A file without the methods that none of these words names, as far as the recipe goes."""
    unused = {
        f"{owner}.{method}"
        for owner, methods in file.methods.items()
        for method in methods
        if method not in words
    }
    if not unused:
        return file

    kept = with_entries(file, lambda one: unused.isdisjoint(_methods_around(one)))
    return _without_calls(
        kept, lambda scope: not unused.isdisjoint(map(".".join, pairwise(scope.split("."))))
    )


def _without_calls(file: FileAnalysis, is_unused: Callable[[str], bool]) -> FileAnalysis:
    """A file without the calls that never run: they give nothing to anybody."""
    return replace(file, calls=[one for one in file.calls if not is_unused(one.scope)])


def _methods_around(entry: RecipeEntry) -> Iterator[str]:
    """The methods that an entry is or stands in, each with its class."""
    names = entry.scope.split(".")
    yield from _pairs(entry.scope)
    if entry.code.startswith("def "):
        yield f"{names[-1]}.{entry.name}"


def _pairs(scope: str) -> Iterator[str]:
    """Each two names in a scope that follow each other."""
    yield from map(".".join, pairwise(scope.split(".")))


def _defined(entry: RecipeEntry) -> str:
    """The function or class of the module that an entry is."""
    is_defined = entry.is_class or entry.code.startswith("def ")
    return entry.name if is_defined and not entry.scope else ""


def _without_main(file: FileAnalysis) -> FileAnalysis:
    """A file without what it does as a program."""

    def is_kept(one: CodeLine) -> bool:
        return not any(start <= one.line <= end for start, end in file.main)

    def rest(found: Sequence[_Line]) -> list[_Line]:
        return [one for one in found if is_kept(one)]

    return replace(
        with_entries(file, is_kept),
        settings=rest(file.settings),
        options=rest(file.options),
        calls=rest(file.calls),
        mentioned={where: names for where, names in file.mentioned.items() if where != MAIN},
    )


def _training(files: Sequence[FileAnalysis], project: ProjectFiles) -> set[_Function]:
    """The functions that take gradients, and those that call such or hand them to others, by their names."""
    defined = {(file.path, name.rpartition(".")[2]) for file in files for name in file.defined}
    calls = [(call, _function_of(call)) for file in files for call in file.calls]
    found = {(file.path, name) for file in files for name in file.training}
    found |= {(file.path, name) for file in files for name in file.training_classes}
    found |= {(file.path, around) for file in files for around in _giving_steps(file)}
    derived = _derived_classes(files)
    parameters = {
        (file.path, one.name): {name for name, _ in one.parameters}
        for file in files
        for one in file.functions
    }
    names = {name for _, name in found}
    aliases = [
        ((one.path, one.name), (one.path, one.source))
        for one in (one for file in files for one in file.settings)
        if one.kind == "assigned" and not one.owner and one.source.isidentifier()
    ]
    meant = {one: [*project.imported_as(one[1], one[0])] for _, one in aliases}
    is_changed = True
    while is_changed:
        is_changed = False
        for alias, function in aliases:
            if alias not in found and not found.isdisjoint([function, *meant[function]]):
                found.add(alias)
                names.add(alias[1])
                is_changed = True
        for call, around in calls:
            name = call.name.rpartition(".")[2]
            own = parameters.get((call.path, call.scope), ())
            names_given = [
                value
                for _, value in call.arguments
                if value.isidentifier() and value in names and value not in own
            ]
            given = {(call.path, value) for value in names_given}
            given.update(one for value in names_given for one in project.imported_as(value, call.path))
            if around not in found and given & found & defined:
                found.add(around)
                names.add(around[1])
                is_changed = True
            if around in found or name not in names:
                continue
            is_here = (call.path, name) in defined and call.written in (name, f"{OF_SELF}{name}")
            if call.written == f"{OF_SELF}{name}" and _is_overridden(call, name, found, derived):
                is_here = False
            if not is_here and call.written == name:
                places = [one for one in project.imported_as(name, call.path) if one in defined]
                is_other = bool(places) and not any(one in found for one in places)
            else:
                is_other = is_here and (call.path, name) not in found
            if not is_other:
                found.add(around)
                names.add(around[1])
                is_changed = True
    started = [file for file in files if _is_started_by_name(file)]
    return (
        found
        | {(file.path, "") for file in started if any((file.path, one) in found for one in file.free)}
        | {(file.path, "") for file in files if any((file.path, one) in found for one in file.commands)}
    )


def _giving_steps(file: FileAnalysis) -> Iterator[str]:
    """The last names of the functions that a function stands in which takes gradients: they give it to be
    called, or call it."""
    functions = {one.name for one in file.functions}
    for name in functions:
        around, _, last = name.rpartition(".")
        if last in file.training and around in functions:
            yield around.rpartition(".")[2]


def _derived_classes(files: Sequence[FileAnalysis]) -> Mapping[str, set[str]]:
    """The files of the classes that derive from each class, by its name, also through others."""
    found: dict[str, set[str]] = {}
    classes = [one for file in files for one in file.classes]
    for _ in range(_DEEPEST):
        for one in classes:
            for base in one.bases:
                found.setdefault(base, set()).update({one.path, *found.get(one.name, ())})
    return found


def _is_overridden(
    call: CallEntry, name: str, found: Set[_Function], derived: Mapping[str, set[str]]
) -> bool:
    """Whether an object calls a method of its own that a class derived from its own has, and trains with."""
    return any((path, name) in found for owner in call.classes[-1:] for path in derived.get(owner, ()))


def _is_started_by_name(file: FileAnalysis) -> bool:
    """Whether a file lets the command line name any of its functions."""
    return any(one.name.endswith(_STARTING) and not one.arguments for one in file.calls)


def _function_of(one: CallEntry | RecipeEntry) -> _Function:
    """The function that something stands in; a class stands for what makes objects of it."""
    name = one.scope.rpartition(".")[2]
    return one.path, (one.classes[-1] if name == "__init__" and one.classes else name)
