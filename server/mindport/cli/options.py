"""From options of the command line to settings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.cli.console import UsageError, language_of_environment, warning
from mindport.language import LANGUAGES, Language, Text
from mindport.project.setting_table import SETTINGS, Setting

if TYPE_CHECKING:
    from mindport.project.setting_table import Settings
    from mindport.project.settings import LoadedSettings, SettingsError

_CANNOT_BE = Text(
    "Invalid value {value} for {name}: expected {accepted}.",
    "选项 {name} 的值 {value} 无效，应为{accepted}。",
)
_VERSIONS = Text("one of the MindSpore versions {versions}", "以下 MindSpore 版本之一：{versions}")


def settings_for(
    paths: Sequence[Path], options: Mapping[str, object], language: Language
) -> tuple[Settings, Language]:
    """The settings in force for `paths`, and the language of messages.

    They come from the pyproject.toml around all of `paths`, then from the command line; the language of the
    environment decides where neither says one. What is wrong in pyproject.toml is told on standard error and
    ignored. Raises UsageError for an option that cannot be used.
    """
    loaded = _load(_folder(paths), options)
    chosen = loaded.settings
    if "language" not in loaded.given:
        chosen = replace(chosen, language=language_of_environment())
    told = language if options.get("language") is None else chosen.language
    for problem in loaded.problems:
        if problem.origin == "command line":
            raise UsageError(_sentence(problem, told))
    for problem in loaded.problems:
        warning(problem.render(chosen.language), chosen.language)
    return chosen, chosen.language


def _load(folder: Path, options: Mapping[str, object]) -> LoadedSettings:
    from mindport.catalog.target import parse_version
    from mindport.project.settings import load_settings

    return load_settings(folder, command_line=options, check_target=parse_version)


def _folder(paths: Sequence[Path]) -> Path:
    """The folder around all paths."""
    folders = [path if path.is_dir() else path.parent for path in map(Path.absolute, paths)]
    try:
        return Path(os.path.commonpath(folders)) if folders else Path.cwd()
    except ValueError:  # on several drives
        return folders[0]


def _sentence(problem: SettingsError, language: Language) -> str:
    values = dict(problem.values)
    accepted = values.get("accepted")
    if problem.setting == "target":
        from mindport.catalog.target import VERSIONS

        values["accepted"] = _VERSIONS.render(language, versions=", ".join(VERSIONS))
    elif problem.setting == "language":
        values["accepted"] = " / ".join(LANGUAGES)
    elif isinstance(accepted, Text):
        values["accepted"] = accepted.render(language)
    return _CANNOT_BE.render(language, **values)


def as_settings(given: Mapping[str, object]) -> dict[str, object]:
    """Settings, by name, as their options were given: lists by repeating an option, codes also with commas,
    tables as `NAME=VALUE`. None stays what was not given."""
    return {name: _as_setting(SETTINGS[name], value) for name, value in given.items()}


def _as_setting(setting: Setting, value: object) -> object:
    if not isinstance(value, list):
        return value
    kind = setting.schema["type"]
    if kind == "object":
        entries = (entry.partition("=") for entry in codes(value) or ())
        return {name.strip(): level.strip() for name, _, level in entries} or None
    return codes(value) if "pattern" in setting.schema["items"] else tuple(value) or None


def codes(values: Sequence[str] | None) -> tuple[str, ...] | None:
    """`["MP2,MP3", "MP101"]` as codes; None if the option was not given."""
    if not values:
        return None
    return tuple(code.strip() for value in values for code in value.split(",") if code.strip())
