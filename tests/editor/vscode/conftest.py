"""What the tests in VS Code share: the programs, the extension's package, a browser, and a picture of each step."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
for folder in (HERE, HERE.parent, ROOT / "tests" / "clients"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from playwright.sync_api import Browser, sync_playwright  # noqa: E402
from vscode_code_server import CodeServer, add_extension  # noqa: E402
from vscode_install import CannotInstallError, Tools, installed  # noqa: E402
from vscode_packaging import install, packaged  # noqa: E402
from vscode_workbench import Opened, Start, Workbench  # noqa: E402

EXAMPLE = ROOT / "docs" / "examples" / "flowers"
PICTURES = Path(os.environ.get("MINDPORT_SCREENSHOTS") or ROOT / ".cache" / "vscode-screenshots")
BROWSER = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
BROWSER += ["--disable-background-networking", "--disable-component-update"]
WINDOWS: list[Workbench] = []
"""The windows of the module that is running, the newest last."""


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the groups in this hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker runs them all: two browsers at once would be in each other's way. A step that fails is tried
    twice more, each time in a window that is opened anew."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("vscode"))
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.flaky(reruns=2))


def cannot(reason: str) -> None:
    """Skip, or fail where these tests have to run."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def tools() -> Tools:
    """code-server, its Node and a browser."""
    try:
        return installed()
    except CannotInstallError as error:
        cannot(f"VS Code cannot be run here: {error}")
        raise


@pytest.fixture(scope="session")
def package(tools: Tools, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension's VSIX, made from the sources."""
    install()
    return packaged(tmp_path_factory)


@pytest.fixture(scope="session")
def extensions(tools: Tools, package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of extensions with ours in it."""
    folder = tmp_path_factory.mktemp("extensions") / "installed"
    add_extension(tools, package, folder)
    return folder


@pytest.fixture(scope="module")
def browser(tools: Tools) -> Iterator[Browser]:
    """Chromium, closed with the module: an asynchronous test may follow."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=str(tools.browser), args=BROWSER)
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def start(tools: Tools, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Opens a copy of the example project, or a folder that is given, in a VS Code of its own."""
    running: list[CodeServer] = []

    def open_folder(
        extensions: Path,
        folder: Path | None = None,
        locale: str = "en",
        settings: dict[str, Any] | None = None,
        files: dict[str, str] | None = None,
        seconds: float = 120.0,
        environment: dict[str, str] | None = None,
    ) -> Workbench:
        if folder is None:
            folder = tmp_path_factory.mktemp("folder") / "flowers"
            shutil.copytree(EXAMPLE, folder)
        for name, text in (files or {}).items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(text.encode())
        home = tmp_path_factory.mktemp("home")
        server = CodeServer(tools, home, extensions, locale, settings, environment)
        running.append(server)
        context = browser.new_context(
            locale="zh-CN" if locale.startswith("zh") else "en-US",
            viewport={"width": 1400, "height": 900},
            accept_downloads=True,
        )
        if locale != "en":
            context.add_cookies([{"name": "vscode.nls.locale", "value": locale, "url": server.origin}])
        window = Workbench(context.new_page(), server, folder, PICTURES, seconds)
        WINDOWS.append(window)
        window.show()
        return window

    yield open_folder
    WINDOWS.clear()
    for server in running:
        server.stop()


@pytest.fixture
def window(opened: Opened) -> Workbench:
    """The window of the module, which says in its own fixture `opened` what is in it."""
    return opened.window()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Keeps a picture and the time of each test; with a failure it says what the browser and the server said."""
    report: pytest.TestReport = (yield).get_result()
    if not WINDOWS or HERE not in item.path.parents or (call.when != "call" and not report.failed):
        return
    window = WINDOWS[-1]
    name = f"{item.path.stem.removeprefix('test_vscode_')}-{item.name.removeprefix('test_')}"
    picture = window.picture(name)
    with (PICTURES / "steps.jsonl").open("a", encoding="utf-8") as steps:
        seconds = round(report.duration, 2)
        steps.write(json.dumps({"step": name, "outcome": report.outcome, "seconds": seconds}) + "\n")
    if report.failed:
        window.is_spoiled = True
        told = [
            f"Picture: {picture}",
            "The extension and its server:",
            *window.server.told().splitlines()[-40:],
        ]
        report.sections.append(("VS Code", "\n".join([*told, "The browser:", *window.console[-30:]])))
