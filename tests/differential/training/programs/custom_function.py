"""Autograd functions of one's own: a straight-through estimator and an exponential that reuses its result."""
import argparse

import numpy as np
import torch
import torch.nn as nn
from torch.autograd import Function


class BinarizeSTE(Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return torch.where(input >= 0, torch.ones_like(input), -torch.ones_like(input))

    @staticmethod
    def backward(ctx, grad_output):
        input, = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[input.abs() > 1] = 0
        return grad_input


class ScaledExp(Function):
    @staticmethod
    def forward(ctx, i, scale):
        result = torch.exp(i * scale)
        ctx.scale = scale
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        result, = ctx.saved_tensors
        return grad_output * result * ctx.scale, None


binarize = BinarizeSTE.apply


class BinaryLinear(nn.Linear):
    def forward(self, input):
        weight = binarize(self.weight)
        return nn.functional.linear(input, weight, self.bias) / self.in_features ** 0.5


class BinaryNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = BinaryLinear(16, 32)
        self.bn = nn.BatchNorm1d(32)
        self.l2 = BinaryLinear(32, 4)

    def forward(self, x):
        x = torch.tanh(self.bn(self.l1(x)))
        logits = self.l2(x)
        energy = ScaledExp.apply(logits, 0.5)
        return energy / energy.sum(dim=1, keepdim=True)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--lr", type=float, default=0.05)
    args = parser.parse_args(argv)
    rng = np.random.default_rng(0)
    x = torch.from_numpy(np.sign(rng.normal(size=(48, 16))).astype("f4"))
    y = torch.from_numpy((x.numpy()[:, :2] > 0) @ np.array([1, 2]))

    torch.manual_seed(0)
    model = BinaryNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.5)
    history = []
    model.train()
    for step in range(args.steps):
        probabilities = model(x)
        loss = nn.functional.nll_loss(torch.log(probabilities + 1e-8), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            for module in model.modules():
                if isinstance(module, BinaryLinear):
                    module.weight.clamp_(-1, 1)
        history.append(loss.item())
        if step % 4 == 0:
            print("step {:3d} loss {:.4f} acc {:.2f}".format(
                step, loss.item(), (probabilities.argmax(1) == y).float().mean().item()))
    return history, model


if __name__ == "__main__":
    main()
