"""A project too large to be kept: what a scan finds does not depend on what it drops, and when."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from corpus import VIT_PYTORCH, CorpusError, corpus
from mindport.callgraph.argument_facts import Given
from mindport.index.definitions import NO_DICT, NO_LIST, NO_SET
from mindport.index.memo import EMPTY, NO_BLOCKS, NO_PLACES
from mindport.project.dependencies import FileArguments
from mindport.project.setting_table import Settings
from mindport.report.json_report import JsonReport
from mindport.scan.scan import scan_files
from mindport.scan.scanner import Scanner
from mindport.scan.tasks import AnalyseFile, CollectArguments, FileResult, ScanFile, TakeArguments
from mindport.source import document

_ENOUGH = 10**9


def scanned(files: list[ScanFile], most_kept: int, is_large: bool) -> list[object]:
    """What is found in each file, after two rounds."""
    settings = Settings()
    scanner = Scanner(settings, JsonReport(settings.ported_to, "en"), most_kept, is_large)
    for _ in range(2):
        given: dict[str, Given] = {}
        for file in files:
            told = scanner.handle(CollectArguments(file))
            if isinstance(told, FileArguments) and told.given is not None:
                given[str(file.path)] = told.given
        scanner.handle(TakeArguments(given))
    results = [scanner.handle(AnalyseFile(file)) for file in files]
    empty = NO_LIST, NO_DICT, NO_SET, EMPTY, NO_BLOCKS, NO_PLACES
    assert not any(empty), "nothing is put into what is empty for all"
    return [result.entry for result in results if isinstance(result, FileResult)]


@pytest.fixture(scope="module")
def package() -> list[ScanFile]:
    try:
        folder = corpus(*VIT_PYTORCH)
    except CorpusError as error:
        pytest.skip(str(error))
    return scan_files(sorted(folder.rglob("*.py")))


@pytest.fixture(scope="module")
def with_everything_kept(package: list[ScanFile]) -> list[object]:
    return scanned(package, _ENOUGH, is_large=False)


@pytest.mark.slow
@pytest.mark.xdist_group("large projects")
@pytest.mark.parametrize("most_kept", [1, 60_000, 200_000, _ENOUGH])
def test_what_is_dropped_is_found_again(
    package: list[ScanFile], with_everything_kept: list[object], most_kept: int
) -> None:
    assert scanned(package, most_kept, is_large=True) == with_everything_kept


def test_what_nobody_relies_on_goes_first(tmp_path: Path) -> None:
    """Files that use what others share are dropped, what is shared stays."""
    shared = "import torch\ndef scale(x):\n    return torch.relu(x)\n" + "# " + "a" * 500 + "\n"
    (tmp_path / "shared.py").write_text(shared, "utf-8")
    for number in range(60):
        text = (
            f"from shared import scale\ndef run{number}(x):\n    return scale(x).abs()\n" + "# " + "b" * 500
        )
        (tmp_path / f"user_{number:02}.py").write_text(text + "\n", "utf-8")
    files = scan_files(sorted(tmp_path.glob("*.py")))
    settings = Settings()
    scanner = Scanner(settings, JsonReport(settings.ported_to, "en"), 10_000, is_large=True)
    reads: list[str] = []
    opened = Path.open

    def open_noted(path: Path, *arguments: object, **named: object) -> object:
        reads.append(path.name)
        return opened(path, *arguments, **named)  # type: ignore[call-overload]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "open", open_noted)
        for _ in range(2):
            for file in files:
                scanner.handle(CollectArguments(file))
    assert reads.count("shared.py") == 1
    assert reads.count("user_00.py") == 2


def test_what_others_found_is_kept_once(tmp_path: Path) -> None:
    """What a file gives is known as it was found here; of another process's, what is equal is one."""
    (tmp_path / "own.py").write_text("import torch\ndef f(x):\n    return x\nf(torch.ones(1))\n", "utf-8")
    file = scan_files([tmp_path / "own.py"])[0]
    settings = Settings()
    scanner = Scanner(settings, JsonReport(settings.ported_to, "en"), _ENOUGH, is_large=True)
    told = scanner.handle(CollectArguments(file))
    assert isinstance(told, FileArguments) and told.given
    sent: dict[str, Given] = pickle.loads(pickle.dumps({str(file.path): told.given, "/other.py": told.given}))
    scanner.handle(TakeArguments(sent))
    assert scanner._facts.by(str(file.path)) is told.given
    others = pickle.loads(pickle.dumps({"/third.py": told.given}))
    scanner.handle(TakeArguments(others))
    second, third = scanner._facts.by("/other.py"), scanner._facts.by("/third.py")
    assert second == third == told.given
    assert all(second[key] is third[key] for key in second)


def test_of_a_file_only_what_findings_ask_about_is_parsed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.py"
    method = "    def is_layer(self, x):\n        return isinstance(x, nn.Linear)\n"
    test = "if isinstance(x, nn.Linear):\n    x = None\n"
    path.write_text(
        f"from torch import nn\nx = nn.Linear(1, 2)\nclass A:\n    y = 1\n{method}    z = 2\n{test}x = 3\n"
    )
    (file,) = scan_files([path])
    parsed: list[bytes] = []

    def record(patch: pytest.MonkeyPatch, name: str) -> None:
        parse = getattr(document, name)
        patch.setattr(document, name, lambda data: parsed.append(data) or parse(data))

    entries, texts = [], []
    for is_large in (False, True):
        settings = Settings()
        scanner = Scanner(settings, JsonReport(settings.ported_to, "en"), _ENOUGH, is_large)
        scanner.handle(CollectArguments(file))
        with monkeypatch.context() as patch:
            record(patch, "parse")
            record(patch, "parse_member")
            result = scanner.handle(AnalyseFile(file))
        assert isinstance(result, FileResult)
        entries.append(result.entry)
        texts.append([*parsed])
        parsed.clear()
    assert entries[0] == entries[1]
    assert texts[0] == []
    assert set(texts[1]) == {method.encode() + b"    ", test.encode()}
