"""Computing with NumPy's values and MindSpore's Tensors together."""

from functools import wraps

import mindspore
import numpy as np


def tensor_of_array(value):
    """An array of NumPy's as a Tensor, or as a number where it has no axis; anything else as it is."""
    if not isinstance(value, np.ndarray):
        return value
    return mindspore.Tensor(value) if value.ndim else value.item()


def taking_arrays(method):
    """A method of Tensor whose other operands may be arrays."""

    @wraps(method)
    def taking(self, *others):
        return method(self, *map(tensor_of_array, others))

    return taking


def tensor_of_result(self, array, context=None, *rest):
    """What a function of NumPy's gives for a Tensor, as a Tensor."""
    return mindspore.Tensor(array)


def tensors_with_arrays():
    """Let MindSpore's Tensor go together with NumPy, as PyTorch's does: a number of NumPy's times a Tensor is
    a Tensor with a gradient, not an array without; arrays may be operands and indices, and functions of
    NumPy's give Tensors."""
    tensor = mindspore.Tensor
    tensor.__array_priority__ = 1000.0
    tensor.__array_wrap__ = tensor_of_result
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "eq", "ne"):
        setattr(tensor, f"__{name}__", taking_arrays(getattr(tensor, f"__{name}__")))
    assign = tensor.__setitem__

    @wraps(assign)
    def setitem(self, index, value):
        return assign(self, index, tensor_of_array(value))

    tensor.__setitem__ = setitem
    return INDEXED_AS_IN_PYTORCH


# whether Tensors go together with NumPy's values
GOES_WITH_NUMPY = tensors_with_arrays()
