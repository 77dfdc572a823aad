"""Running an API in both frameworks: its snippets, converted for each candidate, and what came of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from mindport.verify.compare import Verdict, Way, compare
from mindport.verify.outcome import Outcome, of_error
from mindport.verify.snippet import Snippet, snippets

if TYPE_CHECKING:
    from mindport.catalog.answer import Candidate
    from mindport.verify.pool import Reply, Runner
    from mindport.verify.table import ApiInputs, InputTable
    from mindport.verify.trial import TrialConverter


class Verified(NamedTuple):
    """What came of one torch API with one candidate."""

    torch: str
    candidate: Candidate
    outcomes: tuple[Outcome, ...]

    @property
    def target(self) -> str:
        """The candidate as the mapping data name it: a template's text, or an API."""
        return self.candidate.text


class Verifier:
    """Verifies APIs with one runner of each framework. What torch gives is kept for the next candidate."""

    def __init__(
        self, converter: TrialConverter, table: InputTable, torch: Runner, mindspore: Runner
    ) -> None:
        self._converter = converter
        self._table = table
        self._torch = torch
        self._mindspore = mindspore

    def verify(self, name: str) -> list[Verified]:
        """Every candidate of an API; one without outcomes where no inputs are known, none for an API that
        has no candidates. Raises WorkerError when a framework does not start."""
        catalog = self._converter.catalog
        api = catalog.api(name)
        candidates = self._converter.candidates(name)
        if api is None or not candidates:
            return []
        tried = [self._tried(snippet) for snippet in snippets(api, catalog, self._table)]
        made, replies = [snippet for snippet, _ in tried], [reply for _, reply in tried]
        return [
            Verified(
                name, candidate, tuple(self._outcomes(name, candidate, candidates[:place], made, replies))
            )
            for place, candidate in enumerate(candidates)
        ]

    def _tried(self, snippet: Snippet) -> tuple[Snippet, Reply]:
        """The first of a snippet and those to run otherwise that torch runs, with what came of it."""
        reply = self._torch.run(snippet.task_for(snippet.source))
        for other in snippet.otherwise:
            if "error" not in reply:
                break
            snippet, reply = other, self._torch.run(other.task_for(other.source))
        return snippet, reply

    def _outcomes(
        self,
        name: str,
        candidate: Candidate,
        before: Sequence[Candidate],
        made: Sequence[Snippet],
        replies: Sequence[Reply],
    ) -> list[Outcome]:
        """What comes of the calls that the candidate is for. Those of a candidate that stands `before` it, is
        of the same style and is for certain calls, are not."""
        before = [c for c in before if c.when is not None and c.style == candidate.style]
        inputs = self._table.api(name)
        return [
            self._outcome(name, candidate, snippet, reply, inputs)
            for snippet, reply in zip(made, replies, strict=True)
            if _is_for(candidate, snippet) and not any(_is_for(other, snippet) for other in before)
        ]

    def _outcome(
        self, name: str, candidate: Candidate, snippet: Snippet, torch: Reply, inputs: ApiInputs
    ) -> Outcome:
        if "error" in torch:
            return Outcome(snippet.case, "torch_raises", detail=f"{torch['error']}: {torch['message']}")
        converted = self._converter.convert(name, candidate, snippet.source)
        if converted.source is None:
            return Outcome(snippet.case, "not_converted", detail=", ".join(converted.left))
        theirs = self._mindspore.run(snippet.task_for(converted.source))
        if "error" in theirs:
            return of_error(snippet.case, theirs["error"], theirs["message"])
        way = Way(snippet.is_random, inputs.magnitude, inputs.loose, inputs.uninitialized)
        return _judged(snippet, torch, theirs, way)


def _judged(snippet: Snippet, torch: Reply, mindspore: Reply, way: Way) -> Outcome:
    verdict = compare(torch["value"], mindspore["value"], way)
    if verdict.aspect is not None:
        only_omitted = snippet.case.shapes == ("omitted",)
        aspect = "default" if only_omitted and verdict.aspect == "value" else verdict.aspect
        return Outcome(snippet.case, "differs", aspect, verdict.largest, verdict.detail)
    ours, theirs = torch.get("gradient"), mindspore.get("gradient")
    if ours is None or ours["kind"] == "none" or theirs is None:
        return Outcome(snippet.case, "equal", None, verdict.largest)
    if theirs["kind"] == "none":
        return Outcome(snippet.case, "equal", None, verdict.largest, theirs["why"], no_gradient=True)
    gradient = compare(ours, theirs, way)
    if gradient.aspect is not None:
        return Outcome(snippet.case, "differs", "gradient", gradient.largest, gradient.detail)
    lost = _of_parameters(torch, mindspore, way)
    if lost is not None:
        return Outcome(snippet.case, "differs", "gradient", lost.largest, f"of a Parameter: {lost.detail}")
    return Outcome(snippet.case, "equal", None, max(verdict.largest, gradient.largest), "", True)


def _of_parameters(torch: Reply, mindspore: Reply, way: Way) -> Verdict | None:
    """How the gradient for Parameters differs. One that ends in an error is not silent."""
    ours, theirs = torch.get("gradient_of_parameters"), mindspore.get("gradient_of_parameters")
    if ours is None or theirs is None or "none" in (ours["kind"], theirs["kind"]):
        return None
    verdict = compare(ours, theirs, way)
    return verdict if verdict.aspect is not None else None


def _is_for(candidate: Candidate, snippet: Snippet) -> bool:
    """Whether a candidate is for this call."""
    return candidate.when is None or snippet.given is None or candidate.when.fits(snippet.given)
