"""Programs that write to results, and that take gradients of gradients, converted with `convert --whole` and no line by
hand, have the same values and gradients."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_whole_data import differing, seen


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "name", ["results_with_memory.py", "gradients_of_gradients.py", "dtypes_of_results.py"]
)
def test_values_and_gradients_are_the_same(name: str, python: str, tmp_path: Path) -> None:
    ours, theirs, _ = seen(name, python, tmp_path)
    assert len(ours) == len(theirs) > 15
    assert [
        found for one, other in zip(ours, theirs, strict=True) for found in differing(one, other, one[0])
    ] == []
