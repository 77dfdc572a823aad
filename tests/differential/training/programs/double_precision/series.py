"""A network that forecasts series, and the series."""

import math

import torch
from torch import nn


class Embedding(nn.Module):
    """Values by a convolution over time, with a position added, and dropout behind the sum."""

    def __init__(self, channels, width, length):
        super().__init__()
        self.values = nn.Conv1d(channels, width, 3, padding=1, padding_mode="circular")
        self.position = nn.Parameter(torch.randn(length, width) * 0.1)
        self.dropout = nn.Dropout(0.2)

    def forward(self, series):
        values = self.values(series.permute(0, 2, 1)).transpose(1, 2)
        return self.dropout(values + self.position)


class Forecast(nn.Module):
    """The next values of each channel."""

    def __init__(self, channels, width, length):
        super().__init__()
        self.embedding = Embedding(channels, width, length)
        self.recurrent = nn.GRU(width, width, batch_first=True)
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, channels)

    def forward(self, series):
        states, _ = self.recurrent(self.embedding(series))
        return self.head(self.norm(states[:, -1]))


def waves(count, length, channels):
    """Sines of several lengths, and what comes next."""
    start = torch.rand(count, 1, channels) * 2 * math.pi
    steps = torch.arange(length + 1).view(1, -1, 1) * (0.3 + torch.rand(count, 1, channels))
    series = torch.sin(start + steps)
    return series[:, :-1], series[:, -1]


def count_of(network):
    """How many numbers are trained."""
    shapes = [parameter.shape for parameter in network.parameters()]
    return sum(shape.numel() for shape in shapes)
