"""What calls into Python's own and other libraries give, where it follows from their arguments.

Which function follows which rule is said in `mapping_data/libraries/libraries.json`; the rules are here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from mindport.resolve import attributes, nodes
from mindport.resolve.annotations import annotated
from mindport.resolve.containers import element
from mindport.resolve.values import (
    UNKNOWN,
    Api,
    Elements,
    External,
    ExternalInstance,
    Instance,
    Items,
    Partial,
    Result,
    is_unknown,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.resolve.evaluator import Evaluator

Rule = Callable[["Evaluator", nodes.CallExpression], Result]


def library_call(evaluator: Evaluator, function: External, call: nodes.CallExpression) -> Result:
    """What calling `function`, which is no torch API, gives."""
    libraries = evaluator.catalog.libraries
    word = libraries.returned(function.name)
    rule = _RULES.get(word) if word is not None else None
    if rule is not None and call.arguments:
        return rule(evaluator, call)
    if word in ("list", "tuple", "set", "dict"):
        return just(Elements(word, UNKNOWN))
    if word is None and libraries.never_gives_tensors(function.name):
        return just(ExternalInstance(function.name))
    return UNKNOWN


def _argument(evaluator: Evaluator, call: nodes.CallExpression, index: int = 0) -> Result:
    if index >= len(call.arguments) or call.arguments[index].unpack:
        return UNKNOWN
    return evaluator.value(call.arguments[index].value)


def _same(evaluator: Evaluator, call: nodes.CallExpression) -> Result:
    """The type of the first argument."""
    return _argument(evaluator, call)


def _element(evaluator: Evaluator, call: nodes.CallExpression) -> Result:
    """An element of the first argument."""
    return element(evaluator, _argument(evaluator, call))


def _same_or_stacked(evaluator: Evaluator, call: nodes.CallExpression) -> Result:
    """The first argument's type; of a list of tensors, their type."""
    argument = _argument(evaluator, call)
    if any(isinstance(value, (Items, Elements)) for value in argument.alternatives):
        return element(evaluator, argument)
    return argument


def _filled(kind: str) -> Rule:
    """A container of the elements of the first argument."""

    def rule(evaluator: Evaluator, call: nodes.CallExpression) -> Result:
        return just(Elements(kind, _element(evaluator, call)))

    return rule


def _dict(evaluator: Evaluator, call: nodes.CallExpression) -> Result:
    values = [evaluator.value(argument.value) for argument in call.arguments if argument.keyword]
    complete = values and len(values) == len(call.arguments)
    return just(Elements("dict", join(values) if complete else UNKNOWN))


def _enumerated(evaluator: Evaluator, call: nodes.CallExpression) -> Result:
    number = just(ExternalInstance("builtins.int"))
    return just(Elements("iterator", just(Items("tuple", (number, _element(evaluator, call))))))


def _zipped(evaluator: Evaluator, call: nodes.CallExpression) -> Result:
    if any(argument.unpack for argument in call.arguments):
        inner = _element(evaluator, nodes.CallExpression(0, 0, call.function, 0, _plain(call)))
        return just(Elements("iterator", just(Elements("tuple", element(evaluator, inner)))))
    given = [argument for argument in call.arguments if argument.keyword is None]
    items = tuple([element(evaluator, evaluator.value(argument.value)) for argument in given])
    return just(Elements("iterator", just(Items("tuple", items))))


def _plain(call: nodes.CallExpression) -> list[nodes.CallArgument]:
    return [nodes.CallArgument(None, "", argument.value) for argument in call.arguments[:1]]


def _mapped(evaluator: Evaluator, call: nodes.CallExpression) -> Result:
    function = _argument(evaluator, call)
    if is_unknown(function):
        return just(Elements("iterator", UNKNOWN))
    return just(Elements("iterator", evaluator.called(function)))


def _filtered(evaluator: Evaluator, call: nodes.CallExpression) -> Result:
    return just(Elements("iterator", element(evaluator, _argument(evaluator, call, 1))))


def _attribute(evaluator: Evaluator, call: nodes.CallExpression) -> Result:
    """`getattr(object, "name")`"""
    name = call.arguments[1].value if len(call.arguments) > 1 else None
    if isinstance(name, nodes.Constant) and name.kind == "str" and name.value:
        return attributes.attribute(evaluator, _argument(evaluator, call), name.value)
    return UNKNOWN


def _partial(evaluator: Evaluator, call: nodes.CallExpression) -> Result:
    """Calling it calls the first argument."""
    function = _argument(evaluator, call)
    made = tuple(Partial(value.name) if isinstance(value, Api) else value for value in function.alternatives)
    return Result(made, function.certainty)


def _cast(evaluator: Evaluator, call: nodes.CallExpression) -> Result:
    return annotated(evaluator, call.arguments[0].value)


def _packed(evaluator: Evaluator, call: nodes.CallExpression) -> Result:
    """A tensor, and the shapes of what was packed into it."""
    shapes = just(Elements("list", just(ExternalInstance("builtins.tuple"))))
    return just(Items("tuple", (_element(evaluator, call), shapes)))


def _unpacked(evaluator: Evaluator, call: nodes.CallExpression) -> Result:
    return just(Elements("list", _argument(evaluator, call)))


def _torch_module(evaluator: Evaluator, call: nodes.CallExpression) -> Result:
    """A module that turns a Tensor into a Tensor."""
    return just(Instance("torch.nn.Identity"))


_RULES: Final[dict[str, Rule]] = {
    "argument": _same,
    "argument or stacked": _same_or_stacked,
    "attribute": _attribute,
    "cast": _cast,
    "dict": _dict,
    "element": _element,
    "enumerated": _enumerated,
    "iterator": _filled("iterator"),
    "iterator of argument 1": _filtered,
    "list": _filled("list"),
    "mapped": _mapped,
    "packed": _packed,
    "partial": _partial,
    "set": _filled("set"),
    "torch module": _torch_module,
    "tuple": _filled("tuple"),
    "unpacked": _unpacked,
    "zipped": _zipped,
}
