"""Runs the converted network in MindSpore, as `run_torch.py` does: `python run_mindspore.py FOLDER_OF_THE_MODULE GIVEN
FILE`, GIVEN being what that has written."""

import sys

import mindspore
import numpy

sys.path.insert(0, sys.argv[1])
import residual

NAMES = {
    "gamma": "weight",
    "beta": "bias",
    "moving_mean": "running_mean",
    "moving_variance": "running_var",
}
given = numpy.load(sys.argv[2])
net = residual.Net()
for name, parameter in net.parameters_and_names():
    path, _, last = name.rpartition(".")
    value = given[f"weight {path}.{NAMES.get(last, last)}"]
    assert value.shape == parameter.shape, name
    parameter.set_data(mindspore.Tensor(value))
images = mindspore.Tensor(given["images"])
labels = mindspore.Tensor(given["labels"].astype(numpy.int32))
net.set_train(False)
found = {"output": net(images).asnumpy()}
net.set_train(True)
optimizer = mindspore.experimental.optim.SGD(net.trainable_params(), lr=0.1)
forward = mindspore.value_and_grad(residual.loss_of, None, optimizer.parameters)
losses = []
for _ in range(4):
    loss, gradients = forward(net, images, labels)
    optimizer(gradients)
    losses.append(float(loss.asnumpy()))
net.set_train(False)
found |= {"losses": numpy.array(losses), "trained": net(images).asnumpy()}
numpy.savez(sys.argv[3], **found)
