"""The External Tools that mindport offers, and how they are written in the IDE's file.

The elements are those that the IDE itself writes into `tools/External Tools.xml`. `$FilePath$` and
`$ProjectFileDir$` are macros that the IDE fills; the filter makes `path:line:column` in its console a link.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from mindport.language import Language, Text

_FILTER = "$FILE_PATH$:$LINE$:$COLUMN$"
_FOLDER = "$ProjectFileDir$"
_FLAGS = (
    'showInMainMenu="true" showInEditor="true" showInProject="true" showInSearchPopup="true" '
    'disabled="false" useConsole="true" showConsoleOnStdOut="false" showConsoleOnStdErr="false" '
    'synchronizeAfterRun="true"'
)
_LINKS = Text("Places in the code", "代码位置")
_LINKS_ABOUT = Text("Makes places in the code clickable.", "使代码位置可点击。")
_TOOLS: tuple[tuple[Text, Text, str], ...] = (
    (
        Text("MindPort: scan file", "MindPort：扫描文件"),
        Text("What has to change in this file", "此文件中需要修改之处"),
        'scan "$FilePath$"',
    ),
    (
        Text("MindPort: scan project", "MindPort：扫描项目"),
        Text("What has to change in this project", "此项目中需要修改之处"),
        'scan "$ProjectFileDir$"',
    ),
    (
        Text("MindPort: convert, show the diff", "MindPort：转换并显示差异"),
        Text("What the safe fixes would change in this file", "安全修复会对此文件作出的修改"),
        'convert "$FilePath$" --diff',
    ),
    (
        Text("MindPort: open report", "MindPort：打开报告"),
        Text("A report on this project, in the browser", "在浏览器中打开此项目的报告"),
        'pycharm report "$ProjectFileDir$"',
    ),
)


class Launcher(NamedTuple):
    """How the IDE starts mindport: a program, and the parameters before the command."""

    program: str
    parameters: str = ""


class Tool(NamedTuple):
    """One tool, as far as what it does is concerned."""

    name: str
    program: str
    parameters: str
    folder: str


def tools(launcher: Launcher, language: Language) -> list[Tool]:
    """The tools, named in `language`."""
    return [
        Tool(name.render(language), launcher.program, f"{launcher.parameters} {arguments}".lstrip(), _FOLDER)
        for name, _, arguments in _TOOLS
    ]


def tool_lines(tool: Tool, language: Language) -> list[str]:
    """The element of one of our tools, line by line."""
    about = next((about for name, about, _ in _TOOLS if name.render(language) == tool.name), Text("", ""))
    heading = f"name={quoteattr(tool.name)} description={quoteattr(about.render(language))}"
    return [
        f"<tool {heading} {_FLAGS}>",
        "  <exec>",
        _option(2, "COMMAND", tool.program),
        _option(2, "PARAMETERS", tool.parameters),
        _option(2, "WORKING_DIRECTORY", tool.folder),
        "  </exec>",
        "  <filter>",
        _option(2, "NAME", _LINKS.render(language)),
        _option(2, "DESCRIPTION", _LINKS_ABOUT.render(language)),
        _option(2, "REGEXP", _FILTER),
        "  </filter>",
        "</tool>",
    ]


def new_file(wanted: Sequence[Tool], language: Language) -> bytes:
    """A file with these tools alone."""
    lines = [f"  {line}" for tool in wanted for line in tool_lines(tool, language)]
    return "\n".join(['<toolSet name="External Tools">', *lines, "</toolSet>"]).encode()


def _option(depth: int, name: str, value: str) -> str:
    # The IDE writes attributes in double quotes; `quoteattr` alone would choose single ones where it can.
    escaped = quoteattr(value + "'", {'"': "&quot;"})[1:-2]
    return f'{"  " * depth}<option name="{name}" value="{escaped}" />'
