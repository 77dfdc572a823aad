"""Packages that are installed beside the project: what is known of them, and when."""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path

import pytest
from mindport.catalog.catalog import Catalog
from mindport.project import jedi_answers
from mindport.project.cache_store import CacheStore
from mindport.project.discover import discover
from mindport.project.jedi_answers import JediAnswers
from mindport.project.session import Session
from mindport.project.setting_table import Settings
from mindport.project.stub_index import PackageStubs, package_folders
from mindport.scan.cache import open_cache
from mindport.scan.scan import scan
from mindport.source.document import Document

LIBRARY = {
    "somelib/__init__.py": (
        "from torch import nn\n"
        "from torch.nn import functional as F\n"
        "from .blocks import Drop, make, count, both\n"
        "from .compiled import scored, guess\n"
        "raise SystemExit('code of packages must not be run')\n"
    ),
    "somelib/blocks.py": (
        "import torch\n"
        "class Base(torch.nn.Module):\n"
        "    @property\n"
        "    def weights(self): return torch.zeros(3)\n"
        "class Drop(Base):\n"
        "    def __init__(self): self.inner = torch.nn.Linear(2, 3)\n"
        "    def forward(self, x): return x.relu()\n"
        "    def train(self, mode=True): return self\n"
        "def make(name) -> torch.nn.Module: ...\n"
        "def count(x): return 3\n"
        "def both(x): return torch.zeros(1), 'text'\n"
    ),
    "somelib/compiled.py": "def scored(x): return x.anything()\ndef guess(x): return x.anything()\n",
    "somelib/compiled.pyi": "def scored(x) -> str: ...\n",
}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A virtual environment with a package; the folder of its packages."""
    write(tmp_path / "env", {"pyvenv.cfg": "include-system-site-packages = false\n"})
    return write(tmp_path / "env" / "lib" / "python3.12" / "site-packages", LIBRARY)


def stubs(packages: Path, tmp_path: Path, **others: JediAnswers) -> PackageStubs:
    return PackageStubs(Catalog.load(), [packages], CacheStore(tmp_path / "cache"), **others)


def uses(session: Session, source: str) -> list[str]:
    document = Document.open("/p/main.py", source)
    shown = []
    for shift, use in session.analyse("/p/main.py", document).analysis.uses():
        if use.kind != "import":
            text = document.text(shift + use.start, shift + use.end)
            shown.append(f"{use.api} <- {text} ({use.certainty.value})")
    return shown


def known(source: str, packages: Path, tmp_path: Path) -> list[str]:
    """The uses in a text when all that it wants to know of packages is known."""
    session = Session(Catalog.load(), Settings())
    uses(session, source)
    looked_up = stubs(packages, tmp_path)
    while wanted := session.packages_wanted():
        session.take_stubs(looked_up.of(wanted))
        uses(session, source)
    looked_up.close()
    return uses(session, source)


def test_reexports_of_torch(packages: Path, tmp_path: Path) -> None:
    source = "from somelib import nn, F\nimport somelib\nnn.Linear(2, 3)\nsomelib.F.relu(1)\n"
    assert known(source, packages, tmp_path) == [
        "torch.nn.Linear <- nn.Linear (certain)",
        "torch.nn.functional.relu <- somelib.F.relu (certain)",
    ]


def test_the_standard_library_and_its_backports_are_not_looked_up() -> None:
    session = Session(Catalog.load(), Settings())
    source = "import typing_extensions\nfrom typing_extensions import Literal\nimport logging\nimport torch\n"
    source += "def f(mode: Literal['a'], x: 'torch.Tensor'):\n    logging.getLogger(mode)\n"
    source += "    typing_extensions.cast(torch.Tensor, mode).relu()\n"
    found = uses(session, source)
    assert "torch.Tensor.relu <- typing_extensions.cast(torch.Tensor, mode).relu (certain)" in found
    assert session.packages_wanted() == []


def test_classes_derive_from_torch_and_give_what_forward_gives(packages: Path, tmp_path: Path) -> None:
    source = (
        "from somelib import Drop\n"
        "drop = Drop()\n"
        "drop(1).view(2)\n"
        "drop.eval()\n"
        "drop.train()\n"
        "drop.inner.weight\n"
        "drop.weights.abs()\n"
    )
    found = known(source, packages, tmp_path)
    assert "torch.Tensor.view <- drop(1).view (likely)" in found
    assert "torch.nn.Module.eval <- drop.eval (certain)" in found
    assert "torch.nn.Linear.weight <- drop.inner.weight (likely)" in found
    assert "torch.Tensor.abs <- drop.weights.abs (likely)" in found
    assert not any("drop.train" in line for line in found)  # its own


def test_a_class_of_the_project_that_derives_from_one_is_a_module(packages: Path, tmp_path: Path) -> None:
    source = (
        "from somelib import Drop\n"
        "class Mine(Drop):\n"
        "    def forward(self, x):\n"
        "        self.register_buffer('a', x)\n"
        "        return x.view(3)\n"
    )
    assert known(source, packages, tmp_path) == [
        "torch.nn.Module.register_buffer <- self.register_buffer (certain)",
        "torch.Tensor.view <- x.view (likely)",
    ]


def test_functions_and_evidence_against(packages: Path, tmp_path: Path) -> None:
    source = (
        "from somelib import make, count, both, scored, guess\n"
        "make('a').state_dict()\n"
        "count(1).view(a)\n"
        "first, second = both(1)\n"
        "first.numpy()\n"
        "second.split()\n"
        "scored(1).split()\n"
        "guess(1).view(a)\n"
    )
    assert known(source, packages, tmp_path) == [
        "torch.nn.Module.state_dict <- make('a').state_dict (likely)",
        "torch.Tensor.numpy <- first.numpy (likely)",
        "torch.Tensor.view <- guess(1).view (possible)",
    ]


def test_nothing_is_known_until_it_was_looked_up(packages: Path, tmp_path: Path) -> None:
    session = Session(Catalog.load(), Settings())
    source = "from somelib import nn\nnn.Linear(2, 3)\n"
    assert uses(session, source) == []
    wanted = session.packages_wanted()
    assert wanted == ["somelib.nn", "somelib.nn.Linear"]
    assert session.packages_wanted() == []
    assert session.take_stubs(stubs(packages, tmp_path).of(wanted))
    assert uses(session, source) == known(source, packages, tmp_path) != []
    assert not session.take_stubs(stubs(packages, tmp_path).of(wanted))


def test_stubs_are_kept_for_as_long_as_the_files_are_the_same(packages: Path, tmp_path: Path) -> None:
    made = stubs(packages, tmp_path).of(["somelib.make", "somelib.count"])
    assert stubs(packages, tmp_path).ready(["somelib.make", "somelib.count"]) == made
    (packages / "somelib" / "blocks.py").write_text("def make(x): return 'text'\n", encoding="utf-8")
    assert stubs(packages, tmp_path).ready(["somelib.make"]) == {}
    assert "-> str" in stubs(packages, tmp_path).of(["somelib.make"])["somelib.make"]


def test_a_damaged_cache_is_made_anew(packages: Path, tmp_path: Path) -> None:
    made = stubs(packages, tmp_path).of(["somelib.make"])
    (file,) = (tmp_path / "cache").iterdir()
    file.write_bytes(b"damaged" * 1000)
    assert stubs(packages, tmp_path).of(["somelib.make"]) == made
    assert stubs(packages, tmp_path).ready(["somelib.make"]) == made


def test_runs_at_the_same_time_share_the_cache(packages: Path, tmp_path: Path) -> None:
    names = [f"somelib.{name}" for name in ("make", "count", "both", "Drop", "nn")]
    found: list[dict[str, str]] = []
    threads = [
        threading.Thread(target=lambda: found.append(stubs(packages, tmp_path).of(names))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(each == found[0] for each in found)


def test_a_jedi_that_does_not_answer_costs_no_more_than_the_limit(
    packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = tmp_path / "silent.py"
    silent.write_text("import time\ntime.sleep(600)\n", encoding="utf-8")
    monkeypatch.setattr(jedi_answers, "SCRIPT", silent)
    monkeypatch.setattr(jedi_answers, "_SECONDS_TO_START", 0.0)
    looked_up = stubs(packages, tmp_path, jedi=JediAnswers([packages], 0.1))
    assert looked_up.of(["somelib.scored"]) == {"somelib.scored": ""}
    assert not looked_up.is_complete
    assert stubs(packages, tmp_path).ready(["somelib.scored"]) == {}  # it is asked again next time


def test_jedi_answers_whatever_its_cache_is_like(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files are written in place: a process that is ended leaves a part of one."""
    monkeypatch.setenv("MINDPORT_CACHE_DIR", str(tmp_path / "cache"))
    folder = write(tmp_path / "site", {"plain/__init__.py": "def f(x):\n    return str(x)\n"})

    def answer() -> list[str] | None:
        asked = JediAnswers([folder])
        try:
            return asked.types("plain.f")
        finally:
            asked.close()

    assert answer() == ["builtins.str"]
    kept = list((tmp_path / "cache").rglob("*.pkl"))
    assert kept
    for file in kept:
        file.write_bytes(file.read_bytes()[:1000])
    assert answer() == ["builtins.str"]


def test_jedi_runs_no_code_of_packages(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    code = f"open({str(marker)!r}, 'w')\ndef f(x): return [x][0]\n"
    folder = write(tmp_path / "site", {"evil/__init__.py": code, "evil.pth": "import evil\n"})
    asked = JediAnswers([folder])
    asked.types("evil.f")
    asked.close()
    assert not marker.exists()


def test_the_environment_is_found_without_running_it(packages: Path, tmp_path: Path) -> None:
    environment = tmp_path / "env"
    python = write(environment, {"bin/python": "not to be run"}) / "bin" / "python"
    assert package_folders(str(python)) == (packages,)
    assert package_folders(str(environment)) == (packages,)
    assert package_folders("", {"VIRTUAL_ENV": str(environment)}) == (packages,)
    running = package_folders("", {})
    assert running == package_folders(str(tmp_path / "no such"), {})
    assert str(running[0]).startswith((sys.prefix, sys.base_prefix, str(Path.home())))


def test_packages_that_are_installed_to_be_edited_are_found(packages: Path, tmp_path: Path) -> None:
    other, beside = tmp_path / "work" / "src", packages / "beside"
    for folder in (other, beside):
        folder.mkdir(parents=True)
    listed = f"# of a package\nimport os; os.abort()\n{other}\nbeside\n/no/such/folder\n\n"
    (packages / "mine.pth").write_text(listed, encoding="utf-8")
    (packages / "broken.pth").write_bytes(b"\xff\xfe")
    assert package_folders(str(tmp_path / "env")) == (packages, other, beside)


class Reporter:
    """Entries that list what was found."""

    def file(self, path: str, found: object) -> list[str]:
        return [use.api for _, use in found.analysis.uses()]  # type: ignore[attr-defined]

    def unreadable(self, path: str, error: object) -> list[str]:
        return [str(error)]

    def __repr__(self) -> str:
        return "Reporter()"


def scanned(project: Path, settings: Settings, jobs: int, use_cache: bool) -> list[list[str]]:
    from mindport.scan.cache import Packing

    packing: Packing[list[str]] = Packing(lambda entry: json.dumps(entry).encode(), json.loads)
    cache = open_cache(settings, Reporter(), packing) if use_cache else None
    return list(scan(discover([project], ()), settings, Reporter(), jobs, cache=cache))


def test_scans_know_packages_whatever_processes_and_cache(
    packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINDPORT_CACHE_DIR", str(tmp_path / "cache"))
    files = {f"m{number}.py": "from somelib import nn\nnn.Linear(2, 3)\n" for number in range(40)}
    project = write(tmp_path / "project", {**files, "z.py": "from m1 import nn\nnn.ReLU()\n"})
    settings = Settings(python=str(tmp_path / "env"))
    scratch = scanned(project, settings, 1, False)
    assert all("torch.nn.Linear" in entry for entry in scratch[:40])
    assert "torch.nn.ReLU" in scratch[40]
    assert scanned(project, settings, 2, True) == scratch
    assert scanned(project, settings, 1, True) == scratch
    (packages / "somelib" / "__init__.py").write_text("nn = 3\n", encoding="utf-8")
    changed = scanned(project, settings, 1, True)
    assert changed == scanned(project, settings, 1, False) != scratch
    other = Settings(python=str(tmp_path / "nowhere" / os.devnull.strip("/")))
    assert scanned(project, other, 1, True) == scanned(project, other, 1, False)
