"""Installs VS Code for the browser (code-server) and the Node it runs on, each at a pinned version.

They go into a cache outside the repository: the folder that MINDPORT_EDITORS names, or the user's cache
folder `mindport-editors`. Safe when several processes ask at once; a run that was cut off starts over.
By hand: `python tests/editor/vscode/vscode_install.py`.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import platformdirs

HERE = Path(__file__).resolve().parent
if str(HERE.parents[1]) not in sys.path:
    sys.path.insert(0, str(HERE.parents[1]))

from made_once import alone  # noqa: E402

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DEBIAN_PACKAGES = ("libkrb5-dev", "libsecret-1-dev", "pkg-config", "g++", "make")
"""What code-server's native modules are compiled with."""
CHINESE_FONT = "fonts-noto-cjk"
"""Without it pictures show boxes for Chinese; the steps are taken all the same."""
_SECONDS = 1800


class CannotInstallError(Exception):
    """Something that the tests need is missing and cannot be had here; the message says what."""


class Tools(NamedTuple):
    """Where the programs are."""

    node: Path
    code_server: Path
    browser: Path


def installed() -> Tools:
    """The programs, installed first if they are not in the cache. Raises CannotInstallError."""
    if sys.platform != "linux":
        raise CannotInstallError("the tests in VS Code are made for Linux")
    browser = chromium()
    with suppress(CannotInstallError):
        _chinese_font()
    cache = Path(os.environ.get("MINDPORT_EDITORS") or platformdirs.user_cache_dir("mindport-editors"))
    folder = cache / f"vscode-{_key()}"
    cache.mkdir(parents=True, exist_ok=True)
    with alone(cache / f"{folder.name}.lock"):
        if not (folder / "ready").exists():
            shutil.rmtree(folder, ignore_errors=True)
            _install(folder)
            (folder / "ready").touch()
    entry = folder / "editor" / "node_modules" / "code-server" / "out" / "node" / "entry.js"
    return Tools(_node(folder / "node"), entry, browser)


def _key() -> str:
    """Changes with every pinned version, so that an older installation is not taken for this one."""
    locks = [HERE / part / "package-lock.json" for part in ("node", "editor")]
    seen = b"".join(lock.read_bytes() for lock in locks) + platform.machine().encode()
    return hashlib.sha256(seen).hexdigest()[:12]


def chromium() -> Path:
    """The browser, installed first if there is none. Raises CannotInstallError."""
    for attempt in (1, 2):
        for name in BROWSERS:
            if found := shutil.which(name):
                return Path(found)
        if attempt == 1:
            _debian(["chromium"])
    raise CannotInstallError("Chromium is not on this machine")


def _chinese_font() -> None:
    """Install a font for Chinese if there is none. Raises CannotInstallError."""
    if shutil.which("fc-list") is not None:
        found = subprocess.run(["fc-list", ":lang=zh"], capture_output=True, check=False)
        if found.returncode == 0 and not found.stdout.strip():
            _debian([CHINESE_FONT])


def _install(folder: Path) -> None:
    if shutil.which("npm") is None:
        raise CannotInstallError("npm is not on this machine: install Node, which brings it")
    if not _can_compile():
        _debian(DEBIAN_PACKAGES)
    environment = dict(os.environ)
    for part in ("node", "editor"):
        work = folder / part
        work.mkdir(parents=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / part / name, work / name)
        _run(["npm", "ci", "--foreground-scripts", "--no-audit", "--no-fund"], work, environment)
        if part == "node":  # what follows is compiled with this Node's headers and runs on it
            node = _node(work)
            environment["PATH"] = f"{node.parent}{os.pathsep}{environment['PATH']}"
            environment["npm_config_nodedir"] = str(node.parents[1])


def _node(work: Path) -> Path:
    """The node program whose folder also has the headers."""
    for headers in sorted(work.glob("**/include/node/node.h")):
        program = headers.parents[2] / "bin" / "node"
        if program.exists():
            return program
    raise CannotInstallError(f"no Node with its headers is in {work}")


def _can_compile() -> bool:
    if any(shutil.which(program) is None for program in ("pkg-config", "g++", "make")):
        return False
    asked = ["pkg-config", "--exists", "krb5-gssapi", "libsecret-1"]
    return subprocess.run(asked, check=False).returncode == 0


def _debian(packages: Sequence[str]) -> None:
    """Install packages of Debian or Ubuntu, which only root may."""
    wanted = " ".join(packages)
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        raise CannotInstallError(
            f"needed and not on this machine: {wanted}. On Debian: apt-get install {wanted}"
        )
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    apt = ["apt-get", "-o", f"DPkg::Lock::Timeout={_SECONDS}"]  # another test's process may be at it
    _run([*apt, "update"], Path("/"), environment)
    _run([*apt, "install", "-y", "--no-install-recommends", *packages], Path("/"), environment)


def _run(command: Sequence[str], folder: Path, environment: dict[str, str]) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotInstallError(f"{' '.join(command)} failed: {error}") from error
    if done.returncode != 0:
        end = done.stdout.decode(errors="replace")[-2000:]
        raise CannotInstallError(f"{' '.join(command)} failed (in {folder}):\n{end}")


if __name__ == "__main__":
    began = time.monotonic()
    try:
        print(*installed(), sep="\n")
    except CannotInstallError as failure:
        sys.exit(str(failure))
    print(f"{time.monotonic() - began:.1f} s")
