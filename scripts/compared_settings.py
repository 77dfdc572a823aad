"""Write into `docs/training.md` and `docs/training.zh-CN.md` in which settings optimizers and schedules are
compared with PyTorch: what `tests/differential/helpers` runs. python scripts/compared_settings.py [--check]
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    ROOT / "docs" / "training.md": ("| class | compared with these arguments |", "none"),
    ROOT / "docs" / "training.zh-CN.md": ("| 类 | 对比时所用的参数 |", "无"),
}
"""Each page with the head of its table, and its word for no arguments."""
BEGIN, END = "<!-- compared settings -->\n", "<!-- end of compared settings -->\n"
sys.path.insert(0, str(ROOT / "tests" / "differential" / "helpers"))


def rows() -> Iterator[tuple[str, list[str]]]:
    """Each class with the arguments that it was compared with."""
    optimizers, schedulers = (
        importlib.import_module(f"cases_{name}") for name in ("optimizers", "schedulers")
    )
    yield from ((f"optim.{name}", settings) for name, settings in optimizers.SETTINGS.items())
    yield "optim.LBFGS", [arguments for arguments, _ in optimizers.LBFGS_SETTINGS]
    yield "optim.SparseAdam", optimizers.SPARSE_SETTINGS
    schedules = {**schedulers.SETTINGS, "ReduceLROnPlateau": schedulers.PLATEAUS, **schedulers.COMBINED}
    yield from ((f"lr_scheduler.{name}", settings) for name, settings in schedules.items())
    yield "swa_utils.SWALR", schedulers.AVERAGED
    yield "swa_utils.AveragedModel", list(importlib.import_module("cases_averaging").AVERAGES)


def table(head: str, none: str) -> str:
    lines = [head, "|---|---|"]
    for name, settings in rows():
        given = " · ".join(f"`{arguments}`" if arguments else none for arguments in settings)
        lines.append(f"| `{name}` | {given} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    is_old = False
    for page, words in PAGES.items():
        text = page.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        made = f"{before}{BEGIN}\n{table(*words)}\n{END}{rest.partition(END)[2]}"
        is_old |= made != text
        if "--check" not in sys.argv:
            page.write_text(made, encoding="utf-8")
    return int(is_old and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
