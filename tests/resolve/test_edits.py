"""After an edit, and after taking it back, what is found of a module equals what is found from scratch: one example
for each thing that one block of it may ask of another."""

from __future__ import annotations

import pytest
from mindport.catalog.catalog import Catalog
from mindport.infer.evaluator import Evaluator
from mindport.infer.project_graph import ProjectGraph
from mindport.infer.propagation import Propagation
from mindport.source.document import Document
from mindport.uses.analysis import analyse

EDITS = {
    "what a function gives": ("def f(): return torch.ones(1)\nf().relu()", "torch.ones(1)", "3"),
    "how a function is called": ("def f(x, y): y(1)\nf(3, nn.ReLU)", "f(x, y)", "f(y, x)"),
    "what a function gives back": (
        "def f(x, y): return x\nf(torch.ones(1), 3).relu()",
        "return x",
        "return y",
    ),
    "a default that is given back": ("def f(x=nn.ReLU): return x\nf()(1)", "nn.ReLU", "nn.GELU"),
    "a default that is given back, by a name": (
        "kind = nn.ReLU\ndef f(x=kind): return x\nf()(1)",
        "nn.ReLU",
        "nn.GELU",
    ),
    "what an alias gives": ("def f(): return torch.ones(1)\ng = f\ng().relu()", "torch.ones(1)", "3"),
    "what a method gives": (
        "class A:\n    def f(self): return torch.ones(1)\na = A()\nx = a.f\nx().relu()",
        "torch.ones(1)",
        "3",
    ),
    "a member": ("class A:\n    x = torch.ones(1)\na = A()\na.x.relu()", "torch.ones(1)", "3"),
    "a member that comes": ("class A:\n    pass\na = A()\na.x.relu()", "pass", "x = torch.ones(1)"),
    "a member that methods assign": (
        "class A:\n    def f(self): self.x = torch.ones(1)\na = A()\na.x.relu()",
        "torch.ones(1)",
        "3",
    ),
    "what is added to a member": (
        "class A:\n    def __init__(self): self.x = []\n    def f(self): self.x.append(torch.ones(1))\n"
        "a = A()\na.x[0].relu()",
        "torch.ones(1)",
        "3",
    ),
    "a base": (
        "class A:\n    x = torch.ones(1)\nclass B:\n    x = 3\nclass C(A): pass\nC().x.relu()",
        "C(A)",
        "C(B)",
    ),
    "a name of a class": (
        "class A:\n    x = torch.ones(1)\n    def g(self): pass\n    y = x.relu()",
        "torch.ones(1)",
        "3",
    ),
    "a name that a class hides": ("x = 3\nclass A:\n    pass\n    y = x.relu()", "pass", "x = torch.ones(1)"),
    "what is added to a name": ("xs = []\nxs.append(torch.ones(1))\nxs[0].relu()", "torch.ones(1)", "3"),
    "a name in a function": ("x = torch.ones(1)\ndef f(): return x.relu()", "torch.ones(1)", "3"),
    "a name that comes later": ("def f(): return x.relu()\ny = 1", "y = 1", "x = torch.ones(1)"),
    "an import that is one no more": ("import torch as t\nt.abs(1)", "import torch as t", "t = torch"),
    "an import further down": ("def f(): t.abs(1)\nimport torch as t", "import torch as t", "t = torch"),
    "an import in a class": (
        "class A:\n    import torch as t\n    t.abs(1)",
        "import torch as t",
        "t = torch",
    ),
    "a star import": ("from os import *\nabs(1)", "from os", "from torch"),
    "a binding before a star import": ("x = 3\nReLU(1)", "x = 3", "from torch.nn import *"),
    "what is given": ("def f(act): act(1)\nf(nn.ReLU)", "nn.ReLU", "3"),
    "what is given through a parameter": (
        "def f(act): act(1)\ndef g(h): h(nn.ReLU)\ng(f)",
        "g(f)",
        "g(3)",
    ),
    "a default": ("def f(act=nn.ReLU): act(1)", "nn.ReLU", "3"),
    "a decorator": (
        "class A:\n    @property\n    def x(self): return torch.ones(1)\na = A()\na.x.relu()",
        "@property",
        "@unseen",
    ),
    "a field of a named tuple": (
        "P = namedtuple('P', 'a b')\np = P(torch.ones(1), 3)\ndef f(): p.a.relu()",
        "torch.ones(1), 3",
        "3, torch.ones(1)",
    ),
    "the names of fields": (
        "P = namedtuple('P', 'a b')\ndef f(): P(torch.ones(1), 3).a.relu()",
        "'a b'",
        "'b a'",
    ),
    "a default of a field": (
        "P = namedtuple('P', 'a b', defaults=[torch.ones(1)])\ndef f(): P(3).b.relu()",
        "torch.ones(1)",
        "3",
    ),
    "what calls give for a field": (
        "P = namedtuple('P', 'a b')\ndef f(p: P): p.a.relu()\nP(torch.ones(1), 3)",
        "torch.ones(1), 3",
        "3, torch.ones(1)",
    ),
    "the name of a class of named tuples": (
        "P = namedtuple('P', 'a')\nQ = namedtuple('Q', 'a')\ndef f(p: P): p.a.relu()\nP(torch.ones(1))",
        "P(torch",
        "Q(torch",
    ),
    "a named tuple that calls give": (
        "P = namedtuple('P', 'a b')\ndef f(p): p.a.relu()\nf(P(torch.ones(1), 3))",
        "torch.ones(1), 3",
        "3, torch.ones(1)",
    ),
    "a named tuple that is made of itself": (
        "P = namedtuple('P', 'a b')\nclass A:\n    p: P\n    def f(self): self.p = P(self.p.a.relu(), 3)\nP(torch.ones(1), 3)",
        "torch.ones(1), 3",
        "3, 3",
    ),
    "the docstring of a class": (
        'class A:\n    """Does.\n\n    x (torch.Tensor): y\n    """\n    def __init__(self, x): self.y = x.to(1)',
        "x (torch.Tensor)",
        "x (int)",
    ),
    "an attribute in the docstring of a class": (
        'class A:\n    """Does.\n\n    x (torch.Tensor): y\n    """\n'
        "    def __init__(self, y): self.x = y\n    def f(self): self.x.to(1)",
        "x (torch.Tensor)",
        "x (int)",
    ),
    "the docstring of a method that is overridden": (
        'class A:\n    def f(self, x):\n        """Does.\n\n        x (torch.Tensor): y\n        """\n'
        "class B(A):\n    def f(self, x): x.to(1)",
        "x (torch.Tensor)",
        "x (int)",
    ),
    "an annotation of a method that is overridden": (
        "class A:\n    def f(self, x: torch.Tensor): ...\nclass B(A):\n    def f(self, x): x.to(1)",
        "x: torch.Tensor",
        "x: list",
    ),
    "a cycle": (
        "def f(x): return g(x)\ndef g(x): return f(x) or torch.ones(1)\nf(1).relu()",
        "torch.ones(1)",
        "3",
    ),
    "the start of a cycle": (
        "x = torch.ones(1)\nfor i in q:\n    x = f(x)\ndef f(y): return x\nx.relu()",
        "torch.ones(1)",
        "3",
    ),
    "a name that is bound to what uses it": (
        "def f(y): return x\nx = torch.ones(1)\nx = f(x)\nx.relu()",
        "torch.ones(1)",
        "3",
    ),
}


class Settled:
    """A module, of which it is found out after each edit what its calls give."""

    def __init__(self) -> None:
        self.graph = ProjectGraph(Catalog.load())
        self.evaluator = Evaluator(self.graph, Catalog.load())
        self.propagation = Propagation(self.evaluator)

    def said(self, text: str) -> list[tuple[str, str, str | None]]:
        """Each use in the text, with how sure it is and the import it starts from."""
        module = self.graph.set_document("/m.py", "m", Document.open("/m.py", text))
        self.propagation.settle([module])
        analysis = analyse(self.evaluator, module)
        return [(use.api, use.certainty.value, use.root) for _, use in analysis.uses()]


@pytest.mark.parametrize("name", EDITS)
def test_edits_are_noticed(name: str) -> None:
    source, before, after = EDITS[name]
    assert before in source
    texts = [
        f"import torch\nfrom collections import namedtuple\nfrom torch import nn\n{one}\n"
        for one in (source, source.replace(before, after))
    ]
    kept = Settled()
    found = []
    for text in (*texts, texts[0]):
        found.append(kept.said(text))
        assert found[-1] == Settled().said(text)
    assert found[0] != found[1]
