"""VS Code as a local web server: code-server with a profile of its own, on a folder of extensions."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from vscode_install import Tools
from vscode_language import LOCALE, add_chinese

SERVER = Path(__file__).resolve().parents[3] / "server"
SETTINGS: dict[str, Any] = {
    "workbench.startupEditor": "none",
    "workbench.colorTheme": "Default Light Modern",
    "security.workspace.trust.enabled": False,
    "chat.disableAIFeatures": True,
    "editor.minimap.enabled": False,
    "editor.autoClosingBrackets": "never",
    "extensions.ignoreRecommendations": True,
    "files.autoSave": "off",
    "git.enabled": False,
    "remote.autoForwardPorts": False,
    "workbench.reduceMotion": "on",  # to draw it takes a tenth of the processor's time
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "mindport.interpreter": [sys.executable],
    "mindport.device": "ascend",  # who has chosen is not asked
}
_SECONDS_TO_START = 120


def add_extension(tools: Tools, package: Path, extensions: Path) -> None:
    """Install a VSIX into a folder of extensions."""
    command = [str(tools.node), str(tools.code_server), "--extensions-dir", str(extensions)]
    command += ["--user-data-dir", str(extensions.parent / "installing"), "--install-extension", str(package)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{package.name} could not be installed:\n{done.stdout}{done.stderr}")


class CodeServer:
    """A running code-server. `home` is where it keeps everything it writes."""

    def __init__(
        self,
        tools: Tools,
        home: Path,
        extensions: Path,
        locale: str = "en",
        settings: dict[str, Any] | None = None,
        environment: dict[str, str] | None = None,
    ) -> None:
        self.home = home
        self.locale = locale
        self.log = home / "code-server.log"
        self._settings = [home / "profile" / kind / "settings.json" for kind in ("User", "Machine")]
        for file in self._settings:
            file.parent.mkdir(parents=True)
        self.configure(settings or {})
        if locale == LOCALE:
            add_chinese(home / "profile")
        self._port = _free_port()
        command = [str(tools.node), str(tools.code_server), "--auth", "none"]
        command += ["--bind-addr", f"127.0.0.1:{self._port}", "--config", str(home / "config.yaml")]
        command += ["--user-data-dir", str(home / "profile"), "--extensions-dir", str(extensions)]
        command += ["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"]
        command += ["--disable-getting-started-override", "--locale", locale]
        self.environment = self._environment(environment or {})
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command,
                cwd=home,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._wait_until_it_answers()

    def configure(self, settings: dict[str, Any]) -> None:
        """Write the settings of the user and of the machine (which programs to run): those of all tests, and these;
        without those that are None."""
        stated = {name: value for name, value in {**SETTINGS, **settings}.items() if value is not None}
        for file in self._settings:
            file.write_text(json.dumps(stated, indent=2), "utf-8")

    def address(self, folder: Path) -> str:
        """What to open in the browser to see a folder."""
        return f"http://127.0.0.1:{self._port}/?folder={folder}"

    @property
    def origin(self) -> str:
        """The address without a folder."""
        return f"http://127.0.0.1:{self._port}"

    def told(self) -> str:
        """What the extension and its server wrote to their output channel."""
        logs = sorted((self.home / "profile" / "logs").glob("**/*MindPort*.log"))
        return "\n".join(log.read_text("utf-8", errors="replace") for log in logs)

    def stop(self) -> None:
        """End it and everything it started."""
        for sent in (signal.SIGTERM, signal.SIGKILL):
            if self._process.poll() is None:
                os.killpg(self._process.pid, sent)
                try:
                    self._process.wait(20)
                except subprocess.TimeoutExpired:
                    continue

    def _environment(self, more: dict[str, str]) -> dict[str, str]:
        """Nothing of the user's own configuration, nor of a VS Code whose terminal runs the tests."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("VSCODE_")}
        own = {"HOME": str(self.home), "MINDPORT_CACHE_DIR": str(self.home / "mindport")}
        return {**kept, **own, "PYTHONPATH": str(SERVER), **more}

    def _wait_until_it_answers(self) -> None:
        end = time.monotonic() + _SECONDS_TO_START
        while time.monotonic() < end and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.origin}/healthz", timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        self.stop()
        raise RuntimeError(f"code-server did not start:\n{self.log.read_text('utf-8', errors='replace')}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
