"""What files give to functions of others: scans and their cache see it, in whatever process it is told."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from mindport.callgraph.call_facts import CallFact
from mindport.callgraph.prefilter import may_give
from mindport.callgraph.reachability import ExportedParameter
from mindport.catalog.catalog import Catalog
from mindport.project.discover import discover
from mindport.project.setting_table import Settings
from mindport.scan.cache import KeptCallFacts
from mindport.scan.pool import Local
from mindport.scan.scan import scan
from mindport.scan.scanner import Scanner
from mindport.scan.tasks import AnalyseFile, CollectCallFacts, ScanFile, TakeCallFacts
from mindport.scan.worker_processes import Workers
from test_cache import Project, write
from test_scan import Reporter

FILES = {
    "pkg/__init__.py": "",
    "pkg/layers.py": "def make(width, act): return act()\n",
    "pkg/user.py": "from .layers import make\nx = make(3, None).shape\n",
    "pkg/alone.py": "import torch\ntorch.cos(1)\n",
    "pkg/giver.py": "from torch import nn\nfrom .layers import make\nmake(3, nn.GELU)\n",
}
GELU = "torch.nn.GELU"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path, FILES)
    assert GELU in line_of(made.scan(), "layers.py")
    return made


def line_of(scanned: str, name: str) -> str:
    """What a scan says of a file."""
    return next(line for line in scanned.split("\n\n" if "\n\n" in scanned else "\n") if name in line)


def test_nothing_is_asked_or_looked_at_twice(project: Project) -> None:
    assert project.looked() == []
    project.scan()
    assert project.spy.asked == []


def test_a_change_in_what_is_given_is_seen_by_who_is_given_it(project: Project) -> None:
    project.write({"pkg/giver.py": FILES["pkg/giver.py"].replace("GELU", "SiLU")})
    assert project.looked() == ["giver.py", "layers.py", "user.py"]
    assert "torch.nn.SiLU" in line_of(project.scan(), "layers.py")
    project.write({"pkg/giver.py": FILES["pkg/giver.py"]})
    assert project.looked() == []  # what was known once is known still


def test_a_change_of_a_giver_that_gives_the_same_concerns_only_itself(project: Project) -> None:
    project.write({"pkg/giver.py": FILES["pkg/giver.py"] + "nn.Linear(3, 4)\n"})
    assert project.looked() == ["giver.py"]


def test_a_giver_that_goes_and_comes_is_seen(project: Project) -> None:
    (project.top / "pkg" / "giver.py").unlink()
    assert project.looked() == ["layers.py", "user.py"]
    assert GELU not in project.scan()
    project.write({"pkg/second.py": FILES["pkg/giver.py"]})
    assert project.looked() == ["second.py"]  # the others were seen with the same already


def test_a_change_of_who_is_given_something_concerns_no_giver_that_asks_nothing(project: Project) -> None:
    project.write({"pkg/layers.py": "def make(act, width): return act()\n"})
    assert "alone.py" not in project.looked()
    assert GELU not in line_of(project.scan(), "layers.py")


def test_a_file_of_the_same_name_in_another_folder_is_given_nothing(tmp_path: Path) -> None:
    giver = "from torch import nn\nfrom layers import make\nmake(3, nn.GELU)\n"
    layers = FILES["pkg/layers.py"]
    project = Project(tmp_path, {"a/layers.py": layers, "a/main.py": giver, "b/layers.py": layers})
    scanned = project.scan()
    assert GELU in line_of(scanned, "a/layers.py")
    assert GELU not in line_of(scanned, "b/layers.py")
    assert project.looked() == []


def many(top: Path) -> Path:
    """A project that is worth several processes."""
    filler = "import torch\n" + "torch.cos(1)\n" * 600
    files = {f"pkg/filler_{number}.py": filler for number in range(40)}
    givers = {f"pkg/giver_{number}.py": FILES["pkg/giver.py"] for number in range(3)}
    write(top, {**FILES, **files, **givers})
    return top


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [2, 3])
def test_the_number_of_processes_makes_no_difference(jobs: int, tmp_path: Path) -> None:
    found = discover([many(tmp_path)], [])
    alone = list(scan(found, Settings(), Reporter(), jobs=1))
    assert any(GELU in str(entry) and "layers.py" in str(entry) for entry in alone)
    assert list(scan(found, Settings(), Reporter(), jobs=jobs)) == alone


def test_a_worker_that_is_started_later_knows_the_call_facts() -> None:
    """What all were told is told to those that take the place of others, too."""
    with Workers(_remembering, 2) as workers:
        workers.tell("told")
        results = dict(workers.handle([["a", "end", "b"], ["c"]]))
    assert results["a"] == results["b"] == results["c"] == ["told"]


def _remembering() -> Callable[[str], list[str] | None]:
    known: list[str] = []

    def handle(item: str) -> list[str] | None:
        if item == "end":
            os._exit(1)
        if item == "told":
            known.append(item)
            return None
        return known

    return handle


def test_call_facts_that_cannot_be_told_are_none(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_bytes(b"\xff\xfe\x00")
    file = ScanFile(0, tmp_path / "bad.py", (tmp_path,))
    scanner = Scanner(Settings(), Reporter())
    assert scanner.handle(CollectCallFacts(file)) is None
    assert scanner.handle(TakeCallFacts(())) is None
    assert not scanner.handle(AnalyseFile(file)).lasts  # type: ignore[union-attr]


def test_kept_call_facts_come_back() -> None:
    kept = KeptCallFacts()
    call_facts = (
        CallFact("a.f", "", "0", "torch.nn.GELU"),
        CallFact("a.f", "m", "act", "b.g", True, path="/a.py"),
        CallFact("a.f", "m", "act", "b", slot=ExportedParameter("g", "__init__", 2, "act"), path="/a.py"),
    )
    for number in range(6):
        kept.add("/x.py", str(number), call_facts)
    again = KeptCallFacts(kept.packed())
    assert again.of("/x.py", "5") == call_facts
    assert again.of("/x.py", "0") is None  # too long ago
    assert not again.is_changed
    assert KeptCallFacts(b"[[1]]").is_changed


GIVING = {
    "keyword": "from .a import f\nf(act=nn.GELU)",
    "conditional": "from .a import f\nf(nn.GELU if x else None)",
    "by a default": "from .a import f\ndef g(act: object = nn.GELU):\n    f(3, act)",
    "by a variable": "from .a import f\nact = nn.GELU\nf(\n    3,\n    act,\n)",
    "by a partial": "import a as b\ndef g(act=partial(nn.GELU, 'tanh')):\n    b.f(act)",
    "a class of the file": "from .a import f\nclass Own: pass\nf(Own)",
    "super": "class A(B):\n    def g(self):\n        super().__init__(3, act=nn.GELU)",
    "nested": "from .a import f\nf(g(1, (2, 3)), [h(4)], nn.GELU)",
}
NOT_GIVING = {
    "no import": "def f(x): pass\nf(nn.GELU)",
    "an instance": "from .a import f\nf(nn.GELU())",
    "a dtype": "from .a import f\nf(dtype=torch.float32)",
    "to a library": "from numpy import f\nf(nn.GELU)",
    "no call": "from .a import f\nf, nn.GELU",
}


@pytest.mark.parametrize("name", GIVING)
def test_what_may_give_is_found(name: str) -> None:
    assert gives("from .b import B\n" * (name == "super") + GIVING[name])


@pytest.mark.parametrize("name", NOT_GIVING)
def test_most_does_not_give(name: str) -> None:
    assert not gives(NOT_GIVING[name])


def gives(code: str) -> bool:
    from mindport.infer.stubs import StubIndex

    catalog = Catalog.load()
    installed = StubIndex(catalog)
    text = "import torch\nfrom torch import nn\nfrom functools import partial\n" + code
    return may_give(text.encode(), catalog, lambda dotted: installed.may_hold_torch(dotted, None))


def test_the_engine_is_started_once_for_both(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    found = discover([tmp_path], [])
    entries = list(scan(found, Settings(), Reporter(), engine=Local(1)))
    assert len(entries) == len(FILES)
