"""Run the commands of the tutorial, and write what they print into its pages.

    python scripts/tutorial.py            # writes docs/tutorial.md and docs/tutorial.zh-CN.md anew
    python scripts/tutorial.py --check    # says what is other, and changes nothing

Each block of the language `console`, between four backticks, is a command, `$ ...`, and what it prints.
All commands of a page run one after the other in one folder that has a copy of the example. A comment
above a block says more of it: `<!-- frameworks -->`: it needs PyTorch and MindSpore, and is left as it is
where MINDPORT_TORCH_PYTHON does not name a Python that has both; `<!-- lines 1-6 10-12 -->`: which lines
of the output are shown, counted from the end if negative, with `...` for what is left out. Numbers that
come of training are compared roughly: they differ in the last digits from one processor to the next.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGES = (ROOT / "docs" / "tutorial.md", ROOT / "docs" / "tutorial.zh-CN.md")
EXAMPLE = ROOT / "docs" / "examples" / "digits" / "pytorch"
VARIABLE = "MINDPORT_TORCH_PYTHON"
SECONDS = 540
_BLOCK = re.compile(
    r"(?:<!-- (?P<how>[^\n]*) -->\n)?````console\n\$ (?P<command>[^\n]*)\n(?P<output>.*?)````", re.S
)
_NUMBER = re.compile(r"\d+\.\d+(?:e-?\d+)?|\d+e-?\d+")
_TOLERANCE = 0.1
_SMALL = 0.02


class Block(NamedTuple):
    """A command of a page, what the page says that it prints, and what it printed now."""

    command: str
    shown: str
    printed: str | None
    is_rough: bool

    @property
    def holds(self) -> bool:
        """Whether the page is right, as far as it was tried."""
        if self.printed is None or self.printed == self.shown:
            return True
        return self.is_rough and alike(self.shown, self.printed)


def alike(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but the last digits of numbers."""
    if _NUMBER.sub("#", one) != _NUMBER.sub("#", other):
        return False
    pairs = zip(_NUMBER.findall(one), _NUMBER.findall(other), strict=True)
    return all(
        ("e-" in a and "e-" in b)  # how far apart the frameworks are
        or math.isclose(float(a), float(b), rel_tol=_TOLERANCE, abs_tol=_SMALL)
        for a, b in pairs
    )


class Shell:
    """A folder with the example, in which `mindport` and `python` are those of the tutorial."""

    def __init__(self, folder: Path, frameworks: str | None) -> None:
        self.folder = folder / "work"
        self.frameworks = frameworks
        shutil.copytree(EXAMPLE, self.folder / "digits", ignore=shutil.ignore_patterns("__pycache__"))
        programs = folder / "bin"
        programs.mkdir()
        _program(programs / "mindport", f'exec "{sys.executable}" -m mindport "$@"')
        _program(programs / "python", f'exec "{frameworks or sys.executable}" "$@"')
        own = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "PYTHONWARNINGS": "ignore"}
        own |= {"COLUMNS": "100", "NO_COLOR": "1", "GLOG_v": "3", "PYTHONPATH": str(ROOT / "server")}
        own["MINDPORT_CACHE_DIR"] = str(folder / "cache")
        self._environment = {**os.environ, **own}

    def run(self, command: str, how: str) -> str | None:
        """What a command prints, as the page shows it; None where it cannot run here. Raises RuntimeError for
        a command that fails."""
        if "frameworks" in how and self.frameworks is None:
            return None
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        if done.returncode != 0:
            raise RuntimeError(f"$ {command}\n{done.stdout}")
        return _shown(done.stdout.replace(str(self.folder), "/home/you"), how)


def _program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def _shown(output: str, how: str) -> str:
    """The lines that the page shows."""
    lines = [line.rstrip() for line in output.strip("\n").split("\n")]
    ranges = re.findall(r"(-?\d+)-(-?\d+)", how)
    if not ranges:
        return "".join(f"{line}\n" for line in lines)
    shown: list[str] = []
    end = 0
    for first, last in ranges:
        start = int(first) - 1 if int(first) > 0 else len(lines) + int(first)
        shown += ["..."] if start > end else []
        end = int(last) if int(last) > 0 else len(lines) + int(last) + 1
        shown += lines[start:end]
    shown += ["..."] if end < len(lines) else []
    return "".join(f"{line}\n" for line in shown)


def blocks(text: str, shell: Shell) -> Iterator[Block]:
    """The commands of a page, in order, each run."""
    for found in _BLOCK.finditer(text):
        how = found["how"] or ""
        printed = shell.run(found["command"], how)
        yield Block(found["command"], found["output"], printed, "frameworks" in how)


def written(text: str, made: list[Block]) -> str:
    """The page with what its commands printed."""
    ran = iter(made)

    def replace(found: re.Match[str]) -> str:
        block = next(ran)
        if block.holds or block.printed is None:
            return found[0]
        start = found.start("output") - found.start()
        return f"{found[0][:start]}{block.printed}````"

    return _BLOCK.sub(replace, text)


def frameworks() -> str | None:
    """The Python that has both."""
    named = os.environ.get(VARIABLE)
    return str(Path(named).absolute()) if named else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 if a page is wrong")
    parser.add_argument("pages", nargs="*", type=Path, default=PAGES)
    options = parser.parse_args()
    code = 0
    for page in options.pages:
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory(prefix="mindport-") as folder:
            made = list(blocks(text, Shell(Path(folder), frameworks())))
        for block in made:
            if not block.holds:
                code = 1
                print(f"{page.name}: $ {block.command}\n--- shown\n{block.shown}--- printed\n{block.printed}")
        left = sum(block.printed is None for block in made)
        print(f"{page.name}: {len(made)} commands" + (f", {left} not run: set {VARIABLE}" if left else ""))
        if not options.check:
            page.write_text(written(text, made), encoding="utf-8")
    return code if options.check else 0


if __name__ == "__main__":
    sys.exit(main())
