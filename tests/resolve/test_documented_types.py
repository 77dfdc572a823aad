"""What docstrings say of the types of parameters."""

from __future__ import annotations

import pytest
from looking import uses
from mindport.lowering.docstrings import documented_types, types_in

READ = {
    "numpydoc": "x : torch.Tensor\n    The input.",
    "with a shape": "x : torch.Tensor, shape=(n, 2)",
    "several names": "w, x : Tensor",
    "of that shape": "x: Tensor of shape (n, 2)",
    "optional": "x : Tensor, optional",
    "None as well": "x : Tensor or None",
    "Google": "    x (torch.Tensor, optional): the input",
    "Google, without more": "    x (Tensor): the input",
    "Sphinx": ":param torch.Tensor x: the input",
    "Sphinx, by itself": ":param x: the input\n:type x: Tensor",
    "a role": ":param x: the input\n:type x: :class:`~torch.Tensor`",
}
NOT_READ = {
    "another parameter": "y : torch.Tensor",
    "something else as well": "x : torch.Tensor or numpy.ndarray",
    "one of two": "x : Tensor | list",
    "several": "x (list of Tensor): the inputs",
    "a list": "x : Tensor[]",
    "a sentence": "x is a Tensor",
    "types in a row": "x : Tensor, list",
}


@pytest.mark.parametrize("name", READ)
def test_what_is_said_of_a_parameter(name: str) -> None:
    found = documented_types(f"Does it.\n\n{READ[name]}\n", frozenset({"x"}))
    assert found in ({"x": "Tensor"}, {"x": "torch.Tensor"})


@pytest.mark.parametrize("name", NOT_READ)
def test_what_says_nothing_certain_of_it(name: str) -> None:
    assert documented_types(f"Does it.\n\n{NOT_READ[name]}\n", frozenset({"x"})) == {}


def run(docstring: str, reading: str, parameter: str = "x", after: str = "") -> list[str]:
    """The uses of `x` in a function with a docstring, without those of names of modules."""
    code = f'import torch\ndef run({parameter}):\n    """{docstring}"""\n    return {reading}\n{after}'
    return [line for line in uses(code) if "<- x" in line]


def test_a_documented_parameter_is_of_that_type() -> None:
    assert run("Does it.\n\n    x : torch.Tensor", "x.to(1)") == ["call torch.Tensor.to <- x.to (likely)"]
    assert run("Does it.\n\n    x : torch.nn.Module", "x.to(1)") == [
        "call torch.nn.Module.to <- x.to (likely)"
    ]


def test_what_else_is_known_comes_first() -> None:
    said = "Does it.\n\n    x : torch.Tensor"
    declared = run(said, "x.to(1)", "x: torch.nn.Linear")
    assert declared == ["call torch.nn.Module.to <- x.to (likely)"]
    given = run(said, "x.to(1)", after="run(torch.nn.Linear(1, 1))\n")
    assert given == ["call torch.nn.Module.to <- x.to (likely)"]


def test_what_no_tensor_has_speaks_against_it() -> None:
    assert "likely" not in "".join(run("Does it.\n\n    x : Tensor", "x.to(1), x.columns"))


def test_a_docstring_that_names_no_type_says_nothing() -> None:
    assert "likely" not in "".join(run("Does it.\n\n    x : the tensor to move, or a module", "x.to(1)"))


CLASS = '''\
import torch
class A:
    """Keeps it.

    Args:
        x (torch.Tensor): the input
        layer (nn.Module, optional): applied to it
        size (int): of it

    Attributes:
        kept (torch.Tensor): the last
        rows (torch.Tensor): no Tensor, by what is read of it
    """

    def __init__(self, x, layer=None, size=1, rows=None):
        {line}
        self.layer = layer
        self.kept = size.foo()
        self.rows = rows.foo()

    def run(self, {parameter}):
        {read}
'''

OF_CLASSES = {
    "a parameter of the constructor": {"line": "x.to(1)"},
    "what it is kept as": {"line": "self.x = x", "read": "self.x.to(1)"},
    "a module, or None": {"line": "pass", "read": "self.layer(1).to(1)"},
    "an attribute": {"line": "pass", "read": "self.kept.to(1)"},
    "what else is in it": {"line": "size.to(1)"},
    "a parameter of another method": {"line": "pass", "parameter": "x", "read": "x.to(1)"},
    "a member that no Tensor has": {"line": "x.to(1, x.columns)"},
    "an attribute of which such a member is read": {
        "line": "pass",
        "read": "self.rows.to(1, self.rows.columns)",
    },
}
UNTOLD = list(OF_CLASSES)[4:]


@pytest.mark.parametrize("name", OF_CLASSES)
def test_the_docstring_of_a_class(name: str) -> None:
    parts = {"parameter": "y", "read": "pass", **OF_CLASSES[name]}
    is_told = "call torch.Tensor.to" in "".join(
        line for line in uses(CLASS.format(**parts)) if "likely" in line
    )
    assert is_told == (name not in UNTOLD)


def test_a_class_in_a_function() -> None:
    inside = CLASS.format(line="x.to(1)", parameter="y", read="pass").replace("\n", "\n    ")
    assert "call torch.Tensor.to <- x.to (likely)" in uses(f"def f():\n    {inside}")


def test_a_docstring_as_it_is_in_a_file() -> None:
    assert types_in(b'"""Does it.\n\nx : torch.Tensor"""') == {"x": "torch.Tensor"}
    assert types_in(b'"""Does it.\n\nx : int"""') == {}


def test_a_loader_gives_tensors() -> None:
    said = "Does it.\n\n    x (torch.utils.data.DataLoader): the data"
    assert run(said, "[y.to(1) for y, _ in x]") == []
    code = f'import torch\ndef run(x):\n    """{said}"""\n    for y, _ in x:\n        y.to(1)\n'
    assert "call torch.Tensor.to <- y.to (likely)" in uses(code)


OVERRIDDEN = {
    "annotated": ("x: torch.Tensor", "", "x.to(1)", True),
    "documented": ("x", '"""Does.\n\n        x : torch.Tensor"""', "x.to(1)", True),
    "not told": ("x", "", "x.to(1)", False),
    "by another name": ("y: torch.Tensor", "", "x.to(1)", False),
    "a member that no Tensor has": ("x: torch.Tensor", "", "x.to(x.columns)", False),
}


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_what_an_overridden_method_says_of_its_parameter(name: str) -> None:
    parameter, docstring, read, is_told = OVERRIDDEN[name]
    code = (
        f"import torch\nclass A:\n    def run(self, {parameter}):\n        {docstring}\n        ...\n"
        f"class B(A):\n    def run(self, x):\n        {read}\n"
    )
    assert ("call torch.Tensor.to <- x.to (likely)" in uses(code)) == is_told


def test_none_beside_what_a_docstring_says() -> None:
    assert run("Does it.\n\n    x : torch.Tensor", "x.to(1)", "x=None") == [
        "call torch.Tensor.to <- x.to (likely)"
    ]
