"""Points that layers push about: what `detach` gave is changed in place, and has a gradient from then on. The weights
are kept as one flat vector, and put back from it."""

import argparse

import torch
from torch import nn


class Push(nn.Module):
    """Moves each point towards or away from the others."""

    def __init__(self, width):
        super().__init__()
        self.weigh = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, 1, bias=False))
        self.drift = nn.Linear(3, 1)

    def moved(self, points, speed):
        apart = points.unsqueeze(1) - points.unsqueeze(0)
        points += (apart * self.weigh((apart**2).sum(-1, keepdim=True))).mean(1)
        return points

    def forward(self, points, speed):
        points = self.moved(points, speed)
        points += self.drift(speed) * speed
        return points


class Pushes(nn.Module):
    def __init__(self, width, layers):
        super().__init__()
        self.layers = nn.ModuleList([Push(width) for _ in range(layers)])

    def forward(self, points, speed):
        points = points.detach()
        for layer in self.layers:
            points = layer(points, speed)
        return points


def flat(model):
    return torch.cat([p.data.view(-1) for p in model.parameters()])


def put_back(model, values):
    start = 0
    for p in model.parameters():
        p.data.copy_(values[start : start + p.numel()].view(p.size()))
        start += p.numel()


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--width", type=int, default=8)
    parser.add_argument("--step-back", type=float, default=0.25, help="how far each step goes back to the last weights")
    args = parser.parse_args(argv)

    torch.manual_seed(3)
    points, speed, wanted = torch.randn(6, 3), torch.randn(6, 3), torch.randn(6, 3)
    model = Pushes(args.width, 3)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for _ in range(args.steps):
        before = flat(model)
        loss = ((model(points.clone(), speed) - wanted) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        put_back(model, torch.lerp(flat(model), before, args.step_back))
        losses.append(loss.item())
    return losses, model


if __name__ == "__main__":
    print(main()[0])
