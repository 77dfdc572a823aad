"""What resolution says: the uses of torch APIs in a piece of code, and how sure we are of each."""

from __future__ import annotations

from enum import Enum
from typing import Literal, NamedTuple

SharedKind = Literal["name", "parameter", "attribute", "state", "outside", "stored", "view"]
UseKind = Literal["call", "reference", "attribute", "base", "annotation", "import"]


class Certainty(Enum):
    """How sure a use is; see `docs/resolution.md`."""

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"


class Argument(NamedTuple):
    """One argument of a call. `start`..`end` spans its value (not the keyword, not the stars)."""

    keyword: str | None
    unpack: Literal["", "*", "**"]
    start: int
    end: int
    source: str
    """The text of the value as written; call binding compares it with harmless values."""
    type: str | None = None
    """What the value is, where the API has overloads that it may tell apart: `Tensor`, `dtype`, `device`,
    `int`, `float`, `bool`, `str`, `None`, `sequence`; `alias` where it is only known to be another
    name of something; None where that is not known."""


class Call(NamedTuple):
    """The call that a use is the callee of. `arguments_start` is the offset of its opening parenthesis."""

    start: int
    end: int
    arguments_start: int
    arguments: tuple[Argument, ...]


class Shared(NamedTuple):
    """What else refers to the memory of a Tensor that is changed in place.

    `kind`: `name`, another name that is read afterwards; `parameter`, what the caller passed; `attribute` and
    `outside` (a name of an outer scope), what stays when the code around ends; `stored`, what was put into an
    attribute or a container before; `view`, what the Tensor itself is a view of; `state`, a parameter or
    buffer of a module, which is a view of nothing. `text` is how the code writes it. `is_view`: one is a view
    of the other (`x[0]`).
    """

    kind: SharedKind
    text: str
    is_view: bool


class Scalar(NamedTuple):
    """An operand that is a Tensor without dimensions: `text` is how it is written, `dtype` its dtype, which
    is wider than `other`, that of the other operand, and of the same kind (public names of torch).
    `is_known`: whether the code says what `other` is; else it is one that it may be."""

    text: str
    dtype: str
    other: str
    is_known: bool


class Use(NamedTuple):
    """A piece of code that means a torch API.

    All offsets are UTF-8 bytes *relative to the top-level block* that holds the use, so that a use stays
    valid (and the same object) while other blocks are edited; whoever reads a use gets the block's start
    beside it (`Analysis.uses` yields `(shift, use)`), and adds it.

    `start`..`end` spans the expression that names the API: for a call the callee.
    """

    api: str
    kind: UseKind
    certainty: Certainty
    start: int
    end: int
    call: Call | None = None
    root: str | None = None
    """The imported name the expression starts from (`nn` in `nn.Conv2d`), when the expression spells the
    API by imports alone. None when the API came through a local alias, a receiver or another module:
    such an expression cannot be replaced by a dotted name."""
    receiver_end: int | None = None
    """For members of an instance (`x.view`): where the receiver expression ends."""
    receiver_is_plain: bool = False
    """Whether the receiver is but a name, or a dotted one: evaluating it again makes no difference."""
    operator: str | None = None
    """The operator that calls the API (a special method such as `__iadd__`), as written; `start`..`end` then
    spans it."""
    shared: tuple[Shared, ...] | None = None
    """Of what changes a Tensor in place: what else is known to refer to its memory. None: not looked into."""
    scalar: Scalar | None = None
    """An operand whose dtype counts only if Tensors without dimensions count in type promotion."""
