"""Compares what scripts gave in both frameworks: compared.py INDEX OURS AGAIN THEIRS prints as JSON, by the title of
each script, the names that are compared, and what is different of them. AGAIN are PyTorch's results with another
seed."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np

Results = dict[str, tuple[dict[str, Any], list[tuple[str, str]]]]
_TOLERANCE = 1e-4
_OF_HALF = 1e-3


def read(path: Path) -> Results:
    """By script, the values of its names and the statements that failed."""
    found: Results = {}
    with path.open("rb") as file:
        while True:
            try:
                name, values, failed = pickle.load(file)
            except EOFError:
                return found
            found[name] = values, failed


def difference(ours: Any, theirs: Any) -> str:
    """What is different in the second of two values, empty where nothing is. What neither framework can show,
    and texts that name PyTorch's own things, say nothing."""
    kind = ours[0]
    if kind in ("other", "bad"):
        return ""
    if kind == "value" and theirs[0] == "tensor" and theirs[2].size == 1:
        theirs = "value", theirs[2].reshape(()).item()
    if kind == "tensor" and theirs[0] == "value" and ours[2].ndim == 0:
        ours, kind = ("value", ours[2].item()), "value"
    if theirs[0] != kind:
        return f"{kind}, {theirs[0]}"
    if kind == "value":
        return _of_values(ours[1], theirs[1])
    if kind == "list":
        if len(ours[1]) != len(theirs[1]):
            return f"{len(ours[1])} parts, {len(theirs[1])}"
        return next(filter(None, map(difference, ours[1], theirs[1])), "")
    if kind == "dict":
        if ours[1].keys() != theirs[1].keys():
            return "other keys"
        return next(filter(None, (difference(part, theirs[1][key]) for key, part in ours[1].items())), "")
    if kind == "part" and ours[2] != theirs[2]:
        return f"shape {ours[2]}, {theirs[2]}"
    return _of_arrays(ours[-1], theirs[-1], ours[1]) or (
        f"{ours[1]}, {theirs[1]}" if ours[1] != theirs[1] else ""
    )


def _of_values(one: Any, other: Any) -> str:
    if isinstance(one, str):
        return (
            ""
            if one == other or any(word in one.lower() for word in ("torch", "tensor", "<"))
            else f"{one!r}, {other!r}"
        )
    is_number = isinstance(one, float) and isinstance(other, int | float)
    if one == other or (is_number and np.isclose(one, other, rtol=_TOLERANCE, equal_nan=True)):
        return ""
    return f"{one!r}, {other!r}"


def _of_arrays(one: Any, other: Any, dtype: str) -> str:
    if one.shape != other.shape:
        return f"shape {one.shape}, {other.shape}"
    if one.dtype.kind in "iub" and other.dtype.kind in "iub":
        return "" if np.array_equal(one, other) else f"values {one.ravel()[:3]}, {other.ravel()[:3]}"
    tolerance = _OF_HALF if dtype in ("float16", "bfloat16") else _TOLERANCE
    wide = complex if np.iscomplexobj(one) or np.iscomplexobj(other) else float
    one, other = one.astype(wide), other.astype(wide)
    finite = np.abs(one[np.isfinite(one)])
    scale = max(1.0, finite.max(initial=0.0))
    if np.allclose(one, other, rtol=tolerance, atol=tolerance * scale, equal_nan=True):
        return ""
    return f"values {one.ravel()[:3]}, {other.ravel()[:3]}"


def compared(script: str, ours: Results, again: Results) -> list[str]:
    """The names of a script whose values are compared: not what is drawn at random, nor what cannot be shown."""
    values, _ = ours[script]
    return [
        name
        for name, value in values.items()
        if name != "drawn"
        and value[0] not in ("other", "bad")
        and not difference(value, again[script][0].get(name, ("",)))
    ]


def different(script: str, names: list[str], ours: Results, theirs: Results) -> dict[str, str]:
    """By name, what is different in a converted script. A statement that failed comes first, by what it binds."""
    values, _ = ours[script]
    if script not in theirs:
        return dict.fromkeys(["process", *names], "the process ended")
    converted, failed = theirs[script]
    found = {statement.partition(" = ")[0]: f"{statement}: {error}"[:300] for statement, error in failed}
    for name in names:
        said = difference(values[name], converted[name]) if name in converted else "missing"
        if said:
            found.setdefault(name, said)
    return found


def main() -> None:
    """Compare all scripts."""
    titles = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    ours, again, theirs = (read(Path(path)) for path in sys.argv[2:])
    names = {script: compared(script, ours, again) for script in ours}
    found = {script: different(script, names[script], ours, theirs) for script in ours}
    print(
        json.dumps(
            {
                "compared": {titles[script]: names[script] for script in ours},
                "different": {titles[script]: said for script, said in found.items() if said},
            }
        )
    )


if __name__ == "__main__":
    main()
