"""What the code around a use makes of its finding: whether its fix can be made there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.assess.removal import removal_of
from mindport.assess.rewrite_plan import Removal
from mindport.assess.template_plan import TemplatePlan
from mindport.assess.temporaries import names_to_give
from mindport.language import Text

if TYPE_CHECKING:
    from mindport.assess.finding import Finding
    from mindport.uses.analysis import Analysis


def in_its_place(analysis: Analysis, shift: int, finding: Finding) -> Finding:
    """A finding, without its fix where that would need a name which cannot be given there, or would leave out
    what is needed."""
    plan, use = finding.plan, finding.use
    if finding.fix == "none":
        return finding
    if isinstance(plan, Removal) and not plan.gives_receiver:
        end = use.call.end if use.call is not None else use.end
        if removal_of(analysis.document, shift + use.start, shift + end, plan) is None:
            return finding.changed("none", finding.candidate, None, finding.blocker)
    elif isinstance(plan, TemplatePlan) and plan.naming is not None:
        given = names_to_give(analysis, shift, use, plan.naming)
        if isinstance(given, Text):
            return finding.changed("none", finding.candidate, plan, given)
    return finding
