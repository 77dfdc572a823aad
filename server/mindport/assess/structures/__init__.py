"""The structural rewrites, one file each. `all_structures` finds them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from mindport.assess.found_files import modules_in
from mindport.assess.structure import CodeStructure, UseStructure

if TYPE_CHECKING:
    from mindport.assess.code_context import CodeContext, Spotted
    from mindport.assess.structure import Proposal, Structure
    from mindport.assess.use_context import UseContext


@cache
def all_structures() -> tuple[Structure, ...]:
    """Every structural rewrite, in the order of the names of their files."""
    return tuple([module.STRUCTURE for module in modules_in(__name__, __path__)])


@cache
def _of_uses() -> tuple[UseStructure, ...]:
    found = [one for one in all_structures() if isinstance(one, UseStructure)]
    return tuple(sorted(found, key=lambda structure: structure.precedence))


def proposed(context: UseContext) -> Proposal | None:
    """The structural rewrite that takes a use up; None if none does."""
    found = (structure.propose(context) for structure in _of_uses())
    return next((proposal for proposal in found if proposal is not None), None)


def proposed_for_code(code: str, context: CodeContext, spotted: Spotted) -> Proposal | None:
    """The structural rewrite of what the rule with this code has spotted; None if there is none."""
    for structure in all_structures():
        if not isinstance(structure, CodeStructure) or structure.code != code:
            continue
        if isinstance(context, structure.looks_at):
            return structure.propose(context, spotted)
    return None
