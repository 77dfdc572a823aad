"""The template for LSP4IJ beside the IDE's configuration, with the command of this installation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from mindport.language import Text
from mindport.pycharm.external_tools import Launcher
from mindport.source.error import TextError

_IN_PACKAGE = Path(__file__).resolve().parent / "lsp4ij"
_IN_CHECKOUT = Path(__file__).resolve().parents[3] / "pycharm-bridge" / "lsp4ij"
_MISSING = Text(
    "The template for LSP4IJ is not in this installation ({place}). Install mindport anew.",
    "此安装中没有 LSP4IJ 模板（{place}）。请重新安装 mindport。",
)


def template_files(launcher: Launcher) -> Mapping[str, bytes]:
    """The template's files by name. The server is started by `launcher`, so that it need not be on the PATH.

    Raises TextError where the template is not part of the installation.
    """
    folder = _IN_PACKAGE if _IN_PACKAGE.is_dir() else _IN_CHECKOUT
    if not (folder / "template.json").is_file():
        raise TextError(_MISSING, place=_IN_PACKAGE)
    files = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
    template = json.loads(files["template.json"])
    template["programArgs"] = {"default": command_line(launcher)}
    files["template.json"] = (json.dumps(template, indent=2, ensure_ascii=False) + "\n").encode()
    return files


def command_line(launcher: Launcher) -> str:
    """The command that starts the server, as one line; a program whose path has spaces is in quotes."""
    program = f'"{launcher.program}"' if " " in launcher.program else launcher.program
    return " ".join(part for part in (program, launcher.parameters, "serve --stdio") if part)
