"""Every rule's examples hold, and its texts exist in both languages."""

from __future__ import annotations

import pytest
from findings import codes, fixed, found_in
from mindport.assess.rule import Example, Rule
from mindport.assess.rules import all_rules

EXAMPLES = [(rule, example) for rule in all_rules().values() for example in rule.examples]


@pytest.mark.parametrize(("rule", "example"), EXAMPLES, ids=lambda value: getattr(value, "code", ""))
def test_examples(rule: Rule, example: Example) -> None:
    target = {"device": example.device, "style": example.style}
    found = codes(example.before, **target)
    assert any(line.startswith(rule.code) for line in found), found
    after = example.after if example.after is not None else example.before
    assert fixed(example.before, **target) == after
    if example.after is not None:
        assert not any(line.startswith(rule.code) for line in codes(after, **target))


@pytest.mark.parametrize("rule", all_rules().values(), ids=all_rules())
def test_texts(rule: Rule) -> None:
    assert rule.examples, "a rule is explained by an example"
    assert rule.name.en != rule.name.zh_cn
    assert len(rule.explanation.en) > 80
    assert any("\u4e00" <= character <= "\u9fff" for character in rule.explanation.zh_cn)


@pytest.mark.parametrize(("rule", "example"), EXAMPLES, ids=lambda value: getattr(value, "code", ""))
def test_messages(rule: Rule, example: Example) -> None:
    _, found = found_in(example.before, device=example.device, style=example.style)
    for placed in found.diagnostics():
        english, chinese = placed.finding.message("en"), placed.finding.message("zh-cn")
        assert placed.finding.use.api in english
        assert placed.finding.use.api in chinese
        assert "{" not in english and "{" not in chinese
        assert any("\u4e00" <= character <= "\u9fff" for character in chinese)
