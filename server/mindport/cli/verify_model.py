"""`mindport verify model`: convert a model, run it in both frameworks, and compare."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mindport.cli.arguments import OF_A_TARGET, Arguments, Command, Given
from mindport.cli.console import UsageError, error
from mindport.cli.options import settings_for
from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.verify.model import ModelOutcome

_TOLERANCE = 1e-4
_MOST_DIFFERENCES = 5
_ABOUT = Text(
    "Build a model in PyTorch and, converted, in MindSpore, with the same weights, and compare outputs and "
    "gradients. This runs the model's code (needs both frameworks).",
    "在 PyTorch 中构建模型，并将其转换后在 MindSpore 中以相同权重构建，比较输出与梯度。"
    "会运行模型代码（需要安装两个框架）。",
)
_SPEC = Text(
    "What builds the model: its file and an expression, such as 'models/net.py:Net(num_classes=10)'.",
    "如何构建模型：文件与表达式，例如 'models/net.py:Net(num_classes=10)'。",
)
_INPUT = Text(
    "What it is called with, in order: float32[2,3,32,32], int64[2,16]<100, or by keyword mask=bool[2,16].",
    "调用模型的输入，按顺序给出：float32[2,3,32,32]、int64[2,16]<100，或用关键字 mask=bool[2,16]。",
)
_FOLDER = Text(
    "The folder of the program; else that of the outermost package around the file.",
    "程序所在的文件夹；默认为包含该文件的最外层包所在的文件夹。",
)
_TOLERANCE_TEXT = Text(
    "The largest difference that counts as equal, as a part of the largest number.",
    "视为一致的最大误差，以最大数值为单位。",
)
_PYTHON = Text(
    "The Python that has torch and MindSpore; else that of MINDPORT_TORCH_PYTHON, else this one.",
    "装有 torch 和 MindSpore 的 Python；默认取 MINDPORT_TORCH_PYTHON，否则为当前 Python。",
)
_NO_NUMBER = Text("The option --tolerance must be a number.", "选项 --tolerance 应为数字。")
_STAGES = {
    "built": Text("It cannot be built in MindSpore:", "在 MindSpore 中无法构建："),
    "weights": Text("It does not take PyTorch's weights:", "无法加载 PyTorch 的权重："),
    "called": Text("It cannot be called in MindSpore:", "在 MindSpore 中无法调用："),
    "gradients": Text("Its gradients cannot be computed in MindSpore:", "在 MindSpore 中无法计算梯度："),
}
_OUTPUTS = Text("outputs", "输出")
_GRADIENTS = Text("gradients", "梯度")
_COUNT = Text(
    "{equal} of {all} {what} equal, largest difference {gap:.1e}",
    "{all} 个{what}中 {equal} 个一致，最大误差 {gap:.1e}",
)
_DIFFERENCE = Text("{name}: {gap:.1e}", "{name}：{gap:.1e}")
_OF = Text("gradient of {name}", "{name} 的梯度")
_FIRST = Text(
    "The first layer that gives something else: {name} ({gap:.1e})", "最先出现差异的层：{name}（{gap:.1e}）"
)
_ITSELF = Text("the model itself", "模型本身")
_NOTHING = Text("The model gives no Tensors: there is nothing to compare.", "模型没有输出 Tensor，无从比较。")


def _add_arguments(arguments: Arguments) -> None:
    arguments.argument("spec", "SPEC", _SPEC)
    arguments.option("--input", metavar="INPUT", text=_INPUT, is_many=True)
    arguments.option("--folder", metavar="FOLDER", text=_FOLDER, kind=Path)
    arguments.option("--tolerance", metavar="NUMBER", text=_TOLERANCE_TEXT, default=str(_TOLERANCE))
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
        spec = ModelSpec.parse(given.spec, inputs, given.folder)
        options = {"device": "cpu", **{key: each for key, each in given.settings.items() if each is not None}}
        settings, language = settings_for([spec.folder], options, language)
        outcome = verify_model(spec, settings, find_frameworks(given.python), language)
    except (TextError, FrameworksError) as wrong:
        error(wrong.render(language), language)
        return 2
    return _told(outcome, tolerance, language)


COMMAND = Command("model", _ABOUT, _add_arguments, _run)


def _told(outcome: ModelOutcome, tolerance: float, language: Language) -> int:
    """Print what came of it. Returns the exit code."""
    gradients = {name: gap for name, gap in outcome.differences.items() if name.startswith("of ")}
    outputs = {name: gap for name, gap in outcome.differences.items() if name not in gradients}
    for what, found in ((_OUTPUTS, outputs), (_GRADIENTS, gradients)):
        if found:
            equal = sum(gap <= tolerance for gap in found.values())
            largest = max(found.values())
            words = {"equal": equal, "all": len(found), "what": what.render(language), "gap": largest}
            print(_COUNT.render(language, **words))
    apart = {name: gap for name, gap in outcome.differences.items() if not gap <= tolerance}
    for name, gap in list(apart.items())[:_MOST_DIFFERENCES]:
        shown = _OF.render(language, name=name.removeprefix("of ")) if name in gradients else name
        print("  " + _DIFFERENCE.render(language, name=shown, gap=gap))
    first = outcome.first_layer(tolerance)
    if first is not None and (apart or outcome.error):
        name = first or _ITSELF.render(language)
        print(_FIRST.render(language, name=name, gap=outcome.layers[first]))
    if outcome.error is not None:
        error(f"{_STAGES[outcome.stage].render(language)}\n{outcome.error}", language)
    elif not outcome.differences:
        error(_NOTHING.render(language), language)
        return 2
    return 0 if outcome.is_equal(tolerance) else 1
