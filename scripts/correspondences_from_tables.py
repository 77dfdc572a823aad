"""Write `mapping_data/correspondences` and `mapping_data/evidence` from the facts and both catalogs.

    python scripts/correspondences_from_tables.py [--facts ../shared/facts]

Needs no framework. Hand-written corrections live in `mapping_data/curated` and are not touched.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from candidates import CatalogView, comparable, counterparts_by_name, style_of
from catalog_versions import versions
from compare_signatures import Comparer
from official_tables import BRANCHES, LATEST, VERSIONS, evidence, official_pairs, stated_renames

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "mapping_data"
FACTS = ROOT.parent / "shared" / "facts"
Json = dict[str, Any]


def version_number(version: str) -> tuple[int, ...]:
    """`2.10` as `(2, 10)`, for comparison."""
    return tuple(map(int, version.split(".")))


def read(path: Path) -> list[Json]:
    """The records of a `.jsonl` file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def write(path: Path, records: list[Json]) -> None:
    """Records to a `.jsonl` file, one a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)
    path.write_text(text, encoding="utf-8")


def libraries() -> list[Json]:
    """The catalogs of the libraries that belong to torch and have rows in the official tables."""
    return [
        record
        for library in ("torchaudio", "torchtext")
        for path in sorted((DATA / "catalog").glob(f"{library}-*.jsonl"))
        for record in read(path)
    ]


class Builder:
    """Collects the candidates of every torch API."""

    def __init__(self, facts: Path) -> None:
        rules = json.loads((DATA / "curated" / "comparison.json").read_text(encoding="utf-8"))
        self.spelling: Json = rules["misspellings"]
        of_torch = [
            DATA / "catalog" / "torch-2.13.jsonl",
            *sorted((DATA / "catalog" / "newer").glob("*.jsonl")),
        ]
        self.torch = CatalogView([r for path in of_torch for r in read(path)] + libraries())
        catalogs = versions(DATA / "catalog")
        self.versions = {v: CatalogView(list(records.values())) for v, records in catalogs.items()}
        self.mindspore = self.versions[LATEST]
        self.comparer = Comparer(rules)
        self.renames: Json = rules["member_renames"]
        self.stated = stated_renames(read(facts / "official_parameters.jsonl"))
        self.found: dict[str, dict[str, Json]] = defaultdict(dict)
        self.first_official: dict[str, str] = {}
        """The first version whose table has a target."""

    def add_official(self, rows: list[Json]) -> None:
        """The rows of the official tables."""
        for row in rows:
            target = self.mindspore.canonical(row["mindspore"] or "")
            if target:
                first = min((VERSIONS[b] for b in row["branches"]), key=version_number)
                known = self.first_official.get(target, first)
                self.first_official[target] = min(known, first, key=version_number)
        for row in rows:
            if not row["torch"] or not row["mindspore"]:
                continue
            torch = self.spelling.get(row["torch"], row["torch"])
            target = self.spelling.get(row["mindspore"], row["mindspore"])
            name = self.torch.canonical(torch) or torch
            if name in self.torch or not torch.startswith("torch."):
                self._add_row(name, self.mindspore.canonical(target) or target, row["branches"])

    def _add_row(self, torch: str, target: str, branches: Json) -> None:
        known = self.found[torch].get(target)
        if known and known["source"] == "official":
            branches = {**known["branches"], **branches}
        order = [b for b in BRANCHES if b in branches]
        entry: Json = {"target": target, "style": style_of(target), "source": "official"}
        entry["category"] = branches[order[-1]][0]
        entry.update(self._span(target, VERSIONS[order[0]], VERSIONS[order[-1]]))
        entry["branches"] = {b: branches[b] for b in order}
        self.found[torch][target] = entry

    def add_same_named(self) -> None:
        """Counterparts that have the same name and no row."""
        for name in self.torch.names():
            for target in counterparts_by_name(name, self.torch, self.mindspore):
                self._add_derived(name, target)

    def _add_derived(self, torch: str, target: str, style: str | None = None) -> None:
        if target not in self.found[torch]:
            style = style or style_of(target)
            entry = {"target": target, "style": style, "source": "signature"}
            first = self.first_official.get(target, min(self.versions, key=version_number))
            entry.update(self._span(target, first, LATEST))
            self.found[torch][target] = entry

    def _span(self, target: str, first: str, last: str) -> Json:
        """From when until when a target exists: by the catalogs, before them by the tables."""
        having = [v for v, catalog in self.versions.items() if target in catalog]
        if LATEST not in having:
            return {"since": first, "until": max([last, *having], key=version_number)}
        lacking = [v for v in self.versions if v not in having]
        since = next(v for v in having if not any(version_number(v) < version_number(x) for x in lacking))
        return {"since": since if lacking else first}

    def add_curated(self) -> None:
        """Targets that people wrote down, so that their parameters and members are compared too."""
        for path in sorted((DATA / "curated" / "correspondences").glob("*.json")):
            for torch, entry in json.loads(path.read_text(encoding="utf-8")).items():
                for target, candidate in entry.get("candidates", {}).items():
                    if not candidate.get("remove") and target in self.mindspore:
                        self._add_derived(torch, target, candidate.get("style"))

    def add_members(self) -> None:
        """Members of classes that have a counterpart: the member of the same or a known other name."""
        for owner in [n for n in self.torch.names() if self.torch.kind(n) == "class" and self.found.get(n)]:
            targets = [e for e in self.found[owner].values() if e["target"] in self.mindspore]
            for entry in targets:
                for last in self.torch.members(owner):
                    self._add_member(owner, last, entry)

    def _add_member(self, owner: str, last: str, entry: Json) -> None:
        if last.startswith("_") and last != "__init__":
            return
        name = f"{owner}.{last}"
        others = [
            n for c in (owner, *self.torch.lineage(owner)) for n in self.renames.get(c, {}).get(last, [])
        ]
        for candidate in [last, *others]:
            target = f"{entry['target']}.{candidate}"
            known = self.mindspore.canonical(target)
            if known is not None and comparable(self.torch.kind(name), self.mindspore.kind(known)):
                own = self.mindspore.kind(entry["target"]) == "class"
                self._add_derived(
                    name,
                    target if own and not known.startswith("mindspore.nn.Cell.") else known,
                    entry["style"],
                )
                return

    def add_parameter_facts(self) -> None:
        """What the two signatures say."""
        for torch, targets in self.found.items():
            for target, entry in targets.items():
                facts = self._facts(torch, target, self.mindspore)
                if facts is not None:
                    entry["parameters"] = facts
                    entry.update(self._earlier(torch, target, facts))

    def _earlier(self, torch: str, target: str, facts: list[Json]) -> Json:
        """The facts of older versions where they are others, oldest first."""
        parts: list[Json] = []
        for version in sorted(self.versions, key=version_number, reverse=True)[1:]:
            older = self._facts(torch, target, self.versions[version])
            if older is not None and older != (parts[-1]["parameters"] if parts else facts):
                parts.append({"until": version, "parameters": older})
        return {"earlier": parts[::-1]} if parts else {}

    def _facts(self, torch: str, target: str, catalog: CatalogView) -> list[Json] | None:
        if target not in catalog or torch not in self.torch:
            return None
        shape = _shape(self.torch.kind(torch), catalog.kind(target))
        if shape:
            return [{"code": shape}]
        ours, theirs = self.torch.signatures(torch), catalog.signatures(target)
        stated = {**self._stated(torch), **self._stated(target)}
        return self.comparer.compare(ours, theirs, stated)

    def _stated(self, name: str) -> Json:
        return self.stated.get(name.rsplit(".", 1)[-1].lower(), {})

    def files(self) -> dict[str, list[Json]]:
        """Records by file name: one file per torch module."""
        result: dict[str, list[Json]] = defaultdict(list)
        for torch in sorted(self.found):
            entries = sorted(self.found[torch].values(), key=_rank)
            for entry in entries:
                entry.pop("branches", None)
            if entries:
                result[self._file(torch)].append({"torch": torch, "candidates": entries})
        return result

    def _file(self, torch: str) -> str:
        owner = torch.rsplit(".", 1)[0]
        while owner in self.torch and self.torch.kind(owner) != "module" and owner != "torch.Tensor":
            owner = owner.rsplit(".", 1)[0]
        return owner


def _shape(torch: str, mindspore: str) -> str | None:
    """How the use itself changes: an operator class must be created first, a method may be an attribute."""
    data = ("property", "attribute", "constant")
    if torch in ("function", "method") and mindspore == "class":
        return "operator_class"
    if torch in ("function", "method") and mindspore in data:
        return "not_called"
    if torch in data and mindspore in ("function", "method"):
        return "called"
    return None


def _rank(entry: Json) -> tuple[Any, ...]:
    """The order in which candidates are offered before a target is chosen."""
    gone = "until" in entry
    category = ("consistent", "name_differs", "param_differs", "default_differs").index
    known = entry.get("category") in ("consistent", "name_differs", "param_differs", "default_differs")
    return (
        gone,
        any(f["code"] == "operator_class" for f in entry.get("parameters", ())),
        {"mint": 0, "any": 1, "classic": 2}[entry["style"]],
        entry["source"] != "official",
        category(entry["category"]) if known else 9,
        entry["target"].count("."),
        entry["target"],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=Path, default=FACTS)
    facts = parser.parse_args().facts
    builder = Builder(facts)
    builder.add_official(read(facts / "official_mapping.jsonl"))
    builder.add_same_named()
    builder.add_curated()
    builder.add_members()
    builder.add_parameter_facts()
    folder = DATA / "correspondences"
    files = builder.files()
    for old in folder.glob("*.jsonl"):
        if old.stem not in files:
            old.unlink()
    for name, records in files.items():
        write(folder / f"{name}.jsonl", records)
    write(DATA / "official" / "pairs.jsonl", official_pairs(read(facts / "official_mapping.jsonl")))
    write(DATA / "evidence" / "mindspore-2.10-cpu.jsonl", evidence(read(facts / "cpu_check_2.10.0.jsonl")))
    print(f"{sum(map(len, files.values()))} torch APIs in {len(files)} files")


if __name__ == "__main__":
    main()
