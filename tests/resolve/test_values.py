"""What receivers are: parameters, attributes, calls, containers, conditions, other libraries."""

from __future__ import annotations

from pathlib import Path

import pytest
from looking import shown, uses, write
from mindport.catalog.catalog import Catalog
from mindport.infer.evaluator import Evaluator
from mindport.infer.project_graph import ProjectGraph
from mindport.source.document import Document
from mindport.uses.analysis import analyse

MODULE = "import torch\nfrom torch import nn, Tensor\n"

RECEIVERS = {
    "annotated parameter": "def f(x: Tensor): x.relu()",
    "annotation in a string": "def f(x: 'Tensor'): x.relu()",
    "Optional": "from typing import Optional\ndef f(x: Optional[Tensor] = None): x.relu()",
    "union with None": "def f(x: Tensor | None): x.relu()",
    "list of": "def f(xs: list[Tensor]):\n    for x in xs: x.relu()",
    "tuple of": "def f(p: tuple[int, Tensor]):\n    n, x = p\n    x.relu()",
    "dict of": "def f(d: dict[str, Tensor]):\n    for k, x in d.items(): x.relu()\n    d['a'].relu()",
    "shape annotation": "from jaxtyping import Float\ndef f(x: Float[Tensor, 'b c']): x.relu()",
    "variadic": "def f(*xs: Tensor):\n    xs[0].relu()",
    "forward of a Module": "class A(nn.Module):\n    def forward(self, x, mask=None): x.relu()",
    "only a Tensor has these": "def f(x):\n    x.unsqueeze(0)\n    x.relu()",
    "attribute of self": "class A:\n    def __init__(self):\n        self.x = torch.zeros(3)\n    def f(self): self.x.relu()",
    "attribute declared": "class A:\n    x: Tensor\n    def f(self): self.x.relu()",
    "attribute inherited": "class A:\n    x = torch.zeros(3)\nclass B(A):\n    def f(self): self.x.relu()",
    "property": "class A:\n    @property\n    def x(self): return torch.zeros(3)\nA().x.relu()",
    "own function": "def f(): return torch.zeros(3)\nf().relu()",
    "declared result": "def f(x) -> Tensor: return g(x)\nf(1).relu()",
    "generator": "def f():\n    yield torch.zeros(3)\nfor x in f(): x.relu()",
    "method": "class A:\n    def g(self): return torch.zeros(3)\n    def f(self): self.g().relu()",
    "calling a layer": "layer = nn.Linear(1, 2)\nlayer(y).relu()",
    "calling an own module": "class A(nn.Module):\n    def forward(self): return torch.zeros(3)\nA()().relu()",
    "calling a Sequential": "net = nn.Sequential(nn.ReLU(), nn.Linear(1, 2))\nnet(y).relu()",
    "layers of a ModuleList": "ls = nn.ModuleList([nn.Linear(1, 2)])\nfor l in ls: l(y).relu()",
    "layers appended": "class A(nn.Module):\n    def __init__(self):\n        self.ls = nn.ModuleList([])\n"
    "        self.ls.append(nn.Linear(1, 2))\n    def g(self, y):\n        for l in self.ls: l(y).relu()",
    "list filled in a loop": "xs = []\nfor i in y: xs.append(torch.zeros(3))\nxs[0].relu()",
    "comprehension": "[x.relu() for x in [torch.zeros(3)]]",
    "zip and enumerate": "for i, (x, y) in enumerate(zip([torch.zeros(3)], z)): x.relu()",
    "map over a lambda": "a, b = map(lambda t: t.relu(), torch.zeros(6).chunk(2))",
    "operators": "(2 * torch.zeros(3) + 1).relu()\n(torch.zeros(3) ** 2).relu()",
    "comparison": "(torch.zeros(3) > 0).relu()",
    "slice": "torch.zeros(3)[1:].relu()",
    "starred in a display": "a, *b = *torch.zeros(3).relu(), 1",
    "conditional": "x = torch.zeros(3) if q else torch.ones(3)\nx.relu()",
    "or a default": "def f(x=None):\n    x = x or torch.zeros(3)\n    x.relu()",
    "loop that rebinds": "x = torch.zeros(3)\nfor i in y:\n    x = x.relu()\nx.relu()",
    "isinstance": "def f(x):\n    if isinstance(x, Tensor): x.relu()",
    "not isinstance, left early": "def f(x):\n    if not isinstance(x, Tensor): return\n    x.relu()",
    "isinstance in the same condition": "def f(x):\n    return isinstance(x, Tensor) and x.relu()",
    "asserted": "def f(x):\n    assert isinstance(x, Tensor)\n    x.relu()",
    "overload by argument": "v, i = torch.max(torch.zeros(3), 0)\nv.relu()",
    "named tuple field": "torch.topk(torch.zeros(3), 2).values.relu()",
    "through einops": "from einops import rearrange\nrearrange(torch.zeros(3), 'a -> a').relu()",
    "deep copy": "import copy\ncopy.deepcopy(torch.zeros(3)).relu()",
    "cast": "from typing import cast\ncast(Tensor, y).relu()",
    "walrus": "if (x := torch.zeros(3)) is not None: x.relu()",
}

NOT_TENSORS = {
    "a string": "'a b'.split()\ns = 'x'\ns.split()",
    "an f-string": "f'{y}'.split()",
    "a dict": "d = {}\nd.values()\n{}.get(1).foo",
    "a list": "xs = [1]\nxs.sort()",
    "numpy": "import numpy as np\nnp.zeros(3).sum()\nx = np.zeros(3)\nx.reshape(1).mean()",
    "an own class": "class A:\n    def view(self): ...\n    def split(self): ...\na = A()\na.view()\na.split()",
    "an own class in a parameter": "class A:\n    def view(self): ...\ndef f(a: A): a.view()",
    "a number": "n = 3\nn.real",
    "a path": "from pathlib import Path\nPath('a').expand()",
    "a static method's parameter": "class A(nn.Module):\n    @staticmethod\n    def f(x: str): x.split()",
}


def receivers(source: str) -> list[str]:
    found = uses(MODULE + source)
    return [line for line in found if " torch.Tensor.relu <- " in line]


@pytest.mark.parametrize("source", RECEIVERS.values(), ids=RECEIVERS)
def test_receivers_that_are_tensors(source: str) -> None:
    found = receivers(source)
    assert found, uses(MODULE + source)
    assert not any("possible" in line for line in found)


@pytest.mark.parametrize("source", NOT_TENSORS.values(), ids=NOT_TENSORS)
def test_receivers_that_are_not(source: str) -> None:
    assert not [line for line in uses(MODULE + source) if "torch.Tensor." in line]


UNSURE = {
    "a class of another library": "from linear import Operator\ndef f(x: Tensor | Operator): x.relu()",
    "the same, in typing": "from typing import Union\nfrom linear import Operator\ndef f(x: Union[Operator, Tensor]): x.relu()",
}


@pytest.mark.parametrize("source", UNSURE.values(), ids=UNSURE)
def test_receivers_that_may_be_something_else_with_such_a_member(source: str) -> None:
    assert [line for line in receivers(source) if line.endswith("(possible)")] == receivers(source) != []


def forwards(source: str) -> list[str]:
    return [line for line in uses("from torch import nn\n" + source) if "forward <-" in line]


def test_what_a_class_leaves_to_subclasses_is_not_what_runs() -> None:
    assert forwards("def f(net: nn.Module): net.forward(1)") == []
    assert forwards("class A(nn.Module):\n    def run(self): self.forward(1)") == []
    assert forwards("def f(net: nn.Linear): net.forward(1)") == [
        "call torch.nn.Linear.forward <- net.forward (likely)"
    ]


def test_where_only_the_name_matches_a_use_is_possible() -> None:
    assert uses("def f(x): return x.relu()") == ["call torch.Tensor.relu <- x.relu (possible)"]
    assert uses("def f(x): return x.no_such_member()") == []


def test_what_no_tensor_has_tells_that_nothing_is_possible() -> None:
    plain = "def f(args):\n    print(args.lr)\n    open(args.data)\n"
    assert uses(plain) == []
    assert uses("def f(x):\n    print(x.shape)\n    return x.data\n") != []


def test_modules_of_the_project(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "pkg/__init__.py": "from .layers import Block, make\n",
            "pkg/layers.py": "import torch\nfrom torch import nn\n\nclass Block(nn.Module):\n    def forward(self, x):\n"
            "        return torch.relu(x)\n\ndef make():\n    return torch.zeros(3)\n",
            "pkg/compat.py": "from torch import nn\nfrom torch.nn import *\n__all__ = ['nn', 'Linear']\n",
        },
    )
    source = "from pkg import Block, make\nfrom .compat import *\nBlock()(y).sum()\nmake().sum()\nnn.ReLU()\nLinear(1, 2)\nConv2d\n"
    assert uses(source, tmp_path, "pkg.main") == [
        "call torch.Tensor.sum <- Block()(y).sum",
        "call torch.Tensor.sum <- make().sum",
        "call torch.nn.ReLU <- nn.ReLU",
        "call torch.nn.Linear <- Linear",
    ]


@pytest.mark.parametrize(
    "source",
    [
        "def f(x): return g(x)\ndef g(x): return f(x)\nf(1).sum()",
        "class A:\n    def f(self): return self.g()\n    def g(self): return self.f()\nA().f().sum()",
        "x = x\nx.sum()",
        "for i in y:\n    for j in i:\n        a = b\n        b = a\n",
    ],
)
def test_cycles_end(source: str) -> None:
    uses(source)


def test_many_cycles_that_hang_together_end() -> None:
    functions = [
        f"def f{i}(x):\n    return f{i * 7 % 60}(x) or [f{(i * 11 + 1) % 60}(x), f{(i + 1) % 60}(x)]"
        for i in range(60)
    ]
    assert uses("import torch\n" + "\n".join(functions) + "\ntorch.abs(f0(1))\n") == [
        "call torch.abs <- torch.abs"
    ]


def test_star_imports_that_lead_back_lead_nowhere(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "data.py": "from train import *\nfrom torch import nn\nlayer = nn.Linear\n",
            "train.py": "from model import *\nimport torch\n",
            "model.py": "from data import *\nfrom torch.nn import functional\n",
        },
    )
    source = "from model import *\nlayer(1, 2)\nfunctional.relu(x)\ntorch.abs(y)\nunknown(z)\n"
    assert uses(source, tmp_path) == [
        "call torch.nn.Linear <- layer",
        "call torch.nn.functional.relu <- functional.relu",
        "call torch.abs <- torch.abs",
    ]


SETTLES = {
    "what was guessed for the inner of two cycles is kept for the next turn": (
        "import torch\nfrom torch import nn\na = torch.abs\nd = nn.ReLU()\nfor i in y:\n    for i in y:\n"
        "        d = a\n        a = a\na(1)\nd(1)\n",
        ["call torch.nn.ReLU <- nn.ReLU", "call torch.abs <- a", "call torch.abs <- d (likely)"],
    ),
    "what a turn has found is forgotten before the next": (
        "import torch\na = torch.abs\nb = None\nwhile q:\n    a = a\n    b = a\na(1)\nb(1)\n",
        ["call torch.abs <- a", "call torch.abs <- b"],
    ),
    "a cycle has settled when all that hangs together has": (
        "import torch\nfrom torch import nn\ndef g(x): return h(x)\ndef h(y): return g(y)\na = nn.ReLU()\n"
        "b = torch.abs\nc = q\nd = q\nfor i in y:\n    a = (b, d)[0]\n    d = (b, a)[0]\n    b = d\n    d = a\n"
        "    a = g(c)\nd(1)\n",
        ["call torch.nn.ReLU <- nn.ReLU", "call torch.abs <- d"],
    ),
}


@pytest.mark.parametrize("name", SETTLES)
def test_cycles_settle(name: str) -> None:
    source, expected = SETTLES[name]
    assert [use for use in uses(source) if use.startswith("call")] == expected


SURE = {
    "a union with what is not known": (
        "import torch\ndef f(x: torch.Tensor | unseen):\n    x.relu()\n",
        "call torch.Tensor.relu <- x.relu (possible)",
    ),
    "typing.Union with Any": (
        "from typing import Any, Union\nimport torch\ndef f(x: Union[torch.Tensor, Any]):\n    x.relu()\n",
        "call torch.Tensor.relu <- x.relu (possible)",
    ),
    "a base that is not known comes before": (
        "from unseen import Base\nfrom torch import nn\nclass A(Base, nn.Module):\n    def forward(self, x):\n"
        "        self.register_buffer('b', x)\n",
        "call torch.nn.Module.register_buffer <- self.register_buffer (likely)",
    ),
    "all bases are known": (
        "from torch import nn\nclass A(nn.Module):\n    def forward(self, x):\n"
        "        self.register_buffer('b', x)\n",
        "call torch.nn.Module.register_buffer <- self.register_buffer",
    ),
}


@pytest.mark.parametrize("name", SURE)
def test_how_sure_a_use_is(name: str) -> None:
    source, expected = SURE[name]
    assert uses(source)[-1] == expected


@pytest.mark.parametrize("after", ["", "pass\n", "import torch\n", "from torch.fft import *\n"])
def test_nothing_is_left_of_a_star_import_that_goes(after: str) -> None:
    catalog = Catalog.load()
    graph = ProjectGraph(catalog)
    evaluator = Evaluator(graph, catalog)
    shown_then = []
    for first in ("from torch.nn import *\n", after):
        document = Document.open("/p/main.py", f"{first}Linear(1, 2)\n")
        shown_then.append(shown(analyse(evaluator, graph.set_document("/p/main.py", "main", document))))
    assert "call torch.nn.Linear <- Linear" in shown_then[0]
    assert not any("Linear" in line for line in shown_then[1])
