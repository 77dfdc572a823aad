"""The order in memory of what operators give: PyTorch keeps that of the operands, and random numbers that are
drawn for each value are drawn in it."""

from functools import wraps

import mindspore
import numpy as np
from mindspore import ops


def steps_within(operand, shape):
    """How far the values of an operand lie apart in memory, by axis of the result; 0 where it is repeated."""
    missing = len(shape) - operand.ndim
    own = [
        0 if size == 1 != whole else step
        for size, step, whole in zip(operand.shape, operand.stride(), shape[missing:])
    ]
    return [0] * missing + own


def order_in_memory(operands, shape):
    """The axes of what an operator gives, those far apart in memory first, as PyTorch lays them out."""
    steps = [steps_within(operand, shape) for operand in operands]

    def is_outside(axis, other):
        """Whether the values along one axis lie further apart than those along another; None if no operand
        tells."""
        for own in steps:
            if own[axis] and own[other]:
                if own[axis] != own[other]:
                    return own[axis] > own[other]
                if shape[axis] > shape[other]:
                    return True
        return None

    order = list(reversed(range(len(shape))))
    for place in range(1, len(order)):
        for inner in reversed(range(place)):
            outside = is_outside(order[inner], order[place])
            if outside:
                order[inner], order[place] = order[place], order[inner]
                place = inner
            elif outside is not None:
                break
    return order[::-1]


def axes_by_memory(tensor):
    """The axes of a Tensor, those far apart in memory first; those of a Parameter as PyTorch keeps them."""
    kept = getattr(tensor, "axes_in_memory", None)
    return order_in_memory([tensor], tensor.shape) if kept is None else kept


def drawn_into(tensor, draw):
    """The numbers that `draw` gives for a shape, in NumPy, drawn in the order in memory of the Tensor that
    they are written to; it is told whether the values do not follow each other there."""
    axes = axes_by_memory(tensor)
    is_apart = axes != sorted(axes) or not tensor.is_contiguous()
    return draw(tuple(tensor.shape[axis] for axis in axes), is_apart).transpose(np.argsort(axes).astype(int))


def keeping_order(operator):
    """An operator of Tensor whose result lies in memory as PyTorch's does; not in programs that ask for
    gradients of gradients, which MindSpore has none of through these views."""

    @wraps(operator)
    def keeping(self, other):
        tensors = [self, other] if isinstance(other, mindspore.Tensor) else [self]
        if GraphsKept.always or all(tensor.is_contiguous() for tensor in tensors):
            return operator(self, other)
        shape = np.broadcast_shapes(*(tensor.shape for tensor in tensors))
        order = order_in_memory(tensors, shape)
        if order == sorted(order):
            return operator(self, other)
        operands = [tensor.expand(shape).permute(order) for tensor in tensors]
        return operator(*operands, *(() if len(tensors) == 2 else (other,))).permute(
            np.argsort(order).tolist()
        )

    return keeping


def computed_in_order(function, input, *args, **kwargs):
    """What a function of each value gives: it lies in memory as what it is given does, as in PyTorch."""
    is_in_place = kwargs.get("inplace") or any(each is True for each in args)
    if is_in_place or GraphsKept.always or not isinstance(input, mindspore.Tensor) or input.is_contiguous():
        return function(input, *args, **kwargs)
    order = order_in_memory([input], input.shape)
    if order == sorted(order):
        return function(input, *args, **kwargs)
    return function(input.permute(order), *args, **kwargs).permute(np.argsort(order).tolist())


def ordered(function, computed=computed_in_order):
    """A function of MindSpore's whose result lies in memory as PyTorch's does."""

    @wraps(function)
    def called(*args, **kwargs):
        return computed(function, *args, **kwargs) if args else function(**kwargs)

    return called


def has_channels_last(input):
    """Whether images or volumes lie in memory with their channels last, as PyTorch tells it by the steps."""
    if not isinstance(input, mindspore.Tensor) or input.ndim not in (4, 5) or input.is_contiguous():
        return False
    steps, least = input.stride(), 0
    for axis in (1, *range(input.ndim - 1, 1, -1), 0):
        is_doubtful = axis == 0 and least == steps[1]
        if not input.shape[axis] or not steps[1] or steps[axis] < least or is_doubtful:
            return False
        least = steps[axis] * max(input.shape[axis], 1)
    return True


def laid_channels_last(images):
    """The same values, in memory with the channels last."""
    axes = tuple(range(images.ndim))
    return images.permute(0, *axes[2:], 1).contiguous().permute(0, axes[-1], *axes[1:-1])


def computed_in_layout(function, input, *args, **kwargs):
    """What a function of images or volumes gives: with the channels last in memory where the input has, as in
    PyTorch."""
    given = function(input, *args, **kwargs)
    images = input if isinstance(input, (list, tuple)) else [input]
    is_kept = (
        isinstance(given, mindspore.Tensor) and images and given.ndim in (4, 5) and not GraphsKept.always
    )
    return laid_channels_last(given) if is_kept and all(map(has_channels_last, images)) else given


def operators_keep_order():
    """Let MindSpore's operators give what lies in memory as in PyTorch."""
    for name in ("avg_pool2d", "cat", "group_norm", "interpolate", "max_pool2d"):
        setattr(ops, name, ordered(getattr(ops, name), computed_in_layout))
    for name in ("relu", "gelu", "silu", "sigmoid", "tanh"):
        setattr(ops, name, ordered(getattr(ops, name)))
    for name in ("add", "sub", "mul", "truediv"):
        for sided in (f"__{name}__", f"__r{name}__", f"__i{name}__"):
            setattr(mindspore.Tensor, sided, keeping_order(getattr(mindspore.Tensor, sided)))
    return True


# whether operators keep the order in memory, in which dropout draws
ORDER_IS_KEPT = operators_keep_order()
