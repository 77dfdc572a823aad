"""What else refers to a Tensor that is changed in place: `y += 1`, `y.add_(1)`."""

from __future__ import annotations

import pytest
from looking import analysed

HEAD = "import torch\nfrom torch import Tensor\n\n\n"

CHANGES = {
    "made here": ("def f():\n    y = torch.ones(3)\n    y += 1\n    return y", []),
    "result of an operation": ("def f(x: Tensor):\n    y = x * 2\n    y += 1\n    return x, y", []),
    "a parameter": ("def f(x: Tensor):\n    x += 1", ["parameter x"]),
    "a parameter, bound anew": ("def f(x: Tensor):\n    x = x.clone()\n    x += 1", []),
    "once more": ("def f(x: Tensor):\n    x = x + 1\n    x += 1\n    x -= 2\n    return x", []),
    "another name": (
        "def f(x: Tensor):\n    a = x + 1\n    y = a\n    y += 1\n    return a",
        ["name a"],
    ),
    "another name, read before only": (
        "def f(x: Tensor):\n    a = x + 1\n    y = a\n    print(a)\n    y += 1\n    return y",
        [],
    ),
    "another name, read for its shape": (
        "def f(x: Tensor):\n    a = x + 1\n    y = a\n    y += 1\n    return y, a.shape, a.size(0)",
        [],
    ),
    "another name, bound anew": (
        "def f(x: Tensor):\n    a = x + 1\n    y = a\n    a = x\n    y += 1\n    return a",
        [],
    ),
    "the operand": ("def f(x: Tensor):\n    a = x + 1\n    y = a\n    y += a\n    return y", []),
    "a name given away": (
        "def f(x: Tensor):\n    y = x + 1\n    kept = y\n    y += 1\n    return kept",
        ["name kept"],
    ),
    "a name that gets the result": (
        "def f(x: Tensor):\n    y = x + 1\n    y += 1\n    z = y\n    return z, y",
        [],
    ),
    "changed on one path only": (
        "def f(x: Tensor, c):\n    y = x + 1\n    if c:\n        y += 1\n    z = y\n    return z",
        [],
    ),
    "a row": ("def f(x: Tensor):\n    a = x + 1\n    y = a[0]\n    y += 1\n    return a", ["view name a"]),
    "a view of a view": (
        "def f(x: Tensor):\n    a = x + 1\n    y = a.view(-1).t()[1:]\n    y += 1\n    return a",
        ["view name a"],
    ),
    "a view of what is not read again": (
        "def f(x: Tensor):\n    y = (x + 1)[0]\n    y += 1\n    return y",
        [],
    ),
    "picked by a mask": (
        "def f(x: Tensor):\n    a = x + 1\n    y = a[a > 0]\n    y += 1\n    return a",
        [],
    ),
    "parts that do not overlap": (
        "def f(x: Tensor):\n    q, k = (x + 1).chunk(2)\n    q += 1\n    return q, k",
        [],
    ),
    "parts of what is read": (
        "def f(x: Tensor):\n    a = x + 1\n    q, k = a.chunk(2)\n    q += 1\n    return a",
        ["view name a"],
    ),
    "rows": ("def f(x: Tensor):\n    for row in x:\n        row += 1", ["view parameter x"]),
    "an attribute": (
        "def f(self, x: Tensor):\n    y: Tensor = self.weight\n    y += x",
        ["attribute self.weight"],
    ),
    "a gradient": ("def f(p: Tensor):\n    g = p.grad\n    g += 1", ["attribute p.grad"]),
    "the parameters of a module": (
        "def f(net: torch.nn.Module):\n    for p in net.parameters():\n        p += 1",
        ["state net.parameters()"],
    ),
    "a parameter of a layer": (
        "def f(layer: torch.nn.Linear):\n    layer.weight.data.mul_(2)",
        ["state layer.weight"],
    ),
    "a row of a parameter of a layer": (
        "def f(layer: torch.nn.Linear):\n    layer.weight[0].mul_(2)",
        ["view state layer.weight"],
    ),
    "in a list that was passed": ("def f(xs: list[Tensor]):\n    y = xs[0]\n    y += 1", ["parameter xs"]),
    "stored before": (
        "def f(x: Tensor):\n    y = x + 1\n    seen = []\n    seen.append(y)\n    y += 1\n    return seen",
        ["stored seen"],
    ),
    "kept in an attribute before": (
        "def f(self, x: Tensor):\n    y = x + 1\n    self.last = y\n    y += 1\n    return y",
        ["stored self.last"],
    ),
    "stored afterwards": (
        "def f(x: Tensor):\n    y = x + 1\n    y += 1\n    seen = []\n    seen.append(y)\n    return seen",
        [],
    ),
    "copied into a row before": (
        "def f(x: Tensor):\n    y = x + 1\n    x[0] = y\n    y += 1\n    return y",
        [],
    ),
    "a sum that is stored in each round": (
        "def f(xs: Tensor):\n    y = torch.zeros(3)\n    seen = []\n    for i in range(3):\n        y += 1\n"
        "        seen.append(y)\n    return seen",
        ["stored seen"],
    ),
    "made and stored in each round": (
        "def f(x: Tensor):\n    seen = []\n    for i in range(3):\n        y = x * i\n        y += 1\n"
        "        seen.append(y)\n    return seen",
        [],
    ),
    "a sum in a loop": (
        "def f(x: Tensor):\n    y = torch.zeros(3)\n    for i in range(3):\n        y += x\n    return y",
        [],
    ),
    "another name in the next round": (
        "def f(x: Tensor):\n    before = y = torch.zeros(3)\n    for i in range(3):\n        print(before)\n"
        "        y += x",
        ["name before"],
    ),
    "kept for the next round": (
        "def f(x: Tensor):\n    y = torch.zeros(3)\n    last = None\n    for i in range(3):\n        y += x\n"
        "        print(last)\n        last = y",
        ["name last"],
    ),
    "either of two": (
        "def f(x: Tensor, c):\n    y = x if c else x + 1\n    y += 1\n    return y",
        ["parameter x"],
    ),
    "a name of the function around": (
        "def f(x: Tensor):\n    y = x + 1\n    def g():\n        return y\n    z = y\n    z += 1\n    return g",
        ["name y"],
    ),
    "by a method": (
        "def f(x: Tensor):\n    a = x + 1\n    y = a[0]\n    y.add_(1)\n    return a",
        ["view name a"],
    ),
    "by a method, made here": ("def f(x: Tensor):\n    y = x + 1\n    y.mul_(2)\n    return y", []),
    "a view of what is not read again, by a method": (
        "def f(x: Tensor):\n    y = (x + 1)[0]\n    y.add_(1)\n    return y",
        ["view view y"],
    ),
    "by methods in a chain": (
        "def f(x: Tensor):\n    y = x + 1\n    y.mul_(2).add_(1)\n    return y",
        ["name y"],
    ),
    "by methods in a chain, of a row": (
        "def f(x: Tensor):\n    y = x + 1\n    y[0].mul_(2).add_(1)\n    return y",
        ["view name y"],
    ),
    "a row of a parameter of a module, by a method": (
        "class M(torch.nn.Module):\n    def __init__(self):\n        self.w = torch.nn.Parameter(torch.ones(3))\n"
        "        self.w[0].fill_(1)",
        ["view state self.w"],
    ),
    "a parameter of an optimizer": (
        "def f(optimizer: torch.optim.Optimizer):\n    for group in optimizer.param_groups:\n"
        "        for p in group['params']:\n            p.data.mul_(2)",
        ["state optimizer.param_groups"],
    ),
    "what clipping gives": (
        "def f(x: Tensor):\n    y = torch.nn.utils.clip_grad_norm_(x, 1.0)\n    y += 1\n    return x, y",
        [],
    ),
    "what a method gave back": (
        "def f(x: Tensor):\n    a = x + 1\n    y = a.mul_(2)\n    y += 1\n    return a",
        ["name y", "name a"],
    ),
}


@pytest.mark.parametrize(("source", "expected"), CHANGES.values(), ids=CHANGES)
def test_what_else_refers_to_it(source: str, expected: list[str]) -> None:
    changes = [
        [f"{'view ' if one.is_view else ''}{one.kind} {one.text}" for one in use.shared]
        for _, use in analysed(HEAD + source + "\n").uses()
        if use.shared is not None
    ]
    assert changes, "there is a change in place"
    assert list(dict.fromkeys(one for change in changes for one in change)) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "def f(x: Tensor):\n    x += 1\n    x -= x\n    x *= 2",
            [["parameter"], ["parameter"], ["parameter"]],
        ),
        (
            "def f(x: Tensor):\n    h = x[0]\n    h += 1\n    h /= 2\n    return x",
            [["parameter"], ["parameter"]],
        ),
        ("def f(x: Tensor):\n    x += 1\n    x = x @ x\n    x += 1", [["parameter"], []]),
        ("def f(x: Tensor):\n    y = x + 1\n    y += 1\n    a = y\n    y += 1\n    return a", [[], ["name"]]),
        (
            "def f(x: Tensor):\n    for i in range(3):\n        x += 1\n        x -= 2\n    return x",
            [["parameter"], ["parameter"]],
        ),
    ],
)
def test_what_was_changed_in_place_is_the_same_memory(source: str, expected: list[list[str]]) -> None:
    uses = [use for _, use in analysed(HEAD + source + "\n").uses() if use.shared is not None]
    assert [[one.kind for one in use.shared or ()] for use in uses] == expected


def test_the_operator_is_the_use() -> None:
    analysis = analysed(HEAD + "def f(x: Tensor):\n    x  //=  2\n")
    use = [(shift, use) for shift, use in analysis.uses() if use.operator]
    assert [(u.api, u.kind, u.certainty.value, u.operator) for _, u in use] == [
        ("torch.Tensor.__ifloordiv__", "call", "likely", "//=")
    ]
    shift, found = use[0]
    assert analysis.document.text(shift + found.start, shift + found.end) == "//="


@pytest.mark.parametrize("source", ["n = 0\nn += 1\n", "def f(n):\n    n += 1\n", "s = 'a'\ns += 'b'\n"])
def test_what_is_no_tensor_has_no_use(source: str) -> None:
    assert [use for _, use in analysed(HEAD + source).uses() if use.operator] == []
