"""Runs cases in one process with PyTorch and MindSpore: compare.py HELPERS NAMES RESULT, where HELPERS is the source
of all helpers, NAMES the JSON of their names by API, and RESULT gets a JSON list of what went wrong per case. With
GRADIENT_ORDER=2 in the environment, calls are compared by the gradients of their gradients; with LARGE=1 the large
networks are compared, and nothing else."""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
import traceback
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("GLOG_v", "3")

import mindspore
import numpy as np
import torch
from mindspore.common.api import _pynative_executor

TORCHVISION = os.environ.get("TORCHVISION_SOURCES", "")
"""A folder with the package torchvision, of which only the Python files are needed."""
TORCHTEXT = os.environ.get("TORCHTEXT_SOURCES", "")
"""A folder with the package torchtext."""
SECOND = os.environ.get("GRADIENT_ORDER") == "2"
LARGE = os.environ.get("LARGE") == "1"
OPTIONAL = (
    "tensorboard",
    "tensorboardX",
)
"""What modules of torch need that may not be there: a case then says what is expected."""

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1]), TORCHVISION, TORCHTEXT]

from cases import CASES  # noqa: E402
from parallel_on_one_device import PARALLEL  # noqa: E402
from removed_functions import REMOVED, model_urls  # noqa: E402
from sounds_of_torchaudio import of_torchaudio  # noqa: E402
from texts_of_torchtext import of_torchtext  # noqa: E402
from torchvision_sources import declare_operators, use_definitions  # noqa: E402

mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
mindspore.runtime.launch_blocking()
torch.set_num_threads(1)

DTYPES = (
    "float16",
    "float32",
    "float64",
    "bfloat16",
    "float8_e4m3fn",
    "float8_e5m2",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "complex64",
)


GONE = {
    "torchvision.models.utils.load_state_dict_from_url": "torch.hub.load_state_dict_from_url",
    "torchvision.transforms.RandomSizedCrop": "torchvision.transforms.RandomResizedCrop",
    "torchvision.transforms.Scale": "torchvision.transforms.Resize",
    "torchvision.transforms.transforms.RandomSizedCrop": "torchvision.transforms.RandomResizedCrop",
    "torchvision.transforms.transforms.Scale": "torchvision.transforms.Resize",
}
"""APIs of earlier releases, by what took their place."""


def resolve(api: str) -> Any:
    if api in REMOVED or api in PARALLEL:
        return REMOVED.get(api) or PARALLEL[api]
    if api.endswith(".model_urls"):
        return model_urls(api.split(".")[-2])
    if api.startswith("torchtext."):
        return of_torchtext(api)
    if api.startswith("torchaudio.") and of_torchaudio(api):
        return of_torchaudio(api)
    parts = GONE.get(api, api).split(".")
    try:
        found: Any = importlib.import_module(parts[0])
    except ModuleNotFoundError:
        if parts[0] in OPTIONAL:
            return None
        raise
    for length, part in enumerate(parts[1:], 2):
        if hasattr(found, part):
            # a function may hide the module of its name, as torchvision.models.googlenet does
            hidden = sys.modules.get(".".join(parts[:length])) if length < len(parts) else None
            found = hidden or getattr(found, part)
            continue
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError as error:
            if error.name in OPTIONAL:
                return None
            raise
    return found


def held_gradients(framework: Any) -> dict[str, Any]:
    """For scripts: what reads and writes the gradient that a parameter holds, and its values."""
    name = "grad" if framework is torch else "_grad"

    def values_of(value: Any) -> Any:
        if isinstance(value, framework.Tensor):
            return plain(value).copy()
        return value if isinstance(value, str) else np.float32(value)

    def set_values(parameter: Any, values: Any) -> None:
        if framework is torch:
            parameter.data.copy_(torch.from_numpy(np.asarray(values)))
        else:
            mindspore.ops.assign(parameter, mindspore.Tensor(values))

    def set_sparse_gradient(parameter: Any, gradient: Any) -> None:
        """A gradient of rows, with PyTorch as those of an embedding are; MindSpore's are dense."""
        if framework is torch:
            gradient = gradient.to_sparse(1)
        setattr(parameter, name, gradient)

    return {
        "values_of": values_of,
        "set_values": set_values,
        "gradient_of": lambda parameter: getattr(parameter, name),
        "set_gradient": lambda parameter, gradient: setattr(parameter, name, gradient),
        "set_sparse_gradient": set_sparse_gradient,
    }


LIBRARY = declare_operators()


class Side:
    """One of the two frameworks."""

    def __init__(self, names: dict[str, Any], tensor: Callable[[Any], Any], framework: Any) -> None:
        self.names = names
        self.tensor = tensor
        self.common = {name: getattr(framework, name) for name in DTYPES} | {"bool_": framework.bool}
        self.common |= {"tensor": lambda value: tensor(np.asarray(value)), "np": np, "deque": deque}
        self.common |= held_gradients(framework)
        self.Tensor = framework.Tensor


def arrays(inputs: dict[str, str]) -> dict[str, Any]:
    """The inputs as NumPy arrays; the same for both."""
    generator = np.random.default_rng(7)

    def normal(*shape: int) -> Any:
        return generator.standard_normal(shape).astype(np.float32)

    def uniform(*shape: int) -> Any:
        return generator.uniform(0.05, 0.95, shape).astype(np.float32)

    def integers(shape: Any, below: int, least: int = 0) -> Any:
        return generator.integers(least, below, shape)

    names = {"normal": normal, "uniform": uniform, "integers": integers, "np": np}
    made = {name: eval(expression, names) for name, expression in inputs.items()}
    return {name: np.asarray(value) for name, value in made.items()}


def plain(value: Any) -> Any:
    """A result as nested lists of arrays and Python's own values."""
    if isinstance(value, torch.Tensor):
        value = value.detach().resolve_conj()
        return value.float().numpy() if value.dtype == torch.bfloat16 else value.numpy()
    if isinstance(value, mindspore.Tensor):
        return (
            value.astype(mindspore.float32).asnumpy()
            if value.dtype == mindspore.bfloat16
            else value.asnumpy()
        )
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (torch.dtype, mindspore.dtype.Type)):
        return re.sub(r".*\.", "", str(value)).lower()
    return value


def differs_in_whole_numbers(ours: np.ndarray, theirs: np.ndarray, tolerance: float) -> str:
    """How values that are no real numbers differ. With a tolerance of 1 or more, one in a hundred may be off by that
    much: what PyTorch rounds after a sum depends on the order of its terms, and that on the processor."""
    off = np.nonzero(ours != theirs)[0]
    near = (
        tolerance >= 1
        and off.size <= ours.size // 100
        and np.abs(ours.astype(np.int64) - theirs.astype(np.int64)).max(initial=0) <= tolerance
    )
    if near or not off.size:
        return ""
    return f"{off.size} of {ours.size} differ: {theirs.ravel()[:8]} instead of {ours.ravel()[:8]}"


def differs(ours: Any, theirs: Any, tolerance: float) -> str:
    """How the helper's result differs from PyTorch's; nothing if it does not."""
    if isinstance(ours, (np.ndarray, np.generic)) or isinstance(theirs, (np.ndarray, np.generic)):
        ours, theirs = np.asarray(ours), np.asarray(theirs)
        if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
            return f"{theirs.dtype}{list(theirs.shape)} instead of {ours.dtype}{list(ours.shape)}"
        if ours.dtype.kind not in "fc":
            return differs_in_whole_numbers(ours, theirs, tolerance)
        if ours.dtype == np.float16:
            tolerance = max(tolerance, 4e-3)
        finite = ours[np.isfinite(ours)]
        scale = max(1.0, float(np.abs(finite).max())) if finite.size else 1.0
        if np.allclose(theirs, ours, rtol=0, atol=tolerance * scale, equal_nan=True):
            return ""
        return f"off by {np.abs(theirs - ours).max():.3g}: {theirs.ravel()[:5]} instead of {ours.ravel()[:5]}"
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if list(ours) != list(theirs):
            return f"keys {list(theirs)} instead of {list(ours)}"
        ours, theirs = list(ours.values()), list(theirs.values())
    if isinstance(ours, list) and isinstance(theirs, list):
        if len(ours) != len(theirs):
            return f"{len(theirs)} values instead of {len(ours)}: {str(theirs)[:200]} instead of {str(ours)[:200]}"
        found = [differs(a, b, tolerance) for a, b in zip(ours, theirs, strict=True)]
        return next((f"[{index}] {text}" for index, text in enumerate(found) if text), "")
    if isinstance(ours, float) and isinstance(theirs, (float, int)):
        same = (
            ours == theirs
            or abs(ours - theirs) <= tolerance * max(1, abs(ours))
            or (ours != ours and theirs != theirs)
        )
        return "" if same else f"{theirs} instead of {ours}"
    return "" if type(ours) is type(theirs) and ours == theirs else f"{theirs!r} instead of {ours!r}"


def floats(value: Any) -> list[Any]:
    """The Tensors of floating point in a result."""
    if isinstance(value, (list, tuple)):
        return [found for item in value for found in floats(item)]
    if isinstance(value, torch.Tensor):
        return [value] if value.dtype.is_floating_point and value.requires_grad else []
    return [value] if isinstance(value, mindspore.Tensor) and value.is_floating_point() else []


def cotangents(shapes: list[Any]) -> list[Any]:
    generator = np.random.default_rng(11)
    return [generator.standard_normal(tuple(shape)).astype(np.float32) for shape in shapes]


def torch_gradients(compute: Callable[[], Any], wanted: list[Any]) -> tuple[Any, list[Any], list[Any]]:
    result = compute()
    outputs = floats(result)
    scalings = cotangents([item.shape for item in outputs])
    total = sum(
        (powered(item) * torch.from_numpy(scale).to(item.dtype)).sum()
        for item, scale in zip(outputs, scalings, strict=True)
    )
    if not outputs:
        return result, [], []
    found = torch.autograd.grad(total, wanted, allow_unused=True, create_graph=SECOND)
    if SECOND:
        total = of_gradients(found)
        if total is None:
            return result, [], []
        try:
            found = torch.autograd.grad(total, wanted, allow_unused=True)
        except RuntimeError:
            return result, [], []  # PyTorch has no derivative of that gradient
    filled = [
        torch.zeros_like(at) if value is None else value for at, value in zip(wanted, found, strict=True)
    ]
    every = {id(item) for item in outputs}
    counted = [id(item) in every for item in tensors(result)]
    return result, filled, counted


def powered(item: Any) -> Any:
    """What gradients are taken of: the square where they are taken twice, so that linear functions count."""
    return item * item if SECOND else item


def of_gradients(gradients: Any) -> Any:
    """One number made of gradients, to take the gradient of; None where none of them has one."""
    weighted = zip(
        gradients, cotangents([() if each is None else each.shape for each in gradients]), strict=True
    )
    parts = [
        (each * type(each)(scale).astype(each.dtype)).sum()
        if isinstance(each, mindspore.Tensor)
        else (each * torch.from_numpy(scale).to(each.dtype)).sum()
        for each, scale in weighted
        if each is not None and (isinstance(each, mindspore.Tensor) or each.requires_grad)
    ]
    return sum(parts) if parts else None


def tensors(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [found for item in value for found in tensors(item)]
    return [value] if isinstance(value, (torch.Tensor, mindspore.Tensor)) else []


def as_view(value: Any) -> Any:
    """The values as a matrix whose columns are next to each other in memory, so that the gradient comes back as a view
    that is not contiguous: kernels that take it for contiguous give wrong gradients."""
    rows = int(np.prod(value.shape[: max(1, value.ndim // 2)]))
    return value.reshape((rows, -1)).swapaxes(0, 1) if value.size else value


def mindspore_gradients(
    compute: Callable[..., Any],
    inputs: list[Any],
    weights: list[Any],
    counted: list[Any],
    names: dict[str, Any],
) -> tuple[list[Any], list[Any]]:
    """The gradients that a function's transform gives, and those that are recorded for `backward`."""

    def total(*given: Any) -> Any:
        outputs = [item for item, counts in zip(tensors(compute(*given)), counted, strict=True) if counts]
        scalings = cotangents([item.shape for item in outputs])
        return sum(
            (as_view(powered(item)) * mindspore.Tensor(as_view(scale)).astype(item.dtype)).sum()
            for item, scale in zip(outputs, scalings, strict=True)
        )

    if SECOND:
        _pynative_executor.set_grad_flag(True)
        leaves = [names["leaf"](mindspore.Tensor(value)) for value in inputs]
        first = names["gradients_of"](
            total(*leaves), [*leaves, *weights], create_graph=True, allow_unused=True
        )
        second = names["gradients_of"](of_gradients(first), [*leaves, *weights], materialize_grads=True)
        return list(second), list(second)
    positions = tuple(range(len(inputs))) if inputs else None
    found = mindspore.value_and_grad(total, positions, weights=weights or None)(*inputs)[1]
    if inputs and weights:
        transformed = [*(found[0] if isinstance(found[0], tuple) else [found[0]]), *found[1]]
    else:
        transformed = list(found) if isinstance(found, (tuple, list)) else [found]
    _pynative_executor.set_grad_flag(True)
    leaves = [names["leaf"](mindspore.Tensor(value)) for value in inputs]
    recorded = names["gradients_of"](total(*leaves), [*leaves, *weights], materialize_grads=True)
    return transformed, list(recorded)


def differentiable(names: dict[str, Any]) -> list[str]:
    return [name for name, value in names.items() if value.dtype.kind == "f"]


def arguments(source: str, names: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    scope = {**names, "_take": lambda *args, **kwargs: (args, kwargs)}
    return eval(f"_take({source})", scope)


def compare_call(case: Any, sides: tuple[Side, Side]) -> str:
    """A function or a class, called with the same arguments."""
    given = arrays(case.inputs)
    wanted = [name for name in differentiable(given) if case.gradients and name not in case.fixed]
    ours, theirs = sides
    for mode in (False, True) if case.called is not None and case.train else (False,):
        found = compare_mode(case, ours, theirs, given, wanted, mode)
        if found:
            return f"{'train' if mode else 'eval'}: {found}"
    return ""


def compare_mode(
    case: Any, ours: Side, theirs: Side, given: dict[str, Any], wanted: list[str], mode: bool
) -> str:
    t_inputs = {name: ours.tensor(value) for name, value in given.items()}
    m_inputs = {name: theirs.tensor(value) for name, value in given.items()}
    for name in wanted:
        t_inputs[name].requires_grad_(True)
    t_object, m_object = ours.names[case.apis[0]], theirs.names[case.apis[0]]
    t_weights: list[Any] = []
    m_weights: list[Any] = []
    if case.called is not None:
        made = []
        for side, kind, inputs in ((ours, t_object, t_inputs), (theirs, m_object, m_inputs)):
            args, kwargs = arguments(case.made, {**side.common, **inputs})
            made.append(kind(*args, **kwargs))
        t_object, m_object = made
        state = {name: plain(value) for name, value in t_object.state_dict().items()}
        theirs.names["load_state_dict_of"](m_object, state)
        t_object.train(mode)
        m_object.set_train(mode)
        if case.gradients:
            t_named = dict(t_object.named_parameters())
            m_named = dict(m_object.named_parameters())
            if list(t_named) != list(m_named):
                return f"parameters {list(m_named)} instead of {list(t_named)}"
            t_weights = [value for value in t_named.values() if value.requires_grad]
            m_weights = [value for value in m_named.values() if value.requires_grad]
    source = case.made if case.called is None else case.called

    def t_compute() -> Any:
        # a copy, since PyTorch changes no leaf in place
        copies = {name: t_inputs[name] * 1 for name in wanted}
        args, kwargs = arguments(source, {**ours.common, **t_inputs, **copies})
        return t_object(*args, **kwargs)

    def m_compute(*values: Any) -> Any:
        given = {name: m_inputs[name] for name in wanted} | dict(zip(wanted, values, strict=False))
        copies = {name: value * 1 for name, value in given.items()}
        args, kwargs = arguments(source, {**theirs.common, **m_inputs, **copies})
        return m_object(*args, **kwargs)

    if wanted or t_weights:
        parts = [t_inputs[name] for name in wanted] + t_weights
        result, t_found, counted = torch_gradients(t_compute, parts)
    else:
        result, t_found, counted = t_compute(), [], []
    before = {name: plain(m_inputs[name]) for name in case.changed}
    outcome = m_compute()
    if case.random:
        return compare_random(case, plain(result), plain(outcome))
    found = differs(plain(result), plain(outcome), case.tolerance)
    if found:
        return f"output {found}"
    for name in case.changed:
        found = differs(plain(t_inputs[name]), plain(m_inputs[name]), case.tolerance)
        if found:
            return f"input {name}: {found}"
        m_inputs[name] = theirs.tensor(before[name])
    if case.called is not None and mode:
        t_buffers = {name: plain(value) for name, value in t_object.named_buffers()}
        m_buffers = {name: plain(value) for name, value in m_object.named_buffers()}
        found = differs(t_buffers, m_buffers, case.tolerance)
        if found:
            return f"buffers: {found}"
    if t_found:
        inputs = [m_inputs[name] for name in wanted]
        transformed, recorded = mindspore_gradients(m_compute, inputs, m_weights, counted, theirs.names)
        for name, m_found in (("gradient", transformed), ("recorded gradient", recorded)):
            # what float32 loses is lost twice
            tolerance = max(10 * case.tolerance, 1e-3) if SECOND else case.tolerance
            found = differs(
                [plain(value) for value in t_found], [plain(value) for value in m_found], tolerance
            )
            if found:
                return f"{name} {found}"
    return ""


def compare_random(case: Any, result: Any, outcome: Any) -> str:
    for expression in case.random.split(";"):
        a, b = (eval(expression, {"np": np, "result": value}) for value in (result, outcome))
        found = differs(plain(a), plain(b), case.tolerance)
        if found:
            return f"{expression.strip()}: {found}"
    return ""


def gradients_of(side: Side) -> Callable[..., Any]:
    """The gradients of the sum of a function's result with respect to its arguments."""
    if side.Tensor is mindspore.Tensor:

        def made(compute: Callable[..., Any], *values: Any) -> list[Any]:
            gradient = mindspore.grad(lambda *given: compute(*given).sum(), tuple(range(len(values))))(
                *values
            )
            return list(gradient) if isinstance(gradient, tuple) else [gradient]

        return made

    def found(compute: Callable[..., Any], *values: Any) -> list[Any]:
        leaves = [value.clone().requires_grad_(True) for value in values]
        return list(torch.autograd.grad(compute(*leaves).sum(), leaves))

    return found


def weight_gradients_of(side: Side) -> Callable[..., Any]:
    """The gradients of the sum of a function's result with respect to parameters that it uses."""
    if side.Tensor is mindspore.Tensor:
        return lambda compute, *weights: list(mindspore.grad(lambda: compute().sum(), None, weights)())
    return lambda compute, *weights: list(torch.autograd.grad(compute().sum(), weights))


def compare_script(case: Any, sides: tuple[Side, Side]) -> str:
    outcomes = []
    _pynative_executor.set_grad_flag(True)  # as the helpers leave it; a transform turns it off
    for side in sides:
        names = {api.rpartition(".")[2]: side.names[api] for api in case.apis}
        inputs = {name: side.tensor(value) for name, value in arrays(case.inputs).items()}
        scope = {
            **side.common,
            **names,
            "gradients": gradients_of(side),
            "weight_gradients": weight_gradients_of(side),
            **inputs,
            "Tensor": side.Tensor,
            "__name__": "script",
        }
        exec(case.script, scope)
        outcomes.append(plain(scope["result"]))
    if case.random:
        return compare_random(case, *outcomes)
    return differs(outcomes[0], outcomes[1], case.tolerance)


def outcome(case: Any, sides: tuple[Side, Side]) -> str:
    try:
        return compare_script(case, sides) if case.script else compare_call(case, sides)
    except Exception:  # noqa: BLE001 a case that ends in an error is told like one that differs
        lines = traceback.format_exc().strip().splitlines()
        at = [line.strip() for line in lines if "helpers.py" in line or "<string>" in line]
        said = next((line for line in lines if re.match(r"[A-Za-z_.]+(Error|Exception):?", line)), lines[-1])
        return f"{said[:300]} ({at[-1] if at else ''})"


def is_compared(case: Any, helpers: dict[str, str], made: dict[str, Any]) -> bool:
    """Whether a case says something about gradients of this order; scripts ask for those that they want."""
    if case.large != LARGE or any(helpers[api] not in made for api in case.apis):
        return False
    if not SECOND:
        return True
    if case.script:
        asking = ("torch.autograd.functional.", "torch.autograd.gradgradcheck")
        return any(api.startswith(asking) for api in case.apis)
    return bool(case.gradients and not case.random and not case.singular)


def main(helpers: str, names: str, result: str, *only: str) -> None:
    made: dict[str, Any] = {"__name__": "mindport_helpers"}
    exec(compile(Path(helpers).read_text(encoding="utf-8"), helpers, "exec"), made)
    by_api = json.loads(Path(names).read_text(encoding="utf-8"))
    missing = tuple(
        name for name, folder in (("torchvision.", TORCHVISION), ("torchtext.", TORCHTEXT)) if not folder
    )
    cases = [case for case in CASES if not any(api.startswith(missing) for api in case.apis)]
    used = {api for case in cases for api in case.apis}
    torch_names = {api: resolve(api) for api in used}
    if "torchvision" in sys.modules:
        use_definitions()
    ours = Side(torch_names, lambda value: torch.from_numpy(np.array(value)), torch)
    their_names = {api: made.get(by_api[api]) for api in used}
    needed = ("load_state_dict_of", "leaf", "gradients_of")
    theirs = Side({**their_names, **{name: made[name] for name in needed}}, mindspore.Tensor, mindspore)
    found = {}
    for case in cases:
        if not is_compared(case, by_api, made):
            continue
        if not only or any(part in case.name for part in only):
            torch.manual_seed(3)
            mindspore.set_seed(3)
            found[case.name] = outcome(case, (ours, theirs))
    Path(result).write_text(json.dumps(found, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
