"""Workers with the frameworks, for tests that run them."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from mindport.catalog.catalog import Catalog
from mindport.verify.frameworks import VARIABLE
from mindport.verify.pool import TrialWorker

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What a file runs both frameworks for once stays in one process. First, since pytest-xdist reads the groups in
    this hook, too, and comes before this file where the file's folder is named on the command line."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group(str(item.path.relative_to(HERE))))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where CI names the Python with the frameworks, nothing is skipped."""
    report = yield
    is_skipped = report.outcome == "skipped" and not hasattr(report, "wasxfail")
    if is_skipped and os.environ.get("CI") and os.environ.get(VARIABLE):
        report.outcome = "failed"
    return report


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return Catalog.load()


@pytest.fixture(scope="session")
def python() -> str:
    """The Python with the frameworks."""
    found = os.environ.get(VARIABLE)
    if not found:
        pytest.skip(f"{VARIABLE} does not name a Python with torch and MindSpore")
    return found


@pytest.fixture(scope="session")
def workers(python: str) -> Iterator[tuple[TrialWorker, TrialWorker]]:
    with TrialWorker(python, "torch") as torch, TrialWorker(python, "mindspore") as mindspore:
        yield torch, mindspore
