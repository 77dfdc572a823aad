"""Windows of a three-axis accelerometer, made up: each activity has a rhythm of its own."""
import math

import torch
from torch.utils.data import DataLoader, TensorDataset, random_split

ACTIVITIES = {"rest": (0.0, 0.05), "walk": (1.8, 1.0), "run": (2.9, 1.8), "stairs": (1.4, 1.3), "cycle": (1.1, 0.6)}
SECONDS, RATE = 2, 24


def windows(count, generator):
    time = torch.arange(SECONDS * RATE, dtype=torch.float32) / RATE
    labels = torch.randint(0, len(ACTIVITIES), (count,), generator=generator)
    table = torch.tensor(list(ACTIVITIES.values()))
    frequency, strength = table[labels].unbind(dim=1)
    phase = 2 * math.pi * torch.rand(count, 3, 1, generator=generator)
    tilt = torch.nn.functional.normalize(torch.randn(count, 3, 1, generator=generator), dim=1)
    wave = torch.sin(2 * math.pi * frequency[:, None, None] * time + phase)
    noise = 0.2 * torch.randn(count, 3, len(time), generator=generator)
    return tilt + strength[:, None, None] * wave + noise, labels


def build_loaders(config):
    generator = torch.Generator().manual_seed(config.seed)
    dataset = TensorDataset(*windows(config.windows, generator))
    held_out = len(dataset) // 5
    train, valid = random_split(dataset, [len(dataset) - held_out, held_out], generator=generator)
    return (
        DataLoader(train, batch_size=config.batch_size, shuffle=True, drop_last=True),
        DataLoader(valid, batch_size=2 * config.batch_size),
    )
