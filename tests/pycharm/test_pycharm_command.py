"""`mindport pycharm` on configuration trees as Linux, macOS and Windows have them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import mindport.cli.pycharm as command
import pytest
from mindport.cli.main import main
from mindport.pycharm import installation, transaction
from mindport.pycharm.installation import base_folder, find_ides

PLACES = {
    "linux": ".config/JetBrains",
    "darwin": "Library/Application Support/JetBrains",
    "win32": "AppData/Roaming/JetBrains",
}
IDES = ("PyCharm2024.2", "PyCharmCE2024.3", "PyCharm2025.3", "IntelliJIdea2025.1")
OTHERS = ("WebStorm2025.1", "consentOptions", "PyCharm2025.3-backup")
USERS = (
    b'<toolSet name="External Tools">\r\n'
    b"\t<!-- mine: \xe4\xb8\xad\xe6\x96\x87 -->\r\n"
    b'\t<tool description="a &gt; b > c" name="Black &amp; co" showInEditor="true"   >\r\n'
    b"\t\t<exec><option value='black' name='COMMAND'/><option name=\"PARAMETERS\" value=\"$FilePath$\" /></exec>\r\n"
    b"\t</tool>\r\n"
    b'\t<tool name="empty"/>\r\n'
    b"</toolSet>\r\n\r\n"
)
TOOLS = Path("tools") / "External Tools.xml"


class Machine:
    """A home folder with IDEs, on one operating system."""

    def __init__(self, home: Path, platform: str) -> None:
        self.home = home
        self.base = home / PLACES[platform]
        for name in (*IDES, *OTHERS):
            (self.base / name / "options").mkdir(parents=True)
            (self.base / name / "options" / "ide.general.xml").write_bytes(b"<application />")
        self.put("PyCharm2025.3", USERS)
        self.put("PyCharmCE2024.3", b'<toolSet name="External Tools" />')
        (self.base / "IntelliJIdea2025.1" / "tools").mkdir()

    def put(self, ide: str, content: bytes) -> None:
        path = self.base / ide / TOOLS
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)

    def tools(self, ide: str) -> bytes:
        return (self.base / ide / TOOLS).read_bytes()

    def tree(self) -> dict[str, bytes | None]:
        """All folders and files with what they hold."""
        return {
            path.relative_to(self.home).as_posix(): path.read_bytes() if path.is_file() else None
            for path in self.home.rglob("*")
        }


@pytest.fixture(params=sorted(PLACES))
def machine(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    for variable in ("LC_ALL", "LC_MESSAGES", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    home = tmp_path / "home of 我"
    monkeypatch.setenv("APPDATA", str(home / "AppData" / "Roaming"))
    monkeypatch.setattr(
        command,
        "base_folder",
        lambda _system, environment, _home: base_folder(request.param, environment, home),
    )
    return Machine(home, request.param)


def names(data: bytes) -> list[str | None]:
    return [tool.get("name") for tool in ElementTree.fromstring(data).findall("tool")]


def test_it_is_added_beside_the_users_tools_and_taken_out_again(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    before = machine.tree()
    assert main(["pycharm", "status"]) == 1
    assert main(["pycharm", "install"]) == 0
    out = capsys.readouterr().out
    for ide in IDES:
        assert names(machine.tools(ide))[-4:] == [
            "MindPort: scan file",
            "MindPort: scan project",
            "MindPort: convert, show the diff",
            "MindPort: open report",
        ]
        folder = machine.base / ide / "mindport" / "lsp4ij"
        assert (folder / "template.json").is_file()
        assert str(folder) in out
    assert "Import from custom template" in out
    assert names(machine.tools("PyCharm2025.3"))[:2] == ["Black & co", "empty"]
    cut = machine.tools("PyCharm2025.3").index(b'\r\n\t<tool name="MindPort')
    assert machine.tools("PyCharm2025.3")[:cut] + b"\r\n</toolSet>\r\n\r\n" == USERS
    assert b"\n" not in machine.tools("PyCharm2025.3").replace(b"\r\n", b"")
    for other in OTHERS:
        assert not (machine.base / other / "mindport").exists()

    installed = machine.tree()
    assert main(["pycharm", "status"]) == 0
    assert main(["pycharm", "install"]) == 0
    assert machine.tree() == installed
    assert main(["pycharm", "uninstall"]) == 0
    assert machine.tree() == before
    assert main(["pycharm", "uninstall"]) == 0
    assert machine.tree() == before


def test_a_dry_run_changes_nothing_and_says_what_it_would_do(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    before = machine.tree()
    assert main(["pycharm", "install", "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert f"would change {machine.base / 'PyCharm2025.3' / TOOLS}" in out
    assert f"would write {machine.base / 'PyCharm2024.2' / TOOLS}" in out
    assert machine.tree() == before
    main(["pycharm", "install"])
    installed = machine.tree()
    assert main(["pycharm", "uninstall", "--dry-run"]) == 0
    assert machine.tree() == installed


def test_a_failure_leaves_everything_as_it_was(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = len(IDES) * 3  # backup, record, tools, and some files of a template
    for failing in (1, 4, whole):
        before, count = machine.tree(), 0
        real = Path.replace

        def replace(path: Path, target: Path, failing: int = failing, real=real) -> Path:
            nonlocal count
            count += 1
            if count == failing:
                raise OSError(28, "No space left on device", str(target))
            return real(path, target)

        with monkeypatch.context() as patched:
            patched.setattr(Path, "replace", replace)
            assert main(["pycharm", "install"]) == 2
        assert count >= failing
        assert machine.tree() == before
        assert "No space left on device" in capsys.readouterr().err


def test_what_was_changed_meanwhile_is_not_overwritten(machine: Machine) -> None:
    path = machine.base / "PyCharm2025.3" / TOOLS
    change = transaction.FileChange(path, b"what it was when the change was planned", b"new")
    with pytest.raises(transaction.ChangedMeanwhileError):
        transaction.carry_out([change])
    assert path.read_bytes() == USERS


def test_a_tool_of_the_users_with_our_name_is_not_overwritten(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.put(
        "PyCharm2024.2", b'<toolSet name="External Tools"><tool name="MindPort: scan file"/></toolSet>'
    )
    before = machine.tree()
    assert main(["pycharm", "install"]) == 2
    assert machine.tree() == before
    told = capsys.readouterr().err
    assert "MindPort: scan file" in told and "PyCharm2024.2" in told
    assert main(["pycharm", "install", "--ide", "pycharm2025.3"]) == 0
    assert (
        machine.tools("PyCharm2024.2")
        == before[(machine.base / "PyCharm2024.2" / TOOLS).relative_to(machine.home).as_posix()]
    )


@pytest.mark.parametrize(
    "content",
    [
        b"<toolSet><tool></toolSet>",
        b"",
        b"<application />",
        '<?xml version="1.0" encoding="UTF-16"?><toolSet />'.encode("utf-16"),
        b'<?xml version="1.0" encoding="ISO-8859-1"?><toolSet name="x"/>',
        b"<toolSet name='\xff'/>",
    ],
)
def test_a_file_that_the_ide_did_not_write_is_left_alone(
    machine: Machine, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    machine.put("PyCharm2024.2", content)
    before = machine.tree()
    assert main(["pycharm", "install"]) == 2
    assert machine.tree() == before
    assert "PyCharm2024.2" in capsys.readouterr().err


def test_tools_that_the_ide_wrote_anew_are_still_ours(machine: Machine) -> None:
    main(["pycharm", "install"])
    root = ElementTree.fromstring(machine.tools("PyCharm2025.3"))
    added = ElementTree.SubElement(root, "tool", {"name": "added since"})
    ElementTree.SubElement(added, "exec")
    machine.put("PyCharm2025.3", ElementTree.tostring(root))
    assert main(["pycharm", "install"]) == 0
    assert main(["pycharm", "uninstall"]) == 0
    assert names(machine.tools("PyCharm2025.3")) == ["Black & co", "empty", "added since"]


def test_a_tool_of_ours_that_the_user_changed_stays(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["pycharm", "install"])
    changed = machine.tools("PyCharm2025.3").replace(
        b"scan &quot;$FilePath$&quot;", b"scan --target 2.8 &quot;$FilePath$&quot;"
    )
    machine.put("PyCharm2025.3", changed)
    assert main(["pycharm", "status", "--ide", "PyCharm2025.3"]) == 1
    assert "changed" in capsys.readouterr().out
    assert main(["pycharm", "install"]) == 2
    assert machine.tools("PyCharm2025.3") == changed
    assert main(["pycharm", "uninstall"]) == 0
    assert names(machine.tools("PyCharm2025.3")) == ["Black & co", "empty", "MindPort: scan file"]
    assert "kept, because you changed it" in capsys.readouterr().out


def test_another_python_replaces_the_tools_of_the_first(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = machine.tree()
    main(["pycharm", "install"])
    monkeypatch.setattr(sys, "executable", r"C:\Program Files\Python & co\python.exe")
    assert main(["pycharm", "status"]) == 1
    assert main(["pycharm", "install"]) == 0
    data = machine.tools("PyCharm2025.3")
    assert len(names(data)) == 6
    programs = {
        option.get("value") for option in ElementTree.fromstring(data).iterfind(".//option[@name='COMMAND']")
    }
    assert programs == {"black", sys.executable}
    template = (machine.base / "PyCharm2025.3" / "mindport" / "lsp4ij" / "template.json").read_text("utf-8")
    assert r"\"C:\\Program Files\\Python & co\\python.exe\" -I -m mindport serve --stdio" in template
    assert main(["pycharm", "uninstall"]) == 0
    assert machine.tree() == before


def test_a_file_that_the_user_has_deleted_does_not_come_back(machine: Machine) -> None:
    main(["pycharm", "install"])
    (machine.base / "PyCharm2025.3" / TOOLS).unlink()
    assert main(["pycharm", "install"]) == 0
    assert len(names(machine.tools("PyCharm2025.3"))) == 4
    assert main(["pycharm", "uninstall"]) == 0
    assert not (machine.base / "PyCharm2025.3" / TOOLS).exists()


def test_a_tool_of_ours_that_the_user_has_deleted_is_added_again(machine: Machine) -> None:
    before = machine.tree()
    main(["pycharm", "install"])
    machine.put("PyCharm2025.3", USERS)
    assert main(["pycharm", "status", "--ide", "PyCharm2025.3"]) == 1
    assert main(["pycharm", "install"]) == 0
    assert len(names(machine.tools("PyCharm2025.3"))) == 6
    assert main(["pycharm", "uninstall"]) == 0
    assert machine.tree() == before


def test_the_tools_are_in_the_users_language(machine: Machine) -> None:
    before = machine.tree()
    assert main(["pycharm", "install", "--language", "zh-cn"]) == 0
    assert names(machine.tools("PyCharm2025.3"))[2] == "MindPort：扫描文件"
    assert main(["pycharm", "install"]) == 0
    assert names(machine.tools("PyCharm2025.3"))[2:3] == ["MindPort: scan file"]
    assert main(["pycharm", "uninstall"]) == 0
    assert machine.tree() == before


def test_an_ide_that_is_not_there_is_named(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pycharm", "install", "--ide", "PyCharm1999.1"]) == 2
    assert "PyCharm2025.3" in capsys.readouterr().err
    assert main(["pycharm", "install", "--config", str(machine.home)]) == 2
    moved = machine.home / "elsewhere" / "PyCharm2026.1"
    moved.mkdir(parents=True)
    assert main(["pycharm", "install", "--config", str(moved)]) == 0
    assert len(names((moved / TOOLS).read_bytes())) == 4


def test_without_any_ide_it_says_where_it_looked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "base_folder", lambda *_: tmp_path / "nowhere")
    assert main(["pycharm", "install"]) == 2
    assert str(tmp_path / "nowhere") in capsys.readouterr().err


def test_the_places_of_the_configuration() -> None:
    home = Path("home")
    assert base_folder("linux", {"XDG_CONFIG_HOME": "x"}, home) == Path("x", "JetBrains")
    assert base_folder("linux", {"XDG_CONFIG_HOME": ""}, home) == home / ".config" / "JetBrains"
    assert base_folder("win32", {"APPDATA": "r"}, home) == Path("r", "JetBrains")
    assert base_folder("win32", {}, home) == home / "AppData" / "Roaming" / "JetBrains"
    assert find_ides(Path("no such folder")) == []


def test_the_report_is_written_and_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.py").write_text("import torch\nx = torch.randn(3)\n")
    opened: list[str] = []
    monkeypatch.setattr(command.webbrowser, "open", lambda address: opened.append(address) or True)
    assert main(["pycharm", "report", str(tmp_path)]) == 0
    assert opened == [(tmp_path / "mindport-report.html").as_uri()]
    assert "torch.randn" in (tmp_path / "mindport-report.html").read_text("utf-8")


def test_an_ide_that_lsp4ij_does_not_support_gets_the_tools_alone(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    (machine.base / "PyCharm2024.1").mkdir()
    assert main(["pycharm", "install", "--ide", "PyCharm2024.1"]) == 0
    assert b"MindPort" in machine.tools("PyCharm2024.1")
    assert not (machine.base / "PyCharm2024.1" / "mindport" / "lsp4ij").exists()
    out = capsys.readouterr().out
    assert "PyCharm 2024.1 gets only the External Tools" in out and "Marketplace" not in out
    assert main(["pycharm", "status", "--ide", "PyCharm2024.1"]) == 0


@pytest.mark.parametrize("is_there", [True, False])
def test_the_installer_takes_what_this_installation_was_made_of(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_there: bool
) -> None:
    wheel = tmp_path / "a folder" / "mindport-1.0-py3-none-any.whl"
    if is_there:
        wheel.parent.mkdir()
        wheel.touch()
    noted = json.dumps({"url": wheel.as_uri(), "archive_info": {}})
    made_of = SimpleNamespace(read_text=lambda name: noted)
    monkeypatch.setattr(installation, "distribution", lambda name: made_of)
    assert main(["pycharm", "install", "--ide", "PyCharm2025.3"]) == 0
    path = machine.base / "PyCharm2025.3" / "mindport" / "lsp4ij" / "installer.json"
    commands = json.loads(path.read_text("utf-8"))["run"]["exec"]["onSuccess"]["exec"]["command"]
    assert {words[-1] for words in commands.values()} == {str(wheel) if is_there else "mindport"}
