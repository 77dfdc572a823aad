"""Reductions of Tensors without values, and functions along an axis of Tensors without dimensions."""

from functools import wraps

import mindspore
from mindspore import mint, ops


def also_of_numbers(function):
    """A function along an axis that takes a Tensor without dimensions as one of one value."""

    def raised(value):
        return value.reshape(1) if isinstance(value, mindspore.Tensor) and value.ndim == 0 else value

    def lowered(value):
        return value.reshape(()) if value.shape == (1,) else value

    @wraps(function)
    def called(input, *args, **kwargs):
        if input.ndim:
            return function(input, *args, **kwargs)
        options = {name: raised(value) for name, value in kwargs.items()}
        found = function(input.reshape(1), *map(raised, args), **options)
        return lowered(found) if isinstance(found, mindspore.Tensor) else type(found)(*map(lowered, found))

    return called


def giving_of_nothing(value, original):
    """A reduction that gives a value where there is nothing to reduce."""

    @wraps(original)
    def reduced(input, *args, **kwargs):
        result = original(input, *args, **kwargs)
        if input.size or not result.size:
            return result
        return ops.where(mindspore.Tensor(True), ops.full_like(result, value), result)

    return reduced


def truth_of_nothing(value, original):
    """`any` or `all` with its value where there is nothing to reduce: MindSpore 2.10 may crash there."""

    @wraps(original)
    def reduced(input, *args, **kwargs):
        if input.size:
            return original(input, *args, **kwargs)
        dim = args[0] if args else kwargs.get("dim", kwargs.get("axis"))
        keeps = args[1] if len(args) > 1 else any(kwargs.get(name) for name in ("keepdim", "keep_dims"))
        shape = reduced_shape(input, axes_of(input, dim), keeps)
        return ops.full(shape, value, dtype=mindspore.bool_)

    return reduced


def median_of_nothing(original):
    """A median that is not a number where there are no values."""

    @wraps(original)
    def reduced(input, *args, **kwargs):
        if input.size:
            return original(input, *args, **kwargs)
        shape = reduced_shape(input, axes_of(input, args[0] if args else kwargs.get("axis", -1)), False)
        values = without_slope(ops.full(shape, float("nan"), dtype=input.dtype), input)
        return values, ops.zeros(shape, mindspore.int64)

    return reduced


def repeating_nothing(original):
    """A repetition that also takes a Tensor without values."""

    @wraps(original)
    def repeated(input, *sizes, **options):
        counts = shape_of((*sizes, *options.values()))
        if input.size and 0 not in counts:
            return original(input, *sizes, **options)
        axes = max(len(counts), input.ndim)
        counts, shape = ((1,) * (axes - len(each)) + tuple(each) for each in (counts, input.shape))
        sizes = tuple(count * size for count, size in zip(counts, shape))
        return without_slope(ops.zeros(sizes, input.dtype), input)

    return repeated


def tensors_without_values_reduced():
    """On CPU, let sums, products, means, variances and medians of Tensors without values, products of
    matrices that have none to sum, and whether any or all are true, be what they are in PyTorch: MindSpore
    gives what happens to be in memory. Let Tensors without values be repeated."""
    ops.median = median_of_nothing(ops.median)
    for owner in (mindspore.Tensor, mint, ops):
        owner.tile = repeating_nothing(owner.tile)
    nothing = {"sum": 0, "nansum": 0, "count_nonzero": 0, "mean": float("nan"), "prod": 1}
    nothing |= {"var": float("nan"), "std": float("nan")}
    nothing |= {"matmul": 0, "mm": 0, "__matmul__": 0}
    for owner in (mindspore.Tensor, mint, ops):
        for name, value in nothing.items():
            if hasattr(owner, name):
                setattr(owner, name, giving_of_nothing(value, getattr(owner, name)))
        owner.any, owner.all = truth_of_nothing(False, owner.any), truth_of_nothing(True, owner.all)
    return True


# whether reductions of nothing are PyTorch's
REDUCES_NOTHING = mindspore.get_context("device_target") != "CPU" or tensors_without_values_reduced()
