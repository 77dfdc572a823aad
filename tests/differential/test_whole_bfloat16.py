"""A program that computes in bfloat16, converted for a CPU with `convert --whole` and no line by hand, has the same
dtypes, and the same losses but for what bfloat16 rounds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mindport.cli.main import main
from test_whole_data import differing, run, seen

ROUNDED = 0.03
"""What some roundings to eight digits of the base two come to."""


@pytest.mark.timeout(600)
def test_what_computes_in_bfloat16_runs_on_a_cpu(python: str, tmp_path: Path) -> None:
    ours, theirs, _ = seen("in_bfloat16.py", python, tmp_path)
    assert differing(ours, theirs, tolerance=ROUNDED) == []


SAVED = """
import sys
import torch
torch.manual_seed(0)
torch.save(torch.nn.Linear(4, 3).to(torch.bfloat16).state_dict(), sys.argv[1])
"""
READING = """
import json
import sys
from pathlib import Path
import torch

state = torch.load(sys.argv[1])
layer = torch.nn.Linear(4, 3).to(state["weight"].dtype)
layer.load_state_dict(state)
made = layer(torch.arange(8).reshape(2, 4).to(layer.weight.dtype))
(made * made).sum().backward()
seen = [made.float().tolist(), layer.weight.grad.float().tolist(), str(made.dtype).replace("torch.", "").lower()]
Path(sys.argv[2]).write_text(json.dumps(seen))
"""


@pytest.mark.timeout(600)
def test_a_dtype_that_a_file_brings_computes(python: str, tmp_path: Path) -> None:
    source, converted, saved = tmp_path / "source", tmp_path / "converted", tmp_path / "saved.pt"
    source.mkdir()
    (tmp_path / "save.py").write_text(SAVED, encoding="utf-8")
    (source / "read.py").write_text(READING, encoding="utf-8")
    assert main(["convert", str(source), "-o", str(converted), "--whole", "--device", "cpu"]) == 0
    run([python, tmp_path / "save.py", saved])
    for folder in (source, converted):
        run([python, folder / "read.py", saved, folder / "seen.json"])
    ours, theirs = (json.loads((folder / "seen.json").read_text("utf-8")) for folder in (source, converted))
    assert differing(ours, theirs, tolerance=ROUNDED) == []
