"""MP302: PyTorch has no such name."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from mindport.assess.finding import Example, Severity, UseRule
from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.assess.finding import Finding
    from mindport.assess.use_context import UseContext

_MESSAGE = Text("PyTorch has no `{api}`.", "PyTorch 中没有 `{api}`。")
_NEAREST = Text("Did you mean `{nearest}`?", "您是否想写 `{nearest}`？")


def _message(finding: Finding, language: Language) -> str:
    message = _MESSAGE.render(language, api=finding.use.api)
    words = dict(finding.words)
    if not words:
        return message
    return message + ("" if language == "zh-cn" else " ") + _NEAREST.render(language, **words)


def _applies(context: UseContext) -> bool:
    if context.candidate is not None or context.answer.status != "missing":
        return False
    catalog, api = context.catalog, context.use.api
    is_unknown = context.answer.reason is None and catalog.canonical(api) is None
    return is_unknown and catalog.is_module(api.rpartition(".")[0])


def _words(context: UseContext) -> tuple[tuple[str, str], ...]:
    module, _, name = context.use.api.rpartition(".")
    nearest = get_close_matches(name, context.catalog.public_names(module), 1)
    return (("nearest", f"{module}.{nearest[0]}"),) if nearest else ()


RULE = UseRule(
    code="MP302",
    precedence=5,
    applies=_applies,
    words=_words,
    name=Text("No such name in PyTorch", "PyTorch 中没有该名称"),
    severity=Severity.HINT,
    explanation=Text(
        "The PyTorch module has no public member of this name: it may be incomplete, misspelled, or "
        "from another PyTorch version. MindPort knows the names of PyTorch 2.13.",
        "PyTorch 的该模块没有这个公开名称：可能尚未输入完整、拼写有误，或来自其他版本的 PyTorch。"
        "MindPort 使用的是 PyTorch 2.13 的名称。",
    ),
    message=_message,
    examples=(Example(before="from torch import nn\n\nlayer = nn.Conv2\n"),),
)
