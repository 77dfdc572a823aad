"""List the APIs of recorded real code that are neither curated by hand nor proven by their signatures.

    python scripts/uncurated.py [--truth ../shared/truth] [--all]

An API is proven when a counterpart's parameters have been compared with its own and nothing differs that can
matter, or when the difference is one that the parameters say. One line each: how often it was called, its
name, its status and its counterpart. With `--all`, every public API is judged instead of the recorded ones.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "server"))

from mindport.catalog.catalog import Catalog  # noqa: E402
from mindport.catalog.jsonl import read_json  # noqa: E402
from mindport.catalog.sources import curated_files  # noqa: E402
from mindport.catalog.target import Target  # noqa: E402

_JUDGED_BY_HAND = ("uncompared", "documented", "measured", "dtype_measured")


def recorded(folder: Path) -> Counter[str]:
    """How often each API was called in the recorded packages."""
    calls: Counter[str] = Counter()
    for path in sorted(folder.glob("*.jsonl.gz")):
        if ".nontorch." not in path.name:
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                for line in lines:
                    calls.update(json.loads(line)["api"])
    return calls


def is_curated(name: str, curated: set[str]) -> bool:
    """Whether a person wrote an entry for the API, or for all that is below a part of its name."""
    owner = name
    while owner:
        owner = owner.rpartition(".")[0]
        if f"{owner}.*" in curated:
            return True
    return name in curated


def is_proven(catalog: Catalog, name: str) -> bool:
    """Whether the signatures of both sides decide what the counterpart is."""
    chosen = catalog.answer(name, Target()).chosen
    if chosen is None:
        return False
    told = {d.code for d in chosen.differences}
    data = catalog.kind(name) in ("dtype", "attribute", "property", "constant")
    return (chosen.compared or data) and not told.intersection(_JUDGED_BY_HAND)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--truth", type=Path, default=ROOT.parent / "shared" / "truth")
    parser.add_argument("--all", action="store_true", help="judge every public API")
    options = parser.parse_args()
    catalog = Catalog.load()
    curated = {n for p in curated_files(ROOT / "mapping_data") for n in read_json(p)}
    if options.all:
        names = Counter({name: 0 for name in catalog.torch_names if catalog.is_documented(name)})
    else:
        names = Counter()
        for name, calls in recorded(options.truth).items():
            names[catalog.canonical(name) or name] += calls
    open_ = {n: c for n, c in names.items() if not is_curated(n, curated) and not is_proven(catalog, n)}
    for name, calls in sorted(open_.items(), key=lambda item: (-item[1], item[0])):
        answer = catalog.answer(name, Target())
        print(f"{calls:6} {name}: {answer.status} {answer.chosen.target if answer.chosen else ''}".rstrip())
    print(f"{len(open_)} of {len(names)}")


if __name__ == "__main__":
    main()
