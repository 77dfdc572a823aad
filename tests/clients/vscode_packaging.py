"""Runs npm in the folder of the VS Code extension, and makes its package."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from client_places import VSCODE, read_json
from made_once import alone, made_once

NODE_MAJOR = 20


def npm(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs npm in the extension's folder, into which only one process at a time may build."""
    with alone(VSCODE / "out" / ".lock"):
        return subprocess.run(
            [shutil.which("npm") or "npm", *arguments],
            cwd=VSCODE,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )


def install() -> None:
    """Install the packages of package-lock.json unless they are there; skip the test if that does not work, or
    fail it where CI=true."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        pytest.skip("node and npm are not installed: the VS Code extension is not built or tested")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.strip().lstrip("v").split(".")[0]) < NODE_MAJOR:
        pytest.skip(f"node {version.strip()} is older than {NODE_MAJOR}: the VS Code extension is not tested")
    record = VSCODE / "node_modules" / ".package-lock.json"
    with alone(VSCODE / "out" / ".install.lock"):
        if record.exists() and record.stat().st_mtime >= (VSCODE / "package-lock.json").stat().st_mtime:
            return
        result = npm("ci", "--no-audit", "--no-fund")
    if result.returncode != 0 and os.environ.get("CI") == "true":
        pytest.fail(f"npm ci failed: {result.stderr[-500:]}")
    if result.returncode != 0:
        pytest.skip(f"npm ci failed (is the registry out of reach?): {result.stderr[-500:]}")


def packaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension's package, without wheels unless there are some in its folder; npm has installed what it
    takes. Made once for all tests, those in the editor included."""

    def package(folder: Path) -> None:
        folder.mkdir()
        vsce = ["exec", "--", "vsce", "package", "--no-dependencies", "--allow-missing-repository", "--out"]
        result = npm(*vsce, f"{folder}{os.sep}")
        assert result.returncode == 0, result.stdout + result.stderr

    folder = made_once(tmp_path_factory, "vsix", package)
    return folder / f"mindport-{read_json(VSCODE / 'package.json')['version']}.vsix"
