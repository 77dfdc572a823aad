"""Reads the layers of all cases from files in which PyTorch has kept them as objects: pickled.py HELPERS RESULT, run by
a Python that has both frameworks. RESULT gets what differs, per case."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import mindspore
import numpy as np
import torch
from compare import CASES, arrays, differs, plain, resolve

_TOLERANCE = 1e-4


def made_in_pytorch(case: Any, names: dict[str, Any]) -> tuple[Any, Any, io.BytesIO]:
    """A layer in evaluation mode, what it gives, and the file that has it."""
    torch.manual_seed(0)
    layer = eval(f"kind({case.made})", {**names, "kind": resolve(case.apis[0])}).eval()
    file = io.BytesIO()
    found = eval(f"net({case.called})", {**names, "net": layer})
    torch.save(layer, file)
    file.seek(0)
    return layer, found, file


def read(case: Any, helpers: dict[str, Any]) -> str | None:
    """How a layer that is read from PyTorch's file differs from it; None where PyTorch makes none of the case, or
    gives an error."""
    inputs = arrays(case.inputs)
    names = {"np": np, "torch": torch, "nn": torch.nn, "tensor": torch.tensor}
    names |= {name: getattr(torch, name) for name in ("float16", "float32", "float64", "bool")}
    names |= {name: torch.from_numpy(np.array(value)) for name, value in inputs.items()}
    try:
        layer, ours, file = made_in_pytorch(case, names)
    except Exception:  # noqa: BLE001 - a case that is there for its error, or of a layer that is not made yet
        return None
    given = {name: mindspore.Tensor(np.array(value)) for name, value in inputs.items()}
    try:
        net = helpers["load"](file, weights_only=False)
        theirs = eval(f"net({case.called})", {"np": np, "tensor": mindspore.tensor, "net": net, **given})
    except Exception as error:  # noqa: BLE001 - told like one that differs
        return f"{type(error).__name__}: {error}"[:300]
    if list(layer.state_dict()) != list(net.state_dict()):
        return f"has {list(net.state_dict())} instead of {list(layer.state_dict())}"
    return differs(plain(ours), plain(theirs), _TOLERANCE)


def main(helpers: str, result: str) -> None:
    """Read all, and write what differs."""
    made: dict[str, Any] = {"__name__": "mindport_helpers"}
    exec(compile(Path(helpers).read_text(encoding="utf-8"), helpers, "exec"), made)
    layers = [
        case
        for case in CASES
        if not case.script
        and case.called
        and case.apis[0].startswith("torch.nn.")
        and "Lazy" not in case.apis[0]
    ]
    found = {case.name: read(case, made) for case in layers}
    compared = {name: said for name, said in found.items() if said is not None}
    Path(result).write_text(json.dumps(compared, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
