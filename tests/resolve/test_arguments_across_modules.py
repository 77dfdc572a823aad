"""What calls in one module give for the parameters of functions of another."""

from __future__ import annotations

from pathlib import Path

import pytest
from looking import shown, write
from mindport.catalog.catalog import Catalog
from mindport.index.module import Module
from mindport.infer.evaluator import Evaluator
from mindport.infer.project_graph import ProjectGraph
from mindport.infer.propagation import Propagation
from mindport.source.document import Document
from mindport.uses.analysis import Analysis, analyse

LAYERS = """class Block:
    def __init__(self, width, act=None, *, norm=None):
        self.act = act()
        norm(width)
    def build(self, kind): kind()
class Own(Block): pass
def make(width, act): return act()
"""
TORCH = "from torch import nn\nfrom functools import partial\n"

REACHING = {
    "positional": "from pkg.layers import Block\nBlock(3, nn.GELU)",
    "keyword": "from pkg.layers import Block\nBlock(3, act=nn.GELU)",
    "relative import": "from .layers import make\nmake(3, nn.GELU)",
    "module": "import pkg.layers\npkg.layers.make(3, nn.GELU)",
    "module by another name": "from . import layers as parts\nparts.make(3, nn.GELU)",
    "re-exported": "from pkg import Block\nBlock(3, nn.GELU)",
    "imported in a function": "def f():\n    from .layers import make\nfrom .layers import make\nmake(3, nn.GELU)",
    "partial": "from .layers import make\nmake(3, partial(nn.GELU, 'tanh'))",
    "a local name": "from .layers import make\nact = nn.GELU\nmake(3, act=nn.GELU if act else None)",
    "super": "from .layers import Block\nclass B(Block):\n    def __init__(self):\n        super().__init__(3, nn.GELU)",
    "super across a local class": (
        "from .layers import Block\nclass A(Block): pass\n"
        "class B(A):\n    def __init__(self):\n        super().__init__(3, nn.GELU)"
    ),
    "a class that inherits the constructor": "from .layers import Block\nclass B(Block): pass\nB(3, nn.GELU)",
    "an heir over there": "from .layers import Own\nOwn(3, nn.GELU)",
    "an inherited method": (
        "from .layers import Block\nclass B(Block):\n    def f(self):\n        self.build(nn.GELU)"
    ),
    "passed on": "from .layers import make\ndef f(act): return make(3, act)\nf(nn.GELU)",
    "passed on from a default": "from .layers import make\ndef f(act=nn.GELU): return make(3, act)",
}
NOT_REACHING = {
    "another class of the name": "class Block: pass\nBlock(3, nn.GELU)",
    "another module's": "from .other import make\nmake(3, nn.GELU)",
    "another parameter": "from .layers import make\nmake(nn.GELU, 3)",
    "overridden": "from .layers import Block\nclass B(Block):\n    def __init__(self, w, a): pass\nB(3, nn.GELU)",
    "something else": "from .layers import make\ndef gelu(): pass\nmake(3, gelu)",
    "no call": "from .layers import make\nmake, nn.GELU",
    "a method for the constructor": (
        "from .layers import Block\nclass B(Block):\n    def f(self):\n        self.build(3, nn.GELU)"
    ),
}


class Project:
    """A project on disk of which every module is known; it is kept up to date."""

    def __init__(self, root: Path, files: dict[str, str]) -> None:
        write(root, files)
        self.root = root
        self.graph = ProjectGraph(Catalog.load(), [root])
        self.evaluator = Evaluator(self.graph, Catalog.load())
        self.propagation = Propagation(self.evaluator)
        self.modules: dict[str, Module] = {}
        for path, text in files.items():
            self.put(path, text)

    def put(self, path: str, text: str) -> None:
        """The text of a module has changed."""
        name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        file = str(self.root / path)
        self.modules[path] = self.graph.set_document(file, name, Document.open(file, text))

    def analyse(self, path: str) -> Analysis:
        """What is found in a module, when it is quiet."""
        self.propagation.settle(list(self.modules.values()))
        return analyse(self.evaluator, self.modules[path])

    def uses(self, path: str) -> list[str]:
        return [line for line in shown(self.analyse(path)) if not line.startswith("import ")]


def project(tmp_path: Path, giver: str, layers: str = LAYERS) -> Project:
    files = {
        "pkg/__init__.py": "from .layers import Block\n",
        "pkg/layers.py": layers,
        "pkg/other.py": "def make(width, act): pass\n",
        "pkg/giver.py": TORCH + giver,
    }
    return Project(tmp_path, files)


@pytest.mark.parametrize("name", REACHING)
def test_what_is_given_elsewhere_reaches_the_parameter(name: str, tmp_path: Path) -> None:
    found = [line for line in project(tmp_path, REACHING[name]).uses("pkg/layers.py") if "GELU" in line]
    assert [line for line in found if line.startswith("call torch.nn.GELU <- ")]
    assert all(line.endswith("(likely)") for line in found)


@pytest.mark.parametrize("name", NOT_REACHING)
def test_what_is_given_to_others_does_not(name: str, tmp_path: Path) -> None:
    assert project(tmp_path, NOT_REACHING[name]).uses("pkg/layers.py") == []


def test_a_callable_of_the_users_own_is_one_of_the_alternatives(tmp_path: Path) -> None:
    giver = "from .layers import make\ndef own(): pass\nmake(3, own)\nmake(3, nn.GELU)"
    assert project(tmp_path, giver).uses("pkg/layers.py") == ["call torch.nn.GELU <- act (possible)"]


def test_it_is_passed_on_through_a_third_module(tmp_path: Path) -> None:
    write(tmp_path, {"pkg/between.py": ""})
    found = project(tmp_path, "from .between import build\nbuild(nn.GELU)")
    assert found.uses("pkg/layers.py") == []
    found.put("pkg/between.py", "from .layers import make\ndef build(act): return make(3, act)\n")
    assert found.uses("pkg/layers.py") == ["call torch.nn.GELU <- act (likely)"]


def test_modules_that_only_pass_on_to_each_other_support_nothing(tmp_path: Path) -> None:
    layers = "from .giver import other\ndef make(width, act):\n    act()\n    other(act)\n"
    found = project(tmp_path, "from .layers import make\ndef other(act): make(3, act)\n", layers)
    assert found.uses("pkg/layers.py") == []


def test_a_function_is_called_again_when_what_hid_it_is_gone(tmp_path: Path) -> None:
    function = "def make(width, act): return act()\n"
    found = project(tmp_path, "", f"{TORCH}{function}from .nowhere import make\n")
    assert found.uses("pkg/layers.py") == []
    found.put("pkg/layers.py", f"{TORCH}make(3, nn.GELU)\n{function}")
    assert "call torch.nn.GELU <- act (likely)" in found.uses("pkg/layers.py")


def test_a_default_that_every_caller_gives_something_for_is_none(tmp_path: Path) -> None:
    kinds = ["GELU", "SiLU", "Tanh", "ELU", "Sigmoid"]
    giver = "from .layers import make\n" + "".join(f"make(3, nn.{kind})\n" for kind in kinds)
    layers = "from torch import nn\ndef make(width, act=nn.ReLU): return act()\n"
    found = project(tmp_path, giver, layers)
    assert found.uses("pkg/layers.py") == ["reference torch.nn.ReLU <- nn.ReLU"]
    found.put("pkg/giver.py", TORCH + "from .layers import make\nmake(3, nn.GELU)\nmake(3)\n")
    uses = found.uses("pkg/layers.py")
    assert "call torch.nn.ReLU <- act (likely)" in uses and "call torch.nn.GELU <- act (likely)" in uses


def test_what_the_constructor_is_given_does_not_reach_a_method(tmp_path: Path) -> None:
    found = project(tmp_path, "from .layers import Block\nBlock(nn.GELU, 3)").uses("pkg/layers.py")
    assert found == ["reference torch.nn.GELU <- width (likely)"]


def test_a_name_that_a_module_imports_from_a_library_is_the_librarys(tmp_path: Path) -> None:
    found = project(tmp_path, "from .layers import make\nmake(3, nn.GELU)", "from somelib import make\n")
    found.put("pkg/other.py", "def make(width, act): return act()\n")
    assert found.uses("pkg/other.py") == []


def test_another_function_that_is_exported_by_the_name_is_not_meant(tmp_path: Path) -> None:
    layers = "def make(width, act): return act()\ndef other(width, act): pass\n"
    found = project(tmp_path, "from pkg import make\nmake(3, nn.GELU)", layers)
    found.put("pkg/__init__.py", "from .layers import make\n")
    found.put("pkg/giver.py", TORCH + "from pkg import make\nmake(3, nn.GELU)")
    assert found.uses("pkg/layers.py") == ["call torch.nn.GELU <- act (likely)"]
    found.put("pkg/__init__.py", "from .layers import other as make\n")
    assert found.uses("pkg/layers.py") == []


def test_only_who_is_given_something_else_is_looked_at_again(tmp_path: Path) -> None:
    found = project(tmp_path, "from .layers import make\nmake(3, nn.GELU)")
    before = found.analyse("pkg/layers.py").blocks
    found.put("pkg/giver.py", TORCH + "from .layers import make\nmake(4, nn.GELU)")
    same = found.analyse("pkg/layers.py").blocks
    found.put("pkg/giver.py", TORCH + "from .layers import make\nmake(3, nn.ReLU)")
    after = found.analyse("pkg/layers.py").blocks
    assert [one.found for one in before] == [one.found for one in same]
    changed = [one.found is not other.found for one, other in zip(before, after, strict=True)]
    assert changed[-1] and not any(changed[:-2])


def test_a_giver_may_be_gone(tmp_path: Path) -> None:
    found = project(tmp_path, "from .layers import make\nmake(3, nn.GELU)")
    assert found.uses("pkg/layers.py") == ["call torch.nn.GELU <- act (likely)"]
    del found.modules["pkg/giver.py"]
    found.graph.forget(str(tmp_path / "pkg/giver.py"))
    found.put("pkg/layers.py", LAYERS)
    assert found.uses("pkg/layers.py") == []


def test_what_an_object_is_follows_it_to_who_does_not_import_its_class(tmp_path: Path) -> None:
    giver = "from .parts import Part\nfrom .layers import run\nrun(Part())\n"
    found = project(tmp_path, giver, "def run(part): part.made().relu()\n")
    found.put("pkg/parts.py", "import torch\nclass Part:\n    def made(self): return torch.ones(1)\n")
    assert found.uses("pkg/layers.py") == ["call torch.Tensor.relu <- part.made().relu (likely)"]
    found.put("pkg/parts.py", "import torch\nclass Part:\n    def made(self): return 3\n")
    assert found.uses("pkg/layers.py") == ["call torch.Tensor.relu <- part.made().relu (possible)"]


def test_modules_that_call_each_other(tmp_path: Path) -> None:
    layers = "from .giver import other\ndef make(width, act):\n    act()\n    other(act)\n"
    giver = "from .layers import make\ndef other(act): make(3, act)\nother(nn.GELU)\n"
    found = project(tmp_path, giver, layers).uses("pkg/layers.py")
    assert found == ["call torch.nn.GELU <- act (likely)", "reference torch.nn.GELU <- act (likely)"]
