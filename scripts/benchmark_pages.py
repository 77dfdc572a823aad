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
from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FIGURES = ROOT / "tests" / "bench" / "figures.json"
BENCH = ROOT / "tests" / "bench"
BEGIN, END = "<!-- benchmarks -->\n", "<!-- end of benchmarks -->\n"
BUILDS = ("compiled", "sources")
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


class Words(NamedTuple):
    """The texts of a page in one language."""

    page: str
    readme: str
    title: str
    intro: str
    builds: dict[str, str]
    measured: str
    keystroke: str
    keystroke_text: str
    keystroke_head: str
    session: str
    session_head: str
    session_rows: tuple[tuple[str, str, str], ...]
    start: str
    start_text: str
    start_head: str
    start_rows: tuple[str, str]
    scan: str
    scan_text: str
    scan_head: str
    trials: str
    trials_text: str
    trials_head: str
    lines: str
    to: str


_SESSION = (
    ("burst_ms_max", "300"),
    ("hover_ms_p50", "5"),
    ("code_action_ms_p50", "5"),
    ("memory_mb", "110"),
)
"""What is told of a session, and its budget."""
ENGLISH = Words(
    page="docs/benchmarks.md",
    readme="README.md",
    title="# Benchmarks\n\n[中文](benchmarks.zh-CN.md)",
    intro="`make bench` measures all of this and writes this page; "
    "[tests/bench](../tests/bench/README.md) says what each bench does. Programs take turns in one run, so "
    "that ratios depend little on the machine. *Compiled* is the package as wheels have it, *sources* the "
    "same without a compiler. What speed is made of, and why some bars are out of reach: "
    "[performance](performance.md).",
    builds={"compiled": "compiled", "sources": "sources"},
    measured="{build}: commit {commit}, {day}; {processor}, {processors} processors, {memory} GB; {system}; "
    "Python {python}, ruff {ruff}",
    keystroke="## From a keystroke to its diagnostics",
    keystroke_text="`keystroke.py`: medians of 120 edits, half of them where code often does not parse "
    "meanwhile; of {runs} runs, the median, and of ratios the range.",
    keystroke_head="| file | build | mindport | `ruff server` | ratio |",
    session="## A session",
    session_head="| `session.py`, 5,308 lines | build | measured | budget |",
    session_rows=(
        ("burst_ms_max", "from the last of 20 quick edits to its diagnostics, the slowest of 20", "ms"),
        ("hover_ms_p50", "hover, median", "ms"),
        ("code_action_ms_p50", "code actions, median", "ms"),
        ("memory_mb", "memory with the file open", "MB"),
    ),
    start="## A start",
    start_text="`startup.py`: from starting the process, medians of 11 starts; *pygls* is a server that does "
    "nothing.",
    start_head="| | build | mindport | pygls |",
    start_rows=("`initialize` is answered", "the first diagnostics of a file of 1,169 lines"),
    scan="## A scan",
    scan_text="`scan.py`: timm 1.0.31, {files} files, {lines} lines, beside one process that reads and "
    "`ast.parse`-s them.",
    scan_head="| | build | seconds | ratio |",
    trials="## Random trials",
    trials_text="`make fuzz`: {minutes} minutes, {failed} failures; what has to hold: "
    "[reliability](reliability.md#how-it-is-tried).",
    trials_head="| kind | trials | steps |",
    lines="{count} lines",
    to="{low} to {high}",
)
CHINESE = Words(
    page="docs/benchmarks.zh-CN.md",
    readme="README.zh-CN.md",
    title="# 基准测试\n\n[English](benchmarks.md)",
    intro="`make bench` 测量以下各项并生成本页，各基准的含义见 [tests/bench](../tests/bench/README.md)。"
    "参与比较的程序在同一次运行中轮流执行，因此比值受机器影响很小。"
    "“编译版”即 wheel 中的版本，“源码版”是未经编译的同一版本。"
    "用时由什么组成，以及有些目标为何无法达到，见[性能](performance.zh-CN.md)。",
    builds={"compiled": "编译版", "sources": "源码版"},
    measured="{build}：提交 {commit}，{day}；{processor}，{processors} 个处理器，{memory} GB；{system}；"
    "Python {python}，ruff {ruff}",
    keystroke="## 从按键到诊断",
    keystroke_text="`keystroke.py`：120 次编辑的中位数，其中一半处代码往往暂时无法解析；"
    "运行 {runs} 次取中位数，比值另给出范围。",
    keystroke_head="| 文件 | 版本 | mindport | `ruff server` | 比值 |",
    session="## 一次会话",
    session_head="| `session.py`，5,308 行 | 版本 | 实测 | 预算 |",
    session_rows=(
        ("burst_ms_max", "连续 20 次快速编辑之后给出诊断，20 次中最慢的一次", "ms"),
        ("hover_ms_p50", "悬停，中位数", "ms"),
        ("code_action_ms_p50", "代码操作，中位数", "ms"),
        ("memory_mb", "打开该文件时的内存", "MB"),
    ),
    start="## 启动",
    start_text="`startup.py`：从启动进程算起，11 次启动的中位数；“pygls”是什么都不做的服务器。",
    start_head="| | 版本 | mindport | pygls |",
    start_rows=("响应 `initialize`", "给出一个 1,169 行文件的首次诊断"),
    scan="## 扫描",
    scan_text="`scan.py`：timm 1.0.31，{files} 个文件，{lines} 行；对照为单进程读取并 `ast.parse` 这些文件。",
    scan_head="| | 版本 | 秒 | 比值 |",
    trials="## 随机试验",
    trials_text="`make fuzz`：{minutes} 分钟，失败 {failed} 次；判定标准见"
    "[可靠性](reliability.zh-CN.md#如何检验)。",
    trials_head="| 种类 | 试验 | 步骤 |",
    lines="{count} 行",
    to="{low} 至 {high}",
)
SCANS = {
    "cold scan, --jobs 2": ("first scan, two processes", "首次扫描，两个进程"),
    "warm scan": ("second scan", "再次扫描"),
    "scan without cache, --jobs 1": ("without the cache, one process", "不使用缓存，一个进程"),
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


def page(figures: Json, words: Words) -> str:
    """The page in a language."""
    builds = [build for build in BUILDS if build in figures]
    parts = [
        words.title,
        words.intro,
        "\n".join(f"- {_measured(figures[build]['machine'], words, build)}" for build in builds),
        words.keystroke,
        words.keystroke_text.format(runs=KEYSTROKE_RUNS),
        _table(words.keystroke_head, keystroke_rows(figures, words)),
        words.session,
        _table(words.session_head, session_rows(figures, words)),
        words.start,
        words.start_text,
        _table(words.start_head, start_rows(figures, words)),
        words.scan,
        _scan_text(figures, words),
        _table(words.scan_head, scan_rows(figures, words)),
    ]
    trials = figures.get("trials")
    if trials is not None:
        parts += [
            words.trials,
            words.trials_text.format(minutes=f"{trials['minutes']:g}", failed=trials["failed"]),
            f"- {_measured(trials['machine'], words, 'sources')}",
            _table(
                words.trials_head,
                ([f"`{name}`", f"{found[0]:,}", f"{found[1]:,}"] for name, found in trials["trials"].items()),
            ),
        ]
    return "\n\n".join(parts) + "\n"


def _measured(machine: Json, words: Words, build: str) -> str:
    return words.measured.format(build=words.builds[build], **machine)


def keystroke_rows(figures: Json, words: Words) -> Iterator[list[str]]:
    """For each file and build the medians of all runs."""
    for file in figures[BUILDS[0]]["keystroke"][0]:
        for build in BUILDS:
            runs = [run[file] for run in figures.get(build, {}).get("keystroke", ())]
            if runs:
                ratios = [run["p50_ratio_to_ruff_server"] for run in runs]
                lines = words.lines.format(count=f"{runs[0]['lines']:,}")
                low_to_high = words.to.format(low=f"{min(ratios):.2f}", high=f"{max(ratios):.2f}")
                yield [
                    f"timm `{file}`, {lines}",
                    words.builds[build],
                    *(f"{_median(runs, name):.1f} ms" for name in ("mindport", "ruff server")),
                    f"{statistics.median(ratios):.2f} ({low_to_high})",
                ]


def _median(runs: Sequence[Json], server: str) -> float:
    return statistics.median(run["servers"][server]["p50_ms"] for run in runs)


def session_rows(figures: Json, words: Words) -> Iterator[list[str]]:
    budgets = dict(_SESSION)
    for name, said, unit in words.session_rows:
        for build in BUILDS:
            for run in figures.get(build, {}).get("session", ()):
                yield [said, words.builds[build], f"{run[name]:.1f} {unit}", f"{budgets[name]} {unit}"]


def start_rows(figures: Json, words: Words) -> Iterator[list[str]]:
    for key, said in zip(("p50_ms", "models/mvitv2.py"), words.start_rows, strict=True):
        for build in BUILDS:
            for run in figures.get(build, {}).get("startup", ()):
                times = (f"{run[key][name]:.0f} ms" for name in ("mindport", "pygls doing nothing"))
                yield [said, words.builds[build], *times]


def _scan_text(figures: Json, words: Words) -> str:
    scanned = figures[BUILDS[0]]["scan"][0]["corpus"]
    return words.scan_text.format(files=scanned["files"], lines=f"{scanned['lines']:,}")


def scan_rows(figures: Json, words: Words) -> Iterator[list[str]]:
    for name, said in SCANS.items():
        for build in BUILDS:
            for run in figures.get(build, {}).get("scan", ()):
                found = run["results"][name]
                yield [
                    said[words is CHINESE],
                    words.builds[build],
                    f"{found['seconds_p50']:.2f}",
                    f"{found['ratio_p50']:.2f}",
                ]


def _table(head: str, rows: Iterator[list[str]]) -> str:
    rule = "|" + "---|" * (head.count("|") - 1)
    return "\n".join([head, rule, *(f"| {' | '.join(row)} |" for row in rows)])


def readme(text: str, figures: Json, words: Words) -> str:
    """A README with what was measured: keystrokes, starts and scans."""
    before, _, rest = text.partition(BEGIN)
    said = "\n\n".join(
        [
            _table(words.keystroke_head, keystroke_rows(figures, words)),
            words.start_text,
            _table(words.start_head, start_rows(figures, words)),
            _scan_text(figures, words),
            _table(words.scan_head, scan_rows(figures, words)),
        ]
    )
    return f"{before}{BEGIN}\n{said}\n\n{END}{rest.partition(END)[2]}"


def written(figures: Json) -> Iterator[tuple[Path, str]]:
    """Every file with its text."""
    for words in (ENGLISH, CHINESE):
        path = ROOT / words.readme
        yield path, readme(path.read_text("utf-8"), figures, words)
        yield ROOT / words.page, page(figures, words)


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
    old = [path for path, text in written(figures) if not path.exists() or path.read_text("utf-8") != text]
    if options.check:
        print(*(f"{path.relative_to(ROOT)} is old" for path in old), sep="\n")
        return int(bool(old))
    for path, text in written(figures):
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
