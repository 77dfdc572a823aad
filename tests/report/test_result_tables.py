"""What a scan found as the rows of tables."""

from __future__ import annotations

from typing import Any

import pytest
from findings import found_in
from making import HOSTILE
from mindport.language import LANGUAGES, Language, Text
from mindport.report.result_tables import TABLES, results_entry
from mindport.report.scan_rows import ScannedFile, ScannedFiles
from mindport.source.error import TextError

SOURCE = (
    "import torch\n"
    "层 = '😀', torch.nn.Conv2d(3, 4, 5)\n"
    "b = torch.nn.Conv2d(1, 2, 3)\n"
    "c = torch.nn.ReLU(inplace=True); d = torch.jit.Final\n"
    "def f(unknown):\n"
    "    return unknown.sum(0)\n"
    "e = (torch\n"
    "     .nn.Conv2d)\n"
)


def scanned(path: str, source: str, language: Language = "en", **settings: object) -> ScannedFile:
    _, found = found_in(source, **settings)
    return ScannedFiles(language, "utf-16").file(path, found)


def entry(*files: ScannedFile, language: Language = "en") -> dict[str, Any]:
    by_uri = {f"file:///{file.path}": file for file in files}
    return results_entry(by_uri, language, lambda name: f"https://docs/{name}")


def row(made: dict[str, Any], api: str) -> dict[str, Any]:
    [found] = [row for row in made["rows"] if row["api"] == api]
    return dict(found)


def texts(source: str, places: list[list[int]]) -> list[tuple[int, str]]:
    """The file of each place and the text there, cut out by counting UTF-16 units."""
    lines = [line.encode("utf-16-le") for line in source.split("\n")]
    found = []
    for number, cell, *numbers in places:
        assert cell == 0
        for line, start, more, end in zip(*[iter(numbers)] * 4, strict=True):
            parts = [*lines[line : line + more], lines[line + more][: 2 * end]]
            parts[0] = parts[0][2 * start :]
            found.append((number, "\n".join(part.decode("utf-16-le") for part in parts)))
    return found


def test_one_row_for_an_api_with_all_its_places() -> None:
    made = entry(scanned("a.py", SOURCE), scanned("b.py", "import torch\ntorch.nn.Conv2d(1, 2, 3)\n"))
    found = [each for each in made["rows"] if each["api"] == "torch.nn.Conv2d"]
    together = [place for each in found for place in texts(SOURCE, each["places"]) if place[0] == 0]
    assert sorted(together) == [(0, "torch\n     .nn.Conv2d"), (0, "torch.nn.Conv2d"), (0, "torch.nn.Conv2d")]
    assert any([group[0] for group in each["places"]] == [0, 1] for each in found)
    assert len({each["fix"] for each in found}) == len(found)
    assert [file["path"] for file in made["files"]] == ["a.py", "b.py"]
    assert found[0]["becomes"] == found[0]["target"] == "mindspore.mint.nn.Conv2d"
    assert found[0]["link"] == "https://docs/mindspore.mint.nn.Conv2d"
    assert found[0]["versions"].startswith("≥ 2.") and "Ascend" in found[0]["devices"]


def test_every_use_is_in_one_table() -> None:
    file = scanned("a.py", SOURCE)
    made = entry(file)
    places = sum((len(group) - 2) // 4 for row in made["rows"] for group in row["places"])
    assert places == len(file.uses) == sum(table["uses"] for table in made["tables"])
    assert [len([r for r in made["rows"] if r["table"] == t["id"]]) for t in made["tables"]] == [
        table["rows"] for table in made["tables"]
    ]


def test_an_import_stands_with_what_it_imports() -> None:
    source = (
        "from torch.optim.lr_scheduler import StepLR\n"
        "from torch.nn import ReLU\n"
        "def f(optimizer):\n    return StepLR(optimizer, 1)\n"
    )
    made = entry(scanned("a.py", source))
    assert [text for _, text in texts(source, row(made, "torch.optim.lr_scheduler.StepLR")["places"])] == [
        "StepLR",
        "StepLR",
    ]
    assert len(texts(source, row(made, "torch.nn.ReLU")["places"])) == 1  # with nothing to stand with


def test_a_call_that_goes_is_told_to_go() -> None:
    source = "import torch\ntorch.ones(2).to('cuda')\n"
    found = row(entry(scanned("a.py", source)), "torch.Tensor.to")
    assert (found["becomes"], found["differs"]) == ("", "The call is not needed: remove it.")
    found = row(entry(scanned("a.py", source, "zh-cn"), language="zh-cn"), "torch.Tensor.to")
    assert (found["becomes"], found["differs"]) == ("", "不需要此调用，请移除。")


@pytest.mark.parametrize(
    ("api", "table", "status"),
    [
        ("torch.nn.ReLU", "differs", "differs"),
        ("torch.jit.Final", "missing", "missing"),
        ("torch.Tensor.sum", "possible", "equivalent"),
    ],
)
def test_tables(api: str, table: str, status: str) -> None:
    found = row(entry(scanned("a.py", SOURCE)), api)
    assert (found["table"], found["status"]) == (table, status)
    assert table == "possible" or found["differs"]


def test_what_is_not_shown_has_no_code() -> None:
    found = row(entry(scanned("a.py", SOURCE, ignore=("MP2",))), "torch.nn.ReLU")
    assert (found["code"], found["fix"], found["table"]) == (None, "none", "differs")


def test_an_empty_scan_has_the_tables() -> None:
    made = entry()
    assert [table["id"] for table in made["tables"]] == [name for name in TABLES if name != "unmapped"]
    assert made["rows"] == [] and not any(table["rows"] for table in made["tables"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_language(language: Language) -> None:
    made = entry(scanned("a.py", SOURCE, language), language=language)
    is_chinese = language == "zh-cn"
    assert made["tables"][0]["title"] == ("可转换" if is_chinese else "Convertible")
    assert made["statuses"]["equivalent"] == ("等价" if is_chinese else "equivalent")
    assert set(made["columns"]) == {
        *("api", "becomes", "status", "versions", "devices", "differs", "number", "fix", "code")
    }
    assert {row["fix"] for row in made["rows"]} <= set(made["fixes"])


def test_problems_name_their_file() -> None:
    lost = ScannedFiles("en", "utf-16").unreadable(HOSTILE, TextError(Text("It is lost", "丢失")))
    made = entry(scanned("a.py", "import torch\n"), lost)
    assert made["problems"] == [{"file": 1, "message": "It is lost", "line": 1, "column": 1}]
    assert made["files"][1]["path"] == HOSTILE
