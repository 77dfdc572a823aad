"""What torch's results have to do with the Tensors they are made of: which share memory with them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mindport.catalog.index import Index
    from mindport.catalog.target import Target


class TensorFacts:
    """Reads `mapping_data/libraries/tensors.json`.

    `views` are APIs that give another look at the memory of their receiver or first argument, `same` those
    that give the very same, `references` those that give Tensors which others refer to, `metadata` the
    members of a Tensor that tell nothing of what is in it, `operators` the special methods of a Tensor by the
    operators that call them.
    """

    def __init__(self, index: Index) -> None:
        data = json.loads(index.text("libraries"))["tensors"]
        self.views: frozenset[str] = frozenset(data["views"])
        self.same: frozenset[str] = frozenset(data["same"])
        self.references: frozenset[str] = frozenset(data["references"])
        self.metadata: frozenset[str] = frozenset(data["metadata"])
        self.operators: Mapping[str, str] = data["operators"]
        self._in_place: list[dict[str, Any]] = data["in_place"]

    def is_in_place(self, operator: str, target: Target) -> bool:
        """Whether an augmented assignment changes the Tensor itself in MindSpore, too."""
        return any(
            operator in one["operators"]
            and one["device"] == target.device
            and target.supports(one["since"], None)
            for one in self._in_place
        )
