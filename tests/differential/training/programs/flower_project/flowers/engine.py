import math
import sys
from typing import Iterable

import torch
import torch.nn.functional as F

from flowers.utils import MetricLogger


def train_one_epoch(model: torch.nn.Module, criterion: torch.nn.Module, data_loader: Iterable,
                    optimizer: torch.optim.Optimizer, device: torch.device, metrics: MetricLogger,
                    max_norm: float = 0):
    model.train()
    for images, targets in data_loader:
        images, targets = images.to(device), targets.to(device)
        loss = criterion(model(images), targets)
        loss_value = loss.item()
        if not math.isfinite(loss_value):
            print("Loss is {}, stopping training".format(loss_value))
            sys.exit(1)
        optimizer.zero_grad()
        loss.backward()
        if max_norm > 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        metrics.add("loss", loss_value)


@torch.no_grad()
def evaluate(model, data_loader, device):
    model.eval()
    correct, loss, count = 0, 0.0, 0
    for images, targets in data_loader:
        logits = model(images.to(device))
        targets = targets.to(device)
        loss += F.cross_entropy(logits, targets, reduction="sum").item()
        correct += int((logits.argmax(1) == targets).sum())
        count += targets.shape[0]
    return correct / count, loss / count
