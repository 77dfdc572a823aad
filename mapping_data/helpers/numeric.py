"""The limits of dtypes."""

import mindspore
import numpy as np

# NumPy knows no such floats. Bits, eps, max, tiny, resolution: what torch.finfo says of them.
OTHER_FLOATS = {
    "bfloat16": (16, 0.0078125, 3.3895313892515355e38, 1.1754943508222875e-38, 0.01),
    "float8_e4m3fn": (8, 0.125, 448.0, 0.015625, 1.0),
    "float8_e5m2": (8, 0.25, 57344.0, 6.103515625e-05, 1.0),
}


def dtype_name(dtype):
    """What PyTorch calls a dtype of MindSpore."""
    return str(dtype).lower().replace("float8", "float8_")


def text_of(given):
    """`str` and `repr`, of a dtype as in PyTorch ("torch.float32")."""
    return f"torch.{dtype_name(given)}" if isinstance(given, mindspore.Type) else str(given)


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


def upper_halves(tensor):
    """The values of a Tensor of bfloat16 in memory: the upper halves of float32."""
    return (tensor.astype(mindspore.float32).asnumpy().view(np.uint32) >> 16).astype(np.uint16)


def floats_of_halves(halves):
    """In float32, what is in memory for values of bfloat16."""
    bits = np.asarray(halves.astype(np.uint32) << np.uint32(16), order="C")
    return bits.view(np.float32)


def limits_of(dtype):
    """Bits, eps, max, tiny and resolution of a floating-point dtype."""
    known = OTHER_FLOATS.get(dtype_name(dtype))
    if known is not None:
        return known
    limits = np.finfo(numpy_type(dtype))
    return limits.bits, limits.eps, limits.max, limits.tiny, limits.resolution


def tensor_of_halves(halves):
    """A Tensor of bfloat16, of what a file has for it."""
    when_read = globals().get("bfloats_when_read")
    if when_read is not None:
        when_read()
    return mindspore.Tensor(floats_of_halves(halves)).astype(mindspore.bfloat16)


class finfo:
    """torch.finfo, of a floating-point dtype of MindSpore, or of what complex numbers are made of."""

    def __init__(self, dtype=None):
        dtype = dtype or get_default_dtype()
        parts = {mindspore.complex64: mindspore.float32, mindspore.complex128: mindspore.float64}
        self.dtype = dtype_name(parts.get(dtype, dtype))
        known = limits_of(dtype)
        self.bits = known[0]
        self.eps, self.max, self.tiny, self.resolution = map(float, known[1:])
        self.min = -self.max
        self.smallest_normal = self.tiny


class iinfo:
    """torch.iinfo, of an integer dtype of MindSpore."""

    def __init__(self, dtype):
        self.dtype = dtype_name(dtype)
        limits = np.iinfo(numpy_type(dtype))
        self.bits, self.min, self.max = limits.bits, int(limits.min), int(limits.max)
