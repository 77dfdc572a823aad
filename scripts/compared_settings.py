"""Write into `docs/training.md` in which settings optimizers and schedules are compared with PyTorch: what
`tests/differential/helpers` runs. python scripts/compared_settings.py [--check]
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "training.md"
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


def table() -> str:
    lines = ["| class | compared with these arguments |", "|---|---|"]
    for name, settings in rows():
        given = " · ".join(f"`{arguments}`" if arguments else "none" for arguments in settings)
        lines.append(f"| `{name}` | {given} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    made = f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"
    if "--check" in sys.argv:
        return int(made != text)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
