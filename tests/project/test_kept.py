"""An engine that keeps what it has found: another reporter says the same as in a scan of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from mindport.project.discover import discover
from mindport.project.session import Session
from mindport.project.setting_table import Settings
from mindport.scan.kept import Kept
from mindport.scan.scan import scan

SETTINGS = Settings()


@dataclass(frozen=True)
class Uses:
    """The reporter that tells which APIs a file uses, and who has looked at it. Ends the process at the file
    `deadly`."""

    deadly: str = ""

    def file(self, path, found):
        if Path(path).name == self.deadly:
            os._exit(3)
        return Path(path).name, {placed.finding.use.api for placed in found.findings}

    def unreadable(self, path, error):
        return Path(path).name, str(error)


class Places:
    """The reporter that tells where the findings of a file are."""

    def file(self, path, found):
        return Path(path).name, [placed.start for placed in found.findings]

    def unreadable(self, path, error):
        return Path(path).name, str(error)


@pytest.fixture(params=[3, 40], ids=["in this process", "in others"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A package, the functions of which are called in another file each."""
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text("")
    for number in range(request.param):
        text = f"import torch\ndef f{number}(x):\n    return x.view(1)\n"
        text += f"from .m{number + 1} import f{number + 1}\nf{number + 1}(torch.ones({number}))\n"
        (tmp_path / "pkg" / f"m{number}.py").write_text(text)
    return tmp_path / "pkg"


@pytest.fixture
def engine() -> Iterator[Kept]:
    with Kept(2) as engine:
        yield engine


def test_another_reporter_says_the_same_as_in_a_scan_of_its_own(folder: Path, engine: Kept) -> None:
    files = discover([folder], [])
    for reporter in (Uses(), Places(), Uses()):
        kept = list(scan(files, SETTINGS, reporter, engine=engine))
        assert kept == list(scan(files, SETTINGS, reporter, 2))
        assert all(found for name, found in kept if name != "__init__.py")


def test_some_of_the_files(folder: Path, engine: Kept) -> None:
    files = discover([folder], [])
    every = dict(scan(files, SETTINGS, Uses(), engine=engine))
    some = files._replace(files=files.files[:2])
    assert dict(scan(some, SETTINGS, Uses(), engine=engine)) == dict(list(every.items())[:2])


def test_what_was_found_is_kept(tmp_path: Path, engine: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one.py").write_text("import torch\ntorch.ones(1)\n")
    files = discover([tmp_path], [])
    first = list(scan(files, SETTINGS, Places(), engine=engine))
    monkeypatch.setattr(Session, "arguments", None)
    monkeypatch.setattr(Session, "definitions", None)
    assert list(scan(files, SETTINGS, Places(), engine=engine)) == first


@pytest.mark.parametrize("folder", [40], indirect=True, ids=["in others"])
def test_a_process_that_ends_knows_the_rest(folder: Path, engine: Kept) -> None:
    files = discover([folder], [])
    expected = dict(scan(files, SETTINGS, Uses(), engine=engine))
    found = dict(scan(files, SETTINGS, Uses(deadly="m7.py"), engine=engine))
    assert "exit code 3" in found.pop("m7.py")
    del expected["m7.py"]
    assert found == expected
    assert list(scan(files, SETTINGS, Places(), engine=engine)) == list(scan(files, SETTINGS, Places(), 2))
