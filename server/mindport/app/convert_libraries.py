"""Libraries that are built on PyTorch, converted with the program that imports them: both are laid out in one
folder, as their imports see each other, and converted as one program."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.app.convert import files_not_copied, is_small
from mindport.catalog.catalog import Catalog
from mindport.language import Text
from mindport.project.stub_index import package_folders
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.app.convert_file import ConvertedFile
    from mindport.project.discover import Discovery
    from mindport.project.setting_table import Settings

_NOT_FOUND: Final = Text(
    "--with: package {name} is not installed here. Give its folder, or use --python to name an "
    "environment that has it.",
    "--with：未找到已安装的包 {name}。请给出其文件夹，或用 --python 指定安装了它的环境。",
)
_LEFT_OUT: Final = ("__pycache__", "tests", "test", ".*", "*.so", "*.pyd", "*.pyc", "*.dll", "*.dylib")
_UNAVAILABLE: Final = re.compile(rb'(?:unavailable|not_converted)\(\s*"(\w+)')


class LaidOut(NamedTuple):
    """A program and libraries in a folder of their own: `base` is the folder around the program's own
    files."""

    folder: Path
    base: Path
    libraries: tuple[str, ...]

    def shown(self, path: str) -> str:
        """The path of a file as the user knows it: of a library, from its name on."""
        file = Path(path)
        if not file.is_relative_to(self.folder):
            return path
        within = file.relative_to(self.folder)
        is_library = within.parts[0].removesuffix(".py") in self.libraries
        return str(within if is_library else self.base / within)


def library_source(name: str, settings: Settings) -> Path:
    """The folder or file of a package, by its name or its folder. Raises TextError."""
    given = Path(name)
    if given.is_dir():
        return given.resolve()
    installed = _installed(name, settings)
    if installed is None:
        raise TextError(_NOT_FOUND, name=name)
    return installed


def passed_over(name: str, settings: Settings) -> Path | None:
    """An installed package of this name that is not taken, since there is a folder of the name."""
    installed = _installed(name, settings) if Path(name).is_dir() else None
    return None if installed is None or installed.resolve() == Path(name).resolve() else installed


def _installed(name: str, settings: Settings) -> Path | None:
    for folder in package_folders(settings.python) if name.isidentifier() else ():
        for found in (folder / name, folder / f"{name}.py"):
            if found.exists():
                return found
    return None


@contextmanager
def laid_out(
    files: Discovery, base: Path, paths: Sequence[Path], libraries: Sequence[Path], settings: Settings
) -> Iterator[LaidOut]:
    """The files of a program, found in `paths` below `base`, with the data beside them and with libraries; it
    goes when the conversion is over. Raises OSError where something cannot be read."""
    with tempfile.TemporaryDirectory(prefix="mindport-") as scratch:
        folder = Path(scratch, "program")
        others = filter(is_small, files_not_copied(paths, settings, folder))
        for file in (*files.files, *others):
            place = folder / file.absolute().relative_to(base)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)
        for library in libraries:
            if library.is_dir():
                ignore = shutil.ignore_patterns(*_LEFT_OUT)
                shutil.copytree(library, folder / library.name, ignore=ignore, dirs_exist_ok=True)
            else:
                shutil.copyfile(library, folder / library.name)
        yield LaidOut(folder, base, tuple(library.stem for library in libraries))


def libraries_left(
    converted: Iterable[ConvertedFile], base: Path, libraries: Sequence[str], settings: Settings
) -> list[str]:
    """The libraries built on PyTorch whose names converted code still needs. What only the `libraries` need
    that are converted with a program, in `base`, counts if it is installed: they go without it else."""
    built_on_torch = Catalog.load().libraries.built_on_torch
    given = {Path(name).name for name in libraries}
    of_program: set[str] = set()
    of_libraries: set[str] = set()
    for file in converted:
        if file.rewritten is None:
            continue
        found = {name.decode() for name in _UNAVAILABLE.findall(file.rewritten.after)}
        path = Path(file.path).absolute()
        top = path.relative_to(base).parts[0] if path.is_relative_to(base) else ""
        (of_libraries if top.removesuffix(".py") in given else of_program).update(found)
    needed = of_program.union(name for name in of_libraries if _is_installed(name, settings))
    return sorted(needed.intersection(built_on_torch) - given)


def _is_installed(name: str, settings: Settings) -> bool:
    try:
        library_source(name, settings)
    except TextError:
        return False
    return True
