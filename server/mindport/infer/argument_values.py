"""What the arguments of a call are, whoever takes them."""

from __future__ import annotations

from collections.abc import Iterator
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


def given_arguments(context: Context, arguments: list[CallArgument]) -> Iterator[GivenArgument]:
    """What a call gives, one after the other; what cannot be told of `*` and `**` is left out."""
    position = 0
    is_open = False
    for argument in arguments:
        if is_open and argument.keyword is None and argument.unpack != "**":
            continue  # nobody knows where it stands
        value = context.value(argument.value)
        if argument.unpack == "**":
            yield from _keyword_arguments(value)
            continue
        if argument.keyword is not None:
            yield GivenArgument(-1, argument.keyword, value)
        elif not argument.unpack:
            yield GivenArgument(position, None, value)
            position += 1
        elif len(value.alternatives) == 1 and isinstance(value.alternatives[0], FixedTuple):
            for item in value.alternatives[0].items:
                yield GivenArgument(position, None, item)
                position += 1
        else:
            yield GivenArgument(position, None, element(context, value), is_rest=True)
            is_open = True


def _keyword_arguments(value: AbstractValue) -> Iterator[GivenArgument]:
    """What `**value` gives, as far as its keys are known."""
    for one in value.alternatives:
        if isinstance(one, KeyedDictionary):
            yield from [GivenArgument(-1, key, item) for key, item in one.items]
