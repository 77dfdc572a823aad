"""The command `mindport convert` and its options, as they are described to the user."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mindport.cli.arguments import Arguments, Given
from mindport.language import Language, Text
from mindport.project.setting_table import SETTINGS

if TYPE_CHECKING:
    import typer

ABOUT = Text(
    "Convert files and folders: make all changes that are known to keep what the code does.",
    "转换文件和文件夹：完成所有已知不改变代码行为的修改。",
)
_OUTPUT = Text(
    "Write the converted tree into this folder; the source stays as it is.",
    "将转换后的目录树写入该文件夹，源代码保持不变。",
)
_IN_PLACE = Text("Change the files themselves.", "直接修改文件。")
_DIFF = Text("Only show what would be changed, as a unified diff.", "仅以统一 diff 格式显示将要进行的修改。")
_UNSAFE = Text(
    "Make also the changes that have to be reviewed: check each of them.",
    "同时进行需审查的修改：请逐一检查。",
)
_FORCE = Text("With -o: overwrite files that differ.", "与 -o 一起使用：覆盖内容不同的文件。")
_EXIT_CODE = Text(
    "Exit with 1 when something is left to be done; with --diff, also when something would be changed.",
    "有遗留事项时以 1 退出；与 --diff 一起使用时，有待修改之处也以 1 退出。",
)


def add_convert(
    app: typer.Typer, arguments: Arguments, description: dict[str, Any], language: Language
) -> None:
    """Add the command."""
    option = arguments.option
    output_option = option(None, _OUTPUT, "--output", "-o", metavar="DIR")
    in_place_option = option(False, _IN_PLACE, "--in-place")
    diff_option = option(False, _DIFF, "--diff")
    unsafe_option = option(False, _UNSAFE, "--unsafe")
    force_option = option(False, _FORCE, "--force")
    exit_code_option = option(False, _EXIT_CODE, "--exit-code")

    @app.command("convert", **description)
    @arguments.with_settings(*SETTINGS)
    def convert(
        settings: Given,
        paths: list[Path] = arguments.paths,
        output: Path | None = output_option,
        in_place: bool = in_place_option,
        diff: bool = diff_option,
        unsafe: bool = unsafe_option,
        force: bool = force_option,
        exit_code: bool = exit_code_option,
    ) -> int:
        from mindport.cli.convert import ConvertOptions
        from mindport.cli.convert import convert as run

        wanted = ConvertOptions(paths, output, in_place, diff, unsafe, force, exit_code)
        return run(wanted, settings, language)
