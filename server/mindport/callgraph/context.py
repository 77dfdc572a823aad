"""What following calls needs of whoever asks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mindport.catalog.catalog import Catalog
    from mindport.index.block import Block
    from mindport.index.call_sites import CallSite
    from mindport.index.module import Module


class CallContext(ABC):
    """Remembers what the block that is evaluated relies on."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    @abstractmethod
    def note(self, dependents: dict[str, set[Block]], name: str) -> None:
        """The current block relies on what a name is."""

    @abstractmethod
    def calls_through_parameters(self, module: Module, name: str) -> Sequence[CallSite]:
        """The calls of parameters of the module that may be calls of what has this name there."""

    @abstractmethod
    def may_be_looked_into(self, dotted: str) -> bool:
        """Whether something of this dotted name, outside the module, may be code that is evaluated."""
