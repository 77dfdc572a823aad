"""What parameters are: by the kind of function, the annotation, the use, the calls, the default."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.infer.annotations import annotated
from mindport.infer.class_members import decorator_names, is_torch_module
from mindport.infer.containers import element
from mindport.infer.values import (
    LIKELY_TENSOR,
    UNKNOWN,
    AbstractValue,
    Certainty,
    Class,
    HomogeneousContainer,
    NoneValue,
    Object,
    is_unknown,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.index.definitions import FunctionDefinition, FunctionParameter
    from mindport.infer.context import Context


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
    if parameter.kind == "variadic":
        return just(HomogeneousContainer("tuple", declared))
    if parameter.kind == "keywords":
        return just(HomogeneousContainer("dict", declared))
    if not is_unknown(declared):
        return declared
    if _is_input_of_a_module(context, parameter):
        return LIKELY_TENSOR
    known = [context.passed(parameter)]
    if parameter.default is not None:
        known.append(context.value(parameter.default))
    return (
        join([UNKNOWN, *known]).widened(Certainty.LIKELY) if any(r.alternatives for r in known) else UNKNOWN
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
