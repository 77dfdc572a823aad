"""The External Tools: the file for hand use, what their commands do, and the links in their output."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest
from mindport.cli import pycharm as command
from mindport.cli.main import main
from mindport.pycharm.external_tools import Launcher, new_file, tools
from mindport.pycharm.tools_file import read_tools

BRIDGE = Path(__file__).resolve().parents[2] / "pycharm-bridge" / "external-tools"
TOOLS = tools(Launcher("mindport"), "en")


def test_the_file_for_hand_use_is_what_an_installation_writes() -> None:
    assert (BRIDGE / "External Tools.xml").read_bytes() == new_file(TOOLS, "en")


@pytest.mark.parametrize("language", ["en", "zh-cn"])
def test_what_is_written_can_be_read(language: str) -> None:
    wanted = tools(Launcher('C:\\a "b" & <c>\\python.exe', "-I -m mindport"), language)
    assert [placed.tool for placed in read_tools(new_file(wanted, language)).tools] == wanted


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_the_readme_lists_the_commands(readme: str) -> None:
    told = (BRIDGE / readme).read_text("utf-8")
    for tool in TOOLS:
        assert f"| {tool.name}" in told
        assert f"`mindport {tool.parameters}`" in told


def test_all_macros_are_those_of_the_ide() -> None:
    used = set(re.findall(r"\$[A-Za-z]+\$", " ".join(f"{tool.parameters} {tool.folder}" for tool in TOOLS)))
    assert used == {"$FilePath$", "$ProjectFileDir$"}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.parameters.partition(" ")[0])
def test_mindport_understands_every_command(
    tool: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "my models 模型" / "net.py"
    file.parent.mkdir()
    file.write_text("import torch\nx = torch.randn(3)\n")
    monkeypatch.setattr(command.webbrowser, "open", lambda address: True)
    parameters = tool.parameters.replace("$FilePath$", str(file)).replace(
        "$ProjectFileDir$", str(file.parent)
    )
    assert main(shlex.split(parameters)) in (0, 1), capsys.readouterr().err
    assert file.read_text() == "import torch\nx = torch.randn(3)\n"


def test_what_a_scan_prints_has_links(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "net.py"
    file.write_text("import torch\nx = torch.randn(3)\n")
    main(["scan", str(file)])
    filters = ElementTree.parse(BRIDGE / "External Tools.xml").iterfind(".//filter/option[@name='REGEXP']")
    for option in filters:
        pattern = re.escape(str(option.get("value")))
        for macro, meaning in (("FILE_PATH", r"(?P<file>\S+)"), ("LINE", r"(\d+)"), ("COLUMN", r"(\d+)")):
            pattern = pattern.replace(rf"\${macro}\$", meaning)
        [match] = re.finditer(pattern, capsys.readouterr().out)
        assert match.groups() == (str(file), "2", "5")
        break
