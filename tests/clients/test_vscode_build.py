"""Builds and tests the VS Code extension with node, and looks into the package it makes."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from client_places import ROOT, VSCODE, read_json

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("VS Code package")]

NODE_MAJOR = 20


@contextmanager
def alone() -> Iterator[None]:
    """Keeps processes that test at the same time from building into the same folder at once."""
    folder = VSCODE / "out"
    folder.mkdir(exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def npm(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs npm in the extension's folder."""
    with alone():
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


@pytest.fixture(scope="module")
def browser() -> None:
    """Chromium, in which the unit tests try the panel: they are skipped without it, but not where CI=true."""
    if os.environ.get("CI") == "true" and sys.platform == "linux":
        sys.path.append(str(ROOT / "tests" / "editor" / "vscode"))
        from vscode_install import chromium

        chromium()


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    """The packages of package-lock.json, installed unless they already are."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        pytest.skip("node and npm are not installed: the VS Code extension is not built or tested")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.strip().lstrip("v").split(".")[0]) < NODE_MAJOR:
        pytest.skip(f"node {version.strip()} is older than {NODE_MAJOR}: the VS Code extension is not tested")
    record = VSCODE / "node_modules" / ".package-lock.json"
    if not record.exists() or record.stat().st_mtime < (VSCODE / "package-lock.json").stat().st_mtime:
        result = npm("ci", "--no-audit", "--no-fund")
        if result.returncode != 0 and os.environ.get("CI") == "true":
            pytest.fail(f"npm ci failed: {result.stderr[-500:]}")
        if result.returncode != 0:
            pytest.skip(f"npm ci failed (is the registry out of reach?): {result.stderr[-500:]}")


def test_types_and_unit_tests(browser: None) -> None:
    result = npm("run", "check")
    assert result.returncode == 0, result.stdout + result.stderr
    assert int(re.findall(r"^\D*\bpass (\d+)$", result.stdout, re.M)[-1]) > 0


def test_the_extension_recognises_the_real_server() -> None:
    environment = {"MINDPORT_TEST_PYTHON": sys.executable, "PYTHONPATH": str(ROOT / "server")}
    result = npm("test", **environment)
    assert re.search(r"^ok \d+ - the real server is ready$", result.stdout, re.M), result.stdout


@pytest.fixture(scope="module")
def vsix(installed: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vsix")
    vsce = ["exec", "--", "vsce", "package", "--no-dependencies", "--allow-missing-repository", "--out"]
    result = npm(*vsce, f"{folder}{os.sep}")
    assert result.returncode == 0, result.stdout + result.stderr
    return folder / f"mindport-{read_json(VSCODE / 'package.json')['version']}.vsix"


def test_the_package_holds_what_it_needs_and_nothing_else(vsix: Path) -> None:
    with zipfile.ZipFile(vsix) as archive:
        assert archive.testzip() is None
        names = {name.removeprefix("extension/") for name in archive.namelist()}
    # What is in the folder of wheels is for `test_vscode_bundle.py`: a package without them is one, too.
    wheels = {name for name in names if name.startswith("wheels/")}
    assert wheels == {f"wheels/{path.name}" for path in (VSCODE / "wheels").glob("*")}
    steps = {f"walkthrough/{path.name}" for path in (VSCODE / "walkthrough").glob("*.md")}
    rules = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs" / "rules").rglob("*.md")}
    assert {"rules/MP201.md", "rules/zh-cn/MP201.md"} <= rules
    pages = steps | {f"out/{path}" for path in rules}
    assert steps and pages <= names
    assert names - wheels - pages == {
        "[Content_Types].xml",
        "extension.vsixmanifest",
        "LICENSE.txt",
        "README.zh-CN.md",
        "changelog.md",
        "icon.png",
        "l10n/bundle.l10n.zh-cn.json",
        "media/mindport.svg",
        "out/THIRD-PARTY-NOTICES.txt",
        "out/extension.js",
        "out/panel/page.js",
        "out/panel/panel.css",
        "package.json",
        "package.nls.json",
        "package.nls.zh-cn.json",
        "pages/install.md",
        "pages/install.zh-cn.md",
        "readme.md",
    }


def test_the_bundle_stands_alone(vsix: Path) -> None:
    """Nothing is left to load but what node and the editor bring."""
    with zipfile.ZipFile(vsix) as archive:
        code = archive.read("extension/out/extension.js").decode("utf-8")
        notices = archive.read("extension/out/THIRD-PARTY-NOTICES.txt").decode("utf-8")
    builtin = "child_process|crypto|fs|net|os|path|readline|url|util|vscode"
    wanted = set(re.findall(r"\brequire\(\"([^\"]+)\"\)", code))
    assert "vscode" in wanted
    assert {name for name in wanted if not re.fullmatch(rf"(node:)?({builtin})", name)} == set()
    for package in ("vscode-languageclient 11.0.0 (MIT)", "vscode-jsonrpc", "minimatch", "semver"):
        assert package in notices


def test_the_changelog_tells_of_this_version(vsix: Path) -> None:
    with zipfile.ZipFile(vsix) as archive:
        changes = archive.read("extension/changelog.md").decode("utf-8")
    assert f"\n## {read_json(VSCODE / 'package.json')['version']}\n" in changes


def test_the_icon_is_large_enough_for_the_marketplace(vsix: Path) -> None:
    with zipfile.ZipFile(vsix) as archive:
        image = archive.read("extension/icon.png")
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(image[16:20], "big") == int.from_bytes(image[20:24], "big") >= 128
