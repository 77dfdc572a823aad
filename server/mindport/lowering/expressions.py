"""The lowering of each kind of expression, as the syntax tree names them."""

from __future__ import annotations

from sys import intern
from typing import Final

from tree_sitter import Node

from mindport.index import nodes
from mindport.index.definitions import Assigned
from mindport.index.scopes import Names
from mindport.lowering.lower import MAXIMUM_DEPTH, Lowering, handles, named, named_as
from mindport.lowering.narrowing import narrowed_names, tested_names
from mindport.source.syntax import field, kinds, parse

_CONSTANTS: Final = {
    number: kind
    for name, kind in (
        ("integer", "int"),
        ("float", "float"),
        ("true", "bool"),
        ("false", "bool"),
        ("none", "None"),
        ("ellipsis", "Ellipsis"),
    )
    for number in kinds(name)
}
_LONG: Final = 40
"""Texts of this length or more seldom repeat."""


@handles("dotted_name", "member_type")
def _dotted_name(self: Lowering, node: Node) -> nodes.Expression:
    children = named(node)
    if not children:
        return self.parts(node)
    if len(children) > MAXIMUM_DEPTH:
        return self.too_deep(node)
    value = self.lower(children[0])
    for child in children[1:]:
        value = nodes.Attribute(value.start, child.end_byte - self.base, value, self.name(child))
    return value


def start_of(self: Lowering, node: Node, first: nodes.Expression) -> int:
    """Where an expression starts. The parser takes the star of `*x.shape` in a display to belong to `x`:
    it does not belong to the expression."""
    return first.start if self.data[node.start_byte] == _STAR else node.start_byte - self.base


_STAR: Final = ord("*")


@handles("attribute")
def _attribute(self: Lowering, node: Node) -> nodes.Expression:
    children = named_as(node, 2)
    if len(children) != 2:
        return self.parts(node)
    first, last = children
    value = self.lower(first)
    if type(value) is nodes.Starred:
        value = value.value
    name = self.name(last)
    if type(value) is nodes.Name:
        members = self.block.members.get(value.definition)
        if members is None:
            self.block.members[value.definition] = {name}
        else:
            members.add(name)
    elif type(value) is nodes.Attribute and self.is_receiver(value.value):
        assert self.part is not None
        self.part.members.setdefault(value.name, set()).add(name)
    has_space = last.start_byte - first.end_byte > 1
    if has_space and _is_half_typed(self, node, last):
        self.root(value)
        return self.lower(last)
    return nodes.Attribute(start_of(self, node, value), node.end_byte - self.base, value, name)


_BRACKETS: Final = frozenset(
    {"argument_list", "parenthesized_expression", "list", "tuple", "set", "dictionary", "subscript"}
)


def _is_half_typed(self: Lowering, node: Node, name: Node) -> bool:
    """Whether `value.` ends a line and `name` starts the next statement: the parser joins them, Python only
    does so inside brackets."""
    between = self.data[
        name.prev_sibling.end_byte if name.prev_sibling else name.start_byte : name.start_byte
    ]
    if b"\n" not in between or b"\\" in between:
        return False
    around = node.parent
    while around is not None and around.type not in _BRACKETS and around.type != "block":
        around = around.parent
    return around is None or around.type == "block" or around.type == "module"


@handles("subscript", "generic_type")
def _subscript(self: Lowering, node: Node) -> nodes.Expression:
    children = named(node)
    if not children:
        return self.parts(node)
    value = without_star(self.lower(children[0]))
    before = self.in_annotation
    if nodes.last_name(value) in ("Literal", "Annotated"):
        self.in_annotation = False
    indices = []
    for child in children[1:]:
        indices.extend(
            self.lower_all(named(child)) if child.type == "type_parameter" else [self.lower(child)]
        )
    self.in_annotation = before
    if len(indices) > 2:
        self.block.has_long_index = True
    return nodes.Subscript(start_of(self, node, value), node.end_byte - self.base, value, indices)


def without_star(expression: nodes.Expression) -> nodes.Expression:
    """What a call or subscript is of, without the star of the display that it is in (see `start_of`)."""
    return expression.value if isinstance(expression, nodes.Starred) else expression


@handles("parenthesized_expression", "type")
def _wrapped(self: Lowering, node: Node) -> nodes.Expression:
    children = named_as(node, 1)
    return self.lower(children[0]) if len(children) == 1 else self.parts(node)


@handles("tuple", "expression_list", "pattern_list", "list", "set")
def _display(self: Lowering, node: Node) -> nodes.Expression:
    kind = node.type if node.type in ("list", "set") else "tuple"
    items = []
    for child in named(node):
        item = self.lower(child)
        if self.data[child.start_byte] == _STAR and not isinstance(item, nodes.Starred):
            item = nodes.Starred(child.start_byte - self.base, child.end_byte - self.base, item)
        items.append(item)
    return nodes.Display(node.start_byte - self.base, node.end_byte - self.base, kind, items)


@handles("list_splat", "list_splat_pattern", "parenthesized_list_splat", "splat_type")
def _starred(self: Lowering, node: Node) -> nodes.Expression:
    children = named_as(node, 1)
    if len(children) != 1:
        return self.parts(node)
    return nodes.Starred(node.start_byte - self.base, node.end_byte - self.base, self.lower(children[0]))


@handles("dictionary")
def _dictionary(self: Lowering, node: Node) -> nodes.Expression:
    pairs: list[tuple[nodes.Expression | None, nodes.Expression]] = []
    for child in node.named_children:
        parts = named_as(child, 2)
        if child.type == "pair" and len(parts) == 2:
            key = self.lower(parts[0])
            pairs.append((key, self.lower(parts[1])))
        elif child.type == "dictionary_splat" and parts:
            pairs.append((None, self.lower(parts[0])))
        elif child.type != "comment":
            pairs.append((None, self.lower(child)))
    return nodes.Dictionary(node.start_byte - self.base, node.end_byte - self.base, pairs)


@handles("conditional_expression")
def _conditional(self: Lowering, node: Node) -> nodes.Expression:
    children = named_as(node, 3)
    if len(children) != 3:
        return self.parts(node)
    test = self.lower(children[1])
    otherwise = narrowed_names(self, children[1], holds=False)
    body = _lower_with(self, children[0], narrowed_names(self, children[1]))
    start, end = node.start_byte - self.base, node.end_byte - self.base
    return nodes.Conditional(start, end, test, body, _lower_with(self, children[2], otherwise))


_OPERATOR: Final = field("operator")
_BOOLEAN: Final = kinds("boolean_operator")


def _operator(self: Lowering, node: Node) -> str:
    operator = node.child_by_field_id(_OPERATOR)
    return self.text(operator) if operator is not None else ""


@handles("binary_operator", "union_type")
def _two_operands(self: Lowering, node: Node) -> nodes.Expression:
    children = named_as(node, 2)
    if len(children) != 2:
        return self.parts(node)
    written = node.child_by_field_id(_OPERATOR)
    operator = self.text(written) if written is not None else "|"
    left = self.lower(children[0])
    start, end = node.start_byte - self.base, node.end_byte - self.base
    operator_start = written.start_byte - self.base if written is not None else left.end
    return nodes.Binary((start, end), operator, operator_start, left, self.lower(children[1]))


@handles("boolean_operator")
def _boolean(self: Lowering, node: Node) -> nodes.Expression:
    """`a and b and c`: the syntax tree has two operands each time, Python any number at one level."""
    operator = _operator(self, node)
    operands: list[Node] = []  # from right to left
    first = node
    while first.kind_id in _BOOLEAN and (first is node or _operator(self, first) == operator):
        children = named_as(first, 2)
        if len(children) != 2:
            break
        operands.append(children[1])
        first = children[0]
    if not operands:
        return self.parts(node)
    tested: Names = {}
    lowered = [_placed(self, first, self.lower(first))]
    before = first
    for operand in reversed(operands):
        tested = tested_names(self, before, operator == "and", tested)
        logged = len(self.flow.log)
        names = {**self.flow.names, **tested} if tested else self.flow.names
        lowered.append(_placed(self, operand, _lower_with(self, operand, names)))
        for name, _ in self.flow.log[logged:]:
            tested.pop(name, None)  # bound anew with `:=`
        before = operand
    return _joined(operator, lowered)[2]


_MOST_IN_A_ROW: Final = 32
"""Of more operands than this the halves are joined, so that the result is not nested deep."""
_Placed = tuple[int, int, nodes.Expression]
"""Where an operand starts and ends, with its brackets; and the operand."""


def _placed(self: Lowering, node: Node, expression: nodes.Expression) -> _Placed:
    return node.start_byte - self.base, node.end_byte - self.base, expression


def _joined(operator: str, operands: list[_Placed]) -> _Placed:
    """Operands of `and` or `or`, from left to right, as expressions of two operands."""
    if len(operands) > _MOST_IN_A_ROW:
        middle = len(operands) // 2
        operands = [_joined(operator, operands[:middle]), _joined(operator, operands[middle:])]
    start, end, left = operands[0]
    for _, end, right in operands[1:]:
        left = nodes.Boolean(start, end, operator, left, right)
    return start, end, left


def _lower_with(self: Lowering, node: Node, names: Names) -> nodes.Expression:
    """Lower an expression where `names` hold. What it binds with `:=` stays bound."""
    before = self.flow.names
    if names is before:
        return self.lower(node)
    self.flow.names = dict(names)
    logged = len(self.flow.log)
    expression = self.lower(node)
    self.flow.names = before
    self.flow.names.update(self.flow.log[logged:])
    return expression


@handles("unary_operator", "not_operator")
def _one_operand(self: Lowering, node: Node) -> nodes.Expression:
    children = named_as(node, 1)
    if len(children) != 1:
        return self.parts(node)
    operator = "not" if node.type == "not_operator" else _operator(self, node)
    start, end = node.start_byte - self.base, node.end_byte - self.base
    return nodes.Unary(start, end, operator, self.lower(children[0]))


@handles("comparison_operator")
def _comparison(self: Lowering, node: Node) -> nodes.Expression:
    operators = [child.type for child in node.children if not child.is_named]
    operands = self.lower_all(node.named_children)
    return nodes.Comparison(node.start_byte - self.base, node.end_byte - self.base, operators, operands)


@handles("named_expression")
def _walrus(self: Lowering, node: Node) -> nodes.Expression:
    children = named_as(node, 2)
    if len(children) != 2:
        return self.parts(node)
    value = self.lower(children[1])
    self.flow.bind(self.text(children[0]), Assigned(value))
    return nodes.Walrus(node.start_byte - self.base, node.end_byte - self.base, value)


@handles("await")
def _await(self: Lowering, node: Node) -> nodes.Expression:
    children = named_as(node, 1)
    if len(children) != 1:
        return self.parts(node)
    return nodes.Await(node.start_byte - self.base, node.end_byte - self.base, self.lower(children[0]))


@handles("ellipsis")
def _ellipsis(self: Lowering, node: Node) -> nodes.Expression:
    piece = self.fragments.get(node.start_byte)
    return _constant(self, node) if piece is None else self.fragment(node, piece)


@handles("integer", "float", "true", "false", "none")
def _constant(self: Lowering, node: Node) -> nodes.Expression:
    start, end = node.start_byte - self.base, node.end_byte - self.base
    return nodes.Constant(start, end, _CONSTANTS[node.kind_id], self.name(node))


@handles("string")
def _string(self: Lowering, node: Node) -> nodes.Expression:
    children = node.children
    start, end = node.start_byte - self.base, node.end_byte - self.base
    prefix = self.text(children[0]).rstrip("'\"").lower() if children else ""
    parts = [part for child in children if child.type == "interpolation" for part in named(child)]
    if parts:
        return nodes.Parts(start, end, "fstring", self.lower_all(parts))
    plain = len(children) == 3 and children[1].child_count == 0 and "f" not in prefix
    if self.in_annotation and plain and "b" not in prefix:
        return _string_annotation(self, children[1]) or nodes.Constant(start, end, "str", None)
    value = self.text(children[1]) if plain else "" if len(children) == 2 else None
    if value is not None and len(value) < _LONG:
        value = intern(value)  # the same few are written everywhere
    return nodes.Constant(start, end, "bytes" if "b" in prefix else "str", value)


def _string_annotation(self: Lowering, content: Node) -> nodes.Expression | None:
    """The expression inside a string annotation, or None if it is not one on a single line."""
    text = self.data[content.start_byte : content.end_byte]
    if b"\n" in text or b"\r" in text or b"\\" in text:
        return None
    tree = parse(text)
    statements = [child for child in tree.root_node.named_children if child.type != "comment"]
    if tree.root_node.has_error or len(statements) != 1 or statements[0].type != "expression_statement":
        return None
    data, base, ascii_text = self.data, self.base, self.ascii
    self.data, self.base, self.ascii = text, base - content.start_byte, None
    try:
        return self.lower(statements[0].named_children[0])
    finally:
        self.data, self.base, self.ascii = data, base, ascii_text


@handles("yield")
def _yield(self: Lowering, node: Node) -> nodes.Expression:
    expression = self.parts(node)
    if self.function is not None:
        is_delegated = any(child.type == "from" for child in node.children)
        self.function.yields.append(
            nodes.Starred(expression.start, expression.end, expression) if is_delegated else expression
        )
    return expression
