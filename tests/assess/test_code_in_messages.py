"""What messages show in place of a use: code with what the user wrote, not the names of a template."""

from __future__ import annotations

import re

import pytest
from findings import found_in
from mindport.report.json_report import file_report

HEAD = "import torch\nfrom torch import nn\n\n\ndef f(x: torch.Tensor, m: nn.Module, *more):\n"
LONG = "the_first_of_many_sizes_there_are + the_second_of_them"


def _message(expression: str, **target: str) -> str:
    _, found = found_in(f"{HEAD}    return {expression}\n", **target)
    finding = next(one.finding for one in found.findings if one.finding.code == "MP103")
    assert finding.message("zh-cn").startswith(finding.message("en").split("`: ")[0])
    return finding.message("en")


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("x.size(0)", "x.shape[0]"),
        ("m.parameters()", "m.get_parameters()"),
        ("m.parameters(recurse=False)", "m.get_parameters(expand=False)"),
        ("(x + 1).size(-1)", "(x + 1).shape[-1]"),
        ("x[1:].size(dim=2)", "x[1:].shape[2]"),
        (f"torch.add(x, x, alpha=2).size({LONG})", "torch.add(x, x, alpha=2).shape[…]"),
        ("m.eval()", "m.set_train(False)"),
    ],
)
def test_code_in_messages_is_the_users(expression: str, shown: str) -> None:
    message = _message(expression)
    assert f"→ `{shown}`" in message, message


@pytest.mark.parametrize(
    "expression", ["map(m.named_modules, x)", "x.size(*more)", "nn.Module.parameters(m)"]
)
def test_without_arguments_to_show_a_name_stands_there(expression: str) -> None:
    _, found = found_in(f"{HEAD}    return {expression}\n")
    texts = [one.finding.becomes for one in found.findings if one.finding.use.api.startswith("torch.")]
    assert not [text for text in texts if re.search(r"\b(self|recurse|prefix|dim)\b", text)], texts


def test_uses_that_differ_in_the_receiver_alone_have_messages_of_their_own() -> None:
    _, found = found_in(f"{HEAD}    y = x.abs()\n    return x.size(0), y.size(0)\n")
    file = file_report("a.py", found, "en")
    messages = [use["message"] for use in file["uses"] if use["api"] == "torch.Tensor.size"]
    assert messages == [f"`torch.Tensor.size` → `{name}.shape[0]`" for name in "xy"]


def test_what_is_said_once_is_told_by_the_template() -> None:
    code = f"{HEAD}    m.named_modules()\n    x.named.named_modules()\n    m.other.named_modules()\n"
    _, found = found_in(code)
    told = {one.finding.telling for one in found.findings if one.finding.telling is not None}
    assert [text for text in told if "named_modules" in text] == [
        "MP204 `torch.nn.Module.named_modules` → `self.cells_and_names()`: `memo` is not supported; each Cell appears only once."
    ]
