"""A few trials of each fuzz target; `make fuzz MINUTES=60` makes many more."""

from __future__ import annotations

import pytest
from run import NAMES, run

TRIALS = {"edits": 12, "messages": 8, "settings": 60, "trees": 40, "conversions": 25}


@pytest.mark.parametrize("name", NAMES)
def test_trials_of(name: str) -> None:
    done = run(name, 0, 1, 0, TRIALS[name])
    assert not done.failures, "\n".join(f"seed {seed}:\n{text}" for seed, text in done.failures)
    assert done.trials == TRIALS[name] and done.steps > 0
