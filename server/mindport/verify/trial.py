"""Converting a snippet as the product does, with one candidate of the API on trial."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from mindport.catalog.catalog import Catalog
from mindport.project.session import Session
from mindport.project.setting_table import Settings
from mindport.rewrite import fixes
from mindport.rewrite.edit import applied
from mindport.rewrite.import_removals import no_one
from mindport.source.document import Document

if TYPE_CHECKING:
    from mindport.assess.file_findings import PlacedFinding
    from mindport.catalog.answer import Answer, Candidate
    from mindport.catalog.differences import Difference
    from mindport.catalog.target import Device, Target

_MOST_PASSES = 4


class TrialCatalog(Catalog):
    """A catalog that knows of one API only the candidate on trial, and nothing of what was run before."""

    def __init__(self, whole: Catalog) -> None:
        self.__dict__.update(vars(whole))
        self.trial: tuple[str, Candidate] | None = None

    def answer(self, name: str, target: Target) -> Answer:
        """The answer of the whole catalog; for the API on trial with that candidate alone."""
        answer = super().answer(name, target)
        if self.trial is None or self.trial[0] != answer.api:
            return answer
        return replace(answer, candidates=(self.trial[1],))


class TrialConversion(NamedTuple):
    """What the product made of a snippet. `source` is None where torch code is left; `left` are the codes of
    what was left."""

    source: str | None
    left: tuple[str, ...] = ()


class TrialConverter:
    """Converts snippets for MindSpore on a device, with all fixes."""

    def __init__(self, catalog: Catalog, version: str, device: Device) -> None:
        self.catalog = TrialCatalog(catalog)
        self._settings = Settings(target=version, device=device)
        self._session = Session(self.catalog, self._settings)

    @property
    def target(self) -> Target:
        """What it converts to."""
        return self._session.target

    def candidates(self, api: str) -> list[Candidate]:
        """The candidates for an API, as if nothing had been run."""
        self.catalog.trial = None
        return [_untried(c) for c in self.catalog.answer(api, self.target).candidates]

    def convert(self, api: str, candidate: Candidate, source: str) -> TrialConversion:
        """Convert a snippet with this candidate. Fixes are applied until nothing changes."""
        self.catalog.trial = (api, candidate)
        self._session.configure(self._settings)
        text = source
        for _ in range(_MOST_PASSES):
            found = self._session.analyse("snippet.py", Document.open("snippet.py", text))
            left = tuple(p.code for p in found.findings if p.code and _is_left(p))
            if left:  # what is left of it may look as if it were no torch any more
                return TrialConversion(None, left)
            proposed = [fix for placed in found.findings if (fix := fixes.propose(placed)) is not None]
            edits = fixes.edits(found, proposed, no_one)
            if not edits:
                break
            text = applied(text.encode(), edits).decode()
        return TrialConversion(None if names_torch(text) else text)


def _is_left(placed: PlacedFinding) -> bool:
    """Whether a finding stays without being converted. A member of a Tensor that is written the same in
    MindSpore needs no fix, whatever is said of it."""
    if fixes.propose(placed) is not None:
        return False
    finding = placed.finding
    candidate = finding.candidate
    if candidate is None or candidate.template is not None or finding.use.receiver_end is None:
        return True
    return finding.use.api.replace("torch.", "mindspore.", 1) != candidate.target


def _untried(candidate: Candidate) -> Candidate:
    kept: tuple[Difference, ...] = tuple(
        d for d in candidate.differences if not d.kind.by_run and not d.code.endswith("_measured")
    )
    return replace(candidate, differences=kept, evidence=None, runs=None)


def names_torch(text: str) -> bool:
    """Whether code still names torch. Code that does not parse counts as converted: running it tells."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return False
    return any(isinstance(node, ast.Name) and node.id == "torch" for node in ast.walk(tree))
