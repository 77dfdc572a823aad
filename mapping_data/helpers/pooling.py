"""Pooling."""

import mindspore
import numpy as np
from mindspore import ops


def with_batch(compute, input, spatial):
    """`compute` of an input that may have no batch dimension; it returns a Tensor or a tuple of them."""
    if input.ndim == spatial + 2:
        return compute(input)
    output = compute(input.expand_dims(0))
    return tuple(part.squeeze(0) for part in output) if isinstance(output, tuple) else output.squeeze(0)


def picked_at(input, places):
    """The values of images at their places, counted through each of them."""
    flat = input.reshape((*input.shape[:2], -1))
    return Picking.apply(flat, 2, places.reshape((*input.shape[:2], -1))).reshape(places.shape)


def largest_of_windows(pool, input, window, ceil_mode):
    """The largest values of windows, and where they are. On CPU the gradient of MindSpore's own looks through
    the whole image for each value, so that values are picked there by their places; and it passes over NaN,
    or counts its place through the whole batch."""
    if mindspore.get_context("device_target") != "CPU":
        return pool(input, *window, ceil_mode=ceil_mode, return_indices=True)
    image = ops.stop_gradient(input)
    places = pool(image, *window, ceil_mode=ceil_mode, return_indices=True)[1].astype(mindspore.int64)
    if has_nan(image):
        found = pool(ops.isnan(image).astype(image.dtype), *window, ceil_mode=ceil_mode, return_indices=True)
        places = places % int(np.prod(input.shape[2:]))
        places = ops.where(found[0] > 0, found[1].astype(mindspore.int64), places)
    return picked_at(input, places), places


def fractional_max_pool(
    input, spatial, kernel_size, output_size, output_ratio, return_indices, random_samples
):
    """What the fractional_max_pool functions have in common: PyTorch draws where windows begin."""
    if output_size is None and output_ratio is None:
        raise ValueError(
            f"fractional_max_pool{spatial}d requires specifying either an output_size or an output_ratio"
        )
    if output_size is None:
        sizes = zip(input.shape[-spatial:], tuple_of(output_ratio, spatial))
        output_size = tuple(int(size * ratio) for size, ratio in sizes)
    if random_samples is None:
        batch = input.shape[0] if input.ndim == spatial + 2 else 1
        random_samples = rand(batch, input.shape[-spatial - 1], spatial, dtype=input.dtype)
    pool = ops.fractional_max_pool3d if spatial == 3 else ops.fractional_max_pool2d
    kernel_size, output_size = tuple_of(kernel_size, spatial), tuple_of(output_size, spatial)

    def compute(input):
        given = {"return_indices": True, "_random_samples": random_samples}
        places = pool(ops.stop_gradient(input), kernel_size, output_size, **given)[1].astype(mindspore.int64)
        return picked_at(input, places), places

    values, places = with_batch(compute, input, spatial)
    return (values, places) if return_indices else values


def fractional_max_pool2d(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    """torch.nn.functional.fractional_max_pool2d, with the windows that PyTorch draws."""
    given = (kernel_size, output_size, output_ratio, return_indices, _random_samples)
    return fractional_max_pool(input, 2, *given)


def fractional_max_pool3d(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    """torch.nn.functional.fractional_max_pool3d, with the windows that PyTorch draws."""
    given = (kernel_size, output_size, output_ratio, return_indices, _random_samples)
    return fractional_max_pool(input, 3, *given)


def fractional_max_pool2d_with_indices(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    """torch.nn.functional.fractional_max_pool2d_with_indices."""
    return fractional_max_pool(input, 2, kernel_size, output_size, output_ratio, True, _random_samples)


def fractional_max_pool3d_with_indices(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    """torch.nn.functional.fractional_max_pool3d_with_indices."""
    return fractional_max_pool(input, 3, kernel_size, output_size, output_ratio, True, _random_samples)


@in_image_layout
def max_pool(input, spatial, kernel_size, stride, padding, dilation, ceil_mode, return_indices):
    """What the max_pool functions have in common."""
    pool = ops.max_pool3d if spatial == 3 else ops.max_pool2d
    kernel_size = tuple_of(kernel_size, spatial)
    stride = kernel_size if stride is None or stride == [] else tuple_of(stride, spatial)
    padding, dilation = tuple_of(padding, spatial), tuple_of(dilation, spatial)
    if spatial == 1:
        kernel_size, stride, padding, dilation = (
            (1, *kernel_size),
            (1, *stride),
            (0, *padding),
            (1, *dilation),
        )

    def compute(input):
        input = input.expand_dims(2) if spatial == 1 else input
        window = (kernel_size, stride, padding, dilation)
        outputs = largest_of_windows(pool, input, window, ceil_mode)
        outputs = [part.squeeze(2) if spatial == 1 else part for part in outputs]
        return outputs[0], outputs[1].astype(mindspore.int64)

    values, indices = with_batch(compute, input, spatial)
    return (values, indices) if return_indices else values


@in_image_layout
def avg_pool(input, spatial, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    """What the avg_pool functions have in common."""
    kernel_size, padding = tuple_of(kernel_size, spatial), tuple_of(padding, spatial)
    stride = kernel_size if stride is None or stride == [] else tuple_of(stride, spatial)
    if spatial == 1:
        kernel_size, stride, padding = (1, *kernel_size), (1, *stride), (0, *padding)
    pool = ops.avg_pool3d if spatial == 3 else ops.avg_pool2d

    def compute(input):
        is_double = input.dtype == mindspore.float64  # of which MindSpore's has no gradient
        values = input.float() if is_double else input
        values = values.expand_dims(2) if spatial == 1 else values
        if divisor_override:
            sums = sums_of_windows(pool, values, kernel_size, stride, padding, ceil_mode)
            output = sums / divisor_override
        else:
            edges = tuple(edge for edge in padding for _ in range(2))
            output = pool(values, kernel_size, stride, edges, ceil_mode, count_include_pad)
        output = output.double() if is_double else output
        return output.squeeze(2) if spatial == 1 else output

    return with_batch(compute, input, spatial)


def sums_of_windows(pool, input, kernel_size, stride, padding, ceil_mode):
    """The sums of windows. MindSpore's gradient with a divisor of one's own is wrong on CPU."""
    edges = []
    for size, window, step, edge in zip(input.shape[2:], kernel_size, stride, padding):
        free = size + 2 * edge - window
        count = (-(-free // step) if ceil_mode else free // step) + 1
        count -= ceil_mode and (count - 1) * step >= size + edge
        edges = [edge, max((count - 1) * step + window - size - edge, 0), *edges]
    return pool(pad(input, edges), kernel_size, stride) * int(np.prod(kernel_size))


def along_axis(input, axis, matrix):
    """The values of an axis multiplied with a constant matrix: one row gives one value."""
    matrix = mindspore.Tensor(np.ascontiguousarray(matrix.T), input.dtype)
    return ops.matmul(input.swapaxes(axis, -1), matrix).swapaxes(axis, -1)


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """torch.nn.functional.max_pool1d."""
    return max_pool(input, 1, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """torch.nn.functional.max_pool2d."""
    return max_pool(input, 2, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """torch.nn.functional.max_pool3d."""
    return max_pool(input, 3, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """torch.nn.functional.avg_pool1d."""
    return avg_pool(input, 1, kernel_size, stride, padding, ceil_mode, count_include_pad, None)


def avg_pool2d(
    input,
    kernel_size,
    stride=None,
    padding=0,
    ceil_mode=False,
    count_include_pad=True,
    divisor_override=None,
):
    """torch.nn.functional.avg_pool2d."""
    return avg_pool(input, 2, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def avg_pool3d(
    input,
    kernel_size,
    stride=None,
    padding=0,
    ceil_mode=False,
    count_include_pad=True,
    divisor_override=None,
):
    """torch.nn.functional.avg_pool3d."""
    return avg_pool(input, 3, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def adaptive_windows(size, count):
    """The window of each of `count` values along an axis of `size`."""
    return [(index * size // count, -(-(index + 1) * size // count)) for index in range(count)]


def adaptive_sizes(input, output_size, spatial):
    """The output's sizes; None stands for the input's."""
    given = tuple_of(output_size, spatial) if output_size is not None else (None,) * spatial
    return [size if want is None else want for want, size in zip(given, input.shape[-spatial:])]


@in_image_layout
def adaptive_avg_pool(input, output_size, spatial):
    """What the adaptive_avg_pool functions have in common: an averaging matrix for each axis."""
    whole = input
    for axis, count in enumerate(adaptive_sizes(input, output_size, spatial), -spatial):
        size = input.shape[axis]
        if count == 1:
            input = input.mean(axis, keep_dims=True)
        elif count != size:
            matrix = np.zeros((count, size))
            for index, (start, end) in enumerate(adaptive_windows(size, count)):
                matrix[index, start:end] = 1 / (end - start)
            input = along_axis(input, axis, matrix)
    return input.copy() if input is whole else input


def adaptive_avg_pool1d(input, output_size):
    """torch.nn.functional.adaptive_avg_pool1d."""
    return adaptive_avg_pool(input, output_size, 1)


def adaptive_avg_pool2d(input, output_size):
    """torch.nn.functional.adaptive_avg_pool2d."""
    return adaptive_avg_pool(input, output_size, 2)


def adaptive_avg_pool3d(input, output_size):
    """torch.nn.functional.adaptive_avg_pool3d."""
    return adaptive_avg_pool(input, output_size, 3)


@in_image_layout
def adaptive_max_pool(input, output_size, spatial, return_indices):
    """What the adaptive_max_pool functions have in common; the indices count in the flattened axes."""
    sizes = input.shape[-spatial:]
    positions = np.arange(np.prod(sizes)).reshape(sizes)
    indices = ops.broadcast_to(mindspore.Tensor(positions, mindspore.int64), input.shape)
    for axis, count in enumerate(adaptive_sizes(input, output_size, spatial), -spatial):
        values, places = [], []
        for start, end in adaptive_windows(input.shape[axis], count):
            window = ops.narrow(input, axis, start, end - start)
            chosen = ops.argmax(window, axis, True)
            values.append(ops.gather_elements(window, axis % input.ndim, chosen))
            inside = ops.narrow(indices, axis, start, end - start)
            places.append(ops.gather_elements(inside, axis % input.ndim, chosen))
        input, indices = ops.cat(values, axis), ops.cat(places, axis)
    return (input, indices) if return_indices else input


def adaptive_max_pool1d(input, output_size, return_indices=False):
    """torch.nn.functional.adaptive_max_pool1d."""
    return adaptive_max_pool(input, output_size, 1, return_indices)


def adaptive_max_pool2d(input, output_size, return_indices=False):
    """torch.nn.functional.adaptive_max_pool2d."""
    return adaptive_max_pool(input, output_size, 2, return_indices)


def adaptive_max_pool3d(input, output_size, return_indices=False):
    """torch.nn.functional.adaptive_max_pool3d."""
    return adaptive_max_pool(input, output_size, 3, return_indices)


def lp_pool(input, norm_type, kernel_size, stride, ceil_mode, spatial):
    """What the lp_pool functions have in common."""
    sizes = tuple_of(kernel_size, spatial)
    mean = avg_pool(input**norm_type, spatial, sizes, stride, 0, ceil_mode, True, None)
    return (ops.sign(mean) * ops.abs(mean) * int(np.prod(sizes))) ** (1.0 / norm_type)


def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """torch.nn.functional.lp_pool1d."""
    return lp_pool(input, norm_type, kernel_size, stride, ceil_mode, 1)


def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """torch.nn.functional.lp_pool2d."""
    return lp_pool(input, norm_type, kernel_size, stride, ceil_mode, 2)


def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """torch.nn.functional.lp_pool3d."""
    return lp_pool(input, norm_type, kernel_size, stride, ceil_mode, 3)


def max_unpool(input, indices, spatial, kernel_size, stride, padding, output_size):
    """What the max_unpool functions have in common."""
    kernel_size, padding = tuple_of(kernel_size, spatial), tuple_of(padding, spatial)
    stride = kernel_size if stride is None else tuple_of(stride, spatial)
    if output_size is None:
        output_size = [
            (size - 1) * step - 2 * edge + kernel
            for size, step, edge, kernel in zip(input.shape[-spatial:], stride, padding, kernel_size)
        ]
    shape = (*input.shape[:-spatial], *tuple(output_size)[-spatial:])
    flat = ops.zeros((*input.shape[:-spatial], int(np.prod(shape[-spatial:]))), input.dtype)
    rows = (*input.shape[:-spatial], -1)
    return put_elements(flat, indices.reshape(rows), input.reshape(rows), -1).reshape(shape)


def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """torch.nn.functional.max_unpool1d."""
    return max_unpool(input, indices, 1, kernel_size, stride, padding, output_size)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """torch.nn.functional.max_unpool2d."""
    return max_unpool(input, indices, 2, kernel_size, stride, padding, output_size)


def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """torch.nn.functional.max_unpool3d."""
    return max_unpool(input, indices, 3, kernel_size, stride, padding, output_size)


class MaxPoolBase(Module):
    """PyTorch's _MaxPoolNd; a subclass says how many dimensions it has."""

    spatial = 2

    def __init__(
        self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False
    ):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def construct(self, input):
        window = (self.kernel_size, self.stride, self.padding, self.dilation)
        return max_pool(input, self.spatial, *window, self.ceil_mode, self.return_indices)

    def extra_repr(self):
        moves = f"stride={self.stride}, padding={self.padding}, dilation={self.dilation}"
        return f"kernel_size={self.kernel_size}, {moves}, ceil_mode={self.ceil_mode}"


class AvgPoolBase(Module):
    """PyTorch's _AvgPoolNd; a subclass says how many dimensions it has."""

    spatial = 2

    def __init__(
        self,
        kernel_size,
        stride=None,
        padding=0,
        ceil_mode=False,
        count_include_pad=True,
        divisor_override=None,
    ):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def construct(self, input):
        window = (self.kernel_size, self.stride, self.padding, self.ceil_mode)
        return avg_pool(input, self.spatial, *window, self.count_include_pad, self.divisor_override)

    def extra_repr(self):
        sizes = (self.kernel_size, self.stride, self.padding)
        if self.spatial == 1:
            sizes = tuple(tuple_of(size, 1) for size in sizes)
        return "kernel_size={}, stride={}, padding={}".format(*sizes)


class AdaptiveAvgPoolBase(Module):
    """PyTorch's _AdaptiveAvgPoolNd; a subclass says how many dimensions it has."""

    spatial = 2

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def construct(self, input):
        return adaptive_avg_pool(input, self.output_size, self.spatial)

    def extra_repr(self):
        return f"output_size={self.output_size}"


class AdaptiveMaxPoolBase(Module):
    """PyTorch's _AdaptiveMaxPoolNd; a subclass says how many dimensions it has."""

    _shown = ("output_size=",)

    spatial = 2

    def __init__(self, output_size, return_indices=False):
        super().__init__()
        self.output_size = output_size
        self.return_indices = return_indices

    def construct(self, input):
        return adaptive_max_pool(input, self.output_size, self.spatial, self.return_indices)


class LPPoolBase(Module):
    """PyTorch's _LPPoolNd; a subclass says how many dimensions it has."""

    _shown = ("norm_type=", "kernel_size=", "stride=", "ceil_mode=")

    spatial = 2

    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def construct(self, input):
        return lp_pool(input, self.norm_type, self.kernel_size, self.stride, self.ceil_mode, self.spatial)


class FractionalMaxPoolBase(Module):
    """What PyTorch's FractionalMaxPool classes have in common; a subclass says how many dimensions it has."""

    spatial = 2

    def __init__(
        self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
    ):
        super().__init__()
        self.kernel_size = tuple_of(kernel_size, self.spatial)
        self.return_indices = return_indices
        self._random_samples = _random_samples
        self.output_size = None if output_size is None else tuple_of(output_size, self.spatial)
        self.output_ratio = None if output_ratio is None else tuple_of(output_ratio, self.spatial)
        if (output_size is None) == (output_ratio is None):
            raise ValueError("give FractionalMaxPool either an output_size or an output_ratio")
        if self.output_ratio is not None and not all(0 < ratio < 1 for ratio in self.output_ratio):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")

    def construct(self, input):
        given = (self.kernel_size, self.output_size, self.output_ratio)
        return fractional_max_pool(input, self.spatial, *given, self.return_indices, self._random_samples)


class MaxUnpoolBase(Module):
    """PyTorch's _MaxUnpoolNd; a subclass says how many dimensions it has."""

    spatial = 2

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding

    def construct(self, input, indices, output_size=None):
        window = (self.kernel_size, self.stride, self.padding)
        return max_unpool(input, indices, self.spatial, *window, output_size)

    def extra_repr(self):
        sizes = (tuple_of(size, self.spatial) for size in (self.kernel_size, self.stride, self.padding))
        return "kernel_size={}, stride={}, padding={}".format(*sizes)


class MaxPool1d(MaxPoolBase):
    """torch.nn.MaxPool1d."""

    spatial = 1


class MaxPool2d(MaxPoolBase):
    """torch.nn.MaxPool2d."""

    spatial = 2


class MaxPool3d(MaxPoolBase):
    """torch.nn.MaxPool3d."""

    spatial = 3


class AvgPool1d(AvgPoolBase):
    """torch.nn.AvgPool1d."""

    spatial = 1

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__(kernel_size, stride, padding, ceil_mode, count_include_pad)


class AvgPool2d(AvgPoolBase):
    """torch.nn.AvgPool2d."""

    spatial = 2


class AvgPool3d(AvgPoolBase):
    """torch.nn.AvgPool3d."""

    spatial = 3


class AdaptiveAvgPool1d(AdaptiveAvgPoolBase):
    """torch.nn.AdaptiveAvgPool1d."""

    spatial = 1


class AdaptiveAvgPool2d(AdaptiveAvgPoolBase):
    """torch.nn.AdaptiveAvgPool2d."""

    spatial = 2


class AdaptiveAvgPool3d(AdaptiveAvgPoolBase):
    """torch.nn.AdaptiveAvgPool3d."""

    spatial = 3


class AdaptiveMaxPool1d(AdaptiveMaxPoolBase):
    """torch.nn.AdaptiveMaxPool1d."""

    spatial = 1


class AdaptiveMaxPool2d(AdaptiveMaxPoolBase):
    """torch.nn.AdaptiveMaxPool2d."""

    spatial = 2


class AdaptiveMaxPool3d(AdaptiveMaxPoolBase):
    """torch.nn.AdaptiveMaxPool3d."""

    spatial = 3


class LPPool1d(LPPoolBase):
    """torch.nn.LPPool1d."""

    spatial = 1


class LPPool2d(LPPoolBase):
    """torch.nn.LPPool2d."""

    spatial = 2


class LPPool3d(LPPoolBase):
    """torch.nn.LPPool3d."""

    spatial = 3


class FractionalMaxPool2d(FractionalMaxPoolBase):
    """torch.nn.FractionalMaxPool2d."""


class FractionalMaxPool3d(FractionalMaxPoolBase):
    """torch.nn.FractionalMaxPool3d."""

    spatial = 3


class MaxUnpool1d(MaxUnpoolBase):
    """torch.nn.MaxUnpool1d."""

    spatial = 1


class MaxUnpool2d(MaxUnpoolBase):
    """torch.nn.MaxUnpool2d."""

    spatial = 2


class MaxUnpool3d(MaxUnpoolBase):
    """torch.nn.MaxUnpool3d."""

    spatial = 3


def max_pool1d_with_indices(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """torch.nn.functional.max_pool1d_with_indices."""
    return max_pool1d(input, kernel_size, stride, padding, dilation, ceil_mode, True)


def max_pool2d_with_indices(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """torch.nn.functional.max_pool2d_with_indices."""
    return max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode, True)


def max_pool3d_with_indices(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """torch.nn.functional.max_pool3d_with_indices."""
    return max_pool3d(input, kernel_size, stride, padding, dilation, ceil_mode, True)


def adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    """torch.nn.functional.adaptive_max_pool1d_with_indices and torch.adaptive_max_pool1d."""
    return adaptive_max_pool1d(input, output_size, True)


def adaptive_max_pool2d_with_indices(input, output_size, return_indices=False):
    """torch.nn.functional.adaptive_max_pool2d_with_indices."""
    return adaptive_max_pool2d(input, output_size, True)


def adaptive_max_pool3d_with_indices(input, output_size, return_indices=False):
    """torch.nn.functional.adaptive_max_pool3d_with_indices."""
    return adaptive_max_pool3d(input, output_size, True)
