"""The lowering of what opens a scope: functions, lambdas, comprehensions, classes."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from mindport.index import nodes
from mindport.index.definitions import (
    Assigned,
    ClassDefinition,
    ClassPart,
    Definition,
    FunctionDefinition,
    FunctionParameter,
    Iterated,
    ParameterKind,
)
from mindport.lowering.docstrings import types_in
from mindport.lowering.lower import IDENTIFIER, Lowering, executes, handles, named
from mindport.lowering.narrowing import tested_names
from mindport.source.syntax import kinds

_COMPREHENSIONS: Final = {
    "list_comprehension": "list",
    "set_comprehension": "set",
    "dictionary_comprehension": "dict",
    "generator_expression": "generator",
}


_POSITIONAL: Final = kinds("positional_separator")
_KEYWORD: Final = kinds("keyword_separator")


@executes("decorated_definition")
def _decorated(self: Lowering, node: Node) -> None:
    decorators = []
    for child in node.named_children:
        if child.type == "decorator":
            for expression in named(child):
                decorator = self.lower(expression)
                self.root(decorator)
                decorators.append(Assigned(decorator))
    definition = node.child_by_field_name("definition")
    if definition is None:
        self.execute_all([child for child in named(node) if child.type != "decorator"])
    elif definition.type == "class_definition":
        self.defined_class = define_class(self, definition, decorators)
    else:
        function = define_function(self, definition, decorators)
        function.decoration = self.data[node.start_byte : definition.start_byte].decode("utf-8", "replace")


@executes("function_definition")
def _function(self: Lowering, node: Node) -> None:
    define_function(self, node, [])


@executes("class_definition")
def _class(self: Lowering, node: Node) -> None:
    self.defined_class = define_class(self, node, [])


def define_function(self: Lowering, node: Node, decorators: list[Assigned]) -> FunctionDefinition:
    """Walk a `def`: defaults and annotations in the scope around it, the body in its own."""
    name_node = node.child_by_field_name("name")
    name = self.text(name_node) if name_node is not None else ""
    function = FunctionDefinition(name, self.qualifier + name, self.owner)
    function.decorators = decorators
    parameters = node.child_by_field_name("parameters")
    if parameters is not None:
        _parameters(self, function, parameters)
    annotation = node.child_by_field_name("return_type")
    if annotation is not None:
        function.annotation = self.lower_annotation(annotation)
        self.root(function.annotation, "annotation")
    body = node.child_by_field_name("body")
    _body(self, function, body)
    if not _extends_property(function):
        self.flow.bind(name, function)
    self.block.placed.append(function)
    return function


def _extends_property(function: FunctionDefinition) -> bool:
    """Whether a function is added to a property of its name by `@name.setter` or `@name.deleter`: what
    reading the name gives is left as it was."""
    return any(
        isinstance(decorator.value, nodes.Attribute)
        and decorator.value.name in ("setter", "deleter")
        and isinstance(decorator.value.value, nodes.Name)
        and decorator.value.value.id == function.name
        for decorator in function.decorators
    )


def _body(self: Lowering, function: FunctionDefinition, body: Node | None) -> None:
    state = self.function, self.owner, self.qualifier, self.conditional
    # A method's owner is known while its own body is walked; functions inside it have none.
    if self.function is not None:
        self.owner = None
        function.owner = None
    self.function, self.qualifier, self.conditional = function, function.qualified_name + ".", False
    outer, function.scope = self.open_scope("function")
    for parameter in function.parameters:
        self.flow.bind(parameter.name, parameter)
    if body is not None:
        _document(self, function, body)
        self.execute_all(body.named_children)
        function.is_abstract = not function.yields and not function.returns and _is_abstract(self, body)
    self.close_scope(outer)
    self.function, self.owner, self.qualifier, self.conditional = state


def _document(self: Lowering, function: FunctionDefinition, body: Node) -> None:
    """Keep what the docstring says of the types of parameters that are not annotated."""
    first = body.named_children[0].named_children[:1] if body.named_children else ()
    if not first or first[0].type != "string":
        return
    text = self.data[first[0].start_byte : first[0].end_byte]
    types = types_in(text, frozenset([one.name for one in function.parameters if one.annotation is None]))
    for parameter in function.parameters if types else ():
        parameter.documented = types.get(parameter.name)


def _is_abstract(self: Lowering, body: Node) -> bool:
    """Whether a body without the value of a `return` leaves what the function gives to others: nothing but a
    docstring, `pass` or `...` is in it, or it raises in the end."""
    parts = named(body)
    if self.flow.dead:
        return bool(parts) and parts[-1].type == "raise_statement"
    return all(
        child.type == "pass_statement"
        or (child.type == "expression_statement" and child.named_children[0].type in ("string", "ellipsis"))
        for child in parts
    )


def _parameters(self: Lowering, function: FunctionDefinition, node: Node) -> None:
    """The parameters of a `def` or `lambda`; defaults and annotations become roots."""
    kind: ParameterKind = "plain"
    for child in named(node):
        if child.kind_id in _POSITIONAL:
            for parameter in function.parameters:
                parameter.kind = "positional_only"
        elif child.kind_id in _KEYWORD:
            kind = "keyword_only"
        else:
            parameter = _parameter(self, function, child, kind)
            if parameter.kind == "variadic":
                kind = "keyword_only"
            function.parameters.append(parameter)


def _parameter(
    self: Lowering, function: FunctionDefinition, node: Node, kind: ParameterKind
) -> FunctionParameter:
    name, annotation, default = node, None, None
    if node.kind_id in IDENTIFIER:
        return FunctionParameter(function, len(function.parameters), self.name(node), kind, None, None)
    if node.type in ("default_parameter", "typed_default_parameter"):
        value = node.child_by_field_name("value")
        if value is not None:
            default = self.lower(value)
            self.root(default)
        name = node.child_by_field_name("name") or node
    elif node.type == "typed_parameter":
        name = named(node)[0]
    annotated = node.child_by_field_name("type") if node.type.startswith("typed") else None
    if annotated is not None:
        annotation = self.lower_annotation(annotated)
        self.root(annotation, "annotation")
    if name.type == "list_splat_pattern":
        kind, name = "variadic", name.named_children[0] if name.named_children else name
    elif name.type == "dictionary_splat_pattern":
        kind, name = "keywords", name.named_children[0] if name.named_children else name
    return FunctionParameter(function, len(function.parameters), self.name(name), kind, annotation, default)


@handles("lambda")
def _lambda(self: Lowering, node: Node) -> nodes.Expression:
    function = FunctionDefinition("<lambda>", f"{self.qualifier}<lambda:{node.start_byte - self.base}>", None)
    parameters = node.child_by_field_name("parameters")
    if parameters is not None:
        _parameters(self, function, parameters)
    state = self.function, self.owner
    self.function, self.owner = function, None
    outer, function.scope = self.open_scope("function")
    for parameter in function.parameters:
        self.flow.bind(parameter.name, parameter)
    body = node.child_by_field_name("body")
    if body is not None:
        function.returns.append(self.lower(body))
        self.root(function.returns[-1])
    self.close_scope(outer)
    self.function, self.owner = state
    return nodes.LambdaExpression(node.start_byte - self.base, node.end_byte - self.base, function)


@handles(*_COMPREHENSIONS)
def _comprehension(self: Lowering, node: Node) -> nodes.Expression:
    """Targets are bound in a scope of their own, `:=` in the one around it. In a class body the class's
    names are visible to the first iterable only."""
    children = named(node)
    parts: list[nodes.Expression] = []
    flow = self.flow
    in_class = flow.scope.kind == "class"
    saved: dict[str, Definition | None] = {}
    targets: set[str] = set()
    outer = None
    for child in children[1:]:
        if child.type == "for_in_clause":
            left, iterable = child.child_by_field_name("left"), child.child_by_field_name("right")
            if left is None or iterable is None:
                parts.append(self.lower(child))
                continue
            lowered = self.lower(iterable)
            parts.append(lowered)
            if in_class and outer is None:
                outer, _ = self.open_scope("function")
            _bind_comprehension_target(self, left, lowered, saved, targets)
        else:
            parts.append(self.lower(child))
            _narrow_for_comprehension(self, child, saved, targets)
    element, extra = _element(self, children[0])
    parts.extend(extra)
    if outer is not None:
        self.close_scope(outer)
    else:
        for name in targets:
            before = saved[name]
            if before is None:
                flow.names.pop(name, None)
            else:
                flow.names[name] = before
    start, end = node.start_byte - self.base, node.end_byte - self.base
    return nodes.Comprehension(start, end, _COMPREHENSIONS[node.type], element, parts)


def _narrow_for_comprehension(
    self: Lowering, condition: Node, saved: dict[str, Definition | None], targets: set[str]
) -> None:
    """What follows a condition is looked at where it holds."""
    parts = named(condition) if condition.type == "if_clause" else []
    for name, definition in (tested_names(self, parts[0]) if parts else {}).items():
        saved.setdefault(name, self.flow.names.get(name))
        targets.add(name)
        self.flow.names[name] = definition


def _element(self: Lowering, node: Node) -> tuple[nodes.Expression, list[nodes.Expression]]:
    """What a comprehension produces, and for a dictionary the key beside it."""
    parts = named(node)
    if node.type == "pair" and len(parts) == 2:
        key = self.lower(parts[0])
        return self.lower(parts[1]), [key]
    return self.lower(node), []


def _bind_comprehension_target(
    self: Lowering,
    target: Node,
    iterable: nodes.Expression,
    saved: dict[str, Definition | None],
    targets: set[str],
) -> None:
    """Bind without leaving a trace in the names that the surrounding scope binds."""
    scope, flow = self.flow.scope, self.flow
    binding, scope.binding = scope.binding, set()
    names_before = dict(flow.names)
    logged = len(flow.log)
    self.bind_target(target, (), lambda path: Iterated(iterable, path))
    for name, _ in flow.log[logged:]:
        targets.add(name)
        saved.setdefault(name, names_before.get(name))
    del flow.log[logged:]
    scope.binding = binding


def define_class(self: Lowering, node: Node, decorators: list[Assigned]) -> ClassDefinition:
    """Walk a `class`: bases in the scope around it, the body in its own. A class at the top level of a
    module is only begun here: `lowering.blocks` cuts its body into blocks."""
    name_node = node.child_by_field_name("name")
    name = self.text(name_node) if name_node is not None else ""
    defined = ClassDefinition(name, self.qualifier + name)
    defined.decorators = decorators
    superclasses = node.child_by_field_name("superclasses")
    if superclasses is not None:
        _bases(self, defined, superclasses)
    if self.header_only:
        defined.scope = self.flow.scope
    else:
        _class_body(self, defined, node.child_by_field_name("body"))
    self.flow.bind(name, defined)
    self.block.classes.append(defined)
    self.block.placed.append(defined)
    return defined


def _class_body(self: Lowering, defined: ClassDefinition, body: Node | None) -> None:
    state = self.function, self.owner, self.part, self.qualifier, self.conditional
    defined.own_part = ClassPart(defined)
    self.function, self.owner, self.part = None, defined, defined.own_part
    self.qualifier = defined.qualified_name + "."
    outer, defined.scope = self.open_scope("class")
    if body is not None:
        self.execute_all(body.named_children)
    defined.own_part.namespace = self.close_scope(outer)
    self.function, self.owner, self.part, self.qualifier, self.conditional = state


def _bases(self: Lowering, defined: ClassDefinition, node: Node) -> None:
    for child in named(node):
        if child.type == "keyword_argument":
            parts = named(child)
            value = self.lower(parts[-1])
            defined.keywords.append((self.text(parts[0]), value))
            self.root(value)
        else:
            base = self.lower(child)
            defined.bases.append(Assigned(base))
            self.root(base, "base")
