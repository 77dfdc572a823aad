"""Where packages are that are installed beside the project: the folders of a Python environment.

No interpreter is run to find out: an environment says by its files where its packages are.
"""

from __future__ import annotations

import os
import site
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

_ENVIRONMENT_VARIABLES = ("VIRTUAL_ENV", "CONDA_PREFIX")


def package_folders(python: str = "", environ: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """The folders of packages of the environment of `python`: an interpreter, or an environment's folder. If
    that is empty or no such thing, of the environment that is active, else of the one that runs mindport."""
    given = [python, *(environ.get(name, "") for name in _ENVIRONMENT_VARIABLES)]
    for each in given:
        with suppress(RuntimeError, ValueError, OSError):  # a home that nobody has, for instance
            folders = _of_environment(Path(each).expanduser()) if each else ()
            if folders:
                return folders
    running = [*site.getsitepackages(), site.getusersitepackages()]
    return tuple(Path(path) for path in dict.fromkeys(running) if os.path.isdir(path))  # noqa: PTH112


def _of_environment(path: Path) -> tuple[Path, ...]:
    """The folders of packages of an environment, by its folder or its interpreter, which is a link often."""
    home = path if path.is_dir() else path.parent.parent if path.exists() else None
    if home is None:
        return ()
    patterns = ("lib/python3*/site-packages", "lib/python3*/dist-packages", "Lib/site-packages")
    found = [folder for pattern in patterns for folder in sorted(home.glob(pattern)) if folder.is_dir()]
    if _shares_packages(home):
        found.extend(Path(folder) for folder in site.getsitepackages([sys.base_prefix]))
    return tuple(dict.fromkeys(found))


def _shares_packages(home: Path) -> bool:
    """Whether a virtual environment says that it has the packages of Python's own environment, too."""
    try:
        lines = (home / "pyvenv.cfg").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return False
    said = dict(line.partition("=")[::2] for line in lines)
    return any(
        name.strip() == "include-system-site-packages" and value.strip() == "true"
        for name, value in said.items()
    )
