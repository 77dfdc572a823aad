"""Tabular data: standardised, split at random, early stopping with the best weights kept."""
import argparse
import random

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = False


class EarlyStopping:
    def __init__(self, patience=3, min_delta=0.0):
        self.patience, self.min_delta = patience, min_delta
        self.best, self.state, self.bad = float("inf"), None, 0

    def __call__(self, loss, model):
        if loss < self.best - self.min_delta:
            self.best, self.bad = loss, 0
            self.state = {k: v.detach().cpu().clone() for k, v in model.state_dict().items()}
        else:
            self.bad += 1
        return self.bad >= self.patience


class EmbeddingMLP(nn.Module):
    """Categorical columns are embedded, numeric ones normalised."""

    def __init__(self, cardinalities, n_numeric, hidden=(32, 16), p=0.1):
        super().__init__()
        self.embeds = nn.ModuleList([nn.Embedding(c, min(8, (c + 1) // 2)) for c in cardinalities])
        n_emb = sum(e.embedding_dim for e in self.embeds)
        self.bn_cont = nn.BatchNorm1d(n_numeric)
        sizes = [n_emb + n_numeric, *hidden]
        self.layers = nn.Sequential(*[
            nn.Sequential(nn.Linear(a, b), nn.ReLU(inplace=True), nn.Dropout(p))
            for a, b in zip(sizes[:-1], sizes[1:])
        ])
        self.out = nn.Linear(sizes[-1], 1)

    def forward(self, x_cat, x_num):
        x = [e(x_cat[:, i]) for i, e in enumerate(self.embeds)]
        x = torch.cat(x + [self.bn_cont(x_num)], 1)
        return self.out(self.layers(x)).view(-1)


def make_table(n):
    rng = np.random.RandomState(21)
    shop, day = rng.randint(0, 9, n), rng.randint(0, 7, n)
    price = rng.gamma(2.0, 3.0, n)
    stock = rng.poisson(12, n)
    sold = 0.4 * shop + 2.0 * (day >= 5) - 0.3 * price + 0.1 * stock + rng.normal(0, 0.3, n)
    x_cat = torch.tensor(np.stack([shop, day], axis=1), dtype=torch.int64)
    x_num = torch.tensor(np.stack([price, stock], axis=1), dtype=torch.float32)
    return TensorDataset(x_cat, x_num, torch.tensor(sold, dtype=torch.float32))


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--rows", type=int, default=400)
    args = parser.parse_args(argv)
    seed_everything(42)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    dataset = make_table(args.rows)
    n_val = int(len(dataset) * 0.2)
    train_ds, val_ds = random_split(dataset, [len(dataset) - n_val, n_val],
                                    generator=torch.Generator().manual_seed(0))
    print(len(train_ds), "rows to train,", len(val_ds), "to validate")
    train_dl = DataLoader(train_ds, batch_size=64, shuffle=True)
    val_dl = DataLoader(val_ds, batch_size=128)

    model = EmbeddingMLP([9, 7], 2, p=args.dropout).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=1e-5, amsgrad=True)
    criterion = nn.L1Loss()
    stopper = EarlyStopping(patience=3)

    history = []
    for epoch in range(args.epochs):
        model.train()
        for x_cat, x_num, y in train_dl:
            x_cat, x_num, y = x_cat.to(device), x_num.to(device), y.to(device)
            optimizer.zero_grad()
            loss = criterion(model(x_cat, x_num), y)
            loss.backward()
            optimizer.step()
            history.append(loss.item())

        model.eval()
        val_losses = []
        with torch.no_grad():
            for x_cat, x_num, y in val_dl:
                val_losses.append(criterion(model(x_cat.to(device), x_num.to(device)), y.to(device)).item())
        val_loss = float(np.mean(val_losses))
        history.append(val_loss)
        print(f"Epoch {epoch + 1:02d} | val MAE {val_loss:.4f}")
        if stopper(val_loss, model):
            print("early stop")
            break
    model.load_state_dict(stopper.state)
    return history, model


if __name__ == "__main__":
    main()
