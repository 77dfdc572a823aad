"""torchaudio's masking of spectrograms, and what makes them equally loud."""

import mindspore
import numpy as np
from mindspore import ops


def mask_width(specgram, mask_param, axis, p, least):
    """How many places a mask covers at most; `least` axes are needed."""
    if specgram.ndim < least:
        raise ValueError(f"Spectrogram must have at least {least} dimensions ({specgram.ndim} given).")
    if axis not in (specgram.ndim - 2, specgram.ndim - 1):
        raise ValueError(f"Only Frequency and Time masking are supported (axis {axis} given)")
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"The value of p must be between 0.0 and 1.0 ({p} given).")
    return mask_param if p == 1.0 else min(mask_param, int(specgram.shape[axis] * p))


def masked_at_random(specgram, shape, most, mask_value, axis):
    """A spectrogram with one value at up to `most` places of an axis, which are drawn for each of `shape`."""
    width = rand(shape, dtype=specgram.dtype) * most
    first = (rand(shape, dtype=specgram.dtype) * (specgram.shape[axis] - width)).astype(mindspore.int64)
    places = arange(specgram.shape[axis])
    inside = (places >= first) & (places < first + width.astype(mindspore.int64))
    inside = inside.expand_dims(-1 if axis == specgram.ndim - 2 else -2)
    return masked_fill(specgram, ops.broadcast_to(inside, specgram.shape), mask_value)


def mask_along_axis(specgram, mask_param, mask_value, axis, p=1.0):
    """torchaudio.functional.mask_along_axis: PyTorch's places from the same seed."""
    most = mask_width(specgram, mask_param, axis, p, 2)
    return specgram if most < 1 else masked_at_random(specgram, (1,), most, mask_value, axis)


def mask_along_axis_iid(specgrams, mask_param, mask_value, axis, p=1.0):
    """torchaudio.functional.mask_along_axis_iid: another mask for each spectrogram."""
    most = mask_width(specgrams, mask_param, axis, p, 3)
    shape = (*specgrams.shape[:-2], 1)
    return specgrams if most < 1 else masked_at_random(specgrams, shape, most, mask_value, axis)


class AxisMaskingBase(Module):
    """What masks of frequencies and of times have in common."""

    def __init__(self, mask_param, axis, iid_masks, p=1.0):
        super().__init__()
        self.mask_param, self.axis, self.iid_masks, self.p = mask_param, axis, iid_masks, p

    def construct(self, specgram, mask_value=0.0):
        mask = mask_along_axis_iid if self.iid_masks else mask_along_axis
        return mask(specgram, self.mask_param, mask_value, self.axis + specgram.ndim - 3, self.p)


class FrequencyMasking(AxisMaskingBase):
    """torchaudio.transforms.FrequencyMasking."""

    def __init__(self, freq_mask_param, iid_masks=False):
        super().__init__(freq_mask_param, 1, iid_masks)


class TimeMasking(AxisMaskingBase):
    """torchaudio.transforms.TimeMasking."""

    def __init__(self, time_mask_param, iid_masks=False, p=1.0):
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"The value of p must be between 0.0 and 1.0 ({p} given).")
        super().__init__(time_mask_param, 2, iid_masks, p)


class SpecAugment(Module):
    """torchaudio.transforms.SpecAugment."""

    def __init__(
        self,
        n_time_masks,
        time_mask_param,
        n_freq_masks,
        freq_mask_param,
        iid_masks=True,
        p=1.0,
        zero_masking=False,
    ):
        super().__init__()
        self.n_time_masks, self.time_mask_param = n_time_masks, time_mask_param
        self.n_freq_masks, self.freq_mask_param = n_freq_masks, freq_mask_param
        self.iid_masks, self.p, self.zero_masking = iid_masks, p, zero_masking

    def construct(self, specgram):
        value = 0.0 if self.zero_masking else specgram.mean()
        mask = mask_along_axis_iid if specgram.ndim > 2 and self.iid_masks else mask_along_axis
        last = specgram.ndim - 1
        for _ in range(self.n_time_masks):
            specgram = mask(specgram, self.time_mask_param, value, last, self.p)
        for _ in range(self.n_freq_masks):
            specgram = mask(specgram, self.freq_mask_param, value, last - 1, self.p)
        return specgram


def frames_around(frame, count, cmn_window, min_cmn_window, center):
    """The first frame of those that a frame is compared with, and the one behind the last."""
    first = frame - (cmn_window // 2 if center else cmn_window)
    last = first + cmn_window if center else frame + 1
    if first < 0:
        first, last = 0, last - first
    if not center and last > frame:
        last = max(frame + 1, min_cmn_window)
    if last > count:
        first, last = max(0, first - (last - count)), count
    return first, last


def sliding_window_cmn(specgram, cmn_window=600, min_cmn_window=100, center=False, norm_vars=False):
    """torchaudio.functional.sliding_window_cmn: frames less the mean of those around them."""
    count = specgram.shape[-2]
    shares = np.zeros((count, count))
    sizes = np.ones((count, 1))
    for frame in range(count):
        first, last = frames_around(frame, count, cmn_window, min_cmn_window, center)
        shares[frame, first:last] = 1 / (last - first)
        sizes[frame] = last - first
    means_of = mindspore.Tensor(shares, specgram.dtype)
    means = ops.matmul(means_of, specgram)
    found = specgram - means
    if not norm_vars:
        return found
    spread = ops.matmul(means_of, specgram * specgram) - means * means
    is_one = mindspore.Tensor(sizes == 1)
    safe = ops.where(is_one, ops.ones_like(spread), spread)
    return ops.where(is_one, ops.zeros_like(found), found / ops.sqrt(safe))


class SlidingWindowCmn(Module):
    """torchaudio.transforms.SlidingWindowCmn."""

    def __init__(self, cmn_window=600, min_cmn_window=100, center=False, norm_vars=False):
        super().__init__()
        self.cmn_window, self.min_cmn_window = cmn_window, min_cmn_window
        self.center, self.norm_vars = center, norm_vars

    def construct(self, specgram):
        return sliding_window_cmn(specgram, self.cmn_window, self.min_cmn_window, self.center, self.norm_vars)
