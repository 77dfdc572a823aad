"""Every structural rewrite's examples hold, and its texts exist in both languages."""

from __future__ import annotations

import pytest
from findings import apply, codes, found_in
from mindport.assess.finding import Example
from mindport.assess.rules import all_rules
from mindport.assess.structures import Structure, all_structures
from mindport.rewrite import fixes
from mindport.rewrite.review import what_to_check

EXAMPLES = [(structure, example) for structure in all_structures() for example in structure.examples]


def name_of(value: object) -> str:
    return value.name.en if isinstance(value, Structure) else ""


@pytest.mark.parametrize(("structure", "example"), EXAMPLES, ids=name_of)
def test_examples(structure: Structure, example: Example) -> None:
    target = {"device": example.device, "style": example.style, "graphMode": True}
    assert any(line.startswith(structure.code) for line in codes(example.before, **target))
    _, found = found_in(example.before, **target)
    proposed = [fix for placed in found.diagnostics() if (fix := fixes.propose(placed)) is not None]
    assert apply(example.before, fixes.edits(found, proposed)) == example.after
    assert example.after is not None
    assert not any(line.startswith(structure.code) for line in codes(example.after, **target))


@pytest.mark.parametrize(("structure", "example"), EXAMPLES, ids=name_of)
def test_texts_of_its_fixes(structure: Structure, example: Example) -> None:
    _, found = found_in(example.before, device=example.device, style=example.style, graphMode=True)
    plans = [one.finding for one in found.diagnostics() if one.code == structure.code and one.finding.plan]
    assert plans
    for finding in plans:
        assert finding.plan is not None
        for said in (
            finding.plan.title(finding.use, finding.candidate_text, "zh-cn"),
            finding.plan.to_check(finding.use, "zh-cn"),
            what_to_check(finding, "zh-cn"),
        ):
            assert any("\u4e00" <= character <= "\u9fff" for character in said) and "{" not in said


@pytest.mark.parametrize("structure", all_structures(), ids=name_of)
def test_texts(structure: Structure) -> None:
    assert structure.code in all_rules(), "its page is that of a rule"
    assert structure.examples, "a rewrite is explained by an example"
    assert structure.name.en != structure.name.zh_cn
    assert len(structure.explanation.en) > 80
    assert any("\u4e00" <= character <= "\u9fff" for character in structure.explanation.zh_cn)
