"""What of a recipe is told, and how: defaults beside groups, code where no entry tells it, and failures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from test_analysis import analysis, as_json, codes, parameters
from test_shown_functions import shown

if TYPE_CHECKING:
    from pathlib import Path


def test_lists_that_a_try_fills(tmp_path: Path) -> None:
    source = "import torch\ndef read(f):\n    try:\n        data = []\n        for line in f:\n"
    source += "            data.append(line.strip())\n    except:\n        exit(1)\n    return data\n"
    made = as_json(tmp_path, {"a.py": source + "torch.optim.SGD(net.parameters(), lr=1)\n"})
    assert not made["problems"]
    assert codes(made, "optimizer") == ["torch.optim.SGD(net.parameters(), lr=1)"]


@pytest.mark.fails_inside
def test_what_fails_costs_no_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError(1)

    monkeypatch.setattr("mindport.report.analysis.part_reader.function_code", fail)
    made = as_json(tmp_path, {"a.py": "import torch\ntorch.manual_seed(3)\n"})
    assert codes(made, "seed") == ["torch.manual_seed(3)"]
    assert "KeyError: 1" in made["problems"][0]["message"]


def test_defaults_beside_what_groups_have(tmp_path: Path) -> None:
    source = "import torch\nf = torch.optim.SGD([{'params': a.parameters()}, {'params': b, 'lr': 2}], lr=1)\n"
    source += "g = torch.optim.Adam([{'params': a, 'weight_decay': 0.1}])\nh = torch.optim.SGD(some, lr=1)\n"
    made = as_json(tmp_path, {"a.py": source})
    assert parameters(made, "optimizer", 0)["weight_decay"] == ("0", "")
    assert parameters(made, "optimizer", 1)["weight_decay"] == ("0", "0.1")
    assert parameters(made, "optimizer", 1)["lr"] == ("0.001", "")
    text = analysis("markdown", tmp_path, {"a.py": source})
    assert "`weight_decay=0` (groups have their own: `0.1`, " in text


def test_tables_without_numbers_say_nothing_of_numbers(tmp_path: Path) -> None:
    source = "import torch\nfolders = {'a': 'x/y', 'b': 'z'}\nsizes = {'a': 3, 'b': 4}\n"
    source += "torch.utils.data.DataLoader(D(folders[name]), batch_size=sizes[name])\n"
    made = as_json(tmp_path, {"a.py": source})
    assert list(shown(made, "batch_size")) == ["sizes table"]


def test_items_of_which_code_alone_tells(tmp_path: Path) -> None:
    source = "import torch\nnet = torch.nn.Linear(2, 2)\ndef step(x, criterion):\n"
    source += "    criterion(net(x)).backward()\n"
    text = analysis("markdown", tmp_path, {"a.py": source})
    _, _, loss = text.partition("### Loss\n")
    assert loss.strip().startswith("See the code below.")
