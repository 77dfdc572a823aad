"""What rules about functions and classes look at: a piece of code of one block, in its syntax, with what its
expressions may be.

Nothing has to be said of what such a rule rests on: what it asks of other code is asked of the evaluator
inside the block, which remembers it with the uses of the block; what it asks of the file is kept with the
findings (see `FileAnswers`). Either way the rule looks again when an answer is another one, and not before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tree_sitter import Node  # what a field is made of, which mypyc looks for when it loads

from mindport.infer.class_members import torch_base
from mindport.infer.networks import function_of, runs_in_network, wraps
from mindport.infer.second_gradients import SecondGradients, second_gradients
from mindport.infer.values import TENSOR, UNKNOWN, AbstractValue, ApiValue, Certainty, Instance
from mindport.source.expression_node import PlacedNode
from mindport.source.syntax import EXTRAS
from mindport.tensors.dtypes import Dtypes, TensorType
from mindport.tensors.read_numbers import ReadNumbers
from mindport.uses.expression_at import expressions_in

if TYPE_CHECKING:
    from mindport.assess.file_answers import FileAnswers
    from mindport.catalog.graph_facts import GraphFacts
    from mindport.index.block import Block
    from mindport.index.definitions import ClassDefinition, FunctionDefinition
    from mindport.index.nodes import Expression
    from mindport.infer.evaluator import Evaluator
    from mindport.uses.analysis import Analysis
    from mindport.uses.collect import BlockUses
    from mindport.uses.use import Use, UseKind

_Answer = TypeVar("_Answer")
_FUNCTION = "function_definition"
_CLASS = "class_definition"
_DEFINING = (_FUNCTION, _CLASS)
_DECORATED = "decorated_definition"
_CONDITION = "if_statement"
_TRUTH = "torch.bool"
_COMPOUND = ("_statement", "_clause", "_definition", "block")
"""The ends of the types of nodes that may hold statements."""


class BlockCode:
    """A block of a document as code: `root` is its statement (of a class at the top level that is cut, the
    class), at the byte `start`, `found` its uses of torch APIs."""

    def __init__(
        self,
        evaluator: Evaluator,
        answers: FileAnswers,
        block: Block,
        start: int,
        root: PlacedNode,
        found: BlockUses,
    ) -> None:
        self.evaluator = evaluator
        self.answers = answers
        self.block = block
        self.start = start
        self.root = root
        self.found = found
        self._expressions: dict[tuple[int, int], Expression] | None = None
        self._types: Dtypes | None = None
        self._numbers: ReadNumbers | None = None
        self._in_network: bool | None = None
        self._second_gradients: SecondGradients | None = None

    @classmethod
    def of(
        cls, evaluator: Evaluator, answers: FileAnswers, block: Block, start: int, uses: BlockUses
    ) -> BlockCode | None:
        """The code of a block with its `uses`; None where it has no syntax of its own, since something does
        not parse."""
        found = answers.document.piece_at(start)
        if found is None:
            return None
        base, piece = found
        first = start - base
        kind = block.kind.removeprefix("class: ")
        node = piece.root.descendant_for_byte_range(first, first + len(block.text))
        while node is not None and (node.start_byte, node.type) != (first, kind):
            node = node.parent
        if node is None:
            return None
        return cls(evaluator, answers, block, start, PlacedNode(node, base), uses)

    def span(self, node: Node) -> tuple[int, int]:
        """Where a node is, relative to the block (bytes)."""
        shift = self.root.base - self.start
        return shift + node.start_byte, shift + node.end_byte

    def node_of(self, use: Use) -> Node | None:
        """The node that a use covers."""
        shift = self.start - self.root.base
        return self.root.node.descendant_for_byte_range(use.start + shift, use.end + shift)

    def value(self, node: Node) -> AbstractValue:
        """What an expression of the block may be."""
        return self._asked(node, self.evaluator.value, UNKNOWN)

    def is_mask(self, node: Node) -> bool:
        """Whether an expression that gives a Tensor gives one of truth values."""
        return self._asked(node, lambda expression: self._dtypes.of(expression).dtype == _TRUTH, False)

    def tensor_type(self, node: Node) -> TensorType:
        """Whether a Tensor that an expression gives has dimensions, and its dtype, as far as is known."""
        return self._asked(node, self._dtypes.of, TensorType())

    def is_read_number(self, node: Node) -> bool:
        """Whether an expression is made of numbers that were read from Tensors."""
        return self._asked(node, self._read_numbers.of, False)

    def _asked(self, node: Node, ask: Callable[[Expression], _Answer], otherwise: _Answer) -> _Answer:
        """What is said of an expression of the block."""
        expression = self._expression(node)
        if expression is None:
            return otherwise
        with self.evaluator.inside(self.block):
            return ask(expression)

    @property
    def _dtypes(self) -> Dtypes:
        if self._types is None:
            self._types = Dtypes(self.evaluator)
        return self._types

    @property
    def _read_numbers(self) -> ReadNumbers:
        if self._numbers is None:
            self._numbers = ReadNumbers(self.evaluator)
        return self._numbers

    def _expression(self, node: Node) -> Expression | None:
        while node.type == "parenthesized_expression" and node.named_children:
            node = node.named_children[0]
        if self._expressions is None:
            roots = [expression for root in self.block.roots for expression in expressions_in(root)]
            self._expressions = {(one.start, one.end): one for one in reversed(roots)}
        return self._expressions.get(self.span(node))

    @property
    def runs_in_network(self) -> bool:
        """Whether it is a function that runs in a network, as far as is known."""
        if self._in_network is None:
            self._in_network = _is_in_network(self.evaluator, self.block)
        return self._in_network

    @property
    def second_gradients(self) -> SecondGradients:
        """Where gradients of gradients are taken in the block, and what is computed on the way there."""
        if self._second_gradients is None:
            with self.evaluator.inside(self.block):
                self._second_gradients = second_gradients(self.evaluator, self.block)
        return self._second_gradients

    def derives_from(self, definition: ClassDefinition, api: str) -> bool:
        """Whether a class of the project derives from a class of torch."""
        with self.evaluator.inside(self.block):
            return torch_base(self.evaluator, definition, api) is not None

    def defines(self, definition: ClassDefinition, name: str) -> bool:
        """Whether the body of a class binds a name."""
        with self.evaluator.inside(self.block):
            return self.evaluator.own_member(definition, name, instance=False) is not None


def concerns_graphs(evaluator: Evaluator, block: Block, apis: Collection[str]) -> bool:
    """Whether rules about graph mode may find something in a block with uses of these APIs: it is a function
    that runs in a network, or it makes inputs for one."""
    return not evaluator.catalog.graph.shapes.inputs.isdisjoint(apis) or _is_in_network(evaluator, block)


def _is_in_network(evaluator: Evaluator, block: Block) -> bool:
    function = function_of(block)
    if function is None:
        return False
    with evaluator.inside(block):
        return runs_in_network(evaluator, function)


def concerns_second_gradients(evaluator: Evaluator, block: Block, apis: Collection[str]) -> bool:
    """Whether rules about gradients of gradients may find something in a block: it takes one, or something in
    it is on the way to one."""
    with evaluator.inside(block):
        found = second_gradients(evaluator, block)
    return bool(found.takers or found.computed)


class Spotted(NamedTuple):
    """What a rule has found: the `node` that the finding covers, and the `words` its message is made with. A
    rule that finds several kinds of code says which `kind` it is, for what rewrites it."""

    node: Node
    words: tuple[tuple[str, str], ...] = ()
    certainty: Certainty = Certainty.CERTAIN
    kind: str = ""


class CodeContext:
    """A piece of code that a rule looks at, and what may be asked about it."""

    kind: UseKind = "function"

    def __init__(self, code: BlockCode, node: Node, definition: ClassDefinition | None) -> None:
        self.code = code
        self.definition = definition
        self._node = node

    @property
    def name_node(self) -> Node:
        """The name that it is defined by."""
        return self._node.child_by_field_name("name") or self._node

    def text(self, node: Node) -> str:
        """The text of a node."""
        return self.code.root.text(self.code.answers.document, node).decode("utf-8", "replace")

    def span(self, node: Node) -> tuple[int, int]:
        """Where a node is, relative to the block (bytes)."""
        return self.code.span(node)

    def value(self, node: Node) -> AbstractValue:
        """What an expression may be."""
        return self.code.value(node)

    def is_tensor(self, node: Node) -> Certainty | None:
        """How sure it is that an expression gives a Tensor; None if it may be something else, or nothing is
        known of it."""
        value = self.value(node)
        tensors = [isinstance(one, Instance) and one.of == TENSOR for one in value.alternatives]
        return value.certainty if tensors and all(tensors) else None

    def ask(self, question: Callable[[Analysis], _Answer]) -> _Answer:
        """The answer to a question about the whole file (see `FileAnswers.ask`)."""
        return self.code.answers.ask(question)


class GivenArguments(NamedTuple):
    """The arguments of a call: those by position, those by name, and whether it has `*` or `**`."""

    positional: list[Node]
    keywords: dict[str, Node]
    is_open: bool

    def of(self, name: str, place: int) -> Node | None:
        """The argument for a parameter; None where it is left out."""
        if name in self.keywords:
            return self.keywords[name]
        return self.positional[place] if 0 <= place < len(self.positional) else None


class BodyContext(CodeContext):
    """Code that is carried out as a whole: a function, or a statement outside of functions and classes."""

    def __init__(self, code: BlockCode, node: Node, definition: ClassDefinition | None) -> None:
        super().__init__(code, node, definition)
        self._of_types: dict[str, list[Node]] | None = None
        self._reached_of_types: dict[str, list[Node]] | None = None

    @property
    def graph_facts(self) -> GraphFacts:
        """What graph mode does otherwise."""
        return self.code.evaluator.catalog.graph

    @property
    def runs_in_network(self) -> bool:
        """Whether it is the `forward` of a module, or is called by one, be it through others."""
        return self.code.runs_in_network

    def arguments(self, call: Node) -> GivenArguments:
        """The arguments of a call."""
        given = call.child_by_field_name("arguments")
        made = GivenArguments([], {}, False)
        for one in given.named_children if given is not None else ():
            name, value = one.child_by_field_name("name"), one.child_by_field_name("value")
            if one.type == "keyword_argument" and name is not None and value is not None:
                made.keywords[self.text(name)] = value
            elif one.type in ("list_splat", "dictionary_splat"):
                made = made._replace(is_open=True)
            elif one.type not in EXTRAS:
                made.positional.append(one)
        return made

    @property
    def _first(self) -> list[Node]:
        return [self._node]

    def nodes(self, *types: str, unreached: bool = False) -> Iterator[Node]:
        """The nodes of these types in it, those of one type after the other, each in source order, but
        for those in functions and classes within it, which are looked at by themselves; a function or class
        itself is one of them. With `unreached`, those in branches that are for PyTorch's own compilers, too.
        """
        found = self._by_type if unreached else self._reached_by_type
        for kind in types:
            yield from found.get(kind, ())

    def uses(self) -> Iterator[tuple[Use, Node]]:
        """The uses of torch APIs in it, decorators included, each with the node that it covers, but for those
        in functions and classes within it."""
        for use in self.code.found.uses:
            node = self.code.node_of(use)
            if node is not None and _defined_around(node, self.code.root.node) == self._defining:
                yield use, node

    @property
    def _defining(self) -> Node | None:
        return self._node if self._node.type in _DEFINING else None

    @property
    def _by_type(self) -> dict[str, list[Node]]:
        if self._of_types is None:
            self._of_types = self._collected(is_all=True)
        return self._of_types

    @property
    def _reached_by_type(self) -> dict[str, list[Node]]:
        if self._reached_of_types is None:
            conditions = self._by_type.get(_CONDITION, ())
            is_all = all(len(self._reached(one)) == len(one.named_children) for one in conditions)
            self._reached_of_types = self._by_type if is_all else self._collected(is_all=False)
        return self._reached_of_types

    def _collected(self, is_all: bool) -> dict[str, list[Node]]:
        found: dict[str, list[Node]] = {}
        waiting = self._first[::-1]
        while waiting:
            node = waiting.pop()
            kind = node.type
            if kind in found:
                found[kind].append(node)
            else:
                found[kind] = [node]
            if node.named_child_count and kind not in _DEFINING:  # most nodes have no parts
                within = node.named_children if is_all or kind != _CONDITION else self._reached(node)
                waiting += within[::-1]
        return found

    def _reached(self, node: Node) -> list[Node]:
        """What is in a node, without the branch of a condition that is never true in MindSpore."""
        condition = node.child_by_field_name("condition") if node.type == _CONDITION else None
        if condition is None:
            return node.named_children
        if self._is_untrue(condition):
            left_out = node.children_by_field_name("consequence")
        elif condition.type == "not_operator" and self._is_untrue(condition.named_children[0]):
            left_out = node.children_by_field_name("alternative")
        else:
            return node.named_children
        return [child for child in node.named_children if child not in left_out]

    def _is_untrue(self, condition: Node) -> bool:
        """Whether a condition asks for one of PyTorch's own compilers."""
        if condition.type == "boolean_operator":
            operator = condition.child_by_field_name("operator")
            is_all = operator is not None and operator.type == "and"
            return (any if is_all else all)(self._is_untrue(part) for part in condition.named_children)
        function = condition.child_by_field_name("function") if condition.type == "call" else None
        found = self.value(function).alternatives if function is not None else ()
        return len(found) == 1 and isinstance(found[0], ApiValue) and found[0].name in self.graph_facts.untrue


class FunctionContext(BodyContext):
    """A `def`; `definition` is the class it is a method of, if any."""

    kind: UseKind = "function"

    @property
    def node(self) -> Node:
        """The whole of it, which is in one block."""
        return self._node

    @property
    def _first(self) -> list[Node]:
        body = self._node.child_by_field_name("body")
        return body.named_children if body is not None else []

    def is_method_of(self, api: str) -> bool:
        """Whether it is a method of a class that derives from a class of torch."""
        return self.definition is not None and self.code.derives_from(self.definition, api)

    def wraps(self, decorator: FunctionDefinition) -> bool:
        """Whether a function of the project, taken as a decorator, may add something to a function."""
        with self.code.evaluator.inside(self.code.block):
            return wraps(self.code.evaluator, decorator)

    def computes(self, api: str) -> bool:
        """Whether calling an API surely does nothing but compute a Tensor from others."""
        tensors = self.code.evaluator.catalog.tensors
        sets = (tensors.keeping, tensors.promoting, tensors.reductions, tensors.views, tensors.same)
        return not api.endswith("_") and any(api in one for one in sets)

    def is_mask(self, node: Node) -> bool:
        """Whether an expression surely gives a Tensor of truth values."""
        return self.is_tensor(node) is not None and self.code.is_mask(node)

    def is_read_number(self, node: Node) -> bool:
        """Whether an expression is made of numbers that were read from Tensors, or is a Tensor itself."""
        return self.code.is_read_number(node) or self.is_tensor(node) is not None

    def decorators(self) -> Iterator[Node]:
        """The expressions that decorate it."""
        around = self._node.parent
        if around is not None and around.type == _DECORATED:
            for node in around.named_children:
                if node.type == "decorator" and node.named_children:
                    yield node.named_children[0]

    def statements(self, *types: str) -> Iterator[Node]:
        """The statements of these types of nodes in it, in source order, but for those of functions and
        classes within it."""
        body = self._node.child_by_field_name("body")
        for node in _statements(body) if body is not None else ():
            if node.type in types:
                yield node


class StatementContext(BodyContext):
    """A statement at the top level of a module."""

    kind: UseKind = "statement"


class ClassContext(CodeContext):
    """A `class`; where two of one name are in a block, nothing is known of either (`definition` is None).
    What is in its body are other blocks, which change by themselves: the class is asked what it defines, and
    its methods are looked at one by one, as functions."""

    kind: UseKind = "class"

    def derives_from(self, api: str) -> bool:
        """Whether it derives from a class of torch, be it through other classes of the project."""
        return self.definition is not None and self.code.derives_from(self.definition, api)

    def defines(self, name: str) -> bool:
        """Whether its body binds a name."""
        return self.definition is not None and self.code.defines(self.definition, name)


def contexts_of(code: BlockCode) -> Iterator[CodeContext]:
    """All that rules may look at in a block. To let them look at another kind of thing, give it a class
    above, and yield it here."""
    owner = code.block.part.owner if code.block.part is not None else None
    if code.block.defined_class is not None:  # what is in its body are blocks of their own
        node = code.root.node
        inner = node.child_by_field_name("definition") if node.type == _DECORATED else node
        yield ClassContext(code, inner or node, code.block.defined_class)
    else:
        if owner is None and code.root.node.type not in (_FUNCTION, _CLASS, _DECORATED):
            yield StatementContext(code, code.root.node, None)
        yield from _within(code, code.root.node, owner)


def _within(code: BlockCode, node: Node, owner: ClassDefinition | None) -> Iterator[CodeContext]:
    """What is defined by a statement or in it; `owner` is the class whose body the statement is in."""
    if node.type == _FUNCTION:
        yield FunctionContext(code, node, owner)
        owner = None
    elif node.type == _CLASS:
        context = ClassContext(code, node, None)
        owner = context.definition = _definition(code, context.text(context.name_node))
        yield context
    if node.type.endswith(_COMPOUND):
        for child in node.named_children:
            yield from _within(code, child, owner)


def _defined_around(node: Node, root: Node) -> Node | None:
    """The function or class that a node belongs to, within a root: its decorators do, too."""
    around: Node | None = node
    while around is not None:
        if around.type in _DEFINING:
            return around
        if around.type == "decorator" and around.parent is not None:
            return around.parent.child_by_field_name("definition")
        around = around.parent if around != root else None
    return None


def _definition(code: BlockCode, name: str) -> ClassDefinition | None:
    """The class of this name that a block defines; None if there are several."""
    found = [one for one in code.block.classes if one.name == name]
    return found[0] if len(found) == 1 else None


def _statements(body: Node) -> Iterator[Node]:
    """The statements in a body, however deep, but for those in functions and classes."""
    for node in body.named_children:
        if node.type.endswith(_COMPOUND):
            yield node
            if node.type not in _DEFINING:
                yield from _statements(node)
