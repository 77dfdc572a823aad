"""The text that a template becomes at one place of a document."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from mindport.assess.temporaries import RECEIVER
from mindport.catalog.expansion import expansion

if TYPE_CHECKING:
    from mindport.assess.rewrite_plan import Filled, TemplatePlan
    from mindport.catalog.expansion import TemplateSlot
    from mindport.rewrite.syntax_spans import ArgumentSpan, Span, SyntaxPlace

_WORD = re.compile(r"[^\W\d]\w*")
_NUMBER = re.compile(r"\d+(\.\d+)?(e-?\d+)?")
_SIMPLE = re.compile(rf"[A-Za-z_][\w.]*|{_NUMBER.pattern}|'[^'\\]*'|\(.*\)|\[.*\]")
"""Texts of defaults that may stand next to an operator."""
_STARRED = re.compile(rb"[(,]\s*\*\Z")
"""What stands before a name whose items a call is given one by one."""


class _Text(NamedTuple):
    """A text; `is_atom`: it may stand next to an operator; `is_loose`: it needs brackets anywhere."""

    text: str
    is_atom: bool
    is_loose: bool = False


class TemplateText:
    """Fills a template at one place. `text_of` gives the text of a span of the document after the edits
    inside it, `spelled` the expression that means a MindSpore API there (None if there is none). `names` are
    those that arguments (`RECEIVER`: the receiver) have been given; with `in_place`, they are assigned where
    they stand first."""

    def __init__(
        self,
        plan: TemplatePlan,
        place: SyntaxPlace,
        arguments: list[ArgumentSpan],
        text_of: Callable[[Span], str],
        spelled: Callable[[str], str | None],
    ) -> None:
        self.plan = plan
        self.place = place
        self.arguments = arguments
        self.text_of = text_of
        self.spelled = spelled
        self.names: Mapping[int, str] = {}
        self.in_place = False
        self._assigned: set[int] = set()

    def span(self, index: int) -> Span | None:
        """Where an argument, or the receiver, stands."""
        return self.place.receiver if index == RECEIVER else self.arguments[index].value

    def value(self, index: int) -> str | None:
        """An argument, or the receiver, as the right side of an assignment."""
        span = self.span(index)
        if span is None:
            return None
        text = self.text_of(span)
        return f"({text})" if span.is_loose or _breaks(text) else text

    def result(self) -> str | None:
        """The text; None where it would not mean the same."""
        expanded = expansion(self.plan.template)
        template = expanded.text.encode()
        pieces: list[tuple[int, int, str]] = []
        for start, end, name in expanded.apis:
            spelled = self.spelled(name)
            if spelled is None:
                return None
            pieces.append((start, end, spelled))
        filled = {one.name: one for one in self.plan.filled}
        for slot in expanded.slots:
            if slot.name in filled:
                one = filled[slot.name]
                is_spread = one.is_tuple and bool(one.indices) and _is_starred(template, slot.start)
                text = self._slot(slot, one, is_spread)
                if text is None:
                    return None
                pieces.append((slot.start - is_spread, slot.end, text))
        for start, end, text in sorted(pieces, reverse=True):
            template = template[:start] + text.encode() + template[end:]
        result = template.decode()
        is_wrapped = not expanded.is_atom and not self.place.takes_any
        is_broken = _breaks(result) and not expanded.is_atom and not self.place.is_bracketed
        return f"({result})" if is_wrapped or is_broken else result

    def _slot(self, slot: TemplateSlot, one: Filled, is_spread: bool) -> str | None:
        """The text for a name of the template; None where a name in it would mean something else there."""
        found = self._filling(one, is_spread)
        if found is None:
            return None
        words = _WORD.findall(found.text)
        if not slot.bound.isdisjoint(words) or (slot.bound and words and self.place.is_in_class_body):
            return None
        if slot.in_iterable and ":=" in found.text:
            return None
        needs_brackets = found.is_loose if slot.context == "argument" else not found.is_atom
        return f"({found.text})" if needs_brackets else found.text

    def _filling(self, one: Filled, is_spread: bool) -> _Text | None:
        """What a name of the template stands for; with `is_spread`, its parts as arguments of their own."""
        if not one.indices:
            return _Text(one.text, _SIMPLE.fullmatch(one.text) is not None)
        texts = [self._argument(index) for index in one.indices]
        if not one.is_tuple:
            return texts[0]
        inner = ", ".join(found.text for found in texts if found is not None)
        return _Text(inner if is_spread else f"({inner}{',' if len(texts) == 1 else ''})", True)

    def _argument(self, index: int) -> _Text | None:
        name = self.names.get(index)
        if name is not None and (not self.in_place or index in self._assigned):
            return _Text(name, True)
        span = self.span(index)
        if span is None:
            return None
        if name is not None:
            self._assigned.add(index)
            return _Text(f"({name} := {self.value(index)})", True)
        text = self.text_of(span)
        return _Text(text, span.is_atom or _NUMBER.fullmatch(text) is not None, span.is_loose)


def _is_starred(template: bytes, start: int) -> bool:
    return _STARRED.search(template, 0, start) is not None


def _breaks(text: str) -> bool:
    return "\n" in text or "\r" in text
