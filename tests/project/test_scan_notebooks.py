"""Notebooks in a scan, and in the reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mindport.catalog.target import Target
from mindport.project.discover import discover
from mindport.project.setting_table import Settings
from mindport.report.json_report import JsonReport
from mindport.report.text_report import TextReport
from mindport.scan.scan import scan


def write(path: Path, *cells: str) -> None:
    content = [{"cell_type": "markdown", "source": "# Title"}]
    content += [{"cell_type": "code", "source": cell} for cell in cells]
    path.write_text(json.dumps({"nbformat": 4, "metadata": {}, "cells": content}), encoding="utf-8")


def entries(folder: Path) -> list[Any]:
    found = scan(discover([folder], ()), Settings(), JsonReport(Target(), "en"), 1)
    return [json.loads(entry.text) for entry in found]


def test_findings_name_the_cell(tmp_path: Path) -> None:
    write(tmp_path / "a.ipynb", "%pip install torch\nimport torch", "!ls 火\n名 = '😀'; torch.sin(1)")
    (entry,) = entries(tmp_path)
    assert entry["path"].endswith("a.ipynb")
    places = [(use["api"], use["cell"], use["start"], use["end"]) for use in entry["uses"]]
    assert ("torch", 2, {"line": 2, "column": 8}, {"line": 2, "column": 13}) in places
    assert ("torch.sin", 3, {"line": 2, "column": 10}, {"line": 2, "column": 19}) in places
    assert entry["problems"] == []


def test_what_does_not_parse_names_the_cell(tmp_path: Path) -> None:
    write(tmp_path / "a.ipynb", "x = 1", "y = )")
    (entry,) = entries(tmp_path)
    assert [(problem["cell"], problem["line"]) for problem in entry["problems"]] == [(3, 1)]


def test_text_shows_the_cell_and_its_lines(tmp_path: Path) -> None:
    write(tmp_path / "a.ipynb", "import torch", "%time\ntorch.sin(1)")
    (entry,) = scan(discover([tmp_path], ()), Settings(), TextReport(Target(), "en"), 1)
    assert "a.ipynb:cell 3:2:1: hint MP101" in entry.text
    assert "2 | torch.sin(1)\n" in entry.text
    assert entry.summary.lines == 3


def test_imports_of_a_notebook_are_found_and_it_is_in_nobody_s_way(tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text("import torch\ndef act(x):\n    return torch.relu(x)\n")
    write(tmp_path / "tools.ipynb", "def act(x):\n    return 1")
    write(tmp_path / "use.ipynb", "from tools import act, torch", "act(x).view(2)\ntorch.sin(1)")
    uses = {Path(entry["path"]).name: entry["uses"] for entry in entries(tmp_path)}
    assert [use["api"] for use in uses["use.ipynb"] if use["cell"] == 3] == ["torch.Tensor.view", "torch.sin"]


def test_broken_notebooks_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text('{"cells": [')
    write(tmp_path / "b.ipynb", "import torch")
    first, second = entries(tmp_path)
    assert "not valid JSON" in first["problems"][0]["message"]
    assert second["uses"]
