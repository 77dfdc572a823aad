"""The tool and its rules as SARIF describes them, in both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mindport
from mindport.assess.rules import all_rules
from mindport.report.rule_page import rule_page
from mindport.report.words import rule_address

if TYPE_CHECKING:
    from mindport.assess.finding import Rule
    from mindport.language import Language

LEVELS = {"error": "error", "warning": "warning", "information": "note", "hint": "note", "none": "none"}
"""SARIF's levels by severity."""
_NAME = "mindport"
_HOME = "https://github.com/mindport/mindport"
_LANGUAGES = {"en": "en", "zh-cn": "zh-CN"}

Json = dict[str, Any]


def driver(language: Language) -> Json:
    """The tool, with all of its rules."""
    return {
        "name": _NAME,
        "version": mindport.__version__,
        "semanticVersion": mindport.__version__,
        "informationUri": _HOME,
        "language": _LANGUAGES[language],
        "rules": [
            {
                **_texts(rule, language),
                "name": _identifier(rule),
                "helpUri": rule_address(rule.code, language),
                "defaultConfiguration": {"level": LEVELS[rule.severity.value]},
            }
            for rule in all_rules().values()
        ],
    }


def translation(language: Language) -> Json:
    """The rules' texts in another language."""
    return {
        "name": _NAME,
        "language": _LANGUAGES[language],
        "contents": ["localizedData"],
        "isComprehensive": False,
        "rules": [_texts(rule, language) for rule in all_rules().values()],
    }


def _texts(rule: Rule, language: Language) -> Json:
    page = rule_page(rule, language)
    return {
        "id": rule.code,
        "shortDescription": {"text": rule.name.render(language)},
        "fullDescription": {"text": rule.explanation.render(language)},
        "help": {"text": page, "markdown": page},
    }


def _identifier(rule: Rule) -> str:
    """The rule's English name in the form of an identifier."""
    words = "".join(character if character.isalnum() else " " for character in rule.name.en).split()
    return "".join(word[:1].upper() + word[1:] for word in words)
