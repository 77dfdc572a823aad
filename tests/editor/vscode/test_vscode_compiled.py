"""The package of this platform as releases have it: each Python gets the server that is compiled for it, and one
for which there is none the pure one. How long it takes is written to `compiled.jsonl` beside the pictures."""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import pytest
from client_places import ROOT, VSCODE
from conftest import cannot
from corpus import timm_file
from editor_process import ONE_FIXED, TEXT
from made_once import alone, made_once
from test_vscode_bundle import this_target
from test_vscode_bundled import OFFLINE
from vscode_code_server import add_extension
from vscode_install import Tools
from vscode_wheels import COMPILED_FOR
from vscode_workbench import Opened, Start, Workbench
from wheels_at_hand import NONE, WHEELS, pythons_at_hand, wheels_at_hand

BUILT = {built.version for built in wheels_at_hand()}
MOST_MEGABYTES = 35
"""A package for a platform."""
STARTS = 5
"""So often the server is started anew to take the time; the median counts."""
LARGE = "large.py"
REPLACE = "Replace with mindspore.mint.randn"
STAMP = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) \[\w+\] (.*)$", re.MULTILINE)
pytestmark = pytest.mark.skipif(not BUILT, reason=NONE)


@pytest.fixture(scope="session")
def whole_package(tools: Tools, package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package for this platform, with all wheels; `package` has installed what making it takes."""
    target = this_target()
    assert target is not None

    def make(folder: Path) -> None:
        command = [sys.executable, str(ROOT / "scripts" / "vscode_packages.py"), "--target", target]
        with alone(VSCODE / "out" / ".lock"):
            subprocess.run([*command, "--compiled", str(WHEELS), "--out", str(folder)], check=True)

    try:
        [made] = made_once(tmp_path_factory, "vsix with wheels", make).glob("*.vsix")
    except subprocess.CalledProcessError as error:
        cannot(f"wheels cannot be had (is the package index out of reach?): {error}")
        raise
    return made


@pytest.fixture(scope="session")
def with_wheels(tools: Tools, whole_package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of extensions with this package in it."""
    folder = tmp_path_factory.mktemp("with wheels") / "installed"
    add_extension(tools, whole_package, folder)
    return folder


class Chosen(NamedTuple):
    """The Python that the user has chosen, and whether there is a compiled server for it."""

    version: str
    python: str
    is_compiled: bool


CASES = [
    Chosen(version, python, version in BUILT and version in COMPILED_FOR)
    for version, python in (pythons_at_hand() if BUILT else {}).items()
]


@pytest.fixture(scope="module", params=CASES, ids=lambda chosen: chosen.version)
def chosen(request: pytest.FixtureRequest) -> Chosen:
    found: Chosen = request.param
    return found


@pytest.fixture(scope="module")
def opened(start: Start, with_wheels: Path, chosen: Chosen) -> Opened:
    settings = {
        "mindport.importStrategy": "useBundled",
        "mindport.interpreter": chosen.python,
        "mindport.logLevel": "debug",
    }
    files = {"small.py": TEXT, LARGE: timm_file("models/mvitv2.py").read_text("utf-8")}
    environment = {**OFFLINE, "PYTHONDONTWRITEBYTECODE": ""}  # as it is where the extension is installed
    return Opened(
        lambda: start(with_wheels, files=files, settings=settings, environment=environment, seconds=240.0)
    )


def test_the_package_is_not_too_large(whole_package: Path) -> None:
    assert whole_package.stat().st_size <= MOST_MEGABYTES * 1e6


def lines_of_log(window: Workbench) -> list[tuple[datetime, str]]:
    """What the extension wrote to its output, and when."""
    return [
        (datetime.strptime(when, "%Y-%m-%d %H:%M:%S.%f"), text)
        for when, text in STAMP.findall(window.server.told())
    ]


def starts(window: Workbench) -> list[float]:
    """Milliseconds from the start of each server to the first diagnostics of the large file."""
    found: list[float] = []
    began = None
    for when, text in lines_of_log(window):
        if text.startswith("Starting mindport"):
            began = when
        elif began is not None and text.startswith(f"→ textDocument/diagnostic {LARGE}"):
            found.append((when - began).total_seconds() * 1000)
            began = None
    return found


def installing(window: Workbench) -> float:
    """Seconds from the decision to make a private environment to the start of the server in it."""
    log = lines_of_log(window)
    [began] = [when for when, text in log if text.startswith("Making a private environment")]
    return next((when - began).total_seconds() for when, text in log if text.startswith("Starting mindport"))


def test_findings_are_seen(window: Workbench) -> None:
    window.open("small.py")
    window.wait_for_squiggles(2)
    assert "environments" in window.server.told(), "the server is the one that came along"


def test_a_quick_fix_is_applied(window: Workbench) -> None:
    window.open("small.py", 6, 30)
    window.wait_for_squiggles(2)
    window.apply(REPLACE, lambda: window.press("Escape", "Control+."))
    assert window.save("small.py") == ONE_FIXED.encode()


def test_the_server_is_the_one_for_this_python(window: Workbench, chosen: Chosen) -> None:
    window.open("small.py")
    window.wait_for_squiggles()
    window.command("MindPort: Show Debug Information")
    told = window.until("the build", lambda: "  build " in (text := window.newest_text()) and text)
    window.picture(f"compiled-debug_information-{chosen.version}")
    [build] = re.findall(r"^ *build +(.*\S) *$", told, re.MULTILINE)
    assert build == ("compiled" if chosen.is_compiled else "not compiled: same results, but slower")
    [python] = re.findall(r"^ *Python +(\S+) +(\S+)", told, re.MULTILINE)
    assert python[0].startswith(f"{chosen.version}.")
    assert "environments" in python[1], "the one that the extension has made"


def test_how_long_a_start_takes(window: Workbench, chosen: Chosen) -> None:
    """The time is told, not judged: it depends on the machine."""
    window.open(LARGE)
    window.wait_for_squiggles()
    before = len(starts(window))
    for number in range(1, STARTS + 1):
        window.command("MindPort: Restart Server")
        window.until("diagnostics", lambda number=number: len(starts(window)) >= before + number)
    told = {
        "python": chosen.version,
        "compiled": chosen.is_compiled,
        "first_diagnostics_ms": statistics.median(starts(window)[before:]),
        "environment_seconds": installing(window),
    }
    with (window.pictures / "compiled.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(told) + "\n")
    assert told["first_diagnostics_ms"] > 0
