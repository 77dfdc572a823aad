"""Batches that code takes out of data itself, without a loader."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from mindport.report.analysis.trees import nodes

if TYPE_CHECKING:
    from mindport.catalog.migration_facts import MigrationFacts
    from mindport.report.analysis.file_code import Named

_CUT: Final = re.compile(r"\[[^\]]*:[^\]]*\]")
_ONE: Final = "1"
_SAMPLE: Final = "sample"
_ORDER: Final = re.compile(r"\b(?:permutation|randperm)\(")


def cut_size(statement: str) -> str:
    """What is added to where a batch begins to get where it ends: `B` of `x[i:i + B]` and of
    `x[i * B:(i + 1) * B]`. Empty where nothing is cut like this."""
    if not _CUT.search(statement):
        return ""
    try:
        tree = ast.parse(statement)
    except (SyntaxError, ValueError):
        return ""
    cuts = [one for one in nodes(tree) if isinstance(one, ast.Subscript)]
    return next((size for one in cuts if isinstance(one.slice, ast.Slice) for size in _sizes(one)), "")


def _sizes(cut: ast.Subscript) -> Iterator[str]:
    if not isinstance(cut.slice, ast.Slice):
        return
    lower, upper = _number(cut.slice.lower), _number(cut.slice.upper)
    if lower is None and upper is not None and _ORDER.search(ast.unparse(cut.value)):
        yield ast.unparse(upper)  # the first of an order that is drawn
    if isinstance(upper, ast.Call) and isinstance(upper.func, ast.Name) and upper.func.id == "min":
        uppers: list[ast.expr | None] = list(upper.args)
    else:
        uppers = [upper]
    for one in uppers:
        if lower is None or not isinstance(one, ast.BinOp):
            continue
        if isinstance(one.op, ast.Add):
            yield from _rest(lower, one)
        if isinstance(one.op, ast.Mult) and isinstance(lower, ast.BinOp) and isinstance(lower.op, ast.Mult):
            same = {ast.dump(side) for side in (lower.left, lower.right)}
            yield from [ast.unparse(side) for side in (one.left, one.right) if ast.dump(side) in same]


def _rest(lower: ast.expr, upper: ast.expr) -> Iterator[str]:
    """What is added to one bound to get the other, where that is one name or number more than one."""
    begin = Counter(map(ast.unparse, _added(lower)))
    end = Counter(map(ast.unparse, _added(upper)))
    more = list((end - begin).elements())
    if not begin - end and len(more) == 1 and more != [_ONE]:
        yield more[0]


def _added(expression: ast.expr) -> Iterator[ast.expr]:
    """What a sum is made of."""
    if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.Add):
        yield from _added(expression.left)
        yield from _added(expression.right)
    else:
        yield expression


def _number(bound: ast.expr | None) -> ast.expr | None:
    """What a bound is without `int(…)` around it."""
    if isinstance(bound, ast.Call) and isinstance(bound.func, ast.Name) and bound.func.id in ("int", "round"):
        return bound.args[0] if bound.args else bound
    return bound


def draws_batch(call: Named, given: Sequence[str], facts: MigrationFacts) -> bool:
    """Whether a call that is given the size of a batch draws one: out of a store of what was seen, or the
    places of samples among all."""
    owner, _, last = call.name.rpartition(".")
    if last.startswith(_SAMPLE):
        return facts.is_store(owner) or (owner == "random" and len(given) > 1)
    return facts.draws(last) and any(map(facts.counts_samples, given))
