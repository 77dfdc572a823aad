"""A cheap look at a file's text that tells whether its calls can give functions of other modules anything.

What is worth telling of is a class or function of torch, or a class of the file, that is given as an argument
in a call of something imported, or of a method that may be inherited. It may be wrong on both sides, but says
the same of the same text wherever it is asked; files of which it says no are not looked at for call facts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mindport.callgraph.call_facts import CALLABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mindport.catalog.catalog import Catalog

_IMPORT = re.compile(rb"import[ \t]*(\([^)]*\)|[^\r\n]*)")
_FROM = re.compile(rb"[ \t]*from[ \t]+([\w.]+)[ \t]*$")
_IMPORTED = re.compile(rb"([\w.]+)(?:[ \t]+as[ \t]+(\w+))?")
_CLASS = re.compile(rb"\nclass (\w+)")
_VALUE = re.compile(rb"[(,=][ \t]*([A-Za-z_][\w.]*)(?=[ \t]*(?:[,)\r\n]|if ))")
_ARGUMENT_END = re.compile(rb"\s*[,)]| if ")
_ARGUMENT_STARTS = b"(,="
_ASSIGNED = re.compile(rb"=[ \t]*(?:[\w.]+\([ \t]*)?$")
_PART_OF_NAME = re.compile(rb"[\w.]")
_CALLEE = re.compile(rb"(?:(?<![\w.])([A-Za-z_]\w*)(?:\.\w+)*|\)\.\w+)[ \t]*$")
_SUPER = b"super"
"""Stands for the callee of a method of what another call gives."""
_BOUND = re.compile(rb"(\w+)[ \t]*(?::[^=\r\n]*)?$")
_PARENTHESIS = re.compile(rb"[()]")
_LONGEST_HEAD = 120
_LONGEST_CALL = 1500


def may_give(text: bytes, catalog: Catalog, is_looked_into: Callable[[str], bool]) -> bool:
    """Whether it is worth looking for call facts in the Python code `text` (UTF-8). `is_looked_into` says
    whether something with this dotted name, which is not torch's, can be of code that is evaluated."""
    if b"torch" not in text:
        return False
    of_torch, imported = _imports(text, catalog, is_looked_into)
    if not imported:
        return False
    classes = set(_CLASS.findall(text))
    worth = {
        name for name in set(_VALUE.findall(text)) if name in classes or _is_callable(name, of_torch, catalog)
    }
    if not worth:
        return False
    imported.add(_SUPER)
    places = list(_occurrences(worth, text))
    if _is_given(places, text, imported):
        return True
    return _is_given(_occurrences(set(_names_of(places, text)), text), text, imported)


def _imports(
    text: bytes, catalog: Catalog, is_looked_into: Callable[[str], bool]
) -> tuple[dict[bytes, bytes], set[bytes]]:
    """The names that are imported from torch, with what they are, and those from what is looked into."""
    of_torch: dict[bytes, bytes] = {}
    others: set[bytes] = set()
    for statement in _IMPORT.finditer(text):
        before = text[text.rfind(b"\n", 0, statement.start()) + 1 : statement.start()]
        module = _FROM.match(before)
        if before.strip() and module is None:
            continue
        for name, alias in _IMPORTED.findall(statement.group(1)):
            dotted = name if module is None else module.group(1) + b"." + name
            top = dotted.partition(b".")[0]
            bound = alias or (top if module is None else name)
            if catalog.is_module(top.decode()):
                of_torch[bound] = dotted if alias or module is not None else top
            elif is_looked_into(dotted.decode() if module is not None else f"{dotted.decode()}.any"):
                others.add(bound)
    return of_torch, others


def _is_callable(name: bytes, of_torch: dict[bytes, bytes], catalog: Catalog) -> bool:
    """Whether a name is a class or function of torch."""
    head, dot, rest = name.partition(b".")
    if head not in of_torch:
        return False
    api = catalog.canonical((of_torch[head] + dot + rest).decode())
    return api is not None and catalog.kind(api) in CALLABLE


def _names_of(places: Iterable[tuple[int, int]], text: bytes) -> Iterator[bytes]:
    """The names of parameters and variables that what stands at one of these places is bound to."""
    for start, _ in places:
        line = _head(text, start)
        assigned = _ASSIGNED.search(text, line, start)
        bound = _BOUND.search(text, line, assigned.start()) if assigned is not None else None
        if bound is not None:
            yield bound.group(1)


def _is_given(places: Iterable[tuple[int, int]], text: bytes, imported: set[bytes]) -> bool:
    """Whether what stands at any of these places is an argument in a call of what is imported."""
    return any(not imported.isdisjoint(_callees(text, place)) for place in _arguments(places, text))


def _arguments(places: Iterable[tuple[int, int]], text: bytes) -> Iterator[int]:
    """Those of the places where an argument stands."""
    for start, end in places:
        before = start - 1
        while before >= 0 and text[before : before + 1].isspace():
            before -= 1
        if before >= 0 and text[before] in _ARGUMENT_STARTS and _ARGUMENT_END.match(text, end):
            yield start


def _occurrences(names: set[bytes], text: bytes) -> Iterator[tuple[int, int]]:
    """Where these names stand by themselves."""
    for name in names:
        start = text.find(name)
        while start >= 0:
            end = start + len(name)
            if not (_PART_OF_NAME.match(text, end) or _PART_OF_NAME.match(text, start - 1, start)):
                yield start, end
            start = text.find(name, end)


def _head(text: bytes, place: int) -> int:
    """Where the line of a place begins, or so many bytes before it that nobody writes more."""
    return max(0, place - _LONGEST_HEAD, text.rfind(b"\n", 0, place) + 1)


def _callees(text: bytes, place: int) -> Iterator[bytes]:
    """What is called around a place: the names that the callees begin with."""
    start = max(0, place - _LONGEST_CALL, text.rfind(b":\n", 0, place))
    depth = 0
    parentheses: list[bytes] = _PARENTHESIS.findall(text, start, place)
    for found in reversed(parentheses):
        place = text.rfind(found, start, place)
        depth += 1 if found == b")" else -1
        if depth < 0:
            depth = 0
            callee = _CALLEE.search(text, max(start, _head(text, place)), place)
            if callee is not None:
                yield callee.group(1) or _SUPER
