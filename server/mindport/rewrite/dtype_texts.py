"""Texts that programs make of dtypes: `str(x.dtype)`, to look for a part of it or to write it down. What
MindSpore says of a dtype is another text than PyTorch's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mindport.rewrite.imports_by_text import sound_roots
from mindport.rewrite.syntax_spans import Span

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.source.document import Document

_MADE_BY: Final = re.compile(rb"\b(?:str|repr) ?\(")
_A_DTYPE: Final = re.compile(rb"""(?:^|[._])dtype$|\[['"](?:\w*_)?dtype['"]\]$""")
"""An expression that is named like a dtype: `x.dtype`, `torch_dtype`, `config["dtype"]`."""


def functions_of_dtypes(document: Document) -> Iterator[Span]:
    """The names `str` and `repr` where they are called with what is named like a dtype alone."""
    if b"dtype" not in document.data or _MADE_BY.search(document.data) is None:
        return
    for root, start in sound_roots(document):
        yield from _within(root, start)


def _within(node: Node, base: int) -> Iterator[Span]:
    function = node.child_by_field_name("function") if node.type == "call" else None
    arguments = node.child_by_field_name("arguments") if function is not None else None
    if function is not None and arguments is not None and function.text in (b"str", b"repr"):
        given = arguments.named_children
        if len(given) == 1 and _A_DTYPE.search(given[0].text or b""):
            yield Span(base + function.start_byte, base + function.end_byte)
    for child in node.named_children:
        yield from _within(child, base)
