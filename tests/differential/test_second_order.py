"""Gradients of gradients: what is recorded of operators, and what is advised, hold."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECORDS = ROOT / "mapping_data" / "second_order" / "operators.jsonl"
RUN_AGAIN = ("torch.exp", "torch.sum", "torch.softmax", "torch.cat", "torch.nn.Linear", "torch.nn.MaxPool2d")
"""A few of each kind: right, wrong, an error, right in graph mode alone."""


def test_what_is_recorded(python: str) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "second_order.py"), *RUN_AGAIN],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MINDPORT_TORCH_PYTHON": python},
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


def test_there_is_evidence_for_many() -> None:
    records = [json.loads(line) for line in RECORDS.read_text("utf-8").splitlines()]
    assert len({one["torch"] for one in records}) >= 700
    assert {one["result"] for one in records} == {"equal", "differs", "raises"}


PENALTY = """
import numpy as np, torch, mindspore
from mindspore import mint, nn, ops

rng = np.random.default_rng(3)
first, second = (rng.standard_normal(shape).astype("float32") for shape in ((8, 4), (1, 8)))
data = rng.standard_normal((5, 2, 2)).astype("float32")

x = torch.from_numpy(data).requires_grad_()
weights = [torch.from_numpy(each).requires_grad_() for each in (first, second)]
score = torch.tanh(x.reshape(5, -1) @ weights[0].T) @ weights[1].T
slope = torch.autograd.grad(score.sum(), x, create_graph=True)[0]
expected = torch.autograd.grad(((slope.reshape(5, -1).norm(2, dim=1) - 1) ** 2).mean(), weights)

class Critic(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = mindspore.Parameter(mindspore.Tensor(first), name="first")
        self.second = mindspore.Parameter(mindspore.Tensor(second), name="second")

    def construct(self, x):
        return mint.matmul(mint.tanh(mint.matmul(x.reshape(5, -1), self.first.T)), self.second.T).sum()

critic = Critic()
slope_of = mindspore.grad(critic)

def penalty(x):
    slope = slope_of(x).reshape(5, -1)
    return ((mint.sqrt(mint.sum(slope * slope, 1)) - 1) ** 2).mean()

both = mindspore.ParameterTuple(critic.trainable_params())
gradients_of = mindspore.grad(penalty, None, both)
mindspore.runtime.launch_blocking()
given = mindspore.Tensor(data)
for name, function in (("graph", mindspore.jit(gradients_of)), ("plain", gradients_of)):
    found = function(given)
    alike = all(np.allclose(a.numpy(), b.asnumpy(), rtol=1e-3, atol=1e-3) for a, b in zip(expected, found))
    print(name, "right" if alike else "wrong")
"""


@pytest.mark.parametrize("expected", ["graph right", "plain wrong"])
def test_a_gradient_penalty_as_it_is_advised(python: str, tmp_path: Path, expected: str) -> None:
    """Nested functions give PyTorch's gradients if they are compiled, and others if they are not."""
    script = tmp_path / "penalty.py"  # the compiler reads the source
    script.write_text(PENALTY, encoding="utf-8")
    done = subprocess.run([python, str(script)], capture_output=True, text=True, check=False)
    assert expected in done.stdout.splitlines(), done.stdout[-2000:] + done.stderr[-2000:]
