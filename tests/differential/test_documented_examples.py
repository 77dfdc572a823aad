"""The examples of PyTorch's own documentation, converted as programs, give what they give in PyTorch.

They are read from the docstrings of the PyTorch that is installed. `documented_examples.json` says which differ, and
why; one that is listed and equal fails, too.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from mindport.cli.main import main

FOLDER = Path(__file__).parent
KNOWN: dict[str, str] = {
    name: reason
    for reason, names in json.loads((FOLDER / "documented_examples.json").read_text("utf-8")).items()
    for name in names
}


@pytest.mark.timeout(3000)
def test_examples_of_pytorchs_documentation(python: str, tmp_path: Path) -> None:
    source, converted = tmp_path / "source", tmp_path / "converted"
    source.mkdir()
    _python(python, "extract.py", source)
    _python(python, "run.py", "torch", source, tmp_path / "first", "--write")
    _python(python, "run.py", "torch", source, tmp_path / "ours")
    _python(python, "run.py", "torch", source, tmp_path / "again", "--seed", "1")
    options = ["--whole", "--device", "cpu", "--style", "classic"]
    assert main(["convert", str(source), "-o", str(converted), *options]) == 0
    _python(python, "run.py", "mindspore", converted, tmp_path / "theirs")
    results = [tmp_path / name for name in ("ours", "again", "theirs")]
    found = json.loads(_python(python, "compared.py", source / "index.json", *results))
    names = json.loads((source / "index.json").read_text("utf-8"))
    print(f"{len(names) - len(found)} of {len(names)} examples are equal")
    assert {name: said for name, said in found.items() if name not in KNOWN} == {}
    assert sorted(KNOWN.keys() - found.keys()) == []


def _python(python: str, script: str, *arguments: str | Path) -> str:
    run = subprocess.run(
        [python, str(FOLDER / "documented" / script), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "GLOG_v": "4", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert run.returncode == 0, run.stderr[-3000:]
    return run.stdout
