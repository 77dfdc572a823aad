"""Write `mapping_data/catalog/torchvision-VERSION.jsonl` by introspection of torchvision's Python files.

Run in an environment that has torch: `python scripts/catalog_torchvision.py FOLDER`, where FOLDER holds the
package `torchvision`. Its compiled part is not needed. See `docs/mapping.md`.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

import public_apis
import torch
from describe import Describer, Record
from naming import Names
from type_names import TypeNames
from walk import is_private, walk

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "mapping_data"
SKIP = re.compile(
    r"^torchvision\.(prototype|extension|version|datasets\.samplers|models\.\w+\.\w+)|__main__$"
)
COMPILED = ("nms", "qnms", "roi_align", "roi_pool", "ps_roi_align", "ps_roi_pool", "deform_conv2d")
"""Operators of the compiled part; all but `qnms` have a gradient."""


def declare() -> torch.library.Library:
    """The operators that torchvision's modules look for while they are imported."""
    library = torch.library.Library("torchvision", "DEF")
    for name in COMPILED:
        library.define(f"{name}(Tensor a) -> Tensor")
        if name not in ("nms", "qnms"):
            library.define(f"_{name}_backward(Tensor a) -> Tensor")
    return library


def records() -> list[Record]:
    """All API records of the package."""
    found = walk("torchvision", (), SKIP)
    names = Names("torchvision", found, set(), DATA / "curated" / "torch_names.json", lambda _: False)
    describer = Describer(
        "torchvision",
        names,
        TypeNames(names.of_class),
        {},
        {"torchvision": sys.modules["torchvision"], "Tensor": torch.Tensor},
        merged={},
        builtin_home=lambda _: None,
    )
    made = describer.all()
    public_apis.mark(made, {name: names.found.modules[name] for name in names.modules})
    kept = [r for r in made if r["name"].startswith("torchvision") and not is_private(r["name"])]
    texts = [json.dumps(record).replace('"torch.Tensor"', '"Tensor"') for record in kept]
    return [json.loads(re.sub(r'"<\w+\.\w+: [^">]*>"', '"..."', text)) for text in texts]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--output", type=Path, default=DATA / "catalog")
    options = parser.parse_args()
    sys.path.insert(0, str(options.folder))
    library = declare()
    import torchvision

    version = ".".join(torchvision.__version__.split("+")[0].split(".")[:2])
    Describer.write(records(), options.output / f"torchvision-{version}.jsonl")
    del library


if __name__ == "__main__":
    main()
