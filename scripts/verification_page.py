"""Write `docs/verified/en.md` and `zh-CN.md`: what the evidence says of each torch API with a counterpart.

python scripts/verification_page.py
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "server"), str(ROOT / "scripts")]

import argument_forms  # noqa: E402
from mindport.catalog.catalog import Catalog  # noqa: E402
from mindport.catalog.helpers import helper_names  # noqa: E402
from mindport.catalog.jsonl import Record, read_json  # noqa: E402
from mindport.catalog.not_run import not_run  # noqa: E402
from mindport.catalog.ran import current_records, unverified_file, versions_file  # noqa: E402
from mindport.language import Language, Text  # noqa: E402
from mindport.verify.table import InputTable  # noqa: E402
from mindport.verify.unverified import REASONS, Unverified  # noqa: E402

EVIDENCE = ROOT / "mapping_data" / "evidence" / "calls" / "mindspore-2.10-cpu.jsonl"
FOLDER = ROOT / "docs" / "verified"
FILES: Mapping[Language, str] = {"en": "en.md", "zh-cn": "zh-CN.md"}
_TITLE = Text("What was verified on CPU", "在 CPU 上验证了什么")
_ABOUT = Text(
    "Made by `scripts/verification_page.py` from what `mindport verify all --write` found: see "
    "[verification.md](../verification.md). An API stands under its best candidate.\n\n"
    "torch {torch}, MindSpore {mindspore}, numpy {numpy}, Python {python}.",
    "由 `scripts/verification_page.py` 根据 `mindport verify all --write` 的结果生成，见 "
    "[verification.md](../verification.md)。每个接口按其最佳候选归类。\n\n"
    "torch {torch}、MindSpore {mindspore}、numpy {numpy}、Python {python}。",
)
_CLASSES: Mapping[str, Text] = {
    "equal": Text("Equal in all calls", "所有调用一致"),
    "equal_taken": Text(
        "Equal in all shapes of calls; some kinds of inputs, or gradients, end in an error",
        "所有调用形式一致；部分类型的输入或梯度会报错",
    ),
    "partly": Text("Equal, but some ordinary calls end in an error", "一致，但部分普通调用会报错"),
    "differs_particular": Text("Differs for particular inputs only", "仅对特定输入不同"),
    "differs": Text("Differs", "不同"),
    "unsupported": Text("No kernel on CPU: bound only", "CPU 上没有算子实现：仅绑定"),
    "fails": Text("Fails on CPU", "在 CPU 上失败"),
}
_ORDER = tuple(_CLASSES)
_NOT_RUN = Text("Not run yet: new, or changed since the last run", "尚未运行：上次运行后新增或修改")


def class_of(record: Record) -> str:
    """Under which heading a record stands."""
    result = record["result"]
    if result in ("differs", "dtype_differs"):
        return "differs_particular" if record.get("inputs") else "differs"
    if result == "partly":
        return "partly" if {"some", "float32"} & set(record.get("refused", ())) else "equal_taken"
    return str(result)


def pages() -> dict[Language, str]:
    """The text of each page."""
    best: dict[str, str] = {}
    catalog = Catalog.load()
    records = list(current_records(EVIDENCE, catalog.correspondences.table))
    for record in records:
        found = class_of(record)
        known = best.get(record["torch"])
        if known is None or _ORDER.index(found) < _ORDER.index(known):
            best[record["torch"]] = found
    waiting = {pair.torch for pair in not_run(catalog, EVIDENCE)} - set(best)
    unverified = {
        name: Unverified.of_text(text)
        for name, text in read_json(unverified_file(EVIDENCE)).items()
        if name not in waiting
    }
    forms = argument_forms.outcomes(records, helper_names(ROOT / "mapping_data"))
    return {
        language: _page(best, argument_forms.section(forms, language), unverified, waiting, language)
        for language in FILES
    }


def _page(
    best: Mapping[str, str],
    forms: list[str],
    unverified: Mapping[str, Unverified],
    waiting: Iterable[str],
    language: Language,
) -> str:
    versions = read_json(versions_file(EVIDENCE))
    parts = [f"# {_TITLE.render(language)}", _ABOUT.render(language, **versions), *forms]
    for kind, heading in _CLASSES.items():
        parts += _section(heading.render(language), [n for n, c in best.items() if c == kind])
    parts += _section(_NOT_RUN.render(language), waiting)
    table = InputTable.of(Catalog.load())
    by_reason: dict[str, list[str]] = {}
    for name, entry in unverified.items():
        heading = REASONS[entry.reason].render(language)
        if entry.because is not None:
            heading = table.not_run[entry.because].render(language)
        by_reason.setdefault(heading, []).append(name)
    for heading, names in by_reason.items():
        parts += _section(heading.rstrip(".。"), names)
    return "\n\n".join(parts) + "\n"


def _section(heading: str, names: Iterable[str]) -> list[str]:
    listed = sorted(names)
    return [f"## {heading} ({len(listed)})", " ".join(f"`{n}`" for n in listed)] if listed else []


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for language, text in pages().items():
        (FOLDER / FILES[language]).write_text(text, encoding="utf-8")
        print(FOLDER / FILES[language], len(text))


if __name__ == "__main__":
    main()
