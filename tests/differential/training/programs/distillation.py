"""A small student learns from a large teacher."""
import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Subset, TensorDataset


class TeacherNet(nn.Module):
    def __init__(self, n_in=20, n_out=4):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(n_in, 64), nn.ReLU(), nn.Dropout(0.0),
                                    nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, n_out))

    def forward(self, x):
        return self.layers(x)


class StudentNet(nn.Module):
    def __init__(self, n_in=20, n_out=4):
        super().__init__()
        self.hidden = nn.Linear(n_in, 16)
        self.project = nn.Linear(16, 64, bias=False)
        self.out = nn.Linear(16, n_out)

    def forward(self, x, return_features=False):
        h = F.relu(self.hidden(x))
        if return_features:
            return self.out(h), self.project(h)
        return self.out(h)


def distillation_loss(student_logits, teacher_logits, labels, T, alpha):
    soft = F.kl_div(F.log_softmax(student_logits / T, dim=1), F.softmax(teacher_logits / T, dim=1),
                    reduction="batchmean") * (T * T)
    hard = F.cross_entropy(student_logits, labels)
    return alpha * soft + (1.0 - alpha) * hard


def make_dataset(n):
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 4, n)
    x = rng.normal(size=(n, 20)) + np.eye(4, 20)[labels] * 2.0
    return TensorDataset(torch.from_numpy(x).float(), torch.from_numpy(labels))


def train_teacher(model, loader, epochs, device):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses = []
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x.to(device)), y.to(device))
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return losses


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--temperature", type=float, default=3.0)
    parser.add_argument("--alpha", type=float, default=0.7)
    args = parser.parse_args(argv)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(7)

    dataset = make_dataset(args.n)
    train_set = Subset(dataset, range(0, int(0.75 * args.n)))
    test_set = Subset(dataset, list(range(int(0.75 * args.n), args.n)))
    loader = DataLoader(train_set, batch_size=48, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=48)

    teacher, student = TeacherNet().to(device), StudentNet().to(device)
    history = train_teacher(teacher, loader, args.epochs, device)
    teacher.eval()
    for p in teacher.parameters():
        p.requires_grad_(False)

    features = {}

    def keep(module, inputs, output):
        features["teacher"] = output

    handle = teacher.layers[4].register_forward_hook(keep)
    optimizer = torch.optim.AdamW(student.parameters(), lr=5e-3, weight_decay=0.01)
    for epoch in range(args.epochs):
        student.train()
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            with torch.no_grad():
                teacher_logits = teacher(x)
            student_logits, hint = student(x, return_features=True)
            loss = distillation_loss(student_logits, teacher_logits, y, args.temperature, args.alpha)
            loss = loss + 0.05 * F.mse_loss(hint, features["teacher"])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            history.append(loss.item())
        student.eval()
        with torch.no_grad():
            hits = sum((student(x.to(device)).argmax(1) == y.to(device)).sum().item() for x, y in test_loader)
        print(f"epoch {epoch} student accuracy {hits / len(test_set):.3f}")
    handle.remove()
    return history, (teacher, student)


if __name__ == "__main__":
    main()
