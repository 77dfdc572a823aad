"""Lowering: one walk over the syntax tree of a block that makes expression nodes and binds names.

The walk follows evaluation order and keeps, in `flow`, what binds each name at the current point. How each
kind of node is lowered is registered by `handles` (expressions) and `executes` (statements), in
`expressions`, `functions`, `statements` and `imports`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from sys import intern
from typing import TYPE_CHECKING, Final

from tree_sitter import Node

from mindport.index import nodes
from mindport.index.definitions import (
    ClassDefinition,
    ClassPart,
    Definition,
    FreeVariable,
    FunctionDefinition,
    LoopPhi,
    sources,
)
from mindport.index.scopes import Flow, Names, Scope, ScopeKind
from mindport.source.syntax import kinds

if TYPE_CHECKING:
    from mindport.index.block import Block, RootKind
    from mindport.source.piece import Piece

Path = tuple[int | str, ...]
TargetMaker = Callable[[Path], Definition]
ExpressionHandler = Callable[["Lowering", Node], nodes.Expression]
StatementHandler = Callable[["Lowering", Node], None]

_EXPRESSIONS: Final[dict[str, ExpressionHandler]] = {}
_STATEMENTS: Final[dict[str, StatementHandler]] = {}
_EXPRESSION_BY_ID: Final[dict[int, ExpressionHandler]] = {}
_STATEMENT_BY_ID: Final[dict[int, StatementHandler]] = {}

NO_FRAGMENTS: Final[Mapping[int, Piece]] = {}
MAXIMUM_DEPTH: Final = 250
"""Code nested deeper than this is not looked into: Python's own parser stops below it, and so does the
stack of this walk."""


def handles(*kinds: str) -> Callable[[ExpressionHandler], ExpressionHandler]:
    """Register a function as the lowering of these kinds of expression."""

    def register(handler: ExpressionHandler) -> ExpressionHandler:
        _EXPRESSIONS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def executes(*kinds: str) -> Callable[[StatementHandler], StatementHandler]:
    """Register a function as the lowering of these kinds of statement."""

    def register(handler: StatementHandler) -> StatementHandler:
        _STATEMENTS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def named(node: Node) -> list[Node]:
    """The named children of `node` that are not comments."""
    children = node.named_children
    for child in children:
        if child.kind_id in _TRIVIA:
            return [child for child in children if child.kind_id not in _TRIVIA]
    return children


def named_as(node: Node, count: int) -> list[Node]:
    """As `named`, for a node that has `count` of them where the code is sound: comments are looked for only
    if there are more."""
    children = node.named_children
    return children if len(children) == count else named(node)


def is_trivia(node: Node) -> bool:
    """Whether a node is a comment or a line continuation."""
    return node.kind_id in _TRIVIA


_TRIVIA: Final = kinds("comment", "line_continuation")
IDENTIFIER: Final = kinds("identifier")
_ATTRIBUTE: Final = kinds("attribute")
_SEQUENCES: Final = kinds("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list")
_WRAPPERS: Final = kinds("list_splat_pattern", "list_splat", "parenthesized_expression", "as_pattern_target")
_NESTED: Final = _SEQUENCES | _WRAPPERS
_STARS: Final = kinds("list_splat_pattern", "list_splat")


class Lowering:
    """The state of the walk over one block.

    `data` is the text that node offsets count in, `base` what is subtracted from them; `ascii` is the text of
    the block, if it has no other characters: then nothing has to be decoded piece by piece; `fragments` are
    the broken statements in it, by where each starts in `data`; `function` and `owner` are the function and
    the class whose body is being walked, `part` takes up what is found of the class, `called` the last names
    of what is called, `other_roots` the kinds of those of the block's roots that are no references, by
    position; `header_only` leaves out the body of the next class; `conditional` says that the current
    statement runs only on some paths.
    """

    def __init__(self, block: Block, data: bytes, base: int, fragments: Mapping[int, Piece]) -> None:
        self.block = block
        self.data = data
        self.base = base
        self.fragments = fragments
        self.ascii = block.text.decode() if block.text.isascii() else None
        self.flow = Flow(block.scope)
        self.function: FunctionDefinition | None = None
        self.owner: ClassDefinition | None = None
        self.part: ClassPart | None = None
        self.qualifier = ""
        self.in_annotation = False
        self.conditional = False
        self.depth = 0
        self.header_only = False
        self.defined_class: ClassDefinition | None = None
        self.scopes = [block.scope]
        self.called: set[str] = set()
        self.other_roots: dict[int, RootKind] = {}

    def text(self, node: Node) -> str:
        """The source text of `node`."""
        if self.ascii is not None:
            return self.ascii[node.start_byte - self.base : node.end_byte - self.base]
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def name(self, node: Node) -> str:
        """The identifier that `node` is: the same object wherever it is written, since names repeat."""
        return intern(self.text(node))

    def lower(self, node: Node) -> nodes.Expression:
        """The expression that `node` is."""
        depth = self.depth
        if depth > MAXIMUM_DEPTH:
            return self.too_deep(node)
        kind = node.kind_id
        if kind in IDENTIFIER:  # two of five nodes: it takes half as long here
            start, end = node.start_byte - self.base, node.end_byte - self.base
            text = self.ascii
            name = intern(text[start:end]) if text is not None else self.name(node)
            return nodes.Name(start, end, name, self.flow.read(name))
        handler = _EXPRESSION_BY_ID.get(kind)
        if handler is None:
            handler = _EXPRESSION_BY_ID[kind] = _EXPRESSIONS.get(node.type, Lowering.parts)
        self.depth = depth + 1
        expression = handler(self, node)
        self.depth = depth
        return expression

    def lower_all(self, children: list[Node]) -> list[nodes.Expression]:
        """The expressions among `children`."""
        return [self.lower(child) for child in children if not is_trivia(child)]

    def lower_annotation(self, node: Node) -> nodes.Expression:
        """An annotation: strings in it are expressions too."""
        before, self.in_annotation = self.in_annotation, True
        expression = self.lower(node)
        self.in_annotation = before
        return expression

    def parts(self, node: Node) -> nodes.Expression:
        """An expression of no kind of its own: only its parts matter. Statements inside (in code that does
        not parse) are executed."""
        start, end = node.start_byte - self.base, node.end_byte - self.base
        parts: list[nodes.Expression] = []
        for child in node.named_children:
            if child.type in _STATEMENTS:
                self.execute(child)
            elif not is_trivia(child):
                parts.append(self.lower(child))
        return nodes.Parts(start, end, node.type, parts)

    def fragment(self, node: Node, piece: Piece) -> nodes.Expression:
        """A broken statement, in whose place `node` stands: what it holds is walked in the scope around it.
        Whatever it may be, what follows it can be reached."""
        state = self.data, self.base, self.fragments, self.in_annotation, self.flow.dead
        self.data, self.base, self.fragments = piece.data, self.base - piece.start, NO_FRAGMENTS
        self.in_annotation = False
        self.execute(piece.root)
        self.data, self.base, self.fragments, self.in_annotation, self.flow.dead = state
        return nodes.Parts(node.start_byte - self.base, node.end_byte - self.base, "broken", [])

    def execute(self, node: Node) -> None:
        """Walk one statement."""
        depth = self.depth
        if depth > MAXIMUM_DEPTH:
            self.too_deep(node)
            return
        kind = node.kind_id
        handler = _STATEMENT_BY_ID.get(kind)
        if handler is None:
            handler = _STATEMENT_BY_ID[kind] = _STATEMENTS.get(node.type, Lowering.other_statement)
        self.depth = depth + 1
        handler(self, node)
        self.depth = depth

    def too_deep(self, node: Node) -> nodes.Expression:
        """Code that is nested too deep: it is not looked into, and that is told."""
        start, end = node.start_byte - self.base, node.end_byte - self.base
        self.block.too_deep.append((start, end))
        return nodes.Parts(start, end, "too deep", [])

    def execute_all(self, children: list[Node]) -> None:
        """Walk statements one after the other."""
        for child in children:
            self.execute(child)

    def other_statement(self, node: Node) -> None:
        """A statement of no kind of its own, or an expression in its place."""
        if is_trivia(node):
            return
        expression = self.lower(node)
        if type(expression) is nodes.Constant:
            expression.value = None  # a docstring, mostly: nobody asks what is in it
        self.root(expression)

    def root(self, expression: nodes.Expression, kind: RootKind = "reference") -> None:
        """Take up an outermost expression: the block's uses are looked for in these."""
        if kind != "reference":
            self.other_roots[len(self.block.roots)] = kind
        self.block.roots.append(expression)

    def open_scope(self, kind: ScopeKind) -> tuple[Flow, Scope]:
        """Start a scope inside the current one. Returns the flow to give back to `close_scope`."""
        outer = self.flow
        scope = Scope(kind, outer.scope, self.block)
        self.scopes.append(scope)
        if kind == "class" or outer.scope.kind != "module":
            scope.opened_in(outer)
        self.flow = Flow(scope)
        return outer, scope

    def close_scope(self, outer: Flow) -> Names:
        """End the current scope; its names at the end."""
        names = self.flow.names
        self.flow = outer
        return names

    def remember_added(self, container: nodes.Expression, value: Definition) -> None:
        """Keep that `value` is added to a container."""
        if isinstance(container, nodes.Name):
            for source in sources(container.definition):
                if isinstance(source, FreeVariable):
                    self.block.added_names.setdefault(container.id, []).append(value)
                else:
                    self.block.added.setdefault(source, []).append(value)
        elif isinstance(container, nodes.Attribute) and self.is_receiver(container.value):
            assert self.part is not None
            self.part.added.setdefault(container.name, []).append(value)

    def remember_increased(self, attribute: nodes.Attribute, by: Definition) -> None:
        """Keep by what an attribute of the receiver is increased."""
        if self.is_receiver(attribute.value):
            assert self.part is not None
            self.part.increased.setdefault(attribute.name, []).append(by)

    def is_receiver(self, expression: nodes.Expression) -> bool:
        """Whether an expression is the first parameter of the method that is being walked."""
        function = self.function
        return (
            self.part is not None
            and function is not None
            and function.owner is self.part.owner
            and bool(function.parameters)
            and isinstance(expression, nodes.Name)
            and (
                expression.definition is function.parameters[0]
                or (
                    type(expression.definition) is LoopPhi
                    and _before_loops(expression.definition) is function.parameters[0]
                )
            )
        )

    def bind_target(self, node: Node, path: Path, make: TargetMaker) -> None:
        """Bind the names of an assignment target, each to `make(path)`; other targets are evaluated."""
        kind = node.kind_id
        if kind in IDENTIFIER:
            self.flow.bind(self.name(node), make(path))
        elif kind not in _NESTED:
            if kind in _ATTRIBUTE:
                self._bind_attribute(node, path, make)
            elif kind not in _TRIVIA:
                self.root(self.lower(node))
        elif self.depth > MAXIMUM_DEPTH:
            self.too_deep(node)
        else:
            self.depth += 1
            self._bind_items(node, path, make)
            self.depth -= 1

    def _bind_items(self, node: Node, path: Path, make: TargetMaker) -> None:
        """Bind what is in a target of several parts, or in brackets."""
        if node.kind_id in _WRAPPERS:
            for child in node.named_children:
                self.bind_target(child, path, make)
            return
        items = named(node)
        behind_star = False
        for index, child in enumerate(items):
            if child.kind_id in _STARS:
                step: int | str = f"*{index}"
                behind_star = True
            else:
                step = index - len(items) if behind_star else index  # counted from the end
            self.bind_target(child, (*path, step), make)

    def _bind_attribute(self, node: Node, path: Path, make: TargetMaker) -> None:
        """Keep what is assigned to attributes: of the first parameter of a method, by the class."""
        children = named(node)
        target = self.lower(node)
        if len(children) != 2 or not isinstance(target, nodes.Attribute):
            self.root(target)  # it does not parse, or is nested too deep
            return
        self.root(nodes.AssignmentTarget(target))
        if self.is_receiver(target.value):
            assert self.part is not None
            self.part.attributes.setdefault(self.name(children[1]), []).append(make(path))
        else:
            self.block.set_outside.append((target, make(path)))


def _before_loops(definition: Definition) -> Definition:
    """What a name was before the loops that are being walked, whatever they bind it to."""
    while type(definition) is LoopPhi:
        definition = definition.parts[0]
    return definition
