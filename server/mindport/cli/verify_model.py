"""`mindport verify model`: convert a model, run it in both frameworks, and compare."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.cli.arguments import OF_A_TARGET, Arguments, Command, Given
from mindport.cli.console import UsageError, error
from mindport.cli.options import settings_for
from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.verify.model import ModelOutcome

_TOLERANCE = 1e-4
_ABOUT = Text(
    "Build a model in PyTorch and its conversion in MindSpore with the same weights, and compare "
    "outputs and gradients. This runs the model's code (needs both frameworks).",
    "分别在 PyTorch 中构建模型、在 MindSpore 中构建其转换结果，使用相同权重，比较输出与梯度。会运行模型"
    "代码（需要安装两个框架）。",
)
_SPEC = Text(
    "How to build the model: file and expression, such as 'models/net.py:Net(num_classes=10)'.",
    "如何构建模型：文件与表达式，例如 'models/net.py:Net(num_classes=10)'。",
)
_INPUT = Text(
    "Model inputs, in order: float32[2,3,32,32], int64[2,16]<100, or by keyword mask=bool[2,16].",
    "模型的输入，按顺序给出：float32[2,3,32,32]、int64[2,16]<100，或用关键字 mask=bool[2,16]。",
)
_FOLDER = Text(
    "Program folder (default: the one that holds the file's outermost package).",
    "程序所在的文件夹（默认为该文件最外层包所在的文件夹）。",
)
_TOLERANCE_TEXT = Text(
    "Largest difference that counts as equal, relative to the largest value.",
    "视为一致的最大相对误差（相对于最大数值）。",
)
_PYTHON = Text(
    "Python that has torch and MindSpore (default: MINDPORT_TORCH_PYTHON, else this one).",
    "装有 torch 和 MindSpore 的 Python（默认取 MINDPORT_TORCH_PYTHON，否则为当前 Python）。",
)
_GRAPH = Text(
    "Also compile the converted model in graph mode, and compare its outputs.",
    "同时以静态图模式编译转换后的模型，并比较其输出。",
)
_NO_NUMBER = Text("--tolerance must be a number.", "--tolerance 应为数字。")


def _add_arguments(arguments: Arguments) -> None:
    arguments.argument("spec", "SPEC", _SPEC)
    arguments.option("--input", metavar="INPUT", text=_INPUT, is_many=True)
    arguments.option("--folder", metavar="FOLDER", text=_FOLDER, kind=Path)
    arguments.option("--tolerance", metavar="NUMBER", text=_TOLERANCE_TEXT, default=str(_TOLERANCE))
    arguments.flag("--graph", _GRAPH)
    arguments.option("--python", metavar="PATH", text=_PYTHON)
    arguments.settings(*OF_A_TARGET)


def _run(given: Given, language: Language) -> int:
    """Returns 0 if all is equal, 1 if something differs or fails in MindSpore, 2 if that cannot be said."""
    from mindport.source.error import TextError
    from mindport.verify.frameworks import FrameworksError, find_frameworks
    from mindport.verify.model import verify_model
    from mindport.verify.model_spec import ModelInput, ModelSpec

    try:
        tolerance = float(given.tolerance)
    except ValueError as wrong:
        raise UsageError(_NO_NUMBER.render(language)) from wrong
    try:
        inputs = tuple(ModelInput.parse(one) for one in given.input or ())
        spec = replace(ModelSpec.parse(given.spec, inputs, given.folder), in_graph=given.graph)
        options = {"device": "cpu", **{key: each for key, each in given.settings.items() if each is not None}}
        settings, language = settings_for([spec.folder], options, language)
        outcome = verify_model(spec, settings, find_frameworks(given.python), language, tolerance)
    except (TextError, FrameworksError) as wrong:
        error(wrong.render(language), language)
        return 2
    return _told(outcome, tolerance, language)


COMMAND = Command("model", _ABOUT, _add_arguments, _run)


def _told(outcome: ModelOutcome, tolerance: float, language: Language) -> int:
    """Print what came of it. Returns the exit code."""
    from mindport.verify.model_text import comparison, failure

    for line in comparison(outcome, tolerance, language):
        print(line)
    problem = failure(outcome, language)
    if problem is not None:
        error(problem, language)
    if outcome.error is None and not outcome.differences:
        return 2
    return 0 if outcome.is_equal(tolerance) else 1
