"""Compares what a training program did in both frameworks."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import NamedTuple

import numpy as np

TOLERANCE = 1e-4
LEFT_OUT = 0.25
"""The share of the weights that may be left out, since PyTorch itself gives others each time."""


class Outcome(NamedTuple):
    losses: np.ndarray
    parameters: dict[str, np.ndarray]

    @classmethod
    def read(cls, path: Path) -> Outcome:
        found = pickle.loads(path.read_bytes())
        return cls(np.array(found["losses"]), found["parameters"])


def differences(found: Outcome, wanted: Outcome, *again: Outcome) -> list[str]:
    """What differs between the frameworks, where PyTorch gives the same each time."""
    assert len(wanted.losses) >= 5 and np.isfinite(wanted.losses).all()
    if len(found.losses) != len(wanted.losses):
        return [f"{len(found.losses)} losses, in PyTorch {len(wanted.losses)}"]
    told = []
    scale = np.maximum(np.abs(wanted.losses), 0.01 * np.abs(wanted.losses).max())
    noise = 2 * np.max([np.abs(wanted.losses - each.losses) for each in again], axis=0)
    wrong = ~(np.abs(found.losses - wanted.losses) <= TOLERANCE * scale + noise)
    if wrong.any():
        step = int(wrong.argmax())
        told.append(f"loss {step} is {found.losses[step]:.7g}, in PyTorch {wanted.losses[step]:.7g}")
    if sorted(found.parameters) != sorted(wanted.parameters):
        return [*told, f"parameters: {sorted(found.parameters)}, in PyTorch {sorted(wanted.parameters)}"]
    largest = max(float(np.abs(value).max()) for value in wanted.parameters.values() if value.size)
    left_out = 0
    for name, value in wanted.parameters.items():
        own = found.parameters[name].reshape(value.shape).astype(np.float64)
        of_scale = max(float(np.abs(value).max(initial=0)), 0.01 * largest)
        spread = np.max([np.abs(value - each.parameters[name].astype(np.float64)) for each in again], axis=0)
        sure = spread <= 0.1 * TOLERANCE * of_scale
        left_out += int((~sure).sum())
        error = float(np.abs(own - value)[sure].max(initial=0)) / of_scale
        if not error <= TOLERANCE or not np.isfinite(own).all():
            told.append(f"{name} differs by {error:.1e} of its scale")
    if left_out > LEFT_OUT * sum(value.size for value in wanted.parameters.values()):
        told.append(f"{left_out} weights cannot be compared")
    return told


def compared(results: Path) -> list[str]:
    """The same, of the files that the runs left in a folder."""
    names = ("mindspore", "torch0", "torch1", "torch2")
    return differences(*(Outcome.read(results / f"{name}.pickle") for name in names))
