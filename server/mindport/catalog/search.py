"""Search over the correspondence table, both ways: parts of names, words, concepts, typing errors."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from mindport.catalog.concepts import Concepts, content_words
from mindport.catalog.index import Index
from mindport.catalog.search_index import bigrams_of

_SHORTEST = 2
"""Queries of so many characters or fewer are looked for at the start of a part of a name only."""
_SENTENCE = 3
"""Queries of so many words are sentences, where not every word has to be found."""
_MOST_ROWS = 400
"""So many names are ranked at most; the likeliest stand first."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A name that fits, and what stands on the other side: MindSpore names for a torch API, torch names for
    a MindSpore API. `is_needed` is False for what can be left out in MindSpore. `score` is between 0 and
    1."""

    name: str
    counterparts: tuple[str, ...]
    score: float
    is_needed: bool = True


class Search:
    """Names of both sides in one text. `counterparts` gives those of a name, `is_needed` whether
    MindSpore needs anything for it."""

    def __init__(
        self, index: Index, counterparts: Callable[[str], Sequence[str]], is_needed: Callable[[str], bool]
    ) -> None:
        self._names = index.text("search/names")
        self._lowered = self._names.lower()
        lengths = (len(line) + 1 for line in self._names.split("\n"))
        self._starts = array("L", accumulate(lengths, initial=0))
        self._weights = index.text("search/weights")
        self._concepts = Concepts(index.text("search/concepts"))
        self._bigrams = {line[:2]: line[2:] for line in index.text("search/bigrams").split("\n")}
        self._counterparts = counterparts
        self._is_needed = is_needed

    def find(self, query: str, limit: int) -> list[SearchResult]:
        """The best results: names that hold the query or all its words, and what people call by these words;
        then similar names."""
        spelled = query.strip()
        wanted = spelled.lower()
        if not wanted or limit <= 0:
            return []
        scores = self._containing(wanted)
        for name, score in self._concepts.find(wanted).items():
            row = self._row(name)
            if row is not None:
                scores[row] = max(scores.get(row, 0.0), score)
        words = content_words(wanted)
        if not scores and len(words) >= _SENTENCE:
            scores = self._of_sentence(wanted, words)
        elif len(scores) < limit:
            for row, score in self._similar(wanted).items():
                scores.setdefault(row, score)
        exact = {row: self._name(row).endswith(spelled) for row in scores}
        best = sorted(scores, key=lambda row: (-scores[row], not exact[row], row))
        return [self._result(row, scores[row]) for row in best[:limit]]

    def _of_sentence(self, wanted: str, words: Sequence[str]) -> dict[int, float]:
        """What has some words of a sentence, in its name or in what people call it."""
        scores = {}
        for row in {row for word in words if len(word) > _SHORTEST for row in self._rows_with(word)}:
            last = self._lower(row).rsplit(".", 1)[-1]
            shared = sum(word in last for word in words)
            if shared > 1 or last in words:
                scores[row] = 0.3 * max(shared / len(words), 0.5 * (last in words))
        for name, score in self._concepts.find_some(wanted).items():
            found = self._row(name)
            if found is not None:
                scores[found] = max(scores.get(found, 0.0), score)
        return scores

    def _result(self, row: int, score: float) -> SearchResult:
        name = self._name(row)
        counterparts = tuple(dict.fromkeys(self._counterparts(name)))
        return SearchResult(name, counterparts, round(score, 3), self._is_needed(name))

    def _name(self, row: int) -> str:
        return self._names[self._starts[row] : self._starts[row + 1] - 1]

    def _row(self, name: str) -> int | None:
        position = f"\n{self._names}\n".find(f"\n{name}\n")
        return bisect_right(self._starts, position) - 1 if position >= 0 else None

    def _lower(self, row: int) -> str:
        return self._lowered[self._starts[row] : self._starts[row + 1] - 1]

    def _containing(self, wanted: str) -> dict[int, float]:
        words = re.split(r"[\s/]+", wanted)
        longest = max(words, key=len)
        scores = {}
        for row in self._rows_with(longest if len(longest) > _SHORTEST else f".{longest}"):
            lowered = self._lower(row)
            if all(word in lowered for word in words):
                scores[row] = self._score(row, lowered, wanted, words)
        return scores

    def _rows_with(self, part: str) -> list[int]:
        """Rows whose name holds a text: one that is the last part of a name first, then the likeliest."""
        rows: dict[int, None] = {}
        for text in (f".{part}\n", part):
            position = self._lowered.find(text)
            while position >= 0 and len(rows) < _MOST_ROWS:
                row = bisect_right(self._starts, position) - 1
                rows[row] = None
                position = self._lowered.find(text, self._starts[row + 1] - 1)
        return list(rows)

    def _score(self, row: int, lowered: str, wanted: str, words: list[str]) -> float:
        last = lowered.rsplit(".", 1)[-1]
        known = 0.01 * int(self._weights[row])
        if lowered == wanted:
            return 1.0
        if last == wanted.rsplit(".", 1)[-1] and lowered.endswith(wanted):
            return 0.95 + known
        length = sum(map(len, words)) / max(len(last), 1)
        if last.startswith(words[0]) and all(word in last for word in words):
            return 0.75 + known + 0.15 * length
        if all(word in last for word in words):
            return 0.65 + known + 0.15 * length
        return 0.45 + known + 0.1 * sum(map(len, words)) / len(lowered)

    def _similar(self, wanted: str) -> dict[int, float]:
        """Names whose last part shares bigrams with that of the query."""
        grams = bigrams_of(re.sub(r"\s+", "_", wanted).rsplit(".", 1)[-1])
        shared: dict[int, int] = defaultdict(int)
        for gram in grams:
            for row in accumulate(map(int, self._bigrams.get(gram, "").split())):
                shared[row] += 1
        scores = {}
        for row, count in shared.items():
            if count * 5 >= len(grams) * 2:
                last = self._lower(row).rsplit(".", 1)[-1]
                scores[row] = count / (len(grams) + len(last) + 1) + 0.02 * int(self._weights[row])
        return {row: score for row, score in scores.items() if score > 0.25}
