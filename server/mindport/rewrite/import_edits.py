"""Edits of import statements: add what rewritten code needs, remove what nothing reads any more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from mindport.rewrite.edit import Edit

if TYPE_CHECKING:
    from mindport.resolve.analysis import AnalysedBlock, Analysis
    from mindport.resolve.definitions import ImportName
    from mindport.rewrite.spelling import NewImport
    from mindport.source.document import Document


class _Statement:
    """A module-level import statement: its offsets (absolute), whether it is a `from`, its module."""

    __slots__ = ("end", "is_from", "module", "start")

    def __init__(self, start: int, end: int, is_from: bool, module: str) -> None:
        self.start = start
        self.end = end
        self.is_from = is_from
        self.module = module


def additions(analysis: Analysis, new: Iterable[NewImport]) -> list[Edit]:
    """Edits that add import statements, each at its sorted place among its kind."""
    statements = _statements(analysis)
    lines: dict[int, list[str]] = {}
    for imported in new:
        lines.setdefault(_place(analysis, statements, imported), []).append(imported.statement)
    return [_insertion(analysis, offset, sorted(texts)) for offset, texts in lines.items()]


def _insertion(analysis: Analysis, offset: int, texts: list[str]) -> Edit:
    """Whole lines, inserted at the start of a line; or behind the last line, if that has no line end."""
    line_end = newline(analysis.document)
    data = analysis.document.data
    if offset == len(data) and data and not data.endswith((b"\n", b"\r")):
        return Edit(offset, offset, "".join(line_end + text for text in texts))
    return Edit(offset, offset, "".join(text + line_end for text in texts))


def _statements(analysis: Analysis) -> list[_Statement]:
    found = []
    for block in analysis.blocks:
        if block.is_import and block.imports:
            first = block.imports[0]
            start, end = block.start + first.statement_start, block.start + first.statement_end
            is_from = bool(first.module or first.level)
            module = "." * first.level + first.module if is_from else first.name
            found.append(_Statement(start, end, is_from, module))
    return found


def _place(analysis: Analysis, statements: list[_Statement], new: NewImport) -> int:
    """Where a new statement goes: the start of a line."""
    group = _group(analysis, statements)
    if not group:
        return _after_prologue(analysis)
    module, is_from = new.module or new.name, bool(new.module)
    same = [statement for statement in group if statement.is_from == is_from]
    for statement in same:
        if statement.module.lower() > module and not statement.module.startswith("__future__"):
            return _line_start(analysis, statement.start)
    if same:
        return _next_line(analysis, same[-1].end)
    if is_from:
        return _next_line(analysis, group[-1].end)
    return _line_start(analysis, group[0].start)


def _group(analysis: Analysis, statements: list[_Statement]) -> list[_Statement]:
    """The run of import statements on adjoining lines around the first import of torch; else the first run
    that is not `__future__`'s."""
    runs: list[list[_Statement]] = []
    lines = analysis.document.lines
    last_line = -2
    for statement in statements:
        if lines.line_of(statement.start) > last_line + 1:
            runs.append([])
        runs[-1].append(statement)
        last_line = lines.line_of(statement.end)
    for run in runs:
        if any(statement.module.split(".")[0] == "torch" for statement in run):
            return run
    return next((run for run in runs if run[0].module != "__future__"), [])


def _after_prologue(analysis: Analysis) -> int:
    """Behind the module's docstring and its `__future__` imports, before all other code."""
    end: int | None = None
    for block in analysis.blocks:
        is_docstring = end is None and _is_string(analysis, block)
        if not is_docstring and block.kind != "future_import_statement":
            break
        end = block.start + block.length
    if end is not None:
        return _next_line(analysis, end)
    return _line_start(analysis, analysis.blocks[0].start) if analysis.blocks else 0


def _is_string(analysis: Analysis, block: AnalysedBlock) -> bool:
    """Whether a block is but a string, as a module's docstring is."""
    text = analysis.document.data[block.start : block.start + block.length].lstrip(b"rRuU")
    return block.kind == "expression_statement" and text[:1] in (b'"', b"'")


def _line_start(analysis: Analysis, offset: int) -> int:
    lines = analysis.document.lines
    return lines.line_start(lines.line_of(offset))


def _next_line(analysis: Analysis, offset: int) -> int:
    """The start of the line after the one that holds `offset` (the end of the text, where there is none)."""
    lines = analysis.document.lines
    line = lines.line_of(offset) + 1
    return lines.line_start(line) if line < lines.line_count else len(analysis.document.data)


def newline(document: Document) -> str:
    """The line end that a document uses first."""
    data = document.data
    for position, byte in enumerate(data):
        if byte == 0x0A:
            return "\n"
        if byte == 0x0D:
            return "\r\n" if data[position + 1 : position + 2] == b"\n" else "\r"
    return "\n"


def removals(analysis: Analysis, gone: Sequence[tuple[int, int]]) -> list[Edit]:
    """Edits that remove the imports which were read only within the spans `gone` (absolute).

    An import stays if it binds a name that nothing read before, if it does not stand at the module's top
    level, if `__all__` names it, if other modules are likely to import it from here (a package's
    `__init__.py`), or if removing it would take a comment along.
    """
    if analysis.document.uri.endswith("__init__.py"):
        return []
    unread = _no_longer_read(analysis, gone)
    edits = []
    for block in analysis.blocks:
        if not block.is_import:
            continue
        names = [name for name in block.imports if name.bound in unread]
        if names and not any(name.conditional for name in block.imports):
            edits.extend(_removal(analysis, block, names))
    return edits


def _no_longer_read(analysis: Analysis, spans: Sequence[tuple[int, int]]) -> set[str]:
    offsets = {offset for start, end in spans for offset in _reads_within(analysis, start, end)}
    before: set[str] = set()
    after: set[str] = set()
    for block in analysis.blocks:
        for read in block.found.reads:
            (before if block.start + read.start in offsets else after).add(read.name)
    gone = before - after
    if gone and b"__all__" in analysis.document.data:
        listed = [block for block in analysis.blocks if "__all__" in block.names]
        texts = [analysis.document.text(block.start, block.start + block.length) for block in listed]
        gone = {
            name for name in gone if not any(f'"{name}"' in text or f"'{name}'" in text for text in texts)
        }
    return gone


def _reads_within(analysis: Analysis, start: int, end: int) -> Iterator[int]:
    """Where names that imports may bind are read in a span."""
    for block in analysis.blocks:
        if block.start < end and start < block.start + block.length:
            for read in block.found.reads:
                if start <= block.start + read.start < end:
                    yield block.start + read.start


def _removal(analysis: Analysis, block: AnalysedBlock, gone: list[ImportName]) -> list[Edit]:
    data = analysis.document.data
    if len(gone) == len(block.imports):
        edit = _statement_removal(analysis, block, block.imports[0])
        return [edit] if b"#" not in data[edit.start : edit.end] else []
    edits = []
    for name in gone:
        start, end = _span_with_comma(block.imports, name, gone)
        start, end = block.start + start, block.start + end
        if b"#" not in data[start:end]:
            edits.append(Edit(start, end, ""))
    return edits


def _span_with_comma(
    imports: Sequence[ImportName], name: ImportName, gone: list[ImportName]
) -> tuple[int, int]:
    """The span of one imported name and the comma that goes with it. Names that stay keep theirs."""
    index = imports.index(name)
    if index + 1 < len(imports) and any(kept not in gone for kept in imports[index + 1 :]):
        return name.start, imports[index + 1].start
    return imports[index - 1].end, name.end


def _statement_removal(analysis: Analysis, block: AnalysedBlock, name: ImportName) -> Edit:
    """Remove a statement: with its line, where it has the line for itself."""
    document = analysis.document
    start, end = block.start + name.statement_start, block.start + name.statement_end
    lines = document.lines
    line_start, last = _line_start(analysis, start), lines.line_of(end)
    rest = document.data[end : lines.line_end(last)]
    if not document.data[line_start:start].strip() and not rest.strip():
        return Edit(line_start, _next_line(analysis, end), "")
    if rest.lstrip().startswith(b";"):  # other statements share the line
        end += len(rest) - len(rest.lstrip()[1:].lstrip())
    elif line_start == start:  # only a comment stays
        end += len(rest) - len(rest.lstrip())
    return Edit(start, end, "")
