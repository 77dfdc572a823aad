"""A program that computes in bfloat16, converted for a CPU with `convert --whole` and no line by hand, has the same
dtypes, and the same losses but for what bfloat16 rounds."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from mindport.cli.main import main
from test_whole_data import DATA, differing, run

ROUNDED = 0.03
"""What some roundings to eight digits of the base two come to."""


@pytest.mark.timeout(600)
def test_what_computes_in_bfloat16_runs_on_a_cpu(python: str, tmp_path: Path) -> None:
    source, converted = tmp_path / "source", tmp_path / "converted"
    source.mkdir()
    shutil.copy(DATA / "in_bfloat16.py", source)
    assert main(["convert", str(source), "-o", str(converted), "--whole", "--device", "cpu"]) == 0
    for folder in (source, converted):
        run([python, folder / "in_bfloat16.py", folder / "seen.json"])
    ours, theirs = (json.loads((folder / "seen.json").read_text("utf-8")) for folder in (source, converted))
    assert differing(ours, theirs, tolerance=ROUNDED) == []
