"""The uses of torch APIs in a block: a walk over its expressions that asks the evaluator at every name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from mindport.catalog.helper_table import HELPERS_MODULE, PLACEHOLDER
from mindport.index import nodes
from mindport.index.definitions import Definition, FreeVariable, ImportName, Phi, sources
from mindport.infer.class_members import derives_from_torch, torch_base
from mindport.infer.imports import imported_module, imported_name
from mindport.infer.values import (
    MOST_APIS,
    TENSOR,
    AbstractValue,
    ApiValue,
    Certainty,
    Class,
    External,
    ExternalInstance,
    Function,
    Method,
    NoneValue,
    Object,
    Partial,
    PartialFunction,
    ProjectModule,
    TorchModule,
    Unknown,
    weaker,
)
from mindport.uses.argument_types import argument_type, has_overloads
from mindport.uses.operands import OperandUses
from mindport.uses.use import Argument, Call, Use, UseKind

if TYPE_CHECKING:
    from mindport.index.block import Block
    from mindport.infer.evaluator import Evaluator
    from mindport.infer.values import Value


class ImportRead:
    """A name that is read and that an import of the module may bind. Offsets are relative to the block."""

    __slots__ = ("end", "name", "start")

    def __init__(self, name: str, start: int, end: int) -> None:
        self.name = name
        self.start = start
        self.end = end


class BlockUses:
    """What was found in one block. The same object for as long as nothing it rests on changes, so that later
    layers may keep in `derived` what they made of it."""

    __slots__ = ("derived", "has_torch_class", "reads", "uses")

    def __init__(
        self, uses: tuple[Use, ...], reads: tuple[ImportRead, ...], has_torch_class: bool = False
    ) -> None:
        self.uses = uses
        self.reads = reads
        self.has_torch_class = has_torch_class
        """Whether a class that the block defines derives from one of torch's."""
        self.derived: dict[object, Any] = {}


def uses_of(evaluator: Evaluator, block: Block) -> BlockUses:
    """The uses in `block`, sorted by position."""
    memo = block.memo
    if memo.dirty:
        evaluator.enter(block)
    found = memo.uses
    if found is None:
        with evaluator.inside(block):
            found = memo.uses = _Walk(evaluator, block).run()
    assert isinstance(found, BlockUses)
    return found


_NAMED: Final = frozenset({ApiValue, TorchModule, Partial})
"""The values that are torch's own, and have a name."""


class _Walk:
    def __init__(self, evaluator: Evaluator, block: Block) -> None:
        self.evaluator = evaluator
        self.block = block
        self.uses: list[Use] = []
        self.reads: list[ImportRead] = []
        self.importable: dict[Definition, bool] = {}
        """Of each definition seen: whether the module may import the name."""
        self.silent: set[Definition] = set()
        """Definitions of which there is nothing to say, however often they are read."""
        self.operands = OperandUses(evaluator, block)

    def run(self) -> BlockUses:
        for imported in self.block.imports:
            self.imported(imported)
        for expression, kind in self.block.roots:
            self.visit(expression, kind)
        for augmented in self.block.augmented:
            self.add(self.operands.augmented(augmented))
        self.uses.sort(key=lambda use: (use.start, use.end))
        has_torch_class = any(derives_from_torch(self.evaluator, one) for one in self.block.classes)
        return BlockUses(tuple(self.uses), tuple(self.reads), has_torch_class)

    def imported(self, imported: ImportName) -> None:
        module = self.block.module
        absolute = module.absolute(imported.module, imported.level) if module is not None else None
        if not imported.module and not imported.level:
            result = imported_module(self.evaluator, imported.name)
        elif absolute is None:
            return
        elif imported.name == "*":
            result = imported_module(self.evaluator, absolute)
        else:
            result = imported_name(self.evaluator, absolute, imported.name)
        span = nodes.Expression(imported.name_start, imported.name_end)
        self.report(span, result, "import", None, imported.bound)

    def add(self, use: Use | None) -> None:
        """Take up a use, if it is one."""
        if use is not None:
            self.uses.append(use)

    def visit(self, expression: nodes.Expression, kind: UseKind) -> None:
        visit = _VISITS.get(type(expression))
        if visit is not None:
            visit(self, expression, kind)

    def report(
        self,
        expression: nodes.Expression,
        result: AbstractValue,
        kind: UseKind,
        call: nodes.CallExpression | None,
        root: str | None,
        receiver: nodes.Expression | None = None,
    ) -> bool:
        """Report the torch APIs among the alternatives. Returns whether there are any."""
        if not _may_be_named(result):
            return False
        named = {
            value.name: value
            for value in result.alternatives
            if isinstance(value, (ApiValue, TorchModule, Partial))
        }
        if len(named) > MOST_APIS:
            return False
        certainty = result.certainty
        others = [value for value in result.alternatives if not isinstance(value, NoneValue)]
        if len(named) > 1 or not all(type(value) in _NAMED for value in others):
            is_rivalled = _are_rivals(others, len(named), certainty)
            certainty = weaker(certainty, Certainty.POSSIBLE if is_rivalled else Certainty.LIKELY)
            root = None  # what it means depends on the path taken
        for _, value in sorted(named.items()):
            bound, shared, scalar = None, None, None
            if call is not None and not isinstance(value, Partial):
                bound = self.call(call, has_overloads(self.evaluator, value.name))
                shared = self.operands.shared(value.name, call, receiver)
                scalar = self.operands.scalar(value.name, call, receiver)
            self.uses.append(
                Use(
                    value.name,
                    self.kind_of(value, kind),
                    certainty,
                    expression.start,
                    expression.end,
                    bound,
                    root,
                    receiver.end if receiver is not None else None,
                    receiver is not None and _is_dotted(receiver),
                    None,
                    shared,
                    scalar,
                )
            )
        return True

    def kind_of(self, value: ApiValue | TorchModule | Partial, kind: UseKind) -> UseKind:
        """A bare reference to something that is neither class nor function reads an attribute."""
        if kind == "reference" and isinstance(value, ApiValue):
            described = self.evaluator.catalog.kind(value.name)
            if described in ("attribute", "property", "constant", "dtype"):
                return "attribute"
        return kind

    def call(self, call: nodes.CallExpression, is_overloaded: bool) -> Call:
        arguments = tuple(
            [
                Argument(
                    argument.keyword,
                    argument.unpack,  # type: ignore[arg-type]
                    argument.value.start,
                    argument.value.end,
                    self.block.text[argument.value.start : argument.value.end].decode("utf-8", "replace"),
                    argument_type(self.evaluator, argument.value) if is_overloaded else None,
                )
                for argument in call.arguments
            ]
        )
        return Call(call.start, call.end, call.arguments_start, arguments)

    def name(self, name: nodes.Name, kind: UseKind, call: nodes.CallExpression | None = None) -> None:
        definition = name.definition
        if definition in self.silent:
            return
        result = self.evaluator.definition(definition)
        is_importable = self.read(name)
        if _may_be_named(result):
            self.report(name, result, kind, call, self.root(name))
        elif not is_importable:
            self.silent.add(definition)

    def read(self, name: nodes.Name) -> bool:
        """Remember that a name is read, if the module may import it. Returns whether it may."""
        definition = name.definition
        is_importable = self.importable.get(definition)
        if is_importable is None:
            is_importable = self.importable[definition] = _is_importable(definition)
        if is_importable:
            self.reads.append(ImportRead(name.id, name.start, name.end))
        return is_importable

    def root(self, name: nodes.Name) -> str | None:
        """The name itself, if nothing but imports binds it."""
        definitions = _sources(name.definition)
        return name.id if definitions and all(self.is_imported(found) for found in definitions) else None

    def is_imported(self, definition: Definition) -> bool:
        """Whether a definition is an import, or leaves the name to imports of the module."""
        if type(definition) is not FreeVariable:
            return definition.is_import()
        return self.evaluator.is_imported(self.block, definition.name, definition.origin())

    def attribute(
        self, attribute: nodes.Attribute, kind: UseKind, call: nodes.CallExpression | None = None
    ) -> None:
        result = self.evaluator.value(attribute)
        leftmost = _leftmost(attribute)
        found = _may_be_named(result)
        spelled = found and leftmost is not None and self.is_spelled(attribute.value)
        if spelled and leftmost is not None:
            self.read(leftmost)
            found = self.report(attribute, result, kind, call, self.root(leftmost))
        elif found:
            receiver = attribute.value if self.is_member(attribute.value, result) else None
            found = self.report(attribute, result, kind, call, None, receiver)
        elif _may_be_anything(result) and _may_be_anything(self.evaluator.value(attribute.value)):
            self.possible(attribute, kind, call)
        if not (found and spelled):
            self.visit(attribute.value, "reference")

    def target(self, attribute: nodes.Attribute) -> None:
        """An attribute that is assigned to: of a module it is a use, of a value nothing is said of it."""
        receiver = self.evaluator.value(attribute.value)
        is_setting = all(type(value) is TorchModule for value in receiver.alternatives)
        self.visit(attribute if is_setting and receiver.alternatives else attribute.value, "reference")

    def possible(self, attribute: nodes.Attribute, kind: UseKind, call: nodes.CallExpression | None) -> None:
        """Nothing is known of the receiver: if a Tensor has a member of the name, it may be meant."""
        owner = self.evaluator.owner_of_member(attribute.name, call is not None)
        member = self.evaluator.catalog.member(owner or TENSOR, attribute.name)
        if member is not None and not attribute.name.startswith("__"):
            certainty = Certainty.LIKELY if owner is not None else Certainty.POSSIBLE
            found = AbstractValue((ApiValue(member),), certainty)
            self.report(attribute, found, kind, call, None, attribute.value)

    def placeholder(self, function: nodes.Attribute, call: nodes.CallExpression) -> None:
        """What a conversion has left to a person, `mindport_helpers.unavailable("torch.x")`, is a use of the
        API still."""
        named = call.arguments[0].value if len(call.arguments) == 1 else None
        if not isinstance(named, nodes.Constant) or named.kind != "str" or named.value is None:
            return
        modules = self.evaluator.value(function.value).alternatives
        paths = [module.path for module in modules if isinstance(module, ProjectModule)]
        if any(PurePath(path).stem == HELPERS_MODULE for path in paths):
            api = self.evaluator.catalog.canonical(named.value) or named.value
            self.add(Use(api, "reference", Certainty.CERTAIN, call.start, call.end))

    def computed(self, function: nodes.Expression, call: nodes.CallExpression) -> None:
        """A callee that is neither a name nor an attribute: `table[key](x)`, `make()(x)`."""
        self.report(function, self.evaluator.value(function), "call", call, None)
        self.visit(function, "reference")

    def is_member(self, receiver: nodes.Expression, result: AbstractValue) -> bool:
        """Whether the APIs may be members of the receiver. An object of the project may only keep them: a
        property that returns a Tensor's device."""
        owners = [value.name.rpartition(".")[0] for value in result.alternatives if type(value) is ApiValue]
        return not owners or not all(
            isinstance(value, Object)
            and all(torch_base(self.evaluator, value.definition, owner) is None for owner in owners)
            for value in self.evaluator.value(receiver).alternatives
        )

    def is_spelled(self, receiver: nodes.Expression) -> bool:
        """Whether the receiver is but the dotted path to its member: a module, or a class."""
        result = self.evaluator.value(receiver)
        catalog = self.evaluator.catalog
        return all(
            isinstance(value, TorchModule)
            or (isinstance(value, ApiValue) and catalog.kind(value.name) in ("class", None))
            or isinstance(value, (NoneValue, External))
            for value in result.alternatives
        )


def _may_be_anything(result: AbstractValue) -> bool:
    """Whether it may be something that nobody knows of, and is nothing of the project or torch."""
    kinds = {type(value) for value in result.alternatives}
    return Unknown in kinds and kinds <= _FOREIGN


_FOREIGN: Final = frozenset({Unknown, ExternalInstance, External, NoneValue})


def _are_rivals(others: Sequence[Value], count: int, certainty: Certainty) -> bool:
    """Whether some of these speak against `count` torch APIs beside them: what a builtin container has under
    the same name; where it is not certain what there is, things of the project, or as many functions of the
    project with arguments given, which rarely are all that there is."""
    if certainty is Certainty.CERTAIN:
        return any(isinstance(value, Method) for value in others)
    partials = sum(isinstance(value, PartialFunction) for value in others)
    return partials >= count or any(isinstance(value, (Function, Class, Object, Method)) for value in others)


def _may_be_named(result: AbstractValue) -> bool:
    """Whether a torch API is among the alternatives."""
    for value in result.alternatives:  # noqa: SIM110 - asked of every expression: a generator takes thrice as long
        if type(value) in _NAMED:
            return True
    return False


def _sources(definition: Definition) -> list[Definition]:
    """The definitions behind a name: those in the block, and entries of the module."""
    if not isinstance(definition, (FreeVariable, Phi)):  # as most are
        return sources(definition)
    if isinstance(definition, FreeVariable) and not definition.origin().local:
        return [definition]
    found: dict[Definition, None] = {}
    waiting: list[Definition] = [definition]
    seen: set[Definition] = set()
    while waiting:
        for current in sources(waiting.pop()):
            if current in seen:
                continue
            seen.add(current)
            origin = current.origin() if isinstance(current, FreeVariable) else None
            if origin is not None and origin.local:
                waiting.extend(origin.definitions)
            else:
                found[current] = None
    return list(found)


def _is_importable(definition: Definition) -> bool:
    """Whether a name may be one that the module imports."""
    if isinstance(definition, (FreeVariable, Phi)):
        return any(type(one) is FreeVariable or one.is_import() for one in _sources(definition))
    return definition.is_import()


def _is_dotted(expression: nodes.Expression) -> bool:
    while isinstance(expression, nodes.Attribute):
        expression = expression.value
    return isinstance(expression, nodes.Name)


def _leftmost(attribute: nodes.Attribute) -> nodes.Name | None:
    """The name a dotted path starts from."""
    expression: nodes.Expression = attribute
    while isinstance(expression, nodes.Attribute):
        expression = expression.value
    return expression if isinstance(expression, nodes.Name) else None


def _visit_name(walk: _Walk, name: nodes.Name, kind: UseKind) -> None:
    walk.name(name, kind)


def _visit_attribute(walk: _Walk, attribute: nodes.Attribute, kind: UseKind) -> None:
    walk.attribute(attribute, kind)


def _visit_target(walk: _Walk, target: nodes.AssignmentTarget, kind: UseKind) -> None:
    walk.target(target.attribute)


def _visit_call(walk: _Walk, call: nodes.CallExpression, kind: UseKind) -> None:
    function = call.function
    if isinstance(function, nodes.Attribute):
        if function.name == PLACEHOLDER:
            walk.placeholder(function, call)
        walk.attribute(function, "call", call)
    elif isinstance(function, nodes.Name):
        walk.name(function, "call", call)
    else:
        walk.computed(function, call)
    inner: UseKind = "annotation" if kind == "annotation" else "reference"
    for argument in call.arguments:
        walk.visit(argument.value, inner)


def _children(*fields: str) -> Callable[[_Walk, Any, UseKind], None]:
    """Visit expressions (or lists of them) that are fields of a node."""

    def visit(walk: _Walk, node: Any, kind: UseKind) -> None:
        inner: UseKind = "annotation" if kind == "annotation" else "reference"
        for field_name in fields:
            value = getattr(node, field_name)
            for child in value if isinstance(value, list) else [value]:
                walk.visit(child, inner)

    return visit


def _visit_binary(walk: _Walk, binary: nodes.Binary, kind: UseKind) -> None:
    inner: UseKind = "annotation" if kind == "annotation" else "reference"
    walk.visit(binary.left, inner)
    walk.visit(binary.right, inner)
    if inner == "reference":
        walk.add(walk.operands.operation(binary))


def _visit_subscript(walk: _Walk, subscript: nodes.Subscript, kind: UseKind) -> None:
    walk.visit(subscript.value, kind)
    inner: UseKind = "annotation" if kind == "annotation" else "reference"
    for index in subscript.indices:
        walk.visit(index, inner)


def _visit_dictionary(walk: _Walk, dictionary: nodes.Dictionary, kind: UseKind) -> None:
    for key, value in dictionary.pairs:
        if key is not None:
            walk.visit(key, "reference")
        walk.visit(value, "reference")


_VISITS: Final[dict[type[nodes.Expression], Callable[[_Walk, Any, UseKind], None]]] = {
    nodes.Name: _visit_name,
    nodes.Attribute: _visit_attribute,
    nodes.AssignmentTarget: _visit_target,
    nodes.CallExpression: _visit_call,
    nodes.SuperCall: _visit_call,
    nodes.Subscript: _visit_subscript,
    nodes.Display: _children("items"),
    nodes.Dictionary: _visit_dictionary,
    nodes.Comprehension: _children("parts", "element"),
    nodes.Conditional: _children("test", "body", "orelse"),
    nodes.Boolean: _children("left", "right"),
    nodes.Binary: _visit_binary,
    nodes.Unary: _children("operand"),
    nodes.Comparison: _children("operands"),
    nodes.Walrus: _children("value"),
    nodes.Await: _children("value"),
    nodes.Starred: _children("value"),
    nodes.Parts: _children("parts"),
}
