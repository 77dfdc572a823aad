"""Which classes, functions and statements of a program are converted together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from mindport.app.groups import is_harmless
from mindport.catalog.catalog import Catalog
from mindport.project.session import Session
from mindport.project.setting_table import Settings
from mindport.rewrite.groups import ConversionPlan
from mindport.rewrite.unit_findings import file_units
from mindport.rewrite.whole import WholeProgram
from mindport.source.document import Document

NET = "from torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        return x\n"
ABS = "import torch\n\n\ndef size(x: torch.Tensor):\n    return torch.abs(x)\n"


def plan(files: Mapping[str, str]) -> ConversionPlan:
    """The groups of a program, by the texts of its files."""
    catalog, settings = Catalog.load(), Settings(device="cpu", style="classic")
    session = Session(catalog, settings, (Path("/program"),))
    documents = {f"/program/{name}": Document.open(f"/program/{name}", text) for name, text in files.items()}
    for path in documents:
        session.place(Path(path), (Path("/program"),))
    for path, document in documents.items():
        session.analyse(path, document)
    program = WholeProgram(catalog, settings.ported_to)
    return ConversionPlan(
        [file_units(session.analyse(path, document), program) for path, document in documents.items()],
        is_harmless,
    )


def groups(files: Mapping[str, str]) -> set[frozenset[str]]:
    """The names of what each group holds."""
    found = plan(files)
    return {
        frozenset(found.unit(key).name or f"line {found.unit(key).line}" for key in group.units)
        for group in found.groups
    }


CASES: dict[str, tuple[dict[str, str], list[str]]] = {
    "what has nothing to do with each other": ({"a.py": NET, "b.py": ABS}, ["Net", "size"]),
    "a base class": ({"a.py": NET + "\n\nclass More(Net):\n    pass\n"}, ["More Net"]),
    "a base class in another file": (
        {"a.py": NET, "b.py": "from a import Net as N\n\n\nclass More(N):\n    pass\n"},
        ["More Net"],
    ),
    "a layer that is built": (
        {
            "p/__init__.py": "",
            "p/a.py": NET,
            "p/b.py": "from . import a\n\n\ndef build():\n    return a.Net()\n",
        },
        ["Net build"],
    ),
    "a name that a package passes on": (
        {
            "p/__init__.py": "from .a import Net\n",
            "p/a.py": NET,
            "use.py": "import p\n\n\ndef build():\n    return p.Net()\n",
        },
        ["Net build"],
    ),
    "a star import": (
        {"a.py": NET, "b.py": "from a import *\n\n\ndef build():\n    return Net()\n"},
        ["Net build"],
    ),
    "an import in a function": (
        {"a.py": NET, "b.py": "def build():\n    from a import Net\n    return Net()\n"},
        ["Net build"],
    ),
    "a module that is passed on": (
        {
            "a.py": NET + "\n\ndef other(x):\n    return x\n",
            "b.py": "import a\n\n\ndef f(n):\n    return getattr(a, n)\n",
        },
        ["Net f"],
    ),
    "a registry": (
        {
            "a.py": "KNOWN = {}\n\n\ndef register(f):\n    KNOWN[f.__name__] = f\n    return f\n\n\n"
            "def build(name):\n    return KNOWN[name]()\n",
            "b.py": "from a import register\n" + NET.replace("class", "@register\nclass"),
        },
        ["KNOWN Net build register"],
    ),
    "a function without state that both use": (
        {
            "u.py": "def pair(x):\n    return x if isinstance(x, tuple) else (x, x)\n",
            "a.py": "from u import pair\n" + ABS.replace("abs(x)", "abs(pair(x)[0])"),
            "b.py": "from u import pair\n"
            + ABS.replace("size", "other").replace("abs(x)", "abs(pair(x)[0])"),
        },
        ["other", "size"],
    ),
    "a function with state that both use": (
        {
            "u.py": "def keep(x, known=[]):\n    known.append(x)\n    return known[0]\n",
            "a.py": "from u import keep\n" + ABS.replace("abs(x)", "abs(keep(x))"),
            "b.py": "from u import keep\n" + ABS.replace("size", "other").replace("abs(x)", "abs(keep(x))"),
        },
        ["keep other size"],
    ),
    "a constant that both read": (
        {
            "u.py": "import logging\n\nSIZES = [1, 2]\nLOG = logging.getLogger()\n",
            "a.py": "import u\n" + ABS.replace("abs(x)", "abs(x * u.SIZES[0])"),
            "b.py": "from u import LOG\n"
            + ABS.replace("size", "other").replace("    return", "    LOG.info('')\n    return"),
        },
        ["other", "size"],
    ),
    "a constant that is changed": (
        {
            "u.py": "SIZES = {}\n",
            "a.py": "import u\n" + ABS.replace("    return", "    u.SIZES['x'] = x\n    return"),
            "b.py": "import u\n" + ABS.replace("size", "other").replace("abs(x)", "abs(u.SIZES['x'])"),
        },
        ["SIZES other size"],
    ),
    "code that reads everything": (
        {"a.py": ABS + "\n\ndef f(name):\n    return globals()[name]\n"},
        ["f size"],
    ),
    "the statements of a script": (
        {"a.py": ABS + "\n\nx = size(torch.ones(3))\nif __name__ == '__main__':\n    print(x)\n"},
        ["line 9 size x"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_converted_together(name: str) -> None:
    files, expected = CASES[name]
    found = {" ".join(sorted(group)) for group in groups(files)}
    assert found == {
        " ".join(sorted(one.replace("line 9", "line_9").split())).replace("line_9", "line 9")
        for one in expected
    }


def test_a_group_is_safe_where_all_of_it_is_proven() -> None:
    assert [group.is_safe for group in plan({"a.py": ABS}).groups] == [True]
    assert [group.is_safe for group in plan({"a.py": NET}).groups] == [False]
    half = ABS + "\n\ndef both(x: torch.Tensor):\n    return size(x) + torch.fx.Tracer()\n"
    assert [group.is_safe for group in plan({"a.py": half}).groups] == [False]


def test_a_function_beside_a_class_is_safe() -> None:
    found = plan({"a.py": NET + ABS.replace("import torch\n", "\nimport torch\n")})
    assert sorted(group.is_safe for group in found.groups) == [False, True]


def test_values_that_libraries_get_are_not_safe() -> None:
    source = "import unheard_of\n" + ABS.replace("abs(x)", "abs(unheard_of.f(x))")
    [group] = plan({"a.py": source}).groups
    assert group.libraries == ("unheard_of",) and not group.is_safe


def test_settings_go_only_with_everything() -> None:
    setting = "import torch\n\ntorch.backends.cudnn.benchmark = True\n"
    assert [group.tally.settings for group in plan({"a.py": setting}).groups] == [1]
    assert not any(group.is_safe for group in plan({"a.py": setting, "b.py": NET}).groups)


def test_a_group_that_others_use_is_not_closed() -> None:
    found = plan({"a.py": ABS}).known_to_others(lambda path, name: ["/tests/t.py"] if name == "size" else [])
    assert [group.users for group in found.groups] == [("/tests/t.py",)]
    assert not found.groups[0].is_safe


@pytest.mark.parametrize("name", ["p.a:Net", "a:Net", "p.a.Net", "Net", "p/a.py:Net", "a:Net.forward"])
def test_a_group_is_found_by_a_name(name: str) -> None:
    found = plan({"p/__init__.py": "", "p/a.py": NET, "b.py": ABS})
    assert [found.unit(key).name for key in found.named(name)] == ["Net"]
    assert found.named("b:Net") == []


def test_what_belongs_to_a_group_is_told_by_spans() -> None:
    found = plan({"a.py": NET + "\n\nSIZE = 3\n\n\nclass More(Net):\n    size = SIZE\n"})
    [group] = found.groups
    [(path, spans)] = found.spans([group]).items()
    texts = [found.files[path].module.units[number].name for _, number in group.units]
    assert texts == ["Net", "More"] and len(spans) == 2
