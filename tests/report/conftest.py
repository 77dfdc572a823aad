"""No test of a report may pass where something of ours failed that the report goes on after."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _no_internal_errors(caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if request.node.get_closest_marker("fails_inside") is None:
        said = [one.getMessage() for one in caplog.get_records("call")]
        assert not [one for one in said if one.startswith("Internal error")]
