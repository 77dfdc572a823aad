"""Trains small networks in the ways that programs use optimizers, and prints losses and weights as JSON."""

import copy
import json
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.cuda.amp import GradScaler
from torch.nn.utils import clip_grad_norm_
from torch.optim import Adam, lr_scheduler
from torch.optim.lr_scheduler import LambdaLR, _LRScheduler
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


class Warmup(_LRScheduler):
    def __init__(self, optimizer, length, last_epoch=-1):
        self.length = length
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [base * min(1, (self.last_epoch + 1) / self.length) for base in self.base_lrs]


class Lion(optim.Optimizer):
    def __init__(self, params, lr=1e-2, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                p.data.mul_(1 - group["lr"] * group["weight_decay"])
                grad = p.grad
                state = self.state[p]
                if len(state) == 0:
                    state["exp_avg"] = torch.zeros_like(p)
                exp_avg = state["exp_avg"]
                beta1, beta2 = group["betas"]
                update = exp_avg * beta1 + grad * (1 - beta1)
                p.add_(update.sign_(), alpha=-group["lr"])
                exp_avg.mul_(beta2).add_(grad, alpha=1 - beta2)
        return loss


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4), nn.ReLU())
        self.head = nn.Linear(4 * 6 * 6, 3)

    def forward(self, x):
        return self.head(torch.flatten(self.body(x), 1))


def built():
    generator = np.random.default_rng(1)
    net = Net()
    state = {}
    for name, value in net.state_dict().items():
        if name.endswith(("weight", "bias")):
            values = generator.standard_normal(tuple(value.shape)).astype(np.float32) * 0.3
            state[name] = torch.from_numpy(values)
    net.load_state_dict(state, strict=False)
    return net


def batches(count=10):
    generator = np.random.default_rng(2)
    for _ in range(count):
        x = generator.standard_normal((8, 1, 6, 6)).astype(np.float32)
        y = generator.integers(0, 3, 8)
        yield torch.from_numpy(x), torch.from_numpy(y)


def summary(net, losses):
    net.eval()
    x, _ = next(batches(1))
    with torch.no_grad():
        outputs = net(x)
    return {"losses": losses, "outputs": outputs.numpy().tolist()}


def decay_groups(net):
    decayed = [p for n, p in net.named_parameters() if p.ndim > 1]
    others = [p for n, p in net.named_parameters() if p.ndim <= 1]
    return [{"params": decayed, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0, "lr": 0.02}]


OPTIMIZERS = {
    "sgd": lambda net: optim.SGD(net.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=1e-3),
    "adam": lambda net: Adam(net.parameters(), lr=0.01, eps=1e-3),
    "adamw": lambda net: torch.optim.AdamW(decay_groups(net), lr=0.01),
    "rmsprop": lambda net: optim.RMSprop(net.parameters(), lr=0.01, momentum=0.5),
    "adagrad": lambda net: optim.Adagrad(filter(lambda p: p.requires_grad, net.parameters()), lr=0.05),
    "lion": lambda net: Lion(decay_groups(net), lr=0.01),
}
SCHEDULES = {
    "step": lambda optimizer: lr_scheduler.StepLR(optimizer, 3, gamma=0.5),
    "one cycle": lambda optimizer: torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=0.05, total_steps=12
    ),
    "warm-up": lambda optimizer: Warmup(optimizer, 4),
    "lambda": lambda optimizer: LambdaLR(optimizer, lr_lambda=lambda epoch: 0.9**epoch),
    "cosine": lambda optimizer: optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10, eta_min=1e-4),
}


def train(name, schedule):
    net = built()
    net.train()
    optimizer = OPTIMIZERS[name](net)
    scheduler = SCHEDULES[schedule](optimizer) if schedule else None
    losses = []
    for x, y in batches():
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        losses.append(loss.item())
    return summary(net, losses)


def with_everything():
    """Scaled losses, clipped gradients, an average of the weights, two losses a step, a plateau, a checkpoint."""
    net = built()
    optimizer = optim.AdamW(net.parameters(), lr=0.01)
    plateau = lr_scheduler.ReduceLROnPlateau(optimizer, patience=0, factor=0.5)
    scaler = GradScaler()
    ema = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.9))
    losses = []
    net.train()
    for number, (x, y) in enumerate(batches()):
        optimizer.zero_grad(set_to_none=True)
        for half in (slice(0, 4), slice(4, 8)):
            loss = F.cross_entropy(net(x[half]), y[half]) / 2
            scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = clip_grad_norm_(net.parameters(), 1.0)
        nn.utils.clip_grad_value_(net.parameters(), 0.2)
        scaler.step(optimizer)
        scaler.update()
        plateau.step(loss.item())
        ema.update_parameters(net)
        losses.append([loss.item(), float(norm), optimizer.param_groups[0]["lr"]])
        if number == 5:
            saved = copy.deepcopy(optimizer.state_dict())
            optimizer = optim.AdamW(net.parameters(), lr=1.0)
            plateau.optimizer = optimizer
            optimizer.load_state_dict(saved)
    return [summary(net, losses), summary(ema, [])]


def with_closure():
    net = built()
    net.eval()
    optimizer = optim.LBFGS(net.parameters(), max_iter=3, line_search_fn="strong_wolfe")
    x, y = next(batches(1))
    losses = []

    def closure():
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        return loss

    for _ in range(2):
        losses.append(optimizer.step(closure).item())
    return summary(net, losses)


def with_frozen_layers():
    net = built()
    net.train()
    for p in net.body.parameters():
        p.requires_grad = False
    optimizer = optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
    losses = []
    for number, (x, y) in enumerate(batches()):
        if number == 5:
            for p in net.body.parameters():
                p.requires_grad = True
            optimizer.add_param_group({"params": net.body.parameters(), "lr": 0.01})
        loss = F.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return summary(net, losses)


if __name__ == "__main__":
    results = {name: train(name, None) for name in OPTIMIZERS}
    results.update({f"sgd, {name}": train("sgd", name) for name in SCHEDULES})
    results["everything"] = with_everything()
    results["closure"] = with_closure()
    results["frozen"] = with_frozen_layers()
    with open(sys.argv[1], "w") as file:
        json.dump(results, file)
