"""Measure, and write what was measured into `docs/benchmarks.md`, its Chinese twin, and the READMEs.

    python scripts/benchmark_pages.py                     write the pages, from what was measured before
    python scripts/benchmark_pages.py --measure compiled=FOLDER sources=server     measure builds first
    python scripts/benchmark_pages.py --trials 10         make random trials for ten minutes first
    python scripts/benchmark_pages.py --check             write nothing; exit with 1 if a page is old

What was measured is in `tests/bench/figures.json`, with the commit, the day and the machine. The benches are
those of `tests/bench` (see its README), the trials those of `tests/fuzz`. Wants a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from mindport.language import Language, Text

ROOT = Path(__file__).resolve().parents[1]
FIGURES = ROOT / "tests" / "bench" / "figures.json"
BENCH = ROOT / "tests" / "bench"
sys.path.append(str(BENCH))

from session import BUDGETS  # noqa: E402

BEGIN, END = "<!-- benchmarks -->\n", "<!-- end of benchmarks -->\n"
KEYSTROKE_RUNS = 5
PLANS: dict[str, tuple[int, tuple[str, ...]]] = {
    "keystroke": (KEYSTROKE_RUNS, ()),
    "session": (1, ()),
    "code_action": (1, ()),
    "startup": (1, ("--starts", "11")),
    "scan": (1, ("--rounds", "5")),
}
"""Each bench with how often it is run, and its options."""
Json = dict[str, Any]
ENDINGS: dict[Language, str] = {"en": ".md", "zh-cn": ".zh-CN.md"}


_TITLE = Text(
    "# Benchmarks\n\n[中文](benchmarks.zh-CN.md)",
    "# 基准测试\n\n[English](benchmarks.md)",
)
_INTRO = Text(
    "`make bench` measures all of this and writes this page; "
    "[tests/bench](../tests/bench/README.md) says what each bench does. Programs take turns in "
    "one run, so that ratios depend little on the machine. *Compiled* is the package as wheels "
    "have it, *sources* the same without a compiler. What speed is made of, and why some bars "
    "are out of reach: [performance](performance.md).",
    "`make bench` 测量以下各项并生成本页，各基准的含义见 [tests/bench](../tests/bench/README.md)。"
    "参与比较的程序在同一次运行中轮流执行，因此比值受机器影响很小。"
    "“编译版”即 wheel 中的版本，“源码版”是未经编译的同一版本。"
    "用时由什么组成，以及有些目标为何无法达到，见[性能](performance.zh-CN.md)。",
)
_MEASURED = Text(
    "{build}: commit {commit}, {day}; {processor}, {processors} processors, {memory} GB; "
    "{system}; Python {python}, ruff {ruff}",
    "{build}：提交 {commit}，{day}；{processor}，{processors} 个处理器，{memory} GB；{system}；"
    "Python {python}，ruff {ruff}",
)
_KEYSTROKE = Text(
    "## From a keystroke to its diagnostics",
    "## 从按键到诊断",
)
_KEYSTROKE_TEXT = Text(
    "`keystroke.py`: medians of 120 edits, half of them where code often does not parse "
    "meanwhile; of {runs} runs, the median, and of ratios the range.",
    "`keystroke.py`：120 次编辑的中位数，其中一半处代码往往暂时无法解析；运行 {runs} 次取中位数，"
    "比值另给出范围。",
)
_KEYSTROKE_HEAD = Text(
    "| file | build | mindport | `ruff server` | ratio |",
    "| 文件 | 版本 | mindport | `ruff server` | 比值 |",
)
_SESSION = Text(
    "## A session",
    "## 一次会话",
)
_SESSION_HEAD = Text(
    "| `session.py`, 5,308 lines | build | measured | budget |",
    "| `session.py`，5,308 行 | 版本 | 实测 | 预算 |",
)
_START = Text(
    "## A start",
    "## 启动",
)
_START_TEXT = Text(
    "`startup.py`: from starting the process, medians of 11 starts; *pygls* is a server that does nothing.",
    "`startup.py`：从启动进程算起，11 次启动的中位数；“pygls”是什么都不做的服务器。",
)
_START_HEAD = Text(
    "| | build | mindport | pygls |",
    "| | 版本 | mindport | pygls |",
)
_SCAN = Text(
    "## A scan",
    "## 扫描",
)
_SCAN_TEXT = Text(
    "`scan.py`: timm 1.0.31, {files} files, {lines} lines, beside one process that reads and "
    "`ast.parse`-s them.",
    "`scan.py`：timm 1.0.31，{files} 个文件，{lines} 行；对照为单进程读取并 `ast.parse` 这些文件。",
)
_SCAN_HEAD = Text(
    "| | build | seconds | ratio |",
    "| | 版本 | 秒 | 比值 |",
)
_TRIALS = Text(
    "## Random trials",
    "## 随机试验",
)
_TRIALS_TEXT = Text(
    "`make fuzz`: {minutes} minutes, {failed} failures; what has to hold: "
    "[reliability](reliability.md#how-it-is-tried).",
    "`make fuzz`：{minutes} 分钟，失败 {failed} 次；判定标准见[可靠性](reliability.zh-CN.md#如何检验)。",
)
_TRIALS_HEAD = Text(
    "| kind | trials | steps |",
    "| 种类 | 试验 | 步骤 |",
)
_LINES = Text(
    "{count} lines",
    "{count} 行",
)
_RANGE = Text(
    "{low} to {high}",
    "{low} 至 {high}",
)
BUILDS = {
    "compiled": Text("compiled", "编译版"),
    "sources": Text("sources", "源码版"),
}
SESSION = {
    "burst_ms_max": (
        Text(
            "from the last of 20 quick edits to its diagnostics, the slowest of 20",
            "连续 20 次快速编辑之后给出诊断，20 次中最慢的一次",
        ),
        "ms",
    ),
    "hover_ms_p50": (Text("hover, median", "悬停，中位数"), "ms"),
    "code_action_ms_p50": (Text("code actions, median", "代码操作，中位数"), "ms"),
    "memory_mb": (Text("memory with the file open", "打开该文件时的内存"), "MB"),
}
"""What is told of a session, with its unit."""
STARTS = {
    "p50_ms": Text("`initialize` is answered", "响应 `initialize`"),
    "models/mvitv2.py": Text(
        "the first diagnostics of a file of 1,169 lines", "给出一个 1,169 行文件的首次诊断"
    ),
}
SCANS = {
    "cold scan, --jobs 2": Text("first scan, two processes", "首次扫描，两个进程"),
    "warm scan": Text("second scan", "再次扫描"),
    "scan without cache, --jobs 1": Text("without the cache, one process", "不使用缓存，一个进程"),
}


def measure(build: str, server: Path) -> Json:
    """Run every bench against a build."""
    found: Json = {"machine": machine()}
    environment = {**os.environ, "MINDPORT_SERVER": str(server.resolve())}
    for name, (runs, options) in PLANS.items():
        found[name] = []
        for number in range(runs):
            print(f"{build}: {name} ({number + 1} of {runs})", file=sys.stderr, flush=True)
            command = [sys.executable, str(BENCH / f"{name}.py"), *options]
            done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
            found[name].append(json.loads(done.stdout))
    return found


def make_trials(minutes: float) -> Json:
    """Make random trials, with the sources; a failure ends this, too."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "trials.json"
        command = [sys.executable, str(ROOT / "tests" / "fuzz" / "run.py"), "--minutes", str(minutes)]
        subprocess.run([*command, "--json", str(output)], check=True)
        return {"machine": machine(), **json.loads(output.read_text("utf-8"))}


def machine() -> Json:
    """What was measured, when, and on what."""
    cpu = Path("/proc/cpuinfo")
    names = [
        line.partition(":")[2].strip()
        for line in (cpu.read_text("utf-8").splitlines() if cpu.exists() else ())
        if line.startswith("model name")
    ]
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 0
    return {
        "commit": _said_by("git", "-C", str(ROOT), "describe", "--always", "--dirty=+"),
        "day": datetime.now(timezone.utc).strftime("%Y-%m-%d"),
        "processor": names[0] if names else platform.machine(),
        "processors": os.cpu_count(),
        "memory": round(pages / 2**30),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "ruff": _said_by(sys.executable, "-m", "ruff", "--version").removeprefix("ruff "),
    }


def _said_by(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def page(figures: Json, language: Language) -> str:
    """The page in a language."""
    told = [(build, figures[build]["machine"]) for build in BUILDS if build in figures]
    parts = [
        _TITLE.render(language),
        _INTRO.render(language),
        "\n".join(_measured(build, machine, language) for build, machine in told),
        _KEYSTROKE.render(language),
        _KEYSTROKE_TEXT.render(language, runs=KEYSTROKE_RUNS),
        _table(_KEYSTROKE_HEAD, keystroke_rows(figures, language), language),
        _SESSION.render(language),
        _table(_SESSION_HEAD, session_rows(figures, language), language),
        _START.render(language),
        *_starts(figures, language),
        _SCAN.render(language),
        *_scans(figures, language),
    ]
    trials = figures.get("trials")
    if trials is not None:
        rows = ([f"`{name}`", f"{made:,}", f"{steps:,}"] for name, (made, steps) in trials["trials"].items())
        minutes = f"{trials['minutes']:g}"
        parts += [
            _TRIALS.render(language),
            _TRIALS_TEXT.render(language, minutes=minutes, failed=trials["failed"]),
            _measured("sources", trials["machine"], language),
            _table(_TRIALS_HEAD, rows, language),
        ]
    return "\n\n".join(parts) + "\n"


def _measured(build: str, machine: Json, language: Language) -> str:
    return f"- {_MEASURED.render(language, build=BUILDS[build].render(language), **machine)}"


def _runs(figures: Json, bench: str) -> Iterator[tuple[Text, list[Json]]]:
    """The builds that a bench was run with, each with its runs."""
    yield from ((said, figures[build][bench]) for build, said in BUILDS.items() if build in figures)


def keystroke_rows(figures: Json, language: Language) -> Iterator[list[str]]:
    """For each file and build the medians of all runs."""
    [_, [first, *_]] = next(_runs(figures, "keystroke"))
    for file in first:
        for build, every in _runs(figures, "keystroke"):
            runs = [run[file] for run in every]
            ratios = [run["p50_ratio_to_ruff_server"] for run in runs]
            lines = _LINES.render(language, count=f"{runs[0]['lines']:,}")
            low_to_high = _RANGE.render(language, low=f"{min(ratios):.2f}", high=f"{max(ratios):.2f}")
            yield [
                f"timm `{file}`, {lines}",
                build.render(language),
                *(f"{_median(runs, name):.1f} ms" for name in ("mindport", "ruff server")),
                f"{statistics.median(ratios):.2f} ({low_to_high})",
            ]


def _median(runs: Sequence[Json], server: str) -> float:
    return statistics.median(run["servers"][server]["p50_ms"] for run in runs)


def session_rows(figures: Json, language: Language) -> Iterator[list[str]]:
    """What a session took, beside its budget."""
    for name, (said, unit) in SESSION.items():
        for build, [run] in _runs(figures, "session"):
            budget = f"{BUDGETS[name]:g} {unit}"
            yield [said.render(language), build.render(language), f"{run[name]:.1f} {unit}", budget]


def _starts(figures: Json, language: Language) -> list[str]:
    rows = (
        [said.render(language), build.render(language)]
        + [f"{run[key][name]:.0f} ms" for name in ("mindport", "pygls doing nothing")]
        for key, said in STARTS.items()
        for build, [run] in _runs(figures, "startup")
    )
    return [_START_TEXT.render(language), _table(_START_HEAD, rows, language)]


def _scans(figures: Json, language: Language) -> list[str]:
    [_, [first]] = next(_runs(figures, "scan"))
    rows = (
        [said.render(language), build.render(language)]
        + [f"{run['results'][name][figure]:.2f}" for figure in ("seconds_p50", "ratio_p50")]
        for name, said in SCANS.items()
        for build, [run] in _runs(figures, "scan")
    )
    corpus = first["corpus"]
    said = _SCAN_TEXT.render(language, files=corpus["files"], lines=f"{corpus['lines']:,}")
    return [said, _table(_SCAN_HEAD, rows, language)]


def _table(head: Text, rows: Iterable[list[str]], language: Language) -> str:
    first = head.render(language)
    rule = "|" + "---|" * (first.count("|") - 1)
    return "\n".join([first, rule, *(f"| {' | '.join(row)} |" for row in rows)])


def readme(text: str, figures: Json, language: Language) -> str:
    """A README with what was measured: keystrokes, starts and scans."""
    before, _, rest = text.partition(BEGIN)
    keystrokes = _table(_KEYSTROKE_HEAD, keystroke_rows(figures, language), language)
    said = "\n\n".join([keystrokes, *_starts(figures, language), *_scans(figures, language)])
    return f"{before}{BEGIN}\n{said}\n\n{END}{rest.partition(END)[2]}"


def written(figures: Json) -> dict[Path, str]:
    """Every file with its text."""
    made = {}
    for language, ending in ENDINGS.items():
        path = ROOT / f"README{ending}"
        made[path] = readme(path.read_text("utf-8"), figures, language)
        made[ROOT / "docs" / f"benchmarks{ending}"] = page(figures, language)
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument(
        "--measure", nargs="+", default=(), metavar="BUILD=FOLDER", help="measure builds first"
    )
    parser.add_argument("--trials", type=float, metavar="MINUTES", help="make random trials first")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a page is old")
    options = parser.parse_args()
    figures: Json = json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {}
    for build, _, folder in (each.partition("=") for each in options.measure):
        figures[build] = measure(build, Path(folder))
    if options.trials:
        figures["trials"] = make_trials(options.trials)
    if options.measure or options.trials:
        FIGURES.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    made = written(figures)
    if options.check:
        old = [path for path, text in made.items() if not path.exists() or path.read_text("utf-8") != text]
        print(*(f"{path.relative_to(ROOT)} is old" for path in old), sep="\n")
        return int(bool(old))
    for path, text in made.items():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
