"""The lowering of calls."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from mindport.index import nodes
from mindport.index.definitions import ANY_ATTRIBUTE, NO_LIST, Assigned, Definition, Iterated, Registered
from mindport.lowering.expressions import start_of, without_star
from mindport.lowering.lower import Lowering, executes, handles, named, named_as
from mindport.source.syntax import EXTRAS, kinds

_GENERATOR: Final = kinds("generator_expression")
_KEYWORD_ARGUMENT: Final = kinds("keyword_argument")
_SPLATS: Final = kinds("list_splat", "dictionary_splat")
_NOT_PLAIN: Final = _KEYWORD_ARGUMENT | _SPLATS | kinds(*EXTRAS)
_BRACKETED: Final = kinds("parenthesized_expression", "tuple", "generator_expression")
_PRINT: Final = "print"


@handles("call")
def _call(self: Lowering, node: Node) -> nodes.Expression:
    children = named_as(node, 2)
    if len(children) != 2:
        return self.parts(node)
    function = without_star(self.lower(children[0]))
    arguments = children[1]
    start, end = start_of(self, node, function), node.end_byte - self.base
    lowered = _arguments(self, arguments)
    call = nodes.CallExpression(start, end, function, arguments.start_byte - self.base, lowered)
    _remember(self, call)
    is_super = isinstance(function, nodes.Name) and function.id == "super"
    if is_super and self.owner is not None and (not lowered or _names_owner(self, lowered)):
        return nodes.SuperCall(call, self.owner)
    return call


def _names_owner(self: Lowering, arguments: list[nodes.CallArgument]) -> bool:
    """Whether the arguments of `super` are the class around, and its receiver or another object of the
    class: `super(C, new).__init__()`."""
    if len(arguments) != 2 or self.owner is None:
        return False
    first, second = arguments[0].value, arguments[1].value
    is_class = isinstance(first, nodes.Name) and first.id == self.owner.name
    return is_class and isinstance(second, nodes.Name)


def _arguments(self: Lowering, node: Node) -> list[nodes.CallArgument]:
    """The arguments in what stands in the brackets of a call."""
    if node.kind_id in _GENERATOR:
        return [nodes.CallArgument(None, "", self.lower(node))]
    lowered: list[nodes.CallArgument] = []
    for child in node.named_children:
        kind = child.kind_id
        if kind not in _NOT_PLAIN:
            lowered.append(nodes.CallArgument(None, "", self.lower(child)))
        elif kind in _KEYWORD_ARGUMENT:
            parts = named_as(child, 2)
            lowered.append(nodes.CallArgument(self.name(parts[0]), "", self.lower(parts[-1])))
        elif kind in _SPLATS:
            stars = "*" if child.type == "list_splat" else "**"
            parts = named(child)
            if parts:
                lowered.append(nodes.CallArgument(None, stars, self.lower(parts[0])))
    return list(lowered) if lowered else NO_LIST  # without room for more


def _remember_called_of_result(self: Lowering, called: nodes.Expression, name: str) -> None:
    """Keep, of a name, what is called of the result of converting it: `cpu().numpy`."""
    if not isinstance(called, nodes.Attribute) or called.name not in nodes.CONVERTING:
        return
    if isinstance(called.value, nodes.Name):
        names = self.block.called_members.setdefault(called.value.definition, set())
        names.add(f"{called.name}().{name}")


def _remember(self: Lowering, call: nodes.CallExpression) -> None:
    """Keep the call, what a container is filled with, and what a lambda is applied to."""
    function, arguments = call.function, call.arguments
    if arguments:
        self.block.calls.append(call)
    if isinstance(function, nodes.Attribute):
        name, receiver = function.name, function.value
        self.called.add(name)
        if isinstance(receiver, nodes.Name):
            called = self.block.called_members.setdefault(receiver.definition, set())
            called.add(name)
            if arguments or name in nodes.BARE:
                called.update(nodes.told_as(name, arguments))
        elif isinstance(receiver, nodes.CallExpression):
            _remember_called_of_result(self, receiver.function, name)
        elif isinstance(receiver, nodes.Attribute) and self.is_receiver(receiver.value):
            assert self.part is not None
            called = self.part.called_members.setdefault(receiver.name, set())
            called.update((name, *nodes.told_as(name, arguments)))
        if name in nodes.ADDING:
            position = nodes.ADDING[name]
            if len(arguments) == position + 1 and not arguments[position].unpack:
                value = arguments[position].value
                added = Iterated(value, ()) if name == "extend" else Assigned(value)
                self.remember_added(receiver, added)
        elif name == nodes.UPDATING:
            for argument in arguments:
                self.remember_added(receiver, _updated(argument))
        elif name in nodes.REGISTERING:
            _remember_registered(self, function, arguments)
        return
    if not isinstance(function, nodes.Name):
        return
    self.called.add(function.id)
    if function.id == "setattr":
        _remember_set(self, arguments)
    elif function.id in ("map", "filter") and len(arguments) > 1:
        applied = arguments[0].value
        if isinstance(applied, nodes.LambdaExpression):
            for parameter, argument in zip(applied.function.parameters, arguments[1:], strict=False):
                parameter.applied_to = argument.value


def _updated(argument: nodes.CallArgument) -> Definition:
    """What an argument of `update` puts into a mapping: itself, or the values of another mapping."""
    value = argument.value
    if argument.keyword is not None:
        return Assigned(value)
    values = nodes.Attribute(value.start, value.end, value, "values")
    return Iterated(nodes.CallExpression(value.start, value.end, values, value.end, []), ())


def _remember_registered(
    self: Lowering, function: nodes.Attribute, arguments: list[nodes.CallArgument]
) -> None:
    """`self.register_buffer("mean", value)`"""
    if len(arguments) < 2 or arguments[0].unpack or arguments[1].unpack:
        return
    if self.part is not None and self.is_receiver(function.value):
        name = nodes.string_of(arguments[0].value) or ANY_ATTRIBUTE
        registered = Registered(function.name, arguments[1].value)
        self.part.attributes.setdefault(name, []).append(registered)


def _remember_set(self: Lowering, arguments: list[nodes.CallArgument]) -> None:
    """`setattr(self, "name", value)`"""
    if len(arguments) != 3 or any(argument.unpack for argument in arguments):
        return
    if self.part is not None and self.is_receiver(arguments[0].value):
        name = nodes.string_of(arguments[1].value) or ANY_ATTRIBUTE
        self.part.attributes.setdefault(name, []).append(Assigned(arguments[2].value))


@executes("print_statement")
def _print(self: Lowering, node: Node) -> None:
    """A statement of Python 2, or a call of `print`: the grammar has both, and takes one for the other where
    something else in the text does not parse."""
    children = named(node)
    if len(children) != 1 or children[0].kind_id not in _BRACKETED:
        self.other_statement(node)
        return
    start, end = node.start_byte - self.base, node.end_byte - self.base
    function = nodes.Name(start, start + len(_PRINT), _PRINT, self.flow.read(_PRINT))
    lowered = _arguments(self, children[0])
    call = nodes.CallExpression(start, end, function, children[0].start_byte - self.base, lowered)
    _remember(self, call)
    self.root(call)
