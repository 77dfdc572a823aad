"""A program that trains on images of torchvision, converted with `convert --whole` and no line by hand, sees the same
batches, losses and images from the same seed."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from corpus import TORCHVISION, CorpusError, corpus
from mindport.cli.main import main

DATA = Path(__file__).parent / "data"


def run(command: list[object]) -> str:
    """What a program says beside its output, with MindSpore's warnings."""
    environment = {**os.environ, "GLOG_v": "2", "PYTHONDONTWRITEBYTECODE": "1"}
    made = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, env=environment)
    assert made.returncode == 0, made.stderr[-3000:]
    return made.stderr


def differing(ours: object, theirs: object, at: str = "", tolerance: float = 1e-4) -> list[str]:
    """Where two results differ; numbers by more than the tolerance, of themselves or of 1."""
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        pairs = enumerate(zip(ours, theirs, strict=True))
        return [found for place, (a, b) in pairs for found in differing(a, b, f"{at}[{place}]", tolerance)]
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
        pairs = ((name, (ours[name], theirs[name])) for name in ours)
        return [found for name, (a, b) in pairs for found in differing(a, b, f"{at}[{name}]", tolerance)]
    if isinstance(ours, float) and isinstance(theirs, float):
        is_near = abs(ours - theirs) <= tolerance * max(1.0, abs(ours))
        return [] if is_near else [f"{at}: {theirs} instead of {ours}"]
    return [] if ours == theirs else [f"{at}: {theirs!r} instead of {ours!r}"]


def seen(name: str, python: str, folder: Path) -> tuple[Any, Any, str]:
    """What a program of `data` sees in PyTorch and converted in MindSpore, and its converted text."""
    source, converted = folder / "source", folder / "converted"
    source.mkdir()
    shutil.copy(DATA / name, source)
    assert main(["convert", str(source), "-o", str(converted), "--whole", "--device", "cpu"]) == 0
    for side in (source, converted):
        run([python, side / name, side / "seen.json"])
    ours, theirs = (json.loads((side / "seen.json").read_text("utf-8")) for side in (source, converted))
    return ours, theirs, (converted / name).read_text("utf-8")


@pytest.mark.timeout(600)
def test_training_on_images_sees_what_it_saw(python: str, tmp_path: Path) -> None:
    try:
        torchvision = corpus(*TORCHVISION)
    except CorpusError as error:
        pytest.skip(str(error))
    source, converted, before, after = (
        tmp_path / name for name in ("source", "converted", "before", "after")
    )
    for folder in (source, before, after):
        folder.mkdir()
    shutil.copy(DATA / "train_images.py", source)
    assert main(["convert", str(source), "-o", str(converted), "--whole", "--device", "cpu"]) == 0
    run([python, DATA / "torch_side.py", torchvision, source / "train_images.py", before])
    assert "deprecated" not in run([python, converted / "train_images.py", after])
    ours, theirs = (json.loads((folder / "seen.json").read_text("utf-8")) for folder in (before, after))
    assert differing(ours, theirs) == []


@pytest.mark.timeout(600)
def test_processes_that_a_program_forks_compute(python: str, tmp_path: Path) -> None:
    ours, theirs, _ = seen("forked_processes.py", python, tmp_path)
    assert differing(ours, theirs) == []
    assert ours["torch"] == ours["python"] and len(ours["executor"]) == 3
    # also on a busy machine, where a thread of MindSpore that is interrupted may hold a lock when the program forks
    program = tmp_path / "converted" / "forked_processes.py"
    for turn in range(4):
        found = [tmp_path / f"{turn}-{one}.json" for one in range(4)]
        started = [subprocess.Popen([python, program, one], start_new_session=True) for one in found]
        try:
            assert [process.wait(timeout=90) for process in started] == [0] * len(started)
        finally:
            for process in started:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        assert all(json.loads(one.read_text("utf-8")) == theirs for one in found)
