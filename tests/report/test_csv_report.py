"""The report as CSV."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from making import HOSTILE, report

SOURCE = "import torch\n名 = torch.relu(1); torch.nn.ReLU(inplace=True)\nx = torch.ops.nothing(\n"


def rows(text: str) -> list[dict[str, str]]:
    assert text.startswith("\ufeff")
    assert text.endswith("\r\n") and "\n" not in text.replace("\r\n", "")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True))


def test_every_use_has_a_row(tmp_path: Path) -> None:
    found = rows(report("csv", tmp_path, {"a.py": SOURCE}))
    assert ",".join(found[0]) == (
        "file,cell,line,column,api,kind,certainty,status,code,severity,target,versions,devices,what differs,fix,"
        "message"
    )
    relu = next(row for row in found if row["api"] == "torch.relu")
    assert relu["file"].endswith("/a.py")
    assert (relu["line"], relu["column"], relu["status"], relu["code"]) == ("2", "5", "equivalent", "MP101")
    assert (relu["severity"], relu["target"], relu["fix"]) == ("hint", "mindspore.ops.relu", "review")
    layer = next(row for row in found if row["api"] == "torch.nn.ReLU")
    assert (layer["status"], layer["code"]) == ("differs", "MP201")
    assert "`inplace`" in layer["what differs"] and layer["what differs"] in layer["message"]
    assert [row["message"] for row in found if row["status"] == "problem"]


def test_versions_and_why_there_is_no_counterpart(tmp_path: Path) -> None:
    found = rows(report("csv", tmp_path, {"a.py": "import torch\ntorch.relu(torch.jit.Final)\n"}))
    known, missing = found[1:]
    assert (known["api"], known["versions"]) == ("torch.relu", "≥ 2.0")
    assert (missing["status"], missing["versions"]) == ("no equivalent", "")
    assert missing["what differs"].startswith("Part of TorchScript")
    assert missing["what differs"] in missing["message"]


def test_chinese(tmp_path: Path) -> None:
    found = rows(report("csv", tmp_path, {"a.py": SOURCE}, "zh-cn"))
    assert next(row for row in found if row["接口"] == "torch.relu")["状态"] == "等价"


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1", "@SUM(1)", "\tx", "\rx", "＝1"])
def test_no_cell_is_a_formula(start: str) -> None:
    from mindport.language import Text
    from mindport.report.csv_report import CsvReport
    from mindport.source.error import TextError

    message = Text('bad, "very"\nbad', "坏")
    made = CsvReport("en")
    text = made.head() + made.unreadable(f"{start}.py", TextError(message)).text
    (row,) = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    assert row["file"] == f"'{start}.py"
    assert row["message"] == 'bad, "very"\nbad'


def test_odd_names(tmp_path: Path) -> None:
    name = HOSTILE.replace("/", ";") + ", 火.py"
    found = rows(report("csv", tmp_path, {name: SOURCE}))
    assert {Path(row["file"]).name for row in found} == {name}
