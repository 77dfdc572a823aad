"""Write `docs/rules/`: a page for each rule, in English and Chinese, from the rule itself.

`python scripts/rule_pages.py` writes; `--check` exits 1 if a page is not as it would be written.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mindport.assess.rule import Example, Rule
from mindport.assess.rules import all_rules
from mindport.language import Language, Text

FOLDER = Path(__file__).parents[1] / "docs" / "rules"
TITLE = Text("Rules", "规则")
SEVERITY = Text("Severity by default: {severity}", "默认级别：{severity}")
EXAMPLE = Text("Example", "示例")
TARGET = Text("Target: device `{device}`, style `{style}`.", "目标：设备 `{device}`，风格 `{style}`。")
FINDING = Text("`{code}` is reported in:", "以下代码会报告 `{code}`：")
FIXED = Text("All safe fixes make of it:", "应用所有安全修复之后：")
NO_FIX = Text("There is no safe fix: it is left to you.", "没有安全修复，需人工处理。")
SUPPRESS = Text(
    "To keep a line as it is, write `# mindport: ignore[{code}]` behind it.",
    "如需保留某一行，请在行尾写上 `# mindport: ignore[{code}]`。",
)
SEVERITIES = {
    "error": Text("error", "错误"),
    "warning": Text("warning", "警告"),
    "information": Text("information", "信息"),
    "hint": Text("hint", "提示"),
}


def page(rule: Rule, language: Language) -> str:
    """The page of one rule."""
    severity = SEVERITIES[rule.severity.value].render(language)
    parts = [
        f"# {rule.code}: {rule.name.render(language)}",
        SEVERITY.render(language, severity=severity),
        rule.explanation.render(language),
        f"## {EXAMPLE.render(language)}",
    ]
    for example in rule.examples:
        parts.extend(_example(rule, example, language))
    parts.append(SUPPRESS.render(language, code=rule.code))
    return "\n\n".join(parts) + "\n"


def _example(rule: Rule, example: Example, language: Language) -> list[str]:
    parts = [
        TARGET.render(language, device=example.device, style=example.style),
        FINDING.render(language, code=rule.code),
        _code(example.before),
    ]
    if example.after is None:
        return [*parts, NO_FIX.render(language)]
    return [*parts, FIXED.render(language), _code(example.after)]


def _code(text: str) -> str:
    return f"```python\n{text.rstrip()}\n```"


def index(language: Language) -> str:
    """The list of all rules."""
    lines = [f"# {TITLE.render(language)}", ""]
    lines += [f"- [{code}]({code}.md): {rule.name.render(language)}" for code, rule in all_rules().items()]
    return "\n".join(lines) + "\n"


def pages() -> dict[Path, str]:
    """Every page by its path."""
    languages: dict[Language, Path] = {"en": FOLDER, "zh-cn": FOLDER / "zh-cn"}
    made: dict[Path, str] = {}
    for language, folder in languages.items():
        made[folder / "README.md"] = index(language)
        made.update({folder / f"{code}.md": page(rule, language) for code, rule in all_rules().items()})
    return made


def main() -> int:
    """Write the pages, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = [
        path
        for path, text in pages().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if check:
        for path in stale:
            print(f"{path} is not up to date: run python scripts/rule_pages.py", file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(pages()[path], encoding="utf-8")
        print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
