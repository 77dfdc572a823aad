"""The commands and their options, as they are described to the user."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

import mindport
from mindport.cli.convert_command import ABOUT as ABOUT_CONVERT
from mindport.cli.convert_command import add_convert
from mindport.cli.pycharm_command import ABOUT as ABOUT_PYCHARM
from mindport.cli.pycharm_command import add_pycharm
from mindport.language import Language, Text

_ABOUT = Text(
    "Ports PyTorch code to MindSpore: finds what has to change, says why, and changes it in the editor.",
    "将 PyTorch 代码移植到 MindSpore：找出需要修改之处，说明原因，并在编辑器中完成修改。",
)
_OPTIONS = Text("Options", "选项")
_ARGUMENTS = Text("Arguments", "参数")
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
_PATHS = Text("Files and folders.", "文件和文件夹。")
_FORMAT = Text(
    "The form of the report: text, json, html, csv or sarif.", "报告格式：text、json、html、csv 或 sarif。"
)
_STATS_FORMAT = Text("The form of the counts: text or json.", "统计结果的格式：text 或 json。")
_OUTPUT = Text("Write to this file instead of standard output.", "写入该文件，而不是标准输出。")
_TARGET = Text("The MindSpore version to port to, such as 2.10.", "目标 MindSpore 版本，例如 2.10。")
_DEVICE = Text("ascend, gpu or cpu.", "ascend、gpu 或 cpu。")
_STYLE = Text(
    "auto, mint or classic: which MindSpore functions to prefer.",
    "auto、mint 或 classic：优先使用哪一类 MindSpore 接口。",
)
_SELECT = Text(
    "Show only findings whose code begins so, such as MP2,MP301.",
    "只显示代码以此开头的结果，例如 MP2,MP301。",
)
_IGNORE = Text("Do not show findings whose code begins so.", "不显示代码以此开头的结果。")
_LANGUAGE = Text("en or zh-cn.", "en 或 zh-cn。")
_JOBS = Text("How many processes; 0 for one per processor.", "进程数；0 表示每个处理器一个。")
_MOST_FILES = Text(
    "How many files the search of folders takes at most; 0 for any number.",
    "搜索文件夹时最多处理的文件数；0 表示不限。",
)
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


class _Options:
    """The parameters that commands have, described in one language."""

    def __init__(self, language: Language) -> None:
        def option(default: Any, text: Text, *names: str, metavar: str | None = None) -> Any:
            panel = _OPTIONS.render(language)
            described = text.render(language)
            return typer.Option(default, *names, help=described, metavar=metavar, rich_help_panel=panel)

        def argument(default: Any, text: Text, metavar: str) -> Any:
            panel = _ARGUMENTS.render(language)
            return typer.Argument(default, help=text.render(language), metavar=metavar, rich_help_panel=panel)

        self.option = option
        self.argument = argument
        self.paths = argument(..., _PATHS, "PATH...")
        self.name = argument(..., _NAME, "API|CODE")
        self.query = argument(..., _QUERY, "QUERY...")
        self.folder = argument(None, _FOLDER, "[FOLDER]")
        self.stats_form = option("text", _STATS_FORMAT, "--format", metavar="FORMAT")
        self.form = option("text", _FORMAT, "--format", metavar="FORMAT")
        self.output = option(None, _OUTPUT, "--output", "-o", metavar="FILE")
        self.index = option(None, _INDEX, "--output", "-o", metavar="FILE")
        self.target = option(None, _TARGET, "--target", metavar="VERSION")
        self.device = option(None, _DEVICE, "--device", metavar="DEVICE")
        self.style = option(None, _STYLE, "--style", metavar="STYLE")
        self.select = option(None, _SELECT, "--select", metavar="CODES")
        self.ignore = option(None, _IGNORE, "--ignore", metavar="CODES")
        self.language = option(None, _LANGUAGE, "--language", metavar="LANGUAGE")
        self.jobs = option(None, _JOBS, "--jobs", metavar="N")
        self.most_files = option(None, _MOST_FILES, "--limit", metavar="N")
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
    add_convert(app, options, options.option, _describe(ABOUT_CONVERT, language), language)
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
    def doctor(chosen: str | None = options.language) -> int:
        from mindport.cli.doctor import doctor as run

        return run({"language": chosen}, language)


def _add_scan(app: typer.Typer, options: _Options, language: Language) -> None:
    @app.command("scan", **_describe(_SCAN, language))
    def scan(
        paths: list[Path] = options.paths,
        form: str = options.form,
        output: Path | None = options.output,
        target: str | None = options.target,
        device: str | None = options.device,
        style: str | None = options.style,
        select: list[str] | None = options.select,
        ignore: list[str] | None = options.ignore,
        chosen: str | None = options.language,
        jobs: int | None = options.jobs,
        limit: int | None = options.most_files,
        engine: str = options.engine,
        scheduler: str | None = options.scheduler,
        no_cache: bool = options.no_cache,
        exit_code: bool = options.exit_code,
    ) -> int:
        from mindport.cli.plain_scan import run_scan

        given: dict[str, Any] = {"paths": paths, "form": form, "output": output, "chosen": chosen}
        given |= {"target": target, "device": device, "style": style, "select": select, "ignore": ignore}
        given |= {"jobs": jobs, "limit": limit, "engine": engine, "scheduler": scheduler}
        given |= {"no_cache": no_cache, "exit_code": exit_code}
        return run_scan(given, language)


def _add_lookups(app: typer.Typer, options: _Options, language: Language) -> None:
    @app.command("explain", **_describe(_EXPLAIN, language))
    def explain(
        name: str = options.name,
        target: str | None = options.target,
        device: str | None = options.device,
        style: str | None = options.style,
        chosen: str | None = options.language,
    ) -> int:
        from mindport.cli.lookup import explain as run

        given = {"target": target, "device": device, "style": style, "language": chosen}
        return run(name, given, language)

    @app.command("search", **_describe(_SEARCH, language))
    def search(
        query: list[str] = options.query, limit: int = options.limit, chosen: str | None = options.language
    ) -> int:
        from mindport.cli.lookup import search as run

        return run(" ".join(query), limit, {"language": chosen}, language)


def _add_mapping(app: typer.Typer, options: _Options, language: Language) -> None:
    mapping = typer.Typer(add_completion=False, help=_MAPPING.render(language))
    app.add_typer(mapping, name="mapping", rich_help_panel=_COMMANDS.render(language))
    mapping.callback(invoke_without_command=True)(_require_command)

    @mapping.command("check", **_describe(_CHECK, language))
    def check(folder: Path | None = options.folder, chosen: str | None = options.language) -> int:
        from mindport.cli.mapping import check as run

        return run(folder, {"language": chosen}, language)

    @mapping.command("build", **_describe(_BUILD, language))
    def build(
        folder: Path | None = options.folder,
        output: Path | None = options.index,
        chosen: str | None = options.language,
    ) -> int:
        from mindport.cli.mapping import build as run

        return run(folder, output, {"language": chosen}, language)

    @mapping.command("stats", **_describe(_STATS, language))
    def stats(
        form: str = options.stats_form,
        target: str | None = options.target,
        device: str | None = options.device,
        style: str | None = options.style,
        chosen: str | None = options.language,
    ) -> int:
        from mindport.cli.mapping import stats as run

        given = {"target": target, "device": device, "style": style, "language": chosen}
        return run(form, given, language)


def _add_verify(app: typer.Typer, options: _Options, language: Language) -> None:
    verify = typer.Typer(add_completion=False, help=_VERIFY.render(language))
    app.add_typer(verify, name="verify", rich_help_panel=_COMMANDS.render(language))
    verify.callback(invoke_without_command=True)(_require_command)

    @verify.command("api", **_describe(_VERIFY_API, language))
    def verify_api(
        name: str = options.name,
        shapes: list[str] | None = options.shapes,
        python: str | None = options.python,
        chosen: str | None = options.language,
    ) -> int:
        from mindport.cli.options import codes
        from mindport.cli.verify import verify_api as run

        return run(name, codes(shapes) or (), python, {"language": chosen}, language)

    @verify.command("all", **_describe(_VERIFY_ALL, language))
    def verify_all(
        only: list[str] | None = options.only,
        python: str | None = options.python,
        write: bool = options.write,
        folder: Path | None = options.folder,
        jobs: int | None = options.jobs,
        chosen: str | None = options.language,
    ) -> int:
        from mindport.cli.options import codes
        from mindport.cli.verify import verify_all as run

        given = {"language": chosen, "jobs": jobs}
        return run(codes(only) or (), python, write, folder, given, language)
