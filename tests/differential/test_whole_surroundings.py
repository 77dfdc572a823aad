"""Programs converted with `convert --whole` and no line by hand see the same: one that sets and asks what
PyTorch alone has, names things by texts, passes functions on and has results written into Tensors; one that
saves a model for a hub; one with subclasses of Tensor, and one with arrays in place of Tensors; and the focal
loss that the migration guide packages, with every reduction and weights of every shape."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from mindport.cli.main import main
from test_whole_data import DATA, differing, run


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("name", "tolerance"),
    [
        ("surroundings.py", 1e-4),
        ("focal_loss.py", 1e-5),
        ("functions_alone.py", 1e-12),
        ("hub_models.py", 1e-5),
        ("tensor_subclasses.py", 1e-5),
        ("array_or_tensor.py", 1e-5),
    ],
)
def test_a_program_sees_what_it_saw(name: str, tolerance: float, python: str, tmp_path: Path) -> None:
    source, converted = tmp_path / "source", tmp_path / "converted"
    source.mkdir()
    shutil.copy(DATA / name, source)
    assert main(["convert", str(source), "-o", str(converted), "--whole", "--device", "cpu"]) == 0
    assert "unavailable(" not in (converted / name).read_text("utf-8")
    for folder in (source, converted):
        run([python, folder / name, folder / "seen.json"])
    ours, theirs = (json.loads((folder / "seen.json").read_text("utf-8")) for folder in (source, converted))
    assert differing(ours, theirs, tolerance=tolerance) == []
