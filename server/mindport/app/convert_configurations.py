"""Configuration files of a program that is converted as a whole: the names of PyTorch's APIs in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mindport.app.convert_file import ConvertedFile, Rewritten
from mindport.catalog.catalog import Catalog
from mindport.catalog.helper_table import HELPERS_MODULE
from mindport.rewrite.names_in_configurations import MOST_BYTES, SUFFIXES, renamed
from mindport.rewrite.whole import WholeProgram
from mindport.source.decode import PACKAGE_FILE

if TYPE_CHECKING:
    from mindport.app.helpers_place import HelpersPlaces
    from mindport.catalog.target import Target

_TORCH = b"torch."


class _Module(NamedTuple):
    """A module of helpers, and a file that takes helpers from it, by its number."""

    folder: Path
    taker: int

    @property
    def name(self) -> str:
        """The dotted name that programs import it by."""
        names, folder = [HELPERS_MODULE], self.folder
        while (folder / PACKAGE_FILE).is_file():
            names.insert(0, folder.name)
            folder = folder.parent
        return ".".join(names)


def with_configurations(
    converted: Sequence[ConvertedFile], others: Iterable[Path], places: HelpersPlaces, target: Target
) -> list[ConvertedFile]:
    """The files of a program, and those configuration files among `others` that name APIs of PyTorch, which
    name what takes their place then."""
    found = list(converted)
    modules = list(_modules(converted, places))
    program = WholeProgram(Catalog.load(), target)
    for path in others:
        content = _content(path)
        if _TORCH not in content or not modules:
            continue
        module = max(modules, key=lambda each: _nearness(each.folder, path))
        after, helpers, number = renamed(content, program, module.name)
        if number:
            taker = found[module.taker]
            found[module.taker] = replace(taker, helpers=taker.helpers | helpers)
            rewritten = Rewritten(content, after, after)
            found.append(ConvertedFile(str(path), {"unproven": number}, rewritten))
    return found


def _modules(converted: Iterable[ConvertedFile], places: HelpersPlaces) -> Iterable[_Module]:
    """The modules of helpers of a program, each once."""
    known: set[Path] = set()
    for number, file in enumerate(converted):
        folder = places.place(Path(file.path)).folder if file.helpers else None
        if folder is not None and folder not in known:
            known.add(folder)
            yield _Module(folder, number)


def _nearness(folder: Path, path: Path) -> tuple[int, int]:
    """How many folders two places have in common; of these, what is further out is nearer to all."""
    both = zip(folder.parts, path.absolute().parts, strict=False)
    common = next((number for number, (one, other) in enumerate(both) if one != other), len(folder.parts))
    return common, -len(folder.parts)


def _content(path: Path) -> bytes:
    """What is in a configuration file; nothing where it is none, cannot be read, or is not in UTF-8."""
    try:
        is_read = path.suffix in SUFFIXES and path.stat().st_size <= MOST_BYTES
        content = path.read_bytes() if is_read else b""
        content.decode("utf-8")
    except (OSError, ValueError):
        return b""
    return content
