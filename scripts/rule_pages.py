"""Write `docs/rules/`: a page for each rule, in English and Chinese, from the rule itself.

`python scripts/rule_pages.py` writes; `--check` exits 1 if a page is not as it would be written.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mindport.assess.rules import all_rules
from mindport.language import Language, Text
from mindport.report.rule_page import rule_page

FOLDER = Path(__file__).parents[1] / "docs" / "rules"
TITLE = Text("Rules", "规则")


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
        made.update({folder / f"{code}.md": rule_page(rule, language) for code, rule in all_rules().items()})
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
