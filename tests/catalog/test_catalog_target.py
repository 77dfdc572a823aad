"""Targets: what is accepted, and what an error says."""

from __future__ import annotations

import pytest
from mindport.catalog.target import Target, parse_device, parse_style, parse_version


@pytest.mark.parametrize("text", ["2.10", "2.10.0", " 2.10 ", "r2.10.0"])
def test_versions_that_are_accepted(text: str) -> None:
    assert parse_version(text) == "2.10"
    assert Target(version=text).version == "2.10"


def test_a_version_is_not_a_decimal_number() -> None:
    assert parse_version("2.1") == "2.1"
    assert Target("2.10").supports("2.9", None)
    assert not Target("2.1").supports("2.9", None)
    assert not Target("2.10").supports("2.0", "2.9")


@pytest.mark.parametrize("text", ["3.0", "2", "", "latest", "2.10rc1", "1.10"])
def test_unknown_version(text: str) -> None:
    with pytest.raises(ValueError, match=r"version .*accepted are 2\.0, .*2\.10") as caught:
        Target(version=text)
    assert repr(text) in str(caught.value)


def test_unknown_device_and_style() -> None:
    with pytest.raises(ValueError, match="unknown device 'tpu'; accepted are ascend, gpu, cpu"):
        parse_device("tpu")
    with pytest.raises(ValueError, match="unknown style 'new'; accepted are auto, mint, classic"):
        parse_style("new")


def test_devices_and_styles_in_any_case() -> None:
    assert parse_device("CPU") == "cpu"
    assert parse_style("Mint") == "mint"
