"""Where the helpers of a program belong: in one module for all of its parts that import each other.

What one helper makes, another one tests for (`isinstance`), and they share the state of random numbers. So a
script and the packages that it imports must not have a module of helpers each."""

from __future__ import annotations

import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate, islice
from pathlib import Path
from typing import Final, NamedTuple

from mindport.catalog.catalog import Catalog
from mindport.rewrite.names_in_configurations import MOST_BYTES, SUFFIXES
from mindport.source.decode import PACKAGE_FILE

_IMPORT: Final = re.compile(
    rb"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w., \t]+))", re.MULTILINE
)
_RELATIVE: Final = re.compile(rb"^[ \t]*from[ \t]+(\.+)([\w.]*)[ \t]+import\b", re.MULTILINE)
_TO_PATH: Final = re.compile(
    rb"^[ \t]*(?:import[ \t]+sys[ \t]*;[ \t]*)?sys\.path\.(?:append|insert|extend)\((.+)$", re.MULTILINE
)
_JOINED: Final = re.compile(rb"^[ \t]*(\w+)[ \t]*=[ \t]*(?:[\w.]+\.)?join\((.+)\)[ \t]*$", re.MULTILINE)
_QUOTED: Final = re.compile(rb"""["']([^"'\n]+)["']""")
_FIELD: Final = re.compile(r"\{[^}]*\}")
_BY_TEXT: Final = re.compile(rb"\b(?:import_module|__import__|locate|instantiate)[ \t]*\(")
"""What imports modules whose names are texts: those of the file, or of files with settings."""
_DOTTED: Final = re.compile(rb"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\.?|[A-Za-z_]\w*\.(?=[\"'{])")
_MOST_SETTINGS: Final = 1_000
_MOST_FILES: Final = 20_000
_LEFT_OUT: Final = ("node_modules", "site-packages")
_OF_THE_PACKAGING: Final = ("setup.py", "conftest.py", "noxfile.py", "hubconf.py")


class HelpersPlace(NamedTuple):
    """Where the helpers of a file belong: the folder of their module, and the package that it is imported
    from: dots, a name, or nothing."""

    folder: Path
    package: str


def _place_of_one(path: Path, base: Path, portions: frozenset[Path]) -> HelpersPlace:
    """The place for a file alone: the outermost package around it that is within `base`, so that it works by
    whatever name the package is imported; for a script beside it. `portions` are packages, too."""

    def is_package(folder: Path) -> bool:
        return folder in portions or (folder / PACKAGE_FILE).is_file()

    folder, dots = path.absolute().parent, ""
    while is_package(folder):
        dots += "."
        is_outermost = folder == base or not is_package(folder.parent)
        if is_outermost or not folder.parent.is_relative_to(base):
            break
        folder = folder.parent
    return HelpersPlace(folder, dots)


class _Imported(NamedTuple):
    """What a file imports: full names (of relative ones nothing), and the relative names, each with its
    dots. `folders` are the texts that it puts into `sys.path`. `texts` are the names in its texts, if it
    imports by such; else None. `early` are the full names that it imports before it changes `sys.path`."""

    names: tuple[str, ...]
    relative: tuple[tuple[bytes, bytes], ...]
    folders: tuple[str, ...]
    texts: frozenset[str] | None
    early: tuple[str, ...] = ()

    @classmethod
    def of(cls, path: Path) -> _Imported:
        text = _text(path)
        added = [each for line in _TO_PATH.findall(text) for each in _QUOTED.findall(line)]
        added += _joined(text) if b"sys.path." in text else ()
        folders = tuple(_FIELD.sub("", each.decode("utf-8", "ignore")).lstrip("/") for each in added)
        texts = _dotted(text) if _BY_TEXT.search(text) else None
        change = _TO_PATH.search(text)
        early = tuple(_names(text[: change.start()])) if change else ()
        return cls(tuple(_names(text)), tuple(_RELATIVE.findall(text)), folders, texts, early)


def _joined(text: bytes) -> Iterator[bytes]:
    """The paths that a file joins to names, which it then gives to `sys.path`, or to a function for that:
    `library = join(here, "..", "lib")` with `add_path(library)`."""
    for name, parts in _JOINED.findall(text):
        if re.search(rb"path(?:\.\w+)?\([^)\n]*\b" + name + rb"\b", text.replace(parts, b"")):
            yield b"/".join(_QUOTED.findall(parts))


def _portions(files: Mapping[Path, _Imported], base: Path) -> frozenset[Path]:
    """The folders that have no file of a package, but modules that import each other by relative names, or,
    within packages, are imported by any names: namespace packages."""
    found: set[Path] = set()
    importing = {path.absolute().parent for path, imported in files.items() if imported.relative}
    importing.discard(base)  # where programs begin, one file may import both ways
    for path, imported in files.items():
        for dots, name in imported.relative:
            start = path.absolute().parents[len(dots) - 1] if len(dots) <= len(path.parents) else base
            inner = list(accumulate(name.decode("ascii", "ignore").split("."), Path.joinpath, initial=start))
            found |= {folder for folder in inner if folder.is_dir() and not (folder / PACKAGE_FILE).is_file()}
    places = {(path.absolute().parent, each) for path, imported in files.items() for each in imported.names}
    for parent, full_name in places:
        found |= set(_without_file(full_name, parent, base))
    portions: set[Path] = set()
    for folder in sorted(found, key=lambda each: len(each.parts)):
        if folder in importing or folder.parent in portions or _is_in_package(folder, base):
            portions.add(folder)
    return frozenset(portions)


def _without_file(name: str, folder: Path, base: Path) -> Iterator[Path]:
    """The folders without a file of a package that a full name leads through, within a package that is in
    one of the folders around a file."""
    first, *rest = name.split(".")
    for around in (folder, *folder.parents) if rest else ():
        if not around.is_relative_to(base):
            return
        if (around / first / PACKAGE_FILE).is_file():
            inner = accumulate(rest, Path.joinpath, initial=around / first)
            yield from (each for each in inner if each.is_dir() and not (each / PACKAGE_FILE).is_file())
            return


def _is_in_package(folder: Path, base: Path) -> bool:
    around = [each for each in folder.parents if each.is_relative_to(base)]
    return any((each / PACKAGE_FILE).is_file() for each in around)


def _text(path: Path) -> bytes:
    """The content of a file; nothing where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


class _Import(NamedTuple):
    """An import of a module of the program by its full name: `taker` and `target` are the folders that the
    helpers of the two files would be in if they were alone, `root` is the folder that the name starts in.
    `library` is a folder beside the root that scripts in the root put into `sys.path`."""

    taker: Path
    target: Path
    root: Path
    library: Path | None = None

    @property
    def is_within(self) -> bool:
        """Whether a package imports something of its own by its name."""
        return self.target == self.taker and self.root == self.taker.parent


@dataclass(frozen=True)
class HelpersPlaces:
    """The places of all files of a program in a folder."""

    base: Path
    shared: Mapping[Path, Path] = field(default_factory=dict)
    """By the folder that a file's helpers would be in if it were alone, the folder of those of all that
    import each other."""
    names: Mapping[Path, str] = field(default_factory=dict)
    """By such a folder, the package that its files import them from, if not by dots."""
    packages: frozenset[Path] = frozenset()
    """The packages that keep their helpers."""
    namespaces: frozenset[Path] = frozenset()
    """The packages without a file of their own, whose modules import each other by the package's name."""
    portions: frozenset[Path] = frozenset()
    """The folders within packages that are packages without a file of their own."""
    by_name: frozenset[Path] = frozenset()
    """The files of packages that import their own package by its name alone: they may be run as scripts,
    where an import by dots fails."""

    @classmethod
    def of(cls, base: Path) -> HelpersPlaces:
        """The places in a folder."""
        files = {path: _Imported.of(path) for path in _modules(base)}
        portions = _portions(files, base)
        added: defaultdict[Path, list[Path]] = defaultdict(list)
        for path, each in files.items():
            added[path.absolute().parent] += _in_path(path, each.folders, base)
        found = {
            path: [
                *_imports(path, each.names, base, portions),
                *_from_folders(path, each.names, added[path.absolute().parent], base, portions),
            ]
            for path, each in files.items()
        }
        for path, each in files.items():
            for folder in _too_late(path, each, base):
                if _is_only_for(folder, path.absolute().parent, files):
                    found[path] = [_beside(one, path, folder) for one in found[path]]
        texts = {path: each.texts for path, each in files.items() if each.texts is not None}
        settings = _in_settings(base) if texts else frozenset()
        by_text = [one for path, own in texts.items() for one in _named(path, own | settings, base, portions)]
        every = [*(one for imports in found.values() for one in imports), *by_text]
        by_name = {
            path.absolute()
            for path, imports in found.items()
            if any(one.is_within for one in imports) and not files[path].relative
        }
        imports = [one for one in every if not one.is_within and _is_alone(one, every)]
        namespaces = {
            one.taker for one in every if one.is_within and not (one.taker / PACKAGE_FILE).is_file()
        }
        shared: dict[Path, Path] = {}
        names: dict[Path, str] = {}
        packages: set[Path] = set()
        for group in _groups(imports):
            package = _only_package(group)
            if package is None:
                scripts = [one.root for one in group if one.library is not None]
                root = min(scripts or [one.root for one in group], key=lambda each: len(each.parts))
                shared |= dict.fromkeys({place for one in group for place in (one.taker, one.target)}, root)
                continue
            packages.add(package)
            shared |= dict.fromkeys({one.taker for one in group}, package)
            names |= {one.taker: package.name for one in group if one.taker != package}
        return cls(
            base, shared, names, frozenset(packages), frozenset(namespaces), portions, frozenset(by_name)
        )

    def place(self, path: Path) -> HelpersPlace:
        """The place for the helpers of a file."""
        alone = _place_of_one(path, self.base, self.portions)
        folder = self.shared.get(alone.folder)
        if folder is None:
            is_named = alone.folder in self.namespaces or path.absolute() in self.by_name
            return HelpersPlace(alone.folder, alone.folder.name) if is_named else alone
        if alone.folder in self.names:
            return HelpersPlace(folder, self.names[alone.folder])
        return alone if folder == alone.folder and folder in self.packages else HelpersPlace(folder, "")


def _modules(base: Path) -> Iterator[Path]:
    number = 0
    for folder, folders, files in os.walk(base):
        folders[:] = sorted(each for each in folders if each[0] != "." and each not in _LEFT_OUT)
        for name in sorted(files):
            if name.endswith(".py") and name not in _OF_THE_PACKAGING:
                number += 1
                yield Path(folder, name)
        if number > _MOST_FILES:
            return


def _imports(path: Path, names: tuple[str, ...], base: Path, portions: frozenset[Path]) -> Iterator[_Import]:
    """What a file imports of the program by full names."""
    taker = _place_of_one(path, base, portions).folder
    is_of_package = (taker / PACKAGE_FILE).is_file()
    tops = {name.partition(".")[0] for name in names}
    # a file of a package sees what is beside it only where it is run itself
    # `from net import Net` in a script beside `net.py` means that, also where the folder has the same name
    has_own_name = taker.name in names and (path.parent / f"{taker.name}.py").is_file()
    is_script = is_of_package and "" not in tops and (taker.name not in tops or has_own_name)
    elsewhere = sys.stdlib_module_names | Catalog.load().helpers.libraries
    for name in dict.fromkeys(filter(None, names)):
        top = name.partition(".")[0]
        is_beside = is_script and has_own_name and top == taker.name
        found = _found(name, taker.parent if is_of_package and not is_beside else path.parent, base)
        if found is None and is_script and top not in elsewhere:
            found = _found(name, path.parent, path.parent)
        if found is None or (found[1] == path and path.stem == top):  # a library of the file's own name
            continue
        root, module = found
        target = _place_of_one(module, base, portions).folder
        yield _Import(taker, target, root)


def _in_path(path: Path, folders: tuple[str, ...], base: Path) -> Iterator[Path]:
    """The folders of the program that a file puts into `sys.path`, but for those that are around it: what
    comes from these is found by its imports."""
    own = path.absolute()
    for name in folders:
        folder = Path(os.path.normpath(own.parent / name))
        if folder.is_dir() and folder.is_relative_to(base) and not own.is_relative_to(folder):
            yield folder


def _too_late(path: Path, imported: _Imported, base: Path) -> Iterator[Path]:
    """The folders around a file that it puts into `sys.path` only after it has imported what is beside it:
    helpers in such a folder would not be found by that."""
    own = path.absolute().parent
    if not any(_found(name, own, own) for name in imported.early if name):
        return
    for name in imported.folders:
        folder = Path(os.path.normpath(own / name))
        if folder != own and own.is_relative_to(folder) and folder.is_relative_to(base):
            yield folder


def _is_only_for(folder: Path, scripts: Path, files: Mapping[Path, _Imported]) -> bool:
    """Whether all modules in a folder are there for the scripts in a folder within it: these import them, and
    nothing else does."""
    modules = {path.stem for path in files if path.absolute().parent == folder}
    inner = {each for path, each in files.items() if path.absolute().is_relative_to(scripts)}
    outer = {
        each
        for path, each in files.items()
        if not path.absolute().is_relative_to(scripts) and path.absolute().parent != folder
    }
    taken = {name.partition(".")[0] for each in inner for name in each.names}
    return modules <= taken and not any(modules & set(each.names) for each in outer)


def _beside(one: _Import, path: Path, folder: Path) -> _Import:
    """An import from a folder around a script, as one whose helpers belong beside the script."""
    if one.root != folder or one.target != folder:
        return one
    return one._replace(root=path.absolute().parent, library=folder)


def _from_folders(
    path: Path, names: tuple[str, ...], folders: list[Path], base: Path, portions: frozenset[Path]
) -> Iterator[_Import]:
    """What a file imports from folders that it, or a file beside it, puts into `sys.path`, or may import by
    names that are computed."""
    taker = _place_of_one(path, base, portions).folder
    parent = path.absolute().parent
    for folder in folders:
        is_beside = not folder.is_relative_to(parent)
        if is_beside and (taker / PACKAGE_FILE).is_file():
            continue
        found = [_module_of(folder, name.split(".")) for name in names if name]
        modules = [next(iter(sorted(folder.glob("*.py"))), None), *found]
        for target in sorted({_place_of_one(one, base, portions).folder for one in modules if one}):
            yield _Import(taker, target, parent, folder if is_beside else None)


def _is_alone(one: _Import, every: list[_Import]) -> bool:
    """Whether nothing else imports from the library beside that scripts import from: these may then share
    their module of helpers with it."""
    library = one.library
    if library is None or one.root.is_relative_to(library):
        return True
    return {one.root} == {
        each.root
        for each in every
        if each.target.is_relative_to(library) and not each.root.is_relative_to(library)
    }


def _dotted(text: bytes) -> frozenset[str]:
    """The names with dots in a text; one that a text goes on from (`"models." + name`) ends with a dot."""
    return frozenset(each.decode("ascii", "ignore") for each in _DOTTED.findall(text))


def _in_settings(base: Path) -> frozenset[str]:
    """The names with dots in the files with settings in a folder."""
    found: set[str] = set()
    paths = (path for path in sorted(base.rglob("*")) if path.suffix in SUFFIXES and path.is_file())
    for path in islice(paths, _MOST_SETTINGS):
        if path.stat().st_size <= MOST_BYTES:
            found |= _dotted(_text(path))
    return frozenset(found)


def _named(path: Path, texts: frozenset[str], base: Path, portions: frozenset[Path]) -> Iterator[_Import]:
    """What a file may import by texts: modules of other packages that it or settings name."""
    around = [each for each in path.parents if each.is_relative_to(base)]
    names = (name for name in sorted(texts) if _is_of_program(name, around))
    yield from (one for one in _imports(path, tuple(names), base, portions) if one.taker != one.target)


def _is_of_program(name: str, folders: list[Path]) -> bool:
    """Whether a text names a module in one of some folders, or a class in one; or begins the name of one."""
    parts = name.rstrip(".").split(".")
    if any(Path(folder, *parts).with_suffix(".py").is_file() for folder in folders) and len(parts) > 1:
        return True
    if name.endswith("."):
        return any(Path(folder, *parts).is_dir() for folder in folders)
    *outer, last = parts
    return last[0].isupper() and any(
        Path(folder, *outer).with_suffix(".py").is_file() or Path(folder, *outer, PACKAGE_FILE).is_file()
        for folder in folders
    )


def _names(text: bytes) -> Iterator[str]:
    """The names of the modules that a text imports; of those that are relative nothing."""
    for match in _IMPORT.finditer(text):
        for name in (match[1] or match[2]).decode("ascii", "ignore").split(","):
            words = name.split()
            if words:
                yield "" if words[0].startswith(".") else words[0]


def _found(name: str, folder: Path, base: Path) -> tuple[Path, Path] | None:
    """The folder that a full name starts in, the nearest around a file, and a module that it leads to. What
    is beside the folder of the program is no part of it."""
    while True:
        module = _module_of(folder, name.split("."))
        if module is not None and module.is_relative_to(base):
            return folder, module
        if folder == base or not folder.is_relative_to(base):
            return None
        folder = folder.parent


def _module_of(folder: Path, parts: list[str]) -> Path | None:
    """The file in a folder that a full name leads to, as far as there are packages with a file of their own;
    of a package without one any module. None where there is nothing of the name."""
    inner = folder / parts[0]
    for module in (inner / PACKAGE_FILE, folder / f"{parts[0]}.py"):
        if module.is_file():
            return module
    if not inner.is_dir():
        return None
    deeper = _module_of(inner, parts[1:]) if parts[1:] else None
    return deeper or next(iter(sorted(inner.glob("*.py"))), None)


def _groups(imports: list[_Import]) -> list[list[_Import]]:
    """The imports of parts that import each other, directly or not."""
    leader: dict[Path, Path] = {}

    def leading(place: Path) -> Path:
        while leader.setdefault(place, place) != place:
            place = leader[place]
        return place

    for one in imports:
        leader[leading(one.taker)] = leading(one.target)
    groups: defaultdict[Path, list[_Import]] = defaultdict(list)
    for one in imports:
        groups[leading(one.target)].append(one)
    return list(groups.values())


def _only_package(group: list[_Import]) -> Path | None:
    """The package that is all that is imported, with no script beside it: it keeps its helpers, so that it
    can be installed."""
    targets = {one.target for one in group}
    package = next(iter(targets))
    is_one = len(targets) == 1 and (package / PACKAGE_FILE).is_file()
    return package if is_one and all(one.root == package.parent != one.taker for one in group) else None
