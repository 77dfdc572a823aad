"""What functions of torch hand to those that they are given: hooks, what is applied to all modules."""

from __future__ import annotations

import pytest
from looking import uses

HEAD = "import torch\nfrom functools import partial\nfrom torch import nn\nnet = nn.Linear(1, 1)\n"

HANDED = {
    "of a Tensor": (
        "def hook(grad): grad.relu()\ntorch.ones(1).register_hook(hook)",
        "call torch.Tensor.relu <- grad.relu (likely)",
    ),
    "what is passed on": (
        "from torch.utils.checkpoint import checkpoint\ndef run(x): x.relu()\n"
        "checkpoint(run, torch.ones(1), use_reentrant=False)",
        "call torch.Tensor.relu <- x.relu (likely)",
    ),
    "what is passed on to a module": (
        "from torch.utils.checkpoint import checkpoint\nclass A(nn.Module):\n    def forward(self, x, act=None): act()\n"
        "    def run(self, x): checkpoint(self, x, nn.ReLU)",
        "call torch.nn.ReLU <- act (likely)",
    ),
    "a lambda": (
        "torch.ones(1).register_hook(lambda grad: grad.relu())",
        "call torch.Tensor.relu <- grad.relu (likely)",
    ),
    "of a module: the module": (
        "def hook(m, i, o): m.eval()\nnet.register_forward_hook(hook)",
        "call torch.nn.Module.eval <- m.eval (likely)",
    ),
    "of a module: its inputs": (
        "def hook(m, i, o): i[0].relu()\nnet.register_forward_hook(hook)",
        "call torch.Tensor.relu <- i[0].relu (likely)",
    ),
    "of a module: its output": (
        "def hook(m, i, o): o.relu()\nnet.register_forward_hook(hook)",
        "call torch.Tensor.relu <- o.relu (likely)",
    ),
    "of a module that nobody knows": (
        "def run(m):\n    m.register_forward_hook(hook)\ndef hook(m, i, o): o.relu()",
        "call torch.Tensor.relu <- o.relu (likely)",
    ),
    "before it runs": (
        "def hook(m, i): i[0].relu()\nnet.register_forward_pre_hook(hook)",
        "call torch.Tensor.relu <- i[0].relu (likely)",
    ),
    "backward": (
        "def hook(m, i, o): o[0].relu()\nnet.register_full_backward_hook(hook)",
        "call torch.Tensor.relu <- o[0].relu (likely)",
    ),
    "a method": (
        "class A:\n    def hook(self, m, i, o): o.relu()\n"
        "    def run(self): net.register_forward_hook(self.hook)",
        "call torch.Tensor.relu <- o.relu (likely)",
    ),
    "with arguments given": (
        "def hook(name, m, i, o): o.relu()\nnet.register_forward_hook(partial(hook, 'a'))",
        "call torch.Tensor.relu <- o.relu (likely)",
    ),
    "a function inside another": (
        "def run():\n    def hook(m, i, o): o.relu()\n    net.register_forward_hook(hook)",
        "call torch.Tensor.relu <- o.relu (likely)",
    ),
    "applied to all modules": (
        "def init(m): m.train()\nnet.apply(init)",
        "call torch.nn.Module.train <- m.train (likely)",
    ),
    "their weights": (
        "def init(m): m.weight.data.relu()\nnet.apply(init)",
        "call torch.Tensor.relu <- m.weight.data.relu (likely)",
    ),
    "as often as there are parameters": (
        "def f(x, y): y.relu()\ntorch.autograd.functional.jacobian(f, (1, 2))",
        "call torch.Tensor.relu <- y.relu (likely)",
    ),
}
NOT_HANDED = {
    "with other arguments": "def hook(m, i, o): o.relu()\nnet.register_forward_hook(hook, with_kwargs=True)",
    "another function": "def hook(grad): grad.relu()\ndef other(grad): ...\ntorch.ones(1).register_hook(other)",
    "to another method": "def hook(m): m.relu()\nnet.other(hook)",
    "unpacked": "def hook(grad): grad.relu()\ntorch.ones(1).register_hook(*[hook])",
}


@pytest.mark.parametrize("name", HANDED)
def test_what_is_handed(name: str) -> None:
    source, expected = HANDED[name]
    assert expected in uses(HEAD + source)


@pytest.mark.parametrize("name", NOT_HANDED)
def test_what_is_not_handed(name: str) -> None:
    assert not [line for line in uses(HEAD + NOT_HANDED[name]) if "relu" in line and "(possible)" not in line]
