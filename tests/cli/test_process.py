"""The command line as a process: streams, signals, exit codes, colours."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import environment, process

GOOD = "import torch\nx = torch.sin(1.0)\n# 中文\n"
needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(GOOD, encoding="utf-8")
    return tmp_path


def test_version(project: Path) -> None:
    code, out, err = process("--version", folder=project)
    assert (code, err) == (0, "")
    assert re.fullmatch(r"mindport \d+\.\d+\.\d+\n", out)


def test_results_on_standard_output_messages_on_standard_error(project: Path) -> None:
    code, out, err = process("scan", "a.py", "missing.py", "--format", "json", folder=project)
    assert code == 2
    assert out.startswith('{"schema": 1')
    assert err == "mindport: warning: 1 of 2 files could not be read; the report says why.\n"
    code, out, err = process("scan", "--device", "tpu", "a.py", folder=project)
    assert (code, out) == (2, "")
    assert err.startswith("mindport: error: ")


def test_the_language_of_the_environment(project: Path) -> None:
    assert "提示 MP101" in process("scan", "a.py", folder=project, LANG="zh_CN.UTF-8").out
    assert "未知命令" in process("nothing", folder=project, LC_ALL="zh_CN.UTF-8").err
    assert "hint MP101" in process("scan", "a.py", folder=project, LANG="de_DE.UTF-8").out


@pytest.mark.parametrize("command", [[], ["mapping"]])
def test_without_a_command_the_help_is_shown(project: Path, command: list[str]) -> None:
    code, out, _ = process(*command, folder=project)
    assert code == 2
    assert "Usage" in out


def test_help_in_both_languages(project: Path) -> None:
    assert "Find torch APIs in files and folders" in process("scan", "--help", folder=project).out
    assert "查找 torch 接口" in process("scan", "--help", "--language", "zh-cn", folder=project).out
    assert "双向搜索" in process("--help", folder=project, LANG="zh_CN.UTF-8").out


@pytest.mark.parametrize(("encoding", "shown"), [("utf-8", "→"), ("ascii", "\\u2192")])
def test_an_output_that_does_not_have_a_character(project: Path, encoding: str, shown: str) -> None:
    code, out, _ = process("scan", "a.py", folder=project, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert code == 0
    assert f"{shown} mindspore.mint.sin" in out


def test_json_is_utf_8_whatever_the_terminal(project: Path) -> None:
    arguments = ("scan", "a.py", "--format", "json", "--language", "zh-cn")
    code, out, _ = process(*arguments, folder=project, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert code == 0
    assert "没有对应接口" in out or "→" in out


@needs_posix
@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_closed_pipe_is_no_error(project: Path, form: str, jobs: str) -> None:
    for n in range(40):
        (project / f"m{n}.py").write_text("import torch\n" + "torch.sin(1.0)\n" * 200)
    command = [sys.executable, "-m", "mindport", "scan", ".", "--format", form, "--jobs", jobs]
    with subprocess.Popen(
        command, cwd=project, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None and running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.wait(60) == 0
        assert running.stderr.read() == b""


def _hear_interrupts() -> None:
    """As in a terminal, though the tests may run in the background of a shell, where they are ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@needs_posix
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt(project: Path, jobs: str) -> None:
    for n in range(400):
        (project / f"m{n}.py").write_text("import torch\n" + f"torch.sin({n})\n" * 300)
    command = [sys.executable, "-m", "mindport", "scan", ".", "--jobs", jobs]
    with subprocess.Popen(
        command,
        cwd=project,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=_hear_interrupts,
    ) as running:
        assert running.stdout is not None and running.stderr is not None
        running.stdout.read(1)  # it has begun
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to all processes of the run
        running.stdout.read()
        assert running.wait(30) == 130
        assert b"Traceback" not in running.stderr.read()
    assert _nobody_left(running.pid)


def _nobody_left(group: int) -> bool:
    for _ in range(50):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


@needs_posix
def test_workers_end_with_the_main_process(project: Path) -> None:
    for n in range(400):
        (project / f"m{n}.py").write_text("import torch\n" + f"torch.sin({n})\n" * 300)
    command = [sys.executable, "-m", "mindport", "scan", ".", "--jobs", "2"]
    with subprocess.Popen(
        command, cwd=project, env=environment(), stdout=subprocess.PIPE, start_new_session=True
    ) as running:
        assert running.stdout is not None
        running.stdout.read(1)
        running.kill()
        running.wait(30)
    assert _nobody_left(running.pid)


@needs_posix
@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_colour_on_a_terminal_only(project: Path, variables: dict[str, str], coloured: bool) -> None:
    assert ("\x1b[" in _on_terminal(["scan", "a.py"], project, variables)[0]) == coloured


@needs_posix
def test_a_long_scan_shows_its_progress_on_the_terminal_and_not_in_the_result(project: Path) -> None:
    for n in range(60):
        (project / f"m{n}.py").write_text(GOOD)
    shown, _ = _on_terminal(["scan", ".", "-o", "out"], project, {"TERM": "xterm"})
    assert "Scanning" in shown and "61/61" in shown
    assert "\x1b" not in (project / "out").read_text()
    quiet, _ = _on_terminal(["scan", "a.py", "-o", "out"], project, {"TERM": "xterm"})
    assert quiet == ""


@needs_posix
@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_a_diff_is_coloured_on_a_terminal_only(
    project: Path, variables: dict[str, str], coloured: bool
) -> None:
    shown, _ = _on_terminal(["convert", "a.py", "--diff"], project, variables)
    assert ("\x1b[31m-x = torch.sin(1.0)" in shown) == ("\x1b[32m+" in shown) == coloured
    assert "-x = torch.sin(1.0)" in shown and (coloured or "\x1b" not in shown)


@needs_posix
def test_a_diff_does_not_control_the_terminal(project: Path) -> None:
    (project / "a.py").write_text('import torch\nx = torch.sin(x), "\x1b[5m"\n')
    shown, _ = _on_terminal(["convert", "a.py", "--diff"], project, {"TERM": "xterm"})
    assert "\x1b[5m" not in shown and "\\x1b[5m" in shown


@needs_posix
def test_a_long_conversion_shows_its_progress(project: Path) -> None:
    for n in range(60):
        (project / f"m{n}.py").write_text(GOOD)
    shown, _ = _on_terminal(["convert", ".", "-o", "out"], project, {"TERM": "xterm"})
    assert "Converting" in shown and "61/61" in shown
    assert len(list((project / "out").iterdir())) == 61


def _on_terminal(arguments: list[str], folder: Path, variables: dict[str, str]) -> tuple[str, int]:
    """What a terminal gets, and the exit code."""
    import pty

    main, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "mindport", *arguments],
        cwd=folder,
        env=environment(**variables),
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
    ) as running:
        os.close(terminal)
        received = b""
        while True:
            try:
                data = os.read(main, 65536)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            received += data
        running.wait(60)
    os.close(main)
    return received.decode(), running.returncode
