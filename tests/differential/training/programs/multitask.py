"""Several tasks, one trunk; the weights of the losses are learnt, too."""
import argparse

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import ConcatDataset, DataLoader, Dataset


class Houses(Dataset):
    def __init__(self, n, seed):
        self.rng = np.random.RandomState(seed)
        self.features = self.rng.uniform(-1, 1, (n, 8)).astype(np.float32)

    def __len__(self):
        return len(self.features)

    def __getitem__(self, i):
        row = self.features[i]
        return row, {"price": row[:3].sum(), "old": int(row[3] > 0), "rooms": int(abs(row[4]) * 4)}


class MultiTaskModel(nn.Module):
    def __init__(self, n_features, tasks):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_features, 32), nn.Mish(), nn.Linear(32, 24), nn.Mish())
        self.heads = nn.ModuleDict({name: nn.Linear(24, size) for name, size in tasks.items()})
        self.log_vars = nn.ParameterDict({name: nn.Parameter(torch.zeros(1)) for name in tasks})

    def forward(self, x):
        shared = self.trunk(x)
        return {name: head(shared) for name, head in self.heads.items()}


class UncertaintyLoss(nn.Module):
    """Weighs losses by what the model thinks of its own noise."""

    def __init__(self):
        super().__init__()
        self.losses = {"price": nn.MSELoss(), "old": nn.BCEWithLogitsLoss(), "rooms": nn.CrossEntropyLoss()}

    def forward(self, outputs, targets, log_vars):
        total, parts = 0, {}
        for name, criterion in self.losses.items():
            output, target = outputs[name], targets[name]
            if name != "rooms":
                output, target = output.squeeze(-1), target.float()
            parts[name] = criterion(output, target)
            precision = torch.exp(-log_vars[name])
            total += precision * parts[name] + log_vars[name]
        return total.mean(), parts


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--n", type=int, default=100)
    args = parser.parse_args(argv)
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    dataset = ConcatDataset([Houses(args.n, 0), Houses(args.n // 2, 1)])
    loader = DataLoader(dataset, batch_size=30, shuffle=True)
    model = MultiTaskModel(8, {"price": 1, "old": 1, "rooms": 4}).to(device)
    criterion = UncertaintyLoss()
    trunk = [p for n, p in model.named_parameters() if not n.startswith("log_vars")]
    optimizer = torch.optim.Adam([{"params": trunk}, {"params": model.log_vars.parameters(), "lr": 0.05}], lr=1e-3)

    history = []
    for epoch in range(args.epochs):
        for x, targets in loader:
            x = x.to(device)
            targets = {k: v.to(device) for k, v in targets.items()}
            optimizer.zero_grad()
            loss, parts = criterion(model(x), targets, model.log_vars)
            loss.backward()
            optimizer.step()
            history.append(loss.item())
        print(epoch, {k: f"{v.item():.3f}" for k, v in parts.items()},
              {k: round(v.item(), 4) for k, v in model.log_vars.items()})
    return history, model


if __name__ == "__main__":
    main()
