"""Sampling of images at given places."""

import mindspore
import numpy as np
from mindspore import ops


def affine_grid(theta, size, align_corners=None):
    """torch.nn.functional.affine_grid."""
    axes = []
    for count in size[2:]:
        ends = 1.0 if align_corners else 1.0 - 1.0 / count
        axes.append(np.linspace(-ends, ends, count) if count > 1 else np.zeros(1))
    places = np.meshgrid(*axes, indexing="ij")
    base = np.stack([*reversed(places), np.ones_like(places[0])], -1).reshape(-1, len(axes) + 1)
    grid = ops.matmul(mindspore.Tensor(base, theta.dtype), theta.swapaxes(1, 2))
    return grid.reshape((size[0], *size[2:], len(axes)))


def grid_positions(coordinate, size, align_corners):
    """Coordinates between -1 and 1 as positions among `size` values."""
    return (coordinate + 1) / 2 * (size - 1) if align_corners else ((coordinate + 1) * size - 1) / 2


def reflected(position, low, high):
    """Positions reflected until they are between two bounds."""
    span = high - low
    if span == 0:
        return ops.zeros_like(position)
    distance = ops.abs(position - low)
    turns = ops.stop_gradient(ops.floor(distance / span))
    rest = distance - turns * span
    return ops.where(turns % 2 == 0, rest + low, high - rest)


def padded_positions(position, size, padding_mode, align_corners):
    """Positions, those outside moved inside as the mode says."""
    if padding_mode == "reflection":
        ends = (0.0, size - 1.0) if align_corners else (-0.5, size - 0.5)
        position = reflected(position, *ends)
    if padding_mode != "zeros":
        inside = ops.logical_and(position > 0, position < size - 1)
        position = ops.where(inside, position, ops.stop_gradient(ops.clamp(position, 0, size - 1)))
    return position


def values_at(flat, places, sizes):
    """The values at integer places, 0 outside; `flat` is (batch, channels, all places)."""
    index, inside = 0, None
    for place, size in zip(places, sizes):
        within = ops.logical_and(place >= 0, place < size)
        inside = within if inside is None else ops.logical_and(inside, within)
        index = index * size + ops.clamp(place, 0, size - 1)
    shape = (flat.shape[0], flat.shape[1], index.shape[1])
    index = ops.broadcast_to(index.expand_dims(1), shape).astype(mindspore.int32)
    return ops.gather_elements(flat, 2, index) * inside.expand_dims(1).astype(flat.dtype)


def cubic_shares(fraction):
    """The shares of the four places around a position with this fraction."""
    a = -0.75
    near = [((a + 2) * x - (a + 3)) * x * x + 1 for x in (fraction, 1 - fraction)]
    far = [((a * x - 5 * a) * x + 8 * a) * x - 4 * a for x in (fraction + 1, 2 - fraction)]
    return [far[0], near[0], near[1], far[1]]


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    """torch.nn.functional.grid_sample, of images and of volumes."""
    sizes = input.shape[2:]
    batch, channels = input.shape[:2]
    flat = input.reshape((batch, channels, -1))
    points = grid.reshape((batch, -1, len(sizes)))
    choices = []
    for axis, size in enumerate(sizes):
        position = grid_positions(points[:, :, len(sizes) - 1 - axis], size, align_corners)
        if mode != "bicubic":
            position = padded_positions(position, size, padding_mode, align_corners)
        low = ops.stop_gradient(ops.floor(position))
        if mode == "nearest":
            choices.append([(ops.stop_gradient(ops.round(position)), 1.0)])
        elif mode == "bilinear":
            choices.append([(low, low + 1 - position), (low + 1, position - low)])
        else:
            places = [low + step for step in (-1, 0, 1, 2)]
            places = [padded_positions(place, size, padding_mode, align_corners) for place in places]
            choices.append(list(zip(places, cubic_shares(position - low))))
    combined = [((), 1.0)]
    for choice in choices:
        combined = [((*before, place), share * own) for before, share in combined for place, own in choice]
    output = 0
    for places, share in combined:
        found = values_at(flat, places, sizes)
        output = output + (found if isinstance(share, float) else found * share.expand_dims(1))
    return output.reshape((batch, channels, *grid.shape[1:-1]))


def grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners):
    """torch.grid_sampler, grid_sampler_2d and grid_sampler_3d: modes are numbers."""
    mode = ("bilinear", "nearest", "bicubic")[interpolation_mode]
    return grid_sample(input, grid, mode, ("zeros", "border", "reflection")[padding_mode], align_corners)
