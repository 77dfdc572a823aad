"""What conditions say of names: `isinstance` narrows what a name may be."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from mindport.index.definitions import Narrowed
from mindport.index.scopes import Names
from mindport.lowering.lower import Lowering, named
from mindport.source.syntax import kinds

_CALL: Final = kinds("call")
_BOOLEAN: Final = kinds("boolean_operator")
_PARENTHESES: Final = kinds("parenthesized_expression")


def narrowed_names(self: Lowering, condition: Node | None) -> Names:
    """The names where a condition holds: `isinstance(name, types)`, or several of them joined by `and`."""
    tested = tested_names(self, condition) if condition is not None else None
    return {**self.flow.names, **tested} if tested else self.flow.names


def tested_names(self: Lowering, condition: Node) -> Names:
    """What the names are that a condition tests, where it holds."""
    tested: Names = {}
    for test in _conjuncts(condition):
        if test.kind_id not in _CALL:
            continue
        arguments = named(test.named_children[-1])
        function = test.child_by_field_name("function")
        is_test = function is not None and self.text(function) == "isinstance" and len(arguments) == 2
        if is_test and arguments[0].type == "identifier":
            name = self.text(arguments[0])
            tested[name] = Narrowed(self.flow.read(name), self.lower(arguments[1]))
    return tested


def narrowed_otherwise(self: Lowering, condition: Node | None, start: Names) -> Names:
    """The names where a condition does not hold: of `not isinstance(name, types)`."""
    self.flow.names = start
    if condition is None or condition.type != "not_operator":
        return start
    return narrowed_names(self, named(condition)[0])


def _conjuncts(condition: Node) -> list[Node]:
    """The conditions that must all hold. However many there are: Python has no limit."""
    kind = condition.kind_id
    if kind not in _BOOLEAN and kind not in _PARENTHESES:
        return [condition]
    found: list[Node] = []
    waiting = [condition]
    while waiting:
        node = waiting.pop()
        if node.kind_id in _PARENTHESES or (node.kind_id in _BOOLEAN and _is_and(node)):
            waiting += reversed(named(node))
        else:
            found.append(node)
    return found


def _is_and(node: Node) -> bool:
    operator = node.child_by_field_name("operator")
    return operator is not None and operator.type == "and"
