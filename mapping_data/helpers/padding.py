"""Padding."""

import mindspore
import numpy as np
from mindspore import ops


def cropped(input, padding):
    """The input without what negative padding takes away, and the padding that is left."""
    padding = [int(amount) for amount in padding]
    for position, amount in enumerate(padding):
        if amount < 0:
            axis = input.ndim - 1 - position // 2
            start = -amount if position % 2 == 0 else 0
            input = ops.narrow(input, axis, start, input.shape[axis] + amount)
    return input, [max(amount, 0) for amount in padding]


@in_image_layout
def pad(input, pad, mode="constant", value=None):
    """torch.nn.functional.pad, for any number of dimensions in every mode; negative padding takes away."""
    if mode == "constant":
        input, padding = cropped(input, pad)
        if not any(padding):
            return input
        for position in range(0, len(padding), 2):
            axis = input.ndim - 1 - position // 2
            parts = []
            for amount in padding[position : position + 2]:
                shape = (*input.shape[:axis], amount, *input.shape[axis + 1 :])
                parts.append(ops.full(shape, value or 0, dtype=input.dtype) if amount else None)
            parts.insert(1, input)
            input = ops.cat([part for part in parts if part is not None], axis)
        return input
    for position in range(0, len(pad), 2):
        axis = input.ndim - 1 - position // 2
        index = padded_index(input.shape[axis], *pad[position : position + 2], mode)
        input = ops.gather(input, mindspore.Tensor(index, mindspore.int32), axis)
    return input


def padded_index(size, before, after, mode):
    """The positions that are read along an axis of `size` for padding that repeats values."""
    index = np.arange(-before, size + after)
    if mode == "circular":
        return index % size
    if mode == "replicate":
        return index.clip(0, size - 1)
    if mode != "reflect":
        raise NotImplementedError(f"no padding is called {mode}")
    if max(before, after) >= size:
        raise ValueError("reflected padding must be smaller than the dimension")
    return size - 1 - np.abs(size - 1 - np.abs(index))


class PaddingBase(Module):
    """What PyTorch's padding layers have in common; a subclass says the dimensions and the mode."""

    spatial = 2
    mode = "constant"

    def __init__(self, padding):
        super().__init__()
        self.padding = tuple_of(padding, 2 * self.spatial)

    def construct(self, input):
        return pad(input, self.padding, self.mode)

    def extra_repr(self):
        return f"{self.padding}"


class ConstantPadBase(PaddingBase):
    """What PyTorch's layers that pad with a value have in common."""

    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"

    def construct(self, input):
        return pad(input, self.padding, "constant", self.value)


class ConstantPad1d(ConstantPadBase):
    """torch.nn.ConstantPad1d."""

    spatial = 1


class ZeroPad1d(PaddingBase):
    """torch.nn.ZeroPad1d."""

    spatial = 1


class ReflectionPad1d(PaddingBase):
    """torch.nn.ReflectionPad1d."""

    spatial = 1
    mode = "reflect"


class ReplicationPad1d(PaddingBase):
    """torch.nn.ReplicationPad1d."""

    spatial = 1
    mode = "replicate"


class CircularPad1d(PaddingBase):
    """torch.nn.CircularPad1d."""

    spatial = 1
    mode = "circular"


class ConstantPad2d(ConstantPadBase):
    """torch.nn.ConstantPad2d."""

    spatial = 2


class ZeroPad2d(PaddingBase):
    """torch.nn.ZeroPad2d."""

    spatial = 2


class ReflectionPad2d(PaddingBase):
    """torch.nn.ReflectionPad2d."""

    spatial = 2
    mode = "reflect"


class ReplicationPad2d(PaddingBase):
    """torch.nn.ReplicationPad2d."""

    spatial = 2
    mode = "replicate"


class CircularPad2d(PaddingBase):
    """torch.nn.CircularPad2d."""

    spatial = 2
    mode = "circular"


class ConstantPad3d(ConstantPadBase):
    """torch.nn.ConstantPad3d."""

    spatial = 3


class ZeroPad3d(PaddingBase):
    """torch.nn.ZeroPad3d."""

    spatial = 3


class ReflectionPad3d(PaddingBase):
    """torch.nn.ReflectionPad3d."""

    spatial = 3
    mode = "reflect"


class ReplicationPad3d(PaddingBase):
    """torch.nn.ReplicationPad3d."""

    spatial = 3
    mode = "replicate"


class CircularPad3d(PaddingBase):
    """torch.nn.CircularPad3d."""

    spatial = 3
    mode = "circular"
