"""Workers with the frameworks, for tests that run them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from mindport.catalog.catalog import Catalog
from mindport.verify.frameworks import VARIABLE
from mindport.verify.pool import TrialWorker


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
