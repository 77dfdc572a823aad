"""The engine that every face uses: documents in, findings and fixes out.

A session holds one project's modules and settings. It is not thread-safe: a server runs it on one thread of
its own. What it returns is immutable and may be handed to other threads.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.assess.assess import Assessor
from mindport.assess.file_findings import FileFindings, PlacedFinding, find
from mindport.index.memo import evict_unasked
from mindport.index.module import Module
from mindport.infer.evaluator import Evaluator
from mindport.infer.project_graph import ProjectGraph, name_below
from mindport.infer.propagation import Propagation, Settling, defined_by_module, given_by_module
from mindport.project.dependencies import DependencyLog, DependencyRecord, FileArguments
from mindport.project.discover import import_roots
from mindport.project.stub_index import package_folders
from mindport.project.takers import Takers
from mindport.source.decode import is_notebook
from mindport.source.document import Document
from mindport.uses.analysis import analyse
from mindport.uses.collect import forget_uses
from mindport.uses.expression_at import FoundExpression, ending_at

if TYPE_CHECKING:
    from mindport.callgraph.argument_facts import ArgumentFacts, Given
    from mindport.catalog.catalog import Catalog
    from mindport.project.setting_table import Settings
    from mindport.rewrite.edit import Edit
    from mindport.rewrite.fixes import ProposedFix

__all__ = ["FileFindings", "PlacedFinding", "Session"]

RECURSION_LIMIT = 10_000
"""Deeply nested code is walked by recursion; Python's own limit of 1,000 frames is too low for it."""


class Session:
    """One project under analysis."""

    def __init__(
        self,
        catalog: Catalog,
        settings: Settings,
        roots: Sequence[Path] = (),
        argument_facts: ArgumentFacts | None = None,
        keeps_syntax: bool = True,
    ) -> None:
        """`keeps_syntax`: see `ProjectGraph`."""
        sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION_LIMIT))
        self.catalog = catalog
        self._graph = ProjectGraph(catalog, roots, argument_facts=argument_facts, keeps_syntax=keeps_syntax)
        self._evaluator = Evaluator(self._graph, catalog)
        self._propagation = Propagation(self._evaluator)
        self._settling: Settling | None = None
        self._learning = DependencyLog(self._graph)
        self._names: dict[str, str] = {}
        self._packages: tuple[Path, ...] | None = None
        self.takers = Takers(exclude=settings.exclude)
        self.settings = settings
        self.configure(settings)

    def configure(self, settings: Settings) -> None:
        """Use these settings from now on. Analyses stay; findings are made anew when next asked for."""
        if settings.python != self.settings.python:
            self._stop_settling()
            self._packages = None
            self._graph.installed.forget()
        self.settings = settings
        self.target = settings.ported_to
        self._assessor = Assessor(
            self.catalog, self.target, settings.severity, settings.show, settings.graphMode, settings.features
        )

    def add_file_roots(self, path: Path) -> None:
        """Let imports start from where those of this file do."""
        self._stop_settling()
        self._graph.add_roots(import_roots(path))

    def place(self, path: Path, roots: Sequence[Path]) -> None:
        """Say where the imports of the module at the absolute `path` start, which is not looked up then:
        what `import_roots` gives."""
        name = str(path)
        if name not in self._names and not is_notebook(path):
            self._names[name] = name_below(roots, path)

    def analyse(self, path: str, document: Document) -> FileFindings:
        """The findings of a document. `path` is its file's path, or its URI where it has no file."""
        self._pause_settling(path, document)
        return self._findings(self._graph.set_document(path, self._name(path), document))

    def analyse_file(self, path: Path) -> FileFindings:
        """The findings of a file on disk, which is read once, whoever imports it. `path` is absolute.

        Raises SourceError when it cannot be read.
        """
        if is_notebook(path):
            from mindport.source.notebook_file import read_notebook  # here, since most projects have none

            return self.analyse(str(path), read_notebook(path).document(str(path)))
        self._pause_settling()
        return self._findings(self._graph.file(str(path), self._name(str(path))))

    def forget_findings(self, path: Path) -> None:
        """Drop what only the findings of a file need: its uses, its syntax tree, and all that was evaluated
        there and that no other block relies on."""
        module = self._graph.modules.get(str(path))
        if module is not None and module.document is not None:
            forget_uses(module)
            evict_unasked(module.blocks)
            module.document.forget_syntax()

    def forget_unasked(self) -> None:
        """Drop files that no other module relies on, to have room for more. Findings stay as they are."""
        self._graph.forget_unasked()

    @property
    def bytes_read(self) -> int:
        """The size of the files that were read, those that are imported among them."""
        return self._graph.bytes_read

    def definitions(self, path: Path) -> FileArguments:
        """What the classes in a file define, as far as that is part of what its calls give: nothing is
        evaluated. Raises SourceError when it cannot be read."""
        return self._told_of(path, defined_by_module)

    def arguments(self, path: Path) -> FileArguments:
        """What the calls in a file give for parameters, as far as is known what its own are given. Raises
        SourceError when it cannot be read."""
        return self._told_of(path, given_by_module)

    def _told_of(self, path: Path, look: Callable[[Evaluator, Module], Given]) -> FileArguments:
        name = str(path)
        module = self._module_of(name)
        assert module.document is not None
        digest = None if is_notebook(name) else module.document.digest
        return FileArguments(look(self._evaluator, module), digest)

    def _module_of(self, path: str) -> Module:
        """The module of a file: as it is open, else on disk."""
        if is_notebook(path):
            from mindport.source.notebook_file import read_notebook  # here, since most projects have none

            known = self._graph.modules.get(path)
            if known is not None and known.document is not None:
                return known
            document = read_notebook(Path(path)).document(path)
            return self._graph.set_document(path, self._name(path), document)
        return self._graph.file(path, self._name(path))

    def load(self, path: Path) -> None:
        """Take up a file on disk, unless it is known. `path` is absolute. Raises SourceError when it cannot
        be read."""
        self._stop_settling()
        self._module_of(str(path))

    def take_arguments(self, given: Mapping[str, Given]) -> bool:
        """Take up what files give for parameters, by their paths. Returns whether findings may differ now."""
        self._stop_settling()
        return self._propagation.take(given)

    def expect_arguments(self, given: Mapping[str, Given]) -> None:
        """The same, when modules are settled next."""
        self._stop_settling()
        self._propagation.expect(given)

    def settle(self, paths: Iterable[str]) -> bool:
        """Find anew what the calls in these modules give for parameters, also each other's: it counts instead
        of what was taken up of them. Returns whether findings may differ now."""
        settling = self.settling(paths)
        while not settling.step():
            pass
        return settling.has_changed

    def settling(self, paths: Iterable[str]) -> Settling:
        """The same, a step at a time. Whatever else is looked at meanwhile is looked at with what was known
        before; what changes the project cancels it."""
        self._stop_settling()
        modules = [self._graph.modules.get(path) for path in paths]
        known = [one for one in modules if one is not None and one.document is not None]
        self._settling = self._propagation.settling(known)
        return self._settling

    def _pause_settling(self, path: str = "", document: Document | None = None) -> None:
        """Something is looked at. A document that is not as it is known changes the project."""
        known = self._graph.modules.get(path) if self._settling is not None and document is not None else None
        if document is not None and (known is None or known.document is not document):
            self._stop_settling()
        elif self._settling is not None:
            self._settling.suspend()

    def _stop_settling(self) -> None:
        if self._settling is not None:
            self._settling.cancel()
            self._settling = None

    def ending_at(self, path: str, document: Document, offset: int) -> FoundExpression | None:
        """The shortest expression that ends at a byte of a document, with its value. The document is taken up
        for this alone: whoever asks goes back to the one that holds (see `analyse`)."""
        self._pause_settling(path, document)
        module = self._graph.set_document(path, self._name(path), document)
        return ending_at(self._evaluator, module, offset)

    def is_importable(self, path: Path) -> bool:
        """Whether an import of the module's name finds this very file: not, where `a/__init__.py` is beside
        `a.py`. A notebook is out of every module's way."""
        return is_notebook(path) or self._graph.locate(self._name(str(path))) == str(path)

    def learnt(self) -> DependencyRecord:
        """What was found out, since this was last asked, about the modules that findings rest on."""
        return self._learning.news()

    def packages_wanted(self) -> list[str]:
        """The names of installed packages that code asked for, and whose stubs are not known."""
        return self._graph.installed.wanted()

    def package_folders(self) -> tuple[Path, ...]:
        """Where the packages are that are installed beside the project, by the settings."""
        if self._packages is None:
            self._packages = package_folders(self.settings.python)
        return self._packages

    def take_stubs(self, stubs: Mapping[str, str]) -> bool:
        """Take up stubs of installed packages, by name. Returns whether findings may differ now."""
        self._stop_settling()
        return self._graph.installed.take(stubs)

    def _findings(self, module: Module) -> FileFindings:
        analysis = analyse(self._evaluator, module)
        selection = self.settings.select, self.settings.ignore
        return find(analysis, self._assessor, selection, self.settings.show, self._evaluator)

    def _name(self, path: str) -> str:
        """The dotted name of the module at `path`; of a notebook one that no import has."""
        known = self._names.get(path)
        if known is None:
            file = Path(path)
            if is_notebook(path):
                return file.name
            known = self._names[path] = name_below(import_roots(file) if file.is_absolute() else (), file)
        return known

    def forget(self, path: str, kept: Collection[str] = ()) -> None:
        """The document was closed, or the file, or something in the folder, changed: read the disk when it is
        next asked for. What is `kept` is not as on disk."""
        self._stop_settling()
        self._graph.forget(path, kept)

    def take_up_disk(self, kept: Collection[str]) -> bool:
        """Forget the files that are not as they were when they were read, and where modules are, if that has
        changed. Returns whether anything has. What is `kept` is not as on disk."""
        self._stop_settling()
        known = [path for path in self._graph.paths_read if path not in kept]
        gone = [path for path in known if not self._graph.is_as_on_disk(path)]
        for path in gone:
            self._graph.forget(path, kept)
        return self._graph.relocate() or bool(gone)

    def has_moved(self) -> bool:
        """Whether a module is elsewhere than code was told since this was last asked: findings may differ."""
        return self._graph.has_moved()

    def fixes(self, found: FileFindings, start: int, end: int) -> list[ProposedFix]:
        """The fixes of the shown findings that touch the bytes `start`..`end`."""
        from mindport.rewrite import fixes  # here, since a scan has no use for it

        touched = (
            fixes.propose(placed) for placed in found.chosen() if placed.start <= end and start <= placed.end
        )
        return [fix for fix in touched if fix is not None]

    def edits(self, found: FileFindings, fix: ProposedFix) -> tuple[Edit, ...]:
        """The edits of one fix, with those of the imports."""
        from mindport.rewrite import fixes

        return fixes.edits(found, [fix], self.takers.of(found.document.uri))

    def fix_all(self, found: FileFindings) -> tuple[Edit, ...]:
        """All safe fixes of a document, in one pass."""
        from mindport.rewrite import fixes

        return fixes.edits(found, fixes.safe_fixes(found), self.takers.of(found.document.uri))


def _status(path: Path) -> tuple[int, int] | None:
    """What tells a file from one that was written later; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
