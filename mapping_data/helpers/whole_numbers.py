"""Whole numbers of 64 bits, which MindSpore's kernels on CPU divide and raise to powers as fractions: `//`,
`%` and `**` lose digits beyond 2**53, `fmod` ends with an error there and is wrong from 2**31 on."""

from functools import wraps

import mindspore
import numpy as np
from mindspore import mint, ops


def is_long(value):
    """Whether a value is a Tensor of whole numbers of 64 bits."""
    return isinstance(value, mindspore.Tensor) and value.dtype == mindspore.int64


def plain_value(value):
    """A Tensor as an array; a number as it is."""
    return value.asnumpy() if isinstance(value, mindspore.Tensor) else value


def exact(native, function, is_allowed):
    """An operator of two values as one that NumPy computes where both are whole numbers, one of them a Tensor
    of 64 bits, and the second one is allowed."""

    @wraps(native)
    def computed(one, other, *rest, **options):
        is_ours = (is_long(one) or is_long(other)) and is_whole(one) and is_whole(other)
        if rest or options or not is_ours:
            return native(one, other, *rest, **options)
        left, right = plain_value(one), plain_value(other)
        return (
            mindspore.Tensor(np.asarray(function(left, right))) if is_allowed(right) else native(one, other)
        )

    return computed


def has_no_zero(value):
    """Whether a divisor is nowhere 0, for which PyTorch raises an error."""
    return bool(np.all(np.asarray(value) != 0))


def has_no_negative(value):
    """Whether an exponent is nowhere negative."""
    return bool(np.all(np.asarray(value) >= 0))


def whole_numbers_are_exact():
    """On CPU, let whole numbers of 64 bits be divided and raised to powers without losing digits."""
    operators = {
        "floordiv": (np.floor_divide, has_no_zero),
        "mod": (np.remainder, has_no_zero),
        "pow": (np.power, has_no_negative),
    }
    tensor = mindspore.Tensor
    for name, (function, is_allowed) in operators.items():
        setattr(tensor, f"__{name}__", exact(getattr(tensor, f"__{name}__"), function, is_allowed))
    functions = {
        "floor_divide floor_div": operators["floordiv"],
        "remainder": operators["mod"],
        "pow": operators["pow"],
        "fmod": (np.fmod, has_no_zero),
    }
    for names, (function, is_allowed) in functions.items():
        for owner in (tensor, ops, mint):
            for name in names.split():
                if hasattr(owner, name):
                    setattr(owner, name, exact(getattr(owner, name), function, is_allowed))
    return True


# whether whole numbers of 64 bits are divided without losing digits
WHOLE_NUMBERS_ARE_EXACT = whole_numbers_are_exact()
