"""What a type annotation says of a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mindport.callgraph.argument_facts import parameter_key
from mindport.index import nodes
from mindport.infer.catalog_types import from_text
from mindport.infer.values import (
    NONE,
    UNKNOWN,
    AbstractValue,
    ApiValue,
    Certainty,
    Class,
    External,
    ExternalInstance,
    FixedTuple,
    Function,
    Giver,
    HomogeneousContainer,
    Instance,
    NoneValue,
    Object,
    TorchModule,
    TupleClass,
    TypeAlias,
    Value,
    is_unknown,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.callgraph.argument_facts import ParameterKey
    from mindport.index.definitions import ClassDefinition
    from mindport.infer.context import Context

_WRAPPERS: Final = frozenset(
    {
        "Optional",
        "Annotated",
        "Final",
        "ClassVar",
        "Required",
        "NotRequired",
        "ReadOnly",
        "Awaitable",
        "Coroutine",
    }
)
_SEQUENCES: Final = {
    "list": "list",
    "List": "list",
    "Sequence": "list",
    "MutableSequence": "list",
    "Iterable": "iterator",
    "Iterator": "iterator",
    "Collection": "list",
    "Generator": "iterator",
    "set": "set",
    "Set": "set",
    "frozenset": "set",
    "deque": "list",
}
_MAPPINGS: Final = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict"})
_OPAQUE: Final = frozenset(
    {"Any", "Callable", "TypeVar", "Self", "object", "Literal", "Protocol", "Generic"} | {"any", "callable"}
)
_FUNCTION: Final = "function"
_MODULES: Final = frozenset({"typing", "typing_extensions", "builtins", "collections"})


def annotated(context: Context, annotation: nodes.Expression) -> AbstractValue:
    """The values that an annotation allows; unknown where it says nothing."""
    if isinstance(annotation, nodes.Binary) and annotation.operator == "|":
        return _union(context, [annotation.left, annotation.right])
    if isinstance(annotation, nodes.Subscript):
        return _subscripted(context, annotation)
    if isinstance(annotation, nodes.Constant):
        return NONE if annotation.kind == "None" else UNKNOWN
    if isinstance(annotation, (nodes.Display, nodes.Parts)):
        return UNKNOWN
    return instances_of(context, context.value(annotation))


def instances_of(context: Context, types: AbstractValue) -> AbstractValue:
    """The values that any of these types allows; unknown where they say nothing."""
    is_variable = any(isinstance(value, Instance) for value in types.alternatives)  # which stands for them
    found = [
        just(value) if is_variable and isinstance(value, ExternalInstance) else _instance_of(context, value)
        for value in types.alternatives
    ]
    return join(found) if found else UNKNOWN


def _union(context: Context, parts: list[nodes.Expression]) -> AbstractValue:
    """Several types: anything, as soon as one of them is not known."""
    results = [annotated(context, part) for part in parts]
    return UNKNOWN if any(is_unknown(result) for result in results) else join(results)


def _instance_of(context: Context, value: Value) -> AbstractValue:
    """What is annotated with a class is an instance of it; with a function, as in `x: torch.tensor`, mostly
    what that gives; with a module, as in `optimizer: torch.optim`, an object of the class it is there for."""
    if isinstance(value, ApiValue):
        given = context.catalog.returns(value.name) if context.catalog.kind(value.name) == _FUNCTION else None
        return from_text(context.catalog, given) if given is not None else just(Instance(value.name))
    if isinstance(value, Class):
        called = _protocol_of_functions(context, value.definition)
        return just(Object(value.definition) if called is None else Giver(called))
    if isinstance(value, TypeAlias):
        return value.declared
    if isinstance(value, External):
        return _of_library(context, value.name)
    if isinstance(value, TorchModule):
        meant = context.catalog.contracts.standing_for.get(value.name)
        return just(Instance(meant)) if meant is not None else UNKNOWN
    if isinstance(value, (Instance, NoneValue, Object, HomogeneousContainer, FixedTuple)):  # a type variable
        return just(value)
    return tuple_of(context, value) if isinstance(value, TupleClass) else UNKNOWN


def _protocol_of_functions(context: Context, definition: ClassDefinition) -> AbstractValue | None:
    """What calling what a class stands for gives, where that is a protocol with `__call__`, which functions
    fulfil; None where it is none."""
    if not definition.bases or definition.scope is None:
        return None
    called = context.own_member(definition, _CALL, False)
    if called is None:
        return None
    block = definition.scope.block
    bases = [one for base in definition.bases for one in context.in_other_block(block, base).alternatives]
    if not any(isinstance(one, External) and one.name.endswith(_PROTOCOL) for one in bases):
        return None
    return join([context.returned_by(one.definition) for one in called.alternatives if type(one) is Function])


_CALL: Final = "__call__"
_PROTOCOL: Final = ".Protocol"


def tuple_of(context: Context, value: TupleClass) -> AbstractValue:
    """A named tuple: its fields hold what they are declared to hold, else what any of its calls gives."""
    items = [
        _or_given(context, item, parameter_key(value.path, value.name, field))
        for field, item in zip(value.declared.names, value.declared.items, strict=True)
    ]
    return UNKNOWN if all(map(is_unknown, items)) else just(value.declared.with_items(items))


def _or_given(context: Context, declared: AbstractValue, field: ParameterKey) -> AbstractValue:
    given = context.ask(("passed", field)) if is_unknown(declared) and field.qualified_name else declared
    return declared if given is declared else join([UNKNOWN, given]).widened(Certainty.LIKELY)


def _of_library(context: Context, name: str) -> AbstractValue:
    module, _, last = name.rpartition(".")
    if module not in _MODULES and not module.startswith("collections."):
        declared = context.catalog.libraries.annotations.get(name)
        return from_text(context.catalog, declared) if declared is not None else just(ExternalInstance(name))
    if last in _SEQUENCES or last in ("tuple", "Tuple"):
        return just(HomogeneousContainer(_SEQUENCES.get(last, "tuple"), UNKNOWN))
    if last in _MAPPINGS:
        return just(HomogeneousContainer("dict", UNKNOWN))
    return UNKNOWN if last in _OPAQUE or module.startswith("typing") else just(ExternalInstance(name))


def _subscripted(context: Context, annotation: nodes.Subscript) -> AbstractValue:
    """`Optional[X]`, `list[X]`, `tuple[X, Y]`, `dict[K, V]`, `type[X]`, `Float[Tensor, "b c"]`."""
    head, arguments = _head(context, annotation.value), _listed(annotation.indices)
    if not arguments:
        return UNKNOWN
    if head in _WRAPPERS:
        inner = annotated(context, arguments[-1] if head == "Coroutine" else arguments[0])
        return join([inner, NONE]) if head == "Optional" and not is_unknown(inner) else inner
    if head == "Union":
        return _union(context, arguments)
    if head in _MAKING:  # some subclass, or function: what is given, or the default, tells which
        return _giver(context, arguments, _MAKING[head])
    if head in ("tuple", "Tuple"):
        return _tuple(context, arguments)
    if head in _SEQUENCES:
        return just(HomogeneousContainer(_SEQUENCES[head], annotated(context, arguments[0])))
    if head in _MAPPINGS:
        return just(HomogeneousContainer("dict", annotated(context, arguments[-1])))
    if head in _OPAQUE:
        return UNKNOWN
    generic = annotated(context, annotation.value)
    if is_unknown(generic) or any(isinstance(value, ExternalInstance) for value in generic.alternatives):
        first = context.value(arguments[0])
        if any(
            isinstance(value, ApiValue) for value in first.alternatives
        ):  # a Tensor with a shape or a dtype
            return annotated(context, arguments[0])
    return generic


def _giver(context: Context, arguments: list[nodes.Expression], count: int) -> AbstractValue:
    """What `Callable[..., X]` and `type[X]` say, with so many arguments: the last is what calling gives."""
    given = annotated(context, arguments[-1]) if len(arguments) == count else UNKNOWN
    return UNKNOWN if is_unknown(given) else just(Giver(given))


_MAKING: Final = {"type": 1, "Type": 1, "Callable": 2}
"""How many arguments such an annotation has that says what calling gives: the last one."""


def written_type(context: Context, written: nodes.Expression) -> AbstractValue:
    """A type that is written out where a value stands: `tuple[int, int]`, `Tensor | None`; unknown, where it
    says nothing. Of classes that a class derives from, `Generic[T]` is `Generic`."""
    head = _head(context, written.value) if isinstance(written, nodes.Subscript) else "|"
    if isinstance(written, nodes.Subscript) and head in _GENERIC:
        return context.value(written.value)
    declared = annotated(context, written)
    is_known = bool(head) or any(isinstance(value, Instance) for value in declared.alternatives)
    return just(TypeAlias(declared)) if is_known and not is_unknown(declared) else UNKNOWN


_GENERIC: Final = frozenset({"Generic", "Protocol"})


def are_types(context: Context, left: AbstractValue, right: AbstractValue) -> bool:
    """Whether what `left | right` joins are types, or None: something of a library may be one, but is none
    where both are."""
    found = [*left.alternatives, *right.alternatives]
    others = [value for value in found if not _is_type(context, value)]
    return len(others) < len(found) and all(isinstance(value, External) for value in others)


def _is_type(context: Context, value: Value) -> bool:
    if isinstance(value, ApiValue):
        return context.catalog.kind(value.name) == "class"
    if isinstance(value, External):
        return value.name.rpartition(".")[0] in _MODULES
    return isinstance(value, (Class, NoneValue, TypeAlias))


def _listed(arguments: list[nodes.Expression]) -> list[nodes.Expression]:
    """The arguments of a generic type, however they are written."""
    if len(arguments) == 1 and isinstance(arguments[0], nodes.Display):
        return arguments[0].items
    return arguments


def _head(context: Context, expression: nodes.Expression) -> str:
    """The last part of the name of a generic type of Python's own; else empty."""
    for value in context.value(expression).alternatives:
        if isinstance(value, External):
            module, _, last = value.name.rpartition(".")
            if module in _MODULES or module.startswith("collections."):
                return last
    return ""


def _tuple(context: Context, arguments: list[nodes.Expression]) -> AbstractValue:
    last = arguments[-1]
    if isinstance(last, nodes.Constant) and last.kind == "Ellipsis":
        return just(HomogeneousContainer("tuple", annotated(context, arguments[0])))
    return just(FixedTuple("tuple", tuple([annotated(context, argument) for argument in arguments])))
