"""MP510 and MP511: where gradients of gradients are taken, and what is on the way there."""

from __future__ import annotations

from pathlib import Path

import pytest
from findings import session, settled_codes

HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\nfrom torch.autograd import grad\n\n\n"
TAKEN = {
    "create_graph": ("g = grad(y, x, create_graph=True)", ["grad"]),
    "by position": ("g = grad(y, x, None, True, True)", ["grad"]),
    "as it is asked": ("g = grad(y, x, create_graph=again)", ["grad"]),
    "backward": ("y.backward(create_graph=True)", ["y.backward"]),
    "backward of the module": ("torch.autograd.backward(y, create_graph=True)", ["torch.autograd.backward"]),
    "hessian": ("h = torch.autograd.functional.hessian(f, x)", ["torch.autograd.functional.hessian"]),
    "hvp": ("h = torch.autograd.functional.hvp(f, x, x)", ["torch.autograd.functional.hvp"]),
    "jacobian": (
        "j = torch.autograd.functional.jacobian(f, x, create_graph=True)",
        ["torch.autograd.functional.jacobian"],
    ),
    "torch.func.hessian": ("h = torch.func.hessian(f)(x)", ["torch.func.hessian"]),
    "grad of grad": ("h = torch.func.grad(torch.func.grad(f))(x)", ["torch.func.grad"]),
    "grad of grad, by name": ("g = torch.func.grad(f)\nh = torch.func.jacrev(g)(x)", ["torch.func.jacrev"]),
}
NOT_TAKEN = {
    "grad": "g = grad(y, x)",
    "retain_graph": "g = grad(y, x, retain_graph=True)",
    "create_graph=False": "g = grad(y, x, create_graph=False)",
    "backward": "y.backward(retain_graph=True)",
    "a Jacobian": "j = torch.autograd.functional.jacobian(f, x)",
    "torch.func.grad": "g = torch.func.grad(f)(x)",
    "a name": "hessian = x * 2\ncreate_graph = True",
    "a function of the project": "def hessian(f, x):\n    return x\nh = hessian(f, x)",
}


@pytest.mark.parametrize("name", TAKEN)
def test_taken(name: str) -> None:
    body, covered = TAKEN[name]
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    source = f"{HEAD}def step(x: torch.Tensor, y: torch.Tensor, f, again):\n{lines}"
    assert settled_codes(source, select=["MP510"]) == [f"MP510 {one}" for one in covered]


REAL = {
    "deepxde 1.15.0, optimizers/pytorch/nncg.py:166": (
        "taken = torch.autograd.grad(y, list(f), create_graph=True)",
        ["torch.autograd.grad"],
    ),
    "stylegan2_pytorch 1.9.0, stylegan2_pytorch.py:250": (
        "y = (x * y).sum()\n"
        "g = grad(outputs=y, inputs=x, create_graph=True, retain_graph=True, only_inputs=True)[0]",
        ["grad"],
    ),
    "laplace 0.3, curvature/backpack.py:82": (
        "y.sum().backward(create_graph=again, retain_graph=again)",
        ["y.sum().backward"],
    ),
    "neuromancer 1.5.6, modules/lopo.py:48": (
        "from torch.func import hessian, vmap\nh = vmap(hessian(f, argnums=0))",
        ["hessian"],
    ),
    "curvlinops 3.0.1, ggn.py:63": (
        "from torch.func import jacrev, jvp\ng = jacrev(lambda p: f(p, y))\n_, h = jvp(g, (x,), (x,))",
        ["jvp"],
    ),
    "torch_geometric 2.8.1, nn/models/visnet.py:1167": (
        "g = grad([y], [x], grad_outputs=[torch.ones_like(y)], create_graph=True, retain_graph=True)[0]",
        ["grad"],
    ),
}
"""The shapes of calls at these places of published packages."""


@pytest.mark.parametrize("place", REAL)
def test_as_published_packages_have_it(place: str) -> None:
    body, covered = REAL[place]
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    source = f"{HEAD}def step(x: torch.Tensor, y: torch.Tensor, f, again):\n{lines}"
    assert settled_codes(source, select=["MP510"]) == [f"MP510 {one}" for one in covered]


@pytest.mark.parametrize("name", NOT_TAKEN)
def test_not_taken(name: str) -> None:
    lines = "".join(f"    {line}\n" for line in NOT_TAKEN[name].splitlines())
    source = f"{HEAD}def step(x: torch.Tensor, y: torch.Tensor, f):\n{lines}"
    assert settled_codes(source, select=["MP5"]) == []


WAY = {
    "in the function": ("y = x.reshape(-1)", ["x.reshape"]),
    "through several names": ("a = torch.cat([x, x])\nb = a + 1\ny = b * 2", ["torch.cat"]),
    "a product of matrices": ("y = x @ x", ["x @ x"]),
    "an attribute": ("y = x.T", ["x.T"]),
    "in a loop": ("y = x\nfor _ in range(2):\n    y = y.sum(0)", ["y.sum"]),
    "in a branch": ("if again:\n    y = x.mean()\nelse:\n    y = x.exp()", ["x.mean"]),
    "what is computed elementwise": ("y = (x * 2 + x.exp()).tanh()", []),
    "what is printed": ("print(x.reshape(-1))\ny = x * 2", []),
    "what is detached": ("w = x.mean().detach()\ny = x * w", []),
    "what is detached, of something unknown": ("w = again(x.mean()).detach()\ny = x * w", []),
    "numbers": ("n = x.view(-1).size(0)\ny = x * n", []),
    "a condition": ("y = x * 2 if x.sum() > 0 else x", []),
    "what comes after": ("y = x * 2\nz = x.cumsum(0).mean()", []),
}


@pytest.mark.parametrize("name", WAY)
def test_the_way_in_a_function(name: str) -> None:
    body, covered = WAY[name]
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    source = f"{HEAD}def step(x: torch.Tensor, again):\n{lines}    return grad(y, x, create_graph=True)\n"
    assert settled_codes(source, select=["MP511"]) == [f"MP511 {one}" for one in covered]


CRITIC = f"""{HEAD}class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 1)
        self.rest = nn.Sequential(nn.ReLU(), nn.MaxPool1d(2))

    def forward(self, x: torch.Tensor):
        self.note(x.mean())
        return pooled(self.rest(self.first(x)))

    def note(self, x):
        print(x.reshape(-1))


def pooled(h: torch.Tensor):
    return h.flatten(1)


"""
FOUND_IN_CRITIC = ["MP511 self.rest", "MP511 self.first", "MP511 h.flatten"]


def test_what_a_network_on_the_way_calls() -> None:
    source = (
        f"{CRITIC}def penalty(critic, x):\n    score = critic(x)\n"
        "    return grad(score, x, create_graph=True)[0]\n\n\n"
        "def train(x: torch.Tensor):\n    critic = Critic()\n    return penalty(critic, x)\n"
    )
    found = settled_codes(source, select=["MP511"])
    assert sorted(found) == sorted(FOUND_IN_CRITIC)
    assert settled_codes(source.replace("create_graph=True", "retain_graph=True"), select=["MP5"]) == []


def test_what_callers_give() -> None:
    """A function that takes the gradient for others: what they give it is on the way."""
    source = (
        f"{HEAD}def gradient(y, x):\n    return grad(y, x, torch.ones_like(y), create_graph=True)[0]\n\n\n"
        "def loss(x: torch.Tensor):\n    u = torch.cat([x, x], 1)\n    v = x.mean()\n"
        "    return gradient(u, x) + v\n"
    )
    assert settled_codes(source, select=["MP511"]) == ["MP511 torch.cat"]


def test_the_way_begins_at_what_gradients_are_for() -> None:
    """What that is computed of is differentiated once."""
    body = "    y = x.mean(0)\n    z = torch.cat([y, y])\n"
    taken = f"{HEAD}def step(x: torch.Tensor):\n{body}    return grad(z, y, create_graph=True)\n"
    assert settled_codes(taken, select=["MP511"]) == ["MP511 torch.cat"]
    listed = taken.replace("grad(z, y,", "grad(z, [y],")
    assert settled_codes(listed, select=["MP511"]) == ["MP511 torch.cat"]
    by_another = (
        f"{HEAD}def gradient(y, x):\n    return grad(y, x, torch.ones_like(y), create_graph=True)[0]\n\n\n"
        f"def step(x: torch.Tensor):\n{body}    return gradient(z, y)\n"
    )
    assert settled_codes(by_another, select=["MP511"]) == ["MP511 torch.cat"]


def test_a_function_that_is_given() -> None:
    source = (
        f"{HEAD}def energy(x: torch.Tensor):\n    return x.sum()\n\n\n"
        "def curvature(x):\n    return torch.func.hessian(energy)(x)\n\n\n"
        "def other(x):\n    return torch.func.hessian(lambda x: torch.mean(x))(x)\n"
    )
    assert settled_codes(source, select=["MP511"]) == ["MP511 x.sum", "MP511 torch.mean"]


def test_across_files(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(CRITIC, encoding="utf-8")
    penalty = "from net import Critic\nfrom torch.autograd import grad\n\n\ndef penalty(x):\n"
    penalty += "    return grad(Critic()(x), x, create_graph=True)\n"
    (tmp_path / "penalty.py").write_text(penalty, encoding="utf-8")
    made = session(select=["MP511"])
    paths = [tmp_path / "net.py", tmp_path / "penalty.py"]
    for path in paths:
        made.analyse_file(path)
    made.settle([str(path) for path in paths])
    found = made.analyse_file(paths[0])
    texts = [f"{one.code} {found.document.text(one.start, one.end)}" for one in found.diagnostics()]
    assert sorted(texts) == sorted(FOUND_IN_CRITIC)
