"""Processes that a program forks after it has computed itself, by whatever means, compute and take gradients."""

import json
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import torch
import torch.multiprocessing as mp
from torch import nn
from torch.multiprocessing import Value


def gradients(rank, net, queue, counter):
    loss = net(torch.ones(4, 3) * (rank + 1)).pow(2).mean()
    loss.backward()
    with counter.get_lock():
        counter.value += 1
    queue.put((rank, loss.item(), {name: p.grad.sum().item() for name, p in net.named_parameters()}))


def given(arguments):
    state, scale = arguments
    net = nn.Linear(3, 2)
    net.load_state_dict(state)
    with torch.no_grad():
        return net(torch.ones(1, 3) * scale).sum().item()


if __name__ == "__main__":
    mp.set_start_method("fork", force=True)
    torch.manual_seed(0)
    net = nn.Linear(3, 2)
    found = {"before": net(torch.ones(2, 3)).sum().item()}
    for name, made in (("torch", mp), ("python", multiprocessing)):
        queue, counter = made.Queue(), Value("i", 0)
        processes = [made.Process(target=gradients, args=(rank, net, queue, counter)) for rank in range(2)]
        for process in processes:
            process.start()
        found[name] = sorted((queue.get(timeout=120) for _ in processes), key=lambda one: one[0])
        for process in processes:
            process.join()
        found[f"{name} counted"] = counter.value
    tasks = [(net.state_dict(), float(scale)) for scale in range(3)]
    with mp.Pool(2) as pool:
        found["pool"] = pool.map_async(given, tasks).get(timeout=120)
    with ProcessPoolExecutor(2) as executor:
        found["executor"] = list(executor.map(given, tasks, timeout=120))
    net(torch.ones(2, 3)).sum().backward()
    found["after"] = net.weight.grad.sum().item()
    Path(sys.argv[1]).write_text(json.dumps(found))
