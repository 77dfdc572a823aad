"""Names of frameworks other than torch, and the MindSpore APIs that take their place:
`mapping_data/frameworks`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from mindport.catalog.jsonl import read_json
from mindport.catalog.search import SearchResult

if TYPE_CHECKING:
    from mindport.catalog.index import Index

_FILE: Final = "tensorflow.json"
_BEGINNING: Final = re.compile(r"(?:tf|tfp|tensorflow|tensorflow_probability)\.")
_SHORT: Final = {"tensorflow.": "tf.", "tensorflow_probability.": "tfp."}
_LIKE: Final = 0.75
"""Names that are as much like a query are results."""
TableSays = Literal["none", "names", "yes", "unknown"]


class OtherName(NamedTuple):
    """A name of another framework, in its `versions`, and the MindSpore APIs (`targets`) in its place.
    `difference` is what MindSpore's own table says of them: `none`, parameters of other `names`, `yes` (they
    behave differently), or `unknown`."""

    name: str
    versions: Sequence[str]
    targets: Sequence[str]
    difference: TableSays


def read_other_frameworks(source_dir: Path) -> str:
    """The facts in a folder of mapping data, as the index keeps them."""
    path = source_dir / "frameworks" / _FILE
    kept: dict[str, Any] = read_json(path) if path.exists() else {"names": []}
    return json.dumps(kept["names"], ensure_ascii=False, separators=(",", ":"))


class OtherFrameworks:
    """Reads `mapping_data/frameworks`."""

    def __init__(self, index: Index) -> None:
        self._names: Mapping[str, OtherName] = {
            one["name"]: OtherName(**one) for one in json.loads(index.text("frameworks"))
        }

    def get(self, name: str) -> OtherName | None:
        """What is known of a name; `tensorflow.` may stand for `tf.`."""
        return self._names.get(_short(name))

    def find(self, query: str, limit: int) -> list[SearchResult] | None:
        """The names that fit a query, best first; None where it asks for no name of another framework."""
        wanted = _short(query.strip()).lower()
        if not _BEGINNING.match(wanted):
            return None
        scores = {name: _score(name.lower(), wanted) for name in self._names}
        best = sorted((name for name in scores if scores[name] >= _LIKE), key=lambda name: -scores[name])
        return [SearchResult(name, tuple(self._names[name].targets), scores[name]) for name in best[:limit]]


def _short(name: str) -> str:
    beginning = _BEGINNING.match(name)
    return _SHORT[beginning[0]] + name[beginning.end() :] if beginning and beginning[0] in _SHORT else name


def _score(name: str, wanted: str) -> float:
    """How well a name fits: it is what is wanted, has the same last part, holds it, or is like it."""
    if name == wanted:
        return 1.0
    last = wanted.rpartition(".")[2]
    if last and name.rpartition(".")[2] == last:
        return 0.95
    if wanted in name:
        return 0.9
    return round(SequenceMatcher(None, name, wanted).ratio() * 0.9, 3)
