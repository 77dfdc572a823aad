"""Write `mapping_data/catalog/torch-VERSION.jsonl` by introspection of the installed torch.

Run in an environment that has torch: `python scripts/catalog_torch.py`. See `docs/mapping.md`.
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
import types
from pathlib import Path

import builtin_defaults
import public_apis
import torch
from describe import Describer, Record
from naming import Names
from signatures import Stub
from type_names import TypeNames
from walk import walk

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "mapping_data"
FACTS = ROOT.parent / "shared" / "facts" / "official_mapping.jsonl"

PRIVATE = (
    "torch._C",
    "torch._C._nn",
    "torch._C._fft",
    "torch._C._linalg",
    "torch._C._special",
    "torch._C._distributed_c10d",
    "torch._dynamo",
    "torch._dynamo.config",
    "torch._inductor",
    "torch._inductor.config",
    "torch._functorch",
    "torch._higher_order_ops",
    "torch._jit_internal",
    "torch._library",
    "torch._logging",
    "torch._lowrank",
    "torch._ops",
    "torch._tensor",
    "torch._tensor_str",
    "torch._utils",
    "torch._utils_internal",
    "torch._VF",
    "torch.cuda._utils",
    "torch.distributed._tensor",
    "torch.jit._script",
    "torch.jit._trace",
    "torch.nn.modules._functions",
    "torch.nn.parallel._functions",
    "torch.onnx._internal",
    "torch.onnx._internal.torchscript_exporter.symbolic_helper",
    "torch.optim._functional",
    "torch.optim._multi_tensor",
    "torch.utils._contextlib",
    "torch.utils._foreach_utils",
    "torch.utils._python_dispatch",
    "torch.utils._pytree",
    "torch.utils.data._utils",
    "torch.utils.data._utils.collate",
    "torch.utils.data._utils.worker",
)
SKIP = re.compile(
    r"^torch\.(testing\._|_inductor\.(?!config$)|_dynamo\.(?!config$)|ao\.pruning\._|contrib|"
    r"distributed\.(pipelining|_shard)\._|utils\.(benchmark\.examples|bottleneck\.|hipify\.)|"
    r"utils\.data\.datapipes\.gen_pyi|fx\.experimental\.(?!proxy_tensor$|symbolic_shapes$|optimization$)|"
    r"ops\.|cuda\.sparse|distributed\.flight_recorder|distributed\.elastic\.(rendezvous|timer|metrics)\."
    r")|__main__$"
)


def stub_scope() -> dict[str, object]:
    """What names in torch's stubs mean."""
    from torch import types as torch_types

    scope = {**vars(torch), **vars(torch_types), "torch": torch, "SymInt": int, "SymBool": bool}
    return {**scope, "float": float, "int": int, "bool": bool, "str": str, "type": type}


def stub_files() -> dict[str, Stub]:
    """The stub for a module, by the module's name."""
    folder = Path(torch.__file__).parent
    files = {
        "torch._C": "_C/__init__.pyi",
        "torch._C._VariableFunctions": "_C/_VariableFunctions.pyi",
        "torch._C._nn": "_C/_nn.pyi",
        "torch._C._distributed_c10d": "_C/_distributed_c10d.pyi",
        "torch.nn.functional": "nn/functional.pyi",
        "torch.nn.parameter": "nn/parameter.pyi",
        "torch.return_types": "return_types.pyi",
        "torch.jit._script": "jit/_script.pyi",
    }
    return {module: Stub(folder / path) for module, path in files.items() if (folder / path).exists()}


def documented_names(path: Path) -> set[str]:
    """The torch names that the official mapping tables use."""
    if not path.exists():
        return set()
    with path.open(encoding="utf-8") as lines:
        return {json.loads(line)["torch"] for line in lines}


def official_of(value: object) -> str | None:
    """Where a torch builtin is declared: the stub module."""
    owner = getattr(value, "__self__", None)
    if isinstance(owner, types.ModuleType):
        return owner.__name__
    return "torch._C._VariableFunctions" if inspect.isbuiltin(value) else None


def records(facts: Path) -> list[Record]:
    """All API records of the installed torch."""
    found = walk("torch", PRIVATE, SKIP)
    rules = DATA / "curated" / "torch_names.json"
    names = Names("torch", found, documented_names(facts), rules, lambda v: isinstance(v, torch.dtype))
    describer = Describer(
        "torch",
        names,
        TypeNames(names.of_class),
        stub_files(),
        stub_scope(),
        merged={torch._C.TensorBase: "torch.Tensor"},
        builtin_home=official_of,
        known_returns=json.loads((DATA / "curated" / "torch_returns.json").read_text(encoding="utf-8")),
    )
    found = describer.all()
    # torch's own files import it, so that it is a member of itself: `torch.torch.Tensor`
    next(record for record in found if record["name"] == "torch")["aliases"] = ["torch.torch"]
    builtin_defaults.fill(found)
    public_apis.mark(found, {name: names.found.modules[name] for name in names.modules})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=DATA / "catalog")
    parser.add_argument("--facts", type=Path, default=FACTS, help="names to prefer among aliases")
    options = parser.parse_args()
    version = ".".join(torch.__version__.split("+")[0].split(".")[:2])
    Describer.write(records(options.facts), options.output / f"torch-{version}.jsonl")


if __name__ == "__main__":
    main()
