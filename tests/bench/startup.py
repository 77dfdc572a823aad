"""From starting the process to the answer of `initialize`, and to the first diagnostics of a file that is opened
then: mindport beside a pygls server doing nothing."""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from servers import BEFORE, CAPABILITIES, COMMANDS, launch

from corpus import timm_file  # isort: skip

OURS, NOTHING = "mindport", "pygls doing nothing"
FILE = "models/mvitv2.py"


def start_milliseconds(name: str, path: Path) -> tuple[float, float]:
    """How long one start takes, and until the file has its diagnostics."""
    begin = time.perf_counter()
    client = launch(name, path.parent)
    client.start(CAPABILITIES)
    answered = (client.received_at - begin) * 1000
    client.open(path.as_uri(), path.read_bytes().decode())
    client.wait_for_diagnostics(path.as_uri(), 1)
    published = (client.received_at - begin) * 1000
    client.stop()
    return answered, published


def main() -> int:
    """Measure in turn and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=10, help="how often each is started (default 10)")
    options = parser.parse_args()
    names = [name for name in COMMANDS if name in (OURS, NOTHING) or (BEFORE and "before" in name)]
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(shutil.copy(timm_file(FILE), folder))
        for _ in range(options.starts):
            for name in names:
                times[name].append(start_milliseconds(name, path))
    answered, published = (
        {name: round(statistics.median(each[part] for each in found), 1) for name, found in times.items()}
        for part in (0, 1)
    )
    answered["difference"] = round(answered[OURS] - answered[NOTHING], 1)
    print(json.dumps({"python": sys.version.split()[0], "p50_ms": answered, FILE: published}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
