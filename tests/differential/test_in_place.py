"""MP206 is right both ways: what it reports differs when it is run, and what it does not report is the same.

Each program gives back all that it changes. It is converted by all fixes and run in both frameworks, in the
Python that MINDPORT_TORCH_PYTHON names.
"""

from __future__ import annotations

from typing import Any

import pytest
from mindport.catalog.catalog import Catalog
from mindport.catalog.target import Target
from mindport.rewrite.conversion import convert
from mindport.rewrite.edit import applied
from mindport.verify.compare import Way, compare
from mindport.verify.pool import TrialWorker
from silent import snippet_from
from test_silence import findings

DIFFERENT = {
    "a parameter": (
        "def change(x: torch.Tensor):\n        x += 1\n\n    y = x0 * 2\n    change(y)\n    return y"
    ),
    "another name": "a = x0 * 2\n    y = a\n    y += 1\n    return a",
    "a row": "a = x0 * 2\n    y = a[0]\n    y += 1\n    return a",
    "a transposed view": "a = x0 * 2\n    y = a.transpose(0, 1)\n    y += 1\n    return a",
    "rows": "a = x0 * 2\n    for row in a:\n        row *= 2\n    return a",
    "one of two parts": "a = x0 * 2\n    p, q = a.chunk(2)\n    p -= 1\n    return a, q",
    "stored before": "y = x0 * 2\n    seen = [0]\n    seen.append(y)\n    y += 1\n    return seen[1]",
    "stored in each round": (
        "y = x0 * 2\n    seen = []\n    for i in range(3):\n        y += 1\n        seen.append(y)\n"
        "    return seen[0]"
    ),
    "another name in the next round": (
        "y = x0 * 2\n    a = y\n    found = 0\n    for i in range(3):\n        found = found + a\n"
        "        y += 1\n    return found"
    ),
    "by a method, a row": "a = x0 * 2\n    y = a[0]\n    y.add_(1)\n    return a",
    "a chain on a row": "a = x0 * 2\n    a[0].mul_(3).add_(1)\n    return a",
    "a chain on what a call gives of a view": "a = x0 * 2\n    a.t().mul_(3).add_(1)\n    return a",
    "by a method, a row of what is not read again": "y = (x0 * 2)[0]\n    y.add_(1)\n    return y",
}
SAME = {
    "made here": "y = x0 * 2\n    y += 1\n    return y",
    "bound anew": "a = x0 * 2\n    y = a\n    a = x0\n    y += 1\n    return y, a",
    "another name, read before": "a = x0 * 2\n    y = a\n    z = a + 1\n    y += 1\n    return y, z",
    "picked by a mask": "a = x0 * 2\n    y = a[a > 0]\n    y += 1\n    return a, y",
    "copied into a row": "a = x0 * 2\n    y = a[0] + 1\n    a[1] = y\n    y += 1\n    return a, y",
    "a sum in a loop": "y = x0 * 2\n    for i in range(3):\n        y += x0\n    return y",
    "on one path": "y = x0 * 2\n    if y.shape[0] > 1:\n        y += 1\n    z = y\n    return z",
    "both parts": "p, q = (x0 * 2).chunk(2)\n    p -= 1\n    q += 1\n    return p, q",
    "stored afterwards": "y = x0 * 2\n    y += 1\n    seen = []\n    seen.append(y)\n    return seen[0]",
    "by a method": "y = x0 * 2\n    y.mul_(3)\n    y.add_(1)\n    return y",
    "a chain": "y = x0 * 2\n    y.mul_(3).add_(1)\n    return y",
    "a chain, its result": "y = x0 * 2\n    z = y.mul_(3).add_(1).sub_(y)\n    return y, z",
    "a chain on a new Tensor": "y = torch.abs(x0).mul_(3).add_(x0)\n    return x0, y",
    "a chain after a function": "y = x0 * 2\n    torch.relu_(y).add_(1)\n    return y",
    "a chain after zero_": "y = x0 * 2\n    y.zero_().add_(x0)\n    return y",
    "a chain in a comprehension": "a = [x0 * 2, x0 * 3]\n    b = [y * 2 for y in a]\n"
    "    return [(one * 2).mul_(3).add_(1) for one in b]",
    "chains in one expression": "y = x0 * 2\n    return y.mul_(3).add_(1) + y.mul_(2).add_(y), y",
    "by a method, another name": "a = x0 * 2\n    y = a\n    y.add_(1)\n    return a",
}


def outcome(catalog: Catalog, body: str, workers: tuple[TrialWorker, TrialWorker]) -> tuple[bool, Any, str]:
    """Whether MP206 is reported, what differs when the program is run (None: nothing), and what became of it."""
    source = f"import torch\n\n\ndef run(x0: torch.Tensor):\n    {body}\n"
    snippet = snippet_from({"source": source, "inputs": "f(4, 3)"}, catalog)
    _, found = findings(catalog, Target(device="cpu"), source)
    converted = applied(source.encode(), convert(found, unsafe=True).edits).decode()
    torch, mindspore = workers
    ours, theirs = torch.run(snippet.task_for(source)), mindspore.run(snippet.task_for(converted))
    assert "error" not in ours, ours
    if "error" in theirs:
        return any(p.code == "MP206" for p in found.diagnostics()), theirs["error"], converted
    verdict = compare(ours["value"], theirs["value"], Way(is_random=False))
    return any(p.code == "MP206" for p in found.diagnostics()), verdict.aspect, converted


@pytest.mark.parametrize("body", DIFFERENT.values(), ids=DIFFERENT)
def test_what_is_reported_differs(
    catalog: Catalog, body: str, workers: tuple[TrialWorker, TrialWorker]
) -> None:
    is_reported, difference, converted = outcome(catalog, body, workers)
    assert is_reported
    assert difference is not None, converted


@pytest.mark.parametrize("body", SAME.values(), ids=SAME)
def test_what_is_not_reported_is_the_same(
    catalog: Catalog, body: str, workers: tuple[TrialWorker, TrialWorker]
) -> None:
    is_reported, difference, converted = outcome(catalog, body, workers)
    assert not is_reported
    assert difference is None, f"{difference}\n{converted}"
