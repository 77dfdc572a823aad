"""The focal loss of the migration guide's example, as detectors compute it: its weights in all shapes, every reduction."""

import json
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def reduced(loss, reduction):
    kind = F._Reduction.get_enum(reduction)
    if kind == 0:
        return loss
    return loss.mean() if kind == 1 else loss.sum()


def weighted(loss, weight=None, reduction="mean", avg_factor=None):
    if weight is not None:
        loss = loss * weight
    if avg_factor is None:
        return reduced(loss, reduction)
    if reduction == "mean":
        return loss.sum() / avg_factor
    if reduction != "none":
        raise ValueError('avg_factor can not be used with reduction="sum"')
    return loss


def focal_loss(pred, target, weight=None, gamma=2.0, alpha=0.25, reduction="mean", avg_factor=None):
    share = pred.sigmoid()
    target = target.type_as(pred)
    miss = (1 - share) * target + share * (1 - target)
    scale = (alpha * target + (1 - alpha) * (1 - target)) * miss.pow(gamma)
    loss = F.binary_cross_entropy_with_logits(pred, target, reduction="none") * scale
    if weight is not None:
        if weight.shape != loss.shape:
            if weight.size(0) == loss.size(0):
                weight = weight.view(-1, 1)
            else:
                assert weight.numel() == loss.numel()
                weight = weight.view(loss.size(0), -1)
        assert weight.ndim == loss.ndim
    return weighted(loss, weight, reduction, avg_factor)


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0, alpha=0.25, reduction="mean", loss_weight=1.0):
        super().__init__()
        self.gamma = gamma
        self.alpha = alpha
        self.reduction = reduction
        self.loss_weight = loss_weight

    def forward(self, pred, target, weight=None, avg_factor=None, reduction_override=None):
        assert reduction_override in (None, "none", "mean", "sum")
        reduction = reduction_override if reduction_override else self.reduction
        num_classes = pred.size(1)
        target = F.one_hot(target, num_classes=num_classes + 1)
        target = target[:, :num_classes]
        return self.loss_weight * focal_loss(
            pred, target, weight, self.gamma, self.alpha, reduction, avg_factor
        )


def seen():
    generator = np.random.default_rng(0)
    drawn = generator.standard_normal((5, 4)).astype("float32") * 3
    labels = generator.integers(0, 5, 5)
    weights = [None] + [generator.random(size).astype("float32") for size in (5, (5, 4), 20)]
    for reduction, factor in (("none", None), ("none", 3.0), ("mean", None), ("mean", 3.0), ("sum", None)):
        for weight in weights:
            pred = torch.tensor(drawn, requires_grad=True)
            given = None if weight is None else torch.from_numpy(weight)
            loss = FocalLoss(reduction=reduction)(pred, torch.tensor(labels), given, factor)
            loss.sum().backward()
            yield [reduction, factor, loss.detach().numpy().tolist(), pred.grad.numpy().tolist()]


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(list(seen())))
