"""Functions that arrange the values of Tensors, and the shapes of these."""

import math
from collections import namedtuple

import mindspore
import numpy as np
from mindspore import ops

# torch.Size: the shape of a Tensor of MindSpore is a tuple
Size = tuple


def adjoint(input):
    """torch.adjoint and torch.Tensor.adjoint: the conjugate of each matrix, transposed."""
    turned = input.swapaxes(-2, -1)
    return turned.conj() if input.is_complex() else turned


def each_of(tensors, function):
    """A function of each Tensor, given alone or in a list or as arguments."""
    if len(tensors) == 1 and isinstance(tensors[0], mindspore.Tensor):
        return function(tensors[0])
    inner = tensors[0] if len(tensors) == 1 else tensors
    return tuple(function(one) for one in inner)


def atleast_1d(*tensors):
    """torch.atleast_1d."""
    return each_of(tensors, lambda one: one.reshape(1) if one.ndim == 0 else one)


def atleast_2d(*tensors):
    """torch.atleast_2d."""
    return each_of(tensors, lambda one: one.reshape(1, -1) if one.ndim < 2 else one)


def atleast_3d(*tensors):
    """torch.atleast_3d: a matrix gets its last axis."""

    def raised(one):
        return one.reshape(*one.shape, 1) if one.ndim == 2 else one.reshape(1, -1, 1) if one.ndim < 2 else one

    return each_of(tensors, raised)


def broadcast_tensors(*tensors):
    """torch.broadcast_tensors."""
    tensors = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    shape = broadcast_shapes(*(one.shape for one in tensors))
    return tuple(ops.broadcast_to(one, shape) for one in tensors)


def broadcast_to(input, size):
    """torch.broadcast_to and torch.Tensor.broadcast_to."""
    return ops.broadcast_to(input, tuple(size))


def hsplit(input, *given, **named):
    """torch.hsplit and torch.Tensor.hsplit."""
    return tensor_split(input, *given, dim=0 if input.ndim == 1 else 1, **named)


def vsplit(input, *given, **named):
    """torch.vsplit and torch.Tensor.vsplit."""
    return tensor_split(input, *given, dim=0, **named)


def dsplit(input, *given, **named):
    """torch.dsplit and torch.Tensor.dsplit."""
    return tensor_split(input, *given, dim=2, **named)


def vstack(tensors, *, out=None):
    """torch.vstack."""
    return cat([atleast_2d(one) for one in tensors], 0)


def movedim(input, source, destination):
    """torch.movedim and torch.moveaxis."""
    sources, places = (
        [axis % input.ndim for axis in ((given,) if isinstance(given, int) else given)]
        for given in (source, destination)
    )
    order = [axis for axis in range(input.ndim) if axis not in sources]
    for place, axis in sorted(zip(places, sources)):
        order.insert(place, axis)
    return input.permute(*order)


def rot90(input, k=1, dims=(0, 1)):
    """torch.rot90 and torch.Tensor.rot90."""
    first, second = (axis % input.ndim for axis in dims)
    if k % 4 == 0:
        return mindspore.Tensor.copy(input)
    for _ in range(k % 4):
        input = flip(input.swapaxes(first, second), first)
    return input


def diag(input, diagonal=0, *, out=None):
    """torch.diag and torch.Tensor.diag: the matrix with this diagonal, or the diagonal of a matrix."""
    if input.ndim == 1:
        return diag_embed(input, diagonal)
    return mindspore.Tensor.copy(diagonal_of(input, diagonal))  # no view, as `diagonal` gives one


def diagonal_of(input, offset):
    """A diagonal of a matrix."""
    return diagonal(input, offset)


def numel(input):
    """torch.numel."""
    return input.size


def is_same_size(input, other):
    """torch.is_same_size."""
    return input.shape == other.shape


def unravel_index(indices, shape):
    """torch.unravel_index."""
    found = np.unravel_index(indices.asnumpy(), (shape,) if isinstance(shape, int) else tuple(shape))
    return tuple(mindspore.Tensor(axis, indices.dtype) for axis in found)


def as_strided_scatter(input, src, size, stride, storage_offset=0):
    """torch.as_strided_scatter and torch.Tensor.as_strided_scatter."""
    places = ops.arange(input.size).reshape(input.shape)
    chosen = as_strided(places, size, stride, storage_offset).reshape(-1)
    return scatter(input.reshape(-1), 0, chosen, src.reshape(-1)).reshape(input.shape)


def fftshift(input, dim=None):
    """torch.fft.fftshift."""
    axes = axes_of(input, dim)
    return roll(input, tuple(input.shape[axis] // 2 for axis in axes), axes)


def ifftshift(input, dim=None):
    """torch.fft.ifftshift."""
    axes = axes_of(input, dim)
    return roll(input, tuple(-(input.shape[axis] // 2) for axis in axes), axes)


def inclusive_range(
    start=0, end=None, step=1, *, out=None, dtype=None, device=None, requires_grad=False, **options
):
    """torch.range: arange with the end."""
    start, end = (0, start) if end is None else (start, end)
    count = int((end - start) / step) + 1
    dtype = dtype or get_default_dtype()
    return leaf(mindspore.Tensor(start + step * np.arange(count), dtype), requires_grad)


def transpose(input, dim0, dim1):
    """torch.transpose: the Tensor with two axes in each other's place."""
    return ops.swapaxes(input, dim0, dim1)


def reduced_shape(input, axes, keepdim):
    """The shape of what a reduction over axes of a Tensor gives."""
    axes = {axis % input.ndim for axis in axes}
    lengths = [1 if axis in axes else length for axis, length in enumerate(input.shape)]
    return tuple(length for axis, length in enumerate(lengths) if keepdim or axis not in axes)


def any_of(input, dim=None, keepdim=False, *, out=None):
    """torch.any and torch.Tensor.any."""
    axes = axes_of(input, dim)
    if not axes:
        return input != 0
    if not input.size:  # MindSpore's sum of nothing may end the process
        return ops.full(reduced_shape(input, axes, keepdim), False, dtype=mindspore.bool_)
    found = (input != 0).astype(mindspore.int32).sum(axes, keepdims=keepdim)
    return found > 0


def all_of(input, dim=None, keepdim=False, *, out=None):
    """torch.all, as a function that is handed on."""
    return ops.logical_not(any_of(input == 0, dim, keepdim))


def mean_of(input, dim=None, keepdim=False, *, dtype=None, out=None):
    """torch.mean, as a function that is handed on."""
    values = input if dtype is None else input.astype(dtype)
    axes = axes_of(values, dim)
    return ops.mean(values, axes, keepdim) if axes else values


def product_of(input, dim=None, keepdim=False, *, dtype=None, out=None):
    """torch.prod, as a function that is handed on: whole numbers become int64."""
    is_float = input.is_floating_point() or input.is_complex()
    dtype = dtype or (input.dtype if is_float else mindspore.int64)
    values = input.astype(dtype)
    found = ops.prod(values.reshape(-1), 0) if dim is None else ops.prod(values, dim, keepdim)
    return found.astype(dtype)


def count_nonzero(input, dim=None):
    """torch.count_nonzero and torch.Tensor.count_nonzero."""
    return (input != 0).astype(mindspore.int64).sum(axes_of(input, dim))


def nansum(input, dim=None, keepdim=False, *, dtype=None, out=None):
    """torch.nansum and torch.Tensor.nansum."""
    known = ops.where(ops.isnan(input), ops.zeros_like(input), input)
    return known.sum(axes_of(input, dim), keepdims=keepdim, dtype=dtype)


def trapezoid(y, x=None, *, dx=1, dim=-1):
    """torch.trapezoid and torch.trapz."""
    return trapezoids(y, x, dx, dim).sum(dim)


def cumulative_trapezoid(y, x=None, *, dx=1, dim=-1):
    """torch.cumulative_trapezoid."""
    return cumsum(trapezoids(y, x, dx, dim), dim)


def trapezoids(y, x, dx, dim):
    """What each two neighbours add to an integral."""
    widths = dx
    if x is not None:
        widths = diff(x, dim=dim if x.ndim > 1 else 0)
        if x.ndim == 1:
            widths = widths.reshape(-1, *([1] * (y.ndim - dim % y.ndim - 1)))
    size = y.shape[dim]
    return (y.narrow(dim, 0, size - 1) + y.narrow(dim, 1, size - 1)) / 2 * widths


def numeric_gradient(input, *, spacing=1, dim=None, edge_order=1):
    """torch.gradient: differences of neighbours, at the edges of one side."""
    axes, spacing = axes_of(input, dim), 1 if spacing is None else spacing
    spacings = spacing if isinstance(spacing, (tuple, list)) else [spacing] * len(axes)
    return tuple(slope(input, axis, each, edge_order) for axis, each in zip(axes, spacings))


def slope(input, axis, spacing, edge_order):
    """The differences along an axis, where values are `spacing` apart, or at these places."""
    values = input.swapaxes(axis, -1)
    count = values.shape[-1]
    places = spacing if isinstance(spacing, mindspore.Tensor) and spacing.ndim else None
    if places is None:
        places = mindspore.Tensor(np.arange(count), input.dtype) * spacing
    before, after = diff(places)[:-1], diff(places)[1:]
    lower, here, upper = values[..., :-2], values[..., 1:-1], values[..., 2:]
    inner = (upper - here) * (before / (after * (before + after)))
    inner = inner + (here - lower) * (after / (before * (before + after)))
    ends = [(0, 1, 2), (count - 1, count - 2, count - 3)]
    first, last = (edge(values, places, each, edge_order) for each in ends)
    return cat([first, inner, last], -1).swapaxes(axis, -1)


def edge(values, places, chosen, edge_order):
    """The difference at an edge, from its neighbours."""
    here, near, far = chosen
    one = values[..., near : near + 1] - values[..., here : here + 1]
    gap = places[near] - places[here]
    if edge_order == 1:
        return one / gap
    two = values[..., far : far + 1] - values[..., here : here + 1]
    wide = places[far] - places[here]
    return (one * (wide / gap) - two * (gap / wide)) / (wide - gap)


def covariance(input, correction):
    """The covariance of the rows of a matrix."""
    apart = input - input.mean(-1, keep_dims=True)
    return ops.matmul(apart, apart.swapaxes(0, 1)) / (input.shape[-1] - correction)


def corrcoef(input):
    """torch.corrcoef and torch.Tensor.corrcoef."""
    found = covariance(as_floating(input.reshape(1, -1) if input.ndim < 2 else input), 1)
    deviations = ops.sqrt(diagonal(found))
    found = found / deviations.reshape(-1, 1) / deviations
    return found.reshape(()) if found.size == 1 else found


def tensordot(a, b, dims=2, out=None):
    """torch.tensordot."""
    if isinstance(dims, mindspore.Tensor):
        dims = dims.asnumpy().tolist()
    if isinstance(dims, int):
        dims = (list(range(a.ndim - dims, a.ndim)), list(range(dims)))
    of_a, of_b = ([axis % one.ndim for axis in axes] for one, axes in zip((a, b), dims))
    rest_a = [axis for axis in range(a.ndim) if axis not in of_a]
    rest_b = [axis for axis in range(b.ndim) if axis not in of_b]
    shape = [a.shape[axis] for axis in rest_a] + [b.shape[axis] for axis in rest_b]
    count = int(np.prod([a.shape[axis] for axis in of_a]))
    left = a.permute(*rest_a, *of_a).reshape(-1, count)
    right = b.permute(*of_b, *rest_b).reshape(count, -1)
    return ops.matmul(left, right).reshape(tuple(shape))


def histogram(input, bins, *, range=None, weight=None, density=False, out=None):
    """torch.histogram and torch.Tensor.histogram."""
    values = input.asnumpy()
    edges = bins.asnumpy() if isinstance(bins, mindspore.Tensor) else bins
    weights = None if weight is None else weight.asnumpy()
    counts, edges = np.histogram(values, edges, range, density, weights)
    return Histogram(mindspore.Tensor(counts, input.dtype), mindspore.Tensor(edges, input.dtype))


class Histogram(namedtuple("Histogram", ["hist", "bin_edges"])):
    """What torch.histogram gives."""


def numel_of_size(input):
    """torch.Size.numel."""
    return math.prod(input)
