"""What the user can set, and where from: defaults, pyproject.toml, the editor, the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from mindport.language import Text
from mindport.project import pyproject
from mindport.project.setting_table import SETTINGS, Settings, is_valid, option_of
from mindport.source.error import TextError

Origin = Literal["pyproject.toml", "editor", "command line"]
TargetCheck = Callable[[str], object]
"""Raises ValueError for a target that is no known MindSpore version."""

CLIENT_SETTINGS = frozenset({"enable", "interpreter", "trace"})
"""Settings of the editor's extension itself, which editors send along with ours."""


class SettingsError(TextError):
    """A setting that cannot be used. `setting` is None when all settings of the origin are meant."""

    def __init__(self, text: Text, origin: Origin, setting: str | None, **values: object) -> None:
        super().__init__(text, **values)
        self.origin = origin
        self.setting = setting


class LoadedSettings(NamedTuple):
    """The settings in force, and what was wrong with those that could not be used."""

    settings: Settings
    problems: tuple[SettingsError, ...]
    pyproject: Path | None
    """The file that was read, whether or not it was of use."""
    given: frozenset[str]
    """The names of those that were given, by whatever origin."""


_SHOWN_LENGTH = 60
_MOST_TOLD = 20
"""So many of the settings of one origin that cannot be used are told one by one."""
_VERSION = re.compile(r"[0-9]+\.[0-9]+(\.[0-9]+)?")
_WRONG_VALUE = Text(
    "Invalid value {value} for {name} ({where}), ignored: expected {accepted}.",
    "设置 {name}（{where}）的值 {value} 无效，已忽略：应为{accepted}。",
)
_UNKNOWN = Text(
    "Unknown setting {name} ({where}), ignored. Available settings: {known}.",
    "未知的设置 {name}（{where}），已忽略。可用的设置：{known}。",
)
_NOT_A_TABLE = Text(
    "The settings {name} ({where}) are ignored: expected a table of names and values, not {value}.",
    "设置 {name}（{where}）已忽略：应为由名称和值组成的表，而不是 {value}。",
)
_MORE = Text(
    "{number} more invalid settings of {name} ({where}) are ignored.",
    "{name}（{where}）中另有 {number} 项无效设置，已忽略。",
)
_NOT_TRUSTED = Text(
    "The setting {name} ({where}) is ignored: the editor does not report this workspace as trusted. Set "
    "mindport.python in the editor instead.",
    "设置 {name}（{where}）已忽略：编辑器未表明信任此工作区。请改为在编辑器中设置 mindport.python。",
)
_IN_THE_NETWORK = Text(
    "The setting {name} ({where}) is ignored: {value} is a network path.",
    "设置 {name}（{where}）已忽略：{value} 是网络路径。",
)
_ORIGINS: Mapping[Origin, Text] = {
    "pyproject.toml": Text("pyproject.toml", "pyproject.toml"),
    "editor": Text("editor", "编辑器"),
    "command line": Text("command line", "命令行"),
}


def load_settings(
    folder: Path | None,
    editor: object = None,
    command_line: Mapping[str, object] | None = None,
    check_target: TargetCheck | None = None,
    is_trusted: bool = True,
) -> LoadedSettings:
    """The settings for `folder`: defaults, overridden by `[tool.mindport]` of the nearest pyproject.toml
    that has it in `folder` or above, by what the editor sent, and by the command line.

    `editor` is the value of the section `mindport` as received, of any type; None means not set. On the
    command line a value of None means that the option was not given. What cannot be used is ignored and
    told in `problems`; nothing is raised. The entries of `severity` are overridden one by one, all other
    settings as a whole. `check_target` decides which targets exist; without it, all that look
    like a version do.

    `python` of a pyproject.toml is ignored unless the project `is_trusted`, and so is a path in the network,
    whoever gives it: nothing is looked for there. A relative path is one from the file's folder, on the
    command line from the current folder, else from `folder`.
    """
    problems: list[SettingsError] = []
    path, table = (None, None) if folder is None else _project_table(folder, problems)
    given = {name: value for name, value in (command_line or {}).items() if value is not None}
    layers: tuple[tuple[Origin, object], ...] = (
        ("pyproject.toml", table),
        ("editor", editor),
        ("command line", given),
    )
    values: dict[str, object] = {}
    severity: dict[str, object] = {}
    for origin, layer in layers:
        wrong: list[SettingsError] = []
        usable = _usable(layer, origin, check_target or _check_is_version, wrong)
        around = Path() if origin == "command line" else folder
        if origin == "pyproject.toml" and path is not None:
            around = path.parent
        _check_python(usable.others, origin, around, is_trusted, wrong)
        problems += _bounded(wrong, origin)
        severity |= usable.severity
        values |= usable.others
    if severity:
        values["severity"] = severity
    return LoadedSettings(Settings.of(values), tuple(problems), path, frozenset(values))


def _project_table(folder: Path, problems: list[SettingsError]) -> tuple[Path | None, object]:
    """The nearest pyproject.toml with settings of ours (or that cannot be read), and the settings."""
    absolute = folder.absolute()
    for parent in (absolute, *absolute.parents):
        path = parent / pyproject.NAME
        try:
            table = pyproject.read_table(path)
        except TextError as error:
            problems.append(SettingsError(error.text, "pyproject.toml", None, **error.values))
            return path, None
        if table is not None:
            return path, table
    return None, None


def _bounded(problems: list[SettingsError], origin: Origin) -> list[SettingsError]:
    """Of many, the first, and how many more there are."""
    if len(problems) <= _MOST_TOLD:
        return problems
    number = len(problems) - _MOST_TOLD
    return [*problems[:_MOST_TOLD], _problem(_MORE, origin, None, number=number)]


class _Usable(NamedTuple):
    """The settings of one origin that can be used."""

    severity: dict[str, object]
    others: dict[str, object]


def _usable(
    layer: object, origin: Origin, check_target: TargetCheck, problems: list[SettingsError]
) -> _Usable:
    """What of `layer` can be used; what cannot goes to `problems`."""
    usable = _Usable({}, {})
    if layer is None:
        return usable
    if not isinstance(layer, Mapping):
        problems.append(_problem(_NOT_A_TABLE, origin, None, value=_shown_value(layer)))
        return usable
    for name, value in layer.items():
        if origin == "editor" and name in CLIENT_SETTINGS:
            continue
        if name not in SETTINGS:
            problems.append(_problem(_UNKNOWN, origin, str(name), known=", ".join(SETTINGS)))
        elif name == "severity" and isinstance(value, Mapping):
            for code, level in value.items():
                if is_valid(SETTINGS[name].schema, {code: level}):
                    usable.severity[code] = level
                else:
                    problems.append(_wrong_value(origin, name, {code: level}))
        elif is_valid(SETTINGS[name].schema, value) and (name != "target" or _is_target(value, check_target)):
            usable.others[name] = value
        else:
            problems.append(_wrong_value(origin, name, value))
    return usable


def _check_python(
    others: dict[str, object],
    origin: Origin,
    around: Path | None,
    is_trusted: bool,
    problems: list[SettingsError],
) -> None:
    """Take out a path of Python that must not be looked at, which goes to `problems`; make one that is
    relative absolute."""
    path = others.get("python")
    if not isinstance(path, str) or not path:
        return
    if origin == "pyproject.toml" and not is_trusted:
        del others["python"]
        problems.append(_problem(_NOT_TRUSTED, origin, "python"))
    elif path.replace("\\", "/").startswith("//"):
        del others["python"]
        problems.append(_problem(_IN_THE_NETWORK, origin, "python", value=_shown_value(path)))
    elif around is not None and not path.startswith("~"):
        others["python"] = str(around.absolute() / path)


def _is_target(value: object, check_target: TargetCheck) -> bool:
    try:
        check_target(str(value))
    except ValueError:
        return False
    return True


def _check_is_version(value: str) -> None:
    if not _VERSION.fullmatch(value):
        raise ValueError(value)


def _wrong_value(origin: Origin, name: str, value: object) -> SettingsError:
    return _problem(_WRONG_VALUE, origin, name, value=_shown_value(value), accepted=SETTINGS[name].accepted)


def _problem(text: Text, origin: Origin, setting: str | None, **values: object) -> SettingsError:
    name = _shown_name(origin, setting)
    return SettingsError(text, origin, setting, name=name, where=_ORIGINS[origin], **values)


def _shown_name(origin: Origin, setting: str | None) -> str:
    """The setting's name as the user writes it there."""
    if origin == "command line":
        return option_of(setting or "")
    table = "tool.mindport" if origin == "pyproject.toml" else "mindport"
    return table if setting is None else f"{table}.{_shortened(setting)}"


def _shown_value(value: object) -> str:
    try:
        return _shortened(json.dumps(value, ensure_ascii=False, default=str, skipkeys=True))
    except RecursionError:  # an editor may send what is nested as deep as can be
        return "…"


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN_LENGTH else text[:_SHOWN_LENGTH] + "…"
