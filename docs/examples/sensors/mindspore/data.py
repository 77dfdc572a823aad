"""Windows of a three-axis accelerometer, made up: each activity has a rhythm of its own."""
import math

import mindport_helpers as helpers
import mindspore

ACTIVITIES = {"rest": (0.0, 0.05), "walk": (1.8, 1.0), "run": (2.9, 1.8), "stairs": (1.4, 1.3), "cycle": (1.1, 0.6)}
SECONDS, RATE = 2, 24


def windows(count, generator):
    time = mindspore.ops.arange(end=SECONDS * RATE, dtype=mindspore.float32) / RATE
    labels = helpers.randint(0, len(ACTIVITIES), (count,), generator=generator)
    table = helpers.tensor(list(ACTIVITIES.values()))
    frequency, strength = table[labels].unbind(dim=1)
    phase = 2 * math.pi * helpers.rand(count, 3, 1, generator=generator)
    tilt = helpers.normalize(helpers.randn(count, 3, 1, generator=generator), dim=1)
    wave = helpers.sin(2 * math.pi * frequency[:, None, None] * time + phase)
    noise = 0.2 * helpers.randn(count, 3, len(time), generator=generator)
    return tilt + strength[:, None, None] * wave + noise, labels


def build_loaders(config):
    generator = helpers.Generator().manual_seed(config.seed)
    dataset = helpers.TensorDataset(*windows(config.windows, generator))
    held_out = len(dataset) // 5
    train, valid = helpers.random_split(dataset, [len(dataset) - held_out, held_out], generator=generator)
    return (
        helpers.DataLoader(train, batch_size=config.batch_size, shuffle=True, drop_last=True),
        helpers.DataLoader(valid, batch_size=2 * config.batch_size),
    )
