"""Assessment: from a use of a torch API to a finding for the target."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.assess.call_matching import CallMatch, bind_use, fit
from mindport.assess.code_context import BlockCode, contexts_of
from mindport.assess.file_answers import FileAnswers, has_torch_classes, still_hold
from mindport.assess.finding import BlockFindings, Finding, FixKind, Proof, Severity
from mindport.assess.rules import code_rules, rule_for
from mindport.assess.structures import proposed, proposed_for_code
from mindport.assess.use_context import UseContext, is_met, promotion
from mindport.catalog.differences import SOME_CALLS, of_verdict
from mindport.catalog.tried_calls import CallShape, shape_of
from mindport.infer.values import Certainty
from mindport.language import Text
from mindport.source.expression_node import is_tested_for
from mindport.uses.use import Use

if TYPE_CHECKING:
    from mindport.assess.code_context import CodeContext, Spotted
    from mindport.assess.file_answers import RestsOn
    from mindport.assess.finding import CodeRule, Rule, Shown
    from mindport.assess.rewrite_plan import RewritePlan
    from mindport.catalog.answer import Answer, Candidate
    from mindport.catalog.api import Api
    from mindport.catalog.catalog import Catalog
    from mindport.catalog.differences import Difference
    from mindport.catalog.target import Target
    from mindport.catalog.tried_calls import Verdict
    from mindport.index.block import Block
    from mindport.infer.evaluator import Evaluator
    from mindport.uses.analysis import Analysis
    from mindport.uses.collect import BlockUses
    from mindport.uses.use import UseFacts

_MOST_ALIKE: Final = 20_000
"""As many assessments are kept."""
_PROVEN_CATEGORIES: Final = ("consistent", "name_differs")
_TRIED_ON: Final = "cpu"
"""The device that calls are run on (`mapping_data/evidence/calls`)."""
_NOT_RUN: Final = {
    "cpu": Text(
        "Arguments like these have not been tested on CPU: check the result.",
        "这种形式的参数尚未在 CPU 上验证，请检查结果。",
    )
}


_NOTHING: Final = BlockFindings(())
"""Of a block that there is nothing to say of."""


class _Made(NamedTuple):
    """The findings of each block of a document, and all that they rest on beyond their blocks."""

    findings: list[BlockFindings]
    rests: list[RestsOn]


class _Beyond:
    """Lets rules look at blocks without uses of torch."""

    def __init__(self, catalog: Catalog, rules: Sequence[CodeRule]) -> None:
        self._is_everywhere = any(rule.is_for_graphs or rule.concerns is None for rule in rules)
        endings = [rule.endings(catalog) for rule in rules if rule.endings is not None]
        self._endings = tuple(sorted({*chain.from_iterable(endings)}))
        self._asked = [rule.beyond for rule in rules if rule.beyond is not None]

    def is_looked_at(self, block: Block, found: BlockUses) -> bool:
        """Whether rules look at a block: found out once, not at every keystroke."""
        if self._is_everywhere:
            return True
        known: bool | None = found.derived.get(self)
        if known is None:
            asked = any(ask(block) for ask in self._asked)
            known = found.derived[self] = asked or block.has_name(self._endings)
        return known


class Assessor:
    """Assesses uses for one target. `severity` overrides severities by the beginning of a code; `shows` is
    the setting `show`, `graph_mode` whether rules about graph mode count, `recommends` whether those about
    features that code does without do."""

    def __init__(
        self,
        catalog: Catalog,
        target: Target,
        severity: Mapping[str, str] | None = None,
        shows: Shown = "normal",
        graph_mode: bool = False,
        recommends: bool = False,
    ) -> None:
        self._shows = shows
        self._code_rules = code_rules(graph_mode, recommends)
        self.catalog = catalog
        self.target = target
        self._severity = {
            prefix: Severity.NONE if level == "off" else Severity(level)
            for prefix, level in (severity or {}).items()
        }
        self._alike: dict[UseFacts, Finding] = {}
        self._waiting: dict[UseFacts, Finding] = {}
        self._rests: dict[RestsOn, RestsOn] = {}
        self._runs_calls = target.device == _TRIED_ON
        self._beyond: _Beyond | None = None

    def findings(
        self, analysis: Analysis, evaluator: Evaluator | None = None
    ) -> list[tuple[int, BlockFindings]]:
        """The findings of all blocks that have any, in source order, each with where the block starts. Those
        of a block are made once for as long as it, and all that they rest on beyond it, is the same. The
        `evaluator` is that of the analysis; without it, rules about code are left out."""
        made, rests, places = self._carried(analysis)
        for place in places:
            found, block = analysis.by_block[place], analysis.lowered[place]
            if not self._is_looked_at(block, found):
                continue
            known: BlockFindings | None = found.derived.get(self)
            if known is not None and not self._holds(known, rests, analysis):
                known = None
            if known is None:
                start = analysis.starts[place]
                known = found.derived[self] = self._of_block(analysis, start, found, block, evaluator)
            if not any(rest is known.rests_on for rest in rests):
                rests.append(known.rests_on)
            if known.findings:
                made[place] = known
        analysis.derived[self] = _Made(made, rests)
        return [(start, one) for start, one in zip(analysis.starts, made, strict=True) if one is not _NOTHING]

    def _carried(self, analysis: Analysis) -> tuple[list[BlockFindings], list[RestsOn], list[int]]:
        """The findings of each block as far as they are those of the analysis before, what they rest on, and
        the positions of the other blocks."""
        size, carried = len(analysis.starts), analysis.carried
        kept: _Made | None = None if carried is None else carried.derived.get(self)
        if carried is None or kept is None or not all(still_hold(rest, analysis) for rest in kept.rests):
            return [_NOTHING] * size, [], list(range(size))
        return carried.over(kept.findings, size, _NOTHING), list(kept.rests), carried.open(size)

    def _holds(self, known: BlockFindings, rests: list[RestsOn], analysis: Analysis) -> bool:
        """Whether findings that were made before are still right; the answers that are in `rests` are the
        same. Most findings rest on the very same."""
        return any(rest is known.rests_on for rest in rests) or still_hold(known.rests_on, analysis)

    def _is_looked_at(self, block: Block, found: BlockUses) -> bool:
        """Whether there may be something to say of a block."""
        if found.uses or block.imports:
            return True
        if self._beyond is None:
            self._beyond = _Beyond(self.catalog, self._code_rules)
        return self._beyond.is_looked_at(block, found)

    def _of_block(
        self, analysis: Analysis, start: int, found: BlockUses, block: Block, evaluator: Evaluator | None
    ) -> BlockFindings:
        answers = FileAnswers(analysis)
        there = [in_its_place(answers, start, self._there(answers, start, use)) for use in found.uses]
        rules = self._code_rules
        if rules and evaluator is not None:
            rules = _concerning(rules, evaluator, block, found)
        if rules and evaluator is not None:
            code = BlockCode.of(evaluator, answers, block, start, found)
            there += self._of_code(code, rules) if code is not None else ()
            there.sort(key=lambda finding: (finding.use.start, finding.use.end))
        if len(self._rests) >= _MOST_ALIKE:
            self._rests.clear()
        rests_on = answers.rests_on()
        return BlockFindings(tuple(there), self._rests.setdefault(rests_on, rests_on))

    def _of_code(self, code: BlockCode, rules: tuple[CodeRule, ...]) -> Iterator[Finding]:
        """What rules about functions and classes say of a block."""
        for context in contexts_of(code):
            for rule in rules:
                for spotted in rule.applies(context) if isinstance(context, rule.looks_at) else ():
                    found = self._spotted(rule, context, spotted)
                    yield in_its_place(code.answers, code.start, found)

    def _spotted(self, rule: CodeRule, context: CodeContext, spotted: Spotted) -> Finding:
        use = Use(rule.api, context.kind, spotted.certainty, *context.span(spotted.node))
        severity, version = self._severity_of(rule, use), self.target.version
        found = Finding(use, "differs", rule, severity, "none", version, words=spotted.words)
        proposal = proposed_for_code(rule.code, context, spotted)
        return found if proposal is None else found.changed(proposal.fix, None, proposal.plan, None)

    def _there(self, answers: FileAnswers, shift: int, use: Use) -> Finding:
        """The finding for a use where it stands. A class that values are tested for is but a type, as in an
        annotation, if the calls of it cannot become another class; but as long as these have not become it,
        the test fails, so that a person has to look."""
        is_class = use.kind == "reference" and self.catalog.kind(use.api) == "class"
        if not is_class or not is_tested_for(answers.document, shift + use.start, shift + use.end):
            return self.assess(use, answers)
        answer = self.catalog.answer(use.api, self.target)
        chosen = answer.chosen
        if chosen is None or any(
            one.target != chosen.target for one in answer.candidates if one.style in (chosen.style, "any")
        ):
            return self.assess(use, answers)
        found = self.assess(use.like(use.api, "annotation"), answers).of(use)
        if found.fix != "safe":
            return found
        return found.changed("review", found.candidate, found.plan, found.blocker)

    def assess(self, use: Use, answers: FileAnswers | None = None) -> Finding:
        """The finding for a use. What it says is worked out once for all uses that are alike. In a file,
        which gives the `answers`, whose classes stay PyTorch's for now, no fix is right by itself."""
        facts = use.facts()
        known = self._alike.get(facts)
        if known is None:
            if len(self._alike) >= _MOST_ALIKE:
                self._alike.clear()
                self._waiting.clear()
            known = self._alike[facts] = self._assess(use, facts)
        if known.fix == "safe" and answers is not None and answers.ask(has_torch_classes):
            known = self._waiting.get(facts) or self._made_to_wait(facts, known)
        return known.of(use)

    def _made_to_wait(self, facts: UseFacts, known: Finding) -> Finding:
        waiting = known.changed("review", known.candidate, known.plan, known.blocker)
        waiting.waits = True
        self._waiting[facts] = waiting
        return waiting

    def _assess(self, use: Use, facts: UseFacts) -> Finding:
        answer = self.catalog.answer(use.api, self.target)
        candidate = answer.chosen
        is_module = self.catalog.kind(use.api) == "module" and use.kind != "call"
        if use.kind == "import" or is_module:  # a module is not called, but a function of its name
            return self._finding(use, answer, None, candidate)
        if candidate is None:
            context = UseContext(facts, self.catalog, answer, None)
            rule = rule_for(context)
            proposal = proposed(context) if use.operator is None else None
            if proposal is not None:
                return self._finding(use, answer, rule, None, (), proposal.fix, proposal.plan)
            found = self._finding(use, answer, rule, None)
            if rule is not None:
                found.words = rule.words(context)
                if answer.status == "missing" and self._says_owner(use):
                    found.severity = self._severity_of(rule, use, is_quiet=True)
            return found
        if use.operator is not None:
            return self._operator(use, facts, answer, candidate)
        return self._with_candidate(use, facts, answer)

    def _says_owner(self, use: Use) -> bool:
        """Whether the class that an API is a member of has no counterpart itself, which is said where objects
        of it are made."""
        owner = use.api.rpartition(".")[0]
        is_class = self.catalog.kind(owner) == "class"
        return is_class and self.catalog.answer(owner, self.target).status == "missing"

    def _operator(self, use: Use, facts: UseFacts, answer: Answer, candidate: Candidate) -> Finding:
        """An operator stays as it is written: what differs is what it does in its situation."""
        differences = tuple(d for d in candidate.differences if d.kind.is_situational and is_met(d, use))
        differences += promotion(use)
        if use.operator is not None and self.catalog.tensors.is_in_place(use.operator, self.target):
            differences = ()
        rule = rule_for(UseContext(facts, self.catalog, answer, candidate, differences))
        found = self._finding(use, answer, rule, candidate, differences)
        return found.changed(found.fix, None, found.plan, found.blocker)  # nothing takes its place

    def _with_candidate(self, use: Use, facts: UseFacts, answer: Answer) -> Finding:
        api = self.catalog.api(use.api)
        candidate, fitted, verdict = self._best_fit(use, answer, api)
        if use.kind == "base":
            fitted = self._with_inherited(use, fitted)
        context = UseContext(facts, self.catalog, answer, candidate, fitted.differences)
        rule = rule_for(context)
        if rule is None:
            return self._finding(use, answer, None, candidate)
        proposal = proposed(context)
        if proposal is not None:
            return self._finding(
                use, answer, rule, candidate, fitted.differences, proposal.fix, proposal.plan
            )
        is_plain_name = use.kind == "annotation" or (api is not None and api.kind == "dtype")
        proof: Proof = "bound" if is_plain_name else self._proof(candidate, verdict)
        applicability = _applicability(context, fitted, proof)
        found = self._finding(use, answer, rule, candidate, fitted.differences, applicability, fitted.plan)
        found.proof = proof
        if applicability == "review" and proof == "none" and verdict == "not_run" and self._runs_calls:
            found.blocker = _NOT_RUN[self.target.device]
        return found

    def _proof(self, candidate: Candidate, verdict: Verdict) -> Proof:
        """How it is known that what a candidate makes of a use does the same. On a device that calls are run
        on, running is what counts; on another one, that the counterpart takes the same arguments, unless a
        run of such a call says otherwise."""
        if verdict == "equal" and (self._runs_calls or _has_no_device(candidate)):
            return "run"
        if self._runs_calls or verdict in ("differs", "raises"):
            return "none"
        is_api = candidate.kind == "api"
        if is_api and (candidate.style == "mint" or candidate.category in _PROVEN_CATEGORIES):
            return "run" if verdict == "equal" else "bound"
        return "none"

    def _with_inherited(self, use: Use, fitted: CallMatch) -> CallMatch:
        """Add what differs of the classes that a base class is itself derived from: a subclass of a layer has
        a `forward` as a subclass of `torch.nn.Module` has."""
        differences = dict.fromkeys(fitted.differences)
        for name in self.catalog.lineage(use.api):
            chosen = self.catalog.answer(name, self.target).chosen if name != use.api else None
            if chosen is not None:
                api = self.catalog.api(name)
                differences.update(
                    dict.fromkeys(self._fit(use.like(name, use.kind), chosen, api).differences)
                )
        return fitted._replace(differences=tuple(differences), unresolved=tuple(differences))

    def _best_fit(self, use: Use, answer: Answer, api: Api | None) -> tuple[Candidate, CallMatch, Verdict]:
        """The preferred candidate for this very use, how it fits, and what came of running such calls. One
        that such calls were run with and were equal comes before one that is preferred in general, and one
        that can be written before one that cannot. Where the choice is a template, an API of the same style
        that fits the call as it stands is the simpler one."""
        binding = bind_use(use, api)
        given = {item.parameter.name for item in binding[1]} if binding is not None else None
        bound = binding[1] if binding is not None else ()
        harmless, neutral = self.catalog.correspondences.without_influence(api, bound)
        shape = shape_of(bound, harmless, neutral) if binding is not None else None
        chosen = answer.chosen_for(given, harmless) if given is not None else None
        chosen = chosen or answer.chosen or answer.candidates[0]
        first = self._judged(use, chosen, api, harmless, shape)
        if given is None or (first[2] == "equal" and not first[1].differences):
            return first
        if chosen.kind == "template":
            for candidate in answer.candidates:
                if candidate.kind == "api" and candidate.style in (chosen.style, "any"):
                    other = self._judged(use, candidate, api, harmless, shape)
                    if not other[1].differences and (other[2] == "equal" or not self._runs_calls):
                        return other
        if first[2] == "equal":
            return first
        may_take = (
            self._judged(use, candidate, api, harmless, shape)
            for candidate in answer.candidates
            if candidate is not chosen
            and self.target.takes(candidate.style)
            and (candidate.when is None or candidate.when.fits(given, harmless))
        )
        if not self._runs_calls:
            return first if first[1].rewritable else next(filter(_could_be_taken, may_take), first)
        others = list(may_take)
        proven = (one for one in others if one[2] == "equal" and _could_be_taken(one))
        found = next(proven, first)
        return found if found[1].rewritable else next(filter(_could_be_taken, others), first)

    def _judged(
        self,
        use: Use,
        candidate: Candidate,
        api: Api | None,
        harmless: frozenset[str],
        shape: CallShape | None,
    ) -> tuple[Candidate, CallMatch, Verdict]:
        """A candidate, how it fits a use, and what came of running such calls. What was seen of other calls
        does not matter for one that was equal."""
        fitted = self._fit(use, candidate, api, harmless)
        verdict = self._verdict(use, candidate, shape)
        if use.kind == "annotation":
            return candidate, fitted, verdict
        if verdict == "equal":
            return candidate, _without_other_calls(fitted), verdict
        counts = self._runs_calls or verdict in ("differs", "raises")
        told = of_verdict(verdict, _TRIED_ON) if counts else None
        is_said = any(d.kind.explains_runs for d in fitted.differences)
        if told is None or is_said or use.kind == "base":
            return candidate, fitted, verdict
        with_it = (*fitted.differences, told)
        unresolved = (*fitted.unresolved, told)
        return candidate, fitted._replace(differences=with_it, unresolved=unresolved), verdict

    def _verdict(self, use: Use, candidate: Candidate, shape: CallShape | None) -> Verdict:
        """What came of running calls of a shape with a candidate; of a function or class that is passed on,
        any may come."""
        if not self._runs_calls and _TRIED_ON in candidate.explained_on:
            return "not_run"  # what was seen there is of that device
        tried = self.catalog.correspondences.tried(use.api, candidate, _TRIED_ON)
        if use.call is None:
            return tried.verdict(CallShape({})) if use.kind == "attribute" else tried.verdict_of_any()
        return tried.verdict(shape) if shape is not None else "not_run"

    def _fit(
        self, use: Use, candidate: Candidate, api: Api | None, harmless: frozenset[str] = frozenset()
    ) -> CallMatch:
        mindspore = self.catalog.mindspore_api(candidate.target, self.target.version)
        fitted, also = fit(use, candidate, api, mindspore, harmless), promotion(use)
        if not also:
            return fitted
        return fitted._replace(differences=fitted.differences + also, unresolved=fitted.unresolved + also)

    def _finding(
        self,
        use: Use,
        answer: Answer,
        rule: Rule | None,
        candidate: Candidate | None,
        differences: tuple[Difference, ...] = (),
        applicability: FixKind = "none",
        plan: RewritePlan | None = None,
    ) -> Finding:
        status = answer.status
        if candidate is not None and answer.status in ("equivalent", "differs"):
            status = "differs" if differences else "equivalent"
        is_quiet = applicability == "safe" or (bool(differences) and all(one.is_minor for one in differences))
        severity = self._severity_of(rule, use, is_quiet)
        return Finding(
            use,
            status,
            rule,
            severity,
            applicability,
            self.target.version,
            answer.reason or (answer.note if answer.status == "not_needed" else None),
            candidate,
            differences,
            plan,
        )

    def _severity_of(self, rule: Rule | None, use: Use, is_quiet: bool = False) -> Severity:
        if rule is None:
            return Severity.NONE
        prefix = max((p for p in self._severity if rule.code.startswith(p)), key=len, default=None)
        severity = rule.severity if prefix is None else self._severity[prefix]
        if severity is Severity.NONE:
            return severity
        if use.certainty is Certainty.POSSIBLE:
            return Severity.HINT
        if prefix is not None:
            return severity
        if self._shows == "everything":
            return Severity.INFORMATION if severity is Severity.HINT else severity
        return Severity.HINT if is_quiet else severity


def _concerning(
    rules: tuple[CodeRule, ...], evaluator: Evaluator, block: Block, found: BlockUses
) -> tuple[CodeRule, ...]:
    """The rules that may find something in a block: for most blocks none, so that their syntax is not looked
    at. Rules that ask the same are asked once."""
    apis = {use.api for use in found.uses}
    asked: dict[object, bool] = {None: True}
    for rule in rules:
        if rule.concerns is not None and rule.concerns not in asked:
            asked[rule.concerns] = rule.concerns(evaluator, block, apis)
    return tuple([rule for rule in rules if asked[rule.concerns]])


def _could_be_taken(judged: tuple[Candidate, CallMatch, Verdict]) -> bool:
    """Whether a candidate can take the place of a use, as far as it is known what such calls give."""
    return judged[1].rewritable and not judged[1].unresolved and judged[2] not in ("differs", "raises")


def _without_other_calls(fitted: CallMatch) -> CallMatch:
    """A fit without what was seen of calls of other shapes alone."""
    return fitted._replace(
        differences=tuple([kept for d in fitted.differences if (kept := _of_this_call(d)) is not None]),
        unresolved=tuple([kept for d in fitted.unresolved if (kept := _of_this_call(d)) is not None]),
    )


def _of_this_call(difference: Difference) -> Difference | None:
    """What is left of a difference where the shape of the call was equal: that of particular inputs."""
    if not difference.kind.aspects:
        return difference
    inputs = tuple([kind for kind in difference.inputs if kind != SOME_CALLS])
    return replace(difference, inputs=inputs) if inputs else None


def _has_no_device(candidate: Candidate) -> bool:
    """Whether a template consists of members and builtins alone."""
    return candidate.template is not None and not candidate.apis


def _applicability(context: UseContext, fitted: CallMatch, proof: Proof) -> FixKind:
    """Whether the rewrite keeps what the code does."""
    use, candidate = context.use, context.candidate
    if candidate is None or not fitted.rewritable or not _can_be_replaced(use, candidate, fitted):
        return "none"
    changes_arguments = fitted.plan is not None and fitted.plan.changes_arguments
    if not changes_arguments and context.stays_as_it_is:
        return "none"  # there is nothing to replace
    if fitted.unresolved and (use.kind == "base" or any(d.kind.blocks for d in fitted.unresolved)):
        return "none"
    is_proven = proof != "none" and not fitted.unresolved
    sure = use.certainty is not Certainty.POSSIBLE and not use.may_be_other
    return "safe" if is_proven and sure and fitted.bound else "review"


def _can_be_replaced(use: UseFacts, candidate: Candidate, fitted: CallMatch) -> bool:
    """Whether the expression spells the API by imports, or is a member whose receiver has its place."""
    if use.root is not None:
        return True
    if fitted.plan is not None and fitted.plan.takes_receiver:
        return use.has_receiver
    return use.has_receiver and _owner(candidate.target) == _counterpart_owner(use.api)


def _owner(name: str) -> str:
    return name.rpartition(".")[0]


def _counterpart_owner(api: str) -> str | None:
    """The MindSpore class whose members the members of a torch class become, where the receiver stays."""
    return {"torch.Tensor": "mindspore.Tensor"}.get(_owner(api))


def in_its_place(answers: FileAnswers, shift: int, finding: Finding) -> Finding:
    """A finding, without its fix where that cannot be made where the use stands."""
    plan = finding.plan
    if finding.fix == "none" or plan is None:
        return finding
    blocked = plan.blocked(answers, shift, finding.use)
    if blocked is None:
        return finding
    return finding.changed("none", finding.candidate, plan, blocked.reason or finding.blocker)
