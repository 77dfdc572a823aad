"""Change the engine at random places, one at a time, and see whether the tests notice.

    python scripts/mutants.py infer --sample 120 --seed 1
    python scripts/mutants.py infer --sample 120 --seed 1 --only infer/stubs.py

A mutant is one change of one file below `server/mindport/FOLDER`: a comparison, `and`, `not` or a truth
value turned round, a number one more, a statement left out. It is noticed if a test fails or does not end.
Survivors are printed with their line; the score is the share of those that were noticed. The tree itself
stays as it is.

The tests run once to see which of them executes which lines, and how long each takes. A mutant is then tried
with those that execute its statement, the quickest first, up to the first that fails: survivors are few and
cost most. Tests that took longer than `--slowest` are not tried, which can only make the score lower.

Mutants that nobody can observe are listed with the reason in `equivalent_mutants.txt`. Those of a sample are
counted apart.
"""

from __future__ import annotations

import argparse
import ast
import gc
import importlib
import json
import multiprocessing
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import coverage
import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "server" / "mindport"
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.txt")
TESTS = (
    "tests/resolve", "tests/assess", "tests/rewrite", "tests/project/test_local.py",
    "tests/project/test_packages.py", "tests/project/test_takers.py",
)  # fmt: skip
COMPARISONS = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
    ast.Lt: ">=", ast.GtE: "<", ast.Gt: "<=", ast.LtE: ">",
}  # fmt: skip
LEFT_OUT = (ast.Expr, ast.Assign, ast.AugAssign, ast.Continue, ast.Break, ast.Delete)
LOADED_ONCE = ("hypothesis", "jinja2", "pydantic", "pygls.lsp.server", "pytest_lsp", "rich", "tree_sitter")
"""What the tests import and no mutant changes: each run is a fork of a process that has them."""
MOST_MEMORY = 4 << 30


class Mutant(NamedTuple):
    """A change: `new` stands in the place of the bytes `start`..`end` of a file, which are `old`. `lines` are
    the first and the last of the statement, without what is nested in it."""

    path: Path
    function: str
    lines: tuple[int, int]
    line: int
    start: int
    end: int
    old: str
    new: str

    @property
    def name(self) -> str:
        """File, function and change, as they stand in the list of equivalent mutants."""
        return f"{self.path.relative_to(PACKAGE).as_posix()} {self.function}: {self.old} -> {self.new}"


class Recorded(NamedTuple):
    """One run of the tests: the seconds of each that passed, and the tests that execute a line of a file."""

    seconds: dict[str, float]
    executing: dict[str, dict[str, list[str]]]

    def noticing(self, mutant: Mutant, slowest: float) -> list[str]:
        """The tests that may notice a mutant, quickest first: all, if its lines are executed by an import."""
        by_line = self.executing.get(str(mutant.path), {})
        first, last = mutant.lines
        found = {test for line in range(first, last + 1) for test in by_line.get(str(line), ())}
        tests = self.seconds if "" in found else found & self.seconds.keys()
        return sorted(
            (test for test in tests if self.seconds[test] <= slowest), key=lambda test: self.seconds[test]
        )


def mutants(path: Path) -> Iterator[Mutant]:
    """All mutants of a file, inside functions; annotations and docstrings stay as they are."""
    data = path.read_bytes()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for function, statement, node in _looked_into(ast.parse(data), ""):
        new = _changed(node)
        if new is None or not isinstance(node, ast.expr | ast.stmt):
            continue
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)
        old = " ".join(data[start:end].decode().split())
        yield Mutant(path, function, _own_lines(statement), node.lineno, start, end, old, new)


def _changed(node: ast.AST) -> str | None:
    """What stands in the place of a node that is changed."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
        return f"({left} {COMPARISONS[type(node.ops[0])]} {right})"
    if isinstance(node, ast.BoolOp):
        word = " or " if isinstance(node.op, ast.And) else " and "
        return "(" + word.join(f"({ast.unparse(value)})" for value in node.values) + ")"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"bool({ast.unparse(node.operand)})"
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return str(not node.value)
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return str(node.value + 1)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return None  # a docstring of an attribute
    return "pass" if isinstance(node, LEFT_OUT) else None


def _looked_into(parent: ast.AST, function: str) -> Iterator[tuple[str, ast.stmt, ast.AST]]:
    """The nodes inside functions with the function and the statement they are in, without annotations,
    docstrings and f-strings, in which places are not to be relied on."""
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, ast.FunctionDef):
            is_documented = ast.get_docstring(node) is not None
            for statement in node.body[1:] if is_documented else node.body:
                yield from _within(statement, node.name, statement)
        else:
            yield from _looked_into(node, function)


def _within(node: ast.AST, function: str, statement: ast.stmt) -> Iterator[tuple[str, ast.stmt, ast.AST]]:
    if isinstance(node, ast.FunctionDef):
        yield from _looked_into(ast.Module([node], []), function)
        return
    if isinstance(node, ast.JoinedStr):
        return
    statement = node if isinstance(node, ast.stmt) else statement
    yield function, statement, node
    annotation = getattr(node, "annotation", None)
    for child in ast.iter_child_nodes(node):
        if child is not annotation:
            yield from _within(child, function, statement)


def _own_lines(statement: ast.stmt) -> tuple[int, int]:
    """The first and the last line of a statement, or of what stands before its suite."""
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    return statement.lineno, max(last, statement.lineno)


def equivalent() -> set[str]:
    """The names of the mutants that nobody can observe: the lines of the list that are not indented."""
    lines = EQUIVALENT.read_text("utf-8").splitlines()
    return {line for line in lines if line and not line.startswith((" ", "#"))}


class Recorder:
    """A pytest plugin that tells coverage which test runs; without what earlier tests left in caches."""

    def __init__(self, measured: coverage.Coverage) -> None:
        self._measured = measured
        self.seconds: dict[str, float] = defaultdict(float)
        self.failed: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Runs a test as a context of its own."""
        for found in self._caches():
            found()
        self._measured.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            self._measured.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keeps how long a test takes, and whether it can be used."""
        self.seconds[report.nodeid] += report.duration
        if not report.passed:
            self.failed.add(report.nodeid)

    @staticmethod
    def _caches() -> list[Callable[[], None]]:
        kind = type(lru_cache(_own_lines))
        found = [each for each in gc.get_objects() if isinstance(each, kind)]
        return [each.cache_clear for each in found if (each.__module__ or "").startswith("mindport")]


class Chosen:
    """A pytest plugin that runs these tests in this order, each for a few times the seconds it took."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds = seconds
        self._order = {test: number for number, test in enumerate(seconds)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leaves the chosen tests."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self._order), key=lambda item: self._order[item.nodeid]
        )
        for item in items:
            item.add_marker(pytest.mark.timeout(10 + 5 * self._seconds[item.nodeid]))


def _record(copy: Path, folders: Sequence[str], tests: Sequence[str], result: Path) -> int:
    sources = [str(copy / "mindport" / folder) for folder in folders]
    measured = coverage.Coverage(data_file=None, config_file=False, source=sources)
    recorder = Recorder(measured)
    measured.start()
    _pytest(copy, [*tests], recorder)
    measured.stop()
    data = measured.get_data()
    executing = {
        str(PACKAGE / Path(file).relative_to(copy / "mindport")): data.contexts_by_lineno(file)
        for file in data.measured_files()
    }
    passed = {test: seconds for test, seconds in recorder.seconds.items() if test not in recorder.failed}
    result.write_text(json.dumps([passed, executing]), "utf-8")
    return 0


def _try(copy: Path, seconds: dict[str, float]) -> int:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    files = dict.fromkeys(test.partition("::")[0] for test in seconds)
    return _pytest(copy, ["-x", *files], Chosen(seconds))


def _pytest(copy: Path, arguments: Sequence[str], plugin: object) -> int:
    """Run tests of the package in `copy`, silently, in a process that is used for nothing else."""
    os.setsid()
    os.chdir(ROOT)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    sys.path.insert(0, str(copy))
    os.environ.update(PYTHONPATH=str(copy), PYTHONDONTWRITEBYTECODE="1", MINDPORT_EDIT_SEQUENCES="5")
    sys.dont_write_bytecode = True
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-m", "not slow", "--hypothesis-seed=0"]
    return int(pytest.main([*options, *arguments], plugins=[plugin]))


def _forked(function: Callable[..., int], *arguments: object, seconds: float | None = None) -> bool:
    """Whether a function gives 0 in a process of its own, in time."""

    def run() -> None:
        os._exit(function(*arguments))

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    process.join(seconds)
    if process.is_alive():
        os.killpg(process.pid or 0, signal.SIGKILL)
        process.join()
    return process.exitcode == 0


def is_noticed(mutant: Mutant, copy: Path, recorded: Recorded, slowest: float) -> bool:
    """Whether a test fails, or the tests do not end, with the mutant."""
    tests = {test: recorded.seconds[test] for test in recorded.noticing(mutant, slowest)}
    if not tests:
        return False
    path = copy / "mindport" / mutant.path.relative_to(PACKAGE)
    before = path.read_bytes()
    path.write_bytes(before[: mutant.start] + mutant.new.encode() + before[mutant.end :])
    try:
        return not _forked(_try, copy, tests, seconds=60 + 5 * sum(tests.values()))
    finally:
        path.write_bytes(before)


def record(copy: Path, folders: Sequence[str], tests: Sequence[str], kept: Path) -> Recorded:
    """What the tests execute in the folders."""
    if not kept.exists():
        _forked(_record, copy, folders, tests, kept)
    return Recorded(*json.loads(kept.read_text("utf-8")))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="of the sample, those whose name contains this")
    parser.add_argument("--slowest", type=float, default=4, help="the seconds of the slowest tests to use")
    parser.add_argument("--tests", nargs="+", default=TESTS)
    parser.add_argument("--recorded", type=Path, help="the file for what tests execute: read if it is there")
    return parser.parse_args()


def sample(folders: Iterable[str], size: int, seed: int) -> list[Mutant]:
    """Some of the mutants of the folders."""
    files = [path for folder in folders for path in sorted((PACKAGE / folder).rglob("*.py"))]
    every = [mutant for path in files for mutant in mutants(path)]
    print(f"{len(every)} mutants in all", flush=True)
    return random.Random(seed).sample(every, min(size, len(every)))


def main() -> int:
    """Try mutants and print those that survive, then the score."""
    options = _arguments()
    for module in LOADED_ONCE:
        importlib.import_module(module)
    known = equivalent()
    sampled = sample(options.folders, options.sample, options.seed)
    chosen = [one for one in sampled if options.only in one.name and one.name not in known]
    noticed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "server"
        shutil.copytree(ROOT / "server", copy)
        (Path(folder) / "mapping_data").symlink_to(ROOT / "mapping_data")
        kept = options.recorded or Path(folder) / "recorded.json"
        recorded = record(copy, options.folders, options.tests, kept)
        for mutant in chosen:
            if is_noticed(mutant, copy, recorded, options.slowest):
                noticed += 1
            else:
                print(f"{mutant.path.relative_to(PACKAGE)}:{mutant.line}\n{mutant.name}\n", flush=True)
    print(f"{noticed} of {len(chosen)} noticed ({100 * noticed / max(1, len(chosen)):.0f} %)")
    print(f"{sum(one.name in known for one in sampled)} more cannot be observed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
