"""Write pages of what running statements and operators gave, in both languages.

`docs/sparse-operators.md` and `docs/second-order-operators.md` say what running sparse operators, and
differentiating operators twice, gave, `docs/feature-code.md` what to write for features of training, and
`docs/silent-statements.md` which statements differ. Beside each is the same in Chinese, `.zh-CN.md`.

`python scripts/function_pages.py` writes; `--check` exits 1 if a page is not as it would be written.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mindport.language import LANGUAGES, LIST, Language, Text
from statement_findings import INVENTORY, differing, is_error, told

ROOT = Path(__file__).resolve().parents[1]
DATA, DOCS = ROOT / "mapping_data", ROOT / "docs"
ENDINGS: Mapping[Language, str] = {"en": ".md", "zh-cn": ".zh-CN.md"}
RULES: Mapping[Language, str] = {"en": "rules", "zh-cn": "rules/zh-cn"}
GUIDES: Mapping[Language, str] = {"en": "/en/", "zh-cn": "/zh-CN/"}
HEADINGS = {
    "equal": Text("Right as it runs without a graph", "不编译成图时正确"),
    "differs, equal": Text(
        "Wrong without a graph, without a message; right in graph mode",
        "不编译成图时错误且没有提示，静态图模式下正确",
    ),
    "raises, equal": Text(
        "An error without a graph; right in graph mode", "不编译成图时报错，静态图模式下正确"
    ),
    "differs": Text(
        "Wrong without a graph, and wrong or an error in graph mode",
        "不编译成图时错误，静态图模式下错误或报错",
    ),
    "raises": Text(
        "An error without a graph, and wrong or an error in graph mode",
        "不编译成图时报错，静态图模式下错误或报错",
    ),
}
RESULTS = {
    "equal": Text("equal", "一致"),
    "differs": Text("differs", "不一致"),
    "raises": Text("raises", "报错"),
    "–": Text("–", "–"),
}
KINDS = {
    "views and aliases": Text("views and aliases", "视图与别名"),
    "dtype promotion": Text("dtype promotion", "dtype 提升"),
    "integer division and remainder": Text("integer division and remainder", "整数除法与取余"),
    "reductions and order": Text("reductions and order", "归约与顺序"),
    "indexing and strides": Text("indexing and strides", "索引与步长"),
    "default dtypes": Text("default dtypes", "默认 dtype"),
}
DETAILS = (
    (re.compile(r"value: at (\d+): (\S+) and (\S+)"), r"第 \1 个值：\2 和 \3"),
    (re.compile(r"^(.+) instead of (.+)$"), r"\1，应为 \2"),
)
"""What the comparison says in words; all else is what the frameworks say."""
MOST = 90
"""No more of a detail is shown."""
_SPARSE = Text(
    "Made by `scripts/function_pages.py` from what `scripts/sparse_operators.py` found on CPU with MindSpore "
    "{version}: {calls} calls of {apis} APIs, compared with PyTorch on dense Tensors; {equal} equal, "
    "{differs} different, {raises} an error. See [sparse.md](sparse.md).",
    "由 `scripts/function_pages.py` 根据 `scripts/sparse_operators.py` 在 CPU 上用 MindSpore {version} "
    "运行的结果生成：{apis} 个接口的 {calls} 次调用，与 PyTorch 在稠密 Tensor 上的结果比较；{equal} 次一致，"
    "{differs} 次不一致，{raises} 次报错。参见[稀疏 Tensor](sparse.zh-CN.md)。",
)
_SPARSE_HEAD = Text(
    "| API | call | result | in graph mode | gradient | needs |",
    "| 接口 | 调用 | 结果 | 静态图模式 | 梯度 | 需要的包 |",
)
_SECOND_ORDER = Text(
    "Made by `scripts/function_pages.py` from what `scripts/second_order.py` found on CPU: {calls} calls of "
    "{apis} torch APIs, as {targets} counterparts in the mapping data convert them, differentiated twice in "
    "torch and MindSpore. See [second-order.md](second-order.md).",
    "由 `scripts/function_pages.py` 根据 `scripts/second_order.py` 在 CPU 上运行的结果生成：{apis} 个 torch "
    "接口的 {calls} 次调用，按映射数据中的 {targets} 个对应接口转换，在 torch 和 MindSpore 中求二阶梯度。"
    "参见[二阶梯度](second-order.zh-CN.md)。",
)
_RIGHT_HEAD = Text(
    "| torch | MindSpore | calls | graph mode |", "| torch | MindSpore | 调用次数 | 静态图模式 |"
)
_WRONG_HEAD = Text(
    "| torch | MindSpore | calls | graph mode | detail |",
    "| torch | MindSpore | 调用次数 | 静态图模式 | 详情 |",
)
_FEATURES = Text(
    "Made by `scripts/function_pages.py` from `mapping_data/features`; `scripts/feature_code.py` runs the "
    "code with MindSpore 2.10.0 on CPU, as a test does. In it, `net` is a `Cell`, `optimizer` one of "
    "`mindspore.nn` for its parameters, `loss_fn` a loss, `x` and `y` a batch. "
    "See [features.md](features.md).",
    "由 `scripts/function_pages.py` 根据 `mapping_data/features` 生成；`scripts/feature_code.py` 在 CPU 上用 "
    "MindSpore 2.10.0 运行这些代码，测试也会这样做。其中 `net` 是一个 `Cell`，`optimizer` 是 `mindspore.nn` "
    "中用于其参数的优化器，`loss_fn` 是损失函数，`x` 和 `y` 是一个批次。参见[训练特性](features.zh-CN.md)。",
)
_PROCESSES = Text(
    "Run in {number} processes, started by `msrun`.", "在 `msrun` 启动的 {number} 个进程中运行。"
)
_STATEMENTS = Text(
    "Made by `scripts/function_pages.py` from what `scripts/silent_statements.py` found on CPU with "
    "MindSpore 2.10.0: each statement ran in PyTorch as it stands, and in MindSpore as mindport converts it. "
    "{total} statements; {found} differ, {silent} of them without a message. "
    "See [silent-differences.md](silent-differences.md).",
    "由 `scripts/function_pages.py` 根据 `scripts/silent_statements.py` 在 CPU 上用 MindSpore 2.10.0 "
    "运行的结果生成：每条语句在 PyTorch 中照原样运行，在 MindSpore 中按 mindport 转换后的写法运行。"
    "共 {total} 条语句，{found} 条不同，其中 {silent} 条没有提示。"
    "参见[没有提示的差异](silent-differences.zh-CN.md)。",
)
_STATEMENTS_HEAD = Text(
    "| | statement | PyTorch | MindSpore | found by |", "| | 语句 | PyTorch | MindSpore | 发现方式 |"
)
_NOTHING = Text("nothing", "不报告")
_NOTHING_WHY = Text("nothing: {why}", "不报告：{why}")
_GROUP = Text("## {heading}: {number}", "## {heading}：{number}")


def sparse_page(language: Language) -> str:
    """The page of sparse operators."""
    data = json.loads((DATA / "sparse" / "operators.json").read_text("utf-8"))
    entries = data["operators"]
    counts = Counter(one["result"] for one in entries)
    about = _SPARSE.render(
        language,
        version=data["mindspore"],
        calls=len(entries),
        apis=len({one["name"] for one in entries}),
        **{result: counts[result] for result in ("equal", "differs", "raises")},
    )
    title = Text("# Operators on sparse Tensors", "# 稀疏 Tensor 的算子").render(language)
    lines = [title, "", about, "", _SPARSE_HEAD.render(language), "|---|---|---|---|---|---|"]
    return "\n".join([*lines, *(_sparse_row(one, language) for one in entries)]) + "\n"


def _sparse_row(entry: Mapping[str, Any], language: Language) -> str:
    result = RESULTS[entry["result"]].render(language)
    if entry.get("detail"):
        result += Text(": ", "：").render(language) + _short(entry["detail"], language)
    ways = [RESULTS[entry.get(way) or "–"].render(language) for way in ("graph", "gradient")]
    return _row(f"`{entry['name']}`", f"`{entry['call']}`", result, *ways, entry.get("needs", ""))


def _short(detail: str, language: Language) -> str:
    text = " ".join(detail.split()).replace("<", "&lt;")
    for words, chinese in DETAILS if language == "zh-cn" else ():
        text = words.sub(chinese, text)
    return text if len(text) <= MOST else f"{text[:MOST]}…"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def second_order_page(language: Language) -> str:
    """The page of operators that were differentiated twice."""
    lines = (DATA / "second_order" / "operators.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    groups: dict[str, list[dict[str, Any]]] = {group: [] for group in HEADINGS}
    for record in records:
        groups[_group(record)].append(record)
    about = _SECOND_ORDER.render(
        language,
        calls=sum(one["calls"] for one in records),
        apis=len({one["torch"] for one in records}),
        targets=len(records),
    )
    title = Text("# Operators differentiated twice", "# 求二阶梯度的算子").render(language)
    return "\n".join([title, "", about, *_sections(groups, language)]) + "\n"


def _group(record: Mapping[str, Any]) -> str:
    if record["result"] == "equal":
        return "equal"
    in_graph = record.get("graph") == "equal"
    return f"{record['result']}, equal" if in_graph else str(record["result"])


def _sections(groups: Mapping[str, list[dict[str, Any]]], language: Language) -> Iterator[str]:
    for group, heading in HEADINGS.items():
        is_right, found = group == "equal", groups[group]
        yield from ["", _GROUP.render(language, heading=heading.render(language), number=len(found)), ""]
        yield (_RIGHT_HEAD if is_right else _WRONG_HEAD).render(language)
        yield "|---|---|---|---|" if is_right else "|---|---|---|---|---|"
        for one in found:
            graph = RESULTS[one.get("graph", "–")].render(language)
            detail = () if is_right else (_short(one.get("detail", ""), language),)
            yield _row(f"`{one['torch']}`", f"`{one['target']}`", str(one["calls"]), graph, *detail)


def features_page(language: Language) -> str:
    """The page of what to write for features of training."""
    features = json.loads((DATA / "features" / "features.json").read_text("utf-8"))["features"]
    title = Text("# Code for features of training", "# 训练特性的代码").render(language)
    sections = (_feature_section(one, language) for one in features)
    return "\n".join([title, "", _FEATURES.render(language), *sections]) + "\n"


def _feature_section(feature: Mapping[str, Any], language: Language) -> str:
    code, colon = feature["rule"], Text(": ", "：").render(language)
    lines = ["", f"## {feature['title'][language]}", ""]
    lines += [f"[{code}]({RULES[language]}/{code}.md){colon}{feature['instead'][language]}", ""]
    if "not_run" in feature:
        lines += [feature["not_run"][language], ""]
    if "processes" in feature:
        lines += [_PROCESSES.render(language, number=feature["processes"]), ""]
    guide = f"https://www.mindspore.cn/{feature['guide'].replace(GUIDES['en'], GUIDES[language])}"
    lines += ["```python", *feature["code"], "```", "", f"MindSpore{colon}<{guide}>"]
    return "\n".join(lines)


def statements_page(language: Language) -> str:
    """The page of statements that differ."""
    found = differing()
    silent = [one for one in found if not is_error(one["torch"]) and not is_error(one["mindspore"])]
    raising = [one for one in found if not is_error(one["torch"]) and is_error(one["mindspore"])]
    accepted = [one for one in found if is_error(one["torch"]) and not is_error(one["mindspore"])]
    total = len(INVENTORY.read_text("utf-8").splitlines())
    about = _STATEMENTS.render(language, total=total, found=len(found), silent=len(silent))
    lines = [Text("# Statements that differ", "# 结果不同的语句").render(language), "", about]
    for heading, group in (
        (Text("Another result, without a message", "结果不同，没有提示"), silent),
        (Text("An error in MindSpore alone", "只在 MindSpore 中报错"), raising),
        (Text("An error in PyTorch alone", "只在 PyTorch 中报错"), accepted),
    ):
        lines += ["", _GROUP.render(language, heading=heading.render(language), number=len(group)), ""]
        lines += [_STATEMENTS_HEAD.render(language), "|---|---|---|---|---|"]
        lines += [_statement_row(one, language) for one in group]
    return "\n".join(lines) + "\n"


def _statement_row(one: Mapping[str, Any], language: Language) -> str:
    codes = [f"[{code}]({RULES[language]}/{code}.md)" for code in told(one["statement"])]
    found_by = LIST.render(language).join(codes)
    if not codes and "untold" in one:
        found_by = _NOTHING_WHY.render(language, why=one["untold"][language])
    kind = KINDS[one["kind"]].render(language)
    results = (f"`{one['torch']}`", f"`{one['mindspore']}`")
    return _row(kind, f"`{one['statement']}`", *results, found_by or _NOTHING.render(language))


PAGES: Mapping[str, Callable[[Language], str]] = {
    "sparse-operators": sparse_page,
    "second-order-operators": second_order_page,
    "feature-code": features_page,
    "silent-statements": statements_page,
}


def pages() -> dict[Path, str]:
    """Every page by its path."""
    return {
        DOCS / f"{name}{ENDINGS[language]}": page(language)
        for name, page in PAGES.items()
        for language in LANGUAGES
    }


def main() -> int:
    """Write the pages, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = {
        path: text
        for path, text in pages().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }
    for path, text in stale.items():
        if check:
            print(f"{path} is not up to date: run python scripts/function_pages.py", file=sys.stderr)
        else:
            path.write_text(text, encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
