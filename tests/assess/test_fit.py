"""How a candidate fits a call: which differences matter there, and whether the arguments can stay."""

from __future__ import annotations

import pytest
from findings import found_in
from mindport.assess.fit import Fit, fit
from mindport.catalog.answer import Candidate
from mindport.catalog.api import Api, Parameter, Signature
from mindport.catalog.differences import Difference
from mindport.resolve.use import Use

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


def fitted(call: str, differences: tuple[Difference, ...], mindspore: Signature | None) -> Fit:
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

CASES = {
    "the same": ("(x, 1)", (), SAME, [], True),
    "renamed, by position": ("(x, 1)", (RENAMED,), WITH_AXIS, [], True),
    "renamed, by keyword": ("(x, dim=1)", (RENAMED,), WITH_AXIS, ["renamed"], False),
    "renamed, left out": ("(x)", (RENAMED,), WITH_AXIS, [], True),
    "default differs, left out": ("(x)", (DEFAULT,), SAME, ["default"], True),
    "default differs, given": ("(x, 1)", (DEFAULT,), SAME, [], True),
    "required, left out": ("(x)", (REQUIRED,), SAME, ["required"], True),
    "missing, left out": ("(x)", (MISSING,), SAME, [], True),
    "missing, given": ("(x, out=y)", (MISSING,), SAME, ["missing"], False),
    "missing, given harmlessly": ("(x, out=None)", (MISSING,), SAME, [], False),
    "another order": ("(x, 1)", (Difference("order"),), SWAPPED, ["order"], False),
    "another order, by keyword": ("(input=x, dim=1)", (Difference("order"),), SWAPPED, [], True),
    "only by keyword": (
        "(x, 1)",
        (Difference("keyword_only", "dim", "dim"),),
        KEYWORD_ONLY,
        ["keyword_only"],
        False,
    ),
    "behaviour of a parameter, left out": ("(x)", (OF_DIM,), SAME, [], True),
    "behaviour of a parameter, given": ("(x, 1)", (OF_DIM,), SAME, ["behaviour"], True),
    "behaviour": ("(x)", (BEHAVIOUR,), SAME, ["behaviour"], True),
    "unknown signature": ("(x)", (), None, [], False),
}


@pytest.mark.parametrize(("call", "differences", "signature", "codes", "stay"), CASES.values(), ids=CASES)
def test_fit(
    call: str, differences: tuple[Difference, ...], signature: Signature | None, codes: list[str], stay: bool
) -> None:
    result = fitted(call, differences, signature)
    assert [difference.code for difference in result.differences] == codes
    assert result.arguments_stay is stay
    assert result.bound


@pytest.mark.parametrize("call", ["(*x)", "(x, **y)", "()", "(x, 1, 2)", "(x, nothing=1)"])
def test_calls_that_cannot_be_bound(call: str) -> None:
    result = fitted(call, (RENAMED, MISSING), WITH_AXIS)
    assert not result.bound
    assert [difference.code for difference in result.differences] == ["renamed", "missing"]
