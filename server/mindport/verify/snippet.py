"""Snippets: short modules of torch code, one call each, with what the worker needs to run them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mindport.catalog.binding import first_binding
from mindport.verify.cases import (
    Case,
    calls_of,
    cases,
    constructor_cases,
    is_member,
    kind_of_inputs,
    makers_of,
)
from mindport.verify.combinations import combined
from mindport.verify.written import with_inputs, written

if TYPE_CHECKING:
    from mindport.catalog.api import Api
    from mindport.catalog.catalog import Catalog
    from mindport.verify.table import InputTable

_SEED = 20_260
_MODULE = "torch.nn.Module"
_OPTIMIZER = "torch.optim.Optimizer"
_HEADER = "import torch\n"
_MOST_OF_MEMBERS = 3
_FORWARD = ("f(3, 4)",)
"""What a layer is called with, unless the table says otherwise."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A text of torch code, the `case` it is made for, and the task without its text. `given` are
    the names of the parameters that the call gives, None where they are not known. `is_random`: compared by
    distribution. `otherwise`: other ones of the same shape, to run in turn where torch refuses it."""

    source: str
    case: Case
    task: dict[str, Any]
    given: frozenset[str] | None = None
    is_random: bool = False
    otherwise: tuple[Snippet, ...] = ()

    def task_for(self, source: str) -> dict[str, Any]:
        """The task for the worker, with the text to run."""
        return {**self.task, "source": source}


def snippets(api: Api, catalog: Catalog, table: InputTable) -> list[Snippet]:
    """All snippets for an API. Empty where no inputs are known."""
    inputs = table.api(api.name)
    found = [_expression(text, Case(text, ("positional",)), api, table) for text in inputs.code]
    if inputs.code and not (inputs.calls or inputs.make):
        return found
    if api.kind == "class":
        lineage = catalog.lineage(api.name)
        if _MODULE in lineage or inputs.run:
            return found + list(_modules(api, table))
        if _OPTIMIZER in lineage:
            return found + [_optimizer(api, case) for case in _constructors(api, table)]
        return found
    owner = catalog.api(api.name.rpartition(".")[0])
    if is_member(api) and owner is not None and owner.name != "torch.Tensor":
        return found + (_members(api, owner, table) if _MODULE in catalog.lineage(owner.name) else [])
    if api.kind in ("dtype", "constant"):
        return [_expression(api.name, Case(api.name, ("positional",)), api, table)]
    further = combined(api, table, calls_of(api, table))
    return found + [_call(api, case, table) for case in [*cases(api, table), *further]]


def _header(api: Api) -> str:
    """The imports, also of the library that an API is of."""
    library = api.name.partition(".")[0]
    return _HEADER + (f"import {library}\n" if library != "torch" else "") + "\n\n"


def _constructors(api: Api, table: InputTable) -> list[Case]:
    return [*constructor_cases(api, table), *combined(api, table, makers_of(api, table))]


def _call(api: Api, case: Case, table: InputTable) -> Snippet:
    arguments = with_inputs(case.arguments)
    last = api.name.rpartition(".")[2]
    if is_member(api):
        receiver, *rest = arguments.arguments
        receiver = receiver if receiver.isidentifier() else f"({receiver})"
        expression = f"{receiver}.{last}" + (f"({', '.join(rest)})" if api.kind == "method" else "")
    else:
        expression = f"{api.name}({arguments.text})"
    in_place = last.endswith("_") and not last.endswith("__")
    if in_place and arguments.inputs:
        body = f"    result = {expression}\n    return result, {arguments.names[0]}\n"
    else:
        body = f"    return {expression}\n"
    inputs = table.api(api.name)
    ordinary = case.inputs == "float32" and not {"positional", "keyword"}.isdisjoint(case.shapes)
    has_gradient = ordinary and inputs.gradient and not in_place and not inputs.is_random
    task = {"form": "call", "seed": _SEED, "inputs": arguments.inputs, "gradient": has_gradient}
    task["as_parameters"] = inputs.as_parameters
    source = _header(api) + _function(arguments.names) + body
    others = (_call(api, case._replace(arguments=text, otherwise=()), table) for text in case.otherwise)
    return Snippet(source, case, task, given(case, api), inputs.is_random, tuple(others))


def _expression(text: str, case: Case, api: Api, table: InputTable) -> Snippet:
    arguments = with_inputs(text)
    source = _header(api) + _function(arguments.names) + f"    return {arguments.text}\n"
    inputs = table.api(api.name)
    task = {"form": "call", "seed": _SEED, "inputs": arguments.inputs, "gradient": False}
    return Snippet(source, case, task, None, inputs.is_random)


def given(case: Case, api: Api) -> frozenset[str] | None:
    """The names of torch's parameters that a call gives; None where it binds to no signature."""
    arguments = written(case.arguments)
    found = first_binding(arguments[1:] if is_member(api) else arguments, api.signatures)
    return frozenset(item.parameter.name for item in found[1]) if found is not None else None


def _function(names: tuple[str, ...], first: str = "") -> str:
    parameters = [first] if first else []
    parameters += [f"{name}: torch.Tensor" for name in names]
    return f"def run({', '.join(parameters)}):\n"


def _modules(api: Api, table: InputTable) -> Iterator[Snippet]:
    """Layers: with the same weights, in evaluation and in training; fresh ones by their distribution."""
    inputs = table.api(api.name)
    calls = inputs.run or _FORWARD
    general = {
        "parameter_names": table.parameter_names,
        "no_state": table.no_state,
        "has_gradient": inputs.gradient,
        "as_arrays": inputs.as_arrays,
    }
    for place, case in enumerate(_constructors(api, table)):
        for number, call in enumerate(calls):
            if number and place:
                continue
            this = case._replace(inputs=kind_of_inputs(call, calls[0]))
            for training in (False, True):
                is_default = case.shapes == ("omitted",) and inputs.random_by_default
                is_random = training and (inputs.is_random or is_default)
                yield _module(api, this, call, training, general, is_random)
    for text in inputs.initial:
        yield _fresh(api, Case(text, ("omitted",), "initial"), general)


def _module(
    api: Api, case: Case, call: str, training: bool, general: dict[str, Any], is_random: bool
) -> Snippet:
    arguments = with_inputs(call)
    source = _header(api) + f"def make():\n    return {api.name}({case.arguments})\n\n\n"
    source += _function(arguments.names, "module") + f"    return module({arguments.text})\n"
    is_ordinary = not {"positional", "keyword"}.isdisjoint(case.shapes)
    has_gradient = is_ordinary and training and not is_random and general["has_gradient"]
    task = {"form": "module", "seed": _SEED, "inputs": arguments.inputs, "gradient": has_gradient}
    task |= {**general, "fill": not general["as_arrays"], "training": training}
    others = (
        _module(api, case._replace(arguments=text, otherwise=()), call, training, general, is_random)
        for text in case.otherwise
    )
    return Snippet(source, case, task, given(case, api), is_random, tuple(others))


def _members(api: Api, owner: Api, table: InputTable) -> list[Snippet]:
    """An attribute of a layer, or its `forward`."""
    last = api.name.rpartition(".")[2]
    calls = table.api(owner.name).run or _FORWARD
    if api.kind == "method" and last != "forward":
        return []
    arguments = with_inputs(calls[0] if api.kind == "method" else "")
    expression = f"module.{last}({arguments.text})" if api.kind == "method" else f"module.{last}"
    general = {"parameter_names": table.parameter_names, "no_state": table.no_state}
    found = []
    for case in constructor_cases(owner, table)[:_MOST_OF_MEMBERS]:
        source = _header(api) + f"def make():\n    return {owner.name}({case.arguments})\n\n\n"
        source += _function(arguments.names, f"module: {owner.name}") + f"    return {expression}\n"
        task = {"form": "module", "seed": _SEED, "inputs": arguments.inputs, "gradient": False}
        training = {"fill": True, "training": False, **general}
        found.append(Snippet(source, Case(case.arguments, ("positional",)), {**task, **training}))
    return found


def _fresh(api: Api, case: Case, general: dict[str, Any]) -> Snippet:
    source = _header(api) + f"def make():\n    return {api.name}({case.arguments})\n\n\n"
    source += _function((), "module") + "    return None\n"
    task = {"form": "module", "seed": _SEED, "inputs": [], "gradient": False, "fill": False}
    return Snippet(source, case, {**task, **general, "training": None}, given(case, api), is_random=True)


def _optimizer(api: Api, case: Case) -> Snippet:
    """Three steps of two parameters. In the arguments, `params` stands for them."""
    source = _header(api) + f"def make(params):\n    return {api.name}({case.arguments})\n\n\n"
    source += "def run(parameter):\n    return parameter\n"
    inputs = [{"name": f"x{n}", "make": "f", "shape": shape} for n, shape in enumerate(([2, 3], [4]))]
    return Snippet(source, case, {"form": "optimizer", "seed": _SEED, "inputs": inputs}, given(case, api))
