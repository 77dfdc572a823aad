"""What the calls in a block give for the parameters of functions and classes of the project."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.callgraph.argument_facts import (
    ANYTHING,
    DEFINED,
    LEFT_OUT,
    TAKES_SECOND_GRADIENTS,
    Form,
    Given,
    ParameterKey,
    as_pair,
    attribute_key,
    member_key,
    mixed_key,
    mixed_root_key,
    owner_key,
    parameter_key,
    result_key,
    set_key,
    subclass_key,
)
from mindport.index.definitions import CONSTRUCTOR, Assigned, FunctionDefinition
from mindport.index.nodes import CallArgument, CallExpression, last_name
from mindport.infer.argument_values import GivenArgument, given_arguments
from mindport.infer.catalog_types import from_text
from mindport.infer.class_members import (
    OVERRIDE,
    bases_of,
    class_member,
    has_torch_base,
    is_torch_module,
    overrides_torch,
    torch_root,
    tuple_base,
)
from mindport.infer.containers import element
from mindport.infer.forms import forms_of, telling_forms_of
from mindport.infer.member_names import member_names, parts_of
from mindport.infer.named_tuples import given_fields
from mindport.infer.networks import called_in_network, wrapper_in
from mindport.infer.parameters import receiver_of
from mindport.infer.second_gradients import may_take, second_gradients
from mindport.infer.values import (
    A_NUMBER,
    TENSOR,
    UNKNOWN,
    AbstractValue,
    ApiValue,
    Class,
    External,
    FixedTuple,
    Function,
    HomogeneousContainer,
    KeyedDictionary,
    Object,
    PartialFunction,
    TorchModule,
    TupleClass,
    Value,
    just,
)

if TYPE_CHECKING:
    from mindport.catalog.libraries import Starting
    from mindport.index.block import Block
    from mindport.index.definitions import FunctionParameter
    from mindport.index.module import Module
    from mindport.index.nodes import Expression
    from mindport.infer.context import Context


class Callee(NamedTuple):
    """A function of the project that a call reaches; the first `given` of its parameters get no argument of
    the call: the receiver, and what a `partial` gives. `is_partial`: a `partial` may give others, too, by
    keyword."""

    function: FunctionDefinition
    given: int
    is_partial: bool = False


def given_by(context: Context, block: Block) -> Given:
    """What the calls in a block give. A parameter that a call reaches, but tells nothing of, has no forms."""
    found: dict[ParameterKey, frozenset[Form]] = {}
    promising = context.catalog.contracts.methods
    """Of inputs of these, it also counts what speaks against what they are promised."""
    with context.inside(block):
        given_to = [one for call in block.calls for one in _of_call(context, call)]
        given_to += _of_decorators(context, block)
        for parameter, value in given_to:
            if isinstance(parameter, ParameterKey):
                _add(found, parameter, telling_forms_of(value or UNKNOWN))
                continue
            if value is None:
                forms = _LEFT_OUT
            elif parameter.function.name in promising:
                forms = forms_of(value)
            else:
                forms = telling_forms_of(value)
            if not forms and parameter.has_telling_default():
                forms = _ANYTHING
            _add(found, key_of(parameter), forms)
        for tell in _telling(block):
            for key, form in tell(context, block):
                _add(found, key, frozenset((form,)))
        told = second_gradients(context, block).told
        for key in (*called_in_network(context, block), *wrapper_in(block), *told):
            _add(found, key, _DEFINED)
    found.update(defined_by(context, block))
    return found


_Telling = Callable[["Context", "Block"], Iterator[tuple[ParameterKey, Form]]]


def _telling(block: Block) -> list[_Telling]:
    """What tells something of a block beside its calls, as far as it has what that is about."""
    found: list[_Telling] = [_results] if block.members else []
    if block.classes:
        found += [_subclasses, _mixed]
    if parts_of(block):
        found += [_owners, _kept_elsewhere, _paired]
    if block.set_outside:
        found.append(_set_outside)
    return found


def _add(found: dict[ParameterKey, frozenset[Form]], key: ParameterKey, forms: frozenset[Form]) -> None:
    known = found.get(key)
    found[key] = forms if known is None else known | forms


def defined_by(context: Context, block: Block) -> Given:
    """The members of classes in a block whose names tell Tensors from other things otherwise, and whether it
    may take gradients of gradients: what all code asks for is known before anything is evaluated."""
    package = package_of(block.module)
    found = {member_key(package, name): _DEFINED for name in member_names(context, block)}
    if may_take(context, block):
        found[TAKES_SECOND_GRADIENTS] = _DEFINED
    return found


def package_of(module: Module | None) -> str:
    """The top-level name of the package that a module belongs to."""
    return module.name.partition(".")[0] if module is not None else ""


def _subclasses(context: Context, block: Block) -> Iterator[tuple[ParameterKey, Form]]:
    """The classes that classes in a block derive from, each with the form of the subclass."""
    for definition in block.classes:
        for base in definition.bases:
            for value in context.definition(base).alternatives:
                for form in forms_of(just(Class(definition))) if isinstance(value, Class) else ():
                    told = forms_of(just(value))
                    yield from [(subclass_key(one[1], one[2]), form) for one in told]


def _mixed(context: Context, block: Block) -> Iterator[tuple[ParameterKey, Form]]:
    """Of classes that classes in a block derive from, and that have nothing of torch: which classes of torch,
    or of the project that derive from one, stand beside them."""
    for definition in block.classes:
        if len(definition.bases) < 2:
            continue
        bases = [value for base in definition.bases for value in context.definition(base).alternatives]
        found = [value for value in map(partial(_of_torch, context), bases) if value is not None]
        forms = {form for value in found for form in forms_of(just(value))}
        roots = {form for value in found for form in forms_of(torch_root(context, value))}
        for value in bases if forms else ():
            if isinstance(value, Class) and _of_torch(context, value) is None:
                for mixin in [value.definition, *bases_of(context, value.definition)]:
                    for one in forms_of(just(Class(mixin))):
                        yield from [(mixed_key(one[1], one[2]), form) for form in forms]
                        yield from [(mixed_root_key(one[1], one[2]), form) for form in roots]


def _of_torch(context: Context, value: Value) -> Value | None:
    """What of a base is torch's: a class of torch, or the class of the project that derives from one; of
    several, the last, so that few are told of a large family."""
    if isinstance(value, ApiValue):
        return value
    if not isinstance(value, Class):
        return None
    family = [value.definition, *bases_of(context, value.definition)]
    found = [one for one in family if has_torch_base(context, one)]
    return Class(found[-1]) if found else None


def _owners(context: Context, block: Block) -> Iterator[tuple[ParameterKey, Form]]:
    """Of classes in a block whose objects say themselves what torch makes of them, the members that no class
    they derive from has, and that no Tensor has: they tell such objects from Tensors."""
    if not context.is_member_of_a_class(OVERRIDE):
        return
    package = package_of(block.module)
    for part in parts_of(block):
        owner = part.owner
        if not overrides_torch(context, Object(owner)):
            continue
        bases = bases_of(context, owner)
        for name in {*part.namespace, *part.attributes}:
            if name.startswith("__") or context.catalog.member(TENSOR, name) is not None:
                continue
            if all(context.own_member(base, name, True) is None for base in bases):
                yield from [(owner_key(package, name), form) for form in forms_of(just(Class(owner)))]


def _kept_elsewhere(context: Context, block: Block) -> Iterator[tuple[ParameterKey, Form]]:
    """Of classes in a block that are no modules, attributes that they keep under names by which most modules
    keep a Parameter."""
    kept = context.catalog.contracts.kept_by_modules
    package = package_of(block.module)
    for part in parts_of(block):
        names = [name for name in kept if name in part.namespace or name in part.attributes]
        if names and not is_torch_module(context, part.owner):
            yield from [(member_key(package, name), DEFINED) for name in names]


def _paired(context: Context, block: Block) -> Iterator[tuple[ParameterKey, Form]]:
    """Of classes in a block that have two members, one of them of their own, that tell together what else an
    object is: that they have both."""
    libraries = context.catalog.libraries
    package = package_of(block.module)
    for part in parts_of(block):
        own = [name for name in libraries.paired if name in part.namespace or name in part.attributes]
        for pair in libraries.pairs if own else ():
            if any(name in own for name in pair):
                found = [class_member(context, part.owner, name, instance=True) for name in pair]
                if all(one.alternatives for one in found):
                    yield member_key(package, as_pair(*pair)), DEFINED


def _results(context: Context, block: Block) -> Iterator[tuple[ParameterKey, Form]]:
    """What methods that are left to subclasses have to give, by the members that the block reads of it."""
    for definition in block.members:
        if not isinstance(definition, Assigned) or definition.path:
            continue
        if not isinstance(definition.value, CallExpression):
            continue
        for value in context.value(definition.value.function).alternatives:
            if isinstance(value, Function) and value.definition.is_abstract:
                owner = context.owner_by_members(definition)
                for form in forms_of(just(owner)) if owner is not None else ():
                    yield result_of(value.definition), form


def _set_outside(context: Context, block: Block) -> Iterator[tuple[ParameterKey, Form]]:
    """What a block sets attributes of objects of the project to, outside of the methods of their class."""
    for attribute, definition in block.set_outside:
        for value in context.value(attribute.value).alternatives:
            if not isinstance(value, (Class, Object)):
                continue
            forms = _set_forms(context.definition(definition))
            for placed in forms_of(just(Class(value.definition))):
                yield set_key(attribute.name), DEFINED
                yield from [(attribute_key(placed[1], placed[2], attribute.name), form) for form in forms]


def _set_forms(result: AbstractValue) -> frozenset[Form]:
    """What of that which an attribute is set to tells something: a container does, too, which others fill;
    where nothing does, what else it is, or that it is set."""
    for value in result.alternatives:
        if type(value) in _FILLABLE:
            return forms_of(result)
    return telling_forms_of(result) or forms_of(result) or _ANYTHING


_FILLABLE: Final = frozenset({FixedTuple, HomogeneousContainer, KeyedDictionary})


def key_of(parameter: FunctionParameter) -> ParameterKey:
    """How others tell a parameter."""
    scope = parameter.function.scope
    module = scope.block.module if scope is not None else None
    return parameter_key(module.path if module else "", parameter.function.qualified_name, parameter.name)


def result_of(function: FunctionDefinition) -> ParameterKey:
    """How others tell what a function gives."""
    module = function.scope.block.module if function.scope is not None else None
    return result_key(module.path if module is not None else "", function.qualified_name)


def _of_decorators(
    context: Context, block: Block
) -> Iterator[tuple[FunctionParameter | ParameterKey, AbstractValue | None]]:
    """What decorating the functions of a block gives: the decorator gets the function, and what it gives in
    place of a method gets the receiver first."""
    for function in block.placed:
        if not isinstance(function, FunctionDefinition) or not function.decorators:
            continue
        for decorator in function.decorators:
            for value in context.in_other_block(block, decorator).alternatives:
                if isinstance(value, Function):
                    yield from _to_first(value, just(Function(function)))
                    receiver = receiver_of(context, function) if function.owner is not None else None
                    if receiver is not None:
                        for given in context.returned_by(value.definition).alternatives:
                            yield from _to_receiver(given, receiver)


def _to_first(
    function: Function, value: AbstractValue
) -> list[tuple[FunctionParameter | ParameterKey, AbstractValue | None]]:
    """What a call with one argument gives."""
    return _given_to(Callee(function.definition, int(function.is_bound)), [GivenArgument(0, None, value)])


def _to_receiver(
    given: Value, receiver: AbstractValue
) -> Iterator[tuple[FunctionParameter, AbstractValue | None]]:
    """The object that a function is given first that stands in place of a method."""
    if isinstance(given, Function) and given.definition.owner is None:
        parameter = _parameter(Callee(given.definition, 0), GivenArgument(0, None, receiver))
        if parameter is not None and parameter.kind != "variadic":
            yield parameter, receiver


_ANYTHING: Final = frozenset({ANYTHING})
_DEFINED: Final = frozenset({DEFINED})
_LEFT_OUT: Final = frozenset({LEFT_OUT})


def _of_call(
    context: Context, call: CallExpression
) -> Sequence[tuple[FunctionParameter | ParameterKey, AbstractValue | None]]:
    """What a call gives for parameters, and for fields of named tuples; None for parameters that it leaves to
    a default value that matters."""
    function = context.value(call.function)
    kinds = [type(value) for value in function.alternatives]
    starting = context.catalog.contracts.starting.get(last_name(call.function))
    if starting is not None and _NOT_STARTING.isdisjoint(kinds):
        return _of_start(context, function, call, starting)
    if _REACHING.isdisjoint(kinds):
        return ()
    found: list[tuple[FunctionParameter | ParameterKey, AbstractValue | None]] = []
    if External in kinds:
        found += _of_library_call(context, function, call)
    reached: list[Callee] = []
    for value in function.alternatives:
        kind = _tuple_class(context, value)
        if kind is not None:
            found += given_fields(context, kind, call)
        if type(value) is ApiValue:
            found += _of_torch_call(context, value.name, call)
        if type(value) in _CALLING:
            reached += callees(context, value)
    if reached:
        arguments = given_arguments(context, call.arguments)
        for callee in reached:
            found += _given_to(callee, arguments)
    return found


def _of_torch_call(
    context: Context, name: str, call: CallExpression
) -> Iterable[tuple[FunctionParameter | ParameterKey, AbstractValue | None]]:
    """What a function of torch gives to the function that is its first argument."""
    if name in context.handed:
        return _handed(context, name, call)
    if name not in context.catalog.contracts.passing or not call.arguments or call.arguments[0].unpack:
        return ()
    return _given_to_any(
        context, context.value(call.arguments[0].value), given_arguments(context, call.arguments[1:])
    )


def _handed(
    context: Context, name: str, call: CallExpression
) -> Iterator[tuple[FunctionParameter | ParameterKey, AbstractValue | None]]:
    """What a function of torch hands to the function that is its first argument: hooks, what is applied to
    all modules."""
    handed = context.handed[name]
    first = call.arguments[0]
    if first.unpack or any(one.keyword == handed["unless"] for one in call.arguments):
        return
    types: list[str] = handed["gives"]
    for value in context.value(first.value).alternatives:
        for callee in callees(context, value):
            count = len(callee.function.parameters) - callee.given
            repeated = [types[-1]] * (count - len(types)) if types[-1].startswith("*") else []
            given = [from_text(context.catalog, text.lstrip("*")) for text in (*types, *repeated)]
            arguments = [GivenArgument(position, None, one) for position, one in enumerate(given)]
            yield from _given_to(callee, arguments)


def _tuple_class(context: Context, called: Value) -> TupleClass | None:
    """The class of named tuples whose fields a call gives."""
    if not isinstance(called, Class):
        return called if isinstance(called, TupleClass) else None
    kind = tuple_base(context, called.definition)
    makes_its_own = kind is not None and context.own_member(called.definition, "__new__", False) is not None
    return None if makes_its_own else kind


def _of_library_call(
    context: Context, function: AbstractValue, call: CallExpression
) -> list[tuple[FunctionParameter | ParameterKey, AbstractValue | None]]:
    """What a function of a library gives to the function that is its first argument: `partial(f, x)`,
    `map(f, xs)`, `filter(f, xs)`."""
    words = {
        context.catalog.libraries.returned(value.name)
        for value in function.alternatives
        if isinstance(value, External)
    }
    if words.isdisjoint(_APPLYING) or not call.arguments or call.arguments[0].unpack:
        return []
    applied = context.value(call.arguments[0].value)
    arguments = given_arguments(context, call.arguments[1:])
    if _PARTIAL not in words:
        arguments = [one._replace(value=element(context, one.value)) for one in arguments]
    return _given_to_any(context, applied, arguments)


def _of_start(
    context: Context, function: AbstractValue, call: CallExpression, starting: Starting
) -> list[tuple[FunctionParameter | ParameterKey, AbstractValue | None]]:
    """What is given to a function that other processes or threads run: `Process(target=f, args=(x, y))`."""
    started = _argument_for(call, starting.function, starting.function_place)
    names = {value.name for value in function.alternatives if isinstance(value, _LIBRARYS)}
    is_unknown_method = not names and any(one.keyword == starting.function for one in call.arguments)
    if started is None or not (is_unknown_method or names & starting.names):
        return []
    given = _argument_for(call, starting.arguments, starting.arguments_place)
    arguments = [GivenArgument(place, None, A_NUMBER) for place in range(starting.before)]
    if given is not None:
        unpacked = given_arguments(context, [CallArgument(None, "*", given)])
        arguments += [one._replace(position=one.position + starting.before) for one in unpacked]
    keywords = _argument_for(call, starting.keywords, -1) if starting.keywords else None
    if keywords is not None:
        arguments += given_arguments(context, [CallArgument(None, "**", keywords)])
    return _given_to_any(context, context.value(started), arguments)


def _argument_for(call: CallExpression, name: str, place: int) -> Expression | None:
    """The argument that is given for a parameter of a library's function."""
    for position, argument in enumerate(call.arguments):
        if argument.keyword == name or (
            position == place and argument.keyword is None and not argument.unpack
        ):
            return argument.value
    return None


_LIBRARYS: Final = (External, ApiValue, TorchModule)
_PARTIAL: Final = "partial"
_APPLYING: Final = frozenset({_PARTIAL, "mapped", "iterator of argument 1"})
"""How the results of such functions follow from their arguments; see `infer/library_calls.py`."""


def _given_to_any(
    context: Context, function: AbstractValue, arguments: list[GivenArgument]
) -> list[tuple[FunctionParameter | ParameterKey, AbstractValue | None]]:
    """What arguments give for the parameters of all that calling a value may call."""
    reached = [callee for value in function.alternatives for callee in callees(context, value)]
    return [one for callee in reached for one in _given_to(callee, arguments)]


def _given_to(
    callee: Callee, arguments: list[GivenArgument]
) -> list[tuple[FunctionParameter | ParameterKey, AbstractValue | None]]:
    """What arguments give for the parameters of a function; see `_of_call`."""
    found: list[tuple[FunctionParameter | ParameterKey, AbstractValue | None]] = []
    given: set[FunctionParameter] = set()
    for argument in arguments:
        parameter = _parameter(callee, argument)
        if parameter is not None:
            given.add(parameter)
            found.append((parameter, argument.value))
    for parameter in callee.function.parameters[callee.given :] if not callee.is_partial else ():
        if parameter.has_telling_default() and parameter not in given:
            found.append((parameter, None))
    return found


_CALLING: Final = frozenset({Function, Class, Object, ApiValue, PartialFunction})
"""The values that `callees` says something of."""
_REACHING: Final = _CALLING | {External, TupleClass}
"""The values of which a call may give something."""
_NOT_STARTING: Final = frozenset({Class, Function, Object, PartialFunction})
"""What is of the project, whatever its name."""


def callees(context: Context, value: Value) -> Iterator[Callee]:
    """The functions of the project that calling a value calls."""
    if isinstance(value, Function):
        yield Callee(value.definition, int(value.is_bound))
    elif isinstance(value, Class):
        yield from _of_method(context, value, CONSTRUCTOR, instance=False)
    elif isinstance(value, Object) and not value.parent:
        own = list(_of_method(context, value, "__call__", instance=False))
        if own or not is_torch_module(context, value.definition):
            yield from own
        else:
            yield from _of_method(context, value, "forward", instance=True)
    elif isinstance(value, ApiValue) and isinstance(value.receiver, Class):
        method = context.catalog.contracts.applying.get(value.name)
        if method is not None:
            for callee in _of_method(context, value.receiver, method, instance=False):
                yield Callee(callee.function, 1)
    elif isinstance(value, PartialFunction):
        for callee in callees(context, value.function):
            yield Callee(callee.function, callee.given + value.given, is_partial=True)


def _of_method(context: Context, value: Class | Object, name: str, instance: bool) -> Iterator[Callee]:
    found = class_member(context, value.definition, name, instance=instance)
    for member in found.alternatives:
        if isinstance(member, Function):
            yield Callee(member.definition, int(member.definition.owner is not None))


def _parameter(callee: Callee, argument: GivenArgument) -> FunctionParameter | None:
    """The parameter that an argument is for."""
    parameters = callee.function.parameters
    if argument.keyword is not None:
        named = [one for one in parameters if one.name == argument.keyword and one.kind != "positional_only"]
        rest = [one for one in parameters if one.kind == "keywords"]
        return next(iter([*named, *rest]), None)
    position = argument.position + callee.given
    if position < len(parameters) and parameters[position].kind in ("plain", "positional_only"):
        return None if argument.is_rest else parameters[position]
    return next((one for one in parameters if one.kind == "variadic"), None)
