"""What is drawn at random in PyTorch is kept, and given again where the converted program draws it in MindSpore.

The programs are scripts as people write them: they build their models, shuffle their data and draw noise wherever they
like. So nothing is passed to them. In PyTorch a `Tape` notes the weights of each module when its construction is over,
and each outermost random draw; in MindSpore the weights are loaded by their names in the `state_dict`, and draws come
from the tape."""

from __future__ import annotations

import functools
import importlib
import json
import pickle
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path

import numpy as np

FUNCTIONS = [
    "rand",
    "randn",
    "randint",
    "randperm",
    "rand_like",
    "randn_like",
    "randint_like",
    "normal",
    "bernoulli",
    "multinomial",
    "poisson",
]
"""Functions whose result is drawn, in `torch` or as methods of Tensors."""
IN_PLACE = [
    "normal_",
    "uniform_",
    "bernoulli_",
    "random_",
    "exponential_",
    "trunc_normal_",
    "xavier_uniform_",
    "xavier_normal_",
    "kaiming_uniform_",
    "kaiming_normal_",
    "orthogonal_",
    "sparse_",
]
"""Functions that draw what they put into their first operand: methods of Tensors, or in `torch.nn.init`."""
SAMPLERS = ("RandomSampler", "SubsetRandomSampler", "WeightedRandomSampler")
MODULE = "module"


def started(program: Path, module: str, arguments: list[str]) -> tuple:
    """The losses and the model of a program: what `main` gives back, or what a notebook calls so."""
    notebook = program / f"{module}.ipynb"
    if not notebook.exists():
        return importlib.import_module(module).main(arguments)
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    names = {"__name__": "__main__"}
    for number, cell in enumerate(cells, start=1):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{notebook.name}:cell {number}", "exec"), names)
    return names["losses"], names["model"]


class Tape:
    """What was drawn, by the kind of draw, in order."""

    def __init__(self, path: Path | None = None, change: float = 0.0, seed: int = 0) -> None:
        """A tape to record on, or that of a file to play; `change` is how much weights are changed, of their
        size."""
        self.kept: dict[str, list] = defaultdict(list)
        self.plays = path is not None
        if path is not None:
            self.kept.update(pickle.loads(path.read_bytes()))
        self._change = change
        self._rng = np.random.RandomState(seed)
        self._depth = 0
        self._next: dict[str, int] = defaultdict(int)

    def save(self, path: Path) -> None:
        path.write_bytes(pickle.dumps(dict(self.kept)))

    @contextmanager
    def inside(self):
        """While something is drawn or built: what it draws for this is no draw of the program. Tells whether it is the
        outermost."""
        self._depth += 1
        try:
            yield self._depth == 1
        finally:
            self._depth -= 1

    def next(self, kind: str):
        """What was drawn in this place."""
        index = self._next[kind]
        if index >= len(self.kept[kind]):
            raise AssertionError(
                f"{kind} is drawn {index + 1} times, in PyTorch {len(self.kept[kind])} times"
            )
        self._next[kind] += 1
        return self.kept[kind][index]

    def next_weights(self) -> dict[str, np.ndarray]:
        """The weights of the next module, changed as much as wanted."""
        return self.changed(self.next(MODULE))

    def changed(self, kept: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The weights, changed as much as wanted."""
        if not self._change:
            return kept
        rng = self._rng
        return {
            name: (value + self._change * (abs(value) + 0.01) * rng.choice((-1, 1), value.shape)).astype(
                value.dtype
            )
            if value.dtype.kind == "f"
            else value
            for name, value in kept.items()
        }


def wrap(owner, name: str, kind: str, tape: Tape, read, write) -> None:
    """Let `owner.name` be recorded or played. `read` makes a value of a result that can be kept; `write` gives the result
    that such a value stands for, the call's own result and its arguments at hand."""
    original = owner.__dict__[name] if isinstance(owner, type) else getattr(owner, name)
    if getattr(original, "on_tape", False) or not callable(original):
        return

    @functools.wraps(original)
    def drawn(*args, **kwargs):
        with tape.inside() as is_outermost:
            result = original(*args, **kwargs)
        if not is_outermost:
            return result
        if tape.plays:
            return write(tape.next(kind), result, args)
        tape.kept[kind].append(read(result))
        return result

    drawn.on_tape = True
    setattr(owner, name, drawn)


def wrap_construction(cls: type, tape: Tape, built) -> None:
    """Let `built` know each object whose outermost constructor is that of `cls`."""
    original = cls.__dict__.get("__init__")
    if original is None or getattr(original, "on_tape", False):
        return

    @functools.wraps(original)
    def construct(self, *args, **kwargs):
        with tape.inside() as is_outermost:
            original(self, *args, **kwargs)
        if is_outermost:
            built(self)

    construct.on_tape = True
    cls.__init__ = construct


def subclasses(cls: type) -> set[type]:
    """A class and all that are derived from it."""
    return {cls}.union(*(subclasses(each) for each in cls.__subclasses__()))


def wrap_classes(base: type, tape: Tape, built) -> None:
    """The same for all classes derived from `base`, also those to come."""
    for cls in subclasses(base):
        wrap_construction(cls, tape, built)
    own = vars(base).get("__init_subclass__")

    def derived(cls, **kwargs):
        if own is None:
            super(base, cls).__init_subclass__(**kwargs)
        else:
            own.__func__(cls, **kwargs)
        wrap_construction(cls, tape, built)

    base.__init_subclass__ = classmethod(derived)


def order(dataset_parts) -> list[list[int]]:
    """The indices of what a data set was split into."""
    return [[int(index) for index in part.indices] for part in dataset_parts]


def reordered(kept: list[list[int]], parts, args):
    """The parts of a data set with the indices that were kept."""
    for part, indices in zip(parts, kept, strict=True):
        part.indices = indices
    return parts
