"""Where gradients of gradients are taken, and what is computed on the way there: followed from what is
differentiated to the functions that are called, and to what callers give."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.callgraph.argument_facts import (
    TAKES_SECOND_GRADIENTS,
    ParameterKey,
    twice_at_key,
    twice_for_key,
    twice_key,
    twice_of_key,
)
from mindport.index import nodes
from mindport.index.definitions import (
    Assigned,
    Augmented,
    Definition,
    FreeVariable,
    FunctionDefinition,
    FunctionParameter,
    Iterated,
    sources,
)
from mindport.infer.class_members import class_member
from mindport.infer.values import ApiValue, ExternalInstance, Function, Instance, NoneValue, Object

if TYPE_CHECKING:
    from mindport.catalog.second_order_facts import SecondGradientTaking, SecondOrderFacts
    from mindport.index.block import Block
    from mindport.infer.context import Context
    from mindport.infer.values import Value

_CALLED: Final = ("forward", "__call__")
_FALSE: Final = ("False", "None", "0")


class SecondGradients(NamedTuple):
    """Of a block: the calls that take gradients of gradients, what is computed on the way to some
    (`computed`), and what is to be told of other code."""

    takers: tuple[nodes.CallExpression, ...]
    computed: tuple[nodes.Expression, ...]
    told: tuple[ParameterKey, ...]


_NONE: Final = SecondGradients((), (), ())


def second_gradients(context: Context, block: Block) -> SecondGradients:
    """What is known of the current block."""
    if not block.calls and not block.placed:
        return _NONE
    takers = _takers(context, block)
    if not takers and not context.is_told(TAKES_SECOND_GRADIENTS):
        return _NONE
    way = _Way(context)
    for call, taking in takers.items():
        way.follow_taker(call, taking)
    for call in block.calls:
        if call not in takers:
            way.follow_given(call)
    way.tells_of_parameters = False
    for function in block.placed:
        if isinstance(function, FunctionDefinition) and context.is_told(_twice(function)):
            way.follow_all(function.returns)
    told = dict.fromkeys([*([TAKES_SECOND_GRADIENTS] if takers else []), *way.told])
    return SecondGradients(tuple(takers), tuple(way.computed), tuple(told))


def may_take(context: Context, block: Block) -> bool:
    """Whether a call in a block has the name of one that takes gradients of gradients, and what makes it take
    them as a keyword, if that is needed: a look at the names alone."""
    if not _may_have_takers(context, block):
        return False
    named = context.catalog.second_order.when_named
    for call in block.calls:
        when = named.get(nodes.last_name(call.function))
        if when is not None and (not when or any(one.keyword == when for one in call.arguments)):
            return True
    return False


def _may_have_takers(context: Context, block: Block) -> bool:
    """Whether a call in a block may take gradients of gradients, by its names alone: in most blocks none."""
    if block.may_differentiate is None:
        facts = context.catalog.second_order
        block.may_differentiate = any(_may_be_taker(call, facts) for call in block.calls)
    return block.may_differentiate


def _takers(context: Context, block: Block) -> dict[nodes.CallExpression, SecondGradientTaking]:
    """The calls of a block that take gradients of gradients."""
    facts = context.catalog.second_order
    found: dict[nodes.CallExpression, SecondGradientTaking] = {}
    for call in block.calls if _may_have_takers(context, block) else ():
        if not _may_be_taker(call, facts):
            continue
        taking = facts.takers.get(_api(context, call.function))
        if taking is not None and _is_taken(context, call, taking):
            found[call] = taking
    return found


def _may_be_taker(call: nodes.CallExpression, facts: SecondOrderFacts) -> bool:
    """Whether a call has the last name of an API that takes gradients of gradients, or gives what makes such
    an API take them: by its names alone."""
    if nodes.last_name(call.function) in facts.last_names:
        return True
    return any(argument.keyword in facts.conditions for argument in call.arguments)


def _is_taken(context: Context, call: nodes.CallExpression, taking: SecondGradientTaking) -> bool:
    if taking.of_itself:
        inner = _bound(_argument(call, taking.parameter, taking.place))
        return isinstance(inner, nodes.CallExpression) and _is_alike(context, inner)
    if not taking.when:
        return True
    given = _argument(call, taking.when, taking.when_place)
    return given is not None and not (isinstance(given, nodes.Constant) and given.value in _FALSE)


def _is_alike(context: Context, call: nodes.CallExpression) -> bool:
    taking = context.catalog.second_order.takers.get(_api(context, call.function))
    return taking is not None and taking.of_itself


def _api(context: Context, expression: nodes.Expression) -> str:
    found = context.value(expression).alternatives
    return found[0].name if len(found) == 1 and isinstance(found[0], ApiValue) else ""


def _bound(expression: nodes.Expression | None) -> nodes.Expression | None:
    """What a name stands for, if that is one expression; others are what they are."""
    while isinstance(expression, nodes.Name):
        found = sources(expression.definition)
        one = found[0] if len(found) == 1 else None
        if not isinstance(one, Assigned) or one.path or one.value is expression:
            return expression
        expression = one.value
    return expression


def _argument(call: nodes.CallExpression, name: str, place: int) -> nodes.Expression | None:
    """What a call gives for a parameter."""
    for argument in call.arguments:
        if argument.keyword == name:
            return argument.value
    positional = [one for one in call.arguments if one.keyword is None]
    if any(one.unpack for one in positional[: place + 1]):
        return None
    return positional[place].value if 0 <= place < len(positional) else None


def _twice(function: FunctionDefinition) -> ParameterKey:
    return twice_key(_path(function), function.qualified_name)


def _path(function: FunctionDefinition) -> str:
    module = function.scope.block.module if function.scope is not None else None
    return module.path if module is not None else ""


class _Way:
    """The way from what is differentiated back to what it is computed of. With `tells_of_parameters`, what
    callers give for parameters is on it, too."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.computed: list[nodes.Expression] = []
        self.told: list[ParameterKey] = []
        self.tells_of_parameters = True
        self._facts = context.catalog.second_order
        self._waiting: list[nodes.Expression] = []
        self._seen: set[Definition | nodes.Expression] = set()

    def follow_taker(self, call: nodes.CallExpression, taking: SecondGradientTaking) -> None:
        """Follow what a call differentiates."""
        if not taking.parameter:
            receiver = call.function
            self.follow_all([receiver.value] if isinstance(receiver, nodes.Attribute) else [])
            return
        self._stop_at(_argument(call, taking.inputs, taking.inputs_place) if taking.inputs else None)
        given = _argument(call, taking.parameter, taking.place)
        if given is None:
            return
        inner = _bound(given)
        if taking.of_itself and isinstance(inner, nodes.CallExpression):
            given = _argument(inner, taking.parameter, taking.place) or given
        for value in self.context.value(given).alternatives:
            self._tell(value)
        self.follow_all([given])

    def follow_given(self, call: nodes.CallExpression) -> None:
        """Follow what a call gives a function that takes gradients of gradients of it."""
        for value in self.context.value(call.function).alternatives:
            if not isinstance(value, Function):
                continue
            function, given = value.definition, int(value.is_bound)
            place = _path(function), function.qualified_name
            if not self.context.is_told(twice_at_key(*place)):
                continue
            arguments = {
                parameter.name: _argument(call, parameter.name, parameter.index - given)
                for parameter in function.parameters[given:]
            }
            for name, argument in arguments.items():
                if argument is not None and self.context.is_told(twice_for_key(*place, name)):
                    self._stop_at(argument)
            for name, argument in arguments.items():
                if argument is not None and self.context.is_told(twice_of_key(*place, name)):
                    for one in self.context.value(argument).alternatives:
                        self._tell(one)
                    self.follow_all([argument])

    def _stop_at(self, inputs: nodes.Expression | None) -> None:
        """What gradients are taken for is where the way begins: what it is computed of is not on it."""
        if isinstance(inputs, nodes.Display):
            for item in inputs.items:
                self._stop_at(item)
        elif isinstance(inputs, nodes.Name):
            for source in sources(inputs.definition):
                self._seen.add(source)
                if isinstance(source, FunctionParameter):
                    self._tell_of(source, twice_for_key)

    def follow_all(self, expressions: list[nodes.Expression]) -> None:
        """Follow expressions, and all that they are computed of."""
        self._waiting += expressions
        while self._waiting:
            expression = self._waiting.pop()
            if expression not in self._seen:
                self._seen.add(expression)
                self._follow(expression)

    def _follow(self, expression: nodes.Expression) -> None:
        if isinstance(expression, nodes.Name):
            self._follow_sources(expression.definition)
        elif isinstance(expression, nodes.LambdaExpression):
            self._waiting += expression.function.returns
        elif isinstance(expression, nodes.CallExpression):
            self._follow_call(expression)
        elif isinstance(expression, nodes.Attribute):
            if not self._is_leaving(expression):
                self.computed.append(expression)
                self._waiting.append(expression.value)
        elif isinstance(expression, nodes.Conditional):
            self._waiting += (expression.body, expression.orelse)
        elif isinstance(expression, nodes.Subscript):
            self.computed.append(expression)
            self._waiting.append(expression.value)
        elif not isinstance(expression, nodes.Comparison):
            self.computed.append(expression)
            self._waiting += nodes.children(expression)

    def _follow_call(self, call: nodes.CallExpression) -> None:
        values = self.context.value(call.function).alternatives
        if self._is_leaving(call.function) or self._is_no_tensor(call):
            return
        self.computed.append(call)
        for value in values:
            self._tell(value)
        if isinstance(call.function, nodes.Attribute):
            self._waiting.append(call.function.value)
        self._waiting += [argument.value for argument in call.arguments]

    def _is_leaving(self, expression: nodes.Expression) -> bool:
        """Whether what an API gives, or a member of what may be a Tensor, carries no gradient on."""
        values = self.context.value(expression).alternatives
        if not any(isinstance(one, (ApiValue, Function)) for one in values):
            return isinstance(expression, nodes.Attribute) and expression.name in self._facts.leaving_members
        return any(isinstance(one, ApiValue) and one.name in self._facts.leaving for one in values)

    def _is_no_tensor(self, expression: nodes.Expression) -> bool:
        found = self.context.value(expression).alternatives
        return bool(found) and all(
            isinstance(one, (ExternalInstance, NoneValue))
            or (
                isinstance(one, Instance) and one.of.startswith(("torch.Size", "torch.device", "torch.dtype"))
            )
            for one in found
        )

    def _follow_sources(self, definition: Definition) -> None:
        for source in sources(definition):
            if source in self._seen:
                continue
            self._seen.add(source)
            if isinstance(source, FreeVariable):
                for one in source.origin().definitions:
                    self._follow_sources(one)
            elif isinstance(source, Assigned) and source.value is not None:
                self._waiting.append(source.value)
            elif isinstance(source, Augmented):
                self._waiting.append(source.value)
                self._follow_sources(source.before)
            elif isinstance(source, Iterated):
                self._waiting.append(source.iterable)
            elif isinstance(source, FunctionParameter):
                self._tell_of(source, twice_of_key)

    def _tell_of(self, parameter: FunctionParameter, key: Callable[[str, str, str], ParameterKey]) -> None:
        function = parameter.function
        is_receiver = function.owner is not None and parameter.index == 0
        if self.tells_of_parameters and not is_receiver and function.name != "<lambda>":
            place = _path(function), function.qualified_name
            self.told += (twice_at_key(*place), key(*place, parameter.name))

    def _tell(self, value: Value) -> None:
        """Tell that what calling something gives is differentiated twice."""
        if isinstance(value, Function):
            self.told.append(_twice(value.definition))
        elif isinstance(value, Object):
            for name in _CALLED:
                for one in class_member(self.context, value.definition, name, instance=False).alternatives:
                    if isinstance(one, Function):
                        self.told.append(_twice(one.definition))
