"""The index file: fresh, stale, damaged, unwritable; what it costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from mapping_samples import ROOT
from mindport.catalog.build import build_index, index_bytes
from mindport.catalog.catalog import Catalog, open_index
from mindport.catalog.index import INDEX_NAME, Index, IndexFileError


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


def test_loading_is_cheap() -> None:
    """At most 60 ms of CPU and 25 MB, in a process of its own; pydantic stays out."""
    program = """
import sys, time
def memory():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096
from mindport.catalog.catalog import Catalog
from mindport.catalog.target import Target
before = memory(); start = time.process_time()
catalog = Catalog.load(); catalog.canonical("torch.nn.modules.Conv2d")
spent = time.process_time() - start
catalog.answer("torch.nn.Conv2d", Target())
print(spent, memory() - before, "pydantic" in sys.modules)
"""
    if not Path("/proc/self/statm").exists():
        pytest.skip("needs /proc/self/statm")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
    runs = []
    for _ in range(3):
        result = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        spent, grown, pydantic = result.stdout.split()
        runs.append(float(spent))
        assert int(grown) <= 25_000_000
        assert pydantic == "False"
    assert min(runs) <= 0.060


def test_lookup_is_quick(catalog: Catalog) -> None:
    names = list(catalog.torch_names)
    start = time.process_time()
    for name in names:
        catalog.canonical(name)
    assert (time.process_time() - start) / len(names) < 20e-6
