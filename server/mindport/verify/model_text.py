"""What is said of a model that was verified."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mindport.language import Language, Text
from mindport.verify.model import OF

if TYPE_CHECKING:
    from mindport.verify.model import ModelOutcome

_MOST_DIFFERENCES: Final = 5
_SAYING_NOTHING: Final = ("---", "More details")
_MOST_LINES: Final = 2
"""As many lines of what the graph compiler says tell what is wrong; the rest are its own frames."""
_STAGES: Final = {
    "built": Text("Cannot be built in MindSpore:", "在 MindSpore 中无法构建："),
    "weights": Text("Cannot load PyTorch's weights:", "无法加载 PyTorch 的权重："),
    "called": Text("Cannot be called in MindSpore:", "在 MindSpore 中无法调用："),
    "gradients": Text("Gradients cannot be computed in MindSpore:", "在 MindSpore 中无法计算梯度："),
}
_OUTPUTS = Text("outputs", "输出")
_GRADIENTS = Text("gradients", "梯度")
_COUNT = Text(
    "{equal} of {all} {what} equal, largest difference {gap:.1e}",
    "{all} 个{what}中 {equal} 个一致，最大误差 {gap:.1e}",
)
_DIFFERENCE = Text("{name}: {gap:.1e}", "{name}：{gap:.1e}")
_OF = Text("gradient of {name}", "{name} 的梯度")
_FIRST = Text("First layer that differs: {name} ({gap:.1e})", "最先出现差异的层：{name}（{gap:.1e}）")
_ITSELF = Text("the model itself", "模型本身")
_SUBSTITUTED = Text(
    "Substituted, because MindSpore has no complete kernel on CPU ({count}): {names}",
    "以下接口在 CPU 上没有完整的算子实现，已用替代实现运行（{count} 个）：{names}",
)
_KINKS = Text(
    "{count} of these gradients differ by up to {gap:.1e} with other weights and inputs, where a value "
    "near 0 is on the other side of a kink, as ReLU has at 0",
    "换用其他权重和输入时，其中 {count} 个梯度的误差最大为 {gap:.1e}："
    "接近 0 的值落在了折点（如 ReLU 的 0 点）的另一侧",
)
_ROUNDED = Text(
    "{count} of these gradients are not exact in PyTorch either: they differ by up to {rounding:.1e} from "
    "those in float64",
    "其中 {count} 个梯度在 PyTorch 中同样不精确：与 float64 下的结果相差最大 {rounding:.1e}",
)
_GRAPH_OUTPUTS = Text("outputs in graph mode", "静态图模式输出")
_NOT_COMPILED = Text("Cannot be compiled in graph mode:", "无法以静态图模式编译：")
_AT = Text("{path}:{line}: {text}", "{path}:{line}：{text}")
_NOTHING = Text("The model returns no Tensors: nothing to compare.", "模型没有输出 Tensor，无从比较。")


def comparison(outcome: ModelOutcome, tolerance: float, language: Language) -> Iterator[str]:
    """What was compared, in lines."""
    apart = outcome.apart(tolerance)
    gradients = {name: gap for name, gap in outcome.differences.items() if name.startswith(OF)}
    outputs = {name: gap for name, gap in outcome.differences.items() if name not in gradients}
    compiled = outcome.graph_differences or {}
    different = {name for name, gap in compiled.items() if not gap <= tolerance}
    groups = (
        (_OUTPUTS, outputs, apart.keys()),
        (_GRADIENTS, gradients, apart.keys()),
        (_GRAPH_OUTPUTS, compiled, different),
    )
    for what, found, wrong in groups:
        if found:
            words = {"equal": len(found.keys() - wrong), "all": len(found), "what": what.render(language)}
            yield _COUNT.render(language, **words, gap=max(found.values()))
    if outcome.kinks:
        yield _KINKS.render(language, count=len(outcome.kinks), gap=max(outcome.kinks.values()))
    rounded = [name for name, gap in gradients.items() if gap > tolerance and name not in apart]
    if rounded:
        most = max(outcome.rounding[name] for name in rounded)
        yield _ROUNDED.render(language, count=len(rounded), rounding=most)
    for name, gap in list(apart.items())[:_MOST_DIFFERENCES]:
        shown = _OF.render(language, name=name.removeprefix(OF)) if name in gradients else name
        yield "  " + _DIFFERENCE.render(language, name=shown, gap=gap)
    first = outcome.first_layer(tolerance)
    if first is not None and (apart or outcome.error):
        yield _FIRST.render(language, name=first or _ITSELF.render(language), gap=outcome.layers[first])
    if outcome.substituted:
        names = ", ".join(outcome.substituted)
        yield _SUBSTITUTED.render(language, count=len(outcome.substituted), names=names)


def failure(outcome: ModelOutcome, language: Language) -> str | None:
    """Why not all was compared; None if it was."""
    if outcome.error is not None:
        return f"{_STAGES[outcome.stage].render(language)}\n{outcome.error}"
    if outcome.graph_error is not None:
        return "\n".join(_not_compiled(outcome, language))
    return None if outcome.differences else _NOTHING.render(language)


def _not_compiled(outcome: ModelOutcome, language: Language) -> Iterator[str]:
    """What the graph compiler said, and of which line of the original code."""
    assert outcome.graph_error is not None
    yield _NOT_COMPILED.render(language)
    if outcome.graph_place is not None:
        yield "  " + _AT.render(language, **outcome.graph_place._asdict())
    lines = outcome.graph_error.splitlines()
    yield from [line for line in lines[:_MOST_LINES] if not line.startswith(_SAYING_NOTHING)]
