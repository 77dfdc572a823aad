"""`check` finds every seeded defect, and nothing in sound data."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mapping_samples import ROOT
from mindport.catalog.check import check
from mindport.catalog.problem import DataProblem

Records = list[dict[str, Any]]


def change_lines(path: Path, change: Callable[[Records], None]) -> None:
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    change(records)
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")


def codes(problems: list[DataProblem]) -> set[str]:
    return {problem.code for problem in problems}


@pytest.mark.slow
def test_the_mapping_data_is_sound() -> None:
    assert [p.message("en") for p in check(ROOT / "mapping_data")] == []


def test_sound_data_has_no_problem(source: Path) -> None:
    assert check(source) == []


def rename_target(records: Records) -> None:
    records[0]["candidates"][0]["target"] = "mindspore.mint.catt"


def wrong_torch_parameter(records: Records) -> None:
    records[0]["candidates"][1]["parameters"][0]["torch"] = "dimension"


def wrong_mindspore_parameter(records: Records) -> None:
    records[0]["candidates"][1]["parameters"][0]["mindspore"] = "axes"


def unknown_torch_name(records: Records) -> None:
    records.append({**records[1], "torch": "torch.sorted"})


def twice_in_a_file(records: Records) -> None:
    records.append(records[-1])


def twice_in_a_record(records: Records) -> None:
    records[0]["candidates"].append(records[0]["candidates"][0])


def out_of_order(records: Records) -> None:
    records.reverse()


def unknown_code(records: Records) -> None:
    records[0]["candidates"][1]["parameters"][0]["code"] = "renammed"


def unknown_key(records: Records) -> None:
    records[0]["candidates"][0]["stile"] = "mint"


@pytest.mark.parametrize(
    ("defect", "code"),
    [
        (rename_target, "no_target"),
        (wrong_torch_parameter, "no_torch_parameter"),
        (wrong_mindspore_parameter, "no_parameter"),
        (unknown_torch_name, "no_torch"),
        (twice_in_a_file, "twice"),
        (twice_in_a_record, "twice"),
        (out_of_order, "unsorted"),
        (unknown_code, "format"),
        (unknown_key, "format"),
    ],
)
def test_defects_of_generated_files(source: Path, defect: Callable[[Records], None], code: str) -> None:
    change_lines(source / "correspondences" / "torch.jsonl", defect)
    assert codes(check(source)) == {code}


@pytest.mark.parametrize(
    ("correction", "code"),
    [
        ({"torch.sort": {"note": {"en": "Only English."}}}, "format"),
        ({"torch.sort": {"note": {"en": "Text.", "zh-cn": ""}}}, "format"),
        ({"torch.sort": {"note": {"en": "Text.", "zh-cn": "Text."}}}, "language"),
        ({"torch.sort": {"status": "fine"}}, "format"),
        ({"torch.sort": {"candidates": {"mindspore.ops.cat": {}}}}, "no_style"),
        ({"torch.sort": {"candidates": {"mindspore.ops.nope": {"style": "any"}}}}, "no_target"),
        ({"torch.nope": {"status": "missing"}}, "no_torch"),
        ({"torch.sort": {"order": ["mindspore.ops.nope"]}}, "no_target"),
    ],
)
def test_defects_of_corrections(source: Path, correction: dict[str, Any], code: str) -> None:
    path = source / "curated" / "correspondences" / "torch.json"
    path.write_text(json.dumps(correction), encoding="utf-8")
    assert codes(check(source)) == {code}


def test_a_correction_given_twice(source: Path) -> None:
    path = source / "curated" / "correspondences" / "torch.json"
    path.write_text('{"torch.sort": {"status": "missing"}, "torch.sort": {"status": "differs"}}')
    assert codes(check(source)) == {"twice"}


def test_a_correction_that_is_not_json(source: Path) -> None:
    path = source / "curated" / "correspondences" / "torch.json"
    path.write_text("{")
    problems = check(source)
    assert codes(problems) == {"format"}
    assert problems[0].file == "curated/correspondences/torch.json"


def test_evidence_for_an_unknown_api(source: Path) -> None:
    path = source / "evidence" / "mindspore-2.10-cpu.jsonl"
    path.write_text('{"mindspore": "mindspore.nope", "result": "equal", "calls": 1}\n')
    assert codes(check(source)) == {"no_target"}


def test_curated_evidence_overrides_and_is_checked(source: Path) -> None:
    path = source / "curated" / "evidence" / "mindspore-2.10-cpu.json"
    path.parent.mkdir()
    path.write_text('{"mindspore.mint.cat": {"result": "equal", "calls": 1}}')
    assert check(source) == []
    path.write_text('{"mindspore.nope": {"result": "equal", "calls": 1}}')
    assert codes(check(source)) == {"no_target"}
    path.write_text('{"mindspore.mint.cat": {"result": "fine", "calls": 1}}')
    assert codes(check(source)) == {"format"}


def test_messages_in_both_languages(source: Path) -> None:
    change_lines(source / "correspondences" / "torch.jsonl", rename_target)
    (problem,) = check(source)
    where = "correspondences/torch.jsonl: torch.cat: "
    assert problem.message("en") == f"{where}`mindspore.mint.catt (2.10)` is not in the MindSpore catalog"
    assert problem.message("zh-cn") == f"{where}MindSpore 接口目录中没有 `mindspore.mint.catt (2.10)`"
