"""Functions and methods of Tensors where MindSpore's differ, or have no kernel on CPU."""

import math
from collections import namedtuple

import mindspore
import numpy as np
from mindspore import mint, ops

# what PyTorch's sort, topk, max and others return
ValuesAndIndices = namedtuple("ValuesAndIndices", ["values", "indices"])
LowestAndHighest = namedtuple("LowestAndHighest", ["min", "max"])


def shape_of(sizes):
    """Sizes, given one by one or as one sequence, as a tuple of numbers."""
    if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)):
        sizes = sizes[0]
    return tuple(int(size) for size in sizes)


def given_sizes(size, options):
    """The sizes that a function is given one by one or as one sequence, by place or by name."""
    return shape_of((options["size"],) if "size" in options else size)


def zeros(*size, out=None, dtype=None, layout=None, device=None, requires_grad=False, **options):
    """torch.zeros."""
    return leaf(ops.zeros(given_sizes(size, options), dtype or get_default_dtype()), requires_grad)


def ones(*size, out=None, dtype=None, layout=None, device=None, requires_grad=False, **options):
    """torch.ones."""
    return leaf(ops.ones(given_sizes(size, options), dtype or get_default_dtype()), requires_grad)


def empty(*size, out=None, dtype=None, layout=None, device=None, requires_grad=False, **options):
    """torch.empty: the values are 0."""
    return leaf(zeros(*size, dtype=dtype, **options), requires_grad)


def full(size, fill_value, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, **options):
    """torch.full: the dtype is that of the value if none is given."""
    if isinstance(fill_value, mindspore.Tensor):
        fill_value = fill_value.item()
    if dtype is None:
        kinds = {"i": mindspore.int64, "u": mindspore.int64, "c": default_complex()}
        kind = np.asarray(fill_value).dtype.kind
        dtype = mindspore.bool_ if isinstance(fill_value, bool) else kinds.get(kind, get_default_dtype())
    return leaf(mindspore.Tensor(np.full(shape_of((size,)), fill_value), dtype), requires_grad)


def zeros_like(input, *, dtype=None, device=None, requires_grad=False, **options):
    """torch.zeros_like."""
    return leaf(ops.zeros(input.shape, dtype or input.dtype), requires_grad)


def ones_like(input, *, dtype=None, device=None, requires_grad=False, **options):
    """torch.ones_like."""
    return leaf(ops.ones(input.shape, dtype or input.dtype), requires_grad)


def empty_like(input, *, dtype=None, device=None, requires_grad=False, **options):
    """torch.empty_like: the values are 0."""
    return leaf(ops.zeros(input.shape, dtype or input.dtype), requires_grad)


def full_like(
    input, fill_value, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None
):
    """torch.full_like."""
    return leaf(full(input.shape, fill_value, dtype=dtype or input.dtype), requires_grad)


def new_zeros(input, *size, dtype=None, device=None, requires_grad=False, **options):
    """torch.Tensor.new_zeros."""
    return leaf(zeros(*size, dtype=dtype or input.dtype, **options), requires_grad)


def new_ones(input, *size, dtype=None, device=None, requires_grad=False, **options):
    """torch.Tensor.new_ones."""
    return leaf(ones(*size, dtype=dtype or input.dtype, **options), requires_grad)


def new_empty(input, *size, dtype=None, device=None, requires_grad=False, **options):
    """torch.Tensor.new_empty: the values are 0."""
    return leaf(zeros(*size, dtype=dtype or input.dtype, **options), requires_grad)


def empty_strided(size, stride, **options):
    """torch.empty_strided and torch.empty_permuted: the values are 0, and the memory is in order."""
    return empty(size, **options)


def new_empty_strided(input, size, stride, **options):
    """torch.Tensor.new_empty_strided: the values are 0, and the memory is in order."""
    return new_empty(input, size, **options)


def new_full(input, size, fill_value, *, dtype=None, device=None, requires_grad=False, **options):
    """torch.Tensor.new_full."""
    return leaf(full(size, fill_value, dtype=dtype or input.dtype), requires_grad)


def new_tensor(input, data, *, dtype=None, device=None, requires_grad=False, **options):
    """torch.Tensor.new_tensor."""
    return leaf(tensor(data, dtype=dtype or input.dtype), requires_grad)


def new(input, *values, device=None):
    """torch.Tensor.new: a Tensor of the same dtype, of sizes or of data; a sparse one knows how itself."""
    if hasattr(input, "new"):
        return input.new(*values)
    return typed_tensor(input.dtype, values)


def resize_(input, *sizes, memory_format=None):
    """torch.Tensor.resize_: in place; the values that it lacks are 0. It shares memory with none then."""
    shape = shape_of(sizes)
    values = input.reshape(-1)
    missing = math.prod(shape) - values.size
    if missing > 0:
        values = ops.concat([values, ops.zeros((missing,), input.dtype)])
    for name in OF_VIEWS:
        input.__dict__.pop(name, None)
    # `set_` would go on telling how much memory there was before
    input.data = mindspore.Tensor.copy(values[: math.prod(shape)]).reshape(shape)
    return input


def resize_as_(input, the_template, *, memory_format=None):
    """torch.Tensor.resize_as_: in place, as `resize_`."""
    return resize_(input, the_template.shape)


def plain_numbers(data):
    """Nested sequences with each Tensor as a NumPy array."""
    if isinstance(data, mindspore.Tensor):
        return data.asnumpy()
    if isinstance(data, (list, tuple)):
        return [plain_numbers(item) for item in data]
    return data


def has_double(data):
    """Whether there is anything of NumPy's or a Tensor in nested sequences whose numbers take eight bytes, or
    sixteen of complex ones."""
    if isinstance(data, mindspore.Tensor):
        return data.dtype in (mindspore.float64, mindspore.complex128)
    if isinstance(data, (np.ndarray, np.generic)):
        return data.dtype.char in "dD"
    return isinstance(data, (list, tuple)) and any(has_double(item) for item in data)


def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """torch.tensor: a copy; Python's numbers get the default dtype, int64, bool or a complex one."""
    values = np.array(plain_numbers(data))
    if values.dtype.kind == "U":
        raise (
            ValueError("too many dimensions 'str'")
            if values.ndim
            else TypeError("new(): invalid data type 'str'")
        )
    if dtype is None:
        if isinstance(data, mindspore.Tensor):
            dtype = data.dtype
        elif not has_double(data):
            dtype = {"d": get_default_dtype(), "D": default_complex()}.get(values.dtype.char)
    return leaf(
        mindspore.Tensor(values) if dtype is None else mindspore.Tensor(values).astype(dtype), requires_grad
    )


# arrays of NumPy's whose memory Tensors can share
SHARED_KINDS = "?BbhilqefdFD"


def as_tensor(data, dtype=None, device=None):
    """torch.as_tensor: a Tensor of the wanted dtype is returned itself."""
    if isinstance(data, mindspore.Tensor):
        return data if dtype is None or data.dtype == dtype else data.astype(dtype)
    if type(data) is np.ndarray and data.dtype.isnative and data.dtype.char in SHARED_KINDS:
        shared = mindspore.from_numpy(data) if data.flags.c_contiguous and data.flags.writeable else None
        if shared is not None and dtype in (None, shared.dtype):
            return shared
    return tensor(data, dtype=dtype)


def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False):
    """torch.asarray."""
    found = (
        tensor(obj, dtype=dtype) if copy and not isinstance(obj, mindspore.Tensor) else as_tensor(obj, dtype)
    )
    if found is obj:  # a result has a gradient only where one is asked for
        found = mindspore.Tensor.copy(obj) if copy else obj
        found = found if requires_grad else ops.stop_gradient(found)
    return leaf(found, requires_grad) if requires_grad and not found._requires_grad else found


def typed_tensor(dtype, values):
    """What PyTorch's old constructors make: of sizes, or of data."""
    if values and not isinstance(values[0], (int, np.integer)):
        return tensor(values[0], dtype=dtype)
    return ops.zeros(shape_of(values) if values else (0,), dtype)


def number_of(value):
    """A Tensor of one value as a number."""
    return value.item() if isinstance(value, mindspore.Tensor) else value


def arange(start=0, end=None, step=1, *, out=None, dtype=None, device=None, requires_grad=False, **options):
    """torch.arange."""
    start, end, step = (number_of(value) for value in (start, end, step))
    if end is None:
        start, end = 0, start
    if dtype is None:
        whole = all(isinstance(value, (int, np.integer)) for value in (start, end, step))
        dtype = mindspore.int64 if whole else get_default_dtype()
    numbers = start, end, step
    if str(dtype).lower().startswith(("int", "uint")):  # only whole numbers are counted from, and by
        start, end, step = map(int, numbers)
    first, last, stride = (start, end, step) if dtype == mindspore.int64 else numbers
    count = math.ceil((last - first) / stride)
    return leaf(mindspore.Tensor(start + np.arange(count) * step).astype(dtype), requires_grad)


def linspace(start, end, steps, *, out=None, dtype=None, device=None, requires_grad=False, **options):
    """torch.linspace, to the last bit in single precision: from both ends to the middle."""
    start, end, steps = number_of(start), number_of(end), number_of(steps)
    dtype = dtype or get_default_dtype()
    if dtype != mindspore.float32 or steps < 2:
        return leaf(mindspore.Tensor(np.linspace(start, end, steps)).astype(dtype), requires_grad)
    start, end, places = np.float32(start), np.float32(end), np.arange(steps)
    width = np.float64((end - start) / np.float32(steps - 1))
    from_start, from_end = start + width * places, end - width * (steps - 1 - places)
    values = np.where(places < steps // 2, from_start, from_end)
    return leaf(mindspore.Tensor(values.astype(np.float32)), requires_grad)


def logspace(
    start, end, steps, base=10.0, *, out=None, dtype=None, layout=None, device=None, requires_grad=False
):
    """torch.logspace."""
    values = base ** np.linspace(number_of(start), number_of(end), steps)
    return leaf(mindspore.Tensor(values).astype(dtype or get_default_dtype()), requires_grad)


def eye(n, m=None, *, out=None, dtype=None, device=None, requires_grad=False, **options):
    """torch.eye."""
    return leaf(mindspore.Tensor(np.eye(n, m), dtype or get_default_dtype()), requires_grad)


def rand(*size, generator=None, out=None, dtype=None, device=None, requires_grad=False, **options):
    """torch.rand: PyTorch's numbers on CPU from the same seed."""
    dtype = dtype or get_default_dtype()
    drawn = (generator or default_generator).between(given_sizes(size, options), dtype=dtype)
    return leaf(mindspore.Tensor(drawn, dtype), requires_grad)


def randn(*size, generator=None, out=None, dtype=None, device=None, requires_grad=False, **options):
    """torch.randn: PyTorch's numbers on CPU from the same seed."""
    dtype = dtype or get_default_dtype()
    drawn = (generator or default_generator).normal(given_sizes(size, options), dtype=dtype)
    return leaf(mindspore.Tensor(drawn, dtype), requires_grad)


def randint(low=0, high=None, size=None, *, generator=None, dtype=None, requires_grad=False, **options):
    """torch.randint: PyTorch's numbers on CPU from the same seed."""
    if size is None:
        low, high, size = 0, low, high
    low, high = (0, low) if high is None else (low, high)
    shape = shape_of((size,))
    drawn = (generator or default_generator).integers(low, high, int(np.prod(shape)))
    return leaf(mindspore.Tensor(drawn.reshape(shape), dtype or mindspore.int64), requires_grad)


def randperm(n, *, generator=None, out=None, dtype=None, device=None, **options):
    """torch.randperm: PyTorch's order on CPU from the same seed."""
    return mindspore.Tensor(
        np.array((generator or default_generator).permutation(n), np.int64), dtype or mindspore.int64
    )


def drawn_like(input, draw):
    """What `draw` gives for the shape of a Tensor, drawn in the order that its values have in memory; it is
    told whether that is another one than their own."""
    axes = axes_by_memory(input)
    if axes == sorted(axes):
        return draw(input.shape, False)
    drawn = draw(tuple(input.shape[axis] for axis in axes), True)
    return drawn.permute(np.argsort(axes).tolist())


def rand_like(input, *, dtype=None, device=None, requires_grad=False, **options):
    """torch.rand_like."""
    drawn = drawn_like(input, lambda shape, _: rand(shape, dtype=dtype or input.dtype))
    return leaf(drawn, requires_grad)


def randn_like(input, *, dtype=None, device=None, requires_grad=False, **options):
    """torch.randn_like."""
    dtype = dtype or input.dtype

    def draw(shape, is_turned):
        return mindspore.Tensor(default_generator.normal(shape, dtype=dtype, in_pairs=is_turned), dtype)

    return leaf(drawn_like(input, draw), requires_grad)


def as_probable(chances, generator=None):
    """For each place of an array of probabilities whether it happens."""
    generator = generator or default_generator
    double = chances.dtype == np.float64
    drawn = (
        generator.uniform(chances.size).reshape(chances.shape) if double else generator.single(chances.shape)
    )
    return drawn < chances


def bernoulli(input, p=None, *, generator=None, out=None):
    """torch.bernoulli and torch.Tensor.bernoulli: PyTorch's choice on CPU from the same seed."""
    if p is None:
        happens = as_probable(input.asnumpy(), generator)
    else:
        happens = (generator or default_generator).chances(input.shape, p)
    return mindspore.Tensor(happens).astype(input.dtype)


def multinomial(input, num_samples, replacement=False, *, generator=None, out=None):
    """torch.multinomial and torch.Tensor.multinomial: PyTorch's choice on CPU from the same seed."""
    generator = generator or default_generator
    weights = input.asnumpy().reshape((-1, input.shape[-1]))
    if replacement and num_samples > 1:
        limits = np.add.accumulate(weights, 1)
        limits = limits / limits[:, -1:]
        drawn = generator.uniform(len(weights) * num_samples).reshape((len(weights), num_samples))
        chosen = np.stack([np.searchsorted(row, values) for row, values in zip(limits, drawn)])
    else:
        with np.errstate(divide="ignore", invalid="ignore"):
            keys = weights / generator.exponential(weights.shape).astype(weights.dtype)
        chosen = np.argsort(-keys, 1, kind="stable")[:, :num_samples]
    return mindspore.Tensor(chosen.reshape((*input.shape[:-1], num_samples)), mindspore.int64)


def normal(mean=0.0, std=1.0, size=None, *, generator=None, dtype=None, requires_grad=False, **options):
    """torch.normal: PyTorch's numbers on CPU from the same seed."""
    generator = generator or default_generator
    if size is not None:
        dtype = dtype or get_default_dtype()
        drawn = mindspore.Tensor(generator.normal(shape_of((size,)), mean, std, dtype), dtype)
        return leaf(drawn, requires_grad)
    given = [value for value in (mean, std) if isinstance(value, mindspore.Tensor)]
    drawn = generator.normal(np.broadcast_shapes(*(value.shape for value in given)), dtype=given[0].dtype)
    drawn = ops.stop_gradient(mindspore.Tensor(drawn).astype(given[0].dtype) * std + mean)
    return without_slope(drawn, *given)


def meshgrid(*tensors, indexing="ij"):
    """torch.meshgrid."""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    sizes = [part.shape[0] if part.ndim else 1 for part in tensors]
    order = list(range(len(tensors)))
    if indexing == "xy" and len(tensors) > 1:
        order[:2] = [1, 0]
    found = []
    for axis, part in zip(order, tensors):
        shape = [1] * len(tensors)
        shape[axis] = -1
        found.append(ops.broadcast_to(part.reshape(shape), tuple(sizes[own] for own in order)))
    return tuple(found)


def common_dtype(tensors):
    """The dtype that PyTorch gives Tensors that are joined."""
    dtype = tensors[0].dtype
    for part in tensors[1:]:
        if part.dtype != dtype:
            dtype = (ops.zeros((1,), dtype) + ops.zeros((1,), part.dtype)).dtype
    return dtype


def cat(tensors, dim=0, *, out=None):
    """torch.cat: Tensors of different dtypes, too.

    What is empty is left out: it may have one dimension, and on CPU an empty slice has no gradient."""
    tensors = [part for part in tensors if part.shape != (0,)] or list(tensors)
    dtype = common_dtype(tensors)
    tensors = [part for part in tensors if part.size] or tensors
    return ops.cat([part if part.dtype == dtype else part.astype(dtype) for part in tensors], dim)


def split(tensor, split_size_or_sections, dim=0):
    """torch.split; on CPU the gradient of `mint.split` is wrong where the parts are joined again. Sizes may
    be Tensors."""
    if isinstance(split_size_or_sections, (list, tuple)):
        split_size_or_sections = [int(size) for size in split_size_or_sections]
    return ops.split(tensor, split_size_or_sections, dim)


def stack(tensors, dim=0, *, out=None):
    """torch.stack: Tensors of different dtypes, too."""
    tensors = list(tensors)
    dtype = common_dtype(tensors)
    return ops.stack([part if part.dtype == dtype else part.astype(dtype) for part in tensors], dim)


def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """torch.allclose and torch.Tensor.allclose: of complex numbers, too, and with Tensors of one value as
    tolerances."""
    if input.is_complex():
        return bool(np.allclose(input.asnumpy(), other.asnumpy(), float(rtol), float(atol), equal_nan))
    return mint.allclose(input, other, float(rtol), float(atol), equal_nan)


def tensor_repeat(input, *repeats):
    """torch.Tensor.repeat."""
    return ops.tile(input, shape_of(repeats))


def view(input, *shape, size=None, dtype=None):
    """torch.Tensor.view: of sizes, or of a dtype."""
    if dtype is not None or (shape and not isinstance(shape[0], (int, tuple, list, mindspore.Tensor))):
        return input.view(shape[0] if dtype is None else dtype)
    return input.view(shape_of(shape if size is None else (size,)))


def chunks_of(input, chunks, dim=0):
    """torch.chunk, as a function that is handed on."""
    return ops.chunk(input, chunks, dim)


def expand(input, *sizes, size=None, implicit=False):
    """torch.Tensor.expand: -1 keeps a size."""
    wanted = shape_of(sizes if size is None else (size,))
    kept = (None,) * (len(wanted) - input.ndim) + tuple(input.shape)
    return ops.broadcast_to(input, tuple(own if new == -1 else new for new, own in zip(wanted, kept)))


def size_of(input, dim=None):
    """torch.Tensor.size."""
    return tuple(input.shape) if dim is None else input.shape[dim]


def on_device(input, *args, **kwargs):
    """torch.Tensor.cpu and torch.Tensor.cuda: all Tensors are on MindSpore's device."""
    return input


def element_size(input):
    """torch.Tensor.element_size."""
    return input.itemsize


def detach(input):
    """torch.Tensor.detach."""
    return ops.stop_gradient(input)


def permute(input, *axes, dims=None):
    """torch.Tensor.permute and torch.permute."""
    return input.permute(shape_of(axes if dims is None else (dims,)))


def tile(input, *sizes, dims=None):
    """torch.Tensor.tile and torch.tile."""
    return input.tile(shape_of(sizes if dims is None else (dims,)))


def flip(input, *axes, dims=None):
    """torch.flip and torch.Tensor.flip."""
    return ops.flip(input, shape_of(axes if dims is None else (dims,)))


def roll(input, shifts, dims=None):
    """torch.roll and torch.Tensor.roll."""
    if dims is None:
        return roll(input.reshape(-1), shifts, 0).reshape(input.shape)
    whole = input
    for shift, axis in zip(tuple_of(shifts, 1), tuple_of(dims, 1)):
        size = input.shape[axis]
        if size and shift % size:
            parts = [ops.narrow(input, axis, size - shift % size, shift % size)]
            parts.append(ops.narrow(input, axis, 0, size - shift % size))
            input = ops.cat(parts, axis)
    return mindspore.Tensor.copy(input) if input is whole else input


def where(condition, input=None, other=None, *, out=None):
    """torch.where: with a condition alone, the places where it holds."""
    if input is None and other is None:
        return nonzero(condition, as_tuple=True)
    values = [input, other]
    kinds = [value for value in values if isinstance(value, mindspore.Tensor)]
    for position, value in enumerate(values):
        if not isinstance(value, mindspore.Tensor):
            fits = kinds and (kinds[0].is_floating_point() or not isinstance(value, float))
            values[position] = full((), value, dtype=kinds[0].dtype if fits else None)
    values = fitted(*values)
    dtype = common_dtype(values)
    condition = condition.astype(mindspore.bool_)
    return ops.where(condition, *(value.astype(dtype) for value in values))


def tensor_where(input, condition, other):
    """torch.Tensor.where."""
    return where(condition, input, other)


def nonzero(input, *, out=None, as_tuple=False):
    """torch.nonzero, torch.argwhere: MindSpore's takes small numbers for 0 on CPU."""
    places = np.nonzero(input.asnumpy()) if input.ndim else ()
    if not input.ndim:
        places = (np.zeros(int(bool(input)), dtype=np.int64),)
    if as_tuple:
        return tuple(mindspore.Tensor(place, mindspore.int64) for place in places)
    rows = np.stack(places, 1) if input.ndim else np.zeros((len(places[0]), 0))
    return mindspore.Tensor(rows.reshape((len(places[0]), input.ndim)), mindspore.int64)


@also_of_numbers
def topk(input, k, dim=-1, largest=True, sorted=True, *, out=None):
    """torch.topk and torch.Tensor.topk."""
    indices = narrow(ops.sort(input, dim, largest)[1], dim, 0, int(k)).astype(mindspore.int64)
    return ValuesAndIndices(ops.gather_elements(input, dim, indices), indices)


# up to how many values are sorted by insertion alone
FEW_SORTED = 16
# up to how many are sorted so that equal ones lie as PyTorch leaves them
MOST_SORTED = 2**13


def middle_to_front(order, keys, first, last):
    """Put the middle one of three keys in front, by which the others are parted."""
    places = (first + 1, first + (last - first) // 2, last - 1)
    low, mid, high = (keys[order[place]] for place in places)
    if low < mid:
        chosen = 1 if mid < high else 2 if low < high else 0
    else:
        chosen = 0 if low < high else 2 if mid < high else 1
    order[first], order[places[chosen]] = order[places[chosen]], order[first]


def parted(order, keys, first, last):
    """Where the keys begin that are not less than the one in front; those between are exchanged."""
    pivot, low, high = keys[order[first]], first + 1, last
    while True:
        while keys[order[low]] < pivot:
            low += 1
        high -= 1
        while pivot < keys[order[high]]:
            high -= 1
        if low >= high:
            return low
        order[low], order[high] = order[high], order[low]
        low += 1


def order_by_parting(keys):
    """The positions that sort a list of keys as PyTorch's introsort does on CPU: equal ones lie as its
    exchanges leave them. None where that would go on to sort in another way."""
    order, open_parts = list(range(len(keys))), [(0, len(keys), 2 * (len(keys).bit_length() - 1))]
    while open_parts:
        first, last, depth = open_parts.pop()
        while last - first > FEW_SORTED:
            if depth == 0:
                return None
            depth -= 1
            middle_to_front(order, keys, first, last)
            cut = parted(order, keys, first, last)
            open_parts.append((cut, last, depth))
            last = cut
    # what is left to be moved is near its place, and equal ones no longer pass each other
    return sorted(order, key=keys.__getitem__)


def sort_order(input, dim, descending, stable):
    """The positions that sort an axis; with `stable`, equal values stay in their order."""
    if input.dtype in (mindspore.bool_, mindspore.bfloat16):
        input = input.astype(mindspore.int8 if input.dtype == mindspore.bool_ else mindspore.float32)
    is_on_cpu = mindspore.get_context("device_target") == "CPU"
    few = input.ndim == 0 or input.shape[dim] <= FEW_SORTED
    if not stable and (few or not is_on_cpu or input.size > MOST_SORTED):
        return ops.sort(input, dim, descending)[1].astype(mindspore.int64)
    values = input.asnumpy()
    if descending:
        size = values.shape[dim]
        order = size - 1 - np.flip(np.argsort(np.flip(values, dim), dim, kind="stable"), dim)
    else:
        order = np.argsort(values, dim, kind="stable")
    return mindspore.Tensor(
        order if stable else with_ties_moved(order, values, dim, descending), mindspore.int64
    )


def with_ties_moved(order, values, dim, descending):
    """The positions that sort an axis, equal values in the order of order_by_parting."""
    order = order.copy()
    rows, places = np.moveaxis(values, dim, -1), np.moveaxis(order, dim, -1)
    found = np.take_along_axis(rows, places, -1)
    before, behind = found[..., :-1], found[..., 1:]
    for row in np.argwhere(((before == behind) | (behind != behind)).any(-1)):
        ranks = np.unique(rows[tuple(row)], return_inverse=True)[1]
        moved = order_by_parting((-ranks if descending else ranks).tolist())
        if moved is not None:
            places[tuple(row)] = moved
    return order


@also_of_numbers
def sort(input, dim=-1, descending=False, stable=False, *, out=None):
    """torch.sort and torch.Tensor.sort."""
    order = sort_order(input, dim, descending, stable)
    # MindSpore has no kernel for bfloat16 on CPU
    exact = input.astype(mindspore.float32) if input.dtype == mindspore.bfloat16 else input
    return ValuesAndIndices(ops.gather_elements(exact, dim, order).astype(input.dtype), order)


def argsort(input, dim=-1, descending=False, stable=False):
    """torch.argsort and torch.Tensor.argsort."""
    return sort_order(input, dim, descending, stable)


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """torch.unique and torch.Tensor.unique."""
    options = {"return_inverse": True, "return_counts": True, "axis": dim}
    values, inverse, counts = np.unique(input.asnumpy(), **options)
    inverse = inverse.reshape(input.shape if dim is None else -1)
    found = [mindspore.Tensor(values, input.dtype)]
    found += [mindspore.Tensor(inverse, mindspore.int64)] if return_inverse else []
    found += [mindspore.Tensor(counts, mindspore.int64)] if return_counts else []
    return found[0] if len(found) == 1 else tuple(found)


def bincount(input, weights=None, minlength=0):
    """torch.bincount and torch.Tensor.bincount."""
    shares = None if weights is None else weights.asnumpy()
    counts = np.bincount(input.asnumpy(), shares, minlength)
    floats = (
        mindspore.float32 if weights is not None and weights.dtype == mindspore.float32 else mindspore.float64
    )
    return mindspore.Tensor(counts, mindspore.int64 if weights is None else floats)


def histc(input, bins=100, min=0, max=0, *, out=None):
    """torch.histc and torch.Tensor.histc."""
    values = input.asnumpy()
    limits = (min, max) if min != max else (values.min(), values.max())
    return mindspore.Tensor(np.histogram(values, bins, limits)[0], input.dtype)


def isin(elements, test_elements, *, assume_unique=False, invert=False):
    """torch.isin."""
    sides = (
        part.asnumpy() if isinstance(part, mindspore.Tensor) else part for part in (elements, test_elements)
    )
    return mindspore.Tensor(np.isin(*sides, invert=invert))


def repeat_interleave(input, repeats=None, dim=None, *, output_size=None):
    """torch.repeat_interleave and torch.Tensor.repeat_interleave."""
    if repeats is None:
        counts = input.asnumpy()
        return mindspore.Tensor(np.repeat(np.arange(len(counts)), counts), mindspore.int64)
    if dim is None:
        input, dim = input.reshape(-1), 0
    counts = repeats.asnumpy() if isinstance(repeats, mindspore.Tensor) else repeats
    index = np.repeat(np.arange(input.shape[dim]), counts)
    return ops.gather(input, mindspore.Tensor(index, mindspore.int32), dim)


@also_of_numbers
def cumsum(input, dim, *, dtype=None, out=None):
    """torch.cumsum and torch.Tensor.cumsum: sums of integers are int64."""
    if input.is_complex() and dtype is None:
        return complex_of(ops.cumsum(ops.real(input), dim), ops.cumsum(ops.imag(input), dim))
    if dtype is None and not input.is_floating_point():
        dtype = mindspore.int64
    if not input.size:
        return clone(input) if dtype is None else input.astype(dtype)
    return ops.cumsum(input if dtype is None else input.astype(dtype), dim)


def index_shape(index, input, dim):
    """An index of one dimension as one that has the input's shape but in `dim`."""
    shape = [1] * input.ndim
    shape[dim] = -1
    sizes = list(input.shape)
    sizes[dim] = index.shape[0] if index.ndim else 1
    return ops.broadcast_to(index.reshape(shape), tuple(sizes))


def outside_of(dim, sizes):
    """The part of these sizes, but everything along `dim`."""
    return tuple(slice(None) if axis == dim else slice(0, size) for axis, size in enumerate(sizes))


def scattered_at(index, src, dtype):
    """What is put at an index, one value for each place: a number, or the beginning of a Tensor."""
    if not isinstance(src, mindspore.Tensor):
        return full(index.shape, src, dtype=dtype)
    return src if src.shape == index.shape else src[tuple(slice(0, size) for size in index.shape)]


def check_places(index, size, dim):
    """Raise PyTorch's error for an index that no place has: on CPU, MindSpore then gives zeros."""
    if not index.size or mindspore.get_context("device_target") != "CPU":
        return
    places = index.asnumpy()
    wrong = places.min() if places.min() < 0 else places.max()
    if not 0 <= wrong < size:
        raise RuntimeError(f"index {wrong} is out of bounds for dimension {dim} with size {size}")


def put_elements(input, index, values, axis, mode="none"):
    """`tensor_scatter_elements`, but all values count where an index has a place more than once, and the last
    of them stays where they are not added: on CPU, its threads lose some of them."""
    if mindspore.get_context("device_target") != "CPU" or not index.size:
        return ops.tensor_scatter_elements(input, index, values, axis, mode)
    if input.is_complex():
        parts = (put_elements(part(input), index, part(values), axis, mode) for part in (ops.real, ops.imag))
        return complex_of(*parts).astype(input.dtype)
    dtype = {mindspore.bool_: mindspore.uint8, mindspore.bfloat16: mindspore.float32}.get(input.dtype)
    if dtype is not None:
        return put_elements(input.astype(dtype), index, values.astype(dtype), axis, mode).astype(input.dtype)
    places = list(np.indices(index.shape, sparse=True))
    along = index.asnumpy().astype(np.int64)
    places[axis] = np.where(along < 0, along + input.shape[axis], along)
    places = np.ravel_multi_index(np.broadcast_arrays(*places), input.shape).reshape(-1, 1)
    put = ops.tensor_scatter_add if mode == "add" else ops.tensor_scatter_update
    output = put(input.reshape(-1), mindspore.Tensor(places), values.reshape(-1)).reshape(input.shape)
    if not is_grad_enabled() or not (input._requires_grad or values._requires_grad):
        return output
    # its gradient has a gradient
    return with_gradient_of(
        ops.stop_gradient(output), ops.tensor_scatter_elements(input, index, values, axis, mode)
    )


def scattered(input, dim, index, src, mode):
    """The input with values put or added along an axis."""
    src = scattered_at(index, src, input.dtype)
    check_places(index, input.shape[dim], dim)
    outer = outside_of(dim % input.ndim, index.shape)
    if all(size == index.shape[axis] or axis == dim % input.ndim for axis, size in enumerate(input.shape)):
        return put_elements(input, index, src.astype(input.dtype), dim, mode)
    part = put_elements(input[outer], index, src.astype(input.dtype), dim, mode)
    output = clone(input)
    output[outer] = part
    return output


@also_of_numbers
def scatter(input, dim, index, src=None, *, value=None, reduce=None):
    """torch.scatter and torch.Tensor.scatter: `src` is a Tensor or a number."""
    src = value if src is None else src
    if reduce == "multiply":
        return scatter_reduce(input, dim, index, src, "prod")
    return scattered(input, dim, index, src, "none" if reduce is None else "add")


def scatter_(input, dim, index, src=None, *, value=None, reduce=None):
    """torch.Tensor.scatter_: in place."""
    return assign_(input, scatter(input, dim, index, src, value=value, reduce=reduce))


@also_of_numbers
def scatter_add(input, dim, index, src):
    """torch.scatter_add and torch.Tensor.scatter_add."""
    return scattered(input, dim, index, src, "add")


def scatter_add_(input, dim, index, src):
    """torch.Tensor.scatter_add_: in place."""
    return assign_(input, scatter_add(input, dim, index, src))


def extreme_at_places(input, axis, index, src, is_max, include_self):
    """The largest or the smallest value that an index of an axis puts at each place. Its gradient is shared
    by all that are equal to it."""
    values, given, index_values = (each.astype(exact_dtype(each)).asnumpy() for each in (input, src, index))
    places = list(np.indices(index_values.shape, sparse=True))
    places[axis] = index_values
    places = tuple(places)
    is_put = np.zeros(values.shape, bool)
    is_put[places] = True
    is_own = np.full(values.shape, include_self) | ~is_put
    start = iinfo(src.dtype) if values.dtype.kind in "iu" else None
    least, most = (start.min, start.max) if start else (-math.inf, math.inf)
    found = np.where(is_own, values, least if is_max else most).astype(values.dtype)
    (np.maximum if is_max else np.minimum).at(found, places, given)
    result = mindspore.Tensor(found).astype(input.dtype)
    has_slope = is_grad_enabled() and (input._requires_grad or src._requires_grad)
    if values.dtype.kind != "f" or not has_slope:
        return result
    is_found, is_own = given == found[places], is_own & (values == found)
    count = is_own.astype(values.dtype)
    np.add.at(count, places, is_found)
    shares = np.where(count > 0, 1 / np.maximum(count, 1), 0).astype(values.dtype)
    own, put = (
        ops.where(mindspore.Tensor(mask), each, ops.zeros_like(each))
        * mindspore.Tensor(share).astype(each.dtype)
        for mask, each, share in ((is_own, input, shares), (is_found, src, shares[places]))
    )
    return with_gradient_of(result, scattered(own, axis, index, put, "add"))


def exact_dtype(input):
    """The dtype in which NumPy has the same values."""
    return mindspore.float32 if input.dtype == mindspore.bfloat16 else input.dtype


@also_of_numbers
def scatter_reduce(input, dim, index, src, reduce, *, include_self=True):
    """torch.scatter_reduce and torch.Tensor.scatter_reduce."""
    if reduce in ("sum", "mean"):
        base = input if include_self else scattered(input, dim, index, 0, "none")
        total = scattered(base, dim, index, src, "add")
        if reduce == "sum":
            return total
        ones = ops.ones(index.shape, input.dtype)
        counts = scattered(ops.full_like(input, int(include_self)), dim, index, ones, "add")
        return (
            total / ops.clamp(counts, min=1)
            if input.is_floating_point()
            else total // ops.clamp(counts, min=1)
        )
    axis = dim % input.ndim
    src = scattered_at(index, src, input.dtype)
    check_places(index, input.shape[axis], axis)
    if reduce != "prod":
        return extreme_at_places(input, axis, index, src, reduce == "amax", include_self)
    outer = outside_of(axis, index.shape)
    if input[outer].shape != input.shape:
        output = clone(input)
        output[outer] = scatter_reduce(input[outer], dim, index, src, reduce, include_self=include_self)
        return output
    position = mindspore.Tensor(np.arange(input.shape[dim]), index.dtype)
    shape = [1] * (input.ndim + 1)
    shape[axis] = -1
    hit = index.expand_dims(axis) == position.reshape(shape)
    values = ops.where(hit, src.expand_dims(axis), ops.ones_like(hit).astype(src.dtype))
    found = ops.prod(values, axis + 1)
    return ops.where(hit.any(axis + 1), ops.mul(input, found) if include_self else found, input)


@also_of_numbers
def index_add(input, dim, index, source, *, alpha=1):
    """torch.index_add and torch.Tensor.index_add."""
    places = index_shape(index, source, dim)
    return put_elements(input, places, (source * alpha).astype(input.dtype), dim, "add")


def index_add_(input, dim, index, source, *, alpha=1):
    """torch.Tensor.index_add_: in place."""
    return assign_(input, index_add(input, dim, index, source, alpha=alpha))


@also_of_numbers
def index_copy(input, dim, index, source):
    """torch.index_copy and torch.Tensor.index_copy."""
    return put_elements(input, index_shape(index, source, dim), source, dim)


def index_copy_(input, dim, index, source):
    """torch.Tensor.index_copy_: in place."""
    return assign_(input, index_copy(input, dim, index, source))


@also_of_numbers
def index_fill(input, dim, index, value):
    """torch.index_fill and torch.Tensor.index_fill."""
    size = index.shape[0] if index.ndim else 1
    shape = [size if axis == dim % input.ndim else count for axis, count in enumerate(input.shape)]
    if isinstance(value, mindspore.Tensor):
        return index_copy(input, dim, index, ops.broadcast_to(value.astype(input.dtype), tuple(shape)))
    return index_copy(input, dim, index, full(shape, value, dtype=input.dtype))


def index_fill_(input, dim, index, value):
    """torch.Tensor.index_fill_: in place."""
    return assign_(input, index_fill(input, dim, index, value))


@also_of_numbers
def index_select(input, dim, index):
    """torch.index_select and torch.Tensor.index_select."""
    return ops.gather(input, index.reshape(-1), dim)


def gather(input, dim, index, *, sparse_grad=False, out=None):
    """torch.gather and torch.Tensor.gather."""
    if input.ndim == 0 or index.ndim == 0:
        return gather(input.reshape(-1), dim, index.reshape(-1)).reshape(index.shape)
    outer = tuple(
        slice(0, size) if axis != dim % input.ndim else slice(None) for axis, size in enumerate(index.shape)
    )
    return ops.gather_elements(input[outer] if input.ndim > 1 else input, dim, index)


def masked_fill(input, mask, value):
    """torch.masked_fill and torch.Tensor.masked_fill."""
    value = (
        value.astype(input.dtype)
        if isinstance(value, mindspore.Tensor)
        else full((), value, dtype=input.dtype)
    )
    return ops.where(mask, value, input)


def masked_fill_(input, mask, value):
    """torch.Tensor.masked_fill_: in place."""
    return assign_(input, masked_fill(input, mask, value))


def masked_scatter(input, mask, source):
    """torch.masked_scatter and torch.Tensor.masked_scatter."""
    input, mask = broadcast_tensors(input, mask)
    flat = mask.asnumpy().reshape(-1)
    if source.size == 0:
        return input * 1
    index = mindspore.Tensor(np.maximum(np.cumsum(flat) - 1, 0), mindspore.int32)
    return ops.where(mask, ops.gather(source.reshape(-1), index, 0).reshape(input.shape), input)


def masked_scatter_(input, mask, source):
    """torch.Tensor.masked_scatter_: in place."""
    return assign_(input, masked_scatter(input, mask, source))


def fill_(input, value):
    """torch.Tensor.fill_: in place."""
    return assign_(input, full(input.shape, value, dtype=input.dtype))


def zero_(input):
    """torch.Tensor.zero_: in place."""
    return assign_(input, ops.zeros_like(input))


def clamp_(input, min=None, max=None):
    """torch.Tensor.clamp_: in place."""
    # of a copy, since the gradient looks at the values again
    return assign_(input, clamp(input * 1, min, max))


def copy_(input, src, non_blocking=False):
    """torch.Tensor.copy_: in place, also into a slice."""
    try:
        spread = ops.broadcast_to(src, input.shape)
    except ValueError as error:
        raise RuntimeError(f"what is copied has another shape: {error}") from None
    return assign_(input, spread.astype(input.dtype))


def fill_diagonal_(input, fill_value, wrap=False):
    """torch.Tensor.fill_diagonal_: in place."""
    height, width = input.shape[0], input.shape[-1]
    places = np.arange(min(input.shape))
    mask = np.zeros(input.shape, bool)
    mask[(places,) * input.ndim] = True
    if wrap and input.ndim == 2 and height > width:
        mask.reshape(-1)[:: width + 1] = True
    return masked_fill_(input, mindspore.Tensor(mask), fill_value)


def bernoulli_(input, p=0.5, *, generator=None):
    """torch.Tensor.bernoulli_: in place."""
    if isinstance(p, mindspore.Tensor):
        return write_(input, as_probable(np.broadcast_to(p.asnumpy(), input.shape), generator))
    generator = generator or default_generator
    return write_(input, drawn_into(input, lambda shape, _: generator.chances(shape, p)))


def contiguous(input, *, memory_format=None):
    """torch.Tensor.contiguous: of layouts, MindSpore has one."""
    return mindspore.Tensor.contiguous(input)


def clone(input, *, memory_format=None):
    """torch.clone and torch.Tensor.clone; `input.copy()` of a Parameter would have no gradient."""
    return mindspore.Tensor.copy(input)


def nonzero_static(input, *, size, fill_value=-1, out=None):
    """torch.nonzero_static and torch.Tensor.nonzero_static."""
    found = nonzero(input).asnumpy()[:size]
    filled = np.full((size - len(found), input.ndim), fill_value)
    return mindspore.Tensor(np.concatenate([found, filled]), mindspore.int64)


def extreme(input, dim, keepdim, function, position):
    """The largest or smallest value along an axis, with its place."""
    indices = position(input, dim, True)
    values = ops.gather_elements(input, dim, indices)
    if not keepdim:
        values, indices = values.squeeze(dim), indices.squeeze(dim)
    return ValuesAndIndices(values, indices)


def tensor_max(input, dim=None, keepdim=False, *, out=None, other=None):
    """torch.max and torch.Tensor.max: of all, along an axis, or of two Tensors."""
    if isinstance(dim, mindspore.Tensor) or other is not None:
        return ops.maximum(input, dim if other is None else other)
    if dim is None:
        return amax(input)
    return extreme(input, dim, keepdim, ops.amax, argmax)


def tensor_min(input, dim=None, keepdim=False, *, out=None, other=None):
    """torch.min and torch.Tensor.min: of all, along an axis, or of two Tensors."""
    if isinstance(dim, mindspore.Tensor) or other is not None:
        return ops.minimum(input, dim if other is None else other)
    if dim is None:
        return amin(input)
    return extreme(input, dim, keepdim, ops.amin, argmin)


def argmax(input, dim=None, keepdim=False, *, out=None):
    """torch.argmax and torch.Tensor.argmax."""
    if not input.is_floating_point():
        input = input.astype(mindspore.float64)
    found = ops.argmax(input, dim, keepdim).astype(mindspore.int64)
    return found.reshape((1,) * input.ndim) if dim is None and keepdim else found


def argmin(input, dim=None, keepdim=False, *, out=None):
    """torch.argmin and torch.Tensor.argmin."""
    if not input.is_floating_point():
        input = input.astype(mindspore.float64)
    return argmax(-input, dim, keepdim)


def var(input, dim=None, unbiased=True, keepdim=False, *, correction=None, dtype=None, out=None):
    """torch.var and torch.Tensor.var."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    axes = tuple(range(input.ndim)) if dim is None else tuple_of(dim, 1)
    distance = input - input.mean(axes, keep_dims=True)
    distance = ops.abs(distance) if is_complex(distance) else distance
    count = math.prod(input.shape[axis] for axis in axes)
    correction = int(unbiased) if correction is None else correction
    return (distance * distance).sum(axes, keepdims=keepdim) / max(count - correction, 0)


def std(input, dim=None, unbiased=True, keepdim=False, *, correction=None, dtype=None, out=None):
    """torch.std and torch.Tensor.std."""
    return ops.sqrt(var(input, dim, unbiased, keepdim, correction=correction))


def var_mean(input, dim=None, unbiased=True, keepdim=False, *, correction=None, out=None):
    """torch.var_mean."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    mean = input.mean() if dim is None else input.mean(dim, keep_dims=keepdim)
    return var(input, dim, unbiased, keepdim, correction=correction), mean


def std_mean(input, dim=None, unbiased=True, keepdim=False, *, correction=None, out=None):
    """torch.std_mean."""
    variance, mean = var_mean(input, dim, unbiased, keepdim, correction=correction)
    return ops.sqrt(variance), mean


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    """torch.norm and torch.Tensor.norm: of vectors, whatever the axes, unless it is the nuclear norm."""
    if p == "nuc":
        return matrix_norm(input, p, (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    return vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim, dtype=dtype)


def unknown_where_any(input, dim):
    """The values, but NaN all along an axis where one of them is: what is said of them is NaN in PyTorch."""
    unknown = (input != input).asnumpy()
    if not unknown.any():
        return input
    unknown = mindspore.Tensor(unknown.any(dim, keepdims=True))
    return ops.where(ops.broadcast_to(unknown, input.shape), ops.full_like(input, math.nan), input)


@also_of_numbers
def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear", out=None):
    """torch.quantile and torch.Tensor.quantile."""
    rank = input.ndim
    if dim is None:
        input, axis = input.reshape(-1), 0
    else:
        axis = dim % input.ndim
    values = unknown_where_any(sort(input, axis).values, axis).swapaxes(axis, -1)
    shares = np.asarray(q.asnumpy() if isinstance(q, mindspore.Tensor) else q, dtype=np.float64)
    places = shares.reshape(-1) * (input.shape[axis] - 1)
    if interpolation in ("lower", "higher", "nearest"):
        places = {"lower": np.floor, "higher": np.ceil, "nearest": np.round}[interpolation](places)
    low = np.floor(places).astype(np.int32)
    high = np.ceil(places).astype(np.int32)
    part = 0.5 if interpolation == "midpoint" else mindspore.Tensor(places - low, input.dtype)
    if interpolation == "linear" and isinstance(q, mindspore.Tensor):
        part = q.reshape(-1) * (input.shape[axis] - 1) - mindspore.Tensor(low, input.dtype)
    first, last = (ops.gather(values, mindspore.Tensor(index), values.ndim - 1) for index in (low, high))
    found = (first + (last - first) * part).swapaxes(axis, -1)
    results = [found[(slice(None),) * axis + (index,)] for index in range(len(places))]
    if keepdim:
        shape = (1,) * rank if dim is None else (*input.shape[:axis], 1, *input.shape[axis + 1 :])
        results = [result.reshape(shape) for result in results]
    return results[0] if shares.ndim == 0 else ops.stack(results, 0)


def masked_select(input, mask, *, out=None):
    """torch.masked_select and torch.Tensor.masked_select; MindSpore has no gradient of what is broadcast."""
    input, mask = (input, mask) if input.shape == mask.shape else broadcast_tensors(input, mask)
    flat, places = input.reshape(-1), np.flatnonzero(mask.asnumpy())
    if not len(places):
        return without_slope(mindspore.Tensor(np.empty(0), input.dtype), input)
    return ops.gather(flat, mindspore.Tensor(places, mindspore.int32), 0)


@also_of_numbers
def median(input, dim=None, keepdim=False, *, out=None):
    """torch.median and torch.Tensor.median: the lower of two in the middle."""
    if dim is None:
        if not input.size:
            return ops.full((), math.nan, dtype=input.dtype)
        flat = unknown_where_any(input.reshape(-1), 0)
        return sort(flat, 0).values[(flat.shape[0] - 1) // 2]
    return kthvalue(unknown_where_any(input, dim), (input.shape[dim] + 1) // 2, dim, keepdim)


@also_of_numbers
def kthvalue(input, k, dim=-1, keepdim=False, *, out=None):
    """torch.kthvalue and torch.Tensor.kthvalue."""
    values, indices = (ops.narrow(part, dim, k - 1, 1) for part in sort(input, dim))
    if not keepdim:
        values, indices = values.squeeze(dim), indices.squeeze(dim)
    return ValuesAndIndices(values, indices)


def cdist(x1, x2, p=2.0, compute_mode=None):
    """torch.cdist, also of Tensors with different numbers of dimensions."""
    if x1.shape[:-2] == x2.shape[:-2] and x1.ndim in (2, 3) and 1 <= p < math.inf:
        return ops.cdist(x1, x2, float(p))
    return vector_norm(x1.expand_dims(-2) - x2.expand_dims(-3), p, -1)


def tensor_equal(input, other):
    """torch.equal and torch.Tensor.equal: one bool."""
    return tuple(input.shape) == tuple(other.shape) and bool((input == other).all())


def tril_indices(row, col, offset=0, *, dtype=None, device=None, layout=None):
    """torch.tril_indices."""
    return mindspore.Tensor(np.stack(np.tril_indices(row, offset, col)), dtype or mindspore.int64)


def triu_indices(row, col, offset=0, *, dtype=None, device=None, layout=None):
    """torch.triu_indices."""
    return mindspore.Tensor(np.stack(np.triu_indices(row, offset, col)), dtype or mindspore.int64)


def tensor_unfold(input, dimension, size, step):
    """torch.Tensor.unfold: windows along an axis, as a last axis."""
    if input.ndim == 0:
        return tensor_unfold(input.reshape(1), 0, size, step).squeeze(0)
    axis = dimension % input.ndim
    count = (input.shape[axis] - size) // step + 1
    index = np.arange(count)[:, None] * step + np.arange(size)
    windows = ops.gather(input, mindspore.Tensor(index.reshape(-1), mindspore.int32), axis)
    windows = windows.reshape((*input.shape[:axis], count, size, *input.shape[axis + 1 :]))
    order = [own for own in range(windows.ndim) if own != axis + 1] + [axis + 1]
    return windows.permute(tuple(order))


def baddbmm(input, batch1, batch2, *behind, beta=1, alpha=1, out=None):
    """torch.baddbmm and torch.Tensor.baddbmm, in the old order, too: the factors first."""
    if behind:
        input, batch1, batch2, beta, alpha = factors_first((input, batch1, batch2, *behind), beta, alpha)
    beta, alpha = factors_for(input, beta, alpha)
    product = summed_product(batch1, batch2) * alpha
    return product if beta == 0 else input * beta + product


def logsumexp(input, dim, keepdim=False, *, out=None):
    """torch.logsumexp and torch.Tensor.logsumexp."""
    axes, input = tuple_of(dim, 1), as_floating(input)
    largest = ops.stop_gradient(ops.amax(input, axes, True))
    largest = ops.where(ops.isfinite(largest), largest, ops.zeros_like(largest))
    total = log(exp(input - largest).sum(axes, keepdims=True)) + largest
    return total if keepdim else total.squeeze(axes)


def erfinv_(input):
    """torch.Tensor.erfinv_: in place."""
    return assign_(input, erfinv(clone(input)))


def floor_(input):
    """torch.Tensor.floor_: in place."""
    return assign_(input, floor(clone(input)))


def log_(input):
    """torch.Tensor.log_: in place."""
    return assign_(input, log(clone(input)))


def sigmoid_(input):
    """torch.Tensor.sigmoid_: in place."""
    return assign_(input, sigmoid(input))


def sign_(input):
    """torch.Tensor.sign_: in place."""
    return assign_(input, ops.sign(input))


def tanh_(input):
    """torch.Tensor.tanh_: in place."""
    return assign_(input, tanh(input))


def relu_(input):
    """torch.Tensor.relu_: in place."""
    return assign_(input, ops.relu(clone(input)))


def sqrt_(input):
    """torch.Tensor.sqrt_: in place."""
    return assign_(input, ops.sqrt(input))


def abs_(input):
    """torch.Tensor.abs_: in place."""
    return assign_(input, ops.abs(clone(input)))


def neg_(input):
    """torch.Tensor.neg_: in place."""
    return assign_(input, -input)


def exponential_(input, lambd=1.0, *, generator=None):
    """torch.Tensor.exponential_: in place; PyTorch's numbers on CPU from the same seed."""
    generator = generator or default_generator
    return write_(input, drawn_into(input, lambda shape, _: generator.exponential(shape, lambd)))


def random_(input, low=0, high=None, *, generator=None):
    """torch.Tensor.random_: in place; PyTorch's numbers on CPU from the same seed."""
    if high is None:
        low, high = 0, low or whole_numbers_below(input.dtype)
    generator = generator or default_generator
    return write_(
        input, drawn_into(input, lambda shape, _: generator.integers(low, high, input.size).reshape(shape))
    )


def whole_numbers_below(dtype):
    """Up to where a dtype has all whole numbers."""
    digits = {mindspore.float16: 11, mindspore.float32: 24, mindspore.float64: 53, mindspore.bfloat16: 8}
    if dtype in digits:
        return 2 ** digits[dtype] + 1
    return int(np.iinfo(numpy_type(dtype)).max) + 1


def scatter_reduce_(input, dim, index, src, reduce, *, include_self=True):
    """torch.Tensor.scatter_reduce_: in place."""
    # of a copy, since the gradient looks at the values again
    return assign_(input, scatter_reduce(input.copy(), dim, index, src, reduce, include_self=include_self))


def segment_reduce(
    data, reduce, *, lengths=None, indices=None, offsets=None, axis=0, unsafe=False, initial=None
):
    """torch.segment_reduce, for segments that are given by their lengths or by where they begin and end."""
    reduce = {"max": "amax", "min": "amin"}.get(reduce, reduce)
    counts = np.diff(offsets.asnumpy()) if lengths is None else lengths.asnumpy()
    if counts.ndim > 1:
        options = {"axis": axis - 1, "initial": initial}
        parts = [
            segment_reduce(part, reduce, lengths=mindspore.Tensor(count), **options)
            for part, count in zip(data, counts)
        ]
        return ops.stack(parts)
    start = (
        {"sum": 0, "mean": 0, "prod": 1, "amax": -math.inf, "amin": math.inf}[reduce]
        if initial is None
        else initial
    )
    shape = (len(counts), *data.shape[1:])
    rows = np.repeat(np.arange(len(counts)), counts).reshape(-1, *[1] * (data.ndim - 1))
    rows = mindspore.Tensor(np.broadcast_to(rows, (rows.shape[0], *data.shape[1:])), mindspore.int64)
    base = ops.full(shape, start, dtype=data.dtype)
    kind = "sum" if reduce == "mean" else reduce
    found = (
        scatter_reduce(base, 0, rows, data[: rows.shape[0]], kind) if rows.size else without_slope(base, data)
    )
    if reduce != "mean":
        return found
    count = mindspore.Tensor(np.maximum(counts, 1).reshape(-1, *[1] * (data.ndim - 1))).astype(data.dtype)
    if initial is None:
        is_empty = mindspore.Tensor(np.broadcast_to((counts == 0).reshape(count.shape), shape))
        found = ops.where(is_empty, ops.full_like(found, math.nan), found)
    return found / count


@also_of_numbers
def index_reduce(input, dim, index, source, reduce, *, include_self=True, out=None):
    """torch.index_reduce and torch.Tensor.index_reduce."""
    return scatter_reduce(
        input, dim, index_shape(index, source, dim), source, reduce, include_self=include_self
    )


def index_reduce_(input, dim, index, source, reduce, *, include_self=True):
    """torch.Tensor.index_reduce_: in place."""
    return assign_(input, index_reduce(input, dim, index, source, reduce, include_self=include_self))


def broadcast_shapes(*shapes):
    """torch.broadcast_shapes."""
    shapes = ((each,) if isinstance(each, int) else each for each in shapes)
    try:
        return tuple(np.broadcast_shapes(*shapes))
    except ValueError as error:
        raise RuntimeError(f"the shapes cannot be broadcast together: {error}") from None


def take(input, index):
    """torch.take and torch.Tensor.take."""
    flat = input.reshape(-1)
    # the gradient of MindSpore's is 0 at places that count from the end
    return ops.gather(flat, ops.where(index < 0, index + flat.shape[0], index), 0)


def dot(input, tensor, *, out=None):
    """torch.dot and torch.Tensor.dot."""
    return (input * tensor).sum()


def fmin(input, other, *, out=None):
    """torch.fmin and torch.Tensor.fmin."""
    return -ops.fmax(-input, -other)


def addcdiv(input, tensor1, tensor2, *behind, value=1, out=None):
    """torch.addcdiv and torch.Tensor.addcdiv, in the old order, too: the value first."""
    if behind:
        value, tensor1, tensor2 = tensor1, tensor2, *behind
    return input + value * tensor1 / tensor2


def whole_indices(index):
    """An index as indices of whole numbers: a mask means where it is true."""
    if index.dtype != mindspore.bool_:
        return [index]
    return [mindspore.Tensor(places, mindspore.int64) for places in np.nonzero(index.asnumpy())]


def index_put(input, indices, values, accumulate=False):
    """torch.index_put and torch.Tensor.index_put."""
    indices = [part for index in indices for part in whole_indices(index)]
    shape = np.broadcast_shapes(*(tuple(index.shape) for index in indices))
    strides = [math.prod(input.shape[axis + 1 : len(indices)]) for axis in range(len(indices))]
    rows = sum(
        ops.broadcast_to(index % size, shape) * stride
        for index, size, stride in zip(indices, input.shape, strides)
    ).reshape(-1)
    if 0 in shape:
        return without_slope(clone(input), values)
    rest = tuple(input.shape[len(indices) :])
    flat = input.reshape((math.prod(input.shape[: len(indices)]), math.prod(rest)))
    values = ops.broadcast_to(values, (*shape, *rest)).reshape((rows.shape[0], math.prod(rest)))
    places = ops.broadcast_to(rows.expand_dims(1), values.shape)
    mode = "add" if accumulate else "none"
    return put_elements(flat, places, values.astype(input.dtype), 0, mode).reshape(input.shape)


def index_put_(input, indices, values, accumulate=False):
    """torch.Tensor.index_put_: in place."""
    return assign_(input, index_put(input, indices, values, accumulate))


def unflatten_sizes(input, dim, *sizes):
    """torch.Tensor.unflatten."""
    return unflatten(input, dim, shape_of(sizes))


def squeeze(input, dim=None):
    """torch.squeeze and torch.Tensor.squeeze: only what has length 1 goes."""
    axes = range(input.ndim) if dim is None else tuple_of(dim, 1) if dim != () else ()
    axes = {axis % max(input.ndim, 1) for axis in axes}
    return input.reshape([size for axis, size in enumerate(input.shape) if size != 1 or axis not in axes])
