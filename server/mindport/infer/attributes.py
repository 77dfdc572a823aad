"""What attributes of values are."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Final

from mindport.callgraph.argument_facts import MOST_FORMS
from mindport.index import nodes
from mindport.index.definitions import FunctionParameter
from mindport.infer.catalog_types import api_as_value, from_text, read
from mindport.infer.class_members import (
    MODULE,
    bases_of,
    beside,
    class_member,
    decorator_names,
    is_torch_module,
    seems_module,
)
from mindport.infer.containers import MODULE_CONTAINERS
from mindport.infer.imports import library_member
from mindport.infer.named_tuples import NAMED_TUPLE_METHODS
from mindport.infer.values import (
    NEVER,
    NONE,
    UNKNOWN,
    AbstractValue,
    ApiValue,
    Certainty,
    Class,
    Container,
    External,
    ExternalInstance,
    FixedTuple,
    Function,
    Giver,
    HomogeneousContainer,
    Instance,
    KeyedDictionary,
    Method,
    NoneValue,
    Object,
    Partial,
    PartialFunction,
    ProjectModule,
    TorchModule,
    TupleClass,
    Unknown,
    Value,
    has_unknown,
    is_unknown,
    join,
    just,
    taken_of,
)

if TYPE_CHECKING:
    from mindport.index.definitions import ClassDefinition, Definition
    from mindport.index.nodes import Attribute, CallExpression, Expression
    from mindport.infer.context import Context


def attribute(context: Context, receiver: AbstractValue, name: str) -> AbstractValue:
    """`receiver.name`. Alternatives that have no such attribute (None) cannot be what is meant."""
    values = [value for value in receiver.alternatives if type(value) is not NoneValue]
    if len(values) > 1 and any(type(value) is External for value in values):
        values = [value for value in values if not _lacks(context, value, name)]
    results = [_attribute(context, value, name) for value in values]
    found = join(results).widened(receiver.certainty) if results else NEVER
    if not found.alternatives and values and all(_is_module(context, value) for value in values):
        return UNKNOWN
    return found


def _is_module(context: Context, value: Value) -> bool:
    """Whether a value is a module of the project: what it has that none of its classes has is set by what
    cannot be seen, as by a function that it is given to (`set_attributes(self, locals())`)."""
    return type(value) is Object and not value.parent and is_torch_module(context, value.definition)


def _lacks(context: Context, value: Value, name: str) -> bool:
    """Whether a module of torch is known to have no such member, where that of another library may be meant
    that stands in its place: `array`, of `torch` or `jax.numpy`."""
    return type(value) is TorchModule and context.catalog.canonical(f"{value.name}.{name}") is None


def _attribute(context: Context, value: Value, name: str) -> AbstractValue:
    if isinstance(value, Object):
        return _of_object(context, value, name) if name != _CLASS else class_of(value)
    if isinstance(value, (TorchModule, External)):
        return library_member(context, f"{value.name}.{name}")
    if isinstance(value, ProjectModule):
        exported = context.ask(("export", value.path, name))
        return exported if exported.alternatives else UNKNOWN
    if isinstance(value, ApiValue):
        return _of_api(context, value, name)
    if isinstance(value, (Instance, Container)):
        return _of_instance(context, value, name) if name != _CLASS else class_of(value)
    if isinstance(value, Class):
        found = class_member(context, value.definition, name, instance=False, receiver=value)
        if not found.alternatives:
            found = _left_to_subclasses(context, value.definition, name, instance=False)
        return _bound(context, found, on_class=True)
    if isinstance(value, FixedTuple) and name in value.names:
        return value.items[value.names.index(name)]
    if isinstance(value, TupleClass):
        return just(Method(value.declared, name)) if name in NAMED_TUPLE_METHODS else UNKNOWN
    if isinstance(value, (FixedTuple, HomogeneousContainer, KeyedDictionary)):
        return just(Method(value, name)) if name in members_of(value) else NEVER
    if isinstance(value, ExternalInstance):
        members = SCALAR_MEMBERS.get(value.of)
        if members is not None:
            return just(ExternalInstance(f"{value.of}.{name}")) if name in members else NEVER
        if not context.catalog.libraries.never_gives_tensors(value.of):
            owner = context.owner_of_member(name)
            if owner is not None:
                return _of_owner(context, name, owner)
        return just(taken_of(value, f".{name}"))
    if name == "func" and isinstance(value, (Partial, PartialFunction)):
        return just(ApiValue(value.name) if isinstance(value, Partial) else value.function)
    return (
        _of_owner(context, name, context.owner_of_member(name))
        if isinstance(value, (Unknown, Giver))
        else UNKNOWN
    )


_CLASS: Final = "__class__"


def class_of(value: Value) -> AbstractValue:
    """The class of a value: of an object of the project that class, or one that derives from it; of an
    instance of a torch class, some class that gives such."""
    if isinstance(value, Object):
        return AbstractValue((Class(value.definition),), Certainty.LIKELY)
    if isinstance(value, (Instance, Container)):
        return just(Giver(just(Instance(value.of))))
    return UNKNOWN if isinstance(value, (Unknown, Giver)) else just(ExternalInstance("builtins.type"))


def _of_owner(context: Context, name: str, owner: str | None) -> AbstractValue:
    """A member of what nothing is known of, where only objects of one class of torch have such a member: the
    `owner`."""
    member = context.catalog.member(owner, name) if owner is not None else None
    if owner is None or member is None:
        return UNKNOWN
    return AbstractValue((ApiValue(member, Instance(owner)),), Certainty.LIKELY)


def telling_owner(
    context: Context, attribute: Attribute, call: CallExpression | None, receiver: AbstractValue
) -> str | None:
    """The class of torch whose objects alone have a member of this name that is read, or called in this way,
    as far as is known. Arguments tell nothing of what may be an object of the project, too; what they tell of
    a name is known, with all else that is read of it."""
    made = attribute.value.function if isinstance(attribute.value, nodes.CallExpression) else None
    if isinstance(made, nodes.Attribute) and context.catalog.libraries.is_of_others(
        attribute.name, made.name
    ):
        return None
    owner = context.owner_of_member(attribute.name, call is not None)
    if owner is not None or call is None or type(attribute.value) is nodes.Name:
        return owner
    if any(type(one) is Object for one in receiver.alternatives):
        return None
    told = nodes.told_as(attribute.name, call.arguments)
    return next(filter(None, [context.owner_of_member(one, True) for one in told]), None)


def kept_in_context(
    context: Context, definition: Definition, receiver: AbstractValue, name: str, otherwise: AbstractValue
) -> AbstractValue:
    """An attribute of the context that methods of a class are given first: what any of them sets it to."""
    if not isinstance(definition, FunctionParameter) or definition.index != 0:
        return otherwise
    owner, contexts = definition.function.owner, context.catalog.contracts.contexts
    if owner is None or not any(
        isinstance(one, Instance) and one.of in contexts for one in receiver.alternatives
    ):
        return otherwise
    found = [context.own_member(one, name, True) for one in [owner, *bases_of(context, owner)]]
    kept = next((value for value in found if value is not None), None)
    return read(context.catalog, kept).widened(Certainty.LIKELY) if kept is not None else otherwise


def called(context: Context, attribute: Attribute, call: CallExpression) -> AbstractValue:
    """What an attribute is that is called: more names tell what has such a member, and so do arguments."""
    found = context.value(attribute)
    if not has_unknown(found):
        return found
    receiver = context.value(attribute.value)
    if not (has_unknown(receiver) or (is_unknown(found) and is_object(receiver))):
        return found
    owned = _of_owner(context, attribute.name, telling_owner(context, attribute, call, receiver))
    if is_unknown(owned):
        return found
    others = AbstractValue(
        tuple([one for one in found.alternatives if type(one) is not Unknown]), found.certainty
    )
    return join([others, owned])


def is_object(receiver: AbstractValue) -> bool:
    """Whether a value is surely an object of the project."""
    return len(receiver.alternatives) == 1 and type(receiver.alternatives[0]) is Object


def members_of(container: Value) -> frozenset[str]:
    """The names of the members that a builtin container has."""
    if isinstance(container, FixedTuple) and container.names:
        return _NAMED_TUPLE_MEMBERS.union(container.names)
    kind = container.kind if isinstance(container, (FixedTuple, HomogeneousContainer)) else "dict"
    return _BUILTIN_MEMBERS.get(kind, _ITERATOR_MEMBERS)


BUILTIN: Final = frozenset({FixedTuple, HomogeneousContainer, KeyedDictionary})
"""Values that are builtin containers."""
_BUILTIN_MEMBERS: Final = {kind.__name__: frozenset(dir(kind)) for kind in (dict, list, set, tuple)}
SCALAR_MEMBERS: Final = {
    f"builtins.{kind.__name__}": frozenset(dir(kind)) for kind in (bool, bytes, complex, float, int, str)
}
_NAMED_TUPLE_MEMBERS: Final = _BUILTIN_MEMBERS["tuple"] | NAMED_TUPLE_METHODS | {"_fields", "_field_defaults"}
_ITERATOR_MEMBERS: Final = frozenset(dir(types.GeneratorType))


def _of_instance(context: Context, value: Instance | Container, name: str) -> AbstractValue:
    """A member of an instance of a torch class."""
    catalog = context.catalog
    member = catalog.member(value.of, name)
    if member is None and value.of in catalog.contracts.contexts:
        member = catalog.member(catalog.contracts.contexts[value.of], name)
    if member is not None:
        return just(ApiValue(member, value)) if member not in catalog.contracts.abstract else UNKNOWN
    promised = catalog.promised(value.of, name)
    if promised is not None:
        return from_text(catalog, promised, value)
    kept = catalog.contracts.extended.get(f"{value.of}.{name}")
    if kept is None and value.of in MODULE_CONTAINERS:
        return _by_name(value)
    return from_text(catalog, kept, value).widened(Certainty.LIKELY) if kept is not None else UNKNOWN


def _by_name(value: Instance | Container) -> AbstractValue:
    """What a container of modules has under a name that its class has not: one of the modules in it."""
    held = value.element if isinstance(value, Container) else UNKNOWN
    return (just(Instance(MODULE)) if is_unknown(held) else held).widened(Certainty.LIKELY)


def _of_api(context: Context, value: ApiValue, name: str) -> AbstractValue:
    """A member of a torch class, or of what a torch constant or attribute is."""
    catalog = context.catalog
    kind = catalog.kind(value.name)
    if kind == "class":
        member = catalog.member(value.name, name)
        return just(ApiValue(member)) if member is not None else UNKNOWN
    if kind is None:  # unknown to the catalog: what is spelled as its member is unknown too, but torch's
        return just(ApiValue(f"{value.name}.{name}"))
    if kind in ("function", "method"):
        return UNKNOWN
    return attribute(context, api_as_value(catalog, value), name)


def kept_by_modules(context: Context, name: str, read: str) -> AbstractValue:
    """An attribute of which nothing is known: what most modules keep under this name, where a member of it is
    `read` that this has (`layer.weight.data`), and no class of the project that is no module keeps one."""
    kept = context.catalog.contracts.kept_by_modules.get(name)
    if kept is None or context.is_member_of_a_class(name):
        return UNKNOWN
    found = from_text(context.catalog, kept)
    is_owner = any(
        isinstance(one, Instance) and context.catalog.member(one.of, read) is not None
        for one in found.alternatives
    )
    return found.widened(Certainty.LIKELY) if is_owner else UNKNOWN


def of_array(context: Context, expression: Expression, name: str) -> AbstractValue:
    """A member of something of which nothing is known: of a Tensor, where only arrays have it, and only those
    of torch are in use. What an attribute of an object of the project is, all that its methods read tells."""
    owner = context.owner_as_array(name)
    if owner is None or (type(expression) is nodes.Attribute and is_object(context.value(expression.value))):
        return UNKNOWN
    return _of_owner(context, name, owner)


def is_property(context: Context, receiver: AbstractValue, name: str) -> bool:
    """Whether an attribute is worked out by a function of the project each time it is read."""
    for value in receiver.alternatives:
        if isinstance(value, Object):
            found = class_member(
                context, value.definition, name, instance=True, skip_own=value.parent, receiver=value
            )
            for member in found.alternatives:
                if isinstance(member, Function) and _is_property(context, member):
                    return True
    return False


def _is_property(context: Context, member: Function) -> bool:
    return not context.catalog.contracts.properties.isdisjoint(decorator_names(context, member.definition))


def _of_object(context: Context, value: Object, name: str, is_beside: bool = False) -> AbstractValue:
    """An attribute of an object of the project; a property is evaluated. `is_beside`: it is asked for as what
    an object of another class is, too, and may be one of that class in turn."""
    found = class_member(
        context, value.definition, name, instance=True, skip_own=value.parent, receiver=value
    )
    if not found.alternatives:
        found = NEVER if is_beside else _of_mixed(context, value, name)
        if found.alternatives or value.parent:
            return found
        found = _left_to_others(context, value.definition, name)
    elif not (is_beside or value.parent) and all(map(_is_abstract, found.alternatives)):
        mixed = _of_mixed(context, value, name)
        if mixed.alternatives:
            given = context.given_by_subclasses(value.definition, name, True)
            return join([mixed, *(given if len(given) <= MOST_FORMS else [])])
    elif not (is_beside or value.parent) and found == NONE:  # set by a subclass, or from outside
        given = context.given_by_subclasses(value.definition, name, True)
        given.append(context.set_from_outside(value.definition, name))
        return join([found, UNKNOWN, *given]).widened(Certainty.LIKELY)
    elif found is UNKNOWN and not is_beside:  # of a class of which nothing is known, or set to what is not
        return _of_unknown_base(context, value, name)
    results = []
    for member in found.alternatives:
        if isinstance(member, Function) and _is_property(context, member):
            results.append(context.returned_by(member.definition))
        else:
            results.append(just(member))
    return _bound(context, join(results).widened(found.certainty)) if results else found


def _of_unknown_base(context: Context, value: Object, name: str) -> AbstractValue:
    """A member that an object of the project may have from a class of which nothing is known: that of the
    classes that its subclasses derive from beside it, else of the one class of torch whose objects have such
    a member, or of a module, if it seems to be one."""
    mixed = _of_mixed(context, value, name)
    if mixed.alternatives:
        return mixed
    owner = context.owner_of_member(name)
    member = context.catalog.member(MODULE, name) if owner is None and not value.parent else None
    if member is None or member in context.catalog.contracts.abstract:
        return _of_owner(context, name, owner)
    return _of_owner(context, name, MODULE if seems_module(context, value.definition) else None)


def _is_abstract(member: Value) -> bool:
    """Whether a member of a class is a method, or a property, that is left to others."""
    return isinstance(member, Function) and member.definition.is_abstract


def _of_mixed(context: Context, value: Object, name: str) -> AbstractValue:
    """An attribute that a class has not, or leaves to others: that of the classes that its subclasses derive
    from beside it."""
    others = [
        _of_object(context, one, name, is_beside=True)
        if isinstance(one, Object)
        else _attribute(context, one, name)
        for one in beside(context, value.definition)
    ]
    known = [one for one in others if one.alternatives]
    return join(known).widened(Certainty.LIKELY) if known else NEVER


def _left_to_subclasses(
    context: Context, definition: ClassDefinition, name: str, *, instance: bool
) -> AbstractValue:
    """An attribute that a class has not: what its subclasses have, which it is written for; never, where none
    of them has it."""
    given = context.given_by_subclasses(definition, name, instance)
    known = [one for one in given if one.alternatives]
    return join([UNKNOWN, *known]).widened(Certainty.LIKELY) if known else NEVER


def _left_to_others(context: Context, definition: ClassDefinition, name: str) -> AbstractValue:
    """An attribute that a class has not: what its subclasses have, or code outside of it sets."""
    found = _left_to_subclasses(context, definition, name, instance=True)
    given = context.set_from_outside(definition, name)
    if given.alternatives and all(type(value) is ExternalInstance for value in given.alternatives):
        return join([found, given]).widened(Certainty.LIKELY)  # a number, or a text
    return join([UNKNOWN, found, given]).widened(Certainty.LIKELY) if given.alternatives else found


_CLASS_METHOD: Final = "builtins.classmethod"
_STATIC_METHOD: Final = "builtins.staticmethod"


def _bound(context: Context, found: AbstractValue, on_class: bool = False) -> AbstractValue:
    """Functions read from an object, or from a class, with the receiver that Python binds to them."""
    for value in found.alternatives:
        if type(value) is Function and value.definition.owner is not None:
            break
    else:
        return found
    kept = tuple([_bound_one(context, value, on_class) for value in found.alternatives])
    return AbstractValue(kept, found.certainty)


def _bound_one(context: Context, value: Value, on_class: bool) -> Value:
    if not isinstance(value, Function) or value.is_bound or value.definition.owner is None:
        return value
    names = decorator_names(context, value.definition)
    is_bound = _CLASS_METHOD in names if on_class else _STATIC_METHOD not in names
    return Function(value.definition, True) if is_bound else value
