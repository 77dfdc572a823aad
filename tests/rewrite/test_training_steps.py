"""Training steps that become `value_and_grad`, and what comes near them and stays."""

from __future__ import annotations

import ast
import random
from itertools import pairwise

import pytest
from findings import found_in
from mindport.catalog.catalog import Catalog
from mindport.catalog.target import Target
from mindport.rewrite.composed_edits import composed
from mindport.rewrite.conversion import convert_whole
from mindport.rewrite.edit import Edit, applied
from mindport.rewrite.whole import WholeFile, WholeProgram

TARGET = Target("2.10", "cpu", "classic")
HEAD = """\
import torch
from torch import nn


def train(model: nn.Module, loader, criterion, args):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
"""
"""What functions below go on from; they are given what is between its lines and their end."""


def converted(source: str) -> str:
    program = WholeFile(WholeProgram(Catalog.load(), TARGET))
    _, found = found_in(source, target="2.10", device="cpu", style="classic")
    return applied(source.encode(), convert_whole(found, program).edits).decode()


def body(source: str) -> str:
    """What becomes of the lines of a function that are given."""
    made = converted(HEAD + source)
    return made[made.index("lr=0.1)\n") + len("lr=0.1)\n") :]


FITTING = {
    "in a loop": (
        """\
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        print(loss.item())
""",
        """\
    for x, y in loader:
        def forward_fn(x, y):
            output = model(x)
            loss = criterion(output, y)
            return loss

        grad_fn = helpers.value_and_grad(forward_fn, None, optimizer.parameters)
        loss, grads = grad_fn(x, y)
        optimizer(grads)
        print(loss.item())
""",
    ),
    "with what is used later, and comments": (
        """\
    for x, y in loader:
        x = x.float()
        # the forward pass
        output = model(x)  # scores

        # and how far off they are
        loss = criterion(output, y)
        optimizer.zero_grad()
        loss.backward()  # gradients
        # and a step
        optimizer.step()
        print(output.shape, loss.item())
""",
        """\
    for x, y in loader:
        x = x.float()
        # the forward pass
        def forward_fn(x, y):
            output = model(x)  # scores

            # and how far off they are
            loss = criterion(output, y)
            return loss, output

        grad_fn = helpers.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)
        (loss, output), grads = grad_fn(x, y)
        optimizer(grads)  # gradients
        # and a step
        print(output.shape, loss.item())
""",
    ),
    "a comment that is about zero_grad": (
        """\
    for x, y in loader:
        # gradients of the last batch
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
""",
        """\
    for x, y in loader:
        # gradients of the last batch
        optimizer.zero_grad()

        def forward_fn(x, y):
            loss = criterion(model(x), y)
            return loss

        grad_fn = helpers.value_and_grad(forward_fn, None, optimizer.parameters)
        loss, grads = grad_fn(x, y)
        optimizer(grads)
""",
    ),
    "accumulated, with a sum of losses between": (
        """\
    total = 0.0
    for number, (x, y) in enumerate(loader):
        loss = criterion(model(x), y) / 4
        total += loss.item()
        loss.backward()
        if number % 4 == 3:
            optimizer.step()
            optimizer.zero_grad()
""",
        """\
    total = 0.0
    for number, (x, y) in enumerate(loader):
        def forward_fn(x, y):
            loss = criterion(model(x), y) / 4
            return loss

        grad_fn = helpers.value_and_grad(forward_fn, None, optimizer.parameters)
        loss, grads = grad_fn(x, y)
        total += loss.item()
        helpers.add_gradients(optimizer.parameters, grads)
        if number % 4 == 3:
            optimizer.step()
            optimizer.zero_grad()
""",
    ),
    "clipped: the norm is that of the gradients of the model": (
        """\
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
""",
        """\
    for x, y in loader:
        optimizer.zero_grad()

        def forward_fn(x, y):
            loss = criterion(model(x), y)
            return loss

        grad_fn = helpers.value_and_grad(forward_fn, None, optimizer.parameters)
        loss, grads = grad_fn(x, y)
        helpers.add_gradients(optimizer.parameters, grads)
        helpers.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
""",
    ),
    "clipped: of a model that is more than the optimizer's": (
        """\
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(criterion.parameters(), 1.0)
        optimizer.step()
""",
        """\
    for x, y in loader:
        optimizer.zero_grad()

        def forward_fn(x, y):
            loss = criterion(model(x), y)
            return loss

        weights = helpers.weights_of(optimizer, criterion)
        grad_fn = helpers.value_and_grad(forward_fn, None, weights)
        loss, grads = grad_fn(x, y)
        helpers.add_gradients(weights, grads)
        helpers.clip_grad_norm_(criterion.parameters(), 1.0)
        optimizer.step()
""",
    ),
    "scaled": (
        """\
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast('cuda'):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        print(loss)
""",
        """\
    scaler = helpers.GradScaler()
    for x, y in loader:
        optimizer.zero_grad()

        def forward_fn(x, y):
            with helpers.autocast('cuda'):
                loss = criterion(model(x), y)
            return scaler.scale(loss), loss

        grad_fn = helpers.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)
        (scaled_loss, loss), grads = grad_fn(x, y)
        helpers.add_gradients(optimizer.parameters, grads)
        scaler.step(optimizer)
        scaler.update()
        print(loss)
""",
    ),
    "two losses, one after the other, before one step": (
        """\
    for x, y in loader:
        optimizer.zero_grad()
        real = criterion(model(x), y)
        real.backward()
        fake = criterion(model(y), x)
        fake.backward()
        optimizer.step()
""",
        """\
    for x, y in loader:
        optimizer.zero_grad()

        def forward_real(x, y):
            real = criterion(model(x), y)
            return real

        grad_fn = helpers.value_and_grad(forward_real, None, optimizer.parameters)
        real, grads = grad_fn(x, y)
        helpers.add_gradients(optimizer.parameters, grads)

        def forward_fake(y, x):
            fake = criterion(model(y), x)
            return fake

        grad_fn = helpers.value_and_grad(forward_fake, None, optimizer.parameters)
        fake, grads = grad_fn(y, x)
        helpers.add_gradients(optimizer.parameters, grads)
        optimizer.step()
""",
    ),
    "two optimizers, each cleared before its step": (
        """\
    other = torch.optim.SGD(criterion.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        first = criterion(model(x), y)
        first.backward()
        optimizer.step()
        other.zero_grad()
        second = criterion(model(x).detach(), y)
        second.backward()
        other.step()
""",
        """\
    other = helpers.SGD(criterion.parameters(), lr=0.1)
    for x, y in loader:
        def forward_first(x, y):
            first = criterion(model(x), y)
            return first

        grad_fn = helpers.value_and_grad(forward_first, None, optimizer.parameters)
        first, grads = grad_fn(x, y)
        optimizer(grads)

        def forward_second(x, y):
            second = criterion(mindspore.ops.stop_gradient(model(x)), y)
            return second

        grad_fn = helpers.value_and_grad(forward_second, None, other.parameters)
        second, grads = grad_fn(x, y)
        other(grads)
""",
    ),
    "two optimizers that a loss is about": (
        """\
    other = torch.optim.SGD(criterion.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        other.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        other.step()
""",
        """\
    other = helpers.SGD(criterion.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        other.zero_grad()

        def forward_fn(x, y):
            loss = criterion(model(x), y)
            return loss

        weights = helpers.weights_of(optimizer, other)
        grad_fn = helpers.value_and_grad(forward_fn, None, weights)
        loss, grads = grad_fn(x, y)
        helpers.add_gradients(weights, grads)
        optimizer.step()
        other.step()
""",
    ),
    "a state that goes on to the next batch, and a loss added up in a loop": (
        """\
    state = None
    for x, y in loader:
        loss = 0
        for part in x:
            output, state = model(part, state)
            loss = loss + criterion(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
""",
        """\
    state = None
    for x, y in loader:
        def forward_fn(x, state, y):
            loss = 0
            for part in x:
                output, state = model(part, state)
                loss = loss + criterion(output, y)
            return loss, state

        grad_fn = helpers.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)
        (loss, state), grads = grad_fn(x, state, y)
        optimizer(grads)
""",
    ),
    "names that are taken": (
        """\
    for grads, forward_fn in loader:
        optimizer.zero_grad()
        loss = criterion(model(grads), forward_fn)
        loss.backward()
        optimizer.step()
""",
        """\
    for grads, forward_fn in loader:
        def forward_fn_(grads, forward_fn):
            loss = criterion(model(grads), forward_fn)
            return loss

        grad_fn = helpers.value_and_grad(forward_fn_, None, optimizer.parameters)
        loss, grads_ = grad_fn(grads, forward_fn)
        optimizer(grads_)
""",
    ),
}

STEP = """\
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
"""
STAYING = {
    "a gradient that is read": STEP + "    print(model.weight.grad)\n",
    "a graph that is kept": STEP.replace("backward()", "backward(retain_graph=True)"),
    "a hook": STEP.replace("loss.backward()", "output.register_hook(print)\n        loss.backward()"),
    "something is printed between": STEP.replace("        loss =", "        print(output)\n        loss ="),
    "something is kept between": STEP.replace(
        "        loss =", "        args.seen.append(output)\n        loss ="
    ),
    "an attribute is set between": STEP.replace(
        "        loss =", "        args.output = output\n        loss ="
    ),
    "a batch may be left out": STEP.replace(
        "        loss =", "        if y is None:\n            continue\n        loss ="
    ),
    "a name that is bound at times": STEP.replace(
        "        loss =", "        if args.aux:\n            aux = output.sum()\n        loss ="
    )
    + "        print(aux)\n",
    "a name of a function around": STEP.replace("    for x", "    global output\n    for x"),
    "a function sees what the step binds": "    def shown():\n        return output\n\n" + STEP,
    "all names are read": STEP + "        print(locals())\n",
    "statements on one line": STEP.replace("loss.backward()\n        ", "loss.backward(); "),
    "a loss from elsewhere": "    loss = criterion(model(args.x), args.y)\n    for x in loader:\n"
    "        optimizer.zero_grad()\n        loss.backward()\n        optimizer.step()\n",
    "a text over several lines": STEP.replace("criterion(output, y)", 'criterion(output, y, """a\nb""")'),
    "the optimizer in the middle of the forward pass": STEP.replace(
        "        optimizer.zero_grad()\n", ""
    ).replace("        loss =", "        optimizer.zero_grad()\n        loss ="),
    "clipping of who knows what": STEP.replace(
        "        optimizer.step", "        nn.utils.clip_grad_norm_(args.some, 1.0)\n        optimizer.step"
    ),
}


@pytest.mark.parametrize("name", FITTING)
def test_a_step_becomes_a_function_and_its_gradients(name: str) -> None:
    before, after = FITTING[name]
    assert body(before) == after


@pytest.mark.parametrize("name", STAYING)
def test_what_does_not_fit_stays(name: str) -> None:
    made = body(STAYING[name])
    assert "value_and_grad" not in made
    assert ".backward(" in made
    ast.parse(converted(HEAD + STAYING[name]))


WHY = {
    "a gradient that is read": "the file names `grad`",
    "a graph that is kept": "the file names `retain_graph`",
    "a hook": "the file names `register_hook`",
    "something is printed between": "`print(output)` does more than compute the loss",
    "a batch may be left out": "`if y is None:` does more than compute the loss",
    "a name that is bound at times": "a name of the forward pass may not be bound, or is read out of sight",
    "a loss from elsewhere": "the loss is computed in another block or function",
    "a text over several lines": "its statements share lines, or a text in them goes over several",
    "clipping of who knows what": "it is not known which weights are clipped or updated",
}


@pytest.mark.parametrize("name", WHY)
def test_a_comment_says_why_a_step_stays(name: str) -> None:
    lines = body(STAYING[name]).splitlines()
    place = next(number for number, line in enumerate(lines) if ".backward(" in line and "NOTE" not in line)
    indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
    assert lines[place - 1].startswith(f"{indent}# NOTE(mindport): `backward` stays")
    assert lines[place - 1].endswith(f": {WHY[name]}")
    assert sum("NOTE(mindport)" in line for line in lines) == 1


def test_a_step_of_an_optimizer_that_is_not_known_says_so() -> None:
    source = HEAD[: HEAD.index("    optimizer")] + STEP.replace("optimizer", "args.engine")
    assert "computes the same: no optimizer of torch.optim is known to step here\n" in converted(source)


def test_a_gradient_without_a_training_step_has_no_comment() -> None:
    source = "import torch\n\n\ndef slope(x):\n    x.sum().backward(retain_graph=True)\n    return x.grad\n"
    assert "NOTE" not in converted(source)


def test_a_step_without_a_known_optimizer_stays() -> None:
    source = HEAD[: HEAD.index("    optimizer")] + STEP.replace("optimizer", "args.engine")
    assert "loss.backward()" in converted(source)


def test_a_step_of_a_class_with_two_optimizers_in_two_methods_stays() -> None:
    method = (
        "    def step_{0}(self, x):\n        self.{0}.zero_grad()\n        loss = self.net(x)\n"
        "        loss.backward()\n        self.{0}.step()\n"
    )
    source = (
        "import torch\n\n\nclass Trainer:\n    def __init__(self, net):\n        self.net = net\n"
        "        self.a = torch.optim.SGD(net.parameters(), 0.1)\n"
        "        self.b = torch.optim.SGD(net.parameters(), 0.1)\n"
    )
    assert converted(source + method.format("a") + method.format("b")).count("backward()") == 2
    assert converted(source + method.format("a")).count("value_and_grad") == 1


def test_at_the_top_level_all_names_stay_bound() -> None:
    source = (
        "import torch\n\nmodel = torch.nn.Linear(2, 1)\noptimizer = torch.optim.SGD(model.parameters(), 0.1)\n"
        "for x in torch.ones(3, 2):\n    optimizer.zero_grad()\n    output = model(x)\n    loss = output.sum()\n"
        "    loss.backward()\n    optimizer.step()\n"
    )
    assert "(loss, output), grads = grad_fn(x)" in converted(source)


def test_at_the_top_level_a_function_that_sees_what_the_step_binds_keeps_it() -> None:
    source = (
        "import torch\n\nmodel = torch.nn.Linear(2, 1)\noptimizer = torch.optim.SGD(model.parameters(), 0.1)\n\n\n"
        "def criterion():\n    return output.sum()\n\n\n"
        "for x in torch.ones(3, 2):\n    optimizer.zero_grad()\n    output = model(x)\n"
        "    loss = criterion() + output.mean()\n    loss.backward()\n    optimizer.step()\n"
    )
    assert "loss.backward()" in converted(source)


def test_gradients_that_are_there_are_not_replaced_where_a_call_may_have_added_them() -> None:
    before = STEP.replace("        output", "        args.more(model)\n        output")
    made = body(before)
    assert "optimizer(grads)" not in made
    assert "        optimizer.zero_grad()\n        args.more(model)\n" in made
    assert "helpers.add_gradients(optimizer.parameters, grads)\n        optimizer.step()\n" in made


def test_edits_of_edited_texts() -> None:
    chosen = random.Random(3)

    def edits(length: int) -> list[Edit]:
        found, place = [], 0
        while place < length:
            start = chosen.randint(place, min(length, place + 4))
            end = chosen.randint(start, min(length, start + 3))
            found.append(Edit(start, end, "XYZ"[: chosen.randint(0, 3)]))
            place = end + 1
        return found

    for _ in range(500):
        data = bytes(chosen.choice(b"abcdef") for _ in range(chosen.randint(0, 25)))
        first = edits(len(data))
        middle = applied(data, first)
        second = edits(len(middle))
        both = composed(data, first, second)
        assert applied(data, both) == applied(middle, second)
        assert all(one.end <= other.start for one, other in pairwise(both))
