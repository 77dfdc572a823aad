"""Tensors before objects that say themselves what an operator means."""

import numbers
from functools import wraps

import mindspore
import numpy as np

OPERANDS = (mindspore.Tensor, np.ndarray, np.generic, numbers.Number)
OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")


def leaving_to_others(method, reflected):
    """An operator of Tensor that leaves to another object what that has `reflected` for: MindSpore's
    raises an error."""

    @wraps(method)
    def operator(self, other):
        if not isinstance(other, OPERANDS) and hasattr(type(other), reflected):
            return NotImplemented
        return method(self, other)

    return operator


def operators_left_to_others():
    """Let `tensor + other` be `other.__radd__(tensor)` where `other` has that, and so on, as with
    PyTorch's Tensors."""
    tensor = mindspore.Tensor
    for name in OPERATORS:
        for form in (f"__{name}__", f"__i{name}__"):
            if hasattr(tensor, form):
                setattr(tensor, form, leaving_to_others(getattr(tensor, form), f"__r{name}__"))
    return True


# whether operators of Tensors are left to other objects
OPERATORS_ARE_LEFT_TO_OTHERS = operators_left_to_others()
