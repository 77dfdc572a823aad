"""Builds the compiled wheel for Pythons of this machine (Linux), as cibuildwheel does in its containers: in
an environment of its own, its platform told by auditwheel, then installed and tried. `make wheels` calls it.

    python scripts/compiled_wheels.py python3.11 python3.12            into .cache/wheels
    python scripts/compiled_wheels.py --out wheelhouse /opt/python3.13/bin/python3
    python scripts/compiled_wheels.py --built built/mindport-0.1.0-cp311-cp311-linux_x86_64.whl python3.11

The folder's `pythons.json` says which Python each was built with; tests that need compiled wheels take them
from there.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WHEELS = ROOT / ".cache" / "wheels"
PYTHONS = "pythons.json"
TOOLS = ROOT / "requirements-wheels.txt"
CONSTRAINTS = ROOT / "constraints.txt"
TRY = ROOT / "scripts" / "try_wheel.py"


def run(*command: str | Path, **environment: str) -> str:
    """What a program prints. Raises SystemExit, with what it wrote, if it fails."""
    words = [str(each) for each in command]
    done = subprocess.run(
        words, env={**os.environ, **environment}, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} failed ({done.returncode}):\n{done.stdout}{done.stderr}")
    return done.stdout


@contextmanager
def environment_of(python: str, *requirements: str | Path) -> Iterator[Path]:
    """The Python of a new environment in which this is installed; what it needs comes within constraints.txt,
    but for the file of tools, which has all versions."""
    with tempfile.TemporaryDirectory(prefix="mindport-") as folder:
        run(python, "-I", "-m", "venv", "--without-pip", folder)
        inside = Path(folder) / "bin" / "python"
        given = [f"--requirement={each}" if each == TOOLS else str(each) for each in requirements]
        limits = [] if TOOLS in requirements else ["--constraint", str(CONSTRAINTS)]
        pip = [sys.executable, "-m", "pip", "--python", str(inside), "install", "--quiet"]
        run(*pip, "--disable-pip-version-check", *limits, *given)
        yield inside


def build(python: str, folder: Path) -> Path:
    """The wheel as it comes from the compiler, whose platform is this machine alone."""
    with environment_of(python, "build") as inside:
        run(inside, "-m", "build", "--wheel", "--outdir", folder, ROOT, MINDPORT_COMPILE="1")
    return next(folder.glob("*.whl"))


def repair(wheel: Path, out: Path) -> Path:
    """The wheel with the oldest platform that auditwheel finds it good for. Raises SystemExit if it is good
    for none."""
    with environment_of(sys.executable, TOOLS) as inside:
        tools = f"{inside.parent}{os.pathsep}{os.environ['PATH']}"
        told = run(inside, "-m", "auditwheel", "repair", "--wheel-dir", out, wheel, PATH=tools)
        shown = run(inside, "-m", "auditwheel", "show", *_newest(out, wheel), PATH=tools)
    if "manylinux" not in shown and "musllinux" not in shown:
        raise SystemExit(f"auditwheel:\n{told}{shown}")
    return _newest(out, wheel)[0]


def _newest(out: Path, wheel: Path) -> list[Path]:
    """The wheels in a folder that are for the same Python as `wheel`, the newest alone."""
    name = "-".join(wheel.name.split("-")[:4])
    return sorted(out.glob(f"{name}-*.whl"), key=lambda path: path.stat().st_mtime)[-1:]


def tried(python: str, wheel: Path) -> list[str]:
    """What the installed wheel says of itself. Raises SystemExit if it is not as it should be."""
    with environment_of(python, str(wheel)) as inside:
        version = run(inside, TRY).strip()
        told = run(inside, "-I", "-m", "mindport", "doctor")
    build_row = re.search(r"(?m)^ *build +(.*)$", told)
    return [version, build_row[1] if build_row else "?"]


def keep(wheel: Path, python: str) -> None:
    """Write down which Python a wheel was built with."""
    file = wheel.parent / PYTHONS
    known = json.loads(file.read_text("utf-8")) if file.exists() else {}
    known[wheel.name] = run(python, "-I", "-c", "import sys; print(sys.executable)").strip()
    file.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("pythons", nargs="+", metavar="PYTHON")
    parser.add_argument("--out", type=Path, default=WHEELS)
    parser.add_argument("--built", type=Path, help="take this wheel, which MINDPORT_COMPILE=1 has made")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for python in arguments.pythons:
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as temporary:
            built = arguments.built or build(python, Path(temporary))
            seconds = time.monotonic() - begin
            wheel = repair(built, arguments.out)
        keep(wheel, python)
        size = wheel.stat().st_size / 1e6
        print(f"{wheel.name}: {size:.1f} MB, built in {seconds:.0f} s;", *tried(python, wheel), flush=True)


if __name__ == "__main__":
    main()
