"""Modules made at random, from a seed, that bind and read names of torch in every way that Python has.

They can be run with stand-ins for torch and MindSpore (see `run_modules`): no tensor is computed, but every name
is looked up, and `mark` notes in which order things happen.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

_PROLOGUES = (
    "",
    '"""A module."""\n',
    "from __future__ import annotations\n",
    '"""A module."""\nfrom __future__ import annotations\n',
    '"""A module."""; ',
    "from __future__ import annotations; ",
    "# a comment\n",
    "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n\n",
)
_IMPORTS = (
    "import torch",
    "import torch  # the framework",
    "import torch as t",
    "import torch, os",
    "import os, torch.nn as nn, sys",
    "from torch import nn",
    "from torch import nn, float32",
    "from torch import (\n    nn,  # layers\n    abs as absolute,\n    cat,\n)",
    "from torch import (cat,\n    float32\n)",
    "from torch import \\\n    cat, nn",
    "import torch.nn.functional as F",
    "import torch.nn as nn",
    "from torch.nn import functional as F, ReLU",
    "from torch import *",
    "import torch; import torch.nn as nn",
    "import torch; x = mark(0)",
    "import torch;",
    "if TYPE:\n    import torch",
    "try:\n    import torch\nexcept ImportError:\n    torch = None",
    "try:\n    import torch\nfinally:\n    pass",
    "for _ in range(1):\n    import torch",
    "def setup():\n    global torch\n    import torch\nsetup()",
    "class Holder:\n    import torch\n    y = torch.abs(1)\ntorch = Holder.torch",
)
_TORCH = (
    "{torch}.cat([x, x], dim=1)",
    "{torch}.abs(mark({number}))",
    "{torch}.special.entr(mark({number}))",
    "{torch}.zeros(2, 3, device='cuda')",
    "{torch}.float32",
    "{torch}.nn.ReLU()(x)",
    "{torch}.nn.functional.relu({torch}.abs(x))",
    "{torch}.add(x, mark({number}), alpha=mark({number}))",
    "{torch}.std(mark({number}), 1, unbiased=False)",
    "{torch}.Tensor",
    "{torch}.tensor(\n    [1],  # one\n    dtype={torch}.float32,\n)",
    "[{torch}.abs(i) for i in (x, mark({number}))]",
    "(lambda a: {torch}.abs(a))(mark({number}))",
    "f'{{{torch}.abs(x)}}'",
    "(mark({number}), {torch}.special.entr(mark({number})))",
    "{torch}.cuda.is_available()",
    "{torch}.manual_seed(1)",
)
_NN = ("nn.ReLU()(x)", "nn.Linear(1, 2)", "nn.functional.relu(mark({number}))", "nn.Module")
_OTHERS = {
    "F": ("F.relu(x)", "F.softmax(mark({number}), dim=1)"),
    "cat": ("cat([x, x], dim=1)",),
    "absolute": ("absolute(mark({number}))",),
    "float32": ("float32",),
    "ReLU": ("ReLU()(x)",),
}
_TAKEN = (
    "mint = mark(1)",
    "def mint():\n    return mark(1)",
    "mindspore = mark(2)",
    "def takes(mint=1, mindspore=2, ms=3):\n    return {use}",
    "mint = 1\ndel mint",
    "from stars import *\nmark(mint)",
    "from stars import *",
    "ops, ms = 1, 2",
    "def local():\n    mindspore = mark(3)\n    return {use}",
    "class mint:\n    value = 1",
    "def imports():\n    from mindspore import mint\n    return mint.abs(1)",
    "from mindspore import mint",
    "import mindspore as ms",
    "import mindspore; del mindspore",
)
_READERS = (
    "__all__ = ['{name}', 'x']",
    "__all__ = ['x']\n__all__ += ['{name}']",
    "__all__ = []\n__all__.extend(['{name}'])",
    "mark(globals()['{name}'] is not None)",
    "mark(eval('{name}') is not None)",
    "mark('{name}' in globals())",
    "del {name}",
    "def documented():\n    '''\n    >>> {name} is not None\n    True\n    '''",
    "def documented():\n    '''\n    >>> import torch\n    >>> torch.abs(1) is not None\n    True\n    '''",
    "# {name} is not read here",
    "def resets():\n    global {name}\n    {name} = {name}\nresets()",
    "kept = {name}",
    "mark(__import__('sys').modules and {name} is not None)",
)


class ModuleMaker:
    """Makes one module from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._number = 0

    def statements(self) -> list[str]:
        """The statements of the module's top level, each with its own lines; those that share a line are one.
        The first may be a prologue."""
        choose = self._random.choice
        imports = self._random.sample(_IMPORTS, self._random.choice((1, 1, 2, 3)))
        self._names = sorted({name for text in imports for name in _bound(text)})
        made = [self._line(text) for text in imports]
        uses = [self._compound() for _ in range(self._random.randrange(1, 5))]
        rest = [self._filled(choose(_TAKEN)) for _ in range(choose((0, 0, 1, 2)))]
        readers = [self._filled(choose(_READERS)) for _ in range(choose((0, 0, 1)))]
        first = ["x = mark(0)", *made]
        if choose((False, False, True)):
            self._random.shuffle(first)
        body = [*uses, *rest]
        self._random.shuffle(body)
        if choose((False, False, False, True)):
            body.insert(self._random.randrange(len(body) + 1), first.pop())
        return self._joined([*first, *body, *readers])

    def source(self) -> str:
        """The module."""
        statements = self.statements()
        prologue = self._random.choice(_PROLOGUES)
        if prologue.endswith("; ") and not _is_simple(statements[0]):
            prologue = ""
        text = prologue + "\n".join(statements)
        return text + self._random.choice(("\n", "\n", ""))

    def _joined(self, statements: Sequence[str]) -> list[str]:
        """Some simple statements share their line, or go on in the next one."""
        joined: list[str] = []
        for text in statements:
            before = joined[-1] if joined else ""
            if _is_simple(text) and _is_simple(before) and "#" not in before and self._one_in(3):
                joined[-1] = before.rstrip("; ") + self._random.choice(("; ", ";", " ; ", "; \\\n")) + text
            else:
                joined.append(text)
        return joined

    def _line(self, text: str) -> str:
        is_plain = "\n" not in text and "#" not in text and "*" not in text and not text.endswith(";")
        if is_plain and self._one_in(3):
            use = self._use()
            if "\n" not in use:
                return f"{text}; y{self._next()} = {use}"
        return text

    def _one_in(self, number: int) -> bool:
        return self._random.randrange(number) == 0

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _filled(self, text: str) -> str:
        if "{use}" in text:
            text = text.replace("{use}", self._use())
        return text.replace("{name}", self._random.choice(self._names or ["x"]))

    def _use(self) -> str:
        """An expression of torch's, by a name that an import binds somewhere."""
        name = self._random.choice(self._names or ["torch"])
        if name in ("torch", "t"):
            text = self._random.choice(_TORCH)
        else:
            text = self._random.choice(_NN if name == "nn" else _OTHERS[name])
        return text.format(torch=name, number=self._next())

    def _compound(self) -> str:
        """A statement that uses torch, alone or deep inside."""
        makers: tuple[Callable[[], str], ...] = (
            lambda: f"y{self._next()} = {self._use()}",
            lambda: self._use(),
            lambda: f"def f{self._next()}(a=None):\n    return {_indented(self._use())}",
            lambda: self._called(),
            lambda: f"@keep({self._use()})\ndef f{self._next()}():\n    return mark({self._next()})",
            lambda: f"class C{self._next()}:\n    member = {_indented(self._use())}\n    mint = 1",
            lambda: f"class M{self._next()}(Base):\n    def forward(self, x):\n        return {self._use()}",
            lambda: f"if mark({self._next()}): y = {_indented(self._use())}\nelse: y = 1",
            lambda: f"for i in (1, 2):\n    y = {_indented(self._use())}\n    mark(y is None)",
            lambda: f"try:\n    y = {_indented(self._use())}\nfinally:\n    mark({self._next()})",
            lambda: f"while mark({self._next()}):\n    y = {_indented(self._use())}\n    break",
            lambda: f"with keep_open() as y: z = {self._use()}; mark({self._next()})",
            lambda: f"def f{self._next()}():\n    import torch\n    return torch.abs(mark({self._next()}))",
            lambda: f"def f{self._next()}(a: 'object' = {self._use()}) -> 'torch.Tensor': return a",
            lambda: f"x = mark(4); y = {self._use()}; z = {self._use()}",
            lambda: f"y = [i for i in (x,) if {self._use()} is not None]",
            lambda: f"if (y := {self._use()}) is not None:\n    mark({self._next()})",
            lambda: f"async def f{self._next()}():\n    return {_indented(self._use())}",
        )
        return self._random.choice(makers)()

    def _called(self) -> str:
        name = f"f{self._next()}"
        return f"def {name}():\n    return {_indented(self._use())}\nmark({name}() is None)"


def _is_simple(text: str) -> bool:
    """Whether a text is of simple statements on one line."""
    return "\n" not in text and text.split(" ")[0] not in ("", "#", "def", "async", "with", "if", "for")


def _indented(text: str) -> str:
    return text.replace("\n", "\n    ")


def _bound(statement: str) -> list[str]:
    """The names of torch's that one of the import statements above binds."""
    if "*" in statement:
        return ["cat", "float32"]
    known = ("torch", "t", "nn", "F", "absolute", "cat", "float32", "ReLU")
    last = {
        "import torch.nn as nn": ["nn"],
        "import torch as t": ["t"],
        "import torch.nn.functional as F": ["F"],
        "from torch.nn import functional as F, ReLU": ["F", "ReLU"],
        "import os, torch.nn as nn, sys": ["nn"],
    }
    if statement in last:
        return last[statement]
    if statement.startswith("from torch import"):
        rest = statement.removeprefix("from torch import")
        return [name for name in known[2:] if any(name == word for word in _words(rest))]
    return ["torch", *(["nn"] if " as nn" in statement else [])]


def _words(text: str) -> list[str]:
    lines = [line.split("#")[0] for line in text.splitlines()]
    items = " ".join(lines).replace("(", " ").replace(")", " ").replace("\\", " ").split(",")
    return [item.split(" as ")[-1].strip() for item in items if item.strip()]
