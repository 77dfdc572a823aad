"""The kinds of use, receivers that constructors and torch functions made, and code that does not parse."""

from __future__ import annotations

import pytest
from looking import analysed, uses

KINDS = {
    "base": ("from torch import nn\nclass A(nn.Module): pass", ["base torch.nn.Module <- nn.Module"]),
    "metaclass": (
        "from torch import nn\nclass A(metaclass=nn.Module): pass",
        ["reference torch.nn.Module <- nn.Module"],
    ),
    "annotation": (
        "from torch import Tensor\ndef f(x: Tensor) -> Tensor: ...\ny: Tensor",
        ["annotation torch.Tensor <- Tensor"] * 3,
    ),
    "annotation in a string": (
        "import torch\ndef f(x: 'torch.Tensor', y: \"list[torch.Tensor]\"): ...",
        ["annotation torch.Tensor <- torch.Tensor"] * 2,
    ),
    "annotation, nested": (
        "from typing import Optional\nimport torch\nx: Optional['torch.Tensor'] | torch.Size",
        ["annotation torch.Tensor <- torch.Tensor", "annotation torch.Size <- torch.Size"],
    ),
    "literal is no annotation": ("from typing import Literal\nimport torch\nx: Literal['torch.cat']", []),
    "type alias": ("import torch\ntype T = torch.Tensor", ["annotation torch.Tensor <- torch.Tensor"]),
    "decorator": (
        "import torch\n@torch.no_grad()\n@torch.jit.script\ndef f(): ...",
        ["call torch.no_grad <- torch.no_grad", "reference torch.jit.script <- torch.jit.script"],
    ),
    "attributes that are assigned to": (
        "import torch\nfrom torch import nn\nx = torch.zeros(3)\nx.requires_grad = True\nx.grad.data = x\n"
        "x.mine = x\nnn.Linear(2, 3).training = False\n",
        [
            "call torch.zeros <- torch.zeros",
            "attribute torch.Tensor.requires_grad <- x.requires_grad",
            "attribute torch.Tensor.grad <- x.grad",
            "attribute torch.Tensor.data <- x.grad.data",
            "call torch.nn.Linear <- nn.Linear",
            "attribute torch.nn.Module.training <- nn.Linear(2, 3).training",
        ],
    ),
    "a module that a module has, called": (
        "from torch import nn\nclass A(nn.TransformerEncoderLayer):\n    def f(self, x): return self.linear1(x)",
        [
            "base torch.nn.TransformerEncoderLayer <- nn.TransformerEncoderLayer",
            "attribute torch.nn.TransformerEncoderLayer.linear1 <- self.linear1",
        ],
    ),
    "an attribute of a Tensor, called, which is an error": (
        "import torch\ntorch.zeros(3).real()",
        ["call torch.zeros <- torch.zeros", "call torch.Tensor.real <- torch.zeros(3).real"],
    ),
    "attributes of the project's own objects": (
        "import torch\nclass Data:\n    def __init__(self):\n        self.data = torch.zeros(3)\n        self.data = 1\n",
        ["call torch.zeros <- torch.zeros"],
    ),
    "the value of an attribute is no use": (
        "import torch\nfrom torch import Tensor\nclass Net:\n"
        "    def __init__(self, x: Tensor):\n        self.kept = x.device\n"
        "    def f(self, x: Tensor):\n        shape, kind = x.shape, torch.float32\n        g(shape, kind, self.kept, x.dtype)\n",
        [
            "annotation torch.Tensor <- Tensor",
            "attribute torch.Tensor.device <- x.device (likely)",
            "annotation torch.Tensor <- Tensor",
            "attribute torch.Tensor.shape <- x.shape (likely)",
            "attribute torch.float32 <- torch.float32",
            "attribute torch.float32 <- kind",
            "attribute torch.Tensor.dtype <- x.dtype (likely)",
        ],
    ),
    "an attribute of what nobody knows": (
        "import torch\ndef f(x, y):\n    x.requires_grad = y\n",
        ["attribute torch.Tensor.requires_grad <- x.requires_grad (likely)"],
    ),
    "dtype": ("import torch\nx.to(torch.float32)", ["attribute torch.float32 <- torch.float32"]),
    "isinstance": (
        "from torch import nn\nisinstance(m, (nn.Conv2d, nn.Linear))",
        ["reference torch.nn.Conv2d <- nn.Conv2d", "reference torch.nn.Linear <- nn.Linear"],
    ),
    "class as a value": (
        "from torch import nn\nf(norm_layer=nn.BatchNorm2d)",
        ["reference torch.nn.BatchNorm2d <- nn.BatchNorm2d"],
    ),
    "module as a value": ("import torch\nf(torch)", ["reference torch <- torch"]),
    "method through the class": (
        "from torch import nn\nnn.Module.__init__(self)",
        ["call torch.nn.Module.__init__ <- nn.Module.__init__"],
    ),
    "call in a call": (
        "import torch\ntorch.cat(torch.zeros(3))",
        ["call torch.cat <- torch.cat", "call torch.zeros <- torch.zeros"],
    ),
}

RECEIVERS = {
    "of a function": (
        "import torch\nx = torch.zeros(3)\nx.view(1)\nx.shape",
        ["torch.zeros", "torch.Tensor.view", "torch.Tensor.shape"],
    ),
    "chained": (
        "import torch\ntorch.zeros(3).view(1).sum()",
        ["torch.zeros", "torch.Tensor.view", "torch.Tensor.sum"],
    ),
    "of a constructor": (
        "from torch import nn\nconv = nn.Conv2d(1, 2, 3)\nconv.weight\nconv.parameters()",
        ["torch.nn.Conv2d", "torch.nn.Conv2d.weight", "torch.nn.Module.parameters"],
    ),
    "several results": (
        "import torch\nvalues, indices = torch.topk(torch.zeros(3), 2)\nvalues.sum()",
        ["torch.topk", "torch.zeros", "torch.Tensor.sum"],
    ),
    "self of a Module": (
        "from torch import nn\nclass A(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.register_buffer('a', None)",
        ["torch.nn.Module", "torch.nn.Module.__init__", "torch.nn.Module.register_buffer"],
    ),
    "own methods are not torch's": (
        "from torch import nn\nclass A(nn.Module):\n    def apply(self): ...\n    def f(self):\n        self.apply()",
        ["torch.nn.Module"],
    ),
    "static method": (
        "from torch import nn\nclass A(nn.Module):\n    @staticmethod\n    def f(x):\n        x.state_dict()",
        ["torch.nn.Module"],
    ),
    "attribute of an attribute": (
        "import torch\ntorch.finfo(torch.float32).max",
        ["torch.finfo", "torch.float32", "torch.finfo.max"],
    ),
}

BROKEN = {
    "half-typed call": "import torch\ntorch.cat(x)\ny = torch.abs(\ndef f():\n    return torch.cat(x)\n",
    "half-typed attribute": "import torch\ntorch.\ntorch.cat(x)\n",
    "half-typed attribute before an assignment": (
        "import torch\ndef f(x):\n    torch.cat(x)\n    y = x + 1\n.\n    x = torch.cat(x)\n"
    ),
    "half-typed class": "import torch\nclass A(\n    def f(self):\n        return torch.cat(x)\n",
    "half-typed def": "import torch\ndef g(\n\nclass A:\n    y = torch.cat(x)\n",
    "unclosed string": "import torch\ntorch.cat(x)\ns = 'abc\ntorch.cat(y)\n",
    "bad indentation": "import torch\ndef f():\n  a = 1\n    torch.cat(x)\n",
    "merge conflict": "import torch\n<<<<<<< HEAD\ntorch.cat(x)\n=======\ntorch.cat(y)\n>>>>>>> other\n",
    "Python 2": "import torch\nprint 'a'\ntorch.cat(x)\nexec 'b'\n",
}


@pytest.mark.parametrize(("source", "expected"), KINDS.values(), ids=KINDS)
def test_kinds(source: str, expected: list[str]) -> None:
    assert uses(source) == expected


@pytest.mark.parametrize(("source", "expected"), RECEIVERS.values(), ids=RECEIVERS)
def test_receivers(source: str, expected: list[str]) -> None:
    assert sorted(line.split()[1] for line in uses(source)) == sorted(expected)


@pytest.mark.parametrize("source", BROKEN.values(), ids=BROKEN)
def test_text_that_does_not_parse_keeps_its_other_findings(source: str) -> None:
    assert any(line.startswith("call torch.cat ") for line in uses(source)), uses(source)


def test_calls_carry_their_arguments() -> None:
    source = "import torch\ny = torch.cat( # all\n  (a, b), dim = -1, *more, **rest)\n"
    [(shift, use)] = [(shift, use) for shift, use in analysed(source).uses() if use.kind == "call"]
    assert use.call is not None
    assert [(a.keyword, a.unpack, a.source) for a in use.call.arguments] == [
        (None, "", "(a, b)"),
        ("dim", "", "-1"),
        (None, "*", "more"),
        (None, "**", "rest"),
    ]
    assert source[shift + use.call.start : shift + use.call.end].startswith("torch.cat( # all")
    assert source[shift + use.call.arguments_start] == "("
    assert use.root == "torch"


def test_an_alias_has_no_root() -> None:
    found = {
        use.start: use.root for _, use in analysed("import torch\nf = torch.cat\nf(x)").uses() if use.call
    }
    assert list(found.values()) == [None]


@pytest.mark.parametrize("depth", [50, 2000])
def test_deep_nesting_does_no_harm(depth: int) -> None:
    source = "import torch\nx = " + "(" * depth + "torch.cat" + ")" * depth + "\ntorch.abs(x)\n"
    assert "call torch.abs <- torch.abs" in uses(source)


def test_a_long_chain_of_definitions_does_no_harm() -> None:
    source = "import torch\nx = torch.zeros(3)\n" + "x = x.view(1)\n" * 3000 + "def f():\n    x.sum()\n"
    assert len(uses(source)) == 3002


ABOVE = {
    "torch's": ("nn.Linear", "torch.nn.Module.eval"),
    "of the project": ("Base", "torch.nn.Module.eval"),
}


@pytest.mark.parametrize("name", ABOVE)
def test_what_comes_behind_a_base(name: str) -> None:
    base, expected = ABOVE[name]
    source = (
        "from torch import nn\nclass Base(nn.Linear):\n    def eval(self): ...\n"
        f"class A(Base):\n    def f(self, x):\n        super({base}, self).eval()\n        super(x, self).eval()\n"
    )
    found = [line for line in uses(source) if line.startswith("call")]
    assert found == [f"call {expected} <- super({base}, self).eval"]


OVERRIDING = {
    "an heir that overrides it, and one that does not": (["Other", "Heir"], "(likely)"),
    "heirs that override it": (["Other"], "(possible)"),
    "as many that override it": (["Other", "Another", "Heir"], "(likely)"),
    "something else that has it": (["Other", "Own", "Heir"], "(possible)"),
    "one that overrides it, of three that have the same": (["Other", "Same", "Like"], "(likely)"),
}


@pytest.mark.parametrize("name", OVERRIDING)
def test_heirs_that_override_a_method_rarely_are_all_that_there_is(name: str) -> None:
    given, expected = OVERRIDING[name]
    source = (
        "import torch.distributions as d\nclass Own:\n    def sample(self): ...\n"
        "class Same(d.Distribution): pass\nclass Like(d.Distribution): pass\n"
        "class Heir(d.Independent): pass\nclass Other(d.Distribution):\n    def sample(self): ...\n"
        "class Another(d.Distribution):\n    def sample(self): ...\n"
        "def f(p=None):\n    if p is None:\n        p = make()\n    return p.sample()\n"
        "f(d.Distribution())\n"
    )
    found = uses(source + "".join(f"f({one}())\n" for one in given))
    assert f"call torch.distributions.Distribution.sample <- p.sample {expected}" in found


def test_what_a_list_has_too_is_at_most_possible() -> None:
    build = "self.layers = []\n        self.layers.append(nn.ReLU())\n        self.layers.parameters()\n"
    source = f"class A(nn.Module):\n    def __init__(self):\n        {build}"
    found = uses(f"from torch import nn\n{source}        self.layers = nn.ModuleList(self.layers)\n")
    assert "call torch.nn.ModuleList.append <- self.layers.append (possible)" in found
    assert "call torch.nn.Module.parameters <- self.layers.parameters" in found
