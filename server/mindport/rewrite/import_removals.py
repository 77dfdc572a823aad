"""Removing import statements that nothing needs any more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from mindport.rewrite.edit import Edit
from mindport.rewrite.unseen_reads import UnseenReads
from mindport.source.lines import goes_on

if TYPE_CHECKING:
    from mindport.index.definitions import ImportName
    from mindport.uses.analysis import AnalysedBlock, Analysis

IsTaken = Callable[[str, bool], bool]
"""Whether other files may take a name from the module that is changed, and whether a star import takes it
too."""


def no_one(name: str, is_exported: bool) -> bool:
    """That no other file takes a name, for a text that none can import."""
    return False


def removals(analysis: Analysis, gone: Sequence[tuple[int, int]], is_taken: IsTaken) -> list[Edit]:
    """Edits that remove the imports which were read only within the spans `gone` (absolute).

    An import stays if it binds a name that nothing read before, if it does not stand at the module's top
    level, if `__all__` names it, if other modules take it from here or are likely to (a package's
    `__init__.py`), if something may read it that is no plain code, or if removing it would take a comment
    along.
    """
    if analysis.document.uri.endswith("__init__.py"):
        return []
    unread = no_longer_read(analysis, gone)
    if not unread:
        return []
    unseen = UnseenReads(analysis, gone)
    exports = exports_all(analysis)
    needed = {name for name in unread if unseen.may_be_read(name) or is_taken(name, exports)}
    edits = []
    for block in analysis.blocks:
        if not block.is_import:
            continue
        names = [name for name in block.imports if name.bound in unread - needed]
        if names and not any(name.conditional for name in block.imports):
            edits.extend(_removal(analysis, block, names))
    return edits


def exports_all(analysis: Analysis) -> bool:
    """Whether a star import takes names that `__all__` does not spell out: there is none, or it is
    computed."""
    listing = [block for block in analysis.blocks if "__all__" in block.names]
    texts = [analysis.document.text(block.start, block.start + block.length) for block in listing]
    return not texts or any(word in text for text in texts for word in ("globals", "locals", "dir", "vars"))


def no_longer_read(analysis: Analysis, spans: Sequence[tuple[int, int]]) -> set[str]:
    """The names that imports bind and nothing reads any more."""
    offsets = {offset for start, end in spans for offset in reads_within(analysis, start, end)}
    before: set[str] = set()
    after: set[str] = set()
    for block in analysis.blocks:
        for read in block.found.reads:
            (before if block.start + read.start in offsets else after).add(read.name)
    bound = {name.bound for block in analysis.blocks if block.is_import for name in block.imports}
    gone = (before - after) & bound
    if gone and b"__all__" in analysis.document.data:
        texts = [analysis.document.text(block.start, block.start + block.length) for block in analysis.blocks]
        listing = [text for text in texts if "__all__" in text]
        gone = {
            name for name in gone if not any(f'"{name}"' in text or f"'{name}'" in text for text in listing)
        }
    return gone


def reads_within(analysis: Analysis, start: int, end: int) -> Iterator[int]:
    """Where names that imports may bind are read in a span."""
    for block in analysis.blocks:
        if block.start < end and start < block.start + block.length:
            for read in block.found.reads:
                if start <= block.start + read.start < end:
                    yield block.start + read.start


def _removal(analysis: Analysis, block: AnalysedBlock, gone: list[ImportName]) -> list[Edit]:
    data = analysis.document.data
    if len(gone) == len(block.imports):
        edit = statement_removal(analysis, block, block.imports[0])
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


def statement_removal(analysis: Analysis, block: AnalysedBlock, name: ImportName) -> Edit:
    """Remove a statement: with its line, where it has the line for itself."""
    document = analysis.document
    start, end = block.start + name.statement_start, block.start + name.statement_end
    lines = document.lines
    line_start, last = lines.line_start(lines.line_of(start)), lines.line_of(end)
    rest = document.data[end : lines.line_end(last)]
    is_first = not document.data[line_start:start].strip()
    behind = rest.lstrip(b" \t\f;\\")
    if goes_on(document.data, line_start) and (not behind or behind.startswith(b"#")):
        return Edit(start, end, "pass")  # else nothing, or the next line, would go on with the one before
    if is_first and not rest.strip():
        next_line = lines.line_start(last + 1) if last + 1 < lines.line_count else len(document.data)
        return Edit(line_start, next_line, "")
    if rest.lstrip().startswith(b";"):  # other statements share the line
        end += len(rest) - len(rest.lstrip()[1:].lstrip())
    elif line_start == start:  # only a comment stays
        end += len(rest) - len(rest.lstrip())
    return Edit(start, end, "")
