"""The tables that a program chooses from by a name (`models[args.arch]`): each as it is written out, with the
entry that is chosen where the key is known."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.report.analysis.entries import (
    CodeLine,
    FileAnalysis,
    GivenParameter,
    RecipeEntry,
    ShownCode,
    SourceEntry,
)
from mindport.report.analysis.function_code import STEP, dotted, parsed
from mindport.report.analysis.trees import nodes

if TYPE_CHECKING:
    from mindport.report.analysis.known_values import KnownValues
    from mindport.report.analysis.project_files import ProjectFiles

TABLE: Final = "table"
"""The kind of code that is a table."""
_GET: Final = "get"
_WIDEST: Final = 100
_MOST_ENTRIES: Final = 16
_LONGEST: Final = 160
_MOST_TABLES: Final = 6


class _Choice(NamedTuple):
    """What is taken out of a table by its keys, as written."""

    table: str
    keys: tuple[str, ...]
    written: str


class _Place(NamedTuple):
    """Where something is chosen."""

    path: str
    scope: str
    classes: tuple[str, ...]
    line: int


class ChoosingTables:
    """Finds the tables from which something is chosen that an item tells."""

    def __init__(self, files: Sequence[FileAnalysis], project: ProjectFiles, values: KnownValues) -> None:
        self._project = project
        self._values = values
        self._tables: dict[tuple[str, str, str], list[SourceEntry]] = {}
        for file in files:
            for one in file.statements:
                if len(one.targets) == 1 and "{" in one.code:
                    self._tables.setdefault((file.path, one.scope, one.targets[0]), []).append(one)
        self._shown: dict[tuple[str, int], str] = {}

    def of_item(
        self, item: str, entries: Sequence[RecipeEntry], shown: Sequence[ShownCode], *, is_plain: bool
    ) -> list[ShownCode]:
        """The tables of an item whose entries, and the code that is told with it, choose from them; what
        another item has told before is only named. Of an item that `is_plain`, tables of numbers
        alone."""
        lines = {(one.path, line) for one in shown if one.code for line in one.lines}
        found: dict[tuple[str, int], ShownCode] = {}
        for choice, place in self._choices(entries, shown):
            for path, one in self._named(choice.table, place):
                key = (path, one.line)
                table = _table_of(one.code)
                if table is None or key in lines or (key not in found and len(found) >= _MOST_TABLES):
                    continue
                if is_plain and not _is_of_numbers(table):
                    continue
                if key not in found:
                    before = self._shown.setdefault(key, item)
                    found[key] = ShownCode(
                        path=path,
                        line=one.line,
                        name=choice.table,
                        kind=TABLE,
                        code=_written(one.targets[0], table) if before == item else "",
                        shown=before if before != item else "",
                        lines=list(range(one.line, one.last + 1)),
                    )
                chosen = self._chosen(choice, table, place)
                told = {each.value for each in found[key].known}
                if chosen and choice.written not in told and found[key].code:
                    at = CodeLine(path=path, line=one.line)
                    found[key].known.append(
                        GivenParameter(name="", value=choice.written, known=chosen, at=at)
                    )
        return list(found.values())

    def _choices(
        self, entries: Sequence[RecipeEntry], shown: Sequence[ShownCode]
    ) -> Iterator[tuple[_Choice, _Place]]:
        for one in entries:
            place = _Place(one.path, one.scope, one.classes, one.line)
            for text in (one.code, *[each.value for each in one.parameters if not each.is_default]):
                yield from [(each, place) for each in _choices_in(text)]
            for given in one.parameters:
                if given.known and given.at is not None and given.at.path == one.path:
                    yield from [(each, place) for each in _choices_in(given.known)]
        for code in shown:
            place = _Place(code.path, code.name, (), code.line)
            text = textwrap.dedent(code.code.partition("\n")[2]) if code.kind == STEP else code.code
            yield from [(each, place) for each in _choices_in(text)]

    def _named(self, name: str, place: _Place) -> Iterator[tuple[str, SourceEntry]]:
        """The one statement that gives a table that name."""
        owner, _, last = name.rpartition(".")
        if owner and owner != "self":
            files = self._project.module_files(owner, place.path)
            places = [(path, "", last) for path in files]
        else:
            scopes = [*_around(place.scope), ""]
            places = [(place.path, scope, name) for scope in scopes]
            places += [(path, "", each) for path, each in self._project.imported_as(name, place.path)]
        found = next((self._tables[one] for one in places if one in self._tables), [])
        path = next((one[0] for one in places if one in self._tables), "")
        yield from [(path, one) for one in found if len(found) == 1]

    def _chosen(self, choice: _Choice, table: ast.Dict, place: _Place) -> str:
        """The entry that is chosen; empty where the keys are not known."""
        entry = RecipeEntry(path=place.path, line=place.line, item="", name="", code="", scope=place.scope)
        entry.classes = place.classes
        entry.parameters = [GivenParameter(name="", value=key) for key in choice.keys]
        explained = self._values.explained(entry).parameters
        node: ast.expr = table
        for given in explained:
            keys = _entries_of(node)
            value = _literal(given.known.partition(", with ")[0] or given.value)
            if value is None or repr(value) not in keys:
                return ""
            node = keys[repr(value)]
        text = ast.unparse(node)
        return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _choices_in(code: str) -> Iterator[_Choice]:
    """What code takes out of tables, of several keys the last."""
    tree = parsed(code) if "[" in code or f".{_GET}(" in code else None
    inner: set[int] = set()
    for one in nodes(tree) if tree is not None else ():
        if id(one) in inner:
            continue
        keys: list[str] = []
        node: ast.AST = one
        while (taken := _taken(node)) is not None:
            node, key = taken
            inner.add(id(node))
            keys.insert(0, ast.unparse(key))
        name = dotted(node)
        if keys and name and any(_literal(key) is None for key in keys):
            yield _Choice(name, tuple(keys), ast.unparse(one))


def _taken(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """What something is taken out of, and its key."""
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice | ast.Tuple):
        return (node.value, node.slice) if isinstance(node.ctx, ast.Load) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == _GET:
        return (node.func.value, node.args[0]) if node.args else None
    return None


def _table_of(code: str) -> ast.Dict | None:
    """The table that a statement gives a name."""
    tree = parsed(code)
    one = tree.body[0] if tree is not None and tree.body else None
    value = one.value if isinstance(one, ast.Assign) else None
    if isinstance(value, ast.Call) and dotted(value.func).rpartition(".")[2].endswith(("dict", "Dict")):
        value = value.args[0] if len(value.args) == 1 else None
    if not isinstance(value, ast.Dict) or not value.keys:
        return None
    return value if all(isinstance(one, ast.Constant) for one in value.keys) else None


def _written(name: str, table: ast.Dict) -> str:
    """A table as code, each entry in a line of its own where they are long."""
    text = f"{name} = {ast.unparse(table)}"
    if len(text) <= _WIDEST:
        return text
    entries = [f"    {key}: {ast.unparse(value)}" for key, value in _entries_of(table).items()]
    entries = [one if len(one) <= _LONGEST else f"{one[:_LONGEST]}…" for one in entries]
    more = ["    ..."] if len(entries) > _MOST_ENTRIES else []
    return "\n".join([f"{name} = {{", *[f"{one}," for one in entries[:_MOST_ENTRIES]], *more, "}"])


def _entries_of(node: ast.expr) -> Mapping[str, ast.expr]:
    if not isinstance(node, ast.Dict):
        return {}
    return {ast.unparse(key): value for key, value in zip(node.keys, node.values, strict=True) if key}


def _literal(text: str) -> object:
    """A value that is written out; None where it is none."""
    try:
        found: object = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return found


def _is_of_numbers(table: ast.Dict) -> bool:
    """Whether a table is written out and has numbers, be it in lists or tables."""
    if _literal(ast.unparse(table)) is None:
        return False
    constants = [one for value in table.values for one in nodes(value) if isinstance(one, ast.Constant)]
    return any(isinstance(one.value, int | float) for one in constants)


def _around(scope: str) -> Iterator[str]:
    while scope:
        yield scope
        scope = scope.rpartition(".")[0]
