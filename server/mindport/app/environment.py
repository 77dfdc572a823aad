"""The environment: which versions and settings are in force, and what is wrong with them."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import mindport
from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.project.setting_table import Settings

_FRAMEWORKS = ("torch", "mindspore", "numpy")
_DRIVER = Path("/usr/local/Ascend/driver/version.info")
_TOOLKITS = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME")
"""The environment variables that CANN's `set_env.sh` sets to the folder of the toolkit."""
_USUAL_TOOLKIT = Path("/usr/local/Ascend/ascend-toolkit/latest")
_VERSION_FILES = ("version.cfg", "compiler/version.info", "*/ascend_toolkit_install.info")
_VERSION = re.compile(r"^(?:Version|version|runtime_running_version)=\[?([^\]\s:]+)", re.MULTILINE)
_USUAL_DEPENDENCIES = (
    "lsprotocol",
    "platformdirs",
    "pygls",
    "rich",
    "tree-sitter",
    "tree-sitter-python",
)
_NAME = re.compile(r"[\w.-]+")
_MISSING = Text("MISSING", "缺失")
_NOT_NEEDED = Text("not installed (not needed)", "未安装（不需要）")
_CATALOG = Text("{number} torch APIs; MindSpore {versions}", "{number} 个 torch 接口；MindSpore {versions}")
_NO_PYPROJECT = Text("none", "无")
_BUILD = {
    True: Text("compiled", "已编译"),
    False: Text("not compiled: same results, but slower", "未编译：结果相同，速度较慢"),
}
_NEW_NUMPY = Text(
    "{version}: MindSpore needs NumPy < 2; with NumPy 2 the first operator raises SystemError. Run: pip "
    'install "numpy<2"',
    "{version}：MindSpore 需要 NumPy < 2，使用 NumPy 2 时第一个算子就会抛出 SystemError。请运行：pip install "
    '"numpy<2"',
)
_NO_DRIVER = Text(
    "not found ({path}): programs cannot run on Ascend here",
    "未找到（{path}）：此机器无法在 Ascend 上运行程序",
)
_NO_TOOLKIT = Text(
    "not found: install CANN, and source its set_env.sh before you start MindSpore",
    "未找到：请安装 CANN，并在启动 MindSpore 前 source 其 set_env.sh",
)
_UNKNOWN_VERSION = Text("found, version unknown", "已安装，版本未知")
_HEADINGS = {
    "dependencies": Text("Dependencies", "依赖"),
    "frameworks": Text("Frameworks in this environment (not imported)", "当前环境中的框架（未导入）"),
    "ascend": Text("Ascend", "Ascend"),
    "settings": Text("Active settings", "当前生效的设置"),
    "catalog": Text("API catalog", "接口目录"),
}


class Examination:
    """Looks at the environment. `is_sound` says whether all that mindport needs was there, so far."""

    def __init__(self, language: Language) -> None:
        self.is_sound = True
        self._language = language

    def lines(self, settings: Settings, folder: Path) -> Iterator[str]:
        """All that there is to say: the settings are those in force in a folder."""
        from mindport.catalog.target import parse_version
        from mindport.project.settings import load_settings

        yield _row("mindport", f"{mindport.__version__}  {Path(mindport.__file__).parent}")
        yield _row("Python", f"{platform.python_version()}  {sys.executable}")
        yield _row("platform", platform.platform())
        yield _row("build", _BUILD[_is_compiled()].render(self._language))
        yield from self._heading("dependencies")
        for name in _dependencies():
            yield _row(name, self._version(name, _MISSING, is_needed=True))
        yield from self._heading("catalog")
        yield _row("index", self._catalog())
        yield from self._heading("frameworks")
        for name in _FRAMEWORKS:
            yield _row(name, self._framework(name))
        yield from self._heading("ascend")
        yield _row("driver", self._driver())
        yield _row("CANN", self._toolkit())
        yield from self._heading("settings")
        pyproject = load_settings(folder, check_target=parse_version).pyproject
        yield _row("pyproject.toml", str(pyproject or _NO_PYPROJECT.render(self._language)))
        for name, value in settings.as_json().items():
            yield _row(name, _shown(value))

    def _framework(self, name: str) -> str:
        version = self._version(name, _NOT_NEEDED, is_needed=False)
        is_too_new = name == "numpy" and version[:1].isdigit() and int(version.split(".")[0]) >= 2
        if not is_too_new or installed_version("mindspore") is None:
            return version
        self.is_sound = False
        return _NEW_NUMPY.render(self._language, version=version)

    def _driver(self) -> str:
        if not _DRIVER.is_file():
            return _NO_DRIVER.render(self._language, path=_DRIVER)
        return self._version_in(_DRIVER)

    def _toolkit(self) -> str:
        named = [Path(os.environ[name]) for name in _TOOLKITS if os.environ.get(name)]
        for folder in (*named, _USUAL_TOOLKIT):
            files = [path for pattern in _VERSION_FILES for path in sorted(folder.glob(pattern))]
            if files:
                return f"{self._version_in(files[0])}  {folder}"
        return _NO_TOOLKIT.render(self._language)

    def _version_in(self, path: Path) -> str:
        try:
            found = _VERSION.search(path.read_text("utf-8", errors="replace"))
        except OSError:
            found = None
        return found[1] if found is not None else _UNKNOWN_VERSION.render(self._language)

    def _heading(self, name: str) -> Iterator[str]:
        yield ""
        yield _HEADINGS[name].render(self._language)

    def _version(self, name: str, otherwise: Text, is_needed: bool) -> str:
        version = installed_version(name)
        self.is_sound = self.is_sound and (version is not None or not is_needed)
        return otherwise.render(self._language) if version is None else version

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


def installed_version(name: str) -> str | None:
    """The version of a package in this environment; None if it is not there."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _is_compiled() -> bool:
    """Whether the modules that take the time are compiled ones."""
    from mindport.infer import evaluator

    return not (evaluator.__file__ or "").endswith(".py")


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
