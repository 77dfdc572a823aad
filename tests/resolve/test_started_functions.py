"""What is given to functions that other processes and threads run."""

from __future__ import annotations

import pytest
from looking import uses

WORK = """
import multiprocessing, threading
import torch
import torch.multiprocessing as mp
from torch import nn

class Own:
    pass

class Process:
    def __init__(self, target, model, data):
        model.cpu()
        data.to(0)

def work(rank, model, data, loader=None):
    model.cpu()
    data.to(rank)
    loader.sampler

{}
"""
GIVEN = ["nn.Module.cpu", "Tensor.to"]
STARTS = {
    "mp.spawn(work, args=(nn.Linear(1, 1), torch.ones(1)), nprocs=2)": GIVEN,
    "mp.spawn(work, (nn.Linear(1, 1), torch.ones(1)), 2)": GIVEN,
    "mp.spawn(fn=work, args=(nn.Linear(1, 1), torch.ones(1)))": GIVEN,
    "mp.start_processes(work, (nn.Linear(1, 1), torch.ones(1)))": GIVEN,
    "torch.multiprocessing.spawn(work, args=(nn.Linear(1, 1), torch.ones(1)))": GIVEN,
    "mp.Process(target=work, args=(0, nn.Linear(1, 1), torch.ones(1))).start()": GIVEN,
    "multiprocessing.Process(target=work, args=[0, nn.Linear(1, 1), torch.ones(1)])": GIVEN,
    "threading.Thread(target=work, args=(0, nn.Linear(1, 1), torch.ones(1)))": GIVEN,
    "threading.Thread(None, work, 'name', (0, nn.Linear(1, 1), torch.ones(1)))": GIVEN,
    "mp.get_context('spawn').Process(target=work, args=(0, nn.Linear(1, 1), torch.ones(1)))": GIVEN,
    "mp.Process(target=work, args=(0,), kwargs={'model': nn.Linear(1, 1), 'data': torch.ones(1)})": GIVEN,
    "mp.Process(target=work, args=(0, nn.Linear(1, 1)))": GIVEN[:1],
    "mp.Process(target=unseen, args=(0, nn.Linear(1, 1), torch.ones(1)))": [],
    "mp.Process(args=(0, nn.Linear(1, 1), torch.ones(1)))": [],
    "mp.Process(target=work, args=unseen)": [],
    "Process(work, nn.Linear(1, 1), torch.ones(1))": GIVEN,
    "Own().spawn(work, (nn.Linear(1, 1), torch.ones(1)))": [],
}


@pytest.mark.parametrize(("start", "expected"), STARTS.items())
def test_what_a_started_function_is_given(start: str, expected: list[str]) -> None:
    found = [line for line in uses(WORK.format(start)) if "possible" not in line]
    assert [name for name in GIVEN if any(name in line for line in found)] == expected
