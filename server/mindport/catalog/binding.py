"""Binding of a call's arguments to signatures, as Python binds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from mindport.catalog.api import Parameter, Signature


class AnyArgument(Protocol):
    """What binding needs of an argument."""

    @property
    def keyword(self) -> str | None:
        """The name it is given by, if it is."""
        ...


ArgumentType = TypeVar("ArgumentType", bound=AnyArgument)


@dataclass(frozen=True, slots=True)
class Bound(Generic[ArgumentType]):
    """One argument and the parameter it goes to."""

    argument: ArgumentType
    parameter: Parameter


def bind(arguments: Sequence[ArgumentType], signature: Signature) -> list[Bound[ArgumentType]] | None:
    """Bind `arguments` to `signature`; None where Python would raise TypeError. `*args` and `**kwargs` are
    taken for one value each."""
    positional = [p for p in signature.parameters if p.kind in ("", "positional", "star")]
    by_name = {p.name: p for p in signature.parameters if p.kind in ("", "keyword")}
    catch_all = next((p for p in signature.parameters if p.kind == "double_star"), None)
    bound: list[Bound[ArgumentType]] = []
    taken: set[str] = set()
    index = 0
    for argument in arguments:
        if argument.keyword is not None:
            parameter = by_name.get(argument.keyword, catch_all)
        elif index < len(positional):
            parameter = positional[index]
            index += parameter.kind != "star"
        else:
            parameter = None
        if parameter is None or (parameter.name in taken and parameter.kind in ("", "positional", "keyword")):
            return None
        taken.add(parameter.name)
        bound.append(Bound(argument, parameter))
    required = (
        p for p in signature.parameters if p.default is None and p.kind in ("", "positional", "keyword")
    )
    return bound if all(p.name in taken for p in required) else None


def first_binding(
    arguments: Sequence[ArgumentType], signatures: Sequence[Signature]
) -> tuple[Signature, list[Bound[ArgumentType]]] | None:
    """The first overload that the arguments bind to."""
    for signature in signatures:
        bound = bind(arguments, signature)
        if bound is not None:
            return signature, bound
    return None


def binds_alike(
    bound: Sequence[Bound[ArgumentType]], renamed: dict[str, str], signatures: Sequence[Signature]
) -> bool:
    """Whether the arguments, left as they are written, go to the corresponding parameters of one of
    `signatures`. `renamed` maps names of parameters to those of their counterparts."""
    arguments = [item.argument for item in bound]
    wanted = [renamed.get(item.parameter.name, item.parameter.name) for item in bound]
    for signature in signatures:
        other = bind(arguments, signature)
        if other is not None and _corresponds(other, bound, wanted):
            return True
    return False


def _corresponds(
    other: list[Bound[ArgumentType]], bound: Sequence[Bound[ArgumentType]], wanted: list[str]
) -> bool:
    for there, here, name in zip(other, bound, wanted, strict=True):
        if there.parameter.kind == "double_star" or here.parameter.kind == "double_star":
            return False
        if there.parameter.name != name and not (there.parameter.kind == here.parameter.kind == "star"):
            return False
    return True
