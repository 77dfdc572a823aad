"""Resizing of images and of shapes."""

import functools
import math

import mindspore
import numpy as np
from mindspore import ops


def resize_sources(size, count, scale, align_corners):
    """The distance of two output values in input values."""
    if align_corners:
        return (size - 1) / (count - 1) if count > 1 else 0.0
    return 1.0 / scale if scale else size / count


def nearest_index(size, count, scale, exact):
    """The position that each of `count` values is read from."""
    step = np.float32(1.0 / scale if scale else size / count)
    positions = np.arange(count, dtype=np.float32) + np.float32(0.5 if exact else 0.0)
    return np.minimum(np.floor(positions * step).astype(np.int64), size - 1)


def cubic(distance, a):
    """The cubic convolution kernel."""
    x = np.abs(distance)
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = ((x - 5) * x + 8) * x * a - 4 * a
    return np.where(x <= 1, near, np.where(x < 2, far, 0.0))


def resize_shares(size, count, scale, align_corners, is_cubic, kind=np.float32):
    """For each of `count` new values the places among `size` values that it is made of, and their shares,
    computed in `kind`."""
    step = kind(resize_sources(size, count, scale, align_corners))
    reach, rows = 2 if is_cubic else 1, np.arange(count)
    centers = np.float64(step) * (rows if align_corners else rows + 0.5) - (0.0 if align_corners else 0.5)
    centers = centers.astype(kind)  # rounded once, as PyTorch's are
    centers = (centers if is_cubic else np.maximum(centers, 0))[:, None]
    places = np.floor(centers).astype(np.int64) + np.arange(1 - reach, 1 + reach)
    distances = places - centers
    shares = cubic(distances, -0.75) if is_cubic else np.maximum(1 - np.abs(distances), 0)
    return places.clip(0, size - 1), shares


@functools.lru_cache(maxsize=64)
def resize_matrix(size, count, scale, align_corners, is_cubic, antialias, kind=np.float32):
    """The share of each of `size` values in each of `count` new ones."""
    matrix = np.zeros((count, size))
    if not antialias:
        places, shares = resize_shares(size, count, scale, align_corners, is_cubic, kind)
        np.add.at(matrix, (np.arange(count)[:, None], places), shares)
        return matrix
    step = resize_sources(size, count, scale, align_corners)
    reach, wide = 2 if is_cubic else 1, max(step, 1.0)
    for row in range(count):
        center = step * (row + 0.5)
        first = max(int(center - reach * wide + 0.5), 0)
        places = np.arange(first, min(int(center + reach * wide + 0.5), size))
        distance = (places - center + 0.5) / wide
        shares = cubic(distance, -0.5) if is_cubic else np.maximum(1 - np.abs(distance), 0)
        matrix[row, places] = shares / shares.sum()
    return matrix


def resized_axis(input, axis, count, scale, align_corners, is_cubic, antialias):
    """An axis with `count` values; a long one without a matrix, nearly all of which would be 0."""
    size = input.shape[axis]
    kind = np.float64 if input.dtype == mindspore.float64 else np.float32
    if antialias or size * count <= 2**20:
        matrix = resize_matrix(size, count, scale, align_corners, is_cubic, antialias, kind)
        return along_axis(input, axis, matrix)
    places, shares = resize_shares(size, count, scale, align_corners, is_cubic, kind)
    shape = [count if number == axis else 1 for number in range(input.ndim)]
    parts = [
        ops.gather(input, mindspore.Tensor(places[:, number], mindspore.int32), axis)
        * mindspore.Tensor(shares[:, number].reshape(shape), input.dtype)
        for number in range(shares.shape[1])
    ]
    return sum(parts[1:], parts[0])


def resized_bytes(input, axis, count, scale, align_corners, is_cubic, antialias):
    """An axis of an image of bytes with `count` values: shares are whole numbers of 16 bits, as large as they
    can be, and each value is rounded before the next axis."""
    size = input.shape[axis]
    if size * count > 2**20:
        options = (count, scale, align_corners, is_cubic, antialias)
        found = np.floor(resized_axis(input.astype(mindspore.float32), axis, *options).asnumpy() + 0.5)
    else:
        matrix = resize_matrix(size, count, scale, align_corners, is_cubic, antialias, np.float64)
        bits = next((bits for bits in range(22) if matrix.max() * 2 ** (bits + 1) + 0.5 >= 2**15), 22)
        shares = np.trunc(matrix * 2**bits + np.copysign(0.5, matrix))
        values = np.moveaxis(input.asnumpy(), axis, -1).astype(np.float64)
        found = np.moveaxis(np.floor((values @ shares.T + 2 ** (bits - 1)) / 2**bits), -1, axis)
    return mindspore.Tensor(np.ascontiguousarray(found.clip(0, 255).astype(np.uint8)))


@in_image_layout
def interpolate(
    input,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    """torch.nn.functional.interpolate, in every mode and for any scale: a matrix or index for each axis."""
    spatial = input.ndim - 2
    scales = [None] * spatial
    if size is not None:
        sizes = [int(count) for count in tuple_of(size, spatial)]
    else:
        scales = tuple_of(scale_factor, spatial)
        sizes = [math.floor(old * scale) for old, scale in zip(input.shape[2:], scales)]
        scales = [None] * spatial if recompute_scale_factor else scales
    if mode == "area":
        return adaptive_avg_pool(input, sizes, spatial)
    is_bytes = input.dtype == mindspore.uint8
    axes = list(enumerate(zip(sizes, scales), 2))
    for axis, (count, scale) in reversed(axes) if is_bytes else axes:
        old = input.shape[axis]
        if mode in ("nearest", "nearest-exact"):
            index = nearest_index(old, count, scale, mode == "nearest-exact")
            input = ops.gather(input, mindspore.Tensor(index, mindspore.int32), axis)
        elif mode in ("linear", "bilinear", "trilinear", "bicubic"):
            resized = resized_bytes if is_bytes else resized_axis
            input = resized(input, axis, count, scale, align_corners, mode == "bicubic", antialias)
        else:
            raise NotImplementedError(f"no mode is called {mode}")
    return input


class Upsample(Module):
    """torch.nn.Upsample."""

    def __init__(
        self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None
    ):
        super().__init__()
        self.size = size
        if isinstance(scale_factor, (int, tuple)):
            scale_factor = (
                tuple(map(float, scale_factor)) if isinstance(scale_factor, tuple) else float(scale_factor)
            )
        self.scale_factor = scale_factor
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def construct(self, input):
        options = (self.mode, self.align_corners, self.recompute_scale_factor)
        return interpolate(input, self.size, self.scale_factor, *options)

    def extra_repr(self):
        scaled = self.scale_factor is not None
        size = f"scale_factor={self.scale_factor!r}" if scaled else f"size={self.size!r}"
        return f"{size}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """torch.nn.UpsamplingNearest2d."""

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, "nearest")


class UpsamplingBilinear2d(Upsample):
    """torch.nn.UpsamplingBilinear2d."""

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, "bilinear", True)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """torch.nn.functional.upsample."""
    return interpolate(input, size, scale_factor, mode, align_corners)


def pixel_shuffle(input, upscale_factor):
    """torch.nn.functional.pixel_shuffle."""
    *batch, channels, height, width = input.shape
    factor, count = upscale_factor, len(batch)
    blocks = input.reshape((*batch, channels // factor**2, factor, factor, height, width))
    blocks = blocks.permute((*range(count), count, count + 3, count + 1, count + 4, count + 2))
    return blocks.reshape((*batch, channels // factor**2, height * factor, width * factor))


def pixel_unshuffle(input, downscale_factor):
    """torch.nn.functional.pixel_unshuffle."""
    *batch, channels, height, width = input.shape
    factor, count = downscale_factor, len(batch)
    blocks = input.reshape((*batch, channels, height // factor, factor, width // factor, factor))
    blocks = blocks.permute((*range(count), count, count + 2, count + 4, count + 1, count + 3))
    return blocks.reshape((*batch, channels * factor**2, height // factor, width // factor))


def channel_shuffle(input, groups):
    """torch.nn.functional.channel_shuffle."""
    batch, channels, *sizes = input.shape
    return input.reshape((batch, groups, channels // groups, *sizes)).swapaxes(1, 2).reshape(input.shape)


class PixelShuffle(Module):
    """torch.nn.PixelShuffle."""

    _shown = ("upscale_factor=",)

    def __init__(self, upscale_factor):
        super().__init__()
        self.upscale_factor = upscale_factor

    def construct(self, input):
        return pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Module):
    """torch.nn.PixelUnshuffle."""

    _shown = ("downscale_factor=",)

    def __init__(self, downscale_factor):
        super().__init__()
        self.downscale_factor = downscale_factor

    def construct(self, input):
        return pixel_unshuffle(input, self.downscale_factor)


class ChannelShuffle(Module):
    """torch.nn.ChannelShuffle."""

    _shown = ("groups=",)

    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def construct(self, input):
        return channel_shuffle(input, self.groups)


def flatten(input, start_dim=0, end_dim=-1):
    """torch.flatten."""
    if input.ndim == 0:
        return input.reshape((1,))
    first, last = start_dim % input.ndim, end_dim % input.ndim
    merged = math.prod(input.shape[first : last + 1])
    return input.reshape((*input.shape[:first], merged, *input.shape[last + 1 :]))


def unflatten(input, dim, sizes):
    """torch.unflatten."""
    axis = dim % input.ndim
    sizes = [int(size) for size in sizes]
    return input.reshape((*input.shape[:axis], *sizes, *input.shape[axis + 1 :]))


class Flatten(Module):
    """torch.nn.Flatten."""

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def construct(self, input):
        return flatten(input, self.start_dim, self.end_dim)

    def extra_repr(self):
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """torch.nn.Unflatten."""

    _shown = ("dim=", "unflattened_size=")

    def __init__(self, dim, unflattened_size):
        super().__init__()
        self.dim = dim
        self.unflattened_size = unflattened_size

    def construct(self, input):
        return unflatten(input, self.dim, self.unflattened_size)


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """torch.nn.functional.unfold."""
    if input.ndim == 3:
        return unfold(input.expand_dims(0), kernel_size, dilation, padding, stride).squeeze(0)
    kernel, dilation, padding, stride = (
        tuple_of(value, 2) for value in (kernel_size, dilation, padding, stride)
    )
    input = pad(input, (padding[1], padding[1], padding[0], padding[0]))
    batch, channels = input.shape[:2]
    counts = []
    for axis in range(2):
        count = (input.shape[axis + 2] - dilation[axis] * (kernel[axis] - 1) - 1) // stride[axis] + 1
        index = np.arange(kernel[axis])[:, None] * dilation[axis] + np.arange(count) * stride[axis]
        input = ops.gather(input, mindspore.Tensor(index.reshape(-1), mindspore.int32), axis + 2)
        counts.append(count)
    blocks = input.reshape((batch, channels, kernel[0], counts[0], kernel[1], counts[1]))
    return blocks.permute((0, 1, 2, 4, 3, 5)).reshape((batch, channels * kernel[0] * kernel[1], -1))


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """torch.nn.functional.fold: adds what `unfold` would read from one place."""
    if input.ndim == 2:
        return fold(input.expand_dims(0), output_size, kernel_size, dilation, padding, stride).squeeze(0)
    sizes, kernel, padding = (tuple_of(value, 2) for value in (output_size, kernel_size, padding))
    wide = [size + 2 * edge for size, edge in zip(sizes, padding)]
    positions = np.arange(wide[0] * wide[1], dtype=np.float32).reshape((1, 1, *wide))
    places = unfold(mindspore.Tensor(positions), kernel, dilation, 0, stride).reshape(-1)
    batch, rows, _ = input.shape
    channels = rows // (kernel[0] * kernel[1])
    values = input.reshape((batch, channels, -1))
    places = ops.broadcast_to(places.astype(mindspore.int32), values.shape)
    flat = ops.zeros((batch, channels, wide[0] * wide[1]), input.dtype)
    image = put_elements(flat, places, values, 2, "add").reshape((batch, channels, *wide))
    return pad(image, (-padding[1], -padding[1], -padding[0], -padding[0]))


class Unfold(Module):
    """torch.nn.Unfold."""

    _shown = ("kernel_size=", "dilation=", "padding=", "stride=")

    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def construct(self, input):
        return unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


class Fold(Module):
    """torch.nn.Fold."""

    _shown = ("output_size=", "kernel_size=", "dilation=", "padding=", "stride=")

    def __init__(self, output_size, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def construct(self, input):
        return fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)


def upsample_nearest(input, size=None, scale_factor=None):
    """torch.nn.functional.upsample_nearest."""
    return interpolate(input, size, scale_factor, "nearest")


def upsample_bilinear(input, size=None, scale_factor=None):
    """torch.nn.functional.upsample_bilinear."""
    return interpolate(input, size, scale_factor, "bilinear", True)
