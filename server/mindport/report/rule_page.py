"""The page of a rule, in Markdown: what a code means, with examples."""

from __future__ import annotations

from mindport.assess.finding import Example, Rule
from mindport.assess.structures import all_structures
from mindport.language import Language, Text
from mindport.report.words import SEVERITIES

_SEVERITY = Text("Default severity: {severity}", "默认级别：{severity}")
_EXAMPLE = Text("Example", "示例")
_TARGET = Text("Target: device `{device}`, style `{style}`.", "目标：设备 `{device}`，风格 `{style}`。")
_FINDING = Text("`{code}` is reported in:", "以下代码会报告 `{code}`：")
_FIXED = Text("After applying all safe fixes:", "应用所有安全修复之后：")
_NO_FIX = Text("No safe fix: manual decision needed.", "没有安全修复，需人工处理。")
_REWRITTEN = Text(
    "After applying all fixes, including those that need review:", "应用所有修复（包括需检查的）之后："
)
_SUPPRESS = Text(
    "To suppress it on one line, append `# mindport: ignore[{code}]`.",
    "如需在某一行忽略，请在行尾添加 `# mindport: ignore[{code}]`。",
)


def rule_page(rule: Rule, language: Language) -> str:
    """The page of one rule."""
    severity = SEVERITIES[rule.severity.value].render(language)
    parts = [
        f"# {rule.code}: {rule.name.render(language)}",
        _SEVERITY.render(language, severity=severity),
        rule.explanation.render(language),
        f"## {_EXAMPLE.render(language)}",
    ]
    for example in rule.examples:
        parts += [*_example(rule, example, language), *_after(_FIXED, example, language)]
    for structure in all_structures():
        if structure.code == rule.code:
            parts += [f"## {structure.name.render(language)}", structure.explanation.render(language)]
            for example in structure.examples:
                parts += [*_example(rule, example, language), *_after(_REWRITTEN, example, language)]
    parts.append(_SUPPRESS.render(language, code=rule.code))
    return "\n\n".join(parts) + "\n"


def _example(rule: Rule, example: Example, language: Language) -> list[str]:
    return [
        _TARGET.render(language, device=example.device, style=example.style),
        _FINDING.render(language, code=rule.code),
        _code(example.before),
    ]


def _after(made: Text, example: Example, language: Language) -> list[str]:
    if example.after is None:
        return [_NO_FIX.render(language)]
    return [made.render(language), _code(example.after)]


def _code(text: str) -> str:
    return f"```python\n{text.rstrip()}\n```"
