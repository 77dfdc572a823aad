"""Runs a converted model in MindSpore with the weights and inputs that PyTorch had, and compares what it
gives."""

from __future__ import annotations

import importlib
import sys
import traceback
from pathlib import Path
from typing import Any

import mindspore
import numpy as np
from mindspore._c_expression import run_backward
from mindspore.nn.cell import _pynative_executor

from mindport.verify.inside.model_values import (
    EXACTLY,
    VALUES,
    apart,
    called,
    factors,
    tensors_in,
    write_outcome,
)
from mindport.verify.inside.substitutes import substitute

_LAST_LINES = 12


class _NoTorch:
    """Refuses to import what a converted program must not need."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] == "torch":
            raise ImportError("a converted program imports torch")


def run(task: dict[str, Any]) -> None:
    """Run the model of a task, and leave what came of it."""
    sys.meta_path.insert(0, _NoTorch())
    mindspore.runtime.launch_blocking()
    outcome: dict[str, Any] = {"stage": "built", "error": None}
    outcome |= {"differences": {}, "layers": {}, "rounding": {}}
    substituted = substitute(*task["substitutes"]) if "substitutes" in task else set()
    sys.path.insert(0, task["folder"])
    try:
        with np.load(Path(task["results"], VALUES)) as values:
            model = _Model(task, dict(values), outcome)
            model.compare()
            if task.get("graph"):
                model.compare_in_graph_mode()
    except Exception:  # noqa: BLE001 - whatever a model raises is told
        outcome["error"] = "\n".join(traceback.format_exc().strip().splitlines()[-_LAST_LINES:])
    outcome["substituted"] = sorted(substituted)
    write_outcome(task["results"], outcome)


class _Model:
    """A converted model beside what PyTorch gave."""

    def __init__(self, task: dict[str, Any], values: dict[str, np.ndarray], outcome: dict[str, Any]) -> None:
        self._task = task
        self._values = values
        self._outcome = outcome
        module = importlib.import_module(task["module"])
        self._model = eval(task["expression"], vars(module))
        count = len(task["inputs"])
        self._inputs = [mindspore.Tensor(values[f"input {number}"]) for number in range(count)]

    def compare(self) -> None:
        """Give the model the weights, call it, then compare outputs, layers and gradients."""
        is_cell = isinstance(self._model, mindspore.nn.Cell)
        if is_cell:
            self._outcome["stage"] = "weights"
            self._model.set_train(False)
            weights = {name.removeprefix("weight "): each for name, each in self._of("weight ").items()}
            self._model.load_state_dict({name: mindspore.Tensor(each) for name, each in weights.items()})
        self._outcome["stage"] = "called"
        handles = list(self._watched()) if is_cell else []
        outputs = self._outputs(*self._inputs)
        for handle in handles:
            handle.remove()
        wanted = self._of("output ")
        if len(outputs) != len(wanted):
            raise ValueError(f"{len(outputs)} Tensors instead of {len(wanted)}")
        self._outcome["differences"] |= {
            name: apart(each.asnumpy(), value)
            for (name, value), each in zip(wanted.items(), outputs, strict=True)
        }
        if self._of("of "):
            self._outcome["stage"] = "gradients"
            self._compare_gradients(is_cell)
        self._outcome["stage"] = "compared"

    def compare_in_graph_mode(self) -> None:
        """Compile the model in graph mode, and compare what it gives then. What the compiler says is kept."""
        self._outcome["graph_differences"], self._outcome["graph_error"] = {}, None
        mindspore.set_context(mode=mindspore.GRAPH_MODE)
        try:
            outputs = self._outputs(*self._inputs)
            wanted = self._of("output ")
            self._outcome["graph_differences"] = {
                name: apart(each.asnumpy(), value)
                for (name, value), each in zip(wanted.items(), outputs, strict=True)
            }
        except Exception as error:  # noqa: BLE001 - whatever the compiler raises is told
            self._outcome["graph_error"] = str(error).strip() or type(error).__name__
        finally:
            mindspore.set_context(mode=mindspore.PYNATIVE_MODE)

    def _compare_gradients(self, is_cell: bool) -> None:
        """Compare the gradients, which are taken as converted programs take them: by walking back what was
        recorded, with a graph of its own in functions that compute their gradient anew."""
        wanted = self._of("of ")
        differentiated = {f"of input {number}": each for number, each in enumerate(self._inputs)}
        if is_cell:
            differentiated |= {f"of {name}": each for name, each in self._model.parameters_and_names()}
        differentiated = {name: each for name, each in differentiated.items() if name in wanted}
        for name, each in differentiated.items():
            if name.startswith("of input "):
                each._requires_grad = True
        _pynative_executor.set_grad_flag(True)
        total = self._weighted(*self._inputs)
        first = (mindspore.ops.ones_like(total),)
        tensors = tuple(differentiated.values())
        found = run_backward((total,), first, False, False, tensors, True, accumulate_grad=False)
        gradients = {n: each for n, each in zip(differentiated, found, strict=True) if each is not None}
        largest = max(float(np.abs(each).max(initial=0)) for each in wanted.values())
        for name, value in wanted.items():
            given = gradients[name].asnumpy() if name in gradients else np.full(1, np.nan)
            given = given.reshape(value.shape) if given.size == value.size else given
            self._outcome["differences"][name] = apart(given, value, 1e-2 * largest)
        for name, value in self._of(EXACTLY).items():
            rounded = wanted[name.removeprefix(EXACTLY)]
            self._outcome["rounding"][name.removeprefix(EXACTLY)] = apart(rounded, value, 1e-2 * largest)

    def _outputs(self, *tensors: Any) -> list[Any]:
        return list(tensors_in(called(self._model, self._task["inputs"], list(tensors)), mindspore.Tensor))

    def _weighted(self, *tensors: Any) -> Any:
        total = 0
        for each in self._outputs(*tensors):
            if each.is_floating_point():
                total = total + (each * mindspore.Tensor(factors(each.size, tuple(each.shape)))).sum()
        return total

    def _watched(self) -> Any:
        """Compare what each layer gives with what it gave in PyTorch, when it gives it first."""
        layers = self._outcome["layers"]

        def look(name: str, given: Any) -> None:
            for number, each in enumerate(tensors_in(given, mindspore.Tensor)):
                wanted = self._values.get(f"layer {name} {number}")
                if wanted is not None and name not in layers:
                    layers[name] = apart(each.asnumpy(), wanted)

        for name, cell in self._model.cells_and_names():
            yield cell.register_forward_hook(lambda _cell, _inputs, given, name=name: look(name, given))

    def _of(self, start: str) -> dict[str, np.ndarray]:
        return {name: each for name, each in self._values.items() if name.startswith(start)}
