"""Dropout."""

import mindspore
import numpy as np
from mindspore import ops


def kept(shape, p, dtype, like=None):
    """1 with probability 1 - p, else 0; on CPU PyTorch's choice from the same seed, drawn in the order of
    the values of `like` in memory."""
    if mindspore.get_context("device_target") != "CPU":
        return (ops.rand(*shape) >= p).astype(dtype)
    steps = like.stride() if ORDER_IS_KEPT and like is not None else [0] * len(shape)
    axes = np.argsort([-step for step in steps], kind="stable").astype(int)
    drawn = default_generator.chances(tuple(shape[axis] for axis in axes), 1 - p)
    return mindspore.Tensor(np.ascontiguousarray(drawn.transpose(np.argsort(axes)))).astype(dtype)


def check_probability(p):
    """The probability itself, if it is one."""
    if not 0 <= p <= 1:
        raise ValueError(f"a probability is between 0 and 1, not {p}")
    return p


def dropout(input, p=0.5, training=True, inplace=False):
    """torch.nn.functional.dropout."""
    if inplace:
        return become(input, dropout(input.copy(), p, training))
    if not training or check_probability(p) == 0:
        return input
    return input * (kept(input.shape, p, input.dtype, input) / (1 - p) if p < 1 else ops.zeros_like(input))


def feature_dropout(input, p, training, spatial):
    """Dropout of whole channels, of an input with `spatial` dimensions behind the channel."""
    if not training or check_probability(p) == 0:
        return input
    shape = (*input.shape[: input.ndim - spatial], *(1,) * spatial)
    return input * (kept(shape, p, input.dtype) / (1 - p) if p < 1 else 0)


def dropout1d(input, p=0.5, training=True, inplace=False):
    """torch.nn.functional.dropout1d."""
    if inplace:
        return become(input, dropout1d(input.copy(), p, training))
    return feature_dropout(input, p, training, 1)


def dropout2d(input, p=0.5, training=True, inplace=False):
    """torch.nn.functional.dropout2d: whole channels of each sample."""
    if inplace:
        return become(input, dropout2d(input.copy(), p, training))
    return feature_dropout(input, p, training, max(input.ndim - 2, 0))


def dropout3d(input, p=0.5, training=True, inplace=False):
    """torch.nn.functional.dropout3d: whole channels of each sample."""
    if inplace:
        return become(input, dropout3d(input.copy(), p, training))
    return feature_dropout(input, p, training, max(input.ndim - 2, 0))


def alpha_mask(input, mask, p):
    """What the mask drops becomes SELU's lower limit, and mean and variance stay."""
    limit = -1.7580993408473766
    scale = ((1 - p) * (1 + p * limit**2)) ** -0.5
    return (input * mask + limit * (1 - mask)) * scale - scale * limit * p


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    """torch.nn.functional.alpha_dropout."""
    if inplace:
        return become(input, alpha_dropout(input.copy(), p, training))
    if not training or check_probability(p) == 0:
        return input
    return alpha_mask(input, kept(input.shape, p, input.dtype, input), p) if p < 1 else input * 0


def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    """torch.nn.functional.feature_alpha_dropout."""
    if inplace:
        return become(input, feature_alpha_dropout(input.copy(), p, training))
    if not training or check_probability(p) == 0:
        return input
    shape = (*input.shape[:2], *(1,) * (input.ndim - 2))
    return alpha_mask(input, kept(shape, p, input.dtype), p) if p < 1 else input * 0


class DropoutBase(Module):
    """torch.nn.modules.dropout._DropoutNd."""

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        self.p = check_probability(p)
        self.inplace = inplace

    def extra_repr(self):
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(DropoutBase):
    """torch.nn.Dropout."""

    def construct(self, input):
        return dropout(input, self.p, self.training, self.inplace)


class Dropout1d(DropoutBase):
    """torch.nn.Dropout1d."""

    def construct(self, input):
        return dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(DropoutBase):
    """torch.nn.Dropout2d."""

    def construct(self, input):
        return dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(DropoutBase):
    """torch.nn.Dropout3d."""

    def construct(self, input):
        return dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(DropoutBase):
    """torch.nn.AlphaDropout."""

    def construct(self, input):
        return alpha_dropout(input, self.p, self.training, self.inplace)


class FeatureAlphaDropout(DropoutBase):
    """torch.nn.FeatureAlphaDropout."""

    def construct(self, input):
        return feature_alpha_dropout(input, self.p, self.training, self.inplace)
