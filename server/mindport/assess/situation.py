"""Differences that matter in some situations only: which of them a use is in."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mindport.catalog.differences import Difference
    from mindport.resolve.use import Use

SITUATIONAL = frozenset({"rebinds", "view_not_written"})
"""The codes of such differences. They matter, too, where nothing is known of the situation."""
_OF_OTHERS = frozenset({"parameter", "attribute", "outside"})
"""What comes from elsewhere may be a view of something there."""


def is_met(difference: Difference, use: Use) -> bool:
    """Whether a difference can matter for a use, by what is known of the Tensors there."""
    if difference.code == "rebinds":
        return use.shared is None or bool(use.shared)
    if difference.code == "view_not_written":
        return use.shared is None or any(one.is_view or one.kind in _OF_OTHERS for one in use.shared)
    return True
