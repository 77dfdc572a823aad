"""The limits of dtypes."""

import mindspore
import numpy as np

# what dtypes are in NumPy
NUMPY_TYPES = {
    getattr(mindspore, name): getattr(np, name)
    for name in (
        *("bool_", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
        *("float16", "float32", "float64", "complex64", "complex128"),
    )
}


def numpy_type(dtype):
    """What a dtype is in NumPy. mindspore.dtype_to_nptype warns at every call that it is deprecated."""
    return NUMPY_TYPES.get(dtype) or mindspore.dtype_to_nptype(dtype)


class finfo:
    """torch.finfo, of a floating-point dtype of MindSpore."""

    def __init__(self, dtype=None):
        self.dtype = dtype = dtype or get_default_dtype()
        if dtype == mindspore.bfloat16:
            self.bits, self.eps, self.max = 16, 0.0078125, 3.3895313892515355e38
            self.tiny, self.resolution = 1.1754943508222875e-38, 0.01
        else:
            limits = np.finfo(numpy_type(dtype))
            self.bits, self.eps, self.max = limits.bits, float(limits.eps), float(limits.max)
            self.tiny, self.resolution = float(limits.tiny), float(limits.resolution)
        self.min = -self.max
        self.smallest_normal = self.tiny


class iinfo:
    """torch.iinfo, of an integer dtype of MindSpore."""

    def __init__(self, dtype):
        self.dtype = dtype
        limits = np.iinfo(numpy_type(dtype))
        self.bits, self.min, self.max = limits.bits, int(limits.min), int(limits.max)
