"""The catalogs of several versions: the latest in full, of older ones what differs from it.

`catalog/mindspore-2.10.jsonl` is the latest; `catalog/older/mindspore-2.9.jsonl` holds the records that are
other in 2.9, and `{"name": ..., "absent": true}` for what 2.9 does not have.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Records = dict[str, Json]


def read(path: Path) -> Records:
    """The records of a catalog file by name."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {record["name"]: record for record in map(json.loads, lines)}


def write(path: Path, records: Iterable[Json]) -> None:
    """Records to a file, one a line, sorted by name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    ordered = sorted(records, key=lambda r: r["name"])
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in ordered), encoding="utf-8")
    print(f"{path}: {len(ordered)} records")


def versions(folder: Path) -> dict[str, Records]:
    """All MindSpore catalogs of a folder in full, by version, oldest first."""
    latest = _latest(folder)
    if latest is None:
        return {}
    base = read(latest)
    found = {_version(latest): base}
    for path in (folder / "older").glob("mindspore-*.jsonl"):
        found[_version(path)] = composed(base, read(path))
    return {version: found[version] for version in sorted(found, key=_number)}


def composed(base: Mapping[str, Json], changes: Mapping[str, Json]) -> Records:
    """The catalog that differs from `base` by `changes`."""
    records = {**base, **changes}
    return {name: records[name] for name in sorted(records) if "absent" not in records[name]}


def changes(base: Mapping[str, Json], other: Mapping[str, Json]) -> list[Json]:
    """What makes `other` of `base`."""
    changed = [record for name, record in other.items() if base.get(name) != record]
    return [*changed, *({"name": name, "absent": True} for name in base if name not in other)]


def save(folder: Path, version: str, records: Records) -> None:
    """Put the catalog of a version into the folder: in full if it is the latest, the others by what differs
    from that."""
    known = {**versions(folder), version: records}
    latest = max(known, key=_number)
    write(folder / f"mindspore-{latest}.jsonl", known[latest].values())
    for other in set(known) - {latest}:
        (folder / f"mindspore-{other}.jsonl").unlink(missing_ok=True)
        write(folder / "older" / f"mindspore-{other}.jsonl", changes(known[latest], known[other]))


def _latest(folder: Path) -> Path | None:
    return max(folder.glob("mindspore-*.jsonl"), key=lambda path: _number(_version(path)), default=None)


def _version(path: Path) -> str:
    return path.stem.removeprefix("mindspore-")


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
