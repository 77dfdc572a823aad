"""What parameters are: by the kind of function, the annotation, the use, the calls, the default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mindport.index.definitions import CONSTRUCTOR
from mindport.index.nodes import Attribute, Name
from mindport.infer.annotations import annotated
from mindport.infer.attributes import SCALAR_MEMBERS
from mindport.infer.catalog_types import from_text
from mindport.infer.class_members import bases_of, decorator_names, torch_base
from mindport.infer.containers import element, item
from mindport.infer.type_tests import may_pass
from mindport.infer.values import (
    NONE,
    TENSOR,
    UNKNOWN,
    AbstractValue,
    ApiValue,
    Certainty,
    Class,
    ExternalInstance,
    FixedTuple,
    Giver,
    HomogeneousContainer,
    Instance,
    KeyedDictionary,
    NoneValue,
    Object,
    Unknown,
    Value,
    has_unknown,
    is_unknown,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.index.definitions import ClassDefinition, FunctionDefinition, FunctionParameter
    from mindport.index.nodes import Expression
    from mindport.infer.context import Context


_CONTAINERS: Final = {"variadic": "tuple", "keywords": "dict"}


def parameter_value(context: Context, parameter: FunctionParameter) -> AbstractValue:
    """What a parameter may be. Only the receiver of a method is certain: a caller may pass anything."""
    function = parameter.function
    if parameter.index == 0 and function.owner is not None and is_receiver(parameter):
        receiver = receiver_of(context, function)
        if receiver is not None:
            return receiver
    declared = UNKNOWN
    if parameter.annotation is not None:
        declared = annotated(context, parameter.annotation).widened(Certainty.LIKELY)
        if type(parameter.default) in _NAMED and _is_class_of(context, parameter.default, declared):
            declared = just(Giver(declared))
        if _is_mistaken(declared, context.block.members.get(parameter)):
            declared = UNKNOWN
    if parameter.applied_to is not None:
        return element(context, context.value(parameter.applied_to))
    container = _CONTAINERS.get(parameter.kind)
    if container is not None:
        held = _or_anything([context.passed(parameter)]) if is_unknown(declared) else declared
        return just(HomogeneousContainer(container, _of_one(context, held, container)))
    if not (is_unknown(declared) or _is_called(declared)):
        return _or_filled(context, parameter, declared) if _holds_anything(declared) else declared
    given = join([context.passed(one) for one in [parameter, *_overridden(context, parameter)]])
    promised = _promised(context, parameter)
    if promised is not None and _agrees(given, promised):
        return promised.widened(Certainty.LIKELY)
    known = [given]
    if parameter.default is not None and context.is_left_out(parameter):
        known.append(context.value(parameter.default))
    found = _or_anything(known, declared)
    return _told_elsewhere(context, parameter, found) if _is_open(found) else found


def _is_open(found: AbstractValue) -> bool:
    """Whether a value may be anything, and nothing but None is known of it."""
    return has_unknown(found) and all(type(one) in _NOTHING for one in found.alternatives)


_NOTHING: Final = frozenset({NoneValue, Unknown})


def _told_elsewhere(
    context: Context, parameter: FunctionParameter, otherwise: AbstractValue
) -> AbstractValue:
    """What the docstring says that a parameter is, or the method that its own overrides, where nothing else
    tells; no Tensor, where a member is read of it that no Tensor has."""
    text, owner = parameter.documented, parameter.function.owner
    if text is None and owner is not None and parameter.function.name == CONSTRUCTOR:
        text = context.documented(owner, parameter.name)
    meant = context.catalog.contracts.documented.get(text or "")
    if meant is not None:
        found = AbstractValue((Instance(meant),), Certainty.LIKELY)
        return found if _is_read_as(context, parameter, found) else otherwise
    for one in _overridden(context, parameter):
        found = context.taken_as(one) if one.annotation is not None or one.documented else UNKNOWN
        if not is_unknown(found) and _is_read_as(context, parameter, found):
            return found.widened(Certainty.LIKELY)
    return otherwise


def _is_read_as(context: Context, parameter: FunctionParameter, found: AbstractValue) -> bool:
    """Whether all that is read of a parameter is there where it is a Tensor, if it may be one."""
    is_tensor = any(type(one) is Instance and one.of == TENSOR for one in found.alternatives)
    return not is_tensor or context.is_read_as_tensor(parameter)


def is_receiver(parameter: FunctionParameter) -> bool:
    """Whether the first parameter of a function in a class may be what it is called on: not, where it is
    named otherwise and no decorator says so, as that of a function is that is called on the class alone."""
    if parameter.kind not in ("plain", "positional_only"):
        return False
    name = parameter.name.strip("_")
    return len(name) < 2 or name in _RECEIVERS or bool(parameter.function.decorators)


_RECEIVERS: Final = frozenset({"cls", "ctx", "klass", "mcls", "mcs", "metacls", "me", "self", "slf", "this"})


def _holds_anything(declared: AbstractValue) -> bool:
    """Whether an annotation says no more than that something is a container, such as `dict[str, Any]`."""
    for value in declared.alternatives:  # no generator: asked of every parameter that is annotated
        if type(value) is HomogeneousContainer:
            if not is_unknown(value.element):
                return False
        elif type(value) is not NoneValue:
            return False
    return declared.alternatives != NONE.alternatives


def _or_filled(context: Context, parameter: FunctionParameter, declared: AbstractValue) -> AbstractValue:
    """What is annotated as a container of anything, and the containers that calls give for it."""
    given = context.passed(parameter).alternatives
    kept = tuple([value for value in given if type(value) in _FILLED])
    return join([declared, AbstractValue(kept)]).widened(Certainty.LIKELY) if kept else declared


_FILLED: Final = frozenset({FixedTuple, HomogeneousContainer, KeyedDictionary})


def _of_one(context: Context, declared: AbstractValue, kind: str) -> AbstractValue:
    """What one of the arguments that `*args` or `**kwargs` takes may be. Its annotation is that of one; where
    it is that of the container they are in, as in `*args: tuple[Tensor, ...]`, all are often meant."""
    inner = [
        item(context, just(value), None)
        for value in declared.alternatives
        if isinstance(value, (FixedTuple, HomogeneousContainer)) and value.kind == kind
    ]
    return join([declared, *inner]).widened(Certainty.LIKELY) if inner else declared


_NAMED: Final = frozenset({Attribute, Name})


def _is_class_of(context: Context, default: Expression | None, declared: AbstractValue) -> bool:
    """Whether a default value is a class of what its parameter is annotated with, as in
    `activation: nn.Module = nn.ReLU`: some class is meant."""
    if default is None or is_unknown(declared) or _is_called(declared):
        return False
    made: list[Value] = []
    for value in context.value(default).alternatives:
        if isinstance(value, ApiValue) and context.catalog.kind(value.name) == "class":
            made.append(Instance(value.name))
        elif isinstance(value, Class):
            made.append(Object(value.definition))
        else:
            return False
    return bool(made) and all(may_pass(context, one, declared) for one in made)


def _is_mistaken(declared: AbstractValue, members: set[str] | None) -> bool:
    """Whether an annotation says that something is a number or a text, and `members` are read of it that it
    then has not: `scale: float` and `scale.square()`."""
    if members is None:
        return False
    kinds = [one for one in declared.alternatives if type(one) is not NoneValue]
    return bool(kinds) and not any(
        members <= SCALAR_MEMBERS.get(one.of, members) if isinstance(one, ExternalInstance) else True
        for one in kinds
    )


def _is_called(declared: AbstractValue) -> bool:
    """Whether an annotation says of something that is called no more than what that gives."""
    for value in declared.alternatives:  # noqa: SIM110 - asked of every parameter: a generator takes thrice as long
        if type(value) is Giver:
            return True
    return False


def _or_anything(known: list[AbstractValue], otherwise: AbstractValue = UNKNOWN) -> AbstractValue:
    """What is known, or (`otherwise`) what nobody knows of, or no more than what calling it gives."""
    if not any(result.alternatives for result in known):
        return otherwise
    found = join([otherwise, *known])
    if not is_unknown(otherwise):
        found = AbstractValue(tuple([one for one in found.alternatives if type(one) is not Unknown]))
    return found.widened(Certainty.LIKELY)


def _overridden(context: Context, parameter: FunctionParameter) -> list[FunctionParameter]:
    """The same parameter of the methods of base classes that its method overrides: what is given there to an
    object of the base class may be given here."""
    function = parameter.function
    if function.owner is None or function.name == CONSTRUCTOR:
        return []
    place = parameter.index
    others = [one.parameters for one in context.overridden(function)]
    return [one[place] for one in others if place < len(one) and one[place].name == parameter.name]


def _agrees(given: AbstractValue, promised: AbstractValue) -> bool:
    """Whether what calls give does not speak against what is promised."""
    return not given.alternatives or any(value in promised.alternatives for value in given.alternatives)


def _promised(context: Context, parameter: FunctionParameter) -> AbstractValue | None:
    """What PyTorch's documentation says of an input of a method that subclasses of its classes define; not
    where the default value is of another type."""
    function = parameter.function
    contracts = context.catalog.contracts
    if function.name not in contracts.methods or function.owner is None:
        return None
    if parameter.default is not None:
        default = context.value(parameter.default)
        if not all(isinstance(value, NoneValue) for value in default.alternatives):
            return None
    for name, inputs in contracts.inputs.items():
        owner, _, method = name.rpartition(".")
        if method == function.name and torch_base(context, function.owner, owner) is not None:
            index = parameter.index - int("staticmethod" not in function.decoration)
            if name in contracts.contextless and _defines(
                context, function.owner, contracts.contextless[name]
            ):
                index += 1
            text = inputs[min(index, len(inputs) - 1)]
            if index < 0 or (index >= len(inputs) and not text.startswith("*")):
                return None
            promised = from_text(context.catalog, text.lstrip("*"))
            return None if is_unknown(promised) else promised
    return None


def _defines(context: Context, owner: ClassDefinition, name: str) -> bool:
    """Whether a class of the project, or one that it derives from, defines a method."""
    return any(context.own_member(one, name, False) is not None for one in (owner, *bases_of(context, owner)))


def receiver_of(context: Context, function: FunctionDefinition) -> AbstractValue | None:
    """What the first parameter of a method is; None for a static method."""
    assert function.owner is not None
    decorators = decorator_names(context, function)
    if "builtins.staticmethod" in decorators:
        return None
    if "builtins.classmethod" in decorators or function.name in ("__new__", "__init_subclass__"):
        return just(Class(function.owner))
    return just(Object(function.owner))
