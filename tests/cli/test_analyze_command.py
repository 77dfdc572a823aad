"""`mindport analyze`."""

from __future__ import annotations

import json

from command_line import CommandLine

SOURCE = "import torch\ntorch.manual_seed(3)\nclass Net(torch.nn.Module): ...\n"


def test_each_form(mindport: CommandLine) -> None:
    mindport.write("a.py", SOURCE)
    code, out, err = mindport("analyze", str(mindport.folder))
    assert (code, err) == (0, "")
    assert out.startswith("# MindSpore migration analysis") and "`torch.manual_seed(3)`" in out
    assert "## 训练配置" in mindport("analyze", str(mindport.folder), "--language", "zh-cn").out
    made = json.loads(mindport("analyze", str(mindport.folder), "--format", "json", "--device", "cpu").out)
    assert (made["schema"], made["target"]["device"], made["files"]) == (1, "cpu", 1)
    page = mindport.folder / "page.html"
    assert mindport("analyze", str(mindport.folder), "--format", "html", "-o", str(page)) == (0, "", "")
    assert "torch.manual_seed(3)" in page.read_text(encoding="utf-8")


def test_bad_input(mindport: CommandLine) -> None:
    mindport.write("a.py", SOURCE)
    code, out, err = mindport("analyze", str(mindport.folder), "--format", "csv")
    assert (code, out) == (2, "") and "Invalid value csv for --format: expected markdown / html / json" in err
    code, _, err = mindport("analyze", str(mindport.folder / "nothing"))
    assert code == 2 and "1 of 1 files could not be analyzed completely" in err
    code, _, err = mindport("analyze", str(mindport.folder), "-o", str(mindport.folder / "no" / "a.md"))
    assert code == 2 and "Cannot write" in err


def test_no_files_are_told(mindport: CommandLine) -> None:
    (mindport.folder / "empty").mkdir()
    code, out, err = mindport("analyze", str(mindport.folder / "empty"))
    assert code == 0 and "No Python files in" in err
    assert "Nothing found." in out
