"""Looking at files on many machines, by dask.distributed. Its workers must see the files under the same paths
and have the same mindport installed."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import mindport
from mindport.language import Text
from mindport.scan.division import divide
from mindport.scan.pool import processors, without_collection
from mindport.scan.scanner import Scanner
from mindport.scan.tasks import (
    AnalyseFile,
    Arguments,
    CollectArguments,
    CollectDefinitions,
    FileReporter,
    FileResult,
    ScanFile,
    Task,
    failed_result,
)
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.callgraph.argument_facts import Given
    from mindport.project.dependencies import FileArguments
    from mindport.project.setting_table import Settings

_CONNECT_SECONDS = 10
MOST_SECONDS = 600
"""If nothing is done for so long, nobody works any more. A list of files takes seconds."""
MOST_SECONDS_ALONE = 60
"""If there are no workers for so long, none will come any more: dask starts those that have ended again,
which takes seconds, but on a busy machine it fails now and then."""
_LOOK_SECONDS = 10
_SAFE_PATH = "PYTHONSAFEPATH"
_LOOPBACK = "127.0.0.1"
_LISTS_PER_WORKER = 32
_one_at_a_time = threading.Lock()
"""The engine is not thread-safe, and a worker may have several threads."""

_NOT_INSTALLED = Text(
    "--engine dask needs dask.distributed, which is not installed: pip install 'mindport[dask]'",
    "--engine dask 需要 dask.distributed，但尚未安装：pip install 'mindport[dask]'",
)
_NO_SCHEDULER = Text(
    "Cannot reach the dask scheduler at {address}. Check the address, and that it is running. ({reason})",
    "无法连接到位于 {address} 的 dask 调度器。请检查地址以及调度器是否正在运行。（{reason}）",
)
_NO_WORKERS = Text(
    "The dask scheduler at {address} has no workers. Start one: dask worker {address}",
    "位于 {address} 的 dask 调度器没有工作进程。请启动：dask worker {address}",
)
_LOST = Text(
    "The connection to the dask scheduler was lost. ({reason})", "与 dask 调度器的连接已断开。（{reason}）"
)
_SILENT = Text(
    "The dask workers have not responded for {seconds} seconds. Check that they are running.",
    "dask 工作进程已 {seconds} 秒没有响应。请检查它们是否仍在运行。",
)
_NONE_LEFT = Text(
    "All workers of the dask scheduler at {address} have ended, and none has started for {seconds} seconds. "
    "Start one: dask worker {address}",
    "位于 {address} 的 dask 调度器的工作进程已全部终止，{seconds} 秒内没有新的工作进程启动。"
    "请启动：dask worker {address}",
)
_OTHER_VERSION = Text(
    "A dask worker runs a different mindport ({theirs}) than this machine ({ours}). Install the same "
    "version.",
    "某个 dask 工作进程的 mindport（{theirs}）与本机（{ours}）不同。请安装相同的版本。",
)
_CRASHED = Text(
    "Every process that analyzed this file ended unexpectedly. Other files are unaffected.",
    "分析此文件的进程均意外终止。其他文件不受影响。",
)

Entry = TypeVar("Entry")


class EngineError(TextError):
    """An engine cannot work; the message says what to do."""


@contextmanager
def dask_engine(address: str | None, jobs: int) -> Iterator[OnDask]:
    """An engine that uses the scheduler at `address`; without one, a cluster of `jobs` processes on this
    machine (0: one per processor) that ends with it, and that other machines cannot reach. Raises
    EngineError."""
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise EngineError(_NOT_INSTALLED) from error
    if address is None:
        number = jobs or processors()
        with (
            _safe_path(),
            LocalCluster(
                n_workers=number,
                threads_per_worker=1,
                host=_LOOPBACK,
                dashboard_address=f"{_LOOPBACK}:0",
            ) as cluster,
            Client(cluster) as client,
        ):
            yield OnDask(client)
        return
    try:
        client = Client(address, timeout=_CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        reason = str(error) or type(error).__name__
        raise EngineError(_NO_SCHEDULER, address=address, reason=reason) from error
    with client:
        if not client.nthreads():
            raise EngineError(_NO_WORKERS, address=address)
        yield OnDask(client)


@contextmanager
def _safe_path() -> Iterator[None]:
    """Let processes of Python that are started meanwhile, whenever dask does that, import nothing from the
    current folder. Python knows the variable since 3.11."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before


class OnDask:
    """The engine. `client` is a `distributed.Client`."""

    def __init__(self, client: Any) -> None:
        self._client = client

    @contextmanager
    def start(self, settings: Settings, reporter: FileReporter[Entry]) -> Iterator[_Looking[Entry]]:
        """Begin to work."""
        yield _Looking(self._client, settings, reporter)


@dataclass(frozen=True)
class _Looking(Generic[Entry]):
    """The work. What a worker that is lost had to do, others do. Raises EngineError when the scheduler is
    lost, or a worker has another mindport."""

    client: Any
    settings: Settings
    reporter: FileReporter[Entry]
    arguments: dict[str, Given] = field(default_factory=dict)
    """What files give for parameters, by their absolute paths."""

    def defined(self, files: Sequence[ScanFile]) -> Iterator[tuple[ScanFile, FileArguments | None]]:
        """What the classes in each file define, None where that cannot be told; in any order."""
        yield from self._each(files, CollectDefinitions, lambda _: None)

    def collect(self, files: Sequence[ScanFile]) -> Iterator[tuple[ScanFile, FileArguments | None]]:
        """What the calls in each file give for parameters, None where that is as before or cannot be told; in
        any order."""
        yield from self._each(files, CollectArguments, lambda _: None)

    def take(self, files: Sequence[ScanFile], arguments: Arguments) -> None:
        """Have it known what files give for parameters: it is sent with what is to be done next."""
        self.arguments.update(arguments)

    def analyse(self, files: Sequence[ScanFile]) -> Iterator[tuple[ScanFile, FileResult[Entry]]]:
        """Each file with what came of it, in any order."""

        def crashed(file: ScanFile) -> FileResult[Entry]:
            return failed_result(self.reporter, file, TextError(_CRASHED))

        yield from self._each(files, AnalyseFile, crashed)

    def _each(
        self,
        files: Sequence[ScanFile],
        task: Callable[[ScanFile], Task],
        crashed: Callable[[ScanFile], Any],
    ) -> Iterator[tuple[ScanFile, Any]]:
        """Each file with what comes of a task; of one that ends every worker, what `crashed` says."""
        from distributed import KilledWorker

        lists = divide(files, max(1, len(self.client.nthreads())) * _LISTS_PER_WORKER)
        given = {self._send(one, task): one for one in lists}
        while given:
            future = _first_done(self.client, given)
            sent = given.pop(future)
            error, answer = _outcome(future)
            if isinstance(error, KilledWorker):
                if len(sent) == 1:
                    yield sent[0], crashed(sent[0])
                    continue
                for file in sent:  # one of them is the reason
                    given[self._send([file], task)] = [file]
                continue
            if error is not None:
                raise EngineError(_LOST, reason=str(error) or type(error).__name__) from error
            yield from zip(sent, _checked(answer), strict=True)

    def _send(self, files: Sequence[ScanFile], task: Callable[[ScanFile], Task]) -> Any:
        """Have a task done about a list of files, by their absolute paths: workers are in folders of their
        own."""
        shown = {file.path.absolute().as_posix(): file.path.as_posix() for file in files}
        tasks = [task(file._replace(path=file.path.absolute())) for file in files]
        as_shown = _AsShown(self.reporter, shown)
        return self.client.submit(_do, tasks, self.arguments, self.settings, as_shown, pure=False)


def _first_done(client: Any, futures: Iterable[Any]) -> Any:
    """One of the futures that are done, waited for as long as one is done now and then. Raises EngineError
    when nothing comes any more, or no worker is left."""
    from distributed import wait

    waited = alone = 0.0
    seconds = min(_LOOK_SECONDS, MOST_SECONDS)
    while True:
        try:
            return next(iter(wait(list(futures), seconds, "FIRST_COMPLETED").done))
        except asyncio.TimeoutError as error:
            waited += seconds
            alone = 0 if client.nthreads() else alone + seconds
            if alone >= MOST_SECONDS_ALONE:
                address = client.scheduler.address
                raise EngineError(_NONE_LEFT, address=address, seconds=MOST_SECONDS_ALONE) from error
            if waited >= MOST_SECONDS:
                raise EngineError(_SILENT, seconds=MOST_SECONDS) from error


def _outcome(future: Any) -> tuple[BaseException | None, Any]:
    """The error of a future that is done, and what came of it. Raises EngineError when its worker does not
    hand that over."""
    try:
        error = future.exception(MOST_SECONDS)
        return error, None if error is not None else future.result(MOST_SECONDS)
    except asyncio.TimeoutError as timeout:
        raise EngineError(_SILENT, seconds=MOST_SECONDS) from timeout


class _AsShown(Generic[Entry]):
    """Reports files under the names that the user gave."""

    def __init__(self, reporter: FileReporter[Entry], shown: dict[str, str]) -> None:
        self._reporter = reporter
        self._shown = shown

    def file(self, path: str, found: FileFindings) -> Entry:
        return self._reporter.file(self._shown[path], found)

    def unreadable(self, path: str, error: TextError) -> Entry:
        return self._reporter.unreadable(self._shown[path], error)


@dataclass(frozen=True)
class _Answer:
    """What a worker says of its tasks about files, and which mindport it has."""

    version: str
    results: list[Any]


def _do(
    tasks: Sequence[Task], arguments: Arguments, settings: Settings, reporter: FileReporter[Entry]
) -> _Answer:
    """The work of a worker."""
    with _one_at_a_time, without_collection():
        scanner = Scanner(settings, reporter)
        scanner.take(arguments)
        return _Answer(_version(), [scanner.handle(task) for task in tasks])


def _checked(answer: _Answer) -> list[Any]:
    ours = _version()
    if answer.version != ours:
        raise EngineError(_OTHER_VERSION, theirs=answer.version, ours=ours)
    return answer.results


def _version() -> str:
    """What must be the same everywhere: the program, and the mapping data."""
    from mindport.catalog.catalog import Catalog

    return f"{mindport.__version__}, {Catalog.load().fingerprint}"
