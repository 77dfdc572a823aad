"""What the facts folder says, in our words: stated renames, rows to compare with, what ran on CPU."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

Json = dict[str, Any]

BRANCHES = ("r1.10", "r2.0", "r2.1", "r2.2", "r2.3.1", "r2.4.10", "r2.5.0", "r2.6.0", "master")
"""The documentation branches, oldest first."""
VERSIONS = {
    "r1.10": "1.10",
    "r2.0": "2.0",
    "r2.1": "2.1",
    "r2.2": "2.2",
    "r2.3.1": "2.3",
    "r2.4.10": "2.4",
    "r2.5.0": "2.5",
    "r2.6.0": "2.6",
    "master": "2.7",
}

LATEST = "2.10"
COMPARED = ("r2.4.10", "master")
"""The branches that the mapping data has to agree with."""


def stated_renames(rows: list[Json]) -> dict[str, Json]:
    """Renames that the official difference pages state, by page name; newer branches win."""
    order = {branch: n for n, branch in enumerate(BRANCHES)}
    result: dict[str, Json] = defaultdict(dict)
    for row in sorted(rows, key=lambda r: order.get(r["branch"], -1)):
        page = row["page"].lower()
        for prefix in ("tensor_", "ops_", "nn_", "f_"):
            page = page.removeprefix(prefix)
        for torch, mindspore, *_ in row["parameters"]:
            if torch and mindspore and torch != mindspore:
                result[page][torch] = mindspore
    return result


def evidence(rows: list[Json]) -> list[Json]:
    """What ran on CPU, in our words."""
    records = []
    for row in sorted(rows, key=lambda r: r["mindspore"]):
        result = _result(row)
        if result:
            records.append({"mindspore": row["mindspore"], "result": result, "calls": len(row["results"])})
    return records


def _result(row: Json) -> str | None:
    if row["class"] == "unsupported_cpu":
        return "unsupported"
    if row["class"] != "runs":
        return None  # the guessed arguments were refused: nothing is learnt about the device
    results = [r for r in row["results"] if not r.startswith("error")]
    equal = all(r in ("equal", "values maxabs 0") for r in results)
    if row["compared"] in ("differ", "mixed_equal_and_differ") and not equal:
        return "differs"
    if row["compared"] == "all_equal_dtype_diff":
        return "dtype_differs"
    if row["compared"] in ("random", "ran_no_torch"):
        return "runs"
    return "equal" if len(results) == len(row["results"]) else "partly"


def official_pairs(rows: list[Json]) -> list[Json]:
    """The rows that `mapping check` compares with, with the branches they stand in."""
    records = []
    for row in rows:
        branches = [b for b in COMPARED if b in row["branches"]]
        if branches and row["torch"] and row["mindspore"]:
            records.append({"torch": row["torch"], "mindspore": row["mindspore"], "branches": branches})
    return sorted(records, key=lambda r: (r["torch"], r["mindspore"]))
