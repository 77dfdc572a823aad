"""What is known of Python's own types and of libraries beside torch, as far as it tells what is a Tensor, and
how MindSpore is imported."""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import cached_property

from mindport.catalog.index import Index
from mindport.catalog.names import ApiNames

_TENSOR = "torch.Tensor"


class Libraries:
    """Reads `mapping_data/libraries/`."""

    def __init__(self, index: Index, torch: ApiNames) -> None:
        data = json.loads(index.text("libraries"))
        self._returns: dict[str, str] = data["libraries"]["returns"]
        self._never_tensors = frozenset(data["libraries"]["never_tensors"])
        self._other_types: dict[str, list[str]] = data["other_types"]
        self._torch = torch
        self.separate_modules = frozenset(data["mindspore_modules"]["separate"])
        """The modules of MindSpore that `import mindspore` does not load."""

    def returned(self, name: str) -> str | None:
        """How the result of calling `name` follows from its arguments: a word that
        `mindport.infer.library_calls` knows; None when nothing is known."""
        return self._returns.get(name)

    def never_gives_tensors(self, name: str) -> bool:
        """Whether calls and attributes of the library that the dotted `name` belongs to are no tensors."""
        return name.partition(".")[0] in self._never_tensors

    def only_tensors_have(self, names: Collection[str]) -> bool:
        """Whether an object with all these members is a Tensor: a Tensor has them, two at least are given,
        and no other type that is known has them all."""
        if len(names) < 2 or not all(self._torch.member(_TENSOR, name) for name in names):
            return False
        return not any(members.issuperset(names) for members in self._members)

    @cached_property
    def _members(self) -> list[frozenset[str]]:
        return [frozenset(names) for names in self._other_types.values()]
