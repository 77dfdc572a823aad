"""The problems of files that nobody has opened, where the setting `diagnostics` is `workspace`: of so many files that
a process of its own looks at them."""

from __future__ import annotations

from pathlib import Path

import pytest
from vscode_workbench import Opened, Start, Workbench

MISSING = "import torch\n\nfound = torch.lobpcg(given)\n"
MANY = 40


@pytest.fixture(scope="module")
def opened(start: Start, extensions: Path) -> Opened:
    files = {f"layers/layer{number}.py": MISSING for number in range(MANY)}
    settings = {"mindport.diagnostics": "workspace"}
    return Opened(lambda: start(extensions, files={"first.py": MISSING, **files}, settings=settings))


def test_problems_of_files_that_are_not_open(window: Workbench) -> None:
    window.open("first.py")
    window.wait_for_squiggles()
    window.command("View: Focus Problems")
    window.until("files that are not open", lambda: any("layer0.py" in row for row in window.problems()))
    window.picture("workspace-problems")
    window.path("layers/layer0.py").write_text("import math\n")
    window.until("what has changed", lambda: not any("layer0.py" in row for row in window.problems()))
    assert any("layer1.py" in row for row in window.problems())
