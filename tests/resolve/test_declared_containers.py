"""Containers of which an annotation says what is in them, and tests of types that are worked out."""

from __future__ import annotations

import pytest
from looking import uses

HEAD = """\
from typing import Dict, List, Optional
import torch
from torch import nn
from torch.utils.hooks import RemovableHandle

"""

REMOVE = "call torch.utils.hooks.RemovableHandle.remove <- h.remove (likely)"

DECLARED = {
    "empty": ("class A:\n    def __init__(self):\n        self.hooks: List[RemovableHandle] = []\n", REMOVE),
    "filled with what nobody knows": (
        "class A:\n    def __init__(self, m):\n        self.hooks: List[RemovableHandle] = []\n"
        "        self.hooks.append(m.foo())\n        self.hooks.extend(m.bar())\n",
        REMOVE,
    ),
    "emptied again": (
        "class A:\n    def __init__(self):\n        self.hooks: List[RemovableHandle] = []\n"
        "    def clear(self):\n        self.hooks = []\n",
        REMOVE,
    ),
    "of another kind": (
        "class A:\n    def __init__(self):\n        self.hooks: Dict[str, RemovableHandle] = []\n",
        "",
    ),
    "filled with something else": (
        "class B:\n    def remove(self): ...\n"
        "class A:\n    def __init__(self):\n        self.hooks: List[RemovableHandle] = []\n"
        "        self.hooks.append(B())\n",
        "",
    ),
}


@pytest.mark.parametrize("name", DECLARED)
def test_an_annotation_says_what_is_in_a_container(name: str) -> None:
    source, expected = DECLARED[name]
    source += "    def remove(self):\n        for h in self.hooks:\n            h.remove()\n"
    found = [line for line in uses(HEAD + source) if "remove" in line and "(possible)" not in line]
    assert found == ([expected] if expected else [])


@pytest.mark.parametrize("test", ["tuple(KINDS.keys())", "tuple(KINDS)", "type(other)", "(kinds(), int)"])
def test_a_test_for_types_that_are_worked_out_leaves_what_is_known(test: str) -> None:
    source = f"KINDS = {{nn.Conv2d: 1}}\ndef f(m: nn.Module, other, kinds):\n    if isinstance(m, {test}):\n        m.eval()\n"
    assert "call torch.nn.Module.eval <- m.eval (likely)" in uses(HEAD + source)


@pytest.mark.parametrize("pool", ["MaxPool1d", "MaxPool2d", "AdaptiveMaxPool2d", "FractionalMaxPool2d"])
def test_pooling_gives_a_tensor(pool: str) -> None:
    source = f"def f(x: torch.Tensor):\n    y = nn.{pool}(2)(x)\n    y.view(1)\n"
    assert any(
        line.startswith("call torch.Tensor.view <- y.view") and "possible" not in line
        for line in uses(HEAD + source)
    )


def test_what_python_gives_every_module_is_no_api() -> None:
    found = uses("import torch\nfor name in torch.optim.__dict__.items(): ...\nr = torch.__version__\n")
    assert not any("__dict__" in line for line in found)
    assert "attribute torch.__version__ <- torch.__version__" in found


def test_a_dictionary_with_declared_keys_holds_what_they_are_declared_to_hold() -> None:
    source = (
        "from typing import NamedTuple, TypedDict\nclass Frame(NamedTuple):\n    dim: int\n"
        "class Base(TypedDict, total=False):\n    x: torch.Tensor\n    frames: List[Frame]\n"
        "class Message(Base):\n    other: int\n"
        "def f(m: Message, n: 'Optional[Message]', key):\n"
        "    m['x'].sum(1), n['x'].sum(2), m['other'].sum(3), m['none'].sum(4), m[key].sum(5)\n"
        "    for frame in m['frames']:\n        frame.dim\n"
        "def g(x: torch.Tensor):\n    f({'x': x, 'frames': x}, {'x': x}, x)\n"
    )
    found = [line for line in uses(HEAD + source) if "Tensor." in line and "(possible)" not in line]
    assert found == [
        "call torch.Tensor.sum <- m['x'].sum (likely)",
        "call torch.Tensor.sum <- n['x'].sum (likely)",
    ]


FILLED_IN = {
    "a tuple": ("tuple[torch.Tensor, int]", "z.a, 1", "f(z)[0].to(1)"),
    "a tuple of any length": ("tuple[torch.Tensor, ...]", "(z.a, z.b)", "f(z)[1].to(1)"),
    "a list": ("list[torch.Tensor]", "[z.a for _ in z]", "f(z)[0].to(1)"),
    "a list of so many": ("list[torch.Tensor]", "[z.a, z.b]", "f(z)[0].to(1)"),
    "a dictionary": ("dict[str, torch.Tensor]", "{'a': z.a}", "f(z)['a'].to(1)"),
    "a dictionary with keys that are not known": (
        "dict[str, torch.Tensor]",
        "{k: z.a for k in z}",
        "f(z)[z].to(1)",
    ),
    "a tuple in a tuple": ("tuple[int, tuple[torch.Tensor, int]]", "1, (z.a, 1)", "f(z)[1][0].to(1)"),
    "what is iterated over": ("Iterable[torch.Tensor]", "[z.a]", "f(z)[0].to(1)"),
    "another length": ("tuple[torch.Tensor, int]", "z.a, 1, 2", ""),
    "another kind": ("list[torch.Tensor]", "(z.a, 1)", ""),
    "what is known": ("tuple[torch.Tensor, int]", "nn.Linear(1, 1), z.a", ""),
    "of anything": ("tuple[Any, int]", "z.a, 1", ""),
}


@pytest.mark.parametrize("name", FILLED_IN)
def test_what_an_annotation_says_of_parts(name: str) -> None:
    annotation, given, read = FILLED_IN[name]
    head = "from typing import Any, Iterable\nimport torch\nfrom torch import nn\n"
    function = f"{head}def f(z) -> {annotation}:\n    return {given}\ndef g(z):\n    "
    found = [line for line in uses(function + (read or "f(z)[0].to(1)")) if line.endswith("(likely)")]
    assert [line for line in found if "torch.Tensor.to" in line] == (
        [f"call torch.Tensor.to <- {read.removesuffix('(1)')} (likely)"] if read else []
    )
    named = f"{head}def g(z):\n    x: {annotation} = {given}\n    "
    found = uses(named + (read or "f(z)[0].to(1)").replace("f(z)", "x"))
    assert any("call torch.Tensor.to" in line and "likely" in line for line in found) == bool(read)
