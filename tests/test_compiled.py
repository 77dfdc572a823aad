"""The compiled modules say the same as the sources they are made from."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from corpus import TIMM, corpus

ROOT = Path(__file__).parents[1]
OPTIMISATION = "0"
COMPILER = (sysconfig.get_config_var("CC") or "cc").split()[0]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("compiled"),  # it takes minutes: once is enough
    pytest.mark.skipif(shutil.which(COMPILER) is None, reason=f"there is no C compiler ({COMPILER})"),
]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a package whose hot modules are compiled: once, and less thoroughly than for a release,
    which makes them slower and nothing else."""
    sys.path.insert(0, str(ROOT))
    try:
        from hatch_build import compiled
    finally:
        sys.path.pop(0)
    folder = tmp_path_factory.mktemp("compiled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MYPYC_OPT_LEVEL", OPTIMISATION)
        patch.setenv("MYPYC_DEBUG_LEVEL", "0")
        compiled(ROOT / "server" / "mindport", folder, is_profiled=False)
    return folder


def scanned(
    server: Path | None, files: list[str], folder: Path, output: Path, python: str = sys.executable
) -> bytes:
    """What a Python reports of files with the mindport of a folder, or with the one that is installed."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(server or ""),
        "MINDPORT_CACHE_DIR": str(output.parent / "cache"),
    }
    command = [python, "-m", "mindport", "scan", *files, "--format", "json", "-o", str(output)]
    every_rule = ["--graph-mode", "--features"]
    subprocess.run([*command, *every_rule, "--no-cache"], cwd=folder, env=environment, check=True)
    return output.read_bytes()


def test_it_is_compiled(package: Path) -> None:
    code = "import mindport.infer.evaluator as module; print(module.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(package)},
        check=True,
        capture_output=True,
        text=True,
    )
    assert Path(done.stdout.strip()).suffix in (".so", ".pyd")


def test_the_same_findings(package: Path, tmp_path: Path) -> None:
    folder = corpus(*TIMM)
    cells = [{"cell_type": "code", "source": text} for text in ("import torch", "x = torch.zeros(2).view(1)")]
    notebook = tmp_path / "notebook.ipynb"
    notebook.write_text(json.dumps({"nbformat": 4, "metadata": {}, "cells": cells}), encoding="utf-8")
    files = ["timm", str(ROOT / "docs" / "examples"), str(notebook)]
    compiled = scanned(package, files, folder, tmp_path / "compiled.json")
    assert compiled == scanned(ROOT / "server", files, folder, tmp_path / "pure.json")


def test_each_module_can_be_imported_first(package: Path) -> None:
    """A compiled class whose fields have types that are imported for the type checker alone ends the process
    when its module is imported before theirs."""
    names = sorted(
        f"mindport.{path.parent.name}.{path.name.split('.')[0]}"
        for path in package.glob("mindport/*/*")
        if path.suffix in (".so", ".pyd")
    )
    assert len(names) > 30
    crashed = [
        name
        for name in names
        if subprocess.run(
            [sys.executable, "-c", f"import {name}"],
            env={**os.environ, "PYTHONPATH": str(package)},
            check=False,
        ).returncode
    ]
    assert not crashed


CUT = """
import sys
from pathlib import Path
from mindport.source.document import Document

INSERTED = ("if a", "x = foo(", ")", "else:", "  ", "def f(", '\\"\\"\\"')

def spans(piece, at=0):
    found = [(at + piece.start, len(piece.data), piece.is_sound, str(piece.root))]
    for inner in (*piece.fragments, *piece.members):
        found += spans(inner, at + piece.start)
    return found

lines = Path(sys.argv[1]).read_text("utf-8").split("\\n")[:150]
for number in range(len(lines)):
    variants = [lines[:number] + [lines[number][4:]] + lines[number + 1:], lines[:number] + lines[number + 1:]]
    variants.append(lines[:number] + ["        " + lines[number]] + lines[number + 1:])
    for text in INSERTED:
        variants.append(lines[:number] + [" " * (number % 3 * 4) + text] + lines[number:])
    for variant in variants:
        document = Document.open("untitled:x", "\\n".join(variant))
        print(number, [spans(piece) for piece in document.pieces])
"""


def test_half_typed_code_is_cut_alike(package: Path) -> None:
    """Compiled, some slices are errors that are empty otherwise."""
    model = str(ROOT / "docs" / "examples" / "flowers" / "model.py")
    results = [
        subprocess.run(
            [sys.executable, "-c", CUT, model],
            env={**os.environ, "PYTHONPATH": str(server)},
            check=True,
            capture_output=True,
        ).stdout
        for server in (package, ROOT / "server")
    ]
    assert results[0] == results[1]
    assert len(results[0]) > 100_000
