"""A class that is derived from `torch.nn.Module` becomes a cell, and its methods get the names that cells have."""

from __future__ import annotations

import pytest
from findings import apply, fixed, found_in
from mindport.rewrite import fixes
from mindport.rewrite.review import what_to_check

CASES = {
    "the base and its method": (
        "class A(nn.Module):\n    def forward(self, x):\n        return x\n",
        "class A(mindspore.nn.Cell):\n    def construct(self, x):\n        return x\n",
    ),
    "what is read of it": (
        "class A(nn.Module):\n    @staticmethod\n    def forward(x):\n        return x\n"
        "    def twice(self, x):\n        return self.forward(x), super().forward(x), x.forward(x)\n",
        "class A(mindspore.nn.Cell):\n    @staticmethod\n    def construct(x):\n        return x\n"
        "    def twice(self, x):\n        return self.construct(x), super().construct(x), x.forward(x)\n",
    ),
    "derived classes": (
        "class A(nn.Module):\n    pass\nclass B(A):\n    def forward(self): pass\n"
        "class C(B, D):\n    def forward(self): return super().forward()\n"
        "class E(D):\n    def forward(self): pass\n",
        "class A(mindspore.nn.Cell):\n    pass\nclass B(A):\n    def construct(self): pass\n"
        "class C(B, D):\n    def construct(self): return super().construct()\n"
        "class E(D):\n    def forward(self): pass\n",
    ),
    "derived twice": (
        "class A(nn.Module):\n    def forward(self): pass\nclass B(nn.Module, A):\n    def forward(self): pass\n",
        "class A(mindspore.nn.Cell):\n    def construct(self): pass\n"
        "class B(mindspore.nn.Cell, A):\n    def construct(self): pass\n",
    ),
    "an attribute of that name": (
        "class A(nn.Module):\n    def f(self): return self.forward\n",
        "class A(mindspore.nn.Cell):\n    def f(self): return self.forward\n",
    ),
    "other rewrites inside": (
        "class A(nn.Module):\n    def forward(self, x):\n        return torch.abs(self.forward(x.size(0)))\n",
        "class A(mindspore.nn.Cell):\n    def construct(self, x):\n"
        "        return mint.abs(self.construct(x.shape[0]))\n",
    ),
}
HEAD = "import torch\nfrom torch import nn\n\n\n"


@pytest.mark.parametrize("name", CASES)
def test_it_becomes_a_cell(name: str) -> None:
    before, after = CASES[name]
    _, found = found_in(HEAD + before)
    proposed = [fixes.propose(placed) for placed in found.diagnostics()]
    result = apply(HEAD + before, fixes.edits(found, [fix for fix in proposed if fix is not None]))
    assert result.split("\n\n\n", 1)[1] == after


def test_a_person_has_to_look() -> None:
    source = HEAD + CASES["the base and its method"][0]
    assert "class A(nn.Module)" in fixed(source)
    _, found = found_in(source)
    finding = next(placed.finding for placed in found.diagnostics() if placed.finding.use.kind == "base")
    assert finding.fix == "review"
    assert "`forward` → `construct`" in what_to_check(finding, "en")
    assert "其他文件中也须改名" in what_to_check(finding, "zh-cn")


def test_a_class_of_layers_stays() -> None:
    """Its constructor is called with other arguments."""
    _, found = found_in(HEAD + "class A(nn.Conv2d):\n    def forward(self): pass\n")
    assert [placed.finding.fix for placed in found.diagnostics()] == ["none"]


def test_a_half_typed_line_hides_no_method_and_no_derived_class() -> None:
    broken = "    def half(self, x\n"
    before = f"class A(nn.Module):\n    x = 1\n{broken}\n    def forward(self, x): return x\nclass B(A):\n"
    before += "    y = 2\n    def forward(self, x): return self.forward(x)\n"
    _, found = found_in(HEAD + before)
    proposed = [fixes.propose(placed) for placed in found.diagnostics()]
    result = apply(HEAD + before, fixes.edits(found, [fix for fix in proposed if fix is not None]))
    expected = before.replace("nn.Module", "mindspore.nn.Cell").replace("forward", "construct")
    assert result.split("\n\n\n", 1)[1] == expected
