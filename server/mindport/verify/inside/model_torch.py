"""Runs a model in PyTorch, and leaves its inputs, weights, outputs and gradients, and what each layer
gave."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

from mindport.verify.inside.model_values import EXACTLY, VALUES, called, factors, given_arrays, tensors_in


def run(task: dict[str, Any]) -> None:
    """Run the model of a task."""
    sys.path.insert(0, task["folder"])
    torch.manual_seed(task["seed"])
    np.random.seed(task["seed"])
    model = eval(task["expression"], vars(importlib.import_module(task["module"])))
    arrays = given_arrays(task["inputs"], task["seed"])
    tensors = [torch.from_numpy(each.copy()) for each in arrays]
    for each in tensors:
        each.requires_grad_(each.is_floating_point())
    values = {f"input {number}": each for number, each in enumerate(arrays)}
    is_module = isinstance(model, torch.nn.Module)
    handles: list[Any] = []
    if is_module:
        model.eval()
        values |= {f"weight {name}": _array(each) for name, each in model.state_dict().items()}
        handles = _keep_what_layers_give(model, values)
    outputs = list(tensors_in(called(model, task["inputs"], tensors), torch.Tensor))
    for handle in handles:
        handle.remove()
    values |= {f"output {number}": _array(each) for number, each in enumerate(outputs)}
    named = dict(model.named_parameters()) if is_module else {}
    gradients = _gradients(outputs, tensors, named)
    values |= gradients
    if gradients and is_module and task["exactly"]:
        values |= {f"{EXACTLY}{name}": each for name, each in _exact_gradients(model, task, tensors).items()}
    np.savez(Path(task["results"], VALUES), **values)


def _gradients(
    outputs: list[torch.Tensor], inputs: list[torch.Tensor], named: dict[str, torch.nn.Parameter]
) -> dict[str, np.ndarray]:
    """The gradients of the weighed sum of outputs, for the inputs and the parameters that have one."""
    of_floats = [each for each in outputs if each.is_floating_point() and each.requires_grad]
    if not of_floats:
        return {}
    weighted = [each * torch.from_numpy(factors(each.numel(), tuple(each.shape))) for each in of_floats]
    torch.stack([each.sum() for each in weighted]).sum().backward()
    differentiated = {f"input {number}": each for number, each in enumerate(inputs)} | named
    return {f"of {name}": _array(each.grad) for name, each in differentiated.items() if each.grad is not None}


def _exact_gradients(
    model: torch.nn.Module, task: dict[str, Any], inputs: list[torch.Tensor]
) -> dict[str, np.ndarray]:
    """The same gradients in float64; none where the model cannot compute in it."""
    try:
        model.double().zero_grad()
        wider = [each.detach().double() if each.is_floating_point() else each for each in inputs]
        for each in wider:
            each.requires_grad_(each.is_floating_point())
        outputs = list(tensors_in(called(model, task["inputs"], wider), torch.Tensor))
        return _gradients(outputs, wider, dict(model.named_parameters()))
    except Exception:  # noqa: BLE001 - whatever the model raises
        return {}


def _keep_what_layers_give(model: torch.nn.Module, values: dict[str, np.ndarray]) -> list[Any]:
    """Have what each layer gives first kept among the values, until the handles are removed."""

    def keep(name: str, given: Any) -> None:
        for number, each in enumerate(tensors_in(given, torch.Tensor)):
            values.setdefault(f"layer {name} {number}", _array(each))

    return [
        module.register_forward_hook(lambda _module, _inputs, given, name=name: keep(name, given))
        for name, module in model.named_modules()
    ]


def _array(tensor: torch.Tensor) -> np.ndarray:
    plain = tensor.detach().resolve_conj()
    found: np.ndarray = (plain.float() if plain.dtype == torch.bfloat16 else plain).cpu().numpy().copy()
    return found
