"""Shared by tests: the findings of a text, and a text with edits applied."""

from __future__ import annotations

from collections.abc import Iterable

from mindport.catalog.catalog import Catalog
from mindport.project.session import FileFindings, Session
from mindport.project.setting_table import Settings
from mindport.rewrite.edit import Edit
from mindport.source.document import Document


def session(**settings: object) -> Session:
    """A session with these settings."""
    return Session(Catalog.load(), Settings.of(settings))


def found_in(
    source: str, *, uri: str = "untitled:main.py", **settings: object
) -> tuple[Session, FileFindings]:
    """The findings in `source`, and the session that made them."""
    made = session(**settings)
    return made, made.analyse(uri, Document.open(uri, source))


def codes(source: str, **settings: object) -> list[str]:
    """Each diagnostic as `CODE text`."""
    _, found = found_in(source, **settings)
    text = found.document.text
    return [f"{placed.code} {text(placed.start, placed.end)}" for placed in found.diagnostics()]


def settled_codes(source: str, *, uri: str = "untitled:main.py", **settings: object) -> list[str]:
    """The same, where what calls give is known."""
    made = session(**settings)
    document = Document.open(uri, source)
    made.analyse(uri, document)
    made.settle([uri])
    found = made.analyse(uri, document)
    return [f"{one.code} {document.text(one.start, one.end)}" for one in found.diagnostics()]


def apply(source: str, edits: Iterable[Edit]) -> str:
    """`source` with sorted edits applied; they must not overlap."""
    data = source.encode()
    made, position = b"", 0
    for edit in edits:
        assert edit.start >= position, "edits overlap"
        made += data[position : edit.start] + edit.new_text.encode()
        position = edit.end
    return (made + data[position:]).decode()


def fixed(source: str, *, uri: str = "untitled:main.py", **settings: object) -> str:
    """`source` with all safe fixes applied."""
    made, found = found_in(source, uri=uri, **settings)
    return apply(source, made.fix_all(found))
