"""Values that a format is given for: in f-strings, and in calls of `str.format` and `format`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import count
from string import Formatter
from typing import TYPE_CHECKING, Final

from mindport.infer.values import External

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.assess.code_context import BodyContext
    from mindport.index.block import Block

_METHOD: Final = "format"
_FUNCTION: Final = "builtins.format"
_STRINGS: Final = ("string", "concatenated_string")
_GIVING: Final = (b'f"', b"f'", b'F"', b"F'", b'fr"', b"fr'", b".format(")
"""Texts of which one stands where a field with a format may."""
_FIELD: Final = re.compile(rb"\{[^\n{}]*:(?:[^\n ]| [.<>^\d])")
_CALL: Final = re.compile(rb"(?<![.\w])format\(")


def may_format(block: Block) -> bool:
    """Whether a block may give a format for a value, told from its text."""
    text = block.text
    if b"{" in text and any(word in text for word in _GIVING) and _FIELD.search(text) is not None:
        return True
    return b"format(" in text and _CALL.search(text) is not None


def formatted_values(context: BodyContext) -> Iterator[Node]:
    """The expressions in it whose values are given a format that is not empty, each once."""
    for node in context.nodes("interpolation"):
        expression = node.child_by_field_name("expression")
        if expression is not None and any(child.type == "format_specifier" for child in node.children):
            yield expression
    for call in context.nodes("call"):
        function = call.child_by_field_name("function")
        if function is not None and function.type == "attribute":
            yield from _of_method(context, call, function)
        elif function is not None and function.type == "identifier" and context.text(function) == _METHOD:
            yield from _of_function(context, call, function)


def _of_method(context: BodyContext, call: Node, function: Node) -> Iterator[Node]:
    """The arguments of a call of `format` of a literal."""
    name, template = function.child_by_field_name("attribute"), function.child_by_field_name("object")
    if name is None or template is None or context.text(name) != _METHOD:
        return
    while template.type == "parenthesized_expression" and len(template.named_children) == 1:
        template = template.named_children[0]
    if template.type not in _STRINGS:
        return
    given = context.arguments(call)
    if given.is_open:
        return
    found = {}
    for field in _formatted_fields(context.text(template)):
        argument = given.of(field, int(field) if field.isdecimal() else -1)
        if argument is not None:
            found[argument.start_byte] = argument
    yield from found.values()


def _formatted_fields(literal: str) -> list[str]:
    """The places and names of arguments that the literal gives a format for."""
    numbers = count()
    found: list[str] = []

    def look(template: str) -> None:
        for _, field, form, conversion in Formatter().parse(template):
            if field is None:
                continue
            named = field or str(next(numbers))
            if form:
                look(form)
                if conversion is None:
                    found.append(named)

    try:
        template = ast.literal_eval(f"({literal})")
        if isinstance(template, str):
            look(template)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return []  # no literal, or none that `format` takes
    return found


def _of_function(context: BodyContext, call: Node, function: Node) -> Iterator[Node]:
    """The first argument of a call of Python's own `format` with a format."""
    called = context.value(function).alternatives
    given = context.arguments(call).positional
    is_python = len(called) == 1 and isinstance(called[0], External) and called[0].name == _FUNCTION
    if is_python and len(given) == 2:
        yield given[0]
