"""`mindport mapping`: check, build and count the mapping data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mindport.catalog import index
from mindport.cli.arguments import OF_A_TARGET, Arguments, Command, Given, Group
from mindport.cli.console import UsageError
from mindport.cli.options import settings_for
from mindport.cli.output import StandardOutput
from mindport.language import Language, Text

_PACKAGE = Path(index.__file__).resolve().parent
_SOURCE = _PACKAGE.parents[2] / "mapping_data"
_STATS_FORMATS = ("text", "json")
_ABOUT = Text("Check, build and count the mapping data.", "检查、构建和统计映射数据。")
_ABOUT_CHECK = Text("Check the mapping data of a source checkout.", "检查源码目录中的映射数据。")
_ABOUT_BUILD = Text("Build the index that MindPort reads.", "构建 MindPort 读取的索引。")
_ABOUT_STATS = Text("Count the torch APIs by status.", "按状态统计 torch 接口。")
_FOLDER = Text("Folder with the mapping data.", "映射数据所在的文件夹。")
_OUTPUT = Text("Where to write the index.", "索引的写入位置。")
_FORMAT = Text("Output format: text or json.", "输出格式：text 或 json。")
_NO_FOLDER = Text(
    "No mapping data in {path}: give the folder mapping_data of a source checkout.",
    "{path} 中没有映射数据：请指定源码目录中的 mapping_data 文件夹。",
)
_NO_FORMAT = Text("--format must be {formats}.", "--format 应为 {formats}。")
_NO_PYDANTIC = Text(
    "`mapping check` needs pydantic, which is not installed: pip install 'mindport[mapping]'",
    "`mapping check` 需要 pydantic，但尚未安装：pip install 'mindport[mapping]'",
)
_SOUND = Text("No problems in the mapping data.", "映射数据没有问题。")
_PROBLEMS = Text("Problems: {number}", "问题：{number} 个")
_NOT_RUN = Text(
    "Not run yet: {number}. With torch and MindSpore installed, run `mindport verify all --write`.",
    "尚未运行验证：{number} 项。请在装有 torch 和 MindSpore 的环境中运行 `mindport verify all --write`。",
)
_NOT_BUILT = Text("Cannot build the index: {reason}", "无法构建索引：{reason}")
_BUILT = Text("{path}: {size} bytes", "{path}：{size} 字节")
_APIS = Text(
    "Public torch APIs: {apis}; with an equivalent in MindSpore {version} on {device}: {with_counterpart}",
    "公开的 torch 接口：{apis} 个；在 MindSpore {version}（{device}）中有对应接口：{with_counterpart} 个",
)


def _add_arguments_of_check(arguments: Arguments) -> None:
    arguments.argument("folder", "[FOLDER]", _FOLDER, Path, is_needed=False)
    arguments.settings("language")


def _run_check(given: Given, language: Language) -> int:
    return check(given.folder, given.settings, language)


def _add_arguments_of_build(arguments: Arguments) -> None:
    arguments.argument("folder", "[FOLDER]", _FOLDER, Path, is_needed=False)
    arguments.option("--output", "-o", metavar="FILE", text=_OUTPUT, kind=Path)
    arguments.settings("language")


def _run_build(given: Given, language: Language) -> int:
    return build(given.folder, given.output, given.settings, language)


def _add_arguments_of_stats(arguments: Arguments) -> None:
    arguments.option("--format", metavar="FORMAT", text=_FORMAT, default="text")
    arguments.settings(*OF_A_TARGET)


def _run_stats(given: Given, language: Language) -> int:
    return stats(given.format, given.settings, language)


_CHECK = Command("check", _ABOUT_CHECK, _add_arguments_of_check, _run_check)
_BUILD = Command("build", _ABOUT_BUILD, _add_arguments_of_build, _run_build)
_STATS = Command("stats", _ABOUT_STATS, _add_arguments_of_stats, _run_stats)
COMMANDS = (Group("mapping", _ABOUT, (_CHECK, _BUILD, _STATS)),)


def check(folder: Path | None, options: Mapping[str, object], language: Language) -> int:
    """Print what is wrong with the mapping data, and what of it was not run yet. Returns 1 if anything is
    wrong. Raises UsageError."""
    _, language = settings_for([], options, language)
    from mindport.catalog.check import checked

    source = _source(folder, language)
    if find_spec("pydantic") is None:
        raise UsageError(_NO_PYDANTIC.render(language))
    problems, not_run = checked(source)
    lines = [problem.message(language) for problem in problems]
    lines.append(_PROBLEMS.render(language, number=len(problems)) if problems else _SOUND.render(language))
    if not_run:
        lines.append(_NOT_RUN.render(language, number=len(not_run)))
        lines += [f"  {pair.torch} → {pair.target}" for pair in not_run]
    _print(lines)
    return 1 if problems else 0


def build(folder: Path | None, output: Path | None, options: Mapping[str, object], language: Language) -> int:
    """Build the index. Raises UsageError when that is not possible."""
    _, language = settings_for([], options, language)
    from mindport.catalog.build import build_index

    source = _source(folder, language)
    destination = output or _PACKAGE / index.INDEX_NAME
    try:
        build_index(source, destination)
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(_NOT_BUILT.render(language, reason=error)) from error
    _print([_BUILT.render(language, path=destination, size=destination.stat().st_size)])
    return 0


def stats(form: str, options: Mapping[str, object], language: Language) -> int:
    """Print the counts for a target. Raises UsageError for an unknown form."""
    settings, language = settings_for([], options, language)
    if form not in _STATS_FORMATS:
        raise UsageError(_NO_FORMAT.render(language, formats=" / ".join(_STATS_FORMATS)))
    from mindport.catalog.catalog import Catalog
    from mindport.catalog.stats import stats as counts_for

    counts = counts_for(Catalog.load(), settings.ported_to)
    _print([json.dumps(counts, indent=2)] if form == "json" else _as_text(counts, language))
    return 0


def _as_text(counts: dict[str, Any], language: Language) -> list[str]:
    target = counts["target"]
    lines = [
        _APIS.render(language, **target, apis=counts["apis"], with_counterpart=counts["with_counterpart"])
    ]
    lines += [f"  {number:>6}  {status}" for status, number in counts["by_status"].items()]
    width = max(map(len, counts["by_module"]), default=0)
    for module, numbers in counts["by_module"].items():
        lines.append(
            f"{module:{width}}  " + ", ".join(f"{name} {number}" for name, number in numbers.items())
        )
    return lines


def _source(folder: Path | None, language: Language) -> Path:
    source = folder or _SOURCE
    if not (source / "catalog").is_dir():
        raise UsageError(_NO_FOLDER.render(language, path=source))
    return source


def _print(lines: list[str]) -> None:
    with StandardOutput(is_utf8=False) as out:
        out.write("\n".join(lines) + "\n")
        out.flush()
