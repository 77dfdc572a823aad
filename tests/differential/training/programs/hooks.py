"""Hooks everywhere: activations are watched, gradients of a layer and of a tensor are changed."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class ActivationStats:
    def __init__(self, model):
        self.stats = {}
        self.handles = []
        for name, module in model.named_modules():
            if isinstance(module, (nn.Conv2d, nn.Linear)):
                self.handles.append(module.register_forward_hook(self._make_hook(name)))

    def _make_hook(self, name):
        def hook(module, args, output):
            self.stats[name] = (output.detach().mean().item(), output.detach().std().item())
        return hook

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        for handle in self.handles:
            handle.remove()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.fc1 = nn.Linear(4 * 16, 20)
        self.fc2 = nn.Linear(20, 3)

    def forward(self, x):
        x = F.relu(F.max_pool2d(self.conv(x), 2))
        x = torch.flatten(x, 1)
        x = torch.relu(self.fc1(x))
        return self.fc2(x)


def double_input(module, args):
    return (args[0] * 2,) + tuple(args[1:])


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--limit", type=float, default=0.01)
    args = parser.parse_args(argv)
    torch.manual_seed(2)

    net = Net()
    net.register_forward_pre_hook(double_input)
    net.fc1.weight.register_hook(lambda grad: torch.clamp(grad, -args.limit, args.limit))
    grads = {}
    net.fc2.register_full_backward_hook(
        lambda module, grad_input, grad_output: grads.update(fc2=grad_output[0].norm().item()))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2, dampening=0.1, momentum=0.8)
    columns = torch.arange(24).view(24, 1, 1, 1) % 3
    x = (torch.arange(8).view(1, 1, 1, 8) % 3 == columns).float().expand(24, 1, 8, 8)
    y = columns.view(-1)

    history = []
    with ActivationStats(net) as watched:
        for step in range(args.steps):
            optimizer.zero_grad()
            logits = net(x)
            if logits.requires_grad:
                logits.register_hook(lambda g: g * 0.5)
            loss = F.cross_entropy(logits, y)
            loss.backward()
            optimizer.step()
            history += [loss.item(), grads["fc2"], watched.stats["conv"][0], watched.stats["fc1"][1]]
            print(step, round(loss.item(), 4), {k: round(v[0], 3) for k, v in watched.stats.items()})
    return history, net


if __name__ == "__main__":
    main()
