"""What became of each form of arguments that was tried: the table at the top of `docs/verified`.

A form is the arguments of a call as `mindport verify` generates them (types, ranks, None, defaults given and
left out): the evidence lists, for each candidate of an API, which forms gave which result.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from mindport.catalog.jsonl import Record
from mindport.language import Language, Text

_EQUAL, _ANOTHER, _HELPER, _BOUND, _TOLD = "equal", "another", "helper", "bound", "told"
_OUTCOMES: Mapping[str, Text] = {
    _EQUAL: Text("equal with each candidate that was run", "运行过的每个候选接口都一致"),
    _ANOTHER: Text(
        "one candidate differs or fails, another one is equal: that one is written",
        "某个候选接口不一致或报错，另一个一致：改写时采用后者",
    ),
    _HELPER: Text(
        "no candidate is equal: `convert --whole` takes a helper",
        "没有一致的候选接口：`convert --whole` 使用辅助模块",
    ),
    _BOUND: Text(
        "no candidate has a kernel on CPU: the arguments were bound, not run",
        "候选接口在 CPU 上都没有算子实现：只绑定了参数，未运行",
    ),
    _TOLD: Text(
        "no candidate is equal: told at the call, never a safe fix",
        "没有一致的候选接口：在调用处提示，绝不作为安全修复",
    ),
}
_HEADING = Text("Forms of arguments", "参数形式")
_ABOUT = Text(
    "{apis} APIs with arguments, {forms} forms: types, ranks, `None`, negative and empty values, integers "
    "for tuples, defaults given and left out. Each form was run with every candidate.",
    "共 {apis} 个带参数的接口、{forms} 种参数形式：类型、维数、`None`、负值与空值、以整数代替元组、"
    "默认值写出与省略。每种形式都用每个候选接口运行过。",
)
_HEAD = Text("| what became of it | forms |", "| 结果 | 形式数 |")
_TOLD_OF = Text("Told, with the number of forms: ", "仅提示的接口及其形式数：")


def outcomes(records: Iterable[Record], helpers: Collection[str]) -> dict[str, Counter[str]]:
    """For each torch API, how many of its forms had which outcome; `helpers` are the APIs with a helper."""
    results: dict[str, dict[str, set[str]]] = {}
    for record in records:
        for result, forms in record.get("tried", {}).items():
            for form in forms:
                of_api = results.setdefault(record["torch"], {})
                of_api.setdefault(json.dumps(form, sort_keys=True), set()).add(result)
    return {
        api: Counter(_outcome(found, api in helpers) for found in of_api.values())
        for api, of_api in results.items()
    }


def _outcome(results: set[str], has_helper: bool) -> str:
    if "equal" in results:
        return _EQUAL if len(results) == 1 else _ANOTHER
    if has_helper:
        return _HELPER
    return _BOUND if results == {"unsupported"} else _TOLD


def section(found: Mapping[str, Counter[str]], language: Language) -> list[str]:
    """The paragraphs of the table."""
    total: Counter[str] = sum(found.values(), Counter())
    rows = [_HEAD.render(language), "|---|---|"]
    rows += [f"| {text.render(language)} | {total[kind]} |" for kind, text in _OUTCOMES.items()]
    told = [f"`{api}` ({counts[_TOLD]})" for api, counts in sorted(found.items()) if counts[_TOLD]]
    return [
        f"## {_HEADING.render(language)}",
        _ABOUT.render(language, apis=len(found), forms=total.total()),
        "\n".join(rows),
        _TOLD_OF.render(language) + " ".join(told),
    ]
