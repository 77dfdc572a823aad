"""Tensors as files of weights hold them: a name, a type, a shape, and bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Final, Literal, NamedTuple

from mindport.language import Text
from mindport.source.error import TextError

Format = Literal["pytorch", "safetensors", "mindspore"]


class WeightsError(TextError):
    """A file of weights cannot be read or written."""


class ElementType(NamedTuple):
    """The type of a Tensor's elements: its name in PyTorch, how many bytes an element takes, the storage that
    a checkpoint of PyTorch names, and what safetensors and MindSpore's checkpoints call it, if they have it.

    Sources: the `torch.Storage` page of PyTorch, the format description of safetensors, and
    `tensor_to_ms_type` in `mindspore.train.serialization` 2.10.
    """

    name: str
    size: int
    storage: str | None
    safetensors: str | None
    mindspore: str | None


ELEMENT_TYPES: Final = (
    ElementType("float64", 8, "DoubleStorage", "F64", "Float64"),
    ElementType("float32", 4, "FloatStorage", "F32", "Float32"),
    ElementType("float16", 2, "HalfStorage", "F16", "Float16"),
    ElementType("bfloat16", 2, "BFloat16Storage", "BF16", "BFloat16"),
    ElementType("int64", 8, "LongStorage", "I64", "Int64"),
    ElementType("int32", 4, "IntStorage", "I32", "Int32"),
    ElementType("int16", 2, "ShortStorage", "I16", "Int16"),
    ElementType("int8", 1, "CharStorage", "I8", "Int8"),
    ElementType("uint8", 1, "ByteStorage", "U8", "UInt8"),
    ElementType("uint16", 2, None, "U16", "UInt16"),
    ElementType("uint32", 4, None, "U32", "UInt32"),
    ElementType("uint64", 8, None, "U64", "UInt64"),
    ElementType("bool", 1, "BoolStorage", "BOOL", "Bool"),
    ElementType("complex64", 8, "ComplexFloatStorage", "C64", None),
    ElementType("complex128", 16, "ComplexDoubleStorage", None, None),
)

_NO_TYPE = Text(
    "{name} has type {kind}, which the new file's format does not support.",
    "{name} 的类型为 {kind}，新文件的格式不支持该类型。",
)


class StoredTensor(NamedTuple):
    """A Tensor in a file. `read` gives its elements in row-major order, each little-endian, in one or several
    parts; it raises WeightsError where the file says something else than it holds."""

    name: str
    kind: ElementType
    shape: tuple[int, ...]
    read: Callable[[], Iterator[memoryview]]

    @property
    def elements(self) -> int:
        """How many elements there are."""
        return prod(self.shape)

    @property
    def bytes(self) -> int:
        """How many bytes the elements take."""
        return self.elements * self.kind.size


def without_counterpart(tensor: StoredTensor) -> WeightsError:
    """The error for a Tensor whose type a format does not have."""
    return WeightsError(_NO_TYPE, name=tensor.name, kind=tensor.kind.name)


def contiguous_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """How many elements to go for one step in each dimension, in row-major order."""
    return tuple(prod(shape[place + 1 :]) for place in range(len(shape)))
