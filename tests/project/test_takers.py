"""Which names other files take from a module."""

from __future__ import annotations

from pathlib import Path

import pytest
from findings import session
from mindport.project.takers import Takers
from mindport.rewrite.edit import applied

ACTS = "import torch\n\n\ndef act(x):\n    return torch.abs(x)\n"
CONVERTED = "from mindspore import mint\n\n\ndef act(x):\n    return mint.abs(x)\n"
KEPT = "import torch\nfrom mindspore import mint\n\n\ndef act(x):\n    return mint.abs(x)\n"
TAKING = {
    "star": "from .acts import *\ny = torch.abs(1)\n",
    "star, absolute": "from pkg.acts import *\nprint(torch)\n",
    "star, of a file that names it in a text": "from pkg.acts import *\neval('torch.abs(1)')\n",
    "by name": "from .acts import act, torch\n",
    "by another name": "from .acts import torch as t\n",
    "on several lines": "from .acts import (\n    act,  # (one)\n    torch,\n)\n",
    "on a continued line": "from .acts import act, \\\n    torch\n",
    "in a function": "def f():\n    from pkg.acts import torch\n",
    "behind a semicolon": "x = 1; from .acts import torch\n",
    "as a member": "from . import acts\nacts.torch.abs(1)\n",
    "as a member, by another name": "from pkg import acts as a\na.torch.abs(1)\n",
    "as a member of the module": "import pkg.acts\npkg.acts.torch.abs(1)\n",
    "as a member of the module, by another name": "import os, pkg.acts as a\na . torch.abs(1)\n",
    "patched": "import pkg.acts\npatch('pkg.acts.torch.abs')\n",
}
NOT_TAKING = {
    "other names": "from .acts import act\nimport torch\n",
    "another module's": "from .other import torch\nfrom torch.acts import *\n",
    "another module of that name": "from other.acts import *\nfrom other.acts import torch\n",
    "star, of a file that does not name it": "from .acts import *\nact(1)\n",
    "another member": "from . import acts\nacts.act(1)\nother.torch\n",
}


def project(folder: Path, other: str, acts: str = ACTS) -> Path:
    (folder / "pkg").mkdir()
    (folder / "pkg" / "__init__.py").write_text("")
    (folder / "pkg" / "acts.py").write_text(acts)
    (folder / "pkg" / "other_file.py").write_text(other)
    return folder / "pkg" / "acts.py"


def fixed(path: Path) -> str:
    made = session()
    found = made.analyse_file(path)
    return applied(found.document.data, made.fix_all(found)).decode()


@pytest.mark.parametrize("other", TAKING.values(), ids=TAKING)
def test_an_import_that_others_take_stays(tmp_path: Path, other: str) -> None:
    assert fixed(project(tmp_path, other)) == KEPT


@pytest.mark.parametrize("other", NOT_TAKING.values(), ids=NOT_TAKING)
def test_any_other_goes(tmp_path: Path, other: str) -> None:
    assert fixed(project(tmp_path, other)) == CONVERTED


@pytest.mark.parametrize(
    ("user", "is_taken"),
    [
        ("from pkg import act, torch\n", True),
        ("from pkg import *\ntorch.abs(1)\n", True),
        ("import pkg\npkg.torch.abs(1)\n", True),
        ("from pkg import act\nimport torch\ntorch.abs(1)\n", False),
        ("from pkg import *\nact(1)\n", False),
    ],
)
def test_a_star_import_of_a_package_hands_on(tmp_path: Path, user: str, is_taken: bool) -> None:
    acts = project(tmp_path, user)
    (acts.parent / "__init__.py").write_text("from .acts import *\n")
    assert fixed(acts) == (KEPT if is_taken else CONVERTED)


def test_star_imports_in_a_circle_take_nothing(tmp_path: Path) -> None:
    acts = project(
        tmp_path, "from .acts import *\n", ACTS.replace("\n\n\n", "\nfrom .other_file import *\n\n\n")
    )
    assert "import torch" not in fixed(acts)


def test_a_star_import_takes_what_all_lists(tmp_path: Path) -> None:
    acts = ACTS + "\n__all__ = ['act']\n"
    assert fixed(project(tmp_path, TAKING["star"], acts)) == CONVERTED + "\n__all__ = ['act']\n"


def test_a_computed_list_takes_all(tmp_path: Path) -> None:
    acts = ACTS + "\n__all__ = [name for name in globals()]\n"
    assert fixed(project(tmp_path, TAKING["star"], acts)).startswith("import torch\n")


def test_files_beside_a_script_and_in_the_project(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "acts.py").write_text(ACTS)
    (tmp_path / "scripts" / "run.py").write_text("from acts import torch\n")
    assert fixed(tmp_path / "acts.py") == KEPT


def test_a_notebook_takes_names_too(tmp_path: Path) -> None:
    path = project(tmp_path, "")
    cell = '{"cell_type": "code", "source": ["from pkg.acts import *\\n", "torch.abs(1)"]}'
    (tmp_path / "pkg" / "try.ipynb").write_text(f'{{"cells": [{cell}], "nbformat": 4}}')
    assert fixed(path) == KEPT


def test_files_that_are_given(tmp_path: Path) -> None:
    acts, other = tmp_path / "one" / "acts.py", tmp_path / "two" / "main.py"
    for path, text in ((acts, ACTS), (other, "from acts import torch\n")):
        path.parent.mkdir()
        path.write_text(text)
    assert Takers([acts, other]).is_taken(str(acts), "torch", True)
    assert not Takers().is_taken(str(acts), "torch", True)


def test_changes_are_taken_up(tmp_path: Path) -> None:
    path = project(tmp_path, "")
    takers, other = Takers(), tmp_path / "pkg" / "other_file.py"
    assert not takers.is_taken(str(path), "torch", True)
    takers.changed(str(other), b"from .acts import *\ntorch.abs(1)\n")
    assert takers.is_taken(str(path), "torch", True)
    assert not takers.is_taken(str(path), "torch", False)
    assert not takers.is_taken(str(path), "_torch", True)
    takers.changed(str(other), None)
    assert not takers.is_taken(str(path), "torch", True)
    other.write_text("from .acts import torch\n")
    takers.changed(str(other), None)
    assert takers.is_taken(str(path), "torch", False)
    other.unlink()
    assert not takers.is_taken(str(path), "torch", False)


def test_texts_without_a_file() -> None:
    assert not Takers().is_taken("untitled:main.py", "torch", True)
    assert not Takers().is_taken("/nowhere/a.ipynb", "torch", True)
    assert not Takers().is_taken("/nowhere/at/all.py", "torch", True)


def test_a_project_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mindport.project import takers

    monkeypatch.setattr(takers, "_MOST_FILES", 2)
    assert fixed(project(tmp_path, "")) == KEPT
