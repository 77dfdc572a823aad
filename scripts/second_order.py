"""Differentiates calls of torch APIs, and what they become in MindSpore, twice, and compares:

    python scripts/second_order.py [--write] [--jobs N] [NAME...]

with mindport's own Python; MINDPORT_TORCH_PYTHON names the one that has both frameworks. NAME is the
beginning of names of APIs. Without `--write` it says what differs from what
`mapping_data/second_order/operators.jsonl` has.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "server"))

from mindport.catalog.catalog import Catalog  # noqa: E402
from mindport.catalog.jsonl import Record  # noqa: E402
from mindport.catalog.target import Target  # noqa: E402
from mindport.verify.everything import names_to_run  # noqa: E402
from mindport.verify.frameworks import find_frameworks  # noqa: E402
from mindport.verify.second_order import second_orders  # noqa: E402
from mindport.verify.table import InputTable  # noqa: E402

RECORDS = ROOT / "mapping_data" / "second_order" / "operators.jsonl"
Key = tuple[str, str]


def read() -> dict[Key, Record]:
    """What is recorded, by API and candidate."""
    lines = RECORDS.read_text(encoding="utf-8").splitlines() if RECORDS.exists() else []
    records = [json.loads(line) for line in lines]
    return {(one["torch"], one["target"]): one for one in records}


def run(prefixes: list[str], jobs: int) -> dict[Key, Record]:
    """What comes of all APIs whose names begin so."""
    catalog, frameworks = Catalog.load(), find_frameworks(None)
    table = InputTable.of(catalog)
    names = names_to_run(catalog, table, Target(frameworks.version, "cpu"), prefixes)
    found = second_orders(names, catalog, table, frameworks.executable, frameworks.version, jobs)
    made = {}
    for one in found:
        made[one.torch, one.target] = one.record()
        print(json.dumps(one.record()), file=sys.stderr, flush=True)
    return made


def main() -> int:
    """Compare, or write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    known, found = read(), run(given.names, given.jobs)
    kept = {
        key: one for key, one in known.items() if given.names and not key[0].startswith(tuple(given.names))
    }
    if given.write:
        RECORDS.parent.mkdir(exist_ok=True)
        records = [one for _, one in sorted({**kept, **found}.items())]
        text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records)
        RECORDS.write_text(text, encoding="utf-8")
        return 0
    results = ("result", "graph")
    other = [
        f"{key}: {found[key]}, recorded is {known.get(key)}"
        for key in found
        if key not in known or any(known[key].get(way) != found[key].get(way) for way in results)
    ]
    print("\n".join([*other, f"{len(other)} of {len(found)} differ from what is recorded"]))
    return 1 if other else 0


if __name__ == "__main__":
    sys.exit(main())
