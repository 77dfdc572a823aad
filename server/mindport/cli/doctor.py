"""`mindport doctor`: which versions and settings are in force, and what is wrong."""

from __future__ import annotations

import importlib.metadata
import platform
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import mindport
from mindport.cli.arguments import Arguments, Command, Given
from mindport.cli.options import settings_for
from mindport.cli.output import StandardOutput
from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.project.setting_table import Settings

_FRAMEWORKS = ("torch", "mindspore")
_USUAL_DEPENDENCIES = (
    "lsprotocol",
    "platformdirs",
    "pydantic",
    "pygls",
    "rich",
    "tree-sitter",
    "tree-sitter-python",
)
_NAME = re.compile(r"[\w.-]+")
_ABOUT = Text(
    "Say which versions and settings are in force, and what is wrong with them.",
    "显示当前的版本与设置，以及其中的问题。",
)
_MISSING = Text("MISSING", "缺失")
_NOT_NEEDED = Text("not installed (not needed)", "未安装（不需要）")
_CATALOG = Text("{number} torch APIs; MindSpore {versions}", "{number} 个 torch 接口；MindSpore {versions}")
_NO_PYPROJECT = Text("none", "无")
_HEADINGS = {
    "dependencies": Text("Dependencies", "依赖"),
    "frameworks": Text("Frameworks in this environment (not imported)", "当前环境中的框架（未导入）"),
    "settings": Text("Settings in force here", "此处生效的设置"),
    "catalog": Text("Catalog", "目录"),
}


def _add_arguments(arguments: Arguments) -> None:
    arguments.settings("language")


def _run(given: Given, language: Language) -> int:
    return doctor(given.settings, language)


COMMANDS = (Command("doctor", _ABOUT, _add_arguments, _run),)


def doctor(options: Mapping[str, object], language: Language) -> int:
    """Print what is in force in the current folder. Returns 1 when something mindport needs is missing."""
    settings, language = settings_for([], options, language)
    examination = _Examination(language)
    lines = list(examination.lines(settings))
    with StandardOutput(is_utf8=False) as out:
        out.write("\n".join(lines) + "\n")
        out.flush()
    return 0 if examination.is_sound else 1


class _Examination:
    """What was found so far."""

    def __init__(self, language: Language) -> None:
        self.is_sound = True
        self._language = language

    def lines(self, settings: Settings) -> Iterator[str]:
        """All that there is to say."""
        from mindport.catalog.target import parse_version
        from mindport.project.settings import load_settings

        yield _row("mindport", f"{mindport.__version__}  {Path(mindport.__file__).parent}")
        yield _row("Python", f"{platform.python_version()}  {sys.executable}")
        yield _row("platform", platform.platform())
        yield from self._heading("dependencies")
        for name in _dependencies():
            yield _row(name, self._version(name, _MISSING, is_needed=True))
        yield from self._heading("catalog")
        yield _row("index", self._catalog())
        yield from self._heading("frameworks")
        for name in _FRAMEWORKS:
            yield _row(name, self._version(name, _NOT_NEEDED, is_needed=False))
        yield from self._heading("settings")
        pyproject = load_settings(Path.cwd(), check_target=parse_version).pyproject
        yield _row("pyproject.toml", str(pyproject or _NO_PYPROJECT.render(self._language)))
        for name, value in settings.as_json().items():
            yield _row(name, _shown(value))

    def _heading(self, name: str) -> Iterator[str]:
        yield ""
        yield _HEADINGS[name].render(self._language)

    def _version(self, name: str, otherwise: Text, is_needed: bool) -> str:
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            self.is_sound = self.is_sound and not is_needed
            return otherwise.render(self._language)

    def _catalog(self) -> str:
        from mindport.catalog.catalog import Catalog
        from mindport.catalog.index import IndexFileError
        from mindport.catalog.target import VERSIONS

        try:
            number = len(Catalog.load().torch_names)
        except IndexFileError as error:
            self.is_sound = False
            return str(error)
        return _CATALOG.render(self._language, number=number, versions=f"{VERSIONS[0]} – {VERSIONS[-1]}")


def _row(name: str, value: str) -> str:
    return f"  {name:20} {value}"


def _shown(value: object) -> str:
    text = ", ".join(value) if isinstance(value, list) else str(value)
    return "–" if text in ("", "{}") else text


def _dependencies() -> list[str]:
    """The packages that mindport needs in this environment, as its own metadata says; where it is run from a
    source tree without being installed, the usual ones."""
    try:
        requirements = importlib.metadata.requires("mindport") or []
    except importlib.metadata.PackageNotFoundError:
        return list(_USUAL_DEPENDENCIES)
    needed = [text for text in requirements if ";" not in text]
    return sorted(match[0] for text in needed if (match := _NAME.match(text)))
