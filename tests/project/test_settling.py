"""Arguments in a session: what calls give is settled a step at a time, and holds once all of it is known."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from mindport.callgraph.argument_facts import MUCH, NOTHING
from mindport.catalog.catalog import Catalog
from mindport.infer.propagation import OF_ALL_FILES
from mindport.project.session import Session
from mindport.project.setting_table import Settings
from mindport.source.document import Document

TRAIN = """\
from torch import optim

def train(args, model, device, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        step(optimizer)

def step(optimizer):
    optimizer.step()

def main():
    optimizer = optim.SGD([], 0.1)
    train(None, None, "cpu", [], optimizer)
"""
WITHOUT_CALL = TRAIN.replace('    train(None, None, "cpu", [], optimizer)\n', "")
FOUND = {"torch.optim.SGD", "torch.optim.Optimizer.zero_grad", "torch.optim.SGD.step"}
ALONE = {"torch.optim.SGD"}
RECURSIVE = "from torch import nn\ndef again(act, n):\n    act()\n    again(act, n - 1)\n"
MUTUAL = "def ping(act):\n    act()\n    pong(act)\ndef pong(act):\n    ping(act)\n"
LAYERS = "def make(act):\n    return act()\n"
GIVER = "from torch import nn\nfrom layers import make\nmake(nn.GELU)\n"


class Project:
    """A session with open documents, by path."""

    def __init__(self, **texts: str) -> None:
        self.session = Session(Catalog.load(), Settings())
        self.documents: dict[str, Document] = {}
        for name, text in texts.items():
            self.edit(name, text)

    @property
    def paths(self) -> list[str]:
        return [f"/project/{name}.py" for name in self.documents]

    def edit(self, name: str, text: str) -> None:
        self.documents[name] = Document.open(f"/project/{name}.py", text)
        self.session.analyse(f"/project/{name}.py", self.documents[name])

    def apis(self, name: str) -> set[str]:
        found = self.session.analyse(f"/project/{name}.py", self.documents[name])
        return {each.finding.use.api for each in found.findings} - {"torch.nn", "torch.optim"}

    def settle(self) -> bool:
        return self.session.settle(self.paths)

    def take(self, **given: Mapping[object, object]) -> bool:
        return self.session.take_arguments({f"/project/{name}.py": each for name, each in given.items()})


def test_what_calls_in_a_document_give_is_found() -> None:
    project = Project(main=TRAIN)
    assert project.apis("main") == ALONE
    assert project.settle()
    assert project.apis("main") == FOUND
    assert not project.settle()


def test_nothing_is_propagated_by_an_edit_but_by_settling() -> None:
    project = Project(main=TRAIN)
    project.settle()
    project.edit("main", WITHOUT_CALL)
    assert project.apis("main") == FOUND
    assert project.settle()
    assert project.apis("main") == ALONE
    project.edit("main", TRAIN)
    assert project.settle()
    assert project.apis("main") == FOUND


@pytest.mark.parametrize(
    "text", [TRAIN, RECURSIVE + "again(nn.GELU, 3)\n", "from torch import nn\n" + MUTUAL]
)
def test_steps_come_to_the_same_as_all_at_once(text: str) -> None:
    at_once, stepwise = Project(main=text), Project(main=text)
    at_once.settle()
    settling = stepwise.session.settling(stepwise.paths)
    steps = 1
    while not settling.step():
        steps += 1
        stepwise.apis("main")  # something is looked at between any two
    assert steps > 1 and not settling.is_cancelled
    assert stepwise.apis("main") == at_once.apis("main")


def test_while_it_goes_on_holds_what_was_known_before() -> None:
    project = Project(main=TRAIN)
    project.settle()
    project.edit("main", WITHOUT_CALL)
    settling = project.session.settling(project.paths)
    while not settling.step():
        assert project.apis("main") == FOUND
    assert settling.has_changed
    assert project.apis("main") == ALONE


def test_only_a_block_is_evaluated_in_a_step() -> None:
    project = Project(main="".join(f"def f{n}(x):\n    return x\nf{n}({n})\n" for n in range(50)))
    settling = project.session.settling(project.paths)
    steps = 1
    while not settling.step():
        steps += 1
    assert steps > 50
    settling = project.session.settling(project.paths)
    assert settling.step()  # nothing is evaluated again


def test_an_edit_ends_it() -> None:
    project = Project(main=TRAIN)
    settling = project.session.settling(project.paths)
    settling.step()
    project.edit("main", WITHOUT_CALL)
    assert settling.step() and settling.is_cancelled and not settling.has_changed
    assert not project.settle() and project.apis("main") == ALONE


def test_an_error_leaves_what_was_known(monkeypatch: pytest.MonkeyPatch) -> None:
    from mindport.infer import propagation

    project = Project(main=TRAIN)
    project.settle()
    project.edit("main", TRAIN + "\nstep(None)\n")
    settling = project.session.settling(project.paths)
    with monkeypatch.context() as patch:
        patch.setattr(propagation, "given_by", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            while not settling.step():
                pass
    assert settling.is_cancelled and settling.path == "/project/main.py"
    assert project.apis("main") == FOUND
    assert not project.settle()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (RECURSIVE + "again(nn.GELU, 3)\n", RECURSIVE),
        (
            "from torch import nn\n" + MUTUAL + "def begin():\n    ping(nn.GELU)\n",
            "from torch import nn\n" + MUTUAL + "def begin():\n    pass\n",
        ),
        (
            "from torch import nn\n" + MUTUAL.replace("    pong(act)", "    pong(nn.GELU)"),
            "from torch import nn\n" + MUTUAL,
        ),
        (
            RECURSIVE.replace("again(act, n", "again(nn.GELU, 0)\n    again(act, n"),
            RECURSIVE,
        ),
    ],
    ids=["itself", "each other", "in the middle of a circle", "in the same function"],
)
def test_nothing_supports_itself(before: str, after: str) -> None:
    project = Project(main=before)
    project.settle()
    assert project.apis("main") == {"torch.nn.GELU"}
    project.edit("main", after)
    project.settle()
    assert project.apis("main") == set()


def test_a_document_counts_instead_of_its_file() -> None:
    giver = Project(layers=LAYERS, giver=GIVER)
    giver.settle()
    on_disk = giver.session._graph.argument_facts.by("/project/giver.py")
    assert on_disk

    project = Project(layers=LAYERS)
    assert project.take(giver=on_disk)
    assert project.apis("layers") == {"torch.nn.GELU"}
    project.edit("giver", GIVER.replace("GELU", "SiLU"))
    assert project.settle()
    assert project.apis("layers") == {"torch.nn.SiLU"}
    del project.documents["giver"]
    project.session.forget("/project/giver.py")
    assert project.settle()
    assert project.apis("layers") == {"torch.nn.GELU"}
    assert project.take(giver=NOTHING)
    assert project.apis("layers") == set()


def test_what_all_files_give_too_much_stays_too_much() -> None:
    giver = Project(layers=LAYERS, giver=GIVER)
    giver.settle()
    on_disk = giver.session._graph.argument_facts.by("/project/giver.py")
    project = Project(layers=LAYERS, giver=GIVER)
    project.session.take_arguments(
        {"/project/other.py": on_disk, OF_ALL_FILES: dict.fromkeys(on_disk, frozenset({MUCH}))}
    )
    for _ in range(2):
        project.settle()
        assert project.apis("layers") == set()
    project.session.take_arguments({OF_ALL_FILES: NOTHING})
    project.settle()
    assert project.apis("layers") == {"torch.nn.GELU"}


def test_what_files_give_ends_what_goes_on() -> None:
    project = Project(layers=LAYERS)
    settling = project.session.settling(project.paths)
    project.take(other=NOTHING)
    assert settling.step() and settling.is_cancelled
