"""Training steps in converted code that fit `value_and_grad`.

The shape: in one block, statements that compute a loss, then `loss.backward()`, in a function (or at the top
level) that steps a known optimizer. What computes moves into a function, in its order. Whatever is not surely
that stays as it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mindport.language import Text
from mindport.rewrite import step_reasons
from mindport.rewrite.step_names import bound, read
from mindport.rewrite.step_scopes import StepBlock, arguments, bound_in, bound_in_loops, names_of_step
from mindport.rewrite.step_statements import (
    CLIPPING,
    blocks_in,
    calls_value,
    differentiated,
    fills,
    is_computed,
    last_name,
    made_of,
    only_computes,
    only_prepares,
    owner_of_parameters,
    takes_gradients,
    zeroed,
    zeroes,
)

Named = tuple[tuple[str, ...], str]
"""An optimizer: the names of the functions and classes that it is used in, and how it is spelled there."""

_OF_GRAPHS: Final = frozenset(
    {
        *("grad", "grad_fn", "retain_grad", "register_hook", "register_full_backward_hook", "create_graph"),
        *("retain_graph", "register_post_accumulate_grad_hook", "register_backward_hook"),
    }
)
"""What code names that may see gradients, or the graph, between the statements of a step."""
_MOST_SHOWN: Final = 50
"""As much of a statement is shown."""
_TO_NONE: Final = ("zero_grad()", "zero_grad(set_to_none=True)")


def sees_gradients(tree: ast.Module) -> str | None:
    """What code of PyTorch's names that shows gradients or graphs."""
    for node in ast.walk(tree):
        name = node.attr if isinstance(node, ast.Attribute) else None
        name = node.arg if isinstance(node, ast.keyword) else name
        name = node.name if isinstance(node, ast.alias) else name
        if name in _OF_GRAPHS:
            return name
    return None


def _shortened(statement: ast.stmt) -> str:
    """The first line of a statement, or its beginning."""
    line = ast.unparse(statement).partition("\n")[0]
    return line if len(line) <= _MOST_SHOWN else f"{line[:_MOST_SHOWN].rstrip()}..."


class Step(NamedTuple):
    """A training step: what moves into a function, and what stands in the place of the rest."""

    block: StepBlock
    first: int
    last: int
    """The statements of the block that move."""
    backward: ast.Expr
    loss: ast.expr
    given: tuple[str, ...]
    kept: tuple[str, ...]
    """The names that are read afterwards, but the loss's own."""
    weights: tuple[str, ...]
    """What has the parameters: optimizers and modules."""
    optimizer: ast.Expr | None
    """The optimizer's step, if it follows at once and takes the gradients."""
    zeroing: tuple[ast.stmt, ...]
    """What is not needed then."""


class StayingStep(NamedTuple):
    """A `backward` that stays, and why."""

    backward: ast.stmt
    reason: Text
    told: Mapping[str, str] = {}
    """What the reason is told with."""


@dataclass
class StepFinder:
    """Finds the training steps of a module. `optimizers` are what is known to be one."""

    tree: ast.Module
    lines: Sequence[str]
    optimizers: frozenset[Named]
    staying: list[StayingStep] = field(default_factory=list)
    """What `steps` has seen that keeps `backward`."""
    _blocks: list[StepBlock] = field(default_factory=list)

    def steps(self) -> list[Step]:
        """The steps, in the order of the text."""
        self._collect(StepBlock(self.tree.body, (), None, self.tree))
        found = [step for block in self._blocks for step in self._of_block(block)]
        return sorted(found, key=lambda step: step.backward.lineno)

    def _collect(self, block: StepBlock) -> None:
        self._blocks.append(block)
        for place, statement in enumerate(block.statements):
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names = (*block.names, statement.name)
                is_class = isinstance(statement, ast.ClassDef)
                function = None if isinstance(statement, ast.ClassDef) else statement
                self._collect(StepBlock(statement.body, names, function, statement, is_of_class=is_class))
                continue
            for inner in blocks_in(statement):
                self._collect(
                    StepBlock(inner, block.names, block.function, statement, block, place, block.is_of_class)
                )

    def _of_block(self, block: StepBlock) -> Iterator[Step]:
        if block.is_of_class or isinstance(block.function, ast.AsyncFunctionDef):
            return
        before = 0
        for number, statement in enumerate(block.statements):
            loss = differentiated(statement)
            if loss is None:
                continue
            step = self._step(block, before, number, loss)
            before = number + 1
            if isinstance(step, Step):
                yield step
            else:
                self.staying.append(step)

    def _step(self, block: StepBlock, start: int, number: int, loss: ast.expr) -> Step | StayingStep:
        backward = block.statements[number]
        region = self._region(block, start, number, loss)
        if isinstance(region, StayingStep):
            return region
        optimizers = self._stepped(block)
        if not optimizers:
            return StayingStep(backward, step_reasons.NO_OPTIMIZER)
        if not self._are_whole_lines(block, region, number):
            return StayingStep(backward, step_reasons.LINES)
        first, last = region
        names = names_of_step(block, first, last, loss)
        if names is None:
            return StayingStep(backward, step_reasons.NAMES)
        owners = self._owners(block, number, optimizers)
        if owners is None:
            return StayingStep(backward, step_reasons.WHICH_WEIGHTS)
        assert isinstance(backward, ast.Expr)
        follows = self._follows(block, number, optimizers, owners)
        zeroing = self._zeroing(block, number, first, last) if follows is not None else ()
        if not zeroing or self._both_have_comments(backward, follows):
            follows, zeroing = None, ()
        return Step(block, first, last, backward, loss, *names, owners, follows, zeroing)

    def _region(
        self, block: StepBlock, start: int, number: int, loss: ast.expr
    ) -> tuple[int, int] | StayingStep:
        """The first and the last statement that compute the loss, all between being such that they may move;
        why `backward` stays where there is none, or another one."""
        backward = block.statements[number]
        wanted, needed = read(loss), []
        for place in range(number - 1, start - 1, -1):
            statement = block.statements[place]
            if bound(statement) & wanted or fills(statement) & wanted:
                needed.append(place)
                wanted |= read(statement)
        while needed and only_prepares(block.statements[needed[-1]]):
            needed.pop()
        if not is_computed(loss):
            return StayingStep(backward, step_reasons.NOT_AN_EXPRESSION)
        needed = self._behind_clearing(block, needed) if needed else []
        if not needed:
            return StayingStep(backward, step_reasons.COMPUTED_ELSEWHERE)
        first, last = needed[-1], needed[0]
        inside = block.statements[first : last + 1]
        own = set[str]().union(*(bound(each) for each in inside))
        rest = [] if isinstance(loss, ast.Name) else block.statements[last + 1 : number]
        others = [each for each in inside if not only_computes(each, own)]
        others += [each for each in rest if not zeroes(each)]
        if others:
            told = {"statement": _shortened(others[0])}
            return StayingStep(backward, step_reasons.DOES_MORE, told)
        return first, last

    def _behind_clearing(self, block: StepBlock, needed: list[int]) -> list[int]:
        """The statements that are needed behind one that sets gradients to zero, where those before only make
        a batch: they call nothing that is a value."""
        clearing = [each for each in range(needed[-1], needed[0]) if zeroes(block.statements[each])]
        if not clearing:
            return needed
        values = arguments(block.function) | bound_in(block)
        values |= {name for each in self.tree.body if isinstance(each, ast.Assign) for name in bound(each)}
        before = [block.statements[each] for each in needed if each < clearing[-1]]
        if any(calls_value(each, values) for statement in before for each in ast.walk(statement)):
            return []
        return [each for each in needed if each > clearing[-1]]

    def _are_whole_lines(self, block: StepBlock, region: tuple[int, int], number: int) -> bool:
        """Whether statements have lines of their own, and no text goes on over a line."""
        moved = block.statements[region[0] : region[1] + 1]
        for statement in [*moved, block.statements[number]]:
            line, end = self.lines[statement.lineno - 1], self.lines[(statement.end_lineno or 0) - 1]
            head = line.encode()[: statement.col_offset].decode()
            tail = end.encode()[statement.end_col_offset :].decode().strip()
            if head.strip() or (tail and not tail.startswith("#")):
                return False
        texts = (
            each for one in moved for each in ast.walk(one) if isinstance(each, (ast.Constant, ast.JoinedStr))
        )
        return all(each.lineno == each.end_lineno for each in texts)

    def _stepped(self, block: StepBlock) -> list[str]:
        """The optimizers that are used where the block is: in the outermost loop around it, or the
        function."""
        around: ast.AST | None = None
        for each in block.chain():
            if each.is_loop_body:
                around = each.owner
        everywhere = sorted(text for names, text in self.optimizers if names == block.names)
        if around is None or len(everywhere) < 2:
            return everywhere
        used = {ast.unparse(each) for each in ast.walk(around) if isinstance(each, (ast.Name, ast.Attribute))}
        return [text for text in everywhere if text in used]

    def _owners(self, block: StepBlock, number: int, optimizers: Sequence[str]) -> tuple[str, ...] | None:
        """What has the weights that a step is about: its optimizer, others whose gradients are not cleared
        before they take a step, and modules whose gradients are clipped. None where that is not known."""
        of_class = block.names[:-1] if block.names else ()
        if any(name.startswith("self.") for name in optimizers) and any(
            names[:-1] == of_class and text not in optimizers and text.startswith("self.")
            for names, text in self.optimizers
        ):
            return None
        scope = block.function or self.tree
        if len(optimizers) > 1 and not set(optimizers).isdisjoint(bound_in_loops(block)):
            return None
        owners = [each for each in optimizers if not self._is_cleared(block, number, each, scope)] or list(
            optimizers
        )
        for call in ast.walk(scope):
            if isinstance(call, ast.Call) and CLIPPING.search(last_name(call.func)):
                clipped = owner_of_parameters(call.args[0]) if call.args else None
                if clipped is None:
                    return None
                if clipped not in owners and not any(
                    made_of(scope, each) == f"{clipped}.parameters()" for each in owners
                ):
                    owners.append(clipped)
        return tuple(owners)

    def _is_cleared(self, block: StepBlock, number: int, optimizer: str, scope: ast.AST) -> bool:
        """Whether the gradients of an optimizer's parameters are set to zero after a step of the block,
        before the optimizer takes a step."""
        names = {optimizer, (made_of(scope, optimizer) or "").removesuffix(".parameters()")}
        after = block.statements[number + 1 :] + (block.statements[:number] if block.is_loop_body else [])
        for statement in after:
            if zeroed(statement) in names:
                return True
            if any(takes_gradients(each, optimizer) for each in ast.walk(statement)):
                return False
        return False

    def _follows(
        self, block: StepBlock, number: int, optimizers: Sequence[str], owners: Sequence[str]
    ) -> ast.Expr | None:
        """The step of the optimizer, if it is the next statement."""
        after = block.statements[number + 1 : number + 2]
        if not after or len(owners) != 1 or owners[0] not in optimizers:
            return None
        statement = after[0]
        if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
            return None
        return statement if ast.unparse(statement.value) == f"{owners[0]}.step()" else None

    def _both_have_comments(self, backward: ast.stmt, follows: ast.stmt | None) -> bool:
        """Whether a comment would be lost where two statements become one."""
        both = [each for each in (backward, follows) if each is not None]
        ends = (self.lines[(each.end_lineno or 0) - 1].encode()[each.end_col_offset :] for each in both)
        return all(end.strip() for end in ends)

    def _zeroing(self, block: StepBlock, number: int, first: int, last: int) -> tuple[ast.stmt, ...]:
        """What sets the gradients of the optimizer's parameters to zero before them, on lines without a
        comment."""
        optimizer = ast.unparse(block.statements[number + 1]).removesuffix(".step()")
        found: list[ast.stmt] = []
        for place in [*range(number - 1, last, -1), *range(first - 1, -1, -1)]:
            statement = block.statements[place]
            if zeroed(statement) == optimizer and ast.unparse(statement).endswith(_TO_NONE):
                found.append(statement)
            elif not (zeroes(statement) or only_prepares(statement) or only_computes(statement, set())):
                break  # it may add to the gradients
        return tuple(found)
