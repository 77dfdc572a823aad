"""Where the parts of a call or an attribute stand in the text, brackets and comments considered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.source.expression_node import expression_node, start_of_expression, without_star
from mindport.source.syntax import EXTRAS

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.source.document import Document

_ATOMS = frozenset(
    {
        *("identifier", "attribute", "call", "subscript", "string", "list", "tuple", "dictionary", "set"),
        *("true", "false", "none", "parenthesized_expression", "list_comprehension"),
        *("dictionary_comprehension", "set_comprehension", "generator_expression", "ellipsis"),
    }
)
_TYPES = frozenset({"type", "subscript", "generic_type"})
_LOOSE = frozenset({"named_expression", "yield"})
_OPEN_PARENTS = frozenset(
    {
        *("argument_list", "keyword_argument", "expression_statement", "return_statement", "list", "tuple"),
        *("set", "parenthesized_expression", "pair", "expression_list", "default_parameter"),
        *("typed_default_parameter", "block", "module", "if_statement", "elif_clause", "while_statement"),
    }
)
"""Around these, any expression may stand as it is."""
_BRACKETS = frozenset(
    {
        *("argument_list", "list", "tuple", "set", "dictionary", "parenthesized_expression", "subscript"),
        *("list_comprehension", "dictionary_comprehension", "set_comprehension", "generator_expression"),
        *("parameters", "interpolation"),
    }
)


class Span(NamedTuple):
    """A piece of text, in bytes. `is_atom`: it may stand next to an operator or before a dot as it is;
    `is_loose`: not even as an argument."""

    start: int
    end: int
    is_atom: bool = True
    is_loose: bool = False


class ArgumentSpan(NamedTuple):
    """An argument of a call: the whole, its keyword (None if it has none) and its value."""

    start: int
    end: int
    keyword: Span | None
    value: Span


class AskedMember(NamedTuple):
    """What a text asks a module for: the whole call, the name of its function, and the text."""

    call: Span
    function: Span
    name: str


class _Asking(NamedTuple):
    """A call, what it calls, and its second argument."""

    call: Node
    function: Node
    name: Node


_EQUALITIES: Final = ("is", "is not", "==", "!=")
_PLAIN_TEXT: Final = re.compile(rb"""['"]([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)['"]""")
_PASSED_THROUGH: Final = ("conditional_expression", "parenthesized_expression", "boolean_operator")
_ASKS_FOR_TYPES: Final = re.compile(rb"(?:^|\.)(?:isinstance|issubclass|cast|register\w*|TypeVar|NewType)$")
"""Functions that want a class itself."""


_ANY_PART: Final = r"\w*"
"""What matches a part of a name that is only known when the program runs."""
_FILLED_IN: Final = re.compile(r"\{[^{}]*\}|%[sd]")


def _form_of_text(node: Node) -> str:
    """A regular expression for what an expression that gives a text may give."""
    if node.type == "string":
        parts = node.named_children
        return "".join(_ANY_PART if one.type == "interpolation" else _written(one) for one in parts)
    if node.type in ("concatenated_string", "parenthesized_expression"):
        return "".join(_form_of_text(part) for part in node.named_children)
    if node.type == "binary_operator":
        left, operator, right = node.children[0], node.children[1], node.children[-1]
        if operator.type == "+":
            return _form_of_text(left) + _form_of_text(right)
        return _filled_in(left) if operator.type == "%" else _ANY_PART
    if node.type == "call":
        function = node.child_by_field_name("function")
        name = function.child_by_field_name("attribute") if function is not None else None
        if function is not None and name is not None and name.text == b"format":
            return _filled_in(function.children[0])
    return _ANY_PART


def _written(part: Node) -> str:
    """What is written of a text, to be matched as it is."""
    return re.escape((part.text or b"").decode()) if part.type == "string_content" else ""


def _filled_in(node: Node) -> str:
    """The form of a text with places that are filled in."""
    if node.type != "string":
        return _ANY_PART
    written = [part.text or b"" for part in node.named_children if part.type == "string_content"]
    pieces = _FILLED_IN.split(b"".join(written).decode())
    return _ANY_PART.join(re.escape(piece) for piece in pieces)


class SyntaxPlace:
    """An expression in a document: a call, or what is not called."""

    def __init__(self, node: Node, base: int) -> None:
        self._node = node
        self._base = base

    @classmethod
    def find(cls, document: Document, start: int, end: int) -> SyntaxPlace | None:
        """The expression that is exactly the bytes `start`..`end`; None if the text has none there."""
        found = expression_node(document, start, end)
        return cls(found.node, found.base) if found is not None else None

    @property
    def span(self) -> Span:
        """The whole."""
        return self._span(self._node)

    @property
    def receiver(self) -> Span | None:
        """Of `receiver.name` or `receiver.name(...)`, the receiver with its brackets, and with the comments
        before the dot, where lines may break."""
        value, dot = self._before_member()
        if value is None:
            return None
        span = self._span(without_star(value))
        is_commented = value.next_sibling is not None and value.next_sibling.type == "comment"
        return span._replace(end=self._base + dot.start_byte) if dot is not None and is_commented else span

    @property
    def dot(self) -> Span | None:
        """Of `receiver.name` or `receiver.name(...)`, the dot."""
        _, dot = self._before_member()
        return self._span(dot) if dot is not None else None

    def _before_member(self) -> tuple[Node | None, Node | None]:
        """Of `receiver.name` or `receiver.name(...)`, the receiver and the dot."""
        node = self._node
        if node.type == "call":
            node = node.child_by_field_name("function") or node
        if node.type != "attribute":
            return None, None
        dot = next((child for child in node.children if child.type == "."), None)
        return node.child_by_field_name("object"), dot

    @property
    def arguments(self) -> list[ArgumentSpan] | None:
        """The arguments of a call; None where they are but a generator."""
        node = self._node.child_by_field_name("arguments")
        if node is None or node.type != "argument_list":
            return None
        return [self._argument(child) for child in node.named_children if child.type not in EXTRAS]

    def _argument(self, node: Node) -> ArgumentSpan:
        whole = self._span(node)
        if node.type != "keyword_argument":
            return ArgumentSpan(whole.start, whole.end, None, whole)
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        assert name is not None
        assert value is not None
        return ArgumentSpan(whole.start, whole.end, self._span(name), self._span(value))

    def _span(self, node: Node) -> Span:
        return Span(
            self._base + start_of_expression(node),
            self._base + node.end_byte,
            node.type in _ATOMS,
            node.type in _LOOSE,
        )

    @property
    def with_parameters(self) -> Span:
        """Of a type that is given parameters (`Final` in `Final[int]`), the type with them."""
        node = self._node
        while (
            node.parent is not None
            and node.parent.type in _TYPES
            and node.parent.start_byte == node.start_byte
        ):
            node = node.parent
        return self._span(node)

    def changed_part(self, of_receiver: bool) -> Span | None:
        """Of a statement that is a call which changes a part of something (`x[0].fill_(1)`, `zeros_(x[:2])`),
        that part, which is the receiver, or else the first argument; None if it is no such statement, or if
        values are set behind the gradients (`x[0].data.fill_(1)`): what is assigned would have none."""
        parent = self._node.parent
        if parent is None or parent.type != "expression_statement":
            return None
        callee, arguments = (self._node.child_by_field_name(name) for name in ("function", "arguments"))
        operand = callee.child_by_field_name("object") if callee is not None and of_receiver else None
        if not of_receiver and arguments is not None and arguments.named_children:
            operand = arguments.named_children[0]
        while operand is not None and operand.type == "call":
            operand = _changed_by(operand)
        return self._span(operand) if operand is not None and operand.type == "subscript" else None

    @property
    def asked_member(self) -> AskedMember | None:
        """Of `hasattr(module, "name")` and `getattr(module, "name", ...)`, where this is the module: the
        call and the name in the text; None anywhere else."""
        asking = self._asking()
        if asking is None or asking.function.type != "identifier":
            return None
        text = _PLAIN_TEXT.fullmatch(asking.name.text or b"")
        if text is None:
            return None
        return AskedMember(self._span(asking.call), self._span(asking.function), text[1].decode())

    @property
    def asked_form(self) -> re.Pattern[str] | None:
        """Of `getattr(module, f"Conv{n}d")`, where this is the module: what matches the names that the text
        may give. None anywhere else, where the name is all of a text, and where hardly a letter is known."""
        asking = self._asking()
        if asking is None or asking.function.text != b"getattr":
            return None
        form = _form_of_text(asking.name)
        is_known = len(re.sub(r"\W", "", form.replace(_ANY_PART, ""))) > 1
        return re.compile(form) if is_known and _ANY_PART in form else None

    @property
    def is_argument(self) -> bool:
        """Whether it is an argument of a call, by its place or by its name."""
        parent = self._node.parent
        if parent is not None and parent.type == "keyword_argument":
            parent = parent.parent
        return parent is not None and parent.type == "argument_list"

    def _asking(self) -> _Asking | None:
        """Of a call whose first argument this is, and which has a second one: its parts."""
        parent = self._node.parent
        call = parent.parent if parent is not None and parent.type == "argument_list" else None
        function = call.child_by_field_name("function") if call is not None else None
        if parent is None or call is None or function is None:
            return None
        given = parent.named_children
        is_first = given[0] == self._node and len(given) > 1
        return _Asking(call, function, given[1]) if is_first else None

    @property
    def takes_any(self) -> bool:
        """Whether any expression may stand in its place without brackets."""
        parent = self._node.parent
        if parent is None or parent.type in _OPEN_PARENTS:
            return True
        if parent.type == "assignment":
            return parent.child_by_field_name("right") == self._node
        return parent.type == "subscript" and parent.child_by_field_name("value") != self._node

    @property
    def is_target(self) -> bool:
        """Whether something is assigned to it, or it is deleted."""
        parent = self._node.parent
        if parent is None:
            return False
        if parent.type in ("assignment", "augmented_assignment"):
            return parent.child_by_field_name("left") == self._node
        return parent.type in ("delete_statement", "pattern_list", "as_pattern_target")

    @property
    def compared_with(self) -> Span | None:
        """The other side, where it is one of two that are compared (`kind is not name`)."""
        parent = self._node.parent
        if parent is None or parent.type != "comparison_operator" or len(parent.named_children) != 2:
            return None
        operators = [child.type for child in parent.children if not child.is_named]
        if operators[0] not in _EQUALITIES:
            return None
        return self._span(next(child for child in parent.named_children if child != self._node))

    @property
    def is_handed_on(self) -> bool:
        """Whether it is bound to a name, a default, a result or an argument, so that it may be called there;
        not what only asks for the type of something."""
        node = self._node
        while node.parent is not None and node.parent.type in _PASSED_THROUGH:
            node = node.parent
        parent = node.parent
        if parent is None:
            return False
        if parent.type == "argument_list" and parent.parent is not None:
            function = parent.parent.child_by_field_name("function")
            return function is not None and not _ASKS_FOR_TYPES.search(function.text or b"")
        if parent.type == "assignment":
            return parent.child_by_field_name("right") == node
        if parent.type in ("default_parameter", "typed_default_parameter", "keyword_argument"):
            return parent.child_by_field_name("value") == node
        return parent.type == "return_statement"

    @property
    def is_class_attribute(self) -> bool:
        """Whether it is what an attribute of a class is bound to."""
        parent = self._node.parent
        is_value = parent is not None and parent.type == "assignment"
        return is_value and self.is_handed_on and self.is_in_class_body

    @property
    def is_deleted(self) -> bool:
        """Whether `del` takes it away."""
        node = self._node.parent
        while node is not None and node.type in ("expression_list", "tuple", "parenthesized_expression"):
            node = node.parent
        return node is not None and node.type == "delete_statement"

    @property
    def is_bracketed(self) -> bool:
        """Whether lines may break around it."""
        node = self._node.parent
        while node is not None and not node.type.endswith("_statement") and node.type != "block":
            if node.type in _BRACKETS:
                return True
            node = node.parent
        return False

    @property
    def is_in_class_body(self) -> bool:
        """Whether names in it may be those of a class: inner scopes do not see them."""
        child, parent = self._node, self._node.parent
        while parent is not None:
            is_scope = parent.type in ("class_definition", "function_definition", "lambda")
            if is_scope and parent.child_by_field_name("body") == child:
                return parent.type == "class_definition"
            child, parent = parent, parent.parent
        return False

    @property
    def quotes_around(self) -> frozenset[str]:
        """What the formatted strings begin with that it stands in, without letters; nothing if in none."""
        found, node = set(), self._node.parent
        while node is not None and not node.type.endswith("_statement"):
            string = node.parent if node.type == "interpolation" else None
            opening = string.child(0) if string is not None else None
            if opening is not None and opening.text is not None:
                found.add(opening.text.decode().lstrip("fFrRtT"))
            node = node.parent
        return frozenset(found)


def _changed_by(call: Node) -> Node | None:
    """What a method that works in place (`x.add_(1)`) changes and gives back: `x`; None for anything else."""
    member = call.child_by_field_name("function")
    name = member.child_by_field_name("attribute") if member is not None else None
    text = (name.text if name is not None else None) or b""
    is_in_place = text.endswith(b"_") and not text.endswith(b"__")
    return member.child_by_field_name("object") if member is not None and is_in_place else None
