"""Compares what a training program did in both frameworks."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import NamedTuple

import numpy as np
from programs import NOT_COMPARED, TOLERANCE

LEFT_OUT = 0.25
"""The share of the weights that may be left out, since PyTorch itself gives others each time."""


class Outcome(NamedTuple):
    losses: np.ndarray
    parameters: dict[str, np.ndarray]

    @classmethod
    def read(cls, path: Path) -> Outcome:
        found = pickle.loads(path.read_bytes())
        return cls(np.array(found["losses"]), found["parameters"])


class Compared(NamedTuple):
    """How far a program is from what it does in PyTorch: by the number of a loss, and by the name of a weight, as
    a part of its scale; `said` is what else differs."""

    losses: dict[str, float]
    weights: dict[str, float]
    said: list[str]


def differences(found: Outcome, wanted: Outcome, *again: Outcome) -> Compared:
    """What differs between the frameworks, where PyTorch gives the same each time."""
    assert len(wanted.losses) >= 5 and np.isfinite(wanted.losses).all()
    if len(found.losses) != len(wanted.losses):
        return Compared({}, {}, [f"{len(found.losses)} losses, in PyTorch {len(wanted.losses)}"])
    scale = np.maximum(np.abs(wanted.losses), 0.01 * np.abs(wanted.losses).max())
    noise = 2 * np.max([np.abs(wanted.losses - each.losses) for each in again], axis=0)
    apart = np.maximum(np.abs(found.losses - wanted.losses) - noise, 0) / scale
    losses = {f"loss {step}": _gap(each) for step, each in enumerate(apart)}
    if sorted(found.parameters) != sorted(wanted.parameters):
        said = f"parameters: {sorted(found.parameters)}, in PyTorch {sorted(wanted.parameters)}"
        return Compared(losses, {}, [said])
    largest = max(float(np.abs(value).max()) for value in wanted.parameters.values() if value.size)
    weights, left_out = {}, 0
    for name, value in wanted.parameters.items():
        own = found.parameters[name].reshape(value.shape).astype(np.float64)
        of_scale = max(float(np.abs(value).max(initial=0)), 0.01 * largest)
        spread = np.max([np.abs(value - each.parameters[name].astype(np.float64)) for each in again], axis=0)
        sure = spread <= 0.1 * TOLERANCE * of_scale
        left_out += int((~sure).sum())
        error = float(np.abs(own - value)[sure].max(initial=0)) / of_scale
        weights[name] = _gap(error if np.isfinite(own).all() else np.inf)
    too_many = left_out > LEFT_OUT * sum(value.size for value in wanted.parameters.values())
    return Compared(losses, weights, [f"{left_out}{NOT_COMPARED}"] if too_many else [])


def _gap(value: float) -> float:
    """A difference as a number that is larger than others where it is none."""
    return float(value) if np.isfinite(value) else float("inf")


def compared(results: Path) -> Compared:
    """The same, of the files that the runs left in a folder."""
    names = ("mindspore", "torch0", "torch1", "torch2")
    return differences(*(Outcome.read(results / f"{name}.pickle") for name in names))
