"""Structural rewrites: what is rewritten beyond the call, name or attribute that a use is. One file each;
`all_structures` finds them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from mindport.assess import modules_in

if TYPE_CHECKING:
    from mindport.assess.code_context import CodeContext, Spotted
    from mindport.assess.finding import Example, FixKind
    from mindport.assess.rewrite_plan import RewritePlan
    from mindport.assess.use_context import UseContext
    from mindport.language import Text

Context = TypeVar("Context", bound="CodeContext")


class Proposal(NamedTuple):
    """A rewrite that is possible, and whether it keeps what the code does (`safe`) or a person has to look
    (`review`)."""

    plan: RewritePlan
    fix: FixKind


@dataclass(frozen=True)
class Structure:
    """A structural rewrite of what the rule with this `code` finds: what it does, and examples, of which its
    tests and its part of the rule's page are made. `after` of an example is what all fixes make of it, those
    to review included. When it is proposed is said by the kinds below; the edits are those of the plan
    (`RewritePlan.carry_out`)."""

    code: str
    name: Text
    explanation: Text
    examples: tuple[Example, ...]


@dataclass(frozen=True)
class UseStructure(Structure):
    """A structural rewrite of uses. `propose` looks at nothing but its context, and the plan says nothing of
    offsets, so that both may be kept for uses that are alike."""

    precedence: int
    """Of several that take up a use, the one with the lowest number does."""
    propose: Callable[[UseContext], Proposal | None]


@dataclass(frozen=True)
class CodeStructure(Structure, Generic[Context]):
    """A structural rewrite of what a rule has spotted in a function or a class, as the type of context says
    that it `looks_at`. Offsets in the plan are relative to the block (`CodeContext.span`)."""

    looks_at: type[Context]
    propose: Callable[[Context, Spotted], Proposal | None]


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
