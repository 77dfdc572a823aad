"""What files give to functions of others, as the cache of scans keeps it: by path and digest of the text."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from mindport.resolve.gifts import Gift

if TYPE_CHECKING:
    from mindport.project.scanner import Gifts

_MOST_TEXTS = 4
"""What so many texts of a file give is kept."""


class KeptGifts:
    """What the files below some import roots give. `content` is what `packed` made; where it is of a form
    that is no more, nothing is known."""

    def __init__(self, content: bytes | None = None) -> None:
        self._known: dict[tuple[str, str], Gifts] = {}
        self.is_changed = False
        if content is not None:
            try:
                self._known = {
                    (path, digest): tuple([Gift(*gift) for gift in gifts])
                    for path, digest, gifts in json.loads(content)
                }
            except (ValueError, TypeError):
                self.is_changed = True

    def of(self, path: str, digest: str) -> Gifts | None:
        """What a file with this text gives; None where that is not known."""
        return self._known.get((path, digest))

    def add(self, path: str, digest: str, gifts: Gifts) -> None:
        """Take up what a file with this text gives."""
        self._known[path, digest] = gifts
        self.is_changed = True

    def packed(self) -> bytes:
        """As bytes: of each file the latest texts, those added last at the end."""
        count: Counter[str] = Counter()
        kept = []
        for (path, digest), gifts in reversed(self._known.items()):
            count[path] += 1
            if count[path] <= _MOST_TEXTS:
                kept.append((path, digest, gifts))
        return json.dumps(kept[::-1]).encode()
