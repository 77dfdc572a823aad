"""What comparisons make of values that are no numbers (NaN), of masks, and of nothing."""

from functools import wraps

import mindspore
import numpy as np
from mindspore import mint, nn, ops


def has_nan(input):
    """Whether a Tensor may have a value that is no number: its sum is none then."""
    if input.dtype not in (mindspore.float32, mindspore.float64, mindspore.float16):
        return False
    with np.errstate(all="ignore"):
        return bool(np.isnan(np.sum(input.asnumpy())))


def with_nan_of(found, *inputs):
    """What was found, but NaN where one of the inputs is."""
    for input in inputs:
        if isinstance(input, mindspore.Tensor) and isinstance(found, mindspore.Tensor) and has_nan(input):
            found = ops.where(ops.isnan(input), input.astype(found.dtype), found)
    return found


def keeping_nan(original):
    """A function that gives NaN where its first argument is, or another that is a Tensor."""

    @wraps(original)
    def kept(input, *args, **kwargs):
        return with_nan_of(original(input, *args, **kwargs), input, *args, *kwargs.values())

    return kept


def as_number(value):
    """A mask as zeros and ones; anything else as it is."""
    is_mask = isinstance(value, mindspore.Tensor) and value.dtype == mindspore.bool_
    return value.astype(mindspore.int32) if is_mask else value


def as_mask(found):
    """Zeros and ones as a mask; of values with their places, the values."""
    if isinstance(found, mindspore.Tensor):
        return found.astype(mindspore.bool_)
    values, places = found
    return ValuesAndIndices(as_mask(values), places)


def larger_or_smaller(original, of_two):
    """A maximum or minimum, also of masks. Of two Tensors it gives NaN where one of them is, and nothing
    where one has no values, whatever shape the other has; `of_two` says whether it is of two in any case."""

    @wraps(original)
    def kept(input, *args, **kwargs):
        if not isinstance(input, mindspore.Tensor):
            return original(input, *args, **kwargs)
        if input.dtype == mindspore.bool_:
            named = {name: as_number(one) for name, one in kwargs.items()}
            return as_mask(kept(as_number(input), *map(as_number, args), **named))
        other = next((one for one in (*args, *kwargs.values()) if isinstance(one, mindspore.Tensor)), None)
        if other is None and not of_two:
            return original(input, *args, **kwargs)
        if other is not None and 0 in input.shape + other.shape:
            return input + other
        return with_nan_of(original(input, *args, **kwargs), input, other)

    return kept


def layer_keeping_nan(original):
    """The `construct` of a layer that gives NaN where its input is."""

    @wraps(original)
    def construct(self, input):
        return with_nan_of(original(self, input), input)

    return construct


def comparisons_are_whole():
    """On CPU, let what compares values keep NaN, as in PyTorch: MindSpore puts a bound or the other value in
    its place, so that a training that has failed goes on as if it had not. Let masks be compared, and Tensors
    without values with others."""
    functions = (mindspore.Tensor, mint, mint.nn.functional, ops)
    steps = {"relu", "relu6", "hardtanh", "hardsigmoid", "hardswish", "hardshrink", "softshrink", "threshold"}
    for owner in functions:
        for name in steps | {"clamp", "clip"}:
            if hasattr(owner, name):
                setattr(owner, name, keeping_nan(getattr(owner, name)))
        for name in ("max", "min", "amax", "amin", "maximum", "minimum"):
            if hasattr(owner, name):
                setattr(owner, name, larger_or_smaller(getattr(owner, name), name.endswith("imum")))
    layers = {"ReLU", "ReLU6", "Hardtanh", "HSigmoid", "HSwish", "HShrink", "SoftShrink", "Threshold"}
    layers |= {"Hardsigmoid", "Hardswish", "Hardshrink", "Softshrink"}
    for layer in (getattr(owner, name, None) for owner in (nn, mint.nn) for name in layers):
        if layer is not None:
            layer.construct = layer_keeping_nan(layer.construct)
    return True


# whether comparisons are PyTorch's
COMPARES_ALL = mindspore.get_context("device_target") != "CPU" or comparisons_are_whole()
