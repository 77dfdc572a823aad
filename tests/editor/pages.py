"""The configurations that the pages about editors show."""

from __future__ import annotations

import re
from pathlib import Path

PAGES = Path(__file__).resolve().parents[2] / "docs" / "editors"


def shown(page: str, language: str) -> list[str]:
    """The blocks of a page that are in a language, in order."""
    text = (PAGES / page).read_text("utf-8")
    return re.findall(rf"```{language}\n(.*?)\n```", text, re.DOTALL)
