"""Loading and searching the catalog beside plain Python on the same data, taking turns.

Loading: CPU time until the first name is resolved, beside `json.loads` of the lines of the torch catalog.
Searching: the median query, beside `query in name` over all names in a list. See README.md in this folder.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

LOAD = """
import time
from mindport.catalog.catalog import Catalog
from mindport.catalog.target import Target
start = time.process_time()
catalog = Catalog.load(); catalog.canonical("torch.nn.modules.Conv2d")
print(time.process_time() - start)
"""
PARSE = """
import json, sys, time
data = open(sys.argv[1], "rb").read()
start = time.process_time()
records = [json.loads(line) for line in data.splitlines()]
print(time.process_time() - start)
"""
SEARCH = """
import statistics, time
from mindport.catalog.catalog import Catalog
catalog = Catalog.load()
queries = ["a", "conv2d", "batch norm", "mindspore.ops.reduce", "softmx", "torch", "mindspore.nn", "linaer"]
names = [name.lower() for name in catalog.torch_names]
catalog.search("warm up")
ours, plain = [], []
for query in queries * 5:
    start = time.perf_counter(); catalog.search(query); ours.append(time.perf_counter() - start)
    start = time.perf_counter(); [n for n in names if query in n]; plain.append(time.perf_counter() - start)
print(statistics.median(ours), statistics.median(plain), max(ours))
"""


def run(program: str, *arguments: str) -> list[float]:
    """The numbers that a program prints, run in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
    command = [sys.executable, "-c", program, *arguments]
    result = subprocess.run(command, check=True, env=environment, capture_output=True, text=True)
    return [float(number) for number in result.stdout.split()]


def measure(rounds: int) -> dict[str, float]:
    """Milliseconds, and the medians of the ratios of the rounds."""
    torch = str(max((ROOT / "mapping_data" / "catalog").glob("torch-*.jsonl")))
    run(LOAD)  # once before: the index is built, the files are in memory
    load, parse, search, plain, slowest = [], [], [], [], []
    for _ in range(rounds):
        load += run(LOAD)
        parse += run(PARSE, torch)
        one, other, longest = run(SEARCH)
        search.append(one)
        plain.append(other)
        slowest.append(longest)
    ratios = [a / b for a, b in zip(load, parse, strict=True)]
    of_search = [a / b for a, b in zip(search, plain, strict=True)]
    return {
        "load_ms": statistics.median(load) * 1e3,
        "load_ratio_to_json": statistics.median(ratios),
        "search_ms": statistics.median(search) * 1e3,
        "search_slowest_ms": statistics.median(slowest) * 1e3,
        "search_ratio_to_substring": statistics.median(of_search),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    found = measure(parser.parse_args().rounds)
    print(json.dumps({name: round(value, 3) for name, value in found.items()}, indent=2))


if __name__ == "__main__":
    main()
