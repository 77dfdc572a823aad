"""Search over the correspondence table, in both directions: parts of names, words, typing errors."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass

from mindport.catalog.correspondence import Correspondences
from mindport.catalog.names import ApiNames

_SHORTEST = 2
"""Queries of so many characters or fewer are looked for at the start of a part of a name only."""
_MOST_ROWS = 3000
"""So many names are ranked at most; those that have a counterpart come first."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A name that fits, and what stands on the other side: MindSpore names for a torch API, torch names for
    a MindSpore API. `score` is between 0 and 1."""

    name: str
    counterparts: tuple[str, ...]
    score: float


class Search:
    """Names of both sides, prepared once: lowered, and by the bigrams of their last part."""

    def __init__(self, torch: ApiNames, correspondences: Correspondences) -> None:
        self._pairs: dict[str, tuple[str, ...]] = {}
        reverse: dict[str, list[str]] = defaultdict(list)
        for name in correspondences:
            targets = tuple(correspondences.targets(name))
            self._pairs[name] = targets
            for target in targets:
                reverse[target].append(name)
        self._pairs.update({target: tuple(names) for target, names in reverse.items()})
        for name in torch.names:
            if "._" not in name and torch.kind(name) in ("function", "class", "method", "property"):
                self._pairs.setdefault(name, ())
        self._names = list(self._pairs)
        self._lowered = [name.lower() for name in self._names]
        self._last = [name.rsplit(".", 1)[-1] for name in self._lowered]
        self._has_pair = [bool(self._pairs[name]) for name in self._names]
        self._text = "\n".join(self._lowered)
        self._starts = _starts(self._lowered)
        self._bigrams: dict[str, list[int]] = defaultdict(list)
        for row, last in enumerate(self._last):
            for bigram in _bigrams(last):
                self._bigrams[bigram].append(row)

    def find(self, query: str, limit: int) -> list[SearchResult]:
        """The best results; names that hold the query or all its words first, then similar ones."""
        wanted = query.strip().lower()
        if not wanted or limit <= 0:
            return []
        scores = self._containing(wanted)
        if len(scores) < limit:
            for row, score in self._similar(wanted).items():
                scores.setdefault(row, score)
        best = sorted(scores.items(), key=lambda item: (-item[1], len(self._names[item[0]]), item[0]))
        return [self._result(row, score) for row, score in best[:limit]]

    def _result(self, row: int, score: float) -> SearchResult:
        name = self._names[row]
        return SearchResult(name, self._pairs[name], round(score, 3))

    def _containing(self, wanted: str) -> dict[int, float]:
        words = re.split(r"[\s/]+", wanted)
        longest = max(words, key=len)
        rows = self._rows_with(longest if len(longest) > _SHORTEST else f".{longest}")
        scores = {}
        for row in rows:
            lowered = self._lowered[row]
            if all(word in lowered for word in words):
                scores[row] = self._score(row, lowered, wanted, words)
        return scores

    def _rows_with(self, part: str) -> list[int]:
        rows: list[int] = []
        position = self._text.find(part)
        while position >= 0 and len(rows) < _MOST_ROWS:
            row = _row_at(self._starts, position)
            rows.append(row)
            position = self._text.find(part, self._starts[row] + len(self._lowered[row]))
        return rows

    def _score(self, row: int, lowered: str, wanted: str, words: list[str]) -> float:
        last = self._last[row]
        known = 0.02 * self._has_pair[row]
        if lowered == wanted:
            return 1.0
        if last == wanted.rsplit(".", 1)[-1] and lowered.endswith(wanted):
            return 0.95 + known
        if all(word in last for word in words):
            return 0.75 + known + 0.15 * sum(map(len, words)) / max(len(last), 1)
        return 0.5 + known + 0.1 * sum(map(len, words)) / len(lowered)

    def _similar(self, wanted: str) -> dict[int, float]:
        """Names whose last part shares bigrams with that of the query."""
        grams = _bigrams(re.sub(r"\s+", "_", wanted).rsplit(".", 1)[-1])
        shared: dict[int, int] = defaultdict(int)
        for gram in grams:
            for row in self._bigrams.get(gram, ()):
                shared[row] += 1
        scores = {}
        for row, count in shared.items():
            if count * 5 >= len(grams) * 2:
                other = len(self._last[row]) + 1
                known = 0.06 * self._has_pair[row]
                scores[row] = 0.5 * 2 * count / (len(grams) + other) + known
        return {row: score for row, score in scores.items() if score > 0.25}


def _bigrams(text: str) -> set[str]:
    padded = f" {text} "
    return {padded[n : n + 2] for n in range(len(padded) - 1)}


def _starts(lines: list[str]) -> list[int]:
    starts, position = [], 0
    for line in lines:
        starts.append(position)
        position += len(line) + 1
    return starts


def _row_at(starts: list[int], position: int) -> int:
    return bisect_right(starts, position) - 1
