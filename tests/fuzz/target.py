"""What a fuzz target is: one random trial after another, each made of a seed alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

Trial = Callable[[random.Random], int]
"""Makes one trial from random numbers and returns how many steps it had (edits, messages, files). Raises
AssertionError, or whatever the product raised, when something does not hold."""


class Target(NamedTuple):
    """A kind of trial. `name` is what the command line calls it, `steps` what its steps are."""

    name: str
    steps: str
    trial: Trial

    def run(self, seed: int) -> int:
        """Make the trial of a seed; the same one whenever it is made."""
        return self.trial(random.Random(f"{self.name}:{seed}"))
