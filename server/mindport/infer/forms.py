"""Values as plain data, and back: see `callgraph/argument_facts.py`.

A form is a tuple that begins with the name of the kind of value. Classes, functions and objects of the
project are told by the path of their module and their qualified name, and looked up when a form is read.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from mindport.callgraph.argument_facts import ANYTHING, LEFT_OUT
from mindport.index.definitions import ClassDefinition, FunctionDefinition
from mindport.infer.values import (
    NONE,
    UNKNOWN,
    AbstractValue,
    ApiValue,
    Class,
    Container,
    External,
    ExternalInstance,
    FixedTuple,
    Function,
    HomogeneousContainer,
    Instance,
    KeyedDictionary,
    NoneValue,
    Object,
    Partial,
    PartialFunction,
    ProjectModule,
    TorchModule,
    TupleClass,
    Unknown,
    Value,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.callgraph.argument_facts import Form
    from mindport.infer.context import Context

_DEEPEST: Final = 2
"""Containers in containers deeper than this hold anything."""


def forms_of(result: AbstractValue) -> frozenset[Form]:
    """The alternatives of a value that say something, as data."""
    found = [_form(value, 0) for value in result.alternatives if type(value) is not Unknown]
    return frozenset([form for form in found if form is not ANYTHING])


def telling_forms_of(result: AbstractValue) -> frozenset[Form]:
    """Those of the forms that have to do with torch or the project: the others tell only what something is
    not."""
    for value in result.alternatives:
        if type(value) not in _MUTE:
            return frozenset([form for form in forms_of(result) if _tells(form)])
    return _NO_FORMS


def _tells(form: Form) -> bool:
    kind = form[0]
    if kind == "FixedTuple":
        return any(_tells(one) for item in form[2] for one in item)
    if kind == "HomogeneousContainer":
        return any(_tells(one) for one in form[2])
    if kind == "KeyedDictionary":
        return any(_tells(one) for _, item in form[1] for one in item) or any(_tells(one) for one in form[2])
    return kind not in _UNTELLING


def _forms(result: AbstractValue, depth: int) -> tuple[Form, ...]:
    return _sorted({_form(value, depth) for value in result.alternatives})


def _sorted(forms: Collection[Form]) -> tuple[Form, ...]:
    """In an order that rests on what they say alone."""
    return tuple(forms) if len(forms) < 2 else tuple(sorted(forms, key=repr))


def _form(value: Value, depth: int) -> Form:
    if isinstance(value, Unknown):
        return ANYTHING
    if isinstance(value, Instance):
        return "Instance", value.of
    if isinstance(value, ExternalInstance):
        return "ExternalInstance", _library_part(value.of)
    if isinstance(value, (TorchModule, Partial, External)):
        return type(value).__name__, value.name
    if isinstance(value, ApiValue):
        return ("ApiValue", value.name)
    if isinstance(value, ProjectModule):
        return "ProjectModule", value.path
    if isinstance(value, NoneValue):
        return ("NoneValue",)
    if isinstance(value, (Class, Object)):
        return _placed(type(value).__name__, value.definition)
    if isinstance(value, Function):
        return (*_placed("Function", value.definition), value.is_bound)
    if depth >= _DEEPEST:
        return ANYTHING
    if isinstance(value, FixedTuple):
        names = " ".join(value.names)
        return "FixedTuple", value.kind, tuple(_forms(item, depth + 1) for item in value.items), names
    if isinstance(value, TupleClass):
        defaults = tuple(_forms(item, depth + 1) for item in value.defaults)
        return "TupleClass", _form(value.declared, depth), defaults, value.path, value.name
    if isinstance(value, HomogeneousContainer):
        return "HomogeneousContainer", value.kind, _forms(value.element, depth + 1)
    if isinstance(value, KeyedDictionary):
        items = tuple((key, _forms(item, depth + 1)) for key, item in value.items)
        return "KeyedDictionary", items, _forms(value.rest, depth + 1)
    if isinstance(value, PartialFunction):
        inner = _form(value.function, depth + 1)
        return inner if inner is ANYTHING else ("PartialFunction", inner, value.given)
    if isinstance(value, Container):
        return "Container", value.of, _forms(value.element, depth + 1), _forms(value.last, depth + 1)
    return ANYTHING


def _library_part(name: str) -> str:
    """Of what a library gave, what it was that gave it: not what was made of that since."""
    return name.partition("(")[0].partition("[")[0]


def _placed(kind: str, definition: ClassDefinition | FunctionDefinition) -> Form:
    module = definition.scope.block.module if definition.scope is not None else None
    if module is None or "<lambda" in definition.qualified_name:
        return ANYTHING
    return kind, module.path, definition.qualified_name


def value_of(context: Context, forms: frozenset[Form] | tuple[Form, ...]) -> AbstractValue:
    """The value that any of these forms is."""
    return join([_value(context, form) for form in _sorted(forms) if form != LEFT_OUT])


def any_of(context: Context, forms: frozenset[Form]) -> AbstractValue:
    """The same, where more alternatives than an expression is told to have say something, too."""
    found = [value for form in _sorted(forms) for value in _value(context, form).alternatives]
    return AbstractValue(tuple(dict.fromkeys(found)))


def _value(context: Context, form: Form) -> AbstractValue:
    kind = form[0]
    if kind in _NAMED:
        return just(_NAMED[kind](form[1]))
    if kind == "NoneValue":
        return NONE
    if kind in ("Class", "Object", "Function"):
        definition = context.placed(form[1], form[2])
        if isinstance(definition, ClassDefinition) and kind != "Function":
            return just(Class(definition) if kind == "Class" else Object(definition))
        if isinstance(definition, FunctionDefinition) and kind == "Function":
            return just(Function(definition, form[3]))
        return UNKNOWN
    if kind == "FixedTuple":
        return just(_fixed_tuple(context, form))
    if kind == "TupleClass":
        defaults = tuple([value_of(context, item) for item in form[2]])
        return just(TupleClass(_fixed_tuple(context, form[1]), defaults, form[3], form[4]))
    if kind == "HomogeneousContainer":
        return just(HomogeneousContainer(form[1], value_of(context, form[2])))
    if kind == "KeyedDictionary":
        items = tuple([(key, value_of(context, item)) for key, item in form[1]])
        return just(KeyedDictionary(items, value_of(context, form[2])))
    if kind == "PartialFunction":
        found = _value(context, form[1]).alternatives
        return join([just(PartialFunction(value, form[2])) for value in found])
    if kind == "Container":
        return just(Container(form[1], value_of(context, form[2]), value_of(context, form[3])))
    return UNKNOWN


def _fixed_tuple(context: Context, form: Form) -> FixedTuple:
    items = tuple([value_of(context, item) for item in form[2]])
    return FixedTuple(form[1], items, tuple(form[3].split()))


_NO_FORMS: Final[frozenset[Form]] = frozenset()
_MUTE: Final = frozenset({ExternalInstance, External, NoneValue, Unknown})
_UNTELLING: Final = frozenset({"ExternalInstance", "External", "NoneValue", ANYTHING[0]})
_NAMED: Final[dict[str, type]] = {
    one.__name__: one
    for one in (Instance, ExternalInstance, TorchModule, Partial, External, ApiValue, ProjectModule)
}
