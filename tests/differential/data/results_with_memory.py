"""Functions whose results have memory of their own, which are written to, and arguments that are changed before the
gradients are taken."""

import json
import sys
from pathlib import Path

import torch
from torch.nn import functional as F

FUNCTIONS = {
    "roll by nothing": lambda x: torch.roll(x, 0, 0),
    "roll all the way": lambda x: x.roll(3, 0),
    "rot90 not at all": lambda x: torch.rot90(x, 0, (0, 1)),
    "rot90 all the way": lambda x: x.rot90(4, (0, 1)),
    "diag": torch.diag,
    "diag beside": lambda x: x.diag(1),
    "adaptive_avg_pool2d to the same size": lambda x: F.adaptive_avg_pool2d(x[None, None], (None, 4)),
    "sum_to_size, which gives the Tensor itself": lambda x: x.sum_to_size(3, 4),
    "diff of order 0": lambda x: torch.diff(x, 0),
    "lists as indices": lambda x: x[[0, 2]],
    "places beside a step": lambda x: x[[0, 2], ::2],
    "repeat": lambda x: x.unsqueeze(1).repeat(1, 2, 1),
    "repeat once": lambda x: x.repeat(1, 1),
    "repeat_interleave": lambda x: x.unsqueeze(1).repeat_interleave(2, 1),
    "expand": lambda x: x.unsqueeze(1).expand(3, 2, 4),
    "permute_copy": lambda x: torch.permute_copy(x, (1, 0)),
    "t_copy": lambda x: torch.t_copy(x),
    "view_copy": lambda x: torch.view_copy(x, (4, 3)),
    "unbind_copy": lambda x: torch.unbind_copy(x, 1)[0],
    "split_with_sizes_copy": lambda x: torch.split_with_sizes_copy(x, (1, 2), 0)[1],
    "expand_copy": lambda x: torch.expand_copy(x.unsqueeze(1), (3, 2, 4)),
    "squeeze_copy": lambda x: torch.squeeze_copy(x.unsqueeze(1), 1),
    "diagonal_copy": lambda x: torch.diagonal_copy(x),
}


def written(function, x: torch.Tensor):
    """What became of a result and of its argument when one value of the result was set."""
    result = function(x)
    place = (0,) * result.ndim
    result[place] = result[place] + 50
    return result, x


seen = []
values = torch.arange(12, dtype=torch.float32).reshape(3, 4)
for name, function in FUNCTIONS.items():
    result, x = written(function, values.clone())
    seen.append([name, result.tolist(), x.tolist()])
    start = values.clone().requires_grad_()
    result, x = written(function, start * 1)
    (gradient,) = torch.autograd.grad((result * result).sum(), start)
    seen.append([f"{name}, with gradients", result.tolist(), x.tolist(), gradient.tolist()])

# a mean that runs along, as in StyleGAN2's path lengths
mean = torch.zeros([])
for step in range(3):
    lengths = (torch.arange(4.0) + step).requires_grad_()
    moved = mean.lerp(lengths.mean(), 0.25)
    mean.copy_(moved.detach())
    (gradient,) = torch.autograd.grad(((lengths - moved) ** 2).mean(), lengths)
    seen.append([f"running mean {step}", mean.tolist(), gradient.tolist()])

large = torch.tensor([[2**33 + 1, 5], [7, 2**40 + 3]])
seen.append(["roll of large numbers", large.roll(1, 0).tolist(), torch.roll(large, 1).tolist()])
places = torch.tensor([2**53 + 1, -(2**53) - 3, 2**40 + 7, 2**24 + 1, 7], dtype=torch.int64)
seen.append(["division", (places // 7).tolist(), (places % 1000).tolist(), (-places % 1000).tolist()])
seen.append(
    [
        "division by functions",
        torch.remainder(places, 1000).tolist(),
        torch.fmod(places, 1000).tolist(),
        torch.floor_divide(places, torch.tensor([7, -7, 3, 2, 2])).tolist(),
        torch.div(places, 7, rounding_mode="trunc").tolist(),
        places.div(-7, rounding_mode="floor").tolist(),
    ]
)
roots = torch.tensor([3000000001, 94906267, 5])
seen.append(["powers", (roots**2).tolist(), roots.pow(2).tolist(), (2 ** torch.arange(60, 63)).tolist()])

Path(sys.argv[1]).write_text(json.dumps(seen))
