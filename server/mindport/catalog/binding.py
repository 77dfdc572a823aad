"""Binding of a call's arguments to signatures, as Python binds them."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Generic, Protocol, TypeVar

from mindport.catalog.api import Parameter, Signature
from mindport.catalog.argument_form import CONSTANTS, is_dotted_name, plain_form


class AnyArgument(Protocol):
    """What binding needs of an argument."""

    @property
    def keyword(self) -> str | None:
        """The name it is given by, if it is."""
        ...


class WrittenArgument(AnyArgument, Protocol):
    """What the choice of an overload needs besides."""

    @property
    def source(self) -> str:
        """The text of the value as written."""
        ...

    @property
    def type(self) -> str | None:
        """What the value is, as far as it is known: see `mindport.uses.use.Argument`."""
        ...


class TypedArgument(WrittenArgument, Protocol):
    """What the shape of a call needs besides."""

    @property
    def unpack(self) -> str:
        """The stars before the value."""
        ...


ArgumentType = TypeVar("ArgumentType", bound=AnyArgument)
WrittenType = TypeVar("WrittenType", bound=WrittenArgument)


class BoundCall(Generic[ArgumentType]):
    """One argument and the parameter it goes to."""

    __slots__ = ("argument", "parameter")

    def __init__(self, argument: ArgumentType, parameter: Parameter) -> None:
        self.argument = argument
        self.parameter = parameter


NUMPY_NAMES: Final = {
    "axis": "dim",
    "keepdims": "keepdim",
    "x": "input",
    "a": "input",
    "x1": "input",
    "x2": "other",
}
"""PyTorch's names of parameters by NumPy's, which its own functions take as well (torch 2.13 was run)."""


def bind(arguments: Sequence[ArgumentType], signature: Signature) -> list[BoundCall[ArgumentType]] | None:
    """Bind `arguments` to `signature`; None where Python would raise TypeError. `*args` and `**kwargs` are
    taken for one value each."""
    positional = [p for p in signature.parameters if p.kind in ("", "positional", "star")]
    by_name = {p.name: p for p in signature.parameters if p.kind in ("", "keyword")}
    catch_all = next((p for p in signature.parameters if p.kind == "double_star"), None)
    bound: list[BoundCall[ArgumentType]] = []
    taken: set[str] = set()
    index = 0
    for argument in arguments:
        if argument.keyword is not None:
            parameter = by_name.get(argument.keyword) or catch_all
            parameter = parameter or by_name.get(NUMPY_NAMES.get(argument.keyword, ""))
        elif index < len(positional):
            parameter = positional[index]
            index += parameter.kind != "star"
        else:
            parameter = None
        if parameter is None or (parameter.name in taken and parameter.kind in ("", "positional", "keyword")):
            return None
        taken.add(parameter.name)
        bound.append(BoundCall(argument, parameter))
    required = (
        p for p in signature.parameters if p.default is None and p.kind in ("", "positional", "keyword")
    )
    return bound if all(p.name in taken for p in required) else None


def first_binding(
    arguments: Sequence[WrittenType], signatures: Sequence[Signature]
) -> tuple[Signature, list[BoundCall[WrittenType]]] | None:
    """The overload that the arguments bind to and whose types they are of, as far as these are known. Of
    several, the one whose parameters have the names that the arguments are spelled with (`device`,
    `self.dtype`), else the first. If there is none such, the first that they bind to."""
    fitting, binding = _bindings(arguments, signatures)
    if len(fitting) > 1:
        return max(fitting, key=lambda one: _namesakes(one[1]))
    return next(iter(fitting or binding), None)


def is_ambiguous(arguments: Sequence[WrittenType], signatures: Sequence[Signature]) -> bool:
    """Whether, for all that is known, an argument may go to parameters of different names."""
    fitting, _ = _bindings(arguments, signatures)
    most = max((_namesakes(one[1]) for one in fitting), default=0)
    fitting = [one for one in fitting if _namesakes(one[1]) == most]
    return len({tuple([item.parameter.name for item in bound]) for _, bound in fitting}) > 1


_Binding = tuple["Signature", list[BoundCall[WrittenType]]]


def _bindings(
    arguments: Sequence[WrittenType], signatures: Sequence[Signature]
) -> tuple[list[_Binding[WrittenType]], list[_Binding[WrittenType]]]:
    """The overloads that the arguments fit, and all that they bind to."""
    every = [
        (signature, bound) for signature in signatures if (bound := bind(arguments, signature)) is not None
    ]
    if len(signatures) == 1:
        return every, every
    return [one for one in every if all(_fits(item) for item in one[1])], every


def _namesakes(bound: Sequence[BoundCall[WrittenType]]) -> int:
    """How many arguments are spelled with the names of their parameters (`device`, `self.dtype`)."""
    return sum(
        item.argument.source.rpartition(".")[2] == item.parameter.name and item.argument.type != ALIAS
        for item in bound
    )


def _fits(bound: BoundCall[WrittenType]) -> bool:
    return _may_be(bound.argument.source, bound.argument.type, bound.parameter.type)


ALIAS = "alias"
"""Known of an argument is only that it is a name for what is called otherwise: its own says nothing."""
_WORD = re.compile(r"\w+")
_OF_NUMBERS = frozenset(
    {"_int", "SymInt", "_float", "Number", "_complex", "DeviceLikeType", "int", "float", "complex"}
)
_OF_SEQUENCES = frozenset({"_size", "Sequence", "tuple", "list"})
_TYPES_OF_LITERALS = {
    "bool": frozenset({"_bool", "_float", "Number", "bool", "int", "float"}),
    "int": _OF_NUMBERS,
    "float": frozenset({"_float", "Number", "_complex", "float", "complex"}),
    "str": frozenset({"str", "DeviceLikeType"}),
    "None": frozenset({"None"}),
    "sequence": _OF_SEQUENCES,
    "Size": _OF_SEQUENCES,
    "Tensor": frozenset({"Tensor", "Number", "_float"}),
    "dtype": frozenset({"_dtype", "dtype"}),
    "device": frozenset({"DeviceLikeType", "_device", "device"}),
}
"""The names in a type that a kind of literal goes with. torch 2.13 was run for these: it takes `True` for a
`float`, but for no `int`, and no `1` for a `bool`."""
_KNOWN_TYPES = (
    *_OF_NUMBERS,
    *_OF_SEQUENCES,
    *("Tensor", "_dtype", "dtype", "_device", "device", "_bool", "bool", "str", "None"),
    "torch",  # of `torch.device`
)


_KINDS_OF_FORMS = {
    "int": "int",
    "-int": "int",
    "float": "float",
    "True": "bool",
    "False": "bool",
    "None": "None",
    "(": "sequence",
    "[": "sequence",
    "'": "str",
    '"': "str",
}
"""The kinds of literals, by their form or what that begins with."""


@lru_cache(maxsize=4096)
def _may_be(source: str, known: str | None, type_text: str | None) -> bool:
    """Whether a value may be of a type: known only of literals and of what is `known` of the value, and of
    types all of whose names are known."""
    kind = _literal_kind(source) or known
    if kind is None or kind == ALIAS or type_text is None:
        return True
    names = set(_WORD.findall(type_text))
    return not names.issubset(_KNOWN_TYPES) or not names.isdisjoint(_TYPES_OF_LITERALS[kind])


def _literal_kind(source: str) -> str | None:
    """The kind of a literal, a key of `_TYPES_OF_LITERALS`; None for anything else."""
    source = source.strip()
    if is_dotted_name(source) and source not in CONSTANTS:  # most arguments; parsing takes longer
        return None
    plain = plain_form(source)
    if plain is not None:
        return _KINDS_OF_FORMS.get(plain.form) or _KINDS_OF_FORMS.get(plain.form[:1])
    try:
        node = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # of what is nested deep
        return None
    if isinstance(node, (ast.Tuple, ast.List)):
        return "sequence"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    kind = type(node.value).__name__.replace("NoneType", "None") if isinstance(node, ast.Constant) else None
    return kind if kind in _TYPES_OF_LITERALS else None
