"""Scanning a project: the same result whatever the number of processes, and whatever is wrong with a file."""

from __future__ import annotations

import gc
import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from mindport.project.discover import Discovery, PathProblem, discover
from mindport.project.setting_table import Settings
from mindport.scan import division, pool, tasks
from mindport.scan.division import divide, divide_by_imports
from mindport.scan.pool import processors
from mindport.scan.scan import scan
from mindport.scan.tasks import ScanFile
from mindport.source.decode import SourceError
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings


class Entry(NamedTuple):
    path: str
    apis: tuple[str, ...]
    error: str


class Reporter:
    """What a file uses. Ends the process, or fails, at files of certain names."""

    def file(self, path: str, found: FileFindings) -> Entry:
        if path.endswith("ends_the_process.py"):
            os._exit(5)
        if path.endswith("fails.py"):
            raise RuntimeError("cannot count")
        uses = (f"{placed.finding.use.api}:{placed.start}" for placed in found.findings)
        return Entry(path, tuple(uses), "")

    def unreadable(self, path: str, error: TextError) -> Entry:
        return Entry(path, (), str(error))


def write(top: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def many(number: int) -> dict[str, str]:
    """A package whose modules use torch through each other, and scripts of the same names in two folders."""
    files = {"pkg/__init__.py": "from .m0 import sinh\n", "pkg/m0.py": "from torch import sinh, cos as c\n"}
    for n in range(1, number):
        files[f"pkg/m{n}.py"] = (
            f"from .m{n - 1} import sinh, c\nfrom pkg import sinh as s\n\ndef f(x):\n    return sinh(c(s(x)))\n"
        )
    files["pkg/twice.py"] = "from torch import sin as what\nwhat(1)\n"
    files["pkg/twice/__init__.py"] = "from torch import tan as what\nwhat(1)\n"
    files["pkg/uses_twice.py"] = "from .twice import what\nwhat(1)\n"
    for folder, function in (("a", "exp"), ("b", "log")):
        files[f"{folder}/tools.py"] = f"from torch import {function} as tool\n"
        files[f"{folder}/train.py"] = "from tools import tool\ntool(1)\n"
    files["a/not-a-name.py"] = "from tools import tool\ntool(1)\n"
    return files


def entries(top: Path, jobs: int, settings: Settings | None = None) -> list[Entry]:
    settings = settings or Settings()
    made = scan(discover([top], settings.exclude), settings, Reporter(), jobs)
    return [entry._replace(path=os.path.relpath(entry.path, top).replace(os.sep, "/")) for entry in made]


@pytest.mark.parametrize("jobs", [2, 3, 0])
def test_the_number_of_processes_makes_no_difference(
    tmp_path: Path, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, many(40))
    monkeypatch.setattr(division, "_SMALLEST_LIST", 300)
    alone = entries(tmp_path, 1)
    assert entries(tmp_path, jobs) == alone
    assert len(alone) == 49
    assert [entry.path for entry in alone] == [
        path.relative_to(tmp_path).as_posix() for path in sorted(tmp_path.rglob("*.py"))
    ]


def test_files_see_the_modules_they_import(tmp_path: Path) -> None:
    write(tmp_path, many(3))
    apis = {entry.path: {api.split(":")[0] for api in entry.apis} for entry in entries(tmp_path, 1)}
    assert apis["pkg/m2.py"] == {"torch.sinh", "torch.cos"}
    assert apis["a/train.py"] == {"torch.exp"}
    assert apis["b/train.py"] == {"torch.log"}
    assert apis["a/not-a-name.py"] == {"torch.exp"}
    assert apis["pkg/twice.py"] == {"torch.sin"}
    assert apis["pkg/uses_twice.py"] == {"torch.tan"}


def test_the_order_of_the_paths_makes_no_difference(tmp_path: Path) -> None:
    write(tmp_path, many(20))
    found = discover([tmp_path], ())
    shuffled = list(found.files)
    random.Random(5).shuffle(shuffled)
    inputs = (found, Discovery(shuffled, []))
    first, second = (list(scan(given, Settings(), Reporter(), 1)) for given in inputs)
    assert first == second


@pytest.mark.slow
def test_memory_is_given_back_without_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, many(20))
    before = entries(tmp_path, 1)
    monkeypatch.setattr(pool, "bytes_kept", lambda processes: 200)
    monkeypatch.setattr(
        gc, "unfreeze", gc.freeze
    )  # else what all tests have made is looked through each time
    assert entries(tmp_path, 1) == before


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failure_of_ours_is_told_and_the_rest_goes_on(
    tmp_path: Path, jobs: int, caplog: pytest.LogCaptureFixture
) -> None:
    write(tmp_path, many(40) | {"pkg/fails.py": "import torch\n"})
    made = {entry.path: entry for entry in entries(tmp_path, jobs)}
    assert "RuntimeError: cannot count" in made["pkg/fails.py"].error
    assert [entry.path for entry in made.values() if entry.error] == ["pkg/fails.py"]
    if jobs == 1:
        assert "cannot count" in caplog.text  # with its traceback, for a report of the failure


def test_a_process_that_ends_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    write(tmp_path, many(40))
    before = entries(tmp_path, 2)
    write(tmp_path, {"pkg/ends_the_process.py": "import torch\n"})
    after = {entry.path: entry for entry in entries(tmp_path, 2)}
    lost = after.pop("pkg/ends_the_process.py")
    assert "exit code 5" in lost.error
    assert list(after.values()) == before


@pytest.mark.parametrize("jobs", [1, 2])
def test_files_that_cannot_be_read_are_told_and_the_rest_goes_on(tmp_path: Path, jobs: int) -> None:
    write(tmp_path, many(40))
    (tmp_path / "pkg" / "binary.py").write_bytes(b"import torch\0")
    (tmp_path / "pkg" / "latin.py").write_bytes(b"x = '\xe9'\n")
    (tmp_path / "pkg" / "cookie.py").write_bytes(b"# coding: nonsense\n")
    (tmp_path / "pkg" / "empty.py").write_bytes(b"")
    made = {entry.path: entry for entry in entries(tmp_path, jobs)}
    wrong = {path: entry.error for path, entry in made.items() if entry.error}
    assert set(wrong) == {"pkg/binary.py", "pkg/latin.py", "pkg/cookie.py"}
    assert "NUL" in wrong["pkg/binary.py"]
    assert "UTF-8" in wrong["pkg/latin.py"]
    assert "nonsense" in wrong["pkg/cookie.py"]
    assert made["pkg/empty.py"].apis == ()


def test_paths_that_were_not_found_are_in_their_place(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "", "c.py": ""})
    found = discover([tmp_path / "c.py", tmp_path / "b.py", tmp_path / "a.py"], ())
    made = list(scan(found, Settings(), Reporter(), 1))
    assert [(Path(entry.path).name, bool(entry.error)) for entry in made] == [
        ("a.py", False),
        ("b.py", True),
        ("c.py", False),
    ]


def test_a_file_that_goes_away_meanwhile(tmp_path: Path) -> None:
    gone = tmp_path / "gone.py"
    (entry,) = scan(Discovery([gone], []), Settings(), Reporter(), 1)
    assert "No such file" in entry.error


def test_a_path_is_one_entry_even_if_found_and_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    error = SourceError(tasks._FAILED, error="x")
    made = list(scan(Discovery([path], [PathProblem(path, error)]), Settings(), Reporter(), 1))
    assert len(made) == 1


def test_nothing_to_scan() -> None:
    assert list(scan(Discovery([], []), Settings(), Reporter(), 0)) == []


def test_settings_are_those_given(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "import torch\ntorch.sin(1)\n"})

    class Codes(Reporter):
        def file(self, path: str, found: FileFindings) -> Entry:
            return Entry(path, tuple(placed.code or "" for placed in found.diagnostics()), "")

    found = discover([tmp_path], ())
    shown = [
        next(iter(scan(found, Settings(select=select), Codes(), 1))).apis for select in (("MP1",), ("MP3",))
    ]
    assert shown == [("MP101",), ()]


def planned(sizes: Sequence[tuple[str, int]], tmp_path: Path, roots: str = "r") -> list[ScanFile]:
    files = []
    for place, (name, size) in enumerate(sizes):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"#" * size)
        files.append(ScanFile(place, path, (Path(roots),)))
    return files


def test_lists_hold_every_file_once(tmp_path: Path) -> None:
    sizes = [(f"{folder}/{n}.py", 10_000 * n) for folder in "abc" for n in range(12)]
    files = planned(sizes, tmp_path)
    lists = divide(files, 16)
    assert sorted(file for files in lists for file in files) == sorted(files)
    assert len(lists) > 4
    assert lists[0][0].place == 0
    largest = max(sum(file.path.stat().st_size for file in files) for files in lists)
    assert largest < sum(size for _, size in sizes) / 4


def test_small_folders_share_a_list_only_with_the_same_roots(tmp_path: Path) -> None:
    names = [(f"{n}/a.py", 10) for n in range(6)]
    assert len(divide(planned(names, tmp_path), 2)) == 1
    mixed = planned(names[:3], tmp_path, "r") + [
        file._replace(place=file.place + 3) for file in planned(names[3:], tmp_path, "s")
    ]
    assert [len(files) for files in divide(mixed, 2)] == [3, 3]


def test_files_that_import_the_same_large_module_are_together(tmp_path: Path) -> None:
    sizes = [(f"models/{letter}.py", 50_000) for letter in "abcdefghijklmnop"]
    files = planned([*sizes, ("models/q.py", 80_000)], tmp_path)
    (tmp_path / "models" / "a.py").write_text("from .q import Q\n" + "#" * 20_000)
    (tmp_path / "models" / "c.py").write_text("from models.q import Q\n" + "#" * 20_000)
    plain, lists = divide(files, 2), divide_by_imports(files, 2)
    assert sorted(file for part in lists for file in part) == files
    assert min(len(part) for part in lists) >= 7
    home = {file.path.stem: number for number, part in enumerate(lists) for file in part}
    assert home["a"] == home["c"] == home["q"] == 1
    assert {file.path.stem for file in plain[0]} >= {"a", "c"}


def test_large_modules_that_everything_imports_do_not_fill_a_list(tmp_path: Path) -> None:
    files = planned([(f"{letter}.py", 100_000) for letter in "abcdefgh"], tmp_path)
    for file in files:
        file.path.write_text("from a import A\n" + "#" * 100_000)
    assert [len(part) for part in divide_by_imports(files, 2)] == [4, 4]


def test_what_many_files_import_keeps_none_of_them_together(tmp_path: Path) -> None:
    files = planned([(f"{letter}/{n}.py", 40_000) for letter in "abcdefgh" for n in range(4)], tmp_path)
    for file in files[::3]:
        file.path.write_text("from a import large\n" + "#" * 40_000)
    files += planned([("z/large.py", 90_000)], tmp_path)
    files = [file._replace(place=place) for place, file in enumerate(files)]
    assert divide_by_imports(files, 2) == divide(files, 2)


def test_folders_that_import_from_each_other_come_together(tmp_path: Path) -> None:
    half = 40
    sizes = [10_000 + 100 * (number % half) for number in range(2 * half)]
    files = planned([(f"p{n:02}/m{n:02}.py", size) for n, size in enumerate(sizes)], tmp_path)
    for number, file in enumerate(files[half:]):
        file.path.write_text(f"from p{number:02}.m{number:02} import A\n" + "#" * (sizes[number] - 27))
    assert [len(part) for part in divide(files, 2)] == [half, half]
    lists = divide_by_imports(files, 2)
    assert sorted(file for part in lists for file in part) == files
    assert all(part == sorted(part) for part in lists)
    homes = {file.path.stem: number for number, part in enumerate(lists) for file in part}
    assert all(homes[f"m{n:02}"] == homes[f"m{n + half:02}"] for n in range(half))
    assert abs(len(lists[0]) - half) <= 2


def test_lists_of_different_roots_stay_apart(tmp_path: Path) -> None:
    first = planned([(f"r/{letter}.py", 90_000) for letter in "abcd"], tmp_path, "r")
    second = planned([(f"s/{letter}.py", 90_000) for letter in "abcd"], tmp_path, "s")
    (tmp_path / "r" / "a.py").write_text("from d import D\n" + "#" * 90_000)
    both = first + [file._replace(place=file.place + 4) for file in second]
    for part in divide_by_imports(both, 3):
        assert len({file.roots for file in part}) == 1


def test_processors() -> None:
    assert 1 <= processors() <= (os.cpu_count() or 1)
