"""Concepts of the field, by which people look for APIs: "gradient clipping", 批归一化. The table is
`mapping_data/curated/concepts.json`.

Uses the standard library only.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mindport.catalog.jsonl import read_json
from mindport.catalog.search_index import pairs_of

_WORD = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]+")
_HAN = re.compile(r"[\u3400-\u9fff]")
_ENDINGS = re.compile(
    r"(?<=...)(?:[iy][sz]ations?|i[sz](?:e[drs]?|ing)|ations?|ate[ds]?|ating|[eo]rs?|ings?|ions?|ed|es|e|(?<!s)s|(?<=....)ly)$"
)
"""What forms of a word differ in: clip, clips, clipping; normalize, normalization."""
_FILLERS = frozenset(
    re.findall(
        r"\w+",
        "a an the of in for with how do does i my is it its on when what can that this by and or as into "
        "torch pytorch",
    )
)
_SAME, _PART = 0.94, 0.62
"""The scores of a query that is the words of a concept, and of one that is a part of them."""
_HOLDS, _ALL = 0.55, 0.38
"""The score of a query that has them among others, and what is added by how much of it they are."""
_LOOSE, _LOOSE_ALL = 0.3, 0.2
"""The score of a sentence that has the words of a concept among many others, and what is added by how many
they are."""
_FEW = 0.3
"""The highest score of a concept that has only some words of a sentence."""


@dataclass(frozen=True, slots=True)
class Concept:
    """What people call something, in both languages, and the APIs that do it, the usual one first."""

    phrases: tuple[str, ...]
    apis: tuple[str, ...]


def read_concepts(source_dir: Path) -> str:
    """The table in a folder of mapping data, as the index keeps it."""
    path = source_dir / "curated" / "concepts.json"
    entries = read_json(path) if path.exists() else []
    return json.dumps(
        [[[*_phrases(entry["words"])], entry["apis"]] for entry in entries],
        ensure_ascii=False,
        separators=(",", ":"),
    )


def _phrases(words: Mapping[str, Sequence[str]]) -> Iterable[str]:
    return (phrase.lower() for phrases in words.values() for phrase in phrases)


def concept_apis(source_dir: Path) -> list[str]:
    """The APIs of the table in a folder of mapping data."""
    return [api for _, apis in json.loads(read_concepts(source_dir)) for api in apis]


class Concepts:
    """The concepts of the index, given as `text`."""

    def __init__(self, text: str) -> None:
        self._concepts = [Concept(tuple(phrases), tuple(apis)) for phrases, apis in json.loads(text or "[]")]

    def find(self, query: str) -> dict[str, float]:
        """The APIs that a query in words asks for, with how well it fits: between 0 and 1."""
        words = _words(query.lower())
        scores: dict[str, float] = {}
        for concept in self._concepts if words else ():
            score = max(_score(words, phrase) for phrase in concept.phrases)
            for place, api in enumerate(concept.apis if score else ()):
                scores[api] = max(scores.get(api, 0.0), score - 0.002 * place)
        return scores

    def find_some(self, query: str) -> dict[str, float]:
        """The APIs of concepts that have words of a sentence, rare ones above all; scores up to 0.3."""
        stems = [_stem(word) for word in content_words(query.lower())]
        of_concepts = [
            {_stem(word) for phrase in c.phrases for word in _words(phrase)} for c in self._concepts
        ]
        counts = Counter(stem for found in of_concepts for stem in found)
        total = sum(1 / (counts[stem] or 1) for stem in stems)
        scores: dict[str, float] = {}
        for concept, found in zip(self._concepts, of_concepts, strict=True):
            shared = sum(1 / counts[stem] for stem in stems if stem in found)
            for place, api in enumerate(concept.apis if shared else ()):
                scores[api] = max(scores.get(api, 0.0), _FEW * shared / total - 0.002 * place)
        return scores


def content_words(text: str) -> list[str]:
    """The words of a text that say what it is about."""
    return [word for word in _words(text) if not _HAN.search(word)]


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word not in _FILLERS]


def _score(query: Sequence[str], phrase: str) -> float:
    if _HAN.search(phrase):
        if not any(_HAN.search(word) for word in query):
            return 0.0  # letters of the query and those of `MSE损失` have nothing to do with each other
        return _score_of_text("".join(query), "".join(_WORD.findall(phrase)))
    words = _words(phrase)
    if words == query:
        return _SAME
    wanted, asked = {_stem(word) for word in words}, [_stem(word) for word in query]
    shared = sum(word in wanted for word in asked)
    if wanted <= set(asked):
        return _score_of_whole(shared, len(asked))
    return _PART * shared / len(wanted) + 0.1 if shared == len(asked) else 0.0


def _score_of_whole(shared: int, asked: int) -> float:
    """The score of a query of `asked` words, `shared` of which are all those of a phrase."""
    if shared * 2 >= asked:
        return _HOLDS + _ALL * shared / asked
    return _LOOSE + _LOOSE_ALL * shared / asked if shared > 1 else 0.0


def _score_of_text(query: str, phrase: str) -> float:
    """Chinese has no blanks between words: one text is in the other, or they share pairs of characters."""
    if query == phrase:
        return _SAME
    if phrase in query and len(phrase) * 3 >= len(query):
        return _HOLDS + _ALL * len(phrase) / len(query)
    if query in phrase:
        return _PART * len(query) / len(phrase) + 0.1
    asked, wanted = pairs_of(query), pairs_of(phrase)
    shared = len(asked & wanted)
    if not shared or shared * 2 < len(wanted):
        return 0.0
    return _HOLDS + _ALL * 2 * shared / (len(asked) + len(wanted)) - 0.05


def _stem(word: str) -> str:
    """A word without the ending that its forms differ in."""
    stem = _ENDINGS.sub("", word)
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiouls" else stem
