"""Subclasses of Tensor keep their class, attributes and methods through functions, operators, modules and pickles;
classes with `__torch_function__` are asked by functions, also by their own name; modes see all functions."""

import json
import pickle
import sys
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode, handle_torch_function, has_torch_function, is_tensor_like

seen = {}
HANDLED = {}


def implements(function):
    def decorator(handler):
        HANDLED[function] = handler
        return handler

    return decorator


class Diagonal:
    """A matrix with one value on its diagonal."""

    def __init__(self, size, value):
        self.size, self.value = size, value

    def dense(self):
        return self.value * torch.eye(self.size)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func not in HANDLED or not all(issubclass(kind, (torch.Tensor, Diagonal)) for kind in types):
            return NotImplemented
        return HANDLED[func](*args, **(kwargs or {}))


def dense(value):
    return value.dense() if isinstance(value, Diagonal) else torch.as_tensor(value)


@implements(torch.mean)
def mean(input):
    return float(input.value) / input.size


@implements(torch.add)
def add(input, other):
    if isinstance(input, Diagonal) and isinstance(other, Diagonal):
        return Diagonal(input.size, input.value + other.value)
    return torch.add(dense(input), dense(other))


@implements(torch.stack)
def stack(tensors, dim=0):
    return torch.stack([dense(each) for each in tensors], dim)


@implements(F.linear)
def linear(input, weight, bias=None):
    return F.linear(dense(input), dense(weight), bias)


two, ones = Diagonal(2, 2), torch.ones(2, 2)
seen["handled"] = [
    torch.mean(two),
    torch.add(two, two).value,
    torch.add(two, ones).tolist(),
    torch.add(ones, two).tolist(),
    torch.stack([two, ones], dim=1).tolist(),
    F.linear(ones, two).tolist(),
]
try:
    torch.mul(two, 3)
except TypeError as error:
    seen["not handled"] = "Diagonal" in str(error)


class Plain(torch.Tensor):
    pass


x = torch.arange(6.0).view(2, 3).as_subclass(Plain)
made = {
    "operator": x + 1,
    "reflected": 1 - x,
    "function": torch.add(x, 2),
    "method": x.mean(),
    "part": x[0],
    "joined": torch.cat([x, x]),
    "product": x @ x.T,
    "parts": x.split(1)[0],
    "largest": torch.max(x, dim=1).values,
    "functional": F.relu(x),
    "like": torch.zeros_like(x),
    "chosen": torch.where(x > 2, x, torch.zeros(2, 3)),
    "layer": nn.Conv1d(2, 1, 1)(x[None]),
    "pickle": pickle.loads(pickle.dumps(x)),
    "made": Plain([1.0, 2.0]),
    "plain": x.as_subclass(torch.Tensor),
}
seen["classes"] = {name: type(value).__name__ for name, value in made.items()}
seen["rows"] = [[type(row).__name__, row.sum().item()] for row in x]
seen["is a Tensor"] = [isinstance(x, torch.Tensor), isinstance(ones, Plain), torch.is_tensor(x)]


class Named(torch.Tensor):
    @staticmethod
    def __new__(cls, data, name=None):
        return torch.as_tensor(data).as_subclass(cls)

    def __init__(self, data, name=None):
        self.label = name

    def transpose(self, dim0, dim1):
        return super().transpose(dim0, dim1).scaled(2)

    def scaled(self, by):
        return self * by

    def __mul__(self, other):
        return super().__mul__(other)

    def __repr__(self):
        return f"{self.label}: {self.tolist()}"

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        result = super().__torch_function__(func, types, args, kwargs)
        labels = [each.label for each in args if isinstance(each, Named) and hasattr(each, "label")]
        if isinstance(result, Named) and labels:
            result.label = labels[0]
        return result


def turned(value: torch.Tensor):
    return value.transpose(0, 1).tolist()


named = Named([[1.0, 2.0], [3.0, 4.0]], name="a")
added = torch.add(ones, named)
named += 1
named[0] = 0
seen["named"] = [repr(added), str(named), (3 - named).label, named.scaled(3).label, named.clone().label]
seen["methods of their own"] = [turned(named), turned(ones + 1), named.detach().label, len(named)]


class Calls(torch.Tensor):
    names = ()

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.names += (func.__name__,)
        return super().__torch_function__(func, types, args, kwargs or {})


calls = torch.Tensor._make_subclass(Calls, torch.ones(3))
result = torch.exp(calls) + calls.mul(2)
seen["calls"] = [Calls.names, type(result).__name__, torch.linalg.norm(result).item()]

weight = torch.ones(3, requires_grad=True)
((weight * 2).as_subclass(Plain) ** 2).sum().backward()
parameter = nn.Parameter(torch.ones(2, 3).as_subclass(Plain))
loss = (torch.ones(4, 2) @ parameter).pow(2).sum()
loss.backward()
torch.optim.SGD([parameter], lr=0.1).step()
seen["gradients"] = [weight.grad.tolist(), type(weight.grad).__name__, parameter.tolist()]
seen["parameter"] = [
    isinstance(parameter, Plain),
    isinstance(parameter, nn.Parameter),
    type(parameter * 2).__name__,
]


class Duck:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return ["duck", func.__name__, len(args)]


def function(one, other):
    if has_torch_function((one, other)):
        return handle_torch_function(function, (one, other), one, other)
    return one + other


seen["ducks"] = [
    function(1, 2),
    function(Duck(), 2),
    torch.sin(Duck()),
    torch.stack([Duck(), ones]),
    ones.add(Duck()),
    ones + Duck(),
    torch.linalg.norm(Duck()),
    [is_tensor_like(each) for each in (Duck(), ones, 3)],
]


class Log(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_function__(self, func, types, args, kwargs=None):
        self.names.append(getattr(func, "__name__", ""))
        return func(*args, **(kwargs or {}))


with Log() as log:
    cosine = torch.cos(ones)
torch.sin(ones)
seen["mode"] = ["cos" in log.names, "sin" in log.names, cosine.tolist()]

Path(sys.argv[1]).write_text(json.dumps(seen))
