"""What mindport says of the statements of `mapping_data/statements/inventory.jsonl`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mindport.catalog.catalog import Catalog
from mindport.project.session import Session
from mindport.project.setting_table import Settings
from mindport.source.document import Document

INVENTORY = Path(__file__).resolve().parents[1] / "mapping_data" / "statements" / "inventory.jsonl"
HEAD = """import numpy as np
import torch


def run():
    a = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
    d = a.double()
    h = torch.tensor([1.0, 2.0], dtype=torch.float16)
    i = torch.tensor([1, 2, 3])
    j = torch.tensor([1, 2, 3], dtype=torch.int32)
    u = torch.tensor([1, 2, 250], dtype=torch.uint8)
    b = torch.tensor([True, False])
    s = torch.tensor(3.0)
    d0 = torch.tensor(2.0, dtype=torch.float64)
    i0 = torch.tensor(5)
"""
TAIL = "\n    return result, a\n"
_TELLING = ("MP2", "MP3")


def differing() -> list[dict[str, Any]]:
    """The statements that give something else in MindSpore, in the order of the inventory."""
    records = [json.loads(line) for line in INVENTORY.read_text("utf-8").splitlines()]
    return [one for one in records if one["torch"] != one["mindspore"]]


def is_error(result: str) -> bool:
    """Whether a result is the name of an error."""
    return result.endswith("Error")


def told(statement: str) -> list[str]:
    """The codes of what is found in a statement."""
    session = Session(Catalog.load(), Settings(device="cpu", show="everything"))
    found = session.analyse("untitled:a.py", Document.open("untitled:a.py", f"{HEAD}    {statement}{TAIL}"))
    start = len(HEAD.encode())
    codes = {one.code for one in found.findings if one.start >= start and one.code is not None}
    return sorted(code for code in codes if code.startswith(_TELLING))
