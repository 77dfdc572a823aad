"""Double precision: numbers beside Tensors."""

from functools import wraps

import mindspore
import numpy as np
from mindspore import mint, ops

ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
WITH_A_NUMBER = (
    *(f"__{side}{name}__" for side in ("", "r", "i") for name in ARITHMETIC),
    *(f"__{name}__" for name in ("eq", "ne", "lt", "le", "gt", "ge")),
)
CALLED_WITH_A_NUMBER = (
    *("add", "sub", "mul", "div", "pow", "fmod", "remainder", "floor_divide"),
    *("maximum", "minimum", "clamp", "where", "masked_fill", "eq", "ne", "lt", "le", "gt", "ge"),
)


def with_double_numbers(function):
    """A function whose numbers keep their digits beside Tensors of double precision. MindSpore rounds them to
    single precision: `x * 0.1` is right to eight digits."""

    def double(value):
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return mindspore.Tensor(value, mindspore.float64) if is_number else value

    @wraps(function)
    def called(*args, **kwargs):
        named = {name: value for name, value in kwargs.items() if name in ("min", "max", "other")}
        values = (*args, *named.values())
        if any(map(is_rounded, values)) and any(
            isinstance(value, mindspore.Tensor) and value.dtype == mindspore.float64 for value in values
        ):
            args = tuple(map(double, args))
            kwargs = {**kwargs, **{name: double(value) for name, value in named.items()}}
        return function(*args, **kwargs)

    return called


def is_rounded(value):
    """Whether a value is a number that single precision has not got."""
    return isinstance(value, float) and float(np.float32(value)) != value and value == value


def numbers_keep_their_digits():
    """Let numbers beside Tensors of double precision be what they are."""
    for owner, names in (
        (mindspore.Tensor, WITH_A_NUMBER + CALLED_WITH_A_NUMBER),
        (mint, CALLED_WITH_A_NUMBER),
        (ops, CALLED_WITH_A_NUMBER),
    ):
        for name in names:
            if hasattr(owner, name):
                setattr(owner, name, with_double_numbers(getattr(owner, name)))
    return True


# whether numbers beside Tensors of double precision keep their digits
NUMBERS_KEEP_THEIR_DIGITS = numbers_keep_their_digits()
