"""Makes the packages (VSIX) of the VS Code extension: one for each platform, and one for all others.

Those for a platform bring all that the server needs, and the compiled server where its wheel is at hand; the
universal one brings what is the same everywhere. They are the same, byte for byte, for the same commit and
the same compiled wheels. Needs `npm ci` in vscode-client.

    python scripts/vscode_packages.py --out dist
    python scripts/vscode_packages.py --out dist --target linux-x64
    python scripts/vscode_packages.py --out dist --compiled wheelhouse    with what cibuildwheel built
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZIP_DEFLATED

from vscode_wheels import (
    PLATFORMS,
    PYTHONS,
    ROOT,
    UNIVERSAL,
    WHEELS,
    build_mindport,
    collect,
    compiled_in,
    pack_anew,
    sizes,
)

CLIENT = ROOT / "vscode-client"


def make_package(target: str, mindport: Path, compiled: Sequence[Path], out: Path) -> Path:
    """Collect the wheels for `target` into the extension's folder and package it into `out`."""
    wheels = collect(target, mindport, WHEELS, PYTHONS, compiled)
    print(f"{target}:", *sizes(wheels), flush=True)
    version = json.loads((CLIENT / "package.json").read_text("utf-8"))["version"]
    middle = "" if target == UNIVERSAL else f"-{target}"
    package = out / f"mindport{middle}-{version}.vsix"
    command = [
        *(shutil.which("npm") or "npm", "exec", "--", "vsce", "package", "--no-dependencies"),
        *("--allow-missing-repository", "--out", str(package.resolve())),
        *([] if target == UNIVERSAL else ["--target", target]),
    ]
    subprocess.run(command, cwd=CLIENT, check=True, stdout=subprocess.DEVNULL)
    pack_anew(package, ZIP_DEFLATED, 9)
    return package


def time_of_commit() -> str:
    """When the commit was made that is packaged, in seconds: the time that files in a package carry."""
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--target", action="append", choices=[UNIVERSAL, *PLATFORMS], help="repeatable")
    parser.add_argument("--compiled", type=Path, help="a folder with compiled wheels of mindport")
    arguments = parser.parse_args()
    compiled = compiled_in(arguments.compiled)
    arguments.out.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("SOURCE_DATE_EPOCH", time_of_commit())
    with tempfile.TemporaryDirectory() as temporary:
        mindport = build_mindport(Path(temporary))
        for target in arguments.target or [UNIVERSAL, *PLATFORMS]:
            package = make_package(target, mindport, compiled, arguments.out)
            print(f"  {package}: {package.stat().st_size / 1e6:.1f} MB", flush=True)


if __name__ == "__main__":
    main()
