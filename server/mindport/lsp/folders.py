"""The folders of a workspace, and which one a path belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mindport.project.setting_table import Settings


class Folder(NamedTuple):
    """A folder of the workspace with the settings in force for it. `path` is None where there are none."""

    path: Path | None
    settings: Settings


def innermost(folders: Sequence[Path | None], path: Path) -> int:
    """The number of the innermost folder that is `path` or is around it; else of the first one."""
    around = [
        (len(folder.parts), -number)
        for number, folder in enumerate(folders)
        if folder is not None and path.is_relative_to(folder)
    ]
    return -max(around)[1] if around else 0
