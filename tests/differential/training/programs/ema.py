"""A model and the exponential moving average of its weights."""
import argparse
from copy import deepcopy

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class ModelEma(nn.Module):
    """Keeps a moving average of everything in the state_dict of a model."""

    def __init__(self, model, decay=0.9, device=None):
        super().__init__()
        # make a copy of the model for accumulating moving average of weights
        self.module = deepcopy(model)
        self.module.eval()
        self.decay = decay
        self.device = device
        if self.device is not None:
            self.module.to(device=device)

    def _update(self, model, update_fn):
        with torch.no_grad():
            for ema_v, model_v in zip(self.module.state_dict().values(), model.state_dict().values()):
                if self.device is not None:
                    model_v = model_v.to(device=self.device)
                ema_v.copy_(update_fn(ema_v, model_v))

    def update(self, model):
        self._update(model, update_fn=lambda e, m: self.decay * e + (1. - self.decay) * m)

    def set(self, model):
        self._update(model, update_fn=lambda e, m: m)


class Waves(Dataset):
    def __init__(self, n, length=32, seed=0):
        rng = np.random.default_rng(seed)
        self.labels = rng.integers(0, 4, n)
        t = np.arange(length) / length
        self.signals = np.sin(2 * np.pi * (self.labels[:, None] + 1) * t + rng.uniform(0, 6, (n, 1)))
        self.signals += 0.3 * rng.normal(size=self.signals.shape)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return torch.FloatTensor(self.signals[index]).unsqueeze(0), self.labels[index]


class ConvNet(nn.Module):
    def __init__(self, num_classes):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(1, 8, kernel_size=5, padding=2, bias=False),
            nn.BatchNorm1d(8),
            nn.ReLU(),
            nn.MaxPool1d(2),
            nn.Conv1d(8, 16, kernel_size=3, padding=1, bias=False),
            nn.BatchNorm1d(16),
            nn.ReLU(),
            nn.AdaptiveAvgPool1d(4),
        )
        self.classifier = nn.Linear(64, num_classes)

    def forward(self, x):
        x = self.body(x)
        return self.classifier(x.flatten(1))


@torch.no_grad()
def validate(model, loader, criterion, device):
    model.eval()
    total, correct, loss_sum = 0, 0, 0.0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        logits = model(x)
        loss_sum += criterion(logits, y).item() * y.numel()
        correct += (logits.argmax(dim=-1) == y).sum().item()
        total += y.numel()
    return loss_sum / total, correct / total


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--decay", type=float, default=0.9)
    parser.add_argument("--samples", type=int, default=256)
    args = parser.parse_args(argv)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(0)

    train_loader = DataLoader(Waves(args.samples), batch_size=32, shuffle=True)
    val_loader = DataLoader(Waves(args.samples // 4, seed=1), batch_size=32)
    model = ConvNet(4).to(device)
    model_ema = ModelEma(model, decay=args.decay)
    criterion = nn.CrossEntropyLoss().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)

    history = []
    for epoch in range(args.epochs):
        model.train()
        for x, y in train_loader:
            x, y = x.to(device), y.to(device)
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            model_ema.update(model)
            history.append(loss.item())
        plain, averaged = (validate(m, val_loader, criterion, device) for m in (model, model_ema.module))
        history += [plain[0], averaged[0]]
        print(f"epoch {epoch}: {plain[0]:.4f} ({plain[1]:.2f}), averaged {averaged[0]:.4f} ({averaged[1]:.2f})")
    return history, nn.ModuleList([model, model_ema])


if __name__ == "__main__":
    main()
