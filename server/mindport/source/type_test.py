"""Whether an expression stands for a type that values are tested for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.source.expression_node import expression_node

if TYPE_CHECKING:
    from mindport.source.document import Document

_TESTS = frozenset({b"isinstance", b"issubclass"})
_GROUPS = frozenset({"tuple", "parenthesized_expression", "binary_operator"})
"""`(A, B)`, `A | B`"""


def is_tested_for(document: Document, start: int, end: int) -> bool:
    """Whether the expression `start`..`end` is the type, or one of the types, of an `isinstance` or
    `issubclass`."""
    found = expression_node(document, start, end)
    node = found.node if found is not None else None
    while node is not None and node.parent is not None and node.parent.type in _GROUPS:
        node = node.parent
    arguments = node.parent if node is not None else None
    if arguments is None or arguments.type != "argument_list" or arguments.parent is None:
        return False
    function = arguments.parent.child_by_field_name("function")
    given = [child for child in arguments.named_children if child.type != "comment"]
    is_test = found is not None and function is not None and found.text(document, function) in _TESTS
    return is_test and len(given) == 2 and given[1] == node
