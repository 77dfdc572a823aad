"""Going through syntax trees of Python's own parser.

`ast.walk` and `ast.iter_child_nodes` take twice as long: they also give, as nodes of their own, what says
whether names are read or written.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_CONTEXT: Final = "ctx"


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below a node, in the order of its fields, but for whether it is read or written."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if value.__class__ is list:
            found += [one for one in value if isinstance(one, ast.AST)]
        elif isinstance(value, ast.AST) and name != _CONTEXT:
            found.append(value)
    return found


def nodes(tree: ast.AST) -> Sequence[ast.AST]:
    """A node and all below it, in the order of `ast.walk`, but for whether names are read or written."""
    found = [tree]
    for node in found:  # grows meanwhile
        found += children(node)
    return found
