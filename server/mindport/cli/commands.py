"""The commands and their options, as they are described to the user."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

import mindport
from mindport.cli.arguments import OF_A_TARGET, Arguments, Given
from mindport.cli.convert_command import ABOUT as ABOUT_CONVERT
from mindport.cli.convert_command import add_convert
from mindport.cli.pycharm_command import ABOUT as ABOUT_PYCHARM
from mindport.cli.pycharm_command import add_pycharm
from mindport.language import Language, Text
from mindport.project.setting_table import SETTINGS
from mindport.report.formats import FORMAT_NAMES

_ABOUT = Text(
    "Ports PyTorch code to MindSpore: finds what has to change, says why, and changes it in the editor.",
    "将 PyTorch 代码移植到 MindSpore：找出需要修改之处，说明原因，并在编辑器中完成修改。",
)
_COMMANDS = Text("Commands", "命令")
_SCAN = Text(
    "Find the uses of torch APIs in files and folders, and say what each becomes.",
    "在文件和文件夹中查找 torch 接口的使用，并说明各自的对应接口。",
)
_SERVE = Text("Run the language server.", "运行语言服务器。")
_EXPLAIN = Text(
    "Explain an API of torch or MindSpore, or a code such as MP201.",
    "解释 torch 或 MindSpore 的接口，或 MP201 之类的代码。",
)
_SEARCH = Text(
    "Search the correspondence table, in both directions.", "双向搜索 torch 与 MindSpore 接口的对应表。"
)
_MAPPING = Text("The mapping data: check, build, count.", "映射数据：检查、构建、统计。")
_CHECK = Text("Check the mapping data of a source checkout.", "检查源码目录中的映射数据。")
_BUILD = Text("Build the index that mindport reads.", "构建 mindport 读取的索引。")
_STATS = Text("Count the torch APIs by status.", "按状态统计 torch 接口。")
_DOCTOR = Text(
    "Say which versions and settings are in force, and what is wrong with them.",
    "显示当前的版本与设置，以及其中的问题。",
)
_VERIFY = Text(
    "Run torch APIs and what they become side by side, and compare (needs both frameworks).",
    "同时运行 torch 接口及其对应写法并比较（需要安装两个框架）。",
)
_VERIFY_API = Text("Verify one API, with messages about each call.", "验证一个接口，并说明每次调用。")
_VERIFY_ALL = Text("Verify all APIs.", "验证所有接口。")
_SHAPES = Text(
    "Shapes of calls to show: positional, keyword, shuffled, omitted.",
    "要显示的调用形式：positional、keyword、shuffled、omitted。",
)
_PYTHON = Text(
    "The Python that has torch and MindSpore; else that of MINDPORT_TORCH_PYTHON, else this one.",
    "装有 torch 和 MindSpore 的 Python；默认取 MINDPORT_TORCH_PYTHON，否则为当前 Python。",
)
_ONLY = Text("Only APIs whose names begin so.", "只验证名称以此开头的接口。")
_WRITE = Text("Write the evidence into the mapping data.", "将验证结果写入映射数据。")
_FORMAT = Text(f"The form of the report: {FORMAT_NAMES.en}.", f"报告格式：{FORMAT_NAMES.zh_cn}。")
_STATS_FORMAT = Text("The form of the counts: text or json.", "统计结果的格式：text 或 json。")
_OUTPUT = Text("Write to this file instead of standard output.", "写入该文件，而不是标准输出。")
_NO_CACHE = Text(
    "Look at every file anew, and keep nothing for the next run.", "重新分析所有文件，且不保留缓存。"
)
_ENGINE = Text(
    "local, or dask: on the workers of dask.distributed (pip install 'mindport[dask]').",
    "local 或 dask：使用 dask.distributed 的工作进程（pip install 'mindport[dask]'）。",
)
_SCHEDULER = Text(
    "The address of dask's scheduler, such as tcp://HOST:8786; without it a cluster on this machine.",
    "dask 调度器的地址，例如 tcp://HOST:8786；未指定时在本机启动集群。",
)
_EXIT_CODE = Text("Exit with 1 when there are findings.", "有结果时以 1 退出。")
_STDIO = Text("Over standard input and output (the default).", "通过标准输入输出（默认）。")
_TCP = Text("HOST:PORT: serve the first client that connects.", "HOST:PORT：为第一个连接的客户端提供服务。")
_NAME = Text("The name of an API, or a code.", "接口名称或代码。")
_QUERY = Text("Part of a name, words, or something like a name.", "名称的一部分、若干单词，或相近的名称。")
_LIMIT = Text("How many results at most.", "结果数量上限。")
_FOLDER = Text("The folder with the mapping data.", "映射数据所在的文件夹。")
_INDEX = Text("Where the index goes.", "索引的位置。")
_VERSION = Text("Show the version.", "显示版本。")


class _Options(Arguments):
    """The parameters that commands have, described in one language."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        option, argument = self.option, self.argument
        self.name = argument(..., _NAME, "API|CODE")
        self.query = argument(..., _QUERY, "QUERY...")
        self.folder = argument(None, _FOLDER, "[FOLDER]")
        self.stats_form = option("text", _STATS_FORMAT, "--format", metavar="FORMAT")
        self.form = option("text", _FORMAT, "--format", metavar="FORMAT")
        self.output = option(None, _OUTPUT, "--output", "-o", metavar="FILE")
        self.index = option(None, _INDEX, "--output", "-o", metavar="FILE")
        self.no_cache = option(False, _NO_CACHE, "--no-cache")
        self.engine = option("local", _ENGINE, "--engine", metavar="ENGINE")
        self.scheduler = option(None, _SCHEDULER, "--scheduler", metavar="ADDRESS")
        self.exit_code = option(False, _EXIT_CODE, "--exit-code")
        self.stdio = option(False, _STDIO, "--stdio")
        self.tcp = option(None, _TCP, "--tcp", metavar="HOST:PORT")
        self.limit = option(20, _LIMIT, "--limit", metavar="N")
        self.shapes = option(None, _SHAPES, "--shapes", metavar="SHAPES")
        self.python = option(None, _PYTHON, "--python", metavar="PATH")
        self.only = option(None, _ONLY, "--only", metavar="NAMES")
        self.write = option(False, _WRITE, "--write")
        self.version = option(False, _VERSION, "--version")


def build_app(language: Language) -> typer.Typer:
    """The command line, described in `language`. Commands return the exit code."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help=_ABOUT.render(language))
    options = _Options(language)
    _add_general(app, options, language)
    _add_scan(app, options, language)
    add_convert(app, options, _describe(ABOUT_CONVERT, language), language)
    _add_lookups(app, options, language)
    _add_mapping(app, options, language)
    _add_verify(app, options, language)
    pycharm = typer.Typer(add_completion=False, help=ABOUT_PYCHARM.render(language))
    app.add_typer(pycharm, name="pycharm", rich_help_panel=_COMMANDS.render(language))
    pycharm.callback(invoke_without_command=True)(_require_command)
    add_pycharm(pycharm, options, lambda text: _describe(text, language), language)
    return app


def _describe(text: Text, language: Language) -> dict[str, Any]:
    return {"help": text.render(language), "rich_help_panel": _COMMANDS.render(language)}


def _require_command(context: typer.Context) -> None:
    """Show the help when there is no command."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


def _add_general(app: typer.Typer, options: _Options, language: Language) -> None:
    @app.callback(invoke_without_command=True)
    def start(context: typer.Context, version: bool = options.version) -> None:
        if version:
            typer.echo(f"mindport {mindport.__version__}")
            raise typer.Exit
        _require_command(context)

    @app.command("serve", **_describe(_SERVE, language))
    def serve(stdio: bool = options.stdio, tcp: str | None = options.tcp) -> int:
        from mindport.cli.serve import serve as run

        return run(stdio, tcp, language)

    @app.command("doctor", **_describe(_DOCTOR, language))
    @options.with_settings("language")
    def doctor(settings: Given) -> int:
        from mindport.cli.doctor import doctor as run

        return run(settings, language)


def _add_scan(app: typer.Typer, options: _Options, language: Language) -> None:
    @app.command("scan", **_describe(_SCAN, language))
    @options.with_settings(*SETTINGS)
    def scan(
        settings: Given,
        paths: list[Path] = options.paths,
        form: str = options.form,
        output: Path | None = options.output,
        engine: str = options.engine,
        scheduler: str | None = options.scheduler,
        no_cache: bool = options.no_cache,
        exit_code: bool = options.exit_code,
    ) -> int:
        from mindport.cli.scan import scan as run

        return run(paths, form, output, settings, language, exit_code, not no_cache, engine, scheduler)


def _add_lookups(app: typer.Typer, options: _Options, language: Language) -> None:
    @app.command("explain", **_describe(_EXPLAIN, language))
    @options.with_settings(*OF_A_TARGET)
    def explain(settings: Given, name: str = options.name) -> int:
        from mindport.cli.lookup import explain as run

        return run(name, settings, language)

    @app.command("search", **_describe(_SEARCH, language))
    @options.with_settings("language")
    def search(settings: Given, query: list[str] = options.query, limit: int = options.limit) -> int:
        from mindport.cli.lookup import search as run

        return run(" ".join(query), limit, settings, language)


def _add_mapping(app: typer.Typer, options: _Options, language: Language) -> None:
    mapping = typer.Typer(add_completion=False, help=_MAPPING.render(language))
    app.add_typer(mapping, name="mapping", rich_help_panel=_COMMANDS.render(language))
    mapping.callback(invoke_without_command=True)(_require_command)

    @mapping.command("check", **_describe(_CHECK, language))
    @options.with_settings("language")
    def check(settings: Given, folder: Path | None = options.folder) -> int:
        from mindport.cli.mapping import check as run

        return run(folder, settings, language)

    @mapping.command("build", **_describe(_BUILD, language))
    @options.with_settings("language")
    def build(
        settings: Given, folder: Path | None = options.folder, output: Path | None = options.index
    ) -> int:
        from mindport.cli.mapping import build as run

        return run(folder, output, settings, language)

    @mapping.command("stats", **_describe(_STATS, language))
    @options.with_settings(*OF_A_TARGET)
    def stats(settings: Given, form: str = options.stats_form) -> int:
        from mindport.cli.mapping import stats as run

        return run(form, settings, language)


def _add_verify(app: typer.Typer, options: _Options, language: Language) -> None:
    verify = typer.Typer(add_completion=False, help=_VERIFY.render(language))
    app.add_typer(verify, name="verify", rich_help_panel=_COMMANDS.render(language))
    verify.callback(invoke_without_command=True)(_require_command)

    @verify.command("api", **_describe(_VERIFY_API, language))
    @options.with_settings("language")
    def verify_api(
        settings: Given,
        name: str = options.name,
        shapes: list[str] | None = options.shapes,
        python: str | None = options.python,
    ) -> int:
        from mindport.cli.options import codes
        from mindport.cli.verify import verify_api as run

        return run(name, codes(shapes) or (), python, settings, language)

    @verify.command("all", **_describe(_VERIFY_ALL, language))
    @options.with_settings("language", "jobs")
    def verify_all(
        settings: Given,
        only: list[str] | None = options.only,
        python: str | None = options.python,
        write: bool = options.write,
        folder: Path | None = options.folder,
    ) -> int:
        from mindport.cli.options import codes
        from mindport.cli.verify import verify_all as run

        return run(codes(only) or (), python, write, folder, settings, language)
