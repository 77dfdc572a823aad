"""What calls into Python's own and other libraries give, where it follows from their arguments.

Which function follows which rule is said in `mapping_data/libraries/libraries.json`; the rules are here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from mindport.index import nodes
from mindport.infer import attributes
from mindport.infer.annotations import annotated
from mindport.infer.containers import element, item
from mindport.infer.imports import imported_module
from mindport.infer.named_tuples import named_tuple_class, typed_named_tuple_class
from mindport.infer.values import (
    A_NUMBER,
    NEVER,
    UNKNOWN,
    AbstractValue,
    ApiValue,
    Certainty,
    Class,
    External,
    ExternalInstance,
    FixedTuple,
    Function,
    HomogeneousContainer,
    Instance,
    KeyedDictionary,
    Object,
    Partial,
    PartialFunction,
    TorchModule,
    TypeAlias,
    is_unknown,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.infer.context import Context

Rule = Callable[["Context", nodes.CallExpression], AbstractValue]


def library_call(context: Context, function: External, call: nodes.CallExpression) -> AbstractValue:
    """What calling `function`, which is no torch API, gives."""
    libraries = context.catalog.libraries
    word = libraries.returned(function.name)
    rule = _RULES.get(word) if word is not None else None
    if rule is not None and call.arguments:
        return rule(context, call)
    if word in ("list", "tuple", "set", "dict"):
        return just(HomogeneousContainer(word, UNKNOWN))
    if word is None and libraries.never_gives_tensors(function.name):
        return just(ExternalInstance(function.name))
    return UNKNOWN


def _argument(context: Context, call: nodes.CallExpression, index: int = 0) -> AbstractValue:
    if index >= len(call.arguments) or call.arguments[index].unpack:
        return UNKNOWN
    return context.value(call.arguments[index].value)


def _same(context: Context, call: nodes.CallExpression) -> AbstractValue:
    """The type of the first argument."""
    return _argument(context, call)


def _element(context: Context, call: nodes.CallExpression) -> AbstractValue:
    """An element of the first argument."""
    return element(context, _argument(context, call))


def _same_or_stacked(context: Context, call: nodes.CallExpression) -> AbstractValue:
    """The first argument's type; of a list of tensors, their type."""
    argument = _argument(context, call)
    if any(isinstance(value, (FixedTuple, HomogeneousContainer)) for value in argument.alternatives):
        return element(context, argument)
    return argument


def _filled(kind: str) -> Rule:
    """A container of the elements of the first argument."""

    def rule(context: Context, call: nodes.CallExpression) -> AbstractValue:
        return just(HomogeneousContainer(kind, _element(context, call)))

    return rule


def _dict(context: Context, call: nodes.CallExpression) -> AbstractValue:
    items = [(one.keyword, context.value(one.value)) for one in call.arguments if one.keyword is not None]
    if items and len(items) == len(call.arguments):
        return just(KeyedDictionary(tuple(items), NEVER))
    held = _held(context, _argument(context, call)) if len(call.arguments) == 1 else UNKNOWN
    return just(HomogeneousContainer("dict", held))


def _held(context: Context, made_of: AbstractValue) -> AbstractValue:
    """The values in a dictionary that is made of another, or of pairs."""
    results = []
    for value in made_of.alternatives:
        if isinstance(value, KeyedDictionary):
            results.append(value.any())
        elif isinstance(value, HomogeneousContainer) and value.kind == "dict":
            results.append(value.element)
        else:
            for pair in element(context, just(value)).alternatives:
                is_pair = isinstance(pair, FixedTuple) and len(pair.items) == 2
                results.append(pair.items[1] if isinstance(pair, FixedTuple) and is_pair else UNKNOWN)
    return join(results) if results else UNKNOWN


def _enumerated(context: Context, call: nodes.CallExpression) -> AbstractValue:
    return just(
        HomogeneousContainer("iterator", just(FixedTuple("tuple", (A_NUMBER, _element(context, call)))))
    )


def _zipped(context: Context, call: nodes.CallExpression) -> AbstractValue:
    if any(argument.unpack for argument in call.arguments):
        inner = _element(context, nodes.CallExpression(0, 0, call.function, 0, _plain(call)))
        return just(
            HomogeneousContainer("iterator", just(HomogeneousContainer("tuple", element(context, inner))))
        )
    given = [argument for argument in call.arguments if argument.keyword is None]
    items = tuple([element(context, context.value(argument.value)) for argument in given])
    return just(HomogeneousContainer("iterator", just(FixedTuple("tuple", items))))


def _plain(call: nodes.CallExpression) -> list[nodes.CallArgument]:
    return [nodes.CallArgument(None, "", argument.value) for argument in call.arguments[:1]]


def _mapped(context: Context, call: nodes.CallExpression) -> AbstractValue:
    function = _argument(context, call)
    if is_unknown(function):
        return just(HomogeneousContainer("iterator", UNKNOWN))
    return just(HomogeneousContainer("iterator", context.called(function)))


def _filtered(context: Context, call: nodes.CallExpression) -> AbstractValue:
    return just(HomogeneousContainer("iterator", element(context, _argument(context, call, 1))))


def _attribute(context: Context, call: nodes.CallExpression) -> AbstractValue:
    """`getattr(object, "name")`; by a name that is not known, any member of a module of which it is promised
    what it holds."""
    name = call.arguments[1].value if len(call.arguments) > 1 else None
    given = _argument(context, call)
    if isinstance(name, nodes.Constant) and name.kind == "str" and name.value:
        return attributes.attribute(context, given, name.value)
    if len(given.alternatives) == 1 and isinstance(given.alternatives[0], TorchModule):
        return item(context, attributes.attribute(context, given, "__dict__"), None)
    return UNKNOWN


def _class(context: Context, call: nodes.CallExpression) -> AbstractValue:
    """`type(object)`"""
    if len(call.arguments) != 1:
        return UNKNOWN
    given = _argument(context, call)
    return join([attributes.class_of(value) for value in given.alternatives]).widened(given.certainty)


def _above(context: Context, call: nodes.CallExpression) -> AbstractValue:
    """`super(Base, self)` of a class that the class around derives from: what comes behind that."""
    if len(call.arguments) != 2:
        return UNKNOWN
    given = _argument(context, call)
    results = []
    for value in given.alternatives:
        if isinstance(value, Class):
            results.append(just(Object(value.definition, parent=True)))
        elif isinstance(value, ApiValue) and context.catalog.kind(value.name) == "class":
            bases = context.catalog.bases(value.name)
            results.append(just(Instance(bases[0])) if bases else UNKNOWN)
        else:
            return UNKNOWN
    return join(results).widened(given.certainty)


def _imported(context: Context, call: nodes.CallExpression) -> AbstractValue:
    """`import_module("torch.nn")`, the name being written out, and not relative to a package."""
    return _module(context, nodes.string_of(call.arguments[0].value))


def _imported_package(context: Context, call: nodes.CallExpression) -> AbstractValue:
    """`__import__("torch.nn")`, which gives the package; with what to import from it, the module."""
    name = nodes.string_of(call.arguments[0].value)
    return _module(context, name.partition(".")[0] if name and len(call.arguments) == 1 else name)


def _module(context: Context, name: str | None) -> AbstractValue:
    is_name = name is not None and all(map(str.isidentifier, name.split(".")))
    return imported_module(context, name) if name is not None and is_name else UNKNOWN


def _partial(context: Context, call: nodes.CallExpression) -> AbstractValue:
    """Calling it calls the first argument."""
    function = _argument(context, call)
    given = sum(argument.keyword is None and not argument.unpack for argument in call.arguments) - 1
    made = tuple(
        Partial(value.name)
        if isinstance(value, ApiValue)
        else PartialFunction(value, given)
        if isinstance(value, (Function, Class, Object))
        else value
        for value in function.alternatives
    )
    return AbstractValue(made, function.certainty)


def _cast(context: Context, call: nodes.CallExpression) -> AbstractValue:
    return annotated(context, call.arguments[0].value)


def _any_argument(context: Context, call: nodes.CallExpression) -> AbstractValue:
    """One of the arguments; of a single one, an element."""
    given = [argument for argument in call.arguments if argument.keyword is None]
    if any(argument.unpack for argument in given):
        return UNKNOWN
    values = [context.value(argument.value) for argument in given]
    return element(context, values[0]) if len(values) == 1 else join(values)


def _reduced(context: Context, call: nodes.CallExpression) -> AbstractValue:
    """What the first argument makes of the elements of the second, one by one: mostly another such
    element."""
    function, elements = _argument(context, call), element(context, _argument(context, call, 1))
    is_known = any(isinstance(value, (Function, ApiValue)) for value in function.alternatives)
    made = context.called(function) if is_known else UNKNOWN
    return join([elements, made]) if not is_unknown(made) else elements.widened(Certainty.LIKELY)


def _type_variable(context: Context, call: nodes.CallExpression) -> AbstractValue:
    """What a type variable stands for: one of the types it is constrained to, or its bound."""
    types = [one.value for one in call.arguments[1:] if one.keyword is None and not one.unpack]
    types = types or [one.value for one in call.arguments if one.keyword == _BOUND]
    found = [annotated(context, one) for one in types]
    if not found or any(is_unknown(one) for one in found):
        return just(ExternalInstance("typing.TypeVar"))
    return join(found).widened(Certainty.LIKELY)


_BOUND: Final = "bound"


def _type_alias(context: Context, call: nodes.CallExpression) -> AbstractValue:
    """`NewType("Id", int)`, `TypeAliasType("Size", tuple[int, int])`"""
    declared = annotated(context, call.arguments[1].value) if len(call.arguments) > 1 else UNKNOWN
    return UNKNOWN if is_unknown(declared) else just(TypeAlias(declared))


def _packed(context: Context, call: nodes.CallExpression) -> AbstractValue:
    """A tensor, and the shapes of what was packed into it."""
    shapes = just(HomogeneousContainer("list", just(ExternalInstance("builtins.tuple"))))
    return just(FixedTuple("tuple", (_element(context, call), shapes)))


def _unpacked(context: Context, call: nodes.CallExpression) -> AbstractValue:
    return just(HomogeneousContainer("list", _argument(context, call)))


def _torch_module(context: Context, call: nodes.CallExpression) -> AbstractValue:
    """A module that turns a Tensor into a Tensor."""
    return just(Instance("torch.nn.Identity"))


_RULES: Final[dict[str, Rule]] = {
    "above": _above,
    "any argument": _any_argument,
    "argument": _same,
    "argument or stacked": _same_or_stacked,
    "attribute": _attribute,
    "cast": _cast,
    "class": _class,
    "dict": _dict,
    "element": _element,
    "enumerated": _enumerated,
    "imported module": _imported,
    "imported package": _imported_package,
    "iterator": _filled("iterator"),
    "iterator of argument 1": _filtered,
    "list": _filled("list"),
    "mapped": _mapped,
    "named tuples": named_tuple_class,
    "packed": _packed,
    "partial": _partial,
    "reduced": _reduced,
    "set": _filled("set"),
    "torch module": _torch_module,
    "tuple": _filled("tuple"),
    "type alias": _type_alias,
    "type variable": _type_variable,
    "typed named tuples": typed_named_tuple_class,
    "unpacked": _unpacked,
    "zipped": _zipped,
}
