"""Write `docs/sparse-operators.md` and `docs/second-order-operators.md`: what running sparse operators, and
differentiating operators twice, gave; `docs/feature-code.md`: what to write for features of training; and
`docs/silent-statements.md`: statements that differ.

`python scripts/function_pages.py` writes; `--check` exits 1 if a page is not as it would be written.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from statement_findings import INVENTORY, differing, is_error, told

ROOT = Path(__file__).resolve().parents[1]
DATA, DOCS = ROOT / "mapping_data", ROOT / "docs"
HEADINGS = {
    "equal": "Right as it runs without a graph",
    "differs, equal": "Wrong without a graph, without a message; right in graph mode",
    "raises, equal": "An error without a graph; right in graph mode",
    "differs": "Wrong without a graph, and wrong or an error in graph mode",
    "raises": "An error without a graph, and wrong or an error in graph mode",
}
MOST = 90
"""No more of a detail is shown."""


def sparse_page() -> str:
    """The page of sparse operators."""
    data = json.loads((DATA / "sparse" / "operators.json").read_text("utf-8"))
    entries = data["operators"]
    counts = Counter(one["result"] for one in entries)
    about = (
        "Made by `scripts/function_pages.py` from what `scripts/sparse_operators.py` found on CPU with "
        f"MindSpore {data['mindspore']}: {len(entries)} calls of {len({one['name'] for one in entries})} "
        f"APIs, compared with PyTorch on dense Tensors; {counts['equal']} equal, {counts['differs']} "
        f"different, {counts['raises']} an error. See [sparse.md](sparse.md)."
    )
    lines = [
        "# Operators on sparse Tensors",
        "",
        about,
        "",
        "| API | call | result | in graph mode | gradient | needs |",
        "|---|---|---|---|---|---|",
    ]
    return "\n".join([*lines, *map(_sparse_row, entries)]) + "\n"


def _sparse_row(entry: Mapping[str, Any]) -> str:
    detail = f": {_short(entry['detail'])}" if entry.get("detail") else ""
    cells = [f"`{entry['name']}`", f"`{entry['call']}`", entry["result"] + detail]
    cells += [entry.get("graph", "–"), entry.get("gradient") or "–", entry.get("needs", "")]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _short(detail: str) -> str:
    text = " ".join(detail.split()).replace("<", "&lt;")
    return text if len(text) <= MOST else f"{text[:MOST]}…"


def second_order_page() -> str:
    """The page of operators that were differentiated twice."""
    lines = (DATA / "second_order" / "operators.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    groups: dict[str, list[dict[str, Any]]] = {heading: [] for heading in HEADINGS}
    for record in records:
        groups[_group(record)].append(record)
    about = (
        "Made by `scripts/function_pages.py` from what `scripts/second_order.py` found on CPU: "
        f"{sum(one['calls'] for one in records)} calls of {len({one['torch'] for one in records})} torch "
        f"APIs, as {len(records)} counterparts in the mapping data convert them, differentiated twice in "
        "torch and MindSpore. See [second-order.md](second-order.md)."
    )
    made = ["# Operators differentiated twice", "", about]
    return "\n".join([*made, *_sections(groups)]) + "\n"


def _group(record: Mapping[str, Any]) -> str:
    if record["result"] == "equal":
        return "equal"
    in_graph = record.get("graph") == "equal"
    return f"{record['result']}, equal" if in_graph else str(record["result"])


def _sections(groups: Mapping[str, list[dict[str, Any]]]) -> Iterator[str]:
    for group, heading in HEADINGS.items():
        yield from ["", f"## {heading}: {len(groups[group])}", ""]
        if group == "equal":
            yield "| torch | MindSpore | calls | graph mode |"
            yield "|---|---|---|---|"
        else:
            yield "| torch | MindSpore | calls | graph mode | detail |"
            yield "|---|---|---|---|---|"
        for one in groups[group]:
            target = one["target"].replace("|", "\\|")
            cells = [f"`{one['torch']}`", f"`{target}`", str(one["calls"]), one.get("graph", "–")]
            cells += [_short(one.get("detail", "")).replace("|", "\\|")] if group != "equal" else []
            yield f"| {' | '.join(cells)} |"


def features_page() -> str:
    """The page of what to write for features of training."""
    features = json.loads((DATA / "features" / "features.json").read_text("utf-8"))["features"]
    about = (
        "Made by `scripts/function_pages.py` from `mapping_data/features`; `scripts/feature_code.py` runs "
        "the code with MindSpore 2.10.0 on CPU, as a test does. In it, `net` is a `Cell`, `optimizer` one of "
        "`mindspore.nn` for its parameters, `loss_fn` a loss, `x` and `y` a batch. "
        "See [features.md](features.md)."
    )
    return "\n".join(["# Code for features of training", "", about, *map(_feature_section, features)]) + "\n"


def _feature_section(feature: Mapping[str, Any]) -> str:
    code, title = feature["rule"], feature["title"]
    lines = ["", f"## {title['en']} · {title['zh-cn']}", ""]
    lines += [f"[{code}](rules/{code}.md): {feature['instead']['en']}", "", feature["instead"]["zh-cn"], ""]
    if "not_run" in feature:
        lines += [f"{feature['not_run']['en']} {feature['not_run']['zh-cn']}", ""]
    if "processes" in feature:
        lines += [f"Run in {feature['processes']} processes, started by `msrun`.", ""]
    guide = f"https://www.mindspore.cn/{feature['guide']}"
    lines += ["```python", *feature["code"], "```", "", f"MindSpore: <{guide}>"]
    return "\n".join(lines)


def statements_page() -> str:
    """The page of statements that differ."""
    found = differing()
    total = len(INVENTORY.read_text("utf-8").splitlines())
    silent = [one for one in found if not is_error(one["torch"]) and not is_error(one["mindspore"])]
    raising = [one for one in found if not is_error(one["torch"]) and is_error(one["mindspore"])]
    accepted = [one for one in found if is_error(one["torch"]) and not is_error(one["mindspore"])]
    about = (
        "Made by `scripts/function_pages.py` from what `scripts/silent_statements.py` found on CPU with "
        "MindSpore 2.10.0: each statement ran in PyTorch as it stands, and in MindSpore as mindport converts "
        f"it. {total} statements; {len(found)} differ, {len(silent)} of them without a message. "
        "See [silent-differences.md](silent-differences.md)."
    )
    lines = ["# Statements that differ", "", about]
    for heading, group in (
        ("Another result, without a message", silent),
        ("An error in MindSpore alone", raising),
        ("An error in PyTorch alone", accepted),
    ):
        lines += ["", f"## {heading}: {len(group)}", "", "| | statement | PyTorch | MindSpore | found by |"]
        lines += ["|---|---|---|---|---|", *map(_statement_row, group)]
    return "\n".join(lines) + "\n"


def _statement_row(one: Mapping[str, Any]) -> str:
    by = ", ".join(f"[{code}](rules/{code}.md)" for code in told(one["statement"]))
    by = by or (f"nothing: {one['untold']}" if "untold" in one else "nothing")
    cells = [one["kind"], f"`{one['statement']}`", f"`{one['torch']}`", f"`{one['mindspore']}`", by]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def pages() -> dict[Path, str]:
    """Every page by its path."""
    return {
        DOCS / "sparse-operators.md": sparse_page(),
        DOCS / "second-order-operators.md": second_order_page(),
        DOCS / "feature-code.md": features_page(),
        DOCS / "silent-statements.md": statements_page(),
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
