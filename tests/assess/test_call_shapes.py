"""A fix is safe only where calls of its own shape are known to keep what they do."""

from __future__ import annotations

import pytest
from mindport.assess.file_findings import PlacedFinding
from mindport.catalog.catalog import Catalog
from mindport.catalog.target import Device
from mindport.project.session import Session
from mindport.project.setting_table import Settings
from mindport.rewrite.conversion import convert
from mindport.source.document import Document

IMPORTS = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"


def findings(source: str, device: Device = "cpu", imports: str = IMPORTS) -> list[PlacedFinding]:
    session = Session(Catalog.load(), Settings(device=device))
    found = session.analyse("main.py", Document.open("main.py", imports + source))
    return [placed for placed in found.findings if placed.start >= len(imports)]


def fix_of(call: str, device: Device = "cpu") -> str:
    """The fix of the outermost call of a function `f(x: torch.Tensor, …)`."""
    source = f"def f(x: torch.Tensor, y: torch.Tensor, n: int):\n    return {call}\n"
    calls = [placed for placed in findings(source, device) if placed.finding.use.kind == "call"]
    assert calls, call
    return calls[-1].finding.fix


@pytest.mark.parametrize(
    "call",
    [
        "F.pad(x, (1, 1), mode='reflect')",
        "F.pad(x, (1, 1))",
        "torch.cdist(x, y, p=2)",
        "x.tile([2, 1])",
        "nn.Upsample(scale_factor=2, mode='bilinear')",
        "F.binary_cross_entropy(x, y)",
        "nn.BCELoss()",
        "torch.optim.Adam([x], eps=1e-3)",
    ],
)
def test_a_call_that_was_seen_to_go_wrong_is_not_safe_on_cpu(call: str) -> None:
    assert fix_of(call) != "safe"


@pytest.mark.parametrize(
    "call",
    [
        "torch.cat([x, y], dim=1)",
        "torch.norm(x, 1, dim=(1, 2))",
        "F.gelu(x)",
        "torch.where(x > 0)",
        "x.sum(-1, keepdim=True)",
    ],
)
def test_a_call_whose_shape_was_run_is_safe_on_cpu_or_needs_no_change(call: str) -> None:
    assert all(
        p.finding.fix == "safe" or p.finding.rule is None
        for p in findings(f"x = torch.ones(2)\ny = {call}\n")
    )


def test_a_shape_that_was_not_run_is_told() -> None:
    [found] = [p for p in findings("y = torch.cat([a, b], out=o, dim=1)\n") if p.finding.use.kind == "call"]
    assert found.finding.fix != "safe"


@pytest.mark.parametrize(
    "base",
    ["nn.Module", "torch.nn.Module", "nn.Sequential", "torch.utils.data.Dataset", "torch.autograd.Function"],
)
def test_nothing_is_safe_beside_a_class_that_stays_pytorchs(base: str) -> None:
    source = (
        f"class Net({base}):\n    def __init__(self):\n        super().__init__()\n"
        "        self.conv = nn.Conv2d(3, 4, 3)\n    def forward(self, x):\n"
        "        return torch.cat([self.conv(x), x], dim=1)\n"
        "def beside(x):\n    return torch.cat([x, x], dim=1)\n"
    )
    devices: tuple[Device, ...] = ("ascend", "cpu")
    for device in devices:
        assert [p for p in findings(source, device) if p.finding.fix == "safe"] == []
        assert any(p.finding.waits for p in findings(source, device))


def test_a_class_of_another_class_of_the_project_waits_too() -> None:
    source = (
        "class Base(nn.Module):\n    pass\nclass Net(Base):\n    def forward(self, x):\n"
        "        return torch.cat([x, x], dim=1)\n"
    )
    assert [p for p in findings(source, "ascend") if p.finding.fix == "safe"] == []


def test_a_class_of_an_unknown_base_waits_if_it_has_a_forward() -> None:
    source = "from other import Base\nclass Net(Base):\n    def {name}(self, x):\n        return torch.cat([x, x], dim=1)\n"
    assert [p for p in findings(source.format(name="forward"), "ascend") if p.finding.fix == "safe"] == []
    assert [p for p in findings(source.format(name="other"), "ascend") if p.finding.fix == "safe"]


def test_a_class_of_its_own_does_not_wait() -> None:
    source = "class Cut:\n    def __call__(self, x):\n        return torch.cat([x, x], dim=1)\n"
    assert [p for p in findings(source, "ascend") if p.finding.fix == "safe"]


def test_what_waited_for_a_class_is_proven_once_the_class_is_converted_with_it() -> None:
    source = "class Net(nn.Module):\n    def forward(self, x: torch.Tensor):\n        return torch.cat([x, x], dim=1)\n"
    session = Session(Catalog.load(), Settings(device="cpu"))
    found = session.analyse("main.py", Document.open("main.py", IMPORTS + source))
    assert convert(found).edits == ()
    outcomes = convert(found, unsafe=True).outcomes
    assert outcomes["proven"] == 1 and outcomes["unproven"] == 1  # the call, and the base class


def test_what_an_array_may_be_given_is_not_safe() -> None:
    source = "import numpy as np\ndef f(x: {kind}):\n    return x.transpose(0, 1)\n"
    for kind, fix in (("torch.Tensor", "safe"), ("np.ndarray | torch.Tensor", "review")):
        (found,) = [
            one.finding for one in findings(source.format(kind=kind)) if one.finding.use.kind == "call"
        ]
        assert found.fix == fix


def test_super_is_no_value() -> None:
    source = (
        "class A(torch.Tensor):\n    def g(self, x):\n        return super().__mul__(x), super().relu()\n"
    )
    found = [one.finding for one in findings(source) if one.finding.use.kind == "call"]
    assert [(one.use.api, one.fix) for one in found] == [
        ("torch.Tensor.__mul__", "none"),
        ("torch.Tensor.relu", "none"),
    ]
