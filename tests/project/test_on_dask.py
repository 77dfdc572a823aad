"""The engine on dask.distributed: the same result as here, whatever happens to workers."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

distributed = pytest.importorskip("distributed", reason="needs the extra mindport[dask]")

from mindport.cli.main import main  # noqa: E402
from mindport.project.discover import discover  # noqa: E402
from mindport.project.setting_table import Settings  # noqa: E402
from mindport.scan import dask_pool  # noqa: E402
from mindport.scan.dask_pool import EngineError, dask_engine  # noqa: E402
from mindport.scan.scan import scan  # noqa: E402

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.source.error import TextError

# Dask gives a thread of its own ten seconds to begin, and then fails: not enough on a machine that is busy enough.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("dask"), pytest.mark.flaky(reruns=1, reruns_delay=5)]

SECONDS = 150  # 15 on a machine that is three times as busy as it should be


class Entry(NamedTuple):
    path: str
    apis: tuple[str, ...]
    error: str


class Reporter:
    """Ends the worker at files of certain names: once, or every time."""

    def file(self, path: str, found: FileFindings) -> Entry:
        mark = Path(path + ".was_here")
        if path.endswith("ends_once.py") and not mark.exists():
            mark.touch()
            os._exit(5)
        if path.endswith("ends_always.py"):
            os._exit(5)
        return Entry(path, tuple(placed.finding.use.api for placed in found.findings), "")

    def unreadable(self, path: str, error: TextError) -> Entry:
        return Entry(path, (), str(error))


@pytest.fixture(autouse=True)
def limit() -> Iterator[None]:
    """A time after which a test fails: a cluster that hangs would hold up all others."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def end(*_: object) -> None:
        pytest.fail(f"not done after {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture
def cluster() -> Iterator[Any]:
    """A cluster for one test: tests end workers, and on a busy machine they do not always come back."""
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=2,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
    ) as made:
        yield made


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for n in range(40):
        text = f"from pkg.m{n - 1} import sinh\nsinh({n})\n" if n else "from torch import sinh\n"
        path = tmp_path / "pkg" / f"m{n}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (tmp_path / "pkg" / "__init__.py").write_text("")
    (tmp_path / "bad.py").write_bytes(b"\xff\x00")
    return tmp_path


def on_cluster(cluster: Any, top: Path) -> list[Entry]:
    found = discover([top], ())
    with dask_engine(cluster.scheduler_address, 0) as engine:
        return list(scan(found, Settings(), Reporter(), engine=engine))


def test_the_result_is_that_of_this_process(cluster: Any, project: Path) -> None:
    here = list(scan(discover([project], ()), Settings(), Reporter(), 1))
    assert on_cluster(cluster, project) == here
    assert any(entry.apis for entry in here) and any(entry.error for entry in here)


def test_what_a_lost_worker_had_to_do_others_do(cluster: Any, project: Path) -> None:
    (project / "pkg" / "ends_once.py").write_text("import torch\n")
    made = on_cluster(cluster, project)
    assert (project / "pkg" / "ends_once.py.was_here").exists()
    assert made == list(scan(discover([project], ()), Settings(), Reporter(), 1))


def test_a_file_that_ends_every_worker_costs_only_itself(cluster: Any, project: Path) -> None:
    (project / "pkg" / "ends_always.py").write_text("import torch\n")
    made = {Path(entry.path).name: entry for entry in on_cluster(cluster, project)}
    assert "ended unexpectedly" in made["ends_always.py"].error
    assert len(made) == 43 and made["m3.py"].apis


def test_another_mindport_on_a_worker_is_told(
    cluster: Any, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_pool.mindport, "__version__", "0.0.0")
    with pytest.raises(EngineError, match=r"different mindport .* than this machine \(0\.0\.0"):
        on_cluster(cluster, project)


def test_the_command_line(
    cluster: Any, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    outputs = []
    for options in ((), ("--engine", "dask", "--scheduler", cluster.scheduler_address)):
        assert main(["scan", "pkg", "--format", "json", "--no-cache", *options]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    assert json.loads(outputs[0])["files"][0]["path"] == "pkg/__init__.py"


def test_a_cluster_of_its_own(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for options in ((), ("--engine", "dask", "--jobs", "1")):
        assert main(["scan", str(project), "--format", "json", "--no-cache", *options]) == 2  # one is no text
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]


def test_a_cluster_of_its_own_cannot_be_reached_from_elsewhere() -> None:
    import psutil

    before = set(listening(psutil.Process()))
    with dask_engine(None, 1):
        ours = psutil.Process()
        found = set(listening(ours)) - before
        for child in ours.children(recursive=True):
            found |= set(listening(child)) - before
    assert len(found) >= 4  # scheduler, its dashboard, nanny, worker
    assert {address for address, _ in found} == {"127.0.0.1"}


def listening(process: Any) -> list[tuple[str, int]]:
    """The addresses at which a process waits for others."""
    connections = process.net_connections(kind="tcp")
    return [(each.laddr.ip, each.laddr.port) for each in connections if each.status == "LISTEN"]


def test_the_environment_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in (None, "", "1"):
        monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
        if value is not None:
            monkeypatch.setenv("PYTHONSAFEPATH", value)
        with dask_pool._safe_path():
            assert os.environ["PYTHONSAFEPATH"] == "1"
        assert os.environ.get("PYTHONSAFEPATH") == value


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--engine", "spark"], "Invalid value spark for --engine"),
        (["--scheduler", "tcp://127.0.0.1:1"], "--scheduler requires --engine dask"),
        (
            ["--engine", "dask", "--scheduler", "tcp://127.0.0.1:1"],
            "Cannot reach the dask scheduler at tcp://127.0.0.1:1",
        ),
        (
            ["--engine", "dask", "--scheduler", "nonsense://x"],
            "Cannot reach the dask scheduler at nonsense://x",
        ),
    ],
)
def test_what_cannot_work_is_told(
    options: list[str],
    told: str,
    project: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dask_pool, "_CONNECT_SECONDS", 0.5)
    assert main(["scan", str(project), *options]) == 2
    output = capsys.readouterr()
    assert told in output.err and output.out == ""


def test_without_the_extra(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["scan", str(project), "--engine", "dask"]) == 2
    assert "pip install 'mindport[dask]'" in capsys.readouterr().err


def test_workers_that_do_not_answer_are_told(
    cluster: Any, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_pool, "MOST_SECONDS", 0.001)
    with pytest.raises(EngineError, match=r"have not responded for 0\.001 seconds"):
        on_cluster(cluster, project)


def test_workers_that_have_ended_for_good_are_told(
    cluster: Any, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_pool, "MOST_SECONDS_ALONE", 0.02)
    monkeypatch.setattr(dask_pool, "_LOOK_SECONDS", 0.01)
    with dask_engine(cluster.scheduler_address, 0) as engine:
        cluster.scale(0)
        while engine._client.nthreads():
            time.sleep(0.01)
        with pytest.raises(EngineError, match=r"at tcp://127\.0\.0\.1:\d+ have ended, and none has started"):
            list(scan(discover([project], ()), Settings(), Reporter(), engine=engine))


class Withheld:
    """What a task came to is known, but its worker does not hand it over."""

    def exception(self, timeout: float) -> None:
        return None

    def result(self, timeout: float) -> Any:
        assert timeout == dask_pool.MOST_SECONDS
        raise TimeoutError if sys.version_info >= (3, 11) else asyncio.TimeoutError


def test_a_result_that_does_not_come_is_told() -> None:
    with pytest.raises(EngineError, match=r"have not responded for 600 seconds"):
        dask_pool._outcome(Withheld())


def test_a_process_that_is_killed_costs_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a cluster of two processes that a scan has for itself, one is killed while it has work."""
    import psutil

    (project / "pkg" / "kills_once.py").write_text("import torch\n")
    with dask_engine(None, 2) as engine:
        nannies = psutil.Process().children(recursive=True)
        made = list(scan(discover([project], ()), Settings(), Killer(), engine=engine))
        after = psutil.Process().children(recursive=True)
    assert (project / "pkg" / "kills_once.py.killed").exists()
    assert {p.pid for p in nannies} != {p.pid for p in after}  # another was started in its place
    assert made == list(scan(discover([project], ()), Settings(), Reporter(), 1))


class Killer(Reporter):
    """Kills the process that it is in, at a file of a certain name: once."""

    def file(self, path: str, found: FileFindings) -> Entry:
        mark = Path(path + ".killed")
        if path.endswith("kills_once.py") and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().file(path, found)
