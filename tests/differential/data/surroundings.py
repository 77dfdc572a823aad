"""What programs do beside computing, and results that are written into Tensors; prints what it saw."""

import json
import sys
from pathlib import Path

import torch
from torch import nn

torch.use_deterministic_algorithms(True, warn_only=True)
torch.set_printoptions(precision=3)
torch.set_float32_matmul_precision("high")
torch.manual_seed(3)


def doubled(value):
    return value * 2


class Scaled(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function
        self.layer = nn.Linear(4, 2)

    def forward(self, value):
        return self.function(self.layer(value))


seen = []
x, y = torch.randn(3, 4), torch.randn(3, 4)
out, row = torch.zeros(3, 4), torch.zeros(4)
torch.add(x, y, out=out)
seen.append(out.tolist())
torch.mul(x, y, out=out)
seen.append(out.tolist())
torch.sum(x, 0, out=row)
seen.append(row.tolist())
grown = torch.empty(0)
torch.cat([x, y], out=grown)
seen.append(grown.tolist())
values, indices = torch.zeros(3), torch.zeros(3, dtype=torch.long)
torch.max(x, 1, out=(values, indices))
seen.append([values.tolist(), indices.tolist()])

settings = json.loads('{"act": "LeakyReLU", "loss": "MSELoss", "dtype": "float64", "function": "softplus"}')
act, loss = getattr(nn, settings["act"])(), getattr(nn, settings["loss"])()
seen.append(float(loss(act(x), y)))
seen.append(getattr(torch.nn.functional, settings["function"])(x).tolist())
seen.append(str(x.to(getattr(torch, settings["dtype"])).dtype).rpartition(".")[2].lower())
seen.append([isinstance(x.shape, torch.Size), isinstance(x, torch.torch.Tensor)])

leaf = torch.ones(3, requires_grad=True)
made = leaf * 2
made.detach_()
(leaf * made).sum().backward()
seen.append(leaf.grad.tolist())

try:
    torch.ones(2, 3) + torch.ones(4)
    seen.append("no error")
except (RuntimeError, ValueError):
    seen.append("an error where it happens")

counts = torch.tensor([[0, 1, 250]], dtype=torch.uint8)
casts = [
    counts.float() / 2,
    counts.bool(),
    counts.long() - 1,
    (x > 0).float().mean(),
    (x * 3).int(),
    counts.t().to(y),
]
weight = torch.ones(3, requires_grad=True)
(weight.double() * counts.double() + weight.half().float() * (counts > 0).float()).sum().backward()
seen.append([[each.tolist(), str(each.dtype).rpartition(".")[2].lower()] for each in casts])
seen.append(weight.grad.tolist())

with torch.autograd.set_detect_anomaly(False):
    functions = {"clamp": torch.clamp, "pow": torch.pow, "maximum": torch.maximum}
    given = {"clamp": (x, -0.5, 0.5), "pow": (x, 2), "maximum": (x, y)}
    seen.append([functions[name](*given[name]).tolist() for name in sorted(functions)])

kept = Scaled(doubled).eval()
torch.save(kept, f"{sys.argv[1]}.whole")  # with a class and a function of the script
again = torch.load(f"{sys.argv[1]}.whole", weights_only=False)
seen.append([type(again) is Scaled, again.training, again(x).tolist(), list(again.state_dict())])

for norm in (nn.utils.weight_norm, nn.utils.spectral_norm):  # weights that are computed before each call
    normed = norm(nn.Linear(3, 2)).eval()
    for weight in normed.parameters():
        nn.init.constant_(weight, 0.5)
    torch.save(normed, f"{sys.argv[1]}.whole")
    again = torch.load(f"{sys.argv[1]}.whole", weights_only=False)
    seen.append([sorted(again.state_dict()), torch.equal(again(torch.ones(1, 3)), normed(torch.ones(1, 3)))])

layer, twin = nn.Linear(4, 6), nn.Linear(4, 6)  # Parameters that are set by views
layer.weight.data = (torch.arange(24.0) / 24).view(4, 6).t()
layer.bias.data = torch.arange(6.0).view(2, 3).view(-1)
twin.weight.data, twin.bias.data = layer.weight.data, torch.ones(3, 6)[1]
for kind in (torch.optim.Adadelta, torch.optim.SGD, torch.optim.Adam):
    optimizer = kind([*layer.parameters(), twin.bias], lr=0.1)
    (layer(torch.ones(2, 4)).pow(2).sum() + twin(torch.ones(2, 4)).sum()).backward()
    optimizer.step()
seen.append([weight.tolist() for weight in (*layer.parameters(), *twin.parameters())])


class Levels(nn.Module):
    def forward(self, levels):
        first, second = list(levels.values())
        return first + 2 * second


seen.append(
    Levels()(eval("dict")(a=torch.ones(2), b=torch.arange(2.0))).tolist()
)  # what it is given is not seen
seen.append([one.tolist() for one in map(torch.sqrt, (torch.ones(2), torch.tensor([4.0, 9.0])))])
kept = nn.Linear(2, 2)
for name in ("weight", "bias"):
    given = kept._parameters[name].__dict__
    given["requires_grad"] = False
    again = type(kept._parameters[name])(kept._parameters[name].to("cpu"), **given)
    seen.append([again.requires_grad, again.tolist()])
seen.append(kept.weight._cdata == kept.weight._cdata != again._cdata)

Path(sys.argv[1]).write_text(json.dumps(seen))
