"""From starting the process to the answer of `initialize`: mindport beside a pygls server doing nothing."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time

from servers import CAPABILITIES, ROOT, launch

NAMES = ("mindport", "pygls doing nothing")


def start_milliseconds(name: str) -> float:
    """How long one start takes."""
    begin = time.perf_counter()
    client = launch(name, ROOT)
    client.start(CAPABILITIES)
    passed = (client.received_at - begin) * 1000
    client.stop()
    return passed


def main() -> int:
    """Measure in turn and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=10, help="how often each is started (default 10)")
    options = parser.parse_args()
    times: dict[str, list[float]] = {name: [] for name in NAMES}
    for _ in range(options.starts):
        for name in NAMES:
            times[name].append(start_milliseconds(name))
    result = {name: round(statistics.median(found), 1) for name, found in times.items()}
    result["difference"] = round(result[NAMES[0]] - result[NAMES[1]], 1)
    print(json.dumps({"p50_ms": result}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
