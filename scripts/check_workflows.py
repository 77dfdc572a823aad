"""Checks the workflows and actions with actionlint (which hands their shell lines to shellcheck) and zizmor.

The tools are those of requirements-dev.txt, else those on the path. One that is not on this machine is told
and left out, but where CI=true it has to be there.

    python scripts/check_workflows.py
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = (
    ("actionlint", ()),
    ("zizmor", ("--offline", "--quiet", "--no-progress", ".")),
)


def tool_path() -> str:
    """Where tools are looked for: beside this Python first."""
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])


def run(name: str, arguments: tuple[str, ...], folder: Path) -> bool:
    """Run one tool in `folder`; whether it finds nothing, or need not be there and is not."""
    program = shutil.which(name, path=tool_path())
    if program is None:
        print(f"{name} is not installed: the workflows are not checked with it.", file=sys.stderr)
        return os.environ.get("CI") != "true"
    environment = {**os.environ, "PATH": tool_path()}
    return subprocess.run([program, *arguments], cwd=folder, env=environment, check=False).returncode == 0


def main(folder: Path = ROOT) -> int:
    fine = [run(name, arguments, folder) for name, arguments in COMMANDS]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
