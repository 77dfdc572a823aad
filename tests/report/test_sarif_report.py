"""The report as SARIF, against the official schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from making import HOSTILE, report
from mindport.language import Language
from sarif_schema import sarif_schema

SOURCE = "import torch\n名 = '😀'; y = torch.sin(torch.cos(1))\nclass A(torch.nn.ReLU): pass\n"


def run(text: str) -> dict[str, Any]:
    log = json.loads(text)
    schema = sarif_schema()
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker()).validate(log)
    (only,) = log["runs"]
    return only


def notebook(*cells: str) -> str:
    return json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "source": cell} for cell in cells]})


@pytest.mark.parametrize("language", ["en", "zh-cn"])
def test_results(tmp_path: Path, language: Language) -> None:
    made = run(report("sarif", tmp_path, {"a b/火#.py": SOURCE, "c.py": "x = 1\n"}, language))
    sine = next(result for result in made["results"] if result["properties"]["api"] == "torch.sin")
    assert (sine["ruleId"], sine["level"]) == ("MP101", "note")
    rules = made["tool"]["driver"]["rules"]
    assert rules[sine["ruleIndex"]]["id"] == "MP101"
    place = sine["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "a%20b/%E7%81%AB%23.py", "uriBaseId": "SRCROOT"}
    assert place["region"] == {"startLine": 2, "startColumn": 14, "endLine": 2, "endColumn": 23}
    assert made["columnKind"] == "unicodeCodePoints"
    assert made["originalUriBaseIds"]["SRCROOT"]["uri"] == tmp_path.as_uri() + "/"
    assert [each["location"]["uri"] for each in made["artifacts"]] == ["a%20b/%E7%81%AB%23.py", "c.py"]
    assert {made["language"], made["translations"][0]["language"]} == {"en", "zh-CN"}
    assert [rule["id"] for rule in made["translations"][0]["rules"]] == [rule["id"] for rule in rules]
    assert made["translations"][0]["rules"][0]["help"] != rules[0]["help"]
    assert all(rule["helpUri"].startswith("https://") for rule in rules)


def test_fixes_make_the_edits(tmp_path: Path) -> None:
    made = run(report("sarif", tmp_path, {"a.py": SOURCE}))
    sine = next(result for result in made["results"] if result["properties"]["api"] == "torch.sin")
    replacements = sine["fixes"][0]["artifactChanges"][0]["replacements"]
    lines = SOURCE.splitlines(keepends=True)
    for replacement in reversed(replacements):
        region = replacement["deletedRegion"]
        assert region["startLine"] == region["endLine"]
        line = lines[region["startLine"] - 1]
        new = replacement["insertedContent"]["text"]
        lines[region["startLine"] - 1] = (
            line[: region["startColumn"] - 1] + new + line[region["endColumn"] - 1 :]
        )
    assert "".join(lines) == SOURCE.replace("torch.sin", "mint.sin").replace(
        "import torch\n", "import torch\nfrom mindspore import mint\n"
    )


def test_fingerprints_survive_edits_elsewhere(tmp_path: Path) -> None:
    def prints(text: str) -> list[str]:
        made = run(report("sarif", tmp_path, {"a.py": text}))
        return [result["partialFingerprints"]["mindport/v1"] for result in made["results"]]

    twice = SOURCE + "y = torch.sin(1)\ny = torch.sin(1)\n"
    before = prints(twice)
    assert len(set(before)) == len(before)
    assert prints("# new\n\n" + twice) == before
    assert set(prints(twice.replace("y = torch.sin(1)\n", "", 1))) < set(before)


def test_what_could_not_be_looked_at_is_a_notification(tmp_path: Path) -> None:
    made = run(report("sarif", tmp_path, {"a.py": b"\xff\xfe", "b.py": "x = )\n"}))
    notes = made["invocations"][0]["toolExecutionNotifications"]
    assert [(note["descriptor"]["id"], note["level"]) for note in notes] == [
        ("unreadable", "error"),
        ("syntax", "warning"),
    ]
    assert made["results"] == []


def test_cells_are_logical_locations(tmp_path: Path) -> None:
    made = run(
        report("sarif", tmp_path, {"a.ipynb": notebook("import torch", "%time\ntorch.sin(1)", "x = )")})
    )
    location = made["results"][-1]["locations"][0]
    assert location["logicalLocations"] == [{"name": "cell 2", "kind": "member"}]
    assert location["properties"] == {"cell": 2, "line": 2, "column": 1}
    assert "region" not in location["physicalLocation"]
    assert not any("fixes" in result for result in made["results"])
    (note,) = made["invocations"][0]["toolExecutionNotifications"]
    assert note["locations"][0]["logicalLocations"][0]["name"] == "cell 3"


def test_odd_names(tmp_path: Path) -> None:
    name = HOSTILE.replace("/", ";") + ".py"
    made = run(report("sarif", tmp_path, {name: SOURCE, b"\xff.py".decode(errors="surrogateescape"): SOURCE}))
    assert len(made["artifacts"]) == 2
    assert all(
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].isascii()
        for result in made["results"]
    )


def test_a_wrong_report_is_refused() -> None:
    with pytest.raises(jsonschema.ValidationError):
        run('{"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]}')
