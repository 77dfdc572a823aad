"""torchvision.ops that read images between their pixels, or in regions."""

import mindspore
import numpy as np
from mindspore import ops

# The most values that are read at once
MOST_READ = 1 << 22


def between_pixels(images, owner, y, x):
    """What stands at places between the pixels of images, by how far each pixel around is; outside is zero.
    `owner` says of each row of places which image it is of. Shape: (rows, places, channels)."""
    count, channels, height, width = images.shape
    table = images.transpose(0, 2, 3, 1).reshape(count * height * width, channels)
    top, left = ops.stop_gradient(ops.floor(y)), ops.stop_gradient(ops.floor(x))
    down, right = y - top, x - left
    found = 0
    for row, share_of_row in ((top, 1 - down), (top + 1, down)):
        for column, share_of_column in ((left, 1 - right), (left + 1, right)):
            is_inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
            place = row.clamp(0, height - 1) * width + column.clamp(0, width - 1)
            place = place.astype(mindspore.int64) + owner * (height * width)
            share = ops.where(is_inside, share_of_row * share_of_column, ops.zeros_like(y))
            found = found + ops.gather(table, place, 0) * share.expand_dims(2)
    return found


def deform_conv2d(
    input, offset, weight, bias=None, stride=(1, 1), padding=(0, 0), dilation=(1, 1), mask=None
):
    """torchvision.ops.deform_conv2d."""
    (down, right), (above, before), (rows_apart, columns_apart) = (
        tuple_of(each, 2) for each in (stride, padding, dilation)
    )
    count, channels = input.shape[:2]
    kernels, depth, rows, columns = weight.shape
    height, width = offset.shape[2:]
    taps = rows * columns
    parts = offset.shape[1] // (2 * taps)
    if not parts:
        raise RuntimeError(
            "the shape of the offset tensor at dimension 1 is not valid. It should be a multiple of 2 * "
            f"weight.size[2] * weight.size[3].\nGot offset.shape[1]={offset.shape[1]}, while 2 * "
            f"weight.size[2] * weight.size[3]={2 * taps}"
        )
    row, column, i, j = np.ix_(
        *(np.arange(size, dtype=np.float32) for size in (rows, columns, height, width))
    )
    places = np.empty((2, rows, columns, height, width), np.float32)
    places[0], places[1] = i * down - above + row * rows_apart, j * right - before + column * columns_apart
    fixed = mindspore.Tensor(places.reshape(2, 1, taps, height * width)).astype(offset.dtype)
    moved = offset.reshape(count * parts, taps, 2, height * width)
    y, x = ((moved[:, :, axis] + fixed[axis]).reshape(count * parts, -1) for axis in (0, 1))
    owner = mindspore.Tensor(np.arange(count * parts)[:, None])
    images = input.reshape(count * parts, channels // parts, *input.shape[2:])
    found = between_pixels(images, owner, y, x).transpose(0, 2, 1)
    found = found.reshape(count, parts, channels // parts, taps, height * width)
    if mask is not None:
        found = found * mask.reshape(count, parts, 1, taps, height * width)
    groups = channels // depth
    found = found.reshape(count, groups, depth * taps, height * width)
    result = ops.matmul(weight.reshape(groups, kernels // groups, depth * taps), found)
    result = result.reshape(count, kernels, height, width)
    return result if bias is None else result + bias.reshape(1, -1, 1, 1)


class DeformConv2d(Module):
    """torchvision.ops.DeformConv2d."""

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True
    ):
        super().__init__()
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups:
            raise ValueError("out_channels must be divisible by groups")
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride = tuple_of(kernel_size, 2), tuple_of(stride, 2)
        self.padding, self.dilation = tuple_of(padding, 2), tuple_of(dilation, 2)
        self.weight = parameter(ops.zeros((out_channels, in_channels // groups, *self.kernel_size)))
        if bias:
            self.bias = parameter(ops.zeros((out_channels,)))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    reset_parameters = ConvolutionBase.reset_parameters

    def construct(self, input, offset, mask=None):
        sizes = self.stride, self.padding, self.dilation
        return deform_conv2d(input, offset, self.weight, self.bias, *sizes, mask)


def boxes_in_images(boxes):
    """Regions as an array: the number of the image, and the box in it."""
    if isinstance(boxes, (list, tuple)):
        rows = [np.insert(each.asnumpy(), 0, place, axis=1) for place, each in enumerate(boxes)]
        return np.concatenate(rows).astype(np.float32)
    return boxes.asnumpy().astype(np.float32)


def points_of_bins(first, size, bins, counts):
    """Where each of `bins` bins is read along an axis, (regions, bins, points), and which are there."""
    points = np.arange(counts.max(initial=1), dtype=np.float32)
    step = size / bins
    starts = first[:, None] + np.arange(bins, dtype=np.float32) * step[:, None]
    places = starts[:, :, None] + (points + 0.5)[None, None] * (step / counts)[:, None, None]
    return places.astype(np.float32), points < counts[:, None]


def roi_align(input, boxes, output_size, spatial_scale=1.0, sampling_ratio=-1, aligned=False):
    """torchvision.ops.roi_align: the boxes themselves get no gradient."""
    bins = tuple_of(output_size, 2)
    regions = boxes_in_images(boxes)
    channels, *limits = input.shape[1:]
    if not len(regions):
        return ops.zeros((0, channels, *bins), input.dtype)
    axes = []
    for low, count, limit in ((2, bins[0], limits[0]), (1, bins[1], limits[1])):
        first = regions[:, low] * np.float32(spatial_scale) - np.float32(0.5 * aligned)
        size = regions[:, low + 2] * np.float32(spatial_scale) - np.float32(0.5 * aligned) - first
        size = size if aligned else np.maximum(size, 1)
        wanted = np.full(len(regions), sampling_ratio) if sampling_ratio > 0 else np.ceil(size / count)
        points = np.maximum(wanted, 1).astype(np.int64)
        places, is_there = points_of_bins(first, size, count, points)
        is_there &= wanted[:, None] > 0
        is_there = is_there[:, None] & (places >= -1) & (places <= limit)
        axes.append((places.clip(0, limit - 1), is_there, points))
    (y, in_y, rows), (x, in_x, columns) = axes
    shape = (len(regions), bins[0], bins[1], y.shape[2], x.shape[2])
    y, in_y = (
        np.broadcast_to(each[:, :, None, :, None], shape).reshape(len(regions), -1) for each in (y, in_y)
    )
    x, in_x = (
        np.broadcast_to(each[:, None, :, None, :], shape).reshape(len(regions), -1) for each in (x, in_x)
    )
    share = ((in_y & in_x) / (rows * columns)[:, None]).astype(np.float32)
    found = []
    step = max(1, MOST_READ // (y.shape[1] * channels))
    for start in range(0, len(regions), step):
        part = slice(start, start + step)
        owner = mindspore.Tensor(regions[part, :1].astype(np.int64))
        places = (mindspore.Tensor(each[part]).astype(input.dtype) for each in (y, x))
        read = between_pixels(input, owner, *places) * mindspore.Tensor(share[part, :, None]).astype(
            input.dtype
        )
        found.append(read.reshape(-1, bins[0] * bins[1], shape[3] * shape[4], channels).sum(2))
    return ops.concat(found, 0).swapaxes(1, 2).reshape(len(regions), channels, *bins)


class RoIAlign(Module):
    """torchvision.ops.RoIAlign."""

    def __init__(self, output_size, spatial_scale, sampling_ratio, aligned=False):
        super().__init__()
        self.output_size, self.spatial_scale = output_size, spatial_scale
        self.sampling_ratio, self.aligned = sampling_ratio, aligned

    def construct(self, input, rois):
        return roi_align(input, rois, self.output_size, self.spatial_scale, self.sampling_ratio, self.aligned)


def edges_of_bins(first, last, bins, limit):
    """Where each of `bins` bins of whole pixels starts and ends along one axis."""
    edges = np.arange(bins + 1, dtype=np.float32) * np.float32(max(last - first + 1, 1) / bins)
    starts, ends = np.floor(edges[:-1]) + first, np.ceil(edges[1:]) + first
    return [(int(start), int(end)) for start, end in zip(starts.clip(0, limit), ends.clip(0, limit))]


def largest_in_bins(values, places, edges, axis):
    """The largest values of each bin along an axis, the first of equal ones, and their `places`; those of an
    empty bin are -inf and -1."""
    shape = [*values.shape[:axis], len(edges), *values.shape[axis + 1 :]]
    largest, found = np.full(shape, -np.inf, values.dtype), np.full(shape, -1, np.int64)
    for number, (start, end) in enumerate(edges):
        if end > start:
            part = (slice(None),) * axis + (slice(start, end),)
            first = np.expand_dims(values[part].argmax(axis), axis)
            at = (slice(None),) * axis + (slice(number, number + 1),)
            largest[at] = np.take_along_axis(values[part], first, axis)
            found[at] = np.take_along_axis(places[part], first, axis)
    return largest, found


def aligned_regions(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned):
    """torch.ops.torchvision.roi_align, the operator that torchvision's function calls."""
    return roi_align(input, rois, (pooled_height, pooled_width), spatial_scale, sampling_ratio, aligned)


def roi_pool(input, boxes, output_size, spatial_scale=1.0):
    """torchvision.ops.roi_pool: where the largest values are is found in NumPy's arrays, and they are read at
    once."""
    bins = tuple_of(output_size, 2)
    regions = boxes_in_images(boxes)
    if not len(regions):
        return ops.zeros((0, input.shape[1], *bins), input.dtype)
    images = np.nan_to_num(input.float().asnumpy(), nan=-np.inf, posinf=np.inf, neginf=-np.inf)
    places = np.arange(images.size).reshape(images.shape)
    found = []
    for region in regions:
        box = np.floor(region[1:] * np.float32(spatial_scale) + 0.5).astype(np.int64)
        rows = edges_of_bins(box[1], box[3], bins[0], images.shape[2])
        columns = edges_of_bins(box[0], box[2], bins[1], images.shape[3])
        number = int(region[0])
        in_columns = largest_in_bins(images[number], places[number], columns, 2)
        found.append(largest_in_bins(*in_columns, rows, 1)[1])
    found = np.stack(found)
    largest = ops.gather(input.reshape(-1), mindspore.Tensor(found.clip(0).astype(np.int32)), 0)
    return ops.where(mindspore.Tensor(found >= 0), largest, ops.zeros_like(largest))


class RoIPool(Module):
    """torchvision.ops.RoIPool."""

    def __init__(self, output_size, spatial_scale):
        super().__init__()
        self.output_size, self.spatial_scale = output_size, spatial_scale

    def construct(self, input, rois):
        return roi_pool(input, rois, self.output_size, self.spatial_scale)
