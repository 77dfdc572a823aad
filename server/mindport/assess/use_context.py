"""What rules look at to decide whether they speak for a use, and which differences can matter for one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mindport.catalog.answer import Answer  # what fields are made of, which mypyc looks for when it loads
from mindport.catalog.catalog import Catalog
from mindport.catalog.differences import Difference
from mindport.uses.use import UseFacts

if TYPE_CHECKING:
    from mindport.catalog.answer import Candidate
    from mindport.uses.use import Use


class UseContext(NamedTuple):
    """A use, what the catalog answers about its API, the candidate that was chosen for this very use, and the
    differences that matter to it. None of it depends on where the use stands."""

    use: UseFacts
    catalog: Catalog
    answer: Answer
    candidate: Candidate | None
    differences: tuple[Difference, ...] = ()

    @property
    def returns(self) -> str | None:
        """The type that a call of the API gives, as documented."""
        return self.catalog.returns(self.use.api)

    def differs_in(self, codes: frozenset[str]) -> bool:
        """Whether a difference has one of these codes."""
        return any(difference.code in codes for difference in self.differences)

    @property
    def becomes_another(self) -> bool:
        """Whether the use has a counterpart that is written in another way."""
        return self.candidate is not None and self.use.operator is None and not self.stays_as_it_is

    @property
    def stays_as_it_is(self) -> bool:
        """Whether the code means the counterpart already: a member of the same name, of the same receiver."""
        use, candidate = self.use, self.candidate
        if candidate is None or not use.has_receiver:
            return False
        name = use.api.rpartition(".")[2]
        if candidate.template is not None:
            return not use.is_call and candidate.template == f"self.{name}"
        return name == candidate.target.rpartition(".")[2]


_OF_OTHERS = frozenset({"parameter", "attribute", "outside"})
"""What comes from elsewhere may be a view of something there."""


def is_met(difference: Difference, use: Use) -> bool:
    """Whether a difference can matter for a use, by what is known of the Tensors there."""
    if difference.code == "rebinds":
        return use.shared is None or bool(use.shared)
    if difference.code == "assigned":
        is_known = use.owner is not None or difference.unless_of is None
        return use.operator == "=" and is_known and use.owner != difference.unless_of
    if difference.code == "view_not_written":
        return use.shared is None or any(one.is_view or one.kind in _OF_OTHERS for one in use.shared)
    return True


def promotion(use: Use) -> tuple[Difference, ...]:
    """That a Tensor without dimensions decides the dtype of the result, if there is one that does."""
    scalar = use.scalar
    if scalar is None:
        return ()
    code = "promotion" if scalar.is_known else "promotion_possible"
    wider, other = scalar.dtype.rpartition(".")[2], scalar.other.rpartition(".")[2]
    return (Difference(code, scalar.text, torch_default=other, mindspore_default=wider),)
