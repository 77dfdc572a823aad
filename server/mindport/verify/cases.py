"""The calls that are tried for an API: from the input table, or made up from the kinds of its parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mindport.verify.written import CallShape, Written, shapes, written

if TYPE_CHECKING:
    from mindport.catalog.api import Api, Parameter, Signature
    from mindport.verify.table import InputTable

_MOST_CASES = 9
_MOST_VALUES = 3
_OVERLOADS = 3
_OF_OTHER_SPELLINGS = ("self", "out", "names")
_KINDS = {"i": "int64", "b": "bool", "d": "float64", "edge": "special"}
"""Other inputs that calls with random floats are tried with, and what they are called."""
_SHAPES = {"(2, 3, 4)": "3-d", "()": "0-d", "(0, 4)": "empty"}
_FLOATS = re.compile(r"\b[fp]\(")
_MAKERS = re.compile(r"(?<![\w.])(\w+)\(")
_FLOATING = {"f", "d", "h", "p", "u", "c", "spd", "sym", "inv", "tri", "dist", "edge", "unit"}
_INTEGERS = {"i", "i32", "u8", "b"}
_MATRIX = "(3, 4)"


class Case(NamedTuple):
    """One call: its arguments as text, and the `shapes` of calls that it is. `inputs` says what is particular
    about its inputs (`float32` for ordinary ones). `otherwise` are texts of the same shape, to try in turn
    where torch refuses it."""

    arguments: str
    shapes: tuple[CallShape, ...]
    inputs: str = "float32"
    otherwise: tuple[str, ...] = ()


def calls_of(api: Api, table: InputTable) -> list[str]:
    """Texts of arguments for a function or method: the table's, else made up. Of a method they start with
    the receiver."""
    stated = table.api(api.name).calls
    if stated:
        return list(stated)
    receiver = _receiver(api, table)
    found: list[str] = receiver if not api.signatures else []
    for signature in _usable(api, table):
        for arguments in _made_up(signature, table):
            text = ", ".join([*receiver, *map(str, arguments)])
            if text not in found:
                found.append(text)
    return found[:_MOST_CASES]


def _receiver(api: Api, table: InputTable) -> list[str]:
    if not is_member(api):
        return []
    return [table.parameters["self"][0]]


def is_member(api: Api) -> bool:
    """Whether an API is written behind a receiver, which is the first argument of its calls."""
    return api.kind in ("method", "attribute", "property")


def _usable(api: Api, table: InputTable) -> Sequence[Signature]:
    """The overloads that a person would call, with a value for each parameter they need. Of functions, those
    that take `self` are other spellings, those that need `out` are no different."""
    own = []
    for signature in api.signatures:
        needed = [p for p in signature.parameters if _is_needed(p)]
        is_usual = not any(p.name in _OF_OTHER_SPELLINGS for p in needed)
        if is_usual and all(table.values(p) for p in needed):
            own.append(signature)
    return own[:_OVERLOADS]


def _is_needed(parameter: Parameter) -> bool:
    return parameter.default is None and parameter.kind != "double_star"


def _made_up(signature: Signature, table: InputTable) -> Iterator[list[Written]]:
    """The required arguments alone; with all others; with each other alone; other required values."""
    needed = [p for p in signature.parameters if _is_needed(p)]
    optional = [p for p in signature.parameters if p.default is not None and table.values(p)]
    base = [_argument(p, table.values(p)[0]) for p in needed]
    yield base
    if optional:
        yield base + [Written(_other(table.values(p), p.default), p.name) for p in optional]
    for parameter in optional:
        for value in table.values(parameter)[:_MOST_VALUES]:
            if value != parameter.default:
                yield [*base, Written(value, parameter.name)]
    for place, parameter in enumerate(needed):
        for value in table.values(parameter)[1:_MOST_VALUES]:
            yield [*base[:place], _argument(parameter, value), *base[place + 1 :]]


def _argument(parameter: Parameter, value: str) -> Written:
    return Written(value, parameter.name if parameter.kind == "keyword" else None)


def _other(values: Sequence[str], default: str | None) -> str:
    return next((value for value in values if value != default), values[0])


def kind_of_inputs(text: str, first: str) -> str:
    """What is particular about the inputs of a call, compared with an API's first call."""
    if "edge(" in text and "edge(" not in first:
        return "special"
    if "unit(" in text and "unit(" not in first:
        return "saturated"
    makers, of_first = set(_MAKERS.findall(text)), set(_MAKERS.findall(first))
    if not makers or not of_first & _FLOATING:
        return "float32"
    is_mixed = bool(makers & _INTEGERS) and of_first <= _FLOATING
    if makers & _FLOATING and not is_mixed:
        return "float32"
    return "bool" if makers == {"b"} else "int64"


def cases(api: Api, table: InputTable) -> list[Case]:
    """The calls of a function or method: the first ones in all shapes, the others as they are; then the first
    with other kinds and shapes of inputs."""
    texts = calls_of(api, table)
    found: list[Case] = []
    for place, text in enumerate(texts):
        in_shapes = _in_shapes(text, api, kind_of_inputs(text, texts[0]))
        kept = in_shapes if place < 2 or table.api(api.name).calls else in_shapes[:1]
        found += [case for case in kept if case.arguments not in {c.arguments for c in found}]
    if texts:
        found += _varied(texts[0], table.api(api.name).also, bool(table.api(api.name).calls))
    return found


def _in_shapes(text: str, api: Api, inputs: str = "float32") -> list[Case]:
    arguments = written(text)
    receiver, rest = (arguments[:1], arguments[1:]) if is_member(api) else ([], arguments)
    result = []
    for call, its_shapes in shapes(rest, api.signatures).items():
        result.append(Case(", ".join([*map(str, receiver), *([call] if call else [])]), its_shapes, inputs))
    return result


def _varied(text: str, also: Sequence[str] | None, is_stated: bool) -> Iterator[Case]:
    """A call with integers, booleans, doubles, special values, and other shapes, where it has random floats.
    Stated calls are varied as the table says."""
    kinds = also if also is not None else (() if is_stated else _KINDS)
    for kind in kinds:
        other = _FLOATS.sub(f"{kind}(", text)
        if other != text:
            yield Case(other, ("positional",), _KINDS.get(kind, "special"))
    for shape, label in _SHAPES.items() if not is_stated else ():
        other = text.replace(_MATRIX, shape)
        if other != text:
            yield Case(other, ("positional",), label)


def makers_of(api: Api, table: InputTable) -> list[str]:
    """Texts of a constructor's arguments: the table's, else made up."""
    stated = list(table.api(api.name).make)
    if not stated:
        for signature in _usable(api, table):
            stated += [", ".join(map(str, made)) for made in _made_up(signature, table)]
    return stated


def constructor_cases(api: Api, table: InputTable) -> list[Case]:
    """The constructor's arguments of a class, in all shapes."""
    stated = makers_of(api, table)
    found: list[Case] = []
    for place, text in enumerate(stated[:_MOST_CASES] if not table.api(api.name).make else stated):
        in_shapes = _in_shapes(text, api)
        kept = in_shapes if place < 2 or table.api(api.name).make else in_shapes[:1]
        found += [case for case in kept if case.arguments not in {c.arguments for c in found}]
    return found
