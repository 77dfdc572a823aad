"""A half-typed line costs only itself: the findings elsewhere stay, in their scopes."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from half_typed import INSERTS, Typing, whole
from looking import uses

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "flowers"
CORPUS = os.environ.get("MINDPORT_CORPUS")
"""A folder with Python packages to type in."""
CORPUS_INSERTS = int(os.environ.get("MINDPORT_CORPUS_INSERTS", "2000"))

METHOD = """    def method_{n}(self, x: torch.Tensor, y=None):
        \"\"\"Return something.

        Of several lines.
        \"\"\"
        y = torch.cat([x, x], dim={n})
        if y is None:
            for z in torch.split(x, {n}):
                with torch.no_grad():
                    self.last = z.view(-1)
        elif isinstance(y, torch.Tensor):
            return y.permute(
                0, 1,
            )
        else:
            y = torch.zeros({n})

        return nn.functional.relu(y)
"""
HEAD = "import torch\nfrom torch import nn\n\n"
TEXTS = {
    "flat script": HEAD
    + "".join(f"x{n} = torch.cat([torch.zeros({n}), torch.ones(3)])\n" for n in range(40)),
    "script in paragraphs": HEAD
    + "".join(f"x{n} = torch.cat([\n    torch.zeros({n}),\n])\nprint(x{n}.view(1))\n\n" for n in range(20)),
    "class": HEAD
    + 'class Model(nn.Module):\n    """A model."""\n\n    kind = nn.Linear\n\n'
    + "\n".join(METHOD.format(n=n) for n in range(10))
    + "\n\nmodel = Model()\nprint(torch.abs(model.method_1(torch.ones(3))))\n",
    "long function": HEAD
    + "def main(x: torch.Tensor):\n"
    + "".join(
        f"    y{n} = x.view({n})\n    z{n} = torch.cat([y{n}, x])\n    print(z{n}.sum())\n\n"
        for n in range(20)
    ),
    "nested": HEAD
    + "def main(x: torch.Tensor):\n    for n in range(3):\n        with torch.no_grad():\n"
    + "            while True:\n                try:\n"
    + "".join(
        f"                    if n == {n}:\n                        print(x.view({n}))\n" for n in range(30)
    )
    + "                except ValueError:\n                    torch.ones(3)\n        x = x.abs()\n    return x.sum()\n",
    **{
        path.name: path.read_text(encoding="utf-8")
        for path in sorted(EXAMPLES.glob("*.py"))
        if path.name[0] != "_"
    },
}
LEAST = 0.95
LEAST_BEHIND_STRINGS = 0.9
"""What is in a string that is not closed yet is no code: what it would have bound is unknown elsewhere."""


@pytest.mark.parametrize("name", TEXTS)
def test_findings_elsewhere_stay(name: str) -> None:
    typing = Typing(TEXTS[name])
    lines = typing.statements()
    chosen = random.Random(name).sample(lines, min(6, len(lines)))
    results = {
        (line, insert): typing.kept(line, insert)
        for line in chosen
        for insert in INSERTS
        if not typing.swallows(line, insert)
    }
    assert len(results) > len(chosen) * len(INSERTS) * 0.9
    least = {key: LEAST_BEHIND_STRINGS if key[1].endswith(('"""', "'''")) else LEAST for key in results}
    assert {key: result for key, result in results.items() if result.share < least[key]} == {}
    assert whole(results.values()).share > 0.995


@pytest.mark.skipif(CORPUS is None, reason="MINDPORT_CORPUS names no folder")
def test_in_real_code() -> None:
    """Inserts at random places in random files, of which the share that is kept is printed."""
    choice = random.Random(7)
    paths = [path for path in sorted(Path(CORPUS or "").rglob("*.py")) if b"torch" in path.read_bytes()]
    shares: list[tuple[float, str, int, str]] = []
    while len(shares) < CORPUS_INSERTS:
        path = choice.choice(paths)
        typing = Typing(path.read_bytes().decode())
        lines = typing.statements()
        for line in choice.sample(lines, min(20, len(lines))) if typing.findings else ():
            insert = choice.choice(INSERTS)
            shares.append((typing.kept(line, insert).share, str(path), line + 1, insert))
    shares.sort()
    print(f"{len(shares)} inserts; median {shares[len(shares) // 2][0]:.3f}")
    print("mean", sum(share for share, *_ in shares) / len(shares))
    print("below 0.95:", sum(share < LEAST for share, *_ in shares), "worst:", *shares[:10], sep="\n")
    assert shares[len(shares) // 20][0] >= LEAST


def test_parameters_and_locals_are_known_behind_a_broken_statement() -> None:
    source = "import torch\ndef f(x: torch.Tensor):\n    y = torch.ones(3)\n    z = foo(\n    x.abs()\n    return y.sum()\n"
    assert uses(source)[-2:] == ["call torch.Tensor.abs <- x.abs (likely)", "call torch.Tensor.sum <- y.sum"]


def test_parameters_are_known_below_a_broken_header() -> None:
    source = "import torch\nclass A:\n    def f(self, x: torch.Tensor, y\n        x.abs()\n\n    def g(self): return torch.e\n"
    assert "call torch.Tensor.abs <- x.abs (likely)" in uses(source)


@pytest.mark.parametrize("header", ["def f(x, *, $", "async def f(x", "class A(x.y, $", "def f(x=["])
def test_names_do_not_leak_out_of_what_has_a_broken_header(header: str) -> None:
    source = f"import torch\n{header}\n    torch = None\n    torch.abs(1)\ntorch.cat([])\n"
    assert uses(source)[-1] == "call torch.cat <- torch.cat"
    assert not any("torch.abs" in use for use in uses(source))


def test_names_of_methods_do_not_leak_into_the_class() -> None:
    source = "import torch\nclass A:\n    def f(self):\n        x = (\n        torch = None\n\n    y = torch.ones(3)\n"
    assert uses(source) == ["call torch.ones <- torch.ones"]


def test_a_name_of_a_class_is_a_member_still() -> None:
    source = (
        "import torch\nclass A:\n    def f(self): return torch.ones(3)\n    def (\n"
        "    def g(self): return self.f().abs()\n"
    )
    assert uses(source)[-1] == "call torch.Tensor.abs <- self.f().abs"


def test_what_follows_a_half_typed_return_is_reached() -> None:
    source = "import torch\ndef f(a):\n    x = None\n    if a:\n        x = torch.ones(3)\n        return (\n    x.abs()\n"
    assert uses(source)[-1].startswith("call torch.Tensor.abs <- x.abs")


def test_a_half_typed_line_between_branches_keeps_what_they_test() -> None:
    source = (
        "from torch import nn\ndef f(m):\n    if isinstance(m, nn.Linear):\n        m.weight\n    x = (\n"
        "    elif isinstance(m, nn.Conv2d):\n        m.weight\n"
    )
    assert [use for use in uses(source) if "weight" in use] == [
        "attribute torch.nn.Linear.weight <- m.weight",
        "attribute torch.nn.Conv2d.weight <- m.weight",
    ]


@pytest.mark.parametrize("start", ["x: ", "x +="])
def test_the_next_statement_does_not_belong_to_a_half_typed_one(start: str) -> None:
    source = f"import torch\nx = 1\n{start}\ny = torch.ones(3)\ny.abs()\n"
    assert uses(source)[-1] == "call torch.Tensor.abs <- y.abs"


def test_an_open_string_ends_with_an_empty_line() -> None:
    source = 'import torch\ndef f():\n    """Return\n    torch.ones(1).\n\n    torch.zeros(1)\n\n\ndef g():\n    """A."""\n    torch.abs(1)\n'
    assert uses(source) == ["call torch.zeros <- torch.zeros", "call torch.abs <- torch.abs"]
