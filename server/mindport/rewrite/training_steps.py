"""Training steps as a MindSpore engineer writes them: the forward pass in a function, whose value and
gradients `value_and_grad` gives, in place of `loss.backward()`.

Before:

    optimizer.zero_grad()
    output = model(data)
    loss = criterion(output, target)
    loss.backward()
    optimizer.step()
    correct += hits(output, target)

After:

    def forward_fn(data, target):
        output = model(data)
        loss = criterion(output, target)
        return loss, output

    grad_fn = helpers.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)
    (loss, output), grads = grad_fn(data, target)
    optimizer(grads)
    correct += hits(output, target)

Where something stands between `backward` and `step` (clipping, loss scaling, accumulation, several losses),
the gradients are added to those of the parameters where `backward` was called, and all else stays as it is.
What does not fit (`mindport.rewrite.step_shapes`) keeps `backward`, which computes the same, below a comment
that says why."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.catalog.helper_table import HELPERS_MODULE
from mindport.infer.values import Certainty
from mindport.language import Text
from mindport.rewrite.edit import Edit
from mindport.rewrite.step_reasons import HAS_ARGUMENTS, NAMES, SEES_GRADIENTS
from mindport.rewrite.step_shapes import StayingStep, Step, StepFinder, sees_gradients
from mindport.rewrite.step_statements import keeps_backward

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.language import Language
    from mindport.rewrite.step_shapes import Named

VALUE_AND_GRAD: Final = "value_and_grad"
"""The helper that gives the value of a function and the gradients of weights."""
_ADD: Final = "add_gradients"
_WEIGHTS: Final = "weights_of"
_STAYS: Final = Text(
    "# NOTE(mindport): `backward` stays, which computes the same: {why}",
    "# NOTE(mindport)：保留 `backward`，计算结果相同：{why}",
)
_OPTIMIZERS: Final = "torch.optim."
_SCHEDULES: Final = ("torch.optim.lr_scheduler.", "torch.optim.swa_utils.")


class WrittenStep(NamedTuple):
    """What writes a training step of a converted text: sorted edits, the helpers that they take, and the
    names of the text that they read."""

    edits: tuple[Edit, ...]
    helpers: frozenset[str]
    names: frozenset[str]


def known_optimizers(found: FileFindings) -> frozenset[Named]:
    """The optimizers that a document uses, and where; none if it sees more of gradients than steps do."""
    uses = [placed for placed in found.findings if _is_of_optimizer(placed.finding.use.api)]
    if not any(_takes_step(placed) for placed in uses):
        return frozenset()
    try:
        tree = ast.parse(found.document.data)
    except (SyntaxError, ValueError):
        return frozenset()
    if sees_gradients(tree) is not None:
        return frozenset()
    scopes = list(_scopes(tree, ()))
    data = found.document.data
    texts = ((placed, _receiver(data, placed)) for placed in uses if _takes_step(placed))
    return frozenset(
        (_names_around(scopes, data[: placed.start].count(b"\n") + 1), text)
        for placed, text in texts
        if text is not None
    )


def _is_of_optimizer(api: str) -> bool:
    is_scaler = api.rpartition(".")[0].endswith("GradScaler")
    return is_scaler or (api.startswith(_OPTIMIZERS) and not api.startswith(_SCHEDULES))


def _takes_step(placed: PlacedFinding) -> bool:
    use = placed.finding.use
    is_sure = use.certainty is not Certainty.POSSIBLE
    return is_sure and use.call is not None and use.api.endswith((".step", ".zero_grad", ".unscale_"))


def _receiver(data: bytes, placed: PlacedFinding) -> str | None:
    """How an optimizer is spelled that takes a step; only a name or an attribute."""
    use = placed.finding.use
    written = data[placed.start : placed.end].decode().rpartition(".")[0]
    if use.api.rpartition(".")[0].endswith("GradScaler"):
        given = use.call.arguments if use.call is not None else ()
        written = given[0].source if given else ""
    parts = written.split(".")
    return written if written and all(part.isidentifier() for part in parts) else None


def _scopes(node: ast.AST, names: tuple[str, ...]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    for child in ast.iter_child_nodes(node):
        inner = names
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            inner = (*names, child.name)
            yield child.lineno, child.end_lineno or child.lineno, inner
        yield from _scopes(child, inner)


def _names_around(scopes: Iterable[tuple[int, int, tuple[str, ...]]], line: int) -> tuple[str, ...]:
    """The names of the functions and classes around a line."""
    return max((names for start, end, names in scopes if start <= line <= end), key=len, default=())


def written_steps(text: bytes, optimizers: frozenset[Named]) -> list[WrittenStep]:
    """What writes the training steps of a converted text."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    lines = text.decode().splitlines(keepends=True)
    if len(lines) != len(text.splitlines()) or b"\r" in text or b"\f" in text:
        return []
    steps = StepFinder(tree, lines, optimizers).steps()
    writer = _Writer(tree, lines, _alias(tree))
    return [writer.written(step, steps) for step in steps]


def staying_marks(text: bytes, optimizers: frozenset[Named], source: bytes, language: Language) -> list[Edit]:
    """The comments above what keeps `backward` in a converted text, that say why. `source` is the document
    that it was made of."""
    try:
        tree, seen = ast.parse(text), sees_gradients(ast.parse(source))
    except (SyntaxError, ValueError):
        return []
    lines = text.splitlines(keepends=True)
    finder = StepFinder(tree, text.decode().splitlines(keepends=True), optimizers)
    finder.steps()
    staying = {each.backward.lineno: each for each in finder.staying}
    starts = list(accumulate(map(len, lines), initial=0))
    found = []
    for statement in (each for each in ast.walk(tree) if isinstance(each, ast.Expr) and keeps_backward(each)):
        line = lines[statement.lineno - 1]
        indent = line[: statement.col_offset]
        if indent.strip():
            continue
        if seen is not None:
            step = StayingStep(statement, SEES_GRADIENTS, {"name": seen})
        else:
            has_arguments = isinstance(statement.value, ast.Call) and statement.value.keywords
            otherwise = StayingStep(statement, HAS_ARGUMENTS if has_arguments else NAMES)
            step = staying.get(statement.lineno, otherwise)
        why = step.reason.render(language, **step.told)
        end = line[len(line.rstrip(b"\r\n")) :].decode()
        mark = f"{indent.decode()}{_STAYS.render(language, why=why)}{end}"
        found.append(Edit(starts[statement.lineno - 1], starts[statement.lineno - 1], mark))
    return sorted(found)


def _alias(tree: ast.Module) -> str | None:
    """The name that the module of helpers has in a text."""
    for statement in tree.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            for one in statement.names:
                if one.name == HELPERS_MODULE:
                    return one.asname or one.name
    return None


class _Writer:
    """Writes the steps of a text. `_helpers` are those that the step needs."""

    def __init__(self, tree: ast.Module, lines: Sequence[str], alias: str | None) -> None:
        self._lines = lines
        self._alias = alias or "helpers"
        self._taken = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)}
        self._taken |= {each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)}
        functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        self._taken |= {each.name for each in ast.walk(tree) if isinstance(each, functions)}
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line.encode()))
        self._helpers: set[str] = set()

    def written(self, step: Step, steps: Sequence[Step]) -> WrittenStep:
        """What writes one of the steps."""
        self._helpers = set()
        edits = tuple(sorted(self._edits(step, steps)))
        owners = (text.partition(".")[0] for text in step.weights)
        of_loss = (each.id for each in ast.walk(step.loss) if isinstance(each, ast.Name))
        names = frozenset((*step.given, *step.kept, *owners, *of_loss))
        return WrittenStep(edits, frozenset(self._helpers), names)

    def _edits(self, step: Step, steps: Sequence[Step]) -> Iterator[Edit]:
        """The edits that write one of the steps."""
        first, last = step.block.statements[step.first], step.block.statements[step.last]
        indent = self._indent(first)
        inner = indent + ("\t" if "\t" in indent else "    ")
        function = self._free(self._function_name(step, steps))
        start, end = self._starts[first.lineno - 1], self._starts[last.end_lineno or 0]
        more = inner[len(indent) :]
        removed = list(self._removed(step))
        blank = "\n" if self._is_dense(first, removed) else ""
        yield Edit(start, start, f"{blank}{indent}def {function}({', '.join(step.given)}):\n{more}")
        for number in range(first.lineno, last.end_lineno or 0):
            if self._lines[number].strip():
                yield Edit(self._starts[number], self._starts[number], more)
        yield Edit(end, end, self._behind(step, function, indent, inner))
        yield self._in_place_of_backward(step)
        for statement in removed:
            yield Edit(self._starts[statement.lineno - 1], self._starts[statement.end_lineno or 0], "")

    def _function_name(self, step: Step, steps: Sequence[Step]) -> str:
        alike = [each for each in steps if each.block.names == step.block.names]
        if len(alike) == 1:
            return "forward_fn"
        return f"forward_{step.loss.id}" if isinstance(step.loss, ast.Name) else "forward_fn"

    def _free(self, name: str) -> str:
        while name in self._taken:
            name += "_"
        return name

    def _indent(self, statement: ast.stmt) -> str:
        return self._lines[statement.lineno - 1][: statement.col_offset]

    def _behind(self, step: Step, function: str, indent: str, inner: str) -> str:
        """What follows the statements of the function."""
        loss = self._text(step.loss)
        value = loss if isinstance(step.loss, ast.Name) else self._free(_name_of(loss))
        given_back = ", ".join([loss, *step.kept])
        result = f"({', '.join([value, *step.kept])})" if step.kept else value
        aux = ", has_aux=True" if step.kept else ""
        grad_fn, grads = self._free("grad_fn"), self._free("grads")
        self._helpers.add(VALUE_AND_GRAD)
        weights, lines = self._weights(step), [f"{inner}return {given_back}", ""]
        if weights == self._free("weights"):
            self._helpers.add(_WEIGHTS)
            lines.append(f"{indent}{weights} = {self._alias}.{_WEIGHTS}({', '.join(step.weights)})")
        made = f"{self._alias}.{VALUE_AND_GRAD}({function}, None, {weights}{aux})"
        lines += [
            f"{indent}{grad_fn} = {made}",
            f"{indent}{result}, {grads} = {grad_fn}({', '.join(step.given)})",
        ]
        return "".join(f"{line}\n" for line in lines)

    def _text(self, expression: ast.expr) -> str:
        """An expression as it is written, on one line."""
        if expression.lineno != expression.end_lineno:
            return ast.unparse(expression)
        line = self._lines[expression.lineno - 1].encode()
        return line[expression.col_offset : expression.end_col_offset].decode()

    def _weights(self, step: Step) -> str:
        return f"{step.weights[0]}.parameters" if len(step.weights) == 1 else self._free("weights")

    def _in_place_of_backward(self, step: Step) -> Edit:
        grads = self._free("grads")
        if step.optimizer is None:
            self._helpers.add(_ADD)
            return self._replaced(step.backward, f"{self._alias}.{_ADD}({self._weights(step)}, {grads})")
        place = step.backward if self._has_comment(step.backward) else step.optimizer
        return self._replaced(place, f"{step.weights[0]}({grads})")

    def _removed(self, step: Step) -> Iterator[ast.stmt]:
        """The statements that are not needed any more, but those with a comment."""
        if step.optimizer is None:
            return
        yield step.optimizer if self._has_comment(step.backward) else step.backward
        for statement in step.zeroing:
            if not self._has_comment(statement) and not self._is_explained(statement):
                yield statement

    def _replaced(self, statement: ast.stmt, text: str) -> Edit:
        start = self._starts[statement.lineno - 1] + statement.col_offset
        return Edit(
            start, self._starts[(statement.end_lineno or 0) - 1] + (statement.end_col_offset or 0), text
        )

    def _has_comment(self, statement: ast.stmt) -> bool:
        line = self._lines[(statement.end_lineno or 0) - 1].encode()
        return bool(line[statement.end_col_offset :].strip())

    def _is_dense(self, statement: ast.stmt, removed: Iterable[ast.stmt]) -> bool:
        """Whether another statement stands on the line above, once some are removed."""
        gone = {number for one in removed for number in range(one.lineno, (one.end_lineno or 0) + 1)}
        above = next((number for number in range(statement.lineno - 1, 0, -1) if number not in gone), 0)
        text = self._lines[above - 1].strip() if above else ""
        return bool(text) and not text.startswith("#") and not text.endswith(":")

    def _is_explained(self, statement: ast.stmt) -> bool:
        """Whether a comment stands above a statement."""
        above = self._lines[statement.lineno - 2].strip() if statement.lineno > 1 else ""
        return above.startswith("#")


def _name_of(loss: str) -> str:
    return "scaled_loss" if ".scale(" in loss else "total_loss"
