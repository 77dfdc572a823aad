"""torch.nn.init: PyTorch's formulas, written into the Tensor or Parameter that is given."""

import math

import mindspore
import numpy as np
from mindspore import ops


def is_part(tensor):
    """Whether a Tensor is a part of another one, or has its axes in another order."""
    return not tensor.is_contiguous() or tensor.untyped_storage().nbytes() != tensor.nbytes


def assign_(tensor, values):
    """Set the values of a Tensor in place, and those of what shares memory with it."""
    if hasattr(tensor, "set_shared"):
        return tensor.set_shared(tensor, values)
    return assign_alone(tensor, values)


def assign_alone(tensor, values):
    """Set the values of a Tensor in place; of a slice, those of the Tensor that it is a slice of.

    `copy_` writes to the memory, also of what shares all of it (`parameter.data`), but has a wrong gradient
    where the Tensor is a view of a result. By an index, a Parameter would become a view, which optimizers
    cannot change."""
    has_history = tensor._requires_grad and not tensor._is_leaf
    if isinstance(tensor, mindspore.Parameter) or not (has_history or is_part(tensor)):
        if not isinstance(values, mindspore.Tensor):
            values = mindspore.Tensor(values, tensor.dtype)
        if is_part(values):  # `copy_` would look at all that it is a part of
            values = mindspore.Tensor.copy(values)
        assigned = tensor.copy_(values)
        if isinstance(tensor, mindspore.Parameter):
            if is_grad_enabled() and values._requires_grad and not tensor.requires_grad:
                tensor.requires_grad = True  # a result from now on
            return tensor
        if is_grad_enabled() and values._requires_grad and not tensor._requires_grad:
            return replace_by(tensor, mindspore.Tensor.copy(values))  # what `detach` gave records no `copy_`
        return assigned
    whole, index = getattr(tensor, "part_of", (None, None))
    if whole is not None:
        whole[index] = values
    if tensor.ndim:
        tensor[:] = values
    else:
        tensor[...] = values
    return tensor


def write_(tensor, values):
    """Set the values of a Tensor, of a slice of one or of a Parameter in place; no gradient knows of it."""
    if isinstance(values, mindspore.Tensor):
        values = values.asnumpy()
    values = mindspore.Tensor(np.array(np.broadcast_to(values, tuple(tensor.shape)))).astype(tensor.dtype)
    if isinstance(tensor, mindspore.Parameter):
        tensor.set_data(values)
        return tensor
    return assign_(tensor, values)


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    """torch.nn.init.uniform_: PyTorch's numbers on CPU from the same seed."""
    return write_(tensor, uniforms_into(tensor, a, b, generator or default_generator))


def uniforms_into(tensor, low, high, generator):
    """Numbers from `low` to below `high` for a Tensor."""
    return drawn_into(tensor, lambda shape, _: generator.between(shape, low, high, tensor.dtype))


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    """torch.nn.init.normal_: PyTorch's numbers on CPU from the same seed."""
    return write_(tensor, normals_into(tensor, mean, std, generator or default_generator))


def normals_into(tensor, mean, std, generator):
    """Normally distributed numbers for a Tensor."""

    def draw(shape, is_apart):
        return generator.normal(shape, mean, std, tensor.dtype, in_pairs=is_apart)

    return drawn_into(tensor, draw)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """torch.nn.init.trunc_normal_: normal between the values `a` and `b`, PyTorch's numbers on CPU from the
    same seed. Where most numbers are there, those that are not are drawn again; else numbers between `a` and
    `b` are drawn until the density lets each pass."""
    generator = generator or default_generator
    low, high = (math.erf((bound - mean) / (std * math.sqrt(2.0))) for bound in (a, b))
    if (high - low) / 2 > 0.3:
        values = normals_into(tensor, mean, std, generator)
        while (outside := (values < values.dtype.type(a)) | (values > values.dtype.type(b))).any():
            values = np.where(outside, normals_into(tensor, mean, std, generator), values)
        return write_(tensor, values)
    most = max(a, min(mean, b))

    def is_stopped(drawn):
        share = uniforms_into(tensor, 0.0, 1.0, generator)
        with np.errstate(divide="ignore"):
            return np.log(share) > (((drawn - mean) / std) ** 2 - ((most - mean) / std) ** 2) * -0.5

    values = uniforms_into(tensor, a, b, generator)
    stopped = is_stopped(values)
    while stopped.any():
        drawn = uniforms_into(tensor, a, b, generator)
        values = np.where(stopped, drawn, values)
        stopped &= is_stopped(drawn)
    return write_(tensor, values)


def constant_(tensor, val):
    """torch.nn.init.constant_."""
    return write_(tensor, val)


def ones_(tensor):
    """torch.nn.init.ones_."""
    return write_(tensor, 1.0)


def zeros_(tensor):
    """torch.nn.init.zeros_."""
    return write_(tensor, 0.0)


def eye_(tensor):
    """torch.nn.init.eye_."""
    return write_(tensor, np.eye(*tensor.shape))


def dirac_(tensor, groups=1):
    """torch.nn.init.dirac_: a convolution that keeps its input."""
    values = np.zeros(tensor.shape)
    per_group = tensor.shape[0] // groups
    middle = tuple(size // 2 for size in tensor.shape[2:])
    for group in range(groups):
        for channel in range(min(per_group, tensor.shape[1])):
            values[(group * per_group + channel, channel, *middle)] = 1.0
    return write_(tensor, values)


def calculate_fan_in_and_fan_out(tensor):
    """torch.nn.init._calculate_fan_in_and_fan_out."""
    if tensor.ndim < 2:
        raise ValueError("fan in and fan out need a Tensor of two dimensions at least")
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def calculate_correct_fan(tensor, mode):
    """torch.nn.init._calculate_correct_fan."""
    if mode.lower() not in ("fan_in", "fan_out"):
        raise ValueError(f"mode is fan_in or fan_out, not {mode}")
    return calculate_fan_in_and_fan_out(tensor)[mode.lower() == "fan_out"]


def calculate_gain(nonlinearity, param=None):
    """torch.nn.init.calculate_gain."""
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    linear = ("linear", "sigmoid", *(f"conv{way}{n}d" for n in (1, 2, 3) for way in ("", "_transpose")))
    gains = dict.fromkeys(linear, 1) | {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}
    if nonlinearity not in gains:
        raise ValueError(f"no gain is known for {nonlinearity}")
    return gains[nonlinearity]


def xavier_uniform_(tensor, gain=1.0, generator=None):
    """torch.nn.init.xavier_uniform_."""
    bound = gain * math.sqrt(6.0 / sum(calculate_fan_in_and_fan_out(tensor)))
    return uniform_(tensor, -bound, bound, generator=generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    """torch.nn.init.xavier_normal_."""
    std = gain * math.sqrt(2.0 / sum(calculate_fan_in_and_fan_out(tensor)))
    return normal_(tensor, 0.0, std, generator=generator)


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """torch.nn.init.kaiming_uniform_."""
    if 0 in tensor.shape:
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(calculate_correct_fan(tensor, mode))
    return uniform_(tensor, -math.sqrt(3.0) * std, math.sqrt(3.0) * std, generator=generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """torch.nn.init.kaiming_normal_."""
    if 0 in tensor.shape:
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(calculate_correct_fan(tensor, mode))
    return normal_(tensor, 0.0, std, generator=generator)


def orthogonal_(tensor, gain=1, generator=None):
    """torch.nn.init.orthogonal_."""
    rows, columns = tensor.shape[0], math.prod(tensor.shape[1:])
    flat = (generator or default_generator).normal((rows, columns), dtype=tensor.dtype)
    q, r = np.linalg.qr(flat if rows >= columns else flat.T)
    q = q * np.sign(np.diag(r))
    return write_(tensor, gain * (q if rows >= columns else q.T).reshape(tensor.shape))


def sparse_(tensor, sparsity, std=0.01, generator=None):
    """torch.nn.init.sparse_: normal, with the share `sparsity` of each column zero."""
    rows, columns = tensor.shape
    drawing = generator or default_generator
    values = drawing.normal((rows, columns), 0.0, std, tensor.dtype)
    for column in range(columns):
        values[drawing.permutation(rows)[: math.ceil(sparsity * rows)], column] = 0.0
    return write_(tensor, values)


def empty_parameter(shape, dtype=None):
    """A Parameter whose values are set later."""
    if not isinstance(dtype, mindspore.dtype.Type):
        dtype = get_default_dtype()
    return mindspore.Parameter(ops.zeros(tuple(shape), dtype))
