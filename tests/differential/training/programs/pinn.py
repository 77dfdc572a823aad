"""A physics-informed network: the one-dimensional Burgers equation, with derivatives of the network in its loss."""
import argparse

import numpy as np
import torch
import torch.nn as nn


class MLP(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.activation = nn.Tanh()
        self.linears = nn.ModuleList([nn.Linear(a, b) for a, b in zip(layers[:-1], layers[1:])])
        for linear in self.linears:
            nn.init.xavier_normal_(linear.weight)
            nn.init.zeros_(linear.bias)

    def forward(self, t, x):
        h = torch.cat([t, x], dim=1)
        for linear in list(self.linears)[:-1]:
            h = self.activation(linear(h))
        return self.linears[-1](h)


class Burgers:
    def __init__(self, net, viscosity=0.1):
        self.net = net
        self.nu = viscosity
        self.mse = nn.MSELoss()

    def residual(self, t, x):
        u = self.net(t, x)
        u_t, u_x = torch.autograd.grad(u, [t, x], grad_outputs=torch.ones_like(u), create_graph=True)
        u_xx = torch.autograd.grad(u_x, x, torch.ones_like(u_x), create_graph=True)[0]
        return u_t + u * u_x - self.nu * u_xx

    def loss(self, t, x, t0, x0):
        f = self.residual(t, x)
        start = self.net(t0, x0)
        boundary = self.net(t, torch.ones_like(x))
        return self.mse(f, torch.zeros_like(f)) + self.mse(start, -torch.sin(np.pi * x0)) + boundary.pow(2).mean()


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument('--epochs', type=int, default=1000)
    parser.add_argument('--points', type=int, default=32)
    parser.add_argument('--lr', type=float, default=1e-3)
    args = parser.parse_args(argv)
    torch.manual_seed(0)

    net = MLP([2, 16, 16, 1])
    problem = Burgers(net)
    optimizer = torch.optim.Adam(net.parameters(), lr=args.lr)
    x0 = torch.tensor(np.linspace(-1, 1, args.points)[:, None], requires_grad=True).float()
    t0 = torch.zeros_like(x0)

    losses = []
    for epoch in range(args.epochs):
        t = torch.rand(args.points, 1).requires_grad_()
        x = (torch.rand(args.points, 1) * 2 - 1).requires_grad_()
        optimizer.zero_grad()
        loss = problem.loss(t, x, t0, x0)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        print(f'epoch {epoch}: {loss.item():.6f}')
    return losses, net


if __name__ == '__main__':
    main()
