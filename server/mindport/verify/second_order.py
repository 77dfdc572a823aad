"""Gradients of gradients: which calls MindSpore differentiates twice as PyTorch does, as it is and in graph
mode."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from mindport.verify.compare import Way, compare
from mindport.verify.pool import TrialWorker
from mindport.verify.snippet import Snippet, snippets
from mindport.verify.trial import TrialConverter

if TYPE_CHECKING:
    from mindport.catalog.answer import Candidate
    from mindport.catalog.catalog import Catalog
    from mindport.verify.pool import Reply, Runner
    from mindport.verify.table import InputTable

Result = Literal["equal", "differs", "raises"]
_PLAIN, _IN_GRAPH = "second", "second_in_graph"
_MOST_CALLS = 4
_MOST_GRAPHS = 1
"""Compiling takes long, so that only so many calls of a candidate are compiled."""
_LOOSE = 10.0
"""What float32 loses is lost twice."""
_WORST: tuple[Result, ...] = ("differs", "raises", "equal")


class Trial(NamedTuple):
    """What came of one call in one way."""

    arguments: str
    result: Result
    detail: str = ""


class SecondOrder(NamedTuple):
    """What came of an API with a candidate: `plain` as it is, `graph` in graph mode."""

    torch: str
    target: str
    plain: tuple[Trial, ...]
    graph: tuple[Trial, ...]

    def record(self) -> dict[str, Any]:
        """As the mapping data keep it."""
        made: dict[str, Any] = {"torch": self.torch, "target": self.target, "calls": len(self.plain)}
        for name, trials in (("result", self.plain), ("graph", self.graph)):
            if trials:
                worst = min(trials, key=lambda trial: _WORST.index(trial.result))
                made[name] = worst.result
                if worst.result != "equal":
                    made["detail" if name == "result" else "graph_detail"] = (
                        f"({worst.arguments}) {worst.detail}"
                    )
        return made


def second_orders(
    names: Sequence[str], catalog: Catalog, table: InputTable, python: str, version: str, jobs: int
) -> Iterator[SecondOrder]:
    """What comes of APIs, each candidate by itself, in the order they are done. Raises WorkerError when a
    framework does not start."""
    waiting: queue.Queue[str] = queue.Queue()
    for name in names:
        waiting.put(name)
    done: queue.Queue[list[SecondOrder] | BaseException] = queue.Queue()

    def work() -> None:
        try:
            with ExitStack() as processes:
                torch = processes.enter_context(TrialWorker(python, "torch"))
                mindspore = processes.enter_context(TrialWorker(python, "mindspore"))
                converter = TrialConverter(catalog, version, "cpu")
                while True:
                    done.put(list(_of_api(waiting.get_nowait(), converter, table, torch, mindspore)))
        except queue.Empty:
            return
        except BaseException as error:  # noqa: BLE001 - raised by the thread that waits
            done.put(error)

    for _ in range(min(jobs, max(1, len(names)))):
        threading.Thread(target=work, daemon=True).start()
    for _ in names:
        result = done.get()
        if isinstance(result, BaseException):
            raise result
        yield from result


def _of_api(
    name: str, converter: TrialConverter, table: InputTable, torch: Runner, mindspore: Runner
) -> Iterator[SecondOrder]:
    catalog = converter.catalog
    api, candidates = catalog.api(name), converter.candidates(name)
    if api is None or not candidates:
        return
    ordinary = [one for one in snippets(api, catalog, table) if one.task.get("gradient")]
    tried = list(_differentiable(ordinary, torch))
    for candidate in candidates:
        found = _tried(name, candidate, tried, converter, mindspore)
        if found.plain:
            yield found


def _differentiable(ordinary: Sequence[Snippet], torch: Runner) -> Iterator[tuple[Snippet, Reply]]:
    """Some calls that torch differentiates twice, with what it gives."""
    count = 0
    for snippet in ordinary:
        reply = torch.run(_task(snippet, snippet.source, (_PLAIN,)))
        if "error" not in reply and reply[_PLAIN]["kind"] != "none":
            yield snippet, reply
            count += 1
        if count == _MOST_CALLS:
            return


def _task(snippet: Snippet, source: str, ways: tuple[str, ...]) -> dict[str, Any]:
    return {**snippet.task_for(source), "gradient": False, "second": ways}


def _tried(
    name: str,
    candidate: Candidate,
    tried: Sequence[tuple[Snippet, Reply]],
    converter: TrialConverter,
    mindspore: Runner,
) -> SecondOrder:
    """Calls that MindSpore does not compute alike say nothing about gradients."""
    plain: list[Trial] = []
    graph: list[Trial] = []
    for snippet, ours in tried:
        if (
            candidate.when is not None
            and snippet.given is not None
            and not candidate.when.fits(snippet.given)
        ):
            continue
        source = converter.convert(name, candidate, snippet.source).source
        if source is None:
            continue
        for way, trials, most in ((_PLAIN, plain, _MOST_CALLS), (_IN_GRAPH, graph, _MOST_GRAPHS)):
            if len(trials) < most:
                theirs = mindspore.run(_task(snippet, source, (way,)))
                found = _compared(snippet, ours, theirs, way)
                if found is not None:
                    trials.append(found)
    return SecondOrder(name, candidate.text, tuple(plain), tuple(graph))


def _compared(snippet: Snippet, ours: Reply, theirs: Reply, way: str) -> Trial | None:
    arguments = snippet.case.arguments
    if theirs.get("error") == "Crash":
        return Trial(arguments, "raises", str(theirs["message"]))
    if "error" in theirs or compare(ours["value"], theirs["value"]).aspect is not None:
        return None
    if theirs[way]["kind"] == "none":
        return Trial(arguments, "raises", theirs[way]["why"])
    verdict = compare(ours[_PLAIN], theirs[way], Way(loose=_LOOSE))
    if verdict.aspect is None:
        return Trial(arguments, "equal")
    return Trial(arguments, "differs", f"{verdict.aspect}: {verdict.detail}")
