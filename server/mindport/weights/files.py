"""Files of weights on disk: read in place, written whole."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from mindport.language import Text
from mindport.source.replace_file import Replacement
from mindport.weights.mindspore_file import is_checkpoint, read_checkpoint, write_checkpoint
from mindport.weights.pytorch_file import is_pytorch, read_pytorch, write_pytorch
from mindport.weights.safetensors_file import is_safetensors, read_safetensors, write_safetensors
from mindport.weights.stored_tensor import Format, StoredTensor, WeightsError

FORMATS: Final[Mapping[str, Format]] = {
    ".bin": "pytorch",
    ".ckpt": "mindspore",
    ".pt": "pytorch",
    ".pth": "pytorch",
    ".safetensors": "safetensors",
}
"""The format of a new file, by the end of its name."""
_WRITERS: Final[Mapping[Format, Callable[[Sequence[StoredTensor], IO[bytes]], None]]] = {
    "mindspore": write_checkpoint,
    "pytorch": write_pytorch,
    "safetensors": write_safetensors,
}

_UNKNOWN = Text(
    "Not a torch.save file, a safetensors file or a MindSpore checkpoint.",
    "该文件既不是 torch.save 保存的文件，也不是 safetensors 文件或 MindSpore 检查点。",
)


@contextmanager
def weights_in(path: Path, key: str | None = None) -> Iterator[list[StoredTensor]]:
    """The Tensors in a file, whose format its content says; they can be read until the block ends. `key` says
    which item of a file of PyTorch holds them. Raises WeightsError and OSError."""
    with path.open("rb") as file, _mapped(file) as data:
        yield _read(path, data, key)


@contextmanager
def _mapped(file: IO[bytes]) -> Iterator[memoryview]:
    """The content of a file, not read before it is looked at; an empty file cannot be mapped."""
    if not file.seek(0, 2):
        yield memoryview(b"")
        return
    # What was read from it may still be referred to, so that it cannot be closed here.
    yield memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _read(path: Path, data: memoryview, key: str | None) -> list[StoredTensor]:
    if is_pytorch(data):
        return read_pytorch(path, data, key)
    if is_safetensors(data):
        return read_safetensors(data)
    if is_checkpoint(data):
        return read_checkpoint(data)
    raise WeightsError(_UNKNOWN)


def write_weights(path: Path, tensors: Sequence[StoredTensor]) -> None:
    """Write Tensors into a file in the format that its name says; the file is whole or not there. Raises
    WeightsError and OSError, KeyError for a name that says none."""
    replacement = Replacement(path)
    try:
        _WRITERS[FORMATS[path.suffix.lower()]](tensors, replacement.file)
        replacement.commit()
    finally:
        replacement.end()
