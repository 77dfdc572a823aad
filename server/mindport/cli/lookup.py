"""`mindport explain` and `mindport search`."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from mindport.cli.arguments import OF_A_TARGET, Arguments, Command, Given
from mindport.cli.console import UsageError, error, has_colour
from mindport.cli.options import settings_for
from mindport.cli.output import StandardOutput
from mindport.language import LIST, Language, Text, joined

if TYPE_CHECKING:
    from mindport.catalog.catalog import Catalog
    from mindport.catalog.target import Target

_CODE = re.compile(r"MP\d{3}", re.IGNORECASE)
_ABOUT_EXPLAIN = Text(
    "Explain a torch or MindSpore API, or a rule such as MP201.",
    "解释 torch 或 MindSpore 的接口，或 MP201 等规则。",
)
_ABOUT_SEARCH = Text(
    "Search the mapping table, in both directions.", "双向搜索 torch 与 MindSpore 的接口映射表。"
)
_NAME = Text("API name or rule code.", "接口名称或规则代码。")
_ISSUE = Text(
    "Print an issue that asks the MindSpore community for the API.",
    "输出向 MindSpore 社区提出该接口需求的 issue。",
)
_CALL = Text("Your call, for --issue.", "您的调用，用于 --issue。")
_CALL_ALONE = Text("Option --call needs --issue.", "选项 --call 需与 --issue 一起使用。")
_FILE_AT = Text(
    "File it at {address}, after a look for one that is there already.",
    "请先查看是否已有相同的 issue，再提交到 {address}。",
)
_QUERY = Text("Part of a name, words, or an approximate name.", "名称的一部分、若干单词，或近似的名称。")
_LIMIT = Text("Maximum number of results.", "最多显示的结果数。")
_NO_SUCH_CODE = Text(
    "Unknown code: {code}. The codes are: {codes}.", "未知的规则代码：{code}。现有规则代码：{codes}。"
)
_NOT_KNOWN = Text("{name} is not in the mapping table.", "映射表中没有 {name}。")
_SIMILAR = Text("Similar names: {names}", "相近的名称：{names}")
_NO_RESULTS = Text("No results for {query!r}.", "没有找到 {query!r} 的相关结果。")
_MOST_SIMILAR = 5


def _add_arguments_of_explain(arguments: Arguments) -> None:
    arguments.argument("name", "API|CODE", _NAME)
    arguments.flag("--issue", _ISSUE)
    arguments.option("--call", metavar="CODE", text=_CALL)
    arguments.settings(*OF_A_TARGET)


def _run_explain(given: Given, language: Language) -> int:
    if given.issue:
        return issue(given.name, given.call or "", given.settings, language)
    if given.call is not None:
        raise UsageError(_CALL_ALONE.render(language))
    return explain(given.name, given.settings, language)


def _add_arguments_of_search(arguments: Arguments) -> None:
    arguments.argument("query", "QUERY...", _QUERY, is_many=True)
    arguments.option("--limit", metavar="N", text=_LIMIT, default=20, kind=int)
    arguments.settings("language")


def _run_search(given: Given, language: Language) -> int:
    return search(" ".join(given.query), given.limit, given.settings, language)


COMMANDS = (
    Command("explain", _ABOUT_EXPLAIN, _add_arguments_of_explain, _run_explain),
    Command("search", _ABOUT_SEARCH, _add_arguments_of_search, _run_search),
)


def explain(name: str, options: Mapping[str, object], language: Language) -> int:
    """Print the page of an API or a code. Returns 1 when there is none."""
    settings, language = settings_for([], options, language)
    if _CODE.fullmatch(name):
        return _explain_code(name.upper(), language)
    from mindport.catalog.catalog import Catalog
    from mindport.catalog.explain import explain as page

    catalog = Catalog.load()
    target = settings.ported_to
    known = _full_name(catalog, name, target)
    if known is None and catalog.other_frameworks.get(name) is not None:
        known = name
    if known is None:
        return _not_known(catalog, name, language)
    show(page(catalog, known, target, language))
    return 0


def issue(name: str, call: str, options: Mapping[str, object], language: Language) -> int:
    """Print an issue about a missing API, and say where to file it. Returns 1 where there is none to file."""
    settings, language = settings_for([], options, language)
    from mindport.app.missing_api_issue import TRACKER, NotMissingError, missing_api_issue
    from mindport.catalog.catalog import Catalog

    catalog = Catalog.load()
    known = _full_name(catalog, name, settings.ported_to)
    if known is None:
        return _not_known(catalog, name, language)
    try:
        text = missing_api_issue(catalog, known, settings.ported_to, language, call)
    except NotMissingError as wrong:
        error(wrong.render(language), language)
        return 1
    _print(text)  # as it is: to be copied
    print(_FILE_AT.render(language, address=TRACKER), file=sys.stderr)
    return 0


def _not_known(catalog: Catalog, name: str, language: Language) -> int:
    """Say that a name is unknown, and which are like it."""
    error(_NOT_KNOWN.render(language, name=name), language)
    similar = joined((result.name for result in catalog.search(name, _MOST_SIMILAR)), LIST, language)
    if similar:
        print(_SIMILAR.render(language, names=similar), file=sys.stderr)
    return 1


def _full_name(catalog: Catalog, name: str, target: Target) -> str | None:
    """The name of an API; `torch.` in front may be left out. None for an unknown one."""
    if catalog.mindspore_api(name, target.version) is not None:
        return name
    return next((full for full in (name, f"torch.{name}") if catalog.canonical(full) is not None), None)


def _explain_code(code: str, language: Language) -> int:
    from mindport.assess.rules import all_rules
    from mindport.report.rule_page import rule_page

    rules = all_rules()
    if code not in rules:
        error(_NO_SUCH_CODE.render(language, code=code, codes=joined(rules, LIST, language)), language)
        return 1
    show(rule_page(rules[code], language))
    return 0


def show(markdown: str) -> None:
    """Print Markdown: laid out on a terminal, else as it is."""
    if has_colour(sys.stdout):
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(markdown))
    else:
        _print(markdown)


def search(query: str, limit: int, options: Mapping[str, object], language: Language) -> int:
    """Print the pairs that fit a query, best first. Returns 1 when there are none."""
    _, language = settings_for([], options, language)
    from mindport.catalog.catalog import Catalog
    from mindport.catalog.explain import counterparts_text

    results = Catalog.load().search(query, limit)
    if not results:
        error(_NO_RESULTS.render(language, query=query), language)
        return 1
    width = max(len(result.name) for result in results)
    lines = []
    for result in results:
        arrow = "←" if result.name.startswith("mindspore.") else "→"
        shown = counterparts_text(result, language)
        shown = f"{arrow} {shown}" if result.counterparts else shown
        lines.append(f"{result.name:{width}}  {shown}\n")
    _print("".join(lines))
    return 0


def _print(text: str) -> None:
    with StandardOutput(is_utf8=False) as out:
        out.write(text)
        out.flush()
