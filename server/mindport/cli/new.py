"""`mindport new`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mindport.cli.arguments import Arguments, Command, Given
from mindport.cli.console import UsageError
from mindport.cli.options import settings_for
from mindport.cli.output import StandardOutput
from mindport.language import Language, Text

_ABOUT = Text(
    "Create a MindSpore project that runs: network, data, training and tests.",
    "创建可直接运行的 MindSpore 项目：网络、数据、训练和测试。",
)
_FOLDER = Text("Project folder; must be new or empty.", "项目文件夹，须尚不存在或为空。")
_MODEL = Text(
    "Network: mlp, cnn, resnet, lstm or transformer.", "网络：mlp、cnn、resnet、lstm 或 transformer。"
)
_MADE = Text(
    "Created {number} files in {path}. Next: {next}", "已在 {path} 中创建 {number} 个文件。下一步：{next}"
)


def _add_arguments(arguments: Arguments) -> None:
    arguments.argument("folder", "FOLDER", _FOLDER, kind=Path)
    arguments.option("--model", metavar="NAME", text=_MODEL, default="cnn")
    arguments.settings("target", "device", "style", "language")


def _run(given: Given, language: Language) -> int:
    return new(given.folder, given.model, given.settings, language)


COMMANDS = (Command("new", _ABOUT, _add_arguments, _run),)


def new(folder: Path, model: str, options: Mapping[str, object], language: Language) -> int:
    """Make the project, and say what to run in it. Raises UsageError where it cannot be made."""
    from mindport.app.new_folder import NewFolderError
    from mindport.app.new_project.project import new_project

    settings, language = settings_for([], options, language)
    try:
        files = new_project(folder, model, settings, language)
    except NewFolderError as error:
        raise UsageError(error.render(language)) from error
    said = _MADE.render(language, number=len(files), path=folder, next=f"cd {folder} && python train.py")
    with StandardOutput(is_utf8=False) as out:
        out.write(f"{said}\n")
        out.flush()
    return 0
