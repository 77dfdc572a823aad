"""Editors with running servers, for the tests of this folder."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

TESTS = str(Path(__file__).resolve().parents[1])
if TESTS not in sys.path:
    sys.path.append(TESTS)  # for what all tests share

from editor import Editor, capabilities  # noqa: E402


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps what scans keep for the next one out of the user's cache, and starts without any."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
async def start(tmp_path: Path) -> AsyncIterator[Callable[..., Any]]:
    """Starts an editor; see `Editor.start`. Its server is shut down after the test."""
    running: list[Editor] = []

    async def start_editor(
        root: Path | None = tmp_path, abilities: Any = None, settings: Any = None, options: Any = None
    ) -> Editor:
        editor = await Editor.start(root, abilities or capabilities(), settings, options)
        running.append(editor)
        return editor

    yield start_editor
    for editor in running:
        await editor.stop()


@pytest.fixture
async def editor(start: Callable[..., Any]) -> Editor:
    """An editor with the usual abilities and no settings."""
    started: Editor = await start()
    return started
