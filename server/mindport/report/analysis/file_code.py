"""What the syntax of a file says beside its uses of torch: imports, settings with their values, calls,
classes, functions and loops, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.source.document import Document

_LITERALS: Final = frozenset({"integer", "float", "string", "true", "false", "none"})
_OF_LITERALS: Final = frozenset(
    {"unary_operator", "binary_operator", "tuple", "list", "parenthesized_expression"}
)
_LONGEST_LITERAL: Final = 60
_OPTIONS: Final = frozenset(
    {"add_argument", "option", "add_option", "Option", "DEFINE_integer", "DEFINE_float"}
)
_DEFINING: Final = frozenset({"DEFINE_integer", "DEFINE_float"})
"""Those of absl, which are given the default behind the name."""


SettingKind = Literal["option", "assigned", "keyword", "parameter", "key"]
"""How a name gets its value: as an option of the command line, by an assignment, as an argument of a call, as
the default value of a parameter, in a dictionary."""


class NamedValue(NamedTuple):
    """A name that is given a literal value: `name` in lower case with underscores, `value` as written, at the
    byte `offset`. `option` is the option of the command line that it is, if it is one."""

    name: str
    value: str
    offset: int
    kind: SettingKind
    option: str = ""


class Named(NamedTuple):
    """A call, class, function or loop: its dotted name, and the bytes it covers (of what has a body, before
    that). `argument` is what a loop counts to, `last` the end of the body, `bases` the last names of a
    class's bases."""

    name: str
    start: int
    end: int
    argument: str = ""
    last: int = 0
    bases: tuple[str, ...] = ()


class FileCode:
    """Reads a document's syntax once. `settings`, `calls`, `classes`, `functions` and `loops` are in source
    order; `imports` are the modules that are imported, with where; calls have the names that imports give
    them (`np.random.seed` is `numpy.random.seed`)."""

    def __init__(self, document: Document) -> None:
        self.settings: list[NamedValue] = []
        self.calls: list[Named] = []
        self.classes: list[Named] = []
        self.functions: list[Named] = []
        self.loops: list[Named] = []
        self.imports: list[Named] = []
        self._comments: list[tuple[int, int]] = []
        self._bound: dict[str, str] = {}
        self._document = document
        for node in _nodes(document.tree.root_node):
            handle = _HANDLERS.get(node.type)
            if handle is not None:
                handle(self, node)

    def text(self, node: Node | None) -> str:
        """The source of a node."""
        return "" if node is None else self._document.text(node.start_byte, node.end_byte)

    def without_comments(self, start: int, end: int) -> str:
        """The source between two bytes."""
        parts, at = [], start
        for first, last in self._comments:
            if start <= first < end:
                parts.append(self._document.text(at, first))
                at = last
        return "".join([*parts, self._document.text(at, max(at, end))])

    def _comment(self, node: Node) -> None:
        self._comments.append((node.start_byte, node.end_byte))

    def full_name(self, dotted: str) -> str:
        """A dotted name with what its first part was imported as."""
        first, dot, rest = dotted.partition(".")
        return f"{self._bound.get(first, first)}{dot}{rest}"

    def _import(self, node: Node) -> None:
        for child in node.named_children:
            name, alias = self._imported(child)
            self.imports.append(Named(name, node.start_byte, node.end_byte))
            self._bound[alias or name.partition(".")[0]] = name if alias else name.partition(".")[0]

    def _import_from(self, node: Node) -> None:
        module_node = node.child_by_field_name("module_name")
        module = self.text(module_node)
        if module.startswith("."):
            return
        self.imports.append(Named(module, node.start_byte, node.end_byte))
        for child in node.children_by_field_name("name"):
            name, alias = self._imported(child)
            self._bound[alias or name] = f"{module}.{name}"

    def _imported(self, node: Node) -> tuple[str, str]:
        if node.type == "aliased_import":
            name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
            return self.text(name), self.text(alias)
        return self.text(node), ""

    def _call(self, node: Node) -> None:
        dotted = self.text(node.child_by_field_name("function"))
        if not dotted.replace(".", "_").isidentifier():
            dotted = dotted.rpartition(".")[2]
        self.calls.append(Named(self.full_name(dotted), node.start_byte, node.end_byte))
        arguments = node.child_by_field_name("arguments")
        if dotted.rpartition(".")[2] in _OPTIONS and arguments is not None:
            self._option(dotted.rpartition(".")[2], arguments)

    def _option(self, function: str, arguments: Node) -> None:
        positional = [
            one for one in arguments.named_children if one.type not in ("keyword_argument", "comment")
        ]
        named = {
            self.text(one.child_by_field_name("name")): one.child_by_field_name("value")
            for one in arguments.named_children
            if one.type == "keyword_argument"
        }
        options = [_string(self.text(one)) for one in positional if one.type == "string"]
        option = next((one for one in options if one.startswith("--")), next(iter(options), ""))
        default = named.get("default")
        if default is None and function in _DEFINING and len(positional) > 1:
            default = positional[1]
        name = _string(self.text(named["dest"])) if named.get("dest") is not None else option.lstrip("-")
        if name and default is not None:
            self._setting(name, default, arguments.start_byte, "option", option)

    def _assignment(self, node: Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        if left.type == "pattern_list" and right.type == "expression_list":
            for name, value in zip(left.named_children, right.named_children, strict=False):
                self._setting(self._last(name), value, name.start_byte, "assigned")
        else:
            self._setting(self._last(left), right, left.start_byte, "assigned")

    def _last(self, node: Node) -> str:
        if node.type == "identifier":
            return self.text(node)
        if node.type == "attribute":
            return self.text(node.child_by_field_name("attribute"))
        if node.type == "subscript":
            key = node.child_by_field_name("subscript")
            return _string(self.text(key)) if key is not None and key.type == "string" else ""
        return ""

    def _given(self, node: Node) -> None:
        """A keyword argument, or a parameter with a default value."""
        value = node.child_by_field_name("value")
        name = self.text(node.child_by_field_name("name"))
        if value is not None and name != "default":
            kind: SettingKind = "keyword" if node.type == "keyword_argument" else "parameter"
            self._setting(name, value, node.start_byte, kind)

    def _pair(self, node: Node) -> None:
        key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        if key is not None and key.type == "string" and value is not None:
            self._setting(_string(self.text(key)), value, node.start_byte, "key")

    def _setting(self, name: str, value: Node, offset: int, kind: SettingKind, option: str = "") -> None:
        if name and _is_literal(value):
            text = self.text(value)
            if len(text) <= _LONGEST_LITERAL:
                self.settings.append(NamedValue(spelled(name), text, offset, kind, option))

    def _for(self, node: Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        body = node.child_by_field_name("body")
        end = body.start_byte if body is not None else node.end_byte
        self.loops.append(Named(self.text(left), node.start_byte, end, self._counted_to(right)))

    def _counted_to(self, node: Node) -> str:
        if node.type != "call":
            return ""
        arguments = node.child_by_field_name("arguments")
        given = [one for one in arguments.named_children if one.type != "comment"] if arguments else []
        if self.text(node.child_by_field_name("function")) != "range":
            return self._counted_to(given[0]) if given else ""  # tqdm(range(...))
        return self.text(given[min(1, len(given) - 1)]) if given else ""

    def _class(self, node: Node) -> None:
        bases = node.child_by_field_name("superclasses")
        found = (
            [one for one in bases.named_children if one.type in ("identifier", "attribute")] if bases else []
        )
        names = tuple(self.text(one).rpartition(".")[2] for one in found)
        self.classes.append(self._defined(node)._replace(bases=names))

    def _function(self, node: Node) -> None:
        self.functions.append(self._defined(node))

    def _defined(self, node: Node) -> Named:
        name = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        end = body.start_byte if body is not None else node.end_byte
        return Named(self.text(name), node.start_byte, end, last=node.end_byte)


_HANDLERS: Final[Mapping[str, Callable[[FileCode, Node], None]]] = {
    "comment": FileCode._comment,
    "import_statement": FileCode._import,
    "import_from_statement": FileCode._import_from,
    "call": FileCode._call,
    "assignment": FileCode._assignment,
    "keyword_argument": FileCode._given,
    "default_parameter": FileCode._given,
    "typed_default_parameter": FileCode._given,
    "pair": FileCode._pair,
    "for_statement": FileCode._for,
    "class_definition": FileCode._class,
    "function_definition": FileCode._function,
}


def spelled(name: str) -> str:
    """A name as settings are compared: in lower case, with underscores."""
    return name.replace("-", "_").lower()


def _nodes(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.named_children))


def _is_literal(node: Node) -> bool:
    if node.type in _LITERALS:
        return True
    parts = node.named_children
    return node.type in _OF_LITERALS and bool(parts) and all(_is_literal(part) for part in parts)


def _string(text: str) -> str:
    """What is in a literal of a string without prefixes and escapes."""
    return text.strip("\"'")
