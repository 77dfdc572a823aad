"""The code action that writes a test for a class: it compares both frameworks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pygls.exceptions import JsonRpcContentModified

from mindport.language import Text
from mindport.lsp.group_action import folder_around
from mindport.lsp.workspace_edits import Json, file_creation

if TYPE_CHECKING:
    from mindport.app.model_test import ModelTest
    from mindport.lsp.documents import Snapshot
    from mindport.lsp.state import ServerState

MODEL_TEST = "refactor.mindport.modelTest"
MODEL_TEST_KEY = "test of "

_TITLE = Text("Create a test that compares this class in both frameworks", "创建测试，在两个框架中对比此类")


def model_test_title(ls: ServerState, snapshot: Snapshot, start: int) -> str | None:
    """The title of the action for the class that starts at a byte; None where there is none to test."""
    return _TITLE.render(ls.engine.language) if _test(ls, snapshot, start) is not None else None


def model_test_edit(ls: ServerState, snapshot: Snapshot, start: int) -> Json:
    """The edit that makes the file. Raises JsonRpcContentModified where there is no such class any more."""
    made = _test(ls, snapshot, start)
    if made is None:
        raise JsonRpcContentModified("The class has changed since the action was offered")
    return {"documentChanges": file_creation(made.path.as_uri(), made.text)}


def _test(ls: ServerState, snapshot: Snapshot, start: int) -> ModelTest | None:
    from mindport.app.model_test import model_test

    folder = folder_around(ls, snapshot)
    if folder is None:
        return None
    root = snapshot.document.tree.root_node
    return model_test(root, start, Path(snapshot.path), folder, ls.engine.language)
