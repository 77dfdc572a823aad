"""What the command line understands, what it says of what it does not, and its help."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from command_line import CommandLine, environment
from mindport.cli.arguments import Arguments, Command, Group
from mindport.cli.help_page import HelpPage, display_width
from mindport.cli.main import COMMANDS
from mindport.cli.scan import COMMANDS as SCAN
from mindport.language import LANGUAGES, Language, Text
from mindport.project.setting_table import SETTINGS, option_of

CHINESE = re.compile("[\u4e00-\u9fff]")
DEFAULTS = {
    "format": "text",
    "output": None,
    "engine": "local",
    "scheduler": None,
    "no_cache": False,
    "exit_code": False,
}


def registered() -> Iterator[tuple[str, Command | Group]]:
    """All commands, by how they are called."""
    for name, module in COMMANDS:
        found: Command | Group = next(
            one for one in import_module(f"mindport.cli.{module}").COMMANDS if one.name == name
        )
        yield name, found
        if isinstance(found, Group):
            yield from ((f"{name} {command.name}", command) for command in found.commands)


def page(path: str, command: Command) -> HelpPage:
    arguments = Arguments(f"mindport {path}", "en")
    command.add_arguments(arguments)
    return arguments.help_page(command.about)


def scan_given(*words: str) -> dict[str, Any]:
    arguments = Arguments("mindport scan", "en")
    SCAN[0].add_arguments(arguments)
    return vars(arguments.parse(words))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a b", {"paths": [Path("a"), Path("b")]}),
        (
            "--format json a -o out b",
            {"paths": [Path("a"), Path("b")], "format": "json", "output": Path("out")},
        ),
        ("--format=csv -oout a", {"paths": [Path("a")], "format": "csv", "output": Path("out")}),
        ("a --output=out --no-cache", {"paths": [Path("a")], "output": Path("out"), "no_cache": True}),
        (
            "--exit-code -- a --format -",
            {"paths": [Path(p) for p in ("a", "--format", "-")], "exit_code": True},
        ),
    ],
)
def test_options_and_arguments(line: str, expected: dict[str, Any]) -> None:
    given = scan_given(*line.split())
    of_settings = {option_of(name).removeprefix("--").replace("-", "_") for name in SETTINGS}
    assert given["settings"] == dict.fromkeys(SETTINGS)
    assert {name: value for name, value in given.items() if name not in {"settings", *of_settings}} == {
        **DEFAULTS,
        **expected,
    }


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("--select MP1 --select MP2,MP3", {"select": ("MP1", "MP2", "MP3")}),
        ("--jobs 3 --limit=-1", {"jobs": 3, "limit": -1}),
        ("--jobs -1", {"jobs": -1}),
        ("--no-completion --exclude a,b", {"completion": False, "exclude": ("a,b",)}),
        ("--no-completion --completion", {"completion": True}),
        ("--severity MP1=hint,MP2=off", {"severity": {"MP1": "hint", "MP2": "off"}}),
        ("--target 2.9 --target 2.10 --language zh-cn", {"target": "2.10", "language": "zh-cn"}),
    ],
)
def test_options_for_settings(line: str, expected: dict[str, object]) -> None:
    settings = scan_given("a", *line.split())["settings"]
    assert {name: value for name, value in settings.items() if value is not None} == expected


@pytest.mark.parametrize(
    ("line", "english", "chinese", "command"),
    [
        ("scan", "Missing argument: PATH...", "缺少参数：PATH...", "mindport scan"),
        ("scan --", "Missing argument: PATH...", "缺少参数：PATH...", "mindport scan"),
        ("explain", "Missing argument: API|CODE", "缺少参数：API|CODE", "mindport explain"),
        ("scan a --what=1", "Unknown option: --what", "未知选项：--what", "mindport scan"),
        ("scan a --selec MP1", "Unknown option: --selec", "未知选项：--selec", "mindport scan"),
        ("scan a -x", "Unknown option: -x", "未知选项：-x", "mindport scan"),
        ("scan a -1", "Unknown option: -1", "未知选项：-1", "mindport scan"),
        ("--what scan a", "Unknown option: --what", "未知选项：--what", "mindport"),
        ("mapping --version", "Unknown option: --version", "未知选项：--version", "mindport mapping"),
        ("what", "Unknown command: what", "未知命令：what", "mindport"),
        ("mapping what", "Unknown command: what", "未知命令：what", "mindport mapping"),
        ("scan a --format", "--format needs a value", "--format 缺少值", "mindport scan"),
        ("scan a -o --no-cache", "--output/-o needs a value", "--output/-o 缺少值", "mindport scan"),
        ("scan a --no-cache=1", "--no-cache takes no value", "--no-cache 不接受值", "mindport scan"),
        ("search a --limit x", "'x' for --limit", "--limit 的值 'x' 无效", "mindport search"),
        ("scan a --jobs ２", "'２' for --jobs", "--jobs 的值 '２' 无效", "mindport scan"),
        ("scan a --jobs 1" + "0" * 5000, "for --jobs: expected an integer", "--jobs 的值", "mindport scan"),
        ("explain a b", "Unexpected argument: b", "多余的参数：b", "mindport explain"),
        ("serve a", "Unexpected argument: a", "多余的参数：a", "mindport serve"),
    ],
)
def test_what_is_not_understood(
    mindport: CommandLine,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    english: str,
    chinese: str,
    command: str,
) -> None:
    code, out, err = mindport(*line.split())
    assert (code, out) == (2, "")
    assert err.startswith("mindport: error: ") and english in err
    assert err.endswith(f"\nTry '{command} --help'.\n")
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    code, out, err = mindport(*line.split())
    assert (code, out) == (2, "")
    assert err.startswith("mindport：错误：") and chinese in err
    assert err.endswith(f"\n请尝试“{command} --help”。\n")


@pytest.mark.parametrize("line", ["", "verify", "mapping", "pycharm", "--"])
def test_without_a_command_the_help_is_shown(mindport: CommandLine, line: str) -> None:
    code, out, err = mindport(*line.split())
    assert (code, err) == (2, "")
    assert out == mindport(*line.replace("--", "").split(), "--help").out
    assert out.startswith(
        f"Usage: {' '.join(['mindport', *line.replace('--', '').split()])} [OPTIONS] COMMAND"
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", [path for path, _ in registered()])
def test_every_command_has_complete_help(
    mindport: CommandLine, monkeypatch: pytest.MonkeyPatch, path: str, language: Language
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LANG", "zh_CN.UTF-8" if language == "zh-cn" else "C.UTF-8")
    command = dict(registered())[path]
    code, out, err = mindport(*path.split(), "--help")
    assert (code, err) == (0, "")
    said = [(command.name, command.about)]
    if isinstance(command, Group):
        said += [(one.name, one.about) for one in command.commands]
    else:
        shown = page(path, command)
        said += [(name, text) for name, text, _ in (*shown.arguments, *shown.options)]
        assert "--help" in [name for name, _ in said]
    together = "".join(out.split())
    for name, text in said:
        assert CHINESE.search(text.zh_cn) and not CHINESE.search(text.en)
        assert name in out and "".join(text.render(language).split()) in together
    english = re.search("[Uu]sage|[Oo]ptions|[Aa]rguments|[Cc]ommands?:|default|OPTIONS|COMMAND", out)
    assert (english is None) == (language == "zh-cn")


def test_the_help_names_all_commands_settings_and_defaults(mindport: CommandLine) -> None:
    out = mindport("--help").out
    assert [name for name, _ in COMMANDS] == re.findall(r"^  ([a-z][\w-]*)  ", out, re.MULTILINE)
    for command in ("scan", "convert"):
        out = mindport(command, "--help").out
        assert all(option_of(name) in out for name in SETTINGS)
    assert "(default: 20)" in mindport("search", "--help").out
    assert "（默认：20）" in mindport("search", "--help", "--language", "zh-cn").out


def test_help_is_shown_whatever_else_is_given(mindport: CommandLine) -> None:
    out = mindport("scan", "--help").out
    assert mindport("scan", "--what", "--jobs", "x", "--help").out == out
    assert mindport("scan", "--", "--help").out != out


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("columns", "most"), [("60", 60), ("100", 100), ("400", 100)])
def test_help_fits_into_the_terminal(
    mindport: CommandLine, monkeypatch: pytest.MonkeyPatch, language: str, columns: str, most: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for path, _ in registered():
        lines = mindport(*path.split(), "--help", "--language", language).out.splitlines()
        assert max(map(display_width, lines)) <= most
        assert not [line for line in lines if line.strip()[:1] in tuple("，。、；：）”")[: len(line.strip())]]


def test_words_that_are_wider_than_their_column_stay_whole() -> None:
    text = Text("a " + "b" * 50 + " c", "“" + "b" * 50 + "”，中（中）。“")
    shown = HelpPage("mindport", text, (), (("--x", text, None),), ())
    for language in LANGUAGES:
        out = shown.render(language, 40)
        assert out.count("b" * 50) == 2
        assert "".join(text.render(language).split()) in "".join(out.split())


def test_the_version(mindport: CommandLine) -> None:
    assert mindport("--version").out == mindport("--version", "scan").out
    assert re.fullmatch(r"mindport \d+\.\d+\.\d+\n", mindport("--version").out)


def test_a_scan_imports_no_other_command_and_no_layout(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch\ntorch.abs(x)\n")
    others = {"rich", *(f"mindport.cli.{module}" for name, module in COMMANDS if name != "scan")}
    program = (
        "import sys\nsys.argv = ['mindport', 'scan', 'a.py', '--format=text', '-o', 'out.txt']\n"
        "from mindport.__main__ import main\ncode = main()\n"
        f"print(code, sorted({others | {'typer', 'mindport.cli.help_page'}!r} & set(sys.modules)))\n"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment(), capture_output=True, encoding="utf-8", check=False
    )
    assert done.stdout == "0 []\n", done.stderr
    assert "torch.abs" in (tmp_path / "out.txt").read_text()
