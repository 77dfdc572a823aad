"""What uses mean for the chosen target, and the rules that say so."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, Literal

from mindport.assess.rewrite_plan import RewritePlan
from mindport.catalog.answer import Candidate, Difference, Status
from mindport.language import Language, Text
from mindport.uses.use import Use

if TYPE_CHECKING:
    from mindport.assess.code_context import CodeContext, Spotted
    from mindport.assess.file_answers import RestsOn
    from mindport.assess.use_context import UseContext
    from mindport.catalog.catalog import Catalog
    from mindport.index.block import Block
    from mindport.infer.evaluator import Evaluator


class Severity(Enum):
    """As in the Language Server Protocol, plus none for a use that yields no diagnostic."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"
    NONE = "none"

    __hash__ = object.__hash__  # see `Certainty`


__all__ = ["Finding", "FixKind", "Proof", "RewritePlan", "Severity"]

_AS_HINT: Final = "as hint"
_TELLING: Final = "telling"
FixKind = Literal["safe", "review", "none"]
Proof = Literal["run", "bound", "none"]
"""How a fix is known to keep the behaviour: calls of its shape were run in both frameworks and were equal;
the counterpart takes the same arguments; not at all."""


@dataclass(frozen=True, slots=True)
class Example:
    """A piece of PyTorch code in which the rule has a finding. `after` is the code that all safe fixes of
    the file make of it; None where nothing is changed. `device` is the device it holds for."""

    before: str
    after: str | None = None
    device: str = "ascend"
    style: str = "auto"


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of finding: what it says, and examples, of which its tests and page are made."""

    code: str
    name: Text
    severity: Severity
    explanation: Text
    message: Callable[[Finding, Language], str]
    examples: tuple[Example, ...]


def no_words(context: UseContext) -> tuple[tuple[str, str], ...]:
    """The words of a message that needs none."""
    return ()


@dataclass(frozen=True, slots=True)
class UseRule(Rule):
    """A rule about uses. `applies` looks at nothing but its context, so that what it says may be kept for
    uses that are alike."""

    precedence: int
    """Of several rules that apply to a use, the one with the lowest number speaks for it."""
    applies: Callable[[UseContext], bool]
    words: Callable[[UseContext], tuple[tuple[str, str], ...]] = no_words
    """Words of the message that the context alone gives."""


@dataclass(frozen=True, slots=True)
class CodeRule(Rule):
    """A rule about functions, or about classes, as the type of context says that it `looks_at`; `applies`
    takes that, and gives the places where there is something to say. It looks at nothing but its context, so
    that what it says may be kept for as long as what it asked of that is the same. `api` is the torch API
    that the rule is about, as which its findings are listed."""

    looks_at: type[CodeContext]
    applies: Callable[[Any], Iterable[Spotted]]
    api: str
    is_for_graphs: bool = False
    """Whether it is about code that is compiled to a graph: left out unless the setting `graphMode` is on."""
    is_recommendation: bool = False
    """Whether it is about what code does without: left out unless the setting `features` is on."""
    concerns: Callable[[Evaluator, Block, Collection[str]], bool] | None = None
    """Whether it may find something in a block with uses of these APIs, told without a look at its syntax;
    None: in any. Of blocks without uses of torch, only those with imports are asked about, unless it is for
    graphs."""
    endings: Callable[[Catalog], Collection[str]] | None = None
    """Blocks without uses of torch in which something is called or defined whose name ends with one of these
    are asked about, too."""
    beyond: Callable[[Block], bool] | None = None
    """Blocks without uses of torch of which this is true are asked about, too: told from the block alone."""


class Finding:
    """A use, assessed, which is what the squiggle covers. Immutable, once made. A function, a class or what
    a rule has found in one counts as a use of the API that the rule is about.

    `rule` is None where there is nothing to say: the use needs no change, or nothing is known of it.
    `version` is the MindSpore version it is about. `reason` says why there is no counterpart, or why none is
    needed, where that is known. `differences` are those that matter at this very use. `plan` is how it is
    rewritten; None where replacing the name is all. `blocker` says why it is not rewritten unasked, though
    it has a counterpart; None where that is plain. `proof` is how its fix is known to keep the behaviour.
    `waits`: its fix would be safe, but for classes of the file that still derive from PyTorch's.
    `words` are those that the message of its rule is made with, beside what stands here.
    `derived` is what later layers made of all that a finding says but its place; shared by the findings that
    say it.
    """

    __slots__ = (
        "blocker",
        "candidate",
        "derived",
        "differences",
        "fix",
        "plan",
        "proof",
        "reason",
        "rule",
        "severity",
        "status",
        "use",
        "version",
        "waits",
        "words",
    )

    def __init__(
        self,
        use: Use,
        status: Status,
        rule: Rule | None,
        severity: Severity,
        fix: FixKind,
        version: str,
        reason: Text | None = None,
        candidate: Candidate | None = None,
        differences: tuple[Difference, ...] = (),
        plan: RewritePlan | None = None,
        blocker: Text | None = None,
        proof: Proof = "none",
        waits: bool = False,
        derived: dict[object, Any] | None = None,
        words: tuple[tuple[str, str], ...] = (),
    ) -> None:
        self.use = use
        self.status = status
        self.rule = rule
        self.severity = severity
        self.fix = fix
        self.version = version
        self.reason = reason
        self.candidate = candidate
        self.differences = differences
        self.plan = plan
        self.blocker = blocker
        self.proof: Proof = proof
        self.waits = waits
        self.derived: dict[object, Any] = {} if derived is None else derived
        self.words = words

    def of(self, use: Use) -> Finding:
        """The same, said of another use that is alike."""
        return Finding(
            use,
            self.status,
            self.rule,
            self.severity,
            self.fix,
            self.version,
            self.reason,
            self.candidate,
            self.differences,
            self.plan,
            self.blocker,
            self.proof,
            self.waits,
            self.derived,
            self.words,
        )

    def as_hint(self) -> Finding:
        """The same, said as a hint."""
        derived = self.derived.setdefault(_AS_HINT, {})
        found = self.of(self.use)
        found.severity, found.derived = Severity.HINT, derived
        return found

    @property
    def telling(self) -> str | None:
        """What it says where that is more than a hint: the same for all findings that say the same."""
        if self.rule is None or self.severity is Severity.HINT or self.severity is Severity.NONE:
            return None
        told: str | None = self.derived.get(_TELLING)
        if told is None:
            told = self.derived[_TELLING] = f"{self.rule.code} {self.common_message('en')}"
        return told

    def changed(
        self, fix: FixKind, candidate: Candidate | None, plan: RewritePlan | None, blocker: Text | None
    ) -> Finding:
        """The same use, with another answer to what becomes of it."""
        return Finding(
            self.use,
            self.status,
            self.rule,
            self.severity,
            fix,
            self.version,
            self.reason,
            candidate,
            self.differences,
            plan,
            blocker,
            self.proof,
            self.waits,
            None,
            self.words,
        )

    @property
    def is_about_code(self) -> bool:
        """Whether it is no use of an API: what a rule about functions, classes or statements has found."""
        return isinstance(self.rule, CodeRule)

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
        """What uses such as this become, as people write it: an API, or an expression with the names of
        torch's parameters."""
        candidate = self.candidate
        return candidate.text if candidate is not None else ""

    @property
    def loses_call(self) -> bool:
        """Whether the use becomes what it is called on: `x.to(device)` becomes `x`."""
        return self.candidate_text == "self"

    @property
    def becomes(self) -> str:
        """What this very use becomes: an API, or an expression with the receiver and the arguments that it
        has."""
        if self.candidate is None:
            return ""
        shown = self.plan.shown(self.use) if self.plan is not None else None
        return shown or self.candidate.target

    @property
    def named_receiver(self) -> str | None:
        """The receiver, if the message names it: the messages of two uses that are alike differ in nothing
        else."""
        takes_it = self.plan is not None and self.candidate is not None and self.plan.takes_receiver
        return self.use.receiver if takes_it or self.use.operator == ASSIGNED else None

    def message(self, language: Language) -> str:
        """The finding in one or a few sentences."""
        if self.rule is None:
            return ""
        message = self.rule.message(self, language)
        if self.blocker is None:
            return message
        separator = "" if language == "zh-cn" else " "
        return f"{message}{separator}{self.blocker.render(language)}"

    def common_message(self, language: Language) -> str:
        """The message as it holds for uses with other receivers and arguments, too."""
        message = self.message(language)
        if self.use.operator == ASSIGNED and self.use.receiver is not None:
            message = message.replace(f"`{self.use.receiver}.", "`")
        becomes, common = self.becomes, self.candidate_text
        return message if becomes == common else message.replace(becomes, common)


ASSIGNED = "="
"""The operator of a use that assigns to an attribute."""
BECOMES_BUT = Text("`{api}` → `{target}`: {differences}", "`{api}` → `{target}`：{differences}")


def all_differences(finding: Finding, language: Language) -> str:
    """Every difference that matters here, in sentences."""
    separator = "" if language == "zh-cn" else " "
    return separator.join(difference.sentence(language) for difference in finding.differences)


def with_differences(finding: Finding, language: Language) -> str:
    """What the API becomes, and every difference that matters here."""
    sentences = all_differences(finding, language)
    return BECOMES_BUT.render(language, api=finding.use.api, target=finding.becomes, differences=sentences)


def with_words(text: Text) -> Callable[[Finding, Language], str]:
    """The message of a rule about code: a text in which the finding's `words` stand, and `api`."""
    return lambda finding, language: text.render(
        language, api=finding.use.api, **_in_language(finding.words, language)
    )


def in_both(name: str, text: Text) -> tuple[tuple[str, str], tuple[str, str]]:
    """A text as words of a message, of which `with_words` takes those of its language."""
    return (f"{name} en", text.en), (f"{name} zh-cn", text.zh_cn)


def _in_language(words: tuple[tuple[str, str], ...], language: Language) -> dict[str, str]:
    of_language = {name.partition(" ")[0]: word for name, word in words if name.endswith(f" {language}")}
    return {**{name: word for name, word in words if " " not in name}, **of_language}


Shown = Literal["quiet", "normal", "everything"]
"""How much is shown; see the setting `show`."""
Selection = tuple[tuple[str, ...], tuple[str, ...]]
"""The beginnings of the codes that are shown, and of those that are not."""


class BlockFindings:
    """The findings of one block, one for each use in source order. The same object for as long as nothing
    they rest on changes, wherever in the text the block is. Immutable."""

    __slots__ = (
        "_quieter",
        "_quieter_of",
        "_repeated",
        "_selected",
        "_selection",
        "_telling",
        "_told_of",
        "findings",
        "rests_on",
    )

    def __init__(self, findings: tuple[Finding, ...], rests_on: RestsOn = ()) -> None:
        self.findings = findings
        self.rests_on = rests_on
        """What was asked of the file, beyond the block, to make them."""
        self._selection: Selection | None = None
        self._selected: tuple[Finding, ...] = ()
        self._telling: tuple[str, ...] = ()
        self._told_of: tuple[Finding, ...] | None = None
        self._repeated: frozenset[str] = frozenset()
        self._quieter: BlockFindings | None = None
        self._quieter_of: tuple[Finding, ...] | None = None

    def selected(self, selection: Selection) -> tuple[Finding, ...]:
        """Those that have a code which is selected, and are not switched off."""
        if self._selection != selection:
            self._selected = tuple([each for each in self.findings if _is_selected(each, selection)])
            self._selection = selection
        return self._selected

    def telling(self, shown: tuple[Finding, ...]) -> tuple[str, ...]:
        """What those of the findings say that are `shown`, where that is more than a hint; see
        `Finding.telling`."""
        if self._told_of is not shown:
            self._told_of = shown
            self._telling = tuple([told for one in shown if (told := one.telling) is not None])
        return self._telling

    def quieter(self, said: set[str], shown: tuple[Finding, ...]) -> BlockFindings:
        """The same, where those of the findings that are `shown` are but hints, if what they say was `said`
        before, here or elsewhere. The same object for as long as that is the same."""
        repeated = frozenset(said.intersection(self.telling(shown)))
        if self._quieter is None or self._repeated != repeated or self._quieter_of is not shown:
            self._repeated, self._quieter_of = repeated, shown
            self._quieter = self._without(set(repeated), shown)
        return self._quieter

    def quieter_as(self, before: BlockFindings, made: BlockFindings, selection: Selection) -> BlockFindings:
        """These findings in place of others, `before`, of which `made` was made: they tell the same."""
        if made is before:
            return self
        return self.quieter(set(before._repeated), self.selected(selection))

    def _without(self, said: set[str], shown: tuple[Finding, ...]) -> BlockFindings:
        findings = []
        identities = {id(finding) for finding in shown}
        for finding in self.findings:
            told = finding.telling if id(finding) in identities else None
            findings.append(finding if told is None or told not in said else finding.as_hint())
            if told is not None:
                said.add(told)
        return BlockFindings(tuple(findings), self.rests_on)


def _is_selected(finding: Finding, selection: Selection) -> bool:
    if finding.rule is None or finding.severity is Severity.NONE:
        return False
    select, ignore = selection
    code = finding.rule.code
    return code.startswith(select) and not (ignore and code.startswith(ignore))
