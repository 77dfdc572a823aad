"""Files in the format of safetensors: the length of a header (8 bytes, little-endian), the header (JSON: for
each name `dtype`, `shape` and `data_offsets`), then the elements."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import IO, Any, Final

from mindport.language import Text
from mindport.weights.stored_tensor import (
    ELEMENT_TYPES,
    StoredTensor,
    WeightsError,
    without_counterpart,
)

_LENGTH: Final = 8
_LONGEST_HEADER: Final = 100_000_000
_ALIGNMENT: Final = 8
_METADATA: Final = "__metadata__"
_BY_NAME: Final = {kind.safetensors: kind for kind in ELEMENT_TYPES if kind.safetensors}

_NO_HEADER = Text(
    "Cannot read the safetensors header. The file may be incomplete.",
    "无法读取 safetensors 文件头，文件可能不完整。",
)
_UNKNOWN_TYPE = Text("{name} has unknown type {kind}.", "{name} 的类型 {kind} 未知。")
_NOT_ALL_THERE = Text(
    "{name} should have {wanted} bytes, but has {found}. The file may be incomplete.",
    "{name} 应占 {wanted} 字节，实际为 {found} 字节，文件可能不完整。",
)


def is_safetensors(data: memoryview) -> bool:
    """Whether bytes begin as a safetensors file does."""
    length = int.from_bytes(data[:_LENGTH], "little")
    return length <= min(len(data), _LONGEST_HEADER) and bytes(data[_LENGTH : _LENGTH + 1]) == b"{"


def read_safetensors(data: memoryview) -> list[StoredTensor]:
    """The Tensors of a file. Raises WeightsError."""
    start = _LENGTH + int.from_bytes(data[:_LENGTH], "little")
    try:
        header: dict[str, Any] = json.loads(bytes(data[_LENGTH:start]))
        entries = [(name, entry) for name, entry in header.items() if name != _METADATA]
        return [_tensor(name, entry, data[start:]) for name, entry in entries]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise WeightsError(_NO_HEADER) from error


def write_safetensors(tensors: Sequence[StoredTensor], file: IO[bytes]) -> None:
    """Write Tensors, in their order. Raises WeightsError and OSError."""
    header: dict[str, object] = {_METADATA: {"format": "pt"}}
    end = 0
    for each in tensors:
        if each.kind.safetensors is None:
            raise without_counterpart(each)
        begin, end = end, end + each.bytes
        entry = {"dtype": each.kind.safetensors, "shape": each.shape, "data_offsets": [begin, end]}
        header[each.name] = entry
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _ALIGNMENT)
    file.write(len(text).to_bytes(_LENGTH, "little") + text)
    for each in tensors:
        file.writelines(each.read())


def _tensor(name: str, entry: dict[str, Any], data: memoryview) -> StoredTensor:
    kind = _BY_NAME.get(entry["dtype"])
    if kind is None:
        raise WeightsError(_UNKNOWN_TYPE, name=name, kind=entry["dtype"])
    begin, end = entry["data_offsets"]
    content = data[int(begin) : int(end)]
    tensor = StoredTensor(name, kind, tuple(map(int, entry["shape"])), partial(iter, [content]))
    if len(content) != tensor.bytes:
        raise WeightsError(_NOT_ALL_THERE, name=name, wanted=tensor.bytes, found=len(content))
    return tensor
