"""Write `mapping_data/catalog/LIBRARY-VERSION.jsonl` by introspection of a library's Python files.

Run in an environment that has torch: `python scripts/catalog_library.py torchaudio FOLDER`, where FOLDER
holds the package (a wheel, unpacked) without its compiled files (`find FOLDER -name '*.so' -delete`). See
`docs/mapping.md`.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.machinery
import json
import re
import sys
import types
from pathlib import Path

import public_apis
import torch
from describe import Describer, Record
from naming import Names
from type_names import TypeNames
from walk import is_private, walk

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "mapping_data"
SKIPPED = {
    "torchvision": r"prototype|extension|version|datasets\.samplers|models\.\w+\.\w+",
    "torchaudio": r"version|lib|kaldi_io|backend\.\w+|utils\.sox_utils|prototype|models\.\w+\.\w+",
    "torchtext": r"version|experimental|prototype|models\.\w+\.\w+",
}
"""Modules that are nobody's business outside the library, or not stable."""
OPERATORS = ("nms", "qnms", "roi_align", "roi_pool", "ps_roi_align", "ps_roi_pool", "deform_conv2d")
"""Operators of torchvision's compiled part; all but `qnms` have a gradient."""


def declare() -> torch.library.Library:
    """The operators that torchvision's modules look for while they are imported."""
    library = torch.library.Library("torchvision", "DEF")
    for name in OPERATORS:
        library.define(f"{name}(Tensor a) -> Tensor")
        if name not in ("nms", "qnms"):
            library.define(f"_{name}_backward(Tensor a) -> Tensor")
    return library


class _Compiled(types.ModuleType):
    """Stands in for torchtext's compiled module, of which its Python files import classes by name."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        value = type(name, (), {"__module__": self.__name__})
        setattr(self, name, value)
        return value


def stand_in() -> None:
    """Make `torchtext._torchtext` importable."""
    name = "torchtext._torchtext"
    module = _Compiled(name)
    module.__spec__ = importlib.machinery.ModuleSpec(name, None)
    sys.modules[name] = module


def records(library: str) -> list[Record]:
    """All API records of the package."""
    found = walk(library, (), re.compile(rf"^{library}\.({SKIPPED[library]})(\.|$)|__main__$"))
    names = Names(library, found, set(), DATA / "curated" / "torch_names.json", lambda _: False)

    def named(value: object) -> str | None:
        return "Tensor" if value is torch.Tensor else names.of_class(value)

    describer = Describer(
        library,
        names,
        TypeNames(named),
        {},
        {library: sys.modules[library], "Tensor": torch.Tensor},
        merged={},
        builtin_home=lambda _: None,
    )
    made = describer.all()
    add_bases(made, names)
    public_apis.mark(made, {name: names.found.modules[name] for name in names.modules})
    kept = [r for r in made if r["name"].startswith(library) and not is_private(r["name"])]
    texts = [_plainly(json.dumps(record)) for record in kept]
    return [json.loads(re.sub(r'"<\w+\.\w+: [^">]*>"', '"..."', text)) for text in texts]


def add_bases(made: list[Record], names: Names) -> None:
    """The classes of torch that a class of the library derives from; the nearest ones as its bases, where it
    derives from none of the library's that is public."""
    of_torch = torch_classes()
    public = {record["name"] for record in made if not is_private(str(record["name"]))}
    for record in made:
        cls = names.objects.get(str(record["name"]))
        if record["kind"] != "class" or not isinstance(cls, type):
            continue
        above = [base for base in cls.__mro__[1:] if _full_name(base) in of_torch]
        own: list[str] = list(record.get("bases", []))  # type: ignore[call-overload]
        if above and not public.intersection(own):
            nearest = [one for one in above if not any(one in other.__mro__[1:] for other in above)]
            record["bases"] = [*own, *(of_torch[_full_name(one)] for one in nearest)]
        if above:
            lineage: list[str] = list(record.get("lineage", []))  # type: ignore[call-overload]
            record["lineage"] = [*lineage, *(of_torch[_full_name(one)] for one in above)]


def _full_name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def torch_classes() -> dict[str, str]:
    """The names of torch's classes, by all the names that they have."""
    found = {}
    for line in (DATA / "catalog" / "torch-2.13.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["kind"] == "class":
            found.update(dict.fromkeys([record["name"], *record.get("aliases", [])], record["name"]))
    return found


def _plainly(text: str) -> str:
    """A record's text with the names that people write."""
    return text.replace('"torch.Tensor"', '"Tensor"').replace("torch._VariableFunctionsClass.", "torch.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", choices=sorted(SKIPPED))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--output", type=Path, default=DATA / "catalog")
    options = parser.parse_args()
    sys.path.insert(0, str(options.folder))
    operators = declare()
    stand_in()
    module = importlib.import_module(options.library)
    version = ".".join(str(module.__version__).split("+")[0].split(".")[:2])
    Describer.write(records(options.library), options.output / f"{options.library}-{version}.jsonl")
    del operators


if __name__ == "__main__":
    main()
