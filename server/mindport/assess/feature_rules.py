"""What the rules about features of training (MP7xx) share: where code uses one, told once a file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mindport.assess.code_context import BodyContext, Spotted
from mindport.assess.finding import CodeRule, Severity, in_both, with_words
from mindport.catalog.feature_facts import TRAINING, FeatureFacts
from mindport.infer.values import External
from mindport.language import Text

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.assess.finding import Example
    from mindport.catalog.catalog import Catalog
    from mindport.index.block import Block
    from mindport.infer.evaluator import Evaluator
    from mindport.source.document import Document
    from mindport.uses.analysis import Analysis
    from mindport.uses.collect import BlockUses
    from mindport.uses.use import Use

Spotting = Callable[[BodyContext], Iterator["Node"]]


@dataclass(frozen=True)
class FirstUses:
    """A question about a file: for each feature, by the code of its rule, the first block that uses it, by
    what was found in that."""

    facts: FeatureFacts

    def __call__(self, analysis: Analysis) -> tuple[tuple[str, BlockUses], ...]:
        first: dict[str, BlockUses] = {}
        for start, found in analysis.found():
            for code in self._in(start, found, analysis.document) if found.uses else ():
                first.setdefault(code, found)
        return tuple(first.items())

    def _in(self, start: int, found: BlockUses, document: Document) -> frozenset[str]:
        known: frozenset[str] | None = found.derived.get(self.facts)
        if known is None:
            codes = (feature_of(self.facts, document, start, use) for use in found.uses)
            known = found.derived[self.facts] = frozenset(code for code in codes if code is not None)
        return known


def feature_of(facts: FeatureFacts, document: Document, start: int, use: Use) -> str | None:
    """The code of the rule about the feature that a use in a block, which starts at a byte, switches on: it
    is a call, or decorates a function."""
    code = facts.of(use.api)
    before = start + use.start - 1
    if code is None or (use.call is None and document.data[before : before + 1] != b"@"):
        return None
    unless = facts.features[code].unless if code in facts.features else {}
    given = use.call.arguments if use.call is not None and unless else ()
    return None if any(unless.get(one.keyword or "") == one.source for one in given) else code


def concerns_features(evaluator: Evaluator, block: Block, apis: Collection[str]) -> bool:
    """Whether rules about features may find something in a block: it has uses of such an API, calls a
    function of another library that belongs to one, has to do with hooks, or takes a gradient."""
    return evaluator.catalog.features.has_any(apis) or block.has_name(evaluator.catalog.features.endings)


def _endings(catalog: Catalog) -> tuple[str, ...]:
    return catalog.features.endings


def feature_rule(
    code: str,
    *,
    api: str,
    name: Text,
    explanation: Text,
    examples: tuple[Example, ...],
    spot: Spotting | None = None,
    severity: Severity = Severity.INFORMATION,
) -> CodeRule:
    """The rule about a feature of the mapping data: it finds the first block of a file that uses its APIs,
    and whatever `spot` gives."""

    def applies(context: BodyContext) -> Iterator[Spotted]:
        feature = context.code.evaluator.catalog.features.features[code]
        words = (*in_both("title", feature.title), *in_both("instead", feature.instead))
        for node in spot(context) if spot is not None else ():
            yield Spotted(node, words)
        for node in first_use(context, code):
            yield Spotted(node, words)

    return CodeRule(
        code=code,
        looks_at=BodyContext,
        applies=applies,
        concerns=concerns_features,
        endings=_endings,
        api=api,
        name=name,
        severity=severity,
        explanation=explanation,
        message=with_words(Text("{title} (`{api}`): {instead}", "{title}（`{api}`）：{instead}")),
        examples=examples,
    )


def first_use(context: BodyContext, code: str) -> Iterator[Node]:
    """The first use of a feature in a body, if no block of the file before it has one; functions of other
    libraries are told in each body."""
    facts = context.code.evaluator.catalog.features
    for use, node in context.uses():
        if feature_of(facts, context.code.answers.document, context.code.start, use) == code:
            if dict(context.ask(FirstUses(facts))).get(code) is context.code.found:
                yield node
            return
    yield from _library_calls(context, code)


def _library_calls(context: BodyContext, code: str) -> Iterator[Node]:
    facts = context.code.evaluator.catalog.features
    if code not in facts.libraries.values():
        return
    for call in context.nodes("call"):
        function = call.child_by_field_name("function")
        if function is None or context.text(function).rpartition(".")[2] not in facts.elsewhere:
            continue
        found = context.value(function).alternatives
        if len(found) == 1 and isinstance(found[0], External) and facts.libraries.get(found[0].name) == code:
            yield function
            return


def unused_features(context: BodyContext, others: Collection[str]) -> list[Text]:
    """The titles of the recommended features that the file of a training step does without, told in the first
    block that has such a step; none elsewhere. `others` are the codes of those that are known to be used."""
    facts = context.code.evaluator.catalog.features
    used = dict(context.ask(FirstUses(facts)))
    if used.get(TRAINING, context.code.found) is not context.code.found:
        return []
    return [
        one.title
        for code, one in facts.features.items()
        if one.is_recommended and code not in used and code not in others
    ]


def is_training_step(context: BodyContext) -> Iterator[Node]:
    """Where a body takes a gradient to train: the first such place."""
    for call in context.nodes("call"):
        function = call.child_by_field_name("function")
        if function is not None and context.text(function).endswith(".backward"):
            yield function
            return
