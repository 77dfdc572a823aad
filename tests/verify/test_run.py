"""The harness with fake frameworks: a wrong correspondence is caught, whatever is wrong with it."""

from __future__ import annotations

import ast
from collections import Counter

import pytest
from faking import FakeRunner, always, fails, tensor
from mindport.catalog.catalog import Catalog
from mindport.verify.evidence import record_of
from mindport.verify.outcome import Outcome
from mindport.verify.run import Verified, Verifier
from mindport.verify.table import InputTable
from mindport.verify.trial import TrialConverter

RIGHT = tensor(1.0, 2.0)
GRADIENT = {"kind": "sequence", "parts": [tensor(0.5, 0.5)]}
WRONG = {
    "value": tensor(1.0, 2.5),
    "shape": tensor(1.0, 2.0, shape=[1, 2]),
    "dtype": tensor(1.0, 2.0, dtype="float64"),
    "structure": {"kind": "sequence", "parts": [tensor(1.0, 2.0)]},
}


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog.load()


def verified(catalog: Catalog, name: str, torch: FakeRunner, mindspore: FakeRunner) -> Verified:
    """What comes of the first candidate that is converted at all."""
    table = InputTable.of(catalog)
    verifier = Verifier(TrialConverter(catalog, "2.10", "cpu"), table, torch, mindspore)
    return next(v for v in verifier.verify(name) if any(o.kind != "not_converted" for o in v.outcomes))


def counted(outcomes: tuple[Outcome, ...]) -> Counter[str]:
    return Counter(outcome.kind for outcome in outcomes)


def test_what_is_equal_is_evidence(catalog: Catalog) -> None:
    mindspore = always(RIGHT, GRADIENT)
    found = verified(catalog, "torch.abs", always(RIGHT, GRADIENT), mindspore)
    record = record_of(found, catalog)
    assert set(counted(found.outcomes)) == {"equal"}
    assert record is not None
    assert record["result"] == "equal"
    assert record["gradient"] is True
    assert record["shapes"] == ["keyword", "omitted", "positional", "shuffled"]
    assert record["calls"] == len(found.outcomes)


def test_mindspore_gets_the_converted_snippet(catalog: Catalog) -> None:
    torch, mindspore = always(RIGHT), always(RIGHT)
    verified(catalog, "torch.abs", torch, mindspore)
    assert all("import torch\n" in source for source in torch.sources)
    assert mindspore.sources
    for source in mindspore.sources:
        ast.parse(source)
        assert "torch" not in source


@pytest.mark.parametrize("aspect", WRONG)
def test_a_wrong_correspondence_is_caught(catalog: Catalog, aspect: str) -> None:
    found = verified(catalog, "torch.abs", always(RIGHT), always(WRONG[aspect]))
    record = record_of(found, catalog)
    assert set(counted(found.outcomes)) == {"differs"}
    assert record is not None
    assert record["result"] == ("dtype_differs" if aspect == "dtype" else "differs")
    assert record["aspects"] == [aspect]


def test_a_wrong_gradient_is_caught(catalog: Catalog) -> None:
    other = {"kind": "sequence", "parts": [tensor(0.5, 0.7)]}
    found = verified(catalog, "torch.abs", always(RIGHT, GRADIENT), always(RIGHT, other))
    assert {o.aspect for o in found.outcomes if o.kind == "differs"} == {"gradient"}


def test_a_gradient_that_ends_in_an_error_is_told(catalog: Catalog) -> None:
    none = {"kind": "none", "why": "no bprop"}
    record = record_of(verified(catalog, "torch.abs", always(RIGHT, GRADIENT), always(RIGHT, none)), catalog)
    assert record is not None
    assert record["result"] == "partly"
    assert record["refused"] == ["gradient"]


def test_a_wrong_default_is_caught(catalog: Catalog) -> None:
    """What differs only where the argument is left out."""

    def answer(source: str) -> dict[str, object]:
        call = source.rpartition("return ")[2]
        is_left_out = "," not in call and "(x0)" in call
        return {"value": tensor(9.0, 9.0) if is_left_out else RIGHT}

    found = verified(catalog, "torch.argmax", always(RIGHT), FakeRunner(answer))
    wrong = [o for o in found.outcomes if o.kind == "differs"]
    assert wrong
    assert all("omitted" in o.case.shapes for o in wrong)
    assert {o.aspect for o in wrong} <= {"default", "value"}


def test_a_wrong_distribution_is_caught(catalog: Catalog) -> None:
    ours = tensor(*(n / 1000 for n in range(1000)))
    theirs = tensor(*(n / 2000 for n in range(1000)))
    found = verified(catalog, "torch.rand", always(ours), always(theirs))
    assert {o.aspect for o in found.outcomes if o.kind == "differs"} == {"distribution"}


def test_random_numbers_need_not_be_the_same(catalog: Catalog) -> None:
    ours = tensor(*(n / 1000 for n in range(1000)))
    theirs = tensor(*((n + 0.5) / 1000 for n in range(1000)))
    found = verified(catalog, "torch.rand", always(ours), always(theirs))
    assert "equal" in counted(found.outcomes)
    assert "differs" not in counted(found.outcomes)


def test_no_kernel_is_no_disagreement(catalog: Catalog) -> None:
    found = verified(
        catalog, "torch.abs", always(RIGHT), fails("RuntimeError", "The kernel AbsExt unregistered.")
    )
    record = record_of(found, catalog)
    assert record is not None
    assert record["result"] == "unsupported"
    assert "largest_difference" not in record


def test_a_crash_is_a_failure(catalog: Catalog) -> None:
    found = verified(catalog, "torch.abs", always(RIGHT), fails("Crash", "the process died (code -11)"))
    record = record_of(found, catalog)
    assert record is not None
    assert record["result"] == "fails"
    assert "died" in record["detail"]


def test_inputs_that_are_refused_are_told(catalog: Catalog) -> None:
    def answer(source: str) -> dict[str, object]:
        if len(refused.sources) > 5:
            return {"error": "TypeError", "message": "Unsupported data type!"}
        return {"value": RIGHT}

    refused = FakeRunner(answer)
    record = record_of(verified(catalog, "torch.abs", always(RIGHT), refused), catalog)
    assert record is not None
    assert record["result"] == "partly"
    assert record["refused"]


def test_what_torch_refuses_says_nothing(catalog: Catalog) -> None:
    mindspore = always(RIGHT)
    table = InputTable.of(catalog)
    torch = fails("TypeError", "no")
    verifier = Verifier(TrialConverter(catalog, "2.10", "cpu"), table, torch, mindspore)
    assert all(record_of(v, catalog) is None for v in verifier.verify("torch.abs"))
    assert not mindspore.sources


def test_an_api_without_counterpart(catalog: Catalog) -> None:
    verifier = Verifier(
        TrialConverter(catalog, "2.10", "cpu"), InputTable.of(catalog), always(RIGHT), always(RIGHT)
    )
    assert verifier.verify("torch.hub.load") == []
    assert verifier.verify("torch.no_such_thing") == []
