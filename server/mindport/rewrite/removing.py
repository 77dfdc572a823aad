"""Leaving out what MindSpore does not need: calls in a chain, statements, decorators, guards."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.rewrite.dedent import Dedent, dedent_of
from mindport.rewrite.edit import Edit
from mindport.source.lines import goes_on
from mindport.source.removal_place import assigns_to_itself, assigns_to_itself_in_parallel, removal_place

if TYPE_CHECKING:
    from mindport.rewrite.syntax_spans import Span, SyntaxPlace
    from mindport.source.document import Document
    from mindport.source.removal_place import RemovalPlace

_SUPER: Final = re.compile(rb"super\s*\([^()]*\)")


class Removed(NamedTuple):
    """What a removal does: it replaces one piece of text, and takes a block out of a statement, if any."""

    edit: Edit
    dedent: Dedent | None = None


@dataclass
class Remover:
    """Finds how expressions of one document are left out. It knows what it was asked for before, so that no
    block is left empty."""

    document: Document
    _gone: dict[tuple[int, int], set[int]] = field(default_factory=dict)
    """By block, or by what a `with` enters, where the parts start that are removed."""
    _parallel: dict[int, set[int]] = field(default_factory=dict)
    """By statement, which of the values that it assigns at once are left out."""

    def remove(self, place: SyntaxPlace, gives_receiver: bool, receiver_is_plain: bool) -> Removed | None:
        """How an expression is left out; None where that would take a comment along or is not possible. A
        call of a method that `gives_receiver` is also left out of a chain; `receiver_is_plain`: a statement
        may take the receiver along."""
        whole = place.span
        found = removal_place(self.document, whole.start, whole.end, receiver_is_plain)
        if found is None and gives_receiver:
            receiver = place.receiver
            if receiver is not None and receiver_is_plain:
                span = receiver.start, receiver.end
                found = assigns_to_itself(self.document, whole.start, whole.end, span)
                found = found or self._last_in_parallel(whole, span)
            return self._statement(found) if found is not None else self._link(place, receiver)
        if found is None:
            return None
        if found.kind == "statement":
            return self._statement(found)
        if found.kind == "target":
            return self._target(found)
        if found.kind == "decorator":
            return self._lines_of(found.start, place.span.end)
        return self._context(found)

    def remove_around(self, place: SyntaxPlace, kept: Span | None) -> Removed | None:
        """How an expression is left out that is a decorator, or the call around a value, `kept`, that a
        statement assigns to itself; None where it is neither."""
        whole = place.span
        found = removal_place(self.document, whole.start, whole.end, receiver_is_plain=False)
        if found is not None:
            is_decorator = found.kind == "decorator"
            return self._lines_of(found.start, whole.end) if is_decorator else None
        if kept is None:
            return None
        statement = assigns_to_itself(self.document, whole.start, whole.end, (kept.start, kept.end))
        return self._statement(statement) if statement is not None else None

    def _last_in_parallel(self, whole: Span, receiver: tuple[int, int]) -> RemovalPlace | None:
        """The statement that assigns several values to themselves, once the last of them is left out."""
        place = assigns_to_itself_in_parallel(self.document, whole.start, whole.end, receiver)
        if place is None:
            return None
        left_out = self._parallel.setdefault(place.statement.start, set())
        left_out.add(place.position)
        return place.statement if len(left_out) == place.among else None

    # -- a link of a chain ----------------------------------------------------------------------------

    def _link(self, place: SyntaxPlace, receiver: Span | None) -> Removed | None:
        """`x.cuda().float()` becomes `x.float()`; `super()` cannot take the place of a call."""
        data, dot, end = self.document.data, place.dot, place.span.end
        if receiver is None or dot is None or b"#" in data[dot.end : end]:
            return None
        is_looked_up = _SUPER.fullmatch(data, receiver.start, receiver.end) is not None
        if is_looked_up and not data[end:].lstrip().startswith(b"."):
            return None
        start = dot.start if b"#" in data[receiver.end : dot.start] else receiver.end
        return Removed(Edit(*(self._own_lines(start, end) or (start, end)), ""))

    # -- statements -----------------------------------------------------------------------------------

    def _statement(self, found: RemovalPlace) -> Removed | None:
        """With its line, where it has that for itself; a comment behind it stays."""
        block = found.node.parent
        if block is None:
            return None
        key = (found.base + block.start_byte, found.base + block.end_byte)
        gone = self._gone.setdefault(key, set())
        statements = [child for child in block.named_children if child.type != "comment"]
        line_start = self.document.lines.line_start(self.document.lines.line_of(found.start))
        is_needed = goes_on(self.document.data, line_start)
        if is_needed or (block.type != "module" and len(gone) + 1 >= len(statements)):
            gone.add(found.start)
            return Removed(Edit(found.start, found.end, "pass"))
        removed = self._beside_others(found) or self._lines_of(found.start, found.end)
        if removed is not None:
            gone.add(found.start)
        return removed

    def _target(self, found: RemovalPlace) -> Removed | None:
        """The value stays, as a statement of its own."""
        value = found.node.child_by_field_name("right")
        if value is None or b"#" in self.document.data[found.start : found.base + value.start_byte]:
            return None
        return Removed(Edit(found.start, found.base + value.start_byte, ""))

    def _beside_others(self, found: RemovalPlace) -> Removed | None:
        """With its semicolon, where other statements share the line."""
        data, lines = self.document.data, self.document.lines
        line = lines.line_of(found.end)
        behind = data[found.end : lines.line_end(line)]
        rest = behind.lstrip()
        if rest.startswith(b";") and rest[1:].strip() and not rest[1:].lstrip().startswith(b"#"):
            end = found.end + len(behind) - len(rest[1:].lstrip())
            return Removed(Edit(found.start, end, ""))
        before = data[lines.line_start(lines.line_of(found.start)) : found.start].rstrip()
        if before.endswith(b";"):
            start = lines.line_start(lines.line_of(found.start)) + len(before) - 1
            return Removed(Edit(start, found.end, ""))
        return None

    def _lines_of(self, start: int, end: int) -> Removed | None:
        """The lines of a span, but for a comment behind it."""
        data, lines = self.document.data, self.document.lines
        if b"#" in data[start:end]:
            return None
        own = self._own_lines(start, end)
        if own is not None:
            return Removed(Edit(*own, ""))
        rest = data[end : lines.line_end(lines.line_of(end))]
        before = data[lines.line_start(lines.line_of(start)) : start]
        if before.strip() or not rest.lstrip(b" \t;").startswith(b"#"):
            return None
        return Removed(Edit(start, end + rest.index(b"#"), ""))

    def _own_lines(self, start: int, end: int) -> tuple[int, int] | None:
        """The lines of a span with their ends, where nothing else stands on them."""
        lines, data = self.document.lines, self.document.data
        last = lines.line_of(end)
        line_start = lines.line_start(lines.line_of(start))
        if data[line_start:start].strip() or data[end : lines.line_end(last)].strip(b" \t\f;"):
            return None
        return line_start, lines.line_start(last + 1) if last + 1 < lines.line_count else len(data)

    # -- guards ---------------------------------------------------------------------------------------

    def _context(self, found: RemovalPlace) -> Removed | None:
        """An item of a `with`; the whole `with`, if it has no other."""
        clause = found.node.parent
        statement = clause.parent if clause is not None else None
        if clause is None or statement is None or statement.children[0].type != "with":
            return None
        items = [child for child in clause.named_children if child.type == "with_item"]
        if len(items) > 1:
            return self._item(found, items.index(found.node), [found.base + one.start_byte for one in items])
        body = statement.child_by_field_name("body")
        if body is None:
            return None
        start, inner = found.base + statement.start_byte, found.base + body.start_byte
        lines, data = self.document.lines, self.document.data
        line = lines.line_of(found.end)
        if lines.line_of(inner) == line:
            return None if b"#" in data[start:inner] else Removed(Edit(start, inner, ""))
        line_start = lines.line_start(lines.line_of(start))
        dedent = dedent_of(self.document, body, found.base, start - line_start)
        header = self._lines_of(start, self._colon_end(found.end))
        if dedent is None or header is None or data[line_start:start].strip():
            return None
        return Removed(header.edit, dedent)

    def _colon_end(self, offset: int) -> int:
        """Behind the colon that closes the header of a `with`."""
        return self.document.data.index(b":", offset) + 1

    def _item(self, found: RemovalPlace, index: int, starts: list[int]) -> Removed | None:
        """With a comma."""
        gone = self._gone.setdefault((starts[0], starts[-1]), set())
        start, end = found.start, found.end
        if len(gone) + 1 == len(starts):
            return None  # something has to be left
        gone.add(start)
        if index + 1 < len(starts):
            end = starts[index + 1]
        else:
            start = self.document.data.rindex(b",", starts[index - 1], start)
        return None if b"#" in self.document.data[start:end] else Removed(Edit(start, end, ""))
