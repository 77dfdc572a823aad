"""Which functions, methods and classes of a project its programs reach, by what each names. What may be meant
counts as reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from mindport.report.analysis.entries import MAIN, FileAnalysis, RecipeEntry, ReferenceEntry
from mindport.report.analysis.file_code import ALL, last_part
from mindport.report.analysis.references import OF_OBJECT, OF_SELF, VARIABLE

if TYPE_CHECKING:
    from mindport.report.analysis.project_files import ProjectFiles

_CALLED_BY_OTHERS: Final = frozenset({"forward", "backward", "setup_context"})
"""The methods that torch calls."""
_CALLING_FEW: Final = frozenset(
    {"Module", "Dataset", "IterableDataset", "Sampler", "BatchSampler", "Function", "object", "Optimizer"}
    | {"ABC", "Exception", "NamedTuple", "Enum", "IntEnum", "dict", "list", "tuple", "OrderedDict"}
    | {"DataLoader", "Sequential", "ModuleList", "TensorDataset", "ConcatDataset", "Subset"}
)
"""The bases whose own methods call none of an object's but those above and those with underscores."""
_OWN_CALLS: Final = frozenset({"step", "get_lr", "add_module"})
_ANY: Final = "*"
_OPENING: Final = frozenset({"globals", "locals", "vars", "exec", "eval"})
"""The functions that read names which do not stand there."""
_Node = tuple[str, str]
"""A function or class: the path of its file, and its name with those around it."""


class CallGraph:
    """Follows what is named from what runs: `roots` are modules and programs, and functions that are called
    by others. What only evaluates is not followed."""

    def __init__(self, files: Sequence[FileAnalysis], project: ProjectFiles) -> None:
        self._project = project
        self._files = {file.path: file for file in files}
        self._scopes: dict[_Node, ReferenceEntry] = {}
        self._methods: dict[str, list[_Node]] = {}
        self._top: dict[str, list[_Node]] = {}
        for file in files:
            for one in file.references:
                self._scopes[file.path, one.name] = one
        for path, name in self._scopes:
            around, _, last = name.rpartition(".")
            if not around and last:
                self._top.setdefault(last, []).append((path, name))
            elif (path, around) in self._scopes and self._scopes[path, around].is_class:
                self._methods.setdefault(last, []).append((path, name))
        self._evaluations = {(file.path, one) for file in files for one in file.evaluations}
        self._bound = {file.path: {one.bound for one in file.names} for file in files}
        self._family = _families([one for one in self._scopes.values() if one.is_class])
        self._importing = {file.path for file in files if project.imports_by_name([file])}
        self._by_name = self._importing | {file.path for file in files if ALL in file.chosen_from}
        self._seen: set[str] = set()
        self.reached: set[_Node] = set()

    @property
    def knows(self) -> Set[_Node]:
        """All functions and classes that it has read."""
        return self._scopes.keys()

    def follow(self, roots: Sequence[_Node], words: Set[str]) -> None:
        """Follow what is named from these, and in texts that are `words` of configurations."""
        waiting = [one for one in roots if one in self._scopes]
        waiting += [one for word in words for one in self._top.get(word, ())]
        self._seen |= {f"{OF_OBJECT}{word}" for word in words}
        while waiting:
            one = waiting.pop()
            if one in self.reached:
                continue
            self.reached.add(one)
            waiting += [each for each in self._next(one) if each not in self.reached]

    def _next(self, node: _Node) -> Iterator[_Node]:
        path, scope = node
        entry = self._scopes[node]
        if entry.is_class:
            yield from self._of_class(node, entry)
        around = scope.rpartition(".")[0]
        if around and (path, around) in self._scopes:
            yield path, around
        if scope in ("", MAIN):
            yield from self._chosen(path)
        if node in self._evaluations or self._files[path].evaluates:
            return
        for base in entry.bases:
            yield from self._meant(base, node)
        for name in entry.names:
            yield from self._meant(name, node)
        for text in entry.texts:
            yield from self._top.get(text, ())
            yield from self._attribute(text)

    def _of_class(self, node: _Node, entry: ReferenceEntry) -> Iterator[_Node]:
        """The methods of a class that are called by others than the project, or that something names."""
        _, scope = node
        family = self._family.get(last_part(scope), "")
        others = list(self._outer_bases(node, entry))
        is_open = any(last_part(one) not in _CALLING_FEW for one in others)
        for (file, name), each in self._scopes.items():
            around, _, last = name.rpartition(".")
            if (file, around) != node:
                continue
            is_special = last.startswith("_") and last.endswith("_")
            is_named = f"{OF_OBJECT}{last}" in self._seen or f"{OF_SELF}{family}.{last}" in self._seen
            is_own = others and (last in _CALLED_BY_OTHERS or last in _OWN_CALLS or last.startswith("_"))
            if each.is_class or is_special or is_named or is_own or is_open:
                yield file, name

    def _outer_bases(self, node: _Node, entry: ReferenceEntry) -> Iterator[str]:
        """The classes of others that a class derives from, also through those of the project."""
        waiting, seen = [(node, entry)], {node}
        while waiting:
            at, one = waiting.pop()
            for base in one.bases:
                own = [each for each in self._meant(base, at) if self._scopes[each].is_class]
                waiting += [(each, self._scopes[each]) for each in own if each not in seen]
                seen.update(own)
                if not own:
                    yield base

    def _chosen(self, path: str) -> Iterator[_Node]:
        """What a file may choose by its name from a module, be that imported by its name, too."""
        if path in self._importing and not self._takes_attributes(path):
            for file in self._files:
                yield from self._named_in(file, set())
        for name in self._files[path].chosen_from:
            if name == ALL:
                for file in {path, *self._project.all_imported_by(path)}:
                    yield from self._named_in(file, set())
            modules = self._project.module_files(name, path)
            near = [one for one in self._files if name in (PurePath(one).stem, PurePath(one).parent.name)]
            for file in modules or near:
                yield from self._named_in(file, set())

    def _takes_attributes(self, path: str) -> bool:
        """Whether a file names something that others have as an attribute."""
        own = [one for (file, _), one in self._scopes.items() if file == path]
        last = {each for one in own for name in one.names if "." in name for each in name.split(".")}
        return any(file != path for name in last for file, _ in self._top.get(name, ()))

    def _named_in(self, path: str, seen: set[str]) -> Iterator[_Node]:
        """The functions and classes that a module has, also from others."""
        if path in seen or path not in self._files:
            return
        seen.add(path)
        yield from [(at, name) for at, name in self._scopes if at == path and name and "." not in name]
        for one in self._files[path].names:
            if one.name == ALL or one.bound == ALL:
                for file in self._project.files_of(one, path):
                    yield from self._named_in(file, seen)
            else:
                for file, name in self._project.imported_as(one.bound, path):
                    yield from [each for each in [(file, name)] if each in self._scopes]

    def _meant(self, name: str, node: _Node) -> Iterator[_Node]:
        """What a name may be where it stands."""
        path, scope = node
        if name.startswith(OF_SELF):
            yield from self._of_self(name.removeprefix(OF_SELF), scope)
            return
        if name.startswith(OF_OBJECT):
            yield from self._attribute(name.removeprefix(OF_OBJECT))
            if path in self._by_name:
                yield from self._top.get(name.removeprefix(OF_OBJECT), ())
            return
        root, _, rest = name.partition(".")
        found = list(self._plain(root, path, scope))
        yield from found
        modules = self._project.module_files(root, path)
        is_of_library = root in self._bound[path] and not found and not modules
        if is_of_library and not any(self._project.imported_as(root, path)):
            return
        for each in rest.split(".") if rest else ():
            yield from self._attribute(each)
            for file in modules:
                yield from self._at(file, each)
                for inside in self._project.all_imported_by(file) if rest.count(".") else ():
                    yield from self._at(inside, each)
            if path in self._by_name:
                yield from self._top.get(each, ())

    def _plain(self, name: str, path: str, scope: str) -> Iterator[_Node]:
        """A function or class by its name alone."""
        around = "" if scope == MAIN else scope
        while True:
            here = (path, f"{around}.{name}" if around else name)
            is_method = bool(around) and self._scopes[path, around].is_class if around else False
            if here in self._scopes and not is_method:
                yield here
                return
            if not around:
                break
            around = around.rpartition(".")[0]
        for file, imported in self._project.imported_as(name, path):
            if (file, imported) in self._scopes:
                yield file, imported

    def _at(self, path: str, name: str) -> Iterator[_Node]:
        """What a module has under a name."""
        if (path, name) in self._scopes:
            yield path, name
            return
        yield from [one for one in self._project.imported_as(name, path) if one in self._scopes]

    def _attribute(self, name: str) -> Iterator[_Node]:
        """The methods of that name, of classes that are reached."""
        self._seen.add(f"{OF_OBJECT}{name}")
        for path, method in self._methods.get(name, ()):
            if (path, method.rpartition(".")[0]) in self.reached:
                yield path, method

    def _of_self(self, name: str, scope: str) -> Iterator[_Node]:
        """The methods of that name in the class around, its bases, and those that derive from it."""
        for owner in reversed(scope.split(".")):
            if (family := self._family.get(owner)) is None:
                continue
            self._seen.add(f"{OF_SELF}{family}.{name}")
            for path, method in self._methods.get(name, ()):
                around = method.rpartition(".")[0]
                if self._family.get(last_part(around)) == family and (path, around) in self.reached:
                    yield path, method
            return
        yield from self._attribute(name)

    @cached_property
    def named_variables(self) -> set[tuple[str, str]]:
        """The names that modules give values and that something reached names: each with its file."""
        found: set[tuple[str, str]] = set()
        waiting = [(path, scope) for path, scope in self.reached if scope]
        modules = {path for path, scope in self.reached if not scope}
        waiting += [
            (path, name)
            for path, name in self._scopes
            if path in modules and (name == VARIABLE or (self._files[path].is_program and "=" in name))
        ]
        seen: set[_Node] = set()
        while waiting:
            node = waiting.pop()
            if node in seen or node not in self._scopes or node in self._evaluations:
                continue
            seen.add(node)
            path, _ = node
            found.update((_ANY, text) for text in self._scopes[node].texts)
            for name in self._scopes[node].names:
                if "." not in name:  # a module may be given to others
                    given = self._project.module_files(name, path)
                    found.update((file, each[1:]) for file, each in self._scopes if file in given)
                root, _, rest = name.partition(".")
                places = [(path, root), *self._project.imported_as(root, path)]
                places += [
                    (file, each)
                    for file in self._project.module_files(root, path)
                    for each in rest.split(".")
                    if each
                ]
                found.update(places)
                waiting += [(file, f"{VARIABLE}{each}") for file, each in places]
        return found


def _families(classes: Sequence[ReferenceEntry]) -> Mapping[str, str]:
    """The classes that derive from each other, by their last names, each with one that stands for all."""
    found: dict[str, str] = {last_part(one.name): last_part(one.name) for one in classes}

    def of(name: str) -> str:
        while found[name] != name:
            name = found[name]
        return name

    for one in classes:
        for base in one.bases:
            if last_part(base) in found:
                found[of(last_part(one.name))] = of(last_part(base))
    return {name: of(name) for name in found}


def with_entries(file: FileAnalysis, keep: Callable[[RecipeEntry], bool]) -> FileAnalysis:
    """A file with those of its entries of the recipe alone that are to be kept."""

    def kept(found: Sequence[RecipeEntry]) -> list[RecipeEntry]:
        return [one for one in found if keep(one)]

    return replace(
        file,
        recipe=kept(file.recipe),
        hints=kept(file.hints),
        sampled=kept(file.sampled),
        read_files=kept(file.read_files),
        made=kept(file.made),
    )


def without_unreached(file: FileAnalysis, graph: CallGraph) -> FileAnalysis:
    """A file without the entries, calls and functions that no program reaches."""

    named = graph.named_variables
    opens_all = not _OPENING.isdisjoint(name for one in file.references for name in one.names)

    def is_reached(scope: str) -> bool:
        return (file.path, scope) not in graph.knows or (file.path, scope) in graph.reached

    def is_kept(one: RecipeEntry) -> bool:
        is_defined = one.is_class or one.code.startswith("def ")
        own = f"{one.scope}.{one.name}" if one.scope else one.name
        if one.kind == "assigned" and not one.scope and not is_defined:
            name = one.code.partition("=")[0].strip()
            if (file.path, f"{VARIABLE}{name}") in graph.knows and not opens_all:
                return (file.path, name) in named or (_ANY, name) in named
        return is_reached(one.scope) and (not is_defined or is_reached(own))

    return replace(
        with_entries(file, is_kept),
        calls=[one for one in file.calls if is_reached(one.scope)],
        code=[one for one in file.code if is_reached(one.name)],
        statements=[one for one in file.statements if is_reached(one.scope)],
        formulas=[one for one in file.formulas if is_reached(one.name)],
        kept_values=[one for one in file.kept_values if is_reached(one.name)],
        loss_calls=[one for one in file.loss_calls if is_reached(one.scope)],
        settings=[one for one in file.settings if is_reached(one.scope)],
        classes=[one for one in file.classes if is_reached(one.name)],
    )
