"""The engine as the server's worker uses it. Everything here runs on the worker's thread.

What takes long to import is imported here, when first needed: the server answers `initialize` without it.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from mindport.app.request import Folder, innermost
from mindport.language import Language
from mindport.lsp.garbage import spare_collections
from mindport.source.decode import is_notebook
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.app.arguments import ArgumentsTask
    from mindport.assess.file_findings import FileFindings
    from mindport.callgraph.argument_facts import Given
    from mindport.catalog.catalog import Catalog
    from mindport.catalog.explain import Here
    from mindport.lsp.documents import Snapshot
    from mindport.lsp.session_arguments import SessionArguments
    from mindport.project.session import Session
    from mindport.project.setting_table import Settings
    from mindport.project.settings import LoadedSettings, SettingsError
    from mindport.project.takers import Takers
    from mindport.rewrite.completions import Offer, Typed
    from mindport.source.document import Document
    from mindport.uses.expression_at import FoundExpression

_Result = TypeVar("_Result")


class _Project(NamedTuple):
    """The session of one folder of the workspace; `rooted` are the folders of files whose import
    roots it has. Without a workspace there is one project, whose folder decides on nothing but settings."""

    folder: Path | None
    session: Session
    arguments: SessionArguments
    rooted: set[str]


class FoundFiles(NamedTuple):
    """Files of the workspace, and why others were left out."""

    files: list[Path]
    left_out: list[TextError]


class _Giving(NamedTuple):
    """Files of a project that are to be looked at in its session, and what others give, by path."""

    arguments: SessionArguments
    files: Sequence[Path]
    given: Mapping[str, Given]


class FoundArguments(NamedTuple):
    """What was found out about the calls in files, and why files were left out; and the projects with too
    many files for their sessions of which diagnostics are wanted."""

    found: Sequence[_Giving]
    left_out: Sequence[TextError]
    large: Sequence[ArgumentsTask]

    @property
    def is_small(self) -> bool:
        """Whether that took no process."""
        return not any(each.given for each in self.found)


class Wanted(NamedTuple):
    """Names of installed packages that a session wants to know of, and the folders those are in."""

    session: Session
    folders: tuple[Path, ...]
    names: Sequence[str]


class Engine:
    """The catalog and the sessions, one per folder of the workspace, once they are loaded. `report` tells the
    user of an error of ours, with the URI of the document that it came up in."""

    def __init__(self, report: Callable[[BaseException, str], None]) -> None:
        self._report = report
        self.on_analysis: list[Callable[[], None]] = []
        """Called when a document or file was analysed."""
        self._catalog: Catalog | None = None
        self._projects: tuple[_Project, ...] = ()
        self._project_of: dict[str, _Project] = {}
        self._deprecated: dict[str, bool] = {}
        self._large: frozenset[Path | None] = frozenset()
        """The folders that had too many files for their sessions when these were looked for last: to search
        one again at every question would take long."""

    @property
    def is_usable(self) -> bool:
        """Whether catalog and settings are there. May be asked on any thread."""
        return bool(self._projects)

    @property
    def catalog(self) -> Catalog:
        """The catalog. Raises RuntimeError before `load`."""
        if self._catalog is None:
            raise RuntimeError("the catalog is not loaded")
        return self._catalog

    @property
    def session(self) -> Session:
        """The session of the first folder. Raises RuntimeError before `configure`."""
        if not self._projects:
            raise RuntimeError("there is no session yet")
        return self._projects[0].session

    @property
    def language(self) -> Language:
        """The language of the first folder's settings: a server speaks one."""
        return self.session.settings.language

    def load(self) -> None:
        """Load the catalog, and the modules that sessions need. Raises what `Catalog.load` raises."""
        from mindport.catalog.catalog import Catalog
        from mindport.lsp import session_arguments  # noqa: F401
        from mindport.project import session, settings  # noqa: F401

        self._catalog = Catalog.load()

    def configure(
        self, folders: Sequence[tuple[Path | None, object]], is_trusted: bool = False
    ) -> list[LoadedSettings]:
        """Put settings in force: for each folder those of its pyproject.toml and what the editor says for it.
        There is at least one folder. `is_trusted`: the user trusts what is in the folders."""
        from mindport.catalog.target import parse_version
        from mindport.project.settings import load_settings

        is_first = not self._projects
        loaded = [
            load_settings(folder, editor, check_target=parse_version, is_trusted=is_trusted)
            for folder, editor in folders
        ]
        self._projects = tuple(
            self._project(folder, each.settings, len(folders) == 1)
            for (folder, _), each in zip(folders, loaded, strict=True)
        )
        self._project_of.clear()
        if is_first:
            spare_collections()
        return loaded

    def _project(self, folder: Path | None, settings: Settings, is_only: bool) -> _Project:
        """The project of a folder, with these settings: the one that it has, if any."""
        from mindport.lsp.session_arguments import SessionArguments
        from mindport.project.session import Session

        for project in self._projects:
            if project.folder == folder or (is_only and len(self._projects) == 1):
                project.session.configure(settings)
                return project._replace(folder=folder)
        session = Session(self.catalog, settings)
        return _Project(folder, session, SessionArguments(session, self._report), set())

    def packages_wanted(self) -> list[Wanted]:
        """The names of installed packages that sessions have asked for since this was last called."""
        found = []
        for project in self._projects:
            names = project.session.packages_wanted()
            if names:
                folders = project.session.package_folders()
                found.append(Wanted(project.session, folders, names))
        return found

    def take_stubs(self, wanted: Wanted, stubs: Mapping[str, str]) -> bool:
        """Take up stubs for a session that wanted them. Returns whether findings may differ now."""
        if wanted.folders != wanted.session.package_folders():
            return False  # the settings have changed meanwhile
        return wanted.session.take_stubs(stubs)

    def _project_for(self, path: str) -> _Project:
        """The project that a document belongs to: of the innermost folder around it, else the first one.
        Raises RuntimeError before `configure`."""
        if not self._projects:
            raise RuntimeError("there is no session yet")
        if path not in self._project_of:
            number = innermost([each.folder for each in self._projects], Path(path))
            self._project_of[path] = self._projects[number]
        return self._project_of[path]

    def folders(self) -> list[Folder]:
        """The folders of the workspace with the settings in force for each; one without a path if there are
        none."""
        return [Folder(project.folder, project.session.settings) for project in self._projects]

    def problem_of(self, editor: object) -> SettingsError | None:
        """What is wrong with settings from the editor, if anything."""
        from mindport.catalog.target import parse_version
        from mindport.project.settings import load_settings

        problems = load_settings(None, editor, check_target=parse_version).problems
        return problems[0] if problems else None

    def found(self, snapshot: Snapshot) -> FileFindings | None:
        """What is found in an open document (of a cell: in its whole notebook); None where looking at it
        fails, which is told to the user."""
        if not self.is_usable:
            return None  # the user was told that nothing works
        try:
            found = self.analyse(snapshot.path, snapshot.whole())
            self._analysed()
            return found
        except Exception as error:  # noqa: BLE001 - told to the user, and the rest goes on
            self._report(error, snapshot.uri)
            return None

    def _analysed(self) -> None:
        for tell in self.on_analysis:
            tell()

    def analyse(self, path: str, document: Document) -> FileFindings:
        """What is found in a document. After an error, whatever was kept of it is dropped."""
        project = self._project_for(path)
        return self._look(project, path, lambda: project.session.analyse(path, document))

    def completions(self, path: str, found: FileFindings, cursor: int) -> Iterator[Offer]:
        """What MindSpore has for the name of torch's that is being typed at a byte of a document; nothing
        where the settings say so."""
        from mindport.rewrite.completions import Completions, typed_at

        project = self._project_for(path)
        typed = typed_at(found.document, cursor) if project.session.settings.completion else None
        if typed is None:
            return
        completions = Completions(found, self.catalog, project.session.target)
        session = project.session
        if typed.dot is None:
            expression = session.ending_at(path, found.document, typed.end)
            if expression is not None and expression.name is not None:
                yield from completions.of_name(typed)
            return
        receiver = self._receiver(project, path, found.document, typed, typed.dot)
        if receiver is not None:
            yield from completions.of_member(typed, receiver)

    def _receiver(
        self, project: _Project, path: str, document: Document, typed: Typed, dot: int
    ) -> FoundExpression | None:
        """The expression in front of the dot at which a name is typed."""
        from mindport.rewrite.completions import is_attribute

        session = project.session
        if is_attribute(document, typed):
            return self._look(project, path, lambda: session.ending_at(path, document, dot))
        # Behind a dot alone the text does not parse, or what follows is taken for the name.
        without = document.without(dot, typed.end)
        try:
            return self._look(project, path, lambda: session.ending_at(path, without, dot))
        finally:
            self.analyse(path, document)

    def workspace_files(self) -> FoundFiles:
        """The modules in the folders whose settings want diagnostics for files that are not open, where these
        are few: see `FoundArguments.large` for others. Takes long for many; on any thread."""
        projects = [each for each in self._projects if _wants_all(each) and each.folder not in self._large]
        if not projects:
            return FoundFiles([], [])
        from mindport.app.arguments import is_small

        wanted = [_modules([each], with_notebooks=True) for each in projects]
        small = [each for each in wanted if is_small(each.files)]
        files = [file for each in small for file in each.files if not is_notebook(file)]
        return FoundFiles(sorted({*files}), [error for each in wanted for error in each.left_out])

    def takers(self, path: str) -> Takers:
        """The files that may take names from the module at a path."""
        return self._project_for(path).session.takers

    def find_arguments(self, has_folders: bool, stop: threading.Event) -> FoundArguments:
        """What the calls in the files of the workspace give for parameters, unless `stop` is set meanwhile;
        `has_folders` says that there is a workspace. Takes long: on any thread."""
        from mindport.app.arguments import ArgumentsTask, find_arguments_apart, is_small

        projects = self._projects
        modules = _modules(projects if has_folders else (), with_notebooks=True)
        folders = [project.folder for project in projects]
        found = []
        large = []
        files = [
            [file for file in modules.files if innermost(folders, file) == number]
            for number in range(len(projects))
        ]
        few = [is_small(own) for own in files]
        self._large = frozenset(folder for folder, is_few in zip(folders, few, strict=True) if not is_few)
        for project, own, is_few in zip(projects, files, few, strict=True):
            if is_few:
                found.append(_Giving(project.arguments, own, {}))
            else:
                task = ArgumentsTask(own, project.session.settings)
                given = find_arguments_apart(task, stop)
                found.append(_Giving(project.arguments, (), given or {}))
                large += [task] if _wants_all(project) else []
            if stop.is_set():
                break
        return FoundArguments(found, modules.left_out, large)

    def take_arguments(self, found: FoundArguments) -> None:
        """Take up what files give; it counts when `begin_settling` is called next."""
        for each in found.found:
            each.arguments.take(each.files, each.given)

    def begin_settling(self, opened: Collection[str]) -> None:
        """Documents or files have changed: begin to bring up to date what calls give. These are open."""
        for project in self._projects:
            own = [path for path in opened if self._project_for(path) is project]
            project.arguments.begin(own)

    def settle(self, seconds: float) -> tuple[bool, bool]:
        """Go on with that for about so long. Returns whether there is nothing more to do, and whether
        findings may differ now."""
        until = time.perf_counter() + seconds
        is_done = all(_steps(project.arguments, until) for project in self._projects)
        if is_done:
            self._analysed()
        changed = [project.arguments.has_changed() for project in self._projects]
        return is_done, any(changed)

    def analyse_file(self, path: Path) -> FileFindings:
        """What is found in a file that is not open. Raises SourceError when it cannot be read."""
        project = self._project_for(str(path))
        found = self._look(project, str(path), lambda: project.session.analyse_file(path))
        self._analysed()
        return found

    def _look(self, project: _Project, path: str, look: Callable[[], _Result]) -> _Result:
        try:
            folder = os.path.dirname(path)  # noqa: PTH120 - at every keystroke
            if folder not in project.rooted and os.path.isabs(path):  # noqa: PTH117
                project.rooted.add(folder)
                project.session.add_file_roots(Path(path))
            return look()
        except TextError:
            raise
        except BaseException:
            project.session.forget(path)
            raise

    def forget(self, paths: Iterable[str], kept: Collection[str] = ()) -> None:
        """Read these files, and what is in these folders, anew when they are needed next; but not `kept`."""
        for path in paths:
            for project in self._projects:
                project.session.forget(path, kept)

    def take_up_disk(self, kept: Collection[str]) -> bool:
        """Forget the files that are not as they were when they were read, except `kept`. Returns whether
        there are any."""
        found = [project.session.take_up_disk(kept) for project in self._projects]
        return any(found)

    def is_deprecated(self, api: str) -> bool:
        """Whether a torch API is deprecated."""
        if api not in self._deprecated:
            self._deprecated[api] = self.catalog.is_deprecated(api)
        return self._deprecated[api]

    def explain(self, name: str, path: str | None = None, here: Here | None = None) -> str:
        """The page about an API (`torch.` in front may be left out) or a code, in Markdown; for the target
        of the document with this path, if one is given, and for a use in it (`here`)."""
        from mindport.assess.rules import all_rules
        from mindport.catalog.explain import explain
        from mindport.report.rule_page import rule_page

        rule = all_rules().get(name.upper())
        if rule is not None:
            return rule_page(rule, self.language)
        names = (name, f"torch.{name}")
        known = next((each for each in names if self.catalog.canonical(each) is not None), name)
        session = self.session if path is None else self._project_for(path).session
        return explain(self.catalog, known, session.target, self.language, here)

    def search(self, query: str, limit: int) -> list[dict[str, Any]]:
        """The APIs that fit a query, best first."""
        from mindport.catalog.explain import counterparts_text

        return [
            {
                "name": found.name,
                "counterparts": list(found.counterparts),
                "text": counterparts_text(found, self.language),
                "score": round(found.score, 3),
            }
            for found in self.catalog.search(query, limit)
        ]


def _steps(arguments: SessionArguments, until: float) -> bool:
    """Go on until then. Returns whether there is nothing more to do."""
    while not arguments.step():
        if time.perf_counter() > until:
            return False
    return True


def _wants_all(project: _Project) -> bool:
    """Whether diagnostics are wanted of files that are not open, too."""
    return project.session.settings.diagnostics == "workspace"


def _modules(projects: Iterable[_Project], with_notebooks: bool = False) -> FoundFiles:
    """The files of projects. Of notebooks, diagnostics are about cells, which only an open one has."""
    from mindport.project.discover import TooManyFilesError, discover

    files: dict[Path, None] = {}
    left_out: list[TextError] = []
    for project in projects:
        if project.folder is not None:
            settings = project.session.settings
            found = discover([project.folder], settings.exclude, settings.limit)
            wanted = [file for file in found.files if with_notebooks or not is_notebook(file)]
            files.update(dict.fromkeys(file.absolute() for file in wanted))
            left_out += [each.error for each in found.problems if isinstance(each.error, TooManyFilesError)]
    return FoundFiles(sorted(files), left_out)
