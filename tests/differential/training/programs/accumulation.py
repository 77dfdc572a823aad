"""Gradient accumulation with clipping by norm: large batches on a small device."""
import argparse

import numpy as np
import torch
import torch.nn as nn
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, Dataset


class SpiralDataset(Dataset):
    def __init__(self, points=300, classes=3, seed=0):
        rng = np.random.RandomState(seed)
        X, y = [], []
        for c in range(classes):
            r = np.linspace(0.0, 1, points)
            t = np.linspace(c * 4, (c + 1) * 4, points) + rng.randn(points) * 0.2
            X.append(np.c_[r * np.sin(t), r * np.cos(t)])
            y.append(np.full(points, c))
        self.X = torch.tensor(np.concatenate(X), dtype=torch.float32)
        self.y = torch.tensor(np.concatenate(y), dtype=torch.long)

    def __len__(self):
        return len(self.X)

    def __getitem__(self, idx):
        return self.X[idx], self.y[idx]


def build_model(hidden):
    return nn.Sequential(
        nn.Linear(2, hidden),
        nn.SiLU(),
        nn.Linear(hidden, hidden),
        nn.SiLU(),
        nn.Linear(hidden, 3),
    )


def get_args(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", default=5, type=int)
    parser.add_argument("--batch-size", default=16, type=int)
    parser.add_argument("--accum-iter", default=4, type=int, help="Accumulate gradient iterations")
    parser.add_argument("--clip-grad", type=float, default=0.5)
    parser.add_argument("--points", type=int, default=300)
    parser.add_argument("--num-workers", type=int, default=0)
    parser.add_argument("--print-freq", type=int, default=10)
    return parser.parse_args(argv)


def train_one_epoch(model, criterion, data_loader, optimizer, device, epoch, args):
    model.train(True)
    accum_iter = args.accum_iter
    optimizer.zero_grad()
    losses, norms = [], []

    for data_iter_step, (samples, targets) in enumerate(data_loader):
        samples = samples.to(device, non_blocking=True)
        targets = targets.to(device, non_blocking=True)

        outputs = model(samples)
        loss = criterion(outputs, targets)
        loss_value = loss.item()
        if not np.isfinite(loss_value):
            raise RuntimeError("Loss is {}, stopping training".format(loss_value))

        loss /= accum_iter
        loss.backward()
        if (data_iter_step + 1) % accum_iter == 0 or data_iter_step + 1 == len(data_loader):
            grad_norm = clip_grad_norm_(model.parameters(), args.clip_grad)
            norms.append(grad_norm.item())
            optimizer.step()
            optimizer.zero_grad()
        losses.append(loss_value)
        if data_iter_step % args.print_freq == 0:
            print(f"Epoch: [{epoch}] [{data_iter_step}/{len(data_loader)}] loss: {loss_value:.4f}")
    return losses, norms


@torch.no_grad()
def evaluate(data_loader, model, device):
    model.eval()
    hits = 0
    for samples, targets in data_loader:
        output = model(samples.to(device))
        hits += output.argmax(-1).eq(targets.to(device)).float().sum().item()
    return hits / len(data_loader.dataset)


def main(argv=None):
    args = get_args(argv)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(42)
    np.random.seed(42)

    train_loader = DataLoader(SpiralDataset(args.points), batch_size=args.batch_size, shuffle=True,
                              num_workers=args.num_workers, pin_memory=device.type == "cuda", drop_last=False)
    val_loader = DataLoader(SpiralDataset(args.points // 2, seed=1), batch_size=256)

    model = build_model(24).to(device)
    n_parameters = sum(p.numel() for p in model.parameters() if p.requires_grad)
    print("number of params:", n_parameters)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9, nesterov=True)

    history = []
    for epoch in range(args.epochs):
        losses, norms = train_one_epoch(model, criterion, train_loader, optimizer, device, epoch, args)
        history += losses + norms
        print(f"accuracy {evaluate(val_loader, model, device):.3f}")
    return history, model


if __name__ == "__main__":
    main()
