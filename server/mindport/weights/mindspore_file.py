"""Checkpoints of MindSpore: the protobuf message `Checkpoint` of `checkpoint.proto`, read and written by its
fields. It consists of values, each a tag (the name) and a Tensor: dimensions, the name of the type, and
elements. A large Tensor is several values of one tag."""

from __future__ import annotations

import binascii
from collections.abc import Iterator, Sequence
from functools import partial
from typing import IO, Final, NamedTuple

from mindport.language import Text
from mindport.weights.stored_tensor import (
    ELEMENT_TYPES,
    StoredTensor,
    WeightsError,
    without_counterpart,
)

_VALUE: Final = 1
_TAG, _TENSOR = 1, 2
_DIMENSIONS, _TYPE, _CONTENT = 1, 2, 3
_NUMBER, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5
"""The wire types of protobuf."""
_FIRST_BYTE: Final = _VALUE << 3 | _BYTES
_LARGEST_PART: Final = 512 * 1024 * 1024
"""MindSpore splits larger Tensors, as one message of protobuf is at most 2 GB."""
_CHECKSUM: Final = b"crc_num"
_CHECKSUM_DIGITS: Final = 10
_TEXT: Final = "str"
_BY_NAME: Final = {kind.mindspore: kind for kind in ELEMENT_TYPES if kind.mindspore}

_NO_CHECKPOINT = Text(
    "Cannot read this checkpoint. It may be encrypted or incomplete.",
    "无法读取该检查点，文件可能已加密或不完整。",
)
_UNKNOWN_TYPE = Text("{name} has unknown type {kind}.", "{name} 的类型 {kind} 未知。")
_CHECKSUM_DIFFERS = Text(
    "The checkpoint's checksum does not match: the file has changed since it was saved.",
    "检查点的校验和不一致：文件在保存之后已被更改。",
)


class _Value(NamedTuple):
    name: str
    shape: tuple[int, ...]
    kind: str
    content: memoryview


def is_checkpoint(data: memoryview) -> bool:
    """Whether bytes begin as a checkpoint of MindSpore does."""
    return len(data) > 0 and data[0] == _FIRST_BYTE


def read_checkpoint(data: memoryview) -> list[StoredTensor]:
    """The Tensors of a checkpoint; texts that it holds are left out. Raises WeightsError."""
    values: dict[str, list[_Value]] = {}
    try:
        for number, field in _fields(_without_checksum(data)):
            if number == _VALUE and isinstance(field, memoryview):
                value = _value(field)
                values.setdefault(value.name, []).append(value)
    except (ValueError, IndexError, KeyError) as error:
        raise WeightsError(_NO_CHECKPOINT) from error
    return [_tensor(parts) for parts in values.values() if parts[0].kind != _TEXT]


def write_checkpoint(tensors: Sequence[StoredTensor], file: IO[bytes]) -> None:
    """Write Tensors, in their order. Raises WeightsError and OSError."""
    for tensor in tensors:
        if tensor.kind.mindspore is None:
            raise without_counterpart(tensor)
        dimensions = tensor.shape or (0,)  # as MindSpore writes a Tensor without dimensions
        head = b"".join(_number(_DIMENSIONS << 3 | _NUMBER) + _number(each) for each in dimensions)
        head += _with_length(_TYPE, tensor.kind.mindspore.encode())
        for part in _in_parts(tensor):
            head_of_content = head + _number(_CONTENT << 3 | _BYTES) + _number(len(part))
            size = len(head_of_content) + len(part)
            inner = _with_length(_TAG, tensor.name.encode()) + _number(_TENSOR << 3 | _BYTES) + _number(size)
            file.write(_number(_FIRST_BYTE) + _number(len(inner) + size) + inner + head_of_content)
            file.write(part)


def _in_parts(tensor: StoredTensor) -> Iterator[memoryview]:
    is_written = False
    for part in tensor.read():
        for start in range(0, len(part), _LARGEST_PART):
            is_written = True
            yield part[start : start + _LARGEST_PART]
    if not is_written:
        yield memoryview(b"")


def _without_checksum(data: memoryview) -> memoryview:
    """What stands before the checksum that a checkpoint may end in. Raises WeightsError if it differs."""
    end = len(data) - _CHECKSUM_DIGITS
    start = end - len(_CHECKSUM)
    if start < 0 or bytes(data[start:end]) != _CHECKSUM:
        return data
    if binascii.crc32(data[:start]) != int.from_bytes(data[end:], "big"):
        raise WeightsError(_CHECKSUM_DIFFERS)
    return data[:start]


def _value(message: memoryview) -> _Value:
    fields = dict(_fields(message))
    shape: list[int] = []
    kind, content = "", memoryview(b"")
    tag, tensor = fields[_TAG], fields.get(_TENSOR)
    if not isinstance(tag, memoryview) or not isinstance(tensor, memoryview):
        raise WeightsError(_NO_CHECKPOINT)
    for number, field in _fields(tensor):
        if number == _DIMENSIONS:
            shape += [field] if isinstance(field, int) else _numbers(field)
        elif number == _TYPE and isinstance(field, memoryview):
            kind = bytes(field).decode()
        elif number == _CONTENT and isinstance(field, memoryview):
            content = field
    return _Value(bytes(tag).decode(), tuple(shape), kind, content)


def _tensor(parts: Sequence[_Value]) -> StoredTensor:
    first = parts[0]
    kind = _BY_NAME.get(first.kind)
    if kind is None:
        raise WeightsError(_UNKNOWN_TYPE, name=first.name, kind=first.kind)
    found = sum(len(each.content) for each in parts)
    shape = () if first.shape == (0,) and found else first.shape
    tensor = StoredTensor(first.name, kind, shape, partial(iter, [each.content for each in parts]))
    if tensor.bytes != found:
        raise WeightsError(_NO_CHECKPOINT)
    return tensor


def _fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """The fields of a message of protobuf: each its number, and a number or bytes."""
    place = 0
    while place < len(message):
        key, place = _read_number(message, place)
        wire = key & 7
        if wire == _NUMBER:
            number, place = _read_number(message, place)
            yield key >> 3, number
            continue
        if wire == _BYTES:
            length, place = _read_number(message, place)
        elif wire in (_EIGHT_BYTES, _FOUR_BYTES):
            length = 8 if wire == _EIGHT_BYTES else 4
        else:
            raise ValueError
        if place + length > len(message):
            raise ValueError
        yield key >> 3, message[place : place + length]
        place += length


def _numbers(packed: memoryview) -> list[int]:
    found, place = [], 0
    while place < len(packed):
        number, place = _read_number(packed, place)
        found.append(number)
    return found


def _read_number(message: memoryview, place: int) -> tuple[int, int]:
    number, shift = 0, 0
    while True:
        byte = message[place]
        number |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 0x80:
            return number, place


def _number(value: int) -> bytes:
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def _with_length(number: int, content: bytes) -> bytes:
    return _number(number << 3 | _BYTES) + _number(len(content)) + content
