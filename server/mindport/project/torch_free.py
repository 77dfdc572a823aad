"""A cheap look at a file's text that tells whether it can hold any use of torch at all.

It errs on one side only: what it calls free of torch would give no use if it were evaluated. A use needs a
name of torch, or of a module of the project that may pass one on, or a member that a Tensor has; or others
give something of torch to a function of the file, which whoever asks has to find out by the functions' names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from mindport.infer.values import TENSOR

if TYPE_CHECKING:
    from mindport.catalog.catalog import Catalog

_NAMES_OF_TORCH = re.compile(rb"torch|Tensor|getattr")
_IMPORT = re.compile(rb"(?<![\w\x80-\xff])(?:from|import)(?![\w\x80-\xff])([^\r\n]*)")
_WORD = re.compile(rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*")
_RELATIVE_OR_CONTINUED = re.compile(rb"\s*(?:\.|$)|.*[\\,]\s*$")
_ATTRIBUTE = re.compile(rb"\.[ \t\f\\\r\n]*([A-Za-z_]\w*|#)")
_DEFINED = re.compile(rb"(?<![\w\x80-\xff])(?:def|class)[ \t\\]+([A-Za-z_\x80-\xff][\w\x80-\xff]*)")
_KEYWORDS = frozenset({b"import", b"from", b"as"})


def cannot_use_torch(text: bytes, catalog: Catalog, is_of_project: Callable[[str], bool]) -> bool:
    """Whether the Python code `text` (UTF-8) surely holds no use of torch. `is_of_project` says whether a
    top-level module of this name is part of the project; it is asked of every name that may be imported."""
    if _NAMES_OF_TORCH.search(text):
        return False
    if any(_may_be_a_tensors(name, catalog) for name in set(_ATTRIBUTE.findall(text))):
        return False
    imported: set[bytes] = set()
    for rest in _IMPORT.findall(text):
        if _RELATIVE_OR_CONTINUED.match(rest):
            return False
        imported.update(_WORD.findall(rest))
    # All are asked, so that what the answer rests on does not depend on the order.
    found = [is_of_project(name.decode()) for name in sorted(imported - _KEYWORDS)]
    return not any(found)


def names_defined(text: bytes) -> set[str]:
    """The names of the functions and classes in Python code, which others may give something of torch to."""
    return {name.decode("utf-8", "replace") for name in _DEFINED.findall(text)}


def _may_be_a_tensors(name: bytes, catalog: Catalog) -> bool:
    """Whether a Tensor has a member of this name; also where the name stands behind a comment."""
    return name == b"#" or catalog.member(TENSOR, name.decode()) is not None
