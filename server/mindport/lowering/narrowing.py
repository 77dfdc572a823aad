"""What conditions say of names: `isinstance` and such tests narrow what a name may be, where they hold and
where they fail."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from mindport.index.definitions import Narrowed
from mindport.index.scopes import Names
from mindport.lowering.lower import Lowering, named
from mindport.source.syntax import kinds

_CALL: Final = kinds("call")
_BOOLEAN: Final = kinds("boolean_operator")
_NOT: Final = kinds("not_operator")
_PARENTHESES: Final = kinds("parenthesized_expression")
_ISINSTANCE: Final = "isinstance"
_PREDICATE: Final = "is_tensor"
"""How a function is called of which its value has to tell whether it tests the type of its argument."""


def narrowed_names(self: Lowering, condition: Node | None, holds: bool = True) -> Names:
    """The names where a condition holds, or where it fails: `isinstance(name, types)`,
    `torch.is_tensor(name)`, `not` one of these, or several of them joined by `and` or `or`."""
    tested = tested_names(self, condition, holds) if condition is not None else None
    return {**self.flow.names, **tested} if tested else self.flow.names


def tested_names(self: Lowering, condition: Node, holds: bool = True, known: Names | None = None) -> Names:
    """What the names are that a condition tests, where it holds, or where it fails; `known` are those of
    which earlier tests have told more than the flow says."""
    tested: Names = dict(known or {})
    for test, is_true in _tests(condition, holds):
        if test.kind_id in _BOOLEAN:
            tested.update(_by_any_of(self, test, is_true, tested))
            continue
        function = test.child_by_field_name("function")
        if function is None:
            continue
        arguments = named(test.named_children[-1])
        called = self.text(function)
        is_instance_test = called == _ISINSTANCE and len(arguments) == 2
        is_predicate = len(arguments) == 1 and called.rpartition(".")[2] == _PREDICATE
        if (is_instance_test or is_predicate) and arguments[0].type == "identifier":
            name = self.text(arguments[0])
            before = tested.get(name) or self.flow.read(name)
            types = self.lower(arguments[1]) if is_instance_test else None
            tested[name] = Narrowed(before, types, is_true, None if types else self.lower(function))
    return tested


_MOST_OPERANDS: Final = 8
"""Where one of more tests than this holds, nothing is told."""


def _by_any_of(self: Lowering, node: Node, holds: bool, known: Names) -> Names:
    """What the names are that each operand of `or` tests, where one of them holds, or each of `and`, where
    one of them fails. What the operands join in turn tells nothing."""
    operator = node.child_by_field_name("operator")
    operands: list[Node] = []
    first = node
    while first.kind_id in _BOOLEAN and len(operands) < _MOST_OPERANDS:
        written = first.child_by_field_name("operator")
        children = named(first)
        if written is None or operator is None or written.type != operator.type or len(children) != 2:
            return {}
        operands.append(children[1])
        first = children[0]
    found: list[Names] = []
    for operand in [first, *reversed(operands)]:
        if any(test.kind_id in _BOOLEAN for test, _ in _tests(operand, holds)):
            return {}
        found.append(
            {
                name: one
                for name, one in tested_names(self, operand, holds, known).items()
                if one is not known.get(name)
            }
        )
        if not found[-1]:
            return {}
    return {
        name: Narrowed(
            known.get(name) or self.flow.read(name),
            None,
            holds,
            None,
            tuple([names[name] for names in found]),
        )
        for name in found[0]
        if all(name in names for names in found)
    }


def _tests(condition: Node, holds: bool) -> list[tuple[Node, bool]]:
    """The calls that must all hold, or fail, where a condition holds, or fails, and the operations of which
    one operand must. However many there are: Python has no limit."""
    kind = condition.kind_id
    if kind in _CALL:
        return [(condition, holds)]
    if kind not in _BOOLEAN and kind not in _PARENTHESES and kind not in _NOT:
        return []
    found: list[tuple[Node, bool]] = []
    waiting = [(condition, holds)]
    while waiting:
        node, is_true = waiting.pop()
        kind = node.kind_id
        if kind in _CALL:
            found.append((node, is_true))
        elif kind in _NOT:
            waiting += [(child, not is_true) for child in named(node)]
        elif kind in _PARENTHESES or (kind in _BOOLEAN and _joins(node, is_true)):
            waiting += [(child, is_true) for child in reversed(named(node))]
        elif kind in _BOOLEAN:
            found.append((node, is_true))
    return found


def _joins(node: Node, holds: bool) -> bool:
    """Whether all operands hold where the whole holds, or all fail where it fails."""
    operator = node.child_by_field_name("operator")
    return operator is not None and operator.type == ("and" if holds else "or")
