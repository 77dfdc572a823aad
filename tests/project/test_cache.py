"""The cache of scans: what it gives is what a scan without it gives, whatever happened in between."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from mindport.catalog.catalog import Catalog
from mindport.catalog.target import Target
from mindport.project.cache_store import CacheStore, compressed
from mindport.project.discover import discover
from mindport.project.setting_table import Settings
from mindport.report.json_report import JsonReport
from mindport.report.report import FileReport, pack, unpack
from mindport.scan.cache import Packing, ScanCache, context_of
from mindport.scan.pool import Local
from mindport.scan.scan import scan
from mindport.scan.tasks import ScanFile

PROJECT = {
    "pkg/__init__.py": "",
    "pkg/a.py": "from .b import thing\nthing(1)\n",
    "pkg/b.py": "from .c import *\n",
    "pkg/c.py": "from torch import sinh as thing\n",
    "pkg/alone.py": "import torch\ntorch.cos(1)\n",
    "pkg/later.py": "from .missing import name\nname(1)\n",
    "script.py": "import pkg.b\npkg.b.thing(2)\n",
}


class Spy:
    """The engine of this process; `seen` are the files it was given last to look at, `asked` those that it was
    asked what their calls give, in the first round. `before` and `after` are called before and after it looks at them."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.asked: list[str] = []
        self.before: Any = lambda: None
        self.after: Any = lambda: None
        self.looking: Any = None

    @contextmanager
    def start(self, *given: Any) -> Iterator[Any]:
        with Local(1).start(*given) as self.looking:
            yield self

    def defined(self, files: Sequence[ScanFile]) -> Iterator[Any]:
        return self.looking.defined(files)

    def collect(self, files: Sequence[ScanFile]) -> Iterator[Any]:
        self.asked = [file.path.name for file in files]
        yield from self.looking.collect(files)

    def take(self, files: Sequence[ScanFile], arguments: Any) -> None:
        self.looking.take(files, arguments)

    def analyse(self, files: Sequence[ScanFile], *given: Any) -> Iterator[Any]:
        self.seen = [file.path.name for file in files]
        self.before()
        looked = list(self.looking.analyse(files, *given))
        self.after()
        yield from looked


def write(top: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


class Project:
    """A folder that is scanned with a cache beside it."""

    def __init__(self, folder: Path, files: dict[str, str] | None = None) -> None:
        self.top, self.cache = folder / "project", folder / "cache"
        self.top.mkdir(parents=True)
        (self.top / "pyproject.toml").write_text("")
        self.spy = Spy()
        self.write(PROJECT if files is None else files)

    def write(self, files: dict[str, str]) -> None:
        write(self.top, files)

    def scan(self, use_cache: bool = True, language: Any = "en", **given: Any) -> str:
        """The result; `looked` then says which files were not taken from the cache."""
        chosen = Settings(**given)
        target = Target(chosen.target, chosen.device, chosen.style)
        reporter = JsonReport(target, language)
        context = context_of(chosen, reporter, Catalog.load().fingerprint)
        cache = ScanCache(CacheStore(self.cache), Packing(pack, unpack), context) if use_cache else None
        self.spy.seen, self.spy.asked = [], []
        entries = scan(discover([self.top], chosen.exclude), chosen, reporter, cache=cache, engine=self.spy)
        said = "\n".join(f"{entry.text} {entry.summary}" for entry in map(plain, entries))
        if cache is not None:
            cache.save()
        return said

    def looked(self, **given: Any) -> list[str]:
        """The files that a scan looks at; its result must be that of a scan without a cache."""
        warm = self.scan(**given)
        seen = sorted(self.spy.seen)
        assert warm == self.scan(use_cache=False, **given)
        return seen


def plain(entry: FileReport) -> FileReport:
    """Counts as plain dictionaries, so that they look the same."""
    return unpack(pack(entry))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    made.scan()
    return made


def test_nothing_is_looked_at_twice(project: Project) -> None:
    assert len(project.spy.seen) == len(PROJECT)
    assert project.looked() == []


def test_only_the_changed_file_is_looked_at(project: Project) -> None:
    project.write({"pkg/alone.py": "import torch\ntorch.sin(1)\n"})
    assert project.looked() == ["alone.py"]
    assert project.looked() == []


def test_a_change_in_what_is_imported_through_others_is_seen(project: Project) -> None:
    before = project.scan()
    project.write({"pkg/c.py": "from torch import cosh as thing\n"})
    assert project.looked() == ["a.py", "b.py", "c.py", "script.py"]
    assert project.scan() != before
    project.write({"pkg/c.py": PROJECT["pkg/c.py"]})
    assert project.looked() == []  # what was known once is known still
    assert project.scan() == before


def test_a_module_that_appears_disappears_or_moves_is_seen(project: Project) -> None:
    project.write({"pkg/missing.py": "from torch import exp as name\n"})
    assert project.looked() == ["later.py", "missing.py"]
    (project.top / "pkg" / "missing.py").unlink()
    assert project.looked() == []
    project.write({"pkg/c/__init__.py": "from torch import tanh as thing\n"})  # hides c.py
    assert "a.py" in project.looked()
    (project.top / "pkg" / "b.py").rename(project.top / "pkg" / "renamed.py")
    assert "a.py" in project.looked()


def test_settings_formats_and_languages_do_not_mix(project: Project) -> None:
    for given_settings in ({"target": "2.8"}, {"ignore": ("MP1",)}, {"severity": {"MP1": "error"}}):
        assert len(project.looked(**given_settings)) == len(PROJECT)
        assert project.looked(**given_settings) == []
    assert len(project.looked(language="zh-cn")) == len(PROJECT)
    assert project.looked(jobs=3) == []


def test_files_with_an_error_are_looked_at_again(tmp_path: Path) -> None:
    project = Project(tmp_path, {"bad.py": "", "good.py": "import torch\n"})
    (project.top / "bad.py").write_bytes(b"\xff\xfe\x00")
    project.scan()
    assert project.looked() == ["bad.py"]


@pytest.mark.parametrize("damage", ["garbage", "cut off", "empty", "bits"])
def test_a_damaged_cache_is_made_anew(project: Project, damage: str) -> None:
    result = project.scan()
    (file,) = project.cache.glob("*.sqlite3")
    data = file.read_bytes()
    chance = random.Random(damage)
    if damage == "bits":
        broken = bytearray(data)
        for _ in range(400):
            broken[chance.randrange(100, len(broken))] ^= 1 << chance.randrange(8)
        file.write_bytes(bytes(broken))
    else:
        kept = {"garbage": b"no database " * 1000, "cut off": data[: len(data) * 2 // 3], "empty": b""}
        file.write_bytes(kept[damage])
    assert project.scan() == result
    project.scan()
    assert project.scan() == result
    assert project.looked() == [] or damage == "bits"


def test_a_record_under_another_key_is_no_record(tmp_path: Path) -> None:
    import sqlite3

    store = CacheStore(tmp_path)
    store.put({b"one": compressed(b"1"), b"two": compressed(b"2")})
    with sqlite3.connect(next(tmp_path.glob("*.sqlite3"))) as connection:
        connection.execute(
            "UPDATE record SET content = (SELECT content FROM record WHERE key = ?)", (b"one",)
        )
    connection.close()
    assert store.get([b"one", b"two"]) == {b"one": b"1"}


def test_a_cache_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.cache.write_text("a file where the folder should be")
    assert project.scan() == project.scan(use_cache=False)


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mindport.project import cache_store

    store = CacheStore(tmp_path, most_bytes=40_000)
    clock = iter(range(0, 10**9, 10**6))
    monkeypatch.setattr(cache_store.time, "time", lambda: next(clock))
    keys = [f"key {n}".encode() for n in range(12)]
    for key in keys:
        store.put({key: compressed(os.urandom(5_000))})
        store.get([keys[0]])
    kept = set(store.get(keys))
    assert keys[0] in kept and keys[-1] in kept
    assert 3 < len(kept) < 10 and keys[1] not in kept


def test_what_is_kept_is_of_the_text_that_was_read(tmp_path: Path) -> None:
    """Files are read when they are asked what their calls give, and looked at later."""
    project = Project(tmp_path)
    changed = {"pkg/c.py": "from torch import cosh as thing\n"}
    project.spy.before = lambda: project.write(changed)
    project.scan()
    project.spy = Spy()
    assert project.looked() == ["a.py", "b.py", "c.py", "script.py"]
    project.write({"pkg/c.py": PROJECT["pkg/c.py"]})
    assert project.looked() == []


def test_nothing_is_kept_of_what_changes_meanwhile(tmp_path: Path) -> None:
    project = Project(tmp_path, {**PROJECT, "bad.py": ""})
    (project.top / "bad.py").write_bytes(b"\xff\xfe\x00")
    project.scan()
    project.spy.before = lambda: project.write({"bad.py": "import torch\ntorch.cos(1)\n"})
    assert "torch.cos" in project.scan()
    project.spy = Spy()
    (project.top / "bad.py").write_bytes(b"\xff\xfe\x00")
    assert project.looked() == ["bad.py"]


def test_nothing_is_kept_when_a_module_appears_meanwhile(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.spy.after = lambda: project.write({"pkg/missing.py": "from torch import exp as name\n"})
    project.scan()
    project.spy = Spy()
    assert "later.py" in project.looked()


def _scan_often(folder: str, turns: int, results: Any) -> None:
    project = Project.__new__(Project)
    project.top, project.cache, project.spy = Path(folder) / "project", Path(folder) / "cache", Spy()
    for turn in range(turns):
        results.put(project.scan(target=("2.9", "2.10")[turn % 2]))


def test_runs_at_the_same_time(tmp_path: Path) -> None:
    project = Project(tmp_path)
    expected = {project.scan(use_cache=False, target=target) for target in ("2.9", "2.10")}
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    runs = [context.Process(target=_scan_often, args=(str(tmp_path), 4, results)) for _ in range(3)]
    for run in runs:
        run.start()
    made = [results.get(timeout=120) for _ in range(12)]
    for run in runs:
        run.join()
    assert set(made) == expected
    assert project.looked() == []


NAMES = ("a", "b", "c", "pkg/__init__", "pkg/a", "pkg/b", "pkg/sub/c")
TEXTS = (
    "from torch import sin as x\n",
    "from torch import *\nx = cos\n",
    "import torch as x\n",
    "from a import *\nx(1)\n",
    "from b import x\nx(1)\nx.sin(2)\n",
    "from pkg import a, b\na.x(1)\nb.x.tan(1)\n",
    "from . import b\nfrom .b import x\nx(b.x)\n",
    "from .sub.c import x\nx(1)\n",
    "import pkg.sub.c\npkg.sub.c.x(1)\n",
    "from ..a import x\nx(1)\n",
    "def x(y):\n    return y.view(1)\n",
    "class x(",
    None,
)


def notebook(*cells: str) -> str:
    code = [{"cell_type": "code", "source": c, "metadata": {}, "outputs": []} for c in cells]
    return json.dumps({"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def test_notebooks(project: Project) -> None:
    project.write({"n.ipynb": notebook("from pkg.c import thing\n", "thing(1)")})
    assert project.looked() == ["n.ipynb"]
    assert project.looked() == []
    project.write({"n.ipynb": notebook("from pkg.c import thing\n\nthing(1)")})  # the same code in one cell
    assert project.looked() == ["n.ipynb"]
    project.write({"pkg/c.py": "from torch import cosh as thing\n"})
    assert "n.ipynb" in project.looked()


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    changes=st.lists(
        st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(TEXTS)), min_size=1, max_size=3),
        min_size=2,
        max_size=6,
    )
)
@example(  # a module that is imported by a longer name than it is looked at under
    changes=[
        [("pkg/b", "from ..a import x\nx(1)\n")],
        [("pkg/a", "from pkg import a, b\na.x(1)\nb.x.tan(1)\n")],
    ]
)
def test_any_changes(tmp_path_factory: pytest.TempPathFactory, changes: Any) -> None:
    project = Project(tmp_path_factory.mktemp("any"), {"start.py": "from pkg.a import x\nx(1)\n"})
    for change in changes:
        for name, text in change:
            path = project.top / f"{name}.py"
            if text is None:
                path.unlink(missing_ok=True)
            else:
                write(project.top, {f"{name}.py": text})
        assert project.scan() == project.scan(use_cache=False)


def test_the_command_line_uses_it(
    tmp_path: Path, own_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from mindport.cli.main import main

    write(tmp_path, PROJECT)
    outputs = []
    for options in ((), (), ("--no-cache",)):
        assert main(["scan", str(tmp_path), "--format", "json", *options]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] == outputs[2]
    assert json.loads(outputs[0])["summary"]["files"] == len(PROJECT)
    assert list(own_cache.glob("*.sqlite3"))
