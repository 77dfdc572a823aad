"""The lowering of statements: how names flow through them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tree_sitter import Node

from mindport.index import nodes
from mindport.index.definitions import (
    UNBOUND,
    Assigned,
    Augmented,
    Captured,
    Caught,
    Entered,
    ImportedModule,
    Increased,
    Iterated,
)
from mindport.index.scopes import Names
from mindport.lowering.docstrings import types_in
from mindport.lowering.lower import MAXIMUM_DEPTH, Lowering, Path, executes, named
from mindport.lowering.narrowing import narrowed_names
from mindport.source.syntax import field, kinds

Branch = tuple[Names, bool]


_ASSIGNMENT: Final = kinds("assignment")
_STORES: Final = kinds("attribute", "subscript")
_CLAUSES: Final = kinds("elif_clause", "else_clause")
_ELIF: Final = kinds("elif_clause")
_TYPE: Final = field("type")
_LEFT: Final = field("left")
_RIGHT: Final = field("right")
_CONDITION: Final = field("condition")
_CONSEQUENCE: Final = field("consequence")
_BODY: Final = field("body")


_TYPE_ALIAS: Final = "TypeAlias"


@executes("assignment")
def _assignment(self: Lowering, node: Node) -> None:
    """`a = b = value`, `a: annotation = value`"""
    targets: list[tuple[Node, nodes.Expression | None]] = []
    current: Node | None = node
    value: nodes.Expression | None = None
    while current is not None and current.kind_id in _ASSIGNMENT:
        annotation_node = current.child_by_field_id(_TYPE)
        annotation = None
        left = current.child_by_field_id(_LEFT)
        if annotation_node is not None and left is not None and _is_half_typed(self, left, annotation_node):
            self.root(self.lower(left))
            left = annotation_node.named_children[0]
        elif annotation_node is not None:
            annotation = self.lower_annotation(annotation_node)
            self.root(annotation, "annotation")
        if left is not None:
            targets.append((left, annotation))
        current = current.child_by_field_id(_RIGHT)
    if current is not None:
        declared = targets[0][1] if targets else None
        is_type = declared is not None and nodes.last_name(declared) == _TYPE_ALIAS
        value = self.lower_annotation(current) if is_type else self.lower(current)
        self.root(value)
    for target, annotation in targets:
        if value is None and annotation is None:
            self.root(self.lower(target))
            continue
        self.bind_target(target, (), _assign(value, annotation))
        if value is not None and target.kind_id in _STORES:
            _remember_stored(self, target, value)


def _is_half_typed(self: Lowering, left: Node, annotation: Node) -> bool:
    """Whether `name:` ends a line and what follows is the next statement: the parser joins them."""
    between = self.data[left.end_byte : annotation.start_byte]
    return b"\n" in between and b"\\" not in between


def _remember_stored(self: Lowering, target: Node, value: nodes.Expression) -> None:
    """Keep what an attribute or an item is set to: the target has just been lowered."""
    owner = self.block.roots[-1]
    container = owner.value if isinstance(owner, nodes.Subscript) and target.type == "subscript" else None
    span = target.start_byte - self.base, target.end_byte - self.base
    self.block.stored.append(nodes.Stored(*span, container, value))
    if container is None or not isinstance(owner, nodes.Subscript):
        return
    if isinstance(container, nodes.Attribute) and container.name == "__dict__":
        _remember_in_dict(self, container, owner, value)
    if type(value) in _PLAIN and not _has_telling_key(owner):
        return
    if not _is_sliced(owner):
        self.remember_added(container, Assigned(value))


def _remember_in_dict(
    self: Lowering, container: nodes.Attribute, owner: nodes.Subscript, value: nodes.Expression
) -> None:
    """`self.__dict__["name"] = value`"""
    name = nodes.string_of(owner.indices[0]) if len(owner.indices) == 1 else None
    if name is not None and self.part is not None and self.is_receiver(container.value):
        self.part.attributes.setdefault(name, []).append(Assigned(value))


def _has_telling_key(owner: nodes.Subscript) -> bool:
    return len(owner.indices) == 1 and nodes.string_of(owner.indices[0]) in nodes.TELLING_KEYS


_PLAIN: Final = frozenset({nodes.Attribute, nodes.Constant, nodes.Name, nodes.Parts, nodes.Subscript})
"""What is not worked out where it is stored: it rarely tells more, and asking for all of it takes long."""


def _is_sliced(subscript: nodes.Subscript) -> bool:
    return any(isinstance(index, nodes.Parts) and index.kind == "slice" for index in subscript.indices)


def _assign(
    value: nodes.Expression | None, annotation: nodes.Expression | None
) -> Callable[[Path], Assigned]:
    return lambda path: Assigned(value, path, annotation)


@executes("augmented_assignment")
def _augmented(self: Lowering, node: Node) -> None:
    left, right = node.child_by_field_id(_LEFT), node.child_by_field_id(_RIGHT)
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        self.root(self.parts(node))
        return
    if right.kind_id in _ASSIGNMENT:  # `x +=` is half-typed: the parser joins the next statement to it
        self.root(self.lower(left))
        self.execute(right)
        return
    target = self.lower(left)
    self.root(target)
    value = self.lower(right)
    self.root(value)
    if isinstance(target, nodes.Name):
        span = (operator.start_byte - self.base, operator.end_byte - self.base)
        augmented = Augmented(target, self.text(operator), span, value)
        self.block.augmented.append(augmented)
        self.flow.bind(target.id, augmented)
        return
    if type(value) in _LISTS and self.text(operator) == "+=":  # else it is mostly a number, or a Tensor
        self.remember_added(target, Iterated(value, ()))
    if isinstance(target, nodes.Attribute) and type(value) not in _NO_TENSORS:
        self.remember_increased(target, Increased(self.text(operator).rstrip("="), value))


_LISTS: Final = frozenset({nodes.CallExpression, nodes.Comprehension, nodes.Display})
_NO_TENSORS: Final = frozenset({nodes.Comprehension, nodes.Constant, nodes.Display})


@executes("return_statement")
def _return(self: Lowering, node: Node) -> None:
    for child in named(node):
        value = self.lower(child)
        self.root(value)
        if self.function is not None:
            self.function.returns.append(value)
    self.flow.dead = True


@executes("raise_statement")
def _raise(self: Lowering, node: Node) -> None:
    for child in named(node):
        self.root(self.lower(child))
    self.flow.dead = True


@executes("break_statement", "continue_statement")
def _leave(self: Lowering, node: Node) -> None:
    if self.flow.loops and not self.flow.dead:
        frame = self.flow.loops[-1]
        (frame.breaks if node.type == "break_statement" else frame.continues).append(self.flow.names)
        self.flow.names = dict(self.flow.names)
    self.flow.dead = True


@executes("global_statement", "nonlocal_statement")
def _global(self: Lowering, node: Node) -> None:
    scope = self.flow.scope
    names = scope.global_names if node.type == "global_statement" else scope.nonlocal_names
    names.update(self.text(child) for child in named(node))


@executes("delete_statement")
def _delete(self: Lowering, node: Node) -> None:
    for child in named(node):
        for target in named(child) if child.type in ("expression_list", "tuple") else [child]:
            self.root(self.lower(target))
            if target.type == "identifier":
                self.flow.bind(self.text(target), UNBOUND)


@executes("block", "module", "ERROR", "expression_statement")
def _sequence(self: Lowering, node: Node) -> None:
    self.execute_all(node.named_children)


@executes("string")
def _text(self: Lowering, node: Node) -> None:
    """A text by itself. In the body of a class it may say of which types the parameters of the constructor
    and the attributes are."""
    if self.part is not None and self.function is None:
        self.part.documented.update(types_in(self.data[node.start_byte : node.end_byte]))
    self.other_statement(node)


def _branch(self: Lowering, names: Names, run: Callable[[], None]) -> Branch:
    """Run a branch that starts with `names`; the names it ends with, and whether its end is dead."""
    self.flow.names, self.flow.dead = dict(names), False
    before, self.conditional = self.conditional, True
    run()
    self.conditional = before
    return self.flow.names, self.flow.dead


def _body(self: Lowering, node: Node | None) -> Callable[[], None]:
    return lambda: self.execute(node) if node is not None else None


@executes("if_statement")
def _if(self: Lowering, node: Node) -> None:
    dead = self.flow.dead
    branches: list[Branch] = []
    has_else = False
    branches.append(_tested_branch(self, node))
    for clause in node.named_children:
        if clause.kind_id not in _CLAUSES:
            continue
        if clause.kind_id in _ELIF:
            branches.append(_tested_branch(self, clause))
        else:
            has_else = True
            branches.append(_branch(self, self.flow.names, _body(self, clause.child_by_field_id(_BODY))))
    if not has_else:
        branches.append((self.flow.names, dead))
    self.flow.merge(branches)
    _unhandled_errors(self, node)


def _tested_branch(self: Lowering, node: Node) -> Branch:
    """Run the branch of an `if` or `elif`. What follows starts where its condition does not hold."""
    condition = node.child_by_field_id(_CONDITION)
    if condition is not None:
        self.root(self.lower(condition))
    otherwise = narrowed_names(self, condition, holds=False)
    branch = _branch(self, narrowed_names(self, condition), _body(self, node.child_by_field_id(_CONSEQUENCE)))
    self.flow.names = dict(otherwise)
    return branch


@executes("assert_statement")
def _assert(self: Lowering, node: Node) -> None:
    conditions = named(node)
    for condition in conditions:
        self.root(self.lower(condition))
    self.flow.names = narrowed_names(self, conditions[0] if conditions else None)


def _unhandled_errors(self: Lowering, node: Node) -> None:
    """Code inside a compound statement that does not parse is looked at all the same."""
    if node.has_error:
        for child in node.named_children:
            if child.type == "ERROR":
                self.execute(child)


@executes("for_statement", "while_statement")
def _loop(self: Lowering, node: Node) -> None:
    iterable_node = node.child_by_field_id(_RIGHT)
    iterable = None
    if iterable_node is not None:
        iterable = self.lower(iterable_node)
        self.root(iterable)
    before, self.conditional = self.conditional, True
    self.block.loops.append((node.start_byte - self.base, node.end_byte - self.base))
    self.flow.enter_loop()
    condition = node.child_by_field_id(_CONDITION)
    if condition is not None:
        self.root(self.lower(condition))
    left = node.child_by_field_id(_LEFT)
    if left is not None and iterable is not None:
        of = iterable
        self.bind_target(left, (), lambda path: Iterated(of, path))
    _body(self, node.child_by_field_id(_BODY))()
    self.flow.leave_loop()
    alternative = node.child_by_field_name("alternative")
    if alternative is not None:
        start = self.flow.names
        branch = _branch(self, start, _body(self, alternative.child_by_field_id(_BODY)))
        self.flow.merge([branch, (start, False)])
    self.conditional = before
    _unhandled_errors(self, node)


@executes("try_statement")
def _try(self: Lowering, node: Node) -> None:
    flow = self.flow
    start, logged = flow.names, len(flow.log)
    branches: list[Branch] = []
    normal = _branch(self, start, _body(self, node.child_by_field_id(_BODY)))
    interrupted = dict(start)
    for name, definition in flow.log[logged:]:
        if name != "*":
            flow.names, flow.dead = interrupted, False
            flow.merge([(interrupted, False), ({**interrupted, name: definition}, False)])
            interrupted = flow.names
    final: Node | None = None
    flow.names, flow.dead = normal
    for clause in named(node):
        if clause.type == "except_clause":
            handled = _branch(self, interrupted, _handler(self, clause))
            branches.append(_with_torch(start, normal, handled))
        elif clause.type == "else_clause":
            normal = _branch(self, normal[0], _body(self, clause.child_by_field_id(_BODY)))
        elif clause.type == "finally_clause":
            final = clause
    flow.merge([normal, *branches])
    dead = flow.dead
    if final is not None:
        self.execute_all(named(final))
    flow.dead = flow.dead or dead
    _unhandled_errors(self, node)


def _with_torch(start: Names, normal: Branch, handled: Branch) -> Branch:
    """What a handler leaves, with the modules of PyTorch that the suite of `try` imports: a program is read
    as it runs where PyTorch is installed, and what takes its place elsewhere says nothing of it, unless that
    is a module, too."""
    imported = {
        name: found
        for name, found in normal[0].items()
        if type(found) is ImportedModule and start.get(name) is not found and _is_torch(found.loaded)
        if type(handled[0].get(name)) is not ImportedModule
    }
    return ({**handled[0], **imported}, handled[1]) if imported else handled


def _is_torch(module: str) -> bool:
    return module == "torch" or module.startswith("torch.")


def _handler(self: Lowering, clause: Node) -> Callable[[], None]:
    def run() -> None:
        for child in named(clause):
            if child.type == "block":
                self.execute(child)
            elif child.type == "as_pattern":
                parts = named(child)
                caught = Caught(self.lower(parts[0]))
                self.root(caught.type)
                for target in named(parts[-1]):
                    self.flow.bind(self.text(target), caught)
            else:
                self.root(self.lower(child))

    return run


@executes("with_statement")
def _with(self: Lowering, node: Node) -> None:
    for clause in node.named_children:
        if clause.type != "with_clause":
            continue
        for item in named(clause):
            value = item.child_by_field_name("value") or item
            _with_item(self, value)
    _body(self, node.child_by_field_id(_BODY))()
    _unhandled_errors(self, node)


def _with_item(self: Lowering, node: Node) -> None:
    if node.type == "parenthesized_expression" or node.type == "tuple":
        if self.depth > MAXIMUM_DEPTH:
            self.too_deep(node)
            return
        self.depth += 1
        for child in named(node):
            _with_item(self, child)
        self.depth -= 1
        return
    if node.type == "as_pattern":
        parts = named(node)
        manager = self.lower(parts[0])
        self.root(manager)
        self.bind_target(parts[-1], (), lambda path: Entered(manager, path))
    else:
        self.root(self.lower(node))


@executes("match_statement")
def _match(self: Lowering, node: Node) -> None:
    subject_node = node.child_by_field_name("subject")
    subject = None
    if subject_node is not None:
        subject = self.lower(subject_node)
        self.root(subject)
    start = self.flow.names
    branches: list[Branch] = [(start, self.flow.dead)]
    body = node.child_by_field_id(_BODY)
    for clause in named(body) if body is not None else []:
        branches.append(_branch(self, start, _case(self, clause, subject)))
    self.flow.merge(branches)


def _case(self: Lowering, clause: Node, subject: nodes.Expression | None) -> Callable[[], None]:
    def run() -> None:
        for child in named(clause):
            if child.type == "case_pattern":
                _pattern(self, child, subject)
            elif child.type == "if_clause":
                for condition in named(child):
                    self.root(self.lower(condition))
            else:
                self.execute(child)

    return run


def _pattern(self: Lowering, pattern: Node, subject: nodes.Expression | None) -> None:
    """Bind the captures of a pattern; dotted names and classes in it are read. Patterns may be nested deeper
    than the stack is."""
    waiting: list[tuple[Node, nodes.Expression | None]] = [(pattern, subject)]
    while waiting:
        node, matched = waiting.pop()
        kind = node.type
        children = named(node)
        inner: nodes.Expression | None = None
        if kind == "dotted_name":
            _name_pattern(self, node, children, matched)
            continue
        if kind == "identifier":
            self.flow.bind(self.text(node), Captured(matched))
            continue
        if kind == "class_pattern":
            self.root(self.lower(children[0]))
            children = children[1:]
        elif kind == "keyword_pattern":
            children = children[1:]
        elif kind in ("case_pattern", "union_pattern", "as_pattern"):
            inner = matched
        elif kind in ("string", "integer", "float", "true", "false", "none", "concatenated_string"):
            continue
        waiting += [(child, inner) for child in reversed(children)]


def _name_pattern(self: Lowering, node: Node, parts: list[Node], matched: nodes.Expression | None) -> None:
    """A dotted name is read, a plain one is bound."""
    if len(parts) != 1:
        self.root(self.lower(node))
        return
    name = self.text(parts[0])
    if name != "_":
        self.flow.bind(name, Captured(matched))


@executes("type_alias_statement")
def _type_alias(self: Lowering, node: Node) -> None:
    left, right = node.child_by_field_id(_LEFT), node.child_by_field_id(_RIGHT)
    if left is None or right is None:
        self.root(self.parts(node))
        return
    value = self.lower_annotation(right)
    self.root(value, "annotation")
    target = named(left)
    if target and target[0].type == "identifier":
        self.flow.bind(self.text(target[0]), Assigned(value))
