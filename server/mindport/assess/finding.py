"""What a use means for the chosen target."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from mindport.assess.severity import Severity

if TYPE_CHECKING:
    from mindport.assess.plan import BasePlan, CallPlan, Removal
    from mindport.assess.rule import Rule
    from mindport.assess.template_plan import TemplatePlan
    from mindport.catalog.answer import Candidate, Difference, Status
    from mindport.language import Language, Text
    from mindport.resolve.use import Use

__all__ = ["Finding", "FixKind", "Severity"]

FixKind = Literal["safe", "review", "none"]


@dataclass(slots=True, eq=False)
class Finding:
    """A use, assessed. `start`..`end` (relative to the block, as in `Use`) is what the squiggle covers:
    the callee, or one argument where the finding is about that argument.

    Immutable; not a frozen dataclass, because making one of those takes three times as long.

    `rule` is None where there is nothing to say: the use needs no change, or nothing is known of it.
    `differences` are those that matter at this very use.
    """

    use: Use
    status: Status
    rule: Rule | None
    severity: Severity
    fix: FixKind
    start: int
    end: int
    version: str
    """The MindSpore version it is about."""
    reason: Text | None = None
    """Why there is no counterpart, or why none is needed, where that is known."""
    candidate: Candidate | None = None
    differences: tuple[Difference, ...] = field(default=())
    plan: CallPlan | TemplatePlan | BasePlan | Removal | None = None
    """How it is rewritten; None where replacing the name is all."""
    hindrance: Text | None = None
    """Why it is not rewritten, though it has a counterpart; None where that is plain."""
    derived: dict[object, Any] = field(default_factory=dict, repr=False)
    """What later layers made of all that a finding says but its place; shared by the findings that say it."""

    def of(self, use: Use) -> Finding:
        """The same, said of another use that is alike."""
        return Finding(
            use,
            self.status,
            self.rule,
            self.severity,
            self.fix,
            use.start,
            use.end,
            self.version,
            self.reason,
            self.candidate,
            self.differences,
            self.plan,
            self.hindrance,
            self.derived,
        )

    @property
    def code(self) -> str | None:
        """The code of the rule, such as MP101."""
        return self.rule.code if self.rule is not None else None

    @property
    def targets(self) -> tuple[str, ...]:
        """The MindSpore APIs that the use becomes."""
        return (self.candidate.target,) if self.candidate is not None else ()

    @property
    def candidate_text(self) -> str:
        """What the use becomes, as people write it: an API, or an expression."""
        candidate = self.candidate
        return candidate.template or candidate.target if candidate is not None else ""

    def message(self, language: Language) -> str:
        """The finding in one or a few sentences."""
        if self.rule is None:
            return ""
        message = self.rule.message(self, language)
        if self.hindrance is None:
            return message
        separator = "" if language == "zh-cn" else " "
        return f"{message}{separator}{self.hindrance.render(language)}"
