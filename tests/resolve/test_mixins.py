"""What `self` has in a class that is made to be mixed in: what its subclasses derive from beside it."""

from __future__ import annotations

import calling_modules
import pytest
from looking import uses

MIXIN = """
import torch
from torch import nn
class Left:
    def rows(self): raise NotImplementedError
class Mixin(Left):
    def run(self): self.{}
"""
BASE = "class Base(nn.Module):\n    def __init__(self): self.scale = torch.ones(1)\n"

FOUND = {
    "a member of torch's class": ("parameters()", "class A(nn.Module, Mixin): pass", "nn.Module.parameters"),
    "in another order": ("parameters()", "class A(Mixin, nn.Linear): pass", "nn.Module.parameters"),
    "an attribute of the project's class": (
        "scale.view(1)",
        BASE + "class A(Base, Mixin): pass",
        "Tensor.view",
    ),
    "of a class far above": (
        "scale.view(1)",
        BASE + "class B(Base): pass\nclass C(B): pass\nclass A(C, Mixin): pass",
        "Tensor.view",
    ),
    "through another mixin": (
        "scale.view(1)",
        BASE + "class M(Mixin): pass\nclass A(Base, M): pass",
        "Tensor.view",
    ),
    "one of many": (
        "scale.view(1)",
        BASE + "".join(f"class B{i}(Base): pass\nclass A{i}(B{i}, Mixin): pass\n" for i in range(12)),
        "Tensor.view",
    ),
}
MANY = "".join(
    f"class A{number}(Mixin, torch.distributions.{name}): pass\n"
    for number, name in enumerate(
        [
            "Bernoulli",
            "Beta",
            "Binomial",
            "Categorical",
            "Cauchy",
            "Chi2",
            "Dirichlet",
            "Exponential",
            "Gamma",
            "Gumbel",
            "Normal",
        ]
    )
)
LEFT = """
import torch
class Base:
    @classmethod
    def run(cls, x):
        cls.made(x).view(1)
    def go(self, x):
        self.made(x).permute(1)
"""
MADE = """class A(Base):
    @classmethod
    def made(cls, x): return torch.relu(x)
"""
NOT_FOUND = {
    "nothing beside it": ("parameters()", "class A(Mixin): pass"),
    "beside another": ("scale.view(1)", BASE + "class M: pass\nclass A(Base, M): pass"),
    "nothing of that name": ("scaling.view(1)", BASE + "class A(Base, Mixin): pass"),
}


@pytest.mark.parametrize("name", FOUND)
def test_members_of_the_classes_beside_it(name: str) -> None:
    body, rest, api = FOUND[name]
    found = uses(MIXIN.format(body) + rest)
    assert f"call torch.{api} <- self.{body.partition('(')[0]} (likely)" in found


@pytest.mark.parametrize("name", NOT_FOUND)
def test_nothing_else(name: str) -> None:
    body, rest = NOT_FOUND[name]
    found = uses(MIXIN.format(body) + rest)
    assert not [line for line in found if "<- self.scal" in line or "<- self.param" in line]


def test_what_is_left_to_a_class_beside_it_and_to_subclasses() -> None:
    left = MIXIN.replace("rows", "dim")
    assert "call torch.Tensor.dim <- self.dim (likely)" in uses(
        left.format("dim()") + "class A(torch.Tensor, Mixin): pass"
    )
    found = uses(
        left.format("dim()")
        + "class A(torch.Tensor, Mixin): pass\nclass C(Mixin):\n    def dim(self): return 1\n"
    )
    assert "call torch.Tensor.dim <- self.dim (possible)" in found


@pytest.mark.parametrize("api", ["torch.Tensor.view", "torch.Tensor.permute"])
def test_members_that_only_subclasses_have(api: str) -> None:
    def is_found(rest: str) -> bool:
        return any(api in each for each in uses(LEFT + rest))

    assert is_found(MADE)
    assert is_found("class B(Base): pass\n" + MADE.replace("Base", "B"))
    assert not is_found("class A(Base):\n    size = 1\n")


def test_members_that_are_promised_of_the_base_class() -> None:
    body = "class A(nn.Module):\n    def go(self):\n        self._parameters.pop('k').log_()\n"
    assert any("torch.Tensor.log_" in each for each in uses("from torch import nn\n" + body))


def test_classes_beside_each_other() -> None:
    """A name that is bound again makes each of two classes one that the other is mixed with."""
    text = (
        "import gamma\nfrom torch import nn\nclass Block(nn.Module):\n    pass\n"
        "class Block(gamma.Block, Block): pass\n"
        "class Block(unknown.Block):\n    def forward(self, x):\n        return self.run(x)\n"
    )
    found = calling_modules.scratch({"gamma": text})
    assert [use[0] for use in found["gamma"]] == ["torch.nn", "torch.nn.Module"]


def test_a_base_that_may_derive_from_the_class_of_torch() -> None:
    source = "from torch import nn\n{}class Base(nn.Module): pass\nclass A(Base, Other):\n    def run(self): self.train()\n"
    expected = "call torch.nn.Module.train <- self.train"
    assert f"{expected} (likely)" in uses(source.format("from other import Other\n"))
    assert expected in uses(source.format("from abc import ABC as Other\n"))
    assert expected in uses(source.format("class Other: pass\n"))


def test_a_mixin_with_a_base_nobody_knows() -> None:
    source = (
        "from torch import nn\nfrom other import Other\nclass Mixin(Other):\n    def run(self): self.state_dict()\n"
        "class A(Mixin, nn.Module): pass\n"
    )
    assert "call torch.nn.Module.state_dict <- self.state_dict (likely)" in uses(source)


def test_a_base_that_is_one_of_two() -> None:
    source = (
        "import torch\nBase = torch.jit.ScriptModule if q else torch.nn.Module\nclass A(Base):\n"
        "    def __init__(self): super().__init__()\n    def run(self): self.parameters()\n"
    )
    found = uses(source)
    for owner in ("jit.ScriptModule", "nn.Module"):
        assert f"call torch.{owner}.__init__ <- super().__init__ (likely)" in found
    assert "call torch.nn.Module.parameters <- self.parameters" in found


def test_more_classes_than_are_told_apart() -> None:
    found = uses(MIXIN.format("rsample()") + MANY)
    assert "call torch.distributions.Distribution.rsample <- self.rsample (likely)" in found


def test_members_that_only_some_of_many_classes_have() -> None:
    found = uses(MIXIN.format("logits") + MANY)
    assert not [line for line in found if "<- self.logits" in line]


COOPERATING = """
import torch
class Mixin:
    def __init__(self, *arguments):
        super().__init__(*arguments)
    def add(self, group):
        return super().add_param_group(group)
"""


def test_super_of_a_class_that_is_mixed_in() -> None:
    found = uses(COOPERATING + "class A(Mixin, torch.optim.Adam): pass\n")
    assert "call torch.optim.Adam.__init__ <- super().__init__ (likely)" in found
    assert "call torch.optim.Optimizer.add_param_group <- super().add_param_group (likely)" in found


def test_super_of_a_class_that_has_getattr() -> None:
    source = COOPERATING + "    def __getattr__(self, name):\n        return super().__getattr__(name)\n"
    found = uses(source + "class A(Mixin, torch.nn.Linear): pass\n")
    assert "call torch.nn.Module.__getattr__ <- super().__getattr__ (likely)" in found
    found = uses(source + "class A(Mixin, torch.optim.Adam): pass\n")
    assert "call torch.optim.Optimizer.add_param_group <- super().add_param_group (likely)" in found


def test_super_of_a_class_that_nothing_stands_beside() -> None:
    found = uses(COOPERATING + "class A(Mixin): pass\n")
    assert not [line for line in found if "super()" in line]


PRIOR = """
import torch
from torch import distributions
class Prior(distributions.Distribution, torch.nn.Module): pass
class A(Prior, distributions.{}):
    def run(self): return {}
"""


def test_the_nearer_of_the_bases() -> None:
    found = uses(PRIOR.format("LKJCholesky", "super().sample()"))
    assert "call torch.distributions.LKJCholesky.sample <- super().sample" in found
    found = uses(PRIOR.format("Normal", "self.mean.view(1)"))
    assert "attribute torch.distributions.Normal.mean <- self.mean" in found


MODULES = """
from torch import nn
class A(nn.Module):
    def forward(self, x): ...
class B(nn.Module):
    {}
class C({}):
    def __init__(self):
        super().__init__(3)
"""
OWN = "def __init__(self, n): ..."
CONSTRUCTORS = {
    "of a base further on": (OWN, "A, B", False),
    "of the first base": (OWN, "B, A", False),
    "of torch's class": ("x = 3", "A, B", True),
    "of torch's class, with one base": (OWN, "A", True),
}


@pytest.mark.parametrize("name", CONSTRUCTORS)
def test_a_class_of_the_project_comes_before_the_class_of_torch(name: str) -> None:
    own, bases, is_torchs = CONSTRUCTORS[name]
    found = uses(MODULES.format(own, bases))
    assert ("call torch.nn.Module.__init__ <- super().__init__" in found) == is_torchs


FORWARD = """
import torch
from torch import nn
class Base(nn.Module): ...
class A(Base):
    def forward(self, x): return {}
class B(Base):
    def forward(self, x): return {}
class C(Base):
    pass
class D(C):
    def forward(self, x): return {}
def run(net: Base):
    net(3).to(1)
"""
LEFT_TO_SUBCLASSES = {
    "what all give": (["torch.ones(1)"] * 3, True),
    "what one gives": (["torch.ones(1)", "x.foo", "x.bar"], True),
    "of the class after the next": (["x.foo", "x.bar", "torch.ones(1)"], True),
    "what nobody knows": (["x.foo"] * 3, False),
}


@pytest.mark.parametrize("name", LEFT_TO_SUBCLASSES)
def test_what_a_module_gives_that_leaves_it_to_subclasses(name: str) -> None:
    given, is_told = LEFT_TO_SUBCLASSES[name]
    found = uses(FORWARD.format(*given))
    assert ("call torch.Tensor.to <- net(3).to (likely)" in found) == is_told


def test_a_base_that_overrides_nothing() -> None:
    found = uses(PRIOR.format("Normal", "self.batch_shape"))
    assert "attribute torch.distributions.Distribution.batch_shape <- self.batch_shape" in found


GIVING = """
class Made: pass
class Own:
    def __getattr__(self, name):
        def made(*arguments): return {}
        return made
def run(x):
    if not isinstance(x, Own): raise TypeError
    x = x.to(3)
    return x.diag() + x.sum(dim=1)
"""


def test_what_getattr_gives_of_the_project() -> None:
    assert not [line for line in uses(GIVING.format("Made()")) if "(likely)" in line]
    assert "call torch.Tensor.diag <- x.diag (likely)" in uses(GIVING.format("unseen()"))


FAMILY = """
import torch
class Base:
    def run(self):
        self.{}
class Between(Base):
    pass
"""


@pytest.mark.parametrize("count", [1, 20, 60])
def test_what_many_subclasses_have(count: int) -> None:
    subclasses = "".join(
        f"class A{i}({'Base' if i % 2 else 'Between'}):\n    def __init__(self): self.w = torch.ones({i})\n"
        for i in range(count)
    )
    found = [line for line in uses(FAMILY.format("w.relu()") + subclasses) if "relu" in line]
    assert found == ["call torch.Tensor.relu <- self.w.relu (likely)"]
    assert not [line for line in uses(FAMILY.format("v.relu()") + subclasses) if "(likely)" in line]


def test_of_too_many_subclasses_it_is_not_known_what_they_have() -> None:
    subclasses = "".join(f"class A{i}(Base): pass\n" for i in range(60))
    found = [line for line in uses(FAMILY.format("w.relu()") + subclasses) if "relu" in line]
    assert found == ["call torch.Tensor.relu <- self.w.relu (possible)"]
