"""Converted modules run with stand-ins for both libraries: whatever was bound is bound, in the same order."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from findings import apply, session

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fuzz"))

from generate_modules import ModuleMaker
from mindport.project.session import Session
from mindport.rewrite.conversion import convert
from mindport.rewrite.edit import edited_notebook
from mindport.source.document import Document
from mindport.source.notebook_file import NotebookFile
from run_modules import run

SEEDS = range(150)


def converted(made: Session, source: str, unsafe: bool) -> str:
    uri = "untitled:main.py"
    found = made.analyse(uri, Document.open(uri, source))
    return apply(source, convert(found, unsafe).edits)


def converted_cells(made: Session, cells: Sequence[str], unsafe: bool) -> list[str]:
    content = {
        "nbformat": 4,
        "metadata": {},
        "cells": [{"cell_type": "code", "source": cell} for cell in cells],
    }
    file = NotebookFile.of(json.dumps(content).encode())
    document = file.document("/nowhere/a.ipynb")
    found = made.analyse("/nowhere/a.ipynb", document)
    after = json.loads(edited_notebook(file, document, convert(found, unsafe).edits))
    return [cell["source"] for cell in after["cells"]]


def differences(before: Sequence[str], after: Sequence[str], unsafe: bool) -> str | None:
    """What is wrong with code that was converted; None where nothing is, or it did not run before."""
    expected = run(before)
    if expected.error is not None:
        return None
    got = run(after)
    if got.error is not None:
        return got.error
    if got.marks != expected.marks and not unsafe:
        return f"{expected.marks} became {got.marks}"
    lost = set(expected.names) - set(got.names) - IMPORTED
    listed = {name for name in expected.names.get("__all__", ()) if name in expected.names} - set(got.names)
    return f"lost: {lost} {listed}" if lost or listed else None


IMPORTED = {"torch", "t", "nn", "F", "absolute", "cat", "float32", "ReLU"}


@pytest.mark.parametrize("unsafe", [False, True])
def test_modules_run_as_before(unsafe: bool) -> None:
    made = session()
    wrong = []
    for seed in SEEDS:
        source = ModuleMaker(seed).source()
        after = converted(made, source, unsafe)
        difference = differences([source], [after], unsafe)
        if difference is not None:
            wrong.append(f"seed {seed}: {difference}\n{source}\n----\n{after}")
    assert wrong == []


@pytest.mark.parametrize("unsafe", [False, True])
def test_notebooks_run_as_before(unsafe: bool) -> None:
    made = session()
    wrong = []
    for seed in SEEDS:
        cells = [text for text in ModuleMaker(seed).statements() if "import *" not in text]
        after = converted_cells(made, cells, unsafe)
        difference = differences(cells, after, unsafe)
        if difference is not None:
            wrong.append(f"seed {seed}: {difference}\n{cells}\n----\n{after}")
    assert wrong == []
