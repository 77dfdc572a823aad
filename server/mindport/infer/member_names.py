"""The names of members of the project's classes that speak against what a member tells otherwise.

`x.dim()` tells a Tensor, unless a class of the project has a method `dim`. An attribute that is a number
(`self.dim = 3`) is read of its objects, but never called: it does not speak against calls. All of this is
seen from how it is written: it is known before anything is evaluated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mindport.callgraph.argument_facts import as_called, as_called_of_self, as_kept, as_overriding
from mindport.index import nodes
from mindport.index.definitions import Assigned, FunctionDefinition, FunctionParameter
from mindport.infer.class_members import OVERRIDE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mindport.index.block import Block
    from mindport.index.definitions import ClassPart, Definition
    from mindport.infer.context import Context


def parts_of(block: Block) -> list[ClassPart]:
    """The parts of classes in a block."""
    parts = [block.part] if block.part is not None else [one.own_part for one in block.classes]
    return [part for part in parts if part is not None]


def member_names(context: Context, block: Block) -> Iterator[str]:
    """The members of classes in a block whose names tell Tensors from other things otherwise, also as what
    may be called, or may be if methods call it, and what methods call."""
    telling = context.catalog.libraries.telling_members
    parts = parts_of(block)
    for part in parts:
        for name in telling.intersection((*part.namespace, *part.attributes)):
            yield name
            yield from _as_called(name, part)
        if part.owner.members(OVERRIDE, instance=False):
            yield from [as_overriding(name) for name in part.namespace]
    for definition, called in block.called_members.items() if parts else ():
        if isinstance(definition, FunctionParameter) and definition.index == 0:
            yield from map(as_called_of_self, telling.intersection(called))


def _as_called(name: str, part: ClassPart) -> Iterator[str]:
    own = part.namespace.get(name)
    bound = [*part.attributes.get(name, ()), *([own] if own is not None else [])]
    kinds = {_kind(one) for one in bound}
    if _CALLED in kinds:
        yield as_called(name)
    elif _KEPT in kinds:
        yield as_kept(name)


_CALLED, _KEPT, _PLAIN = "called", "kept", "plain"


def _kind(bound: Definition) -> str:
    """Whether what a member is bound to may be called, may be as far as its methods call it, or is not: it is
    a property, a number or a container."""
    if isinstance(bound, FunctionDefinition):
        return _PLAIN if _PROPERTY in bound.decoration else _CALLED
    if not isinstance(bound, Assigned):
        return _CALLED
    if bound.annotation is not None and _is_plain_type(bound.annotation):
        return _PLAIN
    if type(bound.value) in _PLAIN_VALUES:
        return _PLAIN
    given = bound.value.definition if isinstance(bound.value, nodes.Name) and not bound.path else None
    if not isinstance(given, FunctionParameter):
        return _CALLED
    if given.annotation is not None:
        return _PLAIN if _is_plain_type(given.annotation) else _CALLED
    has_default = isinstance(given.default, nodes.Constant) and given.default.kind != "None"
    return _PLAIN if has_default else _KEPT


_PROPERTY: Final = "property"
_PLAIN_VALUES: Final = frozenset(
    {nodes.Binary, nodes.Comparison, nodes.Constant, nodes.Dictionary, nodes.Display}
)
_PLAIN_TYPES: Final = frozenset({"Sequence", "bool", "bytes", "dict", "float", "int", "list", "str", "tuple"})
_JOINING: Final = frozenset({"Optional", "Union"})


def _is_plain_type(annotation: nodes.Expression) -> bool:
    """Whether an annotation names nothing but Python's own numbers, texts and containers."""
    if isinstance(annotation, nodes.Constant):
        return annotation.kind == "None"
    if isinstance(annotation, nodes.Binary):
        return _is_plain_type(annotation.left) and _is_plain_type(annotation.right)
    if isinstance(annotation, nodes.Subscript):
        if nodes.last_name(annotation.value) in _JOINING:
            inner = annotation.indices
            if len(inner) == 1 and isinstance(inner[0], nodes.Display):
                inner = inner[0].items
            return all(map(_is_plain_type, inner))
        return _is_plain_type(annotation.value)
    return nodes.last_name(annotation).lower() in _PLAIN_TYPES or nodes.last_name(annotation) in _PLAIN_TYPES
