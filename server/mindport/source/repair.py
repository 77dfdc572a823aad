"""The tree of a compound statement in which something does not parse, with that told from what does.

Broken statements become `...`, what is broken in headers becomes something that parses; then the rest has the
tree that it has in sound code. The tree is then told where everything is in the text as it stands.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.source.piece import Piece
from mindport.source.statement_lines import clause_starts, definition_start, indentation, next_body_line
from mindport.source.syntax import parse_replaced

if TYPE_CHECKING:
    from collections.abc import Callable

    from mindport.source.suites import Suites

_KEYWORD: Final = re.compile(
    rb"[ \t\x0c]*((?:async[ \t]+)?(?:def|class|if|for|while|with)|try|elif|else|except|finally"
    rb"|(?:match|case)(?=[ \t]+[^\s=.,:)\]]))\b([ \t]*)(\w*)"
)
_BEFORE: Final = {
    b"elif": b"if 0: pass\n",
    b"else": b"if 0: pass\n",
    b"except": b"try: pass\n",
    b"finally": b"try: pass\n",
    b"case": b"match 0:\n ",
}
"""What a clause needs in front of it to parse."""
_AFTER: Final = {
    b"elif": (b"if", b"elif"),
    b"else": (b"if", b"elif", b"for", b"while", b"except"),
    b"except": (b"try", b"except"),
    b"finally": (b"try", b"except", b"else"),
}
"""Which clauses a clause may come after."""
_COMPLETIONS: Final = (b":", b"):", b"]:", b"]):", b")):", b"():", b" 0:", b" 0):")
"""What may be left to type of a header."""
_STRAY: Final = (b"if ", b":")
_NEUTRAL: Final = {
    b"elif": (b"elif ", b":"),
    b"while": (b"while ", b":"),
    b"for": (b"while ", b":"),
    b"with": (b"with ", b":"),
    b"match": (b"match ", b":"),
    b"except": (b"except ", b":"),
}
"""What stands around `...` in place of a broken header; `_STRAY` for others."""
_AROUND_PARAMETERS: Final = {b"def": (b"()->", b":"), b"class": (b"(", b"):")}
"""What stands around `...` in place of what follows a name."""
_PLACEHOLDER: Final = b"..."
_MOST_BROKEN: Final = 100
"""A statement with more broken ones in it is not worth the time."""
_DEEPEST: Final = 30


def repaired(suites: Suites, text: bytes, before: bytes = b"") -> Piece | None:
    """The piece for a statement that does not parse, behind something that takes no room; None if it is
    simple, or if it cannot be told what in it is broken."""
    repair = _Repair(suites, text, before)
    try:
        repair.statement(0, len(text))
    except _HopelessError:
        return None
    return repair.piece()


class _HopelessError(Exception):
    """Nothing sensible can be said of the text."""


class _Clause(NamedTuple):
    """A clause of a compound statement: its keyword, and by what its suite is indented."""

    keyword: bytes
    indentation: bytes


class _Repair:
    """Puts together a text that parses, in `parts`. `edits` are what was put in: where in the new text, its
    length, and what it stands for. `kept` is up to where the old text has been taken."""

    def __init__(self, suites: Suites, text: bytes, before: bytes) -> None:
        self.suites = suites
        self.text = text
        self.kept = 0
        self.length = 0
        self.depth = 0
        self.parts: list[bytes] = []
        self.edits: list[tuple[int, int, bytes]] = []
        self.fragments: list[Piece] = []
        if before:
            self._put(before, 0)

    def piece(self) -> Piece | None:
        """The piece, if something is left beside what is broken, and that parses."""
        self._keep(len(self.text))
        new = b"".join(self.parts)
        if new.strip() == _PLACEHOLDER:
            return None
        tree = parse_replaced(new, self.edits)
        if tree.root_node.has_error:
            return None
        return Piece(0, self.text, tree.root_node, tuple(self.fragments), is_sound=False)

    def suite(self, start: int, end: int, judge: Callable[[bytes], bool]) -> None:
        """Go through the statements between two places. `judge` says which parse."""
        first = next_body_line(self.text, start, end)
        if first is None:
            return
        suite = self.text[start:end]
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _HopelessError
        before: tuple[int, int] | None = None
        for begin, stop in self.suites.statements(suite, indentation(self.text, first), judge):
            if not judge(suite[begin:stop]):
                self.statement(start + begin, start + stop, before)
            before = start + begin, start + stop
        self.depth -= 1

    def statement(self, start: int, end: int, before: tuple[int, int] | None = None) -> None:
        """Replace what is broken in a statement that does not parse. `before` is where the statement in front
        of it is: a clause may belong to that, with something half-typed in between."""
        if len(self.fragments) >= _MOST_BROKEN:
            raise _HopelessError
        first = next_body_line(self.text, start, end)
        if first is None:
            self._replace_statement(start, end)
            return
        definition = definition_start(self.text, first, end)
        if definition is not None:
            self._decorated(first, definition, end)
            return
        bounds = [*clause_starts(self.text, first, end), end]
        last = self._last_clause(*before) if before is not None and len(bounds) > 2 else None
        previous = b""
        for begin, stop in pairwise(bounds):
            clause = self._compound(begin, stop)
            if clause is None and last is not None and self._may_follow(stop, end, last):
                self._replace_statement(begin, stop, last.indentation)
                previous = last.keyword
            else:
                previous = self._clause(begin, stop, previous, len(bounds) == 2)
                last = clause and clause._replace(keyword=previous)

    def _compound(self, start: int, end: int) -> _Clause | None:
        """What a clause with a suite is; None for anything else."""
        match = _KEYWORD.match(self.text, start, end)
        if match is None:
            return None
        body, _ = self.suites.header_end(self.text, start, end)
        line = next_body_line(self.text, body, end)
        if line is None:
            return None
        begin, stop = indentation(self.text, start), indentation(self.text, line)
        # Compiled, a slice that ends before it begins is an error.
        return _Clause(match[1].split()[-1], self.text[line + begin : line + max(begin, stop)])

    def _last_clause(self, start: int, end: int) -> _Clause | None:
        """The last clause of the statement between two places."""
        first = next_body_line(self.text, start, end)
        return None if first is None else self._compound(clause_starts(self.text, first, end)[-1], end)

    def _may_follow(self, start: int, end: int, last: _Clause) -> bool:
        """Whether what starts there is a clause that may come behind the last one."""
        match = _KEYWORD.match(self.text, start, end)
        return match is not None and last.keyword in _AFTER.get(match[1], ())

    def _decorated(self, start: int, definition: int, end: int) -> None:
        """A function or a class behind decorators."""
        behind_header, _ = self.suites.header_end(self.text, definition, end)
        if next_body_line(self.text, behind_header, end) is None:
            self._replace_statement(start, end)
            return
        if not self.suites.parses(self.text[start:definition].strip() + b"\ndef f(): pass\n"):
            self._replace_statement(start, definition)
        self._clause(definition, end, b"", is_only=True)

    def _clause(self, start: int, end: int, previous: bytes, is_only: bool = False) -> bytes:
        """Replace what is broken in a clause of a compound statement, behind one that starts with the keyword
        `previous`, or in a simple statement. Returns the keyword it starts with now; empty if it has none.
        `is_only`: the statement has no other clauses."""
        match = _KEYWORD.match(self.text, start, end)
        keyword = match[1].split()[-1] if match is not None else b""
        before = _BEFORE.get(keyword, b"")
        body, is_sound = self.suites.header_end(self.text, start, end, before) if keyword else (end, False)
        is_stray = keyword in _AFTER and previous not in _AFTER[keyword]
        if next_body_line(self.text, body, end) is None:
            if not is_stray and self.suites.parses(before + self.text[start:end].strip() + b"\n"):
                return keyword
            self._replace_statement(start, end)
            return b""
        if is_stray:
            keyword = self._replace_header(start, body, _STRAY, b"if")
        elif match is not None and not is_sound and not self._complete_header(start, body, before):
            around = _AROUND_PARAMETERS.get(keyword)
            if around is not None and match[3]:
                self._replace_header(match.end(3), body, around, keyword)
            else:
                around = _NEUTRAL.get(keyword, _STRAY)
                keyword = self._replace_header(start, body, around, around[0].strip())
        # `Pieces` has looked at the members of a class in the same way.
        judge = self.suites.parses_as_member if keyword == b"class" else self.suites.parses
        if (is_only and is_sound) or not judge(self.text[body:end]):
            self.suite(body, end, judge)
        return keyword

    def _complete_header(self, start: int, end: int, before: bytes) -> bool:
        """Put in what is left to type of a header, if that is all."""
        start, end = self._stripped(start, end)
        header = self.text[start:end]
        for completion in _COMPLETIONS:
            if self.suites.parses(before + header + completion + b"\n  pass\n"):
                self._keep(end)
                self._put(completion, 0)
                self._add_fragment(start, end)
                return True
        return False

    def _replace_header(self, start: int, end: int, around: tuple[bytes, bytes], keyword: bytes) -> bytes:
        start, end = self._stripped(start, end)
        self._keep(start)
        self._put(around[0], 0)
        self._put(_PLACEHOLDER, end - start)
        self._put(around[1], 0)
        self._add_fragment(start, end)
        return keyword

    def _replace_statement(self, start: int, end: int, indented: bytes = b"") -> None:
        """Replace a statement, `indented` by that much more than it is."""
        start, end = self._stripped(start, end)
        self._keep(start)
        self._put(indented, 0)
        self._put(_PLACEHOLDER, end - start)
        self._add_fragment(start, end)

    def _stripped(self, start: int, end: int) -> tuple[int, int]:
        """A place in the text without the white space around it."""
        text = self.text[start:end].rstrip()
        return start + len(text) - len(text.lstrip()), start + len(text)

    def _keep(self, end: int) -> None:
        """Take the text up to a place as it is."""
        self.parts.append(self.text[self.kept : end])
        self.length += end - self.kept
        self.kept = end

    def _put(self, new: bytes, length: int) -> None:
        """Put something in the place of as many bytes of the text."""
        self.parts.append(new)
        self.edits.append((self.length, len(new), self.text[self.kept : self.kept + length]))
        self.length += len(new)
        self.kept += length

    def _add_fragment(self, start: int, end: int) -> None:
        text = self.text[start:end]
        self.fragments.append(Piece(start, text, self.suites.broken_tree(text).root_node, is_sound=False))
