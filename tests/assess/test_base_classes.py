"""What is derived from a layer is derived from `torch.nn.Module`: what differs of that matters for it too."""

from __future__ import annotations

import pytest
from findings import codes, fixed, found_in

LAYERS = ["Linear", "ReLU", "Conv2d", "Sequential", "ReLU6"]


@pytest.mark.parametrize("layer", LAYERS)
def test_method_of_a_subclass_would_not_be_called(layer: str) -> None:
    source = f"from torch import nn\n\n\nclass A(nn.{layer}):\n    def forward(self, x):\n        return x\n"
    _, found = found_in(source)
    base = next(one.finding for one in found.findings if one.finding.use.kind == "base")
    assert base.code == "MP204"
    assert base.fix == "none"
    assert base.status == "differs"
    assert "Rename `forward` to `construct`." in base.message("en")
    assert "`construct`" in base.message("zh-cn")
    assert fixed(source) == source


def test_each_difference_is_said_once() -> None:
    _, found = found_in("from torch import nn\n\n\nclass A(nn.ReLU6): pass\n")
    base = next(one.finding for one in found.findings if one.finding.use.kind == "base")
    assert len(base.differences) == len(set(base.differences))


def test_call_of_a_layer_is_not_concerned() -> None:
    assert codes("from torch import nn\n\na = nn.Linear(1, 2)\n") == ["MP101 nn.Linear"]
