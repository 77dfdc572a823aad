"""What calls give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mindport.index.nodes import CallExpression
from mindport.infer import named_tuples
from mindport.infer.catalog_types import from_text, read, returned
from mindport.infer.class_members import (
    MODULE,
    OVERRIDE,
    class_member,
    derives_from_module,
    is_tensor,
    is_torch_module,
    overrides_torch,
    torch_base,
)
from mindport.infer.containers import MODULE_CONTAINERS, MODULE_DICT, SEQUENTIAL, element, item, method_result
from mindport.infer.library_calls import library_call
from mindport.infer.values import (
    A_TENSOR,
    LIKELY_TENSOR,
    NEVER,
    TENSOR,
    UNKNOWN,
    AbstractValue,
    ApiValue,
    Certainty,
    Class,
    Container,
    External,
    ExternalInstance,
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
    TorchModule,
    TupleClass,
    TypeAlias,
    Unknown,
    Value,
    has_unknown,
    is_unknown,
    join,
    just,
    taken_of,
)

if TYPE_CHECKING:
    from mindport.index.definitions import FunctionParameter
    from mindport.index.nodes import Expression
    from mindport.infer.context import Context


_NOT_CALLED: Final = frozenset(f"builtins.{name}" for name in ("bool", "bytes", "float", "int", "str"))


def call(context: Context, function: AbstractValue, expression: CallExpression | None) -> AbstractValue:
    """What calling `function` gives. `expression` is the call; None where it is called by something else."""
    results = [
        _call(context, value, expression) for value in function.alternatives if type(value) is not NoneValue
    ]
    return join(results).widened(function.certainty) if results else NEVER


def _call(context: Context, value: Value, expression: CallExpression | None) -> AbstractValue:
    if isinstance(value, ApiValue):
        if value.name in MODULE_CONTAINERS and expression is not None:
            return _container(context, value.name, expression)
        applied = context.catalog.contracts.applying.get(value.name)
        if applied is not None and isinstance(value.receiver, Class):
            return call(
                context, class_member(context, value.receiver.definition, applied, instance=False), None
            )
        overridden = _overridden(context, value, expression) if expression is not None else None
        if overridden is not None:
            return overridden
        made = _iterated(context, value.name, expression)
        if made is None and expression is not None:
            made = _of_first(context, value.name, expression)
        if made is not None:
            return made
        given = returned(context, value, expression)
        return _or_own(value.receiver, given) if isinstance(value.receiver, Object) else given
    if isinstance(value, TorchModule) and expression is not None:  # a function by the name of its module
        return _of_first(context, value.name, expression) or UNKNOWN
    if isinstance(value, Partial):
        return returned(context, ApiValue(value.name), None)
    if isinstance(value, Function):
        return _call_function(context, value, expression)
    if isinstance(value, PartialFunction):
        return call(context, just(value.function), None)
    if isinstance(value, Class):
        return just(Object(value.definition))
    if isinstance(value, TupleClass):
        return named_tuples.made(context, value, expression)
    if isinstance(value, Object):
        return _call_object(context, value)
    if isinstance(value, Instance):
        return _call_instance(context, value)
    if isinstance(value, Container):
        return call(context, value.last, None) if value.of == SEQUENTIAL else UNKNOWN
    if isinstance(value, Method):
        result = named_tuples.method_result(context, value, expression)
        return method_result(context, value, expression) if result is None else result
    if isinstance(value, External):
        return library_call(context, value, expression) if expression is not None else UNKNOWN
    if isinstance(value, ExternalInstance):
        return NEVER if value.of in _NOT_CALLED else library_instance_call(context, value)
    if type(value) is Giver:
        return value.result.widened(Certainty.LIKELY)
    return value.declared if type(value) is TypeAlias else UNKNOWN


_FUNCTIONS: Final = (ApiValue, Function, Partial, PartialFunction)


def _of_first(context: Context, name: str, expression: CallExpression) -> AbstractValue | None:
    """What a function of torch gives that gives its first argument, or what calling that with the others
    gives; None where it is no such function, or that tells nothing. A function of torch that is wrapped is
    another."""
    contracts = context.catalog.contracts
    scripted = contracts.scripting.get(name)
    if name not in contracts.wrapping and name not in contracts.passing and scripted is None:
        return None
    first = expression.arguments[0] if expression.arguments else None
    if first is None or first.unpack or first.keyword is not None:
        return None
    found = context.value(first.value)
    if scripted is not None:
        is_function = any(type(value) in _FUNCTIONS for value in found.alternatives)
        return found if is_function else join([found, just(Instance(scripted))]).widened(Certainty.LIKELY)
    if name in contracts.passing:
        start, end, opening = expression.start, expression.end, expression.arguments_start
        passed = CallExpression(start, end, first.value, opening, expression.arguments[1:])
        made = call(context, found, passed)
        found = or_tensor(context, found, made, passed) if has_unknown(made) else made
    else:
        found = AbstractValue(
            tuple([_wrapped(context, value) for value in found.alternatives]), found.certainty
        )
    return None if is_unknown(found) else found.widened(Certainty.LIKELY)


def _wrapped(context: Context, value: Value) -> Value:
    return Giver(call(context, just(value), None)) if isinstance(value, ApiValue) else value


def _or_own(receiver: Object, result: AbstractValue) -> AbstractValue:
    """What a method of a Tensor gives: called of an object of a class that derives from it, mostly another
    such object."""
    if receiver.parent or result != A_TENSOR:
        return result
    return AbstractValue((*result.alternatives, receiver), Certainty.LIKELY)


def or_tensor(
    context: Context, function: AbstractValue, found: AbstractValue, call: CallExpression
) -> AbstractValue:
    """What a call gives of which not all is known: where something of the project, or that nobody knows, is
    called with a Tensor first, mostly a Tensor, too."""
    arguments = call.arguments
    if not arguments or arguments[0].unpack or not any(type(one) in _OPEN for one in function.alternatives):
        return found
    given = read(context.catalog, context.value(arguments[0].value)).alternatives
    if not given or not all(type(one) is Instance and one.of == TENSOR for one in given):
        return found
    return join([found, LIKELY_TENSOR])


_OPEN: Final = frozenset({Unknown, Function, Object, Container})
"""What may give something that cannot be told."""


def _iterated(context: Context, name: str, call: CallExpression | None) -> AbstractValue | None:
    """An instance of a class of which it is known what iterating over it gives (`DataLoader`)."""
    promised = context.catalog.contracts.iterated.get(name)
    if promised is None or call is None:
        return None
    usual = from_text(context.catalog, promised["gives"]).widened(Certainty.LIKELY)
    held = _made_by(context, call, promised["unless"], usual) if promised["unless"] else usual
    return just(Container(name, held, held))


def _made_by(context: Context, call: CallExpression, keyword: str, usual: AbstractValue) -> AbstractValue:
    """What the function gives that a call has for a keyword, the `usual` thing where it has none."""
    for argument in call.arguments:
        if argument.keyword == keyword:
            function = context.value(argument.value)
            is_none = [isinstance(value, NoneValue) for value in function.alternatives]
            made = usual if all(is_none) else context.called(function)
            if is_unknown(made):
                return made
            return join([made, *([usual] if any(is_none) else [])]).widened(Certainty.LIKELY)
        if argument.unpack == "**" and _may_give(context, argument.value, keyword):
            return UNKNOWN
    return usual


def _may_give(context: Context, mapping: Expression, key: str) -> bool:
    """Whether a mapping may give a function for a keyword: it has the key, or may have functions under other
    keys. Of what dictionaries hold of which nothing is known, little is a function."""
    for value in context.value(mapping).alternatives:
        if isinstance(value, KeyedDictionary) and all(name != key for name, _ in value.items):
            held = value.rest.alternatives
        elif isinstance(value, HomogeneousContainer) and value.kind == "dict":
            held = tuple([one for one in value.element.alternatives if type(one) is not Unknown])
        else:
            return True
        if not all(isinstance(one, (ExternalInstance, NoneValue)) for one in held):
            return True
    return False


def _overridden(context: Context, api: ApiValue, call: CallExpression) -> AbstractValue | None:
    """What a call of torch gives, where an argument may say itself what comes of it; None where none may.
    What such an object says of a function is mostly what its method of that name gives."""
    if not context.is_member_of_a_class(OVERRIDE) or context.catalog.kind(api.name) == "class":
        return None
    results: list[AbstractValue] = []
    is_plain, is_open = True, False
    for position, argument in enumerate(call.arguments):
        alternatives = context.value(argument.value).alternatives
        overriding = [value for value in alternatives if overrides_torch(context, value)]
        for value in overriding:
            is_first = position == 0 and api.receiver is None
            results.append(_by_method(context, value, api, call) if is_first else UNKNOWN)
        is_plain = is_plain and len(overriding) < max(len(alternatives), 1)
        is_open = is_open or any(isinstance(value, Unknown) for value in alternatives)
    if is_plain and (results or is_open):
        results.append(returned(context, api, call))
    return join(results).widened(Certainty.LIKELY) if results else None


def _by_method(context: Context, value: Value, api: ApiValue, expression: CallExpression) -> AbstractValue:
    """What the method of an object gives that is called as a function of torch; of a kind of Tensor that has
    none of its own, mostly what the function does."""
    assert isinstance(value, Object)
    name = api.name.rpartition(".")[2]
    method = class_member(context, value.definition, name, instance=True, receiver=value)
    if any(isinstance(one, Function) for one in method.alternatives):
        return call(context, method, None)
    if not is_tensor(context, value):
        return UNKNOWN
    return join([UNKNOWN, _or_own(value, returned(context, api, expression))])


def _call_function(context: Context, value: Function, expression: CallExpression | None) -> AbstractValue:
    """What a function gives; what it gives back of what it was given, as this call gives it."""
    function = value.definition
    if expression is None or not function.passed_back():
        return context.returned_by(function)
    results = [context.returned_by(function, own=True)]
    for parameter in function.passed_back():
        given = _argument_for(expression, parameter, int(value.is_bound))
        if given is not None:
            told = context.value(given)
            results.append(context.taken_as(parameter) if is_unknown(told) else told)
        elif parameter.default is not None:
            results.append(context.default_of(parameter))
        else:
            results.append(UNKNOWN)
    return join(results)


def _argument_for(call: CallExpression, parameter: FunctionParameter, skipped: int) -> Expression | None:
    """What a call gives for a parameter, as written; None where it gives nothing, or that cannot be told.
    `skipped` parameters are not given by calls: the receiver."""
    for argument in call.arguments:
        if argument.keyword == parameter.name:
            return argument.value
    position = parameter.index - skipped
    before = call.arguments[: position + 1]
    if parameter.kind == "keyword_only" or not 0 <= position < len(call.arguments):
        return None
    is_plain = not any(one.unpack or one.keyword is not None for one in before)
    return before[-1].value if is_plain else None


def library_instance_call(context: Context, value: ExternalInstance) -> AbstractValue:
    """Calling a member of what a library gave."""
    if context.catalog.libraries.never_gives_tensors(value.of):
        return just(taken_of(value, "()"))
    return UNKNOWN


def _call_object(context: Context, value: Object) -> AbstractValue:
    """Calling an object of the project: its `__call__`, or what its `forward` gives if it is a module."""
    own = class_member(context, value.definition, "__call__", instance=False)
    if any(isinstance(member, Function) for member in own.alternatives):
        return call(context, own, None)
    if is_torch_module(context, value.definition):
        forward = class_member(context, value.definition, "forward", instance=True, receiver=value)
        inherited = torch_base(context, value.definition, MODULE)
        if inherited is not None and all(isinstance(one, ApiValue) for one in forward.alternatives):
            return _call_instance(context, Instance(inherited))
        return _by_subclasses(context, value) if is_unknown(forward) else call(context, forward, None)
    return UNKNOWN


def _by_subclasses(context: Context, value: Object) -> AbstractValue:
    """What the `forward` of the next subclasses gives, where the class of a module leaves it to them."""
    given = context.given_by_subclasses(value.definition, "forward", False)
    results = [call(context, one, None) for one in given]
    known = [one for one in results if one.alternatives]
    return join([UNKNOWN, *known]).widened(Certainty.LIKELY) if known else UNKNOWN


def _call_instance(context: Context, value: Instance) -> AbstractValue:
    """Calling an instance of a torch class: what its `forward` gives if it is a module."""
    promised = context.catalog.contracts.calls.get(value.of)
    if promised is not None:
        return from_text(context.catalog, promised).widened(Certainty.LIKELY)
    name = "forward" if derives_from_module(context, value.of) else "__call__"
    member = context.catalog.member(value.of, name)
    return returned(context, ApiValue(member, value), None) if member is not None else UNKNOWN


def _are_named(held: AbstractValue) -> bool:
    """Whether a container is made of a dictionary of what it holds: `nn.Sequential(OrderedDict(...))`."""
    kinds = [one for one in held.alternatives if isinstance(one, HomogeneousContainer)]
    is_keyed = any(isinstance(one, KeyedDictionary) for one in held.alternatives)
    return is_keyed or any(one.kind == "dict" for one in kinds)


def _container(context: Context, name: str, expression: CallExpression) -> AbstractValue:
    """`nn.Sequential(a, b)`, `nn.ModuleList([a, b])`: remember what it is made of."""
    parts: list[AbstractValue] = []
    for argument in expression.arguments:
        held = context.value(argument.value)
        if name == MODULE_DICT or (name == SEQUENTIAL and not argument.unpack and _are_named(held)):
            held = item(context, held, None)
        elif argument.unpack or name != SEQUENTIAL:
            held = element(context, held)
        parts.append(held)
    if not parts:
        return just(Instance(name))
    return just(Container(name, join(parts), parts[-1]))
