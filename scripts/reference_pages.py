"""Write the reference pages `docs/reference/LANGUAGE/MODULE.md` from the mapping data.

    python scripts/reference_pages.py [--check]

One page per torch module and language: what has a counterpart in a table, what has none by reason. With
`--check` nothing is written; the exit code is 1 if a page is not up to date.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "server"))

from mindport.catalog.answer import Answer, Candidate  # noqa: E402
from mindport.catalog.catalog import Catalog  # noqa: E402
from mindport.catalog.stats import module_of  # noqa: E402
from mindport.catalog.target import Target  # noqa: E402
from mindport.language import LANGUAGES, Language, Text  # noqa: E402

FOLDER = ROOT / "docs" / "reference"
_INTRO = Text(
    "MindSpore {version}, Ascend. Made by `python scripts/reference_pages.py`; `mindport explain NAME` shows"
    " all that is known of an API: signatures, every parameter, devices, other versions.",
    "MindSpore {version}，Ascend。由 `python scripts/reference_pages.py` 生成；`mindport explain 名称`"
    " 显示接口的全部信息：签名、各参数、设备与其他版本。",
)
_TITLE = Text("PyTorch to MindSpore, API by API", "PyTorch 与 MindSpore 接口对照")
_HEAD = Text(
    "| PyTorch | MindSpore | classic | since | differences |",
    "| PyTorch | MindSpore | classic 写法 | 起始版本 | 差异 |",
)
_MODULES = Text(
    "| module | APIs | with a counterpart | not needed | missing |",
    "| 模块 | 接口数 | 有对应接口 | 不需要 | 缺失 |",
)
_NOT_NEEDED = Text("Not needed in MindSpore", "MindSpore 中不需要")
_MISSING = Text("No counterpart", "没有对应接口")
_NO_REASON = Text("No reason is written down yet.", "尚未记录原因。")
_COUNTERPART = ("equivalent", "differs")


def pages(catalog: Catalog) -> dict[Path, str]:
    """The text of every page by its path."""
    names: dict[str, list[str]] = defaultdict(list)
    for name in filter(catalog.is_documented, catalog.torch_names):
        module = module_of(catalog, name)
        if module is not None:
            names[module].append(name)
    found = {}
    for language in LANGUAGES:
        folder = FOLDER / ("zh-CN" if language == "zh-cn" else "en")
        for module, members in names.items():
            found[folder / f"{module}.md"] = "\n".join(_page(catalog, module, members, language)) + "\n"
        found[folder / "README.md"] = "\n".join(_overview(catalog, names, language)) + "\n"
    return found


def _overview(catalog: Catalog, names: dict[str, list[str]], language: Language) -> Iterator[str]:
    yield f"# {_TITLE.render(language)}"
    yield ""
    yield _INTRO.render(language, version=Target().version)
    yield ""
    yield _MODULES.render(language)
    yield "|---|---|---|---|---|"
    for module in sorted(names):
        counts = Counter(catalog.answer(name, Target()).status for name in names[module])
        having = counts["equivalent"] + counts["differs"]
        without = counts["missing"] + counts["unmapped"]
        link = f"[{module}]({module}.md)"
        yield f"| {link} | {len(names[module])} | {having} | {counts['not_needed']} | {without} |"


def _page(catalog: Catalog, module: str, names: list[str], language: Language) -> Iterator[str]:
    answers = [catalog.answer(name, Target()) for name in names]
    yield f"# {module}"
    yield ""
    yield _INTRO.render(language, version=Target().version)
    having = [answer for answer in answers if answer.status in _COUNTERPART]
    if having:
        yield ""
        yield _HEAD.render(language)
        yield "|---|---|---|---|---|"
        yield from (_row(catalog, answer, module, language) for answer in having)
    for title, statuses in ((_NOT_NEEDED, ("not_needed",)), (_MISSING, ("missing", "unmapped"))):
        without = [answer for answer in answers if answer.status in statuses]
        yield from _section(title.render(language), without, module, language)


def _row(catalog: Catalog, answer: Answer, module: str, language: Language) -> str:
    chosen = answer.chosen
    assert chosen is not None
    classic = catalog.answer(answer.api, Target(style="classic")).chosen
    other = _name(classic) if classic is not None and _name(classic) != _name(chosen) else ""
    differences = dict.fromkeys(_differences(chosen, language))
    separator = "" if language == "zh-cn" else " "
    cells = (_short(answer.api, module), _name(chosen), other, chosen.since, separator.join(differences))
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _name(candidate: Candidate) -> str:
    return f"`{candidate.template or candidate.target}`"


def _differences(candidate: Candidate, language: Language) -> Iterator[str]:
    """The differences that can matter; of parameters that are missing, the names in one sentence."""
    missing = [f"`{d.torch}`" for d in candidate.differences if d.code == "missing"]
    if missing:
        text = Text("No {names}.", "没有 {names}。")
        yield text.render(language, names=", ".join(dict.fromkeys(missing)))
    for difference in candidate.differences:
        if difference.grave and difference.code != "missing":
            yield difference.sentence(language)


def _section(title: str, answers: list[Answer], module: str, language: Language) -> Iterator[str]:
    """APIs without a counterpart, those with the same words together."""
    groups: dict[str, list[str]] = defaultdict(list)
    for answer in answers:
        way_out = answer.way_out.text if answer.way_out is not None else None
        texts = [t.render(language) for t in (answer.reason, way_out, answer.note) if t is not None]
        words = ("" if language == "zh-cn" else " ").join(texts)
        groups[words or _NO_REASON.render(language)].append(_short(answer.api, module))
    if groups:
        yield ""
        yield f"## {title}"
    for words, members in groups.items():
        yield ""
        yield f"- {', '.join(members)}: {words}".replace("\n", " ")


def _short(name: str, module: str) -> str:
    """The name without the module that the page is about."""
    return f"`{name.removeprefix(module + '.')}`"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    check = parser.parse_args().check
    wanted = pages(Catalog.load())
    present = set(FOLDER.glob("*/*.md"))
    stale = [p for p, text in wanted.items() if p not in present or p.read_text(encoding="utf-8") != text]
    stale += sorted(present - set(wanted))
    if check:
        print("\n".join(str(path.relative_to(ROOT)) for path in stale))
        return 1 if stale else 0
    for path in present - set(wanted):
        path.unlink()
    for path, text in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"{len(wanted)} pages, {sum(len(t.encode()) for t in wanted.values())} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
