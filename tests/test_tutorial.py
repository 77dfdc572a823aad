"""The tutorial: what it says that commands print, they print.

`python scripts/tutorial.py` writes it anew. With MINDPORT_TORCH_PYTHON what needs both frameworks is run, too."""

from __future__ import annotations

import importlib
import re
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "scripts" / "tutorial.py"
PAGES = ("tutorial.md", "tutorial.zh-CN.md")


@pytest.fixture(scope="module")
def tutorial() -> Any:
    sys.path.insert(0, str(SCRIPT.parent))
    try:
        return importlib.import_module("tutorial")
    finally:
        sys.path.remove(str(SCRIPT.parent))


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_commands_print_what_is_shown(page: str) -> None:
    command = [sys.executable, str(SCRIPT), "--check", str(ROOT / "docs" / page)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run python scripts/tutorial.py: {done.stdout}{done.stderr}"


def test_both_pages_have_the_same_commands(tutorial: Any) -> None:
    english, chinese = (commands(tutorial, page) for page in PAGES)
    assert [re.sub(" --language zh-cn", "", command) for command in chinese][1:] == english[1:]
    assert all(" --language zh-cn" in c for c in chinese if c.startswith("mindport"))
    assert all(text.count("\n") > 0 for text in shown(tutorial, PAGES[0]))


def commands(tutorial: Any, page: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return [found["command"] for found in tutorial._BLOCK.finditer(text)]


def shown(tutorial: Any, page: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return [found["output"] for found in tutorial._BLOCK.finditer(text)]


def pictures(page: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(r"(?m)^!\[[^\]]+\]\((\S+)\)$", text)


def test_both_pages_have_the_same_pictures() -> None:
    """`tests/editor/vscode/test_vscode_tutorial.py` takes them, and compares them with what is seen."""
    english, chinese = (pictures(page) for page in PAGES)
    assert len(english) > 3
    assert chinese == [name.replace(".png", ".zh-CN.png") for name in english]
    kept = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs" / "images").rglob("*.*")}
    assert kept == {*english, *chinese}
    for name in sorted(kept):
        data = (ROOT / "docs" / name).read_bytes()
        assert struct.unpack(">II", data[16:24]) == (1400, 900), name
        assert b"iTXtDescription" in data, f"{name} does not say what is to be read in it"
        assert len(data) < 300_000, name


def test_training_is_shown_to_be_the_same(tutorial: Any) -> None:
    """What the page says of both frameworks is what it shows."""
    trained = [text for text in shown(tutorial, PAGES[0]) if text.startswith("epoch 1 step 0")]
    assert len(trained) == 2
    assert tutorial.alike(*trained)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("loss 2.2829\n", "loss 2.2830\n", True),
        ("loss 2.2829\n", "loss 1.2829\n", False),
        ("largest difference 1.8e-07\n", "largest difference 6.0e-08\n", True),
        ("largest difference 1.8e-07\n", "largest difference 0.3\n", False),
        ("9 of 9 gradients\n", "8 of 9 gradients\n", False),
        ("step 0/20\n", "step 0/19\n", False),
    ],
)
def test_numbers_of_training_are_compared_roughly(tutorial: Any, one: str, other: str, same: bool) -> None:
    assert tutorial.alike(one, other) is same


def test_a_wrong_page_is_told(tmp_path: Path, tutorial: Any) -> None:
    page = tmp_path / "page.md"
    lines = "<!-- lines 1-1 -1--1 -->\n````console\n$ seq 5\n{}````\n\n````console\n$ echo é\né\n````\n"
    page.write_text(lines.format("1\n...\n4\n"), encoding="utf-8")
    command = [sys.executable, str(SCRIPT), str(page)]
    done = subprocess.run([*command, "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, "$ seq 5\n--- shown\n1\n...\n4\n--- printed\n1\n...\n5\n" in done.stdout) == (
        1,
        True,
    )
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    assert page.read_text(encoding="utf-8") == lines.format("1\n...\n5\n")
    page.write_text("````console\n$ false\n````\n", encoding="utf-8")
    done = subprocess.run([*command, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "RuntimeError: $ false" in done.stderr
