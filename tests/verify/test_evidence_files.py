"""The committed evidence: it is complete, and the pages made of it are up to date."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path

import pytest
from mindport.catalog.catalog import Catalog
from mindport.catalog.jsonl import read_json, read_lines
from mindport.catalog.not_run import not_run
from mindport.catalog.ran import current_records, pairs_of_run, unverified_file, versions_file
from mindport.catalog.target import Target
from mindport.verify.evidence import evidence_file, update, update_run, update_unverified
from mindport.verify.frameworks import VARIABLE

ROOT = Path(__file__).resolve().parents[2]
EVIDENCE = evidence_file(ROOT / "mapping_data", "2.10", "cpu")


def test_every_counterpart_has_evidence_or_a_reason() -> None:
    """But for those that are new or changed since the evidence was made; `mapping check` lists them."""
    catalog = Catalog.load()
    target = Target("2.10", "cpu")
    wanted = {
        name
        for name in filter(catalog.is_documented, catalog.torch_names)
        if catalog.answer(name, target).status in ("equivalent", "differs")
        and catalog.answer(name, target).candidates
    }
    said = {record["torch"] for record in read_lines(EVIDENCE)} | set(read_json(unverified_file(EVIDENCE)))
    assert wanted - said - {pair.torch for pair in not_run(catalog, EVIDENCE)} == set()


@pytest.mark.skipif(not os.environ.get(VARIABLE), reason=f"{VARIABLE} names no Python with the frameworks")
def test_where_the_frameworks_are_everything_was_run() -> None:
    assert list(not_run(Catalog.load(), EVIDENCE)) == [], "run `mindport verify all --write`"


def test_no_record_is_of_calls_that_were_not_compared() -> None:
    for record in read_lines(EVIDENCE):
        if record["result"] in ("equal", "partly"):
            assert record["shapes"], record["torch"]
        if record["result"] in ("differs", "dtype_differs"):
            assert record["aspects"], record["torch"]


def test_what_differs_is_told() -> None:
    """A candidate whose converted calls gave other results on a device has a difference there."""
    catalog = Catalog.load()
    for record in current_records(EVIDENCE, catalog.correspondences.table):
        if record["result"] in ("differs", "dtype_differs", "unsupported", "fails"):
            answer = catalog.answer(record["torch"], Target("2.10", "cpu"))
            found = [c for c in answer.candidates if (c.template or c.target) == record["target"]]
            assert found, record["torch"]
            assert not any(c.same for c in found), (record["torch"], record["target"])


@pytest.mark.parametrize("language", ["en", "zh-cn"])
def test_the_pages_are_up_to_date(language: str) -> None:
    spec = importlib.util.spec_from_file_location("page", ROOT / "scripts" / "verification_page.py")
    assert spec is not None
    assert spec.loader is not None
    page = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(page)
    written = (page.FOLDER / page.FILES[language]).read_text(encoding="utf-8")
    assert page.pages()[language] == written, "run scripts/verification_page.py"


def test_new_records_take_the_place_of_old_ones(tmp_path: Path) -> None:
    path = evidence_file(tmp_path, "2.10", "cpu")
    one, two = ({"torch": name, "target": "a"} for name in ("torch.one", "torch.two"))
    update(path, [two, one], None, {"mindspore": "2.10.0"})
    assert [r["torch"] for r in read_lines(path)] == ["torch.one", "torch.two"]
    assert json.loads(versions_file(path).read_text(encoding="utf-8")) == {"mindspore": "2.10.0"}
    assert update(path, [{**one, "target": "b"}], ["torch.one"], {"mindspore": "2.10.0"}) == 2
    assert [r["target"] for r in read_lines(path)] == ["b", "a"]
    assert update(path, [two], None, {"mindspore": "2.10.0"}) == 1


def test_reasons_are_kept_beside(tmp_path: Path) -> None:
    path = evidence_file(tmp_path, "2.10", "cpu")
    path.parent.mkdir(parents=True)
    update_unverified(path, {"torch.one": "no_inputs", "torch.two": "no_inputs"}, None)
    update_unverified(path, {}, ["torch.one"])
    assert read_json(unverified_file(path)) == {"torch.two": "no_inputs"}


def test_a_run_says_what_the_candidates_were(tmp_path: Path) -> None:
    path = evidence_file(tmp_path, "2.10", "cpu")
    path.parent.mkdir(parents=True)
    path.write_text("", encoding="utf-8")
    update_run(path, {"torch.one": {"a": "", "b": "1"}, "torch.two": {"c": ""}}, None)
    update_run(path, {"torch.one": {"a": "2"}}, ["torch.one"])
    assert pairs_of_run(path) == {"torch.one": {"a": "2"}, "torch.two": {"c": ""}}
    update_run(path, {"torch.one": {"a": "2"}}, None)
    assert pairs_of_run(path) == {"torch.one": {"a": "2"}}
