"""Names of TensorFlow: found, explained, and each with an API that MindSpore has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mindport.catalog.catalog import Catalog
from mindport.catalog.explain import explain
from mindport.catalog.target import Target

NAMES = json.loads(
    (Path(__file__).parents[2] / "mapping_data" / "frameworks" / "tensorflow.json").read_text("utf-8")
)["names"]


def test_each_target_is_there(catalog: Catalog) -> None:
    assert len(NAMES) > 200
    for one in NAMES:
        assert one["targets"] and one["versions"], one
        for target in one["targets"]:
            assert catalog.mindspore_api(target) is not None, one


@pytest.mark.parametrize("name", ["tf.nn.conv2d", "tensorflow.nn.conv2d", "tf.nn.Conv2D"])
def test_a_name_is_found(catalog: Catalog, name: str) -> None:
    best = catalog.search(name)[0]
    assert (best.name, best.counterparts, best.score) == ("tf.nn.conv2d", ("mindspore.nn.Conv2d",), 1.0)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("tf.matmul", "tf.linalg.matmul"),
        ("tf.nn.conf2d", "tf.nn.conv2d"),
        ("tf.keras.layers.lstm", "tf.keras.layers.LSTM"),
    ],
)
def test_a_name_like_it_is_found(catalog: Catalog, query: str, name: str) -> None:
    assert catalog.search(query)[0].name == name


def test_other_names_are_torch_s(catalog: Catalog) -> None:
    assert catalog.search("tf.nothing_like_it", 5) == []
    assert all(not one.name.startswith("tf") for one in catalog.search("conv2d"))


def test_a_page(catalog: Catalog) -> None:
    page = explain(catalog, "tf.nn.conv2d", Target(), "en")
    assert page.startswith("### `tf.nn.conv2d` → `mindspore.nn.Conv2d`")
    assert "TensorFlow 1.15, 2.6" in page
    assert "there are differences" in page
    assert "has_bias=False" in page
    assert "存在差异" in explain(catalog, "tf.nn.conv2d", Target(), "zh-cn")
