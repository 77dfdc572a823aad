"""No optimizer at all: the update is written by hand, first on bare tensors, then on a module."""
import argparse
import math

import torch
from torch import nn


def fit_polynomial(steps, lr):
    x = torch.linspace(-math.pi, math.pi, 200)
    y = torch.sin(x)
    a = torch.full((), 0.1, requires_grad=True)
    b = torch.full((), 0.2, requires_grad=True)
    c = torch.zeros((), requires_grad=True)
    d = torch.zeros((), requires_grad=True)
    losses = []
    for t in range(steps):
        y_pred = a + b * x + c * x ** 2 + d * x ** 3
        loss = (y_pred - y).pow(2).sum()
        losses.append(loss.item())
        loss.backward()
        # Manually update weights using gradient descent. Wrap in torch.no_grad()
        # because weights have requires_grad=True, but we don't need to track this in autograd.
        with torch.no_grad():
            a -= lr * a.grad
            b -= lr * b.grad
            c -= lr * c.grad
            d -= lr * d.grad

            # Manually zero the gradients after updating weights
            a.grad = None
            b.grad = None
            c.grad = None
            d.grad = None
    print(f'Result: y = {a.item()} + {b.item()} x + {c.item()} x^2 + {d.item()} x^3')
    return losses


class Polynomial(nn.Module):
    def __init__(self, degree):
        super().__init__()
        self.coefficients = nn.Parameter(torch.ones(degree + 1) * 0.1)

    def forward(self, x):
        powers = torch.arange(len(self.coefficients), dtype=x.dtype)
        return (self.coefficients * x.unsqueeze(-1) ** powers).sum(-1)


def fit_module(steps, lr, momentum):
    model = nn.Sequential(nn.Linear(1, 10), nn.Tanh(), nn.Linear(10, 1), nn.Flatten(0, 1))
    poly = Polynomial(3)
    x = torch.linspace(-1, 1, 64)
    y = torch.cos(3 * x)
    velocity = {name: torch.zeros_like(p) for name, p in model.named_parameters()}
    losses = []
    for _ in range(steps):
        loss = nn.functional.mse_loss(model(x.unsqueeze(1)) + poly(x), y)
        model.zero_grad()
        poly.zero_grad()
        loss.backward()
        losses.append(loss.item())
        with torch.no_grad():
            for name, p in model.named_parameters():
                velocity[name] = momentum * velocity[name] + p.grad
                p -= lr * velocity[name]
            for p in poly.parameters():
                p.data = p.data - lr * p.grad.data
    return losses, nn.ModuleList([model, poly])


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument('--steps', type=int, default=2000)
    parser.add_argument('--lr', type=float, default=1e-6)
    args = parser.parse_args(argv)
    torch.manual_seed(0)
    losses = fit_polynomial(args.steps, args.lr)
    more, model = fit_module(args.steps, 0.1, 0.9)
    return losses + more, model


if __name__ == '__main__':
    main()
