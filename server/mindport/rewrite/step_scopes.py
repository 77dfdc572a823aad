"""The names that go into and come out of the function that a training step's forward pass becomes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mindport.rewrite.step_names import bound, exposed, operands, read
from mindport.rewrite.step_statements import blocks_in

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class StepBlock:
    """A block of statements with what it is in: `outer` is the block of the statement around it, `place` that
    statement's number there."""

    statements: list[ast.stmt]
    names: tuple[str, ...]
    function: Function | None
    owner: ast.AST
    outer: StepBlock | None = None
    place: int = 0
    is_of_class: bool = False

    @property
    def is_loop_body(self) -> bool:
        """Whether it is run again and again."""
        return (
            isinstance(self.owner, (ast.For, ast.AsyncFor, ast.While)) and self.statements is self.owner.body
        )

    def chain(self) -> Iterator[StepBlock]:
        """The block, and those around it, up to that of the function."""
        block: StepBlock | None = self
        while block is not None:
            yield block
            block = block.outer


def bound_in_loops(block: StepBlock) -> set[str]:
    """The names that the loops around a block bind."""
    loops = [each.owner for each in block.chain() if each.is_loop_body]
    return set[str]().union(*(bound(each) for each in loops))


def names_of_step(
    block: StepBlock, first: int, last: int, loss: ast.expr
) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The names that the function is given, and those that it gives back beside the loss; None where one
    might not be bound."""
    inside = block.statements[first : last + 1]
    own = set[str]().union(*(bound(each) for each in inside))
    reads, surely = exposed(inside)
    late, _ = exposed([ast.Expr(loss)], surely)
    reads |= late
    captured = _captured(block, inside)
    if own & (_declared(block) | captured) or _reads_scopes(block.function):
        return None
    if _bound_anew(block, first) & captured:  # the loss may be computed from it, out of sight
        return None
    rebound = reads & own
    if not rebound <= _surely_before(block, first):
        return None
    live = own & _read_afterwards(block, last)
    if block.function is None:
        live = own
    if not live <= surely | rebound:
        return None
    looped = bound_in_loops(block)
    local = looped if looped else arguments(block.function) | bound_in(block)
    plain = operands([*inside, ast.Expr(loss)])
    given = [
        name
        for name in _in_order(inside, loss)
        if name in reads and (name in rebound or name in plain & local)
    ]
    loss_name = loss.id if isinstance(loss, ast.Name) else None
    kept = [name for name in _in_order(inside, loss, stored=True) if name in live and name != loss_name]
    return tuple(given), tuple(kept)


def _in_order(statements: Iterable[ast.AST], loss: ast.expr, stored: bool = False) -> list[str]:
    """Names in the order that they are first read in, or bound."""
    found = [
        (each.lineno, each.col_offset, each.id)
        for statement in [*statements, loss]
        for each in ast.walk(statement)
        if isinstance(each, ast.Name) and (not stored or not isinstance(each.ctx, ast.Load))
    ]
    return list(dict.fromkeys(name for _, _, name in sorted(found)))


def _bound_anew(block: StepBlock, first: int) -> set[str]:
    """The names that are bound in front of a statement of a loop's body, each time."""
    before = block.statements[:first] if block.is_loop_body else []
    return set[str]().union(*(bound(each) for each in before))


def _declared(block: StepBlock) -> set[str]:
    """The names that the function of a block says are bound elsewhere."""
    nodes = ast.walk(block.function) if block.function is not None else iter(())
    return {name for each in nodes if isinstance(each, (ast.Global, ast.Nonlocal)) for name in each.names}


def _reads_scopes(function: Function | None) -> bool:
    """Whether a function asks for all its names at once."""
    names = (each.id for each in ast.walk(function or ast.Pass()) if isinstance(each, ast.Name))
    return not {"locals", "vars", "eval", "exec"}.isdisjoint(names)


def arguments(function: Function | None) -> set[str]:
    if function is None:
        return set()
    return {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}


def bound_in(block: StepBlock) -> set[str]:
    if block.function is None:
        return set()
    return set[str]().union(*(bound(each) for each in block.function.body))


def _surely_before(block: StepBlock, first: int) -> set[str]:
    """The names that are surely bound before a statement of a block."""
    found = set(arguments(block.function))
    place = first
    for each in block.chain():
        _, known = exposed(each.statements[:place])
        found |= known
        if isinstance(each.owner, (ast.For, ast.AsyncFor)) and each.is_loop_body:
            found |= bound(each.owner.target)
        if isinstance(each.owner, (ast.With, ast.AsyncWith)):
            found = found.union(*(bound(item) for item in each.owner.items))
        place = each.place
    return found


def _read_afterwards(block: StepBlock, last: int) -> set[str]:
    """The names that may be read after a statement of a block as they are bound there."""
    found: set[str] = set()
    place = last
    for each in block.chain():
        found |= exposed(each.statements[place + 1 :])[0]
        if each.is_loop_body:
            found |= exposed(each.statements)[0]
        if isinstance(each.owner, ast.While):
            found |= read(each.owner.test)
        if isinstance(each.owner, (ast.For, ast.AsyncFor, ast.While, ast.Try)) and each.outer is not None:
            for inner in blocks_in(each.owner):
                if inner is not each.statements:
                    found |= exposed(inner)[0]
        place = each.place
    return found


def _captured(block: StepBlock, inside: Iterable[ast.stmt]) -> set[str]:
    """The names that functions within the function of a block (or the module) read whenever they are called,
    but not those in some of its statements."""
    *_, outermost = block.chain()
    moved = {id(each) for statement in inside for each in ast.walk(statement)}
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
    nodes = (each for statement in outermost.statements for each in ast.walk(statement))
    return set[str]().union(
        *(read(each) for each in nodes if isinstance(each, kinds) and id(each) not in moved)
    )
