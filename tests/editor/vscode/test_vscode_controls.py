"""That the other tests can fail: without the extension nothing is seen."""

from __future__ import annotations

import pytest
from editor_process import TEXT
from vscode_page import NotSeenError
from vscode_workbench import Start, Workbench

PATIENCE = 12.0
AFTERWARDS = 4.0
"""What could have come would be there by then: the first wait is over."""


@pytest.fixture
def without_extension(start: Start, tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    return start(tmp_path_factory.mktemp("no extensions"), files={"small.py": TEXT}, seconds=PATIENCE)


def see_nothing(window: Workbench) -> None:
    """The steps of `test_vscode_editing.py`, each of which has to fail."""
    before, window.seconds = window.seconds, PATIENCE
    window.open("small.py", 6, 30)
    with pytest.raises(NotSeenError, match="a squiggle"):
        window.wait_for_squiggles()
    window.seconds = AFTERWARDS
    with pytest.raises(NotSeenError, match="quick fixes"):
        window.open_quick_fixes()
    window.seconds = before
    assert window.path("small.py").read_bytes() == TEXT.encode()


def test_without_the_extension_nothing_is_seen(without_extension: Workbench) -> None:
    see_nothing(without_extension)
    with pytest.raises(NotSeenError, match=r"MindSpore 2\.10"):
        without_extension.status("MindSpore 2.10")
