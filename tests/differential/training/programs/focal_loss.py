"""Rare classes: a focal loss and a dice loss as modules of one's own."""
import argparse
from typing import Optional, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


class FocalLoss(nn.Module):
    """Focal loss for classification, see https://arxiv.org/abs/1708.02002"""

    def __init__(self, alpha: Optional[Tensor] = None, gamma: float = 2., reduction: str = 'mean',
                 ignore_index: int = -100):
        if reduction not in ('mean', 'sum', 'none'):
            raise ValueError('Reduction must be one of: "mean", "sum", "none".')
        super().__init__()
        self.register_buffer('alpha', alpha)
        self.gamma = gamma
        self.ignore_index = ignore_index
        self.reduction = reduction

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        unignored_mask = y != self.ignore_index
        y = y[unignored_mask]
        if len(y) == 0:
            return torch.tensor(0.)
        x = x[unignored_mask]

        # compute weighted cross entropy term: -alpha * log(pt)
        log_p = F.log_softmax(x, dim=-1)
        ce = F.nll_loss(log_p, y, weight=self.alpha, reduction='none')

        # get true class column from each row
        all_rows = torch.arange(len(x))
        log_pt = log_p[all_rows, y]

        # compute focal term: (1 - pt)^gamma
        pt = log_pt.exp()
        focal_term = (1 - pt) ** self.gamma
        loss = focal_term * ce
        if self.reduction == 'mean':
            loss = loss.mean()
        elif self.reduction == 'sum':
            loss = loss.sum()
        return loss


class SoftDice(nn.Module):
    def __init__(self, eps: float = 1e-6) -> None:
        super().__init__()
        self.eps = eps

    def forward(self, logits: Tensor, target: Tensor) -> Tensor:
        p = logits.softmax(dim=1)
        onehot = F.one_hot(target.clamp(min=0), p.size(1)).type_as(p)
        valid = (target >= 0).unsqueeze(1).type_as(p)
        inter = (p * onehot * valid).sum(0)
        return 1 - ((2 * inter + self.eps) / ((p + onehot).mul(valid).sum(0) + self.eps)).mean()


def focal_loss(alpha: Optional[Sequence] = None, gamma: float = 0., device: str = 'cpu', dtype=torch.float32):
    if alpha is not None:
        if not isinstance(alpha, Tensor):
            alpha = torch.tensor(alpha)
        alpha = alpha.to(device=device, dtype=dtype)
    return FocalLoss(alpha=alpha, gamma=gamma)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument('--epochs', type=int, default=5)
    parser.add_argument('--gamma', type=float, default=2.0)
    parser.add_argument('--n', type=int, default=300)
    args = parser.parse_args(argv)
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    torch.manual_seed(0)

    rng = np.random.default_rng(8)
    labels = rng.choice(3, size=args.n, p=[0.8, 0.15, 0.05])
    points = rng.normal(size=(args.n, 5)) + labels[:, None] * 0.9
    labels[::25] = -100  # nobody labelled these
    dataset = TensorDataset(torch.tensor(points).float(), torch.tensor(labels).long())
    counts = torch.bincount(dataset.tensors[1].clamp(min=0), minlength=3)
    weights = 1.0 / counts[dataset.tensors[1].clamp(min=0)].double()
    sampler = WeightedRandomSampler(weights, num_samples=len(dataset), replacement=True)
    loader = DataLoader(dataset, batch_size=50, sampler=sampler)

    model = nn.Sequential(nn.Linear(5, 24), nn.BatchNorm1d(24), nn.PReLU(), nn.Linear(24, 3)).to(device)
    criterion = focal_loss(alpha=[0.2, 0.3, 0.5], gamma=args.gamma, device=device)
    dice = SoftDice()
    optimizer = torch.optim.Adamax(model.parameters(), lr=1e-2)
    history = []
    for epoch in range(args.epochs):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            logits = model(x)
            loss = criterion(logits, y) + 0.1 * dice(logits, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            history.append(loss.item())
        print(f'epoch {epoch + 1}: {sum(history[-len(loader):]) / len(loader):.4f}')
    return history, model


if __name__ == '__main__':
    main()
