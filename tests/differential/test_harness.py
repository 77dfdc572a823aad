"""The harness with the real frameworks: wrong correspondences are caught, right ones are not."""

from __future__ import annotations

import pytest
from mindport.catalog.answer import Candidate
from mindport.catalog.catalog import Catalog
from mindport.catalog.target import Target
from mindport.verify.evidence import record_of
from mindport.verify.pool import TrialWorker
from mindport.verify.run import Verified, Verifier
from mindport.verify.table import InputTable
from mindport.verify.trial import TrialConversion, TrialConverter

Workers = tuple[TrialWorker, TrialWorker]


def test_what_a_file_runs_once_stays_in_one_process(request: pytest.FixtureRequest) -> None:
    is_grouped = request.config.getoption("loadgroup", False)  # what pytest-xdist sets in its processes
    assert request.node.nodeid.endswith("@test_harness.py") == is_grouped


class Wrong(TrialConverter):
    """Converts by replacing one text, whatever the data say."""

    def __init__(self, catalog: Catalog, replaced: str, by: str) -> None:
        super().__init__(catalog, "2.10", "cpu")
        self._replaced = replaced
        self._by = by

    def candidates(self, api: str) -> list[Candidate]:
        return super().candidates(api)[:1]

    def convert(self, api: str, candidate: Candidate, source: str) -> TrialConversion:
        text = source.replace(self._replaced, self._by).replace(": torch.Tensor", "")
        return TrialConversion(
            text.replace("import torch", "import mindspore").replace("torch.", "mindspore.")
        )


WRONG = {
    "value": ("torch.log", "torch.log", "mindspore.ops.exp", "value"),
    "shape": ("torch.t", "torch.t", "mindspore.ops.flatten", "shape"),
    "dtype": ("torch.argmax", "return torch.argmax", "return 1.0 * mindspore.ops.argmax", "dtype"),
    "distribution": ("torch.rand", "torch.rand", "mindspore.ops.randn", "distribution"),
}


@pytest.mark.parametrize("aspect", WRONG)
def test_a_wrong_correspondence_is_caught(workers: Workers, catalog: Catalog, aspect: str) -> None:
    name, replaced, by, expected = WRONG[aspect]
    assert expected in aspects(verified(workers, Wrong(catalog, replaced, by), name))


def test_a_wrong_structure_is_caught(workers: Workers, catalog: Catalog) -> None:
    converter = Wrong(catalog, "return torch.abs(", "return tuple([0, 1]) or (")
    assert aspects(verified(workers, converter, "torch.abs")) == {"structure"}


def test_a_wrong_gradient_is_caught(workers: Workers, catalog: Catalog) -> None:
    """The values are right, but nothing flows back."""
    converter = Wrong(catalog, "torch.sin(", "mindspore.ops.sin(mindspore.ops.stop_gradient(")
    text = converter.convert
    converter.convert = lambda api, candidate, source: TrialConversion(  # type: ignore[method-assign]
        (text(api, candidate, source).source or "").rstrip() + ")\n"
    )
    found = verified(workers, converter, "torch.sin")
    assert aspects(found) == {"gradient"}


def test_a_gradient_that_parameters_alone_lose_is_caught(workers: Workers, catalog: Catalog) -> None:
    """`Parameter.copy` makes a new Parameter; `Tensor.copy` passes the gradient on."""
    found = verified(workers, Wrong(catalog, "x0.clone()", "x0.copy()"), "torch.Tensor.clone")
    assert aspects(found) == {"gradient"}
    assert all("of a Parameter" in o.detail for o in found.outcomes if o.kind == "differs")


@pytest.mark.parametrize("name", ["torch.clone", "torch.Tensor.clone", "torch.alias_copy"])
def test_a_copied_parameter_has_the_gradient(workers: Workers, catalog: Catalog, name: str) -> None:
    """The correspondence that is preferred on CPU, with a Parameter and with a Tensor."""
    verifier = Verifier(TrialConverter(catalog, "2.10", "cpu"), InputTable.of(catalog), *workers)
    target = Target("2.10", "cpu")
    best = catalog.answer(name, target).candidates[0]
    found = next(v for v in verifier.verify(name) if v.target == best.text)
    assert {o.kind for o in found.outcomes} == {"equal"}
    assert any(o.has_gradient for o in found.outcomes)


def test_a_wrong_default_is_caught(workers: Workers, catalog: Catalog) -> None:
    """`ddof` is 0 where torch's `correction` is 1: wrong only where it is left out."""
    found = verified(
        workers, Wrong(catalog, "torch.nn.LeakyReLU", "mindspore.nn.LeakyReLU"), "torch.nn.LeakyReLU"
    )
    wrong = [o for o in found.outcomes if o.kind == "differs"]
    assert wrong
    assert all("omitted" in o.case.shapes for o in wrong)
    assert "equal" in {o.kind for o in found.outcomes}


def test_a_wrong_initial_distribution_is_caught(workers: Workers, catalog: Catalog) -> None:
    found = verified(
        workers, Wrong(catalog, "torch.nn.Embedding", "mindspore.nn.Embedding"), "torch.nn.Embedding"
    )
    fresh = [o for o in found.outcomes if o.case.inputs == "initial"]
    assert [o.aspect for o in fresh] == ["distribution"]


def test_an_optimizer_that_does_nothing_is_caught(workers: Workers, catalog: Catalog) -> None:
    converter = Wrong(catalog, "torch.optim.SGD", "mindspore.mint.optim.SGD")
    assert "value" in aspects(verified(workers, converter, "torch.optim.SGD"))


@pytest.mark.parametrize(
    "name",
    ["torch.abs", "torch.matmul", "torch.Tensor.view", "torch.nn.Linear", "torch.nn.functional.linear"],
)
def test_a_right_correspondence_is_equal(workers: Workers, catalog: Catalog, name: str) -> None:
    verifier = Verifier(TrialConverter(catalog, "2.10", "cpu"), InputTable.of(catalog), *workers)
    records = [
        record for found in verifier.verify(name) if (record := record_of(found, Catalog.load())) is not None
    ]
    assert "equal" in {record["result"] for record in records}


def verified(workers: Workers, converter: TrialConverter, name: str) -> Verified:
    return Verifier(converter, InputTable.of(converter.catalog), *workers).verify(name)[0]


def aspects(found: Verified) -> set[str]:
    return {str(o.aspect) for o in found.outcomes if o.kind == "differs"}
