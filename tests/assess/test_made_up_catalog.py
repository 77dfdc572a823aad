"""Which counterpart a use gets, and how sure its fix is, by what a made-up catalog says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from made_up_catalog import F, Made, as_text, candidate, found
from mindport.catalog.answer import When
from mindport.catalog.differences import SOME_CALLS, Difference
from mindport.infer.values import Certainty
from mindport.language import Text

SAME = candidate()
OTHER = candidate("mindspore.ops.f")
BEHAVES = candidate("mindspore.mint.f", "behaviour")
SUM = candidate("mindspore.mint.add", template="mindspore.mint.add(input, dim)", apis=("mindspore.mint.add",))
MEMBER = candidate("mindspore.Tensor.sum", template="input.sum(dim)")
MINT = replace(SAME, style="mint")
CONSISTENT, NAMED = (replace(SAME, category=word) for word in ("consistent", "name_differs"))
RUNS = {SAME.text: "equal"}
ADD = "x = torch.ones(3)\nx.add(1)"
STAYS = candidate("mindspore.Tensor.add")
BASE = "class A(torch.nn.Module): pass"
SEEN = Difference("measured", device="cpu", inputs=(SOME_CALLS,))
SEEN_WITH_INPUTS = Difference("measured", device="cpu", inputs=(SOME_CALLS, "bool"))
NOTE = Text("a", "b")

# fmt: off
CASES: dict[str, tuple[Made, dict[str, Any], str]] = {
    # the catalog, the use; the finding: code, severity, status, fix, proof, what it becomes, what differs
    "ran and equal": (Made((SAME,), verdicts=RUNS), {}, "MP101, hint, equivalent, safe, run, mindspore.mint.f, -"),
    "ran and equal, only possible": (Made((SAME,), verdicts=RUNS), {"certainty": Certainty.POSSIBLE}, "MP101, hint, equivalent, review, run, mindspore.mint.f, -"),
    "ran and equal, likely": (Made((SAME,), verdicts=RUNS), {"certainty": Certainty.LIKELY}, "MP101, hint, equivalent, safe, run, mindspore.mint.f, -"),
    "ran and equal, beside a class": (Made((SAME,), verdicts=RUNS), {"waits": True}, "MP101, hint, equivalent, review, run, mindspore.mint.f, -, waits"),
    "not run, beside a class": (Made((SAME,)), {"waits": True}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -, blocked"),
    "ran and equal, for another device": (Made((SAME,), verdicts=RUNS), {"device": "ascend"}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -"),
    "ran and equal, an API of mint": (Made((MINT,), verdicts=RUNS), {"device": "ascend"}, "MP101, hint, equivalent, safe, run, mindspore.mint.f, -"),
    "ran and equal, a template": (Made((SUM,), verdicts={SUM.text: "equal"}), {}, "MP103, hint, equivalent, safe, run, mindspore.mint.add(input, dim), -"),
    "ran and equal, a template for another device": (Made((SUM,), verdicts={SUM.text: "equal"}), {"device": "ascend"}, "MP103, hint, equivalent, review, none, mindspore.mint.add(input, dim), -"),
    "ran and equal, a member for another device": (Made((MEMBER,), verdicts={MEMBER.text: "equal"}), {"device": "ascend"}, "MP103, hint, equivalent, safe, run, input.sum(dim), -"),
    "not run": (Made((SAME,)), {}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -, blocked"),
    "not run, for another device": (Made((SAME,)), {"device": "ascend"}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -"),
    "not run, an API of mint": (Made((MINT,)), {}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -, blocked"),
    "not run, an API of mint for another device": (Made((MINT,)), {"device": "ascend"}, "MP101, hint, equivalent, safe, bound, mindspore.mint.f, -"),
    "not run, consistent by the table": (Made((CONSISTENT,)), {"device": "ascend"}, "MP101, hint, equivalent, safe, bound, mindspore.mint.f, -"),
    "not run, another name by the table": (Made((NAMED,)), {"device": "ascend"}, "MP101, hint, equivalent, safe, bound, mindspore.mint.f, -"),
    "not run, a template of mint": (Made((replace(SUM, style="mint"),)), {"device": "ascend"}, "MP103, hint, equivalent, review, none, mindspore.mint.add(input, dim), -"),
    "differs": (Made((SAME,), verdicts={SAME.text: "differs"}), {}, "MP204, warning, differs, review, none, mindspore.mint.f, call_differs"),
    "differs, for another device": (Made((MINT,), verdicts={SAME.text: "differs"}), {"device": "ascend"}, "MP204, warning, differs, review, none, mindspore.mint.f, call_differs"),
    "raises": (Made((SAME,), verdicts={SAME.text: "raises"}), {}, "MP204, warning, differs, review, none, mindspore.mint.f, call_raises"),
    "raises, for another device": (Made((MINT,), verdicts={SAME.text: "raises"}), {"device": "ascend"}, "MP204, warning, differs, review, none, mindspore.mint.f, call_raises"),
    "unsupported": (Made((SAME,), verdicts={SAME.text: "unsupported"}), {}, "MP205, warning, differs, review, none, mindspore.mint.f, call_not_on_device"),
    "unsupported, for another device": (Made((MINT,), verdicts={SAME.text: "unsupported"}), {"device": "ascend"}, "MP101, hint, equivalent, safe, bound, mindspore.mint.f, -"),
    "no gradient": (Made((SAME,), verdicts={SAME.text: "no_gradient"}), {}, "MP204, warning, differs, review, none, mindspore.mint.f, gradient_measured"),
    "differs, as is said already": (Made((BEHAVES,), verdicts={SAME.text: "differs"}), {}, "MP204, warning, differs, review, none, mindspore.mint.f, behaviour"),
    "differs there alone, as a person wrote": (Made((replace(MINT, explained_on=("cpu",)),), verdicts={SAME.text: "differs"}), {"device": "ascend"}, "MP101, hint, equivalent, safe, bound, mindspore.mint.f, -"),
    "differs there, as a person wrote": (Made((replace(MINT, explained_on=("cpu",)),), verdicts={SAME.text: "differs"}), {}, "MP204, warning, differs, review, none, mindspore.mint.f, call_differs"),
    "differs there alone, as a person wrote of another device": (Made((replace(MINT, explained_on=("gpu",)),), verdicts={SAME.text: "differs"}), {"device": "ascend"}, "MP204, warning, differs, review, none, mindspore.mint.f, call_differs"),
    "behaves differently": (Made((BEHAVES,)), {}, "MP204, warning, differs, review, none, mindspore.mint.f, behaviour, blocked"),
    "behaves differently but equal here": (Made((BEHAVES,), verdicts=RUNS), {}, "MP204, warning, differs, review, run, mindspore.mint.f, behaviour"),
    "other calls differed": (Made((candidate("mindspore.mint.f", SEEN),), verdicts=RUNS), {}, "MP101, hint, equivalent, safe, run, mindspore.mint.f, -"),
    "other calls differed, and some inputs": (Made((candidate("mindspore.mint.f", SEEN_WITH_INPUTS),), verdicts=RUNS), {}, "MP204, warning, differs, review, run, mindspore.mint.f, measured"),
    "other calls differed, this was not run": (Made((candidate("mindspore.mint.f", SEEN),)), {}, "MP204, warning, differs, review, none, mindspore.mint.f, measured, blocked"),
    "another one was equal": (Made((SAME, OTHER), verdicts={OTHER.text: "equal"}), {}, "MP101, hint, equivalent, safe, run, mindspore.ops.f, -"),
    "another one was equal, for another device": (Made((SAME, OTHER), verdicts={OTHER.text: "equal"}), {"device": "ascend"}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -"),
    "another one was equal, but is of another style": (Made((MINT, replace(OTHER, style="classic")), verdicts={OTHER.text: "equal"}), {"style": "mint"}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -, blocked"),
    "another one was equal, but is for other calls": (Made((SAME, replace(OTHER, when=When(("dim",)))), verdicts={OTHER.text: "equal"}), {}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -, blocked"),
    "another one was equal, and is for such calls": (Made((SAME, replace(OTHER, when=When(("dim",)))), verdicts={OTHER.text: "equal"}), {"code": F + "(x, 1)"}, "MP101, hint, equivalent, safe, run, mindspore.ops.f, -"),
    "another one was equal, but cannot be written": (Made((SAME, candidate("mindspore.Tensor.f")), verdicts={"mindspore.Tensor.f": "equal"}), {}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -, blocked"),
    "another one was equal, but behaves differently": (Made((SAME, candidate("mindspore.ops.f", "behaviour")), verdicts={OTHER.text: "equal"}), {}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -, blocked"),
    "both were equal": (Made((SAME, OTHER), verdicts={OTHER.text: "equal", **RUNS}), {}, "MP101, hint, equivalent, safe, run, mindspore.mint.f, -"),
    "the first was equal but differs": (Made((BEHAVES, OTHER), verdicts={OTHER.text: "equal", **RUNS}), {}, "MP204, warning, differs, review, run, mindspore.mint.f, behaviour"),
    "neither was run": (Made((SAME, OTHER)), {}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -, blocked"),
    "the second is for such calls": (Made((SAME, replace(OTHER, when=When(("dim",)))), verdicts={}), {"code": F + "(x, 1)"}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -, blocked"),
    "the first is for such calls": (Made((replace(OTHER, when=When(("dim",))), SAME), verdicts={}), {"code": F + "(x, 1)"}, "MP101, hint, equivalent, review, none, mindspore.ops.f, -, blocked"),
    "the first is for other calls": (Made((replace(OTHER, when=When(("dim",))), SAME), verdicts={}), {}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -, blocked"),
    "all are for other calls": (Made((replace(OTHER, when=When(("dim",))),), verdicts={}), {}, "MP101, hint, equivalent, review, none, mindspore.ops.f, -, blocked"),
    "nothing is known of the arguments": (Made((replace(OTHER, when=When(("dim",))), SAME)), {"code": F + "(*x)"}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -, blocked"),
    "an API that fits is simpler than a template": (Made((SUM, SAME)), {"device": "ascend"}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -"),
    "an API that fits is simpler than a template, run": (Made((SUM, SAME), verdicts=RUNS), {}, "MP101, hint, equivalent, safe, run, mindspore.mint.f, -"),
    "an API that fits, not run": (Made((SUM, SAME)), {}, "MP103, hint, equivalent, review, none, mindspore.mint.add(input, dim), -, blocked"),
    "an API that does not fit": (Made((SUM, BEHAVES)), {"device": "ascend"}, "MP103, hint, equivalent, review, none, mindspore.mint.add(input, dim), -"),
    "an API of another style": (Made((replace(SUM, style="mint"), replace(SAME, style="classic"))), {"device": "ascend"}, "MP103, hint, equivalent, review, none, mindspore.mint.add(input, dim), -"),
    "an API of the same style": (Made((replace(SUM, style="mint"), MINT)), {"device": "ascend"}, "MP101, hint, equivalent, safe, bound, mindspore.mint.f, -"),
    "a template that was equal": (Made((SUM, SAME), verdicts={SUM.text: "equal"}), {"device": "ascend"}, "MP103, hint, equivalent, review, none, mindspore.mint.add(input, dim), -"),
    "a template that was equal, and an API too": (Made((replace(SUM, differences=BEHAVES.differences), SAME), verdicts={SUM.text: "equal", **RUNS}), {}, "MP101, hint, equivalent, safe, run, mindspore.mint.f, -"),
    "passed on": (Made((SAME,)), {"code": F}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -, blocked"),
    "passed on, any equal": (Made((SAME,), of_any=RUNS), {"code": F}, "MP101, hint, equivalent, safe, run, mindspore.mint.f, -"),
    "passed on, some differ": (Made((SAME,), of_any={SAME.text: "differs"}), {"code": F}, "MP204, warning, differs, review, none, mindspore.mint.f, call_differs"),
    "passed on, one equal": (Made((SAME,), verdicts=RUNS), {"code": F}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -, blocked"),
    "an attribute": (Made((SAME,), torch=None, api_kind="attribute"), {"code": "torch.float32"}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -, blocked"),
    "an attribute, equal": (Made((SAME,), torch=None, api_kind="attribute", verdicts=RUNS), {"code": "torch.float32"}, "MP101, hint, equivalent, safe, run, mindspore.mint.f, -"),
    "an attribute, any equal": (Made((SAME,), torch=None, api_kind="attribute", of_any=RUNS), {"code": "torch.float32"}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -, blocked"),
    "a dtype": (Made((SAME,), torch=None, api_kind="dtype"), {"code": "torch.float32"}, "MP101, hint, equivalent, safe, bound, mindspore.mint.f, -"),
    "an annotation": (Made((SAME,), api_kind="class", mindspore_kind="class"), {"code": "x: torch.Tensor"}, "MP101, hint, equivalent, safe, bound, mindspore.mint.f, -"),
    "an annotation that differs": (Made((SAME,), api_kind="class", mindspore_kind="class", of_any={SAME.text: "differs"}), {"code": "x: torch.Tensor"}, "MP101, hint, equivalent, safe, bound, mindspore.mint.f, -"),
    "an annotation that behaves differently": (Made((BEHAVES,), api_kind="class", mindspore_kind="class"), {"code": "x: torch.Tensor"}, "MP101, hint, equivalent, safe, bound, mindspore.mint.f, -"),
    "an annotation with a class that a function stands for": (Made((SAME,), api_kind="class"), {"code": "x: torch.Tensor"}, "MP101, hint, equivalent, none, bound, mindspore.mint.f, -"),
    "an import": (Made((SAME,)), {"code": "from torch import abs"}, "-, none, equivalent, none, none, mindspore.mint.f, -"),
    "a module": (Made((SAME,), api_kind="module"), {"code": "x = " + F}, "-, none, equivalent, none, none, mindspore.mint.f, -"),
    "a function with the name of its module": (Made((SAME,), api_kind="module"), {}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -, blocked"),
    "no equivalent": (Made(status="missing"), {}, "MP301, error, missing, none, none, -, -"),
    "not known": (Made(status="unknown"), {}, "-, none, unknown, none, none, -, -"),
    "a candidate of what is not known": (Made((SAME,), status="unknown"), {}, "MP101, hint, unknown, review, none, mindspore.mint.f, -, blocked"),
    "not needed, a call": (Made(status="not_needed", answered={"removable": True}), {}, "MP102, hint, not_needed, safe, none, -, -"),
    "not needed, a call, only possible": (Made(status="not_needed", answered={"removable": True}), {"certainty": Certainty.POSSIBLE}, "MP102, hint, not_needed, review, none, -, -"),
    "not needed, a person has to look": (Made(status="not_needed"), {}, "MP102, hint, not_needed, review, none, -, -"),
    "not needed, but must stay": (Made(status="not_needed", answered={"removable": False}), {}, "MP102, hint, not_needed, none, none, -, -"),
    "not needed, an argument has an effect": (Made(status="not_needed", answered={"removable": True}), {"code": F + "(g())"}, "MP102, hint, not_needed, none, none, -, -"),
    "not needed, a reference": (Made(status="not_needed", answered={"removable": True}), {"code": F}, "MP102, hint, not_needed, safe, none, -, -"),
    "not needed, gives its receiver": (Made(status="not_needed", returned="Self"), {"code": ADD}, "MP102, hint, not_needed, safe, none, -, -"),
    "not needed, gives a Tensor": (Made(status="not_needed", returned="Tensor"), {"code": ADD}, "MP102, hint, not_needed, safe, none, -, -"),
    "not needed, gives something else": (Made(status="not_needed", returned="int"), {"code": ADD}, "MP102, hint, not_needed, review, none, -, -"),
    "not needed, a function that gives a Tensor": (Made(status="not_needed", returned="Tensor"), {}, "MP102, hint, not_needed, review, none, -, -"),
    "not needed, a bound method passed on": (Made(status="not_needed", returned="Tensor"), {"code": "x = torch.ones(3)\nx.add"}, "MP102, hint, not_needed, review, none, -, -"),
    "missing, but removable": (Made(status="missing", answered={"removable": True}), {}, "MP301, error, missing, none, none, -, -"),
    "a note": (Made(status="not_needed", answered={"note": NOTE}), {}, "MP102, hint, not_needed, review, none, -, -, reason"),
    "a reason": (Made(status="missing", answered={"reason": NOTE}), {}, "MP301, error, missing, none, none, -, -, reason"),
    "a member that stays": (Made((STAYS,), torch="other", mindspore="other", verdicts={STAYS.text: "equal"}), {"code": ADD}, "-, none, equivalent, none, none, mindspore.Tensor.add, -"),
    "a member with another name": (Made((candidate("mindspore.Tensor.plus"),), torch="other", mindspore="other", verdicts={"mindspore.Tensor.plus": "equal"}), {"code": ADD}, "MP101, hint, equivalent, safe, run, mindspore.Tensor.plus, -"),
    "a member that stays, with other arguments": (Made((candidate("mindspore.Tensor.add", "renamed other y"),), torch="other", mindspore="y", verdicts={STAYS.text: "equal"}), {"code": "x = torch.ones(3)\nx.add(other=1)"}, "MP202, hint, differs, safe, run, mindspore.Tensor.add, renamed"),
    "a member that stays, and behaves differently": (Made((candidate("mindspore.Tensor.add", "behaviour"),), torch="other", mindspore="other"), {"code": ADD}, "MP204, warning, differs, none, none, mindspore.Tensor.add, behaviour"),
    "a member of another class": (Made((candidate("mindspore.nn.Cell.add"),), torch="other", mindspore="other"), {"code": ADD}, "-, none, equivalent, none, none, mindspore.nn.Cell.add, -"),
    "a member becomes a function": (Made((OTHER,), torch="other", mindspore="input, other", verdicts={OTHER.text: "equal"}), {"code": ADD}, "MP101, hint, equivalent, safe, run, mindspore.ops.f, -"),
    "a member becomes a template": (Made((candidate("mindspore.ops.f", template="mindspore.ops.f(self, other)"),), torch="other"), {"code": ADD}, "MP103, hint, equivalent, review, none, mindspore.ops.f(self, other), -, blocked"),
    "through an alias": (Made((SAME,), verdicts=RUNS), {"code": "f = torch.some_function\nf(x)"}, "MP101, hint, equivalent, none, run, mindspore.mint.f, -"),
    "through an alias, a template": (Made((SUM,), verdicts={SUM.text: "equal"}), {"code": "f = torch.some_function\nf(x)"}, "MP103, hint, equivalent, none, run, mindspore.mint.add(input, dim), -"),
    "it means something else": (Made((candidate("mindspore.mint.f", "not_called"),)), {}, "MP204, warning, differs, none, none, mindspore.mint.f, not_called"),
    "a base class": (Made((SAME,), api_kind="class"), {"code": BASE}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -, blocked"),
    "a base class that differs": (Made((BEHAVES,), api_kind="class"), {"code": BASE}, "MP204, warning, differs, none, none, mindspore.mint.f, behaviour"),
    "a base class whose own base differs": (Made((SAME,), api_kind="class", parents={"torch.nn.Base": BEHAVES}), {"code": BASE}, "MP204, warning, differs, none, none, mindspore.mint.f, behaviour"),
    "a base class, run": (Made((SAME,), api_kind="class", of_any={SAME.text: "differs"}), {"code": BASE}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -"),
    "a base class whose methods have other names": (Made((SAME,), api_kind="class", answered={"overrides": (("forward", "construct"),)}), {"code": BASE}, "MP101, hint, equivalent, review, none, mindspore.mint.f, -"),
    "a base class whose methods have other names, through an alias": (Made((SAME,), api_kind="class", answered={"overrides": (("forward", "construct"),)}), {"code": "M = torch.nn.Module\nclass A(M): pass"}, "MP101, hint, equivalent, none, none, mindspore.mint.f, -"),
    "an operator in place": (Made((candidate("mindspore.Tensor.add", Difference("rebinds")),), torch="other"), {"code": "def f(x: torch.Tensor):\n    x += 1"}, "MP206, warning, differs, none, none, -, rebinds"),
    "an operator in place, of what is made here": (Made((candidate("mindspore.Tensor.add", Difference("rebinds")),), torch="other"), {"code": "def f():\n    x = torch.ones(3)\n    x += 1\n    return x"}, "-, none, equivalent, none, none, -, -"),
    "an operator that is in place there too": (Made((candidate("mindspore.Tensor.add", Difference("rebinds")),), torch="other", in_place=("+=",)), {"code": "def f(x: torch.Tensor):\n    x += 1"}, "-, none, equivalent, none, none, -, -"),
    "an operator that behaves differently": (Made((candidate("mindspore.Tensor.add", "behaviour"),), torch="other"), {"code": "def f(x: torch.Tensor):\n    x += 1"}, "-, none, equivalent, none, none, -, -"),
    "a scalar decides": (Made((STAYS,), torch="other"), {"code": "def f(x: torch.Tensor):\n    return x.half() - torch.tensor(1.0)"}, "MP207, warning, differs, none, none, -, promotion"),
    "a scalar decides, and it behaves differently": (Made((candidate("mindspore.Tensor.sub", "behaviour"),), torch="other"), {"code": "def f(x: torch.Tensor):\n    return x.half() - torch.tensor(1.0)"}, "MP207, warning, differs, none, none, -, promotion"),
    "a scalar decides, in a function": (Made((SAME,), torch="input, other", mindspore="input, other", verdicts=RUNS), {"code": "def f(x: torch.Tensor):\n    x = x.half()\n    y = torch.tensor(1.0)\n    torch.maximum(x, y)"}, "MP207, warning, differs, review, run, mindspore.mint.f, promotion"),
    "severity of a rule": (Made((SAME,), verdicts=RUNS), {"severity": {"MP101": "error"}}, "MP101, error, equivalent, safe, run, mindspore.mint.f, -"),
    "severity of a group": (Made((SAME,), verdicts=RUNS), {"severity": {"MP1": "warning", "MP2": "error"}}, "MP101, warning, equivalent, safe, run, mindspore.mint.f, -"),
    "severity of the nearest": (Made((SAME,), verdicts=RUNS), {"severity": {"MP101": "hint", "MP1": "warning", "MP": "error"}}, "MP101, hint, equivalent, safe, run, mindspore.mint.f, -"),
    "severity, off": (Made((SAME,), verdicts=RUNS), {"severity": {"MP1": "off"}}, "MP101, none, equivalent, safe, run, mindspore.mint.f, -"),
    "severity, off and only possible": (Made((SAME,), verdicts=RUNS), {"severity": {"MP1": "off"}, "certainty": Certainty.POSSIBLE}, "MP101, none, equivalent, review, run, mindspore.mint.f, -"),
    "severity, only possible": (Made(status="missing"), {"severity": {"MP3": "warning"}, "certainty": Certainty.POSSIBLE}, "MP301, hint, missing, none, none, -, -"),
}
# fmt: on


@pytest.mark.parametrize("name", CASES)
def test_what_is_found(name: str) -> None:
    made, options, expected = CASES[name]
    assert as_text(found(made, **options)) == expected


def test_the_message_names_the_operator_or_what_a_function_becomes() -> None:
    for name, expected in (
        ("a scalar decides", "`-`"),
        ("a scalar decides, in a function", "mindspore.mint.f"),
    ):
        made, options, _ = CASES[name]
        assert expected in found(made, **options).message("en")


def test_the_message_lists_what_else_refers_to_a_tensor() -> None:
    made = CASES["an operator in place"][0]
    finding = found(made, "def f(a: torch.Tensor, b: torch.Tensor, c):\n    y = a if c else b\n    y += 1")
    assert [one.text for one in finding.use.shared or ()] == ["a", "b"]
    english, chinese = finding.message("en"), finding.message("zh-cn")
    assert "`a`, " in english and "、" not in english
    assert "`a`" in chinese and "、" in chinese and ", " not in chinese
