"""What files give to functions of others, as the cache of scans keeps it: by path and digest of the text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mindport.callgraph.call_facts import CallFact
from mindport.callgraph.reachability import ExportedParameter
from mindport.project.dependencies import of_latest_texts

if TYPE_CHECKING:
    from mindport.scan.tasks import CallFacts


class KeptCallFacts:
    """What the files below some import roots give. `content` is what `packed` made; where it is of a form
    that is no more, nothing is known."""

    def __init__(self, content: bytes | None = None) -> None:
        self._known: dict[tuple[str, str], CallFacts] = {}
        self.is_changed = False
        if content is not None:
            try:
                self._known = {
                    (path, digest): tuple([_call_fact(*fact) for fact in call_facts])
                    for path, digest, call_facts in json.loads(content)
                }
            except (ValueError, TypeError):
                self.is_changed = True

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known of any file."""
        return not self._known

    def of(self, path: str, digest: str) -> CallFacts | None:
        """What a file with this text gives; None where that is not known."""
        return self._known.get((path, digest))

    def add(self, path: str, digest: str, call_facts: CallFacts) -> None:
        """Take up what a file with this text gives."""
        self._known[path, digest] = call_facts
        self.is_changed = True

    def packed(self) -> bytes:
        """As bytes: of each file the latest texts, those added last at the end."""
        kept = [(path, digest, self._known[path, digest]) for path, digest in of_latest_texts(self._known)]
        return json.dumps(kept).encode()


def _call_fact(
    callee: str, method: str, parameter: str, value: str, is_partial: bool, slot: list[Any], path: str
) -> CallFact:
    """A call fact from what JSON made of it."""
    return CallFact(callee, method, parameter, value, is_partial, ExportedParameter(*slot), path)
