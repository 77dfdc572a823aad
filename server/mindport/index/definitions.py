"""What binds a name: one class for each way Python has of doing so.

Definitions form a graph: an expression's `Name` points to the definition that reaches it; where several
paths join, to a `Phi` one; where the name comes from outside the scope, to an `FreeVariable`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from mindport.index.nodes import (
    Attribute,
    Boolean,
    CallExpression,
    Conditional,
    Constant,
    Name,
    Subscript,
    lookup_default,
    without_default,
)

if TYPE_CHECKING:
    from mindport.index.block import Block
    from mindport.index.memo import Dependents
    from mindport.index.module import Module
    from mindport.index.nodes import Expression
    from mindport.index.scopes import Scope


ANY_ATTRIBUTE: Final = "*"
"""The name under which it is kept what methods set as attributes by names that are not written out."""


NO_LIST: Final[list[Any]] = []
NO_DICT: Final[dict[Any, Any]] = {}
NO_SET: Final[set[Any]] = set()
"""What is empty and stays so, in all that is lowered: nothing may be put into these."""
CONSTRUCTOR: Final = "__init__"


_SHARED: Final[dict[frozenset[str], set[str]]] = {}
_MOST_SHARED: Final = 50_000


def share_sets(names: dict[Any, set[str]]) -> dict[Any, set[str]]:
    """Let equal sets be the same in all that is lowered: few are different. Nothing is put into them any
    more."""
    if not names:
        return NO_DICT
    if len(_SHARED) > _MOST_SHARED:
        _SHARED.clear()
    for key, found in names.items():
        names[key] = _SHARED.setdefault(frozenset(found), found)
    return names


class Definition:
    """Base of all definitions. Compared by identity."""

    __slots__ = ()

    def is_import(self) -> bool:
        """Whether nothing but imports binds the name."""
        return False


class Unbound(Definition):
    """The name is not bound on this path (`del`, or a local read before its first binding)."""

    __slots__ = ()


UNBOUND: Final = Unbound()


class FreeVariable(Definition):
    """The value a name has when control enters `scope`: what an enclosing scope, an earlier block of the
    module or the builtins say."""

    __slots__ = ("_origin", "name", "scope")

    def __init__(self, scope: Scope, name: str) -> None:
        self.scope = scope
        self.name = name
        self._origin: NameResolution | None = None

    def origin(self) -> NameResolution:
        """Where the name comes from: the scopes around, inside out, as Python looks it up. May be asked once
        the block is lowered."""
        if self._origin is None:
            self._origin = self._look_up()
        return self._origin

    def _look_up(self) -> NameResolution:
        scope, name = self.scope, self.name
        if scope.kind == "function" and scope.is_local(name):
            return NameResolution(True, (), False)
        deferred = scope.kind == "function"
        owner = scope.block.part.owner if scope.is_part and scope.block.part is not None else None
        while scope.parent is not None and name not in scope.global_names:
            parent = scope.parent
            if parent.kind == "class":  # the names of a class are not visible in the scopes inside it
                scope = parent
                continue
            if scope.kind == "class" and name in scope.outer_names:
                return NameResolution(True, (scope.outer_names[name],), deferred)
            if parent.kind == "function" and parent.is_local(name):
                return NameResolution(True, tuple(scope.captured(name)), deferred)
            deferred = deferred or parent.kind == "function"
            scope = parent
        if owner is None:  # as of most names
            return OF_MODULE_LATER if deferred else OF_MODULE
        return NameResolution(False, (), deferred, owner)


class NameResolution:
    """Where a name that its own scope does not bind comes from: definitions of an enclosing scope (`local`;
    none, where it is not bound yet), or else the module, at its end if `deferred`. `owner`: the class whose
    body reads the name, where that is cut into blocks: what it binds before comes first."""

    __slots__ = ("deferred", "definitions", "local", "owner")

    def __init__(
        self,
        local: bool,
        definitions: tuple[Definition, ...],
        deferred: bool,
        owner: ClassDefinition | None = None,
    ) -> None:
        self.local = local
        self.definitions = definitions
        self.deferred = deferred
        self.owner = owner


OF_MODULE: Final = NameResolution(False, (), False)
OF_MODULE_LATER: Final = NameResolution(False, (), True)


class Phi(Definition):
    """Several definitions reach here."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Definition, ...]) -> None:
        self.parts = parts

    def is_import(self) -> bool:
        return all(type(part) is not LoopPhi and part.is_import() for part in self.parts)


class LoopPhi(Phi):
    """What a name is at the head of a loop: `parts` grows until the loop's end is known."""

    __slots__ = ()


def sources(definition: Definition, before_tests: bool = False) -> list[Definition]:
    """The definitions that are joined in one, however deep; entries of enclosing scopes are left as they
    are. `before_tests`: without what tests have shown of them."""
    if not isinstance(definition, (Phi, Narrowed)):  # as most are
        return [] if definition is UNBOUND else [definition]
    found: dict[Definition, None] = {}
    waiting: list[Definition] = [definition]
    seen: set[Definition] = set()
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        if isinstance(current, Phi):
            waiting.extend(current.parts)
        elif before_tests and isinstance(current, Narrowed):
            waiting.append(current.before)
        elif current is not UNBOUND:
            found[current] = None
    return list(found)


class ImportedModule(Definition):
    """`import a.b` binds `a` (`module` = "a"); `import a.b as c` binds `c` (`module` = "a.b"). `loaded` is
    the dotted name as written."""

    __slots__ = ("import_name", "loaded", "module")

    def __init__(self, module: str, loaded: str, import_name: ImportName) -> None:
        self.module = module
        self.loaded = loaded
        self.import_name = import_name

    def is_import(self) -> bool:
        return True


class ImportedName(Definition):
    """`from module import name`; `level` counts the leading dots."""

    __slots__ = ("import_name", "level", "module", "name")

    def __init__(self, module: str, level: int, name: str, import_name: ImportName) -> None:
        self.module = module
        self.level = level
        self.name = name
        self.import_name = import_name

    def is_import(self) -> bool:
        return True


class Assigned(Definition):
    """Bound to the value of an expression, or to a part of it: `path` holds the indices to unpack by
    (`a, (b, *c) = e` gives (0,), (1, 0), (1, "*1"))."""

    __slots__ = ("annotation", "path", "value")

    def __init__(
        self, value: Expression | None, path: tuple[int | str, ...] = (), annotation: Expression | None = None
    ) -> None:
        self.value = value
        self.path = path
        self.annotation = annotation


class Registered(Definition):
    """An attribute that a method of `torch.nn.Module` sets by its name, as in
    `self.register_buffer("mean", value)`; `method` is the name of that method."""

    __slots__ = ("method", "value")

    def __init__(self, method: str, value: Expression) -> None:
        self.method = method
        self.value = value


class Iterated(Definition):
    """Bound by `for` or a comprehension to an element (or a part of it) of an iterable."""

    __slots__ = ("iterable", "path")

    def __init__(self, iterable: Expression, path: tuple[int | str, ...]) -> None:
        self.iterable = iterable
        self.path = path


class Entered(Definition):
    """Bound by `with manager as name`."""

    __slots__ = ("manager", "path")

    def __init__(self, manager: Expression, path: tuple[int | str, ...]) -> None:
        self.manager = manager
        self.path = path


class Augmented(Definition):
    """`target op= value`; `before` is what the name was. `start`..`end` spans the operator."""

    __slots__ = ("before", "end", "operator", "start", "target", "value")

    def __init__(self, target: Name, operator: str, span: tuple[int, int], value: Expression) -> None:
        self.target = target
        self.before = target.definition
        self.operator = operator
        self.start, self.end = span
        self.value = value


class Increased(Definition):
    """`self.name op= value`: what comes of it where the attribute is a number first."""

    __slots__ = ("operator", "value")

    def __init__(self, operator: str, value: Expression) -> None:
        self.operator = operator
        self.value = value


class Narrowed(Definition):
    """What a name is where a test of its type holds, or (not `holds`) fails: `isinstance(name, types)`, or
    `test(name)`, of which `test` is the function and `types` is None. Where one of several tests holds,
    `any_of` are what the name is by each of them."""

    __slots__ = ("any_of", "before", "holds", "test", "types")

    def __init__(
        self,
        before: Definition,
        types: Expression | None,
        holds: bool,
        test: Expression | None = None,
        any_of: tuple[Definition, ...] = (),
    ) -> None:
        self.before = before
        self.types = types
        self.holds = holds
        self.test = test
        self.any_of = any_of

    def untested(self) -> Definition:
        """What the name is before any test."""
        found: Definition = self
        while isinstance(found, Narrowed):
            found = found.before
        return found


class Returned(Definition):
    """What calling a function of the project gives; `own`: without what it gives back of its arguments. No
    name is bound to it: it is asked for."""

    __slots__ = ("function", "own")

    def __init__(self, function: FunctionDefinition, own: bool) -> None:
        self.function = function
        self.own = own


class Caught(Definition):
    """Bound by `except type as name`."""

    __slots__ = ("type",)

    def __init__(self, type_: Expression) -> None:
        self.type = type_


class Captured(Definition):
    """Bound by a pattern of `match`. `subject` is given where the name takes the whole subject."""

    __slots__ = ("subject",)

    def __init__(self, subject: Expression | None) -> None:
        self.subject = subject


ParameterKind = Literal["positional_only", "plain", "variadic", "keyword_only", "keywords"]


class FunctionParameter(Definition):
    """A parameter of `function`, at `index` among its parameters. `applied_to`: of a lambda, the iterable to
    whose elements `map` or `filter` applies it. `documented`: the type that the docstring says it has."""

    __slots__ = ("annotation", "applied_to", "default", "documented", "function", "index", "kind", "name")

    def __init__(
        self,
        function: FunctionDefinition,
        index: int,
        name: str,
        kind: ParameterKind,
        annotation: Expression | None,
        default: Expression | None,
    ) -> None:
        self.function = function
        self.index = index
        self.name = name
        self.kind = kind
        self.annotation = annotation
        self.default = default
        self.applied_to: Expression | None = None
        self.documented: str | None = None

    def has_telling_default(self) -> bool:
        """Whether something follows from its having its default value."""
        return self.default is not None and not isinstance(self.default, Constant)

    def signature(self) -> tuple[object, ...]:
        """What callers have to know of it."""
        return self.name, self.kind, self.default is not None, self.has_telling_default(), self.documented


class FunctionDefinition(Definition):
    """`def` or `lambda`. `returns` and `yields` are the values of its return statements and yields, `owner`
    the class it is a method of, `decoration` the text of its decorators, `qualified_name` its path in the
    module. `returned` stands for what calling it gives, `value` is what evaluation takes it as."""

    __slots__ = (
        "_given_back",
        "_identity",
        "_passed_back",
        "annotation",
        "decoration",
        "decorators",
        "is_abstract",
        "name",
        "owner",
        "parameters",
        "qualified_name",
        "returned",
        "returned_own",
        "returns",
        "scope",
        "value",
        "yields",
    )

    def __init__(self, name: str, qualified_name: str, owner: ClassDefinition | None) -> None:
        self.name = name
        self.qualified_name = qualified_name
        self.owner = owner
        self.parameters: list[FunctionParameter] = []
        self.decorators: list[Assigned] = []
        self.annotation: Expression | None = None
        self.returns: list[Expression] = []
        self.yields: list[Expression] = []
        self.returned = Returned(self, False)
        self.returned_own = Returned(self, True)
        self._given_back: GivenBack | None = None
        self._passed_back: tuple[FunctionParameter, ...] | None = None
        self._identity: object = None
        self.decoration = ""
        self.is_abstract = False
        self.scope: Scope | None = None
        self.value: Any = None

    def passed_back(self) -> tuple[FunctionParameter, ...]:
        """The parameters that a `return` gives back as they are, on some path. May be asked once the block is
        lowered."""
        if self._passed_back is None:
            is_open = (self.annotation is None or _says_nothing(self.annotation)) and not self.yields
            self._passed_back = tuple(dict.fromkeys(self.given_back()[0])) if is_open else ()
        return self._passed_back

    def given_back(self) -> GivenBack:
        """What its returns may give, apart: parameters as they are, and all else. May be asked once the block
        is lowered."""
        if self._given_back is None:
            self._given_back = _given_back(self)
        return self._given_back

    def place(self) -> ClassDefinition | Module | None:
        """Where it can be found by its name: the class at the top level of a module that it is a method of,
        or the module; None for a function inside another."""
        scope = self.scope.parent if self.scope is not None else None
        if scope is None or self.name == "<lambda>":
            return None
        if scope.is_part:
            return self.owner
        return scope.block.module if scope.kind == "module" else None

    def identity(self) -> object:
        """What tells it from other functions: its place, its name, its decorators and how it can be called;
        of a function that has no place, itself. May be asked once the block is lowered."""
        if self._identity is None:
            place = self.place()
            parameters = tuple([one.signature() for one in self.parameters])
            back = tuple([one.name for one in self.passed_back()])
            told = (place, self.qualified_name, self.decoration, parameters, back)
            self._identity = self if place is None else told
        return self._identity


class ClassDefinition(Definition):
    """`class`. What its body binds and what its methods assign to attributes of their first parameter is
    spread over `parts`: the blocks its body is cut into, or the one block that holds the whole class.

    `dependents` are, by name, the blocks that asked for a member; under "" those that asked which there are.
    `value` is what evaluation takes the class as.
    """

    __slots__ = (
        "bases",
        "decorators",
        "dependents",
        "keywords",
        "name",
        "own_part",
        "parts",
        "parts_by_name",
        "positions",
        "qualified_name",
        "scope",
        "value",
    )

    def __init__(self, name: str, qualified_name: str) -> None:
        self.name = name
        self.qualified_name = qualified_name
        self.bases: list[Assigned] = []
        self.keywords: list[tuple[str, Expression]] = []
        self.decorators: list[Assigned] = []
        self.scope: Scope | None = None
        self.own_part: ClassPart | None = None
        self.parts: list[Block] = []
        self.parts_by_name: dict[str, list[Block]] = {}
        self.positions: dict[Block, int] = {}
        self.dependents: Dependents = {}
        self.value: Any = None

    def take_parts(self, parts: list[Block]) -> None:
        """Take up the blocks that the body is cut into."""
        if self.parts == parts:
            return
        self.parts = parts
        self.positions = {part: position for position, part in enumerate(parts)}
        self.parts_by_name = {}
        for block in parts:
            if block.part is not None:
                for name in block.part.names():
                    found = self.parts_by_name.get(name)
                    if found is None:
                        self.parts_by_name[name] = [block]
                    else:
                        found.append(block)

    def members(self, name: str, instance: bool) -> list[tuple[Block, Definition]]:
        """What binds a member: the last binding in the body, and (of an `instance`) what methods assign."""
        if self.own_part is not None:
            assert self.scope is not None
            return [(self.scope.block, found) for found in self.own_part.binding(name, instance)]
        bound: tuple[Block, Definition] | None = None
        assigned: list[tuple[Block, Definition]] = []
        for block in self.parts_by_name.get(name, ()):
            part = block.part
            assert part is not None
            if name in part.namespace:
                bound = (block, part.namespace[name])
            if instance and name in part.attributes:
                assigned.extend([(block, found) for found in part.attributes[name]])
        return ([bound] if bound is not None else []) + assigned

    def sets_late(self, name: str) -> bool:
        """Whether no part of the body binds an attribute that methods set, none of them the constructor:
        until then it is what a base class sets it to."""
        for block in self.parts_by_name.get(name, ()):
            part = block.part
            if part is None or name in part.namespace or CONSTRUCTOR in part.namespace:
                return False
        return name in self.parts_by_name

    def added(self, name: str) -> list[tuple[Block, Definition]]:
        """What methods add to the container that an attribute is."""
        found = self._parts_with(name)
        return [(block, value) for block, part in found for value in part.added.get(name, ())]

    def documented(self, name: str) -> str | None:
        """The type that the docstring says a parameter of the constructor, or an attribute, has."""
        found = [part.documented.get(name) for _, part in self._parts_with(name)]
        return next(filter(None, found), None)

    def increased(self, name: str) -> list[tuple[Block, Definition]]:
        """By what methods increase an attribute."""
        found = self._parts_with(name)
        return [(block, value) for block, part in found for value in part.increased.get(name, ())]

    def _parts_with(self, name: str) -> list[tuple[Block, ClassPart]]:
        """The parts of the body that say something of a name, with their blocks."""
        if self.own_part is not None:
            assert self.scope is not None
            return [(self.scope.block, self.own_part)]
        blocks = self.parts_by_name.get(name, ())
        return [(block, block.part) for block in blocks if block.part is not None]

    def read_of(self, name: str) -> tuple[set[str], set[str]]:
        """The members that methods read of what an attribute is, and those that they call."""
        read: set[str] = set()
        called: set[str] = set()
        blocks = self.parts_by_name.get(name, ())
        for part in [self.own_part] if self.own_part is not None else [block.part for block in blocks]:
            if part is not None and name in part.members:
                read |= part.members[name]
                called |= part.called_members.get(name, set())
        return read, called

    def binding(self, name: str, before: Block) -> tuple[Block, Definition] | None:
        """What the parts of the body before one of them bind a name to."""
        limit = self.positions.get(before, 0)
        for block in reversed(self.parts_by_name.get(name, ())):
            if self.positions[block] < limit and block.part is not None and name in block.part.namespace:
                return block, block.part.namespace[name]
        return None


class ClassPart:
    """What a part of a class's body says: `namespace` holds what it binds, `attributes` what its methods
    assign to attributes of their first parameter, `added` what they add to containers there, `increased` by
    what they increase what is there (`+=` and the like), `members` which members they read of it,
    `called_members` those that they call. `documented` are types that a docstring names."""

    __slots__ = (
        "added",
        "attributes",
        "called_members",
        "documented",
        "increased",
        "members",
        "namespace",
        "owner",
    )

    def __init__(self, owner: ClassDefinition) -> None:
        self.owner = owner
        self.namespace: dict[str, Definition] = {}
        self.attributes: dict[str, list[Definition]] = {}
        self.added: dict[str, list[Definition]] = {}
        self.increased: dict[str, list[Definition]] = {}
        self.members: dict[str, set[str]] = {}
        self.called_members: dict[str, set[str]] = {}
        self.documented: dict[str, str] = {}

    def seal(self) -> None:
        """See `Block.seal`."""
        self.namespace = self.namespace or NO_DICT
        self.documented = self.documented or NO_DICT
        self.attributes = self.attributes or NO_DICT
        self.added = self.added or NO_DICT
        self.increased = self.increased or NO_DICT
        self.members = share_sets(self.members)
        self.called_members = share_sets(self.called_members)

    def binding(self, name: str, instance: bool) -> list[Definition]:
        """What binds a member here."""
        found = [self.namespace[name]] if name in self.namespace else []
        return found + self.attributes.get(name, []) if instance else found

    def names(self) -> set[str]:
        """Every name it says something of."""
        bound = {*self.namespace, *self.attributes, *self.added, *self.increased, *self.members}
        return bound.union(self.documented) if self.documented else bound


class ImportName:
    """One name of an import statement, with what an edit of it needs. All spans are relative to the block.

    `bound` is the name it binds; `module`, `level` and `name` what is imported (`import a.b`: module "",
    name "a.b"); `start`..`end` spans it with its alias, `name_start`..`name_end` without;
    `statement_start`..`statement_end` the whole statement. `conditional`: not run on every path through
    the module (in a function, `try`, `if`).
    """

    __slots__ = (
        "bound",
        "conditional",
        "end",
        "level",
        "module",
        "name",
        "name_end",
        "name_start",
        "start",
        "statement_end",
        "statement_start",
    )

    def __init__(
        self,
        bound: str,
        source: tuple[str, int, str],
        span: tuple[int, int],
        name_span: tuple[int, int],
        statement_span: tuple[int, int],
        conditional: bool,
    ) -> None:
        self.bound = bound
        self.module, self.level, self.name = source
        self.start, self.end = span
        self.name_start, self.name_end = name_span
        self.statement_start, self.statement_end = statement_span
        self.conditional = conditional


GivenBack = tuple[list[FunctionParameter], list["Definition | Expression"]]


def _given_back(function: FunctionDefinition) -> GivenBack:
    """What the returns of a function may give; see `FunctionDefinition.given_back`."""
    parameters: list[FunctionParameter] = []
    others: list[Definition | Expression] = []
    waiting = function.returns[::-1]
    while waiting:
        current = waiting.pop()
        default = lookup_default(current) if isinstance(current, CallExpression) else None
        if isinstance(current, Conditional):
            waiting += [current.orelse, current.body]
        elif isinstance(current, Boolean):
            waiting += [current.right, current.left]
        elif isinstance(current, CallExpression) and default is not None:
            others.append(without_default(current))
            waiting.append(default)
        elif isinstance(current, Name):
            for source in sources(current.definition, before_tests=True):
                if isinstance(source, FunctionParameter) and _is_passed(source, function):
                    parameters.append(source)
                else:
                    others.append(source)
        else:
            others.append(current)
    return parameters, others


def _is_passed(parameter: FunctionParameter, function: FunctionDefinition) -> bool:
    is_method = function.owner is not None and "staticmethod" not in function.decoration
    is_receiver = parameter.index == 0 and is_method
    return (
        parameter.function is function
        and not is_receiver
        and (parameter.annotation is None or _says_nothing(parameter.annotation))
        and parameter.kind in ("plain", "keyword_only", "positional_only")
        and parameter.applied_to is None
    )


_OPEN_TYPES: Final = frozenset({"Any", "Callable", "object"})


def _says_nothing(annotation: Expression) -> bool:
    """Whether an annotation leaves open what a value is, as it is written: `Any`, `Callable[..., Any]`."""
    head = annotation.value if isinstance(annotation, Subscript) else annotation
    name = head.id if isinstance(head, Name) else head.name if isinstance(head, Attribute) else ""
    return name in _OPEN_TYPES
