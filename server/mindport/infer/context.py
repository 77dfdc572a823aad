"""What each part of inference needs of the others: the values of expressions, definitions and names.

`Evaluator` is the one that there is. What stands here opens the recursion: of what an expression is made is
evaluated in the same way, whatever kind of expression it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from mindport.callgraph.argument_facts import ParameterKey
    from mindport.catalog.catalog import Catalog
    from mindport.index.block import Block
    from mindport.index.definitions import ClassDefinition, Definition, FunctionDefinition, FunctionParameter
    from mindport.index.memo import Dependents, Query
    from mindport.index.nodes import Expression
    from mindport.infer.project_graph import ProjectGraph
    from mindport.infer.values import AbstractValue, Value


class Inside:
    """While it is entered, another block is the current one of a context."""

    __slots__ = ("_before", "_block", "_context")

    def __init__(self, context: Context, block: Block) -> None:
        self._context = context
        self._block = block
        self._before: Block | None = None

    def __enter__(self) -> None:
        self._before = self._context.current
        self._context.current = self._block

    def __exit__(self, *error: object) -> None:
        self._context.current = self._before


class Context(ABC):
    """Where code is evaluated: in the `project`, in its `current` block, if any."""

    def __init__(self, project: ProjectGraph, catalog: Catalog) -> None:
        self.catalog = catalog
        self.handed = catalog.contracts.handed
        self.project = project
        self.current: Block | None = None

    @property
    def block(self) -> Block:
        """The block whose code is being evaluated."""
        assert self.current is not None
        return self.current

    def inside(self, block: Block) -> Inside:
        """Evaluate code of `block` (a context manager): what it relies on is remembered there."""
        return Inside(self, block)

    @abstractmethod
    def value(self, expression: Expression) -> AbstractValue:
        """The value of an expression of the current block."""

    @abstractmethod
    def note(self, dependents: Dependents, name: Hashable) -> None:
        """The current block relies on what a name is."""

    @abstractmethod
    def called(self, function: AbstractValue) -> AbstractValue:
        """What calling `function` gives, whatever its arguments."""

    @abstractmethod
    def definition(self, definition: Definition) -> AbstractValue:
        """The value of a definition of the current block."""

    @abstractmethod
    def in_other_block(self, block: Block, definition: Definition) -> AbstractValue:
        """The value of a definition that may belong to another block than the current one."""

    @abstractmethod
    def ask(self, query: Query) -> AbstractValue:
        """Ask about something outside the current block, and remember that the block relies on the answer.

        Queries: ("name", module, name, block or None): what `name` is in `module` before that block, or
        at the module's end; ("class name", class, name, block): what the body of the class binds it to
        before that block; ("definition", block, definition): the value of a definition of another block;
        ("returned", class or module, name, own): what calling the function of that name there gives;
        ("passed", parameter): what calls give for a parameter;
        ("default", class or module, name, parameter): its default value there; ("taken as", ...): see
        `taken_as`; of functions that have no place, both by block and parameter;
        ("module", name): the module of the project with that absolute name;
        ("export", path, name): what the module at `path` exports as `name`;
        ("installed", name): what a package beside the project has under that dotted name, as far as known.
        """

    @abstractmethod
    def bases(self, definition: ClassDefinition) -> Sequence[Sequence[Value]]:
        """What each base of a class, and of the project's classes among its bases, may be, the nearest
        first."""

    @abstractmethod
    def overridden(self, function: FunctionDefinition) -> Sequence[FunctionDefinition]:
        """The methods of base classes of the project that a method overrides, the nearest first."""

    @abstractmethod
    def own_member(self, definition: ClassDefinition, name: str, instance: bool) -> AbstractValue | None:
        """A member that a class of the project has by itself, or (of an `instance`) by what its methods
        assign; None, if it has no such member."""

    @abstractmethod
    def documented(self, definition: ClassDefinition, name: str) -> str | None:
        """The type, as written, that the docstring of a class of the project says that a parameter of its
        constructor, or an attribute, has."""

    @abstractmethod
    def name_in_class(self, owner: ClassDefinition, name: str, before: Block) -> AbstractValue:
        """What the body of a class binds a name to before one of its blocks; never, if it does not."""

    @abstractmethod
    def name_in_module(self, block: Block, name: str, deferred: bool) -> AbstractValue:
        """What a name of the module means: at the end of the module if `deferred` (code that runs later, in
        a function), else before `block`."""

    @abstractmethod
    def returned_by(self, function: FunctionDefinition, own: bool = False) -> AbstractValue:
        """What calling a function of the project gives; `own`: without what it gives back of its
        arguments."""

    @abstractmethod
    def passed(self, parameter: FunctionParameter) -> AbstractValue:
        """What calls give for a parameter; never, if none gives anything."""

    @abstractmethod
    def is_member_of_a_class(self, name: str) -> bool:
        """Whether a class of the project has a member of this name, as far as is known: asked of names that
        tell Tensors from other things."""

    @abstractmethod
    def is_told(self, key: ParameterKey) -> bool:
        """Whether some block tells anything under a key, as far as is known."""

    @abstractmethod
    def owner_of_member(self, name: str, is_called: bool = False) -> str | None:
        """The class of torch whose objects alone have a member of this name that is read, or called, as far
        as is known."""

    @abstractmethod
    def owner_as_array(self, name: str) -> str | None:
        """The class of Tensors, where only arrays have a member of this name, and the module at hand uses no
        others, as far as is known."""

    @abstractmethod
    def overrides(self, function: FunctionDefinition) -> list[FunctionDefinition]:
        """The methods of the project's classes that override a method, as far as is known."""

    @abstractmethod
    def given_by_subclasses(
        self, definition: ClassDefinition, name: str, instance: bool
    ) -> list[AbstractValue]:
        """What the next subclasses that have a member of this name have for it, as far as is known."""

    @abstractmethod
    def set_from_outside(self, definition: ClassDefinition, name: str) -> AbstractValue:
        """What code outside of a class, and of the classes of the project that it derives from, sets an
        attribute of its objects to; never, where that is not known."""

    @abstractmethod
    def is_read_as_tensor(self, definition: Definition) -> bool:
        """Whether a Tensor has all members that the current block reads of what a definition binds, and its
        methods are called."""

    @abstractmethod
    def owner_by_members(self, definition: Definition) -> Value | None:
        """What has to be what a definition binds, by the members that the current block reads and calls of
        it; None, where that tells nothing."""

    @abstractmethod
    def result_by_use(self, function: FunctionDefinition) -> AbstractValue:
        """What those who call a method take its result for; never, where that is not known."""

    @abstractmethod
    def mixed_with(self, definition: ClassDefinition) -> AbstractValue:
        """The classes, of torch or of the project, that subclasses of a class derive from beside it."""

    @abstractmethod
    def is_left_out(self, parameter: FunctionParameter) -> bool:
        """Whether a parameter may have its default value: a call leaves it out, or none is known."""

    @abstractmethod
    def placed(self, path: str, qualified_name: str) -> Definition | None:
        """The class or function of this qualified name in the module at `path`; None if there is none."""

    @abstractmethod
    def taken_as(self, parameter: FunctionParameter) -> AbstractValue:
        """What the function of a parameter takes it as, whatever is given; unknown, if that may be
        anything."""

    @abstractmethod
    def default_of(self, parameter: FunctionParameter) -> AbstractValue:
        """The default value of a parameter, which has one."""
