"""Writes operators of two values of every two dtypes as scripts: dtypes.py FOLDER.

One script for each operator; `index.json` beside them names it. The values are Tensors of three numbers and of one
without axes, and Python's own numbers; what cannot be computed in PyTorch is left out when the scripts are run.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

DTYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64")
NUMBERS = {"truth": "True", "whole": "2", "fraction": "2.5", "complex": "(1+2j)"}
OPERATORS = {
    **{
        f"operator {sign}": f"{{0}} {sign} {{1}}"
        for sign in ["+", "-", "*", "/", "//", "%", "**", "==", "<", "&", "<<"]
    },
    **{
        f"function {name}": f"torch.{name}({{0}}, {{1}})"
        for name in [
            "add",
            "mul",
            "div",
            "pow",
            "atan2",
            "fmod",
            "remainder",
            "rsub",
            "maximum",
            "min",
            "floor_divide",
            "hypot",
            "outer",
            "dot",
            "logical_and",
            "isclose",
        ]
    },
    **{f"method {name}": f"{{0}}.{name}({{1}})" for name in ["add", "div", "pow", "sub", "eq", "gt"]},
    **{f"in place {name}": f"{{0}}.clone().{name}({{1}})" for name in ["add_", "mul_"]},
    "add with alpha": "torch.add({0}, {1}, alpha=2)",
    "where": "torch.where(truth, {0}, {1})",
    "cat": "torch.cat([{0}, {1}])",
    "stack": "torch.stack([{0}, {1}])",
    "lerp": "torch.lerp({0}, {1}, 0.5)",
    "masked_fill": "{0}.masked_fill(truth, {1})",
    "clamp": "torch.clamp({0}, max={1})",
    "augmented assignment": "augmented({0}, {1})",
    "assignment to a part": "with_part({0}, {1})",
}
PRELUDE = """import torch
truth = torch.tensor([True, False, True])
def augmented(a, b):
    a = a.clone()
    a += b
    return a
def with_part(a, b):
    a = a.clone()
    a[1:] = b[1:] if isinstance(b, torch.Tensor) and b.ndim else b
    return a
"""


def values() -> dict[str, str]:
    """The Tensors, by name, as source."""
    found = {}
    for dtype in DTYPES:
        several, one = ("[1, 0, 1]", "1") if dtype == "bool" else ("[1, 2, 3]", "2")
        found[f"several_{dtype}"] = f"torch.tensor({several}).to(torch.{dtype})"
        found[f"one_{dtype}"] = f"torch.tensor({one}).to(torch.{dtype})"
    return found


def script(template: str) -> str:
    """The calls of one operator."""
    tensors = values()
    lines = [f"{name} = {source}" for name, source in tensors.items()]
    named = {name: name for name in tensors}
    pairs = [(a, b) for a in named for b in (*named, *NUMBERS)]
    if "{0}." not in template:
        pairs += [(a, b) for a in NUMBERS for b in named]
    written = named | NUMBERS
    lines += [f"result_{a}_{b} = {template.format(written[a], written[b])}" for a, b in pairs]
    return PRELUDE + "\n".join(lines) + "\n"


def main() -> None:
    """Write all scripts."""
    folder, names = Path(sys.argv[1]), {}
    for number, (name, template) in enumerate(OPERATORS.items()):
        path = folder / f"example_{number:04}.py"
        path.write_text(script(template), encoding="utf-8")
        names[path.stem] = name
    (folder / "index.json").write_text(json.dumps(names), encoding="utf-8")


if __name__ == "__main__":
    main()
