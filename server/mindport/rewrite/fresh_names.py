"""Names that a document does not have yet."""

from __future__ import annotations

import keyword
import re

from mindport.catalog.template import BUILTINS
from mindport.source.document import Document

_WORD = re.compile(r"[^\W\d]\w*")


class FreshNames:
    """Chooses names that are nowhere in a document, be it in another scope or in a text, and none of them
    twice in one scope."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._taken: set[str] | None = None
        self._chosen: set[tuple[int | None, str]] = set()

    def choose(self, wanted: str, scope: int | None) -> str:
        """A name like `wanted`, with a number where that is taken, for the scope that starts at a byte (None:
        that of the module)."""
        if self._taken is None:
            self._taken = set(_WORD.findall(self._document.data.decode("utf-8", "replace")))
        stem = f"{wanted}_value" if wanted in BUILTINS or keyword.iskeyword(wanted) else wanted
        name, number = stem, 1
        while name in self._taken or (scope, name) in self._chosen:
            number += 1
            name = f"{stem}_{number}"
        self._chosen.add((scope, name))
        return name
