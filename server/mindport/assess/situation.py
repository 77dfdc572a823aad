"""Differences that matter in some situations only: which of them a use is in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.catalog.differences import Difference

if TYPE_CHECKING:
    from mindport.uses.use import Use

_OF_OTHERS = frozenset({"parameter", "attribute", "outside"})
"""What comes from elsewhere may be a view of something there."""


def is_met(difference: Difference, use: Use) -> bool:
    """Whether a difference can matter for a use, by what is known of the Tensors there."""
    if difference.code == "rebinds":
        return use.shared is None or bool(use.shared)
    if difference.code == "view_not_written":
        return use.shared is None or any(one.is_view or one.kind in _OF_OTHERS for one in use.shared)
    return True


def promotion(use: Use) -> tuple[Difference, ...]:
    """That a Tensor without dimensions decides the dtype of the result, if there is one that does."""
    scalar = use.scalar
    if scalar is None:
        return ()
    code = "promotion" if scalar.is_known else "promotion_possible"
    wider, other = scalar.dtype.rpartition(".")[2], scalar.other.rpartition(".")[2]
    return (Difference(code, scalar.text, torch_default=other, mindspore_default=wider),)
