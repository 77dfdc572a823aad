"""Comparing what two frameworks gave: value, shape, dtype, structure, or the distribution of random numbers.

Works on the plain data of `mindport.verify.inside.observing`, without any framework.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

Aspect = Literal["value", "shape", "dtype", "structure", "gradient", "distribution", "default"]
Observed = Mapping[str, Any]

_FEW = 500
"""Fewer random numbers than this do not show a distribution."""
_SURE = 2.3
"""The two-sample Kolmogorov-Smirnov statistic, scaled by the sizes, that equal distributions exceed in one of
20,000 comparisons (2 * exp(-2 * 2.3 ** 2))."""
_TOLERANCES: Mapping[str, tuple[float, float]] = {
    "float16": (1e-2, 1e-3),
    "bfloat16": (2e-2, 1e-2),
    "float32": (1e-4, 1e-5),
    "complex64": (1e-4, 1e-5),
    "float64": (1e-6, 1e-8),
    "complex128": (1e-6, 1e-8),
}
"""Relative and absolute tolerance by dtype; other dtypes must be equal."""


class Way(NamedTuple):
    """How to compare: random numbers by their distribution, numbers by magnitude alone (where the sign is
    arbitrary), tolerances multiplied by `loose`; no numbers at all where they are `uninitialized`."""

    is_random: bool = False
    magnitude: bool = False
    loose: float = 1.0
    uninitialized: bool = False


class Verdict(NamedTuple):
    """`aspect` is what differs, None if nothing does; `largest` the largest difference of numbers, for those
    beyond 1 in relation to them; `detail` says in short what was seen."""

    aspect: Aspect | None
    largest: float
    detail: str = ""


def compare(torch: Observed, mindspore: Observed, way: Way = Way()) -> Verdict:  # noqa: B008 - immutable
    """Compare two observed results. What weighs most is told: structure, then shape, dtype, values."""
    if torch["kind"] != mindspore["kind"]:
        return Verdict("structure", 0.0, f"{_shown(torch)} and {_shown(mindspore)}")
    kind = torch["kind"]
    if kind == "sequence":
        return _sequences(torch["parts"], mindspore["parts"], way)
    if kind == "state":
        ours, theirs = torch["parts"], mindspore["parts"]
        both = [name for name in ours if name in theirs]
        return _sequences([ours[name] for name in both], [theirs[name] for name in both], way)
    if kind == "mapping":
        ours, theirs = torch["parts"], mindspore["parts"]
        if set(ours) != set(theirs):
            return Verdict("structure", 0.0, f"{sorted(ours)} and {sorted(theirs)}")
        return _sequences([ours[k] for k in ours], [theirs[k] for k in ours], way)
    if kind in ("tensor", "array"):
        return _tensors(torch, mindspore, way)
    if kind == "object":
        return Verdict(None, 0.0)
    return _scalars(torch, mindspore, way)


def _sequences(ours: Sequence[Observed], theirs: Sequence[Observed], way: Way) -> Verdict:
    if len(ours) != len(theirs):
        return Verdict("structure", 0.0, f"{len(ours)} and {len(theirs)} values")
    verdicts = [compare(a, b, way) for a, b in zip(ours, theirs, strict=True)]
    different = [v for v in verdicts if v.aspect is not None]
    if different:
        return min(different, key=lambda v: _WEIGHT.index(str(v.aspect)))
    return Verdict(None, max((v.largest for v in verdicts), default=0.0))


_WEIGHT = ("structure", "shape", "dtype", "value", "distribution", "gradient", "default")


def _tensors(ours: Observed, theirs: Observed, way: Way) -> Verdict:
    if list(ours["shape"]) != list(theirs["shape"]):
        return Verdict("shape", 0.0, f"{ours['shape']} and {theirs['shape']}")
    if way.is_random and len(ours["numbers"]) >= _FEW:
        verdict = _distributions(ours["numbers"], theirs["numbers"])
    elif way.is_random or way.uninitialized:
        verdict = Verdict(None, 0.0)
    else:
        verdict = _numbers(ours, theirs, way)
    if ours["dtype"] != theirs["dtype"]:
        also = f"; values differ: {verdict.detail}" if verdict.aspect else ""
        return Verdict("dtype", 0.0, f"{ours['dtype']} and {theirs['dtype']}{also}")
    return verdict


def _numbers(ours: Observed, theirs: Observed, way: Way) -> Verdict:
    relative, absolute = (t * way.loose for t in _tolerance(ours["dtype"], theirs["dtype"]))
    largest = 0.0
    for key in ("numbers", "imaginary"):
        for place, (a, b) in enumerate(zip(ours.get(key, ()), theirs.get(key, ()), strict=False)):
            gap = _gap(a, b, way.magnitude)
            if gap > absolute + relative * (abs(a) if math.isfinite(a) else 0.0):
                return Verdict("value", gap, f"at {place}: {a:.6g} and {b:.6g}")
            largest = max(largest, gap / max(1.0, abs(a)) if math.isfinite(a) else gap)
    return Verdict(None, largest)


def _tolerance(ours: str, theirs: str) -> tuple[float, float]:
    """That of the coarser dtype; equal integers and booleans only."""
    known = [_TOLERANCES[dtype] for dtype in (ours, theirs) if dtype in _TOLERANCES]
    return max(known, default=(0.0, 0.0))


def _gap(a: float, b: float, magnitude: bool) -> float:
    if math.isnan(a) or math.isnan(b):
        return 0.0 if math.isnan(a) and math.isnan(b) else math.inf
    if magnitude:
        a, b = abs(a), abs(b)
    if math.isinf(a) or math.isinf(b):
        return 0.0 if a == b else math.inf
    return abs(a - b)


def _distributions(ours: Sequence[float], theirs: Sequence[float]) -> Verdict:
    """Two samples, by the largest distance of their cumulative distributions (Kolmogorov-Smirnov)."""
    a, b = sorted(ours), sorted(theirs)
    i = j = 0
    distance = 0.0
    while i < len(a) and j < len(b):
        value = min(a[i], b[j])
        while i < len(a) and a[i] == value:
            i += 1
        while j < len(b) and b[j] == value:
            j += 1
        distance = max(distance, abs(i / len(a) - j / len(b)))
    if distance * math.sqrt(len(a) * len(b) / (len(a) + len(b))) <= _SURE:
        return Verdict(None, 0.0)
    ranges = " and ".join(f"{_mean(s):.4g} ({s[0]:.4g} to {s[-1]:.4g})" for s in (a, b))
    return Verdict("distribution", 0.0, f"mean (range): {ranges}")


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _scalars(ours: Observed, theirs: Observed, way: Way) -> Verdict:
    if way.is_random:
        return Verdict(None, 0.0)
    a, b = ours.get("value"), theirs.get("value")
    if ours["kind"] in ("int", "float") and a is not None and b is not None:
        gap = _gap(float(a), float(b), way.magnitude)
        if gap == 0.0 or gap <= 1e-5 + 1e-5 * abs(float(a)):
            return Verdict(None, gap)
    elif a == b:
        return Verdict(None, 0.0)
    return Verdict("value", 0.0, f"{a!r} and {b!r}")


def _shown(observed: Observed) -> str:
    return (
        f"{observed['kind']} {observed['value']}" if observed["kind"] == "object" else str(observed["kind"])
    )
