"""Schedules of the learning rate: the rates of each epoch, in many settings."""

from __future__ import annotations

from case import Case, script

MODULE = "torch.optim.lr_scheduler"

SETTINGS = {
    "LambdaLR": [
        "lr_lambda=lambda epoch: 0.95 ** epoch",
        "[lambda epoch: 1 / (epoch + 1), lambda epoch: epoch]",
        "lambda epoch: min(1.0, (epoch + 1) / 5)",
    ],
    "MultiplicativeLR": [
        "lr_lambda=lambda epoch: 0.9",
        "[lambda epoch: 0.5, lambda epoch: 1 + epoch / 10]",
    ],
    "StepLR": ["3", "step_size=2, gamma=0.5", "step_size=4, gamma=2.0"],
    "MultiStepLR": ["[3, 6]", "milestones=[2, 2, 5], gamma=0.5", "(4,)"],
    "ConstantLR": ["", "factor=0.5, total_iters=3", "factor=1.0", "total_iters=0"],
    "LinearLR": [
        "",
        "start_factor=0.1, total_iters=4",
        "start_factor=1.0, end_factor=0.1, total_iters=8",
        "start_factor=0.5, end_factor=0.9",
    ],
    "ExponentialLR": ["0.9", "gamma=0.5"],
    "PolynomialLR": ["", "total_iters=8, power=2.0", "total_iters=3, power=0.5"],
    "CosineAnnealingLR": ["10", "T_max=4", "T_max=6, eta_min=0.01", "T_max=20, eta_min=0.2"],
    "CosineAnnealingWarmRestarts": ["3", "T_0=2, T_mult=2", "T_0=4, T_mult=2, eta_min=0.01"],
    "CyclicLR": [
        "base_lr=0.01, max_lr=0.1, step_size_up=3",
        "base_lr=0.01, max_lr=0.1, step_size_up=2, step_size_down=4",
        "base_lr=[0.01, 0.02], max_lr=[0.1, 0.3], step_size_up=2, mode='triangular2'",
        "base_lr=0.01, max_lr=0.1, step_size_up=2, mode='exp_range', gamma=0.9",
        "base_lr=0.01, max_lr=0.1, step_size_up=3, cycle_momentum=False",
        "base_lr=0.01, max_lr=0.1, step_size_up=3, base_momentum=0.5, max_momentum=0.99",
        "base_lr=0.01, max_lr=0.1, step_size_up=2, scale_fn=lambda x: 0.5 ** x",
        "base_lr=0.01, max_lr=0.1, step_size_up=2, scale_fn=lambda x: 1 / (1 + x), scale_mode='iterations'",
    ],
    "OneCycleLR": [
        "max_lr=0.5, total_steps=13",
        "max_lr=0.5, epochs=4, steps_per_epoch=4",
        "max_lr=[0.5, 0.1], total_steps=15, pct_start=0.5",
        "max_lr=0.5, total_steps=14, anneal_strategy='linear'",
        "max_lr=0.5, total_steps=20, three_phase=True",
        "max_lr=0.5, total_steps=13, cycle_momentum=False",
        "max_lr=0.5, total_steps=13, base_momentum=0.5, max_momentum=0.9",
        "max_lr=0.5, total_steps=13, div_factor=5.0, final_div_factor=10.0",
    ],
}
"""By class, the arguments behind the optimizer with which it is compared."""

PLATEAUS = [
    "",
    "patience=1",
    "patience=0, factor=0.5, cooldown=2",
    "mode='max', patience=1",
    "mode='max', patience=1, threshold_mode='abs', threshold=0.2",
    "patience=1, threshold=0.3",
    "patience=1, threshold=0.3, threshold_mode='abs'",
    "patience=0, min_lr=0.05",
    "patience=0, min_lr=[0.05, 0.01]",
    "patience=0, eps=0.5",
]
COMBINED = {
    "SequentialLR": [
        "[ConstantLR(optimizer, 0.1, 3), ExponentialLR(optimizer, 0.9)], [3]",
        "[LinearLR(optimizer, 0.1, total_iters=4), CosineAnnealingLR(optimizer, 8)], milestones=[4]",
        "schedulers=[LinearLR(optimizer, 0.1), StepLR(optimizer, 2), ExponentialLR(optimizer, 0.5)], milestones=[3, 7]",
    ],
    "ChainedScheduler": [
        "[ConstantLR(optimizer, 0.1, 3), ExponentialLR(optimizer, 0.9)]",
        "[LinearLR(optimizer, 0.1), StepLR(optimizer, 3), CosineAnnealingLR(optimizer, 20)], optimizer",
    ],
}
PARTS = " ".join(
    f"{MODULE}.{name}" for name in ("ConstantLR", "ExponentialLR", "LinearLR", "StepLR", "CosineAnnealingLR")
)
AVERAGED = ["0.05", "swa_lr=0.5, anneal_epochs=4", "[0.05, 0.01], anneal_epochs=3, anneal_strategy='linear'"]

START = """
import copy, warnings
warnings.simplefilter("ignore")
weights = [Parameter(tensor(np.float32([1.0, 2.0]))), Parameter(tensor(np.float32([3.0])))]
def options(optimizer):
    names = ("lr", "initial_lr", "momentum", "max_lr", "min_lr", "betas")
    return [[values_of(group[name]) for name in names if name in group] for group in optimizer.param_groups]
"""
EPOCHS = """
optimizer = {optimizer}
make = lambda: {kind}({arguments})
scheduler = make()
seen = []
for epoch in range(12):
    for number, weight in enumerate(weights):
        set_gradient(weight, tensor(np.cos(epoch + values_of(weight)).astype(np.float32)))
    optimizer.step()
    seen.append([epoch, getattr(scheduler, "last_epoch", None), [values_of(rate) for rate in scheduler.get_last_lr()], options(optimizer)])
    scheduler.step({step})
    if epoch == {reload_at}:
        saved = copy.deepcopy([scheduler.state_dict(), optimizer.state_dict()])
        optimizer = {optimizer}
        scheduler = make()
        scheduler.load_state_dict(saved[0])
        optimizer.load_state_dict(saved[1])
result = [seen, [values_of(weight) for weight in weights]]
# {arguments}; {optimizer}; loaded again at {reload_at}
"""
SGD = "SGD([{'params': weights[:1]}, {'params': weights[1:], 'lr': 0.2}], lr=0.1, momentum=0.9)"
ADAM = "Adam(weights, lr=0.1)"


def epochs(
    kind: str,
    arguments: str,
    reload_at: int = -1,
    optimizer: str = SGD,
    step: str = "",
    more: str = "",
    module: str = MODULE,
) -> Case:
    given = arguments if kind == "ChainedScheduler" else f"optimizer, {arguments}"
    source = EPOCHS.format(
        kind=kind,
        arguments=given,
        reload_at=reload_at,
        step=step,
        optimizer=optimizer,
    )
    names = f"torch.nn.Parameter torch.optim.SGD torch.optim.Adam {more} {module}.{kind}"
    return script(names, START + source)


def scheduled(names: str, source: str) -> Case:
    return script(f"torch.nn.Parameter torch.optim.SGD {names}", START + source)


LOSSES = "[3.0, 2.0, 2.5, 2.4, 1.9, 1.85, 1.8, 2.0, 2.1, 2.2, 2.3, 1.0][epoch]"
WITH_ADAM = ("StepLR", "CyclicLR", "OneCycleLR", "ExponentialLR", "CosineAnnealingLR")

CASES = [
    *(epochs(kind, arguments) for kind, settings in SETTINGS.items() for arguments in settings),
    *(epochs(kind, settings[0], 5) for kind, settings in SETTINGS.items()),
    *(epochs(kind, SETTINGS[kind][0], optimizer=ADAM) for kind in WITH_ADAM),
    *(
        epochs(kind, SETTINGS[kind][0], optimizer="SGD(weights, lr=tensor(np.float32(0.1)))")
        for kind in ("StepLR", "LambdaLR", "LinearLR")
    ),
    *(epochs("ReduceLROnPlateau", arguments, step=LOSSES) for arguments in PLATEAUS),
    *(epochs("ReduceLROnPlateau", arguments, 4, step=f"tensor({LOSSES})") for arguments in PLATEAUS[1:4]),
    *(epochs(kind, arguments, more=PARTS) for kind, settings in COMBINED.items() for arguments in settings),
    *(epochs(kind, settings[0], 5, more=PARTS) for kind, settings in COMBINED.items()),
    *(epochs("SWALR", arguments, module="torch.optim.swa_utils") for arguments in AVERAGED),
    epochs("SWALR", AVERAGED[1], 2, module="torch.optim.swa_utils"),
    *(epochs(kind, SETTINGS[kind][1], step="epoch + 2") for kind in ("StepLR", "CosineAnnealingLR")),
    *(
        epochs(kind, SETTINGS[kind][0], step="epoch")
        for kind in ("ExponentialLR", "LinearLR", "PolynomialLR", "MultiStepLR", "ConstantLR")
    ),
    epochs("CosineAnnealingWarmRestarts", "T_0=2, T_mult=2", step="epoch + 0.5"),
    epochs("CosineAnnealingWarmRestarts", "3", step="epoch / 2"),
    scheduled(
        f"{MODULE}.LRScheduler {MODULE}._LRScheduler {MODULE}.StepLR",
        """
class Warmup(LRScheduler):
    def __init__(self, optimizer, length, last_epoch=-1):
        self.length = length
        super().__init__(optimizer, last_epoch)
    def get_lr(self):
        return [rate * min(1.0, (self.last_epoch + 1) / self.length) for rate in self.base_lrs]
class Older(_LRScheduler):
    def get_lr(self):
        return [group["lr"] * 0.5 for group in self.optimizer.param_groups]
optimizer = SGD(weights, lr=0.1)
scheduler = Warmup(optimizer, 4)
other = Older(SGD(weights, lr=0.1))
seen = []
for epoch in range(6):
    optimizer.step()
    scheduler.step()
    other.step()
    seen.append([scheduler.get_last_lr(), other.get_last_lr(), scheduler._step_count])
result = [seen, sorted(scheduler.state_dict()), isinstance(scheduler, LRScheduler), isinstance(other, LRScheduler), isinstance(scheduler, _LRScheduler), issubclass(StepLR, LRScheduler)]
""",
    ),
    scheduled(
        f"{MODULE}.LambdaLR",
        """
class Factor:
    def __init__(self, base):
        self.base = base
        self.calls = 0
    def __call__(self, epoch):
        self.calls += 1
        return self.base ** epoch
optimizer = SGD(weights, lr=0.1)
scheduler = LambdaLR(optimizer, Factor(0.5))
scheduler.step()
saved = scheduler.state_dict()
again = LambdaLR(SGD(weights, lr=0.1), Factor(0.9))
again.load_state_dict(saved)
again.step()
result = [saved["lr_lambdas"], again.get_last_lr(), again.last_epoch, saved["last_epoch"], saved["base_lrs"]]
""",
    ),
    scheduled(
        f"{MODULE}.StepLR {MODULE}.ExponentialLR",
        """
optimizer = SGD(weights, lr=0.1)
first, second = StepLR(optimizer, 2), ExponentialLR(optimizer, 0.9)
seen = []
for epoch in range(6):
    optimizer.step()
    first.step()
    second.step()
    seen.append([optimizer.param_groups[0]["lr"], first.get_last_lr(), second.get_last_lr()])
optimizer.param_groups[0]["initial_lr"] = 0.1
resumed = StepLR(optimizer, 2, last_epoch=3)
result = [seen, resumed.last_epoch, resumed.get_last_lr()]
""",
    ),
    scheduled(
        f"{MODULE}.StepLR {MODULE}.OneCycleLR {MODULE}.CyclicLR {MODULE}.ReduceLROnPlateau {MODULE}.SequentialLR {MODULE}.LinearLR {MODULE}.ConstantLR {MODULE}.LambdaLR {MODULE}.CosineAnnealingWarmRestarts torch.optim.Adagrad {MODULE}.ChainedScheduler",
        """
result = []
def fails(make):
    try:
        make()
    except Exception as error:
        result.append(type(error).__name__)
    else:
        result.append("none")
optimizer = SGD(weights, lr=0.1)
plain = Adagrad(weights, lr=0.1)
def too_long():
    scheduler = OneCycleLR(optimizer, 0.5, total_steps=3)
    for _ in range(5):
        scheduler.step()
fails(lambda: StepLR(3, 1))
fails(lambda: StepLR(SGD(weights, lr=0.1), 1, last_epoch=3))
fails(lambda: OneCycleLR(optimizer, 0.1))
fails(lambda: OneCycleLR(optimizer, 0.1, total_steps=-1))
fails(lambda: OneCycleLR(optimizer, 0.1, total_steps=5, pct_start=2.0))
fails(lambda: OneCycleLR(optimizer, 0.1, total_steps=5, anneal_strategy="exp"))
fails(lambda: OneCycleLR(plain, 0.1, total_steps=5))
fails(too_long)
fails(lambda: CyclicLR(plain, 0.1, 0.2))
fails(lambda: CyclicLR(optimizer, 0.1, 0.2, mode="none"))
fails(lambda: CyclicLR(optimizer, [0.1, 0.2], 0.2))
fails(lambda: ReduceLROnPlateau(optimizer, factor=1.0))
fails(lambda: ReduceLROnPlateau(optimizer, mode="least"))
fails(lambda: ReduceLROnPlateau(optimizer, min_lr=[1, 2]))
fails(lambda: SequentialLR(optimizer, [StepLR(optimizer, 1)], [1]))
fails(lambda: SequentialLR(optimizer, [StepLR(optimizer, 1), ReduceLROnPlateau(optimizer)], [1]))
fails(lambda: SequentialLR(optimizer, [StepLR(optimizer, 1), StepLR(plain, 1)], [1]))
fails(lambda: ChainedScheduler([]))
fails(lambda: LinearLR(optimizer, start_factor=0))
fails(lambda: LinearLR(optimizer, end_factor=2))
fails(lambda: ConstantLR(optimizer, factor=2))
fails(lambda: LambdaLR(optimizer, [lambda epoch: 1, lambda epoch: 2]))
fails(lambda: CosineAnnealingWarmRestarts(optimizer, 0))
fails(lambda: CosineAnnealingWarmRestarts(optimizer, 2, 0))
""",
    ),
]
