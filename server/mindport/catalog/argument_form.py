"""The form of an argument: what its text tells of its value, so that calls can be compared by their shape.

A form is a text: `None`, `True`, `False`, `int`, `-int`, `float`, `complex`, a string as it is written,
`Tensor`, `dtype`, `device`, sequences of these in their brackets (`(int, -int)`), `[Tensor...]` for any
number of Tensors, `*int|-int` for values given one by one to a parameter that takes any number of them, `?`
where nothing is known, `any` for a recorded value that stands for whatever is given, `neutral` for what has
no influence.
Uses the standard library only: the build of the index reads it.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

CONSTANTS = frozenset({"True", "False", "None"})
_KEYWORDS = frozenset(keyword.kwlist) - CONSTANTS
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def is_dotted_name(source: str) -> bool:
    """Whether an expression of Python is a name, or attributes of a name; also True, False and None."""
    return _DOTTED.fullmatch(source) is not None and source not in _KEYWORDS


UNKNOWN: Final = "?"
ANY: Final = "any"
TENSOR: Final = "Tensor"
NEUTRAL: Final = "neutral"
"""Whatever has nothing to do with the result, such as a device."""
_OF_TYPES: Final = {
    "Tensor": TENSOR,
    "dtype": "dtype",
    "device": "device",
    "None": "None",
    "int": "int?",
    "float": "float",
    "bool": "bool?",
    "str": "str?",
    "sequence": "sequence?",
    "Size": "sequence?",
}
"""What is known of a value that is no literal (see `mindport.uses.use.Argument`), as a form."""
_MAY_BE: Final = {
    "int?": frozenset({"int", "-int"}),
    "bool?": frozenset({"True", "False"}),
}
_DTYPE: Final = re.compile(
    r"torch\.(b?float\d*|double|half|u?int\d*|long|short|bool|complex\d*|cfloat|cdouble|chalf|q?u?int\d+)$"
)
_RECORDED: Final = re.compile(r"\b(Tensor|any|neutral|int|float|complex|dtype)\b(?!')")
"""What only forms have, and no literal but a string."""
_OPERATION: Final = re.compile(
    r"""(?!float\b)[^\W\d]\w*\b(?!['"])[^,#'"(\[]*[(\[]|(?!(?:torch|True|False|None)\b)[^\W\d]\w*\b[^,#'"(\[]*\Z"""
)
"""What begins with a name and is no literal: a call, an item, a comparison."""
_NUMBER: Final = re.compile(
    r"(-?)(?:0|[1-9][0-9]*|([0-9]+\.[0-9]*|[0-9]+(?:\.[0-9]*)?[eE][-+]?[0-9]+))", re.ASCII
)
_STRING: Final = re.compile(r"""'[^'\\\n\r\0]*'|"[^"\\\n\r\0]*\"""")
_FLAT: Final = re.compile(r"""\([^][(){}'"#*:=]+\)|\[[^][(){}'"#*:=]+\]""")
"""A sequence without anything in brackets in it."""
_FLOATS: Final = {"float('inf')": "inf", "float('-inf')": "-inf", "float('nan')": "nan"}


class ArgumentForm(NamedTuple):
    """The form of an argument, and the value of a literal as `repr` writes it (empty for all else)."""

    form: str
    literal: str = ""

    @property
    def text(self) -> str:
        """As evidence has it: the literal, else the form."""
        return self.literal or self.form

    @classmethod
    def of_text(cls, text: str) -> ArgumentForm:
        """From the text of evidence."""
        if text[:1] == "*" or _RECORDED.search(text):
            return cls(text)
        found = form_of(text)
        return cls(ANY) if found.form == UNKNOWN else found


@lru_cache(maxsize=8192)
def form_of(source: str, known: str | None = None) -> ArgumentForm:
    """The form of an argument from its text, and from what is known of its type where it is no literal."""
    source = source.strip()
    if is_dotted_name(source) and source not in CONSTANTS:  # most arguments; parsing takes longer
        if _DTYPE.match(source):
            return ArgumentForm("dtype", source)
        return ArgumentForm(_OF_TYPES.get(known or "", UNKNOWN))
    found = plain_form(source)
    if found is None:
        node = _parsed(source)
        found = _form(node) if node is not None else ArgumentForm(UNKNOWN)
    if found.form == UNKNOWN and known is not None:
        return ArgumentForm(_OF_TYPES.get(known, UNKNOWN))
    return found


def plain_form(source: str) -> ArgumentForm | None:
    """The form of an argument as most are written, without parsing it, which takes twenty times as long; None
    where it has to be parsed."""
    if _OPERATION.match(source):
        return ArgumentForm(UNKNOWN)
    found = _plain_item(source)
    if found is not None or not _FLAT.fullmatch(source):
        return found
    texts = [text.strip() for text in source[1:-1].split(",")]
    if source[0] == "(" and len(texts) == 1:
        return None  # a value in brackets
    if not texts[-1]:
        texts.pop()
    items = []
    for text in texts:
        item = _plain_item(text)
        if item is None:
            return None
        items.append(item)
    return _sequence(source[0], items)


def _plain_item(source: str) -> ArgumentForm | None:
    """The form of a name, a number or a string; None for all else."""
    if is_dotted_name(source):
        if source in CONSTANTS:
            return ArgumentForm(source, source)
        return ArgumentForm("dtype", source) if _DTYPE.match(source) else ArgumentForm(UNKNOWN)
    number = _NUMBER.fullmatch(source)
    if number is not None:
        sign, broken = number.groups()
        if broken is None:
            return ArgumentForm(f"{sign}int", source)
        return ArgumentForm("float", f"{sign}{float(broken)!r}")
    if _STRING.fullmatch(source):
        return _constant(source[1:-1])
    return None


def _parsed(source: str) -> ast.expr | None:
    try:
        return ast.parse(f"({source}\n)", mode="eval").body  # in brackets: lines may break in it
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _form(node: ast.expr) -> ArgumentForm:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _form(node.operand)
        if inner.form not in ("int", "float") or not inner.literal:
            return ArgumentForm(UNKNOWN)
        form = (
            "-int" if inner.form == "int" else "float"
        )  # dimensions count from the end where they are negative
        return ArgumentForm(form, f"-{inner.literal}")
    if isinstance(node, ast.Constant):
        return _constant(node.value)
    if isinstance(node, (ast.Tuple, ast.List)):
        return _sequence("(" if isinstance(node, ast.Tuple) else "[", [_form(item) for item in node.elts])
    if isinstance(node, ast.Call):
        literal = _FLOATS.get(ast.unparse(node), "")
        if literal:
            return ArgumentForm("float", literal)
    if isinstance(node, ast.Attribute) and _DTYPE.match(text := ast.unparse(node)):
        return ArgumentForm("dtype", text)
    return ArgumentForm(UNKNOWN)


def _constant(value: object) -> ArgumentForm:
    if value is ...:  # what verification writes for an input that it makes
        return ArgumentForm(TENSOR)
    if value is None or isinstance(value, bool):
        return ArgumentForm(repr(value), repr(value))
    if isinstance(value, str):
        return ArgumentForm(repr(value), repr(value))
    if isinstance(value, (int, float, complex)):
        return ArgumentForm(type(value).__name__, repr(value))
    return ArgumentForm(UNKNOWN)


def _sequence(opening: str, items: Sequence[ArgumentForm]) -> ArgumentForm:
    closing = ")" if opening == "(" else "]"
    literal = ""
    if all(item.literal for item in items):
        last = "," if len(items) == 1 and opening == "(" else ""
        literal = f"{opening}{', '.join(item.literal for item in items)}{last}{closing}"
    return ArgumentForm(f"{opening}{', '.join(item.form for item in items)}{closing}", literal)


@lru_cache(maxsize=16384)
def may_be(form: str, recorded: str) -> bool:
    """Whether a value of one form may be of the form `recorded`. An empty list counts only where it is
    written."""
    if recorded == "[]":
        return form == recorded
    if recorded == ANY or form in (UNKNOWN, recorded):
        return True
    if form in _MAY_BE:
        return recorded in _MAY_BE[form]
    if form[:1] == "*" or recorded[:1] == "*":
        return _may_be_starred(form, recorded)
    if form == "str?":
        return recorded[:1] in ("'", '"')
    if form == "sequence?":
        return recorded[:1] in ("(", "[")
    if form[:1] not in ("(", "[") or form[:1] != recorded[:1]:
        return False
    items, others = _items(form), _items(recorded)
    if others == [f"{TENSOR}..."]:
        return all(item in (TENSOR, UNKNOWN) for item in items)
    return len(items) == len(others) and all(map(may_be, items, others))


def _may_be_starred(form: str, recorded: str) -> bool:
    """Whether values given one by one may be of the forms that were tried together."""
    if form[:1] != recorded[:1]:
        return form == "*" + UNKNOWN  # one value, which may be a sequence
    tried = recorded[1:].split("|")
    return all(any(may_be(one, each) for each in tried) for one in form[1:].split("|"))


def _items(form: str) -> list[str]:
    """The forms of the items of a sequence."""
    items, depth, start = [], 0, 1
    for position, character in enumerate(form):
        depth += (character in "([") - (character in ")]")
        if (character == "," and depth == 1) or position == len(form) - 1:
            items.append(form[start:position].strip())
            start = position + 1
    return [item for item in items if item]
