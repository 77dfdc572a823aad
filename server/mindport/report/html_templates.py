"""The templates of reports, and what they are rendered with."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES: Final = Path(__file__).parent / "templates"


class HtmlRow(NamedTuple):
    """A row of a chart: a name, a link within the page (or None), and counts by status."""

    name: str
    link: str | None
    counts: Counter[str]

    @property
    def total(self) -> int:
        """All uses."""
        return self.counts.total()


@cache
def templates() -> Environment:
    """The templates; `with_code` makes HTML of a sentence, `cell` makes of a text what may stand in a
    table of Markdown."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["with_code"] = _with_code
    found.filters["cell"] = _as_cell
    return found


def _as_cell(text: str) -> str:
    """A text for a table in Markdown."""
    return text.replace("|", "\\|").replace("\n", " ")


def _with_code(sentence: str) -> str:
    """A sentence as HTML: what stands between backticks is code."""
    from markupsafe import Markup

    parts = sentence.split("`")
    if len(parts) % 2 == 0:  # a backtick that is none of ours
        return sentence
    shown = [Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts)]
    return Markup("").join(shown)
