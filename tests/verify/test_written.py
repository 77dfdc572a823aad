"""Arguments as text: the four shapes of a call, and the inputs in it."""

from __future__ import annotations

import pytest
from mindport.catalog.api import Parameter, Signature
from mindport.verify.written import shapes, with_inputs, written

ADD = Signature((Parameter("input"), Parameter("other"), Parameter("alpha", "keyword", "1")))
SUM = Signature((Parameter("input"), Parameter("dim", default="None"), Parameter("keepdim", default="False")))
CASES = {
    "keyword-only stays": ("a, b, alpha=2", ADD, {
        "a, b, alpha=2": ("positional",),
        "input=a, other=b, alpha=2": ("keyword",),
        "alpha=2, other=b, input=a": ("shuffled",),
        "a, b": ("omitted",),
    }),
    "a gap is filled with the default": ("a, keepdim=True", SUM, {
        "a, None, True": ("positional",),
        "input=a, keepdim=True": ("keyword",),
        "keepdim=True, input=a": ("shuffled",),
        "a": ("omitted",),
    }),
    "one argument": ("a", SUM, {"a": ("positional", "omitted"), "input=a": ("keyword", "shuffled")}),
    "several values": ("a, b, c", Signature((Parameter("tensors", "star"),)), {
        "a, b, c": ("positional", "omitted"),
    }),
    "what binds to nothing stays": ("a, b, c, d", ADD, {"a, b, c, d": ("positional",)}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_shapes_of_a_call(name: str) -> None:
    text, signature, expected = CASES[name]
    assert shapes(written(text), [signature]) == expected


def test_a_default_that_cannot_be_written_leaves_out_the_shape() -> None:
    signature = Signature((Parameter("a", default="<object>"), Parameter("b", default="1")))
    assert ("positional",) not in shapes(written("b=2"), [signature]).values()


def test_inputs_are_taken_out() -> None:
    found = with_inputs("[f(2, 3), i(4)], dim=len(x), other=t([1.0], 'float64'), p=p(2).numpy()")
    assert found.text == "[x0, x1], dim=len(x), other=x2, p=x3.numpy()"
    assert found.inputs == (
        {"name": "x0", "make": "f", "shape": [2, 3]},
        {"name": "x1", "make": "i", "shape": [4]},
        {"name": "x2", "make": "t", "value": [1.0], "dtype": "float64"},
        {"name": "x3", "make": "p", "shape": [2]},
    )
