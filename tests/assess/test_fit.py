"""How a candidate fits a call: which differences matter there, and how the arguments reach it."""

from __future__ import annotations

import pytest
from findings import found_in
from mindport.assess.call_matching import CallMatch, fit
from mindport.assess.rewrite_plan import CallPlan
from mindport.catalog.answer import Candidate
from mindport.catalog.api import Api, Parameter, Signature
from mindport.catalog.differences import Difference
from mindport.uses.use import Use

TORCH = Signature(
    (Parameter("input"), Parameter("dim", default="0"), Parameter("out", "keyword", default="None"))
)
RENAMED = Difference("renamed", "dim", "axis")
DEFAULT = Difference("default", "dim", "dim", "0", "1")
MISSING = Difference("missing", "out", harmless_values=("None",))
REQUIRED = Difference("required", "dim", "dim", "0")
BEHAVIOUR = Difference("behaviour")
OF_DIM = Difference("behaviour", "dim", only_given=True)


def use_of(call: str) -> Use:
    """The use of `torch.f` in a call."""
    _, found = found_in(f"import torch\ntorch.some_function{call}\n")
    return found.findings[-1].finding.use


def fitted(call: str, differences: tuple[Difference, ...], mindspore: Signature | None) -> CallMatch:
    candidate = Candidate(
        target="mindspore.f",
        style="classic",
        since="2.0",
        until=None,
        source="official",
        category=None,
        compared=True,
        differences=differences,
        platforms=(),
        evidence=None,
        runs=None,
    )
    signatures = () if mindspore is None else (mindspore,)
    torch = Api("torch.f", "function", (TORCH,), None, (), False, (), None)
    other = Api("mindspore.f", "function", signatures, None, (), False, (), None)
    return fit(use_of(call), candidate, torch, other)


SAME = Signature((Parameter("input"), Parameter("dim", default="0")))
WITH_AXIS = Signature((Parameter("input"), Parameter("axis", default="0")))
SWAPPED = Signature((Parameter("dim", default="0"), Parameter("input")))
KEYWORD_ONLY = Signature((Parameter("input"), Parameter("dim", "keyword", default="0")))

ORDER = Difference("order")
BY_KEYWORD = Difference("keyword_only", "dim", "dim")
STAYS, LOST = "stays", None
CASES: dict[str, tuple[str, tuple[Difference, ...], Signature | None, list[str], list[str], str | None]] = {
    # call, differences, the counterpart's signature: what matters, what matters after the rewrite, the rewrite
    "the same": ("(x, 1)", (), SAME, [], [], STAYS),
    "renamed, by position": ("(x, 1)", (RENAMED,), WITH_AXIS, [], [], STAYS),
    "renamed, by keyword": ("(x, dim=1)", (RENAMED,), WITH_AXIS, ["renamed"], [], "0, axis=1"),
    "renamed, left out": ("(x)", (RENAMED,), WITH_AXIS, [], [], STAYS),
    "default differs, left out": ("(x)", (DEFAULT,), SAME, ["default"], [], "0, dim: 0"),
    "default differs, given": ("(x, 1)", (DEFAULT,), SAME, [], [], STAYS),
    "required, left out": ("(x)", (REQUIRED,), SAME, ["required"], [], "0, dim: 0"),
    "missing, left out": ("(x)", (MISSING,), SAME, [], [], STAYS),
    "missing, given": ("(x, out=y)", (MISSING,), SAME, ["missing"], ["missing"], LOST),
    "missing, given harmlessly": ("(x, out=None)", (MISSING,), SAME, [], [], "0"),
    "another order": ("(x, 1)", (ORDER,), SWAPPED, ["order"], [], "input=0, dim=1"),
    "another order, by keyword": ("(input=x, dim=1)", (ORDER,), SWAPPED, [], [], STAYS),
    "only by keyword": ("(x, 1)", (BY_KEYWORD,), KEYWORD_ONLY, ["keyword_only"], [], "0, dim=1"),
    "behaviour of a parameter, left out": ("(x)", (OF_DIM,), SAME, [], [], STAYS),
    "behaviour of a parameter, given": ("(x, 1)", (OF_DIM,), SAME, ["behaviour"], ["behaviour"], STAYS),
    "behaviour": ("(x)", (BEHAVIOUR,), SAME, ["behaviour"], ["behaviour"], STAYS),
    "unknown signature": ("(x)", (), None, [], [], LOST),
}


def described(plan: CallPlan) -> str:
    """The arguments of a plan: their indices, with the keyword they get, and what is added."""
    if plan.keeps_arguments:
        return STAYS
    placed = [f"{one.keyword}={one.index}" if one.keyword else str(one.index) for one in plan.placed]
    return ", ".join([*placed, *(f"{name}: {value}" for name, value in plan.added)])


@pytest.mark.parametrize("name", CASES)
def test_fit(name: str) -> None:
    call, differences, signature, codes, unresolved, rewrite = CASES[name]
    result = fitted(call, differences, signature)
    assert [difference.code for difference in result.differences] == codes
    assert [difference.code for difference in result.unresolved] == unresolved
    assert result.rewritable is (rewrite is not LOST)
    assert result.bound
    if rewrite is not LOST:
        assert isinstance(result.plan, CallPlan)
        assert described(result.plan) == rewrite


@pytest.mark.parametrize("call", ["(*x)", "(x, **y)", "()", "(x, 1, 2)", "(x, nothing=1)"])
def test_calls_that_cannot_be_bound(call: str) -> None:
    result = fitted(call, (RENAMED, MISSING), WITH_AXIS)
    assert not result.bound
    assert [difference.code for difference in result.differences] == ["renamed", "missing"]
