"""Files of weights in all three formats, without the frameworks: what was written is what is read. That the
frameworks read and write the same is in tests/differential/test_weights.py."""

from __future__ import annotations

import binascii
import io
import os
import pickle
import struct
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mindport.catalog.catalog import Catalog
from mindport.weights.files import weights_in, write_weights
from mindport.weights.mindspore_file import read_checkpoint, write_checkpoint
from mindport.weights.names import with_names_of
from mindport.weights.plain_pickle import StandIn, read_pickle
from mindport.weights.stored_tensor import ELEMENT_TYPES, StoredTensor, WeightsError

KINDS = {kind.name: kind for kind in ELEMENT_TYPES}


def tensor(name: str, kind: str, shape: tuple[int, ...], data: bytes | None = None) -> StoredTensor:
    made = StoredTensor(name, KINDS[kind], shape, lambda: iter(()))
    content = data if data is not None else bytes(each % 251 for each in range(made.bytes))
    return made._replace(read=partial(iter, [memoryview(content)]))


def content(each: StoredTensor) -> tuple[str, str, tuple[int, ...], bytes]:
    return each.name, each.kind.name, each.shape, b"".join(each.read())


STORED = st.builds(
    tensor,
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8),
    st.sampled_from([kind.name for kind in ELEMENT_TYPES if kind.mindspore]),
    st.lists(st.integers(1, 4), max_size=3).map(tuple),
)


@pytest.mark.parametrize("ending", [".pth", ".safetensors", ".ckpt"])
@given(tensors=st.lists(STORED, unique_by=lambda each: each.name, max_size=5))
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, ending: str, tensors: list[StoredTensor]
) -> None:
    path = tmp_path_factory.mktemp("weights") / f"weights{ending}"
    if not tensors and ending != ".safetensors":
        return  # there is nothing that could be read, or told apart from nothing
    write_weights(path, tensors)
    with weights_in(path) as found:
        assert [content(each) for each in found] == [content(each) for each in tensors]


@pytest.mark.parametrize("ending", [".pth", ".safetensors"])
def test_a_tensor_without_elements_stays(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"weights{ending}"
    write_weights(path, [tensor("none", "int64", (0, 3)), tensor("one", "float32", ())])
    with weights_in(path) as found:
        assert [each.shape for each in found] == [(0, 3), ()]


@pytest.mark.parametrize(("ending", "kind"), [(".ckpt", "complex64"), (".safetensors", "complex128")])
def test_a_type_that_a_format_does_not_have_is_refused(tmp_path: Path, ending: str, kind: str) -> None:
    path = tmp_path / f"weights{ending}"
    with pytest.raises(WeightsError, match=f"spectrum has type {kind}"):
        write_weights(path, [tensor("spectrum", kind, (2,))])
    assert list(tmp_path.iterdir()) == []


def test_a_large_tensor_is_several_values_of_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mindport.weights.mindspore_file._LARGEST_PART", 16)
    file = io.BytesIO()
    given = [tensor("large", "float32", (5, 3)), tensor("small", "int8", (2,))]
    write_checkpoint(given, file)
    found = read_checkpoint(memoryview(file.getvalue()))
    assert file.getvalue().count(b"large") == 4
    assert [content(each) for each in found] == [content(each) for each in given]


def test_the_checksum_of_a_checkpoint_counts() -> None:
    file = io.BytesIO()
    write_checkpoint([tensor("weight", "float32", (3,))], file)
    saved = file.getvalue()
    checksum = b"crc_num" + binascii.crc32(saved).to_bytes(10, "big")
    assert [each.name for each in read_checkpoint(memoryview(saved + checksum))] == ["weight"]
    with pytest.raises(WeightsError, match="checksum"):
        read_checkpoint(memoryview(saved[:-1] + b"\0" + checksum))


class Runs:
    """What runs something when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_nothing_that_a_pickle_names_is_run(tmp_path: Path, protocol: int) -> None:
    data = pickle.dumps({"model": Runs(tmp_path / "made"), "epoch": 3}, protocol)
    found = read_pickle(io.BytesIO(data))
    assert isinstance(found["model"], StandIn)
    assert found["epoch"] == 3
    assert not (tmp_path / "made").exists()


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("weights") / "file"
    for start in (b"", b"PK\x03\x04", b"\x0a", struct.pack("<Q", 20) + b"{", MAGIC):
        path.write_bytes(start + data)
        try:
            with weights_in(path) as found:
                for each in found:
                    list(each.read())
        except WeightsError as error:
            assert error.render("zh-cn") and error.render("en")


MAGIC = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."


def test_names_are_those_of_the_other_framework() -> None:
    given = [
        tensor("conv.weight", "float32", (2, 3, 5)),
        tensor("norm.weight", "float32", (2,)),
        tensor("norm.bias", "float32", (2,)),
        tensor("norm.running_mean", "float32", (2,)),
        tensor("norm.running_var", "float32", (2,)),
        tensor("norm.num_batches_tracked", "int64", ()),
        tensor("table.weight", "float32", (4, 2)),
        tensor("scale.gamma", "float32", (2,)),
        tensor("head.weight", "float32", (4, 2)),
        tensor("more", "float32", (1,)),
    ]
    wanted = {
        "norm.moving_mean": (2,),
        "norm.moving_variance": (2,),
        "norm.gamma": (2,),
        "norm.beta": (2,),
        "conv.weight": (2, 3, 1, 5),
        "table.embedding_table": (4, 2),
        "scale.gamma": (2,),
        "head.weight": (3, 2),
        "head.bias": (3,),
    }
    others = [tensor(name, "float32", shape) for name, shape in wanted.items()]
    matched = with_names_of(given, others, Catalog.load())
    assert {each.name: each.shape for each in matched.tensors} == {
        name: shape for name, shape in wanted.items() if not name.startswith("head")
    }
    assert matched.missing == ["head.bias"]
    assert matched.misfits == ["head.weight [3, 2] / head.weight [4, 2]"]
    assert matched.unused == ["more"]
    back = with_names_of(matched.tensors, given, Catalog.load())
    kept = [each.name for each in given if "batches" not in each.name]
    assert [each.name for each in back.tensors] == kept[:-2]
