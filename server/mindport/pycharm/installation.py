"""Putting mindport into an IDE's configuration, and taking it out again so that nothing is left of it.

What was installed is recorded in the folder `mindport` of the configuration, with the file as it was before:
only what is recorded, and unchanged since, counts as ours and is ever replaced or removed.

Where JetBrains IDEs keep their configuration is documented by JetBrains for 2020.1 and later (IDE help,
"Directories used by the IDE").
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

from mindport.language import Language, Text
from mindport.pycharm.external_tools import Launcher, Tool, new_file, tools
from mindport.pycharm.tools_file import ToolsFile, UnusableFileError, read_tools
from mindport.pycharm.transaction import FileChange, read
from mindport.source.error import TextError

_NAMES: Mapping[str, str] = {
    "PyCharm": "PyCharm",
    "PyCharmCE": "PyCharm Community",
    "PyCharmEdu": "PyCharm Edu",
    "DataSpell": "DataSpell",
    "IntelliJIdea": "IntelliJ IDEA",
    "IdeaIC": "IntelliJ IDEA Community",
}
"""The IDEs that have Python, by the beginning of their folder's name."""
_FOLDER = re.compile(r"([A-Za-z]+)(20[0-9]{2}\.[0-9])")


class Ide(NamedTuple):
    """One version of one IDE that this user has started at least once. `folder` is its configuration."""

    name: str
    version: str
    folder: Path

    @property
    def has_lsp4ij(self) -> bool:
        """Whether there is an LSP4IJ for it: there is from 2024.2 on (its `pluginSinceBuild` is 242)."""
        year, release = self.version.split(".")
        return (int(year), int(release)) >= (2024, 2)


def base_folder(platform: str, environment: Mapping[str, str], home: Path) -> Path:
    """Where there is one configuration folder per IDE and version. `platform` is like `sys.platform`."""
    if platform == "win32":
        roaming = environment.get("APPDATA")
        return (Path(roaming) if roaming else home / "AppData" / "Roaming") / "JetBrains"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "JetBrains"
    configured = environment.get("XDG_CONFIG_HOME")
    return (Path(configured) if configured else home / ".config") / "JetBrains"


def find_ides(base: Path) -> list[Ide]:
    """The IDEs whose configuration is in `base`, sorted by name and version; none where there is no such
    folder. Raises OSError where the folder cannot be read."""
    if not base.is_dir():
        return []
    found = (ide_of(path) for path in base.iterdir() if path.is_dir())
    return sorted((ide for ide in found if ide is not None), key=lambda ide: (ide.name, ide.version))


def ide_of(folder: Path) -> Ide | None:
    """The IDE whose configuration folder this is, by its name; None for any other folder."""
    match = _FOLDER.fullmatch(folder.name)
    if match is None or match[1] not in _NAMES:
        return None
    return Ide(_NAMES[match[1]], match[2], folder)


_NAME = "mindport"
_IN_PACKAGE = Path(__file__).resolve().parent / "lsp4ij"
_IN_CHECKOUT = Path(__file__).resolve().parents[3] / "pycharm-bridge" / "lsp4ij"
_MISSING = Text(
    "The LSP4IJ template is missing from this installation ({place}). Reinstall mindport.",
    "此安装中没有 LSP4IJ 模板（{place}）。请重新安装 mindport。",
)


def template_files(launcher: Launcher) -> Mapping[str, bytes]:
    """The template's files by name. The server is started by `launcher`, so that it need not be on the PATH.

    Raises TextError where the template is not part of the installation.
    """
    folder = _IN_PACKAGE if _IN_PACKAGE.is_dir() else _IN_CHECKOUT
    if not (folder / "template.json").is_file():
        raise TextError(_MISSING, place=_IN_PACKAGE)
    files = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
    template = json.loads(files["template.json"])
    template["programArgs"] = {"default": command_line(launcher)}
    files["template.json"] = _as_file(template)
    installer = json.loads(files["installer.json"])
    commands = installer["run"]["exec"]["onSuccess"]["exec"]["command"]
    for words in commands.values():
        words[-1] = _source()
    files["installer.json"] = _as_file(installer)
    return files


def _as_file(content: object) -> bytes:
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()


def _source() -> str:
    """What pip installs mindport from: the wheel or the folder that this installation was made of, as pip has
    noted (PEP 610), if it is still there; else the name."""
    try:
        noted = distribution(_NAME).read_text("direct_url.json")
    except PackageNotFoundError:
        return _NAME
    url = urlsplit(json.loads(noted)["url"]) if noted is not None else None
    path = url2pathname(url.path) if url is not None and url.scheme == "file" else ""
    return path if path and Path(path).exists() else _NAME


def command_line(launcher: Launcher) -> str:
    """The command that starts the server, as one line; a program whose path has spaces is in quotes."""
    program = f'"{launcher.program}"' if " " in launcher.program else launcher.program
    return " ".join(part for part in (program, launcher.parameters, "serve --stdio") if part)


State = Literal["absent", "installed", "outdated", "changed"]
_TOOLS = Path("tools") / "External Tools.xml"
_OURS = "mindport"
_RECORD = "installed.json"
_BACKUP = "External Tools.xml.before"
_TEMPLATE = "lsp4ij"
_UNUSABLE = Text(
    "{path} was not changed: {reason}. Fix or move it, then try again.",
    "未改动 {path}：{reason}。请修正或移走该文件后重试。",
)
_TAKEN = Text(
    "{path} already has a tool of your own (or one of ours that you changed) named {names}. Rename or "
    "delete it in Settings | Tools | External Tools, then try again.",
    "{path} 中已有您自己的（或您修改过的）同名工具：{names}。"
    "请在 Settings | Tools | External Tools 中改名或删除后重试。",
)
_BAD_RECORD = Text(
    "{path} differs from what mindport wrote. Delete it, and remove the tools named MindPort by hand.",
    "{path} 与 mindport 写入的内容不同。请删除它，并手动移除名为 MindPort 的工具。",
)


class RefusedError(TextError):
    """Something of the user's is in the way. The message says what it is and what to do."""


class Plan(NamedTuple):
    """What is to be done in one configuration.

    `kept` are our tools that stay because the user changed them, `folders` those to be removed if they are
    empty afterwards.
    """

    changes: tuple[FileChange, ...]
    kept: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()


class _Record(NamedTuple):
    tools: tuple[Tool, ...]
    written: str
    """The whole file as we left it."""
    had_file: bool
    had_folder: bool


def template_folder(ide: Ide) -> Path:
    """Where the template is put."""
    return ide.folder / _OURS / _TEMPLATE


def plan_install(ide: Ide, launcher: Launcher, language: Language) -> Plan:
    """What has to change so that mindport is installed; nothing, where it is.

    Raises RefusedError where something of the user's is in the way, OSError where a file cannot be read,
    TextError where this installation has no template.
    """
    wanted = tools(launcher, language)
    changes = _tool_changes(ide, wanted, language)
    folder = template_folder(ide)
    files = template_files(launcher) if ide.has_lsp4ij else {}
    old = {path.name for path in folder.iterdir()} - set(files) if folder.is_dir() else set()
    changes += [_change(folder / name, content) for name, content in files.items()]
    changes += [_change(folder / name, None) for name in sorted(old)]
    return Plan(tuple(change for change in changes if change.before != change.after))


def plan_uninstall(ide: Ide) -> Plan:
    """What has to change so that nothing of ours is left; nothing, where nothing is.

    Raises RefusedError, OSError.
    """
    record = _read_record(ide)
    if record is None:
        return Plan(())
    path, ours = ide.folder / _TOOLS, ide.folder / _OURS
    data = read(path)
    changes: list[FileChange] = []
    kept: list[str] = []
    if data is not None:
        after = read(ours / _BACKUP)
        if data.decode(errors="replace") != record.written:
            file = _parse(path, data)
            kept = [placed.tool.name for placed in file.tools if _is_changed(placed.tool, record.tools)]
            after = _removed(file, record)
        changes.append(FileChange(path, data, after))
    everything = sorted(each for each in ours.rglob("*") if each.is_file())
    changes += [_change(each, None) for each in everything]
    folders = [template_folder(ide), ours] + ([] if record.had_folder else [path.parent])
    differing = (change for change in changes if change.before != change.after)
    return Plan(tuple(differing), tuple(kept), tuple(folders))


def state(ide: Ide, launcher: Launcher, language: Language) -> State:
    """How things are in one configuration. Raises RefusedError, OSError."""
    record = _read_record(ide)
    if record is None:
        return "absent"
    data = read(ide.folder / _TOOLS)
    present = [] if data is None else [placed.tool for placed in _parse(ide.folder / _TOOLS, data).tools]
    if any(tool not in present for tool in record.tools):
        return "changed"
    return "outdated" if plan_install(ide, launcher, language).changes else "installed"


def _tool_changes(ide: Ide, wanted: Sequence[Tool], language: Language) -> list[FileChange]:
    path, ours = ide.folder / _TOOLS, ide.folder / _OURS
    data, record = read(path), _read_record(ide)
    if data is not None and record is not None and record.tools == tuple(wanted):
        present = [placed.tool for placed in _parse(path, data).tools]
        if all(tool in present for tool in wanted):
            return []
    original = data if record is None or data is None else read(ours / _BACKUP)
    after = new_file(wanted, language)
    if data is not None:
        base = data
        if record is not None:
            base = _parse(path, data).without(record.tools)
        file = _parse(path, base)
        taken = {placed.tool.name for placed in file.tools} & {tool.name for tool in wanted}
        if taken:
            raise RefusedError(_TAKEN, path=path, names=", ".join(sorted(taken)))
        after = file.with_tools(wanted, language)
        if record is not None and data.decode(errors="replace") != record.written:
            original = base if file.tools or record.had_file else None
    had_folder = path.parent.is_dir() if record is None else record.had_folder
    told = {
        "tools": [tool._asdict() for tool in wanted],
        "written": after.decode(),
        "had_file": original is not None,
        "had_folder": had_folder,
    }
    content = json.dumps(told, indent=1, ensure_ascii=False).encode()
    # The record and the backup come first: whatever happens then, what was there before is known.
    return [
        _change(ours / _BACKUP, original),
        _change(ours / _RECORD, content),
        FileChange(path, data, after),
    ]


def _removed(file: ToolsFile, record: _Record) -> bytes | None:
    """The file without our tools; None where there would be no file without us."""
    rest = file.without(record.tools)
    return None if not record.had_file and not read_tools(rest).tools else rest


def _is_changed(tool: Tool, recorded: Sequence[Tool]) -> bool:
    return tool not in recorded and tool.name in {each.name for each in recorded}


def _parse(path: Path, data: bytes) -> ToolsFile:
    try:
        return read_tools(data)
    except UnusableFileError as error:
        reason = Text(error.render("en"), error.render("zh-cn"))
        raise RefusedError(_UNUSABLE, path=path, reason=reason) from error


def _read_record(ide: Ide) -> _Record | None:
    path = ide.folder / _OURS / _RECORD
    data = read(path)
    if data is None:
        return None
    try:
        told = json.loads(data)
        recorded = tuple(Tool(**tool) for tool in told["tools"])
        return _Record(recorded, told["written"], told["had_file"], told["had_folder"])
    except (ValueError, KeyError, TypeError) as error:
        raise RefusedError(_BAD_RECORD, path=path) from error


def _change(path: Path, after: bytes | None) -> FileChange:
    return FileChange(path, read(path), after)
