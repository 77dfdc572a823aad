"""Run statements on Tensors in PyTorch and in MindSpore, as mindport converts them, and compare the results.

`python scripts/silent_statements.py` exits 1 if something is not as `mapping_data/statements/inventory.jsonl`
records it; `--write` records it. It needs both frameworks, and runs on CPU.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mindspore
import numpy as np
import torch
from mindspore import mint, ops

INVENTORY = Path(__file__).resolve().parents[1] / "mapping_data" / "statements" / "inventory.jsonl"
NUMBERS = {
    "a": ([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], "float32"),
    "d": ([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], "float64"),
    "h": ([1.0, 2.0], "float16"),
    "i": ([1, 2, 3], "int64"),
    "j": ([1, 2, 3], "int32"),
    "u": ([1, 2, 250], "uint8"),
    "b": ([True, False], "bool"),
    "s": (3.0, "float32"),
    "d0": (2.0, "float64"),
    "i0": (5, "int64"),
}
"""The Tensors that statements are about."""


def with_torch(statement: str) -> str:
    """What a statement gives in PyTorch."""
    names: dict[str, Any] = {
        name: torch.tensor(of, dtype=getattr(torch, dtype)) for name, (of, dtype) in NUMBERS.items()
    }
    return _result(statement, {**names, "torch": torch}, lambda one: one.detach().numpy(), torch.Tensor)


def with_mindspore(statement: str) -> str:
    """What it gives in MindSpore."""
    names: dict[str, Any] = {name: mindspore.tensor(np.array(of, d)) for name, (of, d) in NUMBERS.items()}
    modules = {"mindspore": mindspore, "mint": mint, "ops": ops}
    return _result(statement, {**names, **modules}, lambda one: one.asnumpy(), mindspore.Tensor)


def _result(statement: str, names: dict[str, Any], numbers: Callable[[Any], Any], kind: type) -> str:
    names["np"] = np
    try:
        exec(statement, names)
        return _shown(names.get("result", names["a"]), numbers, kind)
    except Exception as error:  # noqa: BLE001 — an error is what is recorded
        return type(error).__name__


def _shown(value: Any, numbers: Callable[[Any], Any], kind: type) -> str:
    if isinstance(value, kind):
        found = np.asarray(numbers(value))
        text = np.array2string(found, precision=4, threshold=30)
        return f"{str(value.dtype).rpartition('.')[2].lower()} {' '.join(text.split())}"
    if isinstance(value, (np.ndarray, np.generic)):
        return f"NumPy {value.dtype} {' '.join(np.array2string(value, precision=4).split())}"
    if isinstance(value, (tuple, list)):
        return f"({', '.join(_shown(one, numbers, kind) for one in value)})"
    return re.sub(r"\b(torch|mindspore)\.", "", repr(value)).lower()


def main() -> int:
    """Run everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    mindspore.set_device("CPU")
    mindspore.runtime.launch_blocking()  # an error is that of its own statement
    records = [json.loads(line) for line in INVENTORY.read_text("utf-8").splitlines()]
    wrong = 0
    for one in records:
        converted = one.get("converted", one["statement"])
        found = {"torch": with_torch(one["statement"]), "mindspore": with_mindspore(converted)}
        if {name: one.get(name) for name in found} != found:
            wrong += 1
            print(f"{one['statement']}: {found}")
        one.update(found)
    if write:
        lines = [json.dumps(one, ensure_ascii=False) for one in records]
        INVENTORY.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
