"""The JSON report: its form, and what it says of every use."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from findings import found_in
from mindport.catalog.target import Target
from mindport.language import LANGUAGES, Language, Text
from mindport.report.json_report import JsonReport, file_report, report, unreadable_report
from mindport.report.summary import UNREADABLE, Totals, summarise
from mindport.source.decode import SourceError

SCHEMA = json.loads((Path(__file__).parent / "scan.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
SOURCE = (
    "import torch\n"
    "from torch import nn\n"
    "名 = '变量'; x = torch.zeros(2, 3)  # 😀\r\n"
    "class 网络(nn.Module):\n"
    "\tdef __init__(self):\n"
    "\t\tself.全连接 = '😀😀'; self.fc = nn.Linear(1, 2)\n"
    "y = torch.ops.nothing_of_the_kind(x)\n"
)
LINES = SOURCE.replace("\r\n", "\n").split("\n")
LOST = SourceError(Text("{path} is lost", "{path} 丢失"), path="a.py")


def entry(source: str, language: Language = "en", **settings: object) -> dict[str, Any]:
    _, found = found_in(source, **settings)
    return file_report("a.py", found, language)


def whole(*entries: dict[str, Any]) -> dict[str, Any]:
    return report(Target(), entries, Totals())


def spanned(use: dict[str, Any]) -> str:
    assert use["start"]["line"] == use["end"]["line"]
    return LINES[use["start"]["line"] - 1][use["start"]["column"] - 1 : use["end"]["column"] - 1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("source", [SOURCE, "", "import torch\nx = torch.zeros(\n", "\ufeffimport torch\n"])
def test_form(source: str, language: Language) -> None:
    VALIDATOR.validate(whole(entry(source, language)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("settings", [{}, {"ignore": ("MP2",)}, {"device": "cpu"}])
def test_an_entry_says_what_the_findings_say(settings: dict[str, Any], language: Language) -> None:
    _, found = found_in(SOURCE, **settings)
    text = SOURCE.encode()

    def place(offset: int) -> dict[str, int]:
        before = text[:offset].decode()
        return {"line": before.count("\n") + 1, "column": len(before.rpartition("\n")[2]) + 1}

    expected = []
    for placed in found.findings:
        finding, is_shown = placed.finding, placed in found.diagnostics()
        said = {
            "api": finding.use.api,
            "kind": finding.use.kind,
            "certainty": finding.use.certainty.value,
            "start": place(placed.shift + finding.use.start),
            "end": place(placed.shift + finding.use.end),
            "status": finding.status,
            "code": finding.code if is_shown else None,
            "severity": finding.severity.value if is_shown else "none",
            "targets": list(finding.targets),
            "fix": finding.fix if is_shown else "none",
            "message": finding.message(language) if is_shown else "",
        }
        expected.append(said)
    assert entry(SOURCE, language, **settings)["uses"] == expected
    assert any(use["message"] for use in expected)


def test_the_schema_refuses_what_is_not_in_the_contract() -> None:
    use = {**next(use for use in entry(SOURCE)["uses"] if use["code"])}
    good = whole({"path": "a.py", "uses": [use], "problems": []})
    VALIDATOR.validate(good)
    for key, value in (("kind", "x"), ("start", {"line": 0, "column": 1}), ("code", "MP1"), ("more", 1)):
        with pytest.raises(jsonschema.ValidationError):
            VALIDATOR.validate(whole({"path": "a.py", "uses": [{**use, key: value}], "problems": []}))


def test_positions_count_code_points_from_one() -> None:
    spans = {use["api"]: spanned(use) for use in entry(SOURCE)["uses"] if use["kind"] != "import"}
    assert spans["torch.zeros"] == "torch.zeros"
    assert spans["torch.nn.Module"] == "nn.Module"
    assert spans["torch.nn.Linear"] == "nn.Linear"


def test_a_use_spans_the_callee_even_where_the_finding_is_about_an_argument() -> None:
    uses = entry("import torch\nx = torch.zeros(3, requires_grad=True)\n")["uses"]
    (zeros,) = [use for use in uses if use["api"] == "torch.zeros"]
    assert (zeros["start"], zeros["end"]) == ({"line": 2, "column": 5}, {"line": 2, "column": 16})
    assert zeros["code"] == "MP201"


def test_every_use_is_listed_also_without_a_finding() -> None:
    everything = entry(SOURCE)["uses"]
    chosen = entry(SOURCE, select=("MP3",))["uses"]
    assert [use["api"] for use in chosen] == [use["api"] for use in everything]
    assert {use["code"] for use in everything} > {None}
    for use in chosen:
        if use["code"] is None:
            assert (use["severity"], use["fix"], use["message"]) == ("none", "none", "")


def test_messages_of_uses_that_are_alike_name_what_each_assigns_to() -> None:
    source = "import torch\na = torch.zeros(3)\nb = torch.zeros(3)\na.requires_grad = True\nb.requires_grad = True\n"
    _, found = found_in(source)
    uses = [one for one in file_report("a.py", found, "en")["uses"] if one["code"] == "MP209"]
    assert [re.findall(r"`(\w+)\.requires_grad = ", one["message"]) for one in uses] == [["a"], ["b"]]
    shown, again = (one.finding for one in found.findings if one.code == "MP209")
    assert "a." not in (shown.telling or "a.")
    assert again.telling is None  # it says the same again: a hint


def test_a_suppressed_finding_leaves_the_use() -> None:
    uses = entry("import torch\nx = torch.sin(3)  # mindport: ignore\ny = torch.sin(3)\n")["uses"]
    assert [use["code"] for use in uses if use["api"] == "torch.sin"] == [None, "MP101"]


def test_messages_are_in_the_language() -> None:
    english, chinese = (
        next(use["message"] for use in entry(SOURCE, language)["uses"] if use["code"])
        for language in LANGUAGES
    )
    assert english != chinese
    assert not re.search("[\u4e00-\u9fff]", english)
    assert re.search("[\u4e00-\u9fff]", chinese)


def test_what_does_not_parse_is_a_problem_and_the_rest_is_there() -> None:
    broken = entry("import torch\nx = torch.zeros(2)\ndef f(:\n    pass\ny = torch.ones(3)\n")
    assert {use["api"] for use in broken["uses"]} >= {"torch.zeros", "torch.ones"}
    assert [(problem["line"]) for problem in broken["problems"]] == [3]


def test_an_unreadable_file_has_one_problem() -> None:
    made = unreadable_report("a.py", LOST, "zh-cn")
    assert made == {
        "path": "a.py",
        "uses": [],
        "problems": [{"message": "a.py 丢失", "line": 1, "column": 1}],
    }
    VALIDATOR.validate(whole(made))


def test_the_stream_is_the_whole_report() -> None:
    _, found = found_in(SOURCE)
    stream = JsonReport(Target("2.9", "cpu", "mint"), "en")
    totals = Totals()
    parts = [stream.file("a.py", found), stream.unreadable("b.py", LOST), stream.file("c.py", found)]
    for part in parts:
        totals.add(part.summary)
    text = stream.head() + stream.between.join(part.text for part in parts) + stream.tail(totals)
    decoded = json.loads(text)
    VALIDATOR.validate(decoded)
    assert decoded["target"] == {"version": "2.9", "device": "cpu", "style": "mint"}
    assert [file["path"] for file in decoded["files"]] == ["a.py", "b.py", "c.py"]
    assert decoded["files"][0] == file_report("a.py", found, "en")
    summary = decoded["summary"]
    assert summary["files"] == 3
    assert summary["lines"] == 2 * 7
    assert summary["uses"] == 2 * len(found.findings) == sum(summary["by_status"].values())
    assert decoded == report(Target("2.9", "cpu", "mint"), decoded["files"], totals)
    assert len(text.splitlines()) == 5  # one line for each file


def test_no_files() -> None:
    stream = JsonReport(Target(), "en")
    decoded = json.loads(stream.head() + stream.tail(Totals()))
    VALIDATOR.validate(decoded)
    assert decoded["files"] == []


def test_a_name_that_is_no_unicode_can_be_written() -> None:
    part = JsonReport(Target(), "zh-cn").unreadable("a\udcff.py", LOST)
    assert json.loads(part.text.encode())["path"] == "a\udcff.py"
    assert "丢失" in JsonReport(Target(), "zh-cn").unreadable("a.py", LOST).text


@pytest.mark.parametrize(
    ("source", "lines"), [("", 0), ("a", 1), ("a\n", 1), ("a\n\n", 2), ("a\r\nb\rc", 3), ("a\fb\x0b\n", 1)]
)
def test_lines_are_counted_as_people_do(source: str, lines: int) -> None:
    _, found = found_in(source)
    assert summarise(found, (), 0).lines == lines


def test_totals() -> None:
    _, found = found_in(
        "import torch\n\ndef f(a, b):\n    return torch.cat([a, b]), torch.einsum('i,i', a)\n    x = (\n"
    )
    shown = found.diagnostics()
    totals = Totals()
    totals.add(summarise(found, shown, 2))
    totals.add(UNREADABLE)
    assert (totals.files, totals.unreadable, totals.problems) == (2, 1, 3)
    assert totals.findings == len(shown) > 0
    assert totals.safe_fixes == sum(placed.finding.fix == "safe" for placed in shown) > 0


def test_what_rules_about_code_found_is_listed_but_no_use() -> None:
    _, found = found_in(
        "import torch\n\n\ndef f():\n    x = torch.tensor([1, 0])\n    return ~x\n", device="cpu"
    )
    listed = file_report("a.py", found, "en")["uses"]
    assert [use["code"] for use in listed] == [None, "MP101", "MP208"]
    summary = summarise(found, found.diagnostics(), 0)
    assert (summary.uses, dict(summary.by_status)) == (2, {"equivalent": 2})
    assert sum(summary.severities.values()) == 2
