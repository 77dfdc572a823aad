"""`mindport scan`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from command_line import CommandLine, Result

SCHEMA = json.loads((Path(__file__).parents[1] / "report" / "scan.schema.json").read_text(encoding="utf-8"))
GOOD = "import torch\nx = torch.sin(1.0)\ny = torch.ops.nothing.like_this(x)\n"


def report(result: Result) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(result.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(made)
    return made


def codes(result: Result) -> set[str]:
    return {use["code"] for file in report(result)["files"] for use in file["uses"] if use["code"]}


def test_text(mindport: CommandLine) -> None:
    mindport.write("pkg/a.py", GOOD)
    code, out, err = mindport("scan", "pkg")
    assert (code, err) == (0, "")
    assert "pkg/a.py:2:5: hint MP101 [*] `torch.sin` → `mindspore.mint.sin`" in out
    assert "2 | x = torch.sin(1.0)\n  |     ^^^^^^^^^ → mindspore.mint.sin\n" in out
    assert "Files: 1; lines: 3;" in out
    assert "\x1b" not in out


def test_json(mindport: CommandLine) -> None:
    mindport.write("pkg/a.py", GOOD)
    mindport.write("pkg/b/c.py", "")
    result = mindport("scan", "pkg", "--format", "json")
    made = report(result)
    assert (result.code, result.err) == (0, "")
    assert [file["path"] for file in made["files"]] == ["pkg/a.py", "pkg/b/c.py"]
    assert made["summary"]["files"] == 2
    assert made["summary"]["lines"] == 3
    assert made["target"] == {"version": "2.10", "device": "ascend", "style": "auto"}


def test_several_paths_are_one_report(mindport: CommandLine) -> None:
    for name in ("b.py", "a/x.py", "c.py"):
        mindport.write(name, GOOD)
    made = report(mindport("scan", "c.py", "a", "b.py", "a/x.py", "--format", "json"))
    assert [file["path"] for file in made["files"]] == ["a/x.py", "b.py", "c.py"]


def test_options_change_the_result(mindport: CommandLine) -> None:
    mindport.write("a.py", "import torch\nx = torch.sin(1.0)\ny = torch.zeros(2, requires_grad=True)\n")
    base = ("scan", "a.py", "--format", "json")
    assert {"MP101", "MP201"} <= codes(mindport(*base))
    assert codes(mindport(*base, "--select", "MP2")) == {"MP201"}
    assert codes(mindport(*base, "--select", "MP2,MP101", "--ignore", "MP20")) == {"MP101"}
    assert codes(mindport(*base, "--ignore", "MP1", "--ignore", "MP2")) == set()
    classic = report(mindport(*base, "--target", "2.9", "--device", "cpu", "--style", "classic"))
    assert classic["target"] == {"version": "2.9", "device": "cpu", "style": "classic"}
    targets = {target for use in classic["files"][0]["uses"] for target in use["targets"]}
    assert not any(target.startswith("mindspore.mint") for target in targets)


def test_graph_mode(mindport: CommandLine) -> None:
    mindport.write(
        "net.py",
        "from torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        del self\n        return x\n",
    )
    assert "MP401" not in codes(mindport("scan", "net.py", "--format", "json"))
    assert "MP401" in codes(mindport("scan", "net.py", "--format", "json", "--graph-mode"))
    mindport.write("pyproject.toml", "[tool.mindport]\ngraphMode = true\n")
    assert "MP401" in codes(mindport("scan", "net.py", "--format", "json"))
    assert "MP401" not in codes(mindport("scan", "net.py", "--format", "json", "--no-graph-mode"))


def test_the_language(mindport: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    mindport.write("a.py", GOOD)
    english, chinese = "hint MP101", "提示 MP101"
    assert english in mindport("scan", "a.py").out
    assert chinese in mindport("scan", "a.py", "--language", "zh-cn").out
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert chinese in mindport("scan", "a.py").out
    assert english in mindport("scan", "a.py", "--language=en").out
    mindport.write("pyproject.toml", '[tool.mindport]\nlanguage = "en"\n')
    assert english in mindport("scan", "a.py").out
    assert chinese in mindport("scan", "a.py", "--language=zh-cn").out


def test_settings_of_the_project_hold(mindport: CommandLine) -> None:
    mindport.write("project/pyproject.toml", '[tool.mindport]\nselect = ["MP3"]\nexclude = ["old"]\n')
    mindport.write("project/a.py", GOOD)
    mindport.write("project/old/b.py", GOOD)
    made = report(mindport("scan", "project", "--format", "json"))
    assert [file["path"] for file in made["files"]] == ["project/a.py"]
    assert {use["code"] for use in made["files"][0]["uses"]} <= {None, "MP301"}
    assert "MP101" in codes(mindport("scan", "project", "--format", "json", "--select", "MP"))


def test_the_exit_code_tells_of_findings_only_when_asked(mindport: CommandLine) -> None:
    mindport.write("a.py", GOOD)
    mindport.write("b.py", "x = 1\n")
    assert mindport("scan", "a.py").code == 0
    assert mindport("scan", "a.py", "--exit-code").code == 1
    assert mindport("scan", "a.py", "--exit-code", "--select", "MP9").code == 0
    assert mindport("scan", "b.py", "--exit-code").code == 0


@pytest.mark.parametrize("form", ["text", "json"])
def test_output_to_a_file(mindport: CommandLine, form: str) -> None:
    mindport.write("a.py", GOOD + "# 中文\n")
    printed = mindport("scan", "a.py", "--format", form, "--language", "zh-cn")
    written = mindport("scan", "a.py", "--format", form, "--language", "zh-cn", "-o", "out")
    assert (written.code, written.out, written.err) == (0, "", "")
    assert (mindport.folder / "out").read_text(encoding="utf-8") == printed.out
    assert sorted(path.name for path in mindport.folder.iterdir()) == ["a.py", "out"]


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be replaced")
def test_output_takes_the_place_of_an_older_file(mindport: CommandLine) -> None:
    mindport.write("a.py", GOOD)
    old = mindport.write("out", "old")
    with old.open(encoding="utf-8") as reader:
        assert mindport("scan", "a.py", "-o", "out").code == 0
        assert reader.read() == "old"  # whoever reads it still sees the whole of it
    assert old.read_text(encoding="utf-8") == mindport("scan", "a.py").out


def test_output_that_cannot_be_written(mindport: CommandLine) -> None:
    mindport.write("a.py", GOOD)
    for path in ("no/such/folder/out", "."):
        code, out, err = mindport("scan", "a.py", "-o", path)
        assert (code, out) == (2, "")
        assert "Cannot write" in err
    assert "无法写入" in mindport("scan", "a.py", "-o", "no/out", "--language", "zh-cn").err
    assert [path.name for path in mindport.folder.iterdir()] == ["a.py"]


def test_an_old_report_stays_when_a_new_one_is_not_finished(
    mindport: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    mindport.write("a.py", GOOD)
    old = mindport.write("out", "old")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("mindport.report.text_report.TextReport.tail", interrupted)
    assert mindport("scan", "a.py", "-o", "out").code == 130
    assert old.read_text() == "old"
    assert sorted(path.name for path in mindport.folder.iterdir()) == ["a.py", "out"]


def test_jobs_make_no_difference(mindport: CommandLine) -> None:
    for n in range(35):
        mindport.write(f"pkg{n % 3}/m{n}.py", GOOD + f"from pkg0.m0 import x as x{n}\n")
    base = ("scan", ".", "--format", "json", "--jobs")
    assert mindport(*base, "1").out == mindport(*base, "2").out


def test_a_folder_without_python_files(mindport: CommandLine) -> None:
    (mindport.folder / "empty").mkdir()
    code, out, err = mindport("scan", "empty", "--format", "json")
    assert code == 0
    assert json.loads(out)["files"] == []
    assert "No Python files in: empty" in err
    assert "没有找到 Python 文件" in mindport("scan", "empty", "--language", "zh-cn").err


@pytest.mark.parametrize(
    ("form", "beginning"),
    [("html", "<!DOCTYPE html>"), ("csv", "\ufefffile,cell,line"), ("sarif", '{"$schema"')],
)
def test_other_formats(mindport: CommandLine, form: str, beginning: str) -> None:
    mindport.write("pkg/a.py", GOOD)
    code, out, err = mindport("scan", "pkg", "--format", form)
    assert (code, err) == (0, "")
    assert out.startswith(beginning)
    assert "mindspore.mint.sin" in out
    assert mindport("scan", "pkg", "--format", form, "-o", "report").out == ""
    assert (mindport.folder / "report").read_bytes() == out.encode()
