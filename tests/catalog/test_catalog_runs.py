"""Evidence about converted calls: where it counts, what it says, what it makes of a candidate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mapping_samples import write_lines
from mindport.catalog.answer import Answer
from mindport.catalog.argument_form import form_of
from mindport.catalog.build import index_bytes
from mindport.catalog.catalog import Catalog
from mindport.catalog.check import check, checked
from mindport.catalog.index import Index
from mindport.catalog.ran import pairs_of
from mindport.catalog.ran_text import ran_text
from mindport.catalog.sources import correspondences
from mindport.catalog.target import Target
from mindport.catalog.tried_calls import CallShape
from mindport.verify.evidence import update_run

VERSIONS = {"torch": "2.13.0", "mindspore": "2.10.0", "numpy": "1.26.4", "python": "3.11.0"}
NEVER = "never run against PyTorch"
CAT = {"torch": "torch.cat", "target": "mindspore.mint.cat", "calls": 24}


def with_runs(source: Path, *records: dict[str, Any]) -> Path:
    """Evidence about the candidates as they are."""
    path = source / "evidence" / "calls" / "mindspore-2.10-cpu.jsonl"
    write_lines(path, list(records))
    path.with_suffix(".versions.json").write_text(json.dumps(VERSIONS), encoding="utf-8")
    pairs = {torch: pairs_of(record) for torch, record in correspondences(source).items()}
    update_run(path, pairs, None)
    return path


def with_correction(source: Path, torch: str, **correction: Any) -> None:
    path = source / "curated" / "correspondences" / f"{torch}.json"
    path.write_text(json.dumps({torch: correction}), encoding="utf-8")


def equivalent(template: str, **more: Any) -> dict[str, Any]:
    return {"template": template, "style": "classic", **more}


def answer(source: Path, device: str = "cpu", version: str = "2.10") -> Answer:
    catalog = Catalog(Index(index_bytes(source)))
    return catalog.answer("torch.cat", Target(version, device))  # type: ignore[arg-type]


def test_what_ran_equal_is_preferred(source: Path) -> None:
    with_runs(source, {**CAT, "result": "equal", "largest_difference": 1.2e-7, "gradient": True})
    chosen = answer(source).chosen
    assert chosen is not None
    assert (chosen.target, chosen.runs, chosen.same) == ("mindspore.mint.cat", True, True)
    said = ran_text(chosen, "cpu", "en")
    assert (
        said == "verified on CPU (MindSpore 2.10.0): 24 calls, largest difference 1.2e-07, gradients included"
    )
    assert ran_text(chosen, "cpu", "zh-cn") == (
        "已在 CPU、MindSpore 2.10.0 上验证：24 次调用，最大误差 1.2e-07，梯度一致"
    )


@pytest.mark.parametrize("result", ["differs", "unsupported", "fails"])
def test_what_differs_or_does_not_run_is_not_preferred(source: Path, result: str) -> None:
    with_runs(source, {**CAT, "result": result, "aspects": ["value"] if result == "differs" else []})
    found = answer(source)
    assert found.candidates[0].target == "mindspore.ops.cat"
    tried = next(c for c in found.candidates if c.target == "mindspore.mint.cat")
    assert not tried.same
    assert "verified" not in ran_text(tried, "cpu", "en")


def test_what_differs_is_a_difference_that_says_where(source: Path) -> None:
    with_runs(source, {**CAT, "result": "differs", "aspects": ["gradient", "value"], "inputs": ["special"]})
    tried = next(c for c in answer(source).candidates if c.target == "mindspore.mint.cat")
    said = {d.code: d.sentence("en") for d in tried.differences}
    assert set(said) == {"gradient_measured", "measured"}
    assert "NaN" in said["measured"]


def test_particular_inputs_are_not_said_of_another_device(source: Path) -> None:
    with_runs(source, {**CAT, "result": "differs", "aspects": ["value"], "inputs": ["special"]})
    chosen = answer(source, "ascend").chosen
    assert chosen is not None
    assert chosen.same
    with_runs(source, {**CAT, "result": "differs", "aspects": ["value"]})
    chosen = answer(source, "ascend").chosen
    assert chosen is not None
    assert [d.code for d in chosen.differences] == ["measured"]


def test_on_ascend_it_says_that_nothing_was_run_there(source: Path) -> None:
    with_runs(source, {**CAT, "result": "unsupported"})
    chosen = answer(source, "ascend").chosen
    assert chosen is not None
    said = ran_text(chosen, "ascend", "en")
    assert said.startswith("signature check only (24 calls, MindSpore 2.10.0)")
    with_runs(source, {**CAT, "result": "equal"})
    chosen = answer(source, "ascend").chosen
    assert chosen is not None
    assert ran_text(chosen, "ascend", "en").endswith("; not run on Ascend")


def test_refused_inputs_are_told(source: Path) -> None:
    with_runs(source, {**CAT, "result": "partly", "refused": ["bool", "gradient"]})
    chosen = answer(source).chosen
    assert chosen is not None
    assert ran_text(chosen, "cpu", "en").endswith("raises an error for: booleans, gradients")


def test_a_hand_written_difference_explains_what_differs(source: Path) -> None:
    note = {"en": "It counts from 1.", "zh-cn": "从 1 起计数。"}
    differences = [{"code": "behaviour", "note": note}]
    correction = {"torch.cat": {"candidates": {"mindspore.mint.cat": {"differences": differences}}}}
    path = source / "curated" / "correspondences" / "torch.cat.json"
    path.write_text(json.dumps(correction), encoding="utf-8")
    with_runs(source, {**CAT, "result": "differs", "aspects": ["value"]})
    tried = next(c for c in answer(source).candidates if c.target == "mindspore.mint.cat")
    assert [d.code for d in tried.differences] == ["behaviour"]


def test_what_a_person_says_of_a_device_is_not_said_of_another(source: Path) -> None:
    note = {"en": "Its gradient is wrong on CPU.", "zh-cn": "在 CPU 上梯度有误。"}
    differences = [{"code": "behaviour", "device": "cpu", "note": note}]
    correction = {"torch.cat": {"candidates": {"mindspore.mint.cat": {"differences": differences}}}}
    path = source / "curated" / "correspondences" / "torch.cat.json"
    path.write_text(json.dumps(correction), encoding="utf-8")
    with_runs(source, {**CAT, "result": "differs", "aspects": ["gradient"]})
    chosen = answer(source, "ascend").chosen
    assert chosen is not None
    assert (chosen.target, chosen.differences) == ("mindspore.mint.cat", ())


def test_evidence_is_checked(source: Path) -> None:
    with_runs(source, {**CAT, "result": "equal"})
    assert check(source) == []
    with_runs(source, {**CAT, "result": "perhaps"})
    assert [problem.code for problem in check(source)] == ["format"]


TEMPLATE = "mindspore.ops.sort(input, dim)"
OF_TEMPLATE = {
    "torch": "torch.sort",
    "target": TEMPLATE,
    "result": "equal",
    "calls": 3,
    "tried": {"equal": [{"input": "Tensor"}], "differs": [{"input": "Tensor", "dim": "0"}]},
}
BY_HAND = {"device": "cpu", "version": "2.10", "calls": 7}
SHAPE = CallShape({"input": form_of("x", "Tensor")})
WORSE = CallShape({"input": form_of("x", "Tensor"), "dim": form_of("0")})


def sorting(source: Path, target: str) -> tuple[str, str, str]:
    """What is said of a candidate for `torch.sort` in hover, and what of two calls."""
    catalog = Catalog(Index(index_bytes(source)))
    candidates = catalog.answer("torch.sort", Target(device="cpu")).candidates
    found = next(candidate for candidate in candidates if candidate.text == target)
    tried = catalog.correspondences.tried("torch.sort", found, "cpu")
    return ran_text(found, "cpu", "en"), tried.verdict(SHAPE), tried.verdict(WORSE)


def test_evidence_does_not_pass_on_to_another_template(source: Path) -> None:
    source.joinpath("curated/correspondences/torch.json").unlink()
    with_correction(source, "torch.sort", equivalents=[equivalent(TEMPLATE, ran=BY_HAND)])
    with_runs(source, OF_TEMPLATE)
    said = "run on CPU (MindSpore 2.10.0): 3 calls"
    assert sorting(source, TEMPLATE)[0] == said.replace("run on", "verified on")
    assert sorting(source, TEMPLATE)[1:] == ("equal", "differs")
    assert not_run_yet(source) == []
    other = TEMPLATE.replace("dim", "int(dim)")
    with_correction(source, "torch.sort", equivalents=[equivalent(other, ran=BY_HAND)])
    assert sorting(source, other) == (NEVER, "not_run", "not_run")
    assert check(source) == []
    assert not_run_yet(source) == [("torch.sort", other)]


def test_evidence_does_not_pass_on_to_other_facts_but_what_speaks_against_does(source: Path) -> None:
    target = "mindspore.ops.sort"
    source.joinpath("curated/correspondences/torch.json").unlink()
    with_runs(source, {**OF_TEMPLATE, "target": target})
    assert sorting(source, target)[1:] == ("equal", "differs")
    facts = [{"code": "renamed", "torch": "dim", "mindspore": "axis"}]
    with_correction(source, "torch.sort", candidates={target: {"parameters": facts}})
    assert sorting(source, target) == (NEVER, "not_run", "differs")
    assert check(source) == []
    assert not_run_yet(source) == [("torch.sort", target)]


def test_other_words_leave_the_evidence_as_it_is(source: Path) -> None:
    target = "mindspore.ops.sort"
    with_runs(source, {**OF_TEMPLATE, "target": target})
    source.joinpath("curated/correspondences/torch.json").unlink()
    note = {"en": "Ties come in another order.", "zh-cn": "相同元素的顺序不同。"}
    differences = [{"code": "behaviour", "note": note}]
    with_correction(source, "torch.sort", note=note, candidates={target: {"differences": differences}})
    assert sorting(source, target)[1:] == ("equal", "differs")
    assert not_run_yet(source) == []


def not_run_yet(source: Path) -> list[tuple[str, str]]:
    return [(pair.torch, pair.target) for pair in checked(source).not_run]


def test_evidence_that_is_taken_away_is_noticed(source: Path) -> None:
    path = with_runs(source, {**CAT, "result": "equal"}, OF_TEMPLATE)
    write_lines(path, [{**CAT, "result": "equal"}])
    assert [(p.code, p.detail) for p in check(source)] == [("not_written", "mindspore-2.10-cpu.jsonl")]
    path = with_runs(source, {**CAT, "result": "equal"})
    path.with_suffix(".unverified.json").write_text('{"torch.sort": "no_inputs"}', encoding="utf-8")
    assert [p.detail for p in check(source)] == ["mindspore-2.10-cpu.unverified.json"]
    path = with_runs(source, {**CAT, "result": "equal"})
    path.with_suffix(".run.json").unlink()
    assert [p.code for p in check(source)] == ["format"]


def test_a_mindspore_api_that_ran_by_itself_proves_no_correspondence(source: Path) -> None:
    found = answer(source)
    assert found.chosen is not None
    assert (found.chosen.target, found.chosen.evidence is not None) == ("mindspore.ops.cat", True)
    said = ran_text(found.chosen, "cpu", "en")
    assert said == "ran on CPU (MindSpore 2.10) (3 calls); the conversion itself was not run"
    assert ran_text(found.chosen, "cpu", "zh-cn").endswith("；转换本身尚未运行验证")


def test_inputs_are_checked(source: Path) -> None:
    folder = source / "verification"
    folder.mkdir()
    (folder / "torch.json").write_text(json.dumps({"torch.cat": {"calls": ["[f(2)]"]}}), encoding="utf-8")
    assert check(source) == []
    (folder / "torch.json").write_text(json.dumps({"torch.no": {"calls": ["f(2)"]}}), encoding="utf-8")
    assert [problem.code for problem in check(source)] == ["no_torch"]
    (folder / "torch.json").write_text(json.dumps({"torch.cat": {"call": ["f(2)"]}}), encoding="utf-8")
    assert [problem.code for problem in check(source)] == ["format"]
