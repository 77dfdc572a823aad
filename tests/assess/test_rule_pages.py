"""The pages in `docs/rules` are those that the rules give, those of evidence are those that it gives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("script", ["rule_pages", "function_pages"])
def test_pages_are_up_to_date(script: str) -> None:
    done = subprocess.run(
        [sys.executable, f"scripts/{script}.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", ["sparse-operators", "second-order-operators", "silent-statements"])
def test_what_is_said_of_a_result_is_in_the_language_of_the_page(page: str) -> None:
    english = (ROOT / "docs" / f"{page}.md").read_text("utf-8")
    chinese = (ROOT / "docs" / f"{page}.zh-CN.md").read_text("utf-8")
    cells = {cell.strip() for cell in chinese.split("|")}
    assert not cells & {"equal", "differs", "raises", "nothing", "views and aliases"}
    assert " instead of " not in chinese
    assert "value: at" not in chinese
    assert not any("\u4e00" <= letter <= "\u9fff" for letter in english)
