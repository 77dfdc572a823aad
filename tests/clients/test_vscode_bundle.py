"""The wheels that the VS Code extension brings: they are complete, and make a server without network."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from client_places import ROOT
from lsp_client import LspClient
from made_once import made_once
from test_vscode_build import installed  # noqa: F401  a fixture
from vscode_packaging import npm

sys.path.insert(0, str(ROOT / "scripts"))
import vscode_wheels

THIS_PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
NO_NETWORK = {"PIP_NO_INDEX": "1", "https_proxy": "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9"}


def test_what_is_needed_depends_on_the_platform_and_the_python() -> None:
    """Markers are read as the Python reads them that will use the wheels, not as the one that collects them."""
    old, new = vscode_wheels.facts("linux-x64", "3.10"), vscode_wheels.facts("win32-arm64", "3.13")
    assert (old["sys_platform"], new["sys_platform"]) == ("linux", "win32")
    assert new["os_name"] == "nt"
    pins = {python: list(vscode_wheels.pins("linux-x64", python)) for python in vscode_wheels.PYTHONS}
    for lines in pins.values():
        names = [line.split("==")[0].lower() for line in lines]
        assert len(names) == len(set(names)), "one version of each package for each Python"
        assert {"pip", "rich", "tree-sitter"} <= set(names)
    assert pins["3.10"] != pins["3.13"]


def test_every_python_that_is_supported_is_bundled_for() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    assert all(f"Programming Language :: Python :: {python}" in text for python in vscode_wheels.PYTHONS)
    assert text.count("Programming Language :: Python :: 3.") == len(vscode_wheels.PYTHONS)


@pytest.mark.parametrize(
    ("tags", "targets"),
    [
        ("cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64", {"linux-x64"}),
        ("cp314-cp314-manylinux_2_28_aarch64", {"linux-arm64"}),
        ("cp312-cp312-musllinux_1_2_x86_64", set()),
        ("cp311-cp311-linux_x86_64", set()),
        ("cp311-cp311-macosx_10_9_x86_64", {"darwin-x64"}),
        ("cp313-cp313-macosx_11_0_arm64", {"darwin-arm64"}),
        ("cp313-cp313-win_amd64", {"win32-x64"}),
        ("cp313-cp313-win_arm64", {"win32-arm64"}),
        ("cp310-cp310-win_amd64", set()),
        ("cp311-cp311-win32", set()),
    ],
)
def test_a_compiled_wheel_goes_into_the_package_of_its_platform(tags: str, targets: set[str]) -> None:
    wheel = Path(f"mindport-0.1.0-{tags}.whl")
    all_targets = [vscode_wheels.UNIVERSAL, *vscode_wheels.PLATFORMS]
    assert {
        each for each in all_targets if vscode_wheels.suits(wheel, each, vscode_wheels.PYTHONS)
    } == targets


def this_target() -> str | None:
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
    target = f"{sys.platform}-{machine.get(platform.machine().lower())}"
    return target if target in vscode_wheels.PLATFORMS else None


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheels for this machine and this Python."""
    target = this_target()
    if target is None or THIS_PYTHON not in vscode_wheels.PYTHONS:
        pytest.skip(f"no wheels are bundled for Python {THIS_PYTHON} on {sys.platform} {platform.machine()}")

    def collect(folder: Path) -> None:
        mindport = vscode_wheels.build_mindport(folder / "built")
        vscode_wheels.collect(target, mindport, folder / "wheels", [THIS_PYTHON])

    try:
        return made_once(tmp_path_factory, "wheels", collect) / "wheels"
    except subprocess.CalledProcessError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"wheels cannot be had (is the package index out of reach?): {error}")


@pytest.mark.slow
@pytest.mark.xdist_group("wheels for VS Code")
def test_the_list_of_wheels_tells_what_is_there(wheels: Path) -> None:
    listed = json.loads((wheels / "wheels.json").read_text("utf-8"))
    assert listed["pythons"] == [THIS_PYTHON]
    assert {each["file"] for each in listed["wheels"]} == {path.name for path in wheels.glob("*.whl")}
    for each in listed["wheels"]:
        assert hashlib.sha256((wheels / each["file"]).read_bytes()).hexdigest() == each["sha256"]
        assert re.fullmatch("[0-9a-f]{64}", each["published"]) and each["published"] != each["sha256"]
        assert each["license"], each["name"]
    names = [vscode_wheels.canonicalize_name(each["name"]) for each in listed["wheels"]]
    assert len(names) == len(set(names)), "each once"
    pinned = {vscode_wheels.Requirement(line).name.lower().replace("_", "-") for line in pins()}
    assert set(names) - {"mindport"} <= pinned, "each in constraints.txt"
    needed = vscode_wheels.needed(by_name(wheels), listed["target"], THIS_PYTHON)
    assert set(names) == needed | {"pip"}, "what is needed, and nothing else"


@pytest.mark.slow
@pytest.mark.xdist_group("wheels for VS Code")
def test_the_bundle_stays_small(wheels: Path) -> None:
    """The native wheels of a Python are 3 MB, what is compiled of mindport is 2 MB: with those of all a package
    is below 35 MB then."""
    assert sum(map(vscode_wheels.packed_size, wheels.iterdir())) < 14.5e6


def made_archive(path: Path) -> list[tuple[str, int, int]]:
    """An archive with a program in it; what is in it."""
    script = zipfile.ZipInfo("sample/run.sh", (2020, 2, 2, 0, 0, 0))
    script.external_attr = 0o755 << 16
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.write(__file__, "sample/__init__.py")
        archive.writestr(script, "#!/bin/sh\n")
    return contents(path)


def contents(path: Path) -> list[tuple[str, int, int]]:
    with zipfile.ZipFile(path) as archive:
        return [(each.filename, each.CRC, each.external_attr) for each in archive.infolist()]


def test_a_wheel_is_the_same_without_compression(tmp_path: Path) -> None:
    """The same files in the same order, with the right to be run: pip installs what was published."""
    wheel = tmp_path / "sample-1.0-py3-none-any.whl"
    before = made_archive(wheel)
    vscode_wheels.pack_anew(wheel, zipfile.ZIP_STORED)
    assert contents(wheel) == before
    assert [path.name for path in tmp_path.iterdir()] == [wheel.name]
    with zipfile.ZipFile(wheel) as archive:
        assert {each.compress_type for each in archive.infolist()} == {zipfile.ZIP_STORED}


def test_a_package_is_the_same_compressed_better(tmp_path: Path) -> None:
    package = tmp_path / "sample.vsix"
    before, size = made_archive(package), package.stat().st_size
    vscode_wheels.pack_anew(package, zipfile.ZIP_DEFLATED, 9)
    assert contents(package) == before
    assert package.stat().st_size < size
    assert [path.name for path in tmp_path.iterdir()] == [package.name]


def pins() -> Iterator[str]:
    target = this_target()
    assert target is not None
    return vscode_wheels.pins(target, THIS_PYTHON)


def by_name(wheels: Path) -> dict[str, Path]:
    return {vscode_wheels.project(path): path for path in wheels.glob("*.whl")}


@pytest.mark.slow
@pytest.mark.xdist_group("wheels for VS Code")
@pytest.mark.usefixtures("installed")
def test_an_environment_is_made_without_network_and_serves(wheels: Path, tmp_path: Path) -> None:
    """The extension's own code makes it; then an editor's session is held with it, in Chinese folders."""
    environments = tmp_path / "环境 one"
    environments.mkdir()
    places = {
        "MINDPORT_TEST_WHEELS": str(wheels),
        "MINDPORT_TEST_PYTHON": sys.executable,
        "MINDPORT_TEST_ENVIRONMENTS": str(environments),
    }
    result = npm("test", **places, **NO_NETWORK)
    launcher = environments / "launcher.json"
    assert launcher.exists(), result.stdout
    command = [*json.loads(launcher.read_text("utf-8")), "serve", "--stdio"]
    client = LspClient.launch(command, tmp_path, {"PATH": os.environ["PATH"], **NO_NETWORK})
    client.start({})
    uri = (tmp_path / "model.py").as_uri()
    client.open(uri, "import torch\nx = torch.addmm(a, b, c)\n")
    diagnostics = client.wait_for_diagnostics(uri, 1)
    assert any("addmm" in each["message"] for each in diagnostics)
    assert client.stop() == 0
