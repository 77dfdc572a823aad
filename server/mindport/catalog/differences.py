"""Differences between a torch API and its MindSpore counterpart: a code, the parameters and values it is
about, and the sentence that says it in both languages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from mindport.catalog.tried_calls import Verdict
from mindport.language import LIST, Language, Text, joined


class DifferenceKind(NamedTuple):
    """A kind of difference: the sentence that says it, and what follows from it. By itself a kind can change
    what code does, or make it fail."""

    sentence: Text
    is_harmless: bool = False
    """It changes nothing for code that does not use the parameter."""
    is_situational: bool = False
    """It matters in some situations only, which the code around the use tells."""
    unknown_to_references: bool = False
    """It is about arguments: where the API is passed on, nobody knows whether it matters."""
    blocks: bool = False
    """A call of the counterpart means something else altogether, so that a use is not rewritten."""
    explains_runs: bool = False
    """What a run showed need not be said beside it."""
    by_run: bool = False
    """It says no more than that a run of the API as a whole went wrong."""
    aspects: tuple[str, ...] = ()
    """The aspects of a result in which it was seen that nothing else explains."""
    verdict: Verdict | None = None
    """What came of running calls of the use's shape, where that is all that is known."""


DIFFERENCE_KINDS: Mapping[str, DifferenceKind] = {
    "renamed": DifferenceKind(Text("`{torch}` is named `{mindspore}`.", "`{torch}` 改名为 `{mindspore}`。")),
    "missing": DifferenceKind(
        Text("`{torch}` is not supported.", "不支持参数 `{torch}`。"), unknown_to_references=True
    ),
    "missing_general": DifferenceKind(
        Text(
            "`{torch}` is not supported; ignored unless you pass it.",
            "不支持参数 `{torch}`；不传入该参数时没有影响。",
        ),
        is_harmless=True,
        unknown_to_references=True,
    ),
    "default": DifferenceKind(
        Text(
            "Different default: `{torch}={torch_default}` in PyTorch, `{mindspore}={mindspore_default}` in "
            "MindSpore.",
            "默认值不同：PyTorch 的 `{torch}` 为 `{torch_default}`，`{mindspore}` 为 `{mindspore_default}`。",
        )
    ),
    "required": DifferenceKind(
        Text(
            "`{mindspore}` is required; PyTorch defaults to `{torch_default}`.",
            "必须传入 `{mindspore}`；PyTorch 的默认值为 `{torch_default}`。",
        )
    ),
    "keyword_only": DifferenceKind(
        Text("`{mindspore}` is keyword-only.", "`{mindspore}` 只能以关键字方式传入。")
    ),
    "packed": DifferenceKind(
        Text(
            "Pass `*{torch}` as a single tuple `{mindspore}`.",
            "`*{torch}` 的多个值需合成一个元组 `{mindspore}` 传入。",
        )
    ),
    "extra_required": DifferenceKind(
        Text(
            "`{mindspore}` is required; PyTorch has no such parameter.",
            "必须传入 `{mindspore}`；PyTorch 没有该参数。",
        )
    ),
    "extra": DifferenceKind(
        Text("`{mindspore}` exists only in MindSpore.", "`{mindspore}` 仅 MindSpore 有。"),
        is_harmless=True,
        unknown_to_references=True,
    ),
    "order": DifferenceKind(
        Text(
            "Parameter order differs; pass them by keyword.",
            "参数顺序不同：请以关键字方式传入。",
        )
    ),
    "operator_class": DifferenceKind(
        Text("An operator class: create an instance, then call it.", "这是算子类：先创建实例，再调用。"),
        blocks=True,
    ),
    "not_called": DifferenceKind(
        Text("An attribute, not a method: do not call it.", "这是属性，不需要调用。"), blocks=True
    ),
    "called": DifferenceKind(
        Text("A method, not an attribute: call it.", "这是方法，需要调用。"), blocks=True
    ),
    "behaviour": DifferenceKind(Text("Behaves differently.", "行为不同。"), explains_runs=True),
    "rebinds": DifferenceKind(
        Text(
            "Operators such as `+=` create a new Tensor and rebind the name; other names and views keep "
            "the old value. PyTorch modifies the Tensor in place: `b = a; b += 1` or `b = a[0]; b += 1` "
            "changes `a`.",
            "`+=` 等运算符会创建新的 Tensor 并重新绑定该变量名，其他变量名和视图仍为旧值；PyTorch 会原地修改"
            " Tensor：`b = a; b += 1` 和 `b = a[0]; b += 1` 都会改变 `a`。",
        ),
        is_situational=True,
    ),
    "view_not_written": DifferenceKind(
        Text(
            "On {device}, writing to a transposed or sliced view (`x.t()`, `x[0]`) does not change the "
            "original Tensor; assign by index instead, such as `x[0] = ...`.",
            "在 {device} 上，写入转置或切片得到的视图（`x.t()`、`x[0]`）不会改变原 Tensor；请改用下标赋值，"
            "如 `x[0] = ...`。",
        ),
        is_situational=True,
    ),
    "assigned": DifferenceKind(
        Text("Assigning to it has no effect.", "对其赋值没有作用。"), is_situational=True
    ),
    "promotion": DifferenceKind(
        Text(
            "`{torch}` is a 0-dimensional {mindspore_default} Tensor and takes part in type promotion: the "
            "result is {mindspore_default}; in PyTorch it is {torch_default}, like the other operand.",
            "`{torch}` 是 {mindspore_default} 类型的零维 Tensor，会参与类型提升，结果为 {mindspore_default}；"
            "PyTorch 中与另一操作数相同，为 {torch_default}。",
        )
    ),
    "promotion_possible": DifferenceKind(
        Text(
            "`{torch}` is a 0-dimensional {mindspore_default} Tensor and takes part in type promotion. "
            "If the other operand is {torch_default} (mixed precision), the result is "
            "{mindspore_default}; in PyTorch it is {torch_default}.",
            "`{torch}` 是 {mindspore_default} 类型的零维 Tensor，会参与类型提升：若另一操作数为"
            " {torch_default}（混合精度），结果为 {mindspore_default}，PyTorch 中为 {torch_default}。",
        )
    ),
    "uncompared": DifferenceKind(
        Text(
            "Only the names are known to match; the parameters were not compared.",
            "仅确认名称一致，未比较参数。",
        )
    ),
    "documented": DifferenceKind(
        Text(
            "MindSpore's official mapping table lists it as different.",
            "MindSpore 官方映射表注明功能存在差异。",
        ),
        explains_runs=True,
    ),
    "measured": DifferenceKind(
        Text(
            "The same arguments gave different results on {device}.",
            "在 {device} 上以相同参数运行，结果不同。",
        ),
        explains_runs=True,
        by_run=True,
        aspects=("value", "default"),
    ),
    "dtype_measured": DifferenceKind(
        Text("The dtype of the result differed on {device}.", "在 {device} 上运行，结果的 dtype 不同。"),
        explains_runs=True,
        aspects=("dtype",),
    ),
    "shape_measured": DifferenceKind(
        Text("The shape of the result differed on {device}.", "在 {device} 上运行，结果的形状不同。"),
        explains_runs=True,
        aspects=("shape",),
    ),
    "structure_measured": DifferenceKind(
        Text(
            "The type or structure of the result differed on {device}.",
            "在 {device} 上运行，结果的类型或结构不同。",
        ),
        explains_runs=True,
        aspects=("structure",),
    ),
    "gradient_measured": DifferenceKind(
        Text(
            "The gradient differed on {device}, or there was none.",
            "在 {device} 上运行，梯度不同或没有梯度。",
        ),
        explains_runs=True,
        aspects=("gradient",),
        verdict="no_gradient",
    ),
    "distribution_measured": DifferenceKind(
        Text(
            "The distribution of the random numbers differed on {device}.",
            "在 {device} 上运行，随机数的分布不同。",
        ),
        explains_runs=True,
        aspects=("distribution",),
    ),
    "call_differs": DifferenceKind(
        Text(
            "Arguments like these gave a different result on {device}.",
            "在 {device} 上以这种形式的参数运行，结果不同。",
        ),
        verdict="differs",
    ),
    "call_raises": DifferenceKind(
        Text(
            "MindSpore rejects arguments like these.",
            "MindSpore 不接受这种形式的参数。",
        ),
        verdict="raises",
    ),
    "call_not_on_device": DifferenceKind(
        Text(
            "{device} has no kernel for arguments like these.",
            "{device} 上没有支持这种参数形式的算子实现。",
        ),
        verdict="unsupported",
    ),
    "not_on_device": DifferenceKind(
        Text("Not supported on {device}.", "不支持在 {device} 上运行。"), explains_runs=True, by_run=True
    ),
}
"""Every kind, by its code."""

BY_ASPECT: Mapping[str, str] = {
    aspect: code for code, kind in DIFFERENCE_KINDS.items() for aspect in kind.aspects
}
"""The code for an aspect in which results differed."""
_BY_VERDICT: Mapping[Verdict, str] = {
    kind.verdict: code for code, kind in DIFFERENCE_KINDS.items() if kind.verdict is not None
}

INPUTS: Mapping[str, Text] = {
    "int64": Text("integers", "整数"),
    "bool": Text("booleans", "布尔值"),
    "float64": Text("float64", "float64"),
    "float32": Text("float32", "float32"),
    "special": Text("NaN, infinite or very large values", "NaN、无穷大或极大的值"),
    "saturated": Text("values of exactly 0 or 1", "恰为 0 或 1 的值"),
    "0-d": Text("0-dimensional Tensors", "零维 Tensor"),
    "3-d": Text("Tensors with other numbers of dimensions", "其他维数的 Tensor"),
    "empty": Text("empty Tensors", "空 Tensor"),
    "initial": Text("newly created layers", "新建的层"),
    "gradient": Text("gradients", "梯度"),
    "some": Text("some calls", "部分调用"),
}
"""Kinds of inputs that calls are tried with (see `docs/verification.md`)."""
_FOR = Text("{sentence} Observed for: {inputs}.", "{sentence}涉及的输入：{inputs}。")

SOME_CALLS = "some"
"""The kind of inputs of ordinary calls, some of which only are meant."""


_SPECIAL = "special"
"""The kind of inputs that have NaN or infinity in them."""


@dataclass(frozen=True)
class Difference:
    """One difference. `torch` and `mindspore` are parameter names, the defaults source texts.

    `harmless_values` are the source texts of values of a missing torch parameter that may be dropped; between
    slashes, regular expressions that match such texts; behind `?`, values that may be dropped if a person has
    looked.
    `note` is a hand-written sentence; it replaces the one of the code.
    """

    code: str
    torch: str | None = None
    mindspore: str | None = None
    torch_default: str | None = None
    mindspore_default: str | None = None
    harmless_values: tuple[str, ...] = ()
    device: str | None = None
    note: Text | None = None
    only_given: bool = False
    """Whether it matters only for calls that give the parameter `torch`."""
    inputs: tuple[str, ...] = ()
    """The kinds of inputs it was seen with alone, keys of `INPUTS`."""
    minor: bool = False
    """Whether it matters to few: other random numbers of one seed, what becomes of NaN."""
    unless_of: str | None = None
    """The torch class of whose objects it is not true."""

    @property
    def kind(self) -> DifferenceKind:
        """What follows from its code."""
        return DIFFERENCE_KINDS[self.code]

    @property
    def is_minor(self) -> bool:
        """Whether most code need not care."""
        return self.minor or self.inputs == (_SPECIAL,)

    @property
    def grave(self) -> bool:
        """Whether it can change what existing code does or make it fail."""
        return not self.kind.is_harmless

    def is_harmless(self, source: str) -> bool:
        """Whether an argument with this text may be dropped."""
        return is_one_of(source, self.harmless_values)

    def may_be_dropped(self, source: str) -> bool:
        """Whether an argument with this text may be dropped, if a person has looked."""
        return self.is_harmless(source) or f"?{source}" in self.harmless_values

    def sentence(self, language: Language) -> str:
        """The difference in one sentence."""
        if self.note is not None:
            return self.note.render(language)
        values = {
            "torch": self.torch,
            "mindspore": self.mindspore,
            "torch_default": self.torch_default,
            "mindspore_default": self.mindspore_default,
            "device": {"cpu": "CPU", "gpu": "GPU", "ascend": "Ascend"}.get(self.device or ""),
        }
        sentence = self.kind.sentence.render(language, **values)
        if not self.inputs:
            return sentence
        return _FOR.render(language, sentence=sentence, inputs=kinds_of_inputs(self.inputs, language))


def of_verdict(verdict: Verdict, device: str) -> Difference | None:
    """What a run of calls of this shape on a device showed, if that is a difference."""
    code = _BY_VERDICT.get(verdict)
    return Difference(code, device=device) if code is not None else None


def is_one_of(source: str, values: Sequence[str]) -> bool:
    """Whether a text is one of some values; between slashes, these are regular expressions."""
    return any(
        value == source or (value.startswith("/") and re.fullmatch(value.strip("/"), source) is not None)
        for value in values
    )


def kinds_of_inputs(kinds: Sequence[str], language: Language) -> str:
    """Kinds of inputs in words."""
    return joined((INPUTS[kind].render(language) for kind in kinds), LIST, language)


def from_record(record: Mapping[str, Any], general: Mapping[str, list[str]]) -> Difference:
    """A parameter fact or a curated difference of the mapping data. `general` names the torch parameters
    that have nothing to do with the result, with the values that may be dropped."""
    code, torch, default = record["code"], record.get("torch"), record.get("default")
    harmless: tuple[str, ...] = ()
    if code == "missing":
        known = general.get(torch or "")
        harmless = tuple(dict.fromkeys([*([default] if default is not None else []), *(known or [])]))
        code = "missing_general" if known is not None else code
    return Difference(
        code,
        torch,
        record.get("mindspore"),
        record.get("torch_default") or (default if torch else None),
        record.get("mindspore_default") or (default if code == "extra" else None),
        harmless,
        record.get("device"),
        text_of(record.get("note")),
        record.get("only_given", False),
        minor=record.get("minor", False),
        unless_of=record.get("unless_of"),
    )


def text_of(note: Mapping[str, str] | None) -> Text | None:
    """A hand-written note of the mapping data, braces kept as they are."""
    if note is None:
        return None
    return Text(note["en"], note["zh-cn"])
