"""Which overload of a torch API a call means, where literals tell."""

from __future__ import annotations

import pytest
from findings import codes, found_in
from mindport.assess.call_matching import bind_use
from mindport.catalog.catalog import Catalog

CASES = {
    "x.max(1)": ["dim"],
    "x.max(-1)": ["dim"],
    "x.max(y)": ["other"],
    "x.max(1, True)": ["dim", "keepdim"],
    "torch.max(x, 1)": ["input", "dim"],
    "torch.max(x, y)": ["input", "other"],
    "torch.std(x, False)": ["input", "unbiased"],
    "torch.std(x, 1)": ["input", "dim"],
    "torch.std(x, (0, 1))": ["input", "dim"],
    "torch.std(x, None, False)": ["input", "dim", "unbiased"],
    "x.var(True)": ["unbiased"],
    "x.hsplit(2)": ["sections"],
    "x.hsplit([1, 2])": ["indices"],
    "x.scatter(0, y, 1.0)": ["dim", "index", "value"],
    "x.scatter(0, y, y)": ["dim", "index", "src"],
    "x.view((2, -1))": ["size"],
    "x.view(2, -1)": ["size", "size"],
    "torch.pow(2, x)": ["self", "exponent"],
    "torch.pow(x, 2)": ["input", "exponent"],
}


@pytest.mark.parametrize("call", CASES)
def test_overload(call: str) -> None:
    _, found = found_in(f"import torch\nx = torch.rand(2)\ny = torch.rand(2)\n{call}\n")
    use = next(
        one.finding.use for one in found.findings if one.start >= found.document.data.rindex(b"\n", 0, -1)
    )
    binding = bind_use(use, Catalog.load().api(use.api))
    assert binding is not None
    assert [item.parameter.name for item in binding[1]] == CASES[call]


@pytest.mark.parametrize(("statement", "is_safe"), [("pass", True), ("device = other", False)])
def test_an_alias_is_not_believed_its_name(statement: str, is_safe: bool) -> None:
    """`x.to(tensor)` changes the dtype, whatever the tensor is called."""
    _, found = found_in(
        f"import torch\ndef f(x: torch.Tensor, other, device):\n    {statement}\n    return x.to(device)\n"
    )
    assert found.findings[-1].finding.use.api == "torch.Tensor.to"
    assert (found.findings[-1].finding.fix == "safe") == is_safe


def test_flag_is_not_taken_for_a_dimension() -> None:
    """MindSpore's `std(x, False)` raises a TypeError: its second parameter is `dim`."""
    source = "import torch\ny = torch.std(torch.rand(2), False)\n"
    assert "MP201 torch.std" in codes(source)
    _, found = found_in(source)
    assert next(one.finding.fix for one in found.findings if one.finding.use.api == "torch.std") == "none"
