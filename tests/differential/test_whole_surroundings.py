"""Programs converted with `convert --whole` and no line by hand see the same: one that sets and asks what
PyTorch alone has, names things by texts, passes functions on and has results written into Tensors; one that
saves a model for a hub; one with subclasses of Tensor, and one with arrays in place of Tensors; and the focal
loss that the migration guide packages, with every reduction and weights of every shape."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_whole_data import differing, seen


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
    ours, theirs, text = seen(name, python, tmp_path)
    assert "unavailable(" not in text
    assert differing(ours, theirs, tolerance=tolerance) == []
