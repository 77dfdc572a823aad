"""Writes PyTorch's own samples of layers and optimizers as scripts: layers.py FOLDER, run by a Python that has PyTorch
and expecttest, which `torch.testing._internal` needs.

One script for each class; `index.json` beside them names it, and a file of NumPy's beside each has the Tensors. Of a
layer, up to `COUNT` samples are taken, evenly spread, in training and in evaluation where these differ: its initial
weights from a seed, its result, the gradients of its inputs and weights, its buffers, the names in its state and how it
prints. Of an optimizer all samples are taken: the losses and weights of four steps, its state and groups.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from samples import PRELUDE, Script, UnwritableError
from torch.testing._internal.common_modules import module_db
from torch.testing._internal.common_optimizers import optim_db

COUNT = 6

OF_OPTIMIZERS = """x = torch.linspace(-2, 2, 20).reshape(5, 4) ** 2
y = torch.linspace(-1, 1, 15).reshape(5, 3)
"""
STEPS = """weight{n} = torch.nn.Parameter(torch.linspace(-1, 1, 12).reshape(3, 4))
bias{n} = torch.nn.Parameter(torch.linspace(-0.5, 0.5, 3))
optimizer{n} = {name}([weight{n}, bias{n}], {options})
def closure{n}():
    optimizer{n}.zero_grad()
    loss = ((torch.tanh(x @ weight{n}.t() / 9 + bias{n}) - y) ** 2).sum()
    loss.backward()
    return loss
result_losses{n} = [optimizer{n}.step(closure{n}).detach() for _ in range(4)]
result_weights{n} = [weight{n}.detach(), bias{n}.detach()]
result_state{n} = [sorted(map(str, each)) for each in optimizer{n}.state_dict()["state"].values()]
result_groups{n} = [sorted(map(str, each)) for each in optimizer{n}.param_groups]
result_text{n} = repr(optimizer{n})
"""


class Layers(Script):
    """Layers of one class, made and called."""

    def add_layer(self, name: str, sample: Any, is_training: bool) -> None:
        """A layer, as a sample makes and calls it. Raises UnwritableError where it cannot be written down."""
        tensors: dict[str, np.ndarray[Any, Any]] = {}
        made = f"{name}({self.arguments(sample.constructor_input, tensors)})"
        weights = set(tensors)
        called = self.arguments(sample.forward_input, tensors)
        leaves = [
            name for name, values in tensors.items() if values.dtype == np.float32 and name not in weights
        ]
        part = _part_of_result(made, called, tensors, leaves, is_training)
        self.calls += 1
        number = self.calls
        self.arrays |= tensors
        self.lines += [
            *[self.made(name, values) for name, values in tensors.items()],
            *[f"{name}.requires_grad_()" for name in leaves],
            f"torch.manual_seed({number})",
            f"result_initial{number} = [each.detach().clone() for each in {made}.parameters()]",
            f"layer{number} = {made}",
            f"layer{number}.{'train' if is_training else 'eval'}()",
            f"torch.manual_seed({number})",
            f"result{number} = layer{number}({called})",
            f"result_buffers{number} = [each.clone() for each in layer{number}.buffers()]",
            f"result_names{number} = list(layer{number}.state_dict())",
            f"result_text{number} = repr(layer{number})",
        ]
        if part is not None:
            of = f"result{number}{part}"
            self.lines += [
                f"weights = torch.linspace(0.5, 1.5, {of}.numel()).reshape({of}.shape)",
                f"gradients{number} = torch.autograd.grad(({of} * weights).sum(), "
                f"[*[{', '.join(leaves)}], *layer{number}.parameters()], allow_unused=True)",
            ]

    def arguments(self, given: Any, tensors: dict[str, np.ndarray[Any, Any]]) -> str:
        """The arguments of a sample, as source."""
        named = [f"{name}={self.written(value, tensors)}" for name, value in given.kwargs.items()]
        return ", ".join([*(self.written(value, tensors) for value in given.args), *named])


def _part_of_result(
    made: str, called: str, tensors: dict[str, np.ndarray[Any, Any]], leaves: list[str], is_training: bool
) -> str | None:
    """How the Tensor whose gradients are taken is had from a layer's result; None if it has none."""
    names: dict[str, Any] = {"torch": torch} | {name: torch.tensor(each) for name, each in tensors.items()}
    for name in leaves:
        names[name].requires_grad_()
    names["layer"] = eval(made, names)
    result, part = eval(f"layer.train({is_training})({called})", names), ""
    while isinstance(result, tuple | list):
        result, part = result[0], f"{part}[0]"
    has_gradient = isinstance(result, torch.Tensor) and result.requires_grad and result.dtype == torch.float32
    return part if has_gradient else None


def write_layers(info: Any, path: Path) -> None:
    """Write the script of a class of layers, with its Tensors beside it, if it has samples."""
    script = Layers()
    name = info.name if info.name.startswith("torch.") else f"torch.{info.name}"
    for is_training in (True, False) if info.train_and_eval_differ else (True,):
        torch.manual_seed(0)
        np.random.seed(0)
        options = {"device": "cpu", "dtype": torch.float32, "requires_grad": False, "training": is_training}
        every = list(info.module_inputs_func(info, **options))
        for sample in every[:: max(1, len(every) // COUNT)][:COUNT]:
            try:
                script.add_layer(name, sample, is_training)
            except (UnwritableError, RuntimeError):  # a layer among its arguments; what has no gradient
                continue
    if script.calls:
        np.savez(path.with_suffix(".npz"), **script.arrays)
        text = PRELUDE.format(file=path.with_suffix(".npz").name) + "\n".join(script.lines) + "\n"
        path.write_text(text, encoding="utf-8")


def write_optimizers(info: Any, path: Path) -> None:
    """Write the script of an optimizer."""
    name, steps = f"torch.optim.{info.optim_cls.__name__}", []
    for sample in info.optim_inputs_func(device="cpu"):
        try:
            options = ", ".join(f"{key}={_written(value)}" for key, value in sample.kwargs.items())
        except UnwritableError:
            continue
        steps.append(STEPS.format(n=len(steps) + 1, name=name, options=options))
    if steps:
        path.write_text("import torch\n" + OF_OPTIMIZERS + "".join(steps), encoding="utf-8")


def _written(value: Any) -> str:
    """An option as source. Raises UnwritableError where it has none."""
    if isinstance(value, torch.Tensor):
        return f"torch.tensor({value.tolist()!r})"
    if isinstance(value, tuple | list):
        return f"({''.join(f'{_written(part)}, ' for part in value)})"
    if value is None or isinstance(value, bool | int | float | str):
        return repr(value)
    raise UnwritableError


def main() -> None:
    """Write all scripts."""
    folder = Path(sys.argv[1])
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    names = {}
    for write, every in ((write_layers, module_db), (write_optimizers, optim_db)):
        for info in every:
            path = folder / f"example_{len(names):04}.py"
            write(info, path)
            if path.exists():
                is_layer = write is write_layers
                names[path.stem] = info.name if is_layer else f"torch.optim.{info.optim_cls.__name__}"
    (folder / "index.json").write_text(json.dumps(names), encoding="utf-8")


if __name__ == "__main__":
    main()
