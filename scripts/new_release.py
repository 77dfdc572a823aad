"""Take in a new release of torch or MindSpore: what its public API has become, what there is to decide, and
whether what was proven still holds.

    python scripts/new_release.py torch 2.15.0                  # installs it into .cache/releases
    python scripts/new_release.py torch 2.15.0 --python PYTHON  # a Python that has it already
    python scripts/new_release.py torch 2.15.0 --catalog FILE   # only compare with a catalog made before
    python scripts/new_release.py torch 2.15.0 --evidence       # and run all calls in both frameworks again

Writes `mapping_data/releases/NAME-VERSION.json` (decisions that stand there are kept) and, for torch, what
appeared to `mapping_data/catalog/newer`. See `docs/development/releases.md`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import catalog_versions
from catalog_difference import Change, additions, differences
from catalog_versions import Records, read
from uncurated import is_curated

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "mapping_data"
sys.path.insert(0, str(ROOT / "server"))

from mindport.catalog.build import build_index  # noqa: E402
from mindport.catalog.catalog import Catalog  # noqa: E402
from mindport.catalog.index import Index  # noqa: E402
from mindport.catalog.jsonl import read_json  # noqa: E402
from mindport.catalog.sources import curated_files  # noqa: E402
from mindport.catalog.target import Target  # noqa: E402

Json = dict[str, Any]
OTHER = {"torch": "mindspore", "mindspore": "torch"}
_COUNTERPART = ("equivalent", "differs")
_BESIDE = "zz_beside.pth"


def version_of(release: str) -> str:
    """`2.15` of `2.15.0`."""
    return ".".join(release.split(".")[:2])


def number(version: str) -> tuple[int, ...]:
    """A version, for comparison."""
    return tuple(map(int, version.split(".")))


def requirement(name: str) -> str:
    """What `requirements-frameworks.txt` says of a package."""
    text = (ROOT / "requirements-frameworks.txt").read_text(encoding="utf-8")
    return re.findall(rf"^{name}==[\w.]+|^{name}\b", text, flags=re.M)[0]


def installed(name: str, release: str, folder: Path) -> Path:
    """A Python of its own that has the release and what it needs; made where it is missing."""
    home = folder / f"{name}-{release}"
    python = home / "bin" / "python"
    if (home / ".ready").exists():
        for borrowed in home.glob(f"lib/python*/site-packages/{_BESIDE}"):
            borrowed.unlink()  # the catalog is made without what others have
        return python
    began = time.monotonic()
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    wanted = [f"{name}=={release}", requirement("numpy"), "setuptools"]
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-cache-dir", *wanted]
    subprocess.run(install, check=True)
    (home / ".ready").touch()
    size = sum(p.stat().st_size for p in home.rglob("*") if p.is_file() and not p.is_symlink())
    print(f"installed {name} {release}: {size / 1e9:.1f} GB in {time.monotonic() - began:.0f} s")
    return python


def introspected(name: str, release: str, python: Path, folder: Path) -> Path:
    """The catalog of the release that `python` has."""
    output = folder / f"catalog-{name}-{release}"
    output.mkdir(parents=True, exist_ok=True)
    for old in output.glob("*.jsonl"):
        old.unlink()
    command = [
        str(python),
        "-W",
        "ignore",
        str(ROOT / "scripts" / f"catalog_{name}.py"),
        "--output",
        str(output),
    ]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    path = output / f"{name}-{version_of(release)}.jsonl"
    if not path.exists():
        raise SystemExit(f"{python} has another release of {name}: {[p.name for p in output.glob('*')]}")
    return path


def before(name: str, release: str, data: Path) -> tuple[str, Records]:
    """The latest version that the mapping data know before the release, and its catalog."""
    version = version_of(release)
    if name == "mindspore":
        known = catalog_versions.versions(data / "catalog")
        older = [v for v in known if number(v) < number(version)]
        return older[-1], known[older[-1]]
    [full] = (data / "catalog").glob("torch-*.jsonl")
    latest, records = full.stem.removeprefix("torch-"), read(full)
    for path in sorted((data / "catalog" / "newer").glob("torch-*.jsonl"), key=lambda p: number(p.stem[6:])):
        if number(path.stem[6:]) < number(version):
            latest, records = path.stem[6:], {**records, **read(path)}
    return latest, records


class Decisions:
    """The changes of a release, and what people decided of those that concern the mapping data."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: Json = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        self.evidence: Json | None = self._known.get("evidence")

    def entry(self, change: Change, answer: str | None) -> Json:
        """A change with what the mapping data say of its API. `decision` is there where somebody has to look,
        and empty until somebody has; what was decided of another change of the API does not count."""
        said = {"change": change.kind, "before": change.before, "after": change.after, "answer": answer}
        found: Json = {key: value for key, value in said.items() if value}
        known = self._known.get("changes", {}).get(change.name, {})
        is_same = all(known.get(key) == found.get(key) for key in ("change", "before", "after"))
        decision = known.get("decision", "") if is_same else ""
        if decision or concerns(change, answer):
            found["decision"] = decision
        return found

    def write(self, name: str, release: str, base: str, entries: Mapping[str, Json]) -> None:
        """Write the file."""
        counts = Counter(str(entry["change"]) for entry in entries.values())
        content: Json = {
            "framework": name,
            "release": release,
            "compared_with": base,
            "counts": dict(sorted(counts.items())),
            "changes": {api: entries[api] for api in sorted(entries)},
        }
        if self.evidence is not None:
            content["evidence"] = self.evidence
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(content, ensure_ascii=False, indent=1)
        self.path.write_text(f"{text}\n", encoding="utf-8")


def concerns(change: Change, answer: str | None) -> bool:
    """Whether somebody has to look: of what appeared nobody has said anything, or what a counterpart was made
    for is other now. For what has no counterpart it does not matter how it is called."""
    if change.kind == "appeared":
        return answer is None
    return answer in (*_COUNTERPART, "target")


def answers(name: str, data: Path, folder: Path) -> Mapping[str, str]:
    """What the mapping data say of each API: the status of torch's, where a person or a signature decided it,
    and `target` for those of MindSpore that something is converted to. What appears in MindSpore has no
    answer if it has the name of a torch API without a counterpart."""
    index = folder / "index.bin"
    build_index(data, index)
    catalog = Catalog(Index.read(index))
    curated = {api for path in curated_files(data) for api in read_json(path)}
    if name == "torch":
        found = {api: catalog.answer(api, Target()).status for api in catalog.torch_names}
        return {a: s for a, s in found.items() if s in _COUNTERPART or is_curated(a, curated)}
    found = {}
    for api in catalog.torch_names:
        for candidate in catalog.answer(api, Target()).candidates:
            found.update(dict.fromkeys((candidate.target, *candidate.apis), "target"))
    return found


def compare(name: str, release: str, made: Path, data: Path, folder: Path) -> Path:
    """Write what the release changes, and what is to be decided of it. Returns the file."""
    base, old = before(name, release, data)
    new = read(made)
    if name == "torch":
        newer = data / "catalog" / "newer" / f"torch-{version_of(release)}.jsonl"
        catalog_versions.write(newer, additions(old, new))
    told = answers(name, data, folder)
    decisions = Decisions(data / "releases" / f"{name}-{version_of(release)}.json")
    entries: dict[str, Json] = {}
    for change in differences(old, new):
        entries.setdefault(change.name, decisions.entry(change, told.get(change.name)))
    decisions.write(name, release, base, entries)
    tell(name, release, base, entries)
    return decisions.path


def tell(name: str, release: str, base: str, entries: Mapping[str, Json]) -> None:
    """Print counts, and what is to be decided."""
    counts = Counter(str(entry["change"]) for entry in entries.values())
    print(f"{name} {release} against {base}: " + ", ".join(f"{k} {n}" for k, n in sorted(counts.items())))
    open_ = [api for api, entry in entries.items() if entry.get("decision") == ""]
    for api in open_:
        entry = entries[api]
        print(
            f"  decide: {api}: {entry['change']} {entry.get('before', '')} -> {entry.get('after', '')}"[:200]
        )
    print(f"{len(open_)} to decide")


def rerun(python: Path, data: Path, only: Iterable[str], jobs: int) -> Json:
    """Run all calls in both frameworks of `python`, and compare with the evidence that is there."""
    from mindport.verify.everything import names_to_run, verify_all
    from mindport.verify.evidence import evidence_file, record_of
    from mindport.verify.table import InputTable

    catalog = Catalog.load()
    table = InputTable.of(catalog)
    version = Target().version
    names = names_to_run(catalog, table, Target(version, "cpu"), tuple(only))
    known = {
        (record["torch"], record["target"]): record
        for record in map(json.loads, evidence_file(data, version, "cpu").read_text("utf-8").splitlines())
    }
    again = {
        (torch, verified.target): record
        for torch, found in verify_all(names, catalog, table, str(python), version, jobs)
        for verified in found
        if (record := record_of(verified, catalog)) is not None
    }
    expected = {pair: record for pair, record in known.items() if pair[0] in set(names)}
    return compared_evidence(expected, again)


def compared_evidence(known: Mapping[tuple[str, str], Json], again: Mapping[tuple[str, str], Json]) -> Json:
    """How many pairs have the result that they had, and those that have another."""
    other = []
    for pair in sorted({*known, *again}):
        was, now = (found.get(pair, {}).get("result") for found in (known, again))
        if was != now:
            told = {"torch": pair[0], "target": pair[1], "was": was, "now": now}
            detail = again.get(pair, {}).get("detail")
            other.append({**told, **({"detail": detail} if detail else {})})
    return {
        "pairs": len(known),
        "same": len(known) - sum(o["was"] is not None for o in other),
        "other": other,
    }


def without_known(found: Json, known: Json) -> Json:
    """Without the pairs that have the other result with the version that is known, too: there the evidence is
    older than the code that converts. Their number is told as `other_before`."""
    same = {(o["torch"], o["target"], o["now"]) for o in known["other"]}
    left = [o for o in found["other"] if (o["torch"], o["target"], o["now"]) not in same]
    return {**found, "other_before": len(found["other"]) - len(left), "other": left}


def with_decisions(found: Json, before: Json | None) -> Json:
    """With what people decided of these results, and nothing where nobody has yet."""
    keys = ("torch", "target", "was", "now")
    said = {tuple(o[k] for k in keys): o.get("decision", "") for o in (before or {}).get("other", ())}
    other = [{**o, "decision": said.get(tuple(o[k] for k in keys), "")} for o in found["other"]]
    return {**found, "other": other}


def beside(python: Path, others: Path) -> None:
    """Let `python` import what another Python has, after all that is its own."""
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    paths = [
        subprocess.run([str(p), "-c", code], check=True, capture_output=True, text=True).stdout.strip()
        for p in (python, others)
    ]
    (Path(paths[0]) / _BESIDE).write_text(f"{paths[1]}\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("name", choices=sorted(OTHER))
    parser.add_argument("release", help="such as 2.15.0")
    parser.add_argument("--python", type=Path, help="a Python that has the release")
    parser.add_argument("--catalog", type=Path, help="its catalog, if it was made before")
    parser.add_argument("--folder", type=Path, default=ROOT / ".cache" / "releases")
    parser.add_argument("--data", type=Path, default=DATA, help="the mapping data")
    parser.add_argument("--evidence", action="store_true", help="run all calls again; needs both frameworks")
    parser.add_argument("--only", nargs="*", default=(), help="run only APIs whose names begin so")
    parser.add_argument(
        "--others",
        type=Path,
        default=os.environ.get("MINDPORT_TORCH_PYTHON", ROOT / ".frameworks" / "bin" / "python"),
        help="the Python that has the other framework",
    )
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    python, made = options.python, options.catalog
    if python is None and (made is None or options.evidence):
        python = installed(options.name, options.release, options.folder)
    if made is None:
        made = introspected(options.name, options.release, python, options.folder)
    path = compare(options.name, options.release, made, options.data, options.folder)
    if options.evidence:
        if options.python is None:
            beside(python, Path(options.others))
        found = rerun(python, options.data, options.only, options.jobs)
        names = {pair["torch"] for pair in found["other"]}
        found = without_known(found, rerun(Path(options.others), options.data, names, options.jobs))
        content = json.loads(path.read_text(encoding="utf-8"))
        content["evidence"] = found = with_decisions(found, content.get("evidence"))
        path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        told = f"{found['other_before']} other with the known version, too"
        print(f"evidence: {found['same']} of {found['pairs']} as before, {told}")
        for pair in found["other"]:
            print(f"  {pair['torch']} -> {pair['target']}: {pair['was']} -> {pair['now']}")
    print(path)


if __name__ == "__main__":
    main()
