"""What resolution says: the uses of torch APIs in a piece of code, and how sure we are of each."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from mindport.infer.values import Certainty
from mindport.tensors.facts import Scalar, Shared

_SUPER: Final = re.compile(r"super\([^()]*\)")
Unpacking = Literal["", "*", "**"]
UseKind = Literal[
    "call", "reference", "attribute", "base", "annotation", "import", "function", "class", "statement"
]
"""How code means an API; a function or a class as a whole, where a rule looks at one."""


class Argument:
    """One argument of a call: `keyword` is the name it is given by, None for one by position; `unpack` its
    stars. `start`..`end` spans its value (not the keyword, not the stars).

    `source` is the text of the value as written; call binding compares it with harmless values. `type` says
    what the value is, where the API has overloads that it may tell apart: `Tensor`, `dtype`, `device`, `int`,
    `float`, `bool`, `str`, `None`, `sequence`, `Size` where the API takes one otherwise than a tuple; `alias`
    where it is only known to be another name of something; None where that is not known.
    """

    __slots__ = ("end", "keyword", "source", "start", "type", "unpack")

    def __init__(
        self,
        keyword: str | None,
        unpack: Unpacking,
        start: int,
        end: int,
        source: str,
        type: str | None = None,
    ) -> None:
        self.keyword = keyword
        self.unpack = unpack
        self.start = start
        self.end = end
        self.source = source
        self.type = type


class UseArgument(NamedTuple):
    """What is said of an argument, but where it stands (see `Argument`)."""

    keyword: str | None
    unpack: Unpacking
    source: str
    type: str | None


class UseFacts(NamedTuple):
    """All that a use says but where it stands (see `Use`): what rules look at, and what findings are kept by.
    `arguments` are those of a call; None where it is none."""

    api: str
    kind: UseKind
    certainty: Certainty
    root: str | None
    has_receiver: bool
    receiver_is_plain: bool
    arguments: tuple[UseArgument, ...] | None
    operator: str | None
    shared: tuple[Shared, ...] | None
    scalar: Scalar | None
    owner: str | None
    is_through_super: bool
    may_be_other: bool

    @property
    def is_call(self) -> bool:
        """Whether the API is called, other than by an operator."""
        return self.arguments is not None


class Call:
    """The call that a use is the callee of. `arguments_start` is the offset of its opening parenthesis."""

    __slots__ = ("arguments", "arguments_start", "end", "start")

    def __init__(self, start: int, end: int, arguments_start: int, arguments: tuple[Argument, ...]) -> None:
        self.start = start
        self.end = end
        self.arguments_start = arguments_start
        self.arguments = arguments


class Use:
    """A piece of code that means a torch API.

    All offsets are UTF-8 bytes *relative to the top-level block* that holds the use, so that a use stays
    valid (and the same object) while other blocks are edited; whoever reads a use gets the block's start
    beside it (`Analysis.uses` yields `(shift, use)`), and adds it.

    `start`..`end` spans the expression that names the API: for a call the callee.

    `root` is the name the expression starts from (`nn` in `nn.Conv2d`), when the expression spells the API by
    imports alone, or by a name that is assigned a module of torch; None when the API came through another
    local alias, a receiver or another module: such an expression cannot be replaced by a dotted name.

    For members of an instance (`x.view`), `receiver_end` is where the receiver expression ends, `receiver`
    its text, and `receiver_is_plain` says whether it is but a name, or a dotted one: evaluating it again
    changes nothing.

    `may_be_other`: what has the member may also be an object of a class that is not torch's (an array).

    `operator` is the operator that calls the API (a special method such as `__iadd__`), as written;
    `start`..`end` then spans it. It is `=` where an attribute of an object is assigned to, whose expression
    `start`..`end` spans; `owner` is the class of the object then, where that is known.

    `shared`, of what changes a Tensor in place: what else is known to refer to its memory (None: not looked
    into). `scalar` is an operand whose dtype counts only if Tensors without dimensions count in type
    promotion.
    """

    __slots__ = (
        "api",
        "call",
        "certainty",
        "end",
        "kind",
        "may_be_other",
        "operator",
        "owner",
        "receiver",
        "receiver_end",
        "receiver_is_plain",
        "root",
        "scalar",
        "shared",
        "start",
    )

    def __init__(
        self,
        api: str,
        kind: UseKind,
        certainty: Certainty,
        start: int,
        end: int,
        call: Call | None = None,
        root: str | None = None,
        receiver_end: int | None = None,
        receiver_is_plain: bool = False,
        operator: str | None = None,
        shared: tuple[Shared, ...] | None = None,
        scalar: Scalar | None = None,
        receiver: str | None = None,
        owner: str | None = None,
        may_be_other: bool = False,
    ) -> None:
        self.api = api
        self.kind: UseKind = kind
        self.certainty = certainty
        self.start = start
        self.end = end
        self.call = call
        self.root = root
        self.receiver_end = receiver_end
        self.receiver_is_plain = receiver_is_plain
        self.operator = operator
        self.shared = shared
        self.scalar = scalar
        self.receiver = receiver
        self.owner = owner
        self.may_be_other = may_be_other

    def facts(self) -> UseFacts:
        """All that the use says but where it stands."""
        arguments = None
        if self.call is not None:
            arguments = tuple(
                [UseArgument(a.keyword, a.unpack, a.source, a.type) for a in self.call.arguments]
            )
        return UseFacts(
            self.api,
            self.kind,
            self.certainty,
            self.root,
            self.receiver_end is not None,
            self.receiver_is_plain,
            arguments,
            self.operator,
            self.shared,
            self.scalar,
            self.owner,
            self.is_through_super,
            self.may_be_other,
        )

    @property
    def is_through_super(self) -> bool:
        """Whether it is a member of `super()`, which is no value: it can only be asked for members."""
        return self.receiver is not None and _SUPER.fullmatch(self.receiver) is not None

    def __repr__(self) -> str:
        return f"Use({self.api!r}, {self.kind!r}, {self.certainty.value!r}, {self.start}..{self.end})"

    def like(self, api: str, kind: UseKind) -> Use:
        """The same of another API, or of another kind."""
        return Use(
            api,
            kind,
            self.certainty,
            self.start,
            self.end,
            self.call,
            self.root,
            self.receiver_end,
            self.receiver_is_plain,
            self.operator,
            self.shared,
            self.scalar,
            self.receiver,
            self.owner,
            self.may_be_other,
        )
