"""The structural rewrites, one file each. `all_structures` finds them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from mindport.assess.found_files import modules_in

if TYPE_CHECKING:
    from mindport.assess.structure import Proposal, Structure
    from mindport.assess.use_context import UseContext


@cache
def all_structures() -> tuple[Structure, ...]:
    """Every structural rewrite, by the names of their files."""
    return tuple([module.STRUCTURE for module in modules_in(__name__, __path__)])


def proposed(context: UseContext) -> Proposal | None:
    """The structural rewrite that takes a use up; None if none does."""
    for structure in all_structures():
        proposal = structure.propose(context)
        if proposal is not None:
            return proposal
    return None
