"""What every set of edits has to pass before it is given away: the text still parses, every name that the
edits introduce is bound where it is read, and every name that was bound still is."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from mindport.rewrite.edit import Edit, applied, cell_edits
from mindport.source.document import Document
from mindport.source.lines import LineIndex
from mindport.source.notebook_document import CellText, NotebookDocument
from mindport.uses.bound_names import BUILTIN_NAMES, NOBODY

if TYPE_CHECKING:
    from mindport.uses.analysis import Analysis
    from mindport.uses.bound_names import BoundName, BoundNames, NameRead

_LIBRARY = "mindspore"
_SCOPES: Final = ("own", "outer", "module")
_NEVER_HIDDEN: Final = frozenset(
    {
        *(
            "callable",
            "classmethod",
            "dict",
            "enumerate",
            "getattr",
            "hasattr",
            "isinstance",
            "issubclass",
            "len",
        ),
        *("list", "property", "setattr", "slice", "staticmethod", "super", "tuple", "type", "zip"),
    }
)
"""Builtin names that no library gives to those who import all of it."""

Exports = Callable[[str], Collection[str] | None]
"""The names that a star import of a module binds, by its dotted name; None where that is not known."""


class SelfCheck:
    """Checks edits of one document."""

    def __init__(self, analysis: Analysis, exports: Exports | None = None) -> None:
        self._analysis = analysis
        self._stars = [star for block in analysis.lowered for star in block.stars]
        self._exports = exports
        self._is_whole = _parses(analysis.document)
        """Whether it parses: else what is read beside the edits may look another way once they are made."""
        self._before = analysis.names()
        self._reads = self._before.reads()
        self._places = sorted(self._reads)
        self._bound = frozenset(name for block in analysis.blocks for name in block.names)
        self._library = frozenset(_names_of_library(analysis))
        self._imported = {name.bound for block in analysis.blocks for name in block.imports}

    def is_sound(self, edits: Sequence[Edit], own: Collection[str] = ()) -> bool:
        """Whether the document may be changed so. The edits may read the document's `own` names that are
        given, where these are surely bound."""
        after = edited(self._analysis.document, edits)
        if after is None or (self._is_whole and not _parses(after)):
            return False
        names = self._analysis.names_after(after)
        lost = self._before.at_the_end() - names.at_the_end() - self._imported
        return not lost and self._are_bound(names, _Moves(edits), own)

    def _are_bound(self, names: BoundNames, moves: _Moves, own: Collection[str]) -> bool:
        taken_out = [self._taken_out([edit]) for edit in moves.edits]
        in_all = self._taken_out(moves.edits)
        found: set[int] = set()
        for read in names.reads().values():
            place = moves.before(read.start)
            if place is None:
                is_inner = read.iterable is not None and moves.before(read.iterable) is None
                is_own = read.name in own and read.bound.binder in _SCOPES and read.bound.definite
                here = taken_out[moves.edit_at(read.start)], in_all
                if not is_inner and not is_own and not self._may_be_moved_or_new(read, *here):
                    return False
                continue
            known = self._reads.get(place)
            if known is None or known.name != read.name:
                if self._is_whole:
                    return False
            elif _is_worse(known.bound, read.bound) and not self._is_unhidden(known, read):
                return False
            found.add(place)
        return not self._is_whole or all(place in found or moves.is_replaced(place) for place in self._reads)

    def _taken_out(self, edits: Sequence[Edit]) -> dict[str, BoundName]:
        """The names that are read where edits replace the text, each as it is bound at the weakest."""
        weakest: dict[str, BoundName] = {}
        places = self._places
        for edit in edits:
            for number in range(bisect_left(places, edit.start), bisect_left(places, edit.end)):
                read = self._reads[places[number]]
                other = weakest.get(read.name)
                if other is None or _is_worse(other, read.bound):
                    weakest[read.name] = read.bound
        return weakest

    def _is_unhidden(self, known: NameRead, read: NameRead) -> bool:
        """Whether a name is a builtin, or nobody's, as before, although a star import might have bound it."""
        is_bare = read.bound.binder in ("builtin", "nothing")
        return known.bound.binder == "star" and is_bare and not self._may_hide(read.name)

    def _may_hide(self, name: str) -> bool:
        """Whether a star import of the document may bind a builtin name."""
        if name in _NEVER_HIDDEN:
            return False
        return any(self._may_bind(module, level, name) for module, level in self._stars)

    def _may_bind(self, module: str, level: int, name: str) -> bool:
        exported = self._exports(module) if self._exports is not None and not level else None
        return exported is None or name in exported

    def _may_be_moved_or_new(self, read: NameRead, *taken_out: dict[str, BoundName]) -> bool:
        """Whether a name in the text of an edit is one that this edit or the others have moved, and as well
        bound; or a new one that is surely bound, by an import of MindSpore, by the edits themselves or by
        Python."""
        moved = [names[read.name] for names in taken_out if read.name in names]
        if any(not _is_worse(before, read.bound) for before in moved):
            return True
        if read.bound.binder == "star":
            return read.name in BUILTIN_NAMES and not self._may_hide(read.name)
        if not read.bound.definite:
            return False
        is_ours = read.name in self._library or read.name not in self._bound
        return read.bound.binder in ("builtin", "lambda") or (
            is_ours and read.bound.binder in ("own", "outer", "module")
        )


class _Moves:
    """Where the bytes of a text were before its edits were made."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self.edits = edits
        self._starts: list[int] = []
        """Where the new text of each edit starts."""
        self._shifts: list[int] = []
        """What the offsets behind each edit have grown by."""
        shift = 0
        for edit in edits:
            self._starts.append(edit.start + shift)
            shift += len(edit.new_text.encode()) - (edit.end - edit.start)
            self._shifts.append(shift)
        self._old_starts = [edit.start for edit in edits]

    def before(self, offset: int) -> int | None:
        """Where a byte was; None where it is new."""
        position = bisect_right(self._starts, offset) - 1
        if position < 0:
            return offset
        before = offset - self._shifts[position]
        return before if before >= self.edits[position].end else None

    def edit_at(self, offset: int) -> int:
        """The number of the edit whose text a new byte is in."""
        return bisect_right(self._starts, offset) - 1

    def is_replaced(self, offset: int) -> bool:
        """Whether an edit replaces the byte that was here."""
        position = bisect_right(self._old_starts, offset) - 1
        while position >= 0 and self.edits[position].start == self.edits[position].end:
            position -= 1
        return position >= 0 and offset < self.edits[position].end


def edited(document: Document, edits: Sequence[Edit]) -> Document | None:
    """A document with edits made, of a notebook those of its cells; None where the cells do not become what
    the edits say of the joined text."""
    data = applied(document.data, edits)
    if not isinstance(document, NotebookDocument):
        return Document.open(document.uri, data)
    of_cells = cell_edits(document, edits)
    cells = [
        CellText(
            number,
            LineIndex(applied(part.lines.data, of_cells[number]) if number in of_cells else part.lines.data),
        )
        for part in document.parts
        if (number := part.number) is not None
    ]
    joined = NotebookDocument.join(document.uri, cells, document.known)
    return joined if joined.data == data else None


def _parses(document: Document) -> bool:
    return not any(piece.root.has_error for piece in document.pieces)


def _is_worse(before: BoundName, after: BoundName) -> bool:
    """Whether a name is less surely bound than it was, or by something else."""
    if before == NOBODY or before.binder == "nothing":
        return False
    if after.binder == "nothing" or (before.definite and not after.definite):
        return True
    if before.binder != after.binder:
        return before.binder in ("star", "builtin") or after.binder in ("star", "builtin") or before.later
    return False


def _names_of_library(analysis: Analysis) -> Iterator[str]:
    """The names that imports of MindSpore bind in a document."""
    for block in analysis.blocks:
        for name in block.imports:
            if not name.level and (name.module or name.name).split(".")[0] == _LIBRARY:
                yield name.bound
