"""What the syntax of a file says beside its uses of torch: imports, names that are given values, calls,
classes, functions and loops, each with its place."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from mindport.catalog.argument_form import is_dotted_name
from mindport.source.syntax import EXTRAS

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.catalog.migration_facts import MigrationFacts
    from mindport.index.definitions import ImportName
    from mindport.uses.analysis import Analysis

_LITERALS: Final = frozenset({"integer", "float", "string", "true", "false", "none"})
_OF_LITERALS: Final = frozenset(
    {"unary_operator", "binary_operator", "tuple", "list", "parenthesized_expression", "dictionary", "pair"}
)
_LONGEST_LITERAL: Final = 120
_LONGEST_SOURCE: Final = 200
_DEFINING: Final = frozenset({"DEFINE_integer", "DEFINE_float", "DEFINE_string", "DEFINE_bool"})
"""The functions of absl that make options: they are given the default value behind the name."""
_OPTIONS: Final = frozenset({"add_argument", "option", "add_option", "Option"}) | _DEFINING
_FLAGS: Final[Mapping[str, str]] = {"store_true": "False", "store_false": "True"}
"""What options are that take no value, where they are not given, by their action."""
_COMPARING_CLASSES: Final = "isinstance"
_SETTING: Final = "setattr"
_PARSING: Final = "parse_args"
_IS_NUMBER: Final = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|True|False|None")
OF_SELF: Final = "self."
_LIBRARIES: Final = frozenset({"torch", "numpy", "math"})
_SCOPES: Final = frozenset({"class_definition", "function_definition"})
_RANGES: Final = ("range", "xrange", "trange", "tqdm.trange")
_NUMBERS: Final = ("int", "float")
"""What makes a literal of another one."""
_BRACKETS: Final = "parenthesized_expression"
_ARITHMETIC: Final = frozenset({"binary_operator", "unary_operator", "conditional_expression"})
_SUMS: Final = frozenset({"+", "-", "*", "/"})
_COMPARING: Final = ("<", ">", "==", "%", " in ")
_REFERENCES: Final = frozenset({"identifier", "attribute", "subscript"})
_FILLING: Final = re.compile(
    r"^(?:fill|zero|copy|random|bernoulli|exponential|log_normal|(?:trunc_)?normal|uniform)_$"
)
"""Methods that give all of a Tensor other values."""
_IN_PLACE: Final = re.compile(r"^[a-z]\w*[a-z0-9]_$")
"""Methods that change a Tensor in place, by how torch names them."""
_DATA: Final = ".data"
_KEY: Final = re.compile(r"""\[\s*(?:"([A-Za-z_][\w.]*)"|'([A-Za-z_][\w.]*)')\s*\]""")
_NOT: Final = "not "
_JOINED: Final = re.compile(r"\b(?:and|or|if|in|is)\b|[<>=!]")
_EXPORTED: Final = "__all__"
_FILE: Final = re.compile(r"://|\.(?:pth|pt|ckpt|tar|gz|zip|bin|pkl|np[yz]|txt|csv|json|ya?ml|png|jpe?g)$")
"""A text that is a place of a file."""
WORD: Final = re.compile(r"[A-Za-z_]\w*")
"""A name in a text."""
_MODULE: Final = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?=\.)")
"""What may be the name of a module before an attribute of it."""
_WORD: Final = re.compile(rb"(?P<defining>\b(?:def|class)\s+)?(?P<name>[A-Za-z_]\w*)")
_CHOSEN: Final = re.compile(
    r"""(?:getattr\()?(?P<module>[\w.]+?)(?:\.__dict__\[(?:[^()]|\([^()]*\))*\]|(?<=\w),(?:[^()]|\([^()]*\))*\))$"""
    r"""|eval\(["'](?P<named>\w+)\.["']\+"""
)
"""A function or class that is chosen by its name from a module."""
_EMPTY: Final = frozenset({"list", "dictionary", "tuple", "set"})
_GROUPING: Final = frozenset({"parenthesized_expression", "list", "tuple", "expression_list"})
_VALUES: Final = frozenset({"expression_list", "tuple"})
"""What gives several values."""

_CONDITIONAL: Final = frozenset({"if_statement", "elif_clause", "else_clause"})
_LOOPS: Final = frozenset({"for_statement", "while_statement", "function_definition", "module"})
"""What a `continue` is in, or may not be."""

_OPENING: Final = ("list_splat_pattern", "keyword_separator")
"""What all parameters of a function behind are given by name."""
_BINDING: Final = frozenset(
    {
        "parameters",
        "lambda_parameters",
        "typed_parameter",
        "dotted_name",
        "global_statement",
        "nonlocal_statement",
        "pattern_list",
    }
)
"""What a name that stands in it is bound or declared by."""
_OF_TEXTS: Final = frozenset(
    {
        "join",
        "format",
        "print",
        "makedirs",
        "mkdir",
        "exists",
        "info",
        "Path",
        "SummaryWriter",
        "open",
        "isdir",
        "getLogger",
        "FileHandler",
        "basicConfig",
    }
)
"""The functions that put texts together, show them, or take them as paths."""
_KEEPING: Final = "save"
"""How the names of functions begin that keep something, and take its name for that."""
_MOST_AROUND: Final = 5
"""As many nodes around a text are looked at for the call it stands in."""

ValueKind = Literal["option", "assigned", "keyword", "parameter", "key"]
"""How a name gets its value: as an option of the command line, by an assignment, as an argument of a call, as
the default value of a parameter, in a dictionary."""


_PLAIN: Final = ("assigned", "parameter")
"""How names of the code itself get their values."""


ALL: Final = "*"
"""The name that a star import binds."""


class Surroundings(NamedTuple):
    """Where code stands: the `name` of the function or class with those around it, with dots, and the names
    of the classes around it, the innermost last. Empty at the top level."""

    name: str = ""
    classes: tuple[str, ...] = ()

    def dotted(self, name: str) -> str:
        """The name of a function or class that stands here, with those around it."""
        return f"{self.name}.{name}".lstrip(".")


class NamedValue(NamedTuple):
    """A name that is given a value: `name` in lower case with underscores, `value` as written, empty where it
    is no literal, at the byte `offset`; `source` is what is written there then. `option` is the option of the
    command line that it is, `owner` what the name is an attribute of (`self`), `callee` the function it is an
    argument of, if there are such; it `is_entry` of a dictionary that has a name; an option `is_flag` if it
    takes no value. A plain name that has capital letters is `exact` as written."""

    name: str
    value: str
    offset: int
    kind: ValueKind
    scope: Surroundings
    option: str = ""
    owner: str = ""
    callee: str = ""
    source: str = ""
    is_entry: bool = False
    is_flag: bool = False
    exact: str = ""


class Named(NamedTuple):
    """A call, class, function, loop, assignment, condition or `return`: its dotted name, and the bytes it
    covers (of what has a body, before that). `written` is a call's function, or what is assigned to, as
    written; `arguments` the names (if they have) and values that a call is given, or a function has without
    `self`; `counted` is what a loop counts to, `over` what it goes over; `last` is the end of the body,
    `bases` are the last names of a class's bases, `uses` their dotted names. `terms` are the names that an
    expression adds up or multiplies, `adds` the functions whose results it does that with, `uses` all that
    it names, `made` the function whose call it is; it `is_computed` where it has an operator, `is_compared`
    where it compares numbers, `is_augmented` where it is `+=` or the like. Where several names are assigned
    what one expression gives, `position` says which of its values is meant (else it is negative); the
    `elements` of a `return` are its values, each like an assignment without a name. A function has what
    else it is given by name as `others`, and as `position` how many parameters it may be given without
    names, where there are others."""

    name: str
    start: int
    end: int
    scope: Surroundings = Surroundings()
    written: str = ""
    arguments: tuple[tuple[str, str], ...] = ()
    counted: str = ""
    last: int = 0
    bases: tuple[str, ...] = ()
    over: str = ""
    terms: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    is_computed: bool = False
    is_compared: bool = False
    is_augmented: bool = False
    made: str = ""
    adds: tuple[str, ...] = ()
    position: int = -1
    elements: tuple[Named, ...] = ()
    others: str = ""


def by_scope(found: Iterable[Named]) -> dict[str, list[Named]]:
    """What was found, by the names of the scopes that it is in."""
    scopes: dict[str, list[Named]] = {}
    for one in found:
        scopes.setdefault(one.scope.name, []).append(one)
    return scopes


class Branch(NamedTuple):
    """The suite of an `if`, `elif` or `else`, from byte to byte: it runs where the `condition` holds, which
    names `uses`. Of those of one `if`, which begins `at` a byte, one runs."""

    start: int
    end: int
    scope: Surroundings
    condition: str
    uses: tuple[str, ...]
    at: int = 0


class Pairs(NamedTuple):
    """What a dictionary that has the `name` has in it, where that is seen; `is_all`: nothing else, always."""

    name: str
    scope: Surroundings
    pairs: tuple[tuple[str, str], ...]
    is_all: bool


class FileCode:
    """Reads a document's syntax once. `values`, `calls`, `classes`, `functions`, `loops`, `computed` (the
    assignments of what is no literal, and of entries), `whiles` (that compare), `conditions`, `branches`,
    `choices` (values of dictionaries of which one is taken at once), `skipped` (where a loop goes on, or
    ends, on a condition that is written `over` it), `lambdas`, `returns`, `yields`, `keys` (of dictionaries,
    each with the place of the whole), `dictionaries`,
    `strings` and `blocks` (of `with`, by what they enter) are in source order, `raised` the places of what
    raises something. `read` are plain names that are read, and `read_inside` attributes and words that may
    be keys, as settings are compared, `attributes` the former as written, each with its place.
    `names` are what imports bind. Calls have
    the names that imports give them (`np.random.seed` is `numpy.random.seed`; what is chosen by its name,
    as in `getattr(m, name)()` and `m.__dict__[name]()`, is `m.*`); where a star import may give names,
    the usual short names of libraries too."""

    def __init__(self, analysis: Analysis, facts: MigrationFacts) -> None:
        self._facts = facts
        self.values: list[NamedValue] = []
        self.calls: list[Named] = []
        self.classes: list[Named] = []
        self.functions: list[Named] = []
        self.loops: list[Named] = []
        self.computed: list[Named] = []
        self.returns: list[Named] = []
        self.yields: list[Named] = []
        self.conditions: list[Named] = []
        self.branches: list[Branch] = []
        self.choices: list[Branch] = []
        self.skipped: list[Named] = []
        self.lambdas: list[Named] = []
        self.whiles: list[Named] = []
        self.keys: list[Named] = []
        self.dictionaries: list[Pairs] = []
        self.names = tuple(_bound_names(analysis))
        self.strings: list[str] = []
        self.read: list[tuple[str, int]] = []
        self.read_inside: list[tuple[str, int]] = []
        self.attributes: list[tuple[str, int]] = []
        self.blocks: list[Named] = []
        self.raised: list[tuple[int, int]] = []
        self._comments: list[tuple[int, int]] = []
        self._imports: list[tuple[int, int]] = []
        self._texts: list[tuple[int, int]] = []
        self._messages: list[tuple[int, int]] = []
        self._set_defaults: dict[str, Node] = {}
        self._option_lists: dict[str, Node] = {}
        self._parsed: list[tuple[str, str]] = []
        self._counting: dict[tuple[str, str], str] = {}
        self._imported = dict(facts.aliases) if any(block.stars for block in analysis.lowered) else {}
        self._imported |= {
            one.bound: imported for block in analysis.lowered for one, imported in _imported(block.imports)
        }
        self._document = analysis.document
        self._scope = Surroundings()
        self._walk(self._document.tree.root_node)
        self.values = self._with_defaults()
        self.calls = list(self._with_own_names())

    def _with_defaults(self) -> list[NamedValue]:
        """The values with the options as the parser has them: what `set_defaults` says, else the first
        default of several options that are kept under one name."""
        first: dict[str, NamedValue] = {}
        found = []
        written = self._given_options()
        for one in self.values:
            if one.kind == "option":
                known = first.setdefault(one.name, one)
                given = self._set_defaults.get(one.name)
                if one.option in written:
                    value, offset = written[one.option]
                    one = one._replace(value=value, offset=offset)
                elif given is not None:
                    one = one._replace(value=self._line(given), offset=one.offset)
                elif known.is_flag and one.is_flag:
                    one = one._replace(value=known.value)
            found.append(one)
        return found

    def _given_options(self) -> dict[str, tuple[str, int]]:
        """The options that the file itself gives the parser a list of, each with its value and place."""
        found: dict[str, tuple[str, int]] = {}
        for scope, argument in self._parsed:
            named = {argument}
            for call in self.calls:
                if last_part(scope) == call.written:
                    named.update(value for _, value in call.arguments)
            for name in named & self._option_lists.keys():
                found.update(_options_in(self._option_lists[name], self.text))
        return found

    def _with_own_names(self) -> Iterator[Named]:
        """The calls, with the names of what imports bind only where the function around them has none of its
        own."""
        own = {(one.scope.dotted(one.name), name) for one in self.functions for name, _ in one.arguments}
        own |= {(one.scope.name, one.written) for one in self.computed if one.scope.name}
        own = {(scope, name) for scope, name in own if name in self._imported}
        for call in self.calls:
            first = call.written.partition(".")[0]
            is_own = bool(own) and first != call.written and (call.scope.name, first) in own
            yield call._replace(name=call.written) if is_own and is_dotted_name(call.written) else call

    def _walk(self, root: Node) -> None:
        waiting = [(root, Surroundings())]
        while waiting:
            node, self._scope = waiting.pop()
            handle = _HANDLERS.get(node.type)
            if handle is not None:
                handle(self, node)
            inside = self._within(node) if node.type in _SCOPES else self._scope
            waiting.extend([(child, inside) for child in reversed(node.named_children)])

    def _within(self, node: Node) -> Surroundings:
        name = self.text(node.child_by_field_name("name"))
        classes = (*self._scope.classes, name) if node.type == "class_definition" else self._scope.classes
        return Surroundings(self._scope.dotted(name), classes)

    def text(self, node: Node | None) -> str:
        """The source of a node."""
        return "" if node is None else self._document.text(node.start_byte, node.end_byte)

    def source(self, start: int, end: int) -> str:
        """The source between two bytes, with its comments."""
        return self._document.text(start, end)

    def without_comments(self, start: int, end: int) -> str:
        """The source between two bytes."""
        parts, at = [], start
        for first, last in self._comments:
            if at <= first < end:
                parts.append(self._document.text(at, first))
                at = last
        return "".join([*parts, self._document.text(at, max(at, end))])

    def words(self, *, is_package: bool) -> Iterator[tuple[str, int]]:
        """The names in the source and where they are, but for those in comments, in texts that are no part of
        an expression or have spaces, where functions and classes are defined, and in imports, but of what is
        a package: it gives others what it imports."""
        texts = [*self._texts, *self._messages]
        left_out = sorted([*self._comments, *texts, *([] if is_package else self._imports)])
        at = 0
        for found in _WORD.finditer(self._document.data):
            while at < len(left_out) and left_out[at][1] <= found.start():
                at += 1
            is_out = at < len(left_out) and left_out[at][0] <= found.start()
            if not is_out and not found["defining"]:
                yield found["name"].decode(), found.start()

    def _comment(self, node: Node) -> None:
        self._comments.append((node.start_byte, node.end_byte))

    def _import(self, node: Node) -> None:
        self._imports.append((node.start_byte, node.end_byte))

    def _statement(self, node: Node) -> None:
        if len(node.named_children) == 1 and node.named_children[0].type == "string":
            self._texts.append((node.start_byte, node.end_byte))

    def _text(self, node: Node) -> None:
        text = _string(self.text(node))
        self.strings.append(text)
        is_of_file = any(map(str.isspace, text)) or _FILE.search(text) is not None
        if self._is_key_of_text(node):
            is_of_file = True
        if is_of_file and all(one.type != "interpolation" for one in node.named_children):
            self._messages.append((node.start_byte, node.end_byte))
        last = text.rpartition(".")[2]
        if last.replace("-", "_").isidentifier() and not self._is_option_or_key(node):
            self.read_inside.append((spelled(last), node.start_byte))

    def _is_key_of_text(self, node: Node) -> bool:
        """Whether a text is a key that a dictionary has another text under, such as where weights are."""
        pair = node.parent
        value = pair.child_by_field_name("value") if pair is not None and pair.type == "pair" else None
        return value is not None and value.type == "string" and value.start_byte != node.start_byte

    def _is_option_or_key(self, node: Node) -> bool:
        """Whether a text stands in the call that makes an option, or is what something is kept under."""
        parent = node.parent
        if parent is not None and parent.type == "subscript" and _is_target(parent):
            return True
        if parent is not None and parent.type == "pair" and _is_field(parent, "key", node):
            return True
        for _ in range(_MOST_AROUND):
            if parent is None:
                return False
            if parent.type == "call":
                function = self.text(parent.child_by_field_name("function")).rpartition(".")[2]
                return function in _OPTIONS
            parent = parent.parent
        return False

    def _identifier(self, node: Node) -> None:
        parent = node.parent
        if parent is None or parent.type in _BINDING or _is_target(node):
            return
        if parent.type == "attribute" and _is_field(parent, "attribute", node):
            if not _is_target(parent) and not _is_called(parent):
                self.read_inside.append((spelled(self.text(node)), node.start_byte))
                self.attributes.append((self.text(parent), node.start_byte))
        elif not any(_is_field(parent, field, node) for field in ("name", "alias")):
            self.read.append((spelled(self.text(node)), node.start_byte))

    def is_in_text(self, offset: int) -> bool:
        """Whether what is read at a byte is only put into a text, a path or a message."""
        node = self._document.tree.root_node.descendant_for_byte_range(offset, offset + 1)
        for _ in range(_MOST_AROUND + 2):
            node = node.parent if node is not None else None
            if node is None or node.type.endswith("_statement"):
                return False
            if node.type == "interpolation":
                return True
            if node.type == "binary_operator" and any(one.type == "string" for one in node.named_children):
                return True
            if node.type == "call":
                function = self.text(node.child_by_field_name("function")).rpartition(".")[2]
                return function in _OF_TEXTS or function.startswith(_KEEPING)
        return False

    def _with(self, node: Node) -> None:
        body = node.child_by_field_name("body")
        if body is not None:
            head = self._document.text(node.start_byte, body.start_byte)
            self.blocks.append(Named(head, node.start_byte, body.start_byte, self._scope, last=node.end_byte))
            for item in [one for part in node.named_children for one in part.named_children]:
                self._entered(item.child_by_field_name("value"))

    def _entered(self, node: Node | None) -> None:
        """A block of `with` gives what it enters a name."""
        alias = node.child_by_field_name("alias") if node is not None else None
        if node is not None and alias is not None and alias.named_children[:1]:
            name = alias.named_children[0]
            if name.type == "identifier":
                self._value(self._last(name), node.named_children[0], name.start_byte, "assigned")

    def full_name(self, dotted: str) -> str:
        """A dotted name with what its first part was imported as."""
        first, dot, rest = dotted.partition(".")
        return f"{self._imported.get(first, first)}{dot}{rest}"

    def with_full_names(self, source: str) -> str:
        """An expression with what modules in it were imported as."""
        return _MODULE.sub(lambda found: self._imported.get(found[0], found[0]), source)

    def _call(self, node: Node) -> None:
        written = "".join(self.text(node.child_by_field_name("function")).split())
        chosen = _CHOSEN.match(written)
        if chosen is not None:
            dotted = f"{chosen['module'] or chosen['named']}.{ALL}"
        else:
            dotted = written if is_dotted_name(written) else written.rpartition(".")[2]
        arguments = node.child_by_field_name("arguments")
        if written == _COMPARING_CLASSES and arguments is not None and len(arguments.named_children) > 1:
            classes = arguments.named_children[1]
            self._texts.append((classes.start_byte, classes.end_byte))
        found = Named(
            self.full_name(dotted),
            node.start_byte,
            node.end_byte,
            self._scope,
            written,
            self._arguments(arguments) if arguments is not None else (),
        )
        function = dotted.rpartition(".")[2]
        if _IN_PLACE.match(function) and function not in self._facts.keeping_values:
            self._changed_in_place(node, is_filled=_FILLING.match(function) is not None)
        self.calls.append(found if is_dotted_name(written) else self._with_terms(found, self._scaled(node)))
        if arguments is None:
            return
        if function == "dict":
            self.keys += [found._replace(name=name) for name, _ in found.arguments if name]
        if function == "update" and is_dotted_name(written):
            self._dictionary(node.child_by_field_name("function"), arguments, is_all=False)
        if function in self._facts.registering and found.written.startswith(OF_SELF):
            self._registered(arguments)
        if written == _SETTING:
            self._set_attribute(arguments)
        if function in _OPTIONS:
            self._option(function, arguments)
        if function == _PARSING and found.arguments:
            self._parsed.append((self._scope.name, found.arguments[0][1]))
            self._keep_options(found.arguments[0][1], arguments.named_children[0])
        if function == "set_defaults":
            for argument in arguments.named_children:
                name, value = argument.child_by_field_name("name"), argument.child_by_field_name("value")
                if name is not None and value is not None:
                    self._set_defaults[spelled(self.text(name))] = value
        for argument in arguments.named_children:
            if argument.type == "keyword_argument":
                name, value = argument.child_by_field_name("name"), argument.child_by_field_name("value")
                if value is not None and function not in _OPTIONS:
                    self._value(self.text(name), value, argument.start_byte, "keyword", callee=function)

    def _keep_options(self, name: str, value: Node) -> None:
        """A list is written out that has options in it, as the command line would."""
        if value.type == "list" and any(self.text(one)[1:3] == "--" for one in value.named_children):
            self._option_lists[name] = value

    def _registered(self, arguments: Node) -> None:
        """An object keeps something under a name that is written out, as `self.name = …` would."""
        given = [one for one in arguments.named_children if one.type not in (*EXTRAS, "keyword_argument")]
        if len(given) > 1 and given[0].type == "string":
            name, owner = _string(self.text(given[0])), OF_SELF.rstrip(".")
            self._value(name, given[1], arguments.start_byte, "assigned", owner=owner)

    def _set_attribute(self, arguments: Node) -> None:
        """An object is given an attribute of a name that is written out, as `opt.name = …` would."""
        given = [one for one in arguments.named_children if one.type not in EXTRAS]
        if len(given) == 3 and given[1].type == "string" and is_dotted_name(self.text(given[0])):
            name, owner = _string(self.text(given[1])), self.text(given[0])
            if name.isidentifier():
                self._value(name, given[2], arguments.start_byte, "assigned", owner=owner)

    def _receiver(self, call: Node) -> Node | None:
        """What the method of a call is called on."""
        function = call.child_by_field_name("function")
        return None if function is None else function.child_by_field_name("object")

    def _scaled(self, call: Node) -> Node | None:
        """What the method of a call is called on, or is made of: `loss` in `scaler.scale(loss).f()`."""
        receiver = self._receiver(call)
        if receiver is None or receiver.type != "call" or self._receiver(receiver) is None:
            return receiver
        arguments = receiver.child_by_field_name("arguments")
        given = arguments.named_children if arguments is not None else []
        return given[0] if len(given) == 1 and not _is_literal(given[0]) else receiver

    def _with_terms(self, found: Named, value: Node | None) -> Named:
        """The same with what an expression is made of."""
        if value is None:
            return found
        uses = tuple(dict.fromkeys(self._names_in(value)))
        terms, adds = self._terms(value)
        return found._replace(
            terms=tuple(terms), adds=tuple(adds), uses=uses, is_computed=_has_operator(value)
        )

    def _terms(self, node: Node) -> tuple[list[str], list[str]]:
        """The names that an expression adds up or multiplies, also averaged (`loss.mean()`), and the
        functions whose results it does that with."""
        terms: list[str] = []
        adds: list[str] = []
        waiting = [node]
        while waiting:
            one = waiting.pop()
            if one.type in ("identifier", "attribute"):
                terms.append(self.text(one))
            elif one.type == "call":
                receiver = self._receiver(one)
                function = self.text(one.child_by_field_name("function")).rpartition(".")[2]
                is_reduced = receiver is not None and function in self._facts.going_on
                waiting += [receiver] if receiver is not None and is_reduced else []
                arguments = one.child_by_field_name("arguments")
                if function in self._facts.combining and arguments is not None:
                    waiting += [each for each in arguments.named_children if each.type != "keyword_argument"]
                elif not is_reduced:
                    adds.append(self._called(one))
            elif one.type == "binary_operator":
                sign = self.text(one.child_by_field_name("operator"))
                parts = one.named_children if sign in _SUMS else []
                waiting += parts[:1] if sign == "/" else reversed(parts)
            elif one.type in _ARITHMETIC or one.type in _GROUPING:
                waiting += reversed(one.named_children)
        return terms, adds

    def _names_in(self, node: Node) -> Iterator[str]:
        """The dotted names in an expression, but for those that are called, and of parameters; entries of
        dictionaries have the names that are their keys."""
        waiting = [node]
        while waiting:
            one = waiting.pop()
            if one.type in _REFERENCES and is_dotted_name(dotted_keys(self.text(one))):
                yield self.text(one)
                continue
            parts = one.named_children
            if one.type == "keyword_argument":
                parts = parts[1:]
            elif one.type == "call" and parts:
                receiver = self._receiver(one)
                is_owner = receiver is not None and not self._is_library(receiver)
                parts = [*([receiver] if receiver is not None and is_owner else []), *parts[1:]]
            waiting += reversed(parts)

    def _is_library(self, node: Node) -> bool:
        """Whether a name is bound to a module of a library whose functions compute."""
        if node.type not in ("identifier", "attribute"):
            return False
        first = self.text(node).partition(".")[0]
        return self._imported.get(first, "").partition(".")[0] in _LIBRARIES

    def _arguments(self, arguments: Node) -> tuple[tuple[str, str], ...]:
        found = []
        for one in arguments.named_children:
            if one.type == "keyword_argument":
                name, value = one.child_by_field_name("name"), one.child_by_field_name("value")
                found.append((self.text(name), self.text(value)))
            elif one.type not in EXTRAS:
                found.append(("", self.text(one)))
        return tuple(found)

    def _option(self, function: str, arguments: Node) -> None:
        positional = [
            one for one in arguments.named_children if one.type not in (*EXTRAS, "keyword_argument")
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
        given = named.get("dest")
        name = _string(self.text(given)) if given is not None else option.lstrip("-")
        name = name.rpartition(".")[2]  # `--train.lr` is one of the options of `train`
        if name and default is not None:
            self._value(name, default, arguments.start_byte, "option", option=option)
        elif name:
            value = _FLAGS.get(_string(self.text(named.get("action"))), "")
            found = NamedValue(spelled(name), value, arguments.start_byte, "option", self._scope, option)
            self.values.append(found._replace(is_flag=bool(value)))

    def _assignment(self, node: Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        while right is not None and right.type == "assignment":  # a = b = c
            right = right.child_by_field_name("right")
        if left is None or right is None:
            return
        if self.text(left) == _EXPORTED:
            self._texts.append((node.start_byte, node.end_byte))
        if left.type == "pattern_list" and right.type in _VALUES:
            values = [one for one in right.named_children if one.type not in EXTRAS]
            for name, value in zip(left.named_children, values, strict=False):
                self._assigned(name, value, node)
        elif left.type == "pattern_list":
            is_open = any(one.type == "list_splat_pattern" for one in left.named_children)
            is_named = right.type in ("identifier", "attribute") and not is_open
            given = self.text(right) if is_named else ""
            if right.type == "call" and not is_open and is_dotted_name(self._called(right)):
                given = f"{self._called(right)}()"
            for position, name in enumerate(left.named_children):
                self._rebound(name, f"{given}[{position}]" if given else "")
                self._computes(name, right, node)
                self.computed[-1] = self.computed[-1]._replace(position=position)
        else:
            self._assigned(left, right, node)

    def _assigned(self, name: Node, value: Node, statement: Node) -> None:
        known = {"owner": self._owner(name), "is_entry": name.type == "subscript"}
        if name.type == "subscript" and not self._last(name):
            self._entries_changed(name)
        self._value(self._last(name), value, name.start_byte, "assigned", **known)  # type: ignore[arg-type]
        if name.type == "subscript" or not (_is_literal(value) or _is_empty(value)):
            self._computes(name, value, statement)
        self._dictionary(name, value)
        self._keep_options(self.text(name), value)
        self._counting[self._scope.name, self.text(name)] = self._counted_to(value)

    def _computes(self, name: Node, value: Node, statement: Node) -> None:
        """A name is assigned what is computed."""
        written = "".join(self.text(name).split())
        place = (statement.start_byte, statement.end_byte)
        found = Named(spelled(self._last(name)), *place, self._scope, written, made=self._called(value))
        compares = value.type == "comparison_operator"
        self.computed.append(self._with_terms(found, value)._replace(is_compared=compares))

    def _called(self, value: Node) -> str:
        """The function that an expression is a call of."""
        function = value.child_by_field_name("function") if value.type == "call" else None
        return "".join(self.text(function).split())

    def _augmented(self, node: Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        self._rebound(left)
        if left is not None and right is not None:
            self._computes(left, right, node)
            is_sum = self.text(node.child_by_field_name("operator")) in ("+=", "-=", "*=")
            terms = self.computed[-1].terms if is_sum else ()
            self.computed[-1] = self.computed[-1]._replace(is_computed=True, is_augmented=True, terms=terms)

    def _dictionary(self, name: Node | None, value: Node, *, is_all: bool = True) -> None:
        """A name is a dictionary, or one of two, or has one more in it."""
        written = self.text(name).removesuffix(".update")
        if value.type == "conditional_expression":
            for part in (value.named_children[0], value.named_children[2]):
                self._dictionary(name, part, is_all=False)
        elif value.type == "argument_list":
            given = [(key, one) for key, one in self._arguments(value) if key]
            if given:
                self.dictionaries.append(Pairs(written, self._scope, tuple(given), is_all))
            for part in value.named_children:
                self._dictionary(name, part, is_all=False)
        elif value.type == "call" and self.text(value.child_by_field_name("function")) == "dict":
            given = list(self._arguments(value.named_children[-1]))
            sure = is_all and all(key for key, _ in given)
            found = tuple((key, one) for key, one in given if key)
            self.dictionaries.append(Pairs(written, self._scope, found, sure))
        elif value.type == "dictionary":
            pairs = [one for one in value.named_children if one.type == "pair"]
            keys = [(one.child_by_field_name("key"), one.child_by_field_name("value")) for one in pairs]
            found = tuple((_string(self.text(key)), self.text(one)) for key, one in keys)
            self.dictionaries.append(Pairs(written, self._scope, found, is_all))

    def _condition(self, node: Node) -> None:
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
        if condition is not None and body is not None:
            found = Named("if", condition.start_byte, condition.end_byte, self._scope, last=body.end_byte)
            compares = any(sign in self.text(condition) for sign in _COMPARING)
            told = self._with_terms(found, condition)._replace(is_compared=compares)
            self.conditions.append(told)
            span = (body.start_byte, body.end_byte)
            whole = node.parent if node.type == "elif_clause" and node.parent is not None else node
            line = self._line(condition)
            self.branches.append(Branch(*span, self._scope, line, told.uses, whole.start_byte))
            if node.type == "if_statement":
                self._else(node, condition)

    def _else(self, node: Node, first: Node) -> None:
        """The suite that runs where no condition of an `if` holds."""
        last = node.named_children[-1]
        body = last.child_by_field_name("body") if last.type == "else_clause" else None
        if body is not None:
            others = [one.child_by_field_name("condition") for one in node.named_children]
            failed = [first, *[one for one in others if one is not None]]
            condition = " and ".join([_not(self._line(one)) for one in failed])
            uses = tuple(dict.fromkeys([name for one in failed for name in self._names_in(one)]))
            span = (body.start_byte, body.end_byte)
            self.branches.append(Branch(*span, self._scope, condition, uses, node.start_byte))

    def _continue(self, node: Node) -> None:
        """A loop goes on with the next, or ends, on the nearest condition."""
        around = node.parent
        while around is not None and around.type not in _CONDITIONAL:
            if around.type in _LOOPS:
                return
            around = around.parent
        if around is not None and around.type == "else_clause":
            around = around.parent
        condition = around.child_by_field_name("condition") if around is not None else None
        if condition is not None:
            name = node.type.partition("_")[0]
            found = Named(name, node.start_byte, node.end_byte, self._scope, over=self._line(condition))
            self.skipped.append(self._with_terms(found, condition))

    def _lambda(self, node: Node) -> None:
        body = node.child_by_field_name("body")
        found = Named("lambda", node.start_byte, node.end_byte, self._scope)
        self.lambdas.append(self._with_terms(found, body))

    def _line(self, node: Node) -> str:
        """The source of a node in one line."""
        return " ".join(self.text(node).replace("\\\n", " ").split())

    def _while(self, node: Node) -> None:
        condition = node.child_by_field_name("condition")
        is_joined = condition is not None and condition.type == "boolean_operator"
        is_endless = self.text(condition) in ("True", "1")
        if condition is not None and (condition.type == "comparison_operator" or is_joined or is_endless):
            found = Named("while", node.start_byte, condition.end_byte, self._scope, last=node.end_byte)
            compares = condition.type == "comparison_operator"
            self.whiles.append(self._with_terms(found, condition)._replace(is_compared=compares))

    def _return(self, node: Node) -> None:
        if node.named_children:
            found = Named("return", node.start_byte, node.end_byte, self._scope)
            value = node.named_children[0]
            parts = value.named_children if value.type in _VALUES else [value]
            named = [("return", one) for one in parts if one.type not in EXTRAS]
            if value.type == "dictionary":
                pairs = [one for one in value.named_children if one.type == "pair"]
                keys = [(one.child_by_field_name("key"), one.child_by_field_name("value")) for one in pairs]
                named = [(_string(self.text(key)), one) for key, one in keys if one is not None]
            elements = [
                self._with_terms(
                    Named(name, one.start_byte, one.end_byte, self._scope, made=self._called(one)), one
                )
                for name, one in named
            ]
            self.returns.append(self._with_terms(found, value)._replace(elements=tuple(elements)))

    def _yield(self, node: Node) -> None:
        """What a generator gives."""
        if node.named_children:
            found = Named("yield", node.start_byte, node.end_byte, self._scope)
            self.yields.append(self._with_terms(found, node.named_children[0]))

    def _raise(self, node: Node) -> None:
        self.raised.append((node.start_byte, node.end_byte))

    def _rebound(self, node: Node | None, source: str = "") -> None:
        """A name gets a value that is no literal."""
        if node is not None and self._last(node):
            name, owner = self._last(node), self._owner(node)
            place = (spelled(name), "", node.start_byte, "assigned", self._scope)
            exact = "" if owner else _exact(name)
            found = NamedValue(*place, owner=owner, source=source, exact=exact)  # type: ignore[arg-type]
            self.values.append(found)

    def _entries_changed(self, target: Node) -> None:
        """Some of what a name is, chosen by no key that is written out, is given another value."""
        changed = target.child_by_field_name("value")
        if changed is not None and changed.type == "identifier":
            self._rebound(changed)

    def _changed_in_place(self, call: Node, *, is_filled: bool) -> None:
        """A method of a name changes what the name is: to what the call says, if all of it is filled."""
        receiver = self._receiver(call)
        if self.text(receiver).endswith(_DATA) and receiver is not None:
            receiver = receiver.child_by_field_name("object")
        if receiver is None or receiver.type != "identifier" or self.text(receiver) in self._imported:
            return
        before = len(self.values)
        if is_filled:
            self._value(self.text(receiver), call, call.start_byte, "assigned")
        else:
            self._rebound(receiver)
        self.values[before:] = [one._replace(value="") for one in self.values[before:]]

    def _last(self, node: Node) -> str:
        if node.type == "identifier":
            return self.text(node)
        if node.type == "attribute":
            return self.text(node.child_by_field_name("attribute"))
        if node.type == "subscript":
            key = node.child_by_field_name("subscript")
            return _string(self.text(key)) if key is not None and key.type == "string" else ""
        return ""

    def _owner(self, node: Node) -> str:
        if node.type == "attribute":
            return self.text(node.child_by_field_name("object"))
        return self.text(node.child_by_field_name("value")) if node.type == "subscript" else ""

    def _parameter(self, node: Node) -> None:
        value = node.child_by_field_name("value")
        name = self.text(node.child_by_field_name("name"))
        if value is not None:
            self._value(name, value, node.start_byte, "parameter")

    def _parameters(self, node: Node) -> None:
        """Parameters without a default value; the scope is that around the function."""
        for one in node.named_children:
            if one.type == "typed_parameter":
                one = one.named_children[0]
            if one.type == "identifier":
                name = self.text(one)
                place = (spelled(name), "", one.start_byte, "parameter", self._scope)
                self.values.append(NamedValue(*place, exact=_exact(name)))  # type: ignore[arg-type]

    def _pair(self, node: Node) -> None:
        key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        if key is not None and key.type == "string" and value is not None:
            name = _string(self.text(key))
            self._value(name, value, node.start_byte, "key", owner=self._name_of(node.parent))
            whole = node.parent
            if whole is not None:
                self.keys.append(Named(name, whole.start_byte, whole.end_byte, self._scope))

    def _choice(self, node: Node) -> None:
        """A dictionary that is written out, of which one value is taken: each is for its key."""
        table, key = node.child_by_field_name("value"), node.child_by_field_name("subscript")
        if table is None or key is None or table.type != "dictionary" or _is_literal(key):
            return
        uses = tuple(dict.fromkeys(self._names_in(key)))
        for pair in [one for one in table.named_children if one.type == "pair"]:
            name, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if name is not None and value is not None:
                condition = f"{self._line(key)} == {self._line(name)}"
                span = (value.start_byte, value.end_byte)
                self.choices.append(Branch(*span, self._scope, condition, uses, node.start_byte))

    def _one_of_two(self, node: Node) -> None:
        """An expression that is one of two, as a condition holds."""
        if len(node.named_children) != 3:
            return
        value, key, other = node.named_children
        uses, condition = tuple(dict.fromkeys(self._names_in(key))), self.text(key)
        while condition.startswith("(") and condition.endswith(")") and key.type == _BRACKETS:
            key = key.named_children[0]
            condition = self.text(key)
        for each, asked in ((value, condition), (other, f"not ({condition})")):
            span = (each.start_byte, each.end_byte)
            self.choices.append(Branch(*span, self._scope, asked, uses, node.start_byte))

    def _name_of(self, value: Node | None) -> str:
        """The name that is assigned a value, or what is called with that alone."""
        statement = value.parent if value is not None else None
        if statement is not None and statement.type == "argument_list" and len(statement.named_children) == 1:
            call = statement.parent
            statement = call.parent if call is not None else None
        if statement is None or statement.type != "assignment":
            return ""
        name = statement.child_by_field_name("left")
        return self.text(name) if name is not None and name.type == "identifier" else ""

    def _value(
        self,
        name: str,
        value: Node,
        offset: int,
        kind: ValueKind,
        *,
        option: str = "",
        owner: str = "",
        callee: str = "",
        is_entry: bool = False,
    ) -> None:
        written = self.text(value)
        literal = self._line(value)
        text = literal if _is_literal(value) and len(literal) <= _LONGEST_LITERAL else ""
        source = "" if text or len(written) > _LONGEST_SOURCE else literal
        if name:
            self.values.append(
                NamedValue(
                    spelled(name),
                    text,
                    offset,
                    kind,
                    self._scope,
                    option,
                    owner,
                    callee,
                    source,
                    is_entry,
                    exact=_exact(name) if kind in _PLAIN and not owner else "",
                )
            )

    def _for(self, node: Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        for name in left.named_children or [left]:
            self._rebound(name)
        body = node.child_by_field_name("body")
        end = body.start_byte if body is not None else node.end_byte
        counted = self._counted_to(right) or self._counting.get((self._scope.name, self.text(right)), "")
        found = Named(self.text(left), node.start_byte, end, self._scope, counted=counted)
        self.loops.append(found._replace(last=node.end_byte, over=self.text(right)))

    def _counted_to(self, node: Node) -> str:
        if node.type != "call":
            return ""
        arguments = node.child_by_field_name("arguments")
        inside = arguments.named_children if arguments else []
        given = [one for one in inside if one.type not in (*EXTRAS, "keyword_argument")]
        if self.text(node.child_by_field_name("function")) not in _RANGES:
            return self._counted_to(given[0]) if given else ""  # tqdm(range(...))
        return self.text(given[min(1, len(given) - 1)]) if given else ""

    def _class(self, node: Node) -> None:
        bases = node.child_by_field_name("superclasses")
        found = (
            [one for one in bases.named_children if one.type in ("identifier", "attribute")] if bases else []
        )
        names = tuple(self.text(one).rpartition(".")[2] for one in found)
        full = tuple(self.full_name(self.text(one)) for one in found)
        self.classes.append(self._defined(node)._replace(bases=names, uses=full))

    def _function(self, node: Node) -> None:
        parameters = node.child_by_field_name("parameters")
        found = self._parameters_of(parameters) if parameters is not None else ()
        given = parameters.named_children if parameters is not None else []
        others = [self.text(one).lstrip("*") for one in given if one.type == "dictionary_splat_pattern"]
        stars = [at for at, one in enumerate(given) if one.type in _OPENING]
        own = [one for one in given[: min(stars)] if self.text(one) not in ("self", "cls")] if stars else []
        position = len([one for one in own if one.type != "positional_separator"]) if stars else -1
        defined = self._defined(node)._replace(arguments=found, others="".join(others), position=position)
        self.functions.append(defined)

    def _parameters_of(self, parameters: Node) -> tuple[tuple[str, str], ...]:
        """The names and default values of parameters, but for `self`."""
        found = []
        for one in parameters.named_children:
            name = one.child_by_field_name("name")
            if name is None and one.type in ("identifier", "typed_parameter"):
                name = one if one.type == "identifier" else one.named_children[0]
            if name is not None and self.text(name) not in ("self", "cls"):
                found.append((self.text(name), self.text(one.child_by_field_name("value"))))
        return tuple(found)

    def _defined(self, node: Node) -> Named:
        body = node.child_by_field_name("body")
        end = body.start_byte if body is not None else node.end_byte
        name = self.text(node.child_by_field_name("name"))
        return Named(name, node.start_byte, end, self._scope, last=node.end_byte)


_HANDLERS: Final[Mapping[str, Callable[[FileCode, Node], None]]] = {
    "comment": FileCode._comment,
    "import_from_statement": FileCode._import,
    "import_statement": FileCode._import,
    "expression_statement": FileCode._statement,
    "string": FileCode._text,
    "identifier": FileCode._identifier,
    "with_statement": FileCode._with,
    "call": FileCode._call,
    "assignment": FileCode._assignment,
    "augmented_assignment": FileCode._augmented,
    "default_parameter": FileCode._parameter,
    "typed_default_parameter": FileCode._parameter,
    "parameters": FileCode._parameters,
    "pair": FileCode._pair,
    "subscript": FileCode._choice,
    "conditional_expression": FileCode._one_of_two,
    "for_statement": FileCode._for,
    "return_statement": FileCode._return,
    "yield": FileCode._yield,
    "raise_statement": FileCode._raise,
    "if_statement": FileCode._condition,
    "while_statement": FileCode._while,
    "continue_statement": FileCode._continue,
    "break_statement": FileCode._continue,
    "lambda": FileCode._lambda,
    "elif_clause": FileCode._condition,
    "class_definition": FileCode._class,
    "function_definition": FileCode._function,
}


def _options_in(options: Node, text: Callable[[Node], str]) -> Iterator[tuple[str, tuple[str, int]]]:
    """The options in a list, each with its value and place: those that are given one alone."""
    given = [(one, _string(text(one))) for one in options.named_children if one.type not in EXTRAS]
    for (one, name), (following, value) in itertools.pairwise([*given, (options, "--")]):
        if name.startswith("--") and not value.startswith("--"):
            is_text = following.type == "string" and not _IS_NUMBER.fullmatch(value)
            yield name, (text(following) if is_text else value, one.start_byte)


def _is_field(parent: Node, field: str, node: Node) -> bool:
    """Whether a node is that part of what it is in."""
    part = parent.child_by_field_name(field)
    return part is not None and (part.start_byte, part.end_byte) == (node.start_byte, node.end_byte)


def _is_target(node: Node) -> bool:
    """Whether something is assigned to a node, and not computed from what it is."""
    parent = node.parent
    return (
        parent is not None
        and parent.type in ("assignment", "for_statement")
        and _is_field(parent, "left", node)
    )


def _is_called(node: Node) -> bool:
    """Whether a node is the function of a call."""
    parent = node.parent
    return parent is not None and parent.type == "call" and _is_field(parent, "function", node)


def spelled(name: str) -> str:
    """A name as settings are compared: in lower case, with underscores."""
    return name.replace("-", "_").lower()


def _exact(name: str) -> str:
    """A name that is not spelled as settings are compared; else nothing."""
    return "" if name == spelled(name) else name


def last_part(dotted: str) -> str:
    """The last part of a dotted name."""
    return dotted.rpartition(".")[2]


def dotted_keys(source: str) -> str:
    """An expression with the keys of dictionaries as if they were attributes: `a["b"].c` is `a.b.c`."""
    return _KEY.sub(r".\1\2", source) if "[" in source else source


def _not(condition: str) -> str:
    """What holds where a condition does not."""
    is_plain = condition.startswith(_NOT) and not _JOINED.search(condition)
    return condition.removeprefix(_NOT) if is_plain else f"not ({condition})"


class ImportedAs(NamedTuple):
    """What an import binds: `name` (`*`: all of them, empty: itself) of a `module`, of which `level` counts
    the dots."""

    bound: str
    module: str
    level: int
    name: str


def _bound_names(analysis: Analysis) -> Iterator[ImportedAs]:
    for block in analysis.lowered:
        for one in block.imports:
            if one.module or one.level:
                yield ImportedAs(one.bound, one.module, one.level, one.name)
            else:
                yield ImportedAs(one.bound, one.name, 0, "")
        for module, level in block.stars:
            yield ImportedAs(ALL, module, level, ALL)


def _imported(imports: Iterable[ImportName]) -> Iterator[tuple[ImportName, str]]:
    """Absolute imports, each with the dotted name of what it binds."""
    for one in imports:
        if one.module:
            if not one.level:
                yield one, f"{one.module}.{one.name}"
        elif not one.level:
            has_alias = one.end != one.name_end
            yield one, one.name if has_alias else one.bound


def last_name(source: str) -> str:
    """The last name of an expression such as `args.epochs` or `cfg["epochs"]`."""
    return source.rpartition(".")[2].strip("\"'])").rpartition("[")[2].strip("\"'")


def _is_empty(node: Node) -> bool:
    return node.type in _EMPTY and not node.named_children


def _has_operator(node: Node) -> bool:
    """Whether an expression has an operator with two sides, or its sign is changed."""
    whole = node
    while whole.type == "parenthesized_expression" and len(whole.named_children) == 1:
        whole = whole.named_children[0]
    if whole.type == "unary_operator" and not _is_literal(whole):
        return True
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.type == "binary_operator":
            return True
        waiting += one.named_children
    return False


def _is_literal(node: Node) -> bool:
    if node.type == "call" and len(node.named_children) == 2 and node.named_children[0].text is not None:
        arguments = node.named_children[1].named_children
        of = node.named_children[0].text.decode()
        return of in _NUMBERS and len(arguments) == 1 and _is_literal(arguments[0])
    if node.type in _LITERALS:
        return all(child.type != "interpolation" for child in node.named_children)
    parts = node.named_children
    return node.type in _OF_LITERALS and bool(parts) and all(_is_literal(part) for part in parts)


def _string(text: str) -> str:
    """What is in a literal of a string without prefixes and escapes."""
    return text.strip("\"'")
