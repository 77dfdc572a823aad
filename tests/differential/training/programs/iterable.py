"""Streams samples from an IterableDataset; online learning of a moving target."""
import argparse
import itertools
import random

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class SensorStream(IterableDataset):
    def __init__(self, n, seed=0, noise=0.05):
        super().__init__()
        self.n, self.seed, self.noise = n, seed, noise

    def __iter__(self):
        info = get_worker_info()
        worker_id, num_workers = (info.id, info.num_workers) if info is not None else (0, 1)
        rng = random.Random(self.seed)
        for i in itertools.count():
            if i >= self.n:
                return
            reading = [rng.gauss(0, 1) for _ in range(4)]
            label = sum(reading[:2]) * (1 + i / self.n) + self.noise * rng.random()
            if i % num_workers == worker_id:
                yield torch.tensor(reading), torch.tensor(label)


class ShuffleBuffer(IterableDataset):
    def __init__(self, source, size, seed=0):
        self.source, self.size, self.seed = source, size, seed

    def __iter__(self):
        rng = random.Random(self.seed)
        buffer = []
        for sample in self.source:
            if len(buffer) == self.size:
                index = rng.randrange(self.size)
                yield buffer[index]
                buffer[index] = sample
            else:
                buffer.append(sample)
        rng.shuffle(buffer)
        yield from buffer


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--batch-size", type=int, default=20)
    parser.add_argument("--max-steps", type=int, default=None)
    args = parser.parse_args(argv)
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    stream = ShuffleBuffer(SensorStream(args.samples), size=32)
    loader = DataLoader(stream, batch_size=args.batch_size, drop_last=True)
    model = nn.Sequential(nn.Linear(4, 16), nn.Softplus(), nn.Linear(16, 1)).to(device)
    optimizer = torch.optim.ASGD(model.parameters(), lr=0.05)

    losses = []
    for step, (x, y) in enumerate(loader):
        if args.max_steps is not None and step == args.max_steps:
            break
        x, y = x.to(device), y.to(device)
        loss = (model(x).squeeze(-1) - y).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if step % 10 == 0:
            print(f"{step}\t{loss.item():.4f}")
    return losses, model


if __name__ == "__main__":
    main()
