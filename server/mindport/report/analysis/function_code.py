"""The code of functions without what only logs, shows or checks, and of a step of training what its loss is
computed from: what is told of an item where no single statement tells all of it."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import TYPE_CHECKING, Any, Final

from mindport.report.analysis.entries import FunctionCode, SourceEntry
from mindport.report.analysis.trees import children, nodes

if TYPE_CHECKING:
    from mindport.catalog.migration_facts import MigrationFacts

STEP: Final = "step"
"""The kind of what a loss is computed from, in the loop over batches."""
BATCHES: Final = "batches"
"""The kind of what is done to batches there before they are given to a network."""
WEIGHTS: Final = "weights"
"""The kind of a loop over the layers or weights of a network."""
RATES: Final = "rates"
"""The kind of what gives an optimizer other learning rates (at the lines that are `given`)."""
_GROUPS: Final = "group"
_OF_NUMBERS: Final = frozenset(
    {"min", "max", "abs", "float", "int", "cos", "sqrt", "pow", "exp", "round", "len"}
)
FILLED: Final = "filled"
"""The kind of what loops put into lists or tables (those that are `given`)."""
_FILLING: Final = frozenset({"append", "extend", "add", "update", "insert"})
"""The methods that put something into a list or table."""
_OF_WEIGHTS: Final = re.compile(r"\.(?:(?:named_)?(?:modules|children|parameters)|state_dict)\(")
_MOST_ENTRIES: Final = 12
"""As many entries of a list or table that is written out are told."""
_LONGEST_TEXT: Final = 80
_MOST_LINES: Final = 80
_DEEPEST: Final = 3
"""As many names are followed, one to the next."""
_ENDING: Final = "..."
SHUFFLING: Final = "shuffle"
"""How functions are called that change the order of a list."""
_NEVER: Final = ("False", "0")
_BACKWARD: Final = "backward"
_MAKING: Final = "__init__"
_SELF: Final = "self"
_COUNTING: Final = ("range(", "count(")
_OF_SIZE: Final = frozenset({"size", "shape", "len", "numel", "device", "dtype"})
"""What asks of a batch how large it is, and where."""
ASKING_FOR_EVALUATION: Final = re.compile(
    r"^\(?(?:\w+\.)?(?:do_|only_|is_)?(?:evaluate|eval|test|validate|predict|inference)(?:_only|_model)?\b"
    r"(?:\)|$| is True| == (?!False|None|0))"
)
"""A condition that asks whether a program is to evaluate instead of training."""
_CHAIN: Final = re.compile(
    r"not \((?P<name>[\w.]+) == [^()]*\) and (?:not \((?P=name) == [^()]*\) and )*"
    r"(?P<last>(?P=name) == [^()]*)"
)
"""What an `elif` asks whether a name is, after others were asked."""
_ASYNC: Final = re.compile(r"\basync(\s*=\s*(?:True|False)\b)")
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Loop = ast.For | ast.AsyncFor | ast.While
_Region = _Function | _Loop | ast.Module


def function_code(path: str, source: str, facts: MigrationFacts) -> Iterator[FunctionCode]:
    """The functions and methods of a file, and the steps of its trainings; nothing where it cannot be
    parsed."""
    tree = parsed(source)
    if tree is None:
        return
    for function, around in _functions(tree):
        yield from _whole(path, function, around, facts)
    for scope, around in [(tree, ()), *_functions(tree)]:
        yield from _steps(path, tree, scope, around, facts)
        for loop in _over_weights(scope):
            short = _Shortening(facts, loop).visit(_copied(loop))
            if short is not None:
                yield _code(path, short, scope, around, WEIGHTS)
        yield from _filled(path, scope, around, facts)
        yield from _rates(path, scope, around, facts)


def _rates(
    path: str, scope: _Function | ast.Module, around: _Around, facts: MigrationFacts
) -> Iterator[FunctionCode]:
    """The statements of a function that give an optimizer another learning rate, with what gives the names
    values that they and their conditions read."""
    inside = list(_statements(scope))
    loops = [one for one in inside if isinstance(one, ast.For) and _GROUPS in ast.unparse(one.iter)]
    of_groups = {id(each) for one in loops for each in _statements(one)}
    assigned = [one for one in inside if isinstance(one, ast.Assign | ast.AugAssign) and _sets_rate(one)]
    first = [one for one in assigned if id(one) in of_groups or _GROUPS in ast.unparse(one)]
    lines = {one.lineno for one in first}
    size = -1
    while first and size != len(lines):
        size = len(lines)
        kept = [one for one in inside if one.lineno in lines and isinstance(one, ast.Assign | ast.AugAssign)]
        needed = {name for one in kept if not _calls_others(one) for name in _read(one)}
        for one in inside:
            if isinstance(one, ast.If) and any(each.lineno in lines for each in _statements(one)):
                needed.update(_read(one.test))
        lines |= {
            one.lineno
            for one in inside
            if isinstance(one, ast.Assign | ast.AugAssign) and not needed.isdisjoint(_assigned(one))
        }
    chosen = [_Choosing(lines).visit(_copied(one)) for one in scope.body] if first else []
    body = _shortened(chosen, facts)
    if body:
        code = _code(path, ast.Module(body, []), scope, around, RATES)
        code.line, code.given = body[0].lineno, [str(one.lineno) for one in first]
        yield code


def _shortened(statements: Sequence[ast.AST | None], facts: MigrationFacts) -> list[ast.stmt]:
    """What is left of statements without what does nothing for the training: several of one, such as what a
    `try` tries."""
    found: list[ast.stmt] = []
    for one in [one for one in statements if one is not None]:
        short = _Shortening(facts, one).visit(one)
        found += short if isinstance(short, list) else [short] if short is not None else []
    return found


def _sets_rate(one: ast.Assign | ast.AugAssign) -> bool:
    """Whether a statement gives a group of parameters a learning rate."""
    targets = one.targets if isinstance(one, ast.Assign) else [one.target]
    return any(
        isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Constant) and each.slice.value == "lr"
        for each in targets
    )


def _calls_others(one: ast.Assign | ast.AugAssign) -> bool:
    """Whether a statement calls a function or method that is none of numbers alone."""
    calls = [dotted(each.func) for each in nodes(one.value) if isinstance(each, ast.Call)]
    return any(name.rpartition(".")[2] not in _OF_NUMBERS for name in calls)


def _filled(
    path: str, scope: _Function | ast.Module, around: _Around, facts: MigrationFacts
) -> Iterator[FunctionCode]:
    """What the loops of a function put into each list or table that is no part of them, but for loops that
    train."""
    training = {id(loop) for loops, _ in _backwards(scope, ()) for loop in loops}
    loops = [one for one in _outer_loops(scope) if id(one) not in training]
    together: list[set[str]] = []
    for loop in loops:
        inside = list(_statements(loop))
        own = {name for one in inside if isinstance(one, ast.Assign) for name in _plain_targets(one)}
        own |= set(_stored(loop.target)) if isinstance(loop, ast.For) else set()
        names = {name for one in inside for name in _put_into(one)} - own - {""}
        names = {name for name in names if not facts.is_setting(f"{name}.x")}
        others = [each for each in together if names.isdisjoint(each)]
        together = [*others, names.union(*[each for each in together if each not in others])]
    for names in [each for each in together if each]:
        lines = set[int]().union(*[_lines_filling(name, scope, loops) for name in sorted(names)])
        body = _shortened([_Choosing(lines).visit(_copied(one)) for one in scope.body], facts)
        if body:
            code = _code(path, ast.Module(body, []), scope, around, FILLED)
            code.line, code.given = body[0].lineno, sorted(names)
            yield code


def _outer_loops(node: ast.AST) -> Iterator[_Loop]:
    """The loops of a function that are in no other."""
    for child in children(node):
        if isinstance(child, _Loop):
            yield child
        elif not isinstance(child, _Function | ast.ClassDef | ast.expr):
            yield from _outer_loops(child)


def _plain_targets(one: ast.Assign) -> Iterator[str]:
    for target in one.targets:
        names = [each for each in nodes(target) if isinstance(each, ast.Name)]
        yield from [each.id for each in names if isinstance(each.ctx, ast.Store)]


def _put_into(one: ast.stmt) -> Iterator[str]:
    """The lists and tables that a statement puts something into."""
    if isinstance(one, ast.Assign):
        yield from [_base(each) for each in one.targets if isinstance(each, ast.Subscript)]
    elif isinstance(one, ast.AugAssign) and isinstance(one.value, ast.List | ast.ListComp):
        yield dotted(one.target)
    elif isinstance(one, ast.Expr) and isinstance(one.value, ast.Call):
        function = one.value.func
        if isinstance(function, ast.Attribute) and function.attr in _FILLING:
            yield _base(function.value)


def _base(node: ast.AST) -> str:
    """The name of what something is an element of."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return dotted(node)


def _lines_filling(name: str, scope: ast.AST, loops: Sequence[_Loop]) -> set[int]:
    """The lines that give a list its value or put something into it, and those in the same loops that give
    names values which are read for that."""
    first = [
        one
        for one in _statements(scope)
        if name in _put_into(one) or (isinstance(one, ast.Assign) and name in map(dotted, one.targets))
    ]
    found = {one.lineno for one in first}
    for loop in loops:
        inside = list(_statements(loop))
        if not any(one.lineno in found for one in inside):
            continue
        size = -1
        while size != len(found):
            size = len(found)
            needed = {each for one in inside if one.lineno in found for each in _read(one)}
            needed |= {
                each
                for one in inside
                if isinstance(one, ast.If) and any(below.lineno in found for below in _statements(one))
                for each in _read(one.test)
            }
            found |= {
                one.lineno
                for one in inside
                if isinstance(one, ast.Assign | ast.AugAssign) and not needed.isdisjoint(_assigned(one))
            }
    return found


def _over_weights(scope: _Function | ast.Module) -> Iterator[ast.For]:
    """The loops of a function over the layers or weights of networks, the outer of several."""
    found = [one for one in _statements(scope) if isinstance(one, ast.For)]
    loops = [one for one in found if _OF_WEIGHTS.search(ast.unparse(one.iter)) is not None]
    yield from [one for one in loops if not any(one is not each and one in nodes(each) for each in loops)]


def parsed(source: str) -> ast.Module | None:
    """The tree of a file; `async=True`, as torch's methods were given it once, is what it is now."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of texts with a backslash
            return ast.parse(source)
    except SyntaxError:
        today = _ASYNC.sub(r"non_blocking\1", source)
        return parsed(today) if today != source else None
    except (ValueError, RecursionError, MemoryError):
        return None


_Around = tuple[ast.ClassDef | _Function, ...]


def _functions(tree: ast.AST, around: _Around = ()) -> Iterator[tuple[_Function, _Around]]:
    """The functions below a node, each with the classes and functions around it, from the outermost."""
    for child in children(tree):
        if isinstance(child, ast.expr):
            continue
        if isinstance(child, _Function):
            yield child, around
        inside = (*around, child) if isinstance(child, ast.ClassDef | _Function) else around
        yield from _functions(child, inside)


def _whole(path: str, function: _Function, around: _Around, facts: MigrationFacts) -> Iterator[FunctionCode]:
    short = _Shortening(facts, function).visit(_copied(function))
    if short is not None:
        yield _code(path, short, function, around, "")


def _code(
    path: str, node: ast.AST, function: _Function | ast.Module, around: _Around, kind: str
) -> FunctionCode:
    inside = () if isinstance(function, ast.Module) else (*around, function)
    text = ast.unparse(ast.fix_missing_locations(node)).splitlines()
    every = nodes(node)
    shown = text if len(text) <= _MOST_LINES else [*text[:_MOST_LINES], _ENDING]
    return FunctionCode(
        path=path,
        line=getattr(node, "lineno", 1),
        name=".".join(one.name for one in inside),
        classes=tuple(one.name for one in inside if isinstance(one, ast.ClassDef)),
        kind=kind,
        code="\n".join(shown),
        lines=sorted({one.lineno for one in every if isinstance(one, _TOLD)}),
        names=sorted(set(_named(node))),
        calls=sorted({_called(one) for one in every if isinstance(one, ast.Call)} - {""}),
        reads=list(dict.fromkeys(_settings(node))),
    )


def _settings(node: ast.AST) -> Iterator[str]:
    """The names that a function reads and gives no value itself, but for what is called, in their order:
    attributes of objects with these, and parameters."""
    every = nodes(node)
    own = {one.id for one in every if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    own |= {one.arg for one in every if isinstance(one, ast.arg)} - _parameters(node)
    own.add("")
    calls = [one.func for one in every if isinstance(one, ast.Call)]
    called = {id(one) for one in calls}
    inner = {id(one.value) for one in every if isinstance(one, ast.Attribute)}
    owners = {id(one.value) for one in calls if isinstance(one, ast.Attribute)}
    for one in every:
        if not isinstance(one, ast.Name | ast.Attribute) or not isinstance(one.ctx, ast.Load):
            continue
        is_whole = id(one) in owners or not (id(one) in called or id(one) in inner)
        if is_whole and (name := dotted(one)).partition(".")[0] not in own:
            yield name


def _parameters(node: ast.AST) -> set[str]:
    arguments = node.args if isinstance(node, _Function) else None
    return {one.arg for one in [*arguments.args, *arguments.kwonlyargs]} if arguments is not None else set()


_TOLD = (
    ast.Assign,
    ast.AnnAssign,
    ast.AugAssign,
    ast.Expr,
    ast.Return,
    ast.Break,
    ast.Continue,
    ast.While,
)
"""The statements that say what is done."""


def _copied(node: ast.AST) -> ast.AST:
    """The same tree once more, to be changed."""
    fields = {name: _copied_value(value) for name, value in ast.iter_fields(node)}
    return ast.copy_location(type(node)(**fields), node)


def _copied_value(value: object) -> object:
    if isinstance(value, ast.expr_context | ast.operator | ast.cmpop | ast.unaryop | ast.boolop):
        return value  # says nothing of its place, and is never changed
    if isinstance(value, ast.AST):
        return _copied(value)
    return [_copied_value(one) for one in value] if isinstance(value, list) else value


def _named(node: ast.AST) -> Iterator[str]:
    """What is called in a node, and what is given to that as a name, as written."""
    for one in nodes(node):
        if isinstance(one, ast.Call):
            yield _called(one)
            for given in [*one.args, *[each.value for each in one.keywords]]:
                yield dotted(given)
        elif isinstance(one, ast.Dict):
            yield from [dotted(each) for each in one.values]
        elif isinstance(one, ast.Return) and one.value is not None:
            yield dotted(one.value)


def dotted(node: ast.AST) -> str:
    """A name with its attributes, as written; empty where it is something else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = dotted(node.value)
        return f"{owner}.{node.attr}" if owner else f".{node.attr}"
    return ""


def called_in(code: str) -> str:
    """What a statement calls at the last, as written, where it is chosen by a name; else empty."""
    tree = parsed(code) if code.count("(") > 1 else None
    one = tree.body[0] if tree is not None and len(tree.body) == 1 else None
    value = getattr(one, "value", None)
    is_chosen = isinstance(value, ast.Call) and isinstance(value.func, ast.Call | ast.Subscript)
    return _called(value) if isinstance(value, ast.Call) and is_chosen else ""


def _called(node: ast.Call) -> str:
    """What is called, as written: a name, or what chooses one (`models.__dict__[name]`)."""
    is_chosen = isinstance(node.func, ast.Subscript | ast.Call)
    return ast.unparse(node.func) if is_chosen else dotted(node.func)


_WITH_ELSE = (ast.For, ast.AsyncFor, ast.While, ast.Try)
_WITHOUT = (
    ast.Assert,
    ast.Import,
    ast.ImportFrom,
    ast.Global,
    ast.Nonlocal,
    ast.Pass,
    ast.Raise,
    ast.Delete,
)
"""The statements that do nothing to samples and weights."""
_WITH_BODY = (
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.With,
    ast.AsyncWith,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
)


class _Shortening(ast.NodeTransformer):
    """Leaves out what does nothing for the training, and shortens tables and texts."""

    def __init__(self, facts: MigrationFacts, function: ast.AST) -> None:
        self._facts = facts
        is_making = isinstance(function, _Function) and function.name == _MAKING
        arguments = function.args if isinstance(function, _Function) and is_making else None
        given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs] if arguments else []
        self._given = {one.arg for one in given}

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        if isinstance(node.value, ast.Constant):
            return None
        if isinstance(node.value, ast.Call) and self._facts.says_nothing(dotted(node.value.func)):
            return None
        return self.generic_visit(node)

    def visit(self, node: ast.AST) -> Any:
        """Changes a node by what it is."""
        if isinstance(node, _WITHOUT):
            return None
        if isinstance(node, _WITH_BODY):
            return self._with_body(node)
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return self._with_entries(node)
        return super().visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        """Drops what only keeps a parameter under its own name, and what asks how late it is."""
        value = node.value
        name = dotted(node.targets[0]).rpartition(".")[2]
        is_kept = isinstance(value, ast.Name) and value.id in self._given and name.strip("_") == value.id
        is_clock = isinstance(value, ast.Call) and self._facts.tells_time(dotted(value.func))
        return None if is_kept or is_clock else self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt] | None:
        self.generic_visit(node)
        if ast.unparse(node.test) in _NEVER:
            return node.orelse or None
        if not node.body and node.orelse:
            node.test, node.body, node.orelse = ast.UnaryOp(ast.Not(), node.test), node.orelse, []
        return node if node.body else None

    def _with_body(self, node: ast.AST) -> ast.AST | None:
        self.generic_visit(node)
        return node if getattr(node, "body", None) else None

    def visit_Try(self, node: ast.Try) -> ast.AST | list[ast.stmt] | None:
        """Drops what is done about errors, where that is nothing."""
        self.generic_visit(node)
        handlers = [one for one in node.handlers if one.body]
        if not handlers:
            return [*node.body, *node.orelse, *node.finalbody]
        node.handlers = handlers
        node.body = node.body or [ast.Pass()]
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        is_long = isinstance(node.value, str) and len(node.value) > _LONGEST_TEXT
        return ast.Constant(f"{str(node.value)[:_LONGEST_TEXT]}…") if is_long else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node

    def _with_entries(self, node: ast.List | ast.Tuple | ast.Set) -> ast.AST:
        self.generic_visit(node)
        if len(node.elts) > _MOST_ENTRIES and all(isinstance(one, ast.Constant) for one in node.elts):
            node.elts = [*node.elts[: _MOST_ENTRIES // 2], ast.Constant(...), *node.elts[-1:]]
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        self.generic_visit(node)
        if len(node.keys) > _MOST_ENTRIES:
            half = _MOST_ENTRIES // 2
            node.keys = [*node.keys[:half], None]
            node.values = [*node.values[:half], ast.Constant(...)]
        return node


# -- a step of training


def _steps(
    path: str, tree: ast.Module, scope: _Function | ast.Module, around: _Around, facts: MigrationFacts
) -> Iterator[FunctionCode]:
    """What the losses are computed from that gradients are taken of in a function, or in the module itself,
    and what is done to batches before."""
    done: set[int] = set()
    for region in _regions(scope):
        if id(region) in done:
            continue
        done.add(id(region))
        flow = _Flow(region, facts, _own_names(tree, around))
        kept = flow.of_losses()
        for kind, lines in ((STEP, kept), (BATCHES, flow.of_batches(kept))):
            short = _Choosing(lines).visit(_copied(region)) if lines else None
            short = _Shortening(facts, short).visit(short) if short is not None else None
            if short is not None:
                code = _code(path, short, scope, around, kind)
                code.given = _taken(region) if kind == STEP else []
                code.loops = list(_loops(scope, region)) if kind == STEP else []
                code.counted = list(_counted_steps(region, facts)) if kind == STEP else []
                yield code


def _taken(region: _Region) -> list[str]:
    """The names of what a step goes over, and of what it takes the next of."""
    names = _parameters(region)
    if isinstance(region, ast.For | ast.AsyncFor) and not _counts(region):
        names = set(_read(region.iter))
    if not isinstance(region, ast.Module) and isinstance(region, _Loop) and _counts(region):
        taken_out = [
            one for one in nodes(region) if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Load)
        ]
        stored = {name for one in _statements(region) for name in _assigned(one)}
        names |= {name for one in taken_out for name in _read(one)} - stored
    if isinstance(region, _Function) and names <= {_SELF}:  # all of the data at once
        names |= set(_attributes_given(region))
    taken = [one for one in nodes(region) if isinstance(one, ast.Call) and dotted(one.func) == "next"]
    return sorted(names | {name for one in taken for name in _read(one)})


def _attributes_given(region: _Function) -> Iterator[str]:
    """The attributes of its object that a function calls something with, or takes entries by or of."""
    for one in nodes(region):
        given = [*one.args, *[each.value for each in one.keywords]] if isinstance(one, ast.Call) else []
        given += [one.value, one.slice] if isinstance(one, ast.Subscript) else []
        yield from [name for name in map(dotted, given) if name.startswith(f"{_SELF}.")]


def _statement(one: ast.stmt) -> str:
    return (
        ast.unparse(one).partition("\n")[0].removesuffix(":")
        if isinstance(one, ast.For)
        else ast.unparse(one)
    )


def statements(tree: ast.Module) -> Iterator[SourceEntry]:
    """All statements of a file that give names something that is computed, or only call a function by its
    name."""
    for scope, around in [(tree, ()), *_functions(tree)]:
        inside = () if isinstance(scope, ast.Module) else (*around, scope)
        for one, condition in _with_conditions(scope, ()):
            value = getattr(one, "iter" if isinstance(one, ast.For) else "value", None)
            if (shuffled := _shuffled(one)) is not None:
                one, value = shuffled
                yield SourceEntry(
                    line=one.lineno,
                    last=one.end_lineno or one.lineno,
                    scope=".".join(each.name for each in inside),
                    classes=tuple(each.name for each in inside if isinstance(each, ast.ClassDef)),
                    targets=[dotted(value)],
                    code=ast.unparse(one),
                    condition=" and ".join(condition),
                )
                continue
            is_given = isinstance(one, ast.Assign | ast.For) or _is_plain_call(one)
            if not is_given or value is None or isinstance(value, ast.Constant):
                continue
            yield SourceEntry(
                line=one.lineno,
                last=one.lineno if isinstance(one, ast.For) else one.end_lineno or one.lineno,
                scope=".".join(each.name for each in inside),
                classes=tuple(each.name for each in inside if isinstance(each, ast.ClassDef)),
                targets=sorted(_assigned(one)),
                reads=sorted(set(_read(value))),
                names=sorted(set(_named(value))),
                code=_statement(one),
                condition=" and ".join(condition),
            )


def conditions(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The lines of assignments that stand on conditions in their functions, with these."""
    for scope, _ in [(tree, ()), *_functions(tree)]:
        for one, condition in _with_conditions(scope, ()):
            if condition and isinstance(one, ast.Assign | ast.AnnAssign):
                yield one.lineno, in_short(" and ".join(condition))


def in_short(condition: str) -> str:
    """A condition that asks whether a name is one thing, without that it is none of others."""
    chain = _CHAIN.fullmatch(condition)
    return chain["last"] if chain is not None else condition


def adjusted(tree: ast.Module) -> Iterator[SourceEntry]:
    """The statements that change a name by a number (`alpha *= 0.8`), but for what counts."""
    for scope, around in [(tree, ()), *_functions(tree)]:
        inside = () if isinstance(scope, ast.Module) else (*around, scope)
        for one, condition in _with_conditions(scope, ()):
            if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name) and _is_adjusting(one):
                yield SourceEntry(
                    line=one.lineno,
                    last=one.end_lineno or one.lineno,
                    scope=".".join(each.name for each in inside),
                    classes=tuple(each.name for each in inside if isinstance(each, ast.ClassDef)),
                    targets=[one.target.id],
                    code=ast.unparse(one),
                    condition=" and ".join(condition),
                )


def _is_adjusting(one: ast.AugAssign) -> bool:
    value = one.value.value if isinstance(one.value, ast.Constant) else None
    return isinstance(value, float) or (isinstance(value, int) and isinstance(one.op, ast.Mult | ast.Div))


def _is_plain_call(one: ast.stmt) -> bool:
    """Whether a statement only calls a function by its name."""
    call = one.value if isinstance(one, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name)


def _shuffled(one: ast.stmt) -> tuple[ast.stmt, ast.expr] | None:
    """A statement that shuffles a list in its place, with the list."""
    call = one.value if isinstance(one, ast.Expr) else None
    if not isinstance(call, ast.Call) or not call.args:
        return None
    if dotted(call.func).rpartition(".")[2] != SHUFFLING:
        return None
    return (one, call.args[0]) if dotted(call.args[0]) else None


def _with_conditions(node: ast.AST, around: tuple[str, ...]) -> Iterator[tuple[ast.stmt, tuple[str, ...]]]:
    """The statements below a node, but for those of functions in it, each with the conditions that it stands
    on."""
    for name, value in ast.iter_fields(node):
        inside = around
        if name == "body" and isinstance(node, ast.If) and evaluates_instead(node):
            continue
        if isinstance(node, ast.If) and name in ("body", "orelse") and not _is_main(node.test):
            test = ast.unparse(node.test)
            inside = (*around, test if name == "body" else f"not ({test})")
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, _Function | ast.ClassDef | ast.expr):
                continue
            if isinstance(child, ast.stmt):
                yield child, inside
            yield from _with_conditions(child, inside)


def evaluates_instead(node: ast.If) -> bool:
    """Whether a program evaluates on a condition, and does not train then."""
    last = node.body[-1]
    call = last.value if isinstance(last, ast.Expr) else None
    is_end = isinstance(call, ast.Call) and dotted(call.func).rpartition(".")[2] in ("exit", "quit")
    is_asked = ASKING_FOR_EVALUATION.search(ast.unparse(node.test)) is not None
    return is_asked and (is_end or isinstance(last, ast.Return | ast.Raise))


def _is_main(test: ast.expr) -> bool:
    return "__name__" in ast.unparse(test)


def _loops(scope: _Function | ast.Module, region: _Region) -> Iterator[tuple[int, str, list[str]]]:
    """The loops around the gradients that are taken in a step, but for those over batches: the line of each,
    its head, and what it goes over."""
    for loops, call in _backwards(scope, ()):
        if not any(one is call for one in nodes(region)):
            continue
        for one in loops:
            over = one.test if isinstance(one, ast.While) else one.iter
            head = ast.unparse(one).partition("\n")[0].rstrip(":")
            is_named = isinstance(over, ast.Name | ast.Attribute)
            if _counts(one) or is_named:
                yield one.lineno, head, [dotted(over)] if is_named else sorted(set(_settings_of(over)))


def _settings_of(node: ast.AST) -> Iterator[str]:
    """The names in an expression, with their attributes."""
    if (name := dotted(node)) and not name.startswith("."):
        yield name
        return
    for child in children(node):
        yield from _settings_of(child)


def _own_names(tree: ast.Module, around: _Around) -> set[str]:
    """What a file has as functions and imports, with the methods of the class around."""
    names: set[str] = set()
    for one in nodes(tree):
        if isinstance(one, ast.Import | ast.ImportFrom):
            names.update((alias.asname or alias.name).partition(".")[0] for alias in one.names)
    names.update(one.name for one in tree.body if isinstance(one, _Function | ast.ClassDef))
    for one in around:
        names.update(f"self.{each.name}" for each in one.body if isinstance(each, _Function))
    return names


def _regions(scope: _Function | ast.Module) -> Iterator[_Region]:
    """The loops over batches in which a function takes gradients, or the function itself."""
    for loops, _ in _backwards(scope, ()):
        batches = [one for one in loops if not _counts(one)]
        if loops:
            yield batches[0] if batches else loops[min(1, len(loops) - 1)]
        elif not isinstance(scope, ast.Module) and scope.name != _BACKWARD:
            yield scope


def _backwards(node: ast.AST, loops: tuple[_Loop, ...]) -> Iterator[tuple[tuple[_Loop, ...], ast.Call]]:
    """Where gradients are taken, each with the loops around, from the outermost."""
    for child in children(node):
        if isinstance(child, _Function | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(child, ast.Call) and dotted(child.func).endswith(f".{_BACKWARD}"):
            yield loops, child
        inside = (*loops, child) if isinstance(child, _Loop) else loops
        yield from _backwards(child, inside)


def _counts(loop: _Loop) -> bool:
    """Whether a loop goes over numbers or names, and no batches."""
    if isinstance(loop, ast.While):
        return True
    over = ast.unparse(loop.iter)
    is_listed = isinstance(loop.iter, ast.List | ast.Tuple | ast.Constant)
    return is_listed or any(sign in over for sign in _COUNTING)


class _Flow:
    """Follows what losses are computed from in a loop, back to the batches."""

    def __init__(self, region: _Region, facts: MigrationFacts, own: Set[str]) -> None:
        self._region = region
        self._facts = facts
        self._own = own
        self._statements = sorted(_statements(region), key=lambda one: (one.lineno, one.col_offset))

    def of_losses(self) -> set[int]:
        """The lines of what losses are computed from, and of the steps that are taken."""
        ends = [one for one in self._statements if self._calls(one, (_BACKWARD,))]
        last = max((one.lineno for one in ends), default=0)
        before = [one for one in self._statements if one.lineno <= last]
        needed = {name for one in ends for name in _read(one)}
        kept = {one.lineno for one in ends}
        size = -1
        while size != len(kept):
            size = len(kept)
            for one in reversed(before):
                if self._gives(one, needed):
                    kept.add(one.lineno)
                    needed.update(_read(one))
        kept |= set(self._changing_behind(needed, last))
        taken = [one for one in self._statements if self._calls(one, self._facts.taking_steps)]
        return self._with_counters(kept | {one.lineno for one in taken})

    def _changing_behind(self, needed: Set[str], last: int) -> Iterator[int]:
        """The lines behind the gradients that give attributes of the object another value which the loss of
        the next batch is computed from."""
        before = {name for one in self._statements if one.lineno <= last for name in _assigned(one)}
        for one in self._statements:
            if one.lineno > last and isinstance(one, ast.Assign | ast.AugAssign):
                names = {".".join(name.split(".")[:2]) for name in _assigned(one)}
                if any(name.startswith("self.") and name not in before for name in names & needed):
                    yield one.lineno

    def _with_counters(self, kept: set[int]) -> set[int]:
        """The lines with those that give the names values which their conditions read, or that count
        them."""
        found = set(kept)
        size = -1
        while size != len(found):
            size = len(found)
            asked = {name for test, inside in self._conditions() if inside & found for name in _read(test)}
            read = {name for one in self._statements if one.lineno in found for name in _read_plainly(one)}
            for one in self._statements:
                names = _assigned(one) if isinstance(one, ast.Assign | ast.AugAssign) else set()
                is_counting = isinstance(one, ast.AugAssign) or _is_number(one)
                if is_counting and not names.isdisjoint(asked | read):
                    found.add(one.lineno)
        return found

    def _conditions(self) -> Iterator[tuple[ast.expr, set[int]]]:
        """The conditions in a loop, each with the lines of what runs on it."""
        for one in nodes(self._region):
            if isinstance(one, ast.If):
                yield one.test, {each.lineno for each in nodes(one) if isinstance(each, ast.stmt)}

    def _gives(self, one: ast.stmt, needed: Set[str]) -> bool:
        """Whether a statement gives a name that is needed something, or changes what it is."""
        if not needed.isdisjoint(_assigned(one)):
            return True
        if not isinstance(one, ast.Expr) or not isinstance(one.value, ast.Call):
            return False
        call = dotted(one.value.func)
        return _owner(one.value.func) in needed and call.endswith(self._facts.filling)

    def _calls(self, one: ast.stmt, names: Sequence[str]) -> bool:
        calls = [each for each in nodes(one) if isinstance(each, ast.Call)]
        is_plain = not isinstance(one, _Loop | ast.If | ast.With)
        return is_plain and any(dotted(each.func).rpartition(".")[2] in names for each in calls)

    def of_batches(self, kept: Set[int]) -> set[int]:
        """The lines of what is done to batches before a network is given them; none where that is only to
        take them apart and to put them in their place."""
        region = self._region
        batches = _parameters(region) - {"self"}
        if isinstance(region, ast.For | ast.AsyncFor):
            batches = set(_stored(region.target))
        batches = {
            name
            for name in batches
            if not (self._facts.is_network(name) or self._facts.is_setting(f"{name}.x"))
        }
        given: set[str] = set()
        lines: set[int] = set()
        is_changed = False
        inside = [one for one in self._statements if one.lineno in kept]
        for one in inside:
            value = getattr(one, "value", None)
            if isinstance(one, ast.Expr) and not batches.isdisjoint(_read_as_values(one.value)):
                is_changed = is_changed or self._fills(one)
                lines.update([one.lineno] if self._fills(one) else [])
            if value is None or not isinstance(one, ast.Assign | ast.AugAssign):
                continue
            names, targets = set(_read_as_values(value)), _assigned(one)
            if isinstance(one, ast.AugAssign):
                names |= targets
            if self._is_given(value) or not given.isdisjoint(names):
                given |= targets
            elif not batches.isdisjoint(names) or self._takes_batch(value):
                batches |= targets
                lines.add(one.lineno)
                is_changed = is_changed or not self._is_placed(value)
        return self._with_numbers(lines, inside, given) if is_changed else set()

    def _fills(self, one: ast.Expr) -> bool:
        """Whether a method changes what it is called on."""
        return isinstance(one.value, ast.Call) and dotted(one.value.func).endswith(self._facts.filling)

    def _takes_batch(self, value: ast.AST) -> bool:
        """Whether the next batch is taken out of what gives them."""
        return any(isinstance(one, ast.Call) and dotted(one.func) == "next" for one in nodes(value))

    def _with_numbers(self, lines: set[int], inside: Sequence[ast.stmt], given: Set[str]) -> set[int]:
        """The lines with those of the numbers that are computed for them."""
        found = set(lines)
        for one in reversed(inside):
            needed = {name for each in inside if each.lineno in found for name in _read(each)}
            is_plain = isinstance(one, ast.Assign) and given.isdisjoint(_read(one.value))
            if is_plain and not needed.isdisjoint(_assigned(one)):
                found.add(one.lineno)
        return found

    def _is_given(self, value: ast.AST) -> bool:
        """Whether something is called that is no function of the file or of a library: a network, mostly."""
        for call in [one for one in nodes(value) if isinstance(one, ast.Call)]:
            name = dotted(call.func)
            first = name.partition(".")[0]
            given = {dotted(one) for one in [*call.args, *[each.value for each in call.keywords]]}
            if any(map(self._facts.is_network, given | {name.rpartition(".")[0]})):
                return True
            is_method = "." in name and not name.startswith("self.")
            if not name or is_method or name in self._own or first in self._own:
                continue
            if not self._facts.is_builtin(name):
                return True
        return False

    def _is_placed(self, value: ast.AST) -> bool:
        """Whether a batch is only taken apart, or put where the network is."""
        if isinstance(value, ast.Tuple | ast.List):
            return all(map(self._is_placed, value.elts))
        if isinstance(value, ast.Subscript):
            is_part = isinstance(value.slice, ast.Constant)
            return is_part and self._is_placed(value.value)
        if isinstance(value, ast.Call):
            name = dotted(value.func).rpartition(".")[2]
            inner = value.func.value if isinstance(value.func, ast.Attribute) else None
            inside = [one for one in (inner, *value.args[:1]) if one is not None]
            return self._facts.only_places(name) and any(map(self._is_placed, inside))
        if isinstance(value, ast.IfExp):
            return self._is_placed(value.body) and self._is_placed(value.orelse)
        if isinstance(value, ast.ListComp | ast.GeneratorExp):
            return self._is_placed(value.elt)
        return isinstance(value, ast.Name | ast.Attribute | ast.Constant)


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements below a node, but for those of functions in it."""
    for child in children(node):
        if isinstance(child, _Function | ast.ClassDef | ast.expr):
            continue
        if isinstance(child, ast.stmt):
            yield child
        yield from _statements(child)


def _read_plainly(one: ast.stmt) -> Iterator[str]:
    """The names in a statement that has none in it."""
    if not hasattr(one, "body"):
        yield from _read(one)


def _is_number(one: ast.stmt) -> bool:
    """Whether a statement gives a plain name a number."""
    value = one.value if isinstance(one, ast.Assign) else None
    is_number = isinstance(value, ast.Constant) and isinstance(value.value, int | float)
    return is_number and isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)


def _counted_steps(region: _Region, facts: MigrationFacts) -> Iterator[tuple[int, str, str]]:
    """The steps that are taken on a condition which counts: the line, the condition and the code of each."""
    counters = {name for one in nodes(region) if isinstance(one, ast.AugAssign) for name in _assigned(one)}
    for one in [one for one in nodes(region) if isinstance(one, ast.If)]:
        test = ast.unparse(one.test)
        if "%" not in test and counters.isdisjoint(_read(one.test)):
            continue
        for each in one.body:
            call = each.value if isinstance(each, ast.Expr) else None
            if isinstance(call, ast.Call) and dotted(call.func).rpartition(".")[2] in facts.taking_steps:
                yield each.lineno, test, ast.unparse(each)


def _stored(node: ast.AST) -> Iterator[str]:
    """The names that a target gives a value, be it an entry or an attribute of theirs."""
    for one in nodes(node):
        if isinstance(one, ast.Name):
            yield one.id
        elif isinstance(one, ast.Attribute) and dotted(one).startswith("self."):
            yield dotted(one)


def _assigned(one: ast.stmt) -> set[str]:
    targets: Iterable[ast.AST] = ()
    if isinstance(one, ast.Assign):
        targets = one.targets
    elif isinstance(one, ast.AugAssign | ast.AnnAssign | ast.For | ast.AsyncFor):
        targets = [one.target]
    elif isinstance(one, ast.With | ast.AsyncWith):
        targets = [each.optional_vars for each in one.items if each.optional_vars is not None]
    names: set[str] = set()
    for target in targets:
        for each in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
            owner = each
            while isinstance(owner, ast.Subscript | ast.Starred):
                owner = owner.value
            names.update([dotted(owner)] if dotted(owner).startswith("self.") else _roots(owner))
    return names


def _roots(node: ast.AST) -> Iterator[str]:
    for one in nodes(node):
        if isinstance(one, ast.Name):
            yield one.id


def _read(node: ast.AST) -> Iterator[str]:
    """The names that a node reads: attributes of an object with it, else the first name."""
    if isinstance(node, ast.For | ast.AsyncFor):
        node = node.iter
    elif isinstance(node, ast.With | ast.AsyncWith):
        node = ast.Tuple([one.context_expr for one in node.items], ast.Load())
    for one in nodes(node):
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == "self":
            yield dotted(one)
        elif isinstance(one, ast.Name) and one.id != "self":
            yield one.id


def _owner(node: ast.AST) -> str:
    """What the calls and attributes of a chain begin with: a name, or an attribute of the object; empty where
    they begin with something else."""
    while not isinstance(node, ast.Name):
        if dotted(node).startswith("self.") and dotted(node).count(".") == 1:
            return dotted(node)
        below = node.func if isinstance(node, ast.Call) else getattr(node, "value", None)
        if not isinstance(below, ast.AST):
            return ""
        node = below
    return node.id


def _read_as_values(node: ast.AST) -> Iterator[str]:
    """The names that a node reads, but for what it only asks how large that is."""
    if isinstance(node, ast.Attribute) and node.attr in _OF_SIZE:
        return
    if isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] in _OF_SIZE:
        return
    if isinstance(node, ast.Name) and node.id != "self":
        yield node.id
    elif isinstance(node, ast.Attribute) and dotted(node).startswith("self."):
        yield dotted(node)
    else:
        for child in children(node):
            yield from _read_as_values(child)


class _Choosing(ast.NodeTransformer):
    """Keeps the statements of some lines alone, with what is around them."""

    def __init__(self, lines: Set[int]) -> None:
        self._lines = lines

    def visit(self, node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.expr) or not isinstance(node, ast.stmt | ast.ExceptHandler):
            return node
        is_around = hasattr(node, "body")
        if not is_around:
            return node if node.lineno in self._lines else None
        self.generic_visit(node)
        handlers = [one for one in getattr(node, "handlers", []) if one.body]
        if isinstance(node, ast.Try):
            node.handlers = handlers or [ast.ExceptHandler(None, None, [ast.Pass()])]
        body, other = getattr(node, "body", []), getattr(node, "orelse", [])
        if not body and other and isinstance(node, ast.If):
            node.test, node.body, node.orelse = ast.UnaryOp(ast.Not(), node.test), other, []
        elif not body and isinstance(node, _WITH_ELSE):
            node.body = [ast.Pass()]
        return node if body or other else None


class _Deciding(ast.NodeTransformer):
    """Drops the branches that never run, by what is known of their conditions."""

    def __init__(self, truth: Callable[[str], bool | None]) -> None:
        self._truth = truth

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        holds = self._truth(ast.unparse(node.test))
        if holds is None:
            return node
        return (node.body if holds else node.orelse) or [ast.Pass()]

    def visit(self, node: ast.AST) -> Any:
        """Leaves out what is empty then."""
        found = super().visit(node)
        for name in ("body", "orelse"):
            inside = getattr(node, name, None)
            if isinstance(inside, list) and any(not isinstance(one, ast.Pass) for one in inside):
                setattr(node, name, [one for one in inside if not isinstance(one, ast.Pass)])
        return found


def without_branches(code: str, truth: Callable[[str], bool | None]) -> str:
    """The code of a function without the branches that never run; the same where there are none."""
    tree = parsed(code) if "if " in code and not code.endswith(_ENDING) else None
    if tree is None:
        return code
    before = ast.unparse(tree)
    after = ast.unparse(ast.fix_missing_locations(_Deciding(truth).visit(tree)))
    return code if after == before else after
