"""Comparing results: each kind of wrongness is noticed, and what is right is not called wrong."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from mindport.verify.compare import Way, compare


def tensor(numbers: list[Any], dtype: str = "float32", shape: list[int] | None = None) -> dict[str, Any]:
    return {"kind": "tensor", "dtype": dtype, "shape": shape or [len(numbers)], "numbers": numbers}


def sample(mean: float, deviation: float, size: int = 2000, seed: int = 1) -> dict[str, Any]:
    source = random.Random(seed)
    return tensor([source.gauss(mean, deviation) for _ in range(size)])


def sequence(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "sequence", "parts": list(parts)}


WRONG = {
    "value": (tensor([1.0, 2.0]), tensor([1.0, 2.1]), "value"),
    "NaN is not a number": (tensor([math.nan]), tensor([0.0]), "value"),
    "infinity of the other sign": (tensor([math.inf]), tensor([-math.inf]), "value"),
    "integers are not rounded": (tensor([100000], "int64"), tensor([100001], "int64"), "value"),
    "shape": (tensor([1.0, 2.0], shape=[2]), tensor([1.0, 2.0], shape=[1, 2]), "shape"),
    "dtype": (tensor([1], "int64"), tensor([1], "int32"), "dtype"),
    "structure: a tensor in a tuple": (tensor([1.0]), sequence(tensor([1.0])), "structure"),
    "structure: a number, no tensor": (tensor([1.0]), {"kind": "float", "value": 1.0}, "structure"),
    "structure: fewer values": (sequence(tensor([1.0]), tensor([2.0])), sequence(tensor([1.0])), "structure"),
    "structure: other names": (
        {"kind": "mapping", "parts": {"weight": tensor([1.0])}},
        {"kind": "mapping", "parts": {"gamma": tensor([1.0])}},
        "structure",
    ),
    "inside a tuple": (
        sequence(tensor([1.0]), tensor([2.0])),
        sequence(tensor([1.0]), tensor([3.0])),
        "value",
    ),
    "scalar": ({"kind": "int", "value": 3}, {"kind": "int", "value": 4}, "value"),
    "imaginary part": (
        {**tensor([1.0], "complex64"), "imaginary": [1.0]},
        {**tensor([1.0], "complex64"), "imaginary": [-1.0]},
        "value",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_differs_is_noticed(name: str) -> None:
    ours, theirs, aspect = WRONG[name]
    assert compare(ours, theirs).aspect == aspect
    assert compare(ours, ours).aspect is None
    assert compare(theirs, theirs).aspect is None


def test_rounding_is_no_difference() -> None:
    verdict = compare(tensor([1.0, 0.5]), tensor([1.0, 0.50001]))
    assert verdict.aspect is None
    assert verdict.largest == pytest.approx(1e-5)


def test_the_difference_of_large_numbers_is_told_in_relation_to_them() -> None:
    verdict = compare(tensor([1e20, 0.0]), tensor([1.00001e20, 0.0]))
    assert verdict.aspect is None
    assert verdict.largest == pytest.approx(1e-5)


def test_the_coarser_dtype_decides_how_exact() -> None:
    ours, theirs = [1.0], [1.005]
    assert compare(tensor(ours, "float16"), tensor(theirs, "float16")).aspect is None
    assert compare(tensor(ours, "float64"), tensor(theirs, "float64")).aspect == "value"


def test_another_distribution_is_noticed() -> None:
    way = Way(is_random=True)
    assert compare(sample(0, 1), sample(0, 1, seed=2), way).aspect is None
    assert compare(sample(0, 1), sample(0.3, 1, seed=2), way).aspect == "distribution"
    assert compare(sample(0, 1), sample(0, 1.5, seed=2), way).aspect == "distribution"
    assert compare(sample(0, 1), tensor([0.0] * 2000), way).aspect == "distribution"


def test_random_numbers_must_have_the_shape_and_dtype() -> None:
    way = Way(is_random=True)
    ours = sample(0, 1)
    assert compare(ours, {**ours, "shape": [40, 50]}, way).aspect == "shape"
    assert compare(ours, {**ours, "dtype": "float64"}, way).aspect == "dtype"


def test_a_few_random_numbers_say_nothing() -> None:
    assert compare(tensor([1.0]), tensor([5.0]), Way(is_random=True)).aspect is None


def test_signs_may_be_arbitrary() -> None:
    ours, theirs = tensor([1.0, -2.0]), tensor([-1.0, 2.0])
    assert compare(ours, theirs).aspect == "value"
    assert compare(ours, theirs, Way(magnitude=True)).aspect is None


def test_of_several_differences_the_gravest_is_told() -> None:
    ours = sequence(tensor([1.0]), tensor([1.0], shape=[1]), tensor([1]))
    theirs = sequence(tensor([2.0]), tensor([1.0], shape=[1, 1]), {"kind": "none"})
    assert compare(ours, theirs).aspect == "structure"


def test_of_the_state_of_a_layer_what_both_have_is_compared() -> None:
    ours = {"kind": "state", "parts": {"weight": tensor([1.0]), "running_mean": tensor([0.5])}}
    assert compare(ours, {"kind": "state", "parts": {"weight": tensor([1.0])}}).aspect is None
    assert compare(ours, {"kind": "state", "parts": {"weight": tensor([2.0])}}).aspect == "value"


def test_a_number_that_is_not_one_equals_itself() -> None:
    assert compare({"kind": "float", "value": math.nan}, {"kind": "float", "value": math.nan}).aspect is None
    assert compare({"kind": "float", "value": math.nan}, {"kind": "float", "value": 1.0}).aspect == "value"
