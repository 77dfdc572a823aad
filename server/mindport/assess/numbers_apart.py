"""Where an index has numbers apart from a list or a Tensor: the axes of the result have another order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal

from mindport.assess.written_copies import is_many
from mindport.infer.values import ExternalInstance

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.assess.code_context import BodyContext
    from mindport.index.block import Block

_AXES: Final = ("slice", "none", "ellipsis")
_BETWEEN: Final = re.compile(
    rb",\s*(?:[\w.+\-]*:[\w.+\-]*|[^,\n\[\]:]* : [^,\n\[\]:]*|\.\.\.)\s*,|\[[^\n(){}]*,\s*None\s*,"
)
"""The form that an axis between two other parts of an index has, and that of no annotation."""
_INTEGER: Final = "builtins.int"

Part = Literal["number", "places", "axis"]


def may_have_numbers_apart(block: Block) -> bool:
    """Whether an index in a block may have an axis between two other parts."""
    return block.has_long_index and _BETWEEN.search(block.text) is not None


def numbers_apart(context: BodyContext) -> Iterator[tuple[Node, Node]]:
    """The indexings, each with its Tensor. PyTorch takes numbers first, so that the axis of the places stays
    where it is; MindSpore counts numbers with the places and puts their axis first, as NumPy does, where an
    axis is between the two."""
    for node in context.nodes("subscript"):
        index, value = node.children_by_field_name("subscript"), node.child_by_field_name("value")
        if len(index) < 3 or value is None or not any(part.type in _AXES for part in index[1:-1]):
            continue
        if context.is_tensor(value) is not None and _moves_axes([_kind(context, part) for part in index]):
            yield node, value


def _kind(context: BodyContext, part: Node) -> Part | None:
    """What a part of an index surely is."""
    if part.type in _AXES:
        return "axis"
    if part.type == "list" or is_many(context, part):
        return "places"
    digits = part.named_children[0] if part.type == "unary_operator" and part.named_children else part
    if digits.type == "integer" or _is_integer(context, part):
        return "number"
    return None


def _is_integer(context: BodyContext, part: Node) -> bool:
    found = context.value(part).alternatives
    return bool(found) and all(isinstance(one, ExternalInstance) and one.of == _INTEGER for one in found)


def _moves_axes(kinds: list[Part | None]) -> bool:
    """Whether the axes of the result have another order."""
    if None in kinds or "number" not in kinds or "places" not in kinds:
        return False
    first, last = kinds.index("places"), len(kinds) - 1 - kinds[::-1].index("places")
    chosen = [number for number, kind in enumerate(kinds) if kind != "axis"]
    return (
        "axis" not in kinds[first:last]
        and "axis" in kinds[:first]
        and chosen[-1] - chosen[0] + 1 > len(chosen)
    )
