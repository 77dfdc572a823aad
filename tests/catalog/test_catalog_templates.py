"""Templates: parsing, answers, and what `check` finds in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mapping_samples import api, write_lines
from mindport.catalog.build import index_bytes
from mindport.catalog.catalog import Catalog
from mindport.catalog.check import check
from mindport.catalog.index import Index
from mindport.catalog.official import agreement
from mindport.catalog.target import Target
from mindport.catalog.template import TemplateError, mindspore_names, parse_template

SOUND = "mindspore.ops.sort(input, axis=dim)"


def entry(template: str = SOUND, **more: Any) -> dict[str, Any]:
    return {"equivalents": [{"template": template, "style": "classic", "since": "2.0", **more}]}


def write(source: Path, corrections: dict[str, Any], file: str = "torch.json") -> None:
    path = source / "curated" / "correspondences" / file
    path.write_text(json.dumps(corrections), encoding="utf-8")


def codes(source: Path) -> set[str]:
    return {problem.code for problem in check(source)}


def test_what_a_template_names() -> None:
    template = parse_template(
        "mindspore.ops.where(input > 0, [f(x) for x in other], mindspore.float32).sum(axis=dim)"
    )
    assert template.apis == ("mindspore.ops.where", "mindspore.float32")
    assert template.free == {"input", "f", "other", "dim"}
    assert template.called == {"f"}
    assert template.members == ("sum",)
    assert template.target == "mindspore.ops.where"
    assert [(u.positional, u.keywords) for u in template.uses] == [(3, ()), (None, ())]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("self.reshape(shape)", "mindspore.Tensor.reshape"),
        ("isinstance(obj, mindspore.Tensor)", "mindspore.Tensor"),
        ("False", "False"),
        ("(lambda v: mindspore.ops.exp(v))(input)", "mindspore.ops.exp"),
    ],
)
def test_the_name_to_show(text: str, target: str) -> None:
    assert parse_template(text).target == target


@pytest.mark.parametrize("text", ["", "mindspore.ops.sort(", "x = 1", "import os", "mindspore", "(y := 1)"])
def test_what_is_no_template(text: str) -> None:
    with pytest.raises(TemplateError):
        parse_template(text)


def test_names_in_code() -> None:
    code = "import mindspore as ms\nfrom mindspore import ops, nn as net\nops.exp(net.Dense(1, ms.int32))"
    assert sorted(mindspore_names(code)) == ["mindspore.int32", "mindspore.nn.Dense", "mindspore.ops.exp"]


def test_sound_entries(source: Path) -> None:
    write(source, {"torch.sort": entry(when={"given": ["dim"]})})
    assert check(source) == []


@pytest.mark.parametrize(
    ("correction", "code"),
    [
        (entry("mindspore.ops.sort(input"), "template"),
        (entry("mindspore.ops.sorted(input)"), "no_target"),
        (entry("mindspore.ops.sort(input, axes=dim)"), "no_parameter"),
        (entry("mindspore.ops.sort(input, dim, True)"), "many_arguments"),
        (entry("mindspore.ops.sort(self)"), "unknown_name"),
        (entry("mindspore.ops.sort(inputs)"), "unknown_name"),
        (entry("mindspore.ops.sort(input).shapely"), "no_member"),
        (entry("mindspore.ops.sort(input, input(dim))"), None),
        (entry(when={"given": ["dimension"]}), "no_torch_parameter"),
        (entry(differences=[{"code": "behaviour", "note": {"en": "A.", "zh-cn": "B."}}]), "language"),
        (entry(differences=[{"code": "behaviour", "note": {"en": "A."}}]), "format"),
        (entry(ran={"device": "cpu", "version": "2.10", "calls": 0}), "format"),
        ({"equivalents": [*entry()["equivalents"], *entry()["equivalents"]]}, "twice"),
        ({**entry(), "status": "missing"}, "contradiction"),
        ({**entry(), "reason": {"en": "None.", "zh-cn": "没有。"}}, "contradiction"),
        ({"status": "missing", "reason": {"en": "None.", "zh-cn": "None."}}, "language"),
        (
            {
                "status": "missing",
                "way_out": {"strategy": "package", "text": {"en": "A.", "zh-cn": "甲。"}, "code": "def f("},
            },
            "code",
        ),
        (
            {
                "status": "missing",
                "way_out": {
                    "strategy": "package",
                    "text": {"en": "A.", "zh-cn": "甲。"},
                    "code": "from mindspore import ops\nops.sorted(1)",
                },
            },
            "code_name",
        ),
        (
            {"status": "missing", "way_out": {"strategy": "wait", "text": {"en": "A.", "zh-cn": "甲。"}}},
            "format",
        ),
    ],
)
def test_seeded_defects(source: Path, correction: dict[str, Any], code: str | None) -> None:
    write(source, {"torch.sort": correction})
    assert codes(source) == ({code} if code else set())


def test_builtins_hidden_by_a_parameter(source: Path) -> None:
    path = source / "catalog" / "torch-2.13.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    lines.insert(2, json.dumps(api("torch.clip", "function", "input", "min")))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    write(source, {"torch.clip": entry("mindspore.ops.sort(min(input, 1))")})
    assert codes(source) == {"shadowed"}


def test_an_api_in_two_files(source: Path) -> None:
    write(source, {"torch.sort": entry()}, "second.json")
    assert codes(source) == {"twice"}


def test_targets_are_checked_in_every_version_they_are_claimed_for(source: Path) -> None:
    older = source / "catalog" / "older" / "mindspore-2.9.jsonl"
    write_lines(older, [{"name": "mindspore.ops.sort", "absent": True}])
    lines = (source / "correspondences" / "torch.jsonl").read_text(encoding="utf-8")
    assert codes(source) == {"no_target"}
    (source / "correspondences" / "torch.jsonl").write_text(
        lines.replace(
            '"mindspore.ops.sort", "style": "classic", "source": "official", "since": "2.0"',
            '"mindspore.ops.sort", "style": "classic", "source": "official", "since": "2.10"',
        ),
        encoding="utf-8",
    )
    write(source, {"torch.sort": entry(since="2.10")})
    assert codes(source) == set()
    write(source, {"torch.sort": entry(since="2.9")})
    assert codes(source) == {"no_target"}


@pytest.mark.parametrize(
    ("name", "correction", "code"),
    [
        ("torch.*", {"status": "missing"}, None),
        ("torch.nope.*", {"status": "missing"}, "no_match"),
        ("torch.*", {}, "contradiction"),
        ("torch.*", entry(), "contradiction"),
    ],
)
def test_wildcards_are_checked(source: Path, name: str, correction: dict[str, Any], code: str | None) -> None:
    write(source, {name: correction})
    assert codes(source) == ({code} if code else set())


def test_official_rows_need_a_candidate_or_a_reason(source: Path) -> None:
    row = {"torch": "torch.sort", "mindspore": "mindspore.mint.cat", "branches": ["master"]}
    write_lines(source / "official" / "pairs.jsonl", [row])
    assert codes(source) == {"official"}
    exceptions = source / "curated" / "official_exceptions.json"
    reason = {"en": "It does something else.", "zh-cn": "功能不同。"}
    exceptions.write_text(json.dumps({"torch.sort": {"mindspore.mint.cat": reason}}), encoding="utf-8")
    assert check(source) == []
    write_lines(source / "official" / "pairs.jsonl", [{**row, "mindspore": "mindspore.ops.sort"}])
    assert codes(source) == {"needless"}


def test_misspelt_rows_are_counted_apart(source: Path) -> None:
    row = {"torch": "torch.Sort", "mindspore": "mindspore.ops.sort", "branches": ["master"]}
    write_lines(source / "official" / "pairs.jsonl", [row, {**row, "torch": "torch.sort"}])
    rules = {"general_parameters": {}, "misspellings": {"torch.Sort": "torch.sort"}}
    (source / "curated" / "comparison.json").write_text(json.dumps(rules), encoding="utf-8")
    assert codes(source) == {"official"}
    exceptions = source / "curated" / "official_exceptions.json"
    reason = {"en": "Misspelt.", "zh-cn": "拼写有误。"}
    exceptions.write_text(json.dumps({"torch.Sort": {"mindspore.ops.sort": reason}}), encoding="utf-8")
    assert check(source) == []
    pairs = Catalog(Index(index_bytes(source))).official_pairs(source)
    expected = {"pairs": 2, "agree": 1, "agree_respelled": 1, "explained": 0, "unexplained": 0}
    assert agreement(pairs) == {"master": expected}


def catalog_of(source: Path, corrections: dict[str, Any]) -> Catalog:
    write(source, corrections)
    return Catalog(Index(index_bytes(source)))


def test_a_template_is_a_candidate(source: Path) -> None:
    ran = {"device": "cpu", "version": "2.10", "calls": 4, "largest_difference": 1e-7}
    corrections = {"torch.sort": {**entry(ran=ran), "candidates": {"mindspore.ops.sort": {"remove": True}}}}
    catalog = catalog_of(source, corrections)
    answer = catalog.answer("torch.sort", Target(device="cpu"))
    assert answer.status == "equivalent"
    chosen = answer.chosen
    assert chosen is not None
    assert (chosen.kind, chosen.target, chosen.template) == ("template", "mindspore.ops.sort", SOUND)
    assert chosen.evidence is not None
    assert (chosen.evidence.result, chosen.evidence.largest_difference) == ("equal", 1e-7)
    assert chosen.runs is True
    assert list(catalog.counterparts("mindspore.ops.sort")) == ["torch.sort"]


def test_a_template_is_for_the_calls_it_fits(source: Path) -> None:
    corrections = {"torch.sort": {**entry(when={"given": ["dim"]}), "candidates": {}}}
    answer = catalog_of(source, corrections).answer("torch.sort", Target())
    assert answer.chosen is not None
    assert answer.chosen.kind == "api"
    assert [c.when.fits({"dim"}) for c in answer.candidates if c.when] == [True]
    assert answer.chosen_for({"input"}) is answer.chosen


def test_reason_and_way_out(source: Path) -> None:
    way_out = {"strategy": "package", "text": {"en": "Write it.", "zh-cn": "自行实现。"}, "code": "x = 1"}
    reason = {"en": "Nobody needs it.", "zh-cn": "没有需求。"}
    corrections = {"torch.sort": {"status": "missing", "reason": reason, "way_out": way_out}}
    answer = catalog_of(source, corrections).answer("torch.sort", Target())
    assert (answer.status, answer.candidates) == ("missing", ())
    assert answer.reason is not None
    assert answer.reason.render("zh-cn") == "没有需求。"
    assert answer.way_out is not None
    assert (answer.way_out.strategy, answer.way_out.code) == ("package", "x = 1")


def test_wildcards_answer_for_what_has_no_entry(source: Path) -> None:
    reason = {"en": "All gone.", "zh-cn": "全部移除。"}
    corrections = {
        "torch.*": {"status": "missing", "reason": reason},
        "torch.sort.*": {"status": "not_needed"},
    }
    catalog = catalog_of(source, corrections)
    assert catalog.answer("torch.cat", Target()).status == "equivalent"
    assert catalog.answer("torch.deep.other", Target()).reason is not None
    assert catalog.answer("torch.sort.member", Target()).status == "not_needed"


def test_a_counterpart_of_another_version_is_told(source: Path) -> None:
    corrections = {"torch.cat": {"candidates": {"mindspore.ops.cat": {"remove": True}}}}
    answer = catalog_of(source, corrections).answer("torch.cat", Target("2.3"))
    assert answer.status == "missing"
    assert answer.reason is not None
    assert answer.reason.en == "`mindspore.mint.cat` is available from MindSpore 2.5."
