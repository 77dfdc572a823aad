"""Tensors without dimensions that would decide the dtype of a result."""

from __future__ import annotations

import pytest
from looking import analysed

HEAD = (
    "import torch\nimport torch.nn.functional as F\nfrom torch import Tensor\n\n\ndef f(x: Tensor, n):\n    "
)

OPERATIONS = {
    "a number of 32 bits": ("x.half() + torch.tensor(1.0)", "torch.tensor(1.0) float32 > float16"),
    "on the left": ("torch.tensor(1.0) - x.half()", "torch.tensor(1.0) float32 > float16"),
    "an integer": ("x.int() % torch.tensor(3)", "torch.tensor(3) int64 > int32"),
    "a dtype that is given": (
        "x.float() + torch.tensor(1, dtype=torch.double)",
        "torch.tensor(1, dtype=torch.double) float64 > float32",
    ),
    "a dtype that is not known": ("x + torch.tensor(1.0)", "torch.tensor(1.0) float32 > float16?"),
    "an integer for what is not known": ("x + torch.tensor(1)", None),
    "a dtype that is given and not known": ("x.half() + torch.tensor(1.0, dtype=n)", None),
    "the same dtype": ("x.float() + torch.tensor(1.0)", None),
    "its own mean": ("x.half() - x.half().mean()", None),
    "a sum of another dtype": ("x.half() - x.float().sum()", "x.float().sum() float32 > float16"),
    "a sum of what is counted": ("x.int() - x.int().sum()", "x.int().sum() int64 > int32"),
    "a sum over a dimension": ("x.half() - x.float().sum(0)", None),
    "a sum over a dimension by keyword": ("x.half() - x.float().sum(dim=0)", None),
    "the greater of two": ("x.half() - x.float().max(x)", None),
    "a place": ("x.int() + x.argmax()", "x.argmax() int64 > int32"),
    "neither has dimensions": ("x.half().sum() + torch.tensor(1.0)", None),
    "it has dimensions": ("x.half() + torch.tensor([1.0])", None),
    "no size": ("x.half() + torch.zeros(())", "torch.zeros(()) float32 > float16"),
    "a size": ("x.half() + torch.zeros(3)", None),
    "a number": ("x.half() + torch.tensor(1.0).item()", None),
    "of another kind": ("x.int() + torch.tensor(1.0)", None),
    "an operator that agrees": ("x.half() * torch.tensor(1.0)", None),
    "after a number": (
        "x.half() + (1 + 2 * torch.tensor(1.0))",
        "1 + 2 * torch.tensor(1.0) float32 > float16",
    ),
    "on the device of another": ("x.half() + torch.tensor(1.0).to(n)", None),
    "on a device": (
        "x.half() + torch.tensor(1.0).to('cpu')",
        "torch.tensor(1.0).to('cpu') float32 > float16",
    ),
    "by a function": ("torch.maximum(x.half(), torch.tensor(0.0))", "torch.tensor(0.0) float32 > float16"),
    "by a function, by keyword": (
        "torch.add(other=torch.tensor(0.0), input=x.half())",
        "torch.tensor(0.0) float32 > float16",
    ),
    "by a method": ("x.half().where(x > 0, torch.tensor(0.0))", "torch.tensor(0.0) float32 > float16"),
    "a condition": ("torch.where(torch.tensor(True), x.half(), x.half())", None),
    "a minimum": ("x.half().clamp(min=torch.tensor(0.0))", "torch.tensor(0.0) float32 > float16"),
    "a function that agrees": ("torch.mul(x.half(), torch.tensor(0.0))", None),
}


def scalars(source: str) -> list[str]:
    """The scalars that the uses in a function's body have: `text dtype > other`."""
    found = [use.scalar for _, use in analysed(HEAD + source + "\n").uses() if use.scalar is not None]
    return [
        f"{one.text} {one.dtype.removeprefix('torch.')} > {one.other.removeprefix('torch.')}"
        + ("" if one.is_known else "?")
        for one in found
    ]


@pytest.mark.parametrize(("operation", "expected"), OPERATIONS.values(), ids=OPERATIONS)
def test_what_would_decide_the_dtype(operation: str, expected: str | None) -> None:
    assert scalars(f"return {operation}") == ([expected] if expected else [])


def test_names_are_followed() -> None:
    lines = [
        "half = x.to(torch.float16)",
        "eps = torch.tensor(1e-3)",
        "y = half[0].view(-1)",
        "return y + eps",
    ]
    assert scalars("\n    ".join(lines)) == ["eps float32 > float16"]


def test_what_differs_by_path_is_not_known() -> None:
    lines = ["eps = torch.tensor(1.0)", "if n:", "    eps = torch.tensor([1.0])", "return x.half() + eps"]
    assert scalars("\n    ".join(lines)) == []


def test_augmented_assignments() -> None:
    assert scalars("y = x.half()\n    y += torch.tensor(1.0)") == ["torch.tensor(1.0) float32 > float16"]


def test_the_operator_is_the_use() -> None:
    analysis = analysed(HEAD + "return (x.half())  -  (torch.tensor(1.0))\n")
    (shift, use), *others = [(shift, use) for shift, use in analysis.uses() if use.operator]
    assert not others
    assert (use.api, use.kind, use.operator) == ("torch.Tensor.__sub__", "call", "-")
    assert analysis.document.text(shift + use.start, shift + use.end) == "-"
