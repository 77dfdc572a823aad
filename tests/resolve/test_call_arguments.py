"""What calls in a module give for parameters, and that edits of calls and functions are noticed."""

from __future__ import annotations

import pytest
from looking import shown, uses
from mindport.catalog.catalog import Catalog
from mindport.infer.evaluator import Evaluator
from mindport.infer.project_graph import ProjectGraph
from mindport.infer.propagation import Propagation
from mindport.source.document import Document
from mindport.uses.analysis import analyse

MODULE = "import torch\nfrom torch import nn\nfrom functools import partial\n"
BLOCK = "class Block:\n    def __init__(self, width, act):\n        self.act = act()\n"

CALLED = {
    "positional": "def f(width, act): act()\nf(3, nn.GELU)",
    "keyword": "def f(width, act): act()\nf(act=nn.GELU, width=3)",
    "constructor": BLOCK + "Block(3, nn.GELU)",
    "with functools.partial": BLOCK + "Block(3, partial(nn.GELU, 'tanh'))",
    "passed on": BLOCK + "def make(act): return Block(3, act)\nmake(nn.GELU)",
    "passed on from a default": BLOCK + "class Net:\n    def __init__(self, act=nn.GELU): Block(3, act)",
    "where it was None": BLOCK
    + "def make(act=None):\n    if act is None:\n        act = nn.GELU\n    Block(3, act)",
    "one of two": BLOCK + "Block(3, nn.GELU if x else None)",
    "inherited constructor": BLOCK + "class Own(Block): pass\nOwn(3, nn.GELU)",
    "super": BLOCK + "class Own(Block):\n    def __init__(self):\n        super().__init__(3, act=nn.GELU)",
    "method of self": "class A:\n    def g(self, act): act()\n    def f(self): self.g(nn.GELU)",
    "static method of self": "class A:\n    @staticmethod\n    def g(act): act()\n    def f(self): self.g(nn.GELU)",
    "class that is given itself": BLOCK + "def make(block=Block): block(3, nn.GELU)",
    "another function calls it back": "def f(act): act(); g(act)\ndef g(act): f(act)\ng(nn.GELU)",
}
NOT_CALLED = {
    "another function": "def f(act): act()\ndef g(act): pass\ng(nn.GELU)",
    "another parameter": "def f(width, act): act()\nf(nn.GELU, 3)",
    "no call": "def f(act): act()\nf",
    "a method of another class": "class A:\n    def g(self, act): act()\nclass B:\n    def f(self): self.g(nn.GELU)",
    "only each other": "def f(act): act(); g(act)\ndef g(act): f(act)",
    "overridden": BLOCK + "class Own(Block):\n    def __init__(self, act): pass\nOwn(nn.GELU)",
    "name of the class's body": "def f(act): act()\nclass A:\n    nn = 3\n    def g(self, act=nn.GELU): f(act)",
}


@pytest.mark.parametrize("name", CALLED)
def test_argument_reaches_the_parameter(name: str) -> None:
    found = uses(MODULE + CALLED[name])
    called = [line for line in found if line.startswith("call torch.nn.GELU") and "nn.GELU <- nn" not in line]
    assert called, found
    assert all(line.endswith("(likely)") for line in called)


@pytest.mark.parametrize("name", NOT_CALLED)
def test_other_arguments_do_not(name: str) -> None:
    assert not [line for line in uses(MODULE + NOT_CALLED[name]) if line.startswith("call ")]


EDITS = [
    (BLOCK + "Block(3, nn.GELU)", "nn.GELU", "nn.ReLU"),
    (BLOCK + "Block(3, nn.GELU)", "Block(3", "Blok(3"),
    (BLOCK + "Block(3, nn.GELU)", "width, act", "act, width"),
    (BLOCK + "Block(3, act=nn.GELU)", "width, act)", "width, activation)"),
    (BLOCK + "def make(a=nn.GELU): return Block(3, a)\n", "nn.GELU", "nn.ReLU"),
    (
        BLOCK + "def make(a): return Block(3, a)\nmake(nn.GELU)",
        "Block(3, a)",
        "a = nn.ReLU; return Block(3, a)",
    ),
    (BLOCK + "class Own(Block): pass\nOwn(3, nn.GELU)", "(Block)", ""),
    (BLOCK + "class Own(Block):\n    pass\nOwn(3, nn.GELU)", "pass", "def __init__(self, a, act): pass"),
    (BLOCK + "def make(block=Block): block(3, nn.GELU)", "=Block", ""),
    (BLOCK + "def make(block=Block): block(3, nn.GELU)", "=Block", "=Blok"),
    ("def f(act): act(); g(act)\ndef g(act): f(act)\ng(nn.GELU)", "g(nn.GELU)", ""),
    (BLOCK + "Own = Block\nBlock(3, nn.GELU)", "from torch import nn", "from torch import nnn"),
]


@pytest.mark.parametrize(("source", "before", "after"), EDITS)
def test_edits_are_noticed(source: str, before: str, after: str) -> None:
    """After the edit and after taking it back, what is found equals what is found from scratch."""
    source = MODULE + source
    assert before in source
    edited = source.replace(before, after)
    graph = ProjectGraph(Catalog.load(), [])
    evaluator = Evaluator(graph, Catalog.load())
    propagation = Propagation(evaluator)
    for text in (source, edited, source):
        module = graph.set_document("/m.py", "m", Document.open("/m.py", text))
        propagation.settle([module])
        kept = shown(analyse(evaluator, module))
        assert [line for line in kept if not line.startswith("import ")] == uses(text)
    assert uses(edited) != uses(source)
