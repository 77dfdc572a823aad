"""What the type texts of the catalog stand for. See `value_text.py` for how it is written."""

from __future__ import annotations

import pytest
from mindport.catalog.catalog import Catalog
from mindport.infer.catalog_types import from_text
from mindport.infer.values import Instance
from value_text import as_text

TYPES = {
    "Tensor": "Tensor",
    "torch.Tensor": "Tensor",
    "nn.ReLU": "nn.ReLU",
    "int": "int",
    "None": "None",
    "Any": "?",
    "object": "?",
    "Callable": "?",
    "": "?",
    "NoReturn": "never",
    "Self": "nn.ReLU",
    "list[Self]": "list[nn.ReLU]",
    "Tensor | None": "Tensor | None",
    "list[Tensor] | None": "list[Tensor] | None",
    "Callable[[int], str] | Tensor": "giving str | Tensor",
    "tuple[Tensor, int]": "tuple(Tensor, int)",
    "tuple[list[int], Tensor]": "tuple(list[int], Tensor)",
    "tuple[tuple[Tensor, int], Tensor]": "tuple(tuple(Tensor, int), Tensor)",
    "tuple[int | None, Tensor]": "tuple(int | None, Tensor)",
    "tuple[Tensor, ...]": "tuple[Tensor]",
    "tuple": "tuple[?]",
    "tuple[()]": "tuple(())",
    "list": "list[?]",
    "Sequence[Tensor]": "list[Tensor]",
    "Iterator[tuple[str, Tensor]]": "iterator[tuple(str, Tensor)]",
    "Generator[Tensor, None, None]": "iterator[Tensor]",
    "set[int]": "set[int]",
    "dict[str, Tensor]": "dict[Tensor]",
    "OrderedDict[str, list[Tensor]]": "dict[list[Tensor]]",
    "other.Thing": "other.Thing",
}


@pytest.mark.parametrize(("text", "expected"), TYPES.items())
def test_what_a_type_stands_for(text: str, expected: str) -> None:
    assert as_text(from_text(Catalog.load(), text, Instance("torch.nn.ReLU"))) == expected


def test_without_a_receiver_its_type_is_not_known() -> None:
    assert as_text(from_text(Catalog.load(), "Self")) == "?"
