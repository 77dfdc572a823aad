"""Averages of a model's weights."""

from __future__ import annotations

from case import Case, script

MODULE = "torch.optim.swa_utils"
NETS = "torch.nn.Linear torch.nn.BatchNorm1d torch.nn.Sequential torch.nn.ReLU torch.nn.Module torch.nn.init.constant_"
START = """
net = Sequential(Linear(3, 4), BatchNorm1d(4), ReLU(), Linear(4, 2))
def change(step):
    for number, weight in enumerate(net.parameters()):
        constant_(weight, (number + 1) / 10 * (step + 1))
def weights_of(model):
    return [[name, values_of(value)] for name, value in model.state_dict().items()]
generator = np.random.default_rng(3)
batches = [tensor(generator.standard_normal((5, 3)).astype(np.float32)) for _ in range(4)]
net.train()
change(0)
"""
AVERAGES = {
    "": "",
    "use_buffers=True": "",
    "avg_fn=get_ema_avg_fn(0.9)": "get_ema_avg_fn",
    "avg_fn=get_swa_avg_fn()": "get_swa_avg_fn",
    "multi_avg_fn=get_ema_multi_avg_fn(0.9)": "get_ema_multi_avg_fn",
    "multi_avg_fn=get_ema_multi_avg_fn(), use_buffers=True": "get_ema_multi_avg_fn",
    "multi_avg_fn=get_swa_multi_avg_fn()": "get_swa_multi_avg_fn",
    "avg_fn=lambda averaged, current, count: 0.25 * averaged + 0.75 * current": "",
    "'cpu', lambda averaged, current, count: (averaged * count + current) / (count + 1)": "",
}


def averaged(source: str, more: str = "") -> Case:
    names = " ".join(f"{MODULE}.{name}" for name in more.split())
    return script(f"{NETS} {names} {MODULE}.AveragedModel", START + source)


CASES = [
    *(
        averaged(
            f"""
model = AveragedModel(net{", " if given else ""}{given})
for step in range(4):
    change(step)
    net(batches[step])
    model.update_parameters(net)
model.eval()
result = [weights_of(model), weights_of(net), model(batches[0])]
""",
            more,
        )
        for given, more in AVERAGES.items()
    ),
    averaged(
        """
model = AveragedModel(net)
for step in range(3):
    change(step)
    model.update_parameters(net)
model.eval()
update_bn([[batch, 1] for batch in batches[:2]] + batches[2:], model)
result = [weights_of(model), model.training, model.module[1].momentum, model(batches[0]), int(model.n_averaged)]
""",
        "update_bn",
    ),
    averaged(
        """
model = AveragedModel(net)
model.update_parameters(net)
saved = {name: values_of(value) for name, value in model.state_dict().items()}
change(3)
evaluating = AveragedModel(net.eval())
result = [[model.training, model.module.training, evaluating.training, evaluating.module.training, evaluating.module[1].training]]
result += [sorted(saved), weights_of(model), model.module is net, isinstance(model, Module)]
""",
    ),
    script(
        f"{NETS} {MODULE}.update_bn",
        START.replace("BatchNorm1d(4)", "ReLU()")
        + "result = [update_bn(batches, net), weights_of(net), net.training]",
    ),
    script(
        f"{MODULE}.get_ema_avg_fn {MODULE}.get_ema_multi_avg_fn",
        """
result = []
for make in (get_ema_avg_fn, get_ema_multi_avg_fn):
    for decay in (-0.1, 1.5):
        try:
            make(decay)
        except ValueError as error:
            result.append(str(error))
result.append(get_ema_avg_fn(0.5)(tensor(np.float32([1.0])), tensor(np.float32([3.0])), 4))
""",
    ),
]
