"""How loud findings are: what converts without loss, what repeats, what matters to few, and the setting."""

from __future__ import annotations

import pytest
from findings import found_in
from mindport.assess.file_findings import FileFindings

HEAD = "import torch\nfrom torch import nn\n"
REPEATED = HEAD + "torch.lobpcg(a)\nif b:\n    torch.lobpcg(c)\ntorch.lobpcg(d); torch.lobpcg(e)\n"


def told(found: FileFindings) -> list[str]:
    return [f"{one.finding.severity.value} {one.code}" for one in found.diagnostics()]


QUIET = {
    "an equivalent": ("torch.abs(x)", "hint MP101"),
    "not needed": ("with torch.no_grad(): pass", "hint MP102"),
    "no equivalent": ("torch.lobpcg(x)", "error MP301"),
    "a default that differs": ("torch.flatten(x)", "warning MP203"),
    "other random numbers": ("torch.manual_seed(0)", "hint MP204"),
    "a name that is being typed": ("nn.Conv2", "hint MP302"),
    "a member of what has no equivalent": ("torch.finfo(torch.float32).eps", "error MP301"),
}


@pytest.mark.parametrize("name", QUIET)
def test_severities(name: str) -> None:
    call, expected = QUIET[name]
    _, found = found_in(HEAD + call + "\n", style="classic")
    first, *others = told(found)
    assert first == expected
    assert all(one.startswith("hint") for one in others)


def test_what_a_safe_fix_puts_right_is_a_hint() -> None:
    _, found = found_in(HEAD + "torch.zeros(2, 3).sum(dim=1, keepdims=True)\n", style="mint")
    of_method = [one for one in found.diagnostics() if one.code == "MP202" and one.finding.fix == "safe"]
    assert [one.finding.severity.value for one in of_method] == ["hint", "hint"]


def test_what_repeats_is_said_once() -> None:
    _, found = found_in(REPEATED)
    assert told(found) == ["error MP301"] + 3 * ["hint MP301"]
    assert [one.severity.value for _, block in found.shown() for one in block] == ["error", *3 * ["hint"]]


def test_a_suppressed_one_says_nothing() -> None:
    text = REPEATED.replace("torch.lobpcg(a)", "torch.lobpcg(a)  # mindport: ignore")
    _, found = found_in(text)
    assert told(found) == ["error MP301"] + 2 * ["hint MP301"]
    text = REPEATED.replace("torch.lobpcg(e)", "torch.lobpcg(e)  # mindport: ignore")
    assert told(found_in(text)[1]) == ["error MP301", "hint MP301"]


def test_another_message_is_no_repeat() -> None:
    _, found = found_in(HEAD + "torch.lobpcg(a)\ntorch.flatten(x)\ntorch.flatten(x)\n", style="classic")
    assert told(found) == ["error MP301", "warning MP203", "hint MP203"]


def test_everything_is_as_loud_as_its_rule() -> None:
    _, found = found_in(REPEATED + "torch.abs(x)\n", show="everything")
    assert told(found) == [*4 * ["error MP301"], "information MP101"]


def test_quiet_shows_no_hints_and_fixes_them_all_the_same() -> None:
    session, found = found_in(REPEATED + "torch.abs(x)\n", show="quiet", style="mint")
    assert told(found) == ["error MP301"]
    assert [one.severity.value for _, block in found.shown() for one in block] == ["error"]
    assert len(found.chosen()) == 5
    assert b"mint.abs" in b"".join(edit.new_text.encode() for edit in session.fix_all(found))


def test_a_severity_that_was_set_holds() -> None:
    _, found = found_in(HEAD + "torch.abs(x)\ntorch.abs(y)\n", severity={"MP1": "warning"})
    assert told(found) == ["warning MP101", "hint MP101"]


def test_the_nearest_name_is_told() -> None:
    _, found = found_in(HEAD + "nn.Conv2\n")
    (one,) = found.diagnostics()
    assert one.finding.message("en") == "PyTorch has no `torch.nn.Conv2`. Did you mean `torch.nn.Conv2d`?"
    assert one.finding.message("zh-cn").endswith("您是否想写 `torch.nn.Conv2d`？")
    _, found = found_in(HEAD + "torch.qqqqqqqq\n")
    assert found.diagnostics()[0].finding.message("en") == "PyTorch has no `torch.qqqqqqqq`."


def test_blocks_that_stay_the_same_stay_the_same_objects() -> None:
    """While somebody types, what was said of a block is looked up by the object that it is."""
    session, found = found_in(REPEATED)
    again = session.analyse(found.document.uri, found.document)
    assert [id(block) for _, block in found.shown()] == [id(block) for _, block in again.shown()]
