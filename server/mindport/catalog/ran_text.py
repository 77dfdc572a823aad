"""The sentence that says what was run: shown by hover and `mindport explain`."""

from __future__ import annotations

from mindport.catalog.answer import Candidate, Evidence
from mindport.catalog.differences import kinds_of_inputs
from mindport.language import Language, Text

DEVICES = {"ascend": "Ascend", "gpu": "GPU", "cpu": "CPU"}
_NEVER_RUN = Text("never run against PyTorch", "尚未与 PyTorch 对比运行")
_API_ALONE = Text("; the conversion itself was not run", "；转换本身尚未运行验证")
_RAN = Text("ran on {device} ({calls} calls)", "已在 {device} 运行（{calls} 次）")
_RESULTS = {
    "equal": Text(
        "ran on {device}, results equal ({calls} calls)", "已在 {device} 运行，结果一致（{calls} 次）"
    ),
    "partly": Text(
        "ran on {device} with equal results, but not for every input ({calls} calls)",
        "已在 {device} 运行且结果一致，但部分输入不支持（{calls} 次）",
    ),
    "differs": Text(
        "ran on {device} with the same arguments, results differed ({calls} calls)",
        "已在 {device} 以相同参数运行，结果不同（{calls} 次）",
    ),
    "dtype_differs": Text(
        "ran on {device}, the dtype of the result differed ({calls} calls)",
        "已在 {device} 运行，结果 dtype 不同（{calls} 次）",
    ),
    "runs": _RAN,
    "unsupported": Text(
        "has no kernel on {device}: tried {calls} times", "在 {device} 上没有算子实现：已试 {calls} 次"
    ),
    "fails": Text("failed on {device} ({calls} calls)", "在 {device} 上运行失败（{calls} 次）"),
}
"""What is said of a candidate that a person has run."""
_OF_API = {
    **_RESULTS,
    "equal": _RAN,
    "partly": Text(
        "ran on {device}, but not for every input ({calls} calls)",
        "已在 {device} 运行，但部分输入不支持（{calls} 次）",
    ),
}
"""What is said of a MindSpore API that was tried by itself, for whatever torch API."""
_VERIFIED = Text(
    "verified on {device} (MindSpore {version}): {calls} calls",
    "已在 {device}、MindSpore {version} 上验证：{calls} 次调用",
)
_DIFFERED = Text(
    "ran on {device} (MindSpore {version}): {calls} calls, not all equal",
    "已在 {device}、MindSpore {version} 上运行：{calls} 次调用，结果不全一致",
)
_NO_KERNEL = Text(
    "no kernel on {device} in MindSpore {version} ({calls} calls tried)",
    "MindSpore {version} 在 {device} 上没有算子实现（已试 {calls} 次调用）",
)
_FAILED = Text(
    "fails on {device} in MindSpore {version} ({calls} calls tried)",
    "MindSpore {version} 在 {device} 上运行失败（已试 {calls} 次调用）",
)
_BOUND = Text(
    "signature check only ({calls} calls, MindSpore {version}); never run: no {device} kernel, "
    "{here} not available",
    "仅核对签名（{calls} 次调用，MindSpore {version}）；未运行：{device} 上没有算子实现，且没有 {here} 可用",
)
_OF_CALLS = {"equal": _VERIFIED, "partly": _VERIFIED, "unsupported": _NO_KERNEL, "fails": _FAILED}
_GAP = Text(", largest difference {gap:.1e}", "，最大误差 {gap:.1e}")
_GRADIENT = Text(", gradients included", "，梯度一致")
_REFUSED = Text("; raises an error for: {inputs}", "；以下输入会报错：{inputs}")
_NOT_HERE = Text("; not run on {here}", "；未在 {here} 上运行")


def ran_text(candidate: Candidate, device: str, language: Language) -> str:
    """What was run, for a target on `device`, or that nothing was."""
    own, elsewhere = candidate.evidence, candidate.elsewhere
    if own is not None:
        return _own(own, language) + (_API_ALONE.render(language) if own.of_api else "")
    if elsewhere is None or elsewhere.of_api:
        return _NEVER_RUN.render(language)
    here = DEVICES[device]
    if elsewhere.of_calls and elsewhere.result == "unsupported":
        return _BOUND.render(language, here=here, **_values(elsewhere))
    return _own(elsewhere, language) + _NOT_HERE.render(language, here=here)


def _own(evidence: Evidence, language: Language) -> str:
    if not evidence.of_calls:
        device = f"{DEVICES[evidence.device]} (MindSpore {evidence.version})"
        results = _OF_API if evidence.of_api else _RESULTS
        ran = results[evidence.result].render(language, device=device, calls=evidence.calls)
        return ran + _gap(evidence, language)
    text = _OF_CALLS.get(evidence.result, _DIFFERED).render(language, **_values(evidence))
    if evidence.result in ("equal", "partly"):
        text += _gap(evidence, language) + (_GRADIENT.render(language) if evidence.gradient else "")
        if evidence.refused:
            text += _REFUSED.render(language, inputs=kinds_of_inputs(evidence.refused, language))
    return text


def _values(evidence: Evidence) -> dict[str, object]:
    return {"device": DEVICES[evidence.device], "version": evidence.version, "calls": evidence.calls}


def _gap(evidence: Evidence, language: Language) -> str:
    gap = evidence.largest_difference
    return _GAP.render(language, gap=gap) if gap else ""
