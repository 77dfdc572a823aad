"""Attributes that code outside of a class sets on its objects."""

from __future__ import annotations

from pathlib import Path

import pytest
from looking import shown, uses, write
from mindport.catalog.catalog import Catalog
from mindport.infer.evaluator import Evaluator
from mindport.infer.project_graph import ProjectGraph
from mindport.infer.propagation import Propagation
from mindport.source.document import Document
from mindport.uses.analysis import analyse

HEAD = "import torch\n"
READING = "class A:\n    def f(self):\n        self.w.view(1)\n"
FOUND = "call torch.Tensor.view <- self.w.view (likely)"
SETTING = {
    "a function that is given the object": "def fill(a):\n    a.w = torch.ones(1)\nfill(A())",
    "a function that is given it as `self`": "def fill(self):\n    self.w = torch.ones(1)\nfill(A())",
    "where it is made": "a = A()\na.w = torch.ones(1)",
    "one of several targets": "a = A()\na.v, a.w = 1, torch.ones(1)",
    "of the class": "A.w = torch.ones(1)",
    "of an annotated parameter": "def fill(a: A):\n    a.w = torch.ones(1)",
    "of an attribute": "class B:\n    def __init__(self):\n        self.a = A()\n        self.a.w = torch.ones(1)",
}
NOT_SETTING = {
    "nothing": "",
    "another attribute": "a = A()\na.v = torch.ones(1)",
    "of another class": "class B: pass\nb = B()\nb.w = torch.ones(1)",
    "something else": "a = A()\na.w = 1",
}


@pytest.mark.parametrize("name", SETTING)
def test_what_is_set_is_read(name: str) -> None:
    assert FOUND in uses(f"{HEAD}{READING}{SETTING[name]}\n")


@pytest.mark.parametrize("name", NOT_SETTING)
def test_what_is_not_set_is_not_known(name: str) -> None:
    assert FOUND not in uses(f"{HEAD}{READING}{NOT_SETTING[name]}\n")


def test_an_attribute_that_the_class_has_counts_for_itself() -> None:
    source = f"{HEAD}class A:\n    def __init__(self): self.w = 1\n    def f(self): self.w.view(1)\na = A()\n"
    assert not [line for line in uses(f"{source}a.w = torch.ones(1)\n") if "view" in line]


def test_until_it_is_set_it_is_none() -> None:
    source = (
        f"{HEAD}class A:\n    def __init__(self): self.w = None\n    def f(self): self.w.view(1)\na = A()\n"
    )
    assert FOUND in uses(f"{source}a.w = torch.ones(1)\n")


def test_a_subclass_has_what_is_set_on_objects_of_its_base() -> None:
    source = f"{HEAD}class A: pass\nclass B(A):\n    def f(self):\n        self.w.view(1)\na = A()\na.w = torch.ones(1)\n"
    assert FOUND in uses(source)


def test_across_modules_and_after_edits(tmp_path: Path) -> None:
    filling = "import torch\ndef fill(a):\n    a.w = torch.ones(1)\n"
    texts = {
        "pkg/__init__.py": "",
        "pkg/fill.py": filling,
        "pkg/a.py": f"from .fill import fill\n{READING}fill(A())\n",
    }
    write(tmp_path, texts)
    graph = ProjectGraph(Catalog.load(), [tmp_path])
    evaluator = Evaluator(graph, Catalog.load())
    propagation = Propagation(evaluator)

    def found(text: str) -> bool:
        path = tmp_path / "pkg" / "fill.py"
        graph.set_document(str(path), "pkg.fill", Document.open(str(path), text))
        modules = [module for name in texts if (module := graph.module(str(tmp_path / name))) is not None]
        propagation.settle(modules)
        module = graph.module(str(tmp_path / "pkg" / "a.py"))
        assert module is not None
        return FOUND in shown(analyse(evaluator, module))

    assert found(filling)
    assert not found(filling.replace("torch.ones(1)", "1"))
    assert found(filling)
    assert not found("def fill(a): pass\n")


FILLED = """
class A:
    def keep(self):
        self.kept["a"] = torch.ones(1)
    def f(self):
        self.kept["a"].view(1)
"""


@pytest.mark.parametrize(
    ("setting", "expected"), {"{}": "(likely)", "dict()": "(likely)", "1": "", "unseen()": "(likely)"}.items()
)
def test_a_container_that_methods_fill(setting: str, expected: str) -> None:
    source = f"{HEAD}{FILLED}def fill(a):\n    a.kept = {setting}\nfill(A())\n"
    found = [line for line in uses(source) if "self.kept" in line]
    assert found == ([f'call torch.Tensor.view <- self.kept["a"].view {expected}'] if expected else [])
