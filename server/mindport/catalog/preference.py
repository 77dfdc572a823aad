"""Which candidate is preferred for a target."""

from __future__ import annotations

from mindport.catalog.answer import Candidate
from mindport.catalog.target import Target

_MECHANICAL = frozenset(
    (
        "renamed",
        "missing",
        "missing_general",
        "default",
        "required",
        "keyword_only",
        "packed",
        "order",
        "extra",
    )
)
"""Differences of parameters, which a call can be rewritten for."""
_ORDINARY = frozenset(("some", "float32"))
"""What is refused, if ordinary calls are."""


def in_order(candidates: list[Candidate], target: Target) -> list[Candidate]:
    """The candidates, the preferred one first: by style as the target says; for `auto`, `mint` first on
    Ascend, elsewhere what runs. An API comes before a template of the same rank, unless it behaves
    differently in more ways than the template does. The order of the mapping data decides between equals."""

    def rank(candidate: Candidate) -> tuple[int, ...]:
        return _rank(candidate, target)

    apis = sorted((c for c in candidates if c.template is None), key=rank)
    templates = sorted((c for c in candidates if c.template is not None), key=rank)
    if not apis or not templates:
        return apis + templates
    first, other = apis[0], templates[0]
    better = (rank(other), _behaves_differently(other)) < (rank(first), _behaves_differently(first))
    return templates + apis if better else apis + templates


def _rank(candidate: Candidate, target: Target) -> tuple[int, ...]:
    if target.style == "classic":
        styles = {"classic": 0, "any": 0, "mint": 1}
    else:
        styles = {"mint": 0, "any": 0, "classic": 1}
    style = styles[candidate.style]
    if target.style != "auto" or target.device == "ascend":
        return (_is_operator(candidate), style)
    return (_is_operator(candidate), _doubt(candidate), style)


def _behaves_differently(candidate: Candidate) -> int:
    """In how many ways it behaves differently."""
    return sum(d.code not in _MECHANICAL for d in candidate.differences)


def _is_operator(candidate: Candidate) -> bool:
    return any(d.code == "operator_class" for d in candidate.differences)


def _doubt(candidate: Candidate) -> int:
    """How little is known to run as in torch: what does comes first, then what does for most inputs, what the
    documentation says runs, what nothing is known of, what gives other results, what fails."""
    if candidate.runs is False:
        return 5
    ran = candidate.evidence
    if ran is None:
        return 2 if candidate.runs else 3
    if ran.result == "equal" and ran.of_calls:
        return 0
    if _ORDINARY.intersection(ran.refused):
        return 3
    return 1 if ran.result in ("equal", "runs", "partly") or ran.inputs or not ran.of_calls else 4
