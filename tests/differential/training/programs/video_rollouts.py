"""Predicts how a walker goes on from short clips: convolutions of volumes, images and lines; returns are
collected in rows, and pairs are chosen by Python's own random numbers."""
import argparse
import random
from collections import defaultdict

import numpy as np
import torch
import torch.nn as nn

Kind = torch.cuda.FloatTensor if torch.cuda.is_available() else torch.Tensor


class Clips(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.space = nn.Sequential(
            nn.Conv3d(1, width, (3, 3, 3), stride=(2, 1, 1), padding=1), nn.ReLU(), nn.MaxPool3d((1, 2, 2))
        )
        self.frame = nn.Sequential(nn.Conv2d(width, width, 3, padding=1, groups=2), nn.ReLU(), nn.MaxPool2d(3, 2, 1))
        self.up = nn.ConvTranspose2d(width, 1, 4, 2, 1)
        self.line = nn.Conv1d(1, width, 5, padding=2, dilation=1)
        self.value = nn.Linear(width, 1)

    def forward(self, clip):
        x = self.space(clip).mean(2)
        x = self.up(self.frame(x))
        y = torch.tanh(self.line(x.flatten(2).mean(1, keepdim=True))).amax(-1)
        return x, self.value(y)


def clips(count, rng):
    made = np.zeros((count, 1, 4, 12, 12), np.float32)
    for each in made:
        row, column = rng.randint(0, 8, 2)
        for step in range(4):
            each[0, step, row + step, column: column + 2] = 1
    return torch.from_numpy(made + 0.1 * rng.rand(*made.shape).astype(np.float32))


def returns(values, gamma):
    """Discounted sums, filled from the end row by row."""
    rows = torch.zeros(values.shape[0], values.shape[1])
    last = 0
    for step in reversed(range(values.shape[0])):
        rows[step] = last = values[step].reshape(1, -1) + gamma * last
    return rows


def main(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--width", type=int, default=4)
    options = parser.parse_args(argv)
    random.seed(5)
    torch.manual_seed(1)
    data = clips(24, np.random.RandomState(0))
    model = Clips(options.width)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    track = defaultdict(Kind)
    losses = []
    with torch.cuda.device(-1):
        for _ in range(options.steps):
            chosen = [random.randrange(len(data)) for _ in range(8)]
            batch = data[chosen]
            picture, value = model(batch)
            wanted = returns(batch[:, 0, :, 0, :3].mean(2).t(), 0.9)
            loss = (picture - batch[:, 0, -1:, ::2, ::2]).abs().mean() + (value - wanted.mean(0)[:, None]).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            track["loss"] = torch.cat((track["loss"], loss.data.view(1)), dim=0)
            losses.append(loss.item())
    scale = map(Kind, [[1, 2], [3, 4]])
    assert sum(each.sum() for each in scale).item() == 10.0 and len(track["loss"]) == options.steps
    return losses, model
