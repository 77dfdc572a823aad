"""Tensors that are made, Einstein sums, rearranged axes, and what programs ask of PyTorch beside computing."""

from __future__ import annotations

from case import Case, function, script

CASES: list[Case] = []


def functions(api: str, *rows: str | tuple[str, dict[str, str]], **options: object) -> None:
    for row in rows:
        made, inputs = (row, {}) if isinstance(row, str) else row
        CASES.append(function(api, made, inputs=inputs, **options))


for name in ("zeros", "ones"):
    functions(
        f"torch.{name}",
        "2, 3",
        "(2, 3)",
        "[2, 3], dtype=int64",
        "size=(2,), device='cpu'",
        "()",
        "0, 2",
        gradients=False,
    )
    functions(
        f"torch.{name}_like",
        ("x", {"x": "normal(2, 3)"}),
        ("x, dtype=int32", {"x": "integers((2,), 4)"}),
        gradients=False,
    )
for name in ("empty", "rand", "randn"):
    CASES.append(
        script(
            f"torch.{name}",
            f"a = {name}(2, 3)\nb = {name}((4,), dtype=float64)\nresult = [list(a.shape), str(a.dtype).split('.')[-1].lower(), list(b.shape), str(b.dtype).split('.')[-1].lower()]",
        )
    )
    CASES.append(
        script(
            f"torch.{name}_like torch.zeros",
            f"a = {name}_like(zeros(2, 3))\nresult = [list(a.shape), str(a.dtype).split('.')[-1].lower()]",
        )
    )
functions(
    "torch.full",
    "(2, 3), 1.5",
    "(2,), 3",
    "(2,), True",
    "[1, 2], 3, dtype=float32",
    "size=(), fill_value=2.5",
    gradients=False,
)
functions(
    "torch.full_like",
    ("x, 2", {"x": "normal(2, 3)"}),
    ("x, 2.5, dtype=float64", {"x": "normal(2)"}),
    gradients=False,
)
functions("torch.eye", "3", "2, 3", "3, dtype=int64", "n=2, m=4", gradients=False)
functions(
    "torch.arange",
    "5",
    "2, 7",
    "1, 10, 3",
    "0.5, 3",
    "3.0",
    "5, dtype=float32",
    "start=1, end=4",
    "10, 2, -3",
    "0, 1, step=0.25",
    "end=3",
    gradients=False,
)
functions(
    "torch.linspace",
    "0, 1, 5",
    "-1, 1, steps=4",
    "2, 2, 1",
    "start=0, end=3, steps=4, dtype=float64",
    gradients=False,
)
functions("torch.logspace", "0, 2, 3", "0, 3, 4, base=2", gradients=False)
functions(
    "torch.tensor",
    "[1.0, 2.0]",
    "[[1, 2], [3, 4]]",
    "True",
    "2",
    "3.5",
    "[True, False]",
    "[1, 2], dtype=float32",
    "np.array([1.0, 2.0])",
    "[]",
    "range(3)",
    "deque([1.0, 2.0])",
    "[np.float64(1.0), np.float64(2.0)]",
    "[1.0, np.float64(2.0)]",
    "[np.float32(1.0), 2.0]",
    "[np.ones(2), np.zeros(2)]",
    "[np.ones(2, np.float32), np.zeros(2, np.float32)]",
    "([1.0], (2.0,))",
    gradients=False,
)
functions(
    "torch.as_tensor",
    "[1.0, 2.0]",
    ("x", {"x": "normal(2)"}),
    ("x, dtype=int64", {"x": "integers((3,), 5)"}),
    "[1, 2], dtype=float64",
    gradients=False,
)
functions("torch.from_numpy", "np.array([1.0, 2.0])", "np.array([[1, 2]])", gradients=False)
CASES.append(
    script(
        "torch.randint",
        "a = randint(3, (50,))\nb = randint(2, 5, size=(60,))\nc = randint(high=4, size=(2, 3), low=1)\nresult = [list(a.shape), bool((a < 3).all()), bool((b >= 2).all()) and bool((b < 5).all()), list(c.shape)]",
    )
)
CASES.append(script("torch.randperm", "result = sorted(randperm(7).tolist())"))
functions(
    "torch.meshgrid",
    ("x, y", {"x": "normal(2)", "y": "normal(3)"}),
    ("x, y, indexing='xy'", {"x": "normal(2)", "y": "normal(3)"}),
    ("[x, y], indexing='ij'", {"x": "normal(2)", "y": "normal(3)"}),
    ("x, y, z, indexing='ij'", {"x": "normal(2)", "y": "normal(3)", "z": "normal(2)"}),
)
functions("torch.Tensor", "[1, 2]", "[[1.5], [2.5]]", gradients=False)
TYPED = ("BFloat16", "Bool", "Byte", "Char", "Double", "Float", "Half", "Int", "Long", "Short")
for name in [f"{each}Tensor" for each in TYPED]:
    made = "tensor([1, 0]).float()" if name == "BFloat16Tensor" else f"{name}([1, 0])"
    CASES.append(
        script(
            f"torch.tensor torch.zeros torch.Tensor.type torch.{name}",
            f"""result = [
    {made}, list({name}(2, 3).shape), type({name}(2)), str(type(zeros(2), {name}).dtype).split(".")[-1].lower(),
    isinstance({name}(2), {name}), isinstance(zeros(2), {name}), isinstance(3, {name}),
]""",
        )
    )
    CASES.append(script(f"torch.cuda.{name}", f"result = [isinstance({name}, object), {name}.__name__]"))
CASES.append(
    script(
        "torch.tensor torch.Tensor.type",
        """x = tensor([1.5, -2.5])
result = [type(x), type(x, "torch.IntTensor"), type(x, type(tensor([1]))), type(x, float64), type(x, dtype=int64)]""",
    )
)
CASES += [
    script(
        "torch.finfo",
        "result = [[getattr(finfo(each), part) for part in ('min', 'max', 'eps', 'tiny', 'bits', 'dtype')] for each in (float32, float64, float16, bfloat16, float8_e4m3fn, float8_e5m2)]",
    ),
    script(
        "torch.iinfo",
        "result = [[getattr(iinfo(each), part) for part in ('min', 'max', 'bits')] for each in (int8, int32, int64, uint8)]",
    ),
    script(
        "torch.device",
        "a, b = device('cuda:1'), device('cpu')\nresult = [a.type, a.index, str(a), b.type, b.index, str(b), a == device('cuda', 1), a == b, hash(b) == hash(device('cpu'))]",
    ),
    script(
        "torch.no_grad",
        "with no_grad():\n    pass\n\n@no_grad()\ndef f(x):\n    return x + 1\n\n@no_grad\ndef g(x):\n    return x * 2\nresult = [f(1), g(3)]",
    ),
    script("torch.enable_grad", "with enable_grad():\n    result = 1"),
    script(
        "torch.set_grad_enabled",
        "with set_grad_enabled(False):\n    pass\nwith set_grad_enabled(True):\n    result = 1",
    ),
    script(
        "torch.inference_mode",
        "with inference_mode():\n    pass\n\n@inference_mode()\ndef f(x):\n    return x\nresult = f(2)",
    ),
    script("torch.hub.get_dir", "result = get_dir()"),
    script(
        "torch.hub.set_dir torch.hub.get_dir",
        "from pathlib import Path\nbefore = get_dir()\nset_dir(Path('here'))\nresult = [str(get_dir())]\nset_dir('~/there')\n"
        "result += [get_dir()]\nset_dir(before)\nresult += [get_dir()]",
    ),
    script("torch.hub._get_torch_home", "result = _get_torch_home()"),
    script(
        "torch._assert",
        "_assert(True, 'never')\ntry:\n    _assert(False, 'said')\nexcept AssertionError as error:\n    result = str(error)",
    ),
    script(
        "torch._check",
        "_check(True)\ntry:\n    _check(False, lambda: 'said')\nexcept RuntimeError as error:\n    result = str(error)",
    ),
    script(
        "torch._softmax_backward_data torch._log_softmax_backward_data torch.softmax torch.log_softmax",
        "result = [_softmax_backward_data(x, softmax(y, 1), 1, float32), _log_softmax_backward_data(x, log_softmax(y, 0), 0, float32)]",
        inputs={"x": "normal(3, 4)", "y": "normal(3, 4)"},
        gradients=False,
    ),
    script(
        "torch.get_device_module",
        "found = get_device_module('cpu')\nresult = [found.device_count(), found.current_device(), found.is_available(), found.synchronize(), hasattr(found, 'empty_cache')]",
    ),
    script(
        "torch._check_with torch._check_index torch._check_value torch._check_type torch._check_not_implemented torch._check_tensor_all torch._check_tensor_all_with",
        """result = []
def say():
    return 'said'
for one in (lambda: _check_with(KeyError, False, say), lambda: _check_index(False, say), lambda: _check_value(True), lambda: _check_value(False, say), lambda: _check_type(False, say), lambda: _check_not_implemented(False, say), lambda: _check_tensor_all(x > 0), lambda: _check_tensor_all(x > 1, say), lambda: _check_tensor_all_with(ValueError, x > 1, say)):
    try:
        result.append(one())
    except Exception as error:
        result.append((type(error).__name__, str(error)))""",
    ),
    script(
        "torch.export.dynamic_shapes.MappingKey torch.export.dynamic_shapes.TreeSpec torch.utils.flop_counter.tree_flatten torch.utils.flop_counter.tree_unflatten torch.utils.checkpoint.tree_map torch.utils._pytree.tree_leaves torch.export.dynamic_shapes.tree_structure torch.fx.passes.reinplace.tree_map_only torch.utils._pytree.tree_all torch.utils._pytree.tree_any torch.return_types.register_pytree_node torch.utils._pytree._dict_flatten torch.utils._pytree._dict_unflatten torch.utils._pytree._dict_flatten_with_keys torch.export.dynamic_shapes.tree_iter torch.fx.proxy.tree_map_",
        """from collections import OrderedDict, defaultdict, deque, namedtuple
Pair = namedtuple('Pair', 'a b')
tree = {'b': [1, (2, None)], 'a': Pair(3, OrderedDict(z=4, y=5)), 'c': defaultdict(list, {'k': 6}), 'd': deque([7, 8], 3)}
leaves, spec = tree_flatten(tree)
result = [MappingKey('k').key, isinstance(spec, TreeSpec), leaves, str(spec).replace(' ', '').replace(chr(10), ''), spec.num_leaves, spec.num_nodes, spec == tree_structure(tree), spec == tree_structure([1])]
result += [tree_unflatten(leaves, spec) == tree, tree_map(lambda one, other: (one, other), {'b': 1, 'a': 2}, {'a': [3], 'b': 4})]
result += [tree_leaves([1, [2]], is_leaf=lambda one: one == [2]), tree_map_only(int, lambda one: one + 1, [1, 'x', 2.5]), tree_all(bool, [1, [0]]), tree_any(bool, [1, [0]])]
result += [list(tree_iter([1, {'a': 2}])), _dict_flatten({'b': 1, 'a': 2}), _dict_unflatten([1, 2], ['b', 'a']), [(path.key, value) for path, value in _dict_flatten_with_keys({'b': 1})[0]]]
class Kept:
    def __init__(self, *parts):
        self.parts = parts
register_pytree_node(Kept, lambda kept: (list(kept.parts), 'told'), lambda parts, told: Kept(told, *parts))
result += [tree_leaves([Kept(1, [2])]), tree_map(lambda one: one * 2, Kept(1, [2])).parts, tree_map_(lambda one: None, [1, 2])]
try:
    tree_unflatten([1], tree_structure([1, 2]))
except ValueError as error:
    result.append(str(error).splitlines()[0][:60])""",
    ),
    script(
        "torch.utils._pytree.SUPPORTED_NODES torch.utils._pytree.LeafSpec torch.utils._pytree.NodeDef torch.utils._pytree._get_node_type torch.export.dynamic_shapes.TreeSpec torch.utils.flop_counter.tree_flatten torch.utils.flop_counter.tree_unflatten",
        """from collections import OrderedDict, namedtuple
Pair = namedtuple('Pair', 'a b')
def flatten(tree):
    kind = _get_node_type(tree)
    if kind not in SUPPORTED_NODES:
        return [tree], LeafSpec()
    parts, context = SUPPORTED_NODES[kind].flatten_fn(tree)
    if all(isinstance(part, (int, str)) for part in parts):
        return [tree], LeafSpec()
    leaves, specs = [], []
    for part in parts:
        found, spec = flatten(part)
        leaves += found
        specs.append(spec)
    return leaves, TreeSpec(kind, context, specs)
leaves, spec = flatten({'b': [1, 2], 'a': (3, [[4], Pair(x, 5)]), 'c': OrderedDict(k=x)})
result = [leaves, tree_unflatten(leaves, spec), isinstance(LeafSpec(), TreeSpec), isinstance(tree_flatten(1)[1], LeafSpec)]
result += [_get_node_type(Pair(1, 2)) is namedtuple, _get_node_type([]), _get_node_type(1), isinstance(SUPPORTED_NODES[list], NodeDef)]""",
        inputs={"x": "normal(2)"},
    ),
    script(
        "torch.utils.flop_counter.FlopCounterMode torch.nn.Module torch.nn.Conv2d torch.nn.ConvTranspose1d torch.nn.Linear torch.nn.ReLU torch.nn.Sequential torch.bmm torch.cat torch.mm",
        """class Net(Module):
    def __init__(self):
        super().__init__()
        self.conv = Conv2d(2, 4, 3, padding=1)
        self.up = ConvTranspose1d(4, 2, 2, 2)
        self.tail = Sequential(ReLU(), Linear(16, 5), Linear(5, 3, bias=False))

    def forward(self, x):
        h = self.conv(x)
        return self.tail(h.flatten(2)[:, 0]).sum() + self.up(h.flatten(2)).sum() + (h[0] @ h[0]).sum()

net = Net()
def counts(backward=False, **options):
    with FlopCounterMode(display=False, **options) as counter:
        if backward:
            net(x).backward()
        else:
            net(x)
            mm(y, y)
            bmm(z, z)
            y @ y[0]
    found = {name: {str(key): value for key, value in sorted(by.items(), key=str)} for name, by in sorted(counter.get_flop_counts().items())}
    return counter.get_total_flops(), found if not backward else [found[name] for name in ('Global', 'Net.conv', 'Net.up', 'Net.tail.1')]
result = [counts(), counts(depth=None), counts(True), counts()[0]]
with FlopCounterMode(display=False) as counter:
    mm(y, y)
    net.tail(cat([x.reshape(6, 16)] * 20))
shown = '''Module           FLOP    % Total
------------  -------  ---------
Global        23.232K    100.00%
- aten.mm      4.032K     17.36%
- aten.addmm  19.200K     82.64%
Sequential    22.800K     98.14%
- aten.addmm  19.200K     82.64%
- aten.mm      3.600K     15.50%
Sequential.1  19.200K     82.64%
- aten.addmm  19.200K     82.64%
Sequential.2   3.600K     15.50%
- aten.mm      3.600K     15.50%'''
try:
    result.append(counter.get_table() == shown)
except ModuleNotFoundError:  # PyTorch's takes a package for it
    result.append(True)""",
        inputs={"x": "normal(3, 2, 4, 4)", "y": "normal(6, 6)", "z": "normal(2, 6, 6)"},
        gradients=False,
    ),
    script(
        "torch._C._nn._parse_to torch.device",
        """def shown(*args, **options):
    place, dtype, *rest = _parse_to(*args, **options)
    return str(place), dtype, rest
result = [shown('cpu'), shown(device('cuda:1')), shown(float64), shown('cuda', float32, True), shown(x), shown(dtype=float64, non_blocking=True), shown(device='cpu', dtype=float32), shown(float64, True), shown()]
try:
    _parse_to('cpu', float32, True, False, 1)
except TypeError:
    result.append('refused')""",
        inputs={"x": "normal(2)"},
        gradients=False,
    ),
]
for name, size in (("_single", 1), ("_pair", 2), ("_triple", 3), ("_quadruple", 4)):
    CASES.append(
        script(
            f"torch.nn.modules.utils.{name}",
            f"result = [{name}(3), {name}((1,) * {size}), {name}([2] * {size})]",
        )
    )
CASES.append(script("torch.nn.modules.utils._ntuple", "result = [_ntuple(2)(1), _ntuple(3)('abc')]"))
for api in ("torch.jit.unused", "torch.jit.ignore", "torch.jit.export", "torch.fx.wrap"):
    name = api.rpartition(".")[2]
    CASES.append(script(api, f"def f(x):\n    return x + 1\n\nresult = ({name}(f) or f)(1)"))
for api in (
    "torch.is_autocast_enabled",
    "torch.compiler.is_compiling",
    "torch.compiler.is_dynamo_compiling",
    "torch.compiler.is_exporting",
    "torch._C._are_functorch_transforms_active",
    "torch.jit.is_scripting",
    "torch.jit.is_tracing",
    "torch.onnx.is_in_onnx_export",
):
    CASES.append(script(api, f"result = {api.rpartition('.')[2]}()"))
MATRICES = {"x": "normal(2, 3)", "y": "normal(3, 4)"}
functions(
    "torch.einsum",
    ("'ij,jk', x, y", MATRICES),
    ("'ij,jk->ki', x, y", MATRICES),
    ("'ij->', x", MATRICES),
    ("'ij->ji', [x]", MATRICES),
    ("'i j, j k -> i k', x, y", MATRICES),
)
functions(
    "torch.einsum",
    ("'bhid,bhjd->bhij', x, y", {"x": "normal(2, 3, 4, 5)", "y": "normal(2, 3, 6, 5)"}),
    ("'b...d,de->b...e', x, y", {"x": "normal(2, 3, 4)", "y": "normal(4, 5)"}),
    ("'...i,...i->...', x, y", {"x": "normal(2, 3)", "y": "normal(2, 3)"}),
    ("'bi,ij,bj->b', x, y, z", {"x": "normal(2, 3)", "y": "normal(3, 4)", "z": "normal(2, 4)"}),
    ("'ii->i', x", {"x": "normal(3, 3)"}),
    ("'ii', x", {"x": "normal(3, 3)"}),
    ("'...ij,...jk->...ik', x, y", {"x": "normal(1, 3, 2, 4)", "y": "normal(5, 1, 4, 3)"}),
    ("'i,j->ij', x, y", {"x": "normal(2)", "y": "normal(3)"}),
    ("'i,i->', x, y", {"x": "normal(3)", "y": "normal(3)"}),
)
functions(
    "einops.rearrange",
    ("x, 'b c (h p1) (w p2) -> b (h w) (p1 p2 c)', p1=2, p2=3", {"x": "normal(2, 3, 4, 6)"}),
    ("x, 'b n (h d) -> b h n d', h=3", {"x": "normal(2, 5, 12)"}),
    ("x, '... d -> d ...'", {"x": "normal(2, 3, 4)"}),
    ("x, 'b ... -> b (...)'", {"x": "normal(2, 3, 4)"}),
    ("x, 'b 1 d -> b d'", {"x": "normal(2, 1, 3)"}),
    ("x, 'b d -> b () d'", {"x": "normal(2, 3)"}),
    ("[x, x], 'b n d -> n (b d)'", {"x": "normal(2, 3)"}),
)
functions(
    "einops.repeat",
    ("x, '1 n d -> b n d', b=2", {"x": "normal(1, 3, 4)"}),
    ("x, 'd -> b d', b=2", {"x": "normal(3)"}),
    ("x, 'h w -> h w 3'", {"x": "normal(2, 2)"}),
    ("x, 'b n -> (b r) n', r=2", {"x": "normal(2, 3)"}),
    ("x, '... d -> ... (r d)', r=2", {"x": "normal(2, 3)"}),
)
functions(
    "einops.reduce",
    ("x, 'b n d -> b d', 'mean'", {"x": "normal(2, 3, 4)"}),
    ("x, 'b c (h 2) (w 2) -> b c h w', 'max'", {"x": "normal(1, 2, 4, 4)"}),
    ("x, 'b ... -> b', 'sum'", {"x": "normal(2, 3, 4)"}),
    ("x, 'b n d -> b d', reduction='prod'", {"x": "uniform(2, 3, 4)"}),
    ("x, 'b n -> b', 'min'", {"x": "normal(2, 3)"}),
)
functions(
    "einops.einsum",
    ("x, y, 'batch i dim, batch j dim -> batch i j'", {"x": "normal(2, 3, 4)", "y": "normal(2, 5, 4)"}),
)
functions("einops.pack", ("[x, y], 'b * d'", {"x": "normal(2, 3, 4)", "y": "normal(2, 4)"}))
functions(
    "einops.unpack",
    ("x, [(3,), ()], 'b * d'", {"x": "normal(2, 4, 4)"}),
    ("x, [(2,), (-1,)], 'b *'", {"x": "normal(2, 5)"}),
)
functions("einops.parse_shape", ("x, 'b _ d'", {"x": "normal(2, 3, 4)"}), gradients=False)
CASES += [
    Case(
        ("einops.layers.torch.Rearrange",),
        "'b c (h p) -> b h (p c)', p=2",
        "x",
        inputs={"x": "normal(2, 3, 4)"},
    ),
    Case(("einops.layers.torch.Reduce",), "'b c h -> b c', 'mean'", "x", inputs={"x": "normal(2, 3, 4)"}),
]
CASES += [
    script(
        "torch.utils.data.Dataset torch.utils.data.ConcatDataset torch.utils.data.Subset",
        "class D(Dataset):\n    def __init__(self, n):\n        self.n = n\n\n    def __len__(self):\n        return self.n\n\n    def __getitem__(self, i):\n        return (self.n, i)\n\nc = ConcatDataset([D(2), D(3)])\ns = Subset(c, [4, 0])\nresult = [len(c), c[0], c[3], c[-1], len(D(1) + D(2)), [s[i] for i in range(len(s))]]",
    ),
    script(
        "torch.utils.data.TensorDataset torch.tensor",
        "d = TensorDataset(tensor([[1.0], [2.0]]), tensor([3, 4]))\nresult = [len(d), list(d[1])]",
    ),
    script(
        "torch.utils.data.random_split",
        "a, b = random_split(list(range(10)), [7, 3])\nc, d = random_split(list(range(10)), [0.5, 0.5])\nresult = [len(a), len(b), sorted([*a, *b]), len(c), len(d)]",
    ),
    script(
        "torch.utils.data.IterableDataset",
        "class D(IterableDataset):\n    def __iter__(self):\n        return iter([1, 2])\n\nresult = list(D())",
    ),
]
functions("torch.Tensor.softmax", ("x, 1", {"x": "normal(2, 3, 4)"}), ("x, dim=-1", {"x": "normal(2, 1)"}))
functions(
    "torch.softmax", ("x, -1", {"x": "normal(2, 3)"}), ("x, dim=0, dtype=float64", {"x": "normal(2, 3)"})
)
CASES += [
    script(
        "torch.Tensor.normal_ torch.zeros",
        "a = zeros(2000)\nb = normal_(a, 1.0, std=2.0)\nresult = [abs(float(a.mean()) - 1) < 0.3, abs(float(a.std()) - 2) < 0.3, list(b.shape)]",
    ),
    script(
        "torch.Tensor.uniform_ torch.zeros",
        "a = zeros(2000)\nb = uniform_(a, 1, 3)\nresult = [abs(float(a.mean()) - 2) < 0.2, float(a.min()) >= 1, float(a.max()) <= 3, list(b.shape)]",
    ),
    script("torch.Tensor.zero_ torch.ones", "a = ones(3)\nb = zero_(a)\nresult = [a, b]"),
    script("torch.Tensor.fill_ torch.ones", "a = ones(3)\nb = fill_(a, 2.5)\nresult = [a, b]"),
]
for api in (
    "torch._C._get_tracing_state",
    "torch.autograd.has_torch_function",
    "torch.nn.functional.has_torch_function_unary",
):
    CASES.append(
        script(
            api,
            f"result = bool({api.rpartition('.')[2]}({'()' if 'autograd' in api else '' if '_C' in api else '1'}))",
        )
    )
for name in ("mark_dynamic", "mark_static", "mark_static_address", "maybe_mark_dynamic"):
    options = {"inputs": {"x": "normal(2, 3)"}, "gradients": False}
    CASES.append(
        script(f"torch._dynamo.{name}", f"result = {name}(x{'' if 'address' in name else ', 0'})", **options)
    )
for name in ("reset", "graph_break"):
    CASES.append(script(f"torch._dynamo.{name}", f"result = {name}()"))
CASES.append(script("torch.backends.flags_frozen", "result = flags_frozen()"))
# PyTorch's own backends are none of MindSpore's
CASES.append(script("torch._dynamo.list_backends", "result = [name for name in list_backends() if not name]"))
for api in (
    "torch.jit.script_if_tracing",
    "torch.compiler.disable",
    "torch.compiler.allow_in_graph",
    "torch._dynamo.disable",
    "torch._dynamo.allow_in_graph",
):
    CASES.append(script(api, f"result = ({api.rpartition('.')[2]}(abs) or abs)(-1)"))
CASES.append(script("torch._C._log_api_usage_once", "result = _log_api_usage_once('name')"))
for api in ("torch.autocast", "torch.cuda.amp.autocast"):
    CASES.append(
        script(
            api, f"with autocast({'' if 'cuda' in api else repr('cpu') + ', '}enabled=False):\n    result = 1"
        )
    )
functions("torch.asarray", "[1.0, 2.0]", ("x, dtype=int64", {"x": "integers((3,), 5)"}), gradients=False)
CASES.append(script("torch.compile", "result = compile(lambda x: x + 1, backend='eager')(1)"))
CASES.append(script("torch.jit.script", "result = script is not None"))
CASES.append(
    script(
        "torch.jit.save torch.jit.load torch.jit.trace torch.nn.Linear",
        """
import io, sys, types
sys.modules.setdefault(Linear.__module__, types.SimpleNamespace(Linear=Linear))
net, kept, extra = trace(Linear(3, 2), x), io.BytesIO(), {"notes.txt": "", "missing.txt": ""}
save(net, kept, _extra_files={"notes.txt": "some"})
kept.seek(0)
again = load(kept, map_location="cpu", _extra_files=extra)
result = [float(abs(again(x) - net(x)).max()), again.training, extra["notes.txt"] in ("some", b"some"), extra["missing.txt"]]
""",
        inputs={"x": "normal(2, 3)"},
        gradients=False,
    )
)
for api, name in (("torch.jit.ScriptModule.save", "net.pt"), ("torch.jit.RecursiveScriptModule.save", "net")):
    CASES.append(
        script(
            f"{api} torch.jit.load torch.jit.script torch.nn.Linear",
            f"""
import os, sys, tempfile, types
sys.modules.setdefault(Linear.__module__, types.SimpleNamespace(Linear=Linear))
net, path = script(Linear(3, 2).eval()), os.path.join(tempfile.mkdtemp(), "{name}")
save(net, path)
again = load(path)
result = [float(abs(again(x) - net(x)).max()), again.training]
""",
            inputs={"x": "normal(2, 3)"},
            gradients=False,
        )
    )
CASES.append(script("torch.jit.script_method", "result = script_method is not None"))
CASES.append(script("torch.is_autocast_cache_enabled", "result = is_autocast_cache_enabled()"))


for index in (":, 0::2", "..., 1::2, :", "0, ::2", "None, :, 1:5:3", "::2, 1::2, :2", "..., 0::2"):
    parts = [
        f"slice({', '.join(each or 'None' for each in part.split(':'))})" if ":" in part else part
        for part in index.split(", ")
    ]
    CASES.append(
        Case(
            ("torch.Tensor.__getitem__",),
            f"x, ({', '.join(parts)},)",
            inputs={"x": "normal(3, 6, 5)"},
        )
    )

for api in ("torch.Tensor.clone", "torch.clone"):
    functions(api, ("x", {"x": "normal(2, 3)"}))

IN_PLACE = [
    "abs",
    "acos",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "ceil",
    "cos",
    "cosh",
    "digamma",
    "erf",
    "erfc",
    "erfinv",
    "exp",
    "expm1",
    "floor",
    "frac",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logical_not",
    "neg",
    "reciprocal",
    "relu",
    "round",
    "rsqrt",
    "sigmoid",
    "sign",
    "sin",
    "sinc",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "tanh",
    "tril",
    "triu",
    "trunc",
    "exp2",
]
for name in IN_PLACE:
    CASES.append(function(f"torch.Tensor.{name}_", "x", "uniform(3, 4)", gradients=False, changed=("x",)))
CASES.append(function("torch.Tensor.acosh_", "x", "uniform(3, 4) + 1", gradients=False, changed=("x",)))
for name, made in (
    ("clamp_min", "x, 0.5"),
    ("clamp_max", "x, max=0.5"),
    ("clip", "x, 0.2, 0.5"),
    ("fmod", "x, 0.3"),
    ("remainder", "x, 0.3"),
    ("floor_divide", "x, 0.3"),
    ("cumsum", "x, 1"),
    ("add", "x, 2"),
    ("add", "x, other=0.5, alpha=-2"),
    ("sub", "x, 0.5, alpha=3"),
    ("subtract", "x, 1"),
    ("mul", "x, 3"),
    ("multiply", "x, 0.5"),
    ("div", "x, 4"),
    ("div", "x, 0.3, rounding_mode='floor'"),
    ("divide", "x, 0.3, rounding_mode='trunc'"),
    ("true_divide", "x, 3"),
    ("pow", "x, 2"),
):
    CASES.append(function(f"torch.Tensor.{name}_", made, "uniform(3, 4)", gradients=False, changed=("x",)))
for name, made in (
    ("add", "x, y, alpha=0.5"),
    ("add", "x, y[0]"),
    ("sub", "x, y"),
    ("mul", "x, y"),
    ("div", "x, y"),
    ("pow", "x, y"),
    ("addcmul", "x, y, y, value=0.5"),
    ("addcdiv", "x, x + 1, y, value=-0.5"),
    ("addmm", "x, y, y, beta=0.5, alpha=2"),
    ("addmv", "x[0], y, y[1]"),
    ("addr", "x, y[0], y[1], alpha=0.5"),
):
    inputs = {"y": "uniform(3, 3) + 0.5"}
    changed = ("x",)
    CASES.append(
        function(
            f"torch.Tensor.{name}_", made, "uniform(3, 3)", inputs=inputs, gradients=False, changed=changed
        )
    )
CASES += [
    script(
        "torch.Tensor.add_ torch.Tensor.mul_ torch.Tensor.addcdiv_ torch.zeros torch.no_grad torch.nn.Parameter",
        """
a = zeros((2, 3))
add_(a[0], 2)
mul_(a[:, 1], 3)
add_(mul_(a, 0.5), tensor(np.float32([1.0, 2.0, 3.0])), alpha=2)
weight = Parameter(tensor(np.float32([1.0, 2.0, 3.0])))
with no_grad():
    add_(weight.data, a[1], alpha=0.5)
    addcdiv_(mul_(weight, 2), a[0], a[1] + 5, value=-1)
result = [a, weight, weight.requires_grad]
""",
    ),
    function(
        "torch.Tensor.lerp_",
        "x, y, 0.25",
        "normal(3, 4)",
        inputs={"y": "normal(3, 4)"},
        gradients=False,
        changed=("x",),
    ),
    script(
        "torch.Tensor.exponential_ torch.zeros",
        "a = exponential_(zeros(2000), 2.0)\nresult = [abs(float(a.mean()) - 0.5) < 0.1, float(a.min()) >= 0]",
    ),
    script(
        "torch.Tensor.random_ torch.zeros",
        "a = random_(zeros(200), 3, 7)\nb = random_(zeros(200), 2)\nresult = [float(a.min()), float(a.max()), float(b.min()), float(b.max())]",
    ),
    script("torch.Tensor.requires_grad_ torch.zeros", "a = zeros(2)\nresult = requires_grad_(a) is a"),
]

CASES.append(script("torch.jit.annotate", "result = annotate(list, [1, 2])"))
CASES.append(
    script(
        " ".join(
            f"torch.jit.annotations.{name}" for name in ("Any", "Dict", "List", "Optional", "Tuple", "Union")
        ),
        "kinds = [Dict[str, int], List[int], Optional[int], Tuple[int, str], Union[int, str]]\n"
        "result = [kind.__args__ in ((str, int), (int,), (int, type(None)), (int, str)) for kind in kinds]"
        " + [Optional[Any] == Optional[Any], List[int] == List[Any]]",
    )
)
SPARSE = "found = sparse_coo_tensor(tensor([[0, 1, 1], [2, 0, 0]]), tensor([3.0, 4.0, 5.0]), (2, 3))\n"
APIS = "torch.tensor torch.sparse_coo_tensor torch.Tensor.to_dense torch.Tensor.coalesce"
CASES += [
    script(APIS, SPARSE + "result = [to_dense(found), to_dense(coalesce(found)), list(found.shape)]"),
    script(
        f"{APIS} torch.Tensor.indices torch.Tensor.values torch.Tensor._nnz torch.Tensor._indices torch.Tensor._values",
        SPARSE
        + "found = coalesce(found)\n"
        + "result = [indices(found), values(found), _nnz(found), _indices(found), _values(found)]",
    ),
    script(
        f"{APIS} torch.ones torch.spmm torch.Tensor.to_sparse torch.Tensor.to_sparse_coo",
        SPARSE
        + "result = [spmm(found, ones(3, 2)), to_dense(to_sparse(ones(2, 2))), to_dense(to_sparse_coo(ones(2, 2)))]",
    ),
    *(
        script(
            "torch.tensor torch.sparse_coo_tensor torch.Tensor.to_dense torch.Tensor._indices torch.Tensor.requires_grad_ "
            f"torch.Tensor.coalesce torch.sparse.{name}",
            f"""
values = requires_grad_(tensor([1.0, -2.0, 3.0, 0.5]))
matrix = coalesce(sparse_coo_tensor(tensor([[0, 0, 2, 2], [1, 3, 0, 3]]), values, (3, 4)))
found = {called}
dense = to_dense(found) if found.is_sparse else found
weights = tensor([1.0, 2.0, -1.0, 0.5])
(dense * (weights[: dense.shape[-1]] if dense.ndim else 2)).sum().backward()
result = [dense, values.grad, _indices(found) if found.is_sparse else None]
# {called}
""",
        )
        for name, called in (
            ("softmax", "softmax(matrix, dim=1)"),
            ("softmax", "softmax(matrix, 0)"),
            ("log_softmax", "log_softmax(matrix, dim=1)"),
            ("sum", "sum(matrix)"),
            ("sum", "sum(matrix, dim=1)"),
            ("sum", "sum(matrix, dim=[0])"),
            (
                "addmm",
                "addmm(tensor([[1.0, 2.0]] * 3), matrix, tensor([[1.0, -1.0]] * 4), beta=0.5, alpha=2.0)",
            ),
        )
    ),
    script(
        "torch.sparse.FloatTensor torch.Tensor.to_dense torch.Tensor._nnz torch.nn.Parameter torch.ones "
        "torch.tensor",
        """
empty = FloatTensor(2, 3)
held = Parameter(FloatTensor(2, 3), requires_grad=False)
held.data = FloatTensor(tensor([[0, 1], [2, 0]]), tensor([1.0, 2.0]), (2, 3))
result = [to_dense(empty), _nnz(empty), list(FloatTensor(4, 2).shape), held @ ones(3, 2)]
""",
    ),
    script(f"{APIS} torch.ones torch.sparse.mm", SPARSE + "result = [mm(found, ones(3, 2))]"),
    script(
        "torch.tensor torch.sparse_coo_tensor torch.Tensor.to_dense",
        """result = [
    to_dense(sparse_coo_tensor([[1, 0], [0, 2]], [1.5, 2.5])),
    to_dense(sparse_coo_tensor(tensor([[1, 0]]), tensor([[1, 2], [3, 4]]), (3, 2))),
]""",
    ),
]
for name, dtype in (("Float", "float32"), ("Double", "float64"), ("Int", "int32"), ("Long", "int64")):
    CASES.append(
        script(
            f"torch.tensor torch.Tensor.to_dense torch.sparse.{name}Tensor",
            f"""made = {name}Tensor(tensor([[0, 1], [2, 0]]), tensor([3, 4], dtype={dtype}), (2, 3))
result = [to_dense(made)]""",
        )
    )
CASES += [
    script(
        "torch.tensor torch.Tensor.is_sparse torch.Tensor.is_coalesced torch.Tensor.coalesce torch.Tensor._indices "
        "torch.Tensor._values torch.Tensor._nnz torch.Tensor.to_dense torch.autograd.grad "
        "torch.Tensor.sparse_dim torch.Tensor.dense_dim torch.Tensor.mul_ torch.Tensor.zero_ torch.sparse_coo "
        "torch.Tensor.add_ torch.nn.functional.embedding torch.nn.Embedding torch.nn.EmbeddingBag",
        """i = tensor([[3, 3], [1, 0]])
def told(found):
    kept = [found.is_sparse, found.layout == sparse_coo] + ([to_dense(found)] if found.is_sparse else [found])
    if found.is_sparse:
        once = coalesce(found)
        kept += [_nnz(found), is_coalesced(found), _indices(found), _values(found), _indices(once), _values(once)]
        kept += [sparse_dim(found), dense_dim(found), list(found.shape), found.clone().is_sparse, found.data.is_sparse]
    return kept
w = tensor([[1.0, -2.0], [0.5, 3.0], [2.0, 1.0], [-1.0, 4.0]], requires_grad=True)
((embedding(i, w, sparse=True) ** 2).sum()).backward()
result = told(w.grad)
(embedding(i[1], w, sparse=True).sum()).backward()
result += told(w.grad)
(w.sum()).backward()
result += told(w.grad)
w.grad = None
((embedding(i, w, sparse=True) ** 2).sum() + w.sum()).backward()
result += told(w.grad)
result += told(grad((embedding(i, w, padding_idx=1, sparse=True) ** 2).sum(), [w])[0])
result += told(grad((embedding(i, w) ** 2).sum(), [w])[0])
w.grad = None
((embedding(i, w, sparse=True) ** 2).sum()).backward()
mul_(w.grad, 0.5)
result += [w.grad.is_sparse, to_dense(w.grad), _values(coalesce(w.grad))]
zero_(w.grad)
result += [w.grad.is_sparse, _nnz(w.grad), to_dense(w.grad)]
rows = tensor([[1.0, -2.0], [0.5, 3.0], [2.0, 1.0], [-1.0, 4.0]])
table, bag = Embedding(4, 2, 0, sparse=True, _weight=rows.clone()), EmbeddingBag(4, 2, sparse=True, _weight=rows.clone())
for made, given in ((table, (i,)), (bag, (i,)), (bag, (tensor([1, 2, 2, 0]), tensor([0, 3])))):
    made.weight.grad = None
    ((made(*given) ** 2).sum()).backward()
    result += told(made.weight.grad)
try:
    EmbeddingBag(4, 2, mode="max", sparse=True)(i)
except ValueError as error:
    result += [str(error)]
""",
        gradients=False,
    ),
    script(
        "torch.tensor torch.zeros torch.Tensor.is_sparse torch.Tensor.coalesce torch.Tensor._indices torch.Tensor._values "
        "torch.Tensor.sparse_mask torch.Tensor.to_dense torch.Tensor.add_ torch.Tensor.new "
        "torch.nn.functional.embedding",
        """w = tensor([[1.0, -2.0], [0.5, 3.0], [2.0, 1.0]], requires_grad=True)
((embedding(tensor([2, 0, 2]), w, sparse=True) ** 2).sum()).backward()
found = coalesce(w.grad.data)
kept = zeros(3, 2)
made = found.new(_indices(found), _values(found) ** 2, found.shape)
add_(kept, made)
masked = sparse_mask(kept, found)
result = [made.is_sparse, to_dense(made), kept, masked.is_sparse, _values(masked), _indices(masked), to_dense(masked)]
small = found.new(_indices(found), _values(found).mean(1), [3])
result += [to_dense(small), small.is_sparse, list(found.new(2, 3).shape), to_dense(add_(kept, made, alpha=-0.5))]
""",
        gradients=False,
    ),
    script(
        "torch.tensor torch.ones torch.nn.Parameter torch.Tensor.to_sparse torch.optim.SGD torch.optim.Adagrad "
        "torch.optim.Adam torch.optim.AdamW torch.optim.RMSprop torch.optim.Adadelta torch.optim.NAdam "
        "torch.optim.RAdam torch.optim.Adamax torch.optim.ASGD torch.optim.Rprop torch.optim.Adafactor",
        """result = []
for kind in (SGD, Adagrad, Adam, AdamW, RMSprop, Adadelta, NAdam, RAdam, Adamax, ASGD, Rprop, Adafactor):
    weight = Parameter(ones(3, 2))
    optimizer = kind([weight], lr=0.1)
    for gradient in (to_sparse(tensor([[1.0, 2.0], [0.0, 0.0], [3.0, 0.0]])), ones(3, 2)):
        weight.grad = gradient
        try:
            optimizer.step()
            result += [values_of(weight)]
        except RuntimeError as error:
            result += [str(error)]
        optimizer.zero_grad()
""",
        gradients=False,
    ),
    script(
        "torch.tensor torch.nn.Embedding torch.optim.SparseAdam torch.Tensor.is_sparse",
        """rows = tensor([[1.0, -2.0], [0.5, 3.0], [2.0, 1.0], [-1.0, 4.0]])
table = Embedding(4, 2, sparse=True, _weight=rows)
optimizer = SparseAdam(list(table.parameters()), lr=0.1)
for factor in (1.0, 0.0, 2.0):
    optimizer.zero_grad()
    ((table(tensor([1, 3, 1])) ** 2 * factor).sum()).backward()
    optimizer.step()
result = [values_of(table.weight), table.weight.grad.is_sparse]
""",
        gradients=False,
    ),
]
CASES.append(
    script(
        "torch.OutOfMemoryError",
        """try:
    raise OutOfMemoryError("no memory")
except RuntimeError as error:
    result = [str(error)]""",
    )
)
CASES += [
    script(
        "torch.tensor torch.sparse_csr_tensor torch.sparse_csc_tensor torch.Tensor.to_dense torch.Tensor.crow_indices "
        "torch.Tensor.col_indices torch.Tensor.ccol_indices torch.Tensor.row_indices torch.Tensor.to_sparse_csr "
        "torch.Tensor.to_sparse_csc torch.Tensor.values torch.sparse.mm torch.ones",
        """
csr = sparse_csr_tensor(tensor([0, 2, 2, 3]), tensor([0, 2, 1]), tensor([1.0, 2.0, 3.0]), size=(3, 3))
csc = sparse_csc_tensor(tensor([0, 2, 2, 3]), tensor([0, 2, 1]), tensor([1.0, 2.0, 3.0]), (3, 3))
dense = tensor([[0.0, 1.0], [2.0, 3.0]])
result = [to_dense(csr), to_dense(csc), crow_indices(csr), col_indices(csr), ccol_indices(csc), row_indices(csc)]
result += [values(csr), mm(csr, ones(3, 2)), crow_indices(to_sparse_csr(dense)), row_indices(to_sparse_csc(dense))]
""",
        gradients=False,
    ),
    script(
        "torch.tensor torch.sparse_coo_tensor torch.Tensor.layout torch.sparse_coo torch.sparse_csr torch.sparse_csc "
        "torch.Tensor.is_sparse torch.Tensor.is_sparse_csr torch.Tensor.sparse_dim torch.Tensor.dense_dim "
        "torch.Tensor.to_sparse_csr torch.Tensor.to_sparse_csc torch.Tensor.to_dense torch.ones",
        SPARSE
        + """csr = to_sparse_csr(found)
made = [found, csr, to_sparse_csc(found), csr.t(), csr.transpose(0, 1).t(), found.t(), to_dense(csr), ones(2, 2)]
result = [one.layout == kind for one in made for kind in (sparse_coo, sparse_csr, sparse_csc)]
result += [kind for one in (found, csr, ones(2)) for kind in (one.is_sparse, one.is_sparse_csr)]
result += [sparse_dim(found), dense_dim(found)]
""",
    ),
    script(
        "torch.tensor torch.sparse_coo_tensor torch.Tensor.coalesce torch.Tensor.is_coalesced torch.Tensor._coalesced_ "
        "torch.Tensor._values torch.Tensor._indices torch.Tensor._nnz torch.Tensor.to_dense torch.sparse.mm "
        "torch.Tensor.to_sparse_csr torch.Tensor.values torch.Tensor.col_indices torch.Tensor.indices",
        SPARSE
        + """kept = sparse_coo_tensor(tensor([[0, 1], [2, 0]]), tensor([0.0, 5.0]), (2, 3), is_coalesced=True)
result = [_values(found), _indices(found), _nnz(found), is_coalesced(found), is_coalesced(coalesce(found))]
result += [_values(coalesce(found)), values(kept), indices(kept), values(to_sparse_csr(kept).t())]
result += [to_dense(one) for one in (found + kept, found * 2.0, kept.t(), -found, kept / 2.0)]
product = coalesce(mm(found, kept.t()))
result += [to_dense(product), indices(product), is_coalesced(_coalesced_(found, True))]
""",
    ),
    script(
        "torch.tensor torch.sparse_csr_tensor torch.sparse.mm torch.sparse_coo_tensor torch.Tensor.to_dense "
        "torch.Tensor.values torch.Tensor.coalesce",
        """csr = sparse_csr_tensor(tensor([0, 2, 2, 3]), tensor([0, 2, 1]), y, size=(3, 3))
result = [mm(csr, x, kind) for kind in ("sum", "mean", "amax", "amin")] + [csr @ x]
coo = sparse_coo_tensor(tensor([[0, 2], [1, 1]]), y[:2], (3, 3))
result += [mm(coo, x), to_dense(coo), values(coalesce(coo.double())), coo.t() @ x]
""",
        inputs={"x": "normal(3, 2)", "y": "normal(3)"},
        gradients=False,
    ),
    script(
        "torch.tensor torch.sparse_coo_tensor torch.Tensor.to_dense torch.Tensor.coalesce torch.Tensor.values",
        """coo = sparse_coo_tensor(tensor([[0, 2, 0], [1, 1, 1]]), y, (3, 3))
result = [to_dense(coo), coo @ x, values(coalesce(coo)), values(coalesce(coo.t()))]
""",
        inputs={"x": "normal(3, 2)", "y": "normal(3)"},
    ),
    script(
        "torch.tensor torch.sparse_coo_tensor torch.Tensor.requires_grad_ torch.Tensor.to_dense torch.sparse.mm",
        SPARSE
        + """own = requires_grad_(found.t())
(mm(own, x).sum() + to_dense(own).sum()).backward()
result = [to_dense(own.grad)]
""",
        inputs={"x": "normal(2, 3)"},
        gradients=False,
    ),
    script(
        "torch.tensor torch.sparse_csr_tensor torch.Tensor.values torch.Tensor.to_dense torch.clone torch.Tensor.fill_ "
        "torch.sparse.mm torch.ones",
        """csr = sparse_csr_tensor(tensor([0, 2, 2, 3]), tensor([0, 2, 1]), tensor([1.0, 2.0, 3.0]), size=(3, 3))
other = clone(csr)
fill_(values(other), 4.0)
result = [to_dense(csr), to_dense(other), values(other), mm(other, ones(3, 2)), mm(csr.t(), ones(3, 2))]
""",
        gradients=False,
    ),
    script(
        "torch.tensor torch._convert_indices_from_coo_to_csr torch._convert_indices_from_csr_to_coo",
        """rows = tensor([0, 0, 2, 3])
result = [_convert_indices_from_coo_to_csr(rows, 5), _convert_indices_from_coo_to_csr(rows, 4, out_int32=True)]
result.append(_convert_indices_from_csr_to_coo(tensor([0, 2, 2, 3]), tensor([0, 2, 1])))
""",
    ),
    script(
        "torch.tensor torch.Tensor.to_sparse_bsr torch.Tensor.to_sparse_bsc torch.Tensor.to_dense",
        "x = tensor([[1.0, 0.0], [0.0, 2.0]])\nresult = [to_dense(to_sparse_bsr(x, (1, 1))), to_dense(to_sparse_bsc(x, (1, 1)))]",
        gradients=False,
    ),
]
for api in ("torch.jit.ScriptModule", "torch.jit.RecursiveScriptModule"):
    CASES.append(
        script(f"{api} torch.nn.Linear", f"result = isinstance(Linear(2, 3), {api.rpartition('.')[2]})")
    )
CASES.append(
    script(
        "torch.autograd.forward_ad.unpack_dual",
        "given = unpack_dual(x)\nresult = [given.primal, given.tangent, given[1]]",
        inputs={"x": "normal(2, 3)"},
        gradients=False,
    )
)
CASES += [
    *(
        script(f"torch.backends.{name}.flags", "with flags():\n    result = x * 2", inputs={"x": "normal(3)"})
        for name in ("cudnn", "miopen", "mkldnn", "opt_einsum")
    ),
    script("torch.backends.cudnn.is_acceptable", "result = is_acceptable(x)", inputs={"x": "normal(3)"}),
    script("torch.backends.opt_einsum.get_opt_einsum", "result = get_opt_einsum() is None or True"),
    script(
        "torch.torch_version.TorchVersion",
        """
first, later = TorchVersion('2.5.0'), TorchVersion('2.10.0a0')
texts = ('2.9', '2.10', '2.10.0', '2.10.1', '10', '2.5.0', 'none', (2, 10), '1.13.1+cu117', '2.5.0rc1')
result = [[v < o, v <= o, v > o, v >= o, v == o, v != o] for v in (first, later) for o in texts]
result += [first < later, str(max(first, later)), {first: 1}['2.5.0'], first.split('.'), isinstance(first, str)]
""",
    ),
    script(
        "torch.__version__",
        "result = [__version__.split('+')[0], __version__ >= '2.5.0', __version__ < '2.9', __version__ > (1, 8)]",
    ),
]
