"""Runs a network of a package in PyTorch: `python package_torch.py FOLDER MODULE EXPRESSION FILE`. Writes its weights,
what it was given and what it gave to FILE (npz)."""

import importlib
import sys

import numpy
import torch

folder, module, expression, file = sys.argv[1:]
sys.path.insert(0, folder)
torch.manual_seed(1)
net = eval(expression, vars(importlib.import_module(module)))
net.eval()
weights = {f"weight {name}": value.numpy() for name, value in net.state_dict().items()}
images = torch.randn(2, 3, 96, 96)
numpy.savez(file, images=images.numpy(), output=net(images).detach().numpy(), **weights)
