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
from documented.compared import Results, difference, read
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
    names = json.loads((source / "index.json").read_text("utf-8"))
    results = [read(tmp_path / name) for name in ("ours", "again", "theirs")]
    found = {names[script]: said for script in results[0] if (said := _different(script, *results))}
    print(f"{len(results[0]) - len(found)} of {len(results[0])} examples are equal")
    assert {name: said for name, said in found.items() if name not in KNOWN} == {}
    assert sorted(KNOWN.keys() - found.keys()) == []


def _different(script: str, ours: Results, again: Results, theirs: Results) -> str:
    """What is different in a converted script, but for what is drawn at random."""
    values, _ = ours[script]
    if script not in theirs:
        return "the process ended"
    converted, failed = theirs[script]
    if failed:
        return ": ".join(failed[0])[:300]
    drawn = {name for name, value in values.items() if difference(value, again[script][0].get(name, ("",)))}
    for name, value in values.items():
        if name == "drawn" or name in drawn or value[0] in ("other", "bad"):
            continue
        said = difference(value, converted[name]) if name in converted else "missing"
        if said:
            return f"{name}: {said}"
    return ""


def _python(python: str, script: str, *arguments: str | Path) -> None:
    run = subprocess.run(
        [python, str(FOLDER / "documented" / script), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "GLOG_v": "4", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert run.returncode == 0, run.stderr[-3000:]
