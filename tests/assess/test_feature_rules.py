"""MP700 to MP711: what they find of features, and what they leave alone."""

from __future__ import annotations

import pytest
from findings import codes, found_in

HEAD = "import torch\nfrom torch import nn\n\n"
LOOP = "for i, (x, y) in enumerate(loader):\n"
SELECT: dict[str, object] = {"select": ["MP7"]}


def test_one_finding_a_file() -> None:
    source = (
        f"{HEAD}def a(x):\n    with torch.autocast('cuda'):\n        return x\n\n\n"
        "def b(x):\n    scaler = torch.cuda.amp.GradScaler()\n    with torch.autocast('cuda'):\n"
        "        return scaler, x\n"
    )
    assert codes(source, **SELECT) == ["MP701 torch.autocast"]
    _, found = found_in(source, **SELECT)
    assert [found.document.lines.line_of(one.start) for one in found.diagnostics()] == [4]
