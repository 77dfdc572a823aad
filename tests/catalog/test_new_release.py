"""What `scripts/new_release.py` says of a release, and that nothing of it is left undecided."""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mapping_samples import ROOT

SCRIPT = ROOT / "scripts" / "new_release.py"
DATA = ROOT / "mapping_data"
RELEASES = sorted((DATA / "releases").glob("*.json"))


@pytest.fixture(scope="module")
def differ() -> Any:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        return importlib.import_module("catalog_difference")
    finally:
        sys.path.remove(str(ROOT / "scripts"))


def record(name: str, *parameters: dict[str, str], **more: object) -> dict[str, Any]:
    found = {"name": name, "kind": "function", "documented": True, **more}
    return {**found, "signatures": [{"parameters": list(parameters)}]}


def by_name(*records: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in records}


SELF = {"name": "input"}


def test_every_kind_of_change_is_told(differ: Any) -> None:
    before = by_name(
        record("torch.kept", {**SELF, "type": "float"}),
        record("torch.gone", SELF),
        record("torch.hidden", SELF),
        record("torch.old_name", SELF),
        record("torch.wider", SELF),
        record("torch.default", {"name": "dim", "default": "0"}),
        record("torch.tired", SELF),
        record("torch.data", SELF),
        record("torch.was_alias_of", SELF, aliases=["torch.second"]),
        record("torch.private", SELF, documented=False),
    )
    after = by_name(
        record("torch.kept", {**SELF, "type": "int"}),
        record("torch.hidden", SELF, documented=False),
        record("torch.new_name", SELF, aliases=["torch.old_name"]),
        record("torch.wider", SELF, {"name": "out", "kind": "keyword", "default": "None"}),
        record("torch.default", {"name": "dim", "default": "1"}),
        record("torch.tired", SELF, deprecated=True),
        record("torch.data", kind="property"),
        record("torch.was_alias_of", SELF),
        record("torch.second", SELF),
        record("torch.new", {"name": "sizes", "kind": "star"}),
        record("torch.new_private", SELF, documented=False),
    )
    found = {change.name: tuple(change[1:]) for change in differ.differences(before, after)}
    assert found == {
        "torch.gone": ("disappeared", "(input)", ""),
        "torch.hidden": ("no_longer_public", "(input)", "(input)"),
        "torch.old_name": ("renamed", "(input)", "torch.new_name"),
        "torch.new_name": ("appeared", "", "(input)"),
        "torch.wider": ("signature", "(input)", "(input, *, out=None)"),
        "torch.default": ("signature", "(dim=0)", "(dim=1)"),
        "torch.tired": ("deprecated", "", ""),
        "torch.data": ("kind", "function", "property"),
        "torch.new": ("appeared", "", "(*sizes)"),
    }


def test_what_appeared_comes_with_its_modules_and_members(differ: Any) -> None:
    module = {"name": "torch.fresh", "kind": "module"}
    cls = record("torch.fresh.Thing", SELF, kind="class")
    member = record("torch.fresh.Thing.__init__", SELF, kind="method", documented=False)
    other = record("torch.fresh._inner", SELF, documented=False)
    old = by_name(record("torch.kept", SELF))
    found = differ.additions(old, {**old, **by_name(module, cls, member, other)})
    assert [each["name"] for each in found] == [module["name"], cls["name"], member["name"]]


def test_an_overload_that_changed_is_told_alone(differ: Any) -> None:
    both = record("torch.sum", SELF)
    before = {**both, "signatures": [{"parameters": [SELF]}, {"parameters": [{"name": "dim"}]}]}
    after = {**both, "signatures": [{"parameters": [{"name": "axis"}]}, {"parameters": [SELF]}]}
    [change] = differ.differences(by_name(before), by_name(after))
    assert (change.before, change.after) == ("(dim)", "(axis)")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A copy of the mapping data as they were before any newer release."""
    copy = tmp_path / "data"
    shutil.copytree(DATA, copy, ignore=shutil.ignore_patterns("newer", "releases"))
    return copy


def run(data: Path, folder: Path, *arguments: str) -> str:
    command = [sys.executable, str(SCRIPT), *arguments, "--data", str(data), "--folder", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow  # builds the index
def test_decisions_are_kept_until_the_change_is_another(data: Path, tmp_path: Path) -> None:
    [full] = (data / "catalog").glob("torch-*.jsonl")
    records = by_name(*map(json.loads, full.read_text("utf-8").splitlines()))
    records["torch.newcomer"] = record("torch.newcomer", SELF)
    records["torch.abs"]["signatures"] = [{"parameters": [SELF, {"name": "scale", "default": "1"}]}]
    records["torch.hub.load"]["signatures"] = [{"parameters": [SELF]}]  # without a counterpart
    del records["torch.add"]
    made = tmp_path / "torch-9.0.jsonl"

    def compared() -> str:
        made.write_text("".join(json.dumps(r) + "\n" for r in records.values()), encoding="utf-8")
        return run(data, tmp_path, "torch", "9.0.1", "--catalog", str(made))

    told = compared()
    assert "torch 9.0.1 against 2.13: appeared 1, disappeared 1, signature 2" in told
    assert "3 to decide" in told and "decide: torch.newcomer: appeared" in told
    file = data / "releases" / "torch-9.0.json"
    content = json.loads(file.read_text("utf-8"))
    assert "decision" not in content["changes"]["torch.hub.load"]
    for name in ("torch.abs", "torch.add", "torch.newcomer"):
        content["changes"][name]["decision"] = f"said of {name}"
    file.write_text(json.dumps(content), encoding="utf-8")
    newer = (data / "catalog" / "newer" / "torch-9.0.jsonl").read_text("utf-8")
    assert [json.loads(line)["name"] for line in newer.splitlines()] == ["torch.newcomer"]
    assert "0 to decide" in compared()
    entry = {"torch.newcomer": {"status": "not_needed"}}
    curated = data / "curated" / "correspondences" / "torch.newcomer.json"
    curated.write_text(json.dumps(entry), encoding="utf-8")
    assert "0 to decide" in compared()
    assert json.loads(file.read_text("utf-8"))["changes"]["torch.newcomer"]["decision"]
    records["torch.abs"]["signatures"] = [{"parameters": [{"name": "self"}]}]
    assert "1 to decide" in compared()
    changes = json.loads(file.read_text("utf-8"))["changes"]
    assert changes["torch.abs"]["decision"] == ""
    assert changes["torch.add"]["decision"] == "said of torch.add"


@pytest.mark.slow
def test_a_release_of_mindspore_is_compared_with_the_one_before(data: Path, tmp_path: Path) -> None:
    path = data / "catalog" / "mindspore-2.10.jsonl"
    records = by_name(*map(json.loads, path.read_text("utf-8").splitlines()))
    del records["mindspore.mint.abs"]  # abs of torch becomes it
    made = tmp_path / "mindspore-2.11.jsonl"
    made.write_text("".join(json.dumps(r) + "\n" for r in records.values()), encoding="utf-8")
    told = run(data, tmp_path, "mindspore", "2.11.0", "--catalog", str(made))
    assert "mindspore 2.11.0 against 2.10: disappeared 1" in told
    assert "decide: mindspore.mint.abs: disappeared" in told and "1 to decide" in told
    assert not (data / "catalog" / "newer").exists()


def test_other_evidence_is_told() -> None:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        release = importlib.import_module("new_release")
    finally:
        sys.path.remove(str(ROOT / "scripts"))
    known = {("torch.a", "x"): {"result": "equal"}, ("torch.b", "y"): {"result": "equal"}}
    again = {**known, ("torch.b", "y"): {"result": "differs", "detail": "(f(2)) value"}}
    assert release.compared_evidence(known, known) == {"pairs": 2, "same": 2, "other": []}
    told = release.compared_evidence(known, again)
    assert (told["same"], told["other"][0]["was"], told["other"][0]["now"]) == (1, "equal", "differs")
    assert told["other"][0]["detail"] == "(f(2)) value"
    assert release.without_known(told, told) == {**told, "other": [], "other_before": 1}
    otherwise = release.compared_evidence(known, {**again, ("torch.b", "y"): {"result": "fails"}})
    assert release.without_known(told, otherwise)["other"] == told["other"]
    decided = {"other": [{**told["other"][0], "decision": "said"}]}
    assert release.with_decisions(told, decided)["other"] == decided["other"]
    assert release.with_decisions(told, None)["other"][0]["decision"] == ""
    changed = {"other": [{**decided["other"][0], "now": "fails"}]}
    assert release.with_decisions(told, changed)["other"][0]["decision"] == ""
    lost = release.compared_evidence(known, {("torch.a", "x"): {"result": "equal"}})
    assert (lost["same"], lost["other"][0]["now"]) == (1, None)


@pytest.mark.parametrize("path", RELEASES, ids=[path.stem for path in RELEASES])
def test_every_change_of_a_release_is_decided(path: Path) -> None:
    content = json.loads(path.read_text("utf-8"))
    open_ = [name for name, entry in content["changes"].items() if entry.get("decision") == ""]
    open_ += [pair["torch"] for pair in content.get("evidence", {}).get("other", ()) if not pair["decision"]]
    assert open_ == []
    assert sum(content["counts"].values()) == len(content["changes"])


def test_what_appeared_is_known() -> None:
    from mindport.catalog.catalog import Catalog
    from mindport.catalog.target import Target

    catalog = Catalog.load()
    content = json.loads((DATA / "releases" / "torch-2.15.json").read_text("utf-8"))
    for name, entry in content["changes"].items():
        if entry["change"] == "appeared":
            assert catalog.canonical(name) == name
            assert catalog.answer(name, Target()).status != "unmapped"
