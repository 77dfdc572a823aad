"""The worker: runs snippets of one framework. A task is a line of JSON on standard input, what came of it a
line of JSON on standard output. Whatever a snippet or a framework prints goes to standard error.

Started by `mindport.verify.pool`. It runs texts that mindport itself made, never a user's code.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

_LONGEST_MESSAGE = 300


def main(framework: str) -> None:
    """Answer tasks until standard input ends."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    side = _side(framework)
    print(json.dumps({"ready": framework}), file=replies, flush=True)
    for line in sys.stdin:
        print(json.dumps(_reply(side, json.loads(line))), file=replies, flush=True)


def _side(framework: str) -> Any:
    if framework == "torch":
        from mindport.verify.inside.torch_side import TorchSide

        return TorchSide()
    from mindport.verify.inside.mindspore_side import MindSporeSide

    return MindSporeSide()


def _reply(side: Any, task: Mapping[str, Any]) -> dict[str, Any]:
    """What came of a task: `value` (and `gradient`, where it was asked for and there is one), or `error`."""
    from mindport.verify.inside.forms import run

    try:
        return run(side, task)
    except Exception as error:  # noqa: BLE001 - whatever a framework raises is the result
        message = " ".join(str(error).split())[:_LONGEST_MESSAGE]
        return {"error": type(error).__name__, "message": message}
