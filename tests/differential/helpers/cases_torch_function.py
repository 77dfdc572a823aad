"""Classes with `__torch_function__`, and subclasses of Tensor."""

from __future__ import annotations

from case import Case, function, script

ASKED = """
class Asked:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return [getattr(func, "__name__", "?"), len(args), sorted(kind.__name__ for kind in types)]
"""
X = {"x": "normal(2, 3)"}
COLLATE = "torch.utils.data._utils.collate."
CASES: list[Case] = [
    script(
        "torch.autograd.has_torch_function torch.autograd.handle_torch_function torch.autograd.is_tensor_like",
        f"""
{ASKED}

def chosen(one, other):
    if has_torch_function((one, other)):
        return handle_torch_function(chosen, (one, other), one, other)
    return one + other

class Silent(Asked):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return NotImplemented

try:
    chosen(Silent(), 1)
    refused = False
except TypeError:
    refused = True
result = [chosen(1, 2), chosen(x, Asked()), chosen(Asked(), Silent()), refused]
result += [is_tensor_like(x), is_tensor_like(Asked()), is_tensor_like(3)]
""",
        inputs=X,
    ),
    script(
        "torch.nn.functional.has_torch_function_unary torch.nn.functional.has_torch_function_variadic",
        f"""
{ASKED}
result = [has_torch_function_unary(x), has_torch_function_unary(Asked())]
result += [has_torch_function_variadic(x, x), has_torch_function_variadic(x, Asked(), 3)]
""",
        inputs=X,
    ),
    script(
        "torch.sin torch.stack torch.linalg.norm torch.nn.functional.softmax torch.Tensor.add",
        f"""
{ASKED}
result = [sin(Asked()), stack([x, Asked()]), norm(Asked()), softmax(Asked(), dim=-1), add(x, Asked()), x + Asked()]
""",
        inputs=X,
    ),
    script(
        "torch.DisableTorchFunctionSubclass torch.DisableTorchFunction torch.sin "
        "torch.fx.experimental.proxy_tensor.TorchFunctionMode",
        f"""
{ASKED}

class Log(TorchFunctionMode):
    names = ()

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.names = (*self.names, func.__name__)
        return func(*args, **(kwargs or {{}}))

refused = 0
for context in (DisableTorchFunctionSubclass(), DisableTorchFunction()):
    with context:
        try:
            sin(Asked())
        except (TypeError, AttributeError):
            refused += 1
with Log() as log:
    y = sin(x)
    with DisableTorchFunction():
        sin(y)
result = [refused, log.names.count("sin"), y, sin(Asked())[0]]
""",
        inputs=X,
    ),
    script(
        "torch.Tensor._make_subclass torch._C._disabled_torch_function_impl torch.Tensor.as_subclass",
        """
class Unasked(type(x)):
    __torch_function__ = _disabled_torch_function_impl

x.requires_grad_(True)
one, other = _make_subclass(Unasked, x, True), as_subclass(x * 2, Unasked)
(other.sum() + one.sum()).backward()
result = [type(one) is Unasked, type(one + 1) is type(x), one.requires_grad, x.grad, one.grad]
""",
        inputs=X,
        gradients=False,
    ),
    script(
        f"torch.utils.data.default_collate {COLLATE}collate {COLLATE}default_collate_fn_map {COLLATE}collate_tensor_fn",
        """
class Point:
    def __init__(self, at):
        self.at = at

def points(batch, *, collate_fn_map=None):
    return [each.at for each in batch]

own = {**default_collate_fn_map, Point: points}
result = [collate([(x, Point(1)), (x, Point(2))], collate_fn_map=own), collate_tensor_fn([x, x * 2])]
default_collate_fn_map[Point] = points
result.append(default_collate([{"a": Point(3), "b": 1.5}, {"a": Point(4), "b": 2.5}]))
del default_collate_fn_map[Point]
""",
        inputs=X,
    ),
    script(
        f"{COLLATE}default_collate_fn_map {COLLATE}collate_numpy_array_fn {COLLATE}collate_float_fn "
        f"{COLLATE}collate_int_fn {COLLATE}collate_str_fn",
        """
arrays = collate_numpy_array_fn([np.ones(2), np.zeros(2)], collate_fn_map=default_collate_fn_map)
result = [arrays, collate_float_fn([1.0, 2.0])]
result += [collate_int_fn([1, 2]), collate_int_fn([True, False]), collate_str_fn(["a", "b"])]
""",
    ),
    script(
        "torch.Tensor.to torch.Tensor",
        """
result = [to(x, float64), to(x, x.to(float64) if hasattr(x, "to") else x), to(x, "cpu"), to(x, dtype=float16)]
result += [to(x, "cpu", float64), to(x, float32) is x, to(x, float32, copy=True) is x]
""",
        inputs=X,
    ),
    script(
        "torch.Tensor.max torch.Tensor.min",
        "result = [max(x > 0), min(x > 0), max(x > 0, 1)[0], min(x > 0, 0)[0]]",
        inputs=X,
    ),
    script(
        "torch.prod torch.cumprod torch.cumsum",
        """
whole = tensor(np.int32([[1, 2], [3, 4]]))
result = [prod(whole, 0, dtype=int32), prod(whole, dtype=int16), cumprod(whole, 1, dtype=int32)]
result += [cumsum(whole, 1, dtype=int32), prod(whole, 0), cumprod(whole, 0)]
""",
    ),
    script(
        "torch.nn.functional.ctc_loss torch.Tensor.backward torch.Tensor.grad",
        """
x.requires_grad_(True)
targets, lengths = tensor(np.int64([[1, 2], [2, 3]])), [5, 4]
ctc_loss(x, targets, lengths, [2, 1]).backward()
result = x.grad
""",
        inputs={"x": "np.log(np.full((5, 2, 4), 0.25)) + 0.1 * normal(5, 2, 4)"},
        gradients=False,
    ),
    script("torch.Tensor.transpose", "result = [transpose(x, 0, 1), transpose(x, -1, -2)]", inputs=X),
    script(
        "torch.Tensor.any torch.Tensor.all torch.Tensor.prod",
        "result = [any(x > 0), any(x > 0, 1), all(x > -9), all(x > 0, 0), prod(x), prod(x, 1)]",
        inputs=X,
    ),
    script(
        "torch.div",
        """
whole = tensor(np.int32([1, 7, -5]))
small = tensor(np.int16([1, 7, -5]))
result = [div(whole, 2, rounding_mode="floor"), div(small, small, rounding_mode="floor")]
result += [div(7, whole, rounding_mode="floor"), div(whole, 2.5, rounding_mode="floor")]
""",
    ),
    function("torch.div", 'x, 0.7, rounding_mode="floor"', "normal(2, 3)"),
    script(
        "torch.complex",
        """
z = complex(x, x * 2)
z[0, :2] = 1j
z[1] = z[0] * 2
result = [z, z == 1j, z != 0j, x == 0j]
""",
        inputs=X,
        gradients=False,
    ),
]
