"""A program that changes views of what has a gradient, converted with `convert --whole` and no line by hand, has the
same values and the same gradients."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_whole_data import differing, seen


@pytest.mark.timeout(600)
def test_what_is_done_to_views_is_done_to_what_they_are_views_of(python: str, tmp_path: Path) -> None:
    ours, theirs, _ = seen("changed_views.py", python, tmp_path)
    assert len(ours) == len(theirs) > 30
    assert [
        differing(one, other, one[0]) for one, other in zip(ours, theirs, strict=True) if one != other
    ] == []
