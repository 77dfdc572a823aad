"""Runs a converted network in MindSpore, as `package_torch.py` does: `python package_mindspore.py FOLDER MODULE
EXPRESSION GIVEN`, GIVEN being what that has written. Fails where the output differs."""

import importlib
import sys

import mindspore
import numpy

folder, module, expression, file = sys.argv[1:]
sys.path.insert(0, folder)
given = numpy.load(file)
net = eval(expression, vars(importlib.import_module(module)))
net.set_train(False)
left = {name for name in given.files if name.startswith("weight ")}
for name, parameter in net.parameters_and_names():
    value = given[f"weight {name}"]
    assert value.shape == parameter.shape, name
    parameter.set_data(mindspore.Tensor(value))
    left.remove(f"weight {name}")
assert not left, left
output = net(mindspore.Tensor(given["images"])).asnumpy()
assert numpy.abs(given["output"]).max() > 1e-3, "it gives nothing"
numpy.testing.assert_allclose(output, given["output"], rtol=1e-4, atol=1e-6)
