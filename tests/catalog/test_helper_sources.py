"""The helpers without a framework: they can be joined, and need nothing but MindSpore, NumPy and Python."""

from __future__ import annotations

import ast
import builtins
import subprocess
import sys
from pathlib import Path

import pytest
from mindport.catalog.catalog import Catalog
from mindport.catalog.helpers import Helpers, helper_names, read_helpers

DATA = Path(__file__).resolve().parents[2] / "mapping_data"
HELPERS = read_helpers(DATA)
NAMES = helper_names(DATA)


@pytest.mark.parametrize("name", sorted(HELPERS.names))
def test_a_helper_reads_only_what_is_defined(name: str) -> None:
    known = HELPERS.names | HELPERS.imported | set(dir(builtins)) | {"__class__"}
    assert HELPERS.fragment(name).reads <= known


@pytest.mark.parametrize("name", sorted(HELPERS.names))
def test_a_helper_by_itself_is_a_module(name: str) -> None:
    source = HELPERS.source([name])
    compile(source, name, "exec")
    assert max(len(line) for line in source.splitlines()) <= 110
    defined = [
        statement
        for statement in ast.parse(source).body
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef))
    ]
    assert all(ast.get_docstring(statement) or statement.name.startswith("_") for statement in defined)


def test_only_mindspore_what_it_needs_and_python_are_imported() -> None:
    for statement in ast.parse(HELPERS.source(HELPERS.names)).body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            module = statement.names[0].name if isinstance(statement, ast.Import) else statement.module or ""
            root = module.partition(".")[0]
            assert root in ("PIL", "mindspore", "numpy", "scipy") or root in sys.stdlib_module_names


def test_the_module_of_all_is_clean(tmp_path: Path) -> None:
    file = tmp_path / "mindport_helpers.py"
    file.write_text(HELPERS.source(HELPERS.names), encoding="utf-8")
    checked = subprocess.run(
        [
            Path(sys.executable).parent / "ruff",
            "check",
            "--isolated",
            "--select",
            "E,F,W,I",
            "--line-length",
            "110",
            file,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


LEFT_OUT = (
    "einops.",
    "huggingface_hub.",
    "safetensors.",
    "tensorboardX.",
    "torch._dynamo.utils.",  # private, not in the catalog
    "torch.backends.flags_frozen",  # undocumented, not in the catalog
    "torch.multiprocessing.",
    "torch.nn._reduction.",  # private modules, which the catalog has not
    "torch.nn.functional._Reduction.",
    "torch.utils.data._utils.collate.default_collate_fn_map",  # a dictionary, which the catalog has not
    "torch.utils._pytree.SUPPORTED_NODES",  # likewise
    "torchvision._is_tracing",
    "torchvision.transforms.RandomSizedCrop",  # of earlier releases
    "torchvision.transforms.Scale",
    "torchvision.models._utils.",
)


def test_every_api_is_torchs_and_every_helper_is_defined() -> None:
    catalog = Catalog.load()
    others = {
        api
        for api in NAMES
        if not api.startswith(LEFT_OUT) and not api.endswith(".__dict__") and catalog.canonical(api) != api
    }
    assert others == set()
    assert set(NAMES.values()) <= HELPERS.names


def test_the_order_is_that_of_definition_and_the_same_each_time() -> None:
    helpers = Helpers(
        {
            "a.py": "import numpy as np\n\n\nclass Child(Base):\n    size = np.pi\n",
            "b.py": "from math import pi\n\n\n# why\n@wrapped\nclass Base:\n    pass\n\n\ndef wrapped(kind):\n    return later(kind)\n\n\ndef later(kind, pi=pi):\n    return kind\n",
        }
    )
    assert helpers.with_dependencies(["Child"]) == ["wrapped", "Base", "Child", "later"]
    assert helpers.source(["Child"]) == helpers.source(["later", "Child"])
    assert helpers.source(["later"]).endswith(
        "\n\nfrom math import pi\n\n\ndef later(kind, pi=pi):\n    return kind\n"
    )
    assert "# why\n@wrapped\nclass Base:" in helpers.source(["Base"])


def test_a_name_is_defined_once() -> None:
    with pytest.raises(ValueError, match="one"):
        Helpers({"a.py": "def one(): pass\n", "b.py": "one = 1\n"})


def test_a_local_name_is_no_dependency() -> None:
    helpers = Helpers({"a.py": "def pad(): pass\n\n\ndef layer(pad):\n    return [pad for _ in range(3)]\n"})
    assert helpers.with_dependencies(["layer"]) == ["layer"]
