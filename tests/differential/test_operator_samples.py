"""PyTorch's own samples of its operators, layers and optimizers, converted as programs, give what they give in PyTorch,
and its gradients.

They come with the PyTorch that is installed (`documented/samples.py` and `documented/layers.py` say which are taken).
`operator_samples.json` and `layer_samples.json` say which differ, by reason.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from known_samples import compare_with_listed


@pytest.mark.timeout(3000)
def test_samples_of_operators(python: str, tmp_path: Path) -> None:
    compare_with_listed(python, "samples.py", "operator_samples.json", tmp_path)


@pytest.mark.timeout(1500)
def test_samples_of_layers_and_optimizers(python: str, tmp_path: Path) -> None:
    compare_with_listed(python, "layers.py", "layer_samples.json", tmp_path)
