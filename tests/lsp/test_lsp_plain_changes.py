"""Typed changes as JSON has them: what is taken up at once, and what goes the way of all messages."""

from __future__ import annotations

from typing import Any

import pytest
from mindport.lsp.documents import plain_change
from mindport.source.document import Change

PLACE = {"line": 1, "character": 2}
RANGE = {"start": PLACE, "end": {"line": 1, "character": 4}}
DOCUMENT = {"uri": "file:///a.py", "version": 3}


def params(**other: Any) -> dict[str, Any]:
    return {"textDocument": DOCUMENT, "contentChanges": [{"range": RANGE, "text": "a"}], **other}


def test_ranges_that_are_replaced_are_plain() -> None:
    assert plain_change(params()) == ("file:///a.py", 3, [Change((1, 2), (1, 4), "a")])


@pytest.mark.parametrize(
    "given",
    [
        None,
        [],
        {},
        params(textDocument={"uri": "file:///a.py"}),
        params(textDocument={"uri": 1, "version": 3}),
        params(textDocument={"uri": "file:///a.py", "version": True}),
        params(contentChanges={"range": RANGE, "text": "a"}),
        params(contentChanges=[{"text": "the whole text"}]),
        params(contentChanges=[{"range": RANGE, "text": 1}]),
        params(contentChanges=[{"range": {"start": PLACE}, "text": "a"}]),
        params(
            contentChanges=[{"range": {"start": {"line": -1, "character": 0}, "end": PLACE}, "text": "a"}]
        ),
        params(
            contentChanges=[{"range": {"start": {"line": 1.0, "character": 0}, "end": PLACE}, "text": "a"}]
        ),
    ],
)
def test_all_else_is_not(given: object) -> None:
    assert plain_change(given) is None
