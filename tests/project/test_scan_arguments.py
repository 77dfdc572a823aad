"""What files give to functions of others: scans and their cache see it, in whatever process it is told."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from mindport.project.dependencies import FileArguments
from mindport.project.discover import discover
from mindport.project.setting_table import Settings
from mindport.scan.pool import Local
from mindport.scan.scan import scan
from mindport.scan.scanner import Scanner
from mindport.scan.tasks import AnalyseFile, CollectArguments, CollectDefinitions, ScanFile, TakeArguments
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


def test_a_worker_that_is_started_later_knows_the_arguments() -> None:
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


def test_arguments_that_cannot_be_told_are_none(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_bytes(b"\xff\xfe\x00")
    file = ScanFile(0, tmp_path / "bad.py", (tmp_path,))
    scanner = Scanner(Settings(), Reporter())
    assert scanner.handle(CollectArguments(file)) is None
    assert scanner.handle(TakeArguments({})) is None
    assert not scanner.handle(AnalyseFile(file)).lasts  # type: ignore[union-attr]


def test_what_classes_define_is_told_before_anything_is_evaluated(tmp_path: Path) -> None:
    texts = {"pkg/__init__.py": "", "pkg/like.py": "class Like:\n    def __torch_function__(self): ...\n"}
    write(tmp_path, texts | {"pkg/user.py": "from .like import Like\nprint(Like())\n"})
    scanner = Scanner(Settings(), Reporter())
    file = ScanFile(0, tmp_path / "pkg" / "like.py", (tmp_path,))
    told = scanner.handle(CollectDefinitions(file))
    assert isinstance(told, FileArguments) and told.given is not None
    assert ("pkg", "__torch_function__") in {(key.qualified_name, key.name) for key in told.given}
    nothing = scanner.handle(CollectDefinitions(ScanFile(1, tmp_path / "pkg" / "user.py", (tmp_path,))))
    assert isinstance(nothing, FileArguments)
    assert not nothing.given
    again = scanner.handle(CollectArguments(file))
    assert isinstance(again, FileArguments)
    assert again.given is None, "the same as was told already"


def test_what_is_said_twice_is_told_once(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    scanner = Scanner(Settings(), Reporter())
    file = ScanFile(0, tmp_path / "pkg" / "giver.py", (tmp_path,))
    told = scanner.handle(CollectArguments(file))
    assert isinstance(told, FileArguments)
    assert [(key.qualified_name, key.name) for key in told.given] == [("make", "act")]
    assert scanner.handle(CollectArguments(file)) is None
    scanner.handle(TakeArguments({str(file.path): told.given}))
    assert scanner.handle(CollectArguments(file)) is None


def test_a_class_that_is_given_elsewhere_changes_and_is_seen(tmp_path: Path) -> None:
    """Who is given an object does not import its class."""
    files = {
        "pkg/__init__.py": "",
        "pkg/run.py": "def run(part):\n    return part.made().relu()\n",
        "pkg/part.py": "import torch\nclass Part:\n    def made(self):\n        return torch.ones(1)\n",
        "main.py": "from pkg.part import Part\nfrom pkg.run import run\nrun(Part())\n",
    }
    project = Project(tmp_path, files)
    before = line_of(project.scan(), "run.py")
    project.write({"pkg/part.py": files["pkg/part.py"].replace("torch.ones(1)", "3")})
    assert "run.py" in project.looked()
    assert line_of(project.scan(), "run.py") != before


def test_what_is_given_goes_through_several_files(tmp_path: Path) -> None:
    files = {
        "a.py": "from torch import nn\nfrom b import b\nb(nn.GELU)\n",
        "b.py": "from c import c\ndef b(x): c(x)\n",
        "c.py": "from d import d\ndef c(x): d(x)\n",
        "d.py": "def d(x): x()\n",
    }
    project = Project(tmp_path, files)
    assert GELU in line_of(project.scan(), "d.py")
    assert project.looked() == []
    project.write({"b.py": "from c import c\ndef b(x): c(3)\n"})
    assert {"b.py", "c.py", "d.py"} <= set(project.looked())
    assert GELU not in line_of(project.scan(), "d.py")


def test_the_engine_is_started_once_for_both(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    found = discover([tmp_path], [])
    entries = list(scan(found, Settings(), Reporter(), engine=Local(1)))
    assert len(entries) == len(FILES)
