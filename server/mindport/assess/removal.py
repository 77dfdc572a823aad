"""What goes with a use that is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.source.removal_place import RemovalPlace, removal_place

if TYPE_CHECKING:
    from mindport.assess.rewrite_plan import Removal
    from mindport.source.document import Document


def removal_of(document: Document, start: int, end: int, plan: Removal) -> RemovalPlace | None:
    """The statement, decorator or item of a `with` that goes with the expression `start`..`end`; None where
    it is part of something else, or evaluating its receiver may do something."""
    found = removal_place(document, start, end)
    if found is not None and found.kind == "statement" and not plan.receiver_is_plain:
        return None
    return found
