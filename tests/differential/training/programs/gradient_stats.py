"""Looks at gradients while it trains: their norms by layer, noise added to them, NaNs refused."""
import argparse
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F


class Highway(nn.Module):
    def __init__(self, size, num_layers):
        super(Highway, self).__init__()
        self.nonlinear = nn.ModuleList([nn.Linear(size, size) for _ in range(num_layers)])
        self.gate = nn.ModuleList([nn.Linear(size, size) for _ in range(num_layers)])
        self.out = nn.Linear(size, 1)

    def forward(self, x):
        for layer, gating in zip(self.nonlinear, self.gate):
            gate = torch.sigmoid(gating(x))
            x = gate * F.relu(layer(x)) + (1 - gate) * x
        return self.out(x)


def total_norm(parameters, norm_type=2.0):
    parameters = [p for p in parameters if p.grad is not None]
    total = 0.0
    for p in parameters:
        param_norm = p.grad.data.norm(norm_type)
        total += param_norm.item() ** norm_type
    return total ** (1.0 / norm_type)


def per_layer(model):
    norms = defaultdict(float)
    for name, p in model.named_parameters():
        if p.requires_grad and p.grad is not None:
            norms[name.split(".")[0]] += p.grad.detach().abs().max().item()
    return dict(norms)


def scale_gradients(model, max_norm):
    norm = total_norm(model.parameters())
    clip_coef = max_norm / (norm + 1e-6)
    if clip_coef < 1:
        for p in model.parameters():
            if p.grad is not None:
                p.grad.mul_(clip_coef)
    return norm


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--max-norm", type=float, default=1.0)
    ap.add_argument("--noise", type=float, default=1e-3)
    ap.add_argument("--lr", type=float, default=0.1)
    args = ap.parse_args(argv)

    torch.manual_seed(11)
    x = torch.randn(64, 12)
    y = (x[:, :3].prod(dim=1, keepdim=True) + x[:, 3:4]).tanh()

    model = Highway(12, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    history = []
    for step in range(args.steps):
        loss = F.mse_loss(model(x), y)
        model.zero_grad()
        assert all(p.grad is None or not p.grad.any() for p in model.parameters())
        loss.backward()
        norm = scale_gradients(model, args.max_norm)
        for p in model.parameters():
            if torch.isnan(p.grad).any():
                raise ValueError("NaN in a gradient")
            p.grad += args.noise * torch.randn_like(p.grad)
        optimizer.step()
        history += [loss.item(), norm]
        if step % 5 == 0:
            print(step, f"{loss.item():.5f}", {k: round(v, 4) for k, v in per_layer(model).items()})
    return history, model


if __name__ == "__main__":
    main()
