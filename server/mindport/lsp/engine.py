"""The engine as the server's worker uses it. Everything here runs on the worker's thread.

What takes long to import is imported here, when first needed: the server answers `initialize` without it.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mindport.language import Language

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.catalog.catalog import Catalog
    from mindport.project.session import Session
    from mindport.project.settings import LoadedSettings, SettingsError
    from mindport.source.document import Document

_COLLECTIONS = (20_000, 20, 20)
"""How seldom cyclic garbage is looked for: at Python's own rate, a keystroke in ten waits for it."""


class Engine:
    """The catalog and the session, once they are loaded."""

    def __init__(self) -> None:
        self._catalog: Catalog | None = None
        self._session: Session | None = None
        self._rooted: set[Path] = set()
        self._deprecated: dict[str, bool] = {}

    @property
    def is_usable(self) -> bool:
        """Whether catalog and settings are there. May be asked on any thread."""
        return self._session is not None

    @property
    def catalog(self) -> Catalog:
        """The catalog. Raises RuntimeError before `load`."""
        if self._catalog is None:
            raise RuntimeError("the catalog is not loaded")
        return self._catalog

    @property
    def session(self) -> Session:
        """The session. Raises RuntimeError before `configure`."""
        if self._session is None:
            raise RuntimeError("there is no session yet")
        return self._session

    @property
    def language(self) -> Language:
        """The language of the settings in force."""
        return self.session.settings.language

    def load(self) -> None:
        """Load the catalog. Raises what `Catalog.load` raises."""
        from mindport.catalog.catalog import Catalog

        self._catalog = Catalog.load()

    def configure(self, folder: Path | None, editor: object) -> LoadedSettings:
        """Put settings in force: those of the folder's pyproject.toml and the editor's."""
        from mindport.catalog.target import parse_version
        from mindport.project.session import Session
        from mindport.project.settings import load_settings

        loaded = load_settings(folder, editor, check_target=parse_version)
        if self._session is None:
            self._session = Session(self.catalog, loaded.settings)
            _spare_collections()
        else:
            self._session.configure(loaded.settings)
        return loaded

    def problem_of(self, editor: object) -> SettingsError | None:
        """What is wrong with settings from the editor, if anything."""
        from mindport.catalog.target import parse_version
        from mindport.project.settings import load_settings

        problems = load_settings(None, editor, check_target=parse_version).problems
        return problems[0] if problems else None

    def analyse(self, path: str, document: Document) -> FileFindings:
        """What is found in a document. After an error, whatever was kept of it is dropped."""
        file = Path(path)
        gc.disable()  # what an analysis makes stays: looking for garbage in it doubles the time it takes
        try:
            if file.is_absolute() and file.parent not in self._rooted:
                self._rooted.add(file.parent)
                self.session.add_file_roots(file)
            return self.session.analyse(path, document)
        except BaseException:
            if self._session is not None:
                self._session.forget(path)
            raise
        finally:
            gc.enable()

    def forget(self, paths: Iterable[str]) -> None:
        """Read these files anew when they are needed next."""
        for path in paths:
            self.session.forget(path)

    def is_deprecated(self, api: str) -> bool:
        """Whether a torch API is deprecated."""
        if api not in self._deprecated:
            details = self.catalog.api(api)
            self._deprecated[api] = details is not None and details.deprecated
        return self._deprecated[api]

    def explain(self, name: str) -> str:
        """The page about an API (`torch.` in front may be left out) or a code, in Markdown."""
        from mindport.assess.rules import all_rules
        from mindport.catalog.explain import explain
        from mindport.report.rule_page import rule_page

        rule = all_rules().get(name.upper())
        if rule is not None:
            return rule_page(rule, self.language)
        names = (name, f"torch.{name}")
        known = next((each for each in names if self.catalog.canonical(each) is not None), name)
        return explain(self.catalog, known, self.session.target, self.language)

    def search(self, query: str, limit: int) -> list[dict[str, Any]]:
        """The APIs that fit a query, best first."""
        return [
            {"name": found.name, "counterparts": list(found.counterparts), "score": round(found.score, 3)}
            for found in self.catalog.search(query, limit)
        ]


def _spare_collections() -> None:
    """Leave what is there now, which stays, out of the search for garbage, and search seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTIONS)
