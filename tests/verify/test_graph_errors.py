"""What the graph compiler says, at the line of the original code."""

from __future__ import annotations

from pathlib import Path

from mindport.verify.graph_errors import source_line
from mindport.verify.model import ModelOutcome
from mindport.verify.model_text import comparison, failure

BEFORE = "import torch\nfrom torch import nn\n\n\ndef forward(self, x):\n    # here\n    try:\n        return torch.sin(x)\n"
AFTER = BEFORE.replace(
    "import torch\nfrom torch import nn\n", "import mindport_helpers as helpers\n"
).replace("torch.sin", "helpers.sin")
SAID = (
    "Unsupported statement 'Try'.\nMore details please refer to x\n\n-----\n# In file {0}/net.py:4~7, 0~9\n"
    "# In file {0}/net.py:{1}~7, 8~16\n# In file {0}/mindport_helpers.py:1~2, 3~4\n# In file /elsewhere/a.py:1\n"
)


def program(folder: Path) -> tuple[Path, Path]:
    original, converted = folder / "original", folder / "converted"
    for place, text in ((original, BEFORE), (converted, AFTER)):
        place.mkdir()
        (place / "net.py").write_text(text)
    (converted / "mindport_helpers.py").write_text("x = 1\n")
    return original, converted


def test_the_innermost_line_of_the_program(tmp_path: Path) -> None:
    original, converted = program(tmp_path)
    for line, expected in (
        (6, (7, "try:")),
        (7, (8, "return torch.sin(x)")),
        (4, (5, "def forward(self, x):")),
    ):
        found = source_line(SAID.format(converted, line), original, converted)
        assert found is not None and (found.path, *found[1:]) == ("net.py", *expected)
    assert source_line("RuntimeError", original, converted) is None
    assert source_line("In file /elsewhere/net.py:3", original, converted) is None
    assert source_line(f"In file {converted}/net.py:99", original, converted) is None


def test_what_is_said(tmp_path: Path) -> None:
    original, converted = program(tmp_path)
    said = SAID.format(converted, 6)
    place = source_line(said, original, converted)
    outcome = ModelOutcome("compared", None, {"output 0": 0.0}, graph_error=said, graph_place=place)
    assert not outcome.is_equal(1.0)
    assert (failure(outcome, "en") or "").splitlines() == [
        "Cannot be compiled in graph mode:",
        "  net.py:7: try:",
        "Unsupported statement 'Try'.",
    ]
    compiled = ModelOutcome("compared", None, {"output 0": 0.0}, graph_differences={"output 0": 0.2})
    assert not compiled.is_equal(0.1) and compiled.is_equal(0.2)
    assert list(comparison(compiled, 0.1, "en"))[1] == (
        "0 of 1 outputs in graph mode equal, largest difference 2.0e-01"
    )
