"""Which texts may be evaluated any number of times: the quick look agrees with the syntax tree."""

from __future__ import annotations

import ast
import re

import pytest
from corpus import torchvision_file
from mindport.assess import template_plan
from mindport.assess.template_plan import is_plain

PLAIN = ["x", "self.size", "3", "-1", "1e-5", "1e+5", ".5", "None", "(1, 2)", "[x, (1, -2)]", "'a (b)'", "()"]
PLAIN += ["(1,  # as in f(x)\n 2)", "x .y", '"a" "b"']
NOT_PLAIN = ["f(x)", "f (x)", "x[0]", "x [0]", "a + b", "a - b", "a*b", "a == b", "a | b", "(y := 1)", "-x"]
NOT_PLAIN += [
    "not x",
    "lambda: 0",
    "a if b else c",
    "a and b",
    "x in (1, 2)",
    "[f(x)]",
    "{}",
    "f'{x}'",
    "x(",
    "*x",
]


@pytest.mark.parametrize("text", PLAIN)
def test_plain(text: str) -> None:
    assert is_plain(text)


@pytest.mark.parametrize("text", NOT_PLAIN)
def test_not_plain(text: str) -> None:
    assert not is_plain(text)


@pytest.mark.slow
def test_arguments_of_real_code(monkeypatch: pytest.MonkeyPatch) -> None:
    source = torchvision_file("transforms/functional.py").read_text(encoding="utf-8")
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    values = [value for call in calls for value in [*call.args, *[one.value for one in call.keywords]]]
    texts = {ast.get_source_segment(source, value) or "" for value in values}
    assert len(texts) > 150
    is_plain.cache_clear()
    quick = {text: is_plain(text) for text in texts}
    is_plain.cache_clear()
    monkeypatch.setattr(template_plan, "_EVALUATED", re.compile("(?!)"))
    assert quick == {text: is_plain(text) for text in texts}
