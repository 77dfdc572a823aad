"""Run the templates and the code of curated entries against torch on CPU.

    python scripts/try_entries.py torch.addcdiv
    python scripts/try_entries.py torch.addcdiv "f(2,3), f(2,3), f(2,3), value=2.0"
    python scripts/try_entries.py --file torch.special.json

Needs torch and MindSpore in one environment. Arguments may be given as Python; `f`, `p`, `i`, `b`, `c` make a
float, positive, int, bool and complex tensor of a shape, and the receiver of a method comes first. Without
them arguments are guessed from the names of parameters. Prints one line per entry and call: `equal` with the
largest difference, or what is wrong.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("GLOG_v", "3")

import mindspore
import numpy
import torch

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "server"))

from mindport.catalog.catalog import Catalog  # noqa: E402
from mindport.catalog.jsonl import read_json  # noqa: E402
from mindport.catalog.sources import curated_files  # noqa: E402

CURATED = ROOT / "mapping_data" / "curated" / "correspondences"
Call = tuple[tuple[Any, ...], dict[str, Any]]


def f(*shape: int) -> torch.Tensor:
    """Normal random floats."""
    return torch.randn(*shape)


def p(*shape: int) -> torch.Tensor:
    """Random floats between 0.1 and 0.9."""
    return torch.rand(*shape) * 0.8 + 0.1


def i(*shape: int) -> torch.Tensor:
    """Small random integers from 0 on."""
    return torch.randint(0, 3, shape)


def b(*shape: int) -> torch.Tensor:
    """Random booleans."""
    return torch.rand(*shape) > 0.5


def c(*shape: int) -> torch.Tensor:
    """Random complex numbers."""
    return torch.complex(torch.randn(*shape), torch.randn(*shape))


SCOPE = {"torch": torch, "f": f, "p": p, "i": i, "b": b, "c": c}
_SCALARS = {
    "dim": 0,
    "dim0": 0,
    "dim1": 1,
    "n": 2,
    "k": 1,
    "alpha": 2.0,
    "value": 2.0,
    "weight": 0.5,
    "p": 2.0,
}


def calls_for(api: Any, is_method: bool, texts: list[str]) -> Iterator[Call]:
    """The calls to make: those given as text, else guessed ones."""
    for text in texts:
        yield eval(f"(lambda *a, **k: (a, k))({text})", dict(SCOPE))
    if texts:
        return
    for signature, maker in itertools.product(api.signatures[:2] or [None], (f, p, i)):
        parameters = signature.parameters if signature else ()
        needed = [q for q in parameters if q.default is None and q.kind in ("", "positional")]
        values = [_guess(q.name, q.type, maker) for q in needed]
        yield ((maker(3, 3), *values) if is_method else tuple(values)), {}


def _guess(name: str, kind: str | None, maker: Any) -> Any:
    kind = kind or ("Tensor" if name in ("input", "other", "tensor", "x", "self") else "")
    if "Tensor" in kind and ("Sequence" in kind or "tuple" in kind or "list" in kind or name == "tensors"):
        return (maker(3, 3), maker(3, 3))
    if name in ("index", "indices"):
        return i(3, 3)
    if "Tensor" in kind:
        return maker(3, 3)
    if name in ("size", "shape", "sizes"):
        return (3, 3)
    return _SCALARS.get(name, 1)


def convert(value: Any) -> Any:
    """A torch value as its MindSpore counterpart."""
    if isinstance(value, torch.Tensor):
        return mindspore.Tensor(value.detach().numpy())
    if isinstance(value, torch.dtype):
        return getattr(mindspore, str(value).removeprefix("torch."))
    if isinstance(value, (list, tuple)):
        return (
            type(value)(map(convert, value)) if type(value) in (list, tuple) else tuple(map(convert, value))
        )
    return {k: convert(v) for k, v in value.items()} if isinstance(value, dict) else value


def bind(api: Any, call: Call, is_method: bool) -> dict[str, Any] | None:
    """The names of a template with their values for a call, by the first signature that takes it."""
    arguments, keywords = call
    own = {"self": arguments[0]} if is_method else {}
    rest = arguments[1:] if is_method else arguments
    for signature in api.signatures:
        bound = _bind_one(signature.parameters, rest, keywords)
        if bound is not None:
            return {**own, **bound}
    return own if not api.signatures else None


def _bind_one(parameters: Any, arguments: Any, keywords: Mapping[str, Any]) -> dict[str, Any] | None:
    ordinary = [q for q in parameters if q.kind in ("", "positional")]
    star = next((q for q in parameters if q.kind == "star"), None)
    known = {q.name for q in parameters}
    open_ended = any(q.kind == "double_star" for q in parameters)
    if (len(arguments) > len(ordinary) and star is None) or (set(keywords) - known and not open_ended):
        return None
    bound = dict(zip((q.name for q in ordinary), arguments, strict=False))
    if star is not None:
        bound[star.name] = tuple(arguments[len(ordinary) :])
    bound.update(keywords)
    for q in parameters:
        if q.name not in bound and q.kind not in ("star", "double_star"):
            if q.default is None:
                return None
            bound[q.name] = eval(q.default, {**vars(torch), **vars(torch.nn.functional), "torch": torch})
    return bound


def compare(ours: Any, theirs: Any) -> tuple[str, float]:
    """`equal` and the largest difference, or what differs."""
    if isinstance(ours, torch.Tensor):
        if not isinstance(theirs, mindspore.Tensor):
            return f"a {type(theirs).__name__} instead of a Tensor", 0.0
        if str(ours.dtype).removeprefix("torch.") != str(theirs.dtype).lower():
            return f"dtype {theirs.dtype} instead of {ours.dtype}", 0.0
        left, right = ours.detach().numpy(), theirs.asnumpy()
        if left.shape != right.shape:
            return f"shape {right.shape} instead of {left.shape}", 0.0
        if not numpy.allclose(left, right, rtol=1e-4, atol=1e-5, equal_nan=True):
            return f"values differ: {left.ravel()[:4]} and {right.ravel()[:4]}", 0.0
        finite = numpy.isfinite(left) & numpy.isfinite(right)
        gaps = numpy.abs(left[finite] * 1.0 - right[finite] * 1.0)
        return "equal", float(gaps.max()) if gaps.size else 0.0
    if isinstance(ours, (list, tuple)):
        if not isinstance(theirs, (list, tuple)) or len(ours) != len(theirs):
            return f"{type(theirs).__name__} instead of {type(ours).__name__} of {len(ours)}", 0.0
        parts = [compare(a, b) for a, b in zip(ours, theirs, strict=True)]
        return next((p for p in parts if p[0] != "equal"), ("equal", max([p[1] for p in parts], default=0.0)))
    if isinstance(ours, torch.dtype):
        return ("equal" if str(ours).rsplit(".", 1)[-1] == str(theirs).lower() else f"{theirs}"), 0.0
    same = ours == theirs
    return ("equal" if same else f"{theirs!r} instead of {ours!r}"), 0.0


def by_torch(name: str, call: Call) -> Any:
    """What torch gives. Properties are read of the first argument."""
    found: Any = torch
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    copies = tuple(a.clone() if isinstance(a, torch.Tensor) else a for a in call[0])
    return found(*copies, **call[1]) if callable(found) else found.__get__(copies[0])


def outcomes(name: str, entry: Mapping[str, Any], texts: list[str]) -> Iterator[str]:
    """One line for each template or code, and call."""
    catalog = Catalog.load()
    api = catalog.api(name)
    if api is None:
        yield f"{name}: unknown"
        return
    is_method = api.kind in ("method", "property", "attribute")
    ways = [(e["template"], e["template"], e.get("when")) for e in entry.get("equivalents", ())]
    code = (entry.get("way_out") or {}).get("code")
    if code:
        ways.append(("way_out", code, None))
    for label, text, when in ways:
        for call in calls_for(api, is_method, texts):
            yield f"{name}: {label}: {_outcome(name, api, is_method, text, when, label, call)}"


def _outcome(name: str, api: Any, is_method: bool, text: str, when: Any, label: str, call: Call) -> str:
    shown = ", ".join([*map(_short, call[0]), *(f"{k}={_short(v)}" for k, v in call[1].items())])
    try:
        ours = by_torch(name, call)
    except Exception as error:  # noqa: BLE001  whatever torch raises says that the call is no sample
        return f"({shown}) torch: {type(error).__name__}: {str(error).splitlines()[0][:80]}"
    names = bind(api, call, is_method)
    if names is None:
        return f"({shown}) does not fit the signature"
    try:
        if label == "way_out":
            theirs = _by_code(text, call)
        else:
            theirs = eval(text, {**{k: convert(v) for k, v in names.items()}, "mindspore": mindspore})
        result, gap = compare(ours, theirs)
    except Exception as error:  # noqa: BLE001  reported to the person who runs this
        return f"({shown}) {type(error).__name__}: {str(error).strip().splitlines()[0][:120]}"
    return f"({shown}) {result}" + (f", largest difference {gap:.2g}" if result == "equal" else "")


def _by_code(code: str, call: Call) -> Any:
    scope: dict[str, Any] = {"mindspore": mindspore}
    exec(code, scope)
    defined = [v for k, v in scope.items() if getattr(v, "__module__", 0) is None or callable(v)]
    last = [v for v in defined if getattr(v, "__code__", None) or isinstance(v, type)][-1]
    return last(*map(convert, call[0]), **{k: convert(v) for k, v in call[1].items()})


def _short(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
    return repr(value)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("name", nargs="?", help="a torch API with an entry")
    parser.add_argument("arguments", nargs="*", help="the arguments of a call, as Python")
    parser.add_argument("--file", help="all entries of a file of curated/correspondences")
    options = parser.parse_args()
    mindspore.runtime.launch_blocking()
    torch.manual_seed(0)
    entries: dict[str, Any] = {}
    for path in [CURATED / options.file] if options.file else curated_files(ROOT / "mapping_data"):
        entries.update(read_json(path))
    wanted = [options.name] if options.name else list(entries)
    for name in wanted:
        for line in outcomes(name, entries.get(name, {}), options.arguments):
            print(line, flush=True)
    if options.name and options.name not in entries:
        print(json.dumps(f"{options.name} has no entry"))


if __name__ == "__main__":
    main()
