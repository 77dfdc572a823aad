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


DECORATED = "def kept(f):\n    def inner(self, *args):\n        self.eval()\n        return f(self, *args)\n    return inner\n"


@pytest.mark.parametrize(
    "method",
    [
        "    @kept\n    def f(self, x): return x\n",
        "    @also\n    @kept\n    def f(self, x): return x\n",
    ],
)
def test_what_a_decorator_puts_in_place_of_a_method_gets_its_receiver(method: str) -> None:
    decorators = DECORATED + "def also(f):\n    return f\n"
    found = uses(MODULE + decorators + "class Net(nn.Module):\n" + method)
    assert "call torch.nn.Module.eval <- self.eval (likely)" in found
    assert not [line for line in uses(MODULE + decorators + "class Net:\n" + method) if "Module.eval" in line]


def test_a_decorator_gets_the_function() -> None:
    found = uses(
        MODULE + "def kept(f):\n    f().relu()\n    return f\n@kept\ndef g(): return torch.ones(1)\n"
    )
    assert "call torch.Tensor.relu <- f().relu (likely)" in found


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


NET = "class Net(nn.Module):\n    def __init__(self, act=None):\n        super().__init__()\n        self.act = act\n"
RECEIVERS = {
    "positional": (
        "def f(a, x): x.weight\nf(1, nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "keyword": (
        "def f(a, x): x.weight\nf(x=nn.Linear(1, 2), a=1)",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "keyword only": (
        "def f(*, x): x.weight\nf(x=nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "positional only": (
        "def f(x, /): x.weight\nf(nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "literal star": (
        "def f(a, x): x.weight\nf(*(1, nn.Linear(1, 2)))",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "star of a name": (
        "a = (1, nn.Linear(1, 2))\ndef f(a, x): x.weight\nf(*a)",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "literal keywords": (
        "def f(a, x): x.weight\nf(1, **{'x': nn.Linear(1, 2)})",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "keywords of a name": (
        "k = dict(x=nn.Linear(1, 2))\ndef f(a, x): x.weight\nf(1, **k)",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "variadic": (
        "def f(*x): x[0].weight\nf(nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x[0].weight",
    ),
    "keywords": (
        "def f(**x): x['a'].weight\nf(a=nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x['a'].weight",
    ),
    "Tensor": ("def f(x): x.sum()\nf(torch.ones(1))", "call torch.Tensor.sum <- x.sum"),
    "list": ("def f(x): x[0].sum()\nf([torch.ones(1)])", "call torch.Tensor.sum <- x[0].sum"),
    "dict": ("def f(x): x['a'].sum()\nf({'a': torch.ones(1)})", "call torch.Tensor.sum <- x['a'].sum"),
    "tuple": (
        "def f(x):\n    _, y = x\n    y.sum()\nf((1, torch.ones(1)))",
        "call torch.Tensor.sum <- y.sum",
    ),
    "constructor and attribute": (
        "class A:\n    def __init__(self, x): self.x = x\n    def f(self): self.x.weight\nA(nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- self.x.weight",
    ),
    "attribute of an object": (
        "class A:\n    def __init__(self, x): self.x = x\nA(nn.Linear(1, 2)).x.weight",
        "attribute torch.nn.Linear.weight <- A(nn.Linear(1, 2)).x.weight",
    ),
    "calling a module": (
        NET + "    def forward(self, a, x): x.weight\nNet()(1, nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "calling a module that is an attribute": (
        NET + "    def forward(self, x): x.weight\nclass B:\n    def __init__(self): self.net = Net()\n"
        "    def f(self): self.net(nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "__call__": (
        "class A:\n    def __call__(self, x): x.weight\nA()(nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "bound method": (
        "class A:\n    def g(self, x): x.weight\ng = A().g\ng(nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "bound method that is given": (
        "class A:\n    def g(self, x): x.weight\ndef f(h): h(nn.Linear(1, 2))\nf(A().g)",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "static method": (
        "class A:\n    @staticmethod\n    def g(x): x.weight\nA.g(nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "class method": (
        "class A:\n    @classmethod\n    def g(cls, x): x.weight\nA.g(nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "partial of a function": (
        "def f(a, x): x.weight\npartial(f, 1)(nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "partial of a class": (
        "class A:\n    def __init__(self, a, x): x.weight\npartial(A, 1)(nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "partial of a method": (
        "class A:\n    def g(self, a, x): x.weight\npartial(A().g, 1)(nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "callback": (
        "def f(x): x.weight\ndef g(call): call(nn.Linear(1, 2))\ng(f)",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "recursion": (
        "def f(n, x):\n    x.weight\n    f(n - 1, x)\nf(3, nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "mutual recursion": (
        "def f(x): g(x)\ndef g(x):\n    x.weight\n    f(x)\nf(nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "alias": (
        "def f(x): x.weight\ng = f\ng(nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "registry": (
        "def f(x): x.weight\ntable = {'a': f}\ntable['a'](nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "overridden method": (
        "class A:\n    def g(self, x): pass\nclass B(A):\n    def g(self, x): x.weight\nA().g(nn.Linear(1, 2))",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "main": (
        "def f(x): x.weight\ndef main():\n    f(nn.Linear(1, 2))\nif __name__ == '__main__':\n    main()",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "default that is left out": (
        "def f(a, x=nn.Linear(1, 2)): x.weight\nf(1)",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "default of what nobody calls": (
        "def f(x=nn.Linear(1, 2)): x.weight",
        "attribute torch.nn.Linear.weight <- x.weight",
    ),
    "buffer": (
        NET + "        self.register_buffer('b', torch.ones(1))\n    def f(self): self.b.sum()",
        "call torch.Tensor.sum <- self.b.sum",
    ),
    "parameter that is None": (
        NET + "        self.register_parameter('b', None)\n    def f(self): self.b.data",
        "attribute torch.Tensor.data <- self.b.data",
    ),
    "setattr": (
        "class A:\n    def __init__(self): setattr(self, 'b', torch.ones(1))\n    def f(self): self.b.sum()",
        "call torch.Tensor.sum <- self.b.sum",
    ),
    "what is put into the dict of an object": (
        "class A:\n    def __init__(self): self.__dict__['b'] = torch.ones(1)\n    def f(self): self.b.sum()",
        "call torch.Tensor.sum <- self.b.sum",
    ),
    "inputs of forward": (NET + "    def forward(self, x): x.sum()", "call torch.Tensor.sum <- x.sum"),
    "ctx of a Function": (
        "class F(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x): ctx.save_for_backward(x)",
        "call torch.autograd.function.FunctionCtx.save_for_backward <- ctx.save_for_backward",
    ),
    "saved Tensors": (
        "class F(torch.autograd.Function):\n    @staticmethod\n    def backward(ctx, g):\n        x, = ctx.saved_tensors\n        x.sum()",
        "call torch.Tensor.sum <- x.sum",
    ),
    "any attribute of a proxy": (
        "p = torch.fx.Proxy(unseen)\np.dtype.node",
        "attribute torch.fx.proxy.Attribute.node <- p.dtype.node",
    ),
    "its own attribute": (
        "p = torch.fx.Proxy(unseen)\np.node",
        "attribute torch.fx.Proxy.node <- p.node",
    ),
    "images by their old name": (
        "import torchvision\nd = torchvision.datasets.MNIST('x')\nd.train_data.size()",
        "call torch.Tensor.size <- d.train_data.size",
    ),
    "param_groups": (
        "o = torch.optim.SGD([])\nfor g in o.param_groups:\n    for p in g['params']:\n        p.data",
        "attribute torch.Tensor.data <- p.data",
    ),
    "state of an optimizer": (
        "o = torch.optim.SGD([])\no.state[1]['exp_avg'].sum()",
        "call torch.Tensor.sum <- o.state[1]['exp_avg'].sum",
    ),
    "two-argument super": (
        "class A(nn.Module):\n    def __init__(self): super(A, self).__init__()",
        "call torch.nn.Module.__init__ <- super(A, self).__init__",
    ),
    "super of another object of the class": (
        "class A(nn.Module):\n    def copy(self):\n        new = A.__new__(A)\n        super(A, new).__init__()",
        "call torch.nn.Module.__init__ <- super(A, new).__init__",
    ),
}


@pytest.mark.parametrize(("source", "expected"), RECEIVERS.values(), ids=RECEIVERS)
def test_what_is_given_is_received(source: str, expected: str) -> None:
    found = uses(MODULE + source)
    assert [line for line in found if line.removesuffix(" (likely)") == expected], found


NOT_RECEIVED = {
    "a default that every call gives something for": "def f(x=nn.Linear(1, 2)): x.weight\nf(3)\nf(x=3)",
    "another keyword": "def f(x=None, y=None): x.weight\nf(y=nn.Linear(1, 2))",
    "the receiver": "class A:\n    def f(self, x): self.weight\nA().f(nn.Linear(1, 2))",
    "a static method's second": "class A:\n    @staticmethod\n    def f(x, y): y.weight\nA.f(nn.Linear(1, 2), 3)",
    "what partial gives": "def f(a, x): a.weight\npartial(f, 1)(nn.Linear(1, 2))",
}


@pytest.mark.parametrize("source", NOT_RECEIVED.values(), ids=NOT_RECEIVED)
def test_what_is_not_given_is_not_received(source: str) -> None:
    assert not [line for line in uses(MODULE + source) if "Linear.weight" in line]


def test_a_class_that_is_given_as_some_subclass() -> None:
    """The class itself is not claimed, what all its subclasses have is."""
    found = uses(f"{MODULE}from typing import Type\ndef f(x: Type[nn.Linear]): x().weight")
    assert "attribute torch.nn.Linear.weight <- x().weight (likely)" in found
    assert not [line for line in found if line.startswith(("call", "reference"))]


GIVEN_BACK = {
    "the argument": (
        "def f(x): return x\nf(torch.ones(1)).sum()\nf(nn.Linear(1, 2)).weight",
        ["sum", "weight"],
    ),
    "one of two": ("def f(x, y): return x if y else y\nf(torch.ones(1), None).sum()", ["sum"]),
    "a default": ("def f(x=torch.ones(1)): return x\nf().sum()", ["sum"]),
    "a keyword": ("def f(y, x): return x\nf(x=torch.ones(1), y=3).sum()", ["sum"]),
    "of a method": ("class A:\n    def f(self, x): return x\nA().f(torch.ones(1)).sum()", ["sum"]),
    "of a static method": (
        "class A:\n    @staticmethod\n    def f(x): return x\nA.f(torch.ones(1)).sum()",
        ["sum"],
    ),
    "on one path": (
        "def f(x):\n    if y:\n        return x\n    return torch.ones(1)\nf(torch.zeros(1)).sum()",
        ["sum"],
    ),
}


@pytest.mark.parametrize(("source", "members"), GIVEN_BACK.values(), ids=GIVEN_BACK)
def test_what_is_given_comes_back(source: str, members: list[str]) -> None:
    """Per call: what others give makes it no less sure."""
    found = uses(MODULE + source)
    apis = {"sum": "call torch.Tensor.sum", "weight": "attribute torch.nn.Linear.weight"}
    for member in members:
        kept = [line for line in found if line.startswith(apis[member])]
        assert kept and not kept[0].endswith(("(likely)", "(possible)")), found


@pytest.mark.parametrize(
    ("given", "certainty"),
    [
        ("f(nn.ReLU)\nf(partial(Own))", "possible"),
        ("f(nn.ReLU)\nf(nn.GELU)\nf(partial(Own))", "likely"),
        ("f(nn.ReLU)\nf(Own)", "possible"),
        ("f(nn.ReLU)\nf(3)", "likely"),
    ],
)
def test_what_of_the_project_rivals_an_api(given: str, certainty: str) -> None:
    source = f"{MODULE}class Own:\n    def __init__(self, *sizes): ...\ndef f(act): act()\n{given}"
    assert f"call torch.nn.ReLU <- act ({certainty})" in uses(source)


@pytest.mark.parametrize(
    ("others", "certainty"),
    [([], ""), (["lambda x: x"], " (likely)"), (["lambda x: x", "own"], " (possible)")],
)
def test_more_of_the_project_than_of_torch(others: list[str], certainty: str) -> None:
    chosen = "".join(f"    if k == {place}: self.f = {other}\n" for place, other in enumerate(others))
    source = (
        f"{MODULE}def own(x): return x\nclass A:\n  def __init__(self, k):\n    self.f = torch.tanh\n"
        f"{chosen}  def run(self, x): return self.f(x)\n"
    )
    assert f"call torch.tanh <- self.f{certainty}" in uses(source)
