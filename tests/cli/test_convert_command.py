"""`mindport convert`: where the result goes, what stays as it is, and what is told."""

from __future__ import annotations

import json
import stat
import subprocess
from pathlib import Path

import pytest

SOURCE = """import torch
from torch import nn  # layers 层


def build(width: int):
    return nn.Linear(width, 4), torch.cat([torch.zeros(1, 2), torch.ones(1, 2)])  # 🙂
"""
CONVERTED = """from mindspore import mint
from mindspore.mint import nn
# layers 层


def build(width: int):
    return nn.Linear(width, 4), mint.cat([mint.zeros((1, 2)), mint.ones((1, 2))])  # 🙂
"""
PLAIN = "import numpy\r\n\r\nx = numpy.zeros(3)\r\n"


@pytest.fixture
def tree(mindport):
    """A small project, as bytes by path."""
    mindport.write("pkg/model.py", SOURCE)
    mindport.write("pkg/plain.py", PLAIN)
    mindport.write("pkg/data.json", "{}")
    return mindport


def contents(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--diff", "--in-place"),
        ("-o", "out", "--diff"),
        ("-o", "out", "--in-place"),
        ("--in-place", "--force"),
        ("-o", "pkg"),
        ("-o", "./pkg/../pkg"),
        ("-o", "pkg/data.json"),
    ],
)
def test_options_that_do_not_go_together(tree, options):
    before = contents(tree.folder)
    result = tree("convert", "pkg", *options)
    assert result.code == 2 and "error:" in result.err and "Traceback" not in result.err
    assert contents(tree.folder) == before


def test_options_that_exclude_each_other_are_named(tree):
    result = tree("convert", "pkg", "--diff", "-o", "out")
    assert "--diff, -o cannot be combined" in result.err and "--diff only shows" in result.err
    assert (
        "--diff、-o 不能同时使用" in tree("convert", "pkg", "--diff", "-o", "out", "--language", "zh-cn").err
    )


def test_a_diff_changes_nothing_and_can_be_applied(tree):
    before = contents(tree.folder)
    result = tree("convert", "pkg", "--diff")
    assert contents(tree.folder) == before and "\x1b" not in result.out
    assert result.out.startswith("--- pkg/model.py\n+++ pkg/model.py\n@@ ")
    (tree.folder / "all.diff").write_bytes(result.out.encode())
    subprocess.run(["git", "apply", "-p0", "all.diff"], cwd=tree.folder, check=True)
    after = contents(tree.folder)
    assert after["pkg/plain.py"] == PLAIN.encode()
    tree.write("pkg/model.py", SOURCE)
    assert tree("convert", "pkg", "--in-place").code == 0
    assert after["pkg/model.py"] == (tree.folder / "pkg/model.py").read_bytes()


def test_in_place(tree):
    path = tree.folder / "pkg/model.py"
    path.chmod(0o754)
    result = tree("convert", "pkg", "--in-place")
    assert result.code == 0
    assert path.read_text(encoding="utf-8") == CONVERTED
    assert stat.S_IMODE(path.stat().st_mode) == 0o754
    assert contents(tree.folder).keys() == {"pkg/model.py", "pkg/plain.py", "pkg/data.json"}
    assert (tree.folder / "pkg/plain.py").read_bytes() == PLAIN.encode()
    assert "changed: 1" in result.out
    assert "changed: 0" in tree("convert", "pkg", "--in-place").out


def test_into_a_folder(tree):
    tree.write("pkg/inner/gbk.py", "# -*- coding: gbk -*-\nname = '花'\n".encode("gbk"))
    (tree.folder / "pkg/plain.py").chmod(0o755)
    before = contents(tree.folder / "pkg")
    result = tree("convert", "pkg", "-o", "out/new")
    assert result.code == 0
    assert contents(tree.folder / "pkg") == before
    after = contents(tree.folder / "out/new")
    del before["data.json"]
    assert after == {**before, "model.py": CONVERTED.encode()}
    assert stat.S_IMODE((tree.folder / "out/new/plain.py").stat().st_mode) == 0o755
    assert "pkg/data.json" in result.err and "Not copied" in result.err


def test_another_file_in_the_folder_stays_unless_forced(tree):
    theirs = tree.write("out/model.py", "theirs = 1\n")
    result = tree("convert", "pkg", "-o", "out")
    assert result.code == 2 and "--force" in result.err and "not written: 1" in result.out
    assert theirs.read_text(encoding="utf-8") == "theirs = 1\n"
    assert (tree.folder / "out/plain.py").read_bytes() == PLAIN.encode()
    result = tree("convert", "pkg", "-o", "out", "--force")
    assert "--force" not in result.err and theirs.read_text(encoding="utf-8") == CONVERTED
    assert "--force" not in tree("convert", "pkg", "-o", "out").err  # the same is there


def test_the_output_of_an_earlier_run_is_not_converted(tree):
    tree("convert", ".", "-o", "out")
    once = contents(tree.folder)
    result = tree("convert", ".", "-o", "out")
    assert contents(tree.folder) == once and "Files: 2;" in result.out
    assert "Files: 2;" in tree("convert", "out", "-o", "out2").out


def test_several_paths_keep_their_places(tree):
    tree.write("main.py", SOURCE)
    assert tree("convert", "main.py", "pkg", "-o", "../out").code == 0
    assert set(contents(tree.folder.parent / "out")) == {"main.py", "pkg/model.py", "pkg/plain.py"}


def test_no_way_leads_into_the_source(tree):
    tree.write("other/pkg/a.py", "a = 1\n")
    (tree.folder / "out").mkdir()
    (tree.folder / "out/model.py").symlink_to(tree.folder / "pkg/model.py")
    result = tree("convert", "pkg", "-o", "out", "--force")
    assert "--in-place" in result.err
    assert (tree.folder / "pkg/model.py").read_text(encoding="utf-8") == SOURCE
    assert (tree.folder / "out/model.py").is_symlink()


def test_links(tree):
    outside = tree.write("outside.py", SOURCE)
    (tree.folder / "pkg/link.py").symlink_to(outside)
    (tree.folder / "pkg/inner.py").symlink_to("model.py")
    result = tree("convert", "pkg", "--in-place")
    assert result.code == 0 and outside.read_text(encoding="utf-8") == SOURCE
    assert (tree.folder / "pkg/inner.py").is_symlink() and (tree.folder / "pkg/link.py").is_symlink()
    assert (tree.folder / "pkg/model.py").read_text(encoding="utf-8") == CONVERTED
    tree("convert", "pkg/link.py", "--in-place")
    assert outside.read_text(encoding="utf-8") == CONVERTED and (tree.folder / "pkg/link.py").is_symlink()


def test_what_cannot_be_read_is_told_and_the_rest_goes_on(tree):
    tree.write("pkg/bad.py", b"import torch\nx = '\xff'\n")
    tree.write("pkg/broken.ipynb", "{")
    (tree.folder / "pkg/nowhere.py").symlink_to("missing.py")
    result = tree("convert", "pkg", "missing", "-o", "../out")
    assert result.code == 2
    for name in ("pkg/bad.py", "pkg/broken.ipynb", "pkg/nowhere.py", "missing"):
        assert f"warning: {name}: " in result.err
    after = contents(tree.folder.parent / "out")
    assert after["pkg/bad.py"] == (tree.folder / "pkg/bad.py").read_bytes() and "pkg/nowhere.py" not in after
    assert after["pkg/model.py"] == CONVERTED.encode() and "not converted: 4" in result.out
    assert tree("convert", "missing", "--diff").code == 2


def test_a_read_only_file_stays(tree):
    (tree.folder / "pkg/model.py").chmod(0o444)
    result = tree("convert", "pkg", "--in-place")
    assert "read-only" in result.err and "not written: 1" in result.out and result.code == 2
    assert (tree.folder / "pkg/model.py").read_text(encoding="utf-8") == SOURCE


def test_a_folder_that_cannot_be_made(tree):
    tree.write("out/inner", "a file")
    tree.write("pkg/inner/a.py", SOURCE)
    result = tree("convert", "pkg", "-o", "out")
    assert "Cannot write out/inner/a.py" in result.err
    assert (tree.folder / "out/model.py").read_text(encoding="utf-8") == CONVERTED


@pytest.mark.parametrize(
    ("start", "newline", "encoding"),
    [
        ("\ufeff", "\r\n", "utf-8"),
        ("# coding: gbk\n# 注释\n", "\n", "gbk"),
        ("", "\r", "utf-8"),
        ("", "\r\n", "utf-8"),
    ],
)
def test_encoding_mark_and_line_ends_stay(mindport, start, newline, encoding):
    text = f'{start}import torch\n\nx = torch.cat([a, b])  # 合并\ny = """\n\t多行"""'
    path = mindport.write("a.py", text.replace("\n", newline).encode(encoding))
    assert mindport("convert", "a.py", "--in-place").code == 0
    expected = text.replace("import torch\n", "from mindspore import mint\n").replace("torch.cat", "mint.cat")
    assert path.read_bytes() == expected.replace("\n", newline).encode(encoding)


def test_a_character_that_the_encoding_lacks_is_no_reason_to_stop(mindport):
    text = "# coding: ascii\nimport torch\nx = torch.cat([a, b])\n"
    path = mindport.write("a.py", text)
    mindport("convert", "a.py", "--in-place")
    assert "mint.cat" in path.read_text(encoding="ascii")


def test_a_notebook(mindport):
    cell = {
        "cell_type": "code",
        "metadata": {},
        "outputs": [],
        "source": ["%matplotlib inline\n", "import torch\n", "x = torch.cat([a, b])  # 合并"],
    }
    text = {
        "cells": [{"cell_type": "markdown", "metadata": {}, "source": "torch.cat"}, cell],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    source = json.dumps(text, ensure_ascii=False, indent=1)
    path = mindport.write("a.ipynb", source)
    mindport("convert", "a.ipynb", "--in-place")
    expected = source.replace("import torch\\n", "from mindspore import mint\\n").replace(
        "x = torch.cat", "x = mint.cat"
    )
    assert path.read_text(encoding="utf-8") == expected


def test_the_summary_tells_outcomes_apart(mindport):
    mindport.write(
        "a.py",
        "import torch\n\n\ndef f(x: torch.Tensor, anything):\n"
        "    y = torch.cat([x, x])\n"
        "    z = torch.nn.functional.gelu(x)\n"
        "    torch.cuda.memory_snapshot()\n"
        "    return anything.masked_fill(1, 2), y, z, torch.empty(3)\n",
    )
    for language, words in (
        (
            "en",
            (
                "verified at run time",
                "signature checked",
                "not converted, need review",
                "no equivalent",
                "unknown type",
            ),
        ),
        ("zh-cn", ("已运行验证", "已核对签名", "未转换，需检查", "无对应接口", "类型未知")),
    ):
        out = mindport("convert", "a.py", "--diff", "--language", language).err
        for word in words:
            [line] = [line for line in out.splitlines() if word in line]
            assert line.split()[0].isdigit()
    assert mindport("convert", "a.py", "--diff", "--exit-code").code == 1
    assert "masked_fill(1, 2)" in mindport("convert", "a.py", "--diff", "--unsafe").out.replace("+", "")


def test_unsafe_makes_the_changes_to_review(mindport):
    path = mindport.write(
        "a.py", "import torch\n\nx = torch.nn.Dropout(0.1)\ny = unknown.masked_fill(1, 2)\n"
    )
    assert "changed: 0" in mindport("convert", "a.py", "--in-place", "--target", "2.10").out
    result = mindport("convert", "a.py", "--in-place", "--unsafe")
    assert "1  converted, need review" in result.out
    assert "mint.nn.Dropout(0.1)" in path.read_text(encoding="utf-8")
    assert "unknown.masked_fill(1, 2)" in path.read_text(encoding="utf-8")


def test_exit_code(mindport):
    mindport.write("a.py", "import torch\nx = torch.cat([a, b])\n")
    assert mindport("convert", "a.py", "--diff").code == 0
    assert mindport("convert", "a.py", "--diff", "--exit-code").code == 1
    assert mindport("convert", "a.py", "--in-place", "--exit-code").code == 0
    assert mindport("convert", "a.py", "--diff", "--exit-code").code == 0


def test_a_file_that_changes_meanwhile_stays(mindport, monkeypatch):
    path = mindport.write("a.py", "import torch\nx = torch.cat([a, b])\n")
    from mindport.app import convert_file

    def meanwhile(found, unsafe, is_taken, parts):
        made = convert_file_convert(found, unsafe, is_taken, parts)
        path.write_text("x = 1\n", encoding="utf-8")
        return made

    convert_file_convert = convert_file.convert
    monkeypatch.setattr(convert_file, "convert", meanwhile)
    assert "changed during" in mindport("convert", "a.py", "--in-place").err
    assert path.read_text(encoding="utf-8") == "x = 1\n"


def test_a_result_that_does_not_parse_is_not_written(mindport, monkeypatch):
    path = mindport.write("a.py", "import torch\nx = torch.cat([a, b])\n")
    mindport.write("b.py", "x = (\nimport torch\ny = torch.cat([a, b])\n")
    from mindport.app import convert_file
    from mindport.rewrite.conversion import Conversion
    from mindport.rewrite.edit import Edit

    monkeypatch.setattr(convert_file, "convert", lambda *given: Conversion((Edit(0, 6, "import ("),), {}))
    result = mindport("convert", "a.py", "--in-place")
    assert "would not parse" in result.err
    assert path.read_text(encoding="utf-8") == "import torch\nx = torch.cat([a, b])\n"


ACTS = "import torch\n\n\ndef act(x):\n    return torch.abs(x)\n"


@pytest.mark.parametrize("paths", [("pkg",), ("pkg/acts.py",)])
def test_names_that_other_files_take_stay(mindport, paths):
    """Also where the other file is not converted."""
    mindport.write("pkg/__init__.py", "")
    acts = mindport.write("pkg/acts.py", ACTS)
    mindport.write("pkg/user.py", "from .acts import *\n\ny = torch.fx.Tracer()\n")
    assert mindport("convert", *paths, "--in-place", "--unsafe").code == 0
    assert acts.read_text() == ACTS.replace("torch.abs", "mint.abs").replace(
        "import torch\n", "import torch\nfrom mindspore import mint\n"
    )


def test_names_that_files_of_another_folder_take_stay(mindport):
    acts = mindport.write("one/acts.py", ACTS)
    mindport.write("two/main.py", "from acts import torch\n")
    assert mindport("convert", "one", "two", "--in-place", "--jobs", "2").code == 0
    assert acts.read_text().startswith("import torch\n")


WHOLE = "from torch import nn\n\n\ndef build(norm=nn.BatchNorm2d):\n    return norm(4)\n"


def test_a_whole_program_gets_its_helpers(mindport):
    mindport.write("pkg/__init__.py", "")
    mindport.write("pkg/inner/__init__.py", "")
    mindport.write("pkg/inner/model.py", WHOLE)
    mindport.write("train.py", "from torch import nn\n\nLAYER = nn.Conv2d\n")
    result = mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu")
    assert result.code == 0, result.err
    out = mindport.folder / "out"
    model = (out / "pkg/inner/model.py").read_text(encoding="utf-8")
    assert model.startswith("from .. import mindport_helpers as helpers\n") and "torch" not in model
    in_package = (out / "pkg/mindport_helpers.py").read_text(encoding="utf-8")
    beside = (out / "mindport_helpers.py").read_text(encoding="utf-8")
    assert "class BatchNorm2d" in in_package and "class Conv2d" not in in_package
    assert "class Conv2d" in beside and "class BatchNorm2d" not in beside
    assert not (mindport.folder / "pkg/mindport_helpers.py").exists()
    compile(in_package, "helpers", "exec")


def test_a_script_and_what_it_imports_share_their_helpers(mindport):
    mindport.write("models/__init__.py", "from .net import *\n")
    mindport.write("models/net.py", WHOLE)
    mindport.write("train.py", "from torch import nn\nfrom models import *\n\nLAYER = nn.Conv2d\n")
    result = mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu")
    assert result.code == 0, result.err
    out = mindport.folder / "out"
    assert not (out / "models/mindport_helpers.py").exists()
    helpers = (out / "mindport_helpers.py").read_text(encoding="utf-8")
    assert "class BatchNorm2d" in helpers and "class Conv2d" in helpers
    assert "import mindport_helpers as helpers\n" in (out / "models/net.py").read_text(encoding="utf-8")
    script = (out / "train.py").read_text(encoding="utf-8")  # the star would bring another `helpers`
    assert "import mindport_helpers as _helpers\n" in script and "LAYER = _helpers.Conv2d" in script


@pytest.mark.parametrize("added", ["os.path.join(HERE, 'models')", "f'{HERE}/models'", "HERE + '/models'"])
def test_a_script_shares_its_helpers_with_a_folder_that_it_puts_into_the_path(mindport, added):
    """What it imports from there may have a computed name; two modules of one name would hide each other."""
    mindport.write("models/net.py", WHOLE)
    mindport.write("models/deep/other.py", WHOLE)
    mindport.write(
        "train.py",
        "import importlib\nimport os\nimport sys\n\nfrom torch import nn\n\n"
        f"HERE = os.path.dirname(__file__)\nsys.path.append({added})\n"
        "net = importlib.import_module(sys.argv[1])\nLAYER = nn.Conv2d\n",
    )
    result = mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu")
    assert result.code == 0, result.err
    out = mindport.folder / "out"
    assert not (out / "models/mindport_helpers.py").exists()
    assert (out / "models/deep/mindport_helpers.py").exists()
    assert "class BatchNorm2d" in (out / "mindport_helpers.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("call", "settings"),
    [
        ("importlib.import_module('models.' + sys.argv[1])", ""),
        ("importlib.import_module(f'models.{sys.argv[1]}')", ""),
        ("hydra.utils.instantiate(load('c.json'))", '{"_target_": "models.net.Net", "file": "data.bin"}'),
        ("importlib.import_module(load('c.json')['net'])", '{"net": "models.net"}'),
    ],
)
def test_a_script_shares_its_helpers_with_what_it_imports_by_texts(mindport, call, settings):
    """Else its seed would not be that of the random numbers there."""
    mindport.write("models/__init__.py", "")
    mindport.write("models/net.py", WHOLE)
    mindport.write("data/__init__.py", "")
    mindport.write("data/sets.py", WHOLE)
    mindport.write("c.json", settings or "{}")
    mindport.write("train.py", f"import importlib\nimport torch\n\ntorch.manual_seed(1)\nnet = {call}\n")
    result = mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu")
    assert result.code == 0, result.err
    out = mindport.folder / "out"
    assert not (out / "models/mindport_helpers.py").exists()
    assert (out / "data/mindport_helpers.py").exists()
    assert "class BatchNorm2d" in (out / "mindport_helpers.py").read_text(encoding="utf-8")


def test_a_module_that_a_star_import_hands_on_has_what_is_asked_for_there(mindport):
    mindport.write("layers.py", "import torch.nn.functional as F\n\n\ndef up(x):\n    return F.relu(x)\n")
    mindport.write(
        "train.py",
        "import torch\nimport torch.nn.functional as F\nfrom layers import *\n\n\n"
        "def f(x):\n    return up(F.grid_sample(x, x))\n",
    )
    result = mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu")
    assert result.code == 0, result.err
    layers = (mindport.folder / "out/layers.py").read_text(encoding="utf-8")
    assert "F = helpers.namespace(" in layers and "grid_sample=helpers.grid_sample" in layers


def test_what_is_beside_the_folder_of_a_program_is_no_part_of_it(mindport):
    mindport.write("pkg/__init__.py", "from .models.net import build\n")
    mindport.write("pkg/models/net.py", WHOLE)
    mindport.write("pkg/models/tools/port.py", "import other\nfrom models.net import build\n")
    mindport.write("pkg/models/use.py", "from .tools.port import build\n")
    mindport.write("models/net.py", "")
    mindport.write("other/__init__.py", "")
    result = mindport("convert", "pkg", "-o", "out", "--whole", "--device", "cpu")
    assert result.code == 0, result.err
    assert [path.parent.name for path in mindport.folder.rglob("mindport_helpers.py")] == ["out"]
    net = (mindport.folder / "out/models/net.py").read_text(encoding="utf-8")
    assert net.startswith("from .. import mindport_helpers as helpers\n")


def test_a_method_that_another_module_holds_in_a_name_stays(mindport):
    """That module is converted, too, so the name means what became of the method there."""
    mindport.write(
        "reverse.py",
        "from torch.autograd import Function\n\n\nclass Reverse(Function):\n    @staticmethod\n"
        "    def forward(ctx, x):\n        return x\n\n\nreverse = Reverse.apply\n",
    )
    mindport.write("net.py", "import torch\nfrom reverse import reverse\n\nvalue = reverse(torch.ones(2))\n")
    assert mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu").code == 0
    out = mindport.folder / "out"
    assert "class Reverse(helpers.Function):" in (out / "reverse.py").read_text(encoding="utf-8")
    assert "value = reverse(" in (out / "net.py").read_text(encoding="utf-8")


def test_a_package_keeps_its_helpers_and_scripts_elsewhere_take_them_from_it(mindport):
    mindport.write("setup.py", "")
    mindport.write("pkg/__init__.py", "")
    mindport.write("pkg/net.py", WHOLE)
    mindport.write(
        "examples/train.py", "from torch import nn\nfrom pkg.net import build\n\nLAYER = nn.Conv2d\n"
    )
    mindport.write("examples/layers.py", "from torch import nn\n\nLAYER = nn.Conv2d\n")
    result = mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu")
    assert result.code == 0, result.err
    out = mindport.folder / "out"
    found = [path.relative_to(out).as_posix() for path in out.rglob("mindport_helpers.py")]
    assert found == ["pkg/mindport_helpers.py"]
    for name in ("train", "layers"):
        script = (out / f"examples/{name}.py").read_text(encoding="utf-8")
        assert "from pkg import mindport_helpers as helpers\n" in script
    assert "from . import mindport_helpers as helpers\n" in (out / "pkg/net.py").read_text(encoding="utf-8")


def test_a_package_with_a_module_of_its_own_name_keeps_its_helpers(mindport):
    mindport.write("net/__init__.py", "from net.net import build\n")
    mindport.write("net/net.py", WHOLE)
    mindport.write("net/onnx/__init__.py", "")
    mindport.write("net/export.py", "import onnx\nfrom net.net import build\n")
    mindport.write("net/other.py", "import onnx\nfrom .net import build\n")
    mindport.write("net/collections.py", "")
    mindport.write("net/inner/__init__.py", "")
    mindport.write("net/inner/counts.py", "from collections import Counter\n")
    mindport.write("train.py", "from torch import nn\n\nLAYER = nn.Conv2d\n")
    assert mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu").code == 0
    inner = (mindport.folder / "out/net/net.py").read_text(encoding="utf-8")
    assert inner.startswith("from . import mindport_helpers as helpers\n")


def test_a_package_without_a_file_of_its_own_has_its_helpers_by_its_name(mindport):
    mindport.write("spaced/net.py", WHOLE)
    mindport.write("spaced/build.py", "from spaced import net\n")
    assert mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu").code == 0
    net = (mindport.folder / "out/spaced/net.py").read_text(encoding="utf-8")
    assert net.startswith("from spaced import mindport_helpers as helpers\n")
    assert (mindport.folder / "out/spaced/mindport_helpers.py").is_file()


def test_a_script_within_a_package_that_it_imports_by_name_takes_the_helpers_by_name(mindport):
    """It is run beside its package, where an import by dots fails."""
    mindport.write("pkg/__init__.py", "")
    mindport.write("pkg/net.py", WHOLE)
    mindport.write("pkg/train.py", "from torch import nn\nfrom pkg.net import build\n\nLAYER = nn.Conv2d\n")
    mindport.write("pkg/tools.py", "from torch import nn\nfrom . import net\n\nLAYER = nn.Conv2d\n")
    assert mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu").code == 0
    script, tools, net = (
        (mindport.folder / f"out/pkg/{name}.py").read_text(encoding="utf-8")
        for name in ("train", "tools", "net")
    )
    assert "from pkg import mindport_helpers as helpers\n" in script
    assert "from . import mindport_helpers as helpers\n" in tools
    assert net.startswith("from . import mindport_helpers as helpers\n")


def test_folders_of_folders_without_files_of_packages_share_the_helpers_of_the_script(mindport):
    mindport.write("models/first/net.py", WHOLE)
    mindport.write("models/second/block.py", "from models.first.net import *\n" + WHOLE)
    mindport.write("train.py", "from models.second.block import *\nimport models.first.net\n" + WHOLE)
    assert mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu").code == 0
    out = mindport.folder / "out"
    assert [path.relative_to(out).as_posix() for path in out.rglob("mindport_h*")] == ["mindport_helpers.py"]
    for name in ("train.py", "models/first/net.py", "models/second/block.py"):
        assert "import mindport_helpers as " in (out / name).read_text(encoding="utf-8")


def test_a_folder_without_a_file_of_a_package_within_a_package_shares_the_helpers(mindport):
    """What is imported from it by its full name is a part of the package around it."""
    mindport.write("src/utils/__init__.py", "")
    mindport.write("src/utils/plots/grid.py", "from torchvision.utils import make_grid\nGRID = make_grid\n")
    mindport.write("src/main.py", "from utils.plots.grid import GRID\n" + WHOLE)
    assert mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu").code == 0
    out = mindport.folder / "out"
    assert [path.relative_to(out).as_posix() for path in out.rglob("mindport_h*")] == [
        "src/mindport_helpers.py"
    ]
    assert "\ndef make_grid(" in (out / "src/mindport_helpers.py").read_text(encoding="utf-8")


_ADDS_A_PATH = """import os.path as osp
import sys


def add_path(path):
    sys.path.insert(0, path)


here = osp.dirname(__file__)
lib_path = osp.join(here, {parts})
add_path(lib_path)
"""


def test_scripts_and_a_library_beside_them_that_they_put_into_the_path_share_the_helpers(mindport):
    mindport.write("tools/_init_paths.py", _ADDS_A_PATH.format(parts="'..', 'lib'"))
    mindport.write(
        "tools/train.py", "import torch\nimport _init_paths\nfrom core.loss import build\n" + WHOLE
    )
    mindport.write("lib/core/loss.py", "from models.net import build\n" + WHOLE)
    mindport.write("lib/models/__init__.py", "from .net import build\n")
    mindport.write("lib/models/net.py", WHOLE)
    assert mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu").code == 0
    out = mindport.folder / "out"
    assert [path.relative_to(out).as_posix() for path in out.rglob("mindport_h*")] == [
        "tools/mindport_helpers.py"
    ]
    for name in ("tools/train.py", "lib/core/loss.py", "lib/models/net.py"):
        assert "import mindport_helpers as " in (out / name).read_text(encoding="utf-8")


def test_a_library_that_other_scripts_import_as_well_shares_the_helpers_of_those_around_it(mindport):
    for folder, parts in (("", "'lib'"), ("tools/", "'..', 'lib'")):
        mindport.write(f"{folder}_init_paths.py", _ADDS_A_PATH.format(parts=parts))
        mindport.write(f"{folder}train.py", "import _init_paths\nfrom models.net import build\n" + WHOLE)
    mindport.write("lib/options.py", "")
    mindport.write("lib/models/net.py", "from .parts.block import build\n" + WHOLE)
    mindport.write("lib/models/parts/block.py", WHOLE)
    assert mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu").code == 0
    out = mindport.folder / "out"
    assert sorted(path.relative_to(out).as_posix() for path in out.rglob("mindport_h*")) == [
        "mindport_helpers.py",
        "tools/mindport_helpers.py",
    ]


def test_scripts_in_a_package_with_a_module_of_its_name_import_the_helpers_beside_them(mindport):
    mindport.write("flat/__init__.py", "")
    mindport.write("flat/flat.py", WHOLE)
    mindport.write("flat/utility/tests.py", WHOLE)
    mindport.write("flat/main.py", "from flat import build\nfrom utility.tests import build\n" + WHOLE)
    assert mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu").code == 0
    for name in ("main", "flat", "utility/tests"):
        lines = (mindport.folder / f"out/flat/{name}.py").read_text(encoding="utf-8").splitlines()
        assert any(line.startswith("import mindport_helpers as ") for line in lines), lines


def test_scripts_that_put_a_folder_around_them_into_the_path_late_have_the_helpers_beside_them(mindport):
    mindport.write("flatter.py", WHOLE)
    mindport.write("example/model/net.py", WHOLE)
    mindport.write(
        "example/train.py",
        'from model.net import build\nimport sys; sys.path.append("..")\nimport flatter\n' + WHOLE,
    )
    assert mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu").code == 0
    out = mindport.folder / "out"
    assert [path.relative_to(out).as_posix() for path in out.rglob("mindport_h*")] == [
        "example/mindport_helpers.py"
    ]


def test_a_library_with_the_name_of_the_file_that_imports_it_is_another(mindport):
    mindport.write("pkg/__init__.py", WHOLE)
    mindport.write("pkg/utils/__init__.py", "")
    mindport.write("pkg/utils/onnx.py", "import onnx\n" + WHOLE)
    assert mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu").code == 0
    found = [
        path.relative_to(mindport.folder / "out") for path in (mindport.folder / "out").rglob("mindport_h*")
    ]
    assert [path.as_posix() for path in found] == ["pkg/mindport_helpers.py"]


def test_a_whole_program_takes_its_data_along(mindport):
    mindport.write("pkg/__init__.py", WHOLE)
    mindport.write("pkg/data/table.json", "[1]")
    (mindport.folder / "pkg/large.bin").write_bytes(bytes(64_000_001))
    result = mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu")
    assert result.code == 0 and "pkg/large.bin" in result.err and "table.json" not in result.err
    copied = mindport.folder / "out/pkg/data/table.json"
    assert (
        copied.read_text(encoding="utf-8") == "[1]" and not (mindport.folder / "out/pkg/large.bin").exists()
    )
    copied.write_text("[2]", encoding="utf-8")
    assert mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu").code == 2
    assert copied.read_text(encoding="utf-8") == "[2]"  # somebody's own


CONFIGURATION = """# act: torch.nn.ReLU
act: {_target_: torch.nn.ReLU, text: as torch.nn.ReLU does, "other": 'torch.nn.GELU'}
items:
  - torch.optim.SGD
  - torch.no_such_name
"""


@pytest.mark.parametrize(
    ("folder", "module"),
    [("", "mindport_helpers"), ("pkg/", "pkg.mindport_helpers"), ("a/pkg/", "pkg.mindport_helpers")],
)
def test_a_whole_programs_configurations_name_what_takes_the_place_of_apis(
    mindport, folder: str, module: str
):
    if folder:
        mindport.write(f"{folder}__init__.py", "from .net import *\n")
    mindport.write(f"{folder}net.py", WHOLE)
    mindport.write(f"{folder}conf/net.yaml", CONFIGURATION)
    mindport.write(f"{folder}conf/plain.yaml", "torch: 2\n")
    assert mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu", "--style", "classic").code == 0
    converted = (mindport.folder / "out" / folder / "conf/net.yaml").read_text(encoding="utf-8")
    helped = CONFIGURATION.replace("{_target_: torch.nn", f"{{_target_: {module}").replace(
        "'torch.nn", f"'{module}"
    )
    assert converted == helped.replace("torch.optim", module)
    assert (mindport.folder / "out" / folder / "conf/plain.yaml").read_text(encoding="utf-8") == "torch: 2\n"
    helpers = (mindport.folder / "out" / folder / "mindport_helpers.py").read_text(encoding="utf-8")
    assert all(f"\nclass {name}" in helpers for name in ("ReLU", "GELU", "SGD"))
    again = mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu", "--style", "classic")
    assert again.code == 0, again.err


def test_texts_name_what_takes_the_place_of_apis_where_another_file_looks_them_up(mindport):
    mindport.write(
        "made.py", "import importlib\n\n\ndef made(name):\n    return importlib.import_module(name)\n"
    )
    mindport.write(
        "train.py",
        "import torch\n\noptions = dict(name='torch.optim.Adam', lr=1e-3)\nprint('torch.optim.Adam', torch.ones(2))\n",
    )
    assert mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu").code == 0
    converted = (mindport.folder / "out/train.py").read_text(encoding="utf-8")
    assert 'dict(name=f"{helpers.__name__}.Adam", lr=1e-3)' in converted
    assert "print('torch.optim.Adam'," in converted  # only a text
    assert "\nclass Adam(" in (mindport.folder / "out/mindport_helpers.py").read_text(encoding="utf-8")


def test_texts_that_are_run_may_name_members_of_a_module_that_another_file_has_imported(mindport):
    mindport.write("parts.py", "import torch.nn as nn\n\n\nclass Part(nn.Module):\n    pass\n")
    mindport.write(
        "net.py",
        "import torch\nfrom parts import *\n\n\nclass Net(nn.Module):\n    def __init__(self, kind):\n"
        "        super().__init__()\n        self.kind = eval(kind)\n",
    )
    assert mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu").code == 0
    parts = (mindport.folder / "out/parts.py").read_text(encoding="utf-8")
    assert "nn = helpers.namespace" not in parts and "nn = helpers." in parts
    assert "\nclass Upsample(" in (mindport.folder / "out/mindport_helpers.py").read_text(encoding="utf-8")


def test_configurations_in_other_encodings_and_of_other_kinds_stay(mindport):
    mindport.write("net.py", WHOLE)
    kept = {"latin.yaml": b"name: \xe9\nact: torch.nn.ReLU\n", "notes.txt": b"act: torch.nn.ReLU\n"}
    for name, content in kept.items():
        (mindport.folder / name).write_bytes(content)
    assert mindport("convert", ".", "--diff", "--whole", "--device", "cpu").code == 0
    assert mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu").code == 0
    for name, content in kept.items():
        assert (mindport.folder / "out" / name).read_bytes() == content


def test_configurations_are_shown_and_changed_in_place(mindport):
    mindport.write("net.py", WHOLE)
    mindport.write("net.toml", 'act = "torch.nn.ReLU"\r\n')
    shown = mindport("convert", ".", "--diff", "--whole", "--device", "cpu", "--style", "classic")
    assert shown.code == 0 and '+act = "mindport_helpers.ReLU"' in shown.out
    assert (
        mindport("convert", ".", "--in-place", "--whole", "--device", "cpu", "--style", "classic").code == 0
    )
    assert (mindport.folder / "net.toml").read_bytes() == b'act = "mindport_helpers.ReLU"\r\n'


def test_folders_without_a_file_of_a_package_within_one_belong_to_it(mindport):
    mindport.write("pkg/__init__.py", "from .models.net import *\n")
    mindport.write("pkg/models/net.py", WHOLE)
    mindport.write("pkg/models/inner/__init__.py", WHOLE)
    mindport.write("pkg/tools/run.py", WHOLE)
    assert mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu").code == 0
    out = mindport.folder / "out/pkg"
    assert (out / "models/net.py").read_text(encoding="utf-8").startswith("from .. import mindport_helpers")
    inner = (out / "models/inner/__init__.py").read_text(encoding="utf-8")
    assert inner.startswith("from ... import mindport_helpers")
    script = (out / "tools/run.py").read_text(encoding="utf-8")  # nothing imports it
    assert script.startswith("import mindport_helpers") and (out / "tools/mindport_helpers.py").is_file()


def test_a_folder_whose_modules_import_each_other_by_relative_names_is_a_package(mindport):
    mindport.write("model/net.py", "from .block import Block\n" + WHOLE)
    mindport.write("model/block.py", WHOLE + "\n\nclass Block(nn.Module):\n    pass\n")
    assert mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu").code == 0
    for name in ("net.py", "block.py"):
        text = (mindport.folder / "out/model" / name).read_text(encoding="utf-8")
        assert "from . import mindport_helpers" in text
    assert (mindport.folder / "out/model/mindport_helpers.py").is_file()
    mindport.write("train.py", "from model.net import Block\n" + WHOLE)
    assert mindport("convert", ".", "-o", "with", "--whole", "--device", "cpu").code == 0
    for name in ("model/net.py", "model/block.py", "train.py"):
        text = (mindport.folder / "with" / name).read_text(encoding="utf-8")
        assert "\nimport mindport_helpers" in f"\n{text}"
    assert (mindport.folder / "with/mindport_helpers.py").is_file()


def test_what_a_whole_program_leaves_stays_a_finding(mindport):
    text = "import torch\nfrom torch.fx import Tracer\n\n\ndef f(x):\n    return Tracer(), torch.qint8, isinstance(x, torch.fx.Node)\n"
    for name in ("pkg/__init__.py", "pkg/inner/__init__.py"):
        mindport.write(name, "")
    mindport.write("pkg/inner/a.py", text)
    mindport.write("b.py", text)
    converted = mindport("convert", ".", "-o", "out", "--whole", "--device", "cpu", "--exit-code")
    assert converted.code == 1 and "b.py: 3 without equivalent" in converted.out
    report = json.loads(mindport("scan", "out", "--format", "json", "--device", "cpu").out)
    found = {Path(file["path"]).name: [use["api"] for use in file["uses"]] for file in report["files"]}
    left = ["torch.fx.Tracer", "torch.qint8", "torch.fx.Node"]
    assert found["a.py"] == left and found["b.py"] == left
    again = mindport("convert", "out", "-o", "twice", "--whole", "--device", "cpu")
    assert "changed: 0" in again.out and "3 without equivalent" in again.out


def test_members_of_what_becomes_a_helper_are_not_left_over(mindport):
    mindport.write(
        "a.py",
        "from torchvision.models import ResNet18_Weights, resnet18\n\nweights = ResNet18_Weights.DEFAULT\n"
        "prepare = weights.transforms()\nmodel = resnet18(weights=weights)\n",
    )
    converted = mindport("convert", "a.py", "-o", "out", "--whole", "--device", "cpu")
    assert converted.code == 0 and "without equivalent" not in converted.out
    assert "helpers.resnet18(weights=weights)" in (mindport.folder / "out/a.py").read_text(encoding="utf-8")


def test_helpers_that_are_there_stay(mindport):
    mindport.write("a.py", "from torch import nn\n\nLAYER = nn.Conv2d\n")
    assert mindport("convert", ".", "--in-place", "--whole", "--device", "cpu").code == 0
    mindport.write("b.py", WHOLE)
    assert mindport("convert", ".", "--in-place", "--whole", "--device", "cpu").code == 0
    helpers = (mindport.folder / "mindport_helpers.py").read_text(encoding="utf-8")
    assert "class Conv2d" in helpers and "class BatchNorm2d" in helpers
    again = mindport("convert", ".", "--in-place", "--whole", "--device", "cpu")
    assert "changed: 0" in again.out
    assert (mindport.folder / "mindport_helpers.py").read_text(encoding="utf-8") == helpers


def test_the_diff_of_a_whole_program_shows_its_helpers(mindport):
    mindport.write("a.py", WHOLE)
    result = mindport("convert", "a.py", "--diff", "--whole", "--device", "cpu")
    assert "+class BatchNorm2d" in result.out and "mindport_helpers.py" in result.out
    assert not (mindport.folder / "mindport_helpers.py").exists()


def test_helpers_that_are_values_stay(mindport):
    mindport.write("a.py", "import torch\n\n\ndef f(x: torch.Tensor):\n    x.exp2_()\n")
    assert mindport("convert", ".", "--in-place", "--whole", "--device", "cpu").code == 0
    mindport.write("b.py", WHOLE)
    assert mindport("convert", ".", "--in-place", "--whole", "--device", "cpu").code == 0
    helpers = (mindport.folder / "mindport_helpers.py").read_text(encoding="utf-8")
    assert "exp2_ = in_place(" in helpers and "class BatchNorm2d" in helpers


def test_a_helper_that_was_changed_stays_and_is_told(mindport):
    mindport.write("a.py", "from torch import nn\n\nLAYER = nn.Conv2d\n")
    assert mindport("convert", ".", "--in-place", "--whole", "--device", "cpu").code == 0
    path = mindport.folder / "mindport_helpers.py"
    changed = path.read_text(encoding="utf-8").replace("class Conv2d(", "class Conv2d(  # mine\n    ")
    path.write_text(changed + "\n\ndef my_own():\n    return math\n", encoding="utf-8")
    mindport.write("b.py", WHOLE)
    result = mindport("convert", ".", "--in-place", "--whole", "--device", "cpu")
    after = path.read_text(encoding="utf-8")
    assert "# mine" in after and "def my_own" in after and "class BatchNorm2d" in after
    assert result.code == 0 and "Conv2d" in result.err and "kept, because they differ" in result.err
    compile(after, "helpers", "exec")
    again = mindport("convert", ".", "--in-place", "--whole", "--device", "cpu")
    assert path.read_text(encoding="utf-8") == after and "changed: 0" in again.out


def test_a_module_of_helpers_that_does_not_parse_stays(mindport):
    mindport.write("a.py", WHOLE)
    path = mindport.write("mindport_helpers.py", "def (\n")
    result = mindport("convert", ".", "--in-place", "--whole", "--device", "cpu")
    assert result.code == 2 and "does not parse" in result.err
    assert path.read_text(encoding="utf-8") == "def (\n"


def test_helpers_are_no_converted_files(mindport):
    mindport.write("a.py", WHOLE)
    result = mindport("convert", ".", "--in-place", "--whole", "--device", "cpu")
    assert "Files: 1; changed: 1;" in result.out and "helper modules: 1" in result.out
    result = mindport("convert", ".", "--in-place", "--whole", "--device", "cpu")
    assert "Files: 1; changed: 0;" in result.out and "helper modules" not in result.out


TWO_NETS = """import torch
from einops import rearrange
from torch import nn


class Head(nn.Module):
    def forward(self, x):
        return torch.relu(rearrange(x, "a b -> b a"))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = Head()

    def forward(self, x):
        return self.head(x)


class Other(nn.Module):
    def forward(self, x):
        return rearrange(x, "a b -> b a")
"""


def test_a_group_is_converted_and_the_rest_stays(mindport):
    mindport.write("pkg/__init__.py", "")
    mindport.write("pkg/nets.py", TWO_NETS)
    build = "from .nets import Net\n\n\ndef build():\n    return Net()\n"
    mindport.write("pkg/build.py", build)
    options = ("--device", "cpu", "--style", "classic")
    result = mindport("convert", ".", "-o", "out", "--group", "pkg.build:build", *options)
    assert result.code == 0, result.err
    text = (mindport.folder / "out/pkg/nets.py").read_text(encoding="utf-8")
    converted, _, other = text.partition("class Other")
    assert "class Head(helpers.Module)" in converted and "def construct" in converted
    assert 'helpers.rearrange(x, "a b -> b a")' in converted
    assert "from torch import nn" in converted and "from einops import rearrange" in converted
    assert other == TWO_NETS.partition("class Other")[2]
    helpers = (mindport.folder / "out/pkg/mindport_helpers.py").read_text(encoding="utf-8")
    assert "class Module" in helpers and "def rearrange" in helpers
    assert "converted: 1" in result.out
    result = mindport("convert", "pkg", "--diff", "--group", "nets:Other", *options)
    assert "+class Other(helpers.Module)" in result.out and "-class Net" not in result.out


def test_a_group_that_is_not_there(mindport):
    mindport.write("a.py", WHOLE)
    result = mindport("convert", ".", "--diff", "--group", "a:bild")
    assert result.code == 2 and "Did you mean a:build?" in result.err
    assert "--list-groups" in mindport("convert", ".", "--diff", "--group", "xyz").err
    assert mindport("convert", ".", "--diff", "--unsafe", "--group", "a:build").code == 2


def test_groups_are_listed(mindport):
    mindport.write("src/nets.py", TWO_NETS)
    mindport.write("pyproject.toml", "")
    mindport.write("tests/use.py", "from nets import Other\n")
    result = mindport("convert", "src", "--list-groups", "--device", "cpu", "--style", "classic")
    assert result.code == 0
    assert "nets.py: Head, Net\n" in result.out and "nets.py: Other\n" in result.out
    assert "used outside the given paths: tests/use.py" in result.out.replace("\\", "/")
    assert "Groups to convert together: 2; safe to convert: 0" in result.out
    chinese = mindport("convert", "src", "--list-groups", "--language", "zh-cn").out
    assert "须一起转换的组：2；可安全转换：0" in chinese


def test_what_others_use_outside_of_the_paths_is_told(mindport):
    mindport.write("src/nets.py", TWO_NETS)
    mindport.write("pyproject.toml", "")
    mindport.write("use.py", "from nets import Net\n")
    result = mindport("convert", "src", "--diff", "--group", "nets:Net", "--device", "cpu")
    assert "use.py" in result.err and "outside the given paths" in result.err


def test_without_options_a_group_is_converted_as_one_or_not_at_all(mindport):
    both = "import torch\n\n\ndef f(x: torch.Tensor):\n    return torch.abs(x)\n"
    other = both.replace("def f", "def g").replace("torch.abs(x)", "f(x), torch.fx.Tracer()")
    mindport.write("a.py", both)
    mindport.write("b.py", "from a import f\n" + other)
    assert "changed: 0" in mindport("convert", ".", "--in-place", "--device", "cpu").out
    mindport.write("b.py", other.replace("f(x), ", ""))
    assert "changed: 1" in mindport("convert", ".", "--in-place", "--device", "cpu").out
    assert "torch" not in (mindport.folder / "a.py").read_text(encoding="utf-8")


def test_without_options_a_fix_that_cannot_be_made_keeps_its_group(mindport):
    """A comment in the way of one of two changes: neither is made."""
    text = (
        "import torch\n\n\ndef f(x: torch.Tensor):\n    return torch.abs(x)\n\n\n"
        "def g(x: torch.Tensor):\n    return f(torch.cat((x, x), -1  # last\n    , out=None))\n"
    )
    path = mindport.write("a.py", text)
    options = ("--device", "cpu", "--style", "classic")
    assert "safe to convert: 1" in mindport("convert", "a.py", "--list-groups", *options).out
    assert "changed: 0" in mindport("convert", "a.py", "--in-place", *options).out
    assert path.read_text(encoding="utf-8") == text


LIBRARY = "import torch\nfrom torch import nn\n\n\nclass Twice(nn.Module):\n    def forward(self, x):\n        return torch.add(x, x)\n"


def test_libraries_are_converted_with_the_program_that_imports_them(mindport):
    mindport.write("libraries/nets/__init__.py", "from .twice import Twice\n")
    mindport.write("libraries/nets/twice.py", LIBRARY)
    mindport.write("libraries/nets/tests/test_twice.py", "import torch\n")
    mindport.write(
        "program/train.py", "import torch\nfrom nets import Twice\n\nprint(Twice()(torch.zeros(2)))\n"
    )
    mindport.write("program/data.json", "{}")
    options = ("-o", "out", "--whole", "--device", "cpu", "--with", "libraries/nets")
    result = mindport("convert", "program", *options)
    assert result.code == 0
    assert "nets/twice.py: " in result.out and "program/train.py: " in result.out
    found = contents(mindport.folder / "out")
    assert sorted(found) == [
        "data.json",
        "mindport_helpers.py",
        "nets/__init__.py",
        "nets/twice.py",
        "train.py",
    ]
    assert b"torch" not in found["train.py"] + found["nets/twice.py"]
    assert b"import mindport_helpers as helpers" in found["nets/twice.py"]
    again = mindport("convert", "program", *options)
    assert again.code == 0 and contents(mindport.folder / "out") == found


def test_a_library_that_is_converted_with_a_program_keeps_its_names_there(mindport):
    """What is compiled in it becomes a helper; and nobody is told to convert it, or one that is not there which
    only the library would use."""
    ops = (
        "import torch\n\n\ndef nms(boxes, scores, iou_threshold):\n"
        "    return torch.ops.torchvision.nms(boxes, scores, iou_threshold)\n"
    )
    mindport.write("libraries/torchvision/__init__.py", "from . import models, ops\n")
    mindport.write("libraries/torchvision/ops/__init__.py", "from .boxes import nms\n")
    mindport.write("libraries/torchvision/ops/boxes.py", ops)
    models = "import kornia\nimport torch\n\n\ndef get_model(name):\n    return kornia.net(torch.ones(2))\n"
    mindport.write("libraries/torchvision/models/__init__.py", models)
    uses = "import torch\nimport torchvision\n\nnet = torchvision.models.get_model('any')(torch.ones(2))\n"
    mindport.write("program/pack/__init__.py", "")
    mindport.write("program/pack/train.py", uses + "weights = torchvision.models.get_weight('any')\n")
    options = ("-o", "out", "--whole", "--device", "cpu", "--with", "libraries/torchvision")
    result = mindport("convert", "program", *options)
    found = contents(mindport.folder / "out")
    assert b"torchvision.models.get_model('any')" in found["pack/train.py"]
    assert b"torchvision.models.get_weight('any')" in found["pack/train.py"]
    assert found["torchvision/ops/boxes.py"].endswith(b"\n\nnms = helpers.nms\n")
    assert "--with" not in result.out


def test_a_library_that_is_not_there_is_told(mindport):
    mindport.write("a.py", "import torch\n")
    result = mindport("convert", "a.py", "-o", "out", "--whole", "--with", "not_there_at_all")
    assert result.code == 2 and "not_there_at_all" in result.err and "Traceback" not in result.err
    result = mindport("convert", "a.py", "-o", "out", "--with", "nets")
    assert result.code == 2 and "--whole" in result.err


def test_a_folder_that_is_taken_instead_of_an_installed_library_is_told(mindport, monkeypatch):
    mindport.write("a.py", "import torch\n")
    mindport.write("installed/nets/__init__.py", LIBRARY)
    mindport.write("nets/__init__.py", LIBRARY)
    installed = mindport.folder / "installed"
    monkeypatch.setattr("mindport.app.convert_libraries.package_folders", lambda python: (installed,))
    options = ("-o", "out", "--whole", "--device", "cpu", "--with")
    result = mindport("convert", "a.py", *options, "nets")
    assert result.code == 0
    assert str(installed / "nets") in result.err and str(mindport.folder / "nets") in result.err
    assert "installed" not in mindport("convert", "a.py", *options, "installed/nets").err


def test_libraries_that_could_be_converted_are_told(mindport):
    mindport.write("a.py", "import timm\n\nnet = timm.create_model('resnet18')\n")
    result = mindport("convert", "a.py", "-o", "out", "--whole", "--device", "cpu")
    assert "--with timm" in result.out
