"""Computing with NumPy's values and MindSpore's Tensors together."""

import operator
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


# functions that take Python's whole numbers alone
TAKING_NUMBERS = (
    "arange",
    "bincount",
    "chunk",
    "combinations",
    "flatten",
    "interpolate",
    "logspace",
    "movedim",
    "pixel_shuffle",
    "roll",
    "sort",
    "stack",
    "swapaxes",
    "tril",
    "tril_indices",
    "triu_indices",
    "unbind",
    "unfold",
    "unstack",
)


def taking_numbers(function):
    """A function that may be given NumPy's numbers as well, alone or in tuples and lists."""

    @wraps(function)
    def taking(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except TypeError:
            plain = [without_numpy_numbers(one) for one in args]
            named = {name: without_numpy_numbers(one) for name, one in kwargs.items()}
            if all(map(operator.is_, [*plain, *named.values()], [*args, *kwargs.values()])):
                raise
            return function(*plain, **named)

    return taking


def without_numpy_numbers(value):
    """A value with Python's numbers in the place of NumPy's."""
    if isinstance(value, np.generic):
        return value.item()
    if type(value) in (tuple, list) and any(isinstance(one, np.generic) for one in value):
        return type(value)(map(without_numpy_numbers, value))
    return value


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
    for owner in (mindspore.ops, tensor):
        for name in TAKING_NUMBERS:
            if hasattr(owner, name):
                setattr(owner, name, taking_numbers(getattr(owner, name)))
    return INDEXED_AS_IN_PYTORCH


# whether Tensors go together with NumPy's values
GOES_WITH_NUMPY = tensors_with_arrays()
