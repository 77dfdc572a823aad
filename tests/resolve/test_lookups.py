"""What lookups with a default give: `table.get(key, default)`, also through functions. See `value_text.py` for how
values are written."""

from __future__ import annotations

import pytest
from looking import uses
from value_text import value_of

LOOKUPS = {
    "r = unseen.get('a', nn.ReLU)": "? | =nn.ReLU (likely)",
    "r = unseen.get('a', default=nn.ReLU)": "? | =nn.ReLU (likely)",
    "r = unseen.pop('a', torch.ones(1))": "? | Tensor (likely)",
    "r = unseen.setdefault('a', Own())": "? | Own (likely)",
    "r = getattr(unseen, 'a', nn.ReLU)": "? | =nn.ReLU (likely)",
    "r = getattr(unseen, unseen, nn.ReLU)": "? | =nn.ReLU (likely)",
    "r = unseen.get('a', nn.ReLU)(1)": "? | nn.ReLU (likely)",
    "r = unseen.get('a', None)": "?",
    "r = unseen.get('a', 1)": "?",
    "r = unseen.get('a', unseen)": "?",
    "r = unseen.get(nn.ReLU)": "?",
    "r = unseen.get('a', 'b', nn.ReLU)": "?",
    "r = unseen.get(*unseen, nn.ReLU)": "?",
    "r = unseen.find('a', nn.ReLU)": "?",
    "r = getattr(unseen, nn.ReLU)": "?",
    "r = {'a': 1}.get('a', nn.ReLU)": "int | =nn.ReLU",
}


@pytest.mark.parametrize(("source", "expected"), LOOKUPS.items())
def test_what_a_lookup_gives(source: str, expected: str) -> None:
    assert value_of(source) == expected


FUNCTION = "def find(key, default{}){}:\n    return unseen.get(key, default)\n"
GIVEN_BACK = {
    "as it is given": ("", "", "? | =nn.ReLU"),
    "annotated as anything": (": Callable", " -> Callable[..., Any]", "? | =nn.ReLU"),
    "annotated by a dotted name": (": typing.Any", "", "? | =nn.ReLU"),
    "annotated with a type": (": str", "", "?"),
    "a result of a type": ("", " -> int", "int (likely)"),
}


@pytest.mark.parametrize("name", GIVEN_BACK)
def test_each_call_has_its_own_default(name: str) -> None:
    default, result, expected = GIVEN_BACK[name]
    others = "".join(f"find('b', nn.{other})\n" for other in ("GELU", "SiLU", "Tanh"))
    assert value_of(FUNCTION.format(default, result) + others + "r = find('a', nn.ReLU)") == expected


def test_a_registry_class() -> None:
    source = """
import torch
from collections.abc import Callable, MutableMapping
class Registry(MutableMapping):
    def find(self, name: str, default: Callable) -> Callable:
        return super().get(name, default)
REGISTRY = Registry()
def plain(x): return torch.relu(x), None
def run(name, x):
    function: Callable = REGISTRY.find(name, plain)
    first, second = function(x)
    return first.reshape(-1)
"""
    assert "call torch.Tensor.reshape <- first.reshape (likely)" in uses(source)
