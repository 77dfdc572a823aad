"""The limits of dtypes."""

import mindspore
import numpy as np


class finfo:
    """torch.finfo, of a floating-point dtype of MindSpore."""

    def __init__(self, dtype=None):
        self.dtype = dtype = dtype or get_default_dtype()
        if dtype == mindspore.bfloat16:
            self.bits, self.eps, self.max = 16, 0.0078125, 3.3895313892515355e38
            self.tiny, self.resolution = 1.1754943508222875e-38, 0.01
        else:
            limits = np.finfo(mindspore.dtype_to_nptype(dtype))
            self.bits, self.eps, self.max = limits.bits, float(limits.eps), float(limits.max)
            self.tiny, self.resolution = float(limits.tiny), float(limits.resolution)
        self.min = -self.max
        self.smallest_normal = self.tiny


class iinfo:
    """torch.iinfo, of an integer dtype of MindSpore."""

    def __init__(self, dtype):
        self.dtype = dtype
        limits = np.iinfo(mindspore.dtype_to_nptype(dtype))
        self.bits, self.min, self.max = limits.bits, int(limits.min), int(limits.max)
