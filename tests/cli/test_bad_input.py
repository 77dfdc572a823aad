"""Bad input on the command line: a clear message in both languages, and the rest of the run intact."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import CommandLine

GOOD = "import torch\nx = torch.sin(1.0)\n"
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0

BAD_FILES: dict[str, tuple[bytes, int, str, str]] = {
    "not text": (b"import torch\nx = 1\n\0", 3, "not text", "不是文本"),
    "UTF-16": ("import torch\n".encode("utf-16"), 1, "UTF-16", "UTF-16"),
    "invalid UTF-8": (b"import torch\nx = '\xff'\n", 2, "not valid UTF-8", "不是有效的 UTF-8"),
    "unknown cookie": (b"# coding: klingon\nimport torch\n", 1, "klingon", "klingon"),
    "wrong cookie": ("# coding: ascii\nx = '中'\n".encode(), 2, "not valid ASCII", "不是有效的 ASCII"),
    "cookie that is no text": (
        b"# coding: base64\nimport torch\n",
        1,
        "not a text encoding",
        "不是 Python 支持的",
    ),
}


def scanned(mindport: CommandLine, *paths: str, language: str = "en") -> tuple[int, dict[str, Any], str]:
    """The exit code, the entries by path, and standard error."""
    code, out, err = mindport("scan", *paths, "--format", "json", "--language", language)
    return code, {file["path"]: file for file in json.loads(out)["files"]}, err


def assert_good(file: dict[str, Any]) -> None:
    assert "torch.sin" in {use["api"] for use in file["uses"]}
    assert file["problems"] == []


@pytest.mark.parametrize("language", ["en", "zh-cn"])
@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_that_cannot_be_decoded(mindport: CommandLine, name: str, language: str) -> None:
    content, line, english, chinese = BAD_FILES[name]
    mindport.write("p/bad.py", content)
    mindport.write("p/good.py", GOOD)
    code, files, _ = scanned(mindport, "p", language=language)
    assert code == 2
    assert_good(files["p/good.py"])
    (problem,) = files["p/bad.py"]["problems"]
    assert (problem["line"], problem["column"]) == (line, 1)
    assert (english if language == "en" else chinese) in problem["message"]
    out = mindport("scan", "p", "--language", language).out
    assert f"p/bad.py:{line}:1:" in out
    assert problem["message"] in out


def test_an_empty_file(mindport: CommandLine) -> None:
    mindport.write("a.py", b"")
    code, files, err = scanned(mindport, "a.py")
    assert (code, files["a.py"], err) == (0, {"path": "a.py", "uses": [], "problems": []}, "")


@pytest.mark.slow
def test_a_file_of_100_000_lines(mindport: CommandLine) -> None:
    mindport.write("a.py", "import torch\n" + "x = torch.sin(1.0)\n" * 99_999)
    mindport.write("b.py", GOOD)
    code, out, _ = mindport("scan", ".", "--format", "json")
    made = json.loads(out)
    assert code == 0
    assert made["summary"]["lines"] == 100_002
    last = made["files"][0]["uses"][-1]
    assert (last["api"], last["start"]) == ("torch.sin", {"line": 100_000, "column": 5})
    assert_good(made["files"][1])


@pytest.mark.parametrize("language", ["en", "zh-cn"])
def test_a_file_that_is_too_large(mindport: CommandLine, language: str) -> None:
    mindport.write("a.py", b"#" * (16 * 1024 * 1024 + 1))
    mindport.write("b.py", GOOD)
    code, files, _ = scanned(mindport, ".", language=language)
    assert code == 2
    assert_good(files["b.py"])
    assert "16777217" in files["a.py"]["problems"][0]["message"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights")
def test_a_circle_of_folders(mindport: CommandLine) -> None:
    mindport.write("p/a/good.py", GOOD)
    (mindport.folder / "p" / "a" / "again").symlink_to(mindport.folder / "p")
    (mindport.folder / "p" / "self.py").symlink_to(mindport.folder / "p" / "self.py")
    code, files, _ = scanned(mindport, "p")
    assert code == 2
    assert_good(files["p/a/good.py"])
    assert set(files) == {"p/a/good.py", "p/self.py"}
    assert files["p/self.py"]["problems"]


@pytest.mark.parametrize(
    ("language", "words"), [("en", "No such file or folder"), ("zh-cn", "文件或文件夹不存在")]
)
def test_a_missing_path(mindport: CommandLine, language: str, words: str) -> None:
    mindport.write("good.py", GOOD)
    code, files, err = scanned(mindport, "missing", "good.py", language=language)
    assert code == 2
    assert "1 of 2" in err if language == "en" else "2 个文件中有 1 个" in err
    assert_good(files["good.py"])
    assert words in files["missing"]["problems"][0]["message"]


@pytest.mark.parametrize(
    ("language", "words"), [("en", "None of the files"), ("zh-cn", "所有文件均无法读取")]
)
def test_nothing_but_a_missing_path(mindport: CommandLine, language: str, words: str) -> None:
    code, files, err = scanned(mindport, "missing", language=language)
    assert code == 2
    assert set(files) == {"missing"}
    assert words in err
    code, out, _ = mindport("scan", "missing", "--language", language)
    assert code == 2
    assert "missing:1:1:" in out


@pytest.mark.skipif(IS_ROOT or sys.platform == "win32", reason="root may read everything")
@pytest.mark.parametrize(("language", "words"), [("en", "No permission"), ("zh-cn", "没有读取权限")])
def test_an_unreadable_file_and_folder(mindport: CommandLine, language: str, words: str) -> None:
    mindport.write("p/good.py", GOOD)
    locked = [mindport.write("p/locked.py", GOOD), mindport.write("p/folder/x.py", GOOD).parent]
    for path in locked:
        path.chmod(0)
    try:
        code, files, _ = scanned(mindport, "p", language=language)
    finally:
        for path in locked:
            path.chmod(0o700)
    assert code == 2
    assert_good(files["p/good.py"])
    for name in ("p/locked.py", "p/folder"):
        assert words in files[name]["problems"][0]["message"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_not_waited_for(mindport: CommandLine) -> None:
    os.mkfifo(mindport.folder / "pipe.py")
    code, files, _ = scanned(mindport, "pipe.py")
    assert code == 2
    assert "Not a regular file" in files["pipe.py"]["problems"][0]["message"]


@pytest.mark.parametrize(
    ("options", "english", "chinese"),
    [
        (["--target", "9.9"], " for --target: expected", "选项 --target 的值"),
        (["--target", "latest"], "2.9, 2.10", "2.9, 2.10"),
        (["--device", "tpu"], " for --device: expected", "选项 --device 的值"),
        (["--style", "baroque"], " for --style: expected", "选项 --style 的值"),
        (["--select", "E501"], " for --select: expected", "选项 --select 的值"),
        (["--ignore", "MP2,X"], " for --ignore: expected", "选项 --ignore 的值"),
        (["--jobs", "-1"], " for --jobs: expected", "选项 --jobs 的值"),
        (["--jobs", "many"], " for --jobs: expected", "选项 --jobs 的值"),
        (["--format", "pdf"], " for --format: expected", "选项 --format 的值"),
        (["--no-such"], "Unknown option", "未知选项：--no-such"),
    ],
)
def test_options_that_cannot_be_used(
    mindport: CommandLine, options: list[str], english: str, chinese: str
) -> None:
    mindport.write("good.py", GOOD)
    for language, words in (("en", english), ("zh-cn", chinese)):
        code, out, err = mindport("scan", "good.py", "--language", language, *options)
        assert (code, out) == (2, "")
        assert words in err
        assert "Traceback" not in err


def test_an_unknown_language(mindport: CommandLine) -> None:
    mindport.write("good.py", GOOD)
    code, out, err = mindport("scan", "good.py", "--language", "fr")
    assert (code, out) == (2, "")
    assert "en / zh-cn" in err


@pytest.mark.parametrize(
    ("toml", "english", "chinese"),
    [
        ("[tool.mindport\n", "not valid TOML", "不是有效的 TOML"),
        ('[tool.mindport]\ntarget = "9.9"\n', "tool.mindport.target", "tool.mindport.target"),
        ('[tool.mindport]\ndevice = "tpu"\n', "tool.mindport.device", "tool.mindport.device"),
        ('[tool.mindport]\ncolour = "red"\n', "Unknown setting tool.mindport.colour", "未知的设置"),
        ("[tool]\nmindport = 3\n", "expected a table of names", "应为由名称和值组成的表"),
    ],
)
def test_a_malformed_pyproject_is_told_and_ignored(
    mindport: CommandLine, toml: str, english: str, chinese: str
) -> None:
    mindport.write("pyproject.toml", toml)
    mindport.write("good.py", GOOD)
    for language, words in (("en", english), ("zh-cn", chinese)):
        code, files, err = scanned(mindport, "good.py", language=language)
        assert code == 0
        assert_good(files["good.py"])
        assert words in err


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are Unicode elsewhere")
def test_a_name_that_is_no_unicode(mindport: CommandLine) -> None:
    path = os.fsencode(mindport.folder) + b"/odd\xff.py"
    Path(os.fsdecode(path)).write_text(GOOD)
    code, out, _ = mindport("scan", ".", "--format", "json")
    assert code == 0
    assert_good(json.loads(out)["files"][0])
    assert mindport("scan", ".").code == 0
