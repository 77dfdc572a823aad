"""Operators whose operands have different dtypes, one of them often without axes, and complex numbers of Python's."""

import json
import sys
from pathlib import Path

import numpy as np
import torch

ALL = {
    "bool": torch.bool,
    "uint8": torch.uint8,
    "int32": torch.int32,
    "int64": torch.int64,
    "float16": torch.float16,
    "float32": torch.float32,
    "float64": torch.float64,
    "complex64": torch.complex64,
}


def name_of(dtype):
    return next(name for name, known in ALL.items() if known == dtype)


def subtracted(a, b):
    a = a.clone()
    a -= b
    return a


x = torch.tensor([1.0, 2.0, 3.0])
mean = torch.tensor(np.array([1.0, 2.0]).mean())
ids = torch.tensor([1, 2, 3], dtype=torch.int32)
pixels = torch.tensor([1, 2, 200], dtype=torch.uint8)
RESULTS = {
    "x - mean": lambda: x - mean,
    "mean - x": lambda: mean - x,
    "x * mean": lambda: x * mean,
    "x ** mean": lambda: x**mean,
    "(x - mean) / mean": lambda: (x - mean) / torch.as_tensor(np.float64(2.0)),
    "half": lambda: x.half() + torch.tensor(0.5),
    "x and double": lambda: x + torch.ones(3, dtype=torch.float64),
    "sums": lambda: x.sum() + mean,
    "ids + one": lambda: ids + torch.tensor(4),
    "ids // one": lambda: ids // torch.tensor(2),
    "ids % the last": lambda: ids % ids.max().long(),
    "ids + a fraction": lambda: ids + torch.tensor(0.5),
    "pixels - one": lambda: pixels - torch.tensor(2),
    "maximum": lambda: torch.maximum(x, mean),
    "where": lambda: torch.where(x > 1.5, x, mean),
    "clamp": lambda: x.clamp(max=mean),
    "clamp on both sides": lambda: torch.clamp(x, mean, torch.tensor(2.5, dtype=torch.float64)),
    "equals": lambda: x * 0.1 == torch.tensor(0.1, dtype=torch.float64),
    "greater": lambda: (x * 0.1).gt(torch.tensor(0.1, dtype=torch.float64)),
    "add": lambda: torch.add(x, mean),
    "in place": lambda: subtracted(x, torch.ones(3, dtype=torch.float64)),
    "truth and whole numbers": lambda: (x > 1) + ids,
    "maximum of truth and pixels": lambda: torch.maximum(x > 1, pixels),
    "minimum of whole numbers and truth": lambda: torch.minimum(ids, x > 1),
    "where of truth and fractions": lambda: torch.where(x > 2, x > 1, x),
    "exp(1j * x)": lambda: torch.exp(1j * x),
    "x * 1j": lambda: x * 1j + 2,
    "1j - x": lambda: 1j - x,
    "x / 2j": lambda: x / 2j,
    "ids + 1j": lambda: ids + 1j,
    "x and complex": lambda: x * x.to(torch.complex64) / (ids + torch.zeros(3, dtype=torch.complex64)),
    "complex and one": lambda: x.to(torch.complex64) * mean - torch.tensor(1j),
}

seen = []
for name, function in RESULTS.items():
    result = function()
    values = torch.view_as_real(result) if result.is_complex() else result
    seen.append([name, name_of(result.dtype), values.tolist()])

start = x.clone().requires_grad_()
(gradient,) = torch.autograd.grad((((start - mean) ** torch.tensor(2.0, dtype=torch.float64)).sum()), start)
seen.append(["gradient", name_of(gradient.dtype), gradient.tolist()])

Path(sys.argv[1]).write_text(json.dumps(seen))
