"""Files of `torch.save`: an archive with a pickle and the elements of each storage (since PyTorch 1.6), or
several pickles with the elements after them. Read and written without PyTorch, and without running what a
pickle names."""

from __future__ import annotations

import io
import pickle
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from math import prod
from pathlib import Path
from typing import IO, Any, Final, Literal

from mindport.language import Text
from mindport.weights.plain_pickle import StandIn, StorageOf, View, read_pickle
from mindport.weights.stored_tensor import (
    ElementType,
    StoredTensor,
    WeightsError,
    contiguous_strides,
)

_ARCHIVE: Final = b"PK\x03\x04"
_BEFORE_ARCHIVES: Final = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
_LOCAL_HEADER: Final = 30
_FOLDER: Final = "archive"
_CAST: Final[Mapping[int, Literal["B", "H", "I", "Q"]]] = {1: "B", 2: "H", 4: "I", 8: "Q"}
_MEMBERS: Final = ("_parameters", "_buffers", "_modules")
_NOT_SAVED: Final = "_non_persistent_buffers_set"
_MOST_MODULES: Final = 1_000_000

_NO_WEIGHTS = Text(
    "The file contains no named weights. It contains: {found}.",
    "文件中没有按名称保存的权重，内容为：{found}。",
)
_SEVERAL = Text(
    "The file contains several sets of weights: {keys}. Choose one with --key.",
    "文件中有多组权重：{keys}。请用 --key 选择其一。",
)
_NO_KEY = Text("The file has no {key}. It contains: {found}.", "文件中没有 {key}，内容为：{found}。")
_NOT_THERE = Text(
    "The data of {name} is incomplete. The file may be damaged.",
    "{name} 的数据不完整，文件可能已损坏。",
)
_NO_ARCHIVE = Text(
    "Cannot read the archive ({reason}). The file may be incomplete.",
    "无法读取压缩包（{reason}），文件可能不完整。",
)
_BIG_ENDIAN = Text(
    "The file was saved on a big-endian machine, which is not supported.", "文件保存于大端序机器，暂不支持。"
)


def is_pytorch(data: memoryview) -> bool:
    """Whether bytes begin as a file of `torch.save` does."""
    return bytes(data[:4]) == _ARCHIVE or bytes(data[: len(_BEFORE_ARCHIVES)]) == _BEFORE_ARCHIVES


def read_pytorch(path: Path, data: memoryview, key: str | None = None) -> list[StoredTensor]:
    """The Tensors of the file at `path`, which holds `data`, by the names that a `state_dict` gives them;
    also those of a module that was saved whole. `key` says which item of the file holds them, where there are
    several. Raises WeightsError and OSError."""
    saved, storages = _archive(path, data) if bytes(data[:4]) == _ARCHIVE else _pickles(path, data)
    found = _chosen(saved, key)
    return [_stored(name, view, storages) for name, view in found.items()]


def write_pytorch(tensors: Sequence[StoredTensor], file: IO[bytes]) -> None:
    """Write Tensors as a `state_dict`, in their order. Raises OSError."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(f"{_FOLDER}/data.pkl", _pickle_of(tensors))
        archive.writestr(f"{_FOLDER}/byteorder", "little")
        for number, tensor in enumerate(tensors):
            with archive.open(f"{_FOLDER}/data/{number}", "w", force_zip64=True) as entry:
                for part in tensor.read():
                    entry.write(part)
        archive.writestr(f"{_FOLDER}/version", "3\n")


Storages = Callable[[str], memoryview | None]
"""The elements by the key of their storage."""


def _archive(path: Path, data: memoryview) -> tuple[Any, Storages]:
    try:
        with zipfile.ZipFile(path) as archive:
            entries = {entry.filename: entry for entry in archive.infolist()}
            pickled = next(name for name in entries if name.endswith("/data.pkl"))
            folder = pickled.removesuffix("data.pkl")
            if f"{folder}byteorder" in entries and archive.read(f"{folder}byteorder") == b"big":
                raise WeightsError(_BIG_ENDIAN)
            saved = read_pickle(io.BytesIO(archive.read(pickled)), _storage_of)
    except (zipfile.BadZipFile, StopIteration, NotImplementedError, EOFError, RuntimeError) as error:
        raise WeightsError(_NO_ARCHIVE, reason=str(error) or "data.pkl") from error

    def storage(key: str) -> memoryview | None:
        entry = entries.get(f"{folder}data/{key}")
        return None if entry is None else _entry(entry, data)

    return saved, storage


def _entry(entry: zipfile.ZipInfo, data: memoryview) -> memoryview | None:
    """What an archive holds under a name; PyTorch compresses nothing. The lengths of the name and of the
    extra field stand at the end of what is in front of them."""
    if entry.compress_type != zipfile.ZIP_STORED:
        return None
    lengths = data[entry.header_offset + _LOCAL_HEADER - 4 : entry.header_offset + _LOCAL_HEADER]
    before = int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little")
    start = entry.header_offset + _LOCAL_HEADER + before
    return data[start : start + entry.file_size]


def _pickles(path: Path, data: memoryview) -> tuple[Any, Storages]:
    """The form before archives: a magic number, a version, facts about the machine, what was saved, the keys
    of the storages; then for each its number of elements (8 bytes) and its elements."""
    sizes: dict[str, int] = {}

    def storage_of(reference: Sequence[Any]) -> object:
        if reference[0] != "storage":
            return StandIn()
        storage = _storage_of(reference)
        sizes[storage.key] = storage.kind.size if storage.kind is not None else 1
        view = reference[5] if len(reference) > 5 else None
        return StandIn() if view else storage

    with path.open("rb") as file:
        read_pickle(file)
        read_pickle(file)
        about = read_pickle(file)
        if isinstance(about, dict) and about.get("little_endian") is False:
            raise WeightsError(_BIG_ENDIAN)
        saved = read_pickle(file, storage_of)
        keys = read_pickle(file)
        place = file.tell()
    found: dict[str, memoryview] = {}
    for key in map(str, keys):
        length = int.from_bytes(data[place : place + 8], "little") * sizes.get(key, 1)
        found[key] = data[place + 8 : place + 8 + length]
        place += 8 + length
    return saved, found.get


def _storage_of(reference: Sequence[Any]) -> StorageOf:
    """`("storage", type, key, location, number of elements)` as a pickle says it."""
    kind = reference[1]
    return StorageOf(kind if isinstance(kind, ElementType) else None, str(reference[2]))


def _chosen(saved: object, key: str | None) -> dict[str, View]:
    """The weights in what was saved: itself, or the one item that is weights. Raises WeightsError."""
    if key is not None:
        inner = _item(saved, key)
        if inner is None:
            raise WeightsError(_NO_KEY, key=key, found=_contents(saved))
        saved = inner
    found = _weights(saved)
    if found:
        return found
    items = saved.items() if isinstance(saved, dict) else ()
    inside = {str(name): weights for name, value in items if (weights := _weights(value))}
    if len(inside) == 1:
        return next(iter(inside.values()))
    if inside:
        raise WeightsError(_SEVERAL, keys=", ".join(inside))
    raise WeightsError(_NO_WEIGHTS, found=_contents(saved))


def _item(saved: object, key: str) -> object:
    """The item by a key, or by keys with dots between them."""
    if isinstance(saved, dict):
        if key in saved:
            return saved[key]
        first, _, rest = key.partition(".")
        return _item(saved[first], rest) if rest and first in saved else None
    return None


def _contents(saved: object) -> str:
    if isinstance(saved, dict):
        return ", ".join(map(str, list(saved)[:20]))
    return type(saved).__name__


def _weights(saved: object) -> dict[str, View]:
    """The weights of a `state_dict`, or of a module."""
    if isinstance(saved, dict):
        return {str(name): each for name, each in saved.items() if isinstance(each, View)}
    return dict(_of_module(saved)) if isinstance(saved, StandIn) else {}


def _of_module(module: StandIn) -> Iterator[tuple[str, View]]:
    """The parameters, then the buffers, of a module and those inside it, as `state_dict` names them."""
    waiting: list[tuple[str, object]] = [("", module)]
    for _ in range(_MOST_MODULES):
        if not waiting:
            return
        prefix, each = waiting.pop()
        state: dict[str, Any] = vars(each) if isinstance(each, StandIn) else {}
        left_out = state.get(_NOT_SAVED)
        left_out = left_out if isinstance(left_out, set) else set()
        parameters, buffers, modules = (
            members if isinstance(members := state.get(kind), dict) else {} for kind in _MEMBERS
        )
        for name, value in (*parameters.items(), *buffers.items()):
            if isinstance(value, View) and name not in left_out:
                yield prefix + name, value
        waiting += reversed([(f"{prefix}{name}.", value) for name, value in modules.items()])


def _stored(name: str, view: View, storages: Storages) -> StoredTensor:
    return StoredTensor(name, view.kind, view.shape, partial(_elements, name, view, storages))


def _elements(name: str, view: View, storages: Storages) -> Iterator[memoryview]:
    """The elements of a view, in row-major order. Raises WeightsError."""
    data = storages(view.storage.key)
    if prod(view.shape) == 0:
        return
    last = view.offset + sum((size - 1) * step for size, step in zip(view.shape, view.strides, strict=True))
    if data is None or min(view.offset, *view.strides, 0) < 0 or (last + 1) * view.kind.size > len(data):
        raise WeightsError(_NOT_THERE, name=name)
    data = data[view.offset * view.kind.size :]
    if view.strides == contiguous_strides(view.shape):
        yield data[: prod(view.shape) * view.kind.size]
    else:
        yield memoryview(b"".join(_rows(data, view)))


def _rows(data: memoryview, view: View) -> Iterator[bytes]:
    """The elements along the last dimension, for each place in the others."""
    size, step = view.shape[-1], view.strides[-1]
    per_element = min(view.kind.size, 8)
    parts = view.kind.size // per_element  # a complex128 is two numbers
    numbers = data[: len(data) // per_element * per_element].cast(_CAST[per_element])
    starts = [range(0, each * stride, stride) if stride else [0] * each for each, stride in _outer(view)]
    for place in product(*starts):
        start = sum(place)
        if parts == 1:
            row = numbers[start : start + (size - 1) * step + 1 : step] if step else None
            yield bytes(numbers[start : start + 1]) * size if row is None else row.tobytes()
        else:
            for number in range(size):
                at = (start + number * step) * parts
                yield numbers[at : at + parts].tobytes()


def _outer(view: View) -> Iterator[tuple[int, int]]:
    return zip(view.shape[:-1], view.strides[:-1], strict=True)


def _pickle_of(tensors: Sequence[StoredTensor]) -> bytes:
    """The pickle of a `state_dict`. Its operations are written one by one: the module `pickle` imports what
    it refers to, and PyTorch need not be here."""
    out = bytearray(pickle.PROTO + b"\x02" + _global("collections", "OrderedDict") + b")R(")
    for number, tensor in enumerate(tensors):
        storage, version, kind = tensor.kind.storage, 2, b""
        if storage is None:  # a Tensor over bytes, which says itself what they are
            storage, version, kind = "UntypedStorage", 3, _global("torch", tensor.kind.name)
        out += _text(tensor.name) + _global("torch._utils", f"_rebuild_tensor_v{version}") + pickle.MARK
        out += pickle.MARK + _text("storage") + _global("torch.storage" if kind else "torch", storage)
        out += _text(str(number)) + _text("cpu") + _integer(tensor.bytes if kind else tensor.elements)
        out += pickle.TUPLE + pickle.BINPERSID
        out += _integer(0) + _integers(tensor.shape) + _integers(contiguous_strides(tensor.shape))
        out += pickle.NEWFALSE + _global("collections", "OrderedDict") + b")R" + kind
        out += pickle.TUPLE + pickle.REDUCE
    return bytes(out + pickle.SETITEMS + pickle.STOP)


def _global(module: str, name: str) -> bytes:
    return pickle.GLOBAL + f"{module}\n{name}\n".encode()


def _text(value: str) -> bytes:
    encoded = value.encode("utf-8", "surrogatepass")
    return pickle.BINUNICODE + len(encoded).to_bytes(4, "little") + encoded


def _integer(value: int) -> bytes:
    encoded = pickle.encode_long(value)
    return pickle.LONG1 + len(encoded).to_bytes(1, "little") + encoded


def _integers(values: Sequence[int]) -> bytes:
    return pickle.MARK + b"".join(map(_integer, values)) + pickle.TUPLE
