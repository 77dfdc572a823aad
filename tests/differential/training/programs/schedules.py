"""The same network under one of several schedules of the learning rate."""
import argparse
import math

import torch
import torch.nn as nn
import torch.optim as optim
import torch.optim.lr_scheduler as lr_scheduler
from torch.utils.data import DataLoader, TensorDataset


def polynomial(n):
    x = torch.linspace(-1, 1, n).unsqueeze(1)
    return x, x ** 3 - 0.4 * x + 0.1


class Regressor(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.fc1 = nn.Linear(1, width)
        self.fc2 = nn.Linear(width, width)
        self.fc3 = nn.Linear(width, 1)

    def forward(self, x):
        x = torch.tanh(self.fc1(x))
        x = torch.tanh(self.fc2(x))
        return self.fc3(x)


def get_scheduler(name, optimizer, steps_per_epoch, epochs):
    total = steps_per_epoch * epochs
    if name == 'onecycle':
        return lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, steps_per_epoch=steps_per_epoch, epochs=epochs,
                                       pct_start=0.4, anneal_strategy='cos')
    if name == 'plateau':
        return lr_scheduler.ReduceLROnPlateau(optimizer, mode='min', factor=0.3, patience=0, threshold=0.2)
    if name == 'lambda':
        warmup = max(1, total // 3)

        def lr_lambda(step):
            if step < warmup:
                return float(step + 1) / warmup
            progress = (step - warmup) / max(1, total - warmup)
            return max(0.0, 0.5 * (1.0 + math.cos(math.pi * progress)))

        return lr_scheduler.LambdaLR(optimizer, lr_lambda=lr_lambda)
    if name == 'sequential':
        warm = lr_scheduler.LinearLR(optimizer, start_factor=0.1, total_iters=3)
        cosine = lr_scheduler.CosineAnnealingLR(optimizer, T_max=max(1, total - 3), eta_min=1e-4)
        return lr_scheduler.SequentialLR(optimizer, schedulers=[warm, cosine], milestones=[3])
    if name == 'restarts':
        return lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=3, T_mult=2)
    if name == 'cyclic':
        return lr_scheduler.CyclicLR(optimizer, base_lr=0.01, max_lr=0.1, step_size_up=2, mode='triangular2')
    raise NotImplementedError('learning rate policy [%s] is not implemented' % name)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument('--schedule', default='onecycle')
    parser.add_argument('--epochs', type=int, default=10)
    parser.add_argument('--batch-size', type=int, default=16)
    parser.add_argument('--n', type=int, default=128)
    args = parser.parse_args(argv)

    torch.manual_seed(0)
    device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    loader = DataLoader(TensorDataset(*polynomial(args.n)), batch_size=args.batch_size, shuffle=True)
    model = Regressor().to(device)
    optimizer = optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scheduler = get_scheduler(args.schedule, optimizer, len(loader), args.epochs)
    per_epoch = isinstance(scheduler, lr_scheduler.ReduceLROnPlateau)

    history = []
    for epoch in range(args.epochs):
        epoch_loss = 0.0
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            if not per_epoch:
                scheduler.step()
            epoch_loss += loss.item()
            history.append(loss.item())
            history.append(optimizer.param_groups[0]['lr'])
        if per_epoch:
            scheduler.step(epoch_loss / len(loader))
        print('epoch %d lr %.5f loss %.5f' % (epoch, optimizer.param_groups[0]['lr'], epoch_loss / len(loader)))
    return history, model


if __name__ == '__main__':
    main()
