"""What other files of the workspace give is found by a process, where they are many: it ends with the server, and
when what it looks at has changed."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from in_process import PUSH, SECONDS, served
from lsp_client import LspClient
from mindport.app import arguments
from mindport.app.arguments import ArgumentsTask, find_arguments_apart, is_small
from mindport.project.setting_table import Settings

MANY = 40
LONG = "import torch\nfrom torch import nn\n" + "".join(
    f"class M{n}(nn.Module):\n    def forward(self, x):\n        return helper{n}(torch.cos(x), self)\n"
    f"def helper{n}(x, m):\n    return torch.sin(x) + m(x)\n"
    for n in range(150)
)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A workspace that takes a process some time."""
    for number in range(MANY):
        (tmp_path / f"file{number}.py").write_text(LONG)
    return tmp_path


def wait_until(condition) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_no_process_is_left_when_the_server_ends(large: Path) -> None:
    with served(large, PUSH) as (server, client):
        client.open("untitled:Untitled-1", "import torch\n")
        client.wait_for_diagnostics("untitled:Untitled-1", 1)
        wait_until(lambda: bool(multiprocessing.active_children()))
        assert server.engine.is_usable
    wait_until(lambda: not multiprocessing.active_children())


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
@pytest.mark.parametrize("how", ["shutdown", "kill"])
def test_no_process_is_left_when_the_servers_process_ends(large: Path, how: str) -> None:
    command = [sys.executable, "-m", "mindport", "serve", "--stdio"]
    server = str(Path(arguments.__file__).parents[2])
    client = LspClient.launch(command, large, {**os.environ, "PYTHONPATH": server})
    client.start(PUSH)
    client.open("untitled:Untitled-1", "import torch\n")
    client.wait_for_diagnostics("untitled:Untitled-1", 1)
    children: list[int] = []

    def has_started() -> bool:
        children[:] = _children(client.pid)
        return len(children) > 0

    wait_until(has_started)
    if how == "shutdown":
        assert client.stop() == 0
    else:
        client._process.kill()
        client._process.wait(SECONDS)
    wait_until(lambda: not any(map(_is_alive, children)))


def _children(pid: int) -> list[int]:
    done = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, check=False)
    return [int(line) for line in done.stdout.split()]


def _is_alive(pid: int) -> bool:
    try:
        return b") Z " not in Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False


def test_it_waits_for_a_scan_of_the_workspace(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[object] = []
    begun = threading.Event()

    def find(task: ArgumentsTask, stop: threading.Event) -> object:
        begun.set()
        found.append(find_arguments_apart(task, stop))
        return found[-1]

    monkeypatch.setattr(arguments, "find_arguments_apart", find)
    with served(large, PUSH) as (_, client):
        assert begun.wait(SECONDS)
        scanned = client.request("workspace/executeCommand", {"command": "mindport.scanProject"})
        assert len(scanned["files"]) == MANY
        wait_until(lambda: len(found) == 2)
    assert found[0] is None and found[1]
    wait_until(lambda: not multiprocessing.active_children())


def test_it_stops_when_told(large: Path) -> None:
    stop = threading.Event()
    task = ArgumentsTask(sorted(large.glob("*.py")), Settings())
    found: list[object] = [0]
    thread = threading.Thread(target=lambda: found.append(find_arguments_apart(task, stop)))
    thread.start()
    wait_until(lambda: bool(multiprocessing.active_children()))
    stop.set()
    thread.join(SECONDS)
    assert found == [0, None] and not multiprocessing.active_children()


def test_what_was_found_is_kept(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = sorted(large.glob("*.py"))[:3]
    first = arguments.find_arguments(files, Settings())
    assert any(first.values())
    monkeypatch.setattr("mindport.scan.scan._in_rounds", lambda *_: pytest.fail("looked again"))
    assert arguments.find_arguments(files, Settings()) == first
    (large / "file0.py").write_text(LONG + "helper0(1, 2)\n")
    with pytest.raises(pytest.fail.Exception):
        arguments.find_arguments(files, Settings())


def test_a_process_that_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = ArgumentsTask([tmp_path / "a.py"], "no settings")  # type: ignore[arg-type]
    with pytest.raises(ChildProcessError, match="AttributeError"):
        find_arguments_apart(task, threading.Event())


def test_few_small_files_of_one_place_are_small(tmp_path: Path, large: Path) -> None:
    assert is_small([])
    files = sorted(large.glob("*.py"))
    assert is_small(files[:3]) and not is_small(files)
    (tmp_path / "file0").mkdir()
    (tmp_path / "file0" / "__init__.py").write_text("")
    package = tmp_path / "file0" / "__init__.py"
    assert is_small([package, files[1]])
    assert not is_small([package, files[0]])  # one name for two
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "other.py").write_text("")
    assert not is_small([tmp_path / "scripts" / "other.py", files[0]])  # imports start elsewhere
    files[0].write_text("x = 1\n" * 10_000)
    assert not is_small(files[:1])
