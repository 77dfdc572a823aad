"""Answers: status, the order of candidates, differences."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from mindport.catalog.build import index_bytes
from mindport.catalog.catalog import Catalog
from mindport.catalog.differences import DIFFERENCE_KINDS, Difference
from mindport.catalog.index import Index
from mindport.catalog.target import DEVICES, VERSIONS, Target


@pytest.fixture
def small(source: Path) -> Catalog:
    return Catalog(Index(index_bytes(source)))


def targets(catalog: Catalog, name: str, target: Target) -> list[str]:
    return [c.target for c in catalog.answer(name, target).candidates]


def test_mint_first_on_ascend(small: Catalog) -> None:
    assert targets(small, "torch.cat", Target()) == ["mindspore.mint.cat", "mindspore.ops.cat"]


def test_what_runs_first_on_cpu(small: Catalog) -> None:
    answer = small.answer("torch.cat", Target(device="cpu"))
    assert [c.target for c in answer.candidates] == ["mindspore.ops.cat", "mindspore.mint.cat"]
    assert [c.runs for c in answer.candidates] == [True, False]
    assert answer.candidates[1].differences[-1].code == "not_on_device"


def test_a_forced_style_wins(small: Catalog) -> None:
    assert targets(small, "torch.cat", Target(device="cpu", style="mint"))[0] == "mindspore.mint.cat"
    assert targets(small, "torch.cat", Target(style="classic"))[0] == "mindspore.ops.cat"


def test_versions_before_a_candidate_do_not_see_it(small: Catalog) -> None:
    assert targets(small, "torch.cat", Target("2.4")) == ["mindspore.ops.cat"]


def test_status(small: Catalog) -> None:
    assert small.answer("torch.cat", Target()).status == "equivalent"
    assert small.answer("torch.cat", Target(style="classic")).status == "differs"
    assert small.answer("torch.nope", Target()).status == "missing"
    assert small.answer("torch.other.nope", Target()).status == "unmapped"


def test_corrections_are_merged(small: Catalog) -> None:
    chosen = small.answer("torch.sort", Target()).chosen
    assert chosen is not None
    assert [d.sentence("zh-cn") for d in chosen.differences] == ["索引为 int32。"]


def test_a_note_on_a_parameter_fact_replaces_it(source: Path) -> None:
    note = {"en": "The axis.", "zh-cn": "轴。"}
    difference = {"code": "renamed", "torch": "dim", "mindspore": "axis", "note": note}
    path = source / "curated" / "correspondences" / "torch.json"
    correction = {"torch.cat": {"candidates": {"mindspore.ops.cat": {"differences": [difference]}}}}
    path.write_text(json.dumps(correction), encoding="utf-8")
    catalog = Catalog(Index(index_bytes(source)))
    chosen = catalog.answer("torch.cat", Target(style="classic")).chosen
    assert chosen is not None
    assert [(d.code, d.sentence("en")) for d in chosen.differences] == [("renamed", "The axis.")]


@pytest.mark.parametrize(
    ("name", "status", "target"),
    [
        ("torch.cat", "equivalent", "mindspore.mint.cat"),
        ("torch.nn.Conv2d", "equivalent", "mindspore.mint.nn.Conv2d"),
        ("torch.nn.Module", "differs", "mindspore.nn.Cell"),
        ("torch.nn.Module.register_buffer", "equivalent", "mindspore.nn.Cell.register_buffer"),
        ("torch.float32", "equivalent", "mindspore.float32"),
        ("torch.long", "equivalent", "mindspore.int64"),
        ("torch.fft.fft", "equivalent", "mindspore.ops.fft"),
        ("torch.Tensor.size", "differs", "mindspore.Tensor.shape"),
        ("torch.nn.SELU", "equivalent", "mindspore.mint.nn.SELU"),
        ("torch.no_grad", "not_needed", None),
        ("torch.Tensor.cuda", "not_needed", None),
        ("torch.Tensor.backward", "missing", None),
    ],
)
def test_real_answers(catalog: Catalog, name: str, status: str, target: str | None) -> None:
    answer = catalog.answer(name, Target())
    assert answer.status == status
    assert (answer.chosen.target if answer.chosen else None) == target


def test_results_that_differ_on_one_device_are_told_on_others(source: Path) -> None:
    path = source / "evidence" / "mindspore-2.10-cpu.jsonl"
    path.write_text(
        '{"mindspore": "mindspore.mint.cat", "result": "differs", "calls": 2}\n', encoding="utf-8"
    )
    chosen = Catalog(Index(index_bytes(source))).answer("torch.cat", Target()).chosen
    assert chosen is not None
    assert [(d.code, d.device) for d in chosen.differences] == [("measured", "cpu")]


def test_dropout_on_cpu_is_the_classic_one(catalog: Catalog) -> None:
    chosen = catalog.answer("torch.nn.Dropout", Target(device="cpu")).chosen
    assert chosen is not None
    assert chosen.target == "mindspore.nn.Dropout"


def test_classic_defaults_that_differ(catalog: Catalog) -> None:
    def found(name: str) -> list[Difference]:
        target = Target(style="classic")
        apis = [c for c in catalog.answer(name, target).candidates if c.template is None]
        return list(apis[0].differences)

    def defaults(name: str) -> dict[str | None, str | None]:
        return {d.torch: d.mindspore_default for d in found(name) if d.code == "default"}

    assert defaults("torch.nn.LayerNorm")["eps"] == "1e-07"
    assert defaults("torch.nn.Conv2d")["bias"] == "False"
    assert "p" not in defaults("torch.nn.functional.relu")
    assert any("1 - momentum" in d.sentence("en") for d in found("torch.nn.BatchNorm2d"))


def test_every_answer_can_be_said_in_both_languages(catalog: Catalog) -> None:
    for name in catalog.correspondences:
        for device in DEVICES:
            for candidate in catalog.answer(name, Target(device=device)).candidates:
                for difference in candidate.differences:
                    english, chinese = difference.sentence("en"), difference.sentence("zh-cn")
                    assert english != chinese
                    if difference.note is None:
                        assert "None" not in re.sub("`[^`]*`", "", english), (name, english)


def test_every_version_answers(catalog: Catalog) -> None:
    for version in VERSIONS:
        assert catalog.answer("torch.abs", Target(version)).candidates, version


def test_texts_exist_in_both_languages() -> None:
    for code, kind in DIFFERENCE_KINDS.items():
        text = kind.sentence
        assert text.en, code
        assert text.zh_cn, code
        assert text.en != text.zh_cn


def test_what_torch_has_from_python_mindspore_has_too() -> None:
    catalog, target = Catalog.load(), Target()
    answer = catalog.answer("torch.multiprocessing.Queue", target)
    assert answer.status == "equivalent"
    assert [each.target for each in answer.candidates] == ["mindspore.multiprocessing.Queue"]
    assert catalog.answer("torch.multiprocessing.Nothing", target).status == "missing"
    assert catalog.answer("torch.multiprocessing.Queue", Target("2.0")).status == "missing"
