"""Calls that run in both frameworks and give another result are in the data, each with what was measured.

`mapping_data/curated/silent_differences.json` says for each measured item where it is stated: in a difference
of the candidate (or template) `mindspore` of the API `torch`, or in the API's note where `mindspore` is null.
`says` are words and values that stand there in both languages.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from mindport.catalog.answer import Answer
from mindport.catalog.catalog import Catalog
from mindport.catalog.target import DEVICES, Target
from mindport.language import Language

_ROOT = Path(__file__).resolve().parents[2]
_DATA = json.loads(
    (_ROOT / "mapping_data" / "curated" / "silent_differences.json").read_text(encoding="utf-8")
)
_MEASURED = _ROOT.parent / "shared" / "facts" / "silent_differences.txt"
_STATEMENTS = [(item, statement) for item, statements in _DATA["items"].items() for statement in statements]
_LANGUAGES: tuple[Language, ...] = ("en", "zh-cn")


def stated(answer: Answer, mindspore: str | None, language: Language) -> list[str]:
    """The note of the answer, or the sentences about the candidate, one for each difference."""
    if mindspore is None:
        return [] if answer.note is None else [answer.note.render(language)]
    return [
        difference.sentence(language)
        for candidate in answer.candidates
        if mindspore == (candidate.template or candidate.target)
        for difference in candidate.differences
    ]


def has(text: str, word: str) -> bool:
    """Whether the text has this word or value; a value must not be a part of a longer number."""
    before = r"(?<![\d.])" if word[0].isdigit() else ""
    after = r"(?!\.?\d)" if word[-1].isdigit() else ""
    return re.search(before + re.escape(word) + after, text) is not None


def is_stated(catalog: Catalog, statement: dict[str, Any], language: Language) -> bool:
    """Whether one sentence, on some device, has all that the statement says."""
    answers = [catalog.answer(statement["torch"], Target(device=device)) for device in DEVICES]
    sentences = [text for answer in answers for text in stated(answer, statement["mindspore"], language)]
    return any(all(has(text, word) for word in statement["says"]) for text in sentences)


@pytest.mark.parametrize("language", _LANGUAGES)
@pytest.mark.parametrize(
    ("item", "statement"), _STATEMENTS, ids=[f"{item}-{s['torch']}" for item, s in _STATEMENTS]
)
def test_a_silent_difference_is_stated(
    catalog: Catalog, item: str, statement: dict[str, Any], language: Language
) -> None:
    assert statement["says"], item
    assert is_stated(catalog, statement, language)


def test_a_value_that_is_not_stated_is_noticed(catalog: Catalog) -> None:
    statement = dict(_DATA["items"]["1"][0])
    assert is_stated(catalog, statement, "en")
    assert not is_stated(catalog, {**statement, "says": ["1.635"]}, "en")
    assert not is_stated(catalog, {**statement, "mindspore": "mindspore.nn.Dense"}, "en")


@pytest.mark.skipif(not _MEASURED.is_file(), reason="the measurements in ../shared/facts are not here")
def test_no_measured_difference_is_left_out() -> None:
    different = set()
    item = ""
    for line in _MEASURED.read_text(encoding="utf-8").splitlines():
        heading = re.match(r"\[0*(\d+)\]", line)
        item = heading[1] if heading else item
        if re.match(r" +(classic|mint) +DIFF ", line):
            different.add(item)
    numbered = {item for item in _DATA["items"] if item.isdigit()}  # others were found later
    assert different
    assert different == numbered | set(_DATA["ignored"])
