"""What parameters are: by the kind of function, the annotation, the use, the calls, the default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mindport.infer.annotations import annotated
from mindport.infer.class_members import decorator_names, is_torch_module
from mindport.infer.containers import element
from mindport.infer.values import (
    LIKELY_TENSOR,
    TENSOR,
    UNKNOWN,
    AbstractValue,
    Certainty,
    Class,
    HomogeneousContainer,
    Instance,
    NoneValue,
    Object,
    is_unknown,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.index.definitions import FunctionDefinition, FunctionParameter
    from mindport.infer.context import Context


_CONTAINERS: Final = {"variadic": "tuple", "keywords": "dict"}


def parameter_value(context: Context, parameter: FunctionParameter) -> AbstractValue:
    """What a parameter may be. Only the receiver of a method is certain: a caller may pass anything."""
    function = parameter.function
    if parameter.index == 0 and function.owner is not None and parameter.kind in ("plain", "positional_only"):
        receiver = _receiver(context, function)
        if receiver is not None:
            return receiver
    declared = UNKNOWN
    if parameter.annotation is not None:
        declared = annotated(context, parameter.annotation).widened(Certainty.LIKELY)
    if parameter.applied_to is not None:
        return element(context, context.value(parameter.applied_to))
    container = _CONTAINERS.get(parameter.kind)
    if container is not None:
        held = declared if not is_unknown(declared) else _or_anything([context.passed(parameter)])
        return just(HomogeneousContainer(container, held))
    if not is_unknown(declared):
        return declared
    given = context.passed(parameter)
    if _is_input_of_a_module(context, parameter) and _may_be_tensor(given):
        return LIKELY_TENSOR
    known = [given]
    if parameter.default is not None:
        known.append(context.value(parameter.default))
    return _or_anything(known)


def _or_anything(known: list[AbstractValue]) -> AbstractValue:
    """What is known, or what nobody knows of."""
    if not any(result.alternatives for result in known):
        return UNKNOWN
    return join([UNKNOWN, *known]).widened(Certainty.LIKELY)


def _may_be_tensor(given: AbstractValue) -> bool:
    """Whether what calls give does not speak against a Tensor."""
    return not given.alternatives or any(
        isinstance(value, Instance) and value.of == TENSOR for value in given.alternatives
    )


def _is_input_of_a_module(context: Context, parameter: FunctionParameter) -> bool:
    """Whether it is an input of `forward` of a `torch.nn.Module`, without a word of another type."""
    function = parameter.function
    if function.name != "forward" or function.owner is None or parameter.annotation is not None:
        return False
    if parameter.default is not None:
        default = context.value(parameter.default)
        if not all(isinstance(value, NoneValue) for value in default.alternatives):
            return False
    return is_torch_module(context, function.owner)


def _receiver(context: Context, function: FunctionDefinition) -> AbstractValue | None:
    """What the first parameter of a method is; None for a static method."""
    assert function.owner is not None
    decorators = decorator_names(context, function)
    if "builtins.staticmethod" in decorators:
        return None
    if "builtins.classmethod" in decorators or function.name in ("__new__", "__init_subclass__"):
        return just(Class(function.owner))
    return just(Object(function.owner))
