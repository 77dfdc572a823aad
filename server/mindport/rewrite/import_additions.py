"""Adding import statements: each at its sorted place among its kind, and before all code that needs it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from mindport.catalog.helper_table import HELPERS_MODULE
from mindport.rewrite.edit import Edit, newline

if TYPE_CHECKING:
    from mindport.rewrite.spelling import NewImport
    from mindport.uses.analysis import AnalysedBlock, Analysis

_COMMENT = re.compile(rb"#[^\r\n]*")
_CONTINUATION = re.compile(rb"\\(?:\r\n|\r|\n)")
_LINE_ENDS = (b"\n", b"\r")
_PART_OF_CLASS = "class: "
"""What the kinds of the blocks begin with that the body of a class is cut into."""


def additions(analysis: Analysis, new: Iterable[NewImport], first_uses: Mapping[str, int]) -> list[Edit]:
    """Edits that add import statements. `first_uses` says, by the name that is bound, where it is needed
    first (absolute bytes)."""
    places = ImportPlaces(analysis)
    lines: dict[int, list[str]] = {}
    inline: dict[int, list[str]] = {}
    for imported in new:
        user = places.statement_around(first_uses[imported.bound])
        place = places.line_for(imported, user)
        if place is not None:
            lines.setdefault(place, []).append(imported.statement)
        elif user is not None:
            inline.setdefault(user.start, []).append(imported.statement)
    edits = [_insertion(analysis, offset, sorted(texts)) for offset, texts in lines.items()]
    for offset, texts in inline.items():
        edits.append(Edit(offset, offset, "".join(f"{text}; " for text in sorted(texts))))
    return edits


def _insertion(analysis: Analysis, offset: int, texts: list[str]) -> Edit:
    """Whole lines, inserted at the start of a line; or behind the last line, if that has no line end."""
    line_end = newline(analysis.document)
    data = analysis.document.data
    if offset == len(data) and data and not data.endswith(_LINE_ENDS):
        return Edit(offset, offset, "".join(line_end + text for text in texts))
    return Edit(offset, offset, "".join(text + line_end for text in texts))


class _Statement:
    """A statement at the module's top level: its offsets (absolute). `module`: of an import statement the
    module, else None; `is_from`: whether that is a `from`; `is_prologue`: whether it is the module's
    docstring or an import from `__future__`, which nothing may come before."""

    __slots__ = ("end", "is_from", "is_prologue", "module", "start")

    def __init__(self, block: AnalysedBlock, is_prologue: bool) -> None:
        self.start = block.start
        self.end = block.start + block.length
        self.is_prologue = is_prologue
        self.module: str | None = None
        self.is_from = False
        if block.is_import and block.imports:
            first = block.imports[0]
            self.is_from = bool(first.module or first.level)
            self.module = "." * first.level + first.module if self.is_from else first.name


class ImportPlaces:
    """Where lines may be added between the statements at the top level."""

    def __init__(self, analysis: Analysis) -> None:
        self.data = analysis.document.data
        self.lines = analysis.document.lines
        self.statements = _statements(analysis)

    def statement_around(self, offset: int) -> _Statement | None:
        """The statement that an offset is in."""
        before = [statement for statement in self.statements if statement.start <= offset]
        return before[-1] if before else None

    def line_for(self, new: NewImport, user: _Statement | None) -> int | None:
        """Where a new statement goes: the start of a line, before the statement that needs it; None where
        only a place within a line is left."""
        limit = user.start if user is not None else len(self.data)
        sorted_place = self._sorted_place(new)
        is_of_folder = new.name == HELPERS_MODULE and not new.module.startswith(".")
        found_from = self.behind_path_changes(limit) if is_of_folder else None
        if found_from is not None and sorted_place < found_from:
            return found_from
        if sorted_place <= limit and self._is_free(sorted_place):
            return sorted_place
        starts = [
            (statement, self._line_start(statement.start))
            for statement in self.statements
            if statement.start <= limit and self._is_free(self._line_start(statement.start))
        ]
        at_imports = [place for statement, place in starts if statement.module is not None]
        if at_imports:
            return at_imports[-1]
        return starts[0][1] if starts else None

    def behind_path_changes(self, limit: int) -> int | None:
        """Behind the last statement before `limit` that changes where modules are found: those of the program
        may be found no earlier. None where there is none, or no line may be added behind it."""
        changes = [
            statement
            for statement in self.statements
            if statement.end <= limit and self.data.startswith(b"sys.path.", statement.start)
        ]
        place = self._next_line(changes[-1].end) if changes else len(self.data) + 1
        return place if place <= limit and self._is_free(place) else None

    def _is_free(self, place: int) -> bool:
        """Whether a statement may be added at the start of this line: behind the module's prologue, and where
        no other statement goes on."""
        before = [statement for statement in self.statements if statement.start < place]
        after = self.statements[len(before)] if len(before) < len(self.statements) else None
        if any(statement.is_prologue for statement in self.statements[len(before) :]):
            return False
        if after is not None and self._line_start(after.start) == place != after.start:
            return False  # indented, or behind something that does not parse
        if not before or place == len(self.data):
            return True
        between = _COMMENT.sub(b"", self.data[before[-1].end : place])
        return any(line_end in _CONTINUATION.sub(b"", between) for line_end in _LINE_ENDS)

    def _sorted_place(self, new: NewImport) -> int:
        group = self._group()
        if not group:
            return self._after_prologue()
        module, is_from = new.module or new.name, bool(new.module)
        same = [statement for statement in group if statement.is_from == is_from]
        for statement in same:
            of = statement.module or ""
            if of.lower() > module and not of.startswith("__future__"):
                return self._line_start(statement.start)
        if same:
            return self._next_line(same[-1].end)
        if is_from:
            return self._next_line(group[-1].end)
        return self._line_start(group[0].start)

    def _group(self) -> list[_Statement]:
        """The run of import statements on adjoining lines around the first import of torch; else the first
        run that is not `__future__`'s."""
        runs: list[list[_Statement]] = []
        last_line = -2
        for statement in self.statements:
            if statement.module is None:
                continue
            if self.lines.line_of(statement.start) > last_line + 1:
                runs.append([])
            runs[-1].append(statement)
            last_line = self.lines.line_of(statement.end)
        for run in runs:
            if any((statement.module or "").split(".")[0] == "torch" for statement in run):
                return run
        return next((run for run in runs if run[0].module != "__future__"), [])

    def _after_prologue(self) -> int:
        """Behind the module's docstring and its `__future__` imports, before all other code."""
        prologue = [statement for statement in self.statements if statement.is_prologue]
        if prologue:
            return self._next_line(prologue[-1].end)
        return self._line_start(self.statements[0].start) if self.statements else 0

    def _line_start(self, offset: int) -> int:
        return self.lines.line_start(self.lines.line_of(offset))

    def _next_line(self, offset: int) -> int:
        """The start of the line after the one that holds `offset` (the end of the text, where there is
        none)."""
        line = self.lines.line_of(offset) + 1
        return self.lines.line_start(line) if line < self.lines.line_count else len(self.data)


def _statements(analysis: Analysis) -> list[_Statement]:
    """The statements at the top level, in source order."""
    found: list[_Statement] = []
    is_prologue = True
    for block in analysis.blocks:
        if block.kind.startswith(_PART_OF_CLASS):
            found[-1].end = block.start + block.length
            continue
        is_docstring = not found and _is_string(analysis, block)
        is_prologue = is_prologue and (is_docstring or block.kind == "future_import_statement")
        found.append(_Statement(block, is_prologue))
    return found


def _is_string(analysis: Analysis, block: AnalysedBlock) -> bool:
    """Whether a block is but a string, as a module's docstring is."""
    text = analysis.document.data[block.start : block.start + block.length].lstrip(b"rRuU")
    return block.kind == "expression_statement" and text[:1] in (b'"', b"'")
