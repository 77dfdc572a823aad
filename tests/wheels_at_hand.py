"""The Pythons of this machine, and the compiled wheels that `make wheels` has made on this machine, in `.cache/wheels` or where MINDPORT_WHEELS
points, with the Pythons they were built with."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
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


def pythons_at_hand() -> dict[str, str]:
    """An interpreter of each supported version that is on this machine: of the wheels, of the tests, on the path."""
    found = {}
    for minor in range(10, 15):
        version = f"3.{minor}"
        named = shutil.which(f"python{version}")
        if named and is_version(named, version):
            found[version] = named
    found[f"{sys.version_info.major}.{sys.version_info.minor}"] = sys.executable
    found.update({each.version: each.python for each in wheels_at_hand()})
    return dict(sorted(found.items(), key=lambda each: int(each[0].split(".")[1])))


def is_version(python: str, version: str) -> bool:
    """Whether a Python runs and is of this version: what a version manager has by this name may be none."""
    asked = [python, "-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return done.stdout.strip() == version
