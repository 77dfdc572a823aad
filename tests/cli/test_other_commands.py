"""`mindport explain`, `search`, `mapping`, `doctor` and `serve`."""

from __future__ import annotations

import importlib.metadata
import itertools
import json
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import CommandLine, environment, process
from lsp_client import LspClient
from mindport.app import environment as examined
from mindport.assess.rules import all_rules
from mindport.catalog import check
from mindport.catalog.not_run import Pair

ROOT = Path(__file__).resolve().parents[2]


def test_explain_an_api(mindport: CommandLine) -> None:
    code, out, err = mindport("explain", "torch.nn.Conv2d")
    assert (code, err) == (0, "")
    assert "`torch.nn.Conv2d` → `mindspore.mint.nn.Conv2d`" in out
    assert "padding_mode" in out
    assert mindport("explain", "nn.Conv2d").out == out
    assert "MindSpore 2.9, CPU" in mindport("explain", "nn.Conv2d", "--target", "2.9", "--device", "cpu").out
    assert "文档" in mindport("explain", "nn.Conv2d", "--language", "zh-cn").out
    assert "mindspore.mint.nn.Conv2d" in mindport("explain", "mindspore.mint.nn.Conv2d").out


def test_explain_every_code(mindport: CommandLine) -> None:
    for code, rule in all_rules().items():
        for language, text in (("en", rule.explanation.en), ("zh-cn", rule.explanation.zh_cn)):
            result = mindport("explain", code.lower(), "--language", language)
            assert result.code == 0
            assert code in result.out and text in result.out


@pytest.mark.parametrize(
    ("name", "english", "chinese"),
    [
        ("torch.nn.Convv2d", "torch.nn.Convv2d is not in the mapping table", "映射表中没有 torch.nn.Convv2d"),
        ("MP999", "Unknown code: MP999", "未知的规则代码：MP999"),
    ],
)
def test_explain_something_unknown(mindport: CommandLine, name: str, english: str, chinese: str) -> None:
    for language, words in (("en", english), ("zh-cn", chinese)):
        code, out, err = mindport("explain", name, "--language", language)
        assert (code, out) == (1, "")
        assert words in err
    assert "torch.nn.Conv2d" in mindport("explain", "torch.nn.Convv2d").err


def test_search(mindport: CommandLine) -> None:
    code, out, _ = mindport("search", "conv2d")
    assert code == 0
    lines = out.splitlines()
    assert any("torch.nn.Conv2d " in line and "→ mindspore.mint.nn.Conv2d" in line for line in lines)
    assert any(line.startswith("mindspore.") and "← torch." in line for line in lines)
    assert len(mindport("search", "conv", "--limit", "3").out.splitlines()) == 3
    assert "torch.nn.functional.cross_entropy" in mindport("search", "cross", "entropy").out


def test_search_without_results(mindport: CommandLine) -> None:
    code, out, err = mindport("search", "zzzzqqqqxxxx")
    assert (code, out) == (1, "")
    assert "No results for" in err
    assert "没有找到" in mindport("search", "zzzzqqqqxxxx", "--language", "zh-cn").err


def test_mapping_check(mindport: CommandLine) -> None:
    for name in ("torch-2.13.jsonl", "mindspore-2.10.jsonl"):
        with (ROOT / "mapping_data" / "catalog" / name).open(encoding="utf-8") as lines:
            mindport.write(f"data/catalog/{name}", "".join(itertools.islice(lines, 5)))
    code, out, _ = mindport("mapping", "check", "data")
    assert (code, out) == (0, "No problems in the mapping data.\n")
    assert mindport("mapping", "check", "data", "--language", "zh-cn").out == "映射数据没有问题。\n"


def test_mapping_check_without_pydantic(mindport: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    mindport.write("data/catalog/torch-2.13.jsonl", "")
    monkeypatch.setattr("mindport.cli.mapping.find_spec", lambda _: None)
    done = mindport("mapping", "check", "data")
    assert (done.code, done.out) == (2, "")
    assert "pip install 'mindport[mapping]'" in done.err


def test_nothing_else_needs_pydantic(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("import torch\nnet = torch.nn.Linear(2, 3)\n")
    program = "import sys\nsys.modules['pydantic'] = None\nfrom mindport.cli.main import main\n"
    for command in ("['analyze', 'model.py']", "['scan', 'model.py', '--format', 'html']", "['doctor']"):
        done = subprocess.run(
            [sys.executable, "-c", f"{program}sys.exit(main({command}))"],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), command


def test_mapping_check_tells_what_is_wrong(mindport: CommandLine) -> None:
    (mindport.folder / "data" / "catalog").mkdir(parents=True)
    mindport.write("data/catalog/torch-2.13.jsonl", '{"name": "torch.sin"}\n')
    code, out, _ = mindport("mapping", "check", "data")
    assert code == 1
    assert "torch.sin: invalid format" in out
    assert "格式不符" in mindport("mapping", "check", "data", "--language", "zh-cn").out


def test_mapping_check_tells_what_was_not_run_yet(
    mindport: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That is no problem."""
    (mindport.folder / "data" / "catalog").mkdir(parents=True)
    monkeypatch.setattr(check, "checked", lambda folder: check.Checked([], [Pair("torch.sin", "sin(input)")]))
    code, out, _ = mindport("mapping", "check", "data")
    assert code == 0
    assert out.startswith("No problems in the mapping data.\nNot run yet: 1. ")
    assert out.endswith("\n  torch.sin → sin(input)\n")
    assert "尚未运行验证：1 项" in mindport("mapping", "check", "data", "--language", "zh-cn").out


@pytest.mark.slow
def test_mapping_build(mindport: CommandLine) -> None:
    code, out, _ = mindport("mapping", "build", str(ROOT / "mapping_data"), "-o", "index.bin")
    assert code == 0
    assert out == f"index.bin: {(mindport.folder / 'index.bin').stat().st_size} bytes\n"
    assert mindport("mapping", "build", str(ROOT / "mapping_data"), "-o", "a.py/x").code in (0, 2)


@pytest.mark.parametrize("command", ["check", "build"])
def test_mapping_without_data(mindport: CommandLine, command: str) -> None:
    for language, words in (("en", "No mapping data in"), ("zh-cn", "没有映射数据")):
        code, out, err = mindport("mapping", command, ".", "--language", language)
        assert (code, out) == (2, "")
        assert words in err


@pytest.mark.slow
def test_mapping_stats(mindport: CommandLine) -> None:
    counts = json.loads(mindport("mapping", "stats", "--format", "json", "--device", "cpu").out)
    assert counts["target"]["device"] == "cpu"
    assert counts["apis"] == sum(counts["by_status"].values())
    assert str(counts["apis"]) in mindport("mapping", "stats", "--device", "cpu").out
    assert "公开的 torch 接口" in mindport("mapping", "stats", "--language", "zh-cn").out
    assert mindport("mapping", "stats", "--format", "html").code == 2


def test_doctor(mindport: CommandLine) -> None:
    mindport.write("pyproject.toml", '[tool.mindport]\ndevice = "cpu"\n')
    code, out, _ = mindport("doctor")
    assert code == 0
    rows = {line.split()[0]: line.split(maxsplit=1)[1] for line in out.splitlines() if line.startswith("  ")}
    assert rows["Python"].startswith(".".join(map(str, sys.version_info[:3])))
    assert rows["device"] == "cpu"
    assert rows["pyproject.toml"] == str(mindport.folder / "pyproject.toml")
    assert rows["tree-sitter"][0].isdigit()
    assert "torch APIs" in rows["index"]
    assert "当前生效的设置" in mindport("doctor", "--language", "zh-cn").out


@pytest.mark.parametrize(("numpy", "code"), [("1.26.4", 0), ("2.3.1", 1)])
def test_doctor_knows_which_numpy_mindspore_needs(
    mindport: CommandLine, monkeypatch: pytest.MonkeyPatch, numpy: str, code: int
) -> None:
    real = importlib.metadata.version
    there = {"mindspore": "2.10.0", "numpy": numpy}
    monkeypatch.setattr(importlib.metadata, "version", lambda name: there.get(name) or real(name))
    found = mindport("doctor")
    assert found.code == code and ('pip install "numpy<2"' in found.out) == bool(code)


def test_doctor_says_what_there_is_of_ascend(
    mindport: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(examined, "_DRIVER", tmp_path / "version.info")
    monkeypatch.setattr(examined, "_USUAL_TOOLKIT", tmp_path / "none")
    monkeypatch.delenv("ASCEND_TOOLKIT_HOME", raising=False)
    monkeypatch.setenv("ASCEND_HOME_PATH", str(tmp_path / "cann"))
    out = mindport("doctor").out
    assert "programs cannot run on Ascend here" in out and "source its set_env.sh" in out
    (tmp_path / "version.info").write_text("Version=24.1.rc3\nascendhal_version=7.35.23\n")
    (tmp_path / "cann" / "x86_64-linux").mkdir(parents=True)
    (tmp_path / "cann" / "x86_64-linux" / "ascend_toolkit_install.info").write_text("version=8.0.RC3\n")
    out = mindport("doctor").out
    assert "24.1.rc3" in out and f"8.0.RC3  {tmp_path / 'cann'}" in out
    (tmp_path / "cann" / "version.cfg").write_text("runtime_running_version=[7.6.0.1.220:8.1.RC1]\n")
    assert "7.6.0.1.220" in mindport("doctor").out


def test_doctor_says_which_build_runs(mindport: CommandLine) -> None:
    assert re.search(r"build +(compiled|not compiled)", mindport("doctor").out)


def test_doctor_does_not_import_the_frameworks(mindport: CommandLine) -> None:
    for name in ("torch", "mindspore"):
        mindport.write(f"{name}.py", "raise SystemExit('imported')\n")
    code, out, _ = process("doctor", folder=mindport.folder)
    assert code == 0
    assert "imported')" not in out


def test_doctor_notices_what_is_missing(mindport: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mindport.app.environment._dependencies", lambda: ["no-such-package"])
    code, out, _ = mindport("doctor")
    assert code == 1
    assert "MISSING" in out


@pytest.mark.parametrize("options", [[], ["--stdio"]])
def test_serve_over_standard_streams(tmp_path: Path, options: list[str]) -> None:
    command = [sys.executable, "-m", "mindport", "serve", *options]
    client = LspClient.launch(command, tmp_path, environment())
    client.start({})
    assert client.capabilities["hoverProvider"]
    client.stop()


def test_serve_over_tcp(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mindport", "serve", "--tcp", "127.0.0.1:0"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, encoding="utf-8"
    ) as running:
        assert running.stderr is not None
        host, _, port = running.stderr.readline().split()[-1].rpartition(":")
        with socket.create_connection((host, int(port))) as connection:
            client = LspClient.connect(connection, tmp_path)
            client.start({})
            assert client.capabilities["hoverProvider"]
            client.stop()
        assert running.wait(30) == 0


@pytest.mark.parametrize("address", ["nonsense", "127.0.0.1:", ":80", "127.0.0.1:99999", "127.0.0.1:x"])
def test_serve_at_a_bad_address(mindport: CommandLine, address: str) -> None:
    code, out, err = mindport("serve", "--tcp", address)
    assert (code, out) == (2, "")
    assert "HOST:PORT" in err


def test_serve_at_an_address_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        code, _, err = process("serve", "--tcp", address, folder=tmp_path)
        assert code == 2
        assert f"Cannot listen on {address}" in err
        assert "无法监听" in process("serve", "--tcp", address, folder=tmp_path, LANG="zh_CN.UTF-8").err


def test_serve_either_way(mindport: CommandLine) -> None:
    assert mindport("serve", "--stdio", "--tcp", "127.0.0.1:0").code == 2


def test_serving_imports_little_before_the_server(tmp_path: Path) -> None:
    program = (
        "import sys\nsys.argv = ['mindport', 'serve', '--tcp', 'bad']\n"
        "from mindport.__main__ import main\ncode = main()\n"
        "print(code, sorted({'rich', 'pydantic', 'mindport.project', 'mindport.cli.scan', "
        "'mindport.cli.options', 'mindport.cli.help_page'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stdout == "2 []\n"
