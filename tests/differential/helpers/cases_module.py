"""Modules, their containers and their interface, initialization."""

from __future__ import annotations

import re

from case import Case, function, script

NET = """
class Net(Module):
    def __init__(self):
        super().__init__()
        self.first = Linear(3, 4, bias=False)
        self.norm = None
        self.norm = BatchNorm1d(4)
        self.tail = Sequential(OrderedDict([("a", Linear(4, 2)), ("b", ModuleList([Linear(2, 2)]))]))
        self.shared = self.first
        self.register_buffer("scale", tensor(np.float32([2.0])))
        self.register_buffer("hidden", tensor(np.float32([3.0])), persistent=False)
        self.register_buffer("none", None)
        self.register_parameter("absent", None)
        self.free = Parameter(tensor(np.float32([1.0, 2.0])))
    def forward(self, x):
        return self.tail[0](self.norm(self.first(x))) * self.scale
from collections import OrderedDict
net = Net()
"""
NAMES = "torch.nn.Module torch.nn.Linear torch.nn.BatchNorm1d torch.nn.Sequential torch.nn.ModuleList torch.nn.Parameter"
FILL = """
for number, (name, value) in enumerate(net.named_parameters()):
    constant_(value, (number + 1) / 10)
"""


def module(source: str, more: str = "") -> Case:
    return script(f"{NAMES} {more}", NET + source)


CASES = [
    module("result = [(name, list(value.shape)) for name, value in net.named_parameters()]"),
    module("result = [list(value.shape) for value in net.parameters()]"),
    module("""
net.loss_total = 1.5
read = {name: getattr(net, name) for name in dir(net)}
numbers = {name: value for name, value in read.items() if not callable(value) and "loss" in name}
result = [numbers, [name in read for name in ("first", "scale", "free", "absent", "tail", "0", "forward", "gone")]]
"""),
    module("result = [name for name, _ in net.named_parameters('net', recurse=False)]"),
    module("result = [name for name, _ in net.named_parameters(remove_duplicate=False)]"),
    module("result = [name for name, _ in net.named_buffers()]"),
    module("result = [list(value.shape) for value in net.buffers()]"),
    module("result = [(name, type(value).__name__) for name, value in net.named_modules()]"),
    module("result = [name for name, _ in net.named_modules(prefix='a', remove_duplicate=False)]"),
    module("result = [type(value).__name__ for value in net.modules()]"),
    module("result = [type(value).__name__ for value in net.children()]"),
    module("result = [name for name, _ in net.named_children()]"),
    module("result = list(net.state_dict())"),
    module("result = [list(net._modules), list(net._parameters), list(net._buffers)]"),
    module(
        "result = [net.training, net.eval().training, net.train().tail[0].training, net.train(False).norm.training][1:]"
    ),
    module(
        "result = [type(net.get_submodule('tail.b.0')).__name__, list(net.get_parameter('tail.a.weight').shape)]"
    ),
    module("result = [value.requires_grad for value in net.requires_grad_(False).parameters()]"),
    module("net.zero_grad(); result = [net.cpu() is net, net.to('cpu') is net]"),
    module(
        "net.half(); result = [[v.dtype for v in net.parameters()], net.scale.dtype, net.norm.num_batches_tracked.dtype]"
    ),
    module("net.to(float64); result = [[v.dtype for v in net.parameters()], net.scale.dtype]"),
    module("net.to(dtype=float16).float(); result = [[v.dtype for v in net.parameters()], net.scale.dtype]"),
    module("net.to('cpu', float16, non_blocking=True).double(); result = [v.dtype for v in net.buffers()]"),
    module(
        "result = [list(net.load_state_dict(net.state_dict())), list(net.load_state_dict({}, strict=False))[0]]"
    ),
    module("net.scale = tensor(np.float32([5.0])); result = [net.scale, 'scale' in net.state_dict()]"),
    module("net.first = None; net.absent = net.free; result = [n for n, _ in net.named_parameters()]"),
    module("del net.norm, net.free, net.scale; result = [list(net.state_dict()), hasattr(net, 'norm')]"),
    module(
        "old = net.free\ncopy_(net.state_dict()['free'], tensor(np.float32([7, 8])))\nresult = [net.free, net.free is old]",
        "torch.Tensor.copy_",
    ),
    module(
        "held = net.state_dict(keep_vars=True)\n"
        "result = [net.state_dict()['free'].requires_grad, held['free'].requires_grad, held['free'] is net.free]"
    ),
    module(
        "with no_grad():\n    net.own = exp_(net.free)\n"
        "result = [net.own is net.free, net.own, [name for name, _ in net.named_parameters()]]",
        "torch.no_grad torch.Tensor.exp_",
    ),
    module(
        "class Own(type(net.scale)):\n    pass\nclass Held(Own, Parameter):\n    pass\n"
        "result = [isinstance(net.free, Parameter), isinstance(net.scale, Parameter), issubclass(Held, Own)]"
    ),
    module(
        "net.shown = net.scale\nresult = ['shown' in net.state_dict(), net.shown is net.scale, list(net.state_dict())]"
    ),
    module(
        "net.phase = 2\nnet.cells = ModuleList([Linear(1, 2)])\nnet.recompute = Linear(2, 1)\nnet.compiled = True\n"
        "result = [net.phase, len(net.cells), list(net.cells[0].weight.shape), list(net.recompute.weight.shape),"
        " net.compiled, [name for name, _ in net.named_parameters()]]"
    ),
    module(FILL + "net.eval(); result = net(tensor(np.float32([[1, 2, 3]])))", "torch.nn.init.constant_"),
    module(
        FILL + "net.eval(); result = net.forward(x=tensor(np.float32([[1, 2, 3]])))",
        "torch.nn.init.constant_",
    ),
    module(
        FILL + "net.train(); net(tensor(np.float32([[1, 2, 3], [3, 2, 2]]))); result = net.norm.running_var",
        "torch.nn.init.constant_",
    ),
    module(
        """
seen = []
net.eval()
first = net.tail[0].register_forward_hook(lambda m, args, out: seen.append((type(m).__name__, list(args[0].shape))))
net.register_forward_pre_hook(lambda m, args: (args[0] * 0,))
out = net(tensor(np.float32([[1, 2, 3]])))
first.remove()
net(tensor(np.float32([[1, 2, 3]])))
result = [seen, list(out.shape)]
"""
    ),
    module(
        """
def init(m):
    if isinstance(m, Linear):
        constant_(m.weight, 0.5)
result = [net.apply(init) is net, net.tail[0].weight]
""",
        "torch.nn.init.constant_",
    ),
    module(
        """
class Frozen(Net):
    def train(self, mode=True):
        super().train(mode)
        self.norm.eval()
        return self
outer = Sequential(Frozen(), Linear(2, 2))
outer.train()
result = [outer[0].training, outer[0].norm.training, outer[0].first.training, outer.eval()[0].training]
"""
    ),
    module(
        """
class Loading(Net):
    def _load_from_state_dict(self, state_dict, prefix, *args):
        if prefix + "old" in state_dict:
            state_dict[prefix + "free"] = state_dict.pop(prefix + "old")
        super()._load_from_state_dict(state_dict, prefix, *args)
net = Sequential(Loading())
state = dict(net.state_dict())
state["0.old"] = tensor(np.float32([7.0, 8.0]))
del state["0.free"]
net.load_state_dict(state)
result = net[0].free
"""
    ),
    module(
        """
def before(state_dict, prefix, local_metadata, strict, missing, unexpected, errors):
    state_dict[prefix + "free"] = state_dict[prefix + "free"] + 1
net._register_load_state_dict_pre_hook(before)
net._register_state_dict_hook(lambda module, state, prefix, metadata: state.pop(prefix + "scale") and None)
state = net.state_dict()
net.load_state_dict(state, strict=False)
result = [list(state), net.free]
"""
    ),
    module(
        """
import copy
other = copy.deepcopy(net)
both = ModuleList([net, other])
constant_(other.free, 9)
result = [[name for name, _ in both.named_parameters()], net.free, other.free]
""",
        "torch.nn.init.constant_",
    ),
    module(
        """
class Wider(Linear):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.extra = Parameter(tensor(np.float32([2.0])))
    def forward(self, input):
        return super().forward(input) * self.extra
class Mixin:
    def forward(self, input):
        return super().forward(input) + 1
class Both(Mixin, Wider):
    pass
both = Both(3, 2, bias=False)
constant_(both.weight, 1)
result = [both(tensor(np.float32([1, 2, 3]))), [name for name, _ in both.named_parameters()]]
""",
        "torch.nn.init.constant_",
    ),
    module(
        """
class Chosen(Module):
    def __init__(self):
        super().__init__()
        self.forward = self.other
        self.plain = [Linear(2, 2)]
        self.numbers = (1, 2)
        self.later = None
    def other(self, x):
        return x + 1
chosen = Chosen()
chosen.later = Parameter(tensor(np.float32([1.0])))
result = [chosen(1), list(chosen.state_dict()), chosen.numbers, chosen.later]
"""
    ),
    module(
        """
class Late(Module):
    def __init__(self):
        try:
            self.weight = Parameter(tensor(np.float32([1.0])))
        except AttributeError:
            self.failed = True
        super().__init__()
result = Late().failed
"""
    ),
    module(
        """
class Described(Linear):
    def extra_repr(self):
        return "mine"
result = repr(Described(2, 3))
"""
    ),
    module(
        "result = [p.dtype for p in (Parameter(tensor(np.float32(1)), False), Parameter(net.free))] + [Parameter(net.free, requires_grad=False).requires_grad]"
    ),
    *(
        module(
            f"result = {source}",
            f"torch.nn.Module.{name}",
        )
        for name, source in {
            "parameters": "[list(p.shape) for p in parameters(net)] + [list(p.shape) for p in parameters(net, recurse=False)]",
            "named_parameters": "[name for name, _ in named_parameters(net)]",
            "modules": "[type(m).__name__ for m in modules(net)]",
            "named_modules": "[name for name, _ in named_modules(net)]",
            "children": "[type(m).__name__ for m in children(net)]",
            "named_children": "[name for name, _ in named_children(net)]",
            "buffers": "[list(b.shape) for b in buffers(net)]",
            "named_buffers": "[name for name, _ in named_buffers(net)]",
            "get_submodule": "[type(get_submodule(net, 'tail.a')).__name__, get_submodule(net, '') is net]",
            "train": "[train(net).tail[0].training, train(net, False).norm.training]",
            "requires_grad_": "[p.requires_grad for p in requires_grad_(net, False).parameters()]",
            "to": "[p.dtype for p in to(net, float16).parameters()]",
            "load_state_dict": "list(load_state_dict(net, {}, strict=False))[1]",
        }.items()
    ),
    script(
        "torch.nn.Sequential torch.nn.Linear torch.nn.ReLU torch.nn.init.constant_",
        """
net = Sequential(Linear(2, 3), ReLU(), Linear(3, 2))
for value in net.parameters():
    constant_(value, 0.5)
x = tensor(np.float32([[1, -2]]))
part = net[:2]
net.append(ReLU()); net.insert(1, Linear(3, 3)); net.extend([ReLU()])
shapes = [type(m).__name__ for m in net]
del net[1]
net[1] = Linear(3, 3)
popped = type(net.pop(-1)).__name__
result = [part(x), len(net), shapes, popped, list(net.state_dict()), type(net[-1]).__name__, list(net._modules), type(part).__name__]
""",
    ),
    script(
        "torch.nn.Sequential torch.nn.Linear torch.nn.ReLU",
        """
from collections import OrderedDict
class Block(Sequential):
    def __init__(self, width):
        super().__init__()
        self.add_module("linear", Linear(width, width))
        self.relu = ReLU()
        self.register_module("last", Linear(width, width))
block = Sequential(OrderedDict([("one", Block(2)), ("two", ReLU())]))
both = block + Sequential(ReLU())
result = [list(block.state_dict()), [n for n, _ in block.named_children()], len(block.one), len(both), bool(Sequential()), list(block(tensor(np.float32([[1, 2]]))).shape), [n for n, _ in block[1:].named_children()]]
""",
    ),
    script(
        "torch.nn.ModuleList torch.nn.Linear torch.nn.Module",
        """
class Net(Module):
    def __init__(self):
        super().__init__()
        self.layers = ModuleList(Linear(2, n) for n in (2, 3))
        self.nested = ModuleList((ModuleList([Linear(1, 1)]), ModuleList()))
        self.layers.append(Linear(2, 5)).extend((Linear(2, 6),))
        self.layers.insert(0, Linear(2, 1))
        self.layers += [Linear(2, 7)]
net = Net()
before = list(net.state_dict())
last = net.layers.pop(-1)
net.layers[-1] = Linear(2, 9)
rest = net.layers[1:]
result = [before, list(net.state_dict()), last.out_features, [m.out_features for m in rest], list(rest.state_dict()), len(net.nested), bool(net.nested[1]), net.layers[-1].out_features, [m.out_features for m in reversed(net.layers)], list(net.named_children())[0][0], len(net.layers + rest)]
""",
    ),
    script(
        "torch.nn.ModuleDict torch.nn.ModuleList torch.nn.Linear torch.nn.ReLU torch.nn.Module",
        """
class Net(Module):
    def __init__(self):
        super().__init__()
        self.heads = ModuleDict({"a": ModuleList([Linear(1, 2)]), "b": ModuleDict()})
        self.heads["c"] = Linear(2, 2)
        self.heads.update([("d", ReLU())])
        self.heads.update({"a": Linear(1, 3)})
net = Net()
heads = net.heads
first = [list(heads), list(heads.keys()), "c" in heads, len(heads), [type(m).__name__ for m in heads.values()], list(net.state_dict())]
heads.pop("c")
del heads["d"]
second = [n for n, _ in heads.items()]
heads.clear()
result = [first, second, len(heads), bool(heads)]
""",
    ),
    script(  # a class that asks for what Python would make it anew of
        "torch.nn.Linear torch.manual_seed",
        """manual_seed(3)

class Kept(Linear):
    def __reduce__(self):
        made, given, state = super().__reduce__()[:3]
        return again, (3, state)

def again(size, state):
    made = Kept(size, size)
    made.__setstate__(dict(state))
    return made

import copy
import pickle
net = Kept(3, 2)
other = copy.deepcopy(net)
result = [type(other).__name__, net(x), (other(x) == net(x)).all(), other.weight is net.weight, net.__reduce__()[1][0]]
""",
        inputs={"x": "normal(4, 3)"},
    ),
    script(  # a class of Parameters: only its own are of it, and they are Parameters of a module
        "torch.nn.Parameter torch.nn.Module torch.ones torch.optim.SGD",
        """class Bounded(Parameter):
    def __new__(cls, data, requires_grad, bound):
        return Parameter.__new__(cls, data, requires_grad)

    def __init__(self, data, requires_grad, bound):
        self.bound = bound

    def clipped(self):
        return self.detach().clamp(-self.bound, self.bound)

class Plain(Parameter):
    pass

class Net(Module):
    def __init__(self):
        super().__init__()
        self.w, self.v, self.p = Bounded(ones(3), True, 0.5), Parameter(ones(3)), Plain(ones(3) * 2)

net = Net()
(net.w * net.v * net.p * x).sum().backward()
SGD(net.parameters(), lr=0.1).step()
kinds = [[isinstance(each, kind) for kind in (Parameter, Bounded, Plain)] for each in net.parameters()]
result = [kinds, [name for name, _ in net.named_parameters()], [each * 1 for each in net.parameters()]]
result += [net.w.clipped(), net.w.bound, type(net.w).__name__, net.w.requires_grad, isinstance(x, Parameter)]
""",
        inputs={"x": "normal(3)"},
    ),
    script(
        "torch.nn.ParameterList torch.nn.Parameter torch.zeros torch.ones",
        """
kept = ParameterList()
kept.append(None)
kept.append(Parameter(ones(2)))
kept.extend([ones(1), "name"])
kept[1] = None
kept[0] = Parameter(zeros(3))
result = [len(kept), list(kept.state_dict()), [type(each).__name__ for each in kept], repr(kept)]
result += [len(kept[1:3]), [each is None for each in kept], kept[-1], len(list(kept.parameters()))]
""",
    ),
    script(
        "torch.nn.ParameterList torch.nn.Parameter torch.nn.Module torch.nn.init.ones_",
        """
class Net(Module):
    def __init__(self):
        super().__init__()
        self.scales = ParameterList([Parameter(tensor(np.float32([n]))) for n in range(3)])
        self.scales.append(Parameter(tensor(np.float32([[7]]))))
        self.scales.extend([Parameter(tensor(np.float32([8])))])
net = Net()
net.scales[1] = Parameter(tensor(np.float32([4, 4])))
ones_(net.scales[0])
result = [list(net.state_dict()), len(net.scales), net.scales[-1], [list(p.shape) for p in net.scales], net.scales[0], net.scales[1:3][0]]
""",
    ),
    script(
        "torch.nn.ParameterDict torch.nn.Parameter torch.nn.Module",
        """
class Net(Module):
    def __init__(self):
        super().__init__()
        self.scales = ParameterDict({"a": Parameter(tensor(np.float32([1])))})
        self.scales["b"] = Parameter(tensor(np.float32([2])))
        self.scales.update({"c": Parameter(tensor(np.float32([3])))})
net = Net()
result = [list(net.state_dict()), len(net.scales), "b" in net.scales, list(net.scales.keys()), [v for _, v in net.scales.items()], net.scales["c"], net.scales.get("z"), list(net.scales)]
del net.scales["a"]
net.scales.pop("b")
result += [list(net.scales.values())]
net.scales.clear()
result += [len(net.scales)]
""",
    ),
]

CASES += [
    script(
        f"torch.nn.Module torch.nn.Linear {api}",
        f"""
from collections import OrderedDict
class Own({name}):
    def forward(self, input):
        self._check_input_dim(input)
        return super().forward(input)
    def _check_input_dim(self, input):
        pass
    def _get_no_batch_dim(self):
        return 2
own = Own(3)
own.train()
y = own(tensor(np.float32([[[1, 2], [3, 5], [5, 6]], [[0, 0], [3, 1], [2, 7]]])))
result = [y, list(own.state_dict()), isinstance(own, Module), own.num_features, own.eps, own.affine]
""",
    )
    for api, name in (
        ("torch.nn.modules.batchnorm._BatchNorm", "_BatchNorm"),
        ("torch.nn.modules.instancenorm._InstanceNorm", "_InstanceNorm"),
    )
]
CASES += [
    script(
        "torch.nn.modules.batchnorm._NormBase",
        """
class Own(_NormBase):
    def forward(self, input):
        return input * self.weight
result = [Own(3)(tensor(np.float32([1, 2, 3]))), [name for name, _ in Own(2).named_buffers()]]
""",
    ),
    script(
        "torch.nn.modules.dropout._DropoutNd",
        """
class Own(_DropoutNd):
    def forward(self, input):
        return input * self.p
def fails():
    try:
        Own(1.5)
    except ValueError:
        return True
result = [Own()(2.0), Own(0.3, True).inplace, fails(), repr(Own(0.25)).startswith("Own(p=0.25")]
""",
    ),
    function(
        "torch.nn.functional.gumbel_softmax",
        "x, tau=0.5, hard=True",
        "np.tile(np.float32([0.0, 1.0, 2.0]), (4000, 1))",
        random="result.mean(0); result.sum(1)",
        tolerance=0.03,
        gradients=False,
    ),
    function(
        "torch.nn.functional.gumbel_softmax",
        "x, dim=0",
        "np.tile(np.float32([[0.0], [1.0], [2.0]]), (1, 4000))",
        random="result.mean(1); result.std(1); result.sum(0)",
        tolerance=0.03,
        gradients=False,
    ),
]

TALL, IMAGE = "np.zeros((60, 40), dtype='float32')", "np.zeros((30, 20, 3, 3), dtype='float32')"
DRAWN = "result.mean(); result.std(); result.max(); result.min()"
for made, drawn, tolerance in (
    ("uniform_(x, -2.0, 3.0)", DRAWN, 0.15),
    ("uniform_(x)", DRAWN, 0.05),
    ("normal_(x, 1.0, 0.2)", "result.mean(); result.std()", 0.03),
    ("trunc_normal_(x, std=0.02, a=-0.03, b=0.02)", DRAWN, 2e-3),
    ("trunc_normal_(x, 1.0, 2.0, 0.0, 2.5)", DRAWN, 0.08),
    ("xavier_uniform_(x, gain=2.0)", DRAWN, 0.05),
    ("xavier_normal_(x)", "result.mean(); result.std()", 0.02),
    ("kaiming_uniform_(x, a=5 ** 0.5)", DRAWN, 0.02),
    ("kaiming_uniform_(x, mode='fan_out', nonlinearity='relu')", DRAWN, 0.03),
    ("kaiming_normal_(x)", "result.mean(); result.std()", 0.03),
    ("kaiming_normal_(x, 0.2, 'fan_out', 'leaky_relu')", "result.mean(); result.std()", 0.03),
    ("orthogonal_(x, 2)", "result.reshape(len(result), -1).T @ result.reshape(len(result), -1)", 1e-4),
    ("sparse_(x, 0.3, 0.5)", "(result == 0).sum(0).astype('int64'); result.std()", 0.05),
):
    name, _, arguments = made.partition("(")
    for x in (TALL, IMAGE) if name != "sparse_" else (TALL,):
        if name == "orthogonal_" and x == IMAGE:
            drawn = "result.reshape(len(result), -1) @ result.reshape(len(result), -1).T"
        CASES.append(
            function(
                f"torch.nn.init.{name}", arguments[:-1], x, random=drawn, tolerance=tolerance, gradients=False
            )
        )
        if f"torch.nn.init.{name}" not in {case.apis[0] for case in CASES[:-2]} and name != "trunc_normal_":
            old = f"torch.nn.init.{name[:-1]}"
            CASES.append(function(old, arguments[:-1], x, random=drawn, tolerance=tolerance, gradients=False))
EXACT = {"gradients": False, "changed": ("x",)}
CASES += [
    function("torch.nn.init.constant_", "x, 0.3", TALL, **EXACT),
    function("torch.nn.init.constant_", "x[1:3], val=7", TALL, **EXACT),
    function("torch.nn.init.constant", "x, 0.3", TALL, **EXACT),
    function("torch.nn.init.ones_", "x", "np.zeros((2, 3), dtype='float16')", **EXACT),
    function("torch.nn.init.ones_", "x[0]", TALL, **EXACT),
    function("torch.nn.init.zeros_", "x", "normal(3)", **EXACT),
    function("torch.nn.init.zeros_", "x[:, 1:2]", "normal(3, 4)", **EXACT),
    function("torch.nn.init.eye_", "x", TALL, **EXACT),
    function("torch.nn.init.eye", "x", TALL, **EXACT),
    function("torch.nn.init.dirac_", "x", "normal(6, 2, 3)", **EXACT),
    function("torch.nn.init.dirac_", "x, 2", "normal(6, 4, 3, 5)", **EXACT),
    function("torch.nn.init.dirac", "x, groups=3", "normal(6, 4, 3, 3, 3)", **EXACT),
    function("torch.nn.init._calculate_fan_in_and_fan_out", "x", IMAGE),
    function("torch.nn.init._calculate_correct_fan", "x, 'fan_out'", IMAGE),
    *(
        function("torch.nn.init.calculate_gain", made)
        for made in (
            "'linear'",
            "'conv2d'",
            "'conv_transpose1d'",
            "'tanh'",
            "'relu'",
            "'selu'",
            "'leaky_relu'",
            "'leaky_relu', 0.2",
            "'sigmoid'",
        )
    ),
]
CASES += [
    script(
        "torch.nn.Module torch.nn.ParameterList torch.nn.Parameter torch.nn.Linear",
        "class Net(Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.parameters = ParameterList([Parameter(tensor(np.float32([n]))) for n in range(3)])\n"
        "        self.train = Linear(1, 1)\n"
        "net = Net()\n"
        "result = [sorted(net.state_dict()), len(list(net.parameters())), net.train().training]",
        gradients=False,
    ),
    script(
        "torch.autograd.Function",
        "class Twice(Function):\n"
        "    @staticmethod\n"
        "    def forward(ctx, x):\n"
        "        ctx.save_for_backward(x)\n"
        "        return x * x\n"
        "    @staticmethod\n"
        "    def backward(ctx, gradient):\n"
        "        (x,) = ctx.saved_variables\n"
        "        return 3 * x * gradient\n"
        "result = gradients(lambda x: Twice.apply(x).sum(), x)",
        inputs={"x": "normal(3)"},
    ),
    script(
        "torch.autograd.Function torch.autograd.grad torch.enable_grad torch.nn.Parameter",
        "class Applied(Function):\n"
        "    @staticmethod\n"
        "    def forward(ctx, function, weight):\n"
        "        ctx.function = function\n"
        "        ctx.save_for_backward(weight)\n"
        "        return function(2.0)\n"
        "    @staticmethod\n"
        "    def backward(ctx, gradient):\n"
        "        with enable_grad():\n"
        "            value = ctx.function(2.0)\n"
        "        return None, *grad(value, ctx.saved_tensors, gradient)\n"
        "weight = Parameter(x.double())\n"
        "Applied.apply(lambda scale: weight * weight * scale, weight).sum().backward()\n"
        "result = weight.grad",
        inputs={"x": "normal(3)"},
    ),
    script(
        "torch.__config__.show torch.__config__.parallel_info",
        "result = [len(show()) > 5, len(parallel_info()) > 5]",
        gradients=False,
    ),
    script(
        "torch.Tensor.copy_ torch.zeros",
        "y = zeros(2, 3)\ntry:\n    y.copy_(zeros(3, 7))\nexcept RuntimeError:\n    result = ['refused', y]",
        gradients=False,
    ),
    script("torch._C._is_tracing", "result = _is_tracing()", gradients=False),
    script(
        "torch.jit.TracerWarning",
        "import warnings\nwith warnings.catch_warnings():\n    warnings.filterwarnings('ignore', category=TracerWarning)\nresult = 1",
        gradients=False,
    ),
    script(
        "torch.nn.Module torch.fx.GraphModule",
        "class Made(GraphModule):\n    pass\nresult = [issubclass(Made, Module), isinstance(Module(), Made)]",
        gradients=False,
    ),
]
CASES.append(
    script(
        "torch.nn.ModuleDict torch.nn.Linear",
        "made = ModuleDict()\nmade['(0,1)'] = Linear(2, 1)\nmade['中 a'] = Linear(2, 1)\nresult = sorted(made.state_dict())",
        gradients=False,
    )
)
CASES.append(
    script(
        "torch.nn.ParameterDict torch.nn.Parameter",
        "made = ParameterDict({'a': Parameter(tensor(np.ones(2, 'f'))), 'b': None})\nmade['c'] = tensor(np.zeros(1, 'f'))\n"
        "del made['a']\nresult = [list(made), made['b'] is None, made['c'], sorted(made.state_dict()), len(made), 'a' in made,"
        " [key for key, _ in made.items()], made.pop('b') is None, list(made.keys()), made.get('x', 3)]",
        gradients=False,
    )
)
CASES.append(
    script(
        "torch.nn.Linear torch.manual_seed",
        """
import copy


class Seen:
    def __init__(self):
        self.seen = []

    def hook(self, module, given, taken):
        self.seen.append(taken[0])


one = Seen()
manual_seed(3)
layer = Linear(3, 2)
handle = layer.register_full_backward_hook(one.hook)
layer(x).sum().backward()
other = copy.deepcopy(layer)
other(x).pow(2).sum().backward()
handle.remove()
layer(x).sum().backward()
copied = next(iter(other._backward_hooks.values())).__self__
result = [one.seen, copied.seen[1:], len(layer._backward_hooks), len(other._backward_hooks)]
""",
        inputs={"x": "normal(4, 3)"},
        gradients=False,
    )
)
CASES.append(
    script(
        "torch.nn.Linear",
        """
layer = Linear(3, 2)
before = [len(layer._forward_hooks), len(layer._forward_pre_hooks), len(layer._backward_hooks)]
handles = [
    layer.register_forward_hook(lambda *given: None),
    layer.register_forward_pre_hook(lambda *given: None),
    layer.register_full_backward_hook(lambda *given: None),
]
during = [len(layer._forward_hooks), len(layer._forward_pre_hooks), len(layer._backward_hooks)]
for handle in handles:
    handle.remove()
result = [before, during, len(layer._forward_hooks), len(layer._backward_hooks)]
""",
        inputs={"x": "normal(4, 3)"},
    )
)

# what layers and containers show when they are printed
for layers in (
    "Linear(2, 3, bias=False), Bilinear(2, 3, 4), Embedding(3, 4, padding_idx=0), EmbeddingBag(3, 4, mode='sum')",
    "Conv1d(2, 4, 3, padding=1, dilation=2, groups=2), Conv2d(2, 4, (3, 5), stride=2, bias=False), Conv3d(2, 4, 3),"
    " Conv2d(2, 4, 3, padding='same', padding_mode='reflect', bias=False)",
    "ConvTranspose1d(2, 3, 4, 2, 1), ConvTranspose2d(2, 3, 4, 2, 1, output_padding=1)",
    "BatchNorm1d(3), BatchNorm2d(3, affine=False, track_running_stats=False), InstanceNorm2d(3), LayerNorm((3, 4)),"
    " LayerNorm(4, elementwise_affine=False), GroupNorm(2, 4), RMSNorm(4), LocalResponseNorm(3)",
    "ReLU(), ReLU(inplace=True), LeakyReLU(0.2), LeakyReLU(inplace=True), PReLU(), ELU(), CELU(), GELU('tanh'),"
    " SiLU(True), Sigmoid(), Softmax(dim=1), LogSoftmax(-1), Hardtanh(), Threshold(0.1, 0.2), GLU(), Softshrink()",
    "MaxPool2d(3, 2, 1, ceil_mode=True), AvgPool1d(2), AvgPool2d(2), AdaptiveAvgPool2d((2, 3)), AdaptiveMaxPool2d(2),"
    " MaxUnpool2d(2), LPPool2d(2, 3), Dropout(0.1, True), Dropout2d(), Flatten(), Unflatten(1, (2, 3))",
    "LSTM(3, 4, 2, batch_first=True, dropout=0.1, bidirectional=True), GRU(3, 4, bias=False), RNN(3, 4),"
    " LSTMCell(3, 4), RNNCell(3, 4, False, 'relu'), PixelShuffle(2), Fold((4, 5), 2), Unfold(2)",
    "Upsample(scale_factor=2), Upsample(size=(2, 3), mode='bilinear'), UpsamplingBilinear2d(scale_factor=2),"
    " ReflectionPad2d(1), ConstantPad2d(1, 2.5), ZeroPad2d(1)",
    "Sequential(Linear(2, 3), ReLU(), Sequential(Linear(3, 1))), Sequential(), ModuleList([ReLU(), ReLU(), Tanh()]),"
    " ModuleList([Sequential(Linear(2, 2)), Sequential(Linear(2, 2))]), ModuleDict({'a': ReLU()}), ModuleList()",
    "ParameterList([Parameter(zeros(2, 3)), Parameter(zeros(4))]), ParameterDict({'x': zeros(2, 3), 'y': 2}),"
    " Sequential(ParameterList([Parameter(zeros(2))]), ParameterList())",
):
    names = sorted(set(re.findall(r"[A-Z]\w+(?=\()", layers)))
    used = " ".join(f"torch.nn.{name}" for name in names) + " torch.zeros"
    CASES.append(script(used, f"result = [repr(layer) for layer in ({layers},)]", gradients=False))

CASES += [
    script(
        "torch.nn.Module torch.nn.Linear torch.nn.Parameter torch.ones",
        """from copy import copy, deepcopy


class Kept(Module):
    def __init__(self):
        super().__init__()
        self.inner = Linear(2, 3)
        self.weight = Parameter(ones(2))
        self.name, self.passed = "kept", []

    def __getstate__(self):
        state = super().__getstate__() if hasattr(Module, "__getstate__") else self.__dict__.copy()
        state.pop("passed")
        return state

    def __setstate__(self, state):
        self.passed = [state["name"]]
        super().__setstate__(state)
        self.passed = ["kept"] if state["name"] == "kept" else []


made = Kept()
other, same = deepcopy(made), copy(made)
other.name = same.name = "other"
other.train(False)
result = [made.name, other.name, same.name, other.passed, same.passed, made.training, other.training]
result += [same.weight is made.weight, other.weight is made.weight, [name for name, _ in other.named_parameters()]]
result += [made.inner(x) - other.inner(x), made.inner(x) - same.inner(x)]
""",
        inputs={"x": "normal(4, 2)"},
        gradients=False,
    ),
    script(
        "torch.randint torch.manual_seed",
        "manual_seed(3)\nresult = [randint(high=10, size=(2, 3)), randint(4, (2,)), randint(2, 5, (3,))]",
        gradients=False,
    ),
    script(
        "torch.nn.Linear torch.nn.Parameter torch.zeros torch.nn.Module",
        """
class Wrapped(Module):
    def __init__(self):
        super().__init__()
        self.inner = Linear(2, 3)
        self.scale = Parameter(zeros(2))
        self.register_buffer("kept", zeros(1))

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.inner, name)


made = Wrapped()
result = [made.out_features, list(made.weight.shape), hasattr(made, "other"), made.kept, list(made.scale.shape)]
""",
    ),
    script(
        "torch.nn.functional.batch_norm torch.nn.BatchNorm1d torch.nn.BatchNorm2d",
        """
def error_of(function):
    try:
        return function().shape == x.shape
    except ValueError as error:
        return str(error)


result = [error_of(lambda: BatchNorm1d(4)(x)), error_of(lambda: BatchNorm2d(4)(x.reshape(1, 4, 1, 1)))]
result += [error_of(lambda: BatchNorm1d(4).eval()(x)), error_of(lambda: BatchNorm1d(2)(x.reshape(1, 2, 2)).view(1, 4))]
result.append(error_of(lambda: batch_norm(x, None, None, training=True)))
""",
        inputs={"x": "normal(1, 4)"},
        gradients=False,
    ),
    script(
        "torch.nn.ModuleDict torch.nn.ParameterDict torch.nn.ModuleList torch.nn.ParameterList",
        """
asked = []


def made(base, name):
    return type("Made", (base,), {name: lambda self, *given: asked.append((base.__name__, name, len(given)))})


for base, name in ((ModuleDict, "update"), (ParameterDict, "update"), (ModuleList, "extend"), (ParameterList, "extend")):
    made(base, name)()
result = [asked]
""",
        gradients=False,
    ),
    script(
        "torch.nn.Parameter torch.tensor torch.nn.ParameterDict",
        """
from collections import OrderedDict
one, two = Parameter(tensor([1.0])), Parameter(tensor([2.0]))
held = ParameterDict({"user": one, "item": two})
held.update({"z": two * 1, "a": 3})
ordered = ParameterDict(OrderedDict([("user", one), ("item", two)]))
result = [list(held), [name for name, _ in held.named_parameters()], list(ordered), list(ParameterDict(ordered)), list(ParameterDict([("c", one), ("b", two)]))]
""",
        gradients=False,
    ),
    script(
        "torch.nn.parameter.is_lazy torch.nn.UninitializedParameter torch.nn.Linear",
        "result = [is_lazy(UninitializedParameter()), is_lazy(Linear(2, 3).weight)]",
        gradients=False,
    ),
    script(
        "torch.manual_seed torch.nn.Module torch.nn.Linear",
        """
import copy


class Own(Module):
    _cells = None
    _phase = "first"

    def __init__(self):
        super().__init__()
        self._params = None
        self.part = Linear(2, 3)
        self.seen = [self._params, self._cells, self._phase, self._scope_of()]
        self._params, self._cells = {"a": 1}, [2]

    def _scope_of(self):
        self._scope = "here"
        return self._scope

    def forward(self, x):
        self._phase = "second"
        return self.part(x) + self._params["a"] + self._cells[0]


manual_seed(1)
module = Own()
again = copy.deepcopy(module)
result = [module.seen, module(x), module._params, module._cells, module._phase, len(list(module.parameters())), again._cells]
result += [[name for name, _ in again.named_modules()], again(x).shape, Own._cells, Own._phase]
""",
        inputs={"x": "normal(4, 2)"},
        gradients=False,
    ),
]
