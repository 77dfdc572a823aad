"""Classes of named tuples that a call makes, and the tuples that these make.

`collections.namedtuple("Point", "x y")` and `typing.NamedTuple("Point", [("x", Tensor)])` make a
`TupleClass`, where the fields are written out; else nothing is known of what they make. A tuple of such a
class is a `FixedTuple` that knows the names of its items: items, slices, unpacking, and what crosses calls
are those of any tuple. What all its calls give for a field is told as of a parameter, for whoever is known to
hold such a tuple by an annotation alone, and for objects of classes that derive from the class.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mindport.callgraph.argument_facts import parameter_key
from mindport.index import nodes
from mindport.infer.annotations import annotated
from mindport.infer.argument_values import given_arguments
from mindport.infer.containers import element
from mindport.infer.values import (
    NEVER,
    UNKNOWN,
    AbstractValue,
    Certainty,
    FixedTuple,
    KeyedDictionary,
    TupleClass,
    is_unknown,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.callgraph.argument_facts import ParameterKey
    from mindport.infer.context import Context
    from mindport.infer.values import Method

_MAKE: Final = "_make"
_REPLACE: Final = "_replace"
_AS_DICTIONARY: Final = "_asdict"
NAMED_TUPLE_METHODS: Final = frozenset({_MAKE, _REPLACE, _AS_DICTIONARY})
"""The methods that named tuples have beside those of tuples."""
_RENAMING: Final = "rename"
_DEFAULTS: Final = "defaults"


def named_tuple_class(context: Context, call: nodes.CallExpression) -> AbstractValue:
    """`namedtuple("Point", "x y")`, `namedtuple("Point", ["x", "y"], defaults=(0,))`"""
    written = _written_fields(call, "field_names")
    names = _names(written) if written is not None else None
    if names is None or any(one.keyword == _RENAMING for one in call.arguments):
        return UNKNOWN
    fields = FixedTuple("tuple", tuple([UNKNOWN] * len(names)), tuple(names))
    return _class_of(context, call, fields, _defaults(context, call))


def typed_named_tuple_class(context: Context, call: nodes.CallExpression) -> AbstractValue:
    """`NamedTuple("Point", [("x", Tensor), ("y", int)])`"""
    written = _written_fields(call, "fields")
    if not isinstance(written, nodes.Display):
        return UNKNOWN
    names, types = [], []
    for pair in written.items:
        if not isinstance(pair, nodes.Display) or len(pair.items) != 2:
            return UNKNOWN
        name = nodes.string_of(pair.items[0])
        if name is None:
            return UNKNOWN
        names.append(name)
        types.append(annotated(context, pair.items[1]).widened(Certainty.LIKELY))
    return _class_of(context, call, FixedTuple("tuple", tuple(types), tuple(names)), ())


def made(context: Context, kind: TupleClass, call: nodes.CallExpression | None) -> AbstractValue:
    """The tuple that a call of such a class gives. `call` is None where something else calls it."""
    declared, defaults = kind.declared, kind.defaults
    if call is None:
        return just(declared)
    is_open = any(argument.unpack for argument in call.arguments)
    first_default = len(declared.items) - len(defaults)
    items = [
        item if is_open or index < first_default else defaults[index - first_default]
        for index, item in enumerate(declared.items)
    ]
    for place, value in _given(context, declared, call):
        items[place] = declared.items[place] if is_unknown(value) else value
    return just(declared.with_items(items))


def given_fields(
    context: Context, kind: TupleClass, call: nodes.CallExpression
) -> Iterator[tuple[ParameterKey, AbstractValue]]:
    """What a call of such a class gives for its fields."""
    if kind.name:
        for place, value in _given(context, kind.declared, call):
            yield parameter_key(kind.path, kind.name, kind.declared.names[place]), value


def _given(
    context: Context, declared: FixedTuple, call: nodes.CallExpression
) -> Iterator[tuple[int, AbstractValue]]:
    """What a call gives for the fields of a named tuple, by their places."""
    for argument in given_arguments(context, call.arguments):
        if argument.keyword in declared.names:
            yield declared.names.index(argument.keyword), argument.value
        elif argument.keyword is None:
            end = len(declared.items) if argument.is_rest else argument.position + 1
            for place in range(argument.position, min(end, len(declared.items))):
                yield place, argument.value


def method_result(
    context: Context, method: Method, call: nodes.CallExpression | None
) -> AbstractValue | None:
    """What a method gives that named tuples have beside those of tuples; None for any other."""
    named = method.container
    if not isinstance(named, FixedTuple) or not named.names or method.name not in NAMED_TUPLE_METHODS:
        return None
    if method.name == _AS_DICTIONARY:
        return just(KeyedDictionary(tuple(zip(named.names, named.items, strict=True)), NEVER))
    if call is None:
        return UNKNOWN
    return _replaced(context, named, call) if method.name == _REPLACE else _filled(context, named, call)


def _replaced(context: Context, named: FixedTuple, call: nodes.CallExpression) -> AbstractValue:
    """`point._replace(x=1)`"""
    items = list(named.items)
    if any(argument.unpack for argument in call.arguments):
        items = [join([item, UNKNOWN]) for item in items]
    for argument in given_arguments(context, call.arguments):
        if argument.keyword in named.names:
            items[named.names.index(argument.keyword)] = argument.value
    return just(named.with_items(items))


def _filled(context: Context, named: FixedTuple, call: nodes.CallExpression) -> AbstractValue:
    """`Point._make(iterable)`"""
    if len(call.arguments) != 1 or call.arguments[0].unpack:
        return UNKNOWN
    held = context.value(call.arguments[0].value)
    results = []
    for value in held.alternatives:
        if isinstance(value, FixedTuple) and len(value.items) == len(named.items):
            items = list(value.items)
        else:
            items = [element(context, just(value))] * len(named.items)
        results.append(just(named.with_items(items)))
    return join(results).widened(held.certainty)


def _written_fields(call: nodes.CallExpression, keyword: str) -> nodes.Expression | None:
    """The argument that says what the fields are; None where it cannot be told."""
    if any(argument.unpack for argument in call.arguments):
        return None
    for position, argument in enumerate(call.arguments):
        if argument.keyword == keyword or (argument.keyword is None and position == 1):
            return argument.value
    return None


def _names(written: nodes.Expression) -> list[str] | None:
    """The names of fields in a string, or in a list or tuple of strings; None where they are given in another
    way."""
    text = nodes.string_of(written)
    if text is not None:
        return text.replace(",", " ").split()
    if not isinstance(written, nodes.Display):
        return None
    names = [nodes.string_of(item) for item in written.items]
    return [name for name in names if name is not None] if None not in names else None


def _defaults(context: Context, call: nodes.CallExpression) -> tuple[AbstractValue, ...]:
    """The values of the last fields that a call may leave out, as far as they are written out."""
    given = [context.value(one.value) for one in call.arguments if one.keyword == _DEFAULTS]
    alternatives = given[0].alternatives if given else ()
    only = alternatives[0] if len(alternatives) == 1 else None
    return only.items if isinstance(only, FixedTuple) else ()


def _class_of(
    context: Context, call: nodes.CallExpression, fields: FixedTuple, defaults: tuple[AbstractValue, ...]
) -> AbstractValue:
    """The class with these fields; unknown, where Python would not make it."""
    names = fields.names
    is_valid = names and len(set(names)) == len(names) and len(defaults) <= len(names)
    if not is_valid or any(not name.isidentifier() or name.startswith("_") for name in names):
        return UNKNOWN
    name, module = nodes.string_of(call.arguments[0].value), context.block.module
    return just(TupleClass(fields, defaults, module.path if module is not None else "", name or ""))
