"""Optimizers: ten steps with the same gradients, in many settings, and what else their interface gives."""

from __future__ import annotations

from case import Case, script

PARAMETER = "torch.nn.Parameter"

SETTINGS = {
    "SGD": [
        "",
        "lr=0.1",
        "lr=0.1, momentum=0.9",
        "lr=0.1, momentum=0.9, dampening=0.5",
        "lr=0.1, momentum=0.9, nesterov=True",
        "lr=0.1, weight_decay=0.1",
        "lr=0.1, momentum=0.5, weight_decay=0.01, nesterov=True",
        "lr=0.1, momentum=0.9, maximize=True",
        "lr=0.1, weight_decay=0.1, maximize=True",
        "lr=tensor(0.1), momentum=0.9",
        "lr=0.1, foreach=True",
        "lr=0.1, momentum=0.9, foreach=False",
        "lr=0.1, fused=True",
        "0.1, 0.9, 0.1, 0.01",
        "lr=0",
    ],
    "Adam": [
        "",
        "lr=0.1",
        "lr=0.1, betas=(0.5, 0.99)",
        "lr=0.1, betas=(0.0, 0.9)",
        "lr=0.1, betas=(0.9, 0.9999)",
        "lr=0.1, eps=1e-3",
        "lr=0.1, eps=1.0",
        "lr=0.1, weight_decay=0.1",
        "lr=0.1, amsgrad=True",
        "lr=0.1, amsgrad=True, weight_decay=0.1, eps=1e-3",
        "lr=0.1, maximize=True",
        "lr=0.1, decoupled_weight_decay=True, weight_decay=0.1",
        "lr=tensor(0.1)",
        "lr=0.1, foreach=True",
        "lr=0.1, fused=True",
        "0.1, (0.8, 0.9), 1e-6, 0.01, True",
    ],
    "AdamW": [
        "",
        "lr=0.1",
        "lr=0.1, weight_decay=0.3",
        "lr=0.1, betas=(0.9, 0.95), eps=1e-5",
        "lr=0.1, amsgrad=True",
        "lr=0.1, maximize=True, weight_decay=0",
        "lr=0.1, fused=True",
        "lr=0.1, foreach=True",
    ],
    "Adagrad": [
        "",
        "lr=0.1",
        "lr=0.1, lr_decay=0.1",
        "lr=0.1, weight_decay=0.1",
        "lr=0.1, initial_accumulator_value=0.5",
        "lr=0.1, eps=1e-2",
        "lr=0.1, maximize=True",
        "lr=0.1, foreach=True",
    ],
    "Adadelta": [
        "",
        "lr=0.5",
        "rho=0.5",
        "eps=1e-2",
        "weight_decay=0.1",
        "maximize=True",
        "foreach=True",
    ],
    "Adamax": [
        "",
        "lr=0.1",
        "lr=0.1, betas=(0.5, 0.9)",
        "lr=0.1, eps=1e-2",
        "lr=0.1, weight_decay=0.1",
        "lr=0.1, maximize=True",
        "lr=0.1, foreach=True",
    ],
    "NAdam": [
        "",
        "lr=0.1",
        "lr=0.1, betas=(0.5, 0.9)",
        "lr=0.1, eps=1e-2",
        "lr=0.1, weight_decay=0.1",
        "lr=0.1, momentum_decay=0.1",
        "lr=0.1, weight_decay=0.1, decoupled_weight_decay=True",
        "lr=0.1, maximize=True",
    ],
    "RAdam": [
        "",
        "lr=0.1",
        "lr=0.1, betas=(0.5, 0.9)",
        "lr=0.1, betas=(0.9, 0.5)",
        "lr=0.1, eps=1e-2",
        "lr=0.1, weight_decay=0.1",
        "lr=0.1, weight_decay=0.1, decoupled_weight_decay=True",
        "lr=0.1, maximize=True",
    ],
    "RMSprop": [
        "",
        "lr=0.1",
        "lr=0.1, alpha=0.5",
        "lr=0.1, eps=1e-2",
        "lr=0.1, weight_decay=0.1",
        "lr=0.1, momentum=0.9",
        "lr=0.1, centered=True",
        "lr=0.1, centered=True, momentum=0.5, weight_decay=0.1",
        "lr=0.1, maximize=True",
        "lr=0.1, foreach=True",
    ],
    "Rprop": [
        "",
        "lr=0.1",
        "lr=0.1, etas=(0.3, 1.5)",
        "lr=0.1, step_sizes=(0.05, 0.2)",
        "lr=0.1, maximize=True",
        "lr=0.1, foreach=True",
    ],
    "ASGD": [
        "",
        "lr=0.1",
        "lr=0.1, lambd=0.1",
        "lr=0.1, alpha=0.5, lambd=0.1",
        "lr=0.1, t0=3",
        "lr=0.1, weight_decay=0.1",
        "lr=0.1, maximize=True",
    ],
    "Adafactor": [
        "",
        "lr=0.1",
        "lr=1.0",
        "lr=0.1, beta2_decay=-0.5",
        "lr=0.1, eps=(1e-4, 1e-2)",
        "lr=0.1, d=2.0",
        "lr=0.1, weight_decay=0.1",
        "lr=0.1, maximize=True",
    ],
    "Muon": [
        "",
        "lr=0.1",
        "lr=0.1, weight_decay=0",
        "lr=0.1, momentum=0.5",
        "lr=0.1, nesterov=False",
        "lr=0.1, adjust_lr_fn='original'",
        "lr=0.1, adjust_lr_fn='match_rms_adamw'",
        "lr=0.1, ns_steps=3, ns_coefficients=(2.0, -1.5, 0.5)",
    ],
}
"""By class, the arguments behind `params` with which it is compared."""

LOOSE = {"Adam": 2e-5, "AdamW": 2e-5, "Muon": 1e-2}
"""The squares in Adam's state are off by 1.3e-5 (its steps are not); Muon computes in bfloat16, whose last digit is
0.4 per cent."""

STEPS = """
import copy
generator = np.random.default_rng(5)
def draw(shape):
    return tensor(generator.standard_normal(shape).astype(np.{dtype}))
shapes = {shapes}
weights = [Parameter(draw(shape)) for shape in shapes]
make = lambda: {kind}(weights{arguments})
optimizer = make()
moved = []
for step in range(10):
    optimizer.zero_grad()
    for number, weight in enumerate(weights):
        if (step + number) % 5:
            set_gradient(weight, draw(shapes[number]) * {scale})
    optimizer.step()
    moved.append([values_of(weight) for weight in weights])
    if step == {reload_at}:
        saved = copy.deepcopy(optimizer.state_dict())
        optimizer = make()
        optimizer.load_state_dict(saved)
saved = optimizer.state_dict()
state = [(key, sorted((name, values_of(value)) for name, value in values.items())) for key, values in saved["state"].items()]
options = [(name, values_of(value)) for group in saved["param_groups"] for name, value in group.items() if name != "params"]
result = [moved, state, [name for name, _ in options], [group["params"] for group in saved["param_groups"]]]
# {arguments}; {dtype}; loaded again at {reload_at}; gradients times {scale}
"""
TRAIN = """
start = np.float32([[0.5, -1.0], [1.5, 2.0]])
weights = [Parameter(tensor(start)), Parameter(tensor(np.float32([1.0, -2.0, 3.0])))]
moved = []
def take(optimizer, steps=1, **options):
    for step in range(steps):
        for number, weight in enumerate(weights):
            set_gradient(weight, tensor(np.cos(step + values_of(weight) * (number + 1)).astype(np.float32)))
        optimizer.step(**options)
        moved.append([values_of(weight) for weight in weights])
"""


def steps(kind: str, arguments: str, reload_at: int = -1, dtype: str = "float32", scale: float = 1.0) -> Case:
    shapes = "[(3, 4), (5, 2), (4, 4)]" if kind == "Muon" else "[(3, 4), (4,), (2, 3, 2), (), (1, 5)]"
    source = STEPS.format(
        kind=kind,
        arguments=f", {arguments}" if arguments else "",
        shapes=shapes,
        reload_at=reload_at,
        dtype=dtype,
        scale=scale,
    )
    return script(f"{PARAMETER} torch.optim.{kind}", source, tolerance=LOOSE.get(kind, 1e-5))


def trained(names: str, source: str) -> Case:
    return script(f"{PARAMETER} {names}", TRAIN + source)


ROSENBROCK = """
point = Parameter(tensor(np.float32([-1.5, 2.0])))
calls = []
def value(x):
    return (1 - x[0]) ** 2 + 10 * (x[1] - x[0] ** 2) ** 2
def closure():
    calls.append(1)
    x = values_of(point).astype(np.float64)
    slope = np.array([-2 * (1 - x[0]) - 40 * x[0] * (x[1] - x[0] ** 2), 20 * (x[1] - x[0] ** 2)])
    set_gradient(point, tensor(slope.astype(np.float32)))
    return tensor(np.float32(value(x)))
optimizer = LBFGS([point]{arguments})
moved = []
for step in range({count}):
    loss = optimizer.step(closure)
    moved.append([values_of(loss), values_of(point), len(calls)])
    if step == 1:
        saved = optimizer.state_dict()
        optimizer = LBFGS([point]{arguments})
        optimizer.load_state_dict(saved)
result = moved
# {arguments}; {count}
"""
LBFGS_SETTINGS = [
    ("lr=0.01", 4),
    ("lr=0.1, max_iter=4", 10),
    ("lr=0.02, max_iter=5, history_size=3", 5),
    ("lr=0.01, max_iter=10, max_eval=3", 10),
    ("lr=0.05, max_iter=1", 10),
    ("line_search_fn='strong_wolfe', max_iter=4", 4),
    ("lr=0.5, line_search_fn='strong_wolfe', max_iter=3, history_size=2", 5),
    ("line_search_fn='strong_wolfe', max_iter=5, max_eval=4", 5),
    ("lr=0.1, tolerance_grad=1e3", 3),
    ("lr=0.1, tolerance_change=1.0", 3),
]


def minimized(arguments: str, count: int) -> Case:
    source = ROSENBROCK.format(arguments=f", {arguments}", count=count)
    return script(f"{PARAMETER} torch.optim.LBFGS", source, tolerance=1e-4)


SPARSE = """
table = Parameter(tensor(np.arange(12, dtype=np.float32).reshape(4, 3) / 10))
optimizer = SparseAdam([table]{arguments})
moved = []
for step in range(10):
    values = np.zeros((4, 3), np.float32)
    values[[step % 4, (step * step) % 4]] = np.cos(step + np.arange(3))
    set_sparse_gradient(table, tensor(values))
    optimizer.step()
    moved.append(values_of(table))
result = [moved, sorted((n, values_of(v)) for n, v in optimizer.state_dict()["state"][0].items())]
# {arguments}
"""
SPARSE_SETTINGS = ["", "lr=0.1", "lr=0.1, betas=(0.5, 0.9)", "lr=0.1, eps=1e-2", "lr=0.1, maximize=True"]

CASES = [
    *(steps(kind, arguments) for kind, settings in SETTINGS.items() for arguments in settings),
    *(steps(kind, arguments, 4) for kind, settings in SETTINGS.items() for arguments in settings[1:4]),
    *(
        steps(kind, settings[1], dtype="float64")
        for kind, settings in SETTINGS.items()
        if kind not in ("Muon",)
    ),
    *(steps(kind, settings[1], scale=scale) for kind, settings in SETTINGS.items() for scale in (1e-6, 1e3)),
    *(minimized(*settings) for settings in LBFGS_SETTINGS),
    *(
        script(
            f"{PARAMETER} torch.optim.SparseAdam",
            SPARSE.format(arguments=f", {arguments}" if arguments else ""),
        )
        for arguments in SPARSE_SETTINGS
    ),
    trained(
        "torch.optim.SGD",
        """
groups = [{"params": weights[:1], "lr": 0.5}, {"params": (w for w in weights[1:]), "momentum": 0.9}]
optimizer = SGD(groups, lr=0.1, weight_decay=0.01)
take(optimizer, 5)
optimizer.param_groups[0]["lr"] = 0.05
take(optimizer, 5)
result = [moved, [[group["lr"], group["momentum"]] for group in optimizer.param_groups], groups[0]["weight_decay"]]
""",
    ),
    trained(
        "torch.optim.AdamW",
        """
optimizer = AdamW([("first", weights[0]), ("second", weights[1])], lr=0.1)
take(optimizer, 10)
result = [moved, optimizer.param_groups[0]["param_names"], list(optimizer.state_dict()["param_groups"][0])]
""",
    ),
    trained(
        "torch.optim.Adam",
        """
optimizer = Adam(iter(weights[:1]), lr=0.1)
take(optimizer, 3)
optimizer.add_param_group({"params": weights[1], "lr": 0.01})
take(optimizer, 7)
result = [moved, [group["lr"] for group in optimizer.param_groups]]
""",
    ),
    trained(
        "torch.optim.SGD",
        """
optimizer = SGD(weights, lr=0.1)
take(optimizer)
optimizer.zero_grad(set_to_none=False)
zero = [values_of(gradient_of(weight)) for weight in weights]
optimizer.step()
optimizer.zero_grad()
result = [moved, zero, [gradient_of(weight) for weight in weights], [values_of(weight) for weight in weights]]
""",
    ),
    trained(
        "torch.optim.SGD",
        """
seen = []
optimizer = SGD(weights, lr=0.1)
handles = [
    optimizer.register_step_pre_hook(lambda o, args, kwargs: seen.append(["before", len(args), len(kwargs)])),
    optimizer.register_step_post_hook(lambda o, args, kwargs: seen.append("after")),
    optimizer.register_state_dict_post_hook(lambda o, saved: {**saved, "more": 1}),
    optimizer.register_state_dict_pre_hook(lambda o: seen.append("saving")),
    optimizer.register_load_state_dict_pre_hook(lambda o, saved: seen.append(sorted(saved))),
    optimizer.register_load_state_dict_post_hook(lambda o: seen.append("loaded")),
]
take(optimizer, 2)
optimizer.load_state_dict(optimizer.state_dict())
for handle in handles:
    handle.remove()
take(optimizer)
result = [moved, seen, sorted(optimizer.state_dict())]
""",
    ),
    trained(
        "torch.optim.SGD torch.enable_grad torch.no_grad torch.is_grad_enabled",
        """
modes = []
def closure():
    modes.append(is_grad_enabled())
    return 3.5
optimizer = SGD(weights, lr=0.1)
with no_grad():
    result = [optimizer.step(closure), optimizer.step(closure=closure), modes, is_grad_enabled()]
result.append(optimizer.step())
""",
    ),
    trained(
        "torch.optim.Optimizer torch.no_grad",
        """
class Signs(Optimizer):
    def __init__(self, params, lr=0.1, decay=0.5):
        super().__init__(params, dict(lr=lr, decay=decay))
    @no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for weight in group["params"]:
                if gradient_of(weight) is None:
                    continue
                state = self.state[weight]
                if len(state) == 0:
                    state["seen"] = 0
                    state["mean"] = tensor(np.zeros(tuple(weight.shape), np.float32))
                state["seen"] += 1
                state["mean"] = state["mean"] * group["decay"] + gradient_of(weight)
                set_values(weight, values_of(weight) - group["lr"] * np.sign(values_of(state["mean"])))
optimizer = Signs([{"params": weights[0], "lr": 0.2}, {"params": weights[1:]}])
seen = []
optimizer.register_step_post_hook(lambda *given: seen.append(len(given)))
take(optimizer, 5)
again = Signs(weights[:1])
again.add_param_group({"params": weights[1]})
again.load_state_dict(optimizer.state_dict())
take(again, 5)
result = [moved, seen, [group["lr"] for group in again.param_groups], again.state[weights[1]]["seen"], isinstance(again, Optimizer)]
""",
    ),
    trained(
        "torch.optim.Optimizer torch.optim.optimizer.required",
        """
class Mine(Optimizer):
    def __init__(self, params, lr=required):
        self.given = lr is not required
        super().__init__(params, {"lr": lr})
result = [Mine(weights, lr=0.5).given, Mine([{"params": weights, "lr": 0.5}]).given, repr(required)]
try:
    Mine(weights)
except ValueError:
    result.append("required")
""",
    ),
    trained(
        "torch.optim.SGD torch.optim.Adam torch.optim.AdamW torch.optim.Optimizer",
        """
class Twice(SGD):
    def step(self, closure=None):
        super().step()
        return super().step(closure)
seen = []
optimizer = Twice(weights, lr=0.1, momentum=0.5)
optimizer.register_step_post_hook(lambda *given: seen.append(1))
take(optimizer, 5)
result = [moved, isinstance(optimizer, SGD), issubclass(AdamW, Adam), issubclass(Adam, Optimizer), str(SGD([weights[0]], lr=0.1))]
""",
    ),
    *(
        trained(
            f"torch.tensor torch.fft.rfft torch.optim.{name}",
            f"""
weight = Parameter(tensor([[1 + 2j, -0.5j], [0.3 - 1j, 2 + 0j]]))
optimizer = {name}([weight], {options})
result = []
for step in range(4):
    optimizer.zero_grad()
    signal = rfft(tensor([[0.5, 1.0], [step - 1.0, 2.0]]))
    (((weight * signal - weight[0] * 2).abs() ** 2).sum() + weight.real.sum()).backward()
    optimizer.step()
    result.append([weight.detach().real.clone(), weight.detach().imag.clone()])
result.append(sorted(key for key in optimizer.state_dict()["state"].get(0, {{}})))
# complex: {name}({options})
""",
        )
        for name, options in (
            ("SGD", "lr=0.1, momentum=0.9, nesterov=True"),
            ("SGD", "lr=0.1"),
            ("Adam", "lr=0.1, weight_decay=0.1"),
            ("Adam", "lr=0.1, amsgrad=True"),
            ("AdamW", "lr=0.1, maximize=True"),
            ("RMSprop", "lr=0.1, momentum=0.5, centered=True"),
            ("Adagrad", "lr=0.1"),
            ("Adadelta", ""),
            ("Adamax", "lr=0.1"),
            ("RAdam", "lr=0.1"),
            ("NAdam", "lr=0.1"),
            ("ASGD", "lr=0.1"),
            ("Rprop", "lr=0.1"),
        )
    ),
    trained(
        "torch.optim.Optimizer torch.optim.SGD",
        """
class Around(Optimizer):
    def __init__(self, inner):
        self.inner = inner
    @property
    def param_groups(self):
        return self.inner.param_groups
    def zero_grad(self, set_to_none=True):
        self.inner.zero_grad(set_to_none)
    def step(self, closure=None):
        return self.inner.step(closure)
optimizer = Around(SGD(weights, lr=0.1, momentum=0.9))
take(optimizer, 3)
result = [isinstance(optimizer, Optimizer), [weight.detach() for weight in weights]]
""",
    ),
    trained(
        "torch.optim.SGD torch.optim.Adam torch.optim.LBFGS torch.optim.Muon torch.optim.SparseAdam torch.optim.Rprop torch.optim.Adadelta",
        """
result = []
def fails(make):
    try:
        make()
    except Exception as error:
        result.append(type(error).__name__)
    else:
        result.append("none")
fails(lambda: SGD([], lr=0.1))
fails(lambda: SGD(weights[0], lr=0.1))
fails(lambda: SGD(weights, lr=-0.1))
fails(lambda: SGD(weights, lr=0.1, momentum=-1))
fails(lambda: SGD(weights, lr=0.1, nesterov=True))
fails(lambda: SGD([1.0], lr=0.1))
fails(lambda: SGD(set(weights), lr=0.1))
fails(lambda: SGD([weights[0] * 2], lr=0.1))
fails(lambda: SGD([{"params": weights}, {"params": weights[:1]}], lr=0.1))
fails(lambda: SGD(weights, lr=0.1).add_param_group(weights))
fails(lambda: Adam(weights, betas=(1.0, 0.9)))
fails(lambda: Adam(weights, eps=-1.0))
fails(lambda: Adam(weights, weight_decay=-1.0))
fails(lambda: Adam([("a", weights[0]), weights[1]]))
fails(lambda: SGD(weights, lr=0.1).load_state_dict(SGD(weights[:1], lr=0.1).state_dict()))
fails(lambda: LBFGS([{"params": weights[:1]}, {"params": weights[1:]}]))
fails(lambda: Muon(weights))
fails(lambda: Muon(weights[:1], adjust_lr_fn="other"))
fails(lambda: SparseAdam(weights, lr=-1.0))
fails(lambda: Rprop(weights, etas=(1.5, 0.5)))
fails(lambda: Adadelta(weights, rho=1.5))
""",
    ),
]
