"""Write the catalog of the installed MindSpore into `mapping_data/catalog`, by introspection.

Run in an environment that has MindSpore, of the latest or of an older version:
`python scripts/catalog_mindspore.py`. See `docs/mapping.md`.
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
from pathlib import Path

import catalog_versions
import mindspore
from describe import Describer, Record
from naming import Names
from type_names import TypeNames
from walk import walk

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "mapping_data"
FACTS = ROOT.parent / "shared" / "facts" / "official_mapping.jsonl"

DOCUMENTED = (
    "amp|boost|common|common.initializer|communication|communication.comm_func|communication.management|"
    "context|dataset|dataset.audio|dataset.config|dataset.dataloader|dataset.text|dataset.transforms|"
    "dataset.utils|dataset.vision|device_context.*|experimental.*|hal.*|mindrecord|mint.*|multiprocessing|nn|"
    "nn.learning_rate_schedule|nn.optim|nn.probability.*|numpy|onnx|ops|parallel.*|profiler|rewrite|"
    "runtime|scipy|scipy.linalg|scipy.optimize|scipy.sparse|train|train.callback|train.metrics|utils"
)
"""The modules whose names are public; all others are where things happen to be defined."""
_NAMES = "|".join(re.escape(n).replace(r"\.\*", r"(\..*)?") for n in DOCUMENTED.split("|"))
SKIP = re.compile(
    rf"^mindspore\.(?!({_NAMES})$)|\._|\.layer|mint\..*\.(functional_|dist)|parallel\.[^.]+\.[^.]+$"
)
_PLATFORM = re.compile(r"Supported Platforms:\s*\n\s*((?:``\w+``\s*)+)")


def platforms(value: object) -> list[str]:
    """What the docstring says under `Supported Platforms`, in lower case."""
    match = _PLATFORM.search(inspect.getdoc(value) or "")
    return sorted({name.lower() for name in re.findall(r"``(\w+)``", match[1])}) if match else []


def is_dtype(value: object) -> bool:
    """MindSpore's dtypes are instances of compiled classes."""
    return isinstance(value, mindspore._c_expression.typing.Type)


def documented_names(path: Path) -> set[str]:
    """The MindSpore names that the official mapping tables use."""
    if not path.exists():
        return set()
    with path.open(encoding="utf-8") as lines:
        return {json.loads(line)["mindspore"] for line in lines}


def records(facts: Path) -> list[Record]:
    """All API records of the installed MindSpore."""
    found = walk("mindspore", (), SKIP)
    rules = DATA / "curated" / "mindspore_names.json"
    names = Names("mindspore", found, documented_names(facts), rules, is_dtype)
    scope = {**vars(mindspore), "mindspore": mindspore, "int": int, "float": float, "bool": bool, "str": str}
    describer = Describer(
        "mindspore",
        names,
        TypeNames(names.of_class),
        {},
        scope,
        merged={mindspore.Tensor.__mro__[1]: "mindspore.Tensor"},
        builtin_home=lambda _: None,
        platforms=platforms,
    )
    return describer.all()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=DATA / "catalog")
    parser.add_argument("--facts", type=Path, default=FACTS, help="names to prefer among aliases")
    options = parser.parse_args()
    version = ".".join(mindspore.__version__.split(".")[:2])
    found = json.loads(json.dumps(records(options.facts)))
    catalog_versions.save(options.output, version, {r["name"]: r for r in found})


if __name__ == "__main__":
    main()
