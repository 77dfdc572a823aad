"""Every rule's examples hold, and its texts exist in both languages."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

import pytest
from findings import codes, fixed, found_in, settled_codes
from mindport.assess import rules
from mindport.assess.finding import CodeRule, Example, Rule
from mindport.assess.rules import all_rules
from mindport.infer.values import Certainty
from mindport.tensors.facts import Scalar, Shared
from mindport.uses.use import Argument, Call, Use

EXAMPLES = [(rule, example) for rule in all_rules().values() for example in rule.examples]


@pytest.mark.parametrize(("rule", "example"), EXAMPLES, ids=lambda value: getattr(value, "code", ""))
def test_examples(rule: Rule, example: Example) -> None:
    target = {"device": example.device, "style": example.style, "graphMode": True, "features": True}
    found = settled_codes(example.before, **target)
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
    _, found = found_in(
        example.before, device=example.device, style=example.style, graphMode=True, features=True
    )
    for placed in found.diagnostics():
        english, chinese = placed.finding.message("en"), placed.finding.message("zh-cn")
        assert placed.finding.use.api in english
        assert placed.finding.use.api in chinese
        assert "{" not in english and "{" not in chinese
        words = re.sub("`[^`]*`", "", english)
        is_in_chinese = any("\u4e00" <= character <= "\u9fff" for character in chinese)
        assert is_in_chinese == any(character.isalpha() for character in words)


@pytest.mark.parametrize("rule", all_rules().values(), ids=all_rules())
def test_a_rule_about_code_takes_what_it_looks_at(rule: Rule) -> None:
    if isinstance(rule, CodeRule):
        assert rule.applies.__annotations__["context"] == rule.looks_at.__name__


PLACES = {"start", "end", "receiver"}
"""What says but where a use stands, and what stands before it."""
ANOTHER: dict[str, object] = {
    "api": "torch.ones",
    "kind": "reference",
    "certainty": Certainty.POSSIBLE,
    "call": Call(0, 9, 5, (Argument("dim", "", 6, 8, "1"),)),
    "root": "t",
    "receiver_end": 5,
    "receiver_is_plain": True,
    "operator": "+=",
    "shared": (Shared("name", "x", False),),
    "scalar": Scalar("x", "torch.float32", "torch.float16", True),
    "owner": "torch.nn.Parameter",
    "may_be_other": True,
}


@pytest.mark.parametrize("name", sorted(set(Use.__slots__) - PLACES))
def test_findings_are_kept_by_all_that_a_rule_can_look_at(name: str) -> None:
    use = Use("torch.zeros", "call", Certainty.CERTAIN, 0, 5)
    before = use.facts()
    setattr(use, name, ANOTHER[name])
    assert use.facts() != before


@pytest.mark.parametrize("name", sorted(set(Argument.__slots__) - PLACES))
def test_findings_are_kept_by_all_that_is_said_of_arguments(name: str) -> None:
    another = {"keyword": "dim", "unpack": "*", "source": "2", "type": "int"}
    argument = Argument(None, "", 6, 7, "1")
    use = Use("torch.zeros", "call", Certainty.CERTAIN, 0, 5, Call(0, 8, 5, (argument,)))
    before = use.facts()
    setattr(argument, name, another[name])
    assert use.facts() != before


def test_a_rule_that_is_added_is_found_by_its_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = (Path(rules.__file__).parent / "mp301.py").read_text(encoding="utf-8")
    assert text.count("MP301") == 2 and "precedence=10," in text
    text = text.replace("MP301", "MP999").replace("precedence=10,", "precedence=1,")
    (tmp_path / "mp999.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(tmp_path)])
    monkeypatch.setattr(rules, "all_rules", cache(rules.all_rules.__wrapped__))
    monkeypatch.setattr(rules, "_by_precedence", cache(rules._by_precedence.__wrapped__))
    monkeypatch.setitem(sys.modules, "mindport.assess.rules.mp999", None)
    del sys.modules["mindport.assess.rules.mp999"]  # taken out again afterwards
    assert codes("import torch\n\nx = torch.lobpcg(a)\n") == ["MP999 torch.lobpcg"]
