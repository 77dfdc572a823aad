"""`mindport new`: the projects it makes, and what it refuses. That they train is in tests/differential."""

from __future__ import annotations

import subprocess
import sys

import pytest
from command_line import CommandLine
from mindport.app.new_project.project import SKELETONS
from mindport.cli import new as command
from mindport.language import LANGUAGES

FILES = ["README.md", "data.py", "model.py", "pyproject.toml", "test_model.py", "train.py"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("model", SKELETONS)
def test_a_project_is_complete_and_well_laid_out(mindport: CommandLine, model: str, language: str) -> None:
    folder = mindport.folder / "my net"
    code, out, err = mindport("new", str(folder), "--model", model, "--device", "gpu", "--language", language)
    assert (code, err) == (0, "") and str(folder) in out
    assert sorted(path.name for path in folder.iterdir()) == FILES
    assert [path.name for path in mindport.folder.iterdir()] == ["my net"]
    settings = (folder / "pyproject.toml").read_text(encoding="utf-8")
    assert 'name = "my-net"' in settings and 'device = "gpu"' in settings
    assert 'default="GPU"' in (folder / "train.py").read_text(encoding="utf-8")
    assert ("python train.py" in (folder / "README.md").read_text(encoding="utf-8")) is True
    ruff = [sys.executable, "-m", "ruff"]
    for words in (["check", "--isolated", "--select", "E,F,I,UP,B"], ["format", "--isolated", "--check"]):
        done = subprocess.run(
            [*ruff, *words, "--line-length", "110", str(folder)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout


def test_nothing_is_overwritten(mindport: CommandLine) -> None:
    kept = mindport.write("project/notes.txt", "mine")
    code, out, err = mindport("new", str(kept.parent))
    assert (code, out) == (2, "") and "not an empty folder" in err
    assert [path.name for path in kept.parent.iterdir()] == ["notes.txt"]
    assert mindport("new", str(kept)).code == 2


def test_an_empty_folder_is_taken(mindport: CommandLine) -> None:
    folder = mindport.folder / "project"
    folder.mkdir()
    assert mindport("new", str(folder), "--model", "mlp").code == 0 and (folder / "model.py").is_file()


def test_an_unknown_model_is_told(mindport: CommandLine) -> None:
    code, _, err = mindport("new", str(mindport.folder / "p"), "--model", "vgg")
    assert code == 2 and "mlp, cnn, resnet, lstm, transformer" in err
    assert not (mindport.folder / "p").exists()


def test_the_help_names_all_models() -> None:
    for text in (command._MODEL.en, command._MODEL.zh_cn):
        assert all(name in text for name in SKELETONS)
