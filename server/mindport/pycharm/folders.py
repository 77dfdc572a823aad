"""Where JetBrains IDEs keep their configuration.

The places are those that JetBrains documents for 2020.1 and later (IDE help, "Directories used by the IDE").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

_NAMES: Mapping[str, str] = {
    "PyCharm": "PyCharm",
    "PyCharmCE": "PyCharm Community",
    "PyCharmEdu": "PyCharm Edu",
    "DataSpell": "DataSpell",
    "IntelliJIdea": "IntelliJ IDEA",
    "IdeaIC": "IntelliJ IDEA Community",
}
"""The IDEs that have Python, by the beginning of their folder's name."""
_FOLDER = re.compile(r"([A-Za-z]+)(20[0-9]{2}\.[0-9])")


class Ide(NamedTuple):
    """One version of one IDE that this user has started at least once. `folder` is its configuration."""

    name: str
    version: str
    folder: Path


def base_folder(platform: str, environment: Mapping[str, str], home: Path) -> Path:
    """Where there is one configuration folder per IDE and version. `platform` is like `sys.platform`."""
    if platform == "win32":
        roaming = environment.get("APPDATA")
        return (Path(roaming) if roaming else home / "AppData" / "Roaming") / "JetBrains"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "JetBrains"
    configured = environment.get("XDG_CONFIG_HOME")
    return (Path(configured) if configured else home / ".config") / "JetBrains"


def find_ides(base: Path) -> list[Ide]:
    """The IDEs whose configuration is in `base`, sorted by name and version; none where there is no such
    folder. Raises OSError where the folder cannot be read."""
    if not base.is_dir():
        return []
    found = (ide_of(path) for path in base.iterdir() if path.is_dir())
    return sorted((ide for ide in found if ide is not None), key=lambda ide: (ide.name, ide.version))


def ide_of(folder: Path) -> Ide | None:
    """The IDE whose configuration folder this is, by its name; None for any other folder."""
    match = _FOLDER.fullmatch(folder.name)
    if match is None or match[1] not in _NAMES:
        return None
    return Ide(_NAMES[match[1]], match[2], folder)
