"""Runs scripts statement by statement and keeps what their names are bound to: run.py SIDE FOLDER RESULT, where
SIDE is `torch` or `mindspore`; RESULT gets, by script, the values and the statements that failed.

Each script runs in a process of its own, which may end as it likes. Layers get the same weights on both sides.
`--seed N` seeds what is drawn; `--write` leaves in each script only what did not fail.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import os
import pickle
import signal
import sys
import types
import warnings
from pathlib import Path
from typing import Any

import numpy as np

_SECONDS = 60
_DEEPEST = 5
_LARGE = 50_000
"""Of arrays of more values only every so manieth is kept."""
_KEPT = 20_000


class _Side:
    """What differs between the frameworks."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        if name == "torch":
            import torch

            torch.set_num_threads(1)
            torch.manual_seed(seed)
            self.tensor, self.layer = torch.Tensor, torch.nn.Module
        else:
            import mindspore

            mindspore.runtime.launch_blocking()
            mindspore.set_seed(seed)
            self.tensor, self.layer = mindspore.Tensor, mindspore.nn.Cell

    def array(self, value: Any) -> tuple[str, np.ndarray[Any, Any]]:
        """The dtype and the values of a Tensor."""
        if self.name == "mindspore":
            dtype = str(value.dtype).lower()
            return dtype, (value.float() if dtype == "bfloat16" else value).asnumpy().copy()
        import torch

        value = value.detach()
        if value.layout != torch.strided:
            value = value.to_dense()
        if value.is_quantized:
            value = value.dequantize()
        value = value.resolve_conj().resolve_neg()
        dtype = str(value.dtype).removeprefix("torch.")
        return dtype, (value.float() if dtype == "bfloat16" else value).numpy().copy()

    def fill(self, layer: Any) -> None:
        """Give a layer's weights known values."""
        drawn = np.random.RandomState(7)
        if self.name == "mindspore":
            import mindspore

            is_named = hasattr(layer, "named_buffers")  # then its statistics are no parameters
            for weight in layer.parameters() if is_named else layer.get_parameters():
                if weight.requires_grad or "moving_" not in weight.name:
                    values = drawn.uniform(-0.5, 0.5, weight.size).reshape(weight.shape)
                    weight.set_data(mindspore.Tensor(values, weight.dtype))
            return
        import torch

        for weight in layer.parameters():
            values = drawn.uniform(-0.5, 0.5, weight.numel()).reshape(tuple(weight.shape))
            weight.data.copy_(torch.from_numpy(values))


def plain(side: _Side, value: Any, depth: int = 0) -> tuple[Any, ...]:
    """A value as what can be compared without either framework."""
    if isinstance(value, side.tensor):
        dtype, values = side.array(value)
        if values.size > _LARGE:
            return "part", dtype, values.shape, values.ravel()[:: values.size // _KEPT].copy()
        return "tensor", dtype, values
    if value is None or isinstance(value, bool | int | float | complex | str):
        return "value", value
    if isinstance(value, np.generic):
        return "value", value.item()
    if isinstance(value, tuple | list) and depth < _DEEPEST:
        return "list", [plain(side, part, depth + 1) for part in value]
    if isinstance(value, dict) and depth < _DEEPEST:
        return "dict", {str(key): plain(side, part, depth + 1) for key, part in value.items()}
    return "other", type(value).__name__


def run(side: _Side, path: Path) -> tuple[dict[str, Any], list[tuple[str, str]], list[ast.stmt]]:
    """What the names of a script are bound to, which statements failed and why, and those that did not."""
    module = types.ModuleType(path.stem)
    sys.modules[path.stem] = module
    names = module.__dict__
    names["__file__"] = str(path)
    failed, sound = [], []
    filled: dict[int, Any] = {}
    for statement in ast.parse(path.read_text("utf-8")).body:
        before = {name: id(value) for name, value in names.items()}
        signal.alarm(_SECONDS)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(ast.Module([statement], []), str(path), "exec"), names)
            sound.append(statement)
        except BaseException as error:  # noqa: BLE001 - whatever an example raises
            failed.append((ast.unparse(statement), f"{type(error).__name__}: {error}"))
        signal.alarm(0)
        for name, value in list(names.items()):
            if isinstance(value, side.layer) and before.get(name) != id(value) and id(value) not in filled:
                filled[id(value)] = value
                with contextlib.suppress(Exception):
                    side.fill(value)
    found = {}
    for name, value in names.items():
        if not name.startswith("__") and not isinstance(value, types.ModuleType | types.FunctionType | type):
            try:
                found[name] = plain(side, value)
            except Exception as error:  # noqa: BLE001 - a Tensor that has no values
                found[name] = ("bad", repr(error))
            gradient = getattr(value, "grad", None) if isinstance(value, side.tensor) else None
            if gradient is not None:
                found[f"{name}.grad"] = plain(side, gradient)
    return found, failed, sound


def main() -> None:
    """Run all scripts."""
    parser = argparse.ArgumentParser()
    parser.add_argument("side", choices=("torch", "mindspore"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("result", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    folder = options.folder.resolve()
    paths = sorted(folder.glob("example_*.py"))
    sys.path.insert(0, str(folder))
    result = options.result.open("wb")
    os.chdir(folder)
    side = _Side(options.side, options.seed)
    signal.signal(signal.SIGALRM, _end)
    for path in paths:
        if os.fork():
            os.wait()
            continue
        found, failed, sound = run(side, path)
        if options.write:
            path.write_text("\n".join(map(ast.unparse, sound)) + "\n", encoding="utf-8")
        pickle.dump((path.stem, found, failed), result)
        result.flush()
        os._exit(0)


def _end(*_: object) -> None:
    raise TimeoutError(f"more than {_SECONDS} seconds")


if __name__ == "__main__":
    main()
