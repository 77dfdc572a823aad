"""Python's types where PyTorch takes a dtype (`dtype=bool`): MindSpore takes none of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mindport.uses.use import Argument, Use

BUILTIN_DTYPES: Final = {
    "bool": "mindspore.bool_",
    "int": "mindspore.int64",
    "float": "mindspore.float64",
}
"""What Python's types are as dtypes, for PyTorch: those of its numbers."""
_WITH_DTYPE_FIRST: Final = frozenset({"torch.Tensor.to", "torch.Tensor.type"})


def dtype_arguments(use: Use) -> Iterator[Argument]:
    """The arguments of a call that are dtypes, and are written as a name that Python has for a type."""
    for position, one in enumerate(use.call.arguments if use.call is not None else ()):
        is_dtype = one.keyword == "dtype" or (position == 0 and use.api in _WITH_DTYPE_FIRST)
        if is_dtype and one.source in BUILTIN_DTYPES and not one.unpack:
            yield one
