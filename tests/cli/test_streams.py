"""Standard streams that are closed or full, and a current folder that is gone: messages, no tracebacks."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from command_line import environment
from lsp_client import LspClient

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")

COMMANDS = [
    "scan a.py",
    "scan a.py --format json",
    "scan many.py",
    "convert a.py --diff",
    "convert a.py -o out",
    "explain torch.sin",
    "search conv",
    "doctor",
    "mapping stats",
    "--version",
    "scan --help",
]


class Done(NamedTuple):
    code: int
    told: str


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("import torch\nx = torch.sin(1.0)\n")
    (tmp_path / "many.py").write_text("import torch\n" + "x = torch.sin(1.0)\n" * 2_000)
    return tmp_path


def shell(folder: Path, command: str, redirection: str, *, before: str = "") -> Done:
    """What comes of a command in a shell."""
    told = folder / "told"
    told.write_text("")
    mindport = f"{shlex.quote(sys.executable)} -m mindport {command}"
    done = subprocess.run(
        ["/bin/sh", "-c", f"{before} {mindport} {redirection}"],
        cwd=folder,
        env=environment(TOLD=str(told)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        timeout=120,
        check=False,
    )
    text = told.read_text()
    assert "Traceback" not in text and "Exception ignored" not in text, text
    return Done(done.returncode, text)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_output(folder: Path, command: str) -> None:
    code, told = shell(folder, command, '>/dev/full 2>"$TOLD"')
    assert (code, "Cannot write to standard output: No space left" in told) == (2, True)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_closed_output(folder: Path, command: str) -> None:
    code, told = shell(folder, command, '>&- 2>"$TOLD"')
    assert (code, "Cannot write to standard output" in told) == (2, True)


@pytest.mark.parametrize("redirection", [">&- 2>&-", "<&- >&- 2>&-", ">/dev/full 2>/dev/full"])
def test_nothing_at_all_to_tell_it_on(folder: Path, redirection: str) -> None:
    assert shell(folder, "scan a.py", redirection).code == 2
    assert shell(folder, "scan a.py --format json -o report", redirection).code == 0
    assert (folder / "report").read_text().startswith('{"schema": 1')


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_warnings_that_nobody_can_be_told(folder: Path, redirection: str) -> None:
    assert shell(folder, "scan a.py missing.py", redirection).code == 2
    assert shell(folder, "convert a.py --diff", redirection).code == 0


def test_a_server_without_an_output(folder: Path) -> None:
    message = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
    done = subprocess.run(
        ["/bin/sh", "-c", f"{shlex.quote(sys.executable)} -m mindport serve --stdio >&-"],
        cwd=folder,
        env=environment(),
        input=b"Content-Length: %d\r\n\r\n%b" % (len(message), message),
        stderr=subprocess.PIPE,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr and b"output cannot be written to" in done.stderr


GONE = 'mkdir gone && cd gone && rmdir "$PWD" &&'


@pytest.mark.parametrize(
    "command",
    ["scan .", "scan a.py", "scan ../a.py -o out", "convert . --diff", "convert a.py --in-place", "doctor"],
)
def test_a_current_folder_that_is_gone(folder: Path, command: str) -> None:
    code, told = shell(folder, command, '2>"$TOLD"', before=GONE)
    assert (code, "The current folder no longer exists" in told) == (2, True)


def test_what_needs_no_folder_works_in_one_that_is_gone(folder: Path) -> None:
    assert shell(folder, "--version", '2>"$TOLD"', before=GONE) == Done(0, "")


def test_a_server_in_a_folder_that_is_gone(folder: Path) -> None:
    gone = folder / "gone"
    gone.mkdir()
    command = ["/bin/sh", "-c", f'rmdir "$PWD"; exec {shlex.quote(sys.executable)} -m mindport serve --stdio']
    environ = {**os.environ, "PYTHONPATH": environment()["PYTHONPATH"]}
    client = LspClient.launch(command, gone, environ)
    client.start({})
    # A package that is installed is looked into by a process of its own.
    client.open(
        "untitled:a", "import torch\nfrom jinja2 import Template\nx = Template().render(torch.ones(2))\n"
    )
    assert len(client.wait_for_diagnostics("untitled:a", 1)) == 1
    assert client.stop() == 0
