"""The uses of torch APIs in a block: a walk over its expressions that asks the evaluator at every name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final, get_args

from mindport.catalog.helper_table import HELPERS_MODULE, PLACEHOLDER
from mindport.index import nodes
from mindport.index.block import ROOT_KINDS
from mindport.index.definitions import Assigned, Definition, FreeVariable, ImportName, Phi, sources
from mindport.index.memo import EMPTY
from mindport.infer.attributes import is_object, telling_owner
from mindport.infer.class_members import derives_from_module, derives_from_torch, torch_base
from mindport.infer.imports import imported_module, imported_name
from mindport.infer.values import (
    MOST_APIS,
    TENSOR,
    UNKNOWN,
    AbstractValue,
    ApiValue,
    Certainty,
    Class,
    External,
    ExternalInstance,
    Function,
    Giver,
    Instance,
    Method,
    NoneValue,
    Object,
    Partial,
    PartialFunction,
    ProjectModule,
    TorchModule,
    Unknown,
    has_unknown,
    is_unknown,
    weaker,
)
from mindport.uses.argument_types import argument_type, has_overloads, is_size
from mindport.uses.operands import OperandUses
from mindport.uses.use import Argument, Call, Use, UseKind

if TYPE_CHECKING:
    from mindport.index.block import Block
    from mindport.index.module import Module
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

    __slots__ = ("_block", "_reads", "derived", "has_torch_class", "uses")

    def __init__(self, block: Block, uses: tuple[Use, ...], has_torch_class: bool = False) -> None:
        self._block = block
        self._reads: tuple[ImportRead, ...] | None = None
        self.uses = uses
        self.has_torch_class = has_torch_class
        """Whether a class that the block defines derives from one of torch's."""
        self.derived: dict[object, Any] = {}

    @property
    def reads(self) -> tuple[ImportRead, ...]:
        """The names that the block reads and that an import of the module may bind: asked for when imports
        may go."""
        if self._reads is None:
            self._reads = tuple(_import_reads(self._block))
        return self._reads


def _import_reads(block: Block) -> Iterator[ImportRead]:
    importable: dict[Definition, bool] = {}
    waiting = block.roots[::-1]
    while waiting:
        expression = waiting.pop()
        if isinstance(expression, nodes.Name):
            definition = expression.definition
            if definition not in importable:
                importable[definition] = _is_importable(definition)
            if importable[definition]:
                yield ImportRead(expression.id, expression.start, expression.end)
        elif isinstance(expression, nodes.AssignmentTarget):
            waiting.append(expression.attribute)
        else:
            waiting.extend(reversed(nodes.children(expression)))


def uses_of(evaluator: Evaluator, block: Block) -> BlockUses:
    """The uses in `block`, sorted by position."""
    memo = block.memo
    if memo.dirty:
        evaluator.enter(block)
    found: BlockUses | None = memo.uses
    if found is None:
        with evaluator.inside(block):
            found = memo.uses = _Walk(evaluator, block).run()
    return found


def forget_uses(module: Module) -> None:
    """Drop the uses found in a module, and the values of its expressions: they are found again when next
    asked for."""
    module.looked = None
    for block in module.blocks:
        block.memo.uses = None
        block.memo.values = EMPTY


_KEPT_AS_VALUES: Final = frozenset({"attribute", "property"})
"""The kinds of APIs that are read of objects, and whose values other names are given."""
_NAMED: Final = frozenset({ApiValue, TorchModule, Partial})
_OTHERS: Final = frozenset({External, ExternalInstance, Function})
"""What a member may be that is not torch's: one of another library's object, a method of the project."""
"""The values that are torch's own, and have a name."""


class _Walk:
    def __init__(self, evaluator: Evaluator, block: Block) -> None:
        self.evaluator = evaluator
        self.block = block
        self.uses: list[Use] = []
        self._source: bytes | None = None
        self.silent: set[Definition] = set()
        """Definitions of which there is nothing to say, however often they are read."""
        self._operands: OperandUses | None = None

    @property
    def operands(self) -> OperandUses:
        """What is made of operands: most blocks have none to ask about."""
        if self._operands is None:
            self._operands = OperandUses(self.evaluator, self.block)
        return self._operands

    def run(self) -> BlockUses:
        for imported in self.block.imports:
            self.imported(imported)
        kinds = self.block.root_kinds
        for position, expression in enumerate(self.block.roots):
            visit = _VISITS.get(type(expression))
            if visit is not None:
                visit(self, expression, ROOT_KINDS[kinds[position]] if kinds else "reference")
        for augmented in self.block.augmented:
            self.add(self.operands.augmented(augmented))
        if len(self.uses) > 1:
            self.uses.sort(key=lambda use: (use.start, use.end))
        classes = self.block.classes
        has_torch_class = bool(classes) and any(derives_from_torch(self.evaluator, one) for one in classes)
        return BlockUses(self.block, tuple(self.uses), has_torch_class)

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

    def visit_all(self, expressions: list[nodes.Expression], kind: UseKind) -> None:
        for expression in expressions:
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
        alternatives = result.alternatives
        if len(alternatives) == 1:  # as most have
            only = alternatives[0]
            if isinstance(only, (ApiValue, TorchModule, Partial)):
                self.found(expression, only, result.certainty, kind, call, root, receiver, False)
                return True
            return False
        named = {
            value.name: value for value in alternatives if isinstance(value, (ApiValue, TorchModule, Partial))
        }
        if not named or len(named) > MOST_APIS:
            return False
        certainty = result.certainty
        others = [value for value in alternatives if not isinstance(value, NoneValue)]
        if len(named) > 1 or not all(type(value) in _NAMED for value in others):
            is_rivalled = _are_rivals(self.without_overriding(others, named), len(named), certainty)
            certainty = weaker(certainty, Certainty.POSSIBLE if is_rivalled else Certainty.LIKELY)
            root = None  # what it means depends on the path taken
        may_be_other = any(type(value) in _OTHERS for value in others)
        for _, value in sorted(named.items()):
            self.found(expression, value, certainty, kind, call, root, receiver, may_be_other)
        return True

    def without_overriding(self, others: Sequence[Value], named: Collection[str]) -> Sequence[Value]:
        """These values without methods that override methods of torch, of which there are several, of what
        objects whatever, and as many: theirs are of what those belong to, of which there are others."""
        count = sum(type(value) in _NAMED for value in others)
        if count == 1 or count == len(others):
            return others
        kept = [value for value in others if not self.is_overriding(value, named)]
        return kept if len(others) - len(kept) <= count else others

    def is_overriding(self, value: Value, named: Collection[str]) -> bool:
        """Whether a value is a method of the project that overrides one of these methods of torch."""
        if type(value) is not Function or not value.is_bound or value.definition.owner is None:
            return False
        name, owner = value.definition.name, value.definition.owner
        owners = [api.rpartition(".")[0] for api in named if api.endswith(f".{name}")]
        return any(torch_base(self.evaluator, owner, one) is not None for one in owners)

    def found(
        self,
        expression: nodes.Expression,
        value: ApiValue | TorchModule | Partial,
        certainty: Certainty,
        kind: UseKind,
        call: nodes.CallExpression | None,
        root: str | None,
        receiver: nodes.Expression | None,
        may_be_other: bool,
    ) -> None:
        """Take up the use of one torch API."""
        bound, shared, scalar = None, None, None
        kind = self.kind_of(value, kind)
        if call is not None and kind != "attribute" and not isinstance(value, Partial):
            bound = self.call(call, value.name)
            shared = self.operands.shared(value.name, call, receiver)
            scalar = self.operands.scalar(value.name, call, receiver)
        self.uses.append(
            Use(
                value.name,
                kind,
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
                self.text(receiver.start, receiver.end) if receiver is not None else None,
                may_be_other=may_be_other and receiver is not None,
            )
        )

    def text(self, start: int, end: int) -> str:
        """What the block says between two offsets."""
        if self._source is None:
            self._source = self.block.text
        return self._source[start:end].decode("utf-8", "replace")

    def kind_of(self, value: ApiValue | TorchModule | Partial, kind: UseKind) -> UseKind:
        """What is neither class nor function is read as an attribute, also where what a module has is called
        then (`self.layer1(x)`)."""
        if kind not in ("reference", "call") or not isinstance(value, ApiValue):
            return kind
        if self.evaluator.catalog.kind(value.name) not in ("attribute", "property", "constant", "dtype"):
            return kind
        if kind == "reference" or derives_from_module(self.evaluator, value.name.rpartition(".")[0]):
            return "attribute"
        return kind

    def call(self, call: nodes.CallExpression, api: str) -> Call:
        is_overloaded = has_overloads(self.evaluator, api)
        takes_size = self.evaluator.catalog.helpers.spreads_size(api)
        arguments = tuple(
            [
                Argument(
                    argument.keyword,
                    argument.unpack,  # type: ignore[arg-type]
                    argument.value.start,
                    argument.value.end,
                    self.text(argument.value.start, argument.value.end),
                    self.type_of(argument.value, is_overloaded, takes_size),
                )
                for argument in call.arguments
            ]
        )
        return Call(call.start, call.end, call.arguments_start, arguments)

    def type_of(self, argument: nodes.Expression, is_overloaded: bool, takes_size: bool) -> str | None:
        """What an argument is, as far as the API makes a difference of it."""
        if takes_size and is_size(self.evaluator, argument):
            return "Size"
        return argument_type(self.evaluator, argument) if is_overloaded else None

    def name(self, name: nodes.Name, kind: UseKind, call: nodes.CallExpression | None = None) -> None:
        definition = name.definition
        if definition in self.silent:
            return
        result = self.evaluator.definition(definition)
        if _may_be_named(result) and not self.is_kept(result):
            self.report(name, result, kind, call, self.root(name))
        else:
            self.silent.add(definition)

    def root(self, name: nodes.Name) -> str | None:
        """The name itself, if nothing but imports binds it."""
        definitions = _sources(name.definition)
        if len(definitions) == 1:
            return name.id if self.is_imported(definitions[0]) else None
        return name.id if definitions and all(self.is_imported(found) for found in definitions) else None

    def name_of_module(self, name: nodes.Name) -> str | None:
        """The name itself, if it is assigned a module of torch alone (`F = torch.nn.functional`)."""
        value = self.evaluator.value(name)
        is_module = all(type(each) is TorchModule for each in value.alternatives)
        if not (is_module and value.alternatives and value.certainty is Certainty.CERTAIN):
            return None
        is_assigned = all(type(each) in (Assigned, FreeVariable) for each in _sources(name.definition))
        return name.id if is_assigned else None

    def is_imported(self, definition: Definition) -> bool:
        """Whether a definition is an import, or leaves the name to imports of the module."""
        if type(definition) is not FreeVariable:
            return definition.is_import()
        return self.evaluator.is_imported(self.block, definition.name, definition.origin())

    def attribute(
        self, attribute: nodes.Attribute, kind: UseKind, call: nodes.CallExpression | None = None
    ) -> None:
        result = self.evaluator.value(attribute)
        found = _may_be_named(result)
        leftmost = _leftmost(attribute) if found else None
        spelled = leftmost is not None and self.is_spelled(attribute.value)
        if spelled and leftmost is not None:
            root = self.root(leftmost) or self.name_of_module(leftmost)
            found = self.report(attribute, result, kind, call, root)
        elif found:
            receiver = attribute.value if self.is_member(attribute.value, result) else None
            is_kept = receiver is None and self.is_kept(result)
            found = not is_kept and self.report(attribute, result, kind, call, None, receiver)
        elif _may_be_anything(result):
            owner = self.evaluator.value(attribute.value)
            if _may_be_anything(owner):
                self.possible(attribute, kind, call)
            elif call is not None and is_unknown(result) and (is_object(owner) or has_unknown(owner)):
                self.told(attribute, call)
        if not (found and spelled):
            self.visit(attribute.value, "reference")

    def target(self, attribute: nodes.Attribute) -> None:
        """An attribute that is assigned to: of a module it is a use, and of an object where that changes it;
        of other values nothing is said of it."""
        receiver = self.evaluator.value(attribute.value)
        if attribute.name in self.evaluator.catalog.contracts.assigned_names:
            self.assigned(attribute, receiver)
            return
        is_setting = all(type(value) is TorchModule for value in receiver.alternatives)
        self.visit(attribute if is_setting and receiver.alternatives else attribute.value, "reference")

    def assigned(self, attribute: nodes.Attribute, receiver: AbstractValue) -> None:
        """Take up the uses in the target of an assignment, as those of the operator `=`."""
        taken = len(self.uses)
        self.attribute(attribute, "attribute")
        found, self.uses[taken:] = self.uses[taken:], []
        owners = {value.of for value in receiver.alternatives if isinstance(value, Instance)}
        owner = owners.pop() if len(owners) == 1 else None
        for use in found:
            if use.end != attribute.end:
                self.uses.append(use)
            elif use.api in self.evaluator.catalog.contracts.assigned:
                use.operator, use.owner = "=", owner
                self.uses.append(use)

    def possible(self, attribute: nodes.Attribute, kind: UseKind, call: nodes.CallExpression | None) -> None:
        """Nothing is known of the receiver: if a Tensor has a member of the name, it may be meant, unless
        something is read of the receiver that no Tensor has (`args.data`, `args.batch_size`)."""
        owner = telling_owner(self.evaluator, attribute, call, UNKNOWN)
        receiver = attribute.value
        definition = receiver.definition if isinstance(receiver, nodes.Name) and owner is None else None
        if definition is not None and not self.evaluator.is_read_as_tensor(definition):
            return
        member = self.evaluator.catalog.member(owner or TENSOR, attribute.name)
        if member is not None and not attribute.name.startswith("__"):
            certainty = Certainty.LIKELY if owner is not None else Certainty.POSSIBLE
            found = AbstractValue((ApiValue(member),), certainty)
            self.report(attribute, found, kind, call, None, attribute.value)

    def told(self, attribute: nodes.Attribute, call: nodes.CallExpression) -> None:
        """A method that only objects of one class of torch have, of an object of a class that derives from
        one of which nothing is known, or of what may be anything beside what has no such method."""
        receiver = self.evaluator.value(attribute.value)
        owner = telling_owner(self.evaluator, attribute, call, receiver)
        member = self.evaluator.catalog.member(owner, attribute.name) if owner is not None else None
        if member is not None:
            found = AbstractValue((ApiValue(member),), Certainty.LIKELY)
            self.report(attribute, found, "call", call, None, attribute.value)

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

    def is_kept(self, result: AbstractValue) -> bool:
        """Whether all that is torch's are attributes that were read of objects before (`s = x.shape`): what
        has another name then is their value, and no use of them."""
        return all(
            type(value) is ApiValue and self.evaluator.catalog.kind(value.name) in _KEPT_AS_VALUES
            for value in result.alternatives
            if type(value) in _NAMED
        )

    def is_spelled(self, receiver: nodes.Expression) -> bool:
        """Whether the receiver is but the dotted path to its member: a module, or a class."""
        result = self.evaluator.value(receiver)
        catalog = self.evaluator.catalog
        for value in result.alternatives:
            if isinstance(value, ApiValue):
                if catalog.kind(value.name) not in ("class", None):
                    return False
            elif not isinstance(value, (TorchModule, NoneValue, External)):
                return False
        return True


def _may_be_anything(result: AbstractValue) -> bool:
    """Whether it may be something that nobody knows of, and is nothing of the project or torch."""
    is_open = False
    for value in result.alternatives:
        kind = type(value)
        if kind is Unknown or kind is Giver:
            is_open = True
        elif kind not in _FOREIGN:
            return False
    return is_open


_FOREIGN: Final = frozenset({ExternalInstance, External, NoneValue})


_PLAIN_LIBRARIES: Final = frozenset({*sys.stdlib_module_names, "numpy"})
"""Libraries whose objects are rarely made to stand for Tensors, as those of others are that stand beside
them: `Tensor | LinearOperator`."""


def _are_rivals(others: Sequence[Value], count: int, certainty: Certainty) -> bool:
    """Whether some of these speak against `count` torch APIs beside them: what a builtin container has under
    the same name, or more functions and classes of the project; where it is not certain what there is, things
    of the project or of other libraries, or as many functions of the project with arguments given, which
    rarely are all that there is."""
    if certainty is Certainty.CERTAIN:
        rivals = sum(isinstance(value, (Function, Class)) for value in others)
        return rivals > count or any(isinstance(value, Method) for value in others)
    if any(_is_of_other_library(value) for value in others):
        return True
    partials = sum(isinstance(value, PartialFunction) for value in others)
    return partials >= count or any(isinstance(value, (Function, Class, Object, Method)) for value in others)


def _is_of_other_library(value: Value) -> bool:
    return type(value) is ExternalInstance and value.of.partition(".")[0] not in _PLAIN_LIBRARIES


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
    if name.definition not in walk.silent:
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
    inner = _INNER[kind]
    for argument in call.arguments:
        visit = _VISITS.get(type(argument.value))
        if visit is not None:
            visit(walk, argument.value, inner)


def _visit_display(walk: _Walk, display: nodes.Display, kind: UseKind) -> None:
    walk.visit_all(display.items, _INNER[kind])


def _visit_comprehension(walk: _Walk, comprehension: nodes.Comprehension, kind: UseKind) -> None:
    walk.visit_all(comprehension.parts, _INNER[kind])
    walk.visit(comprehension.element, _INNER[kind])


def _visit_conditional(walk: _Walk, conditional: nodes.Conditional, kind: UseKind) -> None:
    walk.visit_all([conditional.test, conditional.body, conditional.orelse], _INNER[kind])


def _visit_boolean(walk: _Walk, boolean: nodes.Boolean, kind: UseKind) -> None:
    walk.visit(boolean.left, _INNER[kind])
    walk.visit(boolean.right, _INNER[kind])


def _visit_unary(walk: _Walk, unary: nodes.Unary, kind: UseKind) -> None:
    walk.visit(unary.operand, _INNER[kind])


def _visit_comparison(walk: _Walk, comparison: nodes.Comparison, kind: UseKind) -> None:
    walk.visit_all(comparison.operands, _INNER[kind])


def _visit_value(walk: _Walk, node: nodes.Walrus | nodes.Await | nodes.Starred, kind: UseKind) -> None:
    walk.visit(node.value, _INNER[kind])


def _visit_parts(walk: _Walk, parts: nodes.Parts, kind: UseKind) -> None:
    walk.visit_all(parts.parts, _INNER[kind])


def _visit_binary(walk: _Walk, binary: nodes.Binary, kind: UseKind) -> None:
    inner = _INNER[kind]
    walk.visit(binary.left, inner)
    walk.visit(binary.right, inner)
    if inner == "reference":
        walk.add(walk.operands.operation(binary))


def _visit_subscript(walk: _Walk, subscript: nodes.Subscript, kind: UseKind) -> None:
    walk.visit(subscript.value, kind)
    walk.visit_all(subscript.indices, _INNER[kind])


def _visit_dictionary(walk: _Walk, dictionary: nodes.Dictionary, kind: UseKind) -> None:
    for key, value in dictionary.pairs:
        if key is not None:
            walk.visit(key, "reference")
        walk.visit(value, "reference")


_INNER: Final[dict[UseKind, UseKind]] = {
    **dict.fromkeys(get_args(UseKind), "reference"),
    "annotation": "annotation",
}
"""How what an expression is made of is used, by how the expression is."""
_VISITS: Final[dict[type[nodes.Expression], Callable[[_Walk, Any, UseKind], None]]] = {
    nodes.Name: _visit_name,
    nodes.Attribute: _visit_attribute,
    nodes.AssignmentTarget: _visit_target,
    nodes.CallExpression: _visit_call,
    nodes.SuperCall: _visit_call,
    nodes.Subscript: _visit_subscript,
    nodes.Display: _visit_display,
    nodes.Dictionary: _visit_dictionary,
    nodes.Comprehension: _visit_comprehension,
    nodes.Conditional: _visit_conditional,
    nodes.Boolean: _visit_boolean,
    nodes.Binary: _visit_binary,
    nodes.Unary: _visit_unary,
    nodes.Comparison: _visit_comparison,
    nodes.Walrus: _visit_value,
    nodes.Await: _visit_value,
    nodes.Starred: _visit_value,
    nodes.Parts: _visit_parts,
}
