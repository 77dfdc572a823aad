"""What the shells offer after Tab, asked of the shells themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from command_line import CommandLine
from mindport.cli.main import COMMANDS

NAMES = {name for name, _ in COMMANDS}
CASES = [
    ("", NAMES),
    ("sc", {"scan"}),
    ("explain-e", {"explain-error"}),
    ("mapping ", {"check", "build", "stats"}),
    ("mapping ch", {"check"}),
    ("scan --ou", {"--output"}),
    ("scan --device ", {"ascend", "gpu", "cpu"}),
    ("scan a.py --device a", {"ascend"}),
    ("convert --in", {"--in-place"}),
    ("scan --graph", {"--graph-mode"}),
    ("scan --no-g", {"--no-graph-mode"}),
    ("verify all --jo", {"--jobs"}),
]


def script(shell: str, mindport: CommandLine, *options: str) -> str:
    result = mindport("completion", shell, *options)
    assert result.code == 0 and not result.err
    return result.out


def needs(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not on this machine")


def offered_by_bash(path: Path, typed: str) -> set[str]:
    words = ["mindport", *typed.split(" ")]
    given = " ".join(f'"{word}"' for word in words)
    code = f'source "{path}"; COMP_WORDS=({given}); COMP_CWORD={len(words) - 1}; _mindport; printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "--norc", "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert not done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize(("typed", "expected"), CASES)
def test_bash(typed: str, expected: set[str], mindport: CommandLine) -> None:
    needs("bash")
    path = mindport.write("script", script("bash", mindport))
    offered = offered_by_bash(path, typed)
    assert offered >= expected and all(word.startswith(typed.rpartition(" ")[2]) for word in offered)


@pytest.mark.parametrize("typed", ["scan ", "scan -o ", "scan --output ", "convert src"])
def test_bash_leaves_files_to_itself(typed: str, mindport: CommandLine) -> None:
    needs("bash")
    path = mindport.write("script", script("bash", mindport))
    assert offered_by_bash(path, typed) == set()


@pytest.mark.parametrize(("typed", "expected"), CASES)
def test_fish(typed: str, expected: set[str], mindport: CommandLine) -> None:
    needs("fish")
    path = mindport.write("script", script("fish", mindport))
    code = f"source {path}; complete -C 'mindport {typed}'"
    done = subprocess.run(
        ["fish", "--no-config", "-c", code], capture_output=True, encoding="utf-8", check=True
    )
    assert not done.stderr
    offered = {line.split("\t")[0] for line in done.stdout.splitlines()}
    assert offered >= expected and all(word.startswith(typed.rpartition(" ")[2]) for word in offered)


@pytest.mark.parametrize(("typed", "expected"), CASES)
def test_zsh(typed: str, expected: set[str], mindport: CommandLine) -> None:
    """With the functions in place of zsh's own that tell what is offered: zsh completes in a terminal alone."""
    needs("zsh")
    path = mindport.write("script", script("zsh", mindport))
    words = " ".join(f"'{word}'" for word in ["mindport", *typed.split(" ")])
    code = f"""
compdef() {{ : }}
compadd() {{ shift; print -l -- "$@" }}
_files() {{ : }}
_describe() {{ print -l -- "${{(@)${{(@P)@[-1]}}%%:*}}" }}
source {path}
words=({words}); CURRENT=$#words; PREFIX=${{words[CURRENT]}}
_mindport
"""
    done = subprocess.run(["zsh", "-f", "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert not done.stderr
    assert set(done.stdout.split()) >= expected, "zsh itself leaves out what does not fit"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize("language", ["en", "zh-cn"])
def test_the_shells_parse_it(
    shell: str, language: str, mindport: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs(shell)
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8" if language == "zh-cn" else "C.UTF-8")
    path = mindport.write("script", script(shell, mindport))
    option = "--no-execute" if shell == "fish" else "-n"
    subprocess.run([shell, option, str(path)], check=True, capture_output=True)


def test_another_shell_is_refused(mindport: CommandLine) -> None:
    result = mindport("completion", "tcsh")
    assert result.code == 2 and "tcsh" in result.err and "bash, zsh, fish" in result.err
