"""A program that changes views of what has a gradient, converted with `convert --whole` and no line by hand, has the
same values and the same gradients."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from mindport.cli.main import main
from test_whole_data import DATA, differing, run


@pytest.mark.timeout(600)
def test_what_is_done_to_views_is_done_to_what_they_are_views_of(python: str, tmp_path: Path) -> None:
    source, converted = tmp_path / "source", tmp_path / "converted"
    source.mkdir()
    shutil.copy(DATA / "changed_views.py", source)
    assert main(["convert", str(source), "-o", str(converted), "--whole", "--device", "cpu"]) == 0
    for folder in (source, converted):
        run([python, folder / "changed_views.py", folder / "seen.json"])
    ours, theirs = (json.loads((folder / "seen.json").read_text("utf-8")) for folder in (source, converted))
    assert len(ours) == len(theirs) > 30
    assert [
        differing(one, other, one[0]) for one, other in zip(ours, theirs, strict=True) if one != other
    ] == []
