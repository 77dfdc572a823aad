"""Runs the operators on sparse Tensors that MindSpore has, and compares each with PyTorch on dense ones and
with what is recorded: `PYTHON scripts/sparse_operators.py [--write] [NAME...]`, with the Python that has both
frameworks.

An entry of `mapping_data/sparse/operators.json` has a `call` of MindSpore and what it has to give, written
for PyTorch with the same matrices, dense (`torch`); `values` are those of the sparse matrix, if the usual
ones will not do. What came of it stands beside it: of the call (`result`), in graph mode (`graph`), of the
gradient for the values of the sparse matrix (`gradient`; `false` where there is none to have): it is
`equal`, it `differs`, it `raises`. `needs` is a package without which it is an error, or hangs: MindSpore
compiles kernels of CSR on CPU with AKG, which imports it and does not install it. Where it is absent, those
entries are left out.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "mapping_data" / "sparse" / "operators.json"
MARK = "@@ "
"""What lines with results begin with, among all that MindSpore prints."""
NEEDED = "decorator"
ROWS, COLUMNS = [0, 1, 1], [1, 0, 2]
REPEATED = [[0, 1], [0, 1], [1, 2]]
VALUES = [0.5, 0.25, 0.75]
DENSE = [[0.5, -1.0, 2.0, 1.5], [1.0, 3.0, -0.5, 2.5], [-2.0, 0.75, 1.25, -1.5]]
OTHER = [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0], [3.0, 0.0, 0.0, 0.0]]
GRADIENTS = [[0.1, 0.2, -0.3, 0.4], [0.5, -0.6, 0.7, 0.8]]
SECONDS = 40
"""An operator that takes longer hangs, as some do without the package."""
WAYS = ("result", "graph", "gradient")


def scale_of(size: int) -> Any:
    """Numbers to weigh results with."""
    import numpy

    return numpy.cos(numpy.arange(size) + 1.0).astype("float32")


class Expected:
    """What PyTorch gives."""

    def __init__(self, values: list[float]) -> None:
        import torch

        self.torch = torch
        self.values = torch.tensor(values, requires_grad=True)

    def names(self) -> dict[str, Any]:
        """What the expression for PyTorch is made of."""
        torch = self.torch
        rows, columns = torch.tensor(ROWS), torch.tensor(COLUMNS)
        sparse = torch.zeros(3, 4).index_put((rows, columns), self.values)
        repeated = torch.tensor(REPEATED).T
        present = torch.zeros(3, 4, dtype=torch.bool).index_put((rows, columns), torch.tensor(True))
        dense = torch.tensor(DENSE)

        def adam(start: Any, gradients: Any) -> Any:
            parameter = torch.nn.Parameter(start.clone())
            optimizer = torch.optim.SparseAdam([parameter], lr=0.1)
            parameter.grad = torch.sparse_coo_tensor(torch.tensor([[0, 2]]), gradients, (3, 4))
            optimizer.step()
            return parameter.detach()

        return {
            "torch": torch,
            "F": torch.nn.functional,
            "sparse": sparse,
            "values": self.values,
            "rows": rows,
            "columns": columns,
            "places": torch.tensor([ROWS, COLUMNS]).T,
            "other": torch.tensor(OTHER),
            "dense": dense,
            "matrix": dense.T.contiguous(),
            "column": dense.T.contiguous()[:, :1],
            "row_values": torch.tensor(GRADIENTS),
            "row_gradients": torch.tensor(GRADIENTS),
            "repeated": torch.zeros(3, 4).index_put(tuple(repeated), self.values, accumulate=True),
            "kept": lambda result: torch.where(present, result, torch.zeros_like(result)),
            "softmax": lambda matrix: torch.softmax(
                matrix.masked_fill(~present, float("-inf")), 1
            ).nan_to_num(),
            "adam": adam,
        }

    def of(self, expression: str) -> tuple[Any, Any]:
        """The result, and the gradient of its weighed sum."""
        torch = self.torch
        result = eval(expression, self.names())
        if not isinstance(result, torch.Tensor) or not result.requires_grad:
            return plain(result), None
        weights = torch.from_numpy(scale_of(result.numel())).reshape(result.shape)
        found = torch.autograd.grad((result * weights).sum(), self.values)[0]
        return plain(result), plain(found)


class Given:
    """What MindSpore gives."""

    count = 0

    def __init__(self, values: list[float], expression: str) -> None:
        import mindspore
        from mindspore import mint, nn, ops

        self.ms = mindspore
        self.start = mindspore.Tensor(values, mindspore.float32)
        self.code = compile(expression, "<operator>", "eval")
        self.fixed = {"ms": mindspore, "mint": mint, "nn": nn, "ops": ops, "Tensor": mindspore.Tensor}
        self.fixed |= {"COOTensor": mindspore.COOTensor, "CSRTensor": mindspore.CSRTensor}
        self.expression = expression

    def names(self) -> dict[str, Any]:
        """What the call is made of, but for the sparse matrices with the values."""
        import numpy

        ms, tensor = self.ms, self.ms.Tensor
        dense = tensor(DENSE, ms.float32)
        matrix = tensor(numpy.ascontiguousarray(numpy.array(DENSE, "float32").T))
        index = ms.int32 if re.search("csr|indptr", self.expression, re.IGNORECASE) else ms.int64
        gradients = tensor(GRADIENTS, ms.float32)

        def parameter(start: Any, name: str) -> Any:
            return ms.Parameter(tensor(numpy.array(start, "float32")), name=name)

        def changed(change: Callable[[Any], object]) -> Any:
            made = parameter(DENSE, "w")
            change(made)
            return tensor(made.asnumpy())

        def spread(rows: Any) -> Any:
            whole = numpy.zeros((3, 4), "float32")
            whole[[0, 2]] = rows.asnumpy()
            return tensor(whole)

        return {
            **self.fixed,
            "indices": tensor([list(pair) for pair in zip(ROWS, COLUMNS, strict=True)], index),
            "indptr": tensor([0, 1, 3, 3], ms.int32),
            "columns": tensor(COLUMNS, ms.int32),
            "repeated": tensor(REPEATED, ms.int64),
            "dense": dense,
            "matrix": matrix,
            "column": matrix[:, :1],
            "rows": tensor([0, 2], ms.int32),
            "row_values": gradients,
            "row_gradients": gradients,
            "matrix_csr": self.csr_of(matrix.asnumpy()),
            "other_csr": self.csr_of(numpy.array(OTHER, "float32")),
            "other_coo": ms.COOTensor(
                tensor(numpy.argwhere(numpy.array(OTHER)), index), tensor([1.0, 2.0, 3.0], ms.float32), (3, 4)
            ),
            "accumulator": parameter(numpy.ones((3, 4)), "a"),
            "linear": parameter(numpy.zeros((3, 4)), "l"),
            "second_linear": parameter(numpy.zeros((3, 4)), "m"),
            "number": lambda value: tensor(value, ms.float32),
            "changed": changed,
            "spread": spread,
        }

    def csr_of(self, matrix: Any) -> Any:
        """A matrix in the format CSR."""
        import numpy

        ms = self.ms
        ends = numpy.concatenate([[0], numpy.cumsum((matrix != 0).sum(1))])
        places = numpy.nonzero(matrix)
        made = (ends.astype("int32"), places[1].astype("int32"), matrix[places])
        return ms.CSRTensor(*map(ms.Tensor, made), matrix.shape)

    def run(self) -> Callable[[Any], Any]:
        """The call, as a function of the values."""
        lines = ["def run(values):"]
        if re.search(r"\bcoo\b", self.expression):
            lines.append("    coo = COOTensor(indices, values, (3, 4))")
        if re.search(r"\bcsr\b", self.expression):
            lines.append("    csr = CSRTensor(indptr, columns, values, (3, 4))")
        lines.append(f"    return {self.expression}")
        Given.count += 1
        path = Path.cwd() / f"operator_{Given.count}.py"  # the compiler of graphs reads the source
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        vars(module).update(self.names())
        sys.modules[path.stem] = module
        spec.loader.exec_module(module)
        run: Callable[[Any], Any] = module.run
        return run

    def gradient(self) -> Any:
        """The gradient of the weighed sum of the result."""
        ms, run = self.ms, self.run()

        def total(values: Any) -> Any:
            result = run(values)
            dense = result if isinstance(result, ms.Tensor) else result.to_dense()
            weights = ms.Tensor(scale_of(dense.size).reshape(dense.shape))
            return (dense * weights.astype(dense.dtype)).sum()

        return plain(ms.grad(total)(self.start))


def plain(value: Any) -> Any:
    """A result as NumPy and Python have it; what is sparse, dense."""
    import numpy

    if hasattr(value, "detach"):
        return value.detach().numpy()
    name = type(value).__name__
    if name == "COOTensor":
        made = numpy.zeros(value.shape, value.values.asnumpy().dtype)
        numpy.add.at(made, tuple(value.indices.asnumpy().T), value.values.asnumpy())
        return made
    if name == "CSRTensor":
        return plain_csr(value.indptr.asnumpy(), value.indices.asnumpy(), value.values.asnumpy(), value.shape)
    return value.asnumpy() if hasattr(value, "asnumpy") else value


def plain_csr(ends: Any, columns: Any, values: Any, shape: Any) -> Any:
    """A matrix in the format CSR as a dense array."""
    import numpy

    made = numpy.zeros(shape, values.dtype)
    for row in range(shape[0]):
        for place in range(ends[row], ends[row + 1]):
            made[row, columns[place]] = values[place]
    return made


def difference(expected: Any, found: Any) -> str:
    """How a result differs; nothing if it does not. Which integers they are does not count."""
    import numpy

    if not isinstance(expected, numpy.ndarray):
        same = found == expected or (isinstance(expected, tuple) and tuple(found) == expected)
        return "" if same else f"{found!r} instead of {expected!r}"
    if type(found).__name__ == "tuple":  # in graph mode: the parts of a sparse Tensor
        return difference(expected, from_parts([plain(one) for one in found]))
    if not isinstance(found, numpy.ndarray) or found.shape != expected.shape:
        return f"{getattr(found, 'shape', found)} instead of {expected.shape}"
    if (found.dtype.kind, expected.dtype.kind) != (expected.dtype.kind, found.dtype.kind):
        return f"{found.dtype} instead of {expected.dtype}"
    close = numpy.allclose(found, expected, rtol=1e-4, atol=1e-5, equal_nan=True)
    return "" if close else f"{found.ravel()[:4]} instead of {expected.ravel()[:4]}"


def from_parts(parts: list[Any]) -> Any:
    """A sparse matrix from what graph mode makes of it: a tuple."""
    import numpy

    if len(parts) == 4:
        return plain_csr(*parts)
    made = numpy.zeros(parts[2], parts[1].dtype)
    numpy.add.at(made, tuple(parts[0].T), parts[1])
    return made


def measured(entry: dict[str, Any]) -> dict[str, str]:
    """What came of an operator."""
    import mindspore

    values = entry.get("values", VALUES)
    expected, expected_gradient = Expected(values).of(entry["torch"])
    record: dict[str, str] = {}
    for way in WAYS:
        if way == "graph" and "changed(" in entry["call"]:  # it makes a parameter, which no graph can
            continue
        if way == "gradient" and (entry.get("gradient") is False or expected_gradient is None):
            continue
        try:
            given = Given(values, entry["call"])
            if way == "gradient":
                found = difference(expected_gradient, given.gradient())
            else:
                run = given.run()
                found = difference(
                    expected, plain((mindspore.jit(run) if way == "graph" else run)(given.start))
                )
            record[way] = "differs" if found else "equal"
        except Exception as error:  # noqa: BLE001 — whatever is raised is what is asked for
            record[way] = "raises"
            found = f"{type(error).__name__}: {error}"
        if found and way == "result":
            record["detail"] = first_of(found)
    return record


def first_of(message: str) -> str:
    """What comes first in a message, which may have rules of dashes before and after, without folders."""
    told = [one.strip() for one in re.split("-{4,}", re.sub(r"/\S*/", "", message))]
    kept = [one for one in told if re.sub(r"\w+Error:", "", one).strip()]
    return re.sub(r"\s+", " ", kept[0])[:160].strip() if kept else ""


def work(numbers: list[int]) -> None:
    """Print what came of these entries, a line each."""
    import mindspore

    mindspore.set_device("CPU")
    mindspore.runtime.launch_blocking()
    entries = read()["operators"]
    for number in numbers:
        signal.alarm(SECONDS)
        print(MARK + json.dumps([number, measured(entries[number])]), flush=True)


def results(numbers: list[int], environment: dict[str, str]) -> Iterator[tuple[int, dict[str, str]]]:
    """What came of entries; one at which the process ends `raises`."""
    waiting = list(numbers)
    with tempfile.TemporaryDirectory() as folder:
        while waiting:
            command = [sys.executable, __file__, "--work", *map(str, waiting)]
            done = subprocess.run(
                command, capture_output=True, text=True, check=False, cwd=folder, env=environment
            )
            lines = [line for line in done.stdout.splitlines() if line.startswith(MARK)]
            yield from (json.loads(line.removeprefix(MARK)) for line in lines)
            waiting = waiting[len(lines) :]
            if waiting:
                yield waiting.pop(0), {"result": "raises", "detail": f"the process ended ({done.returncode})"}


def read() -> dict[str, Any]:
    """The file of operators."""
    data: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    return data


def without_package(folder: str) -> dict[str, str]:
    """An environment in which the package is absent."""
    (Path(folder) / f"{NEEDED}.py").write_text(f"raise ImportError('no {NEEDED}')\n", encoding="utf-8")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])}


def main(arguments: list[str]) -> int:
    """Compare, or write."""
    names = [one for one in arguments if not one.startswith("--")]
    if "--work" in arguments:
        work([int(one) for one in names])
        return 0
    data, problems = read(), []
    entries = data["operators"]
    is_there = importlib.util.find_spec(NEEDED) is not None
    if "--write" in arguments and not is_there:
        print(f"install {NEEDED} first")
        return 1
    wanted = [n for n, one in enumerate(entries) if not names or one["name"] in names]
    wanted = [n for n in wanted if is_there or "needs" not in entries[n]]
    found = dict(results(wanted, dict(os.environ)))
    lacking: dict[int, dict[str, str]] = {}
    if "--write" in arguments:
        with tempfile.TemporaryDirectory() as folder:
            on_rows = [number for number in wanted if "csr" in entries[number]["call"].lower()]
            lacking = dict(results(on_rows, without_package(folder)))
    for number, record in found.items():
        entry = entries[number]
        if any(entry.get(way, None) not in (record.get(way), False) for way in WAYS):
            known = {way: entry.get(way) for way in WAYS}
            problems.append(f"{entry['call']}: {record}, recorded is {known}")
        if "--write" in arguments:
            kept = {key: entry[key] for key in ("name", "call", "torch", "values") if key in entry}
            if entry.get("gradient") is False:
                kept["gradient"] = False
            without = lacking.get(number, record)
            is_needed = any(record.get(way) != without.get(way) for way in WAYS)
            entries[number] = {**kept, **record, **({"needs": NEEDED} if is_needed else {})}
    if "--write" in arguments:
        data["mindspore"] = metadata.version("mindspore")
        DATA.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print("\n".join([*problems, f"{len(problems)} problems with MindSpore {metadata.version('mindspore')}"]))
    return 1 if problems and "--write" not in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
