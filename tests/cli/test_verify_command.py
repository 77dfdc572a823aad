"""`mindport verify` where there are no frameworks, and with a Python that only pretends to have them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from command_line import CommandLine
from mindport.verify.frameworks import VARIABLE


@pytest.fixture(autouse=True)
def no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


def python_that_says(folder: Path, text: str, code: int = 0) -> str:
    """A program that prints a text, whatever it is asked."""
    path = folder / "python"
    path.write_text(f"#!{sys.executable}\nimport sys\nprint({text!r})\nsys.exit({code})\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def versions(torch: str = "2.13.0", mindspore: str = "2.10.0", numpy: str = "1.26.4") -> str:
    return f'{{"torch": "{torch}", "mindspore": "{mindspore}", "numpy": "{numpy}", "python": "3.11.0"}}'


def test_without_the_frameworks(mindport: CommandLine, tmp_path: Path) -> None:
    python = python_that_says(tmp_path, versions().replace('"2.13.0"', "null").replace('"2.10.0"', "null"))
    result = mindport("verify", "api", "torch.abs", "--python", python)
    assert result.code == 2
    assert "does not have torch, mindspore" in result.err
    assert "mindport[verify]" in result.err
    assert VARIABLE in result.err


def test_the_variable_names_the_python(
    mindport: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = python_that_says(tmp_path, versions(torch="2.4.1"))
    monkeypatch.setenv(VARIABLE, python)
    result = mindport("verify", "all", "--only", "torch.abs")
    assert result.code == 2
    assert f"{python} has torch 2.4.1, but 2.13 is needed." in result.err


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (versions(mindspore="1.9.0"), "has mindspore 1.9.0, but one of 2.0, "),
        (versions(numpy="2.1.0"), "has numpy 2.1.0, but a version older than 2 is needed"),
        ("hello", "Cannot run"),
    ],
)
def test_frameworks_that_do_not_fit(mindport: CommandLine, tmp_path: Path, said: str, message: str) -> None:
    result = mindport("verify", "api", "torch.abs", "--python", python_that_says(tmp_path, said))
    assert result.code == 2
    assert message in result.err


def test_a_python_that_is_not_there(mindport: CommandLine, tmp_path: Path) -> None:
    result = mindport("verify", "api", "torch.abs", "--python", str(tmp_path / "none"), "--language", "zh-cn")
    assert result.code == 2
    assert "无法运行" in result.err


def test_an_unknown_api(mindport: CommandLine) -> None:
    result = mindport("verify", "api", "torch.no_such_thing")
    assert result.code == 1
    assert "torch.no_such_thing is not in the mapping table." in result.err


def test_an_api_that_is_not_run(mindport: CommandLine) -> None:
    result = mindport("verify", "api", "torch.distributed.all_reduce")
    assert result.code == 1
    assert "is not run: needs several processes." in result.err


def test_shapes_that_do_not_exist(mindport: CommandLine) -> None:
    result = mindport("verify", "api", "torch.abs", "--shapes", "positional,round")
    assert result.code == 2
    assert "positional, keyword, shuffled, omitted" in result.err


def test_evidence_needs_a_checkout(mindport: CommandLine, tmp_path: Path) -> None:
    result = mindport("verify", "all", str(tmp_path), "--write")
    assert result.code == 2
    assert "source checkout" in result.err
