"""Functions that change views of results in place, with what becomes of the values and of the gradients."""

import json
import pickle
import sys
from pathlib import Path

import torch


def view_then_set(y: torch.Tensor):
    v = y.view(2, -1)
    v[0] = 0
    return y, v


def view_mul(y: torch.Tensor):
    y.view(-1).mul_(2)
    return y


def transpose_add(y: torch.Tensor):
    y.transpose(0, 1).add_(1)
    return y


def narrow_zero(y: torch.Tensor):
    y.narrow(0, 0, 1).zero_()
    return y


def select_copy(y: torch.Tensor):
    y.select(0, 1).copy_(torch.ones(4))
    return y


def t_set(y: torch.Tensor):
    y.t()[0] = 1
    return y


def squeeze_mul(y: torch.Tensor):
    v = y.unsqueeze(0)
    w = v.squeeze(0)
    w.mul_(torch.full((3, 4), 1.5))
    return y, v, w


def permute_set(y: torch.Tensor):
    v = y.permute(1, 0)
    v[1:3] += 5
    return y


def diag(y: torch.Tensor):
    y.diagonal().fill_(3)
    return y


def part_mul(y: torch.Tensor):
    y[..., 0].mul_(3)
    return y


def chunks(y: torch.Tensor):
    f = y
    y = torch.zeros(3, 4)
    a, b = y.chunk(2, 1)
    a.add_(f[:, 2:].detach())
    b[0] = a[0] * 3
    return f * y, a, b


def pickled(y: torch.Tensor):
    f = y
    y = torch.zeros(3, 4)
    turned = y.t()
    turned[0] = 2
    again = pickle.loads(pickle.dumps({"view": turned, "base": y}))
    return f * y, again["view"], again["base"]


def unbinds(y: torch.Tensor):
    f = y
    y = torch.zeros(3, 4)
    for n, row in enumerate(y.unbind(0)):
        row.add_(f[n].detach() * n)
    return f * y


def splits(y: torch.Tensor):
    f = y
    y = torch.zeros(3, 4)
    p = torch.split(y, 2, dim=1)
    p[1].sub_(f[:, :2].detach())
    return f * y


def detached(y: torch.Tensor):
    d = y.detach()
    d.mul_(0.5)
    return y * 3, d


def data(y: torch.Tensor):
    y.data.mul_(0.5)
    return y * 3


def data_of_parts(y: torch.Tensor):
    parts = [y * 2, y * 3]
    parts[0].data.masked_fill_(y > 2, 0.25)
    y[0].data.zero_()
    y.data[1].fill_(3)
    return y, parts[0] * parts[0], parts[1]


def base_seen(y: torch.Tensor):
    v = y.view(-1)
    y.mul_(2)
    y[0, 1] = 7
    return v, y


def from_zeros(y: torch.Tensor):
    out = torch.zeros(3, 4)
    out.view(-1)[:4] = y[0]
    row = out[1]
    row.copy_(y[1] * 2)
    col = out[:, 0]
    col += y[:, 1]
    return out, row, col


def change(row):
    row.add_(1)
    row *= 2


def passed(y: torch.Tensor):
    change(y[0])
    change(y.view(-1)[6:8])
    return y


def rows(y: torch.Tensor):
    f = y
    y = torch.zeros(3, 4)
    for row in y:
        row += f[0].detach()
    return f * y


def flat(y: torch.Tensor):
    f = y.flatten()
    f[2] = 9
    torch.relu_(f)
    return y, f


def masked(y: torch.Tensor):
    v = y.view(2, 6)
    v.masked_fill_(v > 8, 0)
    v.clamp_(max=6)
    return y


def index(y: torch.Tensor):
    v = y.view(6, 2)
    v.index_fill_(0, torch.tensor([1]), 2.0)
    v.index_add_(0, torch.tensor([0]), torch.ones(1, 2))
    v.scatter_(0, torch.tensor([[1, 2]]), -1.0)
    return y


def of_view_of_view(y: torch.Tensor):
    a = y.view(2, 6)
    b = a[1]
    c = b.view(3, 2)
    c[:, 0] = 1
    b.mul_(2)
    return y, a, b, c


def expanded(y: torch.Tensor):
    e = y[:1].expand(3, 4)
    y.mul_(2)
    return e, y


def reals(y: torch.Tensor):
    z = torch.view_as_complex(y.view(3, 2, 2))
    r = torch.view_as_real(z)
    r[..., 0].mul_(2)
    return y


def inplace_relu(y: torch.Tensor):
    v = y.view(-1)
    v.sub_(8)
    torch.nn.functional.threshold(v[3:4], 0, 1.5)
    torch.nn.ReLU(inplace=True)(y[2:])
    return y, v


def nograd(y: torch.Tensor):
    v = y.view(-1)
    with torch.no_grad():
        v.mul_(2)
        v[0] = 5
    return y * 2, v


def kept_step(y: torch.Tensor):
    v = y[:, ::2]
    v *= 2
    w = y[::2]
    w[:, 1] = 4
    return y, v, w


def with_out(y: torch.Tensor):
    out = torch.zeros(2, 3, 4)
    torch.mul(torch.ones(3, 4), 2.0, out=out[0])
    return out + y


def swap(y: torch.Tensor):
    v = y.swapaxes(0, 1)
    v[0], v[1] = v[1].clone(), v[0].clone()
    return y


def movedims(y: torch.Tensor):
    v = y.movedim(0, 1)
    v.add_(1)
    w = y.unflatten(1, (2, 2))
    w[:, 0] = 0
    u = y.view_as(torch.zeros(4, 3))
    u[0] = 2
    return y, v, w, u


def mt(y: torch.Tensor):
    y.T[0].fill_(4)
    y.mT.add_(1)
    return y


def normal(y: torch.Tensor):
    v = y.view(-1)
    v.div_(2).add_(1)
    v.pow_(2)
    v.clamp_(min=1.5)
    return y


def unfold(y: torch.Tensor):
    u = y.unfold(1, 2, 2)
    u[:, 0] = 1
    return y


def hsplit(y: torch.Tensor):
    z = torch.ones(3, 4)
    a, b = torch.hsplit(z, 2)
    a.add_(y[:, 1:3].detach())
    c = torch.tensor_split(z, 2)
    c[0].neg_()
    return z * y, b


def strided(y: torch.Tensor):
    v = y.as_strided((2, 2), (4, 1))
    v.zero_()
    return y


def lists(y: torch.Tensor):
    parts = [y[i] for i in range(3)]
    for i, p in enumerate(parts):
        p.mul_(i + 1)
    return y


class Held(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(12))

    def forward(self, y):
        view = self.total.view(3, 4)
        view += y.detach()
        self.flat = y.reshape(-1)
        self.flat[2:4] = 0
        return y, self.total


def held(y: torch.Tensor):
    return Held()(y)


def trained(function, x: torch.Tensor):
    x = x.clone().requires_grad_()
    outputs = function(x * 1.5)
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    loss = x.sum()
    for number, output in enumerate(outputs):
        weights = torch.arange(output.numel(), dtype=torch.float32) + 1 + number
        loss = loss + (output * output * weights.reshape(output.shape)).sum()
    loss.backward()
    return outputs, x.grad


FUNCTIONS = {
    "view_then_set": view_then_set,
    "view_mul": view_mul,
    "transpose_add": transpose_add,
    "narrow_zero": narrow_zero,
    "select_copy": select_copy,
    "t_set": t_set,
    "squeeze_mul": squeeze_mul,
    "permute_set": permute_set,
    "diag": diag,
    "part_mul": part_mul,
    "chunks": chunks,
    "pickled": pickled,
    "unbinds": unbinds,
    "splits": splits,
    "detached": detached,
    "data": data,
    "data_of_parts": data_of_parts,
    "base_seen": base_seen,
    "from_zeros": from_zeros,
    "passed": passed,
    "rows": rows,
    "flat": flat,
    "masked": masked,
    "index": index,
    "of_view_of_view": of_view_of_view,
    "expanded": expanded,
    "reals": reals,
    "inplace_relu": inplace_relu,
    "nograd": nograd,
    "kept_step": kept_step,
    "with_out": with_out,
    "swap": swap,
    "movedims": movedims,
    "mt": mt,
    "normal": normal,
    "unfold": unfold,
    "hsplit": hsplit,
    "strided": strided,
    "lists": lists,
    "held": held,
}

seen = {}
for name, function in FUNCTIONS.items():
    outputs, gradient = trained(function, torch.arange(12, dtype=torch.float32).reshape(3, 4) / 2 + 0.5)
    seen[name] = [*[output.detach().tolist() for output in outputs], gradient.tolist()]

Path(sys.argv[1]).write_text(json.dumps([[name, *values] for name, values in seen.items()]))
