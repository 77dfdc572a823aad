"""A program without layers: gradients of functions, in double precision."""

import json
import sys
from pathlib import Path

import numpy as np
import torch
from torch import autograd

given = np.random.default_rng(0).normal(size=(4, 3))
x = torch.tensor(given)
x.requires_grad_()
seen = {}

y = (x * 0.1 + 0.3).sin() / 1.1
seen["value"] = y.tolist()
seen["first"] = autograd.grad(y.sum(), x, create_graph=True)[0].tolist()
(first,) = torch.autograd.grad((y * y).sum(), [x], create_graph=True)
seen["second"] = torch.autograd.grad((first**2).sum(), x)[0].tolist()

places = torch.tensor([-1, 0, -1])
seen["from the end"] = torch.autograd.grad((x[places] * 0.7).sum(), x)[0].tolist()
seen["one from the end"] = torch.autograd.grad((x[torch.tensor(-2)] ** 2).sum(), x)[0].tolist()
seen["axes exchanged"] = torch.transpose(x, 1, -1).tolist() + torch.transpose(x, 0, -1).reshape(-1).tolist()


@torch.no_grad()
def halved(value, times):
    return value if times == 0 else halved(value / 2, times - 1)


halved(x, 3)
seen["recorded again"] = (x * 2).requires_grad
torch.set_grad_enabled(False)
seen["recorded no more"] = (x * 2).requires_grad

Path(sys.argv[1]).write_text(json.dumps(seen))
