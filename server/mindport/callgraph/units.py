"""The units of a module, and what each reads of the project: by that values pass between them.

A unit is a class, a function or another statement at the module's top level. Told from names alone: what is
read of a module is followed by its name, whatever it is, so that no value passes unseen but by texts that
name things (`getattr(models, name)` counts as reading all of `models`). Plain data, to be sent by workers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from mindport.index.definitions import (
    Assigned,
    ClassDefinition,
    Definition,
    FreeVariable,
    FunctionDefinition,
    ImportedModule,
    ImportedName,
    sources,
)
from mindport.index.nodes import (
    ADDING,
    AssignmentTarget,
    Attribute,
    CallExpression,
    Constant,
    Dictionary,
    Display,
    Name,
    Subscript,
    Unary,
    children,
)

if TYPE_CHECKING:
    from mindport.index.block import Block
    from mindport.index.module import Module
    from mindport.index.nodes import Expression

UnitKind = Literal["class", "function", "code"]
OWN: Final = ""
"""The module that a reference starts from if that is the one which reads."""
_IMPORTS: Final = frozenset({"import_statement", "import_from_statement", "future_import_statement"})
_MUTATING: Final = frozenset({*ADDING, "update", "setdefault", "register", "__setitem__"})
_PLAIN_DECORATORS: Final = frozenset({"staticmethod", "classmethod", "property", "dataclass", "overload"})


class Reference(NamedTuple):
    """What is read: the names that are read one after the other of a module, by its absolute name or `OWN`;
    none, where the module itself is read."""

    module: str
    names: tuple[str, ...]


class Unit(NamedTuple):
    """A unit of a module: `start`..`end` in bytes, and the line it starts at (from 1). `binds` are the names
    it binds in the module, `reads` what it reads of this and other modules, `changes` what of that it changes
    by itself, as `known["x"] = y` does.

    `is_plain`: nothing can be kept in it that one user of it hands to another, as long as that is so for all
    that it reads: functions and classes without state, constants."""

    name: str
    kind: UnitKind
    start: int
    end: int
    line: int
    binds: frozenset[str]
    reads: frozenset[Reference]
    changes: frozenset[Reference]
    is_plain: bool


class ModuleUnits(NamedTuple):
    """A module: its path, its dotted name, its units in source order, what its imports bind, by name, and the
    modules of which it imports everything."""

    path: str
    name: str
    units: tuple[Unit, ...]
    imports: tuple[tuple[str, Reference], ...]
    stars: tuple[str, ...]


def units_of(blocks: Sequence[Block], starts: Sequence[int]) -> ModuleUnits:
    """The units of a module, from its blocks and where these start."""
    module = next((block.module for block in blocks if block.module is not None), None)
    path, name = (module.path, module.name) if module is not None else ("", "")
    imports: dict[tuple[str, Reference], None] = {}
    stars: dict[str, None] = {}
    for block in blocks:
        for bound, definition in block.names.items() if block.part is None else ():
            for source in sources(definition):
                found = _imported(source, module)
                if found is not None:
                    imports[bound, found] = None
        for star, level in block.stars:
            dotted = _absolute(module, star, level)
            if dotted is not None:
                stars[dotted] = None
    lines = _Lines(module)
    units = [
        _unit(own, start, lines.of(start), module)
        for own, start in _together(blocks, starts)
        if own[0].kind not in _IMPORTS
    ]
    return ModuleUnits(path, name, tuple(units), tuple(imports), tuple(stars))


class _Lines:
    """The lines of a module's text, from 1."""

    def __init__(self, module: Module | None) -> None:
        self._document = module.document if module is not None else None

    def of(self, offset: int) -> int:
        return self._document.lines.line_of(offset) + 1 if self._document is not None else 0


def _together(blocks: Sequence[Block], starts: Sequence[int]) -> Iterator[tuple[list[Block], int]]:
    """The blocks of each unit, with where it starts: the header of a class and what its body is cut into are
    one."""
    owner: ClassDefinition | None = None
    own: list[Block] = []
    begin = 0
    for block, start in zip(blocks, starts, strict=True):
        if block.part is not None and block.part.owner is owner and owner is not None:
            own.append(block)
            continue
        if own:
            yield own, begin
        own, begin, owner = [block], start, block.defined_class
    if own:
        yield own, begin


def _unit(blocks: list[Block], start: int, line: int, module: Module | None) -> Unit:
    reads: set[Reference] = set()
    changes: set[Reference] = set()
    for block in blocks:
        walk = _Walk(module)
        walk.run(block)
        reads |= walk.reads
        changes |= walk.changes
    first = blocks[0]
    binds = frozenset(
        name
        for block in blocks
        for name, definition in ({} if block.part is not None else block.names).items()
        if any(_imported(source, module) is None for source in sources(definition))
    ).union(*(block.global_names for block in blocks))
    named = _definition(first)
    has_state = any(block.global_names for block in blocks)
    if named is None:
        kind: UnitKind = "code"
        is_plain = not has_state and _is_constant_code(first, module)
        name = min(binds, default="")
    else:
        kind = "class" if isinstance(named, ClassDefinition) else "function"
        is_plain = not has_state and _is_stateless(named, blocks)
        name = named.name
    end = _end(blocks, start, module)
    return Unit(name, kind, start, end, line, binds, frozenset(reads), frozenset(changes), is_plain)


def _end(blocks: list[Block], start: int, module: Module | None) -> int:
    """Where a unit ends, without the blank behind it."""
    if module is not None:
        position = module.position(blocks[-1])
        if position >= 0:
            start = module.starts[position]
    return start + len(blocks[-1].text.rstrip())


def _definition(block: Block) -> ClassDefinition | FunctionDefinition | None:
    """The class or function that a block is; None, where it is another statement."""
    if block.defined_class is not None:
        return block.defined_class
    if not block.kind.endswith("_definition") or len(block.names) != 1:
        return None
    found = next(iter(block.names.values()))
    if isinstance(found, (ClassDefinition, FunctionDefinition)):
        return found
    decorated = [one for one in block.placed if one.name in block.names and "." not in one.qualified_name]
    return decorated[0] if len(decorated) == 1 else None


def _is_constant_code(block: Block, module: Module | None) -> bool:
    """Whether a statement binds nothing but constants, imported names, and what is made of such."""
    if block.stored or block.augmented:
        return False
    for definition in block.names.values():
        for source in sources(definition):
            if _imported(source, module) is not None:
                continue
            if not isinstance(source, Assigned) or not _is_constant(source.value, module):
                return False
    if block.names:
        return True
    # A statement that binds nothing does something: a text (a docstring) does not.
    return block.kind == "expression_statement" and not any(
        not isinstance(root, Constant) for root in block.roots
    )


def _is_constant(value: Expression | None, module: Module | None) -> bool:
    if value is None or isinstance(value, Constant):
        return True
    if isinstance(value, (Name, Attribute)):
        return bool(_dotted(value, module))
    if isinstance(value, (Display, Dictionary, Unary, Subscript, CallExpression)):
        return all(_is_constant(part, module) for part in children(value))
    return False


def _is_stateless(named: ClassDefinition | FunctionDefinition, blocks: list[Block]) -> bool:
    """Whether a function or a class keeps nothing of what it is given by one caller for another."""
    if isinstance(named, FunctionDefinition):
        return not named.decorators and all(_is_stateless_function(one) for one in _functions(blocks))
    if any(_name_of(one.value) not in _PLAIN_DECORATORS for one in named.decorators):
        return False
    parts = [block.part for block in blocks if block.part is not None]
    parts += [named.own_part] if named.own_part is not None else []
    for part in parts:
        for definition in part.namespace.values():
            for source in sources(definition):
                is_function = isinstance(source, (FunctionDefinition, ClassDefinition))
                if not is_function and not (isinstance(source, Assigned) and _is_immutable(source.value)):
                    return False
    return all(_is_stateless_function(one) for one in _functions(blocks))


def _functions(blocks: list[Block]) -> Iterator[FunctionDefinition]:
    for block in blocks:
        yield from (one for one in block.placed if isinstance(one, FunctionDefinition))


def _is_stateless_function(function: FunctionDefinition) -> bool:
    if any(_name_of(one.value) not in _PLAIN_DECORATORS for one in function.decorators):
        return False
    return all(one.default is None or _is_immutable(one.default) for one in function.parameters)


def _is_immutable(value: Expression | None) -> bool:
    if isinstance(value, Display):
        return value.kind == "tuple" and all(map(_is_immutable, value.items))
    if isinstance(value, Unary):
        return _is_immutable(value.operand)
    return value is None or isinstance(value, (Constant, Name, Attribute))


def _name_of(value: Expression | None) -> str:
    """The last name of a decorator."""
    if isinstance(value, CallExpression):
        value = value.function
    if isinstance(value, Attribute):
        return value.name
    return value.id if isinstance(value, Name) else ""


class _Walk:
    """What one block reads."""

    def __init__(self, module: Module | None) -> None:
        self._module = module
        self.reads: set[Reference] = set()
        self.changes: set[Reference] = set()

    def run(self, block: Block) -> None:
        """Look at all expressions of a block."""
        waiting = list(block.roots)
        seen: set[int] = set()
        while waiting:
            expression = waiting.pop()
            if id(expression) in seen:
                continue
            seen.add(id(expression))
            if isinstance(expression, (Name, Attribute)):
                self.reads.update(_dotted(expression, self._module))
            if isinstance(expression, CallExpression):
                self._note_change(expression.function)
            if isinstance(expression, AssignmentTarget):
                self.changes.update(_dotted(_owner(expression.attribute), self._module))
                waiting.append(expression.attribute)
            elif not isinstance(expression, Attribute) or _root(expression) is None:
                waiting.extend(children(expression))
        for stored in block.stored:
            if stored.container is not None:
                self.changes.update(_dotted(stored.container, self._module))
        for augmented in block.augmented:
            self.reads.update(_dotted(augmented.target, self._module))

    def _note_change(self, function: Expression) -> None:
        if isinstance(function, Attribute) and function.name in _MUTATING:
            self.changes.update(_dotted(function.value, self._module))


def _owner(target: Expression) -> Expression:
    return target.value if isinstance(target, Attribute) else target


def _root(expression: Expression) -> Name | None:
    """The name that a dotted one begins with; None, where it begins with something else."""
    while isinstance(expression, Attribute):
        expression = expression.value
    return expression if isinstance(expression, Name) else None


def _dotted(expression: Expression, module: Module | None) -> list[Reference]:
    """What a dotted name reads of modules; nothing, where it begins with a local name."""
    names: list[str] = []
    while isinstance(expression, Attribute):
        names.append(expression.name)
        expression = expression.value
    if not isinstance(expression, Name):
        return []
    rest = tuple(reversed(names))
    found: list[Reference] = []
    for source in sources(expression.definition, before_tests=True):
        if isinstance(source, FreeVariable):
            found += _of_entry(source, expression.id, rest, module)
        else:
            imported = _imported(source, module)
            if imported is not None:
                found.append(Reference(imported.module, (*imported.names, *rest)))
    return found


def _of_entry(
    entry: FreeVariable, name: str, rest: tuple[str, ...], module: Module | None
) -> Iterator[Reference]:
    """What a name reads that its own scope does not bind."""
    origin = entry.origin()
    if not origin.local:
        yield Reference(OWN, (name, *rest))
        return
    for definition in origin.definitions:
        for source in sources(definition, before_tests=True):
            imported = _imported(source, module)
            if imported is not None:
                yield Reference(imported.module, (*imported.names, *rest))


def _imported(definition: Definition, module: Module | None) -> Reference | None:
    """What an import binds; None, where it is no import."""
    if isinstance(definition, ImportedModule):
        return Reference(definition.module, ())
    if isinstance(definition, ImportedName):
        dotted = _absolute(module, definition.module, definition.level)
        return Reference(dotted, (definition.name,)) if dotted is not None else Reference("?", ())
    return None


def _absolute(module: Module | None, name: str, level: int) -> str | None:
    if module is None:
        return name if level == 0 else None
    return module.absolute(name, level)
