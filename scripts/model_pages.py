"""Convert published models, run them in both frameworks, and write `docs/models.md` and `models.zh-CN.md`.

MINDPORT_TORCH_PYTHON=... python scripts/model_pages.py [golden] [timm] [transformers]

Without names, all tables; else the other ones are kept. The packages are fetched once, into `.cache/corpus`.
It takes some 40 minutes.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "server"), str(ROOT / "tests"), str(ROOT / "tests/differential/golden")]

from comparison import ModelTable, compare  # noqa: E402
from corpus import TIMM, TORCHVISION, TRANSFORMERS, VIT_PYTORCH, corpus  # noqa: E402
from mindport.cli.main import main as mindport  # noqa: E402
from mindport.language import Language, Text  # noqa: E402
from mindport.verify.frameworks import VARIABLE  # noqa: E402

FILES: Mapping[Language, str] = {"en": "models.md", "zh-cn": "models.zh-CN.md"}
OUTCOMES = ROOT / "tests/differential/golden/outcomes.json"
OPTIONS = ("--whole", "--device", "cpu", "--style", "classic")
MARK = "# TODO(mindport)"
STAGES = ("torch", "import", "build", "run", "compare", "equal")


class Packages(NamedTuple):
    """What one table converts: the module that lists its models, the packages, and those that they import."""

    table: str
    heading: Text
    converted: tuple[tuple[str, str, str], ...]
    beside: tuple[tuple[str, str, str], ...] = ()
    program: str = ""
    """The file of the folder `golden` that is converted with them, and builds the models."""
    at_once: int = 8


_TORCHVISION = (*TORCHVISION, "torchvision")
TABLES: Mapping[str, Packages] = {
    "golden": Packages(
        "models",
        Text("torchvision 0.29.2 and vit-pytorch 1.26.11", "torchvision 0.29.2 与 vit-pytorch 1.26.11"),
        (_TORCHVISION, (*VIT_PYTORCH, "vit_pytorch")),
    ),
    "timm": Packages(
        "timm_models",
        Text(
            "timm 1.0.31: a model of each file in `models/` that builds with up to 60 million parameters",
            "timm 1.0.31：`models/` 中每个文件取一个参数量不超过 6000 万的模型",
        ),
        ((*TIMM, "timm"),),
        (_TORCHVISION,),
    ),
    "transformers": Packages(
        "transformers_models",
        Text(
            "transformers 5.23.0: each type of model of which a small configuration runs in PyTorch",
            "transformers 5.23.0：每种能以小规模配置在 PyTorch 中运行的模型类型",
        ),
        ((*TRANSFORMERS, "transformers"),),
        program="transformers_small.py",
        at_once=24,
    ),
}
_TITLE = Text("Published models that run after conversion", "转换后可运行的公开模型")
_ABOUT = Text(
    "Made by `make models`: each package is converted with `mindport convert --whole --device cpu "
    "--style classic`, and nothing is changed by hand. The model is built in both frameworks, MindSpore 2.10 "
    "on CPU gets PyTorch's weights, and output and gradients (of the input and every weight) are compared. "
    "*Equal* means: the largest difference is at most 1e-4 of the scale; a model that differs is looked at "
    "once more with other weights and another input, since a value that is nearly 0 can be on either side of "
    "a ReLU's kink. *Left to you* counts the marks `TODO(mindport)` in the model's file.",
    "由 `make models` 生成：每个包用 `mindport convert --whole --device cpu --style classic` 转换，"
    "不作任何手工修改。在两个框架中构建同一模型，MindSpore 2.10（CPU）使用 PyTorch 的权重，"
    "比较输出和梯度（输入及每个权重）。“一致”指最大相对差异不超过 1e-4；"
    "不一致的模型会换一组权重和输入再比较一次，因为接近 0 的值可能落在 ReLU 折点的任意一侧。"
    "“待处理”是模型所在文件中 `TODO(mindport)` 标记的数量。",
)
_COUNT = Text("{equal} of {all} models are equal.", "{all} 个模型中 {equal} 个一致。")
_HEAD = Text(
    "| model | built | ran | equal | largest difference | left to you |",
    "| 模型 | 已构建 | 已运行 | 一致 | 最大差异 | 待处理 |",
)
_WRONG = Text("What went wrong:", "未通过的原因：")


def made(name: str, python: str, work: Path) -> dict[str, dict[str, Any]]:
    """What became of each model of a table, ready for JSON."""
    packages = TABLES[name]
    sources, beside, results = (work / part for part in ("torch", "beside", "results"))
    results.mkdir(parents=True)
    for wanted, folder in ((packages.converted, sources), (packages.beside, beside)):
        for wheel, version, package in wanted:
            shutil.copytree(corpus(wheel, version) / package, folder / package)
    if packages.program:
        shutil.copy(OUTCOMES.with_name(packages.program), sources)
    if mindport(["convert", str(sources), "-o", str(work / "converted"), *OPTIONS]) != 0:
        raise SystemExit("the packages were not converted")
    models = importlib.import_module(packages.table).MODELS
    table = ModelTable(
        packages.table,
        sources,
        work / "converted",
        beside if packages.beside else None,
        at_once=packages.at_once,
    )
    found = compare(python, table, list(models), results)
    return {
        model: {**outcome._asdict(), "marks": marks(work / "converted", models[model][0])}
        for model, outcome in found.items()
    }


def marks(converted: Path, module: str) -> int:
    """The marks in a module's file."""
    file = converted.joinpath(*module.split("."))
    file = file / "__init__.py" if file.is_dir() else file.with_suffix(".py")
    return file.read_text(encoding="utf-8").count(MARK)


def page(tables: Mapping[str, Mapping[str, Mapping[str, Any]]], language: Language) -> str:
    """The text of a page."""
    parts = [f"# {_TITLE.render(language)}", _ABOUT.render(language)]
    for name, outcomes in tables.items():
        equal = sum(one["stage"] == "equal" for one in outcomes.values())
        parts += [
            f"## {TABLES[name].heading.render(language)}",
            _COUNT.render(language, equal=str(equal), all=str(len(outcomes))),
            "\n".join([_HEAD.render(language), "|---|---|---|---|---|---|", *rows(outcomes)]),
        ]
        wrong = [(model, one["problem"]) for model, one in outcomes.items() if one["problem"]]
        if wrong:
            lines = [f"- {model}: {last_line(problem)}" for model, problem in wrong]
            parts += [_WRONG.render(language), "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def rows(outcomes: Mapping[str, Mapping[str, Any]]) -> Sequence[str]:
    """A row for each model."""
    listed = []
    for model, one in outcomes.items():
        stage = STAGES.index(one["stage"])
        reached = ["✓" if stage > STAGES.index(done) else "✗" for done in ("build", "run", "compare")]
        error = "" if one["error"] is None else f"{one['error']:.1e}"
        listed.append(f"| {model} | {' | '.join(reached)} | {error} | {one['marks']} |")
    return listed


def last_line(problem: str) -> str:
    """What a traceback ends with."""
    lines = [line for line in problem.strip().splitlines() if line.strip() and not line.startswith("-")]
    return lines[-1].strip() if len(lines) == 1 else f"`{lines[-1].strip()}`"


def main(names: Sequence[str]) -> int:
    """Run the tables that are named and write the pages."""
    python = os.environ.get(VARIABLE)
    if not python:
        print(f"{VARIABLE} does not name a Python with torch and MindSpore", file=sys.stderr)
        return 2
    known = json.loads(OUTCOMES.read_text(encoding="utf-8")) if OUTCOMES.exists() else {}
    for name in names or TABLES:
        with tempfile.TemporaryDirectory() as work:
            known[name] = made(name, python, Path(work))
    tables = {name: known[name] for name in TABLES if name in known}
    for one in tables.values():
        for outcome in one.values():
            outcome["problem"] = last_line(outcome["problem"]) if outcome["problem"] else ""
    OUTCOMES.write_text(json.dumps(tables, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    for language, file in FILES.items():
        (ROOT / "docs" / file).write_text(page(tables, language), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
