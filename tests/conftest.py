"""Makes the helpers beside the tests importable, and keeps the tests' caches out of the user's."""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("mindport", deadline=None)  # no test depends on how quick the machine is
settings.load_profile("mindport")

HERE = Path(__file__).parent
for folder in (HERE, HERE / "resolve"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests come first, so that at the end no process works on alone."""
    slow = {item.path for item in items if item.get_closest_marker("slow") is not None}
    items.sort(key=lambda item: item.path not in slow)


def pytest_collection_finish() -> None:
    """Garbage is looked for seldom, and not in what was collected, which stays to the end: in the thousands of
    tests that there are, looking takes up to a seventh of the time of tests that make many objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 50)


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of mindport's caches in a test, empty at first."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("MINDPORT_CACHE_DIR", str(folder))
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What a test printed and logged as text that can be sent to another process: without lone surrogates."""
    report = yield
    report.sections = [
        (name, text.encode("utf-8", "backslashreplace").decode()) for name, text in report.sections
    ]
    return report
