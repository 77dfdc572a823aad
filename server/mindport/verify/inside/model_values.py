"""What both processes that run a model need: Tensors among results, and how far numbers are apart."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

VALUES = "values.npz"
OUTCOME = "outcome.json"
EXACTLY = "exactly "
"""What the names of gradients in float64 begin with."""
_SMALLEST_SCALE = 1e-6


def tensors_in(value: Any, kind: type) -> Iterator[Any]:
    """The Tensors in a result, in its order."""
    if isinstance(value, kind):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from tensors_in(each, kind)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from tensors_in(each, kind)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for one in dataclasses.fields(value):
            yield from tensors_in(getattr(value, one.name), kind)


def given_arrays(inputs: list[dict[str, Any]], seed: int) -> list[np.ndarray]:
    """The inputs of a specification: the same at each run with a seed."""
    generator = np.random.default_rng(seed)
    found = []
    for one in inputs:
        kind, shape = np.dtype(one["kind"]), tuple(one["shape"])
        if kind.kind == "f":
            found.append(np.asarray(generator.standard_normal(shape)).astype(kind))
        elif kind.kind == "b":
            found.append(np.asarray(generator.integers(0, 2, shape)).astype(kind))
        else:
            found.append(np.asarray(generator.integers(0, one["below"], shape)).astype(kind))
    return found


def called(model: Callable[..., Any], inputs: list[dict[str, Any]], tensors: list[Any]) -> Any:
    """What a model gives for Tensors, each given as the specification says."""
    together = list(zip(inputs, tensors, strict=True))
    positional = [tensor for one, tensor in together if one["name"] is None]
    return model(*positional, **{one["name"]: tensor for one, tensor in together if one["name"] is not None})


def factors(number: int, shape: tuple[int, ...]) -> np.ndarray:
    """What an output is multiplied with before all is added up, so that its elements count differently."""
    return np.linspace(-1, 1, max(number, 1))[:number].reshape(shape).astype(np.float32)


def apart(found: np.ndarray, wanted: np.ndarray, least: float = _SMALLEST_SCALE) -> float:
    """The largest difference, as a part of the largest number wanted, or of `least` if that is larger, if not
    all is 0; infinite where shapes differ or only one of two is a number."""
    if found.shape != wanted.shape:
        return float("inf")
    if wanted.size == 0:
        return 0.0
    found, wanted = found.astype(np.complex128), wanted.astype(np.complex128)
    is_same = (found == wanted) | (np.isnan(found) & np.isnan(wanted))
    if is_same.all():
        return 0.0
    if not np.isfinite(found[~is_same]).all() or not np.isfinite(wanted[~is_same]).all():
        return float("inf")
    scale = max(float(np.abs(wanted[np.isfinite(wanted)]).max(initial=0)), least, _SMALLEST_SCALE)
    return float(np.abs(found[~is_same] - wanted[~is_same]).max()) / scale


def write_outcome(results: str, outcome: Mapping[str, Any]) -> None:
    """Leave what came of it."""
    Path(results, OUTCOME).write_text(json.dumps(outcome), encoding="utf-8")
