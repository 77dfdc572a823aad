"""The examples of docs/development/adding.md, in a copy of the tree."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from lsp_client import LspClient

pytestmark = pytest.mark.slow  # each builds the index of its copy
ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "development" / "adding.md"
COPIED = ("server", "scripts", "vscode-client", "pycharm-bridge", "docs")
NOT_COPIED = shutil.ignore_patterns("node_modules", "out", "dist", "bundled", ".vscode-test")
NEW = re.compile(r"# new file (\S+)\n")
INSIDE = re.compile(r'(?:#|//) in (\S+), before "(.*)"\n')
BLOCK = re.compile(r"```(?:python|jsonc)\n(.*?)```", re.S)


def sections() -> dict[str, list[str]]:
    """The blocks of code below each heading."""
    parts = re.split(r"^## (.*)\n", PAGE.read_text("utf-8"), flags=re.M)
    blocks = {name: BLOCK.findall(text) for name, text in zip(parts[1::2], parts[2::2], strict=True)}
    return {name: found for name, found in blocks.items() if found}


def edit(tree: Path, block: str) -> Path:
    """Do what a block says; the file that it is about."""
    new, inside = NEW.match(block), INSIDE.match(block)
    if new is not None:
        path = tree / new[1]
        assert not path.exists()
        path.write_text(block[new.end() :], encoding="utf-8")
        return path
    assert inside is not None, block
    path, before = tree / inside[1], inside[2].replace("\\n", "\n")
    text = path.read_text("utf-8")
    assert text.count(before) == 1, (path, before)
    path.write_text(text.replace(before, block[inside.end() :] + before), encoding="utf-8")
    return path


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the tree, but for what the examples do not touch."""
    for name in COPIED:
        shutil.copytree(ROOT / name, tmp_path / "tree" / name, ignore=NOT_COPIED)
    (tmp_path / "tree" / "mapping_data").symlink_to(ROOT / "mapping_data")
    return tmp_path / "tree"


def environment(tree: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(tree / "server")}


def run(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=tree, env=environment(tree), capture_output=True, text=True, check=False
    )


def followed(tree: Path, name: str, files: int) -> None:
    """Follow the example of a section, which takes so many files."""
    assert len({edit(tree, block) for block in sections()[name]}) == files


def test_a_correspondence_is_one_file(tree: Path) -> None:
    (tree / "mapping_data").unlink()
    shutil.copytree(ROOT / "mapping_data", tree / "mapping_data")
    followed(tree, "A correspondence", files=1)
    done = run(tree, "-m", "mindport", "mapping", "check")
    assert done.returncode == 0, done.stdout
    name = "torch.distributions.utils.logits_to_probs"
    assert (
        "No problems in the mapping data.\nNot run yet: 1." in done.stdout and f"  {name} → " in done.stdout
    )
    call = "import torch\n\np = torch.distributions.utils.logits_to_probs(torch.ones(2))\n"
    (tree / "a.py").write_text(call, encoding="utf-8")
    for device in ("ascend", "cpu"):
        done = run(tree, "-m", "mindport", "scan", "a.py", "--format", "json", "--device", device)
        [found] = [use for use in json.loads(done.stdout)["files"][0]["uses"] if use["api"] == name]
        assert (found["status"], found["code"], found["fix"]) == ("equivalent", "MP103", "review")
        done = run(tree, "-m", "mindport", "explain", name, "--device", device)
        assert "never run against PyTorch" in done.stdout
    assert "not been tested on CPU: check the result" in found["message"]
    done = run(tree, "-m", "mindport", "convert", "a.py", "--diff", "--unsafe")
    assert "+p = mint.nn.functional.softmax(mint.ones((2,)), dim=-1)\n" in done.stdout
    for script in ("reference_pages", "verification_page"):
        assert run(tree, f"scripts/{script}.py").returncode == 0
    page = (tree / "docs" / "verified" / "en.md").read_text("utf-8")
    assert f"## Not run yet: new, or changed since the last run (1)\n\n`{name}`\n" in page


def test_a_setting_is_one_file(tree: Path) -> None:
    followed(tree, "A setting", files=1)
    assert run(tree, "scripts/settings_files.py").returncode == 0
    manifest = json.loads((tree / "vscode-client" / "package.json").read_text("utf-8"))
    assert manifest["contributes"]["configuration"]["properties"]["mindport.greeting"]["default"] == "short"
    for path in ("docs/settings.zh-CN.md", "pycharm-bridge/lsp4ij/settings.schema.json"):
        assert "mindport 的问候方式" in (tree / path).read_text("utf-8")
    (tree / "a.py").write_text("import torch\n", encoding="utf-8")
    (tree / "pyproject.toml").write_text('[tool.mindport]\ngreeting = "long"\n', encoding="utf-8")
    done = run(tree, "-m", "mindport", "scan", "a.py")
    assert (done.returncode, done.stderr) == (0, "")
    done = run(tree, "-m", "mindport", "scan", "a.py", "--greeting", "loud")
    assert (
        done.returncode == 2
        and 'Invalid value "loud" for --greeting: expected "short" or "long"' in done.stderr
    )


def test_a_command_is_one_file_and_one_line(tree: Path) -> None:
    followed(tree, "A command", files=2)
    done = run(tree, "-m", "mindport", "greet", "you", "--times=2", "--language", "zh-cn")
    assert (done.stdout, done.returncode) == ("你好，you\n" * 2, 0)
    assert "--times N" in run(tree, "-m", "mindport", "greet", "--help").stdout
    assert "Greet somebody." in run(tree, "-m", "mindport", "--help").stdout
    assert "Missing argument: NAME" in run(tree, "-m", "mindport", "greet").stderr


def test_a_rule_is_one_file(tree: Path) -> None:
    followed(tree, "A rule", files=1)
    (tree / "a.py").write_text("import torch\n\nx = torch.lobpcg(a)\n", encoding="utf-8")
    done = run(tree, "-m", "mindport", "scan", "a.py")
    assert "error MP399 `torch.lobpcg` has to be computed elsewhere." in done.stdout
    assert run(tree, "-m", "mindport", "explain", "MP399").returncode == 0
    assert run(tree, "scripts/rule_pages.py").returncode == 0
    assert (tree / "docs" / "rules" / "zh-cn" / "MP399.md").is_file()


def test_a_rule_about_functions_is_one_file(tree: Path) -> None:
    followed(tree, "A rule about functions or classes", files=1)
    net = "from torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        if x.sum() > 0:\n"
    (tree / "a.py").write_text(f"{net}            return x\n        return -x\n", encoding="utf-8")
    done = run(tree, "-m", "mindport", "scan", "a.py")
    assert "a.py:6:12: warning MP499 `x.sum() > 0` is a Tensor: in graph mode" in done.stdout
    done = run(tree, "-m", "mindport", "scan", "a.py", "--format", "json", "--language", "zh-cn")
    [found] = [use for use in json.loads(done.stdout)["files"][0]["uses"] if use["code"] == "MP499"]
    assert (found["kind"], found["api"], found["certainty"]) == ("function", "torch.nn.Module", "likely")
    assert found["message"].startswith("`x.sum() > 0` 是 Tensor")
    assert run(tree, "-m", "mindport", "explain", "MP499").returncode == 0
    assert_examples_hold(tree, "test_rules.py", "MP499")


def assert_examples_hold(tree: Path, tests: str, name: str) -> None:
    """The project's own tests of what is in a folder pass for what was added to it."""
    for folder in ("findings.py", "assess"):
        source, target = ROOT / "tests" / folder, tree / "tests" / folder
        if source.is_dir():
            shutil.copytree(source, target, ignore=NOT_COPIED)
        else:
            target.parent.mkdir()
            shutil.copy(source, target)
    paths = {"PYTHONPATH": os.pathsep.join([str(tree / "server"), str(tree / "tests")])}
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-c",
            "/dev/null",
            "--rootdir",
            ".",
            "tests/assess/" + tests,
            "-k",
            name,
        ],
        cwd=tree,
        env={**os.environ, **paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_a_rewrite_of_structure_is_one_file(tree: Path) -> None:
    followed(tree, "A rewrite of structure", files=1)
    (tree / "a.py").write_text("import torch\n\nnet = torch.nn.DataParallel(net)\n", encoding="utf-8")
    done = run(tree, "-m", "mindport", "convert", "a.py", "--diff", "--unsafe")
    assert "-net = torch.nn.DataParallel(net)\n" in done.stdout and "+net = net\n" in done.stdout
    assert run(tree, "scripts/rule_pages.py").returncode == 0
    page = (tree / "docs" / "rules" / "zh-cn" / "MP102.md").read_text("utf-8")
    assert "## 去掉包装\n" in page
    assert_examples_hold(tree, "test_structures.py", "wrapper")


def test_a_kind_of_knowledge(tree: Path) -> None:
    (tree / "mapping_data").unlink()
    shutil.copytree(ROOT / "mapping_data", tree / "mapping_data")
    text = "import itertools\nimport torch\n\nfor a, b in itertools.pairwise(torch.ones(4).split(1)):\n    b.view(a)\n"
    (tree / "a.py").write_text(text, encoding="utf-8")

    def certainty() -> str:
        done = run(tree, "-m", "mindport", "scan", "a.py", "--format", "json", "--no-cache")
        uses = json.loads(done.stdout)["files"][0]["uses"]
        [found] = [use["certainty"] for use in uses if use["api"] == "torch.Tensor.view"]
        return str(found)

    assert certainty() == "possible"
    followed(tree, "A kind of knowledge about code", files=2)
    assert certainty() == "certain"
    assert run(tree, "-m", "mindport", "mapping", "check").returncode == 0


def test_a_report_format_is_two_files(tree: Path) -> None:
    followed(tree, "A report format", files=2)
    (tree / "a.py").write_text("import torch\n\nx = torch.lobpcg(a)\ny = )\n", encoding="utf-8")
    done = run(tree, "-m", "mindport", "scan", "a.py", "--format", "github")
    assert (done.returncode, done.stderr) == (0, "")
    finding, problem = done.stdout.splitlines()
    assert finding.startswith("::error file=a.py,line=3,col=5::MP301: ")
    assert problem.startswith("::warning file=a.py,line=4,col=")
    done = run(tree, "-m", "mindport", "scan", "a.py", "--format", "none")
    assert done.returncode == 2 and "text / json / html / csv / github / sarif" in done.stderr
    environment_of_help = {**environment(tree), "COLUMNS": "200"}
    command = [sys.executable, "-m", "mindport", "scan", "--help", "--language", "zh-cn"]
    done = subprocess.run(
        command, cwd=tree, env=environment_of_help, capture_output=True, text=True, check=False
    )
    assert "text、json、html、csv、github 或 sarif" in done.stdout


def test_a_request_is_two_files(tree: Path) -> None:
    followed(tree, "A request of the language server", files=2)
    command = [sys.executable, "-m", "mindport", "serve", "--stdio"]
    client = LspClient.launch(command, tree, environment(tree))
    client.start({}, {"language": "zh-cn"})
    client.open("untitled:a", "import torch\ntorch.ones(2)\n")
    assert client.wait_for_diagnostics("untitled:a", 1)
    assert client.request("mindport/greeting", {}) == {"greeting": "你好"}
    assert client.stop() == 0
