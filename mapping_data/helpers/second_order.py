"""Gradients of gradients (`create_graph=True`): operators whose gradient MindSpore 2.10 cannot differentiate
again, or differentiates wrongly, made of operators of which it can.

Their gradients use views that they make themselves (a transposed matrix, a sum spread over an axis again),
and forget how those came about; or no gradient is defined for them."""

import functools
import math

import mindspore
import numpy as np
from mindspore import mint, ops
from mindspore.nn.cell import _pynative_executor


def has_graph(*values):
    """Whether it is recorded what becomes of one of some values."""
    recorded = (isinstance(value, mindspore.Tensor) and value._requires_grad for value in values)
    return any(recorded) and _pynative_executor.enable_grad()


class Reduction(Function):
    """A sum over axes, multiplied by a number."""

    @staticmethod
    def forward(ctx, input, native, axes, scale):
        ctx.shape, ctx.axes, ctx.scale = input.shape, axes, scale
        return native(input)

    @staticmethod
    def backward(ctx, gradient):
        kept = tuple(1 if axis in ctx.axes else size for axis, size in enumerate(ctx.shape))
        return gradient.reshape(kept).broadcast_to(ctx.shape) * ctx.scale, None, None, None


class Joining(Function):
    """Tensors that are joined along an axis."""

    @staticmethod
    def forward(ctx, native, axis, *tensors):
        ctx.axis, ctx.sizes = axis, [tensor.shape[axis] for tensor in tensors]
        return native(tensors)

    @staticmethod
    def backward(ctx, gradient):
        ends = [sum(ctx.sizes[: count + 1]) for count in range(len(ctx.sizes))]
        axes = (slice(None),) * (ctx.axis % gradient.ndim)
        parts = [gradient[(*axes, slice(end - size, end))] for size, end in zip(ctx.sizes, ends)]
        return (None, None, *parts)


class Picking(Function):
    """Values along an axis, chosen by indices: torch.gather."""

    @staticmethod
    def forward(ctx, input, axis, index):
        ctx.shape, ctx.axis, ctx.index = input.shape, axis, index
        return PICK(input, axis, index)

    @staticmethod
    def backward(ctx, gradient):
        return Scattering.apply(gradient, ctx.shape, ctx.axis, ctx.index), None, None


class Scattering(Function):
    """Values that are added to zeros along an axis, at indices."""

    @staticmethod
    def forward(ctx, input, shape, axis, index):
        ctx.axis, ctx.index = axis, index
        return put_elements(ops.zeros(shape, input.dtype), index, input, axis, "add")

    @staticmethod
    def backward(ctx, gradient):
        return Picking.apply(gradient, ctx.axis, ctx.index), None, None, None


class LinearMap(Function):
    """A function of one Tensor that is linear in it."""

    @staticmethod
    def forward(ctx, input, native):
        ctx.shape, ctx.dtype, ctx.native = input.shape, input.dtype, native
        return native(input)

    @staticmethod
    def backward(ctx, gradient):
        return TransposedMap.apply(gradient, ctx.native, ctx.shape, ctx.dtype), None


class TransposedMap(Function):
    """What takes the gradient of a linear function's result to that of its argument."""

    @staticmethod
    def forward(ctx, input, native, shape, dtype):
        ctx.native = native
        return gradient_at(native, ops.zeros(shape, dtype), input)

    @staticmethod
    def backward(ctx, gradient):
        return LinearMap.apply(gradient, ctx.native), None, None, None


class BilinearMap(Function):
    """A function of two Tensors that is linear in each of them."""

    @staticmethod
    def forward(ctx, left, right, native):
        ctx.left, ctx.right, ctx.native = left, right, native
        return native(left, right)

    @staticmethod
    def backward(ctx, gradient):
        left = LeftOfBilinearMap.apply(gradient, ctx.right, ctx.native, ctx.left.shape)
        return left, RightOfBilinearMap.apply(gradient, ctx.left, ctx.native, ctx.right.shape), None


class LeftOfBilinearMap(Function):
    """The gradient of a bilinear function's left argument, given that of the result and the right one."""

    @staticmethod
    def forward(ctx, input, right, native, shape):
        ctx.input, ctx.right, ctx.native = input, right, native
        return gradient_at(lambda left: native(left, right), ops.zeros(shape, input.dtype), input)

    @staticmethod
    def backward(ctx, gradient):
        first = BilinearMap.apply(gradient, ctx.right, ctx.native)
        return first, RightOfBilinearMap.apply(ctx.input, gradient, ctx.native, ctx.right.shape), None, None


class RightOfBilinearMap(Function):
    """The gradient of a bilinear function's right argument, given that of the result and the left one."""

    @staticmethod
    def forward(ctx, input, left, native, shape):
        ctx.input, ctx.left, ctx.native = input, left, native
        return gradient_at(lambda right: native(left, right), ops.zeros(shape, input.dtype), input)

    @staticmethod
    def backward(ctx, gradient):
        first = BilinearMap.apply(ctx.left, gradient, ctx.native)
        return first, LeftOfBilinearMap.apply(ctx.input, gradient, ctx.native, ctx.left.shape), None, None


class InverseErrorFunction(Function):
    """torch.erfinv."""

    @staticmethod
    def forward(ctx, input):
        ctx.input = input
        return INVERSE_ERROR_FUNCTION(input)

    @staticmethod
    def backward(ctx, gradient):
        result = InverseErrorFunction.apply(ctx.input)
        return gradient * (math.sqrt(math.pi) / 2) * ops.exp(result * result)


def gradient_at(function, input, gradient):
    """The gradient of a function's argument, from that of its result; how it came about is not recorded."""
    was_on = _pynative_executor.grad_flag()
    _pynative_executor.set_grad_flag(True)
    try:
        with enable_grad():
            start = leaf(input)
            return gradients_of(function(start), start, gradient)[0]
    finally:
        _pynative_executor.set_grad_flag(was_on)


PICK = ops.gather_elements
INVERSE_ERROR_FUNCTION = ops.erfinv


def pick(input, axis, index):
    """The values along an axis that indices choose."""
    return Picking.apply(input, axis, index) if has_graph(input) else PICK(input, axis, index)


def reduced_axes(input, axis):
    """The axes that a reduction is over, counted from 0; all of them where none are given."""
    if axis is None or axis == ():
        return tuple(range(input.ndim))
    return tuple(each % max(input.ndim, 1) for each in (axis if isinstance(axis, (tuple, list)) else (axis,)))


def reduction_arguments(axis=None, keeps=False, *, dim=None, keepdim=False, keepdims=False, keep_dims=False):
    """The axis of a reduction, and whether it stays, with size 1. Raises a TypeError for other arguments."""
    if not isinstance(keeps, bool) or isinstance(axis, mindspore.Tensor):
        raise TypeError("no axes of a reduction")
    return axis if dim is None else dim, keeps or keepdim or keepdims or keep_dims


def reduction(native, is_mean):
    """A sum or a mean."""

    def method(input, *args, **kwargs):
        options = {name: value for name, value in kwargs.items() if name != "dtype"}
        try:
            axes = reduced_axes(input, reduction_arguments(*args, **options)[0])
        except TypeError:
            return native(input, *args, **kwargs)
        if not (has_graph(input) and input.is_floating_point()):
            return native(input, *args, **kwargs)
        if kwargs.get("dtype") is not None:
            input = input.astype(kwargs["dtype"])
        count = math.prod(input.shape[axis] for axis in axes) if is_mean else 1
        reduce = functools.partial(call_with, native, args, kwargs)
        return Reduction.apply(input, reduce, axes, 1 / max(count, 1))

    return method


def call_with(function, args, kwargs, input):
    """A call of a function with its first argument given last."""
    return function(input, *args, **kwargs)


def shared_extreme(native):
    """The largest or the smallest values over axes, among whose places their gradient is shared."""

    def method(input, *args, **kwargs):
        result = native(input, *args, **kwargs)
        if not has_graph(input) or not isinstance(result, mindspore.Tensor):
            return result
        try:
            axis, keeps = reduction_arguments(*args, **kwargs)
        except TypeError:
            return result
        axes = reduced_axes(input, axis)
        kept = tuple(1 if axis in axes else size for axis, size in enumerate(input.shape))
        is_found = input == ops.stop_gradient(result).reshape(kept)
        count = is_found.astype(input.dtype).sum(axes, keepdims=True)
        shares = ops.where(is_found, input / count, ops.zeros_like(input))
        return shares.sum(axes, keepdims=keeps).reshape(result.shape)

    return method


# making an operator takes longer than running it
MATMUL = ops.MatMul()
BATCH_MATMUL = ops.BatchMatMul()
MATMUL_TRANSPOSED = ops.MatMul(transpose_b=True)


def matrix_product(input, other):
    """torch.matmul."""
    if input.ndim == 1 or other.ndim == 1:
        left = input.reshape((1, -1)) if input.ndim == 1 else input
        right = other.reshape((-1, 1)) if other.ndim == 1 else other
        product = matrix_product(left, right)
        rows = product.shape[:-2] if input.ndim == 1 else product.shape[:-1]
        return product.reshape(rows if other.ndim == 1 else (*rows, product.shape[-1]))
    if other.ndim == 2:
        flat = MATMUL(input.reshape((-1, input.shape[-1])), other)
        return flat.reshape((*input.shape[:-1], other.shape[-1]))
    batch = np.broadcast_shapes(input.shape[:-2], other.shape[:-2])
    left, right = (
        each.broadcast_to((*batch, *each.shape[-2:])).reshape((-1, *each.shape[-2:]))
        for each in (input, other)
    )
    return BATCH_MATMUL(left, right).reshape((*batch, input.shape[-2], other.shape[-1]))


def product(native, is_reversed=False):
    """A product of matrices, batches of them or vectors."""

    def method(input, *args, **named):
        other, *more = *args, *named.values()  # which has several names
        is_ours = not more and isinstance(other, mindspore.Tensor) and has_graph(input, other)
        if not is_ours or input.dtype != other.dtype or 0 in (*input.shape, *other.shape):
            return native(input, *args, **named)
        return matrix_product(other, input) if is_reversed else matrix_product(input, other)

    return method


def dense(native):
    """A linear layer."""

    def function(input, weight, bias=None):
        if not has_graph(input, weight, bias) or 0 in (*input.shape, *weight.shape):
            return native(input, weight, bias)
        if weight.ndim == 1:
            return matrix_product(input, weight) if bias is None else matrix_product(input, weight) + bias
        flat = MATMUL_TRANSPOSED(input.reshape((-1, input.shape[-1])), weight)
        result = flat.reshape((*input.shape[:-1], weight.shape[0]))
        return result if bias is None else result + bias

    return function


def joining(native):
    """torch.cat."""

    def function(tensors, axis=0, **options):
        axis = options.get("dim", axis)
        joined = functools.partial(call_with, native, (axis,), {})
        is_plain = all(tensor.ndim for tensor in tensors) and len({tensor.dtype for tensor in tensors}) == 1
        if not (is_plain and has_graph(*tensors)):
            return joined(tensors)
        return Joining.apply(joined, axis, *tensors)

    return function


def picking(native):
    """torch.gather, and what MindSpore has of it."""

    def function(input, dim, index):
        if not (isinstance(dim, int) and has_graph(input)):
            return native(input, dim, index)
        return Picking.apply(input, dim, index)

    return function


def repetition(native):
    """Repeats of a whole Tensor along its axes."""
    of_any_size = repeating_nothing(native)

    def method(input, *sizes, **options):
        counts = options.get("dims", options.get("repeats", sizes))
        counts = tuple(counts[0]) if len(counts) == 1 and isinstance(counts[0], (tuple, list)) else counts
        if 0 in input.shape or not has_graph(input) or not all(isinstance(count, int) for count in counts):
            return of_any_size(input, *sizes, **options)
        shape = (1,) * (len(counts) - input.ndim) + tuple(input.shape)
        counts = (1,) * (len(shape) - len(counts)) + tuple(counts)
        spread = [size for pair in zip(counts, shape) for size in pair]
        single = [size for one in shape for size in (1, one)]
        whole = tuple(count * size for count, size in zip(counts, shape))
        return with_own_memory(
            input.reshape(tuple(single)).broadcast_to(tuple(spread)).reshape(whole), math.prod(counts)
        )

    return method


def with_own_memory(repeated, count):
    """What a Tensor's repeats are written to: MindSpore reshapes a view of one value for all of them, or of
    the Tensor itself, to another such view where it can."""
    return repeated if count > 1 and repeated.is_contiguous() else repeated.copy()


def sorting(native):
    """Sorted values with their indices."""

    def method(input, *args, **kwargs):
        if not has_graph(input):
            return native(input, *args, **kwargs)
        indices = native(ops.stop_gradient(input), *args, **kwargs)[1]
        axis = kwargs.get("dim", kwargs.get("axis", args[0] if args else -1))
        return Picking.apply(input, axis, indices), indices

    return method


def linear_primitive(native):
    """A primitive that is linear in its first argument, which is the only Tensor."""

    def call(self, input, *args):
        if not has_graph(input):
            return native(self, input, *args)
        return LinearMap.apply(input, lambda given: native(self, given, *args))

    return call


def linear_function(native):
    """A function that is linear in its first argument, which is the only Tensor."""

    def function(input, *args, **kwargs):
        if not has_graph(input):
            return native(input, *args, **kwargs)
        return LinearMap.apply(input, functools.partial(call_with, native, args, kwargs))

    return function


def pooling_with_indices(spatial):
    """A primitive that gives the largest values of windows and where they are."""

    def made(native):
        def call(self, input):
            if not has_graph(input):
                return native(self, input)
            _, places = native(self, ops.stop_gradient(input))
            return maxima_at_places(input, places, spatial), places

        return call

    return made


def maxima_at_places(input, places, spatial):
    """The values at places that are counted over the last axes together."""
    batch = tuple(input.shape[:-spatial])
    index = places.reshape((*batch, -1)).astype(mindspore.int64)
    return Picking.apply(input.reshape((*batch, -1)), len(batch), index).reshape(places.shape)


def adaptive_maximum(native):
    """The largest values of windows that are as many as asked for."""

    def function(input, output_size, return_indices=False):
        if not has_graph(input):
            return native(input, output_size, return_indices)
        _, places = native(ops.stop_gradient(input), output_size, True)
        values = maxima_at_places(input, places, 2)
        return (values, places) if return_indices else values

    return function


def normalized(input, axes, epsilon, weight, bias):
    """Values minus their mean over axes, divided by the root of their variance."""
    centred = input - input.mean(axes, keep_dims=True)
    variance = (centred * centred).mean(axes, keep_dims=True)
    return centred / ops.sqrt(variance + epsilon) * weight + bias


def batch_normalization(native):
    """MindSpore's BatchNorm, whose further results have no gradient."""

    def call(self, input, weight, bias, mean, variance, *more):
        if not has_graph(input, weight, bias):
            return native(self, input, weight, bias, mean, variance, *more)
        shape = (1, -1, *(1,) * (input.ndim - 2))
        scale, shift = weight.reshape(shape), bias.reshape(shape)
        if self.is_training:
            axes = (0, *range(2, input.ndim))
            result = normalized(input, axes, self.epsilon, scale, shift)
            rest = native(self, ops.stop_gradient(input), weight, bias, mean, variance, *more)[1:]
            return (result, *rest)
        root = ops.sqrt(variance.reshape(shape) + self.epsilon)
        return ((input - mean.reshape(shape)) / root * scale + shift, mean, variance, mean, variance)

    return call


def layer_normalization(native):
    """MindSpore's LayerNorm, whose further results have no gradient."""

    def call(self, input, weight, bias):
        if not has_graph(input, weight, bias):
            return native(self, input, weight, bias)
        axes = tuple(range(self.begin_norm_axis % input.ndim, input.ndim))
        rest = native(self, ops.stop_gradient(input), weight, bias)[1:]
        return (normalized(input, axes, self.epsilon, weight, bias), *rest)

    return call


def group_normalization(native):
    """Normalization of groups of channels."""

    def function(input, num_groups, weight=None, bias=None, eps=1e-5):
        if not has_graph(input, weight, bias):
            return native(input, num_groups, weight, bias, eps)
        groups = input.reshape((input.shape[0], num_groups, -1))
        result = normalized(groups, (2,), eps, 1, 0).reshape(input.shape)
        shape = (1, -1, *(1,) * (input.ndim - 2))
        result = result if weight is None else result * weight.reshape(shape)
        return result if bias is None else result + bias.reshape(shape)

    return function


def gelu_of(native):
    """GELU by tanh."""

    def call(self, input):
        if not has_graph(input):
            return native(self, input)
        inner = math.sqrt(2 / math.pi) * (input + 0.044715 * input * input * input)
        return input * ops.sigmoid(2 * inner)

    return call


def exponential_of(input, axis):
    """Values minus the largest along axes, and the exponential function of that."""
    shifted = input - ops.stop_gradient(input).max(axis, keepdims=True)
    return shifted, ops.exp(shifted)


def soft_maximum(native):
    """Softmax."""

    def function(input, axis=-1, **options):
        axis = options.pop("dim", axis)
        if not has_graph(input) or options or axis is None:
            return native(input, axis, **options)
        exponential = exponential_of(input, axis)[1]
        return exponential / exponential.sum(axis, keepdims=True)

    return function


def log_of_softmax(native):
    """The logarithm of softmax."""

    def function(input, axis=-1, **options):
        axis = options.pop("dim", axis)
        if not has_graph(input) or options or axis is None:
            return native(input, axis, **options)
        shifted, exponential = exponential_of(input, axis)
        return shifted - ops.log(exponential.sum(axis, keepdims=True))

    return function


def variance_of(native, is_root):
    """The variance, or its root, over axes; what is said in NumPy's words (`ddof`) is left to MindSpore."""

    def method(input, *args, correction=1, **kwargs):
        options = kwargs if correction == 1 else {**kwargs, "correction": correction}
        try:
            axis, keeps = reduction_arguments(*args, **kwargs)
        except TypeError:
            return native(input, *args, **options)
        if not has_graph(input) or isinstance(axis, bool):
            return native(input, *args, **options)
        axes = reduced_axes(input, axis)
        centred = input - input.mean(axes, keep_dims=True)
        count = math.prod(input.shape[axis] for axis in axes) - correction
        result = (centred * centred).sum(axes, keepdims=keeps) / max(count, 0)
        return ops.sqrt(result) if is_root else result

    return method


def factors(native):
    """The product of values along an axis, or of all."""

    def method(input, *args, **kwargs):
        try:
            axis, keeps = reduction_arguments(*args, **kwargs)
        except TypeError:
            return native(input, *args, **kwargs)
        if not has_graph(input) or isinstance(axis, (tuple, list)) or 0 in input.shape:
            return native(input, *args, **kwargs)
        left = input.reshape((-1,)) if axis is None else input.swapaxes(axis, 0)
        while left.shape[0] > 1:
            half = left.shape[0] // 2
            pairs = left[:half] * left[half : 2 * half]
            left = ops.cat((pairs, left[2 * half :])) if left.shape[0] % 2 else pairs
        left = left.copy() if input.size == left.size else left
        if axis is None:
            return left.reshape((1,) * input.ndim if keeps else ())
        left = left.swapaxes(axis, 0)
        return left if keeps else left.squeeze(axis)

    return method


def parts_along(native):
    """torch.unbind."""

    def function(input, dim=0):
        if not has_graph(input):
            return native(input, dim)
        axes = (slice(None),) * (dim % input.ndim)
        return tuple(input[(*axes, place)] for place in range(input.shape[dim]))

    return function


def repetition_of_values(native):
    """Repeats of each value along an axis, all the same number of times."""

    def method(input, repeats, dim=None, *args, **options):
        dim = options.get("axis", dim)
        if not has_graph(input) or not isinstance(repeats, int) or args or options.get("output_size"):
            return native(input, repeats, dim, *args, **options)
        input, dim = (input.reshape((-1,)), 0) if dim is None else (input, dim % input.ndim)
        shape = list(input.shape)
        spread = input.expand_dims(dim + 1).broadcast_to((*shape[: dim + 1], repeats, *shape[dim + 1 :]))
        shape[dim] *= repeats
        return with_own_memory(spread.reshape(tuple(shape)), repeats)

    return method


def convolution3d(native):
    """MindSpore's conv3d."""

    def function(input, weight, bias=None, *args, **options):
        if not has_graph(input, weight, bias):
            return native(input, weight, bias, *args, **options)
        result = BilinearMap.apply(input, weight, lambda x, w: native(x, w, None, *args, **options))
        return result if bias is None else result + bias.reshape((-1, 1, 1, 1))

    return function


def likelihood(native):
    """The negative logarithm of a likelihood."""

    def function(inputs, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
        if not has_graph(inputs) or label_smoothing:
            return native(inputs, target, weight, ignore_index, reduction, label_smoothing)
        return nll_loss(inputs, target, weight, ignore_index=ignore_index, reduction=reduction)

    return function


def sampling(native):
    """Values of images at the points of a grid; by operators of its own where the grid has a gradient."""

    def function(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
        options = (mode, padding_mode, align_corners)
        if has_graph(grid):
            return grid_sample(input, grid, *options)
        if not has_graph(input):
            return native(input, grid, *options)
        return LinearMap.apply(input, lambda given: native(given, grid, *options))

    return function


def inverse_error_function(native):
    """torch.erfinv."""
    return lambda input: InverseErrorFunction.apply(input) if has_graph(input) else native(input)


def variance_by_axis(native, is_root):
    """The variance, or its root, as ops.var and ops.std have it."""

    def function(input, axis=None, ddof=0, keepdims=False):
        computed = variance_of(lambda *_, **__: native(input, axis, ddof, keepdims), is_root)
        return computed(input, axis, keepdims, correction=int(ddof))

    return function


def of_primitive(made):
    """What takes the place of a primitive's call, from what takes the place of a function."""
    return lambda native: lambda self, *args: made(functools.partial(native, self))(*args)


def gradients_have_gradients():
    """Put the operators of this file in the place of MindSpore's, for all Tensors that have a gradient."""
    GraphsKept.always = True
    tensor, functional = mindspore.Tensor, mint.nn.functional
    replace((ops.ReduceSum,), "__call__", of_primitive(lambda native: reduction(native, False)))
    replace((ops.ReduceMean,), "__call__", of_primitive(lambda native: reduction(native, True)))
    replace((ops.Dense,), "__call__", of_primitive(dense))
    replace((ops.ReduceMax, ops.ReduceMin), "__call__", of_primitive(shared_extreme))
    replace((tensor, ops, mint), "sum", lambda native: reduction(native, False))
    replace((tensor, ops, mint), "mean", lambda native: reduction(native, True))
    replace((tensor, ops, mint), "amax amin", shared_extreme)
    replace((tensor, ops, mint), "matmul bmm mv dot inner", product)
    replace((tensor,), "__matmul__", product)
    replace((tensor,), "__rmatmul__", lambda native: product(native, True))
    replace((ops,), "dense", dense)
    replace((functional,), "linear", dense)
    replace((ops, mint), "cat concat", joining)
    replace((ops,), "gather_elements", picking)
    replace((mint,), "gather", picking)
    replace((tensor, ops, mint), "tile", repetition)
    replace((tensor,), "repeat", repetition)
    replace((tensor, ops, mint), "sort", sorting)
    linear = (ops.Slice, ops.AvgPool3D, ops.Pad, ops.AdaptiveAvgPool2D, ops.AdaptiveAvgPool3D)
    resized = (ops.ResizeNearestNeighborV2, ops.ResizeBilinearV2, ops.ResizeBicubic, ops.UpsampleNearest3D)
    replace((*linear, *resized), "__call__", linear_primitive)
    replace((tensor, ops, mint), "trace", linear_function)
    replace((ops,), "fft ifft irfft irfft2 irfftn hfft hfft2 hfftn", linear_function)
    replace((ops.MaxPoolWithArgmaxV2,), "__call__", pooling_with_indices(2))
    replace((ops, functional), "adaptive_max_pool2d", adaptive_maximum)
    replace((ops.MaxPool3DWithArgmax,), "__call__", pooling_with_indices(3))
    replace((ops.BatchNorm,), "__call__", batch_normalization)
    replace((ops.LayerNorm,), "__call__", layer_normalization)
    replace((ops, functional), "group_norm", group_normalization)
    replace((ops.GeLU,), "__call__", gelu_of)
    replace((ops, functional), "softmax", soft_maximum)
    replace((ops, functional), "log_softmax", log_of_softmax)
    replace((tensor, mint), "var", lambda native: variance_of(native, False))
    replace((tensor, mint), "std", lambda native: variance_of(native, True))
    replace((tensor, ops, mint), "prod", factors)
    replace((ops,), "var", lambda native: variance_by_axis(native, False))
    replace((ops,), "std", lambda native: variance_by_axis(native, True))
    replace((tensor, ops, mint), "unbind", parts_along)
    replace((tensor, ops, mint), "repeat_interleave", repetition_of_values)
    replace((ops,), "conv3d", convolution3d)
    replace((ops, functional), "grid_sample", sampling)
    replace((ops,), "nll_loss", likelihood)
    replace((tensor, ops, mint), "erfinv", inverse_error_function)
    return True


# whether gradients can be differentiated again
GRADIENTS_HAVE_GRADIENTS = gradients_have_gradients()
