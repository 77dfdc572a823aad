"""Which modules a project has, by path and by name, as files and open documents come and go."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from looking import shown, write
from mindport.catalog.catalog import Catalog
from mindport.infer.evaluator import Evaluator
from mindport.infer.project_graph import Location, ProjectGraph, module_name, name_below, search
from mindport.infer.values import NEVER, ProjectModule, just
from mindport.source.decode import SourceError
from mindport.source.document import Document
from mindport.uses.analysis import analyse

MAIN = "from layers import make\nmake(3)\n"
MAKES = "from torch import nn\nmake = nn.ReLU\n"
MAKES_OTHER = "from torch import nn\nmake = nn.GELU\n"
RELU, GELU = "call torch.nn.ReLU <- make", "call torch.nn.GELU <- make"


class Kept:
    """A project of which `main.py` is open, and is looked at again and again."""

    def __init__(self, root: Path, files: dict[str, str], *roots: Path) -> None:
        write(root, {"main.py": MAIN, **files})
        self.root = root
        self.graph = ProjectGraph(Catalog.load(), [root, *roots])
        self.evaluator = Evaluator(self.graph, Catalog.load())
        self.main = self.open("main.py", MAIN)

    def path(self, path: str) -> str:
        return str(self.root / path)

    def open(self, path: str, text: str, name: str | None = None):
        name = name or path.removesuffix(".py").replace("/", ".")
        return self.graph.set_document(self.path(path), name, Document.open(self.path(path), text))

    def calls(self) -> list[str]:
        return [line for line in shown(analyse(self.evaluator, self.main)) if line.startswith("call ")]


NAMES = {
    "a.py": "a",
    "pkg/a.py": "pkg.a",
    "pkg/__init__.py": "pkg",
    "__init__.py": None,
    "my-script.py": None,
    "pkg/my-script.py": None,
    "my-dir/a.py": None,
    "pkg/a.pyi": "pkg.a",
}


@pytest.mark.parametrize(("path", "expected"), NAMES.items())
def test_the_name_of_a_file(path: str, expected: str | None, tmp_path: Path) -> None:
    assert module_name(tmp_path / path, tmp_path) == expected


def test_a_file_elsewhere_has_only_its_own_name(tmp_path: Path) -> None:
    assert module_name(tmp_path / "a.py", tmp_path / "b") is None
    assert name_below([tmp_path / "b"], tmp_path / "a.py") == "a"
    assert name_below([tmp_path / "b", tmp_path], tmp_path / "c" / "a.py") == "c.a"
    assert name_below([tmp_path / "c", tmp_path], tmp_path / "c" / "a.py") == "a"


def test_a_package_comes_before_a_module_and_a_file_before_a_folder(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    write(one, {"a/__init__.py": "", "a.py": "", "b/inner.py": "", "c/inner.py": ""})
    write(two, {"b.py": "", "c/other.py": ""})
    assert search([one, two], "a") == Location(str(one / "a" / "__init__.py"))
    assert search([one, two], "b") == Location(str(two / "b.py"))
    assert search([one, two], "c") == Location(str(one / "c"), True)
    assert search([one, two], "c.other") == Location(str(two / "c" / "other.py"))
    assert search([one, two], "d") == Location(None, False)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from pkg.layers import make\nmake(3)\n", [RELU]),
        ("from pkg import layers\nlayers.make(3)\n", ["call torch.nn.ReLU <- layers.make"]),
        ("import pkg.layers as l\nl.make(3)\n", ["call torch.nn.ReLU <- l.make"]),
        ("from pkg.inner.deep import make\nmake(3)\n", [RELU]),
        ("from other import layers\nlayers.make(3)\n", []),
    ],
)
def test_files_of_a_package_without_init_import_each_other_by_its_name(
    text: str, found: list[str], tmp_path: Path
) -> None:
    kept = Kept(tmp_path / "pkg", {"layers.py": MAKES, "inner/deep.py": MAKES})
    kept.main = kept.open("main.py", text)
    assert kept.calls() == found


def test_a_folder_of_scripts_that_is_called_as_a_library_is_not_that_library(tmp_path: Path) -> None:
    write(tmp_path, {"timm/main.py": "", "timm/layers.py": "", "torch/nn.py": "", "torch/main.py": ""})
    graph = ProjectGraph(Catalog.load(), [tmp_path / "timm", tmp_path / "torch"])
    assert graph.locate("timm") is None
    assert graph.locate("torch") is None
    assert graph.locate("torch.nn") is None
    assert not graph.is_root("torch")


def test_what_is_below_a_root_comes_before_the_name_of_the_root(tmp_path: Path) -> None:
    write(tmp_path, {"pkg/a.py": "", "pkg/pkg/a.py": ""})
    assert search([tmp_path / "pkg"], "pkg.a").path == str(tmp_path / "pkg/pkg/a.py")


def test_names_of_torch_and_names_with_empty_parts(tmp_path: Path) -> None:
    write(tmp_path, {"torch/nn.py": "", "torch/fft/inner.py": "", "pkg/a.py": ""})
    graph = ProjectGraph(Catalog.load(), [tmp_path])
    assert graph.locate("torch.nn") == str(tmp_path / "torch" / "nn.py")
    assert graph.locate("torch.fft") is None
    assert graph.locate("torch.fft.inner") == str(tmp_path / "torch" / "fft" / "inner.py")
    assert graph.locate("pkg") == str(tmp_path / "pkg")
    assert [graph.locate(name) for name in ("", ".pkg", "pkg.", "pkg..a")] == [None] * 4
    without = ProjectGraph(Catalog.load(), [tmp_path], has_torch=False)
    assert [without.locate(name) for name in ("torch.nn", "torch.fft.inner")] == [None, None]
    assert without.locate("pkg.a") == str(tmp_path / "pkg" / "a.py")


def test_modules_as_values(tmp_path: Path) -> None:
    write(tmp_path, {"pkg/__init__.py": "", "pkg/a.py": "", "b.py": "", "folder/c.py": ""})
    graph = ProjectGraph(Catalog.load(), [tmp_path])
    package, plain = graph.module(str(tmp_path / "pkg" / "__init__.py")), graph.module(str(tmp_path / "b.py"))
    assert package is not None and plain is not None
    inner = just(ProjectModule(str(tmp_path / "pkg" / "a.py")))
    assert graph.find("pkg.a", None) == inner
    assert graph.find("pkg.b", None) == NEVER
    assert graph.submodule(package, "a", None) == inner
    assert graph.submodule(package, "b", None) is None
    assert graph.submodule(plain, "a", None) is None
    folder = graph.module(str(tmp_path / "folder"))
    assert folder is not None and folder.is_package
    assert graph.submodule(folder, "c", None) == just(ProjectModule(str(tmp_path / "folder" / "c.py")))
    nameless = graph.set_document("/elsewhere/__init__.py", "", Document.open("/elsewhere/__init__.py", ""))
    assert nameless.is_package
    assert graph.submodule(nameless, "pkg", None) is None


def test_a_new_root_is_looked_into(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "one", {})
    write(tmp_path / "two", {"layers.py": MAKES})
    assert kept.calls() == []
    kept.graph.add_roots([tmp_path / "one"])
    kept.graph.add_roots([tmp_path / "two"])
    assert kept.calls() == [RELU]


def test_the_same_root_again_changes_nothing(tmp_path: Path) -> None:
    kept = Kept(tmp_path, {})
    kept.calls()
    kept.graph.add_roots([tmp_path])
    assert not any(block.memo.dirty for block in kept.main.blocks)
    assert "layers" in kept.graph.located


def test_what_is_opened_stands_in_for_the_file(tmp_path: Path) -> None:
    kept = Kept(tmp_path, {"layers.py": MAKES})
    assert kept.calls() == [RELU]
    kept.open("layers.py", MAKES_OTHER)
    assert kept.calls() == [GELU]


def test_what_is_opened_before_there_is_a_file(tmp_path: Path) -> None:
    kept = Kept(tmp_path, {})
    assert kept.calls() == []
    opened = kept.open("layers.py", MAKES)
    assert kept.calls() == [RELU]
    assert kept.open("layers.py", MAKES) is opened
    assert kept.open("layers.py", MAKES, "other") is not opened
    assert kept.calls() == []


def test_what_is_forgotten_is_read_again(tmp_path: Path) -> None:
    kept = Kept(tmp_path, {"layers.py": MAKES})
    assert kept.calls() == [RELU]
    write(tmp_path, {"layers.py": MAKES_OTHER})
    assert kept.calls() == [RELU]
    kept.graph.forget(kept.path("layers.py"))
    assert kept.calls() == [GELU]
    (tmp_path / "layers.py").unlink()
    kept.graph.forget(kept.path("layers.py"))
    assert kept.graph.located == {}
    assert kept.calls() == []


def test_a_folder_is_forgotten_with_what_is_in_it(tmp_path: Path) -> None:
    kept = Kept(tmp_path, {"pkg/a.py": "", "pkg/b.py": "", "pkg2.py": ""})
    paths = [kept.path(path) for path in ("pkg/a.py", "pkg/b.py", "pkg2.py")]
    for path in paths:
        kept.graph.module(path)
    kept.graph.forget(kept.path("pkg"), kept=[paths[1]])
    assert [path in kept.graph.modules for path in paths] == [False, True, True]
    kept.graph.forget(kept.path("pkg/"))
    assert [path in kept.graph.modules for path in paths] == [False, False, True]


def test_modules_that_are_elsewhere_now(tmp_path: Path) -> None:
    kept = Kept(tmp_path, {"layers.py": MAKES})
    assert kept.calls() == [RELU]
    assert not kept.graph.relocate()
    assert not any(block.memo.dirty for block in kept.main.blocks)
    (tmp_path / "layers.py").unlink()
    write(tmp_path, {"layers/__init__.py": MAKES_OTHER})
    kept.graph.modules[kept.path("layers.py")].name = "gone"  # type: ignore[union-attr]
    assert kept.graph.relocate()
    assert kept.calls() == [GELU]


def test_whether_a_module_is_as_on_disk(tmp_path: Path) -> None:
    kept = Kept(tmp_path, {"layers.py": MAKES, "pkg/a.py": "", "notes.ipynb": "{}"})
    path = kept.path("layers.py")
    assert not kept.graph.is_as_on_disk(path), "it was never read"
    kept.graph.module(path)
    assert kept.graph.is_as_on_disk(path)
    kept.open("layers.py", MAKES_OTHER)
    assert not kept.graph.is_as_on_disk(path)
    (tmp_path / "layers.py").unlink()
    assert not kept.graph.is_as_on_disk(path)
    kept.graph.forget(path)
    assert kept.graph.is_as_on_disk(path)
    kept.graph.module(kept.path("pkg"))
    for other in (kept.path("pkg"), "untitled:1", kept.path("notes.ipynb"), kept.path("notes.ipynb") + "#1"):
        assert kept.graph.is_as_on_disk(other), other


def test_the_module_of_a_file(tmp_path: Path) -> None:
    kept = Kept(tmp_path, {"layers.py": MAKES, "pkg/__init__.py": "", "other.py": ""})
    kept.graph.news.clear()
    known = kept.graph.file(kept.path("layers.py"), "layers")
    assert (known.name, known.is_package) == ("layers", False)
    assert list(kept.graph.news) == [kept.path("layers.py")]
    assert kept.graph.file(kept.path("layers.py"), "layers") is known
    assert kept.graph.file(kept.path("layers.py"), "parts") is not known
    assert kept.graph.file(kept.path("pkg/__init__.py"), "pkg").is_package
    with pytest.raises(SourceError):
        kept.graph.file(kept.path("nowhere.py"), "nowhere")


def test_a_file_under_a_name_it_is_not_found_by_is_told_to_who_asked(tmp_path: Path) -> None:
    kept = Kept(tmp_path, {"parts.py": MAKES})
    assert kept.calls() == []
    kept.graph.file(kept.path("parts.py"), "layers")
    assert kept.calls() == [RELU]


def test_a_file_that_is_found_where_it_was_expected_is_no_news_to_who_asked(tmp_path: Path) -> None:
    kept = Kept(tmp_path, {"layers.py": MAKES})
    kept.graph.locate("layers", kept.main)
    kept.calls()
    del kept.graph._modules[kept.path("layers.py")]
    kept.graph.file(kept.path("layers.py"), "layers")
    assert not any(block.memo.dirty for block in kept.main.blocks)


def test_what_cannot_be_read_is_no_module(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    kept = Kept(tmp_path, {})
    caplog.set_level(logging.INFO)
    kept.graph.news.clear()
    path = kept.path("nowhere.py")
    assert kept.graph.module(path) is None
    assert kept.graph.module(path) is None
    assert list(kept.graph.news) == [path]
    assert [record.args[0] for record in caplog.records if record.args] == [path]
    assert kept.graph.modules[path] is None
    kept.graph.add_roots([tmp_path / "more"])  # also with a module that is none


def test_what_a_module_asked_for_is_news_once(tmp_path: Path) -> None:
    kept = Kept(tmp_path, {"layers.py": MAKES})
    kept.graph.news.clear()
    kept.graph.locate("layers", kept.main)
    assert list(kept.graph.news) == [kept.main.path]
    assert list(kept.graph.asked[kept.main.path]) == ["layers"]
    kept.graph.news.clear()
    kept.graph.locate("layers", kept.main)
    kept.graph.locate("layers")
    assert not kept.graph.news
    kept.graph.stub("somelib.thing", kept.main)
    assert len(kept.graph.asked[kept.main.path]) == 2
    kept.graph.stub("somelib.other", None)
    assert len(kept.graph.asked[kept.main.path]) == 2


def test_an_edit_lets_what_had_not_settled_be_looked_at_again(tmp_path: Path) -> None:
    kept = Kept(tmp_path, {})
    kept.graph.news.clear()
    block = kept.main.blocks[-1]
    block.memo.dirty = False
    kept.graph.not_converged.add(block)
    kept.open("main.py", MAIN)
    assert kept.graph.not_converged == {block}
    assert list(kept.graph.news) == [kept.main.path]
    kept.open("main.py", "x = 1\n" + MAIN)
    assert not kept.graph.not_converged
    assert block.memo.dirty


LIBRARY = "from torch import nn\nclass Block(nn.Module): pass\ndef make(): return nn.ReLU()\n"


def test_stubs_of_packages(tmp_path: Path) -> None:
    kept = Kept(tmp_path, {})
    installed = kept.graph.installed
    kept.main = kept.open("main.py", "import somelib\nsomelib.make().train()\n")
    train = ["call torch.nn.Module.train <- somelib.make().train"]
    possible = kept.calls()
    assert possible != train
    assert installed.wanted() == ["somelib.make"]
    assert installed.wanted() == []
    assert installed.take({"somelib.make": LIBRARY})
    assert kept.calls() == train
    assert installed.stub("somelib.make") is installed.stub("somelib.make")
    assert not installed.take({"somelib.make": LIBRARY}), "nothing new"
    assert installed.take({"somelib.make": ""})
    assert kept.calls() == possible
    assert not installed.take({"somelib.other": ""}), "it says as little as before"
    assert installed.wanted() == []
    installed.forget()
    assert kept.calls() == possible
    assert installed.wanted() == ["somelib.make"], "it is asked for again"


def test_stubs_ask_for_nothing_themselves(tmp_path: Path) -> None:
    kept = Kept(tmp_path, {})
    kept.main = kept.open("main.py", "import somelib\nsomelib.make().train()\n")
    kept.graph.installed.take({"somelib.make": "import otherlib\ndef make(): return otherlib.thing()\n"})
    kept.calls()
    assert kept.graph.installed.wanted() == []


def test_what_is_forgotten_of_packages_is_gone(tmp_path: Path) -> None:
    kept = Kept(tmp_path, {})
    kept.main = kept.open("main.py", "import somelib\nsomelib.make().train()\n")
    kept.graph.installed.take({"somelib.make": LIBRARY})
    found = kept.calls()
    kept.graph.installed.forget()
    assert kept.calls() != found
    assert kept.graph.installed.stub("somelib.make") is None
    assert kept.graph.installed.stub("somelib.none") is None


def test_what_is_not_known_yet_is_asked_for_once(tmp_path: Path) -> None:
    installed = ProjectGraph(Catalog.load(), [tmp_path]).installed
    installed.stub("somelib.a")
    installed.take({"somelib.a": LIBRARY})
    assert installed.wanted() == []


WORTH_ASKING = {
    "somelib.make": True,
    "somelib": False,
    "os.path": False,
    "numpy.zeros": False,
    "copy.copy": False,
    "einops.rearrange": False,
    "einops.other": True,
}


@pytest.mark.parametrize(("dotted", "expected"), WORTH_ASKING.items())
def test_whether_a_name_is_worth_asking_for(dotted: str, expected: bool) -> None:
    graph = ProjectGraph(Catalog.load())
    assert graph.installed.may_hold_torch(dotted, None) == expected
    main = graph.set_document("/p/main.py", "main", Document.open("/p/main.py", ""))
    assert graph.installed.may_hold_torch(dotted, main) == expected
    graph.installed.take({"somelib.x": LIBRARY})
    assert not graph.installed.may_hold_torch(dotted, graph.installed.stub("somelib.x"))


LISTS = {
    '__all__ = ["make", "other"]\n': {"make", "other"},
    "__all__ = [\n    'make',  # \"not this\"\n    'other',\n]\n": {"make", "other"},
    "__all__ = []\n": set(),
    '__all__ = ["make"] + more\n': None,
    '__all__ = ["ma" "ke"]\n': None,
    '__all__ = ["make"]\n__all__ += ["other"]\n': None,
    '"""\n__all__ = ["make"]\n"""\n': None,
    "'''\n__all__ = []\n'''\n": None,
    'if make:\n    __all__ = ["make"]\n': None,
    '__all__ = ("make", "other")\n': None,
    "": None,
}


@pytest.mark.parametrize(("text", "expected"), LISTS.items())
def test_a_plain_list_of_exports_is_read_from_the_text(
    text: str, expected: set[str] | None, tmp_path: Path
) -> None:
    """What the text says is what the module says once it is lowered; what is no plain list is lowered."""
    text += "def make(): ...\ndef other(): ...\ndef third(): ...\n"
    kept = Kept(tmp_path, {"layers.py": text})
    path = kept.path("layers.py")
    names = ("make", "other", "third", "_own")
    may = [kept.graph.may_export(path, name) for name in names]
    assert (path in kept.graph.modules) is False
    assert may == [expected is None or name in expected for name in names]
    module = kept.graph.module(path)
    assert module is not None
    if expected is not None:
        assert may == [module.exports(name) for name in names]


def test_star_imports_read_only_files_that_export_the_name(tmp_path: Path) -> None:
    files = {f"part{number}.py": f'__all__ = ["made{number}"]\nmade{number} = 1\n' for number in range(9)}
    stars = "".join(f"from part{number} import *\n" for number in range(9))
    kept = Kept(tmp_path, {**files, "layers.py": f'{MAKES}{stars}__all__ = ["make"]\n'})
    main = kept.open("main.py", "from layers import *\nmake(3)\n")
    assert shown(analyse(kept.evaluator, main))[-1] == RELU
    assert not [path for path in kept.graph.modules if "part" in Path(path).name]
    assert kept.graph.is_as_on_disk(kept.path("part3.py"))
    (tmp_path / "part3.py").write_text('__all__ = ["make"]\nfrom torch import nn\nmake = nn.GELU\n', "utf-8")
    assert not kept.graph.is_as_on_disk(kept.path("part3.py"))


STARS = {
    "pkg/__init__.py": "from .first import *\nfrom .second import *\n",
    "pkg/first.py": "from torch import nn\n__all__ = ['make']\nmake = nn.ReLU\n",
    "pkg/second.py": "from torch import nn\nother = nn.GELU\n",
}
FROM_STARS = "from pkg import make\nmake(3)\nfrom pkg import make as again\nagain(3)\n"


def test_a_name_is_looked_for_once_in_star_imports(tmp_path: Path) -> None:
    kept = Kept(tmp_path, STARS)
    kept.main = kept.open("main.py", FROM_STARS)
    package = kept.graph.module(kept.path("pkg/__init__.py"))
    assert package is not None
    asked: list[str] = []
    in_stars = kept.evaluator._in_stars
    kept.evaluator._in_stars = lambda module, name, *rest: asked.append(name) or in_stars(module, name, *rest)
    assert kept.calls() == [RELU, "call torch.nn.ReLU <- again"]
    assert asked.count("make") == 1
    assert list(package.lookups) == ["make"]


CHANGES_BEHIND_STARS = {
    "what it is": ("pkg/first.py", STARS["pkg/first.py"].replace("ReLU", "GELU"), "torch.nn.GELU"),
    "what is exported": ("pkg/first.py", STARS["pkg/first.py"].replace("'make'", ""), None),
    "a later one binds it": ("pkg/second.py", "from torch import nn\nmake = nn.SiLU\n", "torch.nn.SiLU"),
    "the package binds it": (
        "pkg/__init__.py",
        STARS["pkg/__init__.py"] + "import torch\nmake = torch.nn.Tanh\n",
        "torch.nn.Tanh",
    ),
    "no star import": ("pkg/__init__.py", "", None),
}


@pytest.mark.parametrize("name", CHANGES_BEHIND_STARS)
def test_what_changes_behind_star_imports_is_noticed(name: str, tmp_path: Path) -> None:
    kept = Kept(tmp_path, STARS)
    kept.main = kept.open("main.py", FROM_STARS)
    path, text, expected = CHANGES_BEHIND_STARS[name]
    assert kept.calls() == [RELU, "call torch.nn.ReLU <- again"]
    kept.open(path, text, "pkg" if path.endswith("__init__.py") else None)
    found = [f"call {expected} <- make", f"call {expected} <- again"] if expected else []
    assert kept.calls() == found
    kept.open(path, STARS[path], "pkg" if path.endswith("__init__.py") else None)
    assert kept.calls() == [RELU, "call torch.nn.ReLU <- again"]


def test_a_module_that_comes_behind_star_imports_is_noticed(tmp_path: Path) -> None:
    kept = Kept(tmp_path, {"pkg/__init__.py": "from .first import *\n"})
    kept.main = kept.open("main.py", FROM_STARS)
    assert kept.calls() == []
    write(tmp_path, {"pkg/first.py": STARS["pkg/first.py"]})
    kept.graph.forget(kept.path("pkg/first.py"))
    assert kept.calls() == [RELU, "call torch.nn.ReLU <- again"]


def test_names_that_were_typed_are_not_looked_up_for_ever(tmp_path: Path) -> None:
    kept = Kept(tmp_path, STARS)
    for number in range(1500):
        kept.main = kept.open("main.py", f"from pkg import *\nmake_{number}(3)\n")
        kept.calls()
    assert len(kept.main.lookups) <= 501
    kept.main = kept.open("main.py", "from pkg import *\nmake(3)\n")
    assert kept.calls() == [RELU]


@pytest.mark.parametrize(
    ("listed", "is_torch"),
    [
        ("", True),
        ("__all__ = ['Normal']\n", False),
        ("__all__ = ['Normal']\n__all__ = sorted(__all__)\n", False),
    ],
)
def test_a_module_called_torch_exports_torch_only_where_it_lists_nothing(
    listed: str, is_torch: bool, tmp_path: Path
) -> None:
    text = "import pkg.torch\npkg.torch.relu(3)\npkg.torch.Normal.eval(3)\n"
    normal = f"import torch\n{listed}class Normal(torch.nn.Module):\n    pass\n"
    kept = Kept(tmp_path, {"pkg/__init__.py": "from pkg.torch import *\n", "pkg/torch.py": normal})
    kept.main = kept.open("main.py", text)
    assert kept.calls() == (
        ["call torch.relu <- pkg.torch.relu", "call torch.Normal.eval <- pkg.torch.Normal.eval"]
        if is_torch
        else ["call torch.nn.Module.eval <- pkg.torch.Normal.eval"]
    )
