"""What docstrings say of the types of parameters."""

from __future__ import annotations

import pytest
from looking import uses
from mindport.lowering.docstrings import documented_types

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
