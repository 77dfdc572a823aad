"""Tensors before objects that say themselves what an operator means."""

import numbers
from functools import wraps

import mindspore
import numpy as np

OPERANDS = (mindspore.Tensor, np.ndarray, np.generic, numbers.Number)
REPEATED = ("__mul__", "__rmul__")
OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")
MIRRORED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


def leaving_to_others(method, reflected):
    """An operator of Tensor that leaves to another object what that has `reflected` for: MindSpore's
    raises an error, or takes what it compares with for something else. Texts and lists are repeated."""
    repeats = reflected in REPEATED

    @wraps(method)
    def operator(self, other):
        kind = type(other)
        has_own = getattr(kind, reflected, None) is not getattr(object, reflected, None)
        if repeats and isinstance(other, (str, bytes, list, tuple)):
            return NotImplemented
        if has_own and kind.__module__ != "builtins" and not isinstance(other, OPERANDS):
            return NotImplemented
        return method(self, other)

    return operator


def operators_left_to_others():
    """Let `tensor + other` be `other.__radd__(tensor)` where `other` has that, and so on, as with
    PyTorch's Tensors; comparisons, too."""
    tensor = mindspore.Tensor
    for name in OPERATORS:
        for form in (f"__{name}__", f"__i{name}__"):
            if hasattr(tensor, form):
                setattr(tensor, form, leaving_to_others(getattr(tensor, form), f"__r{name}__"))
    tensor.__rmul__ = leaving_to_others(tensor.__rmul__, "__mul__")
    for name, reflected in MIRRORED.items():
        form = f"__{name}__"
        setattr(tensor, form, leaving_to_others(getattr(tensor, form), f"__{reflected}__"))
    return True


# whether operators of Tensors are left to other objects
OPERATORS_ARE_LEFT_TO_OTHERS = operators_left_to_others()
