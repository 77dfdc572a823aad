"""Logistic regression by L-BFGS with a strong Wolfe line search."""
import argparse

import numpy as np
import torch
from torch import nn
from torch.optim import LBFGS


class LogisticRegression(nn.Module):
    def __init__(self, n_features: int, n_classes: int):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n_features, n_classes))
        self.bias = nn.Parameter(torch.zeros(n_classes))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.weight + self.bias

    def penalty(self) -> torch.Tensor:
        return self.weight.pow(2).sum()


def load_blobs(n: int):
    rng = np.random.default_rng(12)
    centres = np.array([[0.0, 2.0, 1.0], [2.0, -1.0, 0.0], [-2.0, -1.0, -1.0]])
    labels = rng.integers(0, 3, size=n)
    features = centres[labels] + rng.normal(scale=1.3, size=(n, 3))
    features = (features - features.mean(axis=0)) / features.std(axis=0)
    return torch.as_tensor(features, dtype=torch.float32), torch.as_tensor(labels)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--line-search", default="strong_wolfe", choices=["strong_wolfe", "none"])
    parser.add_argument("--l2", type=float, default=1e-2)
    args = parser.parse_args(argv)

    X, y = load_blobs(200)
    model = LogisticRegression(X.shape[1], 3)
    criterion = nn.CrossEntropyLoss()
    line_search = None if args.line_search == "none" else args.line_search
    optimizer = LBFGS(model.parameters(), lr=1 if line_search else 0.3, max_iter=4, history_size=10,
                      line_search_fn=line_search)

    history = []
    for step in range(args.steps):

        def closure():
            if torch.is_grad_enabled():
                optimizer.zero_grad()
            objective = criterion(model(X), y) + args.l2 * model.penalty()
            if objective.requires_grad:
                objective.backward()
            return objective

        loss = optimizer.step(closure)
        history.append(loss.item())
        accuracy = (model(X).argmax(dim=1) == y).float().mean()
        print(f"step {step}: objective {loss.item():.5f}, accuracy {accuracy:.3f}")
    history.append(closure().item())
    return history, model


if __name__ == "__main__":
    main()
