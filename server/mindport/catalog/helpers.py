"""The helpers: definitions with torch's own signatures that need MindSpore and NumPy alone, kept in
`mapping_data/helpers`, and the file that is written of those that converted code uses.

Uses the standard library only.
"""

from __future__ import annotations

import ast
import symtable
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from mindport.catalog.jsonl import Record, read_json
from mindport.catalog.target import DEVICES
from mindport.language import Language, Text

_HEADER = Text(
    "PyTorch's definitions that the converted code uses, written with MindSpore. Made by mindport.",
    "转换后的代码用到的 PyTorch 定义，以 MindSpore 实现。由 mindport 生成。",
)
_FOLDER = "helpers"


@dataclass(frozen=True)
class Fragment:
    """A definition at the top level of a helper file."""

    name: str
    text: str
    reads: frozenset[str]
    """The names of the module, builtins included, that it reads at any time."""
    reads_on_import: frozenset[str]
    """Those that it reads while the module is imported: bases, decorators, defaults, values."""


_NOTHING = Fragment("", "", frozenset(), frozenset())


class MergedModule(NamedTuple):
    """The text of a module of helpers, and those in it that are not as mindport has them: they are kept."""

    text: str
    kept: tuple[str, ...] = ()


class Helpers:
    """The helpers in `texts`, the content of their files by file name. Raises ValueError where two files
    define one name, SyntaxError where one does not parse."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._fragments: dict[str, Fragment] = {}
        self._imports: dict[str, ast.Import | ast.ImportFrom] = {}
        for file, text in texts.items():
            self._add(file, text)

    def _add(self, file: str, text: str) -> None:
        for fragment in _fragments(text, file):
            if fragment.name in self._fragments:
                raise ValueError(f"{file}: {fragment.name} is defined in another file of helpers, too")
            self._fragments[fragment.name] = fragment
        for statement in ast.parse(text).body:
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                for alias in statement.names:
                    self._imports[alias.asname or alias.name] = _only(statement, alias)

    @cached_property
    def names(self) -> frozenset[str]:
        """What the helper files define."""
        return frozenset(self._fragments)

    @cached_property
    def imported(self) -> frozenset[str]:
        """What the helper files import."""
        return frozenset(self._imports)

    def fragment(self, name: str) -> Fragment:
        """Raises KeyError for a name that is none of `names`."""
        return self._fragments[name]

    def with_dependencies(self, names: Iterable[str]) -> list[str]:
        """`names` and the helpers that they need, in an order in which they can be defined. Raises KeyError
        for a name that is none of `names`."""
        wanted: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in wanted:
                wanted.add(name)
                waiting += self._fragments[name].reads & self.names
        ordered: dict[str, None] = {}
        for name in self._fragments:
            if name in wanted:
                self._place(name, ordered)
        return list(ordered)

    def _place(self, name: str, ordered: dict[str, None]) -> None:
        if name not in ordered:
            for needed in sorted((self._fragments[name].reads_on_import & self.names) - {name}):
                self._place(needed, ordered)
            ordered[name] = None

    def source(self, names: Iterable[str], language: Language = "en") -> str:
        """The text of a module that defines `names` and what they need. Raises KeyError for a name that is
        unknown."""
        fragments = [self._fragments[name] for name in self.with_dependencies(names)]
        reads = frozenset().union(*(fragment.reads for fragment in fragments)) if fragments else frozenset()
        imports = _import_lines(self._imports[name] for name in sorted(reads & self.imported))
        parts = [f'"""{_HEADER.render(language)}"""\n']
        if imports:
            parts.append("\n" + "\n".join(imports) + "\n")
        parts += ["\n\n" + fragment.text + "\n" for fragment in fragments]
        return "".join(parts)

    def merged(self, before: str, names: Iterable[str], language: Language = "en") -> MergedModule:
        """The text of a module that there is already, with `names` and what they need. What somebody has
        written or changed in it stays. Raises SyntaxError where it does not parse."""
        there = {fragment.name: fragment for fragment in _fragments(before, "")}
        known = there.keys() & self.names
        if before in {self.source(known, one) for one in ("en", "zh-cn")}:
            return MergedModule(self.source({*names, *known}, language))
        kept = tuple(sorted(name for name in known if there[name].text != self._fragments[name].text))
        new = self._missing(names, there)
        if not new:
            return MergedModule(before, kept)
        reads = frozenset().union(*(self._fragments[name].reads for name in new))
        bound, end = _bound_by_imports(before)
        lines = before.rstrip().splitlines()
        imports = [ast.unparse(self._imports[name]) for name in sorted(reads & self.imported - bound)]
        lines[end:end] = imports
        parts = ["\n".join(lines) + "\n"]
        parts += ["\n\n" + self._fragments[name].text + "\n" for name in new]
        return MergedModule("".join(parts), kept)

    def _missing(self, names: Iterable[str], there: Mapping[str, Fragment]) -> list[str]:
        """The helpers to add to those that there are, in an order in which they can be defined."""
        needed: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in needed and name in {*self.names, *there}:
                needed.add(name)
                waiting += there.get(name, self._fragments.get(name, _NOTHING)).reads
        missing = needed - there.keys()
        return [name for name in self.with_dependencies(missing) if name in missing]


def _bound_by_imports(text: str) -> tuple[set[str], int]:
    """The names that the imports of a module bind, and behind which line they, or its docstring, end."""
    bound: set[str] = set()
    end = 0
    body = ast.parse(text).body
    for number, statement in enumerate(body):
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            bound.update(alias.asname or alias.name for alias in statement.names)
        elif number or not is_text:
            continue
        end = statement.end_lineno or end
    return bound, end


def helper_texts(source_dir: Path) -> dict[str, str]:
    """The content of the files of helpers in `mapping_data`, given as `source_dir`, by file name."""
    files = sorted((source_dir / _FOLDER).glob("*.py"))
    return {file.name: file.read_text(encoding="utf-8") for file in files}


def read_helpers(source_dir: Path) -> Helpers:
    """The helpers in `mapping_data`, given as `source_dir`."""
    return Helpers(helper_texts(source_dir))


def helper_names(source_dir: Path) -> dict[str, str]:
    """The name of the helper for each torch API that has one."""
    entries = _entries(source_dir)
    return {api: entry["helper"] for api, entry in entries.items() if "beside" not in entry}


def helpers_beside(source_dir: Path) -> list[list[Any]]:
    """The helpers that change MindSpore's classes, for code that has one of some words: the helper, the
    words, and the devices that need it."""
    return [
        [entry["helper"], entry["beside"], entry.get("instead_on", sorted(DEVICES))]
        for entry in _entries(source_dir).values()
        if "beside" in entry
    ]


def helpers_instead(source_dir: Path) -> dict[str, list[str]]:
    """By torch API, the devices on which its helper is taken even where calls of its counterpart were found
    to be equal: there is something wrong with that which no single call shows."""
    entries = _entries(source_dir)
    return {
        api: entry["instead_on"]
        for api, entry in entries.items()
        if "instead_on" in entry and "beside" not in entry
    }


def helpers_giving_members(source_dir: Path) -> list[str]:
    """The torch APIs, members of objects, which their helpers give to MindSpore's class: what uses them stays
    as it is written."""
    return [api for api, entry in _entries(source_dir).items() if entry.get("gives_member")]


def helpers_as_values(source_dir: Path) -> dict[str, str]:
    """By torch class, the helper that takes its place where it is kept or handed on, since it may be called
    there later: what MindSpore has in its place is made otherwise."""
    entries = _entries(source_dir)
    return {api: entry["as_value"] for api, entry in entries.items() if "as_value" in entry}


def helpers_with_keywords(source_dir: Path) -> dict[str, list[str]]:
    """By torch API, the keywords of which a call has to give one for its helper to be taken: MindSpore names
    these parameters otherwise, and is right for all other calls."""
    entries = _entries(source_dir)
    return {api: entry["with_keywords"] for api, entry in entries.items() if "with_keywords" in entry}


def helpers_if_unknown(source_dir: Path) -> list[str]:
    """The torch APIs, methods of Tensors, whose helpers are taken only where nothing is known of an object:
    for a Tensor something shorter takes their place."""
    return [api for api, entry in _entries(source_dir).items() if entry.get("only_if_unknown")]


def helpers_of_sizes(source_dir: Path) -> list[str]:
    """The APIs that take a torch.Size alone as sizes, but any other tuple as data."""
    return [api for api, entry in _entries(source_dir).items() if entry.get("spreads_size")]


def _entries(source_dir: Path) -> Record:
    path = source_dir / _FOLDER / "helpers.json"
    entries: Record = read_json(path) if path.exists() else {}
    return entries


def _fragments(text: str, file: str) -> Iterator[Fragment]:
    lines = text.splitlines()
    for statement in ast.parse(text, file).body:
        for name in _defined(statement):
            first = _first_line(statement)
            while first > 1 and lines[first - 2].startswith("#"):
                first -= 1
            source = "\n".join(lines[first - 1 : statement.end_lineno])
            table = symtable.symtable(source, file, "exec")
            yield Fragment(name, source, frozenset(_reads(table)), _reads_on_import(table))


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _of_module(symbol: symtable.Symbol) -> bool:
    return symbol.is_global() and symbol.is_referenced()


def _defined(statement: ast.stmt) -> list[str]:
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return [statement.name]
    if isinstance(statement, ast.Assign):
        return [target.id for target in statement.targets if isinstance(target, ast.Name)]
    return []


def _reads(table: symtable.SymbolTable) -> Iterator[str]:
    top = table.get_type() == "module"
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (top or symbol.is_global()):
            yield symbol.get_name()
    for child in table.get_children():
        yield from _reads(child)


def _reads_on_import(table: symtable.SymbolTable) -> frozenset[str]:
    found = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_referenced()}
    for child in table.get_children():
        if child.get_type() == "class":
            found |= {symbol.get_name() for symbol in child.get_symbols() if _of_module(symbol)}
    return frozenset(found)


def _only(statement: ast.Import | ast.ImportFrom, alias: ast.alias) -> ast.Import | ast.ImportFrom:
    if isinstance(statement, ast.Import):
        return ast.Import([alias])
    return ast.ImportFrom(statement.module, [alias], 0)


def _import_lines(statements: Iterable[ast.Import | ast.ImportFrom]) -> list[str]:
    """The statements as lines: the standard library first, members of one module in one line."""
    plain: set[tuple[bool, str]] = set()
    members: dict[tuple[bool, str], set[str]] = {}
    for statement in statements:
        module = statement.names[0].name if isinstance(statement, ast.Import) else statement.module or ""
        foreign = module.partition(".")[0] not in sys.stdlib_module_names
        if isinstance(statement, ast.Import):
            plain.add((foreign, ast.unparse(statement)))
        else:
            members.setdefault((foreign, module), set()).add(ast.unparse(statement).partition(" import ")[2])
    groups = []
    for foreign in (False, True):
        lines = sorted(line for where, line in plain if where == foreign)
        for (where, module), names in sorted(members.items(), key=lambda one: one[0][1].lower()):
            if where == foreign:
                lines.append(f"from {module} import {', '.join(sorted(names, key=_member_order))}")
        if lines:
            groups.append(lines)
    return [line for number, group in enumerate(groups) for line in ([""] if number else []) + group]


def _member_order(name: str) -> tuple[int, str]:
    """Constants, classes, then the rest, as import sorters have it."""
    return (0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2), name
