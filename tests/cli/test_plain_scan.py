"""Scans whose command line is taken without the library for command lines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from command_line import environment
from mindport.cli.commands import build_app
from mindport.cli.plain_scan import DEFAULTS, FLAGS, OPTIONS, REPEATED, plain_scan


def parameters() -> list[Any]:
    """The parameters of the command as the library has them."""
    command: Any = typer.main.get_command(build_app("en"))
    return list(command.commands["scan"].params)


def test_every_option_of_the_command_is_known() -> None:
    by_library = {
        option: one.name
        for one in parameters()
        if one.name not in ("paths", "help")
        for option in (*one.opts, *one.secondary_opts)
    }
    assert by_library == {**OPTIONS, **{option: name for option, (name, _) in FLAGS.items()}}


def test_defaults_flags_and_repetition_are_those_of_the_command() -> None:
    found = {one.name: one for one in parameters() if one.name not in ("paths", "help")}
    assert {name: one.default for name, one in found.items()} == dict(DEFAULTS)
    assert {name for name, one in found.items() if one.is_flag} == {name for name, _ in FLAGS.values()}
    assert {name for name, one in found.items() if one.multiple} == set(REPEATED)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("scan a b", {"paths": [Path("a"), Path("b")]}),
        ("scan --format json a -o out", {"paths": [Path("a")], "form": "json", "output": Path("out")}),
        ("scan a --select MP1 --select MP2,MP3", {"paths": [Path("a")], "select": ["MP1", "MP2,MP3"]}),
        ("scan a --jobs 3 --no-cache", {"paths": [Path("a")], "jobs": 3, "no_cache": True}),
        (
            "scan a --no-completion --exclude build --severity MP1=hint",
            {"paths": [Path("a")], "completion": False, "exclude": ["build"], "severity": ["MP1=hint"]},
        ),
        ("scan a --target 2.9 --target 2.10", {"paths": [Path("a")], "target": "2.10"}),
    ],
)
def test_plain_command_lines(line: str, expected: dict[str, Any]) -> None:
    assert plain_scan(line.split()) == {**DEFAULTS, **expected}


@pytest.mark.parametrize(
    "line",
    [
        *("scan", "scan --help", "scan a --help", "scan a --format=json", "scan a --format", "scan -- a"),
        *("scan a --jobs x", "scan a --jobs -1", "scan a --what", "scan -oout a", "convert a", "--version"),
        "scan a --jobs ２",
    ],
)
def test_what_is_not_plain_is_left_to_the_library(line: str) -> None:
    assert plain_scan(line.split()) is None


def test_a_plain_scan_does_without_the_library(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch\ntorch.abs(x)\n")
    program = (
        "import sys\nsys.argv = ['mindport', 'scan', 'a.py', '-o', 'out.txt']\n"
        "from mindport.__main__ import main\ncode = main()\n"
        "print(code, sorted({'typer', 'rich'} & set(sys.modules)))\n"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment(), capture_output=True, encoding="utf-8", check=False
    )
    assert done.stdout == "0 []\n", done.stderr
    assert "torch.abs" in (tmp_path / "out.txt").read_text()
