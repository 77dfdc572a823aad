"""The stubs of installed packages that a session asks for: kept on disk, or made.

A record holds the stub and all that it rests on: the texts of the modules that were read, and where
modules are. It counts only while all of that is the same. What our own reading does not tell of a function,
jedi is asked about.
"""

from __future__ import annotations

import hashlib
import json
import os
import site
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.infer.project_graph import search
from mindport.project.cache_store import CacheStore, cache_folder, compressed, program
from mindport.project.dependencies import Digests
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.catalog.catalog import Catalog
    from mindport.project.jedi_answers import JediAnswers
    from mindport.project.stub_generator import StubGenerator

_ENVIRONMENT_VARIABLES = ("VIRTUAL_ENV", "CONDA_PREFIX")


def package_folders(python: str = "", environ: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """The folders of packages of the environment of `python`: an interpreter, or an environment's folder. If
    that is empty or no such thing, of the environment that is active, else of the one that runs mindport."""
    given = [python, *(environ.get(name, "") for name in _ENVIRONMENT_VARIABLES)]
    for each in given:
        with suppress(RuntimeError, ValueError, OSError):  # a home that nobody has, for instance
            folders = _of_environment(Path(each).expanduser()) if each else ()
            if folders:
                return _with_listed(folders)
    running = [*site.getsitepackages(), site.getusersitepackages()]
    return _with_listed([Path(path) for path in dict.fromkeys(running) if os.path.isdir(path)])  # noqa: PTH112


def _with_listed(folders: Iterable[Path]) -> tuple[Path, ...]:
    """Folders of packages, and those that path configuration files in them list, as those of packages do
    that are installed to be edited. What such a file would have Python run is left out."""
    found: dict[Path, None] = {}
    for folder in folders:
        found[folder] = None
        for file in sorted(folder.glob("*.pth")):
            for line in _lines(file):
                listed = folder / line
                if listed.is_dir():
                    found[listed] = None
    return tuple(found)


def _lines(file: Path) -> Iterator[str]:
    """The paths in a path configuration file."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return
    for line in text.splitlines():
        if line.strip() and not line.startswith(("#", "import ", "import\t")):
            yield line.rstrip()


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


_FORM = "1"


class PackageStubs:
    """Says what packages in `folders` have under dotted names. Close it after use."""

    def __init__(
        self,
        catalog: Catalog,
        folders: Sequence[Path],
        store: CacheStore | None = None,
        *,
        jedi: JediAnswers | None = None,
    ) -> None:
        self._catalog = catalog
        self._folders = tuple(folders)
        self._store = store if store is not None else CacheStore(cache_folder())
        self._jedi = jedi
        self._generator: StubGenerator | None = None
        self._digests = Digests()
        self._known: dict[str, str] = {}
        self._packages: dict[str, bool] = {}
        self.is_complete = True
        """Whether asking again would give the same: not, when jedi was too slow once."""

    def close(self) -> None:
        """End what was started."""
        if self._jedi is not None:
            self._jedi.close()

    def is_installed(self, dotted: str) -> bool:
        """Whether there is a package of that name's first part."""
        package = dotted.partition(".")[0]
        if package not in self._packages:
            self._packages[package] = search(self._folders, package).path is not None
        return self._packages[package]

    def ready(self, names: Iterable[str]) -> dict[str, str]:
        """The stubs that need no package to be looked into."""
        names = list(names)
        for name in names:
            if not self.is_installed(name):
                self._known[name] = ""
        self._known.update(self._stored([name for name in names if name not in self._known]))
        return {name: self._known[name] for name in names if name in self._known}

    def of(self, names: Iterable[str]) -> dict[str, str]:
        """The stubs of these names, empty where there is nothing to say."""
        names = list(names)
        found = self.ready(names)
        records = {}
        for name in names:
            if name not in found:
                text, record = self._made(name)
                self._known[name] = found[name] = text
                if record is not None:
                    records[self._key(name)] = compressed(record)
        self._store.put(records)
        return found

    def described(self, name: str) -> str:
        """What results may rest on of a name: its stub, of a package whether it is there. Names that are
        not `ready` have no description."""
        if "." not in name:
            return str(self.is_installed(name))
        return self._known.get(name, "?")

    def _made(self, name: str) -> tuple[str, bytes | None]:
        """The stub of a name, and the record to keep of it, if it may be kept."""
        from mindport.project.jedi_answers import JediAnswers  # most scans have no use for either
        from mindport.project.stub_generator import StubGenerator

        self._generator = self._generator or StubGenerator(self._catalog, self._folders)
        self._jedi = self._jedi or JediAnswers(self._folders)
        try:
            stub = self._generator.stub(name)
        except (RecursionError, TextError):
            self._generator = None
            self.is_complete = False
            return "", None
        text = stub.text
        if stub.is_open:
            try:
                text = text or _function(name, self._jedi.types(name))
            except TimeoutError:
                self.is_complete = False
                return text, None
        read = [(path, self._digests.of(path)) for path in stub.read]
        return text, json.dumps([text, read, stub.places]).encode()

    def _stored(self, names: Sequence[str]) -> dict[str, str]:
        keys = {self._key(name): name for name in names}
        found = {}
        for key, content in self._store.get(keys).items():
            with suppress(ValueError, TypeError):
                text, read, places = json.loads(content)
                if all(self._digests.of(path) == digest for path, digest in read) and all(
                    search(self._folders, name).path == path for name, path in places.items()
                ):
                    found[keys[key]] = text
        return found

    def _key(self, name: str) -> bytes:
        said = [_FORM, self._catalog.fingerprint, program(), *map(str, self._folders), name]
        text = "\0".join(said).encode("utf-8", "surrogateescape")
        return hashlib.blake2b(text, digest_size=20, person=b"stub").digest()


def _function(dotted: str, types: Sequence[str] | None) -> str:
    """The stub of a function that gives these types; empty, where they are not known or not to be
    spelled."""
    if not types:
        return ""
    spelled = []
    for name in types:
        module, _, last = name.rpartition(".")
        if module == "builtins" and last.isidentifier():
            spelled.append("None" if last == "NoneType" else last)
        elif name.startswith("torch."):
            spelled.append("torch.Tensor" if last == "Tensor" else name)
        else:
            return ""
    name = dotted.rpartition(".")[2]
    gives = spelled[0] if len(spelled) == 1 else f"typing.Union[{', '.join(spelled)}]"
    return (
        f'import typing\nimport torch\ndef {name}(*arguments, **others) -> {gives}:\n    return others[""]\n'
    )
