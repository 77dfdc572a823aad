"""What the documentation says of speed is what was measured."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "scripts"))
try:
    import benchmark_pages as pages
finally:
    sys.path.pop(0)


@pytest.fixture
def figures() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(pages.FIGURES.read_text("utf-8"))
    return found


def test_the_pages_are_those_of_what_was_measured(figures: dict[str, Any]) -> None:
    old = [path.name for path, text in pages.written(figures).items() if path.read_text("utf-8") != text]
    assert old == []


def test_what_was_measured_is_told_with_its_commit_and_machine(figures: dict[str, Any]) -> None:
    for language in pages.ENDINGS:
        text = pages.page(figures, language)
        for build in (*pages.BUILDS, "trials"):
            machine = figures[build]["machine"]
            assert not machine["commit"].endswith("+"), "what is in no commit was measured"
            assert all(str(machine[name]) in text for name in ("commit", "day", "processor", "python"))


def test_another_figure_is_another_page(figures: dict[str, Any]) -> None:
    before = pages.page(figures, "en")
    figures["compiled"]["scan"][0]["results"]["warm scan"]["ratio_p50"] = 12.34
    assert "| second scan | compiled |" in before and "| 12.34 |" in pages.page(figures, "en")
