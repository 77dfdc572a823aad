"""A few trials of each fuzz target; `make fuzz MINUTES=60` makes many more."""

from __future__ import annotations

from pathlib import Path

import pytest
from run import NAMES, Work, watched

TRIALS = {"edits": 12, "calls": 40, "messages": 8, "settings": 60, "trees": 40, "conversions": 25}
ENDS = """
import os
from target import Target

def trial(choose):
    number = choose.randrange(4)
    if number == 0:
        os._exit(3)
    if number == 1:
        raise ValueError("wrong")
    return 2

TARGET = Target("ends", "steps", trial)
"""


@pytest.mark.parametrize("name", NAMES)
def test_trials_of(name: str) -> None:
    done = watched(Work(name, 0, 1, 0, TRIALS[name]))
    assert not done.failures, "\n".join(f"seed {seed}:\n{text}" for seed, text in done.failures)
    assert done.trials == TRIALS[name] and done.steps > 0


def test_a_trial_that_ends_its_process_is_told_and_others_follow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ends.py").write_text(ENDS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    done = watched(Work("ends", 0, 1, 0, 30))
    ended = [seed for seed, text in done.failures if "exit code 3" in text]
    wrong = [seed for seed, text in done.failures if "ValueError: wrong" in text]
    assert done.trials == 30 and ended and wrong
    assert done.steps == 2 * (30 - len(ended) - len(wrong))
