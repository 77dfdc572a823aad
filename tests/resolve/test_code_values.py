"""What functions, classes and the flow of the project's own code give. See `value_text.py` for how it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from looking import uses, write
from value_text import value_of

FUNCTIONS = {
    "def f(): return 1\nr = f()": "int",
    "def f(): pass\nr = f()": "None",
    "with open('a') as r: pass": "open",
    "with open('a') as f:\n    for r in f: pass": "open[]",
    "class A:\n    def __enter__(self): return torch.ones(1)\nwith A() as r: pass": "Tensor",
    "class A:\n    def __enter__(self): return self\nwith A() as r: pass": "A",
    "with A() as r: pass": "never",
    "with unseen as r: pass": "?",
    "import contextlib\n@contextlib.contextmanager\ndef f(): yield torch.ones(1)\nwith f() as r: pass": "Tensor",
    "def f(): return\nr = f()": "None",
    "def f() -> Tensor: return unseen\nr = f()": "Tensor (likely)",
    "def f() -> Tensor: return 1\nr = f()": "int",
    "def f() -> unseen: return unseen\nr = f()": "?",
    "def f() -> Tensor: ...\nr = f()": "Tensor (likely)",
    "def f() -> Tensor: raise E\nr = f()": "Tensor (likely)",
    "def f():\n    if q: return 1\n    return None\nr = f()": "int | None",
    "def f():\n    yield 1\n    yield None\nr = f()": "iterator[int | None]",
    "def f():\n    yield from [1]\nr = f()": "iterator[int]",
    "def f():\n    yield\nr = f()": "iterator[?]",
    "def f():\n    yield 1, None\nr = f()": "iterator[tuple(int, None)]",
    "def f(): return f()\nr = f()": "never",
    "async def f(): return 1\nr = f()": "int",
    "def f(): return 1\nr = f": "=f",
    "class A: pass\nr = A": "=A",
    "class A: pass\nr = A()": "A",
    "class A:\n    def __call__(self): return 1\nr = A()()": "int",
    "class A(nn.Module):\n    def forward(self): return 1\nr = A()()": "int",
    "class A(nn.Module):\n    def forward(self): return 1\n    def __call__(self): return None\nr = A()()": "None",
    "class A:\n    def forward(self): return 1\nr = A()()": "?",
    "class A(nn.ReLU): pass\nr = A()(unseen)": "Tensor",
    "class A:\n    x = 1\nr = A.x": "int",
    "class A:\n    x = 1\nr = A().x": "int",
    "class A:\n    x = 1\nr = A.y": "never",
    "class A(unseen):\n    x = 1\nr = A.y": "?",
    "class A(unseen):\n    x = 1\nr = A.x": "int",
    "class A(object): pass\nr = A.y": "never",
    "class A(Generic): pass\nr = A.y": "never",
    "class A:\n    def __init__(self): self.x = 1\nr = A().x": "int",
    "class A:\n    def __init__(self): self.x = 1\nr = A.x": "never",
    "class A:\n    x = None\n    def __init__(self): self.x = 1\nr = A().x": "None | int",
    "class A:\n    x = 1\nclass B(A): pass\nr = B.x": "int",
    "class A:\n    x = 1\nclass B(A):\n    x = None\nr = B.x": "None",
    "class A:\n    def __init__(self): self.x = None\nr = A().x": "None | ? (likely)",
    "class A:\n    def __init__(self): self.x = torch.ones(1)\n"
    "class B(A):\n    def late(self): self.x = 1\nr = B().x": "Tensor | int",
    "class A:\n    def __init__(self): self.x = torch.ones(1)\n"
    "class B(A):\n    def __init__(self): self.x = 1\n    def late(self): self.x = 2\nr = B().x": "int",
    "class A:\n    def __init__(self): self.x = torch.ones(1)\n"
    "class B(A):\n    x = ''\n    def late(self): self.x = 1\nr = B().x": "str | int",
    "class A:\n    def __init__(self): self.x = torch.ones(1)\n"
    "class B(A): pass\nclass C(B):\n    def late(self): self.x = 1\nr = C().x": "Tensor | int",
    "class A:\n    def __getattr__(self, n): return Own()\n    def f(self): return self.x\n"
    "class B(A):\n    def __init__(self): self.x = torch.ones(1)\nr = A().f()": "? | Tensor (likely)",
    "class A:\n    def __getattr__(self, n): return Own()\nr = A().x": "? | Own (likely)",
    "class A:\n    def __init__(self): self.x = None\n    def f(self): return self.x\n"
    "class B(A):\n    def g(self): self.x = torch.ones(1)\nr = A().f()": "None | ? | Tensor (likely)",
    "class A(unseen): pass\nclass B(A, nn.Module): pass\nr = B().training": "=nn.Module.training (likely)",
    "class A(unseen): pass\nclass B(A): pass\nr = B().training": "?",
    "class A: pass\nclass B(A): pass\nclass C(A, nn.Module): pass\nclass D(B, C): pass\nr = D().training": "=nn.Module.training",
    "class B(unseen, nn.Module): pass\nr = B().training": "=nn.Module.training (likely)",
    "class B(nn.Module): pass\nr = B().training": "=nn.Module.training",
    "class B(nn.Module): pass\nr = B().eval()": "B",
    "class B(nn.Module): pass\nr = B.training": "=nn.Module.training",
    "class A:\n    @property\n    def x(self): return 1\nr = A().x": "int",
    "class A:\n    @property\n    def x(self): return 1\nr = A.x": "=x",
    "class A:\n    @property\n    def x(self): return 1\n    @x.setter\n    def x(self, x): self.y = x\nr = A().x": "int",
    "class A:\n    @property\n    def x(self): return 1\n    @x.deleter\n    def x(self): pass\nr = A().x": "int",
    "def f():\n    class A:\n        @property\n        def x(self): return 1\n        @x.setter\n        def x(self, x): pass\n    return A().x\nr = f()": "int",
    "import functools\nclass A:\n    @functools.cached_property\n    def x(self): return 1\nr = A().x": "int",
    "from torch.distributions.utils import lazy_property\nclass A:\n    @lazy_property\n    def x(self): return 1\nr = A().x": "int",
    "class A:\n    @torch.no_grad()\n    def x(self): return 1\nr = A().x": "=x",
    "class A:\n    @unseen\n    def x(self): return 1\nr = A().x": "=x",
    "class A:\n    @classmethod\n    def x(cls): return cls\nr = A.x()": "=A",
    "class A:\n    @staticmethod\n    def x(a): return a\nr = A.x(1)": "int",
    "class A:\n    def x(self): return self\nr = A().x()": "A",
    "class A:\n    def __new__(cls): return cls\nr = A.__new__(A)": "=A",
    "class A:\n    def __init_subclass__(cls): return cls\nr = A.__init_subclass__()": "=A",
    "class A:\n    def x(self): return 1\nclass B(A):\n    def x(self): return super()\nr = B().x()": "super of B",
    "class A:\n    def x(self): return 1\nclass B(A):\n    def x(self): return super().x()\nr = B().x()": "int",
    "class A:\n    def x(self): return 1\nclass B(A):\n    def x(self): return super().y()\nr = B().x()": "never",
    "class A(A): pass\nr = A.y": "?",
    "class A(A):\n    def forward(self): return 1\nr = A()()": "?",
    "class A(B):\n    def forward(self): return 1\nclass B(A): pass\nr = A()()": "?",
    "class A(torch.optim.SGD):\n    def forward(self): return 1\nr = A()()": "?",
    "class A(nn.Sequential):\n    def forward(self): return 1\nr = A()()": "int",
    "class A(nn.Module): pass\nclass B(A):\n    def forward(self): return 1\nr = B()()": "int",
    "class A:\n    def __init__(self): self.l = []\n    def f(self): self.l.append(1)\nr = A().l": "list[int]",
    "class A:\n    l = []\n    def f(self): self.l.append(1)\nr = A.l": "list()",
    "class A:\n    x: Tensor\nr = A().x": "Tensor (likely)",
    "class A:\n    x: Tensor = 1\nr = A().x": "int",
    "x: Tensor = unseen\nr = x": "Tensor (likely)",
    "x: Tensor = 1\nr = x": "int",
}

FLOW = {
    "x = 1\nfor i in q:\n    x = None\nr = x": "int | None",
    "x = None\nwhile q:\n    x = x or 1\nr = x": "None | int",
    "x = torch.ones(1)\nfor i in q:\n    x = x + 1\nr = x": "Tensor",
    "x = 1\ndef f():\n    global x\n    x = None\nr = x": "None | int",
    "x = torch.ones(1)\ndef f():\n    global x\n    x = x.cuda()\nr = x": "Tensor",
    "def f():\n    x = 1\n    def g():\n        return x\n    return g()\nr = f()": "int",
    "def f():\n    def g():\n        return x\n    x = 1\n    return g()\nr = f()": "int",
    "class A:\n    x = 1\n    y = x\nr = A.y": "int",
    "class A:\n    x = 1\n    def f(self): return x\nr = A().f()": "never",
    "x = None\nclass A:\n    x = 1\n    def f(self): return x\nr = A().f()": "None",
    "x = None\nclass A:\n    y = x\n    x = 1\nr = A.y": "None",
    "from os import *\nr = unseen": "?",
    "from os import *\nr = len": "=len",
    "from numpy import *\nr = sum": "?",
    "from torch.nn import *\nr = ReLU": "=nn.ReLU",
    "from torch.nn import *\nr = unseen": "?",
    "from torch.nn import *\nReLU = 1\nr = ReLU": "int",
    "ReLU = 1\nfrom torch.nn import *\nr = ReLU": "=nn.ReLU",
    "from torch.nn import *\nfrom torch import *\nr = ReLU": "=nn.ReLU",
    "from .x import *\nr = y": "?",
    "from ..x import y\nr = y": "?",
    "from torch import nothing\nr = nothing": "=nothing",
    "r = r": "never",
    "r = __name__": "=__name__",
    "import sys\nmine = sys.modules[__name__]\nx = torch.ones(1)\nr = mine.x": "Tensor",
    "import sys\ndef f(): return mine.g\nmine = sys.modules[__name__]\ng = torch.normal\nr = f()": "=normal",
    "import sys\nx = 1\nr = sys.modules['main'].x": "int",
    "import sys\nr = sys.modules[name].x": "?",
    "import sys\nr = sys.modules['os'].x": "?",
    "r = undefined": "never",
    "r = later\nlater = 1": "int",
    "def f(): return later\nr = f()\nlater = 1": "int",
    "del len\nr = len": "=len",
}


@pytest.mark.parametrize(("source", "expected"), {**FUNCTIONS, **FLOW}.items())
def test_what_a_name_is(source: str, expected: str) -> None:
    assert value_of(source) == expected


IMPORTED = {
    "from pkg import missing as r": "=pkg.missing",
    "from pkg import x as r": "Tensor",
    "from pkg.inner import missing as r": "=pkg.inner.missing",
    "from pkg.gone import x as r": "=pkg.gone.x",
}


@pytest.mark.parametrize(("source", "expected"), IMPORTED.items())
def test_what_modules_of_the_project_have(source: str, expected: str, tmp_path: Path) -> None:
    write(tmp_path, {"pkg/__init__.py": "import torch\nx = torch.ones(1)\n", "pkg/inner.py": ""})
    assert value_of(source, root=tmp_path) == expected


CONTEXT = """class F({base}):
    @staticmethod
    def forward(ctx, x):
        ctx.kept, ctx.size = x * 2, x.shape
        return x
    @staticmethod
    def backward(ctx, g):
        ctx.kept.relu(1)
        ctx.size.numel()
        ctx.other.relu(3)
        ctx.saved_tensors[0].relu(4)
class G(F):
    @staticmethod
    def backward(c, g):
        c.kept.relu()
"""


def test_what_methods_keep_in_their_context() -> None:
    found = uses("import torch\n" + CONTEXT.format(base="torch.autograd.Function"))
    assert [line for line in found if "ctx." in line or "c." in line] == [
        "call torch.Tensor.relu <- ctx.kept.relu (likely)",
        "call torch.Size.numel <- ctx.size.numel (likely)",
        "call torch.Tensor.relu <- ctx.other.relu (possible)",
        "attribute torch.autograd.Function.saved_tensors <- ctx.saved_tensors (likely)",
        "call torch.Tensor.relu <- ctx.saved_tensors[0].relu (likely)",
        "call torch.Tensor.relu <- c.kept.relu (likely)",
    ]
    found = uses("import torch\n" + CONTEXT.format(base="object"))
    assert [line for line in found if "likely" in line] == [
        "attribute torch.Tensor.shape <- x.shape (likely)"
    ]
