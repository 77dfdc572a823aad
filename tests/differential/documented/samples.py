"""Writes PyTorch's own samples of operators as scripts: samples.py FOLDER [KIND], run by a Python that has PyTorch
and expecttest, which `torch.testing._internal` needs.

One script for each operator; `index.json` beside them names it, and a file of NumPy's beside each has the Tensors.
What is called is chosen by rule: of the samples for float32 and for int64 (where an operator takes neither, for the
first dtype of `OTHER`), those that can be written down and have no empty Tensor; of these as many as `COUNTS` says,
evenly spread. Each is called as a function, as a method and in place, where PyTorch has that. Gradients are taken of
the first result where it is float32, weighted so that no two parts of it are exchanged unseen.

KIND asks for others: `nan` and `infinite` put such values into the samples for float32, `nothing` takes those that
have an empty Tensor, and the name of a dtype takes those for it, with gradients where it is one of floating point.
`memory` asks whose memory results have: a value of each is changed, and what became of the result and of the
arguments is kept; `memory_in_graph` does so where gradients of gradients are taken. `changed` changes an argument in
place between a call and its gradients, which PyTorch allows where they do not need it. `second` takes gradients of
gradients. `large` has whole numbers of which single precision has no two neighbours. `strided` has Tensors whose values
do not lie side by side in memory.
"""

from __future__ import annotations

import ast
import functools
import json
import os
import random
import signal
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.testing._internal.common_methods_invocations import op_db

COUNTS = {torch.float32: 4, torch.int64: 2}
OTHER = (torch.bool, torch.complex64)
KINDS = ("nan", "infinite", "nothing", "memory", "memory_in_graph", "changed", "second", "large", "strided")
_LARGEST = 20_000
_FACTOR = 2**33 + 1
_FEWEST = 4
"""An array of fewer values gets no NaN."""
_SECONDS = 60
UNINITIALIZED = ("empty", "resize")
"""Parts of the names of operators whose values mean nothing."""

PRELUDE = """import numpy as np
import torch
data = np.load({file!r})
"""


OF_GRAPH = """start = torch.ones(2, requires_grad=True)
slope = torch.autograd.grad((start ** 2).sum(), start, create_graph=True)
"""


class UnwritableError(Exception):
    """An argument that cannot be written down."""


class Script:
    """The calls of one operator, and the Tensors that they take."""

    def __init__(self, kind: str = "") -> None:
        self.kind = kind
        self.arrays: dict[str, np.ndarray[Any, Any]] = {}
        self.lines: list[str] = []
        self.calls = 0

    def add(self, operator: Any, sample: Any) -> None:
        """Call an operator with a sample in every form that PyTorch has."""
        tensors: dict[str, np.ndarray[Any, Any]] = {}
        given = [self.written(value, tensors) for value in (sample.input, *sample.args)]
        named = [f"{name}={self.written(value, tensors)}" for name, value in sample.kwargs.items()]
        if sum(values.size for values in tensors.values()) > _LARGEST:
            raise UnwritableError
        self.arrays |= tensors
        self.lines += [self.made(name, values) for name, values in tensors.items()]
        first, *others = given
        rest = ", ".join([*others, *named])
        is_method = isinstance(sample.input, torch.Tensor)
        if function_named(operator.name) is not None:
            self.call(f"torch.{operator.name}({', '.join([first, *others, *named])})", tensors, operator)
        if is_method and hasattr(torch.Tensor, operator.name):
            self.call(f"{first}.{operator.name}({rest})", tensors, operator)
        if is_method and hasattr(torch.Tensor, f"{operator.name}_"):
            self.call(f"{first}.clone().{operator.name}_({rest})", tensors, None)

    def made(self, name: str, values: np.ndarray[Any, Any]) -> str:
        """The line that makes a Tensor of an array."""
        tensor = f"torch.tensor(data[{name!r}])"
        if self.kind != "strided" or not values.size or not values.ndim:
            return f"{name} = {tensor}"
        if values.ndim == 1:
            self.arrays[name] = values.repeat(2)
            return f"{name} = {tensor}[::2]"
        self.arrays[name] = values.T.copy()
        return f"{name} = {tensor}.permute({', '.join(map(str, reversed(range(values.ndim))))})"

    def written(self, value: Any, tensors: dict[str, np.ndarray[Any, Any]]) -> str:
        """A value as source. Raises UnwritableError where it has none."""
        if isinstance(value, torch.Tensor):
            is_left_out = not value.numel() and self.kind != "nothing"
            if is_left_out or value.layout != torch.strided or value.dtype == torch.bfloat16:
                raise UnwritableError
            name = f"x{len(self.arrays) + len(tensors) + 1}"
            tensors[name] = value.detach().resolve_conj().resolve_neg().numpy().copy()
            if self.kind == "large" and tensors[name].dtype == np.int64:
                tensors[name] *= _FACTOR
            if self.kind in ("nan", "infinite"):
                put_values(tensors[name], self.kind, len(self.arrays) + len(tensors))
            return name
        if isinstance(value, tuple | list):
            parts = [self.written(part, tensors) for part in value]
            return (
                f"[{', '.join(parts)}]"
                if isinstance(value, list)
                else f"({''.join(f'{p}, ' for p in parts)})"
            )
        if isinstance(value, slice):
            parts = [self.written(part, tensors) for part in (value.start, value.stop, value.step)]
            return f"slice({', '.join(parts)})"
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, float) and not np.isfinite(value):
            return f"float('{value}')"
        if (
            value is None
            or value is ...
            or isinstance(value, bool | int | float | complex | str | torch.dtype)
        ):
            return repr(value) if value is not ... else "..."
        raise UnwritableError

    def call(self, source: str, tensors: dict[str, np.ndarray[Any, Any]], operator: Any) -> None:
        """A call whose result gets a name, with its gradients if `operator` is given and has some."""
        if self.kind.startswith("memory"):
            self.with_result_changed(source, tensors)
            return
        if self.kind == "second":
            if operator and operator.supports_gradgrad:
                self.with_second_gradients(source, tensors)
            return
        if self.kind == "changed":
            if operator and operator.supports_autograd:
                self.with_arguments_changed(source, tensors)
            return
        dtype = dtype_of(self.kind)
        has_gradient = operator and operator.supports_autograd and dtype.is_floating_point
        leaves = with_gradient(source, tensors, dtype) if has_gradient else ([], False)
        names, is_part = leaves
        self.calls += 1
        result = f"result{self.calls}"
        self.lines += [f"{name}.requires_grad_()" for name in names]
        self.lines.append(f"{result} = {source}")
        if names:
            of = f"{result}[0]" if is_part else result
            self.lines.append(f"weights = torch.linspace(0.5, 1.5, {of}.numel()).reshape({of}.shape)")
            self.lines.append(
                f"gradients{self.calls} = torch.autograd.grad(({of} * weights).sum(), [{', '.join(names)}])"
            )

    def with_result_changed(self, source: str, tensors: dict[str, np.ndarray[Any, Any]]) -> None:
        """A call after which a value of its first result is changed."""
        result = first_result(source, tensors)
        if result is None or not result.numel():
            return
        self.calls += 1
        for name, values in tensors.items():
            given = f"torch.tensor(data[{name!r}])"
            is_in_graph = self.kind == "memory_in_graph" and values.dtype == np.float32
            self.lines.append(
                f"{name} = {given}.requires_grad_() * 1" if is_in_graph else f"{name} = {given}"
            )
        name = f"result{self.calls}"
        self.lines.append(f"{name} = ({source}){result.part}")
        place = ", ".join("0" * result.ndim) or "..."
        is_truth = result.dtype == torch.bool
        self.lines.append(f"{name}[{place}] = {f'~{name}[{place}]' if is_truth else f'{name}[{place}] + 7'}")
        self.lines.append(f"results{self.calls} = [{', '.join(f'{each}.clone()' for each in tensors)}]")

    def with_arguments_changed(self, source: str, tensors: dict[str, np.ndarray[Any, Any]]) -> None:
        """A call with its gradients, once for each argument that has one, which is changed in between."""
        names, is_part = with_gradient(source, tensors, torch.float32)
        for changed in names:
            self.calls += 1
            number, part = self.calls, "[0]" * is_part
            for name in tensors:
                leaf = f"torch.tensor(data[{name!r}])"
                if name in names:
                    self.lines.append(f"{name}_leaf = {leaf}.requires_grad_()")
                    leaf = f"{name}_leaf * 1"
                self.lines.append(f"{name} = {leaf}")
            self.lines += [
                f"result{number} = ({source}){part}",
                "with torch.no_grad():",
                f"    {changed}.add_(7)",
                f"weights = torch.linspace(0.5, 1.5, result{number}.numel()).reshape(result{number}.shape)",
                f"gradients{number} = torch.autograd.grad((result{number} * weights).sum(), "
                f"[{', '.join(f'{name}_leaf' for name in names)}])",
            ]

    def with_second_gradients(self, source: str, tensors: dict[str, np.ndarray[Any, Any]]) -> None:
        """A call with the gradients of how large its gradients are."""
        names, is_part = with_gradient(source, tensors, torch.float32)
        if not names:
            return
        self.calls += 1
        number, of = self.calls, f"result{self.calls}" + "[0]" * is_part
        leaves = f"[{', '.join(names)}]"
        self.lines += [f"{name}.requires_grad_()" for name in names]
        self.lines += [
            f"result{number} = {source}",
            f"weights = torch.linspace(0.5, 1.5, {of}.numel()).reshape({of}.shape)",
            f"slopes = torch.autograd.grad(({of} ** 2 * weights).sum(), {leaves}, create_graph=True)",
            f"gradients{number} = torch.autograd.grad(sum((slope ** 2).sum() for slope in slopes), {leaves})",
        ]


def first_result(source: str, tensors: dict[str, np.ndarray[Any, Any]]) -> Any:
    """The first Tensor that a call gives, with how it is taken from the result as `part`; None if there is none."""
    try:
        result = eval(source, {"torch": torch, **{name: torch.tensor(v) for name, v in tensors.items()}})
    except Exception:  # noqa: BLE001 - whatever a sample raises
        return None
    part = ""
    if isinstance(result, tuple | list) and result:
        result, part = result[0], "[0]"
    if not isinstance(result, torch.Tensor):
        return None
    result.part = part
    return result


def dtype_of(kind: str) -> Any:
    """The dtype that gradients are taken of."""
    return getattr(torch, kind) if kind and kind not in KINDS else torch.float32


def put_values(values: np.ndarray[Any, Any], kind: str, number: int) -> None:
    """Put NaN or infinities into an array of floating point, at one place or, by its number, at two."""
    if values.dtype.kind != "f" or values.size < _FEWEST:
        return
    flat = values.reshape(-1)
    first, second = (np.nan, np.nan) if kind == "nan" else (-np.inf, np.inf)
    flat[flat.size // 3] = first
    if number % 2:
        flat[flat.size // 2] = second


def with_gradient(
    source: str, tensors: dict[str, np.ndarray[Any, Any]], dtype: torch.dtype
) -> tuple[list[str], bool]:
    """The Tensors of a call, of a dtype, that its first result has a gradient of, and whether there are several
    results."""
    given = {name: torch.tensor(values) for name, values in tensors.items()}
    leaves = [name for name, value in given.items() if value.dtype == dtype]
    try:
        for name in leaves:
            given[name].requires_grad_()
        result = eval(source, {"torch": torch, **given})
        is_part = isinstance(result, tuple | list)
        result = result[0] if is_part else result
        if not leaves or result.dtype != dtype or not result.requires_grad:
            return [], False
        found = torch.autograd.grad(result.sum(), [given[name] for name in leaves], allow_unused=True)
    except Exception:  # noqa: BLE001 - whatever a sample raises: it is run without gradients
        return [], False
    return [name for name, value in zip(leaves, found, strict=True) if value is not None], is_part


def function_named(name: str) -> Any:
    """The function of that name in PyTorch's modules, None if there is none."""
    try:
        return functools.reduce(getattr, name.split("."), torch)
    except AttributeError:
        return None


def counts_of(operator: Any, kind: str) -> dict[torch.dtype, int]:
    """How many samples of an operator are taken, by dtype."""
    counts = COUNTS if kind in ("", "nothing") else {dtype_of(kind): COUNTS[torch.float32]}
    counts = {torch.int64: COUNTS[torch.float32]} if kind == "large" else counts
    found = {dtype: count for dtype, count in counts.items() if dtype in operator.dtypes}
    if found or kind:
        return found
    return dict.fromkeys([dtype for dtype in OTHER if dtype in operator.dtypes][:1], 2)


def samples(operator: Any, kind: str) -> Iterator[Any]:
    """The samples that are chosen."""
    for dtype, count in counts_of(operator, kind).items():
        torch.manual_seed(0)
        np.random.seed(0)
        random.seed(0)
        signal.alarm(_SECONDS)
        try:
            every = [each for each in operator.sample_inputs("cpu", dtype) if is_taken(each, kind)]
        except Exception:  # noqa: BLE001 - an operator that needs what is not there
            every = []
        signal.alarm(0)
        yield from every[:: max(1, len(every) // count)][:count]


def is_taken(sample: Any, kind: str) -> bool:
    """Whether all arguments of a sample can be written down, and one is an empty Tensor where these are asked
    for."""
    script = Script(kind)
    try:
        for value in (sample.input, *sample.args, *sample.kwargs.values()):
            script.written(value, script.arrays)
    except UnwritableError:
        return False
    sizes = [values.size for values in script.arrays.values()]
    return sum(sizes) <= _LARGEST and (kind != "nothing" or 0 in sizes)


def write(operator: Any, kind: str, path: Path) -> None:
    """Write the script of an operator, with its Tensors beside it, if it has calls."""
    script = Script(kind)
    for sample in samples(operator, kind):
        script.add(operator, sample)
    if not script.calls:
        return
    np.savez(path.with_suffix(".npz"), **script.arrays)
    prelude = PRELUDE + OF_GRAPH * (kind == "memory_in_graph")
    text = prelude.format(file=path.with_suffix(".npz").name) + "\n".join(script.lines) + "\n"
    ast.parse(text)
    path.write_text(text, encoding="utf-8")


def main() -> None:
    """Write all scripts, each by a process of its own, which NaN may end."""
    folder, kind = Path(sys.argv[1]), "".join(sys.argv[2:])
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    signal.signal(signal.SIGALRM, _end)
    names = {}
    for number, operator in enumerate(op_db):
        name, path = operator.full_name, folder / f"example_{number:04}.py"
        if name.startswith(("_", "torch.ops.")) or any(part in name for part in UNINITIALIZED):
            continue
        if not os.fork():
            write(operator, kind, path)
            os._exit(0)
        os.wait()
        if path.exists():
            names[path.stem] = name
    (folder / "index.json").write_text(json.dumps(names), encoding="utf-8")


def _end(*_: object) -> None:
    raise TimeoutError(f"more than {_SECONDS} seconds")


if __name__ == "__main__":
    main()
