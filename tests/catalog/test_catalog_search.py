"""Search: directions, words, typing errors, ranking."""

from __future__ import annotations

import pytest
from mindport.catalog.catalog import Catalog


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("torch.nn.Conv2d", "torch.nn.Conv2d"),
        ("conv2d", "torch.nn.Conv2d"),
        ("batch norm", "torch.nn.functional.batch_norm"),
        ("mindspore.ops.cat", "mindspore.ops.cat"),
        ("Dense", "mindspore.nn.Dense"),
        ("convd2d", "torch.nn.Conv2d"),
        ("softmx", "torch.nn.Softmax"),
        ("linaer", "torch.nn.Linear"),
        ("functional.rel", "torch.nn.functional.relu"),
    ],
)
def test_found_among_the_first(catalog: Catalog, query: str, expected: str) -> None:
    assert expected in [r.name for r in catalog.search(query, 5)]


def test_an_exact_name_comes_first(catalog: Catalog) -> None:
    first = catalog.search("torch.sum")[0]
    assert first.name == "torch.sum"
    assert first.score == 1.0
    assert "mindspore.mint.sum" in first.counterparts


def test_back_from_mindspore(catalog: Catalog) -> None:
    assert "torch.nn.Linear" in catalog.search("mindspore.nn.Dense")[0].counterparts


def test_nothing_and_nonsense(catalog: Catalog) -> None:
    assert catalog.search("") == []
    assert catalog.search("   ") == []
    assert catalog.search("conv", 0) == []
    assert catalog.search("zzzzqqqq") == []


def test_scores_fall(catalog: Catalog) -> None:
    scores = [r.score for r in catalog.search("norm", 20)]
    assert len(scores) == 20
    assert scores == sorted(scores, reverse=True)
