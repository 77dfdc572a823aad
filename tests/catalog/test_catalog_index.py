"""The index file: fresh, stale, damaged, unwritable; what it costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from mapping_samples import ROOT, api, write_lines
from mindport.catalog.build import build_index, index_bytes
from mindport.catalog.catalog import Catalog, open_index
from mindport.catalog.index import INDEX_NAME, Index, IndexFileError
from mindport.catalog.names import mindspore_names, mindspore_versions


def test_round_trip(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "index.bin"
    build_index(source, path)
    table = Index.read(path).table("torch-2.13")
    assert table.names == ["torch", "torch.cat", "torch.sort"]
    record = table.get("torch.cat")
    assert record is not None
    assert record["returns"] == "Tensor"
    assert table.get("torch.nope") is None


def test_built_when_absent(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "index.bin"
    assert "torch.cat" in open_index(path, source).table("torch-2.13")
    assert path.is_file()
    assert list(tmp_path.glob(".index*")) == []


def test_kept_while_fresh_and_rebuilt_when_stale(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "index.bin"
    open_index(path, source)
    first = path.stat().st_mtime_ns
    open_index(path, source)
    assert path.stat().st_mtime_ns == first
    file = source / "catalog" / "torch-2.13.jsonl"
    file.write_text(file.read_text() + json.dumps({"name": "torch.new", "kind": "function"}) + "\n")
    assert "torch.new" in open_index(path, source).table("torch-2.13")


@pytest.mark.parametrize("damage", ["empty", "garbage", "cut", "flipped", "format"])
def test_damaged_index(source: Path, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "index.bin"
    build_index(source, path)
    data = bytearray(path.read_bytes())
    if damage == "empty":
        data = bytearray()
    elif damage == "garbage":
        data = bytearray(b"\x00\xff\n\x80garbage")
    elif damage == "cut":
        data = data[:-10]
    elif damage == "flipped":
        data[-5] ^= 0xFF
    else:
        data = data.replace(b'"format":', b'"format":9', 1)
    path.write_bytes(bytes(data))
    with pytest.raises(IndexFileError, match="index"):
        open_index(path, tmp_path / "no_sources")
    assert "torch.cat" in open_index(path, source).table("torch-2.13")
    assert "torch.cat" in Index.read(path).table("torch-2.13")


def test_absent_index_without_sources(tmp_path: Path) -> None:
    with pytest.raises(IndexFileError, match="cannot be read"):
        open_index(tmp_path / "index.bin", tmp_path / "no_sources")


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_folder_that_cannot_be_written(source: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert "torch.cat" in open_index(blocked / "index.bin", source).table("torch-2.13")


def test_invalid_source_names_file_and_line(source: Path) -> None:
    file = source / "catalog" / "torch-2.13.jsonl"
    file.write_text(file.read_text() + "{not json\n")
    with pytest.raises(ValueError, match=r"torch-2\.13\.jsonl, line 4"):
        index_bytes(source)


def test_index_of_the_checkout_is_fresh(catalog: Catalog) -> None:
    path = ROOT / "server" / "mindport" / "catalog" / INDEX_NAME
    before = path.stat().st_mtime_ns
    open_index(path, ROOT / "mapping_data")
    assert path.stat().st_mtime_ns == before
    assert path.stat().st_size < 4_000_000


def test_memory() -> None:
    """At most 25 MB for names, answers and search, beside their code, in a process of its own; pydantic stays
    out."""
    program = """
import sys
def memory():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096
from mindport.catalog.catalog import Catalog
from mindport.catalog.target import Target
from mindport.catalog import build, other_frameworks, search
before = memory()
catalog = Catalog.load()
catalog.answer("torch.nn.Conv2d", Target())
catalog.search("conv")
print(memory() - before, "pydantic" in sys.modules)
"""
    if not Path("/proc/self/statm").exists():
        pytest.skip("needs /proc/self/statm")
    Catalog.load()  # so that the process finds a fresh index
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
    result = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    grown, pydantic = result.stdout.split()
    assert int(grown) <= 25_000_000
    assert pydantic == "False"


def test_older_versions_are_what_differs(source: Path) -> None:
    write_lines(
        source / "catalog" / "older" / "mindspore-2.9.jsonl",
        [
            {"name": "mindspore.mint.cat", "absent": True},
            api("mindspore.ops.cat", "function", "values", "axis"),
            api("mindspore.ops.gone", "function", "x"),
        ],
    )
    index = Index(index_bytes(source))
    old, new = mindspore_names(index, "2.9"), mindspore_names(index, "2.10")
    assert mindspore_versions(index) == ["2.9", "2.10"]
    assert old.canonical("mindspore.mint.cat") is None
    assert new.canonical("mindspore.mint.cat") == "mindspore.mint.cat"
    assert old.kind("mindspore.ops.gone") == "function"
    assert new.kind("mindspore.ops.gone") is None
    assert "mindspore.ops.sort" in old
    changed = old.api("mindspore.ops.cat")
    assert changed is not None
    assert [p.name for p in changed.signatures[0].parameters] == ["values", "axis"]
    assert list(old.names) == ["mindspore", "mindspore.ops.cat", "mindspore.ops.gone", "mindspore.ops.sort"]
    assert mindspore_names(index, "2.3").kind("mindspore.ops.gone") == "function"
