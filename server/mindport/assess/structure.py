"""Structural rewrites: what is rewritten beyond the call, name or attribute that a use is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mindport.assess.finding import Example, FixKind
    from mindport.assess.rewrite_plan import RewritePlan
    from mindport.assess.use_context import UseContext
    from mindport.language import Text


class Proposal(NamedTuple):
    """A rewrite that is possible, and whether it keeps what the code does (`safe`) or a person has to look
    (`review`)."""

    plan: RewritePlan
    fix: FixKind


@dataclass(frozen=True)
class Structure:
    """A structural rewrite: when it is proposed, what it does, and examples, of which its tests and its part
    of the page of the rule with this `code` are made. `after` of an example is what all fixes make of it,
    those to review included.

    `propose` looks at nothing but its context, so that what it says may be kept for uses that are alike; the
    edits are those of the plan (`RewritePlan.carry_out`)."""

    code: str
    propose: Callable[[UseContext], Proposal | None]
    name: Text
    explanation: Text
    examples: tuple[Example, ...]
