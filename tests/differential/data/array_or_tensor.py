"""Functions that take an array or a Tensor do with each what they did."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch

ArrayOrTensor = np.ndarray | torch.Tensor
Either = TypeVar("Either", bound=ArrayOrTensor)


def both(value: ArrayOrTensor):
    negative = (value < 0).any()
    turned = value.transpose(0, 1)
    return [bool(negative), turned.tolist(), float(value.min()), bool((value - 1).all()), value.shape[0]]


def sums(value: Either) -> Either:
    return value.cumsum(0).reshape(-1)


def spread(value: np.ndarray | torch.Tensor):
    return float(value.max() - value.min()), value.prod(0).tolist(), value.argmax(1).tolist()


array = np.array([[1.0, -2.0], [3.0, 4.0]])
tensor = torch.tensor(array)
seen = [[both(each), sums(each).tolist(), spread(each)] for each in (array, tensor)]
Path(sys.argv[1]).write_text(json.dumps(seen))
