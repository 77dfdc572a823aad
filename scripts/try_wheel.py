"""Tries the mindport that is installed: that it is built as it should be, and that a scan finds something.

python scripts/try_wheel.py             a compiled wheel
python scripts/try_wheel.py --pure      the wheel that is the same everywhere
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "docs" / "examples" / "flowers" / "model.py"


def run(*arguments: str, folder: str) -> str:
    """What this Python prints, started away from the sources."""
    command = [sys.executable, "-I", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)} failed ({done.returncode}):\n{done.stdout}{done.stderr}")
    return done.stdout


def faults(folder: str, is_pure: bool) -> list[str]:
    """What is wrong with the installed mindport."""
    engine = Path(run("-c", "import mindport.infer.evaluator as m; print(m.__file__)", folder=folder).strip())
    found = []
    if ROOT / "server" in engine.parents:
        found.append(f"this is not an installed wheel: {engine}")
    if (engine.suffix == ".py") is not is_pure:
        found.append(f"the engine is {'compiled' if is_pure else 'not compiled'}: {engine}")
    scan = ["-m", "mindport", "scan", str(SAMPLE), "--no-cache", "--format", "json"]
    if not json.loads(run(*scan, folder=folder))["files"]:
        found.append(f"a scan of {SAMPLE} finds nothing")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--pure", action="store_true", help="nothing of it may be compiled")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = faults(folder, arguments.pure)
        print(run("-m", "mindport", "--version", folder=folder).strip())
    sys.exit("\n".join(found) or 0)


if __name__ == "__main__":
    main()
