"""Which finding a use gets: by the arguments of the call, the target, the settings, the comments."""

from __future__ import annotations

import pytest
from findings import codes, found_in
from mindport.assess.temporaries import BLOCKERS

HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"

BY_ARGUMENTS = {
    "renamed, by keyword": ("torch.Tensor.softmax(x, dim=1)", "classic", "MP202"),
    "renamed, by position": ("nn.Linear(3, 4, True)", "mint", "MP101"),
    "missing, not given": ("torch.abs(x)", "mint", "MP101"),
    "missing, given": ("torch.abs(x, out=y)", "mint", "MP201"),
    "default differs, left out": ("torch.flatten(x)", "classic", "MP203"),
    "default differs, given": ("torch.flatten(x, start_dim=0)", "classic", "MP101"),
    "no equivalent": ("torch.lobpcg(f)", "mint", "MP301"),
    "star arguments": ("torch.abs(*arguments)", "mint", "MP101"),
}


@pytest.mark.parametrize(("call", "style", "code"), BY_ARGUMENTS.values(), ids=BY_ARGUMENTS)
def test_arguments_decide(call: str, style: str, code: str) -> None:
    found = codes(HEAD + call + "\n", style=style)
    assert [line.split()[0] for line in found] == [code], found


@pytest.mark.parametrize(
    ("call", "left"),
    [("sum(dim=1, keepdims=True)", ["safe"]), ("sum(axis=1)", []), ("sum(dim=1, keepdim=True)", [])],
)
def test_numpys_names_of_parameters(call: str, left: list[str]) -> None:
    """PyTorch takes them as well; MindSpore only where one of its overloads has them."""
    _, found = found_in(HEAD + f"torch.zeros(2, 3).{call}\n", style="mint")
    of_method = [one for one in found.diagnostics() if one.finding.use.api == "torch.Tensor.sum"]
    assert [placed.finding.fix for placed in of_method] == left
    assert all(placed.code == "MP202" for placed in of_method)


@pytest.mark.parametrize(
    "api",
    [
        "torch.nn.utils.weight_norm",
        "torch.nn.utils.spectral_norm",
        "torch.multiprocessing.spawn",
        "torch.nn.parallel.data_parallel",
        "torch.autograd.gradcheck",
    ],
)
def test_a_function_with_the_name_of_its_module_is_an_api(api: str) -> None:
    """`torch.nn.utils.weight_norm` is a module to who imports it, and a function to who calls it."""
    assert codes(f"import {api}\nimport torch\n{api}(x)\n", select=["MP3"]) == [f"MP301 {api}"]


def test_a_star_argument_makes_a_fix_one_to_review() -> None:
    _, found = found_in(HEAD + "torch.abs(*arguments)\n")
    assert [placed.finding.fix for placed in found.diagnostics()] == ["review"]


def test_members_that_stay_as_they_are_have_no_diagnostic() -> None:
    assert codes(HEAD + "torch.abs(y).view(2, 3).shape\n") == ["MP101 torch.abs"]


@pytest.mark.parametrize(
    ("made", "attribute", "expected"),
    [
        ("torch.zeros(3)", "requires_grad", ["MP209"]),
        ("nn.Parameter(y)", "requires_grad", []),
        ("mine(y)", "requires_grad", []),
        ("torch.zeros(3)", "data", []),
        ("torch.zeros(3)", "real", ["MP209"]),
        ("torch.zeros(3)", "grad", ["MP301"]),
        ("nn.ReLU()", "training", []),
    ],
)
def test_attributes_that_are_assigned_to(made: str, attribute: str, expected: list[str]) -> None:
    """`requires_grad` of a Parameter and `data` do what they do in PyTorch; nobody reads `grad`."""
    found = codes(HEAD + f"x = {made}\nx.{attribute} = y\n", select=["MP2", "MP3"])
    assert [line.split()[0] for line in found if line.endswith(f"x.{attribute}")] == expected


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


def test_a_report_of_some_findings() -> None:
    _, found = found_in(HEAD + "torch.abs(x)\ntorch.lobpcg(f)\n")
    assert found.diagnostics() is found.diagnostics()
    assert found.findings is found.findings
    missing = found.only(lambda placed: placed.code == "MP301")
    assert [placed.finding.use.api for placed in missing.findings] == ["torch.lobpcg"]
    assert [placed.code for placed in missing.diagnostics()] == ["MP301"]
    none = found.only(lambda placed: placed.code is None)
    assert [placed.finding.use.api for placed in none.findings] == [
        "torch",
        "torch.nn",
        "torch.nn.functional",
    ]
    assert none.diagnostics() == ()


def test_at_takes_both_ends() -> None:
    _, found = found_in(HEAD + "torch.abs(x)\n")
    [placed] = found.diagnostics()
    for offset in (placed.start, placed.end):
        assert found.at(offset) == placed
    assert found.at(placed.start - 1) is None
    assert found.at(placed.end + 1) is None


def test_a_suppression_on_the_first_or_last_line_of_an_expression() -> None:
    lines = ["(torch  # mindport: ignore", ".", "abs  # mindport: ignore", ")(x)"]
    for kept in (0, 2):
        source = "\n".join(
            line if number == kept else line.split("  #")[0] for number, line in enumerate(lines)
        )
        assert codes(HEAD + source + "\n") == []
    assert len(codes(HEAD + "(torch\n.  # mindport: ignore\nabs)(x)\n")) == 1


def test_suppressions_with_several_codes_and_empty_ones() -> None:
    assert codes(HEAD + "torch.abs(x)  # mindport: ignore[ , MP2, MP101 ]\n") == []
    assert codes(HEAD + "torch.abs(x)  # mindport: ignore[ , ]\n") == []
    assert len(codes(HEAD + "torch.abs(x)  # mindport: ignore[MP2]\n")) == 1


def test_what_is_shown_of_a_block_is_kept_by_what_is_selected() -> None:
    _, found = found_in(HEAD + "torch.abs(x)\n")
    block = next(block for _, block in found.blocks if block.findings and block.findings[0].code)
    everything, nothing = (("MP",), ()), (("MP",), ("MP1",))
    assert block.selected(everything) is block.selected(everything)
    assert len(block.selected(everything)) == 1
    assert block.selected(nothing) == ()
    assert len(block.selected(everything)) == 1


def test_findings_that_are_alike_share_what_is_made_of_them() -> None:
    _, found = found_in(HEAD + "torch.abs(x)\ntorch.abs(x)\n")
    one, other = (placed.finding for placed in found.diagnostics())
    one.derived["something"] = 1
    assert one.derived is other.derived
    changed = one.changed("none", None, None, None)
    assert changed.derived == {}
    assert (changed.targets, changed.candidate_text) == ((), "")
    assert changed.code == "MP101"


def test_messages_and_blockers() -> None:
    _, found = found_in(HEAD + "torch.abs(x)\n", device="cpu")
    assert found.problems() == []
    assert [placed.finding.message("en") for placed in found.findings[:3]] == [""] * 3
    finding = found.diagnostics()[0].finding
    without = finding.changed(finding.fix, finding.candidate, finding.plan, None).message
    told = finding.changed(finding.fix, finding.candidate, finding.plan, BLOCKERS["view"]).message
    assert told("en") == f"{without('en')} {BLOCKERS['view'].render('en')}"
    assert told("zh-cn") == without("zh-cn") + BLOCKERS["view"].render("zh-cn")
