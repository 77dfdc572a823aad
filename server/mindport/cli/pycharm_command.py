"""The commands `mindport pycharm ...` and their options, as they are described to the user."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mindport.cli.arguments import Arguments, Given
from mindport.language import Language, Text

if TYPE_CHECKING:
    import typer

ABOUT = Text(
    "PyCharm and the other JetBrains IDEs: install, see what is installed, uninstall.",
    "PyCharm 及其他 JetBrains IDE：安装、查看安装情况、卸载。",
)
_INSTALL = Text(
    "Add the External Tools, and prepare the template for LSP4IJ.", "添加外部工具，并准备 LSP4IJ 模板。"
)
_UNINSTALL = Text("Take out what was installed, and nothing else.", "移除所安装的内容，不影响其他内容。")
_STATUS = Text("Say where it is installed.", "显示安装情况。")
_REPORT = Text("Scan a project and open the report in the browser.", "扫描项目，并在浏览器中打开报告。")
_IDE = Text(
    "Only this IDE, such as PyCharm2025.3; may be given several times.",
    "仅限此 IDE，例如 PyCharm2025.3；可多次指定。",
)
_CONFIG = Text("The IDE's configuration folder, where it has been moved.", "IDE 的配置文件夹（若已移动）。")
_DRY_RUN = Text("Only say what would be done.", "仅显示将要进行的操作。")
_PROJECT = Text("The project's folder.", "项目文件夹。")


def add_pycharm(
    pycharm: typer.Typer, arguments: Arguments, describe: Callable[[Text], dict[str, Any]], language: Language
) -> None:
    """Add the commands. `describe` describes them."""
    ides_option = arguments.option([], _IDE, "--ide", metavar="NAME")
    config_option = arguments.option(None, _CONFIG, "--config", metavar="FOLDER")
    dry_run_option = arguments.option(False, _DRY_RUN, "--dry-run")
    project_argument = arguments.argument(..., _PROJECT, "FOLDER")

    @pycharm.command("install", **describe(_INSTALL))
    @arguments.with_settings("language")
    def install(
        settings: Given,
        ides: list[str] = ides_option,
        config: Path | None = config_option,
        dry_run: bool = dry_run_option,
    ) -> int:
        from mindport.cli.pycharm import install as run

        return run(ides, config, dry_run, language)

    @pycharm.command("uninstall", **describe(_UNINSTALL))
    @arguments.with_settings("language")
    def uninstall(
        settings: Given,
        ides: list[str] = ides_option,
        config: Path | None = config_option,
        dry_run: bool = dry_run_option,
    ) -> int:
        from mindport.cli.pycharm import uninstall as run

        return run(ides, config, dry_run, language)

    @pycharm.command("status", **describe(_STATUS))
    @arguments.with_settings("language")
    def status(
        settings: Given,
        ides: list[str] = ides_option,
        config: Path | None = config_option,
    ) -> int:
        from mindport.cli.pycharm import status as run

        return run(ides, config, language)

    @pycharm.command("report", **describe(_REPORT))
    @arguments.with_settings("language")
    def report(settings: Given, folder: Path = project_argument) -> int:
        from mindport.cli.pycharm import report as run

        return run(folder, language)
