"""Where the value of a part of an expression may be given a name without changing what the code does."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Literal, NamedTuple

from mindport.source.expression_node import expression_node
from mindport.source.lines import goes_on

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.source.document import Document

Obstacle = Literal["class_body", "iterable", "annotation"]
"""Why a value cannot be named: the name would become a member of the class; Python allows no `:=` in what a
comprehension runs over; an annotation may never be evaluated."""

_CONSTANTS = frozenset(
    {
        *("integer", "float", "true", "false", "none", "ellipsis", "identifier", "comment"),
        *("string_start", "string_content", "string_end", "format_specifier", "type_conversion"),
    }
)
_TRANSPARENT = frozenset(
    {
        *("argument_list", "call", "keyword_argument", "attribute", "subscript", "slice", "binary_operator"),
        *("unary_operator", "not_operator", "parenthesized_expression", "tuple", "list", "set", "dictionary"),
        *("pair", "expression_list", "list_splat", "dictionary_splat", "await", "string", "interpolation"),
        *("concatenated_string", "named_expression", "yield"),
    }
)
"""What evaluates all its parts, once, from left to right."""
_FIRST_ONLY: dict[str, str] = {"if_statement": "condition", "for_statement": "right"}
"""Of compound statements, the part that is evaluated once, and before all else."""


class NamePlace(NamedTuple):
    """How a name may be given. `line_start`: an assignment may stand before the line that starts at this
    byte, indented by `indent`; None where it may not. `in_place`: `(name := value)` may stand where the value
    stands. Where neither is possible, `obstacle` says why. `scope` is where the function starts that the name
    would be local to, None if there is none."""

    scope: int | None
    line_start: int | None
    indent: str
    in_place: bool
    obstacle: Obstacle | None


def name_place(document: Document, start: int, end: int, modules: Container[str]) -> NamePlace | None:
    """How what is evaluated within the expression `start`..`end` may be given a name, `modules` being the
    names of modules, whose members stay what they are. None if the text has no such expression."""
    found = expression_node(document, start, end)
    if found is None:
        return None
    node, base = found
    scope, obstacle = _scope(node, base), _obstacle(node)
    if obstacle in ("class_body", "annotation"):
        return NamePlace(scope, None, "", False, obstacle)
    statement = _Order(modules, lambda one: found.text(document, one)).statement_before_which(node)
    if statement is not None:
        lines, offset = document.lines, base + statement.start_byte
        line_start = lines.line_start(lines.line_of(offset))
        indent = document.text(line_start, offset)
        if not indent.strip() and not goes_on(document.data, line_start):
            return NamePlace(scope, line_start, indent, obstacle is None, None)
    return NamePlace(scope, None, "", obstacle is None, obstacle)


def is_asserted(document: Document, start: int, end: int) -> bool:
    """Whether the expression `start`..`end` is within an `assert`, whose parts pytest evaluates one by one:
    names that one of them is given there are not bound in the others."""
    found = expression_node(document, start, end)
    parent = found.node if found is not None else None
    while parent is not None and parent.type not in ("block", "module", "lambda"):
        if parent.type == "assert_statement":
            return True
        parent = parent.parent
    return False


def _scope(node: Node, base: int) -> int | None:
    parent = node.parent
    while parent is not None and parent.type != "function_definition":
        parent = parent.parent
    return base + parent.start_byte if parent is not None else None


def _obstacle(node: Node) -> Obstacle | None:
    """What speaks against names that the expression binds in the scope around it."""
    child, parent = node, node.parent
    while parent is not None:
        if child.type == "type":
            return "annotation"
        if parent.child_by_field_name("body") == child:
            if parent.type == "class_definition":
                return "class_body"
            if parent.type in ("function_definition", "lambda"):
                break
        child, parent = parent, parent.parent
    return "iterable" if _is_in_iterable(node) else None


def _is_in_iterable(node: Node) -> bool:
    """Whether a comprehension runs over the expression or what it is in, be it in a lambda."""
    child, parent = node, node.parent
    while parent is not None and parent.type != "block":
        if parent.type == "for_in_clause" and parent.child_by_field_name("right") == child:
            return True
        child, parent = parent, parent.parent
    return False


class _Order:
    """What is evaluated before what."""

    def __init__(self, modules: Container[str], text: Callable[[Node], bytes]) -> None:
        self.modules = modules
        self.text = text

    def statement_before_which(self, node: Node) -> Node | None:
        """The statement that evaluates an expression once, in any case, and before anything that could have
        an effect on it or see its effects."""
        child, parent = node, node.parent
        while parent is not None:
            if not self.is_evaluated_first(child, parent):
                return None
            if parent.type in ("block", "module"):
                return child
            child, parent = parent, parent.parent
        return None

    def is_evaluated_first(self, child: Node, parent: Node) -> bool:
        """Whether a part of an expression or a statement is evaluated in any case, and nothing but names and
        constants before it."""
        kind = parent.type
        if kind in ("block", "module", "expression_statement", "return_statement", "with_statement"):
            return True
        if kind in _TRANSPARENT:
            return self.are_constant_before(child, parent)
        if kind == "conditional_expression":
            return parent.named_children[1] == child
        if kind == "boolean_operator":
            return parent.child_by_field_name("left") == child
        if kind == "comparison_operator":  # the third operand depends on the first two
            return child in parent.named_children[:2] and self.are_constant_before(child, parent)
        if kind in ("assert_statement", "raise_statement", "with_clause", "with_item", "as_pattern"):
            return parent.named_children[0] == child
        if kind == "assignment":
            return parent.child_by_field_name("right") == child
        if kind == "augmented_assignment":
            left = parent.child_by_field_name("left")
            return left is not None and left.type == "identifier" and left != child
        field = _FIRST_ONLY.get(kind)
        return field is not None and parent.child_by_field_name(field) == child

    def are_constant_before(self, child: Node, parent: Node) -> bool:
        """Whether the parts before one of several parts are names and constants."""
        return all(
            self.is_constant(other) for other in parent.named_children if other.end_byte <= child.start_byte
        )

    def is_constant(self, node: Node) -> bool:
        """Whether evaluating an expression has no effect, and no effect can change its value."""
        if node.type == "attribute":
            value = node.child_by_field_name("object")
            return value is not None and self.is_module(value)
        if node.type == "string":
            return not any(part.type == "interpolation" for part in node.named_children)
        if node.type in ("tuple", "list", "keyword_argument", "unary_operator", "parenthesized_expression"):
            return all(self.is_constant(part) for part in node.named_children)
        return node.type in _CONSTANTS

    def is_module(self, node: Node) -> bool:
        """Whether an expression is a module, or a member of one."""
        if node.type == "attribute":
            value = node.child_by_field_name("object")
            return value is not None and self.is_module(value)
        return node.type == "identifier" and self.text(node).decode() in self.modules
