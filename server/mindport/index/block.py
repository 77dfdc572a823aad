"""Blocks: the parts of a module that are lowered, evaluated and kept one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from mindport.index.definitions import (
    NO_DICT,
    NO_LIST,
    Augmented,
    ClassDefinition,
    ClassPart,
    Definition,
    FunctionParameter,
    ImportName,
    LoopPhi,
    Phi,
    share_sets,
    sources,
)
from mindport.index.memo import Memo
from mindport.index.nodes import MADE, Name, made_of
from mindport.index.scopes import Scope

if TYPE_CHECKING:
    from mindport.index.definitions import FunctionDefinition
    from mindport.index.module import Module
    from mindport.index.nodes import Attribute, CallArgument, CallExpression, Expression, Stored

RootKind = Literal["reference", "base", "annotation"]
ROOT_KINDS: Final[tuple[RootKind, ...]] = ("reference", "base", "annotation")


class Block:
    """One statement at the top level of a module, lowered; a class there is several: its header (with
    `defined_class`), and each statement of its body (with the `part` of the class it is).

    Where it starts is not kept here: that changes when text before it is edited. `size` is the length of its
    text. `roots` are its outermost expressions, `root_kinds` what each of them is, as its position in
    `ROOT_KINDS` (nothing, if all are references). `names` holds what the block binds in the module,
    `global_names` what functions in it bind there through `global`, `inner_scopes` all its scopes but its
    own, `stars` the modules it star-imports as (module, level), `members` the members that are read of what a
    definition binds
    (`called_members`: those that are called, `cpu().numpy` of what a method of `nodes.CONVERTING`
    gives, and `backward()` where one of `nodes.BARE` is given no argument but keywords that it has),
    `added` what is added to the container it binds (`added_names`: to that of a name of the module), `calls`
    the calls with arguments, `called` what the names of all that is called end with (each once),
    `classes` the classes whose header is in it, `placed` all its classes and functions however deep,
    `augmented` the augmented assignments to names, `stored` the assignments to attributes and items,
    `set_outside` those to attributes of what is not the first parameter of a method, `loops` the spans of
    loops, `too_deep` those of code that is nested too deep to be looked into, `may_differentiate` whether a
    call may take gradients of gradients, by its names (None: nobody has asked), `has_long_index` whether
    something is indexed by three or more parts.
    `kind` is the kind of its syntax node, `module` the module it is part of, `memo` the memory of what was
    evaluated in it.
    """

    __slots__ = (
        "_text",
        "added",
        "added_names",
        "augmented",
        "called",
        "called_members",
        "calls",
        "classes",
        "defined_class",
        "global_definitions",
        "global_names",
        "has_error",
        "has_long_index",
        "imports",
        "inner_scopes",
        "kind",
        "loops",
        "may_differentiate",
        "members",
        "memo",
        "module",
        "names",
        "part",
        "placed",
        "root_kinds",
        "roots",
        "scope",
        "set_outside",
        "size",
        "stars",
        "stored",
        "taken",
        "too_deep",
    )

    def __init__(self, text: bytes, kind: str = "") -> None:
        self._text: bytes | None = text
        self.size = len(text)
        self.kind = kind
        self.has_error = False
        self.has_long_index = False
        self.scope = Scope("module", None, self)
        self.roots: list[Expression] = []
        self.root_kinds = b""
        self.imports: list[ImportName] = []
        self.members: dict[Definition, set[str]] = {}
        self.called_members: dict[Definition, set[str]] = {}
        self.added: dict[Definition, list[Definition]] = {}
        self.added_names: dict[str, list[Definition]] = {}
        self.calls: list[CallExpression] = []
        self.called: tuple[str, ...] = ()
        self.may_differentiate: bool | None = None
        self.classes: list[ClassDefinition] = []
        self.placed: list[ClassDefinition | FunctionDefinition] = []
        self.augmented: list[Augmented] = []
        self.loops: list[tuple[int, int]] = []
        self.stored: list[Stored] = []
        self.set_outside: list[tuple[Attribute, Definition]] = []
        self.too_deep: list[tuple[int, int]] = []
        self.stars: list[tuple[str, int]] = []
        self.names: dict[str, Definition] = {}
        self.global_definitions: dict[str, list[Definition]] = {}
        self.global_names: dict[str, Definition] = {}
        self.inner_scopes: tuple[Scope, ...] = ()
        self.part: ClassPart | None = None
        self.defined_class: ClassDefinition | None = None
        self.module: Module | None = None
        self.memo = Memo()
        self.taken: dict[Definition, list[tuple[CallExpression, CallArgument]]] | None = None

    @property
    def text(self) -> bytes:
        """Its source text, without what is around it."""
        text = self._text
        if text is None:
            assert self.module is not None
            return self.module.text_of(self)
        return text

    def share_text(self, data: bytes, start: int) -> None:
        """The text is that of its module, which has it at `start` of `data`: let it not be kept twice."""
        if self._text is not None and data.startswith(self._text, start):
            self._text = None

    def seal(self) -> None:
        """All is lowered, nothing will be added: what is empty, as most is, takes no memory of its own."""
        self.roots = self.roots or NO_LIST
        self.imports = self.imports or NO_LIST
        self.members = share_sets(self.members)
        self.called_members = share_sets(self.called_members)
        self.added = self.added or NO_DICT
        self.added_names = self.added_names or NO_DICT
        self.calls = self.calls or NO_LIST
        self.classes = self.classes or NO_LIST
        self.placed = self.placed or NO_LIST
        self.augmented = self.augmented or NO_LIST
        self.loops = self.loops or NO_LIST
        self.stored = self.stored or NO_LIST
        self.set_outside = self.set_outside or NO_LIST
        self.too_deep = self.too_deep or NO_LIST
        self.stars = self.stars or NO_LIST
        self.names = self.names or NO_DICT
        self.global_definitions = self.global_definitions or NO_DICT
        self.global_names = self.global_names or NO_DICT

    def bound_names(self) -> frozenset[str]:
        """Every name bound in any of its scopes."""
        return frozenset([name for scope in (self.scope, *self.inner_scopes) for name in scope.bound])

    def has_name(self, endings: tuple[str, ...]) -> bool:
        """Whether something whose name ends with one of these is called or defined."""
        for name in self.called:  # asked of each block that is edited: generators take thrice as long
            if name.endswith(endings):
                return True
        for placed in self.placed:  # noqa: SIM110
            if placed.name.endswith(endings):
                return True
        return False

    def taking(self, definition: Definition) -> list[tuple[CallExpression, CallArgument]]:
        """The calls that are given what a definition binds, by its name, or what is made of that alone, each
        with the argument."""
        if self.taken is None:
            self.taken = {}
            for call in self.calls:
                for argument in call.arguments:
                    value = argument.value
                    if type(value) is not Name:  # as most are
                        made = made_of(value) if type(value) in MADE else None
                        if made is None:
                            continue
                        value = made
                    if not argument.unpack:
                        given = value.definition
                        if type(given) in _JOINED:
                            for one in _given_as(given):
                                self.taken.setdefault(one, []).append((call, argument))
                        else:
                            self.taken.setdefault(given, []).append((call, argument))
        return self.taken.get(definition, NO_LIST)

    def __repr__(self) -> str:
        return f"Block({self.text[:40]!r})"


_JOINED: Final = frozenset({LoopPhi, Phi})


def _given_as(definition: Definition) -> list[Definition]:
    """What is given where a name is: of a loop, perhaps nothing but what it was before; where paths join, a
    parameter that one of them leaves as it is, too."""
    bound = sources(definition)
    if len(bound) == 1:
        return bound if type(definition) is LoopPhi else [definition]
    return [definition, *[one for one in bound if type(one) is FunctionParameter]]


class Layout(NamedTuple):
    """The blocks of a text and where each starts. `is_sound` says that all of it was parsed as one piece,
    without an error."""

    data: bytes
    blocks: list[Block]
    starts: list[int]
    is_sound: bool = False


EMPTY: Final = Layout(b"", [], [])
