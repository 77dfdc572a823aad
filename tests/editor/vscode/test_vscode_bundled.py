"""Installing the extension is enough: the server comes with it, and is set up without network."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from editor_process import TEXT
from test_vscode_bundle import wheels  # noqa: F401  a fixture
from vscode_code_server import add_extension
from vscode_install import Tools
from vscode_workbench import Opened, Start, Workbench

OFFLINE = {
    "PYTHONPATH": "",
    "PIP_NO_INDEX": "1",
    "https_proxy": "http://127.0.0.1:9",
    "http_proxy": "http://127.0.0.1:9",
}


@pytest.fixture(scope="module")
def opened(
    start: Start,
    tools: Tools,
    package: Path,
    wheels: Path,  # noqa: F811
    tmp_path_factory: pytest.TempPathFactory,
) -> Opened:
    extensions = tmp_path_factory.mktemp("bundled") / "installed"
    add_extension(tools, package, extensions)
    [ours] = extensions.glob("mindport.mindport-*")
    shutil.copytree(wheels, ours / "wheels")
    settings = {"mindport.importStrategy": "useBundled", "mindport.interpreter": sys.executable}

    def open_window() -> Workbench:
        files = {"small.py": TEXT}
        return start(extensions, files=files, settings=settings, environment=OFFLINE, seconds=240.0)

    return Opened(open_window)


def test_the_server_that_comes_along_is_started(window: Workbench) -> None:
    window.open("small.py")
    window.wait_for_squiggles(2)
    assert "environments" in window.server.told()
