"""Hover: what the API under the cursor is and what becomes of it."""

from __future__ import annotations

import re
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from lsprotocol import types

from mindport.lsp.workspace_edits import Json, range_of
from mindport.source.lines import PositionError

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.lsp.documents import Snapshot
    from mindport.lsp.state import ServerState

_CODE = re.compile(r"(`[^`]+`)")
_SPECIAL = re.compile(r"[\\`*_\[\]<>#|]")


def register(server: ServerState) -> None:
    """Tell the server which messages are handled here."""
    server.feature(types.TEXT_DOCUMENT_HOVER)(hover)


def hover(ls: ServerState, params: types.HoverParams) -> Awaitable[Json | None] | None:
    """The client asks what there is at a position."""
    snapshot = ls.documents.snapshot(params.text_document.uri)
    if snapshot is None:
        return None
    position = params.position
    try:
        offset = snapshot.document.lines.offset(position.line, position.character, ls.client.encoding)
    except PositionError:
        return None  # beyond the text: there is nothing
    return ls.ask(snapshot, lambda found: _hover(ls, snapshot, found, snapshot.start() + offset), None)


def _hover(ls: ServerState, snapshot: Snapshot, found: FileFindings, offset: int) -> Json | None:
    placed = found.at(offset)
    if placed is None:
        return None
    part = found.document.part(placed.start)
    text = _page(ls, snapshot, found, placed)
    kind = "markdown" if ls.client.shows_markdown else "plaintext"
    return {
        "contents": {"kind": kind, "value": text if ls.client.shows_markdown else plain_text(text)},
        "range": range_of(part.lines, part.offset(placed.start), part.offset(placed.end), ls.client.encoding),
    }


def _page(ls: ServerState, snapshot: Snapshot, found: FileFindings, placed: PlacedFinding) -> str:
    """What is shown of a finding: what to write there, what differs there, the page of the API, and a link to
    that of the rule."""
    from mindport.report.words import rule_address

    page, code = _page_of_api(ls, snapshot, found, placed), placed.code
    if code is None:
        return page
    return f"{page.rstrip()}\n\n[{code}]({rule_address(code, ls.engine.language)})\n"


def _page_of_api(ls: ServerState, snapshot: Snapshot, found: FileFindings, placed: PlacedFinding) -> str:
    from mindport.assess.finding import UseRule
    from mindport.catalog.explain import Here
    from mindport.rewrite.fixes import rewritten

    finding, language = placed.finding, ls.engine.language
    if finding.rule is None or isinstance(finding.rule, UseRule):
        blocker = "" if finding.blocker is None else _escaped(finding.blocker.render(language))
        here = Here(rewritten(found, placed), finding.differences, blocker)
        return ls.engine.explain(finding.use.api, snapshot.path, here)
    page = ls.engine.explain(finding.use.api, snapshot.path)
    return f"{_escaped(finding.message(language))}\n\n---\n\n{page}"


def _escaped(sentence: str) -> str:
    """A sentence as Markdown: what stands between backticks is code, the rest is no Markdown."""
    return "".join(
        part if part.startswith("`") else _SPECIAL.sub(r"\\\g<0>", part) for part in _CODE.split(sentence)
    )


_FENCE = re.compile(r"^[ \t]*```.*$\n?", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6} +", re.MULTILINE)
_RULE = re.compile(r"^(?:---|\*\*\*)$", re.MULTILINE)
_TABLE_RULE = re.compile(r"^\|(?:[ :-]+\|)+[ \t]*$\n?", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]*)\)")
_EMPHASIS = re.compile(r"(?<!\\)(\*\*|__|`)")
_ESCAPE = re.compile(r"\\([\\`*_\[\]<>#|])")
_BLANK_LINES = re.compile(r"\n{3,}")


def plain_text(markdown: str) -> str:
    """The text of a page of Markdown as we write it: links keep their address, tables their bars."""
    text = _FENCE.sub("", markdown)
    text = _TABLE_RULE.sub("", text)
    text = _RULE.sub("", _HEADING.sub("", text))
    text = _LINK.sub(r"\1 (\2)", text)
    text = _EMPHASIS.sub("", text)
    return _BLANK_LINES.sub("\n\n", _ESCAPE.sub(r"\1", text)).strip()
