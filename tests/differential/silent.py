"""The measured silent differences as snippets: `silent_calls.json` has one for each item."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mindport.catalog.catalog import Catalog
from mindport.verify.cases import Case
from mindport.verify.snippet import Snippet
from mindport.verify.table import InputTable
from mindport.verify.written import with_inputs

CALLS: Mapping[str, Mapping[str, Any]] = json.loads(
    (Path(__file__).parent / "silent_calls.json").read_text(encoding="utf-8")
)
_SEED = 7


def snippet_of(item: str, catalog: Catalog) -> Snippet:
    """The snippet of an item."""
    return snippet_from(CALLS[item], catalog)


def snippet_from(call: Mapping[str, Any], catalog: Catalog) -> Snippet:
    """The snippet of an entry such as `silent_calls.json` has."""
    text = call.get("call") or call.get("run") or call.get("inputs", "")
    taken = with_inputs(text)
    table = InputTable.of(catalog)
    task = {"form": "call", "seed": _SEED, "inputs": taken.inputs, "gradient": call.get("gradient", False)}
    task |= {"parameter_names": table.parameter_names, "no_state": table.no_state}
    parameters = [f"{name}: torch.Tensor" for name in taken.names]
    if "source" in call:
        source = call["source"]
    elif "optimizer" in call:
        source = f"def make(params):\n    return {call['optimizer']}\n\n\ndef run(parameter):\n    return parameter\n"
        inputs = [{"name": "x0", "make": "f", "shape": [2, 3]}, {"name": "x1", "make": "f", "shape": [4]}]
        task |= {"form": "optimizer", "inputs": inputs}
    elif "make" in call:
        owner = call["make"].partition("(")[0]
        source = f"def make():\n    return {call['make']}\n\n\n"
        result = call.get("code") or f"module({taken.text})"
        source += f"def run({', '.join([f'module: {owner}', *parameters])}):\n    return {result}\n"
        fill = not call.get("fresh", False)
        task |= {"form": "module", "fill": fill, "training": call.get("training")}
    else:
        source = f"def run({', '.join(parameters)}):\n    return {taken.text}\n"
    if "source" not in call:
        source = "import torch\n\n\n" + source
    return Snippet(source, Case(text, ("positional",)), task, None, call.get("is_random", False))
