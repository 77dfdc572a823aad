"""No measured silent difference is silent: at the call there is a warning, or the conversion takes it away.

What is converted without a warning is run in both frameworks, in the Python that MINDPORT_TORCH_PYTHON names.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mindport.catalog.catalog import Catalog
from mindport.catalog.target import Target
from mindport.project.session import FileFindings, Session
from mindport.project.setting_table import Settings
from mindport.rewrite.edit import applied
from mindport.source.document import Document
from mindport.verify.compare import Way, compare
from mindport.verify.trial import names_torch
from silent import CALLS, snippet_of

ITEMS = json.loads(
    (Path(__file__).parents[2] / "mapping_data" / "curated" / "silent_differences.json").read_text(
        encoding="utf-8"
    )
)["items"]
TARGETS = [Target(device="cpu"), Target(device="cpu", style="classic")]
"""The differences were measured on CPU."""
_WARNINGS = ("MP2", "MP3")


def test_every_item_has_a_call() -> None:
    assert set(CALLS) == set(ITEMS)


def findings(catalog: Catalog, target: Target, source: str) -> tuple[Session, FileFindings]:
    settings = Settings(target=target.version, device=target.device, style=target.style)
    session = Session(catalog, settings)
    return session, session.analyse("snippet.py", Document.open("snippet.py", source))


def is_reported(found: FileFindings) -> bool:
    """Whether there is a warning, or something to do that nobody does unasked."""
    return any(
        (placed.code or "").startswith(_WARNINGS) or placed.finding.fix != "safe"
        for placed in found.diagnostics()
    )


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: f"{t.device}-{t.style}")
@pytest.mark.parametrize("item", CALLS)
def test_a_silent_difference_is_told_or_taken_away(
    catalog: Catalog, item: str, target: Target, request: pytest.FixtureRequest
) -> None:
    snippet = snippet_of(item, catalog)
    session, found = findings(catalog, target, snippet.source)
    if is_reported(found):
        return
    converted = applied(snippet.source.encode(), session.fix_all(found)).decode()
    if names_torch(converted):
        return  # it cannot run, which is not silent
    torch, mindspore = request.getfixturevalue("workers")
    ours, theirs = torch.run(snippet.task_for(snippet.source)), mindspore.run(snippet.task_for(converted))
    if "error" in theirs:
        return  # loud
    if CALLS[item].get("torch_raises"):
        assert "error" in ours
        return  # no code that works in PyTorch does this
    assert "error" not in ours, f"PyTorch refuses it, MindSpore does not:\n{converted}"
    verdict = compare(ours["value"], theirs["value"], Way(snippet.is_random))
    assert verdict.aspect is None, f"{verdict.aspect}: {verdict.detail}\n{converted}"
    if snippet.task["gradient"]:
        verdict = compare(ours["gradient"], theirs["gradient"])
        assert verdict.aspect is None, f"gradient: {verdict.detail}\n{converted}"
