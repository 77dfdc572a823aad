"""Write `mapping_data/libraries/other_types.json`: the public members of types that share names with
torch.Tensor, by introspection.

Run in an environment with the packages: `python scripts/other_types.py`. Resolution reads the file to tell
which member names only a Tensor has.
"""

from __future__ import annotations

import importlib
import json
import logging
from pathlib import Path

TYPES = {
    "builtins": [
        "str",
        "bytes",
        "int",
        "float",
        "complex",
        "bool",
        "list",
        "tuple",
        "dict",
        "set",
        "range",
        "slice",
    ],
    "collections": ["OrderedDict", "Counter", "deque", "defaultdict"],
    "datetime": ["datetime", "date", "timedelta"],
    "decimal": ["Decimal"],
    "fractions": ["Fraction"],
    "io": ["TextIOWrapper", "BytesIO"],
    "logging": ["Logger"],
    "numpy": ["ndarray", "generic", "dtype", "random.Generator"],
    "pandas": ["DataFrame", "Series", "Index"],
    "pathlib": ["Path"],
    "PIL.Image": ["Image"],
    "re": ["Pattern", "Match"],
    "torch": ["nn.Module", "optim.Optimizer", "Size", "dtype", "device", "Generator"],
    "torch.utils.data": ["DataLoader", "Dataset"],
}


INSTANCES = {"logging.Logger": logging.getLogger("any")}
"""Objects of classes that set attributes when one is made."""


def members(module: str, name: str) -> dict[str, list[str]]:
    """The public names of a type: those of methods, and of attributes, which cannot be called."""
    value: object = importlib.import_module(module)
    for part in name.split("."):
        value = getattr(value, part)
    value = INSTANCES.get(f"{module}.{name}", value)
    names = sorted(member for member in dir(value) if not member.startswith("_"))
    methods = [member for member in names if callable(getattr(value, member))]
    return {"attributes": sorted(set(names).difference(methods)), "methods": methods}


def main() -> None:
    """Write the file."""
    found = {f"{module}.{name}": members(module, name) for module, names in TYPES.items() for name in names}
    target = Path(__file__).parents[1] / "mapping_data" / "libraries" / "other_types.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"  {json.dumps(name)}: {json.dumps(names)}" for name, names in sorted(found.items())]
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
