"""Each helper gives what PyTorch's API gives: outputs, gradients, buffers, what is changed in place."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from corpus import TORCHTEXT, TORCHVISION, CorpusError, corpus
from mindport.catalog.helpers import helper_names
from mindport.verify.frameworks import VARIABLE
from packaged_helpers import DATA, HELPERS

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER))

from cases import CASES  # noqa: E402

SECOND_GRADIENTS = "GRADIENTS_HAVE_GRADIENTS"
"""The helper that replaces operators for gradients of gradients."""


def test_every_api_with_a_helper_has_a_case() -> None:
    assert {api for case in CASES for api in case.apis} == set(helper_names(DATA))


def sources_of(package: tuple[str, str]) -> str:
    """The folder with a package's Python files; empty where they cannot be had."""
    try:
        return str(corpus(*package))
    except CorpusError:
        return ""


@functools.cache
def names_compared(order: str) -> tuple[str, ...]:
    """The helpers that are compared with gradients of that order: where a program has no gradients of gradients, the
    operators for them are not in its helpers, either."""
    return tuple(
        name
        for name in HELPERS.names
        if order == "2" or SECOND_GRADIENTS not in HELPERS.with_dependencies([name])
    )


def compared(python: str, folder: Path, order: str, *, large: bool = False) -> dict[str, str]:
    """What went wrong, per case; all run in one process, with gradients of that order."""
    names = names_compared(order)
    module, by_api, result = folder / "helpers.py", folder / "names.json", folder / "result.json"
    module.write_text(HELPERS.source(names), encoding="utf-8")
    by_api.write_text(json.dumps(helper_names(DATA)), encoding="utf-8")
    run = subprocess.run(
        [python, FOLDER / "compare.py", module, by_api, result],
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            "GLOG_v": "4",
            "GRADIENT_ORDER": order,
            "LARGE": str(int(large)),
            "TORCHVISION_SOURCES": sources_of(TORCHVISION),
            "TORCHTEXT_SOURCES": sources_of(TORCHTEXT),
        },
    )
    assert run.returncode == 0, run.stderr[-3000:]
    found: dict[str, str] = json.loads(result.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def outcomes(python: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What went wrong, per case."""
    return compared(python, tmp_path_factory.mktemp("helpers"), "1")


@pytest.fixture(scope="module")
def outcomes_of_second_gradients(python: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What went wrong, per case, with the gradients of gradients."""
    return compared(python, tmp_path_factory.mktemp("second_gradients"), "2")


@pytest.fixture(scope="module")
def outcomes_of_large_networks(python: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What went wrong, per case, with the large networks."""
    return compared(python, tmp_path_factory.mktemp("large_networks"), "1", large=True)


def cases_of_first_gradients(*, large: bool) -> list[str]:
    """The cases of the helpers that are compared without gradients of gradients. Where no Python with the frameworks
    is named, one test is skipped instead of thousands, which takes half a minute."""
    if not os.environ.get(VARIABLE):
        return ["no case without the frameworks"]
    by_api, names = helper_names(DATA), set(names_compared("1"))
    return [
        case.name
        for case in CASES
        if case.large == large and names.issuperset(by_api[api] for api in case.apis)
    ]


@pytest.mark.large
@pytest.mark.parametrize("name", cases_of_first_gradients(large=True))
def test_the_large_network_gives_what_torch_gives(
    name: str, outcomes_of_large_networks: dict[str, str]
) -> None:
    if name not in outcomes_of_large_networks:
        pytest.skip("the package's Python files cannot be had")
    assert outcomes_of_large_networks[name] == ""


@pytest.mark.parametrize("name", cases_of_first_gradients(large=False))
def test_the_helper_gives_what_torch_gives(name: str, outcomes: dict[str, str]) -> None:
    if name not in outcomes:
        pytest.skip("the package's Python files cannot be had")
    assert outcomes[name] == ""


@pytest.mark.xdist_group("gradients of gradients")  # takes minutes: beside those above, not behind them
def test_gradients_of_gradients_are_those_of_torch(outcomes_of_second_gradients: dict[str, str]) -> None:
    assert len(outcomes_of_second_gradients) > 2000
    assert {name: found for name, found in outcomes_of_second_gradients.items() if found} == {}
