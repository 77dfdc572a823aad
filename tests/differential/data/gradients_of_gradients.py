"""Functions whose gradients are made small, as gradient penalties do, by what becomes of these in turn."""

import json
import sys
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F


def image(x: torch.Tensor):
    return x.reshape(1, 2, 4, 3)


def symmetric(x: torch.Tensor):
    square = x.reshape(-1)[:9].reshape(3, 3)
    return square + square.t() + torch.diag(torch.tensor([1.0, 5.0, 12.0]))


grid = torch.linspace(-0.9, 0.9, 16).reshape(1, 2, 4, 2)
FUNCTIONS = {
    "unbind": lambda x: x.unbind(1)[1],
    "unbind of rows": lambda x: torch.stack(x.narrow(0, 1, 3).unbind()[1:]),
    "repeat": lambda x: x.unsqueeze(1).repeat([1, 3, 1]).narrow(1, 1, 2).unbind(dim=1)[0],
    "adaptive_avg_pool1d": lambda x: F.adaptive_avg_pool1d(x.unsqueeze(0), 4),
    "adaptive_avg_pool2d": lambda x: F.adaptive_avg_pool2d(image(x), (3, 2)),
    "AdaptiveAvgPool2d": lambda x: nn.AdaptiveAvgPool2d(1)(image(x)),
    "adaptive_max_pool2d": lambda x: F.adaptive_max_pool2d(image(x), 2),
    "AdaptiveMaxPool2d": lambda x: nn.AdaptiveMaxPool2d((2, 1))(image(x)),
    "upsample_bilinear": lambda x: F.upsample_bilinear(image(x), size=(6, 6)),
    "interpolate": lambda x: F.interpolate(image(x), scale_factor=2),
    "interpolate, bicubic": lambda x: F.interpolate(image(x), size=(5, 7), mode="bicubic"),
    "Upsample": lambda x: nn.Upsample(scale_factor=2, mode="nearest")(image(x)),
    "Upsample of volumes": lambda x: nn.Upsample(scale_factor=2)(x.reshape(1, 2, 2, 2, 3)),
    "Upsample of sequences": lambda x: nn.Upsample(scale_factor=2, mode="linear")(x.unsqueeze(0)),
    "trace": lambda x: x[:, :4].trace(),
    "grid_sample": lambda x: F.grid_sample(image(x), grid, align_corners=False),
    "grid_sample, its grid": lambda x: F.grid_sample(
        torch.arange(16.0).reshape(1, 1, 4, 4), x.reshape(1, 4, 3, 2) / 9, align_corners=False
    ),
    "nll_loss": lambda x: F.nll_loss(F.log_softmax(x, 1), torch.tensor([0, 2, 1, 5]), reduction="none"),
    "take_along_dim": lambda x: torch.take_along_dim(x, torch.tensor([[0, 2], [1, 1], [3, 0], [5, 4]]), 1),
    "irfft2": lambda x: torch.fft.irfft2(x, s=(3, 5)),
    "eigvalsh": lambda x: torch.linalg.eigvalsh(symmetric(x)),
    "eigh": lambda x: torch.linalg.eigh(symmetric(x))[1].abs(),
    "pinv": torch.linalg.pinv,
    "svd": lambda x: torch.svd(x)[1],
    "solve_triangular": lambda x: torch.linalg.solve_triangular(
        torch.tril(x[:, :4]) + 4 * torch.eye(4), x[:, 4:], upper=False
    ),
}

seen = []
torch.manual_seed(3)
values = torch.randn(4, 6)
for name, function in FUNCTIONS.items():
    x = values.clone().requires_grad_()
    result = function(x)
    weights = torch.linspace(0.5, 1.5, result.numel()).reshape(result.shape)
    (slope,) = torch.autograd.grad((result**2 * weights).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad((slope**2).sum(), x)
    seen.append([name, result.tolist(), slope.tolist(), second.tolist()])

Path(sys.argv[1]).write_text(json.dumps(seen))
