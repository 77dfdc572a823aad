"""Functions and methods of Tensors that MindSpore lacks, or has with other parameters."""

import math
from itertools import pairwise

import mindspore
import numpy as np
from mindspore import ops
from mindspore.common._grad_function import _Function


def axes_of(input, dim):
    """The axes that are meant: all where none is given."""
    return tuple(range(input.ndim)) if dim is None or dim == () or not input.ndim else tuple_of(dim, 1)


def amax(input, dim=(), keepdim=False, *, out=None):
    """torch.amax and torch.Tensor.amax, of bools too."""
    if input.dtype == mindspore.bool_:
        return ops.amax(input.astype(mindspore.int32), axes_of(input, dim), keepdim).astype(mindspore.bool_)
    return ops.amax(input, axes_of(input, dim), keepdim)


def amin(input, dim=(), keepdim=False, *, out=None):
    """torch.amin and torch.Tensor.amin, of bools too."""
    if input.dtype == mindspore.bool_:
        return ops.amin(input.astype(mindspore.int32), axes_of(input, dim), keepdim).astype(mindspore.bool_)
    return ops.amin(input, axes_of(input, dim), keepdim)


def aminmax(input, *, dim=None, keepdim=False, out=None):
    """torch.aminmax and torch.Tensor.aminmax."""
    input = unknown_where_any(input, dim)
    return LowestAndHighest(amin(input, dim, keepdim), amax(input, dim, keepdim))


class CumulativeProduct(_Function):
    """torch.cumprod; MindSpore's gradient is not a number where a factor is 0."""

    @staticmethod
    def forward(ctx, input, dim):
        ctx.input, ctx.dim = input, dim
        ctx.found = ops.cumprod(input, dim)
        return ctx.found

    @staticmethod
    def backward(ctx, gradient):
        input, dim = ctx.input, ctx.dim
        if not (input == 0).any():
            return ops.cumsum((gradient * ctx.found).flip((dim,)), dim).flip((dim,)) / input, None
        factors, size = input.swapaxes(dim, -1), input.shape[dim]
        # by the factor that is left out, the products of the others
        others = masked_fill(factors.expand_dims(-2), mindspore.Tensor(np.eye(size, dtype=bool)), 1)
        slopes = ops.cumprod(others, -1) * mindspore.Tensor(np.triu(np.ones((size, size))), input.dtype)
        return (slopes * gradient.swapaxes(dim, -1).expand_dims(-2)).sum(-1).swapaxes(dim, -1), None


@also_of_numbers
def cumprod(input, dim, *, dtype=None, out=None):
    """torch.cumprod and torch.Tensor.cumprod: products of integers are int64."""
    if dtype is None and input.dtype not in FLOATING:
        dtype = mindspore.int64
    input = input if dtype is None else input.astype(dtype)
    if input.is_floating_point():
        return CumulativeProduct.apply(input, dim)
    found = input.cumprod(dim)
    return found if dtype is None else found.astype(dtype)


@also_of_numbers
def cummax(input, dim, *, out=None):
    """torch.cummax and torch.Tensor.cummax."""
    indices = ops.cummax(ops.stop_gradient(input), dim)[1].astype(mindspore.int64)
    return ValuesAndIndices(ops.gather_elements(input, dim, indices), indices)


@also_of_numbers
def cummin(input, dim, *, out=None):
    """torch.cummin and torch.Tensor.cummin."""
    indices = ops.cummin(ops.stop_gradient(input), dim)[1].astype(mindspore.int64)
    return ValuesAndIndices(ops.gather_elements(input, dim, indices), indices)


@also_of_numbers
def logcumsumexp(input, dim, *, out=None):
    """torch.logcumsumexp and torch.Tensor.logcumsumexp."""
    largest = ops.stop_gradient(amax(input, dim, True))
    return log(ops.cumsum(exp(input - largest), dim)) + largest


@also_of_numbers
def mode(input, dim=-1, keepdim=False, *, out=None):
    """torch.mode and torch.Tensor.mode: the smallest of the most frequent values, and its last place."""
    values = np.moveaxis(input.asnumpy(), dim, -1)
    counts = (values[..., :, None] == values[..., None, :]).sum(-1)
    chosen = np.where(counts == counts.max(-1, keepdims=True), values, np.inf).min(-1, keepdims=True)
    size = values.shape[-1]
    places = size - 1 - np.argmax((values == chosen)[..., ::-1], -1)[..., None]
    indices = mindspore.Tensor(np.moveaxis(places, -1, dim), mindspore.int64)
    found = ops.gather_elements(input, dim, indices)
    if not keepdim:
        found, indices = found.squeeze(dim), indices.squeeze(dim)
    return ValuesAndIndices(found, indices)


def nanmean(input, dim=None, keepdim=False, *, dtype=None, out=None):
    """torch.nanmean and torch.Tensor.nanmean."""
    input = input if dtype is None else input.astype(dtype)
    axes, known = axes_of(input, dim), ops.logical_not(ops.isnan(input))
    total = ops.where(known, input, ops.zeros_like(input)).sum(axes, keepdims=keepdim)
    return total / known.astype(input.dtype).sum(axes, keepdims=keepdim)


@also_of_numbers
def nanmedian(input, dim=None, keepdim=False, *, out=None):
    """torch.nanmedian and torch.Tensor.nanmedian."""
    if dim is None:
        return nanmedian(input.reshape(-1), 0).values
    order = sort(ops.where(ops.isnan(input), ops.full_like(input, math.inf), input), dim).indices
    known = ops.logical_not(ops.isnan(input)).astype(mindspore.int32).sum(dim, keepdims=True)
    place = ops.maximum(known - 1, ops.zeros_like(known)) // 2
    indices = ops.gather_elements(order, dim, place.astype(mindspore.int64))
    values = ops.gather_elements(input, dim, indices)
    if not keepdim:
        values, indices = values.squeeze(dim), indices.squeeze(dim)
    return ValuesAndIndices(values, indices)


@also_of_numbers
def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear", out=None):
    """torch.nanquantile and torch.Tensor.nanquantile."""
    if dim is None:
        known = input.reshape(-1)[ops.logical_not(ops.isnan(input)).reshape(-1)]
        if not known.shape[0]:
            known = ops.full((1,), math.nan, dtype=input.dtype)
        found = quantile(known, q, 0, interpolation=interpolation)
        return found.reshape(found.shape + (1,) * input.ndim) if keepdim else found
    axis = dim % input.ndim
    rows = input.swapaxes(axis, -1)
    flat = rows.reshape(-1, rows.shape[-1])
    parts = [nanquantile(row, q, interpolation=interpolation) for row in flat]
    found = ops.stack(parts, -1).reshape(*parts[0].shape, *rows.shape[:-1], 1)
    axis += parts[0].ndim
    found = found.swapaxes(axis, -1)
    return found if keepdim else found.squeeze(axis)


def rounded(input, *, decimals=0, out=None):
    """torch.round and torch.Tensor.round."""
    scale = 10.0**decimals
    return without_slope(ops.round(input) if decimals == 0 else ops.round(input * scale) / scale, input)


def dist(input, other, p=2):
    """torch.dist and torch.Tensor.dist."""
    return vector_norm(input - other, p)


def pdist(input, p=2.0):
    """torch.nn.functional.pdist: the distances of each row to those behind it."""
    first, second = np.triu_indices(input.shape[0], 1)
    difference = input[mindspore.Tensor(first)] - input[mindspore.Tensor(second)]
    return vector_norm(difference, p, -1)


def diagonal(input, offset=0, dim1=0, dim2=1):
    """torch.diagonal and torch.Tensor.diagonal."""
    first, second = dim1 % input.ndim, dim2 % input.ndim
    rest = [axis for axis in range(input.ndim) if axis not in (first, second)]
    moved = input.permute(*rest, first, second)
    height, width = moved.shape[-2:]
    rows = np.arange(max(-offset, 0), max(min(height, width - offset), max(-offset, 0)))
    flat = moved.reshape(*moved.shape[:-2], height * width)
    return ops.gather(flat, mindspore.Tensor(rows * width + rows + offset, mindspore.int32), flat.ndim - 1)


def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """torch.diag_embed and torch.Tensor.diag_embed."""
    return ops.diag_embed(input, offset, dim1, dim2)


def diff(input, n=1, dim=-1, prepend=None, append=None, *, out=None):
    """torch.diff and torch.Tensor.diff."""
    if n == 0:
        return mindspore.Tensor.copy(input)
    input = cat([part for part in (prepend, input, append) if part is not None], dim)
    for _ in range(n):
        size = input.shape[dim]
        if size < 2:  # `narrow` gives no part of the length 0
            kept = [0 if axis == dim % input.ndim else length for axis, length in enumerate(input.shape)]
            return without_slope(ops.zeros(kept, input.dtype), input)
        after, before = ops.narrow(input, dim, 1, size - 1), ops.narrow(input, dim, 0, size - 1)
        input = after ^ before if input.dtype == mindspore.bool_ else after - before
    return input


def renorm(input, p, dim, maxnorm, *, out=None):
    """torch.renorm and torch.Tensor.renorm."""
    axes = tuple(axis for axis in range(input.ndim) if axis != dim % input.ndim)
    norms = vector_norm(input, p, axes, True)
    scale = ops.where(norms > maxnorm, maxnorm / (norms + 1e-7), ops.ones_like(norms))
    return input * scale


def split_with_sizes(input, split_sizes, dim=0):
    """torch.split_with_sizes and torch.Tensor.split_with_sizes."""
    starts = np.cumsum([0, *split_sizes])
    return tuple(narrow(input, dim, int(start), size) for start, size in zip(starts, split_sizes))


def narrow(input, dim, start, length):
    """torch.narrow and torch.Tensor.narrow: a part of an axis, also one of nothing, of which MindSpore has no
    view."""
    start, length = int(start), int(length)
    if length > 0:
        return ops.narrow(input, dim, start + input.shape[dim] if start < 0 else start, length)
    shape = [0 if axis == dim % input.ndim else size for axis, size in enumerate(input.shape)]
    return without_slope(mindspore.Tensor(np.zeros(shape), input.dtype), input)


def sum_to_size(input, *size):
    """torch.Tensor.sum_to_size."""
    sizes = shape_of(size)
    before = input.ndim - len(sizes)
    axes = (*range(before), *(before + axis for axis, count in enumerate(sizes) if count == 1))
    return (input.sum(axes, keepdims=True) if axes else input).reshape(sizes)


def tensor_split(input, indices_or_sections=None, dim=0, *, indices=None, sections=None):
    """torch.tensor_split and torch.Tensor.tensor_split."""
    given = (indices_or_sections, indices, sections)
    indices_or_sections = next(one for one in given if one is not None)
    size = input.shape[dim]
    if isinstance(indices_or_sections, mindspore.Tensor):
        indices_or_sections = indices_or_sections.tolist()
    if isinstance(indices_or_sections, int):
        part, more = divmod(size, indices_or_sections)
        bounds = np.cumsum([0] + [part + (number < more) for number in range(indices_or_sections)]).tolist()
    else:
        inner = [min(max(place + size if place < 0 else place, 0), size) for place in indices_or_sections]
        bounds = [0, *inner, size]
    return tuple(narrow(input, dim, a, b - a) for a, b in pairwise(bounds))


def take_along_dim(input, indices, dim=None, *, out=None):
    """torch.take_along_dim and torch.Tensor.take_along_dim."""
    if dim is None:
        return input.reshape(-1)[indices.reshape(-1)]
    sizes = [max(one, other) for one, other in zip(input.shape, indices.shape)]
    sizes[dim] = indices.shape[dim]
    wide = list(sizes)
    wide[dim] = input.shape[dim]
    return ops.gather_elements(
        ops.broadcast_to(input, tuple(wide)),
        dim,
        ops.broadcast_to(indices, tuple(sizes)).astype(mindspore.int64),
    )


def vdot(input, other, *, out=None):
    """torch.vdot and torch.Tensor.vdot."""
    return (ops.conj(input) if input.is_complex() else input).mul(other).sum()


def places_in_memory(size, stride, start=0):
    """Where the elements of a Tensor are that has these steps, in elements."""
    places = np.full((1,) * len(size), start)
    for axis, (count, step) in enumerate(zip(size, stride)):
        places = places + (np.arange(count) * step).reshape(-1, *(1,) * (len(size) - axis - 1))
    return places


def as_strided(input, size, stride, storage_offset=None):
    """torch.as_strided and torch.Tensor.as_strided: the values, not a view of them. Of the memory that the
    Tensor is in, only what it has itself can be told."""
    start = 0 if storage_offset is None else storage_offset - input.storage_offset()
    places = places_in_memory(size, stride, start)
    if not input.is_contiguous():
        held = places_in_memory(input.shape, input.stride()).reshape(-1)
        order = np.full(max(held.max(initial=0), places.max(initial=0)) + 1, -1)
        order[held] = np.arange(held.size)
        places = np.where(places < 0, -1, order[places])
    if places.min(initial=0) < 0:
        raise NotImplementedError("as_strided reads memory that the Tensor does not have")
    return ops.gather(input.reshape(-1), mindspore.Tensor(places, mindspore.int32), 0)


def select_scatter(input, src, dim, index):
    """torch.select_scatter and torch.Tensor.select_scatter."""
    return ops.select_scatter(input, src, dim, index)


def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    """torch.slice_scatter and torch.Tensor.slice_scatter."""
    places = mindspore.Tensor(np.arange(input.shape[dim])[start:end:step], mindspore.int64)
    return index_copy(input, dim, places, src)


def select(input, dim, index):
    """torch.select and torch.Tensor.select."""
    return input[(slice(None),) * (dim % input.ndim) + (index,)]


def block_diag(*tensors):
    """torch.block_diag."""
    matrices = [one.reshape(1, -1) if one.ndim < 2 else one for one in tensors]
    width, rows, before = sum(one.shape[1] for one in matrices), [], 0
    for one in matrices:
        rows.append(pad(one, (before, width - before - one.shape[1])))
        before += one.shape[1]
    return cat(rows, 0)


def cartesian_prod(*tensors):
    """torch.cartesian_prod."""
    if len(tensors) == 1:
        return tensors[0]
    return stack([part.reshape(-1) for part in meshgrid(*tensors)], -1)


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """torch.unique_consecutive and torch.Tensor.unique_consecutive."""
    values = input.asnumpy().reshape(-1) if dim is None else np.moveaxis(input.asnumpy(), dim, 0)
    rows = values.reshape(len(values), -1) if len(values) else values.reshape(0, 1)
    is_new = np.concatenate([[True] * min(len(rows), 1), (rows[1:] != rows[:-1]).any(1)]).astype(bool)
    found = values[is_new] if dim is None else np.moveaxis(values[is_new], 0, dim)
    parts = [mindspore.Tensor(found, input.dtype)]
    if return_inverse:
        inverse = np.cumsum(is_new) - 1
        shape = input.shape if dim is None else (-1,)
        parts.append(mindspore.Tensor(inverse.reshape(shape), mindspore.int64))
    if return_counts:
        counts = np.diff(np.append(np.flatnonzero(is_new), len(rows)))
        parts.append(mindspore.Tensor(counts, mindspore.int64))
    return parts[0] if len(parts) == 1 else tuple(parts)


def searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None, out=None, sorter=None):
    """torch.searchsorted."""
    side = side or ("right" if right else "left")
    rows = sorted_sequence if sorter is None else ops.gather_elements(sorted_sequence, -1, sorter)
    rows, values = rows.asnumpy(), np.asarray(plain_numbers(input))
    if rows.ndim == 1:
        places = np.searchsorted(rows, values, side)
    else:
        pairs = zip(rows.reshape(-1, rows.shape[-1]), values.reshape(-1, values.shape[-1]))
        places = np.stack([np.searchsorted(row, value, side) for row, value in pairs]).reshape(values.shape)
    return mindspore.Tensor(np.asarray(places), mindspore.int32 if out_int32 else mindspore.int64)


def bucketize(input, boundaries, *, out_int32=False, right=False, out=None):
    """torch.bucketize."""
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


def as_operand(value):
    """A Tensor that takes part in promotion as a Tensor or number does."""
    if isinstance(value, mindspore.Tensor):
        return ops.zeros(value.shape and (1,), value.dtype)
    return value


def result_type(tensor1, tensor2):
    """torch.result_type."""
    return (as_operand(tensor1) + as_operand(tensor2)).dtype


def promote_types(type1, type2):
    """torch.promote_types."""
    return common_dtype([ops.zeros((1,), type1), ops.zeros((1,), type2)])


def can_cast(from_, to):
    """torch.can_cast: whether the kind of numbers is not lost."""
    types = (mindspore.float32 if dtype == mindspore.bfloat16 else dtype for dtype in (from_, to))
    kinds = [numpy_type(dtype)(0).dtype.kind for dtype in types]
    return "bifc".find(kinds[0].replace("u", "i")) <= "bifc".find(kinds[1].replace("u", "i"))


def clamp_min(input, min, *, out=None):
    """torch.clamp_min and torch.Tensor.clamp_min."""
    input, min = broadcast_tensors(input, min) if isinstance(min, mindspore.Tensor) else (input, min)
    return ops.clamp(input, min=min)


def clamp_max(input, max, *, out=None):
    """torch.clamp_max and torch.Tensor.clamp_max."""
    input, max = broadcast_tensors(input, max) if isinstance(max, mindspore.Tensor) else (input, max)
    return ops.clamp(input, max=max)


def float_power(input, exponent, *, out=None):
    """torch.float_power and torch.Tensor.float_power."""
    return ops.float_power(input, exponent)


def kron(input, other, *, out=None):
    """torch.kron and torch.Tensor.kron."""
    return ops.kron(input, other)


def mv(input, vec, *, out=None):
    """torch.mv and torch.Tensor.mv."""
    return summed_product(input, vec)


def exp2(input, *, out=None):
    """torch.exp2 and torch.Tensor.exp2."""
    return ops.pow(2.0, input)


def nan_to_num(input, nan=0.0, posinf=None, neginf=None):
    """torch.nan_to_num, also of whole numbers, which have nothing to replace, and of double precision."""
    if not input.is_floating_point():
        return mindspore.Tensor.copy(input)
    if input.dtype != mindspore.float64:
        return ops.nan_to_num(input, nan, posinf, neginf)
    largest = float(np.finfo(np.float64).max)
    filled = ops.masked_fill(input, input != input, 0.0 if nan is None else nan)
    filled = ops.masked_fill(filled, input == float("inf"), largest if posinf is None else posinf)
    return ops.masked_fill(filled, input == -float("inf"), -largest if neginf is None else neginf)


def nan_to_num_(input, nan=0.0, posinf=None, neginf=None):
    """torch.Tensor.nan_to_num_: in place."""
    return assign_(input, nan_to_num(input, nan, posinf, neginf))


def resolved(input):
    """torch.Tensor.resolve_conj and torch.Tensor.resolve_neg: MindSpore's values are there already."""
    return input


def is_contiguous(input, memory_format=None):
    """torch.Tensor.is_contiguous."""
    return mindspore.Tensor.is_contiguous(input)


def get_device(input):
    """torch.Tensor.get_device: the number of the device, -1 on CPU."""
    on_cpu = mindspore.get_context("device_target") == "CPU"
    return -1 if on_cpu else mindspore.get_context("device_id")


def is_nonzero(input):
    """torch.is_nonzero and torch.Tensor.is_nonzero."""
    return bool(input.item() != 0)


def to_char(input, memory_format=None):
    """torch.Tensor.char."""
    return input.astype(mindspore.int8)


def narrow_copy(input, dim, start, length):
    """torch.Tensor.narrow_copy: no view."""
    return mindspore.Tensor.copy(narrow(input, dim, start, length))


logical_and_ = in_place(ops.logical_and)
logical_or_ = in_place(ops.logical_or)
logical_xor_ = in_place(ops.logical_xor)
bitwise_and_ = in_place(ops.bitwise_and)
bitwise_or_ = in_place(ops.bitwise_or)
bitwise_xor_ = in_place(ops.bitwise_xor)
atan2_ = in_place(ops.atan2)
cumprod_ = in_place(ops.cumprod)
xlogy_ = in_place(ops.xlogy)
renorm_ = in_place(renorm)
baddbmm_ = in_place(baddbmm)
eq_ = in_place(ops.eq)
ne_ = in_place(ops.ne)
lt_ = in_place(ops.lt)
le_ = in_place(ops.le)
gt_ = in_place(ops.gt)
ge_ = in_place(ops.ge)
