"""Builds and tests the VS Code extension with node, and looks into the package it makes."""

from __future__ import annotations

import os
import re
import sys
import zipfile
from pathlib import Path

import pytest
from client_places import ROOT, VSCODE, read_json
from vscode_packaging import install, npm, packaged

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("VS Code package")]


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
    install()


def test_types_and_unit_tests(browser: None) -> None:
    """One of the unit tests is whether the extension recognises the real server."""
    environment = {"MINDPORT_TEST_PYTHON": sys.executable, "PYTHONPATH": str(ROOT / "server")}
    result = npm("run", "check", **environment)
    assert result.returncode == 0, result.stdout + result.stderr
    assert int(re.findall(r"^\D*\bpass (\d+)$", result.stdout, re.M)[-1]) > 0
    assert re.search(r"^ok \d+ - the real server is ready$", result.stdout, re.M), result.stdout


@pytest.fixture(scope="module")
def vsix(installed: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return packaged(tmp_path_factory)


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
