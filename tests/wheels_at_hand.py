"""The compiled wheels that `make wheels` has made on this machine, in `.cache/wheels` or where MINDPORT_WHEELS
points, and the Pythons they were built with."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
WHEELS = Path(os.environ.get("MINDPORT_WHEELS") or ROOT / ".cache" / "wheels")
NONE = "there are no compiled wheels: `make wheels PYTHONS=...` makes them"


class Built(NamedTuple):
    """A wheel, and a Python that it is for."""

    wheel: Path
    python: str

    @property
    def version(self) -> str:
        """Of the Python's language, such as `3.12`."""
        tag = self.wheel.name.split("-")[2]
        return f"{tag[2]}.{tag[3:]}"


def wheels_at_hand() -> list[Built]:
    """All of which the Python is still there, the oldest first."""
    file = WHEELS / "pythons.json"
    known = json.loads(file.read_text("utf-8")) if file.exists() else {}
    found = [Built(WHEELS / name, python) for name, python in known.items()]
    there = [each for each in found if each.wheel.exists() and Path(each.python).exists()]
    return sorted(there, key=lambda each: [int(part) for part in each.version.split(".")])
