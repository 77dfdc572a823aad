"""Regression with a Trainer class that owns the model, the optimizer and the loaders."""
import argparse
import logging
from typing import Callable, Dict, List, Optional

import numpy as np
import torch
from torch import nn
from torch.optim import Adam, Optimizer
from torch.optim.lr_scheduler import ExponentialLR
from torch.utils.data import DataLoader, TensorDataset

logger = logging.getLogger(__name__)


class AverageMeter:
    """Computes and stores the average and current value"""

    def __init__(self, name: str, fmt: str = ":f"):
        self.name = name
        self.fmt = fmt
        self.reset()

    def reset(self):
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count

    def __str__(self):
        return ("{name} {val" + self.fmt + "} ({avg" + self.fmt + "})").format(**self.__dict__)


class MLP(nn.Module):
    def __init__(self, in_features: int, hidden: List[int], out_features: int = 1,
                 activation: Callable[[], nn.Module] = nn.ReLU) -> None:
        super().__init__()
        layers: List[nn.Module] = []
        for width in hidden:
            layers += [nn.Linear(in_features, width), nn.LayerNorm(width), activation()]
            in_features = width
        layers.append(nn.Linear(in_features, out_features))
        self.net = nn.Sequential(*layers)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.net(x).squeeze(-1)


class Trainer:
    def __init__(self, model: nn.Module, optimizer: Optimizer, criterion: nn.Module, device: torch.device,
                 scheduler: Optional[ExponentialLR] = None, callbacks: Optional[List[Callable]] = None):
        self.model = model.to(device)
        self.optimizer = optimizer
        self.criterion = criterion
        self.device = device
        self.scheduler = scheduler
        self.callbacks = callbacks or []
        self.history: Dict[str, List[float]] = {"train": [], "val": []}
        self.step = 0

    def training_step(self, batch):
        x, y = (t.to(self.device, non_blocking=True) for t in batch)
        pred = self.model(x)
        return self.criterion(pred, y)

    def train_epoch(self, loader: DataLoader) -> float:
        self.model.train()
        meter = AverageMeter("loss", ":.4f")
        for batch in loader:
            self.optimizer.zero_grad(set_to_none=True)
            loss = self.training_step(batch)
            loss.backward()
            self.optimizer.step()
            self.step += 1
            meter.update(loss.detach().item(), batch[0].shape[0])
            self.history["train"].append(loss.item())
            for callback in self.callbacks:
                callback(self, loss)
        logger.info("train %s", meter)
        return meter.avg

    @torch.no_grad()
    def evaluate(self, loader: DataLoader) -> float:
        self.model.eval()
        meter = AverageMeter("val")
        for x, y in loader:
            x, y = x.to(self.device), y.to(self.device)
            meter.update(self.criterion(self.model(x), y).item(), x.size(0))
        self.history["val"].append(meter.avg)
        return meter.avg

    def fit(self, train_loader: DataLoader, val_loader: DataLoader, epochs: int) -> Dict[str, List[float]]:
        for epoch in range(epochs):
            train_loss = self.train_epoch(train_loader)
            val_loss = self.evaluate(val_loader)
            if self.scheduler is not None:
                self.scheduler.step()
            print(f"[{epoch + 1}/{epochs}] train={train_loss:.4f} val={val_loss:.4f}")
        return self.history


def print_step(trainer: Trainer, loss: torch.Tensor) -> None:
    if trainer.step % 5 == 0:
        print("step", trainer.step, "loss", float(loss), "lr", trainer.optimizer.param_groups[0]["lr"])


def make_loaders(batch_size: int, n: int):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(n, 6)).astype(np.float32)
    y = (np.sin(x[:, 0]) + 0.5 * x[:, 1] * x[:, 2] + 0.05 * rng.normal(size=n)).astype(np.float32)
    cut = int(0.75 * n)
    train = TensorDataset(torch.from_numpy(x[:cut]), torch.from_numpy(y[:cut]))
    val = TensorDataset(torch.from_numpy(x[cut:]), torch.from_numpy(y[cut:]))
    return DataLoader(train, batch_size, shuffle=True, drop_last=True), DataLoader(val, batch_size)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--lr", type=float, default=1e-2)
    parser.add_argument("--samples", type=int, default=512)
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO)

    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = MLP(6, [32, 32], activation=nn.Tanh)
    optimizer = Adam(model.parameters(), lr=args.lr)
    trainer = Trainer(model, optimizer, nn.SmoothL1Loss(), device,
                      scheduler=ExponentialLR(optimizer, gamma=0.9), callbacks=[print_step])
    history = trainer.fit(*make_loaders(args.batch_size, args.samples), epochs=args.epochs)
    return history["train"] + history["val"], model


if __name__ == "__main__":
    main()
