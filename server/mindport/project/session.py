"""The engine that every face uses: documents in, findings and fixes out.

A session holds one project's modules and settings. It is not thread-safe: a server runs it on one thread of
its own. What it returns is immutable and may be handed to other threads.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.assess.assess import Assessor
from mindport.assess.file_findings import FileFindings, PlacedFinding, find
from mindport.callgraph.call_facts import call_facts_of, located
from mindport.callgraph.prefilter import may_give
from mindport.index.module import Module
from mindport.infer.evaluator import Evaluator
from mindport.infer.project_graph import ProjectGraph, name_below, search
from mindport.lowering.incremental import update
from mindport.project.dependencies import DependencyLog, DependencyRecord, FileCallFacts, digest_of
from mindport.project.discover import import_roots
from mindport.project.stub_index import package_folders
from mindport.project.takers import Takers
from mindport.source.decode import SourceError, is_notebook, read_source
from mindport.source.document import Document
from mindport.uses.analysis import analyse
from mindport.uses.expression_at import FoundExpression, ending_at

if TYPE_CHECKING:
    from mindport.callgraph.call_facts import CallFact
    from mindport.catalog.catalog import Catalog
    from mindport.project.setting_table import Settings
    from mindport.rewrite.edit import Edit
    from mindport.rewrite.fixes import ProposedFix

__all__ = ["FileFindings", "PlacedFinding", "Session"]

RECURSION_LIMIT = 10_000
"""Deeply nested code is walked by recursion; Python's own limit of 1,000 frames is too low for it."""


class Session:
    """One project under analysis."""

    def __init__(self, catalog: Catalog, settings: Settings, roots: Sequence[Path] = ()) -> None:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION_LIMIT))
        self.catalog = catalog
        self._graph = ProjectGraph(catalog, roots)
        self._evaluator = Evaluator(self._graph, catalog)
        self._learning = DependencyLog(self._graph)
        self._names: dict[str, str] = {}
        self._given: dict[str, tuple[object, tuple[CallFact, ...]]] = {}
        """What files give to others, by path, with the document or the file's status that it was found by."""
        self._packages: tuple[Path, ...] | None = None
        self.takers = Takers(exclude=settings.exclude)
        self.settings = settings
        self.configure(settings)

    def configure(self, settings: Settings) -> None:
        """Use these settings from now on. Analyses stay; findings are made anew when next asked for."""
        if settings.python != self.settings.python:
            self._packages = None
            self._graph.installed.forget()
        self.settings = settings
        self.target = settings.ported_to
        self._assessor = Assessor(self.catalog, self.target, settings.severity)

    def add_file_roots(self, path: Path) -> None:
        """Let imports start from where those of this file do."""
        self._graph.add_roots(import_roots(path))

    def place(self, path: Path, roots: Sequence[Path]) -> None:
        """Say where the imports of the module at the absolute `path` start, which is not looked up then:
        what `import_roots` gives."""
        name = str(path)
        if name not in self._names and not is_notebook(path):
            self._names[name] = name_below(roots, path)

    def analyse(self, path: str, document: Document) -> FileFindings:
        """The findings of a document. `path` is its file's path, or its URI where it has no file."""
        return self._findings(self._graph.set_document(path, self._name(path), document))

    def analyse_file(self, path: Path) -> FileFindings:
        """The findings of a file on disk, which is read once, whoever imports it. `path` is absolute.

        Raises SourceError when it cannot be read.
        """
        if is_notebook(path):
            from mindport.source.notebook_file import read_notebook  # here, since most projects have none

            return self.analyse(str(path), read_notebook(path).document(str(path)))
        return self._findings(self._graph.file(str(path), self._name(str(path))))

    def call_facts(self, path: Path) -> FileCallFacts:
        """What the calls in a file give to functions of other modules, by its text alone. The file stays
        read, for when it is looked at. Raises SourceError when it cannot be read."""
        if is_notebook(path):
            return FileCallFacts((), None)
        document = self._document_of(path)
        text = document.data if document is not None else read_source(path).text_utf8
        if not self._may_give(text):
            return FileCallFacts((), digest_of(text))
        module = self._graph.file(str(path), self._name(str(path)))
        assert module.document is not None
        return FileCallFacts(call_facts_of(self._evaluator, module), digest_of(module.document.data))

    def take_call_facts_of(self, path: Path) -> bool:
        """Take up what a file gives to others, as it is open or else on disk. Returns whether findings may
        differ now. Nothing is kept of a file but its call facts."""
        name = str(path)
        document = self._document_of(path)
        seen = document or _status(path)
        if name not in self._given or self._given[name][0] != seen:
            self._given[name] = (seen, self._call_facts_apart(path, document))
            self.takers.changed(name, document.data if document is not None else None)
        given = self._given[name][1]
        roots = import_roots(path) if given else ()
        return self._graph.call_facts.take(name, list(located(given, lambda home: search(roots, home).path)))

    def keep_call_facts_of(self, paths: Collection[str]) -> bool:
        """Forget what other files than these give. Returns whether findings may differ now."""
        others = [path for path in self._given if path not in paths]
        for path in others:
            del self._given[path]
        changed = [self._graph.call_facts.take(path, ()) for path in others]
        return any(changed)

    def _call_facts_apart(self, path: Path, document: Document | None) -> tuple[CallFact, ...]:
        """The call facts of a file, which is not taken up for that; none, where it cannot be read."""
        if document is None:
            try:
                text = read_source(path).text_utf8
            except SourceError:
                return ()
            if not self._may_give(text):
                return ()
            document = Document.open(str(path), text)
        elif is_notebook(path) or not self._may_give(document.data):
            return ()
        known = self._graph.modules.get(str(path))
        if known is None:
            known = Module(str(path), self._name(str(path)), path.name == "__init__.py")
            update(known, document)
        return call_facts_of(self._evaluator, known)

    def _document_of(self, path: Path) -> Document | None:
        known = self._graph.modules.get(str(path))
        return known.document if known is not None else None

    def _may_give(self, text: bytes) -> bool:
        may_hold_torch = self._graph.installed.may_hold_torch
        return may_give(text, self.catalog, lambda name: may_hold_torch(name, None))

    def start_with_call_facts(self, call_facts: Mapping[str, Sequence[CallFact]]) -> None:
        """Let it be known, before anything is looked at, what modules give each other, by name."""
        self._graph.call_facts.start_with(call_facts)

    def ending_at(self, path: str, document: Document, offset: int) -> FoundExpression | None:
        """The shortest expression that ends at a byte of a document, with its value. The document is taken up
        for this alone: whoever asks goes back to the one that holds (see `analyse`)."""
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
        return self._graph.installed.take(stubs)

    def _findings(self, module: Module) -> FileFindings:
        analysis = analyse(self._evaluator, module)
        return find(analysis, self._assessor, self.settings.select, self.settings.ignore, self._evaluator)

    def _name(self, path: str) -> str:
        """The dotted name of the module at `path`; of a notebook one that no import has."""
        if is_notebook(path):
            return Path(path).name
        if path not in self._names:
            file = Path(path)
            self._names[path] = name_below(import_roots(file) if file.is_absolute() else (), file)
        return self._names[path]

    def forget(self, path: str, kept: Collection[str] = ()) -> None:
        """The document was closed, or the file, or something in the folder, changed: read the disk when it is
        next asked for. What is `kept` is not as on disk."""
        self._graph.forget(path, kept)

    def take_up_disk(self, kept: Collection[str]) -> bool:
        """Forget the files that are not as they were when they were read, and where modules are, if that has
        changed. Returns whether anything has. What is `kept` is not as on disk."""
        known = [path for path in self._graph.modules if path not in kept]
        gone = [path for path in known if not self._graph.is_as_on_disk(path)]
        for path in gone:
            self._graph.forget(path, kept)
        return self._graph.relocate() or bool(gone)

    def fixes(self, found: FileFindings, start: int, end: int) -> list[ProposedFix]:
        """The fixes of the shown findings that touch the bytes `start`..`end`."""
        from mindport.rewrite import fixes  # here, since a scan has no use for it

        touched = (
            fixes.propose(placed)
            for placed in found.diagnostics()
            if placed.start <= end and start <= placed.end
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
