"""`mindport explain API --issue`: what an issue about a missing API says, and when there is none to file."""

from __future__ import annotations

import importlib.metadata
import platform

import pytest
from command_line import CommandLine
from mindport.app.missing_api_issue import TRACKER, missing_api_issue
from mindport.catalog.catalog import Catalog
from mindport.catalog.target import Target
from mindport.language import LANGUAGES

CALL = "w, v = torch.lobpcg(a, k=3)"


@pytest.mark.parametrize(
    ("language", "title"),
    [("en", "# Add an equivalent of `torch.lobpcg`"), ("zh-cn", "# 希望增加 `torch.lobpcg` 的对应接口")],
)
def test_an_issue_says_what_is_missing(mindport: CommandLine, language: str, title: str) -> None:
    words = ("--call", CALL, "--device", "cpu", "--target", "2.9", "--language", language)
    code, out, err = mindport("explain", "lobpcg", "--issue", *words)
    assert code == 0 and out.startswith(f"{title}\n") and TRACKER in err and TRACKER not in out
    assert f"```python\n{CALL}\n```" in out and "torch.lobpcg(A, k=None" in out
    assert "MindSpore 2.9" in out and "CPU" in out and platform.python_version() in out
    assert "mindspore.scipy.linalg.eigh" in out


def test_a_call_that_is_not_given_is_asked_for(mindport: CommandLine) -> None:
    out = mindport("explain", "torch.lobpcg", "--issue").out
    assert "# Your call, with the shapes and dtypes of its arguments" in out


def test_the_versions_are_those_of_the_environment(
    mindport: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(name: str) -> str:
        if name == "torch":
            return "2.13.1+cpu"
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    out = mindport("explain", "torch.lobpcg", "--issue").out
    assert "- torch: 2.13.1+cpu\n" in out and "- mindspore: not installed\n" in out


@pytest.mark.parametrize("name", ["torch.add", "mindspore.ops.Custom", "MP301", "torch.nothing_like_it"])
def test_there_is_none_for_what_is_not_missing(mindport: CommandLine, name: str) -> None:
    code, out, err = mindport("explain", name, "--issue")
    assert (code, out) == (1, "") and name in err


def test_a_call_alone_is_refused(mindport: CommandLine) -> None:
    code, out, err = mindport("explain", "torch.lobpcg", "--call", CALL)
    assert (code, out) == (2, "") and "--issue" in err


def test_any_missing_api_has_an_issue() -> None:
    catalog, target = Catalog.load(), Target()
    missing = [name for name in catalog.torch_names if catalog.answer(name, target).status == "missing"]
    assert len(missing) > 100
    for name in missing[::40]:
        for language in LANGUAGES:
            text = missing_api_issue(catalog, name, target, language)
            assert f"`{name}`" in text.splitlines()[0] and text.count("```") % 2 == 0
            assert "{" not in text.splitlines()[0]
