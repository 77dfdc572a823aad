"""Shared by the catalog tests: the catalog of this checkout, and a small copy of the mapping data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mapping_samples import api, candidate, write_lines
from mindport.catalog.catalog import Catalog


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return Catalog.load()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Sound mapping data with two pairs."""
    folder = tmp_path / "mapping_data"
    write_lines(
        folder / "catalog" / "torch-2.13.jsonl",
        [
            {"name": "torch", "kind": "module", "exports": ["cat", "sort"]},
            api(
                "torch.cat",
                "function",
                "tensors",
                "dim",
                returns="Tensor",
                aliases=["torch.functional.cat"],
                documented=True,
            ),
            api("torch.sort", "function", "input", "dim", documented=True),
        ],
    )
    write_lines(
        folder / "catalog" / "mindspore-2.10.jsonl",
        [
            {"name": "mindspore", "kind": "module"},
            api("mindspore.mint.cat", "function", "tensors", "dim", platforms=["ascend"]),
            api("mindspore.ops.cat", "function", "tensors", "axis", platforms=["ascend", "cpu"]),
            api("mindspore.ops.sort", "function", "input_x", "axis"),
        ],
    )
    write_lines(
        folder / "correspondences" / "torch.jsonl",
        [
            {
                "torch": "torch.cat",
                "candidates": [
                    candidate("mindspore.mint.cat", "mint", since="2.5"),
                    candidate(
                        "mindspore.ops.cat",
                        "classic",
                        parameters=[{"code": "renamed", "torch": "dim", "mindspore": "axis"}],
                    ),
                ],
            },
            {"torch": "torch.sort", "candidates": [candidate("mindspore.ops.sort", "classic")]},
        ],
    )
    results = [
        {"mindspore": "mindspore.mint.cat", "result": "unsupported", "calls": 2},
        {"mindspore": "mindspore.ops.cat", "result": "equal", "calls": 3},
    ]
    write_lines(folder / "evidence" / "mindspore-2.10-cpu.jsonl", results)
    corrections = folder / "curated" / "correspondences"
    corrections.mkdir(parents=True)
    note = {"en": "The indices are int32.", "zh-cn": "索引为 int32。"}
    differences = [{"code": "behaviour", "note": note}]
    correction = {"torch.sort": {"candidates": {"mindspore.ops.sort": {"differences": differences}}}}
    (corrections / "torch.json").write_text(json.dumps(correction), encoding="utf-8")
    rules = {"general_parameters": {"out": ["None"]}}
    (folder / "curated" / "comparison.json").write_text(json.dumps(rules), encoding="utf-8")
    return folder
