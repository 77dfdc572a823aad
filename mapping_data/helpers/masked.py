"""torch.masked: functions of the values of a Tensor where a mask is true."""

import math

import mindspore
from mindspore import ops


def unmasked(input, mask, value):
    """The input, with a value that counts for nothing where the mask is not true."""
    return input if mask is None else ops.where(mask, input, full((), value, dtype=input.dtype))


def lowest(input):
    """What every value of a Tensor's dtype is at least."""
    return -math.inf if input.dtype in FLOATING else iinfo(input.dtype).min


def highest(input):
    """What every value of a Tensor's dtype is at most."""
    return math.inf if input.dtype in FLOATING else iinfo(input.dtype).max


def sum_along(input, axes, keepdim):
    """The sums along axes."""
    return input.sum(axes, keepdims=keepdim)


def product_along(input, axes, keepdim):
    """The products along axes, one axis after the other."""
    for axis in sorted((axis % input.ndim for axis in axes), reverse=True):
        input = ops.prod(input, axis, keepdim)
    return input


def masked_reduction(function, neutral):
    """A reduction of the values where a mask is true; `neutral` of a Tensor counts for nothing in it."""

    def called(input, dim=None, *, keepdim=False, dtype=None, mask=None):
        found = function(unmasked(input, mask, neutral(input)), axes_of(input, dim), bool(keepdim))
        return found.astype(dtype or input.dtype)

    return called


def masked_along(function, neutral):
    """A function along an axis of the values where a mask is true; `neutral` of a Tensor counts for nothing
    in it."""

    def called(input, dim, *, dtype=None, mask=None):
        return function(unmasked(input, mask, neutral(input)), dim).astype(dtype or input.dtype)

    return called


def masked_place(function, neutral):
    """A function that gives the place of a value where a mask is true: in the dtype of the values."""

    def called(input, dim=None, *, keepdim=False, dtype=None, mask=None):
        found = function(unmasked(input, mask, neutral(input)), dim, bool(keepdim))
        return found.astype(dtype or input.dtype)

    return called


masked_sum = masked_reduction(sum_along, lambda input: 0)
masked_prod = masked_reduction(product_along, lambda input: 1)
masked_amax = masked_reduction(amax, lowest)
masked_amin = masked_reduction(amin, highest)
masked_logsumexp = masked_reduction(logsumexp, lowest)
masked_argmax = masked_place(argmax, lowest)
masked_argmin = masked_place(argmin, highest)
softmax_of_masked = masked_along(softmax, lowest)
masked_log_softmax = masked_along(log_softmax, lowest)
masked_softmin = masked_along(softmin, highest)
masked_cumsum = masked_along(cumsum, lambda input: 0)
masked_cumprod = masked_along(cumprod, lambda input: 1)


def counted_along(input, mask, dim, keepdim):
    """How many values there are along axes."""
    ones = ops.ones(input.shape, mindspore.float32)
    return sum_along(unmasked(ones, mask, 0), axes_of(input, dim), keepdim)


def masked_mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """torch.masked.mean."""
    input = input if dtype is None else input.astype(dtype)
    total = masked_sum(input, dim, keepdim=keepdim, mask=mask)
    return total / counted_along(input, mask, dim, bool(keepdim)).astype(input.dtype)


def masked_median(input, dim=-1, *, keepdim=False, dtype=None, mask=None):
    """torch.masked.median."""
    found = nanmedian(unmasked(as_floating(input), mask, math.nan), dim, bool(keepdim)).values
    return found.astype(input.dtype if input.dtype in FLOATING else dtype or input.dtype)


def masked_norm(input, ord=2.0, dim=None, *, keepdim=False, dtype=None, mask=None):
    """torch.masked.norm."""
    input = input if dtype is None else input.astype(dtype)
    neutral = math.inf if ord == -math.inf else 0
    return vector_norm(unmasked(input, mask, neutral), ord, axes_of(input, dim), bool(keepdim))


def masked_normalize(input, ord, dim, *, eps=1e-12, dtype=None, mask=None):
    """torch.masked.normalize."""
    norm = masked_norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return unmasked(input, mask, 0) / ops.maximum(norm, ops.full_like(norm, eps))


def masked_var(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    """torch.masked.var."""
    if correction is None:
        correction = 0 if unbiased is False else 1
    wide = as_floating(input if dtype is None else input.astype(dtype))
    off = wide - masked_mean(wide, dim, keepdim=True, mask=mask)
    total = masked_sum(off * off, dim, keepdim=keepdim, mask=mask)
    count = counted_along(input, mask, dim, bool(keepdim)).astype(wide.dtype)
    return total / ops.clamp(count - correction, min=0)


def masked_std(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    """torch.masked.std."""
    found = masked_var(input, dim, unbiased, correction=correction, keepdim=keepdim, dtype=dtype, mask=mask)
    return ops.sqrt(found)


def masked_logaddexp(input, other, *, dtype=None, input_mask=None, other_mask=None):
    """torch.masked.logaddexp."""
    one = unmasked(input, input_mask, lowest(input))
    return logaddexp(one, unmasked(other, other_mask, lowest(other))).astype(dtype or input.dtype)
