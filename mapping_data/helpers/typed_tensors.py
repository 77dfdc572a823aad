"""PyTorch's classes of Tensors of one dtype."""

import mindspore
import numpy as np


class TypedTensor(type):
    """The type of a class that stands for the Tensors of one dtype: called, it makes one; a Tensor of that
    dtype is an instance of it."""

    def __call__(cls, *values, device=None):
        return typed_tensor(cls.dtype, values)

    def __instancecheck__(cls, instance):
        return isinstance(instance, mindspore.Tensor) and instance.dtype == cls.dtype


class FloatTensor(metaclass=TypedTensor):
    """torch.FloatTensor: of sizes, or of data."""

    dtype = mindspore.float32


class DoubleTensor(metaclass=TypedTensor):
    """torch.DoubleTensor: of sizes, or of data."""

    dtype = mindspore.float64


class HalfTensor(metaclass=TypedTensor):
    """torch.HalfTensor: of sizes, or of data."""

    dtype = mindspore.float16


class BFloat16Tensor(metaclass=TypedTensor):
    """torch.BFloat16Tensor: of sizes, or of data."""

    dtype = mindspore.bfloat16


class ByteTensor(metaclass=TypedTensor):
    """torch.ByteTensor: of sizes, or of data."""

    dtype = mindspore.uint8


class CharTensor(metaclass=TypedTensor):
    """torch.CharTensor: of sizes, or of data."""

    dtype = mindspore.int8


class ShortTensor(metaclass=TypedTensor):
    """torch.ShortTensor: of sizes, or of data."""

    dtype = mindspore.int16


class IntTensor(metaclass=TypedTensor):
    """torch.IntTensor: of sizes, or of data."""

    dtype = mindspore.int32


class LongTensor(metaclass=TypedTensor):
    """torch.LongTensor: of sizes, or of data."""

    dtype = mindspore.int64


class BoolTensor(metaclass=TypedTensor):
    """torch.BoolTensor: of sizes, or of data."""

    dtype = mindspore.bool_


class KindOfAnyTensor(TypedTensor, type(mindspore.Tensor)):
    """The type of a class that makes Tensors of the default dtype; every Tensor is an instance of it."""

    @property
    def dtype(cls):
        return get_default_dtype()

    def __instancecheck__(cls, instance):
        return isinstance(instance, mindspore.Tensor)

    def __subclasscheck__(cls, subclass):
        return mindspore.Tensor in subclass.__mro__

    def __eq__(cls, other):
        return other is cls or (cls is AnyTensor and other is mindspore.Tensor)

    def __hash__(cls):
        return type.__hash__(mindspore.Tensor if cls is AnyTensor else cls)


class AnyTensor(mindspore.Tensor, metaclass=KindOfAnyTensor):
    """torch.Tensor where it is kept or handed on, and may be called later: of sizes, or of data."""


def class_itself(kind):
    """A class that may be compared with MindSpore's: its own where it stands for that."""
    return mindspore.Tensor if kind is AnyTensor else kind


def make_tensor(*values, device=None):
    """The constructor torch.Tensor: of sizes, or of data."""
    return typed_tensor(get_default_dtype(), values)


# PyTorch's names of Tensors of one dtype, with the dtypes
TYPE_NAMES = {
    "torch.FloatTensor": mindspore.float32,
    "torch.DoubleTensor": mindspore.float64,
    "torch.HalfTensor": mindspore.float16,
    "torch.BFloat16Tensor": mindspore.bfloat16,
    "torch.ByteTensor": mindspore.uint8,
    "torch.CharTensor": mindspore.int8,
    "torch.ShortTensor": mindspore.int16,
    "torch.IntTensor": mindspore.int32,
    "torch.LongTensor": mindspore.int64,
    "torch.BoolTensor": mindspore.bool_,
}


def dtype_called(kind):
    """The dtype that PyTorch's `type` takes: itself, a class of Tensors of one dtype, or its name.
    `torch.Tensor` means the default dtype."""
    if isinstance(kind, str):
        return TYPE_NAMES[kind.replace("torch.cuda.", "torch.")]
    if isinstance(kind, TypedTensor):
        return kind.dtype
    return get_default_dtype() if kind in (mindspore.Tensor, make_tensor) else kind


def tensor_type(input, dtype=None, non_blocking=False):
    """torch.Tensor.type: the Tensor in a dtype, or the name of its own."""
    if dtype is None:
        return next(name for name, each in TYPE_NAMES.items() if each == input.dtype)
    dtype = dtype_called(dtype)
    return input if input.dtype == dtype else input.astype(dtype)


def storage_from_buffer(buffer, byte_order=None, *, dtype=None):
    """torch.ByteStorage.from_buffer and torch.UntypedStorage.from_buffer: what bytes become, to make a Tensor
    of that."""
    if byte_order is not None or dtype not in (None, mindspore.uint8):
        raise NotImplementedError("only bytes become a storage here; numpy.frombuffer reads other dtypes")
    return np.frombuffer(buffer, np.uint8)
