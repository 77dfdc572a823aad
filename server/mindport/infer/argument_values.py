"""What the arguments of a call are, whoever takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mindport.infer.containers import element
from mindport.infer.values import AbstractValue, FixedTuple, KeyedDictionary

if TYPE_CHECKING:
    from mindport.index.nodes import CallArgument
    from mindport.infer.context import Context


class GivenArgument(NamedTuple):
    """What a call gives: at a position, as a keyword, or as any of the positional ones from there on."""

    position: int
    keyword: str | None
    value: AbstractValue
    is_rest: bool = False


def given_arguments(context: Context, arguments: list[CallArgument]) -> list[GivenArgument]:
    """What a call gives, one after the other; what cannot be told of `*` and `**` is left out."""
    given: list[GivenArgument] = []
    position = 0
    is_open = False
    for argument in arguments:
        if is_open and argument.keyword is None and argument.unpack != "**":
            continue  # nobody knows where it stands
        value = context.value(argument.value)
        if argument.unpack == "**":
            given += _keyword_arguments(value)
        elif argument.keyword is not None:
            given.append(GivenArgument(-1, argument.keyword, value))
        elif not argument.unpack:
            given.append(GivenArgument(position, None, value))
            position += 1
        elif len(value.alternatives) == 1 and isinstance(value.alternatives[0], FixedTuple):
            for item in value.alternatives[0].items:
                given.append(GivenArgument(position, None, item))
                position += 1
        else:
            given.append(GivenArgument(position, None, element(context, value), is_rest=True))
            is_open = True
    return given


def _keyword_arguments(value: AbstractValue) -> list[GivenArgument]:
    """What `**value` gives, as far as its keys are known."""
    return [
        GivenArgument(-1, key, item)
        for one in value.alternatives
        if isinstance(one, KeyedDictionary)
        for key, item in one.items
    ]
