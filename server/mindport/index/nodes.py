"""The expressions that resolution looks at: small Python objects lowered from the syntax tree.

Every node spans `start`..`end` in UTF-8 bytes relative to its top-level block, so that a block lowered once
is valid for as long as its text is, wherever it moves. Nothing here refers to the syntax tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mindport.index.definitions import ClassDefinition, Definition, FunctionDefinition


CONVERTING: Final = frozenset({"bfloat16", "cpu", "cuda", "double", "float", "half"})
"""Methods of Tensors and of modules that give an object of the same class."""


BARE: Final = frozenset(
    {
        "abs",
        "backward",
        "children",
        "clone",
        "cos",
        "eval",
        "exp",
        "floor",
        "log",
        "neg",
        "numpy",
        "sigmoid",
        "sign",
    }
    | {"remove", "sin", "sqrt", "square", "t"}
)
"""Methods that tell what they are called of where they are given no argument, or only such keywords."""
_OF_BARE: Final = frozenset({"create_graph", "force", "gradient", "inputs", "memory_format", "retain_graph"})


COUNTED: Final = {
    **dict.fromkeys(["chunk", "flatten", "flip", "gather", "narrow", "pow", "select", "split"], "first"),
    "transpose": "both",
    "view": "any",
}
"""Methods of Tensors that tell what they are called of where they are given an integer: as the first
argument, as both, or as any."""


KEYWORDS: Final = frozenset(
    {"as_tuple", "assign", "dim", "dim1", "dim2", "dims", "end_dim", "keepdim", "retain_graph"}
    | {"start_dim", "strict"}
)
"""Keywords that tell what a method is called of: other libraries' have other names."""


ADDING: Final = {"append": 0, "add": 0, "appendleft": 0, "extend": 0, "insert": 1}
"""The methods that put something into a container, and which of their arguments that is."""


UPDATING: Final = "update"
"""The method that puts what a mapping, or keywords, have into another mapping."""


TELLING_KEYS: Final = frozenset({"collate_fn"})
"""The keys of which it matters that a dictionary has them, whatever is stored there: what a DataLoader gives
depends on it."""


REGISTERING: Final = frozenset({"add_module", "register_buffer", "register_module", "register_parameter"})
"""The methods of a `torch.nn.Module` that make what is given an attribute of it, by its name."""


class Expression:
    """Base of all expression nodes."""

    __slots__ = ("end", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end


class Name(Expression):
    """A name that is read. `definition` is what binds it on the paths that reach here."""

    __slots__ = ("definition", "id")

    def __init__(self, start: int, end: int, name: str, definition: Definition) -> None:
        self.start = start
        self.end = end
        self.id = name
        self.definition = definition


class Attribute(Expression):
    """`value.name`"""

    __slots__ = ("name", "value")

    def __init__(self, start: int, end: int, value: Expression, name: str) -> None:
        self.start = start
        self.end = end
        self.value = value
        self.name = name


class CallArgument:
    """One argument of a call: `unpack` is "", "*" or "**"."""

    __slots__ = ("keyword", "unpack", "value")

    def __init__(self, keyword: str | None, unpack: str, value: Expression) -> None:
        self.keyword = keyword
        self.unpack = unpack
        self.value = value


class CallExpression(Expression):
    """`function(arguments)`; `arguments_start` is the offset of the opening parenthesis."""

    __slots__ = ("arguments", "arguments_start", "function")

    def __init__(
        self,
        start: int,
        end: int,
        function: Expression,
        arguments_start: int,
        arguments: list[CallArgument],
    ) -> None:
        self.start = start
        self.end = end
        self.function = function
        self.arguments_start = arguments_start
        self.arguments = arguments


class SuperCall(CallExpression):
    """`super()` without arguments, in a method of the class `owner`."""

    __slots__ = ("owner",)

    def __init__(self, call: CallExpression, owner: ClassDefinition) -> None:
        super().__init__(call.start, call.end, call.function, call.arguments_start, call.arguments)
        self.owner = owner


class Subscript(Expression):
    """`value[indices]`"""

    __slots__ = ("indices", "value")

    def __init__(self, start: int, end: int, value: Expression, indices: list[Expression]) -> None:
        self.start = start
        self.end = end
        self.value = value
        self.indices = indices


class Display(Expression):
    """A tuple, list or set written out; `kind` is the builtin type's name. Items may be `Starred`."""

    __slots__ = ("items", "kind")

    def __init__(self, start: int, end: int, kind: str, items: list[Expression]) -> None:
        self.start = start
        self.end = end
        self.kind = kind
        self.items = items


class Dictionary(Expression):
    """A dictionary display. `pairs` holds key and value; a key of None is `**value`."""

    __slots__ = ("pairs",)

    def __init__(self, start: int, end: int, pairs: list[tuple[Expression | None, Expression]]) -> None:
        self.start = start
        self.end = end
        self.pairs = pairs


class Comprehension(Expression):
    """A comprehension; `kind` is list, set, dict or generator. `parts` are the iterables and conditions
    in source order, `element` what is produced (for a dict its value; the key is among `parts`)."""

    __slots__ = ("element", "kind", "parts")

    def __init__(self, start: int, end: int, kind: str, element: Expression, parts: list[Expression]) -> None:
        self.start = start
        self.end = end
        self.kind = kind
        self.element = element
        self.parts = parts


class LambdaExpression(Expression):
    """`lambda`: its function definition holds parameters and the body's value."""

    __slots__ = ("function",)

    def __init__(self, start: int, end: int, function: FunctionDefinition) -> None:
        self.start = start
        self.end = end
        self.function = function


class Conditional(Expression):
    """`body if test else orelse`"""

    __slots__ = ("body", "orelse", "test")

    def __init__(self, start: int, end: int, test: Expression, body: Expression, orelse: Expression) -> None:
        self.start = start
        self.end = end
        self.test = test
        self.body = body
        self.orelse = orelse


class Boolean(Expression):
    """`left and right`, `left or right`"""

    __slots__ = ("left", "operator", "right")

    def __init__(self, start: int, end: int, operator: str, left: Expression, right: Expression) -> None:
        self.start = start
        self.end = end
        self.operator = operator
        self.left = left
        self.right = right


class Binary(Expression):
    """An arithmetic or bitwise operation; `operator` as written, at `operator_start`."""

    __slots__ = ("left", "operator", "operator_start", "right")

    def __init__(
        self, span: tuple[int, int], operator: str, operator_start: int, left: Expression, right: Expression
    ) -> None:
        self.start, self.end = span
        self.operator = operator
        self.operator_start = operator_start
        self.left = left
        self.right = right


class Unary(Expression):
    """`-x`, `+x`, `~x`, `not x`"""

    __slots__ = ("operand", "operator")

    def __init__(self, start: int, end: int, operator: str, operand: Expression) -> None:
        self.start = start
        self.end = end
        self.operator = operator
        self.operand = operand


class Comparison(Expression):
    """A chain of comparisons."""

    __slots__ = ("operands", "operators")

    def __init__(self, start: int, end: int, operators: list[str], operands: list[Expression]) -> None:
        self.start = start
        self.end = end
        self.operators = operators
        self.operands = operands


class Walrus(Expression):
    """`name := value`"""

    __slots__ = ("value",)

    def __init__(self, start: int, end: int, value: Expression) -> None:
        self.start = start
        self.end = end
        self.value = value


class Await(Expression):
    """`await value`"""

    __slots__ = ("value",)

    def __init__(self, start: int, end: int, value: Expression) -> None:
        self.start = start
        self.end = end
        self.value = value


class AssignmentTarget(Expression):
    """An attribute that something is assigned to."""

    __slots__ = ("attribute",)

    def __init__(self, attribute: Attribute) -> None:
        self.start = attribute.start
        self.end = attribute.end
        self.attribute = attribute


class Starred(Expression):
    """`*value` inside a display."""

    __slots__ = ("value",)

    def __init__(self, start: int, end: int, value: Expression) -> None:
        self.start = start
        self.end = end
        self.value = value


class Constant(Expression):
    """A literal. `kind` is str, bytes, int, float, complex, bool, None or Ellipsis; `value` its source text
    (for a plain string literal without escapes its content, else None)."""

    __slots__ = ("kind", "value")

    def __init__(self, start: int, end: int, kind: str, value: str | None) -> None:
        self.start = start
        self.end = end
        self.kind = kind
        self.value = value


class Parts(Expression):
    """Any other expression: only its parts matter. `kind` says what it is (slice, fstring, yield, error)."""

    __slots__ = ("kind", "parts")

    def __init__(self, start: int, end: int, kind: str, parts: list[Expression]) -> None:
        self.start = start
        self.end = end
        self.kind = kind
        self.parts = parts


class Stored(Expression):
    """An attribute or an item that is set to `value`, as a target of an assignment. `container` is what the
    item is one of; None for an attribute."""

    __slots__ = ("container", "value")

    def __init__(self, start: int, end: int, container: Expression | None, value: Expression) -> None:
        self.start = start
        self.end = end
        self.container = container
        self.value = value


def told_as(name: str, arguments: list[CallArgument]) -> list[str]:
    """How else a call of a method tells what it is called of: `backward()` without arguments, or with
    keywords that it has, `sum(dim)` with this keyword, for which no text is given, `view(int)` with
    integers."""
    found = []
    if name in BARE and all(argument.keyword in _OF_BARE for argument in arguments):
        found.append(f"{name}()")
    counted = COUNTED.get(name)
    if counted is not None and arguments and _is_counted(counted, arguments):
        found.append(f"{name}(int)")
    for argument in arguments:
        if argument.keyword in KEYWORDS and string_of(argument.value) is None:
            found.append(f"{name}({argument.keyword})")
    return found


def _is_counted(counted: str, arguments: list[CallArgument]) -> bool:
    """Whether arguments are given as integers; see `COUNTED`."""
    are_integers = [one.keyword is None and _is_integer(one.value) for one in arguments]
    if counted == "first":
        return are_integers[0]
    if counted == "any":
        return any(are_integers) or _is_shape(arguments[0].value)
    return are_integers == [True, True]


def _is_shape(expression: Expression) -> bool:
    """Whether it is a tuple or a list with a size that is left to be told, as it is written: `(n, -1)`."""
    return isinstance(expression, Display) and any(
        isinstance(item, Unary) and _is_integer(item) for item in expression.items
    )


def _is_integer(expression: Expression) -> bool:
    """Whether it is an integer as it is written."""
    if isinstance(expression, Unary):
        expression = expression.operand
    return isinstance(expression, Constant) and expression.kind == "int"


MADE: Final = frozenset({Binary, Subscript, Unary})
"""The expressions that `made_of` looks into."""


def made_of(expression: Expression) -> Name | None:
    """The one name that it is made of in a way that gives a Tensor of a Tensor alone: `x` itself, `-x`,
    `x ** 2`, `x - x.max()`, `x[:, 0]`."""
    while True:
        if isinstance(expression, Name):
            return expression
        if isinstance(expression, Unary) and expression.operator != "not":
            expression = expression.operand
        elif isinstance(expression, Subscript) and _is_sliced(expression):
            expression = expression.value
        elif isinstance(expression, Binary):
            return _of_both(expression.left, expression.right)
        else:
            return None


def _of_both(left: Expression, right: Expression) -> Name | None:
    """The same of an operation."""
    if isinstance(left, Constant):
        return made_of(right)
    first = made_of(left)
    if first is None or isinstance(right, Constant):
        return first
    if isinstance(right, CallExpression) and isinstance(right.function, Attribute):
        right = right.function.value
    second = made_of(right)
    return first if second is not None and second.definition is first.definition else None


def _is_sliced(subscript: Subscript) -> bool:
    """Whether indices are no plain ones, which may be those of a list."""
    return len(subscript.indices) > 1 or (
        isinstance(subscript.indices[0], Parts) and subscript.indices[0].kind == "slice"
    )


def last_name(expression: Expression) -> str:
    """The name that an expression ends with: of a name itself, of an attribute its own; else empty."""
    if isinstance(expression, Attribute):
        return expression.name
    return expression.id if isinstance(expression, Name) else ""


def string_of(expression: Expression | None) -> str | None:
    """The content of a plain string literal; None for anything else."""
    return expression.value if isinstance(expression, Constant) and expression.kind == "str" else None


_LOOKUPS: Final = frozenset({"get", "pop", "setdefault"})
"""The methods of a mapping that take what they give where a key is missing."""
_GETATTR: Final = "getattr"


def lookup_default(call: CallExpression) -> Expression | None:
    """What a call gives where it finds nothing, if it is a lookup with a default: `table.get(key, default)`,
    `getattr(object, name, default)`."""
    function, arguments = call.function, call.arguments
    if isinstance(function, Attribute):
        position = 1 if function.name in _LOOKUPS else -1
    else:
        position = 2 if isinstance(function, Name) and function.id == _GETATTR else -1
    if position < 0 or len(arguments) != position + 1:
        return None
    is_plain = all(not one.unpack and one.keyword in _POSITIONAL for one in arguments)
    return arguments[position].value if is_plain else None


_POSITIONAL: Final = frozenset({None, "default"})


def without_default(call: CallExpression) -> CallExpression:
    """The same lookup without its default; see `lookup_default`."""
    return CallExpression(call.start, call.end, call.function, call.arguments_start, call.arguments[:-1])


def children(expression: Expression) -> list[Expression]:
    """The expressions that one is made of, as written."""
    if isinstance(expression, (Attribute, Walrus, Await, Starred)):
        return [expression.value]
    if isinstance(expression, CallExpression):
        return [expression.function, *[argument.value for argument in expression.arguments]]
    if isinstance(expression, Subscript):
        return [expression.value, *expression.indices]
    if isinstance(expression, Display):
        return expression.items
    if isinstance(expression, Dictionary):
        return [part for pair in expression.pairs for part in pair if part is not None]
    if isinstance(expression, Comprehension):
        return [*expression.parts, expression.element]
    if isinstance(expression, Conditional):
        return [expression.test, expression.body, expression.orelse]
    if isinstance(expression, (Boolean, Binary)):
        return [expression.left, expression.right]
    if isinstance(expression, Unary):
        return [expression.operand]
    if isinstance(expression, Comparison):
        return expression.operands
    return expression.parts if isinstance(expression, Parts) else []
