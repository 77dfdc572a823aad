"""What the analysis keeps of files, as JSON and back."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mindport.catalog.catalog import Catalog
from mindport.project.session import Session
from mindport.project.setting_table import Settings
from mindport.report.analysis.entries import FileAnalysis
from mindport.report.analysis.file_analysis import analyse_file
from mindport.report.analysis.json_form import from_json, to_json
from mindport.report.analysis.project_analysis import ProjectAnalysis, analyse_project
from mindport.report.summary import Totals
from mindport.source.document import Document

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "flowers"


class Pair(NamedTuple):
    name: str
    number: int


@dataclass(kw_only=True)
class Inner:
    name: str
    at: tuple[int, str] = (0, "")


@dataclass(kw_only=True)
class Deeper(Inner):
    inner: Inner | None = None


@dataclass(kw_only=True)
class Outer(Inner):
    one: Inner | None = None
    many: list[Deeper] = field(default_factory=list)
    by_name: dict[str, list[Inner]] = field(default_factory=dict)
    pairs: list[Pair] = field(default_factory=list)
    words: tuple[str, ...] = ()
    rows: list[tuple[int, list[tuple[str, int]]]] = field(default_factory=list)
    plain: dict[str, list[str]] = field(default_factory=dict)


def analysed(path: Path) -> FileAnalysis:
    document = Document.open(path.name, path.read_text("utf-8"))
    found = Session(Catalog.load(), Settings()).analyse(path.name, document)
    return analyse_file(path.name, found, "en")


@given(st.from_type(Outer))
def test_it_comes_back_as_it_was(outer: Outer) -> None:
    assert from_json(Outer, to_json(outer)) == outer


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.py")), ids=lambda path: path.name)
def test_what_is_kept_of_a_file_comes_back_as_it_was(path: Path) -> None:
    part = analysed(path)
    assert from_json(FileAnalysis, to_json(part)) == part


def test_a_whole_analysis_comes_back_as_it_was() -> None:
    parts = [analysed(path) for path in sorted(EXAMPLES.rglob("*.py"))]
    analysis = analyse_project(parts, Totals(), {})
    assert analysis.recipe
    assert from_json(ProjectAnalysis, to_json(analysis)) == analysis


def test_fields_come_in_their_order_those_of_a_base_class_first() -> None:
    assert to_json(Deeper(name="中", inner=Inner(name="b"))) == (
        '{"name":"中","at":[0,""],"inner":{"name":"b","at":[0,""]}}'
    )


def test_another_form_is_an_error() -> None:
    with pytest.raises(TypeError):
        from_json(Inner, '{"name": "a", "at": [1, "b"], "more": 1}')
    with pytest.raises(ValueError, match="Expecting"):
        from_json(Inner, "{")
