"""Which finding a use gets: by the arguments of the call, the target, the settings, the comments."""

from __future__ import annotations

import pytest
from findings import codes, found_in

HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"

BY_ARGUMENTS = {
    "renamed, by keyword": ("torch.Tensor.softmax(x, dim=1)", "classic", "MP202"),
    "renamed, by position": ("nn.Linear(3, 4, True)", "mint", "MP101"),
    "missing, not given": ("torch.abs(x)", "mint", "MP101"),
    "missing, given": ("torch.abs(x, out=y)", "mint", "MP201"),
    "default differs, left out": ("torch.flatten(x)", "classic", "MP203"),
    "default differs, given": ("torch.flatten(x, start_dim=0)", "classic", "MP101"),
    "no counterpart": ("torch.lobpcg(f)", "mint", "MP301"),
    "star arguments": ("torch.abs(*arguments)", "mint", "MP101"),
}


@pytest.mark.parametrize(("call", "style", "code"), BY_ARGUMENTS.values(), ids=BY_ARGUMENTS)
def test_arguments_decide(call: str, style: str, code: str) -> None:
    found = codes(HEAD + call + "\n", style=style)
    assert [line.split()[0] for line in found] == [code], found


def test_a_star_argument_makes_a_fix_one_to_review() -> None:
    _, found = found_in(HEAD + "torch.abs(*arguments)\n")
    assert [placed.finding.fix for placed in found.diagnostics()] == ["review"]


def test_members_that_stay_as_they_are_have_no_diagnostic() -> None:
    assert codes(HEAD + "torch.abs(y).view(2, 3).shape\n") == ["MP101 torch.abs"]


def test_every_use_is_listed_even_without_a_diagnostic() -> None:
    _, found = found_in(HEAD)
    assert [placed.finding.use.api for placed in found.findings] == [
        "torch",
        "torch.nn",
        "torch.nn.functional",
    ]
    assert not found.diagnostics()


def test_the_device_decides() -> None:
    ascend, cpu = (codes(HEAD + "F.conv2d(x, w)\n", style="mint", device=d) for d in ("ascend", "cpu"))
    assert ascend != cpu


def test_select_and_ignore() -> None:
    source = HEAD + "torch.abs(x)\ntorch.lobpcg(f)\n"
    assert [line.split()[0] for line in codes(source)] == ["MP101", "MP301"]
    assert [line.split()[0] for line in codes(source, select=["MP3"])] == ["MP301"]
    assert [line.split()[0] for line in codes(source, ignore=["MP3"])] == ["MP101"]


def test_severity() -> None:
    source = HEAD + "torch.abs(x)\ntorch.lobpcg(f)\n"
    _, found = found_in(source, severity={"MP1": "off", "MP301": "hint", "MP3": "warning"})
    assert [placed.finding.severity.value for placed in found.diagnostics()] == ["hint"]


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("", ["MP301"]),
        ("  # mindport: ignore", []),
        ("  # mindport: ignore[MP301]", []),
        ("  # mindport: ignore[MP1, MP3]", []),
        ("  # mindport: ignore[MP101]", ["MP301"]),
        ("  # 说明 # mindport: ignore[MP301]", []),
        ("\r", ["MP301"]),
    ],
)
def test_suppression_on_the_line(comment: str, left: list[str]) -> None:
    source = HEAD + f"torch.lobpcg(f){comment}\nx = 1\n"
    assert [line.split()[0] for line in codes(source)] == left


def test_suppression_of_the_file() -> None:
    assert codes("# mindport: ignore-file\n" + HEAD + "torch.abs(x)\n") == []
    assert codes(HEAD + "torch.abs('# mindport: ignore-file')\n") == ["MP101 torch.abs"]


def test_at_finds_the_innermost() -> None:
    source = HEAD + "torch.cat(torch.zeros(3).view(1))\n"
    _, found = found_in(source)
    placed = found.at(source.index("view") + 1)
    assert placed is not None
    assert placed.finding.use.api == "torch.Tensor.view"
    assert found.at(len(source)) is None
