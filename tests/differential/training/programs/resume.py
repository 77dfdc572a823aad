"""Trains, saves everything, starts anew from the checkpoint and goes on as if nothing had happened."""
import argparse
import os
import shutil
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.utils.data as data


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 6, 3), nn.GroupNorm(2, 6), nn.LeakyReLU(0.1), nn.Flatten())
        self.register_buffer("seen", torch.zeros(1, dtype=torch.long))
        self.fc = nn.Linear(6 * 36, 3)

    def forward(self, x):
        if self.training:
            self.seen += x.size(0)
        return self.fc(self.conv(x))


def save_checkpoint(state, is_best, folder, filename="checkpoint.pth.tar"):
    path = os.path.join(folder, filename)
    torch.save(state, path)
    if is_best:
        shutil.copyfile(path, os.path.join(folder, "model_best.pth.tar"))


def make_dataset(n):
    rng = np.random.RandomState(2)
    y = rng.randint(0, 3, n)
    x = rng.rand(n, 1, 8, 8) + np.eye(8)[y * 2][:, None, None, :]
    return data.TensorDataset(torch.Tensor(x), torch.LongTensor(y))


def run(args, folder, device):
    """One run of the program: until the epoch `args.epochs`, from a checkpoint if there is one."""
    model = Net().to(device)
    criterion = nn.CrossEntropyLoss().to(device)
    optimizer = torch.optim.Adam(model.parameters(), args.lr, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    start_epoch, best_loss = 0, float("inf")
    loader = data.DataLoader(make_dataset(args.n), batch_size=args.batch_size, shuffle=True)

    checkpoint_path = Path(folder) / "checkpoint.pth.tar"
    if checkpoint_path.is_file():
        print("=> loading checkpoint '{}'".format(checkpoint_path))
        checkpoint = torch.load(checkpoint_path, map_location=device)
        start_epoch = checkpoint["epoch"]
        best_loss = checkpoint["best_loss"]
        model.load_state_dict(checkpoint["state_dict"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        scheduler.load_state_dict(checkpoint["scheduler"])
        print("=> loaded checkpoint '{}' (epoch {})".format(checkpoint_path, checkpoint["epoch"]))
    else:
        print("=> no checkpoint found at '{}'".format(checkpoint_path))

    losses = []
    for epoch in range(start_epoch, args.epochs):
        model.train()
        total = 0.0
        for images, target in loader:
            images, target = images.to(device), target.to(device)
            loss = criterion(model(images), target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            total += loss.item()
        scheduler.step()
        is_best = total < best_loss
        best_loss = min(total, best_loss)
        save_checkpoint({
            "epoch": epoch + 1,
            "state_dict": model.state_dict(),
            "best_loss": best_loss,
            "optimizer": optimizer.state_dict(),
            "scheduler": scheduler.state_dict(),
        }, is_best, folder)
        print(f"epoch {epoch} loss {total / len(loader):.4f} lr {scheduler.get_last_lr()[0]:.5f} seen {model.seen.item()}")
        if args.stop_after is not None and epoch + 1 - start_epoch >= args.stop_after:
            break
    return losses, model


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--stop-after", type=int, default=None)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--lr", type=float, default=5e-3)
    parser.add_argument("--n", type=int, default=96)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--folder", default="runs")
    args = parser.parse_args(argv)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    os.makedirs(args.folder, exist_ok=True)
    torch.manual_seed(0)

    history = []
    for _ in range(args.runs):
        losses, model = run(args, args.folder, device)
        history += losses
    return history, model


if __name__ == "__main__":
    main()
