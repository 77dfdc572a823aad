"""`mindport verify`: run torch APIs and what they become in both frameworks, and compare."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.cli.arguments import Arguments, Command, Given, Group
from mindport.cli.console import UsageError, error
from mindport.cli.options import codes, settings_for
from mindport.cli.output import StandardOutput
from mindport.cli.verify_model import COMMAND as MODEL
from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.catalog.jsonl import Record
    from mindport.catalog.ran import Pairs
    from mindport.verify.frameworks import Frameworks
    from mindport.verify.outcome import Outcome
    from mindport.verify.run import Verified
    from mindport.verify.table import InputTable

_SOURCE = Path(__file__).resolve().parents[3] / "mapping_data"
_ABOUT = Text(
    "Run torch APIs or a model side by side with their conversions, and compare (needs both frameworks).",
    "同时运行 torch 接口或模型及其转换结果并比较（需要安装两个框架）。",
)
_ABOUT_API = Text("Verify one API, and report each call.", "验证一个接口，并报告每次调用。")
_ABOUT_ALL = Text("Verify all APIs.", "验证所有接口。")
_NAME = Text("API name.", "接口名称。")
_SHAPES = Text(
    "Call forms to show: positional, keyword, shuffled, omitted.",
    "要显示的调用形式：positional、keyword、shuffled、omitted。",
)
_PYTHON = Text(
    "Python that has torch and MindSpore (default: MINDPORT_TORCH_PYTHON, else this one).",
    "装有 torch 和 MindSpore 的 Python（默认取 MINDPORT_TORCH_PYTHON，否则为当前 Python）。",
)
_ONLY = Text("Only APIs whose names start with this.", "只验证名称以此开头的接口。")
_WRITE = Text("Write the results into the mapping data.", "将验证结果写入映射数据。")
_FOLDER = Text("Folder with the mapping data.", "映射数据所在的文件夹。")
_UNKNOWN = Text("{name} is not in the mapping table.", "映射表中没有 {name}。")
_NO_COUNTERPART = Text("{name} has no equivalent.", "{name} 没有对应接口。")
_NOT_RUN = Text("{name} is not run: {reason}.", "不运行 {name}：{reason}。")
_NO_INPUTS = Text(
    "No test arguments for {name}: add them to mapping_data/verification.",
    "没有 {name} 的测试参数：请补充到 mapping_data/verification。",
)
_NO_SHAPE = Text("--shapes must be one or more of {shapes}.", "--shapes 应为 {shapes} 中的一项或多项。")
_NO_CHECKOUT = Text(
    "Results are written into a source checkout, and {path} is not one.",
    "验证结果须写入源码目录：{path} 不是源码目录。",
)
_KINDS = {
    "equal": Text("equal", "一致"),
    "differs": Text("differs", "不同"),
    "unsupported": Text("no kernel", "没有算子实现"),
    "refused": Text("input rejected", "输入不支持"),
    "fails": Text("fails", "失败"),
    "not_converted": Text("not converted", "未转换"),
    "torch_raises": Text("rejected by PyTorch", "PyTorch 不接受"),
}
_ASPECTS = {
    "value": Text("value", "数值"),
    "default": Text("default", "默认值"),
    "dtype": Text("dtype", "dtype"),
    "shape": Text("shape", "形状"),
    "structure": Text("structure", "结构"),
    "gradient": Text("gradient", "梯度"),
    "distribution": Text("distribution", "分布"),
}
_COUNTS = Text("{equal} of {all} calls equal", "{all} 次调用中 {equal} 次一致")
_GAP = Text(", largest difference {gap:.1e}", "，最大误差 {gap:.1e}")
_GRADIENT = Text(", gradients included", "，梯度一致")
_VERIFYING = Text("Verifying", "验证中")
_WRITTEN = Text("{path}: {number} records", "{path}：{number} 条记录")
_APIS = Text(
    "{apis} torch APIs were run; equal in all calls: {equal}; equal wherever MindSpore accepts the "
    "input: {partly}",
    "已运行 {apis} 个 torch 接口；所有调用一致：{equal} 个；凡 MindSpore 支持的输入均一致：{partly} 个",
)


def _add_arguments_of_api(arguments: Arguments) -> None:
    arguments.argument("name", "API", _NAME)
    arguments.option("--shapes", metavar="SHAPES", text=_SHAPES, is_many=True)
    arguments.option("--python", metavar="PATH", text=_PYTHON)
    arguments.settings("language")


def _run_api(given: Given, language: Language) -> int:
    return verify_api(given.name, codes(given.shapes) or (), given.python, given.settings, language)


def _add_arguments_of_all(arguments: Arguments) -> None:
    arguments.argument("folder", "[FOLDER]", _FOLDER, Path, is_needed=False)
    arguments.option("--only", metavar="NAMES", text=_ONLY, is_many=True)
    arguments.option("--python", metavar="PATH", text=_PYTHON)
    arguments.flag("--write", _WRITE)
    arguments.settings("language", "jobs")


def _run_all(given: Given, language: Language) -> int:
    only = codes(given.only) or ()
    return verify_all(only, given.python, given.write, given.folder, given.settings, language)


_API = Command("api", _ABOUT_API, _add_arguments_of_api, _run_api)
_ALL = Command("all", _ABOUT_ALL, _add_arguments_of_all, _run_all)
COMMANDS = (Group("verify", _ABOUT, (_API, MODEL, _ALL)),)


def verify_api(
    name: str, shapes: Sequence[str], python: str | None, options: Mapping[str, object], language: Language
) -> int:
    """Run one API with each of its candidates and print what came of each call. Returns 0 when nothing
    differs or fails with one of them, else 1. Raises UsageError."""
    _, language = settings_for([], options, language)
    from mindport.catalog.catalog import Catalog
    from mindport.verify.table import InputTable

    catalog = Catalog.load()
    table = InputTable.of(catalog)
    known = next((full for n in (name, f"torch.{name}") if (full := catalog.canonical(n))), None)
    if known is None:
        error(_UNKNOWN.render(language, name=name), language)
        return 1
    reason = table.why_not(known)
    if reason is not None:
        error(_NOT_RUN.render(language, name=known, reason=reason.render(language)), language)
        return 1
    wanted = _call_shapes(shapes, language)
    frameworks = _frameworks(python, language)
    found = list(_verified(known, table, frameworks, language))
    if not found:
        error(_NO_COUNTERPART.render(language, name=known), language)
        return 1
    lines = [line for verified in found for line in _lines(verified, wanted, language)]
    with StandardOutput(is_utf8=False) as out:
        out.write("\n".join(lines) + "\n")
        out.flush()
    return 0 if any(_is_fine(verified) for verified in found) else 1


def _call_shapes(shapes: Sequence[str], language: Language) -> Sequence[str]:
    from mindport.verify.written import CALL_SHAPES

    if not set(shapes) <= set(CALL_SHAPES):
        raise UsageError(_NO_SHAPE.render(language, shapes=", ".join(CALL_SHAPES)))
    return shapes or CALL_SHAPES


def _frameworks(python: str | None, language: Language) -> Frameworks:
    from mindport.verify.frameworks import FrameworksError, find_frameworks

    try:
        return find_frameworks(python)
    except FrameworksError as problem:
        raise UsageError(problem.render(language)) from problem


def _verified(name: str, table: InputTable, frameworks: Frameworks, language: Language) -> Iterator[Verified]:
    from mindport.catalog.catalog import Catalog
    from mindport.verify.everything import verify_all as run

    for _, found in run([name], Catalog.load(), table, frameworks.executable, frameworks.version, jobs=1):
        if found and not any(verified.outcomes for verified in found):
            raise UsageError(_NO_INPUTS.render(language, name=name))
        yield from found


def _lines(verified: Verified, shapes: Sequence[str], language: Language) -> Iterator[str]:
    """The candidate, how many calls were equal, and each call that was not."""
    outcomes = [o for o in verified.outcomes if set(o.case.shapes) & set(shapes)]
    tried = [o for o in outcomes if o.kind != "torch_raises"]
    equal = [o for o in tried if o.kind == "equal"]
    counts = _COUNTS.render(language, equal=len(equal), all=len(tried))
    gap = max((o.largest for o in equal), default=0.0)
    counts += _GAP.render(language, gap=gap) if gap else ""
    counts += _GRADIENT.render(language) if any(o.has_gradient for o in equal) else ""
    yield f"{verified.torch} → {verified.target}"
    yield f"  {counts}"
    yield from (_call(outcome, language) for outcome in outcomes if outcome.kind != "equal")


def _call(outcome: Outcome, language: Language) -> str:
    kind = _KINDS[outcome.kind].render(language)
    if outcome.aspect is not None:
        kind += f" ({_ASPECTS[outcome.aspect].render(language)})"
    return f"    ({outcome.case.arguments})  {kind}: {outcome.detail}"


def _is_fine(verified: Verified) -> bool:
    kinds = {o.kind for o in verified.outcomes}
    return "equal" in kinds and not kinds & {"differs", "fails"}


def verify_all(
    beginnings: Sequence[str],
    python: str | None,
    write: bool,
    folder: Path | None,
    options: Mapping[str, object],
    language: Language,
) -> int:
    """Run all APIs, or those whose names begin so, and print counts; with `write` put the evidence into the
    mapping data in `folder`. Raises UsageError."""
    settings, language = settings_for([], options, language)
    from mindport.catalog.catalog import Catalog
    from mindport.catalog.not_run import all_pairs
    from mindport.catalog.target import Target
    from mindport.verify.everything import names_to_run
    from mindport.verify.everything import verify_all as run
    from mindport.verify.evidence import record_of
    from mindport.verify.frameworks import FrameworksError
    from mindport.verify.table import InputTable
    from mindport.verify.unverified import not_run, why

    source = folder or _SOURCE
    if write and not (source / "catalog").is_dir():
        raise UsageError(_NO_CHECKOUT.render(language, path=source))
    frameworks = _frameworks(python, language)
    catalog = Catalog.load()
    table = InputTable.of(catalog)
    target = Target(frameworks.version, "cpu")
    names = names_to_run(catalog, table, target, beginnings)
    try:
        frameworks.require_libraries_of(names)
    except FrameworksError as error:
        raise UsageError(error.render(language)) from error
    results = run(names, catalog, table, frameworks.executable, frameworks.version, settings.jobs or 2)
    records: list[Record] = []
    reasons = dict(not_run(catalog, table, target, beginnings))
    for name, found in _with_bar(results, len(names), language):
        made = [record for verified in found if (record := record_of(verified, catalog)) is not None]
        records += made
        if not made:
            reasons[name] = why(found)
    _tell(records, language)
    if write:
        pairs = all_pairs(catalog, beginnings)
        unverified = {name: reason.text() for name, reason in reasons.items()}
        _write(source, frameworks, list(pairs) if beginnings else None, records, unverified, pairs, language)
    return 0


def _write(
    source: Path,
    frameworks: Frameworks,
    names: Sequence[str] | None,
    records: Sequence[Record],
    unverified: Mapping[str, str],
    pairs: Pairs,
    language: Language,
) -> None:
    from mindport.verify.evidence import evidence_file, update, update_run, update_unverified

    path = evidence_file(source, frameworks.version, "cpu")
    number = update(path, records, names, frameworks.versions)
    update_unverified(path, unverified, names)
    update_run(path, pairs, names)
    with StandardOutput(is_utf8=False) as out:
        out.write(_WRITTEN.render(language, path=path, number=number) + "\n")


def _tell(records: Iterable[Record], language: Language) -> None:
    best: dict[str, set[str]] = {}
    counts: Counter[str] = Counter()
    for record in records:
        best.setdefault(record["torch"], set()).add(record["result"])
        counts[record["result"]] += 1
    equal = sum("equal" in results for results in best.values())
    partly = sum(bool({"equal", "partly"} & results) for results in best.values())
    lines = [_APIS.render(language, apis=len(best), equal=equal, partly=partly)]
    lines += [f"  {number:>6}  {result}" for result, number in sorted(counts.items())]
    with StandardOutput(is_utf8=False) as out:
        out.write("\n".join(lines) + "\n")


def _with_bar(
    results: Iterator[tuple[str, list[Verified]]], total: int, language: Language
) -> Iterator[tuple[str, list[Verified]]]:
    """The results, with a bar on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        yield from results
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with ExitStack() as shown:
        bar = shown.enter_context(Progress(*columns, console=Console(file=sys.stderr), transient=True))
        task = bar.add_task(_VERIFYING.render(language), total=total)
        for result in results:
            yield result
            bar.advance(task)
