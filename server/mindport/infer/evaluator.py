"""The evaluator: one mechanism that says what an expression may be.

Evaluating a name is looking up what binds it and evaluating that; a use of a torch API falls out wherever a
name, an attribute or a callee evaluates to one. Evaluation is driven by demand. Results of definitions are
kept per block (`Memo`), together with the answers the block got from other blocks and modules; after an edit
they hold for as long as those answers are still the same.

What each kind of definition and expression evaluates to stands in `of_definitions` and
`of_expressions`; this file holds the memos, the queries across blocks, and the handling of cycles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mindport.callgraph.argument_facts import (
    as_called,
    as_called_of_self,
    as_kept,
    as_overriding,
    as_pair,
    attribute_key,
    member_key,
    mixed_key,
    mixed_root_key,
    owner_key,
    set_key,
    subclass_key,
)
from mindport.index.definitions import (
    CONSTRUCTOR,
    Assigned,
    ClassDefinition,
    FreeVariable,
    FunctionDefinition,
    sources,
)
from mindport.index.memo import EMPTY, depend, dirty_cycles, evict, led_to, rely_on
from mindport.index.module import IMPORTED
from mindport.index.nodes import Attribute, CallExpression
from mindport.infer import calls
from mindport.infer.attributes import BUILTIN, members_of
from mindport.infer.call_arguments import key_of, result_of
from mindport.infer.class_members import OVERRIDE, bases_of, class_member, find_bases, find_overridden
from mindport.infer.containers import filled
from mindport.infer.context import Context
from mindport.infer.forms import any_of, value_of
from mindport.infer.given_to_torch import taken_for
from mindport.infer.imports import imported_name
from mindport.infer.of_definitions import DEFINITIONS, SELF_EVIDENT
from mindport.infer.of_expressions import EXPRESSIONS
from mindport.infer.operators import NUMBERS
from mindport.infer.values import (
    BUILTIN_NAMES,
    NEVER,
    TENSOR,
    UNKNOWN,
    AbstractValue,
    Certainty,
    Class,
    Container,
    External,
    ExternalInstance,
    FixedTuple,
    Function,
    Giver,
    HomogeneousContainer,
    Instance,
    KeyedDictionary,
    NoneValue,
    Object,
    Unknown,
    has_unknown,
    join,
    just,
    shallow,
    shared,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Sequence

    from mindport.callgraph.argument_facts import ParameterKey
    from mindport.catalog.catalog import Catalog
    from mindport.index.block import Block
    from mindport.index.definitions import Definition, FunctionParameter, NameResolution
    from mindport.index.memo import Dependents, Query
    from mindport.index.module import Module
    from mindport.index.nodes import Expression
    from mindport.infer.project_graph import ProjectGraph
    from mindport.infer.values import Value

_MINDSPORE: Final = "mindspore"
_TORCH: Final = "torch"
_NOT_CONVERGED: Final = ("not converged",)
_NO_PACKAGE: Final = ("",)
_PACKAGES: Final = ("packages",)
_METHOD: Final = "method"
_NO_NAMES: Final[frozenset[str]] = frozenset()
_FILLABLE: Final = frozenset({Container, FixedTuple, HomogeneousContainer, Instance, KeyedDictionary})
_KEPT: Final = frozenset({Attribute, CallExpression})
"""Expressions whose values are kept: they are asked for by what is built on them, too."""
MOST_ITERATIONS: Final = 12
"""A cycle of definitions that has not settled after this many rounds is unknown."""
MAXIMUM_DEPTH: Final = 100
"""Definitions that rest on a longer chain of others than this are unknown."""


class Evaluator(Context):
    """Evaluates expressions of the modules of one project. Not thread-safe."""

    def __init__(self, project: ProjectGraph, catalog: Catalog) -> None:
        super().__init__(project, catalog)
        self._open: dict[Definition, AbstractValue] = {}
        self._cyclic: set[Definition] = set()
        self._iteration: dict[Definition, tuple[AbstractValue, Block]] = {}
        self._guesses: dict[Definition, AbstractValue] = {}
        self._has_converged = True
        self._unconfirmed: dict[tuple[Block, Query], None] = {}
        self._depth = 0
        self._query: Query = _NOT_CONVERGED
        """What the current block is being told."""

    # -- expressions and definitions of the current block ---------------------------------------------

    def value(self, expression: Expression) -> AbstractValue:
        kind = type(expression)
        if kind not in _KEPT:
            evaluate = EXPRESSIONS.get(kind)
            return evaluate(self, expression) if evaluate is not None else UNKNOWN
        assert self.current is not None
        memo = self.current.memo
        known: AbstractValue | None = memo.values.get(expression)
        if known is not None:
            return known
        values = memo.values
        if values is EMPTY:
            values = memo.values = {}
        result = EXPRESSIONS[kind](self, expression)
        if not self._cyclic:
            values[expression] = result = shared(result)
        return result

    def called(self, function: AbstractValue) -> AbstractValue:
        return calls.call(self, function, None)

    def definition(self, definition: Definition) -> AbstractValue:
        block = self.current
        assert block is not None
        memo = block.memo
        known: AbstractValue | None = memo.definitions.get(definition)
        if known is not None:
            return known
        evident = SELF_EVIDENT.get(type(definition))
        if evident is not None:
            return evident(definition)
        if self._iteration and definition in self._iteration:
            return self._iteration[definition][0]
        if definition in self._open:
            self._cyclic.add(definition)
            result = self._open[definition]
            return self._as_read(definition, result) if definition in block.members else result
        if self._depth >= MAXIMUM_DEPTH:
            self._depend_on_unconverged()
            return UNKNOWN
        memory = memo.definitions
        if memory is EMPTY:
            memory = memo.definitions = {}
        result = self._iterate(definition)
        if definition in block.members:
            result = self._as_read(definition, result)
        if self._cyclic:
            self._iteration[definition] = (result, block)
        else:
            memory[definition] = result = shared(result)
        if self._unconfirmed and not self._open:
            self._confirm()
        return result

    def _as_read(self, definition: Definition, result: AbstractValue) -> AbstractValue:
        """What a definition binds, as far as the current block may read the members of it that it reads."""
        if _may_be_of_torch(result):
            owner = self.owner_by_members(definition)
            return AbstractValue((owner,), Certainty.LIKELY) if owner is not None else result
        alternatives = result.alternatives
        if len(alternatives) < 2:
            return result
        members = self.block.members[definition]
        if _A_TENSOR not in alternatives:
            having = _without_lacking(result, members)
            is_other = having is result or not _may_be_of_torch(having)
            return result if is_other else self._as_read(definition, having)
        is_open = has_unknown(result) and type(definition) is Assigned
        if is_open and not self.is_read_as_tensor(definition):
            kept = tuple([one for one in alternatives if one != _A_TENSOR])
            return AbstractValue(kept, result.certainty)
        kept = tuple([one for one in alternatives if not self._lacks(one, members)])
        return result if len(kept) == len(alternatives) else AbstractValue(kept, result.certainty)

    def is_read_as_tensor(self, definition: Definition) -> bool:
        # `y.mean` alone is read of another thing
        members = self.block.members.get(definition, _NO_NAMES)
        return self._has_members_of_tensors(members, self.block.called_members.get(definition, _NO_NAMES))

    def _has_members_of_tensors(self, members: Collection[str], called: Collection[str]) -> bool:
        """Whether a Tensor has all these members, and its methods among them are `called`."""
        for name in members:
            member = self.catalog.member(TENSOR, name)
            if member is None:
                if not name.startswith("_"):  # else it was set from outside
                    return False
            elif name not in called and self.catalog.kind(member) == _METHOD:
                return False
        return True

    def _lacks(self, value: Value, members: set[str]) -> bool:
        """Whether an object of the project has not all members of these names that a Tensor has."""
        if not isinstance(value, Object) or value.parent:
            return False
        for name in members:
            if self.catalog.member(TENSOR, name) is None:
                continue
            found = class_member(self, value.definition, name, instance=True, receiver=value)
            if not found.alternatives:
                return True
        return False

    def owner_by_members(self, definition: Definition) -> Value | None:
        called = self.block.called_members.get(definition, _NO_NAMES)
        return self._owner_by(self.block.members[definition], called)

    def _owner_by(self, members: set[str], called: set[str] | frozenset[str]) -> Value | None:
        """What has to be what has these members, some of which are called."""
        if self.is_member_of_a_class(OVERRIDE):
            of_tensors = [name for name in members if self.catalog.member(TENSOR, name) is not None]
            found = self._owner_in_project(members.difference(of_tensors))
            if found is not None:
                return found
            if all(self.is_member_of_a_class(as_overriding(name)) for name in of_tensors):
                return None
        if self.catalog.libraries.only_tensors_have(members, called):
            return Instance(TENSOR)
        owners = [self.owner_of_member(name, name in called) for name in members]
        owners += [self._owner_by_call(name, members) for name in called.difference(members)]
        if called:
            owners += self._owners_of_pairs(called)
        if not any(owners) and self._has_members_of_tensors(members, called):
            owners += [self.owner_as_array(name) for name in members]
        return next((Instance(owner) for owner in sorted(filter(None, owners))), None)

    def _owner_by_call(self, told: str, members: set[str]) -> str | None:
        """The class whose objects alone are called in this way; see `nodes.told_as`. Not a Tensor, where a
        member is read that it has not."""
        owner = self.owner_of_member(told, True)
        if owner == TENSOR and not all(self.catalog.member(TENSOR, name) is not None for name in members):
            return None
        return owner

    def _owners_of_pairs(self, called: Collection[str]) -> list[str]:
        """The classes whose objects alone have two members that are called, where no class of the project
        has both."""
        return [
            owner
            for one, other, owner in sorted(self.catalog.libraries.together(called))
            if self._is_telling(as_pair(one, other))
        ]

    def _evaluated(self, definition: Definition) -> AbstractValue:
        """What a definition binds, for as long as what is known of others is the same."""
        result = shallow(DEFINITIONS[type(definition)](self, definition))
        return self._as_given(definition, result) if has_unknown(result) else result

    def _as_given(self, definition: Definition, result: AbstractValue) -> AbstractValue:
        """What a definition binds of which nothing is known, as far as it is given to functions that take
        nothing but a Tensor, or another object of torch's, there. An object that says itself what torch makes
        of it may be given for a Tensor, too."""
        taking = self.block.taking(definition)
        if not taking or not (len(result.alternatives) == 1 or _may_be_of_torch(result)):
            return result
        for call, argument in taking:
            taken = taken_for(self, call, argument)
            if taken == _A_TENSOR and self.is_member_of_a_class(OVERRIDE):
                return result
            if taken is not None:
                return AbstractValue((taken,), Certainty.LIKELY)
        return result

    def _owner_in_project(self, members: set[str]) -> Value | None:
        """An object of the one class that says itself what torch makes of its objects, and has a member of
        one of these names first."""
        for package in self._packages():
            for name in sorted(members):
                found = self.ask(("passed", owner_key(package, name))).alternatives
                if len(found) == 1 and isinstance(found[0], Class):
                    return Object(found[0].definition)
        return None

    def owner_of_member(self, name: str, is_called: bool = False) -> str | None:
        libraries = self.catalog.libraries
        owner = libraries.owner(name, is_called)
        if owner is None or not (self._is_telling_call if is_called else self._is_telling)(_name_of(name)):
            return None
        others = libraries.others_with(name)
        return owner if not others or self._imported_packages().isdisjoint(others) else None

    def owner_as_array(self, name: str) -> str | None:
        libraries = self.catalog.libraries
        if name not in libraries.of_arrays:
            return None
        imported = self._imported_packages()
        is_torch = _TORCH in imported and libraries.with_arrays.isdisjoint(imported)
        return TENSOR if is_torch and self._is_telling(name) else None

    def _is_telling(self, name: str) -> bool:
        """Whether only torch's objects have a member of a name, as far as can be seen: no class of the
        project has one, and MindSpore is not used, which has members of these names."""
        return not (self.is_member_of_a_class(name) or _MINDSPORE in self._imported_packages())

    def _is_telling_call(self, name: str) -> bool:
        """The same of a member that is called: what classes of the project keep under this name that is never
        called does not count."""
        if self.is_member_of_a_class(as_called(name)) or _MINDSPORE in self._imported_packages():
            return False
        is_called = self.is_member_of_a_class(as_kept(name)) and self.is_member_of_a_class(
            as_called_of_self(name)
        )
        return not is_called

    def _iterate(self, definition: Definition) -> AbstractValue:
        """Evaluate. Where the result is used for itself on the way, evaluate again until nothing changes;
        of cycles that hang together, only the outermost definition does so, for all of them."""
        self._open[definition] = self._guesses.get(definition, NEVER) if self._guesses else NEVER
        self._depth += 1
        try:
            result = shallow(DEFINITIONS[type(definition)](self, definition))
            for value in result.alternatives:  # no call for the most: this is where all is evaluated
                if type(value) is Unknown:
                    result = self._as_given(definition, result)
                    break
            return self._settled(definition, result) if self._cyclic else result
        finally:
            self._depth -= 1
            del self._open[definition]
            if self._cyclic:
                self._cyclic.discard(definition)
                if not self._cyclic:
                    self._iteration.clear()
                    self._guesses.clear()
                    self._has_converged = True

    def _settled(self, definition: Definition, result: AbstractValue) -> AbstractValue:
        """What comes of evaluating a definition again until that gives the same, after a first `result`; see
        `_iterate`."""
        for iteration in range(MOST_ITERATIONS):
            if iteration:
                result = self._evaluated(definition)
            if definition not in self._cyclic:
                return result
            is_same = result == self._open[definition]
            if len(self._cyclic) > 1:
                self._guesses[definition] = result
                self._has_converged = self._has_converged and is_same
                return result
            if is_same and self._has_converged:
                self._keep_iteration()
                return result
            self._open[definition] = result
            self._has_converged = True
            self._iteration.clear()
        return UNKNOWN

    def _keep_iteration(self) -> None:
        """A cycle has settled: what was found in the last round is final."""
        for definition, (result, block) in self._iteration.items():
            block.memo.known_definitions()[definition] = result

    def _confirm(self) -> None:
        """Ask again what was asked while a cycle was open: now the answers are final."""
        unconfirmed, self._unconfirmed = self._unconfirmed, {}
        for block, query in unconfirmed:
            if query in block.memo.answers:
                with self.inside(block):
                    answer = self._told(query)
                    block.memo.known_answers()[query] = answer

    # -- queries to other blocks and modules --------------------------------------------------------

    def enter(self, block: Block) -> None:
        """Make sure that what `block` remembers still holds.

        What it relies on is looked at first. Blocks that rely on each other cannot vouch for each other: what
        each was told by the other may be all that is left to support it. Where nothing that any of them
        relies on has changed, all of them hold; else the one that is met again while it is checked is
        evaluated anew.
        """
        memo = block.memo
        if not memo.dirty:
            return
        if memo.checking or self._depth >= MAXIMUM_DEPTH:
            self._begin_anew(block)
        elif memo.is_suspect:
            self._check(block)
        elif memo.relies_on or memo.changed:
            for cycle in dirty_cycles(block):
                self._settle(cycle)
        else:
            memo.hold()

    def _begin_anew(self, block: Block) -> None:
        evict(block)
        block.memo.hold()

    def _settle(self, blocks: list[Block]) -> None:
        """Make sure that what blocks remember holds which rely on each other, or are one."""
        if len(blocks) == 1:
            self._settle_one(blocks[0])
            return
        for block in blocks:
            memo = block.memo
            if memo.changed and memo.dirty and not self._has_same(block, _about(memo.changed, memo.answers)):
                self._begin_anew(block)
        if all(self._has_support(block, blocks) for block in blocks):
            for block in blocks:
                block.memo.hold()
            return
        for block in blocks:
            block.memo.is_suspect = True
        for block in blocks:
            if block.memo.dirty:
                self._check(block)

    def _settle_one(self, block: Block) -> None:
        """The same for a block that does not rely on itself: only what has changed has to be asked again."""
        memo = block.memo
        if not memo.dirty:
            return
        if memo.is_suspect or _NOT_CONVERGED in memo.answers:
            self._check(block)
            return
        news = _about(memo.changed, memo.answers)
        for other, led in memo.relies_on.items():
            if other.memo.dirty:  # it is being checked
                self._check(block)
                return
            if other.memo.evicted_at > memo.held_at:
                news += [(query, memo.answers[query]) for query in led_to(led) if query in memo.answers]
        self._hold(block, not news or self._has_same(block, news))

    def _has_support(self, block: Block, cycle: list[Block]) -> bool:
        """Whether a block, all of whose answers about what has changed are the same, holds for as long as the
        other blocks of its cycle do."""
        memo = block.memo
        if memo.is_suspect or not memo.dirty or _NOT_CONVERGED in memo.answers:
            return False
        for other in memo.relies_on:
            theirs = other.memo
            if theirs.evicted_at > memo.held_at or (theirs.dirty and other not in cycle):
                return False
        return True

    def _check(self, block: Block) -> None:
        """Ask again all that a block asked; where an answer is not the same, it is evaluated anew."""
        self._hold(block, self._has_same(block, list(block.memo.answers.items())))

    def _hold(self, block: Block, holds: bool) -> None:
        """Keep what a block remembers if that `holds`."""
        if block.memo.dirty:  # else it was evaluated anew while it was checked: others rely on that
            if holds:
                block.memo.hold()
            else:
                self._begin_anew(block)

    def _has_same(self, block: Block, answers: Sequence[tuple[Query, object]]) -> bool:
        """Whether these answers that a block relies on are still the same."""
        memo = block.memo
        memo.checking = True
        self._depth += 1
        try:
            with self.inside(block):
                for query, answer in answers:
                    if self._told(query) != answer or not memo.dirty:
                        return False
        finally:
            self._depth -= 1
            memo.checking = False
        return not self._cyclic  # what is found while a cycle is open vouches for nothing

    def ask(self, query: Query) -> AbstractValue:
        answer: AbstractValue = self._asked(query)
        return answer

    def _asked(self, query: Query) -> Any:
        """The answer to a query of the current block; what it was told already, where that is final."""
        block = self.current
        if block is None:
            return self._answer(query)
        memo = block.memo
        if not self._cyclic and not self._unconfirmed:
            known = memo.answers.get(query)
            if known is not None or query in memo.answers:
                return known
        answers = memo.answers
        if answers is EMPTY:
            answers = memo.answers = {}
        answer = self._told(query)
        if self._cyclic:
            self._unconfirmed[block, query] = None
        answers[query] = answer
        return answer

    def bases(self, definition: ClassDefinition) -> Sequence[Sequence[Value]]:
        known: Sequence[Sequence[Value]] | None = self._followed("bases", definition)
        if known is None:
            known = find_bases(self, definition)
            self._follow("bases", definition, known)
        return known

    def overridden(self, function: FunctionDefinition) -> Sequence[FunctionDefinition]:
        known: Sequence[FunctionDefinition] | None = self._followed("overridden", function)
        if known is None:
            known = find_overridden(self, function)
            self._follow("overridden", function, known)
        return known

    def _followed(self, what: str, of: Definition) -> Any:
        """What followed from answers that the current block was told, if that was found before."""
        return self.current.memo.followed.get((what, of)) if self.current is not None else None

    def _follow(self, what: str, of: Definition, found: object) -> None:
        """Keep what follows from what the current block was told, if that is final."""
        if self.current is not None and not self._cyclic and not self._unconfirmed:
            self.current.memo.follow((what, of), found)

    def is_imported(self, block: Block, name: str, origin: NameResolution) -> bool:
        """Whether an import of the module, and nothing else, binds `name` as seen from `block`."""
        if origin.owner is not None and self.name_in_class(origin.owner, name, block).alternatives:
            return False
        query = ("imported", block.module, name, None if origin.deferred else block)
        return self._asked(query) is True

    def own_member(self, definition: ClassDefinition, name: str, instance: bool) -> AbstractValue | None:
        answer: AbstractValue | None = self._asked(("member", definition, name, instance))
        return answer

    def documented(self, definition: ClassDefinition, name: str) -> str | None:
        answer: str | None = self._asked(("documented", definition, name))
        return answer

    def _documented_by(self, definition: ClassDefinition, name: str) -> str | None:
        """See `documented`."""
        self.note(definition.dependents, name)
        return definition.documented(name)

    def _depend_on_unconverged(self) -> None:
        """The current block relies on an unfinished result: evaluate it again after the next edit."""
        if self.current is not None:
            self.current.memo.known_answers()[_NOT_CONVERGED] = None
            self.project.not_converged.add(self.current)

    def _told(self, query: Query) -> object:
        """The answer to a query of the current block, which relies on what that rests on."""
        before, self._query = self._query, query
        try:
            return self._answer(query)
        finally:
            self._query = before

    def _answer(self, query: Query) -> object:
        kind = query[0]
        if kind == "name":
            return self._module_name(query[1], query[2], query[3])
        if kind == "definition":
            return self._in_block(query[1], query[2])
        if kind == "starred":
            return self._in_stars(query[1], query[2], query[3], query[4], ())
        if kind == "member":
            return self._own_member(query[1], query[2], query[3])
        if kind == "documented":
            return self._documented_by(query[1], query[2])
        if kind == "set":
            return self._set_by(query[1], query[2])
        if kind == "returned":
            return self._returned(query[1], query[2], query[3])
        if kind == "imported":
            return self._is_imported(query[1], query[2], query[3])
        if kind == "class name":
            return self._class_name(query[1], query[2], query[3])
        if kind == "own":
            return all(block is query[3] for block, _ in self._functions(query[1], query[2]) or ())
        if kind in ("default", "taken as"):
            return self._answer_of_parameter(query)
        if kind == "passed":
            return self._passed(query[1])
        if kind == "left out":
            return self._is_left_out(query[1])
        if kind == "defined":
            return self._is_defined(query[1])
        if kind == "member of a class":
            return self._is_member_of_a_class(query[1])
        if kind == "packages":
            return self._packages_of_module()
        if kind == "module":
            return self.project.find(query[1], self.current.module if self.current else None)
        if kind == "export":
            module = self.project.module(query[1])
            return self._module_name(module, query[2], None) if module is not None else NEVER
        if kind == "installed":
            return self._installed(query[1])
        return UNKNOWN  # relied on something not converged: never the same as before

    def _installed(self, dotted: str) -> AbstractValue:
        """What the stub of a name of an installed package says; never, if there is none."""
        self.note(self.project.installed.dependents, dotted)
        stub = self.project.stub(dotted, self.current.module if self.current else None)
        name = dotted.rpartition(".")[2]
        return self._module_name(stub, name, None) if stub is not None else NEVER

    def note(self, dependents: Dependents, name: Hashable) -> None:
        block = self.current
        if block is None:
            return
        relying = dependents.get(name)
        if relying is None or block not in relying:
            depend(block, dependents, name)

    def _own_member(self, definition: ClassDefinition, name: str, instance: bool) -> AbstractValue | None:
        self.note(definition.dependents, name)
        found = definition.members(name, instance)
        if not found:
            return None
        if len(found) == 1:
            result = self._in_block(*found[0])
        else:
            result = join([self._in_block(block, one) for block, one in found])
        if instance and _is_number(result):
            increased = definition.increased(name)
            result = join([result, *[self._in_block(*one) for one in increased]]) if increased else result
        part = found[0][0].part
        if instance and part is not None and CONSTRUCTOR not in part.namespace and definition.sets_late(name):
            result = self._or_inherited(definition, name, result)
        if instance and has_unknown(result) and _may_be_of_torch(result):
            owner = self._owner_by_methods(definition, name)
            if owner is not None:
                return AbstractValue((owner,), Certainty.LIKELY)
            result = self._as_documented(definition, name, result)
        added = definition.added(name) if instance else []
        return self._filled(result, added) if added else result

    def _filled(self, result: AbstractValue, added: list[tuple[Block, Definition]]) -> AbstractValue:
        """A value with what is added to the container that it is, if it is one."""
        if not any(type(value) in _FILLABLE for value in result.alternatives):
            return result
        return filled(result, [self._in_block(block, one) for block, one in added])

    def _owner_by_methods(self, definition: ClassDefinition, name: str) -> Value | None:
        """What an attribute has to be, by the members that the methods of its class read of it."""
        read, called = definition.read_of(name)
        if not read or definition.scope is None:
            return None
        block = definition.scope.block
        if block is self.current:
            return self._owner_by(read, called)
        if self.current is not None:
            rely_on(self.current, block, self._query)
        self.enter(block)
        with self.inside(block):
            return self._owner_by(read, called)

    def _as_documented(self, definition: ClassDefinition, name: str, result: AbstractValue) -> AbstractValue:
        """An attribute of which nothing is known: what the docstring of its class says; no Tensor, where the
        methods read a member of it that no Tensor has."""
        meant = self.catalog.contracts.documented.get(definition.documented(name) or "")
        if meant is None or (meant == TENSOR and not self._has_members_of_tensors(*definition.read_of(name))):
            return result
        return AbstractValue((Instance(meant),), Certainty.LIKELY)

    def _or_inherited(self, definition: ClassDefinition, name: str, result: AbstractValue) -> AbstractValue:
        """An attribute that is also what the classes of the project set it to that a class derives from, up
        to the first whose constructor does, or that has it otherwise."""
        results = [result]
        for base in bases_of(self, definition):
            inherited: AbstractValue | None = self._asked(("set", base, name))
            if inherited is not None:
                results.append(inherited)
                if not base.sets_late(name):
                    break
        return join(results[::-1])

    def _set_by(self, definition: ClassDefinition, name: str) -> AbstractValue | None:
        """What the body of a class, or its methods, set an attribute to."""
        self.note(definition.dependents, name)
        found = definition.members(name, True)
        return join([self._in_block(block, one) for block, one in found]) if found else None

    def name_in_class(self, owner: ClassDefinition, name: str, before: Block) -> AbstractValue:
        return self.ask(("class name", owner, name, before))

    def _class_name(self, owner: ClassDefinition, name: str, before: Block) -> AbstractValue:
        self.note(owner.dependents, name)
        found = owner.binding(name, before)
        return self._in_block(*found) if found is not None else NEVER

    def in_other_block(self, block: Block, definition: Definition) -> AbstractValue:
        if block is self.current:
            return self.definition(definition)
        evident = SELF_EVIDENT.get(type(definition))
        return evident(definition) if evident else self.ask(("definition", block, definition))

    def returned_by(self, function: FunctionDefinition, own: bool = False) -> AbstractValue:
        if function.scope is None:
            return UNKNOWN
        place = function.place()
        if place is not None and not self._is_own(place, function):
            return self.ask(("returned", place, function.name, own))
        return self.in_other_block(function.scope.block, function.returned_own if own else function.returned)

    def default_of(self, parameter: FunctionParameter) -> AbstractValue:
        return self._of_parameter("default", parameter)

    def taken_as(self, parameter: FunctionParameter) -> AbstractValue:
        return self._of_parameter("taken as", parameter)

    def _of_parameter(self, what: str, parameter: FunctionParameter) -> AbstractValue:
        function = parameter.function
        assert function.scope is not None
        block, place = function.scope.block, function.place()
        if place is not None and not self._is_own(place, function):
            return self.ask((what, place, function.name, parameter.name))
        if block is self.current:
            return self._in_function(what, block, parameter)
        return self.ask((what, block, parameter))

    def _is_own(self, place: ClassDefinition | Module, function: FunctionDefinition) -> bool:
        """Whether a function is in the current block, and nothing further down in its place has its name."""
        assert function.scope is not None
        if function.scope.block is not self.current:
            return False
        return self._asked(("own", place, function.name, self.current)) is True

    def _answer_of_parameter(self, query: Query) -> AbstractValue:
        """What is asked of a parameter: of the function of a name in a class or a module, or of one that only
        its block knows."""
        if len(query) == 3:
            return self._in_function(query[0], query[1], query[2])
        results = [
            self._in_function(query[0], block, one)
            for block, function in self._functions(query[1], query[2]) or ()
            for one in function.parameters
            if one.name == query[3]
        ]
        return join(results) if results else UNKNOWN

    def _in_function(self, what: str, block: Block, parameter: FunctionParameter) -> AbstractValue:
        if what == "default":
            if parameter.default is None:
                return UNKNOWN
            self._depends_on_block(block)
            self.enter(block)
            with self.inside(block):
                return self.value(parameter.default)
        known = self._in_block(block, parameter)
        return UNKNOWN if any(type(value) is Unknown for value in known.alternatives) else known

    def passed(self, parameter: FunctionParameter) -> AbstractValue:
        return self.ask(("passed", key_of(parameter)))

    def result_by_use(self, function: FunctionDefinition) -> AbstractValue:
        return self.ask(("passed", result_of(function)))

    def mixed_with(self, definition: ClassDefinition) -> AbstractValue:
        module = definition.scope.block.module if definition.scope is not None else None
        path, name = module.path if module else "", definition.qualified_name
        found = self.ask(("passed", mixed_key(path, name)))
        return found if found.alternatives else self.ask(("passed", mixed_root_key(path, name)))

    def is_left_out(self, parameter: FunctionParameter) -> bool:
        return self._asked(("left out", key_of(parameter))) is True

    def _passed(self, key: ParameterKey) -> AbstractValue:
        self._note_parameter(key)
        forms = self.project.argument_facts.of(key)
        return value_of(self, forms) if key.name else any_of(self, forms)  # all subclasses, be they many

    def _note_parameter(self, key: ParameterKey) -> None:
        self.note(self.project.argument_facts.dependents, key)
        self.project.note_parameter(key, self.current.module if self.current is not None else None)

    def _is_left_out(self, key: ParameterKey) -> bool:
        self._note_parameter(key)
        return self.project.argument_facts.is_left_out(key)

    def _is_defined(self, key: ParameterKey) -> bool:
        self._note_parameter(key)
        return bool(self.project.argument_facts.of(key))

    def is_member_of_a_class(self, name: str) -> bool:
        return self._asked(("member of a class", name)) is True

    def _is_member_of_a_class(self, name: str) -> bool:
        """See `is_member_of_a_class`. It is asked of few names, by nearly all blocks: what it rests on is
        remembered by the module."""
        module = self.block.module
        if module is None:
            return self._is_member_in(_NO_PACKAGE, name)
        with self.inside(self._looked_up(module, ("member of a class", name))):
            return self._is_member_in(self._packages(), name)

    def _is_member_in(self, packages: Sequence[str], name: str) -> bool:
        return any(self.is_told(member_key(package, name)) for package in packages)

    def is_told(self, key: ParameterKey) -> bool:
        return self._asked(("defined", key)) is True

    def _packages(self) -> Sequence[str]:
        """The package of the current block's module, and those that it imports from."""
        module = self.block.module
        if module is None:
            return _NO_PACKAGE
        self._imported_packages()  # what the answer rests on
        return module.packages()

    def _imported_packages(self) -> frozenset[str]:
        """The packages that the module of the current block imports from."""
        packages: frozenset[str] = self._asked(_PACKAGES)
        return packages

    def _packages_of_module(self) -> frozenset[str]:
        """See `_imported_packages`."""
        module = self.block.module
        if module is None:
            return frozenset()
        self.note(module.dependents, IMPORTED)
        return frozenset(module.imported_packages())

    def overrides(self, function: FunctionDefinition) -> list[FunctionDefinition]:
        assert function.owner is not None
        given = self.given_by_subclasses(function.owner, function.name, False)
        found = [one.definition for own in given for one in own.alternatives if isinstance(one, Function)]
        return list(dict.fromkeys(found))

    def given_by_subclasses(
        self, definition: ClassDefinition, name: str, instance: bool
    ) -> list[AbstractValue]:
        found = []
        waiting, seen = [definition], {definition}
        for owner in waiting:
            module = owner.scope.block.module if owner.scope is not None else None
            told = self.ask(("passed", subclass_key(module.path if module else "", owner.qualified_name)))
            for value in told.alternatives:
                if type(value) is Unknown:  # there are others
                    found.append(UNKNOWN)
                if not isinstance(value, Class) or value.definition in seen:
                    continue
                seen.add(value.definition)
                own = self.own_member(value.definition, name, instance)
                if own is None:
                    waiting.append(value.definition)
                else:
                    found.append(own)
        return found

    def set_from_outside(self, definition: ClassDefinition, name: str) -> AbstractValue:
        if not self.is_told(set_key(name)):
            return NEVER
        found = []
        added: list[AbstractValue] = []
        for one in (definition, *bases_of(self, definition)):
            module = one.scope.block.module if one.scope is not None else None
            key = attribute_key(module.path if module else "", one.qualified_name, name)
            found.append(self.ask(("passed", key)))
            added += self._added_to(one, name)
        return filled(join(found), added) if added else join(found)

    def _added_to(self, definition: ClassDefinition, name: str) -> list[AbstractValue]:
        """What the methods of a class add to a container that is set from outside of it."""
        self.note(definition.dependents, name)
        return [self._in_block(block, one) for block, one in definition.added(name)]

    def placed(self, path: str, qualified_name: str) -> Definition | None:
        module = self.project.module(path)
        if module is None:
            return None
        top, _, rest = qualified_name.partition(".")
        self.note(module.dependents, top)
        found = module.binding(top, None)
        if found is None:
            return None
        block, definition = found
        if not rest:
            return next(
                (
                    one
                    for one in sources(definition)
                    if isinstance(one, (ClassDefinition, FunctionDefinition))
                ),
                None,
            )
        blocks = [block]
        if isinstance(definition, ClassDefinition) and definition.parts:
            member = rest.partition(".")[0]
            self.note(definition.dependents, member)
            blocks = definition.parts_by_name.get(member, [])
        else:
            self._depends_on_block(block)
        return next(
            (one for each in blocks for one in each.placed if one.qualified_name == qualified_name), None
        )

    def _returned(self, place: ClassDefinition | Module, name: str, own: bool) -> AbstractValue:
        """What calling the function of that name in a class or a module gives."""
        functions = self._functions(place, name)
        if functions is None:
            return NEVER
        results = [
            self._in_block(block, one.returned_own if own else one.returned) for block, one in functions
        ]
        return join(results) if results else UNKNOWN

    def _functions(
        self, place: ClassDefinition | Module, name: str
    ) -> list[tuple[Block, FunctionDefinition]] | None:
        """The functions that a name of a class or a module may be; None if it is bound to nothing."""
        self.note(place.dependents, name)
        if isinstance(place, ClassDefinition):
            found = next(iter(place.members(name, instance=False)), None)
        else:
            found = place.binding(name, None)
        if found is None:
            return None
        return [(found[0], one) for one in sources(found[1]) if isinstance(one, FunctionDefinition)]

    def _depends_on_block(self, block: Block) -> None:
        if self.current is not None and block is not self.current:
            rely_on(self.current, block, self._query)

    def _in_block(self, block: Block, definition: Definition) -> AbstractValue:
        evident = SELF_EVIDENT.get(type(definition))
        if evident is not None:
            return evident(definition)
        if self._depth >= MAXIMUM_DEPTH:
            self._depend_on_unconverged()
            return UNKNOWN
        before = self.current
        if block is before:
            return self.definition(definition)
        if before is not None:
            rely_on(before, block, self._query)
        if block.memo.dirty:
            self.enter(block)
        known: AbstractValue | None = block.memo.definitions.get(definition)
        if known is not None:
            return known
        self.current = block
        try:
            return self.definition(definition)
        finally:
            self.current = before

    def name_in_module(self, block: Block, name: str, deferred: bool) -> AbstractValue:
        result = self.ask(("name", block.module, name, None if deferred else block))
        if not result.alternatives and name in BUILTIN_NAMES:
            return just(External(f"builtins.{name}"))
        return result

    def _module_name(
        self, module: Module, name: str, before: Block | None, through: tuple[Module, ...] = ()
    ) -> AbstractValue:
        """What a name of a module is. `through` are the modules whose star imports have led there: those of
        modules that import each other lead on in no circle."""
        self.note(module.dependents, name)
        found = module.binding(name, before)
        if module.has_stars:  # as few have
            after = module.position(found[0]) if found is not None else -1
            starred = self._from_stars(module, name, before, after, through)
            if starred is not None:
                return starred
        if found is not None:
            if found[0] is self.current and found[0].memo.checking:
                self.enter(found[0])  # `x = f(x)`: what it remembers cannot vouch for itself
            result = self._in_block(*found)
            if name not in found[0].names:
                result = self._or_before(result, module, name, found[0])
            added = module.added(name)  # nothing, of most names
            return self._filled(result, added) if added else result
        if before is not None:  # bound further down: wrong order, but a reader knows what is meant
            return self._module_name(module, name, None, through)
        submodule = self.project.submodule(module, name, self.current.module if self.current else None)
        if submodule is not None:
            return submodule
        return UNKNOWN if self._has_unknown_star(module, name) else NEVER

    def _or_before(self, result: AbstractValue, module: Module, name: str, block: Block) -> AbstractValue:
        """What a name of a module is that a function binds through `global`, whenever it is called: this, or
        what it was before."""
        earlier = module.binding(name, block)
        if earlier is None:
            return result
        before = self._in_block(*earlier)
        if name not in earlier[0].names:
            before = self._or_before(before, module, name, earlier[0])
        return join([result, before])

    def _from_stars(
        self, module: Module, name: str, before: Block | None, after: int, through: tuple[Module, ...]
    ) -> AbstractValue | None:
        """See `_in_stars`. A package may have thousands of modules to go through: what that gives, and rests
        on, is remembered by the module, for all who ask it."""
        if through or self.current is None:
            return self._in_stars(module, name, before, after, through)
        lookup = self._looked_up(module, name)
        with self.inside(lookup):
            starred: AbstractValue | None = self._asked(("starred", module, name, before, after))
            return starred

    def _looked_up(self, module: Module, key: Hashable) -> Block:
        """Where a module remembers something for all who ask; the current block relies on it."""
        lookup = module.lookup(key)
        rely_on(self.block, lookup, self._query)
        self.enter(lookup)
        return lookup

    def _in_stars(
        self, module: Module, name: str, before: Block | None, after: int, through: tuple[Module, ...]
    ) -> AbstractValue | None:
        """What the star imports of a module bind `name` to, of those behind the position `after`; None if
        they do not. See `_module_name`."""
        for position, star in module.star_modules(before):
            if position < after:
                break
            starred = self._starred(module, star, name, through) if star is not None else None
            if starred is not None:
                return starred
        return None

    def _has_unknown_star(self, module: Module, name: str) -> bool:
        """Whether a name may come from a star import of a library that is not torch: few of them have names
        of Python's own."""
        is_builtin = name in BUILTIN_NAMES
        for _, star in module.star_modules(None):
            if star is None:
                return True
            if is_builtin and star not in self.catalog.libraries.replacing_builtins:
                continue
            if self.project.locate(star, module) is None and not self.catalog.is_module(star):
                return True
        return False

    def _is_imported(self, module: Module, name: str, before: Block | None) -> bool:
        self.note(module.dependents, name)
        found = module.binding(name, before) or (module.binding(name, None) if before is not None else None)
        if found is None:
            return module.has_star_import(before)
        return self._binds_imports(module, name, found)

    def _binds_imports(self, module: Module, name: str, found: tuple[Block, Definition]) -> bool:
        """Whether a block binds a name by imports alone, on some paths perhaps not at all where an earlier
        one does (`import torch`, and then `import torch.fft` in a `try`)."""
        block, definition = found
        parts = sources(definition)
        if not all(one.is_import() or (type(one) is FreeVariable and one.name == name) for one in parts):
            return False
        if all(one.is_import() for one in parts):
            return True
        earlier = module.binding(name, block)
        return earlier is not None and self._binds_imports(module, name, earlier)

    def _starred(
        self, module: Module, star: str, name: str, through: tuple[Module, ...]
    ) -> AbstractValue | None:
        """What `from star import *` binds `name` to, `star` being an absolute name; None if it does not."""
        path = self.project.locate(star, module)
        if path is None:
            if self.catalog.is_module(star) and name in self.catalog.public_names(star):
                return imported_name(self, star, name)
            return None
        if not self.project.may_export(path, name):
            return None
        other = self.project.module(path)
        if other is None or other is module or other in through:
            return None
        self.note(other.dependents, name)
        self.note(other.dependents, "__all__")
        if not other.exports(name):
            return None
        result = self._module_name(other, name, None, (*through, module))
        return result if result.alternatives else None


def _about(keys: Iterable[Hashable], answers: dict[Query, object]) -> list[tuple[Query, object]]:
    """The answers about what is given for these parameters."""
    queries = [(kind, key) for key in keys for kind in ("passed", "left out", "defined")]
    return [(query, answers[query]) for query in queries if query in answers]


def _name_of(telling: str) -> str:
    """The name of the member that is called in `cpu().numpy`, or in `backward()`."""
    return telling.rpartition(".")[2].partition("(")[0]


def _placed(found: Sequence[Definition]) -> Definition | None:
    """The first class or function among definitions."""
    return next((one for one in found if isinstance(one, (ClassDefinition, FunctionDefinition))), None)


def _may_be_of_torch(result: AbstractValue) -> bool:
    """Whether a value may be something that nobody knows of, and else only what has not the members of
    torch's objects."""
    kinds = {type(value) for value in result.alternatives}
    return (Unknown in kinds or Giver in kinds) and kinds <= _FOREIGN


def _without_lacking(result: AbstractValue, members: set[str]) -> AbstractValue:
    """A value without the builtin containers that have not all the members that are read of it, where it may
    be something that nobody knows of, too."""
    kept = [
        value for value in result.alternatives if type(value) not in BUILTIN or members <= members_of(value)
    ]
    if len(kept) == len(result.alternatives) or not has_unknown(result):
        return result
    return AbstractValue(tuple(kept), result.certainty)


def _is_number(result: AbstractValue) -> bool:
    """Whether a number is among the alternatives."""
    for value in result.alternatives:  # noqa: SIM110 - asked of every attribute: a generator takes thrice as long
        if type(value) is ExternalInstance and value.of in NUMBERS:
            return True
    return False


_A_TENSOR: Final = Instance(TENSOR)
_FOREIGN: Final = frozenset({Unknown, Giver, ExternalInstance, NoneValue})
