"""`mindport scaffold custom-op`: what it writes, and what it refuses. That it runs is in tests/differential."""

from __future__ import annotations

import subprocess
import sys

import pytest
from command_line import CommandLine
from mindport.app.custom_op.custom_op import KINDS, MOST_INPUTS
from mindport.cli import scaffold as command
from mindport.language import LANGUAGES

FILES = {
    "pyfunc": ["README.md", "__init__.py", "custom_op.py", "test_custom_op.py"],
    "aot": ["README.md", "__init__.py", "build.py", "custom_op.py", "kernel.cc", "test_custom_op.py"],
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("inputs", [1, 2, MOST_INPUTS])
@pytest.mark.parametrize("kind", KINDS)
def test_an_operator_is_complete_and_well_laid_out(
    mindport: CommandLine, kind: str, inputs: int, language: str
) -> None:
    parent = mindport.folder / "my ops"
    words = ("--kind", kind, "--inputs", str(inputs), "--out", str(parent), "--language", language)
    code, out, err = mindport("scaffold", "custom-op", "focal", *words)
    assert (code, err) == (0, "") and str(parent / "focal") in out
    assert sorted(path.name for path in (parent / "focal").iterdir()) == FILES[kind]
    assert [path.name for path in parent.iterdir()] == ["focal"]
    written = (parent / "focal" / "custom_op.py").read_text(encoding="utf-8")
    names = ", ".join(f"x{number}" for number in range(1, inputs + 1)) if inputs > 1 else "x"
    assert f"def focal({names}):" in written and f'func_type="{kind}"' in written
    ruff = [sys.executable, "-m", "ruff"]
    for rest in (["check", "--isolated", "--select", "E,F,I,UP,B"], ["format", "--isolated", "--check"]):
        done = subprocess.run(
            [*ruff, *rest, "--line-length", "110", str(parent)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout


def test_the_current_folder_and_numpy_are_the_defaults(
    mindport: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(mindport.folder)
    assert mindport("scaffold", "custom-op", "focal").code == 0
    assert sorted(path.name for path in (mindport.folder / "focal").iterdir()) == FILES["pyfunc"]


def test_nothing_is_overwritten(mindport: CommandLine) -> None:
    kept = mindport.write("focal/notes.txt", "mine")
    code, out, err = mindport("scaffold", "custom-op", "focal", "--out", str(mindport.folder))
    assert (code, out) == (2, "") and "not an empty folder" in err
    assert [path.name for path in kept.parent.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("focal", "--kind", "akg"), "pyfunc, aot"),
        (("focal", "--inputs", "0"), f"1 to {MOST_INPUTS}"),
        (("focal", "--inputs", str(MOST_INPUTS + 1)), f"1 to {MOST_INPUTS}"),
        (("focal", "--inputs", "two"), "integer"),
        (("focal-loss",), "Python name"),
        (("../focal",), "Python name"),
        (("损失",), "Python name"),
        (("class",), "Python name"),
        (("numpy",), "hide"),
        (("json",), "hide"),
        ((), "NAME"),
    ],
)
def test_what_cannot_be_made_is_told(mindport: CommandLine, words: tuple[str, ...], told: str) -> None:
    code, out, err = mindport("scaffold", "custom-op", *words, "--out", str(mindport.folder / "ops"))
    assert (code, out) == (2, "") and told in err
    assert not (mindport.folder / "ops").exists()


def test_the_help_names_all_kinds_and_the_most_inputs() -> None:
    for text in (command._KIND.en, command._KIND.zh_cn):
        assert all(kind in text for kind in KINDS)
    for text in (command._INPUTS.en, command._INPUTS.zh_cn):
        assert str(MOST_INPUTS) in text
