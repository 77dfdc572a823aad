"""The forms of snippets: how each is run. A snippet is the text of a module with a function `run`, and for
most forms a function `make`."""

from __future__ import annotations

import linecache
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy

from mindport.verify.inside.making import filled, made
from mindport.verify.inside.observing import numbers, observed

_MODULE = "snippet"
Reply = dict[str, Any]
_STEPS = 10
_STATISTICS = ("running_mean", "running_var")
_SECOND: Mapping[str, Callable[[Any], Callable[..., Any]]] = {
    "second": lambda side: side.second_gradients,
    "second_in_graph": lambda side: partial(side.second_gradients, in_graph=True),
}
"""The ways to take gradients of gradients that a task may ask for."""
_SCALES = ("running_var", "weight_g", "scale")


def run(side: Any, task: Mapping[str, Any]) -> Reply:
    """Run a task and tell its result. Raises what the snippet raises."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{_MODULE}.py"
        path.write_text(task["source"], encoding="utf-8")
        linecache.checkcache()
        module = ModuleType(_MODULE)
        module.__file__ = str(path)
        sys.modules[_MODULE] = module  # frameworks look for the source of what they compile
        exec(compile(task["source"], path, "exec"), vars(module))
        side.seed(task["seed"])
        return _FORMS[task["form"]](side, task, vars(module))


def _inputs(side: Any, task: Mapping[str, Any]) -> list[Any]:
    make = side.parameter if task.get("as_parameters") else side.tensor
    if task.get("as_arrays"):
        make = side.piped
    return [make(made(spec, task["seed"] + n)) for n, spec in enumerate(task["inputs"])]


def _call(side: Any, task: Mapping[str, Any], scope: Mapping[str, Any]) -> Reply:
    """`run` with the inputs."""
    reply: Reply = {"value": observed(side, scope["run"](*_inputs(side, task)))}
    for way in task.get("second", ()):
        reply[way] = _gradient(_SECOND[way](side), scope["run"], _inputs(side, task), (), side)
    if task.get("gradient"):
        reply["gradient"] = _gradient(side.gradients, scope["run"], _inputs(side, task), (), side)
        reply["gradient_of_parameters"] = _gradient_of_parameters(side, task, scope["run"])
    return reply


def _gradient_of_parameters(side: Any, task: Mapping[str, Any], call: Callable[..., Any]) -> Reply:
    """The gradients for Parameters in the place of Tensors: a Parameter has methods of its own."""
    inputs = []
    named = []
    for number, spec in enumerate(task["inputs"]):
        array = made(spec, task["seed"] + number)
        is_trained = array.dtype.kind in "fc"
        inputs.append(side.parameter(array, f"x{number}") if is_trained else side.tensor(array))
        if is_trained:
            named.append((f"x{number}", inputs[-1]))
    return _gradient(side.gradients, lambda: call(*inputs), (), named, side)


def _module(side: Any, task: Mapping[str, Any], scope: Mapping[str, Any]) -> Reply:
    """What `make` makes gets the same weights in both frameworks; then `run` with it and the inputs. Its
    parameters and buffers are told too, as they are afterwards."""
    module = scope["make"]()
    names = task["parameter_names"]
    named = [(_known_as(name, names), parameter) for name, parameter in side.parameters(module)]
    if task.get("fill"):
        _fill(side, named)
    if task.get("training") is not None:
        side.train(module, task["training"])
    result = scope["run"](module, *_inputs(side, task))
    value = observed(side, side.unpiped(result) if task.get("as_arrays") else result)
    state = {name: _flat(side, parameter) for name, parameter in named if name not in task["no_state"]}
    reply: Reply = {"value": {"kind": "sequence", "parts": [value, {"kind": "state", "parts": state}]}}
    run = scope["run"]

    def call(*given: Any) -> Any:  # no `partial`: MindSpore ends at one that is compiled with a cell
        return run(module, *given)

    for way in task.get("second", ()):
        reply[way] = _gradient(_SECOND[way](side), call, _inputs(side, task), named, side)
    if task.get("gradient"):
        reply["gradient"] = _gradient(side.gradients, call, _inputs(side, task), named, side)
    return reply


def _known_as(name: str, names: Mapping[str, str]) -> str:
    """A parameter's name as torch has it: parts of it may be others in MindSpore, or be there only."""
    return ".".join(known for part in name.split(".") if (known := names.get(part, part)))


def _fill(side: Any, named: list[tuple[str, Any]]) -> None:
    for name, parameter in named:
        values = side.array(parameter)
        last = name.rpartition(".")[2]
        is_kept = not getattr(parameter, "requires_grad", False) and last not in _STATISTICS
        if values.dtype.kind == "f" and not is_kept:
            size = int(numpy.prod(values.shape))
            side.assign(parameter, filled(name, size, last in _SCALES))


def _flat(side: Any, parameter: Any) -> Reply:
    """A parameter without its shape: layers may keep their weights in other ones."""
    flat = side.array(parameter).reshape(-1)
    return {"kind": "tensor", "dtype": str(flat.dtype), "shape": [flat.size], **numbers(flat)}


def _gradient(
    gradients: Callable[..., Any], call: Callable[..., Any], inputs: Any, named: Any, side: Any
) -> Reply:
    """The gradients as plain data; `none` and `why` where there is none."""
    try:
        of_inputs, of_weights = gradients(call, inputs, named)
        weights = {name: _flat(side, value) for name, value in of_weights.items()}
        parts = [observed(side, value) for value in of_inputs]
    except Exception as error:  # noqa: BLE001 - whatever a framework raises: there is no gradient
        return {"kind": "none", "why": f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"}
    return {
        "kind": "sequence",
        "parts": [{"kind": "sequence", "parts": parts}, {"kind": "state", "parts": weights}],
    }


def _optimizer(side: Any, task: Mapping[str, Any], scope: Mapping[str, Any]) -> Reply:
    """Some steps with given gradients; the parameters afterwards."""
    specs = task["inputs"]
    starts = _inputs(side, task)
    gradients = [
        [side.tensor(made(spec, 1000 * step + n)) for n, spec in enumerate(specs)]
        for step in range(1, _STEPS + 1)
    ]
    stepped = side.steps(scope["make"], starts, gradients)
    return {"value": observed(side, [scope["run"](parameter) for parameter in stepped])}


_FORMS = {"call": _call, "module": _module, "optimizer": _optimizer}
