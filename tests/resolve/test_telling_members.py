"""Members that only a Tensor, or only a module, has: they tell what an object is of which nothing else is known."""

from __future__ import annotations

import pytest
from looking import uses

HEAD = "import torch\nfrom torch import nn\n"

TOLD = {
    "called": ("def f(x): x.dim(); x.view(1)", "call torch.Tensor.view <- x.view (likely)"),
    "read": ("def f(x): x.is_cuda; x.view(1)", "call torch.Tensor.view <- x.view (likely)"),
    "of an item": (
        "def f(x): x[0].contiguous().view(1)",
        "call torch.Tensor.view <- x[0].contiguous().view (likely)",
    ),
    "of an item, called": ("def f(x): x[0].dim", ""),
    "of an item, and called": (
        "def f(x): x[0].detach().view(1)",
        "call torch.Tensor.view <- x[0].detach().view (likely)",
    ),
    "of a call": ("def f(x): x().expand(1).view(1)", "call torch.Tensor.view <- x().expand(1).view (likely)"),
    "not called": ("def f(x): x.dim", ""),
    "called of what it is converted to": (
        "def f(x): return x.cpu().numpy()",
        "call torch.Tensor.cpu <- x.cpu (likely)",
    ),
    "called of what it is converted to, a module": (
        "def f(m): m.cuda().eval()",
        "call torch.nn.Module.cuda <- m.cuda (likely)",
    ),
    "called of what is no conversion": ("def f(x): x.other().unique()", ""),
    "called of what it is converted to, by a class": (
        "class A:\n    def numpy(self): ...\ndef f(x): x.cpu().numpy()",
        "",
    ),
    "converted alone": ("def f(x): x.cpu().eval; x.float()", ""),
    "a class has it": (
        "class A:\n    def contiguous(self): ...\ndef f(x): x[0].contiguous().view(x)",
        "call torch.Tensor.view <- x[0].contiguous().view (possible)",
    ),
    "of what an annotation takes for a number": (
        "def f(x: int): x.size(); x.view(1)",
        "call torch.Tensor.view <- x.view (likely)",
    ),
    "of a number": ("def f(x: int): x.real; x.bit_length()", ""),
    "module": ("def f(m): m.named_parameters(); m.train()", "call torch.nn.Module.train <- m.train (likely)"),
    "module, called": ("def f(m): m.parameters(); m.eval()", "call torch.nn.Module.eval <- m.eval (likely)"),
    "module, not called": ("def f(m): m.parameters; m.train()", ""),
    "module of an attribute": (
        "def f(m): m.net.modules()",
        "call torch.nn.Module.modules <- m.net.modules (likely)",
    ),
    "module that is called": (
        "def f(m, x):\n    m.parameters()\n    y = m(x)\n    y.view(1)",
        "call torch.Tensor.view <- y.view (likely)",
    ),
    "of what a library gives": (
        "import other\ndef f(x: other.Thing): x.loc.unsqueeze(0).view(1)",
        "call torch.Tensor.view <- x.loc.unsqueeze(0).view (likely)",
    ),
    "of what a library gives that has no Tensors": (
        "import numpy\ndef f(x: numpy.ndarray): x.loc.unsqueeze(0).view(1)",
        "",
    ),
    "of one that may be a tuple, which has none": (
        "def g(d, k, first):\n    if first: return tuple(d)\n    return getattr(d, k)\n"
        "def f(d):\n    x = g(d, 'x', 1)\n    x.dim()\n    x.view(1)",
        "call torch.Tensor.view <- x.view (likely)",
    ),
    "of one that may be a list, which has one": (
        "def g(d, k, first):\n    if first: return list(d)\n    return getattr(d, k)\n"
        "def f(d):\n    x = g(d, 'x', 1)\n    x.copy()\n    x.view(1)",
        "",
    ),
    "module by its base": (
        "def make(base):\n    class A(base):\n        def forward(self, x): return x\n    return A()\n"
        "make(q).train()",
        "call torch.nn.Module.train <- make(q).train (likely)",
    ),
    "module by its base, its forward": (
        "def make(base):\n    class A(base):\n        def forward(self, x): return super().forward(x)\n    return A()\n"
        "make(q).forward(1)",
        "",
    ),
    "no module by its base": (
        "def make(base):\n    class A(base):\n        def other(self, x): return x\n    return A()\n"
        "make(q).train()",
        "",
    ),
    "of an optimizer": (
        "def f(o):\n    for g in o.param_groups:\n        g['params'][0].view(1)",
        "call torch.Tensor.view <- g['params'][0].view (likely)",
    ),
    "of a distribution": (
        "def f(d): len(d.batch_shape); d.sample()",
        "call torch.distributions.Distribution.sample <- d.sample (likely)",
    ),
    "of a distribution, called": (
        "def f(d): d.log_prob(1); d.variance",
        "attribute torch.distributions.Distribution.variance <- d.variance (likely)",
    ),
    "of a distribution of another library": ("import numpyro\ndef f(d): d.log_prob(1); d.variance", ""),
    "of a recurrent layer": (
        "def f(a): a.rnn.flatten_parameters()",
        "call torch.nn.RNNBase.flatten_parameters <- a.rnn.flatten_parameters (likely)",
    ),
    "two of an optimizer": (
        "def f(o): o.zero_grad(); o.step()",
        "call torch.optim.Optimizer.step <- o.step (likely)",
    ),
    "one of two of an optimizer": ("def f(o): o.zero_grad(); o.run()", ""),
    "two of an optimizer, of which a class has one": (
        "class A:\n    def step(self): ...\ndef f(o): o.zero_grad(); o.step()",
        "call torch.optim.Optimizer.step <- o.step (likely)",
    ),
    "two of an optimizer, both of which a class has": (
        "class A:\n    zero_grad = None\nclass B(A):\n    def step(self): ...\ndef f(o): o.zero_grad(); o.step()",
        "",
    ),
    "two of an optimizer, of which a kind of optimizer has one": (
        "class A(torch.optim.SGD):\n    def step(self): ...\ndef f(o): o.zero_grad(); o.step()",
        "",
    ),
    "two of an optimizer, of which a class has one of which not all is known": (
        "import other\nclass A(other.Base):\n    def step(self): ...\ndef f(o): o.zero_grad(); o.step()",
        "",
    ),
    "two of an optimizer, one not called": ("def f(o): o.zero_grad(); o.step", ""),
    "two of a module": ("def f(m): m.eval(); m.to(1)", "call torch.nn.Module.eval <- m.eval (likely)"),
    "two of something else": ("def f(m): m.train(); m.to(1)", ""),
    "of a context": (
        "def f(c, y):\n    c.save_for_backward(y)\n    c.saved_tensors[0].view(1)",
        "call torch.Tensor.view <- c.saved_tensors[0].view (likely)",
    ),
    "without arguments": ("def f(x): x.backward()", "call torch.Tensor.backward <- x.backward (likely)"),
    "without arguments by position": (
        "def f(x): x.backward(retain_graph=True)",
        "call torch.Tensor.backward <- x.backward (likely)",
    ),
    "with an argument": ("def f(x, loss): x.backward(loss)", ""),
    "without arguments, and a class has it": (
        "class A:\n    def backward(self): ...\ndef f(x): x.backward()",
        "",
    ),
    "beside what has it not": (
        "def f(x=None):\n    if x is None:\n        x = torch.ones(1)\n    x.parameters()",
        "call torch.nn.Module.parameters <- x.parameters (likely)",
    ),
    "with MindSpore": ("import mindspore\ndef f(o): o.zero_grad(); o.step()", ""),
    "with a keyword": ("def f(x): x.sum(dim=1)", "call torch.Tensor.sum <- x.sum (likely)"),
    "with a keyword of others": ("def f(x): x.sum(axis=1)", ""),
    "with a text for it": ("def f(x): x.sum(dim='time')", ""),
    "with a keyword, and a class has it": (
        "class A:\n    def sum(self): ...\ndef f(x): x.sum(dim=1)",
        "",
    ),
    "with a keyword, beside what a Tensor has not": ("def f(x): x.sum(dim=1); x.other()", ""),
    "with a keyword, of an item": (
        "def f(x): x[0].mean(dim=1)",
        "call torch.Tensor.mean <- x[0].mean (likely)",
    ),
    "with integers": ("def f(x, n): x.view(n, -1); x.sum()", "call torch.Tensor.sum <- x.sum (likely)"),
    "with other arguments": ("def f(x, n): x.view(n); x.sum()", ""),
    "with an integer first": ("def f(x): x.split(2); x.sum()", "call torch.Tensor.sum <- x.sum (likely)"),
    "with an integer behind a text": ("def f(x): x.split(',', 2); x.index", ""),
    "with two integers": ("def f(x): x.transpose(1, 2); x.sum()", "call torch.Tensor.sum <- x.sum (likely)"),
    "with three integers": ("def f(x): x.transpose(2, 0, 1); x.sum()", ""),
    "bare": ("def f(x): x.clone(); x.sum()", "call torch.Tensor.sum <- x.sum (likely)"),
    "of groups": ("def f(x): x.groupby('a').size(); x.sum()", ""),
    "of what a method gave": (
        "def f(x): return x.find('a').size()",
        "call torch.Tensor.size <- x.find('a').size (likely)",
    ),
    "bare, where others have it": ("import pandas\ndef f(x): x.abs(); x.sum()", ""),
    "bare, where others that have it are not imported": (
        "def f(x): x.abs(); x.sum()",
        "call torch.Tensor.sum <- x.sum (likely)",
    ),
    "with strict": (
        "def f(m, s): m.load_state_dict(s, strict=False)",
        "call torch.nn.Module.load_state_dict <- m.load_state_dict (likely)",
    ),
    "without strict": ("def f(m, s): m.load_state_dict(s)", ""),
    "children": ("def f(m): m.children()", "call torch.nn.Module.children <- m.children (likely)"),
    "eval": ("def f(m): m.eval(); m.train()", "call torch.nn.Module.train <- m.train (likely)"),
    "eval of an expression": ("def f(m): m.eval('x + 1')", ""),
    "of a handle": (
        "def f(h): h.remove()",
        "call torch.utils.hooks.RemovableHandle.remove <- h.remove (likely)",
    ),
    "of a list": ("def f(h): h.remove(1)", ""),
    "of a handle, where others have it": ("import matplotlib\ndef f(h): h.remove()", ""),
    "children with an argument": ("def f(m): m.children(True)", ""),
    "called, which others have as no method": (
        "class A:\n    def size(self): ...\ndef f(x): x.size(0); x.sum()",
        "call torch.Tensor.sum <- x.sum (likely)",
    ),
    "read, as others have it": (
        "class A:\n    def size(self): ...\ndef f(x): x.size; x.sum()",
        "",
    ),
    "module class with it": (
        "class A:\n    def parameters(self): ...\ndef f(m): m.parameters(); m.train()",
        "",
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_a_member_tells(name: str) -> None:
    source, expected = TOLD[name]
    found = [line for line in uses(HEAD + source) if "(likely)" in line or "(possible)" in line]
    assert (expected in found) if expected else not [line for line in found if "(likely)" in line]


KEPT = {
    "a number": ("self.dim = 3", True),
    "a parameter that is a number": ("self.dim = a", True),
    "a parameter that may be one": ("self.dim = b", True),
    "a parameter with a number by default": ("self.dim = c", True),
    "a parameter that is a function": ("self.dim = d", False),
    "what nobody knows": ("self.dim = q()", False),
    "a lambda": ("self.dim = lambda: 1", False),
    "a parameter that it calls": ("self.dim = e\n    def other(self): self.dim()", False),
    "a parameter that another calls": ("self.dim = e\n    def other(self, z): z.dim()", True),
    "a property": ("pass\n    @property\n    def dim(self): return 1", True),
    "a method": ("pass\n    def dim(self): return 1", False),
    "a field": ("pass\n    dim: int", True),
    "a field that is a function": ("pass\n    dim: Callable", False),
}


@pytest.mark.parametrize("name", KEPT)
def test_what_a_class_keeps_under_the_name_of_a_method(name: str) -> None:
    line, is_told = KEPT[name]
    arguments = "a: int, b: typing.Optional[list[int]], c=1, *, d: Callable, e"
    source = f"{HEAD}import typing\nclass A:\n    def __init__(self, {arguments}):\n        {line}\n"
    found = uses(f"{source}def f(x): x.dim()\n")
    assert ("call torch.Tensor.dim <- x.dim (likely)" in found) is is_told


def test_what_a_class_keeps_speaks_against_what_is_read() -> None:
    source = f"{HEAD}class A:\n    def __init__(self): self.is_cuda = True\ndef f(x): x.is_cuda\n"
    assert not [line for line in uses(source) if "(likely)" in line]


INHERITED = {
    "called": (
        "self.register_buffer('x', y)",
        "call torch.nn.Module.register_buffer <- self.register_buffer (likely)",
    ),
    "read": (
        "self.named_parameters",
        "reference torch.nn.Module.named_parameters <- self.named_parameters (likely)",
    ),
    "of what it gives": (
        "[p.view(1) for p in self.parameters()]",
        "call torch.Tensor.view <- p.view (likely)",
    ),
    "of no one class": ("self.train(y)", ""),
}


@pytest.mark.parametrize("name", INHERITED)
def test_methods_of_a_class_that_derives_from_one_of_which_nothing_is_known(name: str) -> None:
    line, expected = INHERITED[name]
    source = f"{HEAD}import other\nclass A({{}}):\n    def f(self, y):\n        {line}\n"
    found = [one for one in uses(source.format("other.Base")) if one.startswith(("call", "reference"))]
    assert (expected in found) if expected else not found
    assert expected not in uses(source.format("object"))


SET = {
    "setattr": "setattr(self, name, torch.ones(1))",
    "register_parameter": "self.register_parameter(name, nn.Parameter(torch.ones(1)))",
    "register_buffer": "self.register_buffer(f'b{name}', None)",
}


@pytest.mark.parametrize("name", SET)
def test_attributes_set_by_any_name(name: str) -> None:
    source = (
        f"{HEAD}class A(nn.Module):\n    def __init__(self, name):\n        {SET[name]}\n"
        "        self.known = 1\n    def f(self):\n        self.other.view(1)\n        self.known.real\n"
    )
    found = [line for line in uses(source) if "Tensor." in line]
    assert found == ["call torch.Tensor.view <- self.other.view (likely)"]


def test_getattr_may_give_anything() -> None:
    source = "class A:\n    def __getattr__(self, name): ...\nA().other.view(A)"
    assert "call torch.Tensor.view <- A().other.view (possible)" in uses(HEAD + source)
    assert not [line for line in uses(HEAD + "class A: pass\nA().other.view(1)") if "Tensor" in line]


def test_a_subclass_that_leaves_forward_to_torch() -> None:
    for base in ("nn.Sequential", "nn.Module", "nn.Linear"):
        source = f"{HEAD}class A({base}):\n    pass\nA()(1).view(1)"
        assert [line for line in uses(source) if line.startswith("call torch.Tensor.view")]


ARRAYS = {
    "read": ("def f(x): x.shape; x.data", "attribute torch.Tensor.data <- x.data (likely)"),
    "of an item": ("def f(x): x[0].ndim", "attribute torch.Tensor.ndim <- x[0].ndim (likely)"),
    "called": ("def f(x): x.reshape(-1, 1)", "call torch.Tensor.reshape <- x.reshape (likely)"),
    "beside a member that no Tensor has": ("def f(x): x.shape; x.rows; x.data", ""),
    "beside a method that is not called": ("def f(x): x.shape; x.mean", ""),
    "a class has it": ("class A:\n    shape = 1\ndef f(x): x.shape; x.data", ""),
    "other arrays are in use": ("import numpy\ndef f(x): x.shape; x.data; x[0].ndim", ""),
    "another member": ("def f(x): x.dtype; x[0].device", ""),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_members_that_only_arrays_have(name: str) -> None:
    source, expected = ARRAYS[name]
    found = [line for line in uses(HEAD + source) if "(likely)" in line]
    assert (expected in found) if expected else not found


def test_members_of_arrays_tell_nothing_where_torch_is_not_imported() -> None:
    assert not [line for line in uses("def f(x): x.shape; x.data") if "(likely)" in line]


KEPT_BY_MODULES = {
    "a Parameter": ("m.weight.data", "attribute torch.Tensor.data <- m.weight.data (likely)"),
    "called": ("m[0].bias.size(0)", "call torch.Tensor.size <- m[0].bias.size (likely)"),
    "a buffer": ("m.running_mean.dtype", "attribute torch.Tensor.dtype <- m.running_mean.dtype (likely)"),
    "what no Tensor has": ("m.weight.rows", ""),
    "under another name": ("m.scale.data", ""),
}


@pytest.mark.parametrize("name", KEPT_BY_MODULES)
def test_what_most_modules_keep(name: str) -> None:
    reading, expected = KEPT_BY_MODULES[name]
    module = "class M(nn.Module):\n    def __init__(self): self.weight = self.size = 1\n"
    found = [line for line in uses(f"{HEAD}{module}def f(m): {reading}") if "(likely)" in line]
    assert (expected in found) if expected else not found


@pytest.mark.parametrize("base", ["", "(Base)", "(unseen)"])
def test_what_other_classes_keep_under_such_a_name(base: str) -> None:
    source = f"class Base: pass\nclass A{base}:\n    def __init__(self, w): self.weight = w\n"
    found = uses(f"{HEAD}{source}def f(m): m.weight.data; m.bias.data")
    assert "attribute torch.Tensor.data <- m.weight.data (possible)" in found
    assert "attribute torch.Tensor.data <- m.bias.data (likely)" in found


OF_AN_ATTRIBUTE = {
    "one": ("self.x.view(-1)", "self.x.shape", "attribute torch.Tensor.shape <- self.x.shape (likely)"),
    "two together": (
        "self.x.size(0); self.x.sum()",
        "self.x.shape",
        "attribute torch.Tensor.shape <- self.x.shape (likely)",
    ),
    "of a module": (
        "self.x.parameters()",
        "self.x.eval()",
        "call torch.nn.Module.eval <- self.x.eval (likely)",
    ),
    "two of an optimizer": (
        "self.x.zero_grad()",
        "self.x.step()",
        "call torch.optim.Optimizer.step <- self.x.step (likely)",
    ),
    "that tell nothing": ("self.x.step()", "self.x.train()", ""),
    "of another attribute": ("self.y.view(-1)", "self.x.device", ""),
    "one that all arrays have": (
        "self.x.shape",
        "self.x.data",
        "attribute torch.Tensor.data <- self.x.data (likely)",
    ),
    "one that all arrays have, beside another": ("self.x.shape", "self.x.rows", ""),
}


@pytest.mark.parametrize("name", OF_AN_ATTRIBUTE)
def test_what_methods_read_of_an_attribute(name: str) -> None:
    telling, reading, expected = OF_AN_ATTRIBUTE[name]
    source = (
        f"{HEAD}class A:\n    def __init__(self, x, y):\n        self.x, self.y = x, y\n"
        f"    def f(self):\n        {telling}\n    def g(self):\n        return {reading}\n"
    )
    found = [line for line in uses(source) if "(likely)" in line and line.partition("<- ")[2][:6] == "self.x"]
    assert (expected in found) if expected else not found


def test_an_attribute_that_is_known_is_what_it_is() -> None:
    source = (
        "class A:\n    def __init__(self): self.x = 'a'\n    def f(self): self.x.view(-1); self.x.shape\n"
    )
    assert not [line for line in uses(HEAD + source) if "Tensor" in line]
