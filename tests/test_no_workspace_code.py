"""No code of the folder that is looked at runs, in whatever documented way mindport is started: a folder is
full of what Python, its packages or mindport might run, and each of them would leave a mark."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from lsp_client import LspClient
from mindport.cli.main import main

ROOT = Path(__file__).resolve().parents[1]
BRIDGE = ROOT / "pycharm-bridge"
SECONDS = 180
"""No start takes longer, or something hangs."""

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="the programs planted are scripts of a shell"),
    pytest.mark.slow,
]

OF_PYTHON = [
    "abc",
    "argparse",
    "array",
    "ast",
    "asyncio",
    "base64",
    "bisect",
    "codecs",
    "collections",
    "concurrent",
    "contextlib",
    "copy",
    "csv",
    "ctypes",
    "dataclasses",
    "datetime",
    "difflib",
    "email",
    "encodings",
    "enum",
    "errno",
    "fcntl",
    "fnmatch",
    "functools",
    "gc",
    "glob",
    "gettext",
    "hashlib",
    "heapq",
    "html",
    "importlib",
    "inspect",
    "io",
    "ipaddress",
    "itertools",
    "json",
    "keyword",
    "linecache",
    "locale",
    "logging",
    "marshal",
    "math",
    "multiprocessing",
    "ntpath",
    "operator",
    "os",
    "pathlib",
    "pickle",
    "pkgutil",
    "platform",
    "posixpath",
    "queue",
    "random",
    "re",
    "reprlib",
    "resource",
    "runpy",
    "selectors",
    "shlex",
    "shutil",
    "signal",
    "site",
    "socket",
    "sqlite3",
    "ssl",
    "stat",
    "string",
    "struct",
    "subprocess",
    "sysconfig",
    "tempfile",
    "textwrap",
    "threading",
    "time",
    "token",
    "tokenize",
    "tomllib",
    "traceback",
    "types",
    "typing",
    "unittest",
    "urllib",
    "uuid",
    "venv",
    "warnings",
    "weakref",
    "webbrowser",
    "xml",
    "zipfile",
    "zipimport",
    "zlib",
]
OF_PACKAGES = [
    "attrs",
    "cattr",
    "cattrs",
    "click",
    "cloudpickle",
    "dask",
    "distributed",
    "jedi",
    "jinja2",
    "lsprotocol",
    "markdown_it",
    "markupsafe",
    "mindport",
    "mindspore",
    "msgpack",
    "numpy",
    "packaging",
    "parso",
    "pip",
    "platformdirs",
    "psutil",
    "pydantic",
    "pygls",
    "rich",
    "setuptools",
    "sitecustomize",
    "tblib",
    "tomli",
    "toolz",
    "torch",
    "tornado",
    "tree_sitter",
    "tree_sitter_python",
    "typing_extensions",
    "usercustomize",
    "yaml",
    "zict",
]


class Workspace:
    """A project in which everything leaves a mark that runs."""

    def __init__(self, folder: Path, marks: Path) -> None:
        self.folder = folder
        self._marks = marks
        code = f"open({str(marks)!r}, 'a').write(__file__ + '\\n')\n"
        for name in (*OF_PYTHON, *OF_PACKAGES):
            self._plant(f"{name}.py", code)
        self._plant("multiprocessing/__init__.py", code)
        self._plant("conftest.py", code)
        self._plant_weights("weights.pth")
        self._plant(
            "model.py", "import torch\nfrom jinja2 import Template\nx = Template().render(torch.ones(2))\n"
        )
        for number in range(40):  # enough for processes of their own
            self._plant(f"pkg/m{number}.py", "import torch\nx = torch.sin(1.0)\n")
        program = f"#!/bin/sh\necho $0 >> {shlex.quote(str(marks))}\nexec {shlex.quote(sys.executable)} $@\n"
        packages = f".venv/lib/python3.{sys.version_info.minor}/site-packages"
        for place in (".venv/bin", "bin", "."):
            for name in ("python", "python3", "mindport", "evil", "git", "jedi"):
                if not (folder / place / name).exists():
                    self._plant(f"{place}/{name}", program, 0o755)
        self._plant(".venv/pyvenv.cfg", f"home = {folder}/bin\ninclude-system-site-packages = false\n")
        for place in (".", packages):
            self._plant(
                f"{place}/evil.pth", f"import sys; exec({code.replace('__file__', repr('evil.pth'))!r})\n"
            )
        for name in ("sitecustomize", "usercustomize"):
            self._plant(f"{packages}/{name}.py", code)
        self._plant("pyproject.toml", '[tool.mindport]\npython = "./evil"\n')

    def _plant(self, name: str, content: str, mode: int = 0o644) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        path.chmod(mode)

    def _plant_weights(self, name: str) -> None:
        """A file of weights whose pickle names what is in `model.py`."""
        with zipfile.ZipFile(self.folder / name, "w") as archive:
            archive.writestr("weights/data.pkl", b"\x80\x02cmodel\nTemplate\n)R.")

    def what_ran(self) -> list[str]:
        """What has left a mark."""
        return self._marks.read_text().splitlines() if self._marks.exists() else []


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "project", tmp_path / "marks")


def script() -> str:
    """The command `mindport` as it is installed."""
    path = Path(sys.executable).with_name("mindport")
    if not path.exists():
        pytest.skip("mindport is not installed in this Python")
    return str(path)


def environment(workspace: Workspace, **others: str) -> dict[str, str]:
    """That of a user who has activated the project's environment, or whose editor has."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "VIRTUAL_ENV": str(workspace.folder / ".venv"), "BROWSER": "true", **others}


def run(workspace: Workspace, command: Sequence[str], **others: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=workspace.folder,
        env=environment(workspace, **others),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )


def test_what_is_planted_runs_where_python_is_started_carelessly(workspace: Workspace) -> None:
    """Else the other tests here could not fail."""
    run(workspace, [sys.executable, "-m", "mindport", "--version"])
    run(workspace, [str(workspace.folder / ".venv/bin/python"), "--version"])
    ran = workspace.what_ran()
    assert any(place.endswith(".py") for place in ran) and any("/.venv/" in place for place in ran)


COMMANDS = [
    "scan . --jobs 2 --no-cache",
    "scan . --format html -o report.html",
    "convert . --diff --jobs 2",
    "convert pkg -o out",
    "convert pkg --in-place",
    "weights weights.pth -o weights.ckpt",
    "explain torch.nn.Conv2d",
    "search layernorm",
    "doctor",
    "mapping stats",
    "pycharm status",
    "verify api torch.sum",
    "verify api torch.sum --python python3",
]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("way", ["script", "isolated"])
def test_a_command(workspace: Workspace, way: str, command: str) -> None:
    start = [script()] if way == "script" else [sys.executable, "-I", "-m", "mindport"]
    done = run(workspace, [*start, *command.split()])
    assert "Traceback" not in done.stderr
    assert workspace.what_ran() == []


def external_tools(path: Path, workspace: Workspace) -> Iterator[list[str]]:
    """The commands of the tools in a file, as the IDE fills them in."""
    macros = {"$FilePath$": str(workspace.folder / "model.py"), "$ProjectFileDir$": str(workspace.folder)}
    for tool in ElementTree.parse(path).getroot():
        said = {each.get("name"): each.get("value") or "" for each in tool.iter("option")}
        assert said["WORKING_DIRECTORY"] == "$ProjectFileDir$"
        parameters = said["PARAMETERS"]
        for name, value in macros.items():
            parameters = parameters.replace(name, value)
        program = script() if said["COMMAND"] == "mindport" else said["COMMAND"]
        yield [program, *shlex.split(parameters)]


@pytest.mark.parametrize("is_installed", [False, True], ids=["by hand", "mindport pycharm install"])
def test_external_tools_of_jetbrains(workspace: Workspace, tmp_path: Path, is_installed: bool) -> None:
    path = BRIDGE / "external-tools" / "External Tools.xml"
    if is_installed:
        ide = tmp_path / "PyCharm2025.3"
        ide.mkdir()
        assert main(["pycharm", "install", "--config", str(ide)]) == 0
        path = ide / "tools" / "External Tools.xml"
    commands = list(external_tools(path, workspace))
    assert len(commands) == 4
    for command in commands:
        done = run(workspace, command)
        assert done.returncode == 0, done.stderr
    assert workspace.what_ran() == []


def server_commands(tmp_path: Path) -> dict[str, list[str]]:
    """The commands by which clients start the server."""
    ide = tmp_path / "PyCharm2025.3"
    ide.mkdir()
    assert main(["pycharm", "install", "--config", str(ide)]) == 0
    template = json.loads((ide / "mindport" / "lsp4ij" / "template.json").read_text("utf-8"))
    return {
        "script": [script(), "serve", "--stdio"],
        "VS Code": [sys.executable, "-I", "-m", "mindport", "serve", "--stdio"],
        "LSP4IJ": shlex.split(template["programArgs"]["default"]),
    }


@pytest.mark.parametrize(
    ("way", "trusted"), [("script", False), ("script", True), ("VS Code", True), ("LSP4IJ", False)]
)
def test_a_server(workspace: Workspace, tmp_path: Path, way: str, trusted: bool) -> None:
    command = server_commands(tmp_path)[way]
    client = LspClient.launch(command, workspace.folder, environment(workspace))
    client.start({"workspace": {"applyEdit": True}}, {"trusted": trusted})
    path = workspace.folder / "model.py"
    client.open(path.as_uri(), path.read_text())
    client.wait_for_diagnostics(path.as_uri(), 1)
    for name, arguments in (
        ("mindport.scanProject", []),
        ("mindport.exportReport", ["html"]),
        ("mindport.analyzeProject", ["html"]),
        ("mindport.previewConversion", []),
        ("mindport.scanFile", [path.as_uri()]),
    ):
        client.request("workspace/executeCommand", {"command": name, "arguments": arguments})
    assert client.stop() == 0
    assert workspace.what_ran() == []


def test_processes_for_installed_packages(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the server has them made where it runs, one started anew, and jedi behind it."""
    from mindport.project.jedi_answers import JediAnswers
    from mindport.project.stub_index import package_folders
    from mindport.scan.worker_processes import Workers

    monkeypatch.chdir(workspace.folder)
    monkeypatch.setattr("mindport.scan.worker_processes._start_method", lambda: "spawn")
    with Workers(absolute, 1) as workers:
        assert list(workers.handle([["model.py"]])) == [("model.py", str(workspace.folder / "model.py"))]
    assert Path.cwd() == workspace.folder
    jedi = JediAnswers(package_folders(str(workspace.folder / "evil")))
    try:
        assert jedi.types("json.dumps") == ["builtins.str"]
    finally:
        jedi.close()
    assert workspace.what_ran() == []


def absolute() -> Callable[[str], str]:
    """What a worker does with an item: say where that is."""
    return lambda name: str(Path(name).absolute())


def test_frameworks_are_run_elsewhere(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    from mindport.verify.frameworks import FrameworksError, find_frameworks
    from mindport.verify.pool import TrialWorker, WorkerError

    monkeypatch.chdir(workspace.folder)
    try:
        find_frameworks(sys.executable)
    except FrameworksError as error:
        assert "does not have" in str(error)  # it was asked, and has answered
    try:
        with TrialWorker(sys.executable, "torch") as worker:
            worker.run({"source": "1 + 1"})
    except WorkerError:
        pass  # it has no torch
    assert workspace.what_ran() == []


@pytest.mark.skipif(sys.version_info < (3, 11), reason="needs -I on Python 3.10, see docs/scanning.md")
def test_a_cluster_of_dask(workspace: Workspace) -> None:
    pytest.importorskip("distributed", reason="needs the extra mindport[dask]")
    done = run(workspace, [script(), *["scan", ".", "--engine", "dask", "--jobs", "1", "--no-cache"]])
    assert done.returncode == 0, done.stderr
    assert workspace.what_ran() == []


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python knows PYTHONSAFEPATH since 3.11")
def test_a_worker_of_dask_in_the_project(workspace: Workspace) -> None:
    """Started as docs/scanning.md says."""
    distributed = pytest.importorskip("distributed", reason="needs the extra mindport[dask]")
    program = Path(sys.executable).with_name("dask")
    assert "PYTHONSAFEPATH=1 dask worker" in (ROOT / "docs" / "scanning.md").read_text("utf-8")
    with distributed.LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address="127.0.0.1:0") as cluster:
        address = cluster.scheduler_address
        with subprocess.Popen(
            [str(program), "worker", address, "--no-dashboard"],
            cwd=workspace.folder,
            env=environment(workspace, PYTHONSAFEPATH="1"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as worker:
            try:
                wait_for_workers(distributed, address)
                command = f"scan . --engine dask --scheduler {address} --no-cache"
                done = run(workspace, [script(), *command.split()])
            finally:
                worker.terminate()
                worker.wait(60)
    assert done.returncode == 0, done.stderr
    assert workspace.what_ran() == []


def wait_for_workers(distributed: Any, address: str) -> None:
    with distributed.Client(address) as client:
        client.wait_for_workers(1, timeout=SECONDS)


def documents() -> list[Path]:
    """What users read, and what clients start the server by."""
    folders = [ROOT / "docs", BRIDGE, ROOT / "vscode-client" / "pages", ROOT / "vscode-client" / "src"]
    found = [*ROOT.glob("README*.md"), *(ROOT / "vscode-client").glob("README*.md")]
    for folder in folders:
        found += [
            path for path in folder.rglob("*") if path.suffix in (".md", ".json", ".xml", ".ts", ".java")
        ]
    return sorted(found)


def test_no_document_starts_python_carelessly() -> None:
    """`python -m mindport` in a project runs the project's own mindport.py."""
    careless = re.compile(r"(?<!-I )(?<!'-I', )-m mindport|(?<!'-I', )'-m', 'mindport'")
    texts = {path: path.read_text("utf-8") for path in documents()}
    assert [path.name for path, text in texts.items() if careless.search(text)] == []
    installer = texts[BRIDGE / "lsp4ij" / "installer.json"]
    words = " ".join(re.findall('"([^"]*)"', installer))
    assert len(re.findall("-m (?:venv|pip)", words)) == len(re.findall("-I -m (?:venv|pip)", words)) > 0


def test_installing_from_lsp4ij(workspace: Workspace, tmp_path: Path) -> None:
    run(workspace, [sys.executable, "-I", "-m", "venv", "--without-pip", str(tmp_path / "made")])
    run(workspace, [sys.executable, "-I", "-m", "pip", "--version"])
    assert workspace.what_ran() == []
