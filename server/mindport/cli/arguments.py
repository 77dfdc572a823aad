"""The options and arguments of commands; those for settings are made from the table of settings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final

import typer

from mindport.cli.options import as_settings
from mindport.language import Language, Text
from mindport.project.setting_table import SETTINGS, Setting

_OPTIONS = Text("Options", "选项")
_ARGUMENTS = Text("Arguments", "参数")
_PATHS = Text("Files and folders.", "文件和文件夹。")
OF_A_TARGET: Final = ("target", "device", "style", "language")
"""The settings that an answer about an API depends on."""
_KEYWORD: Final = inspect.Parameter.KEYWORD_ONLY
_TYPES: Final[Mapping[str, Any]] = {
    "string": str | None,
    "integer": int | None,
    "boolean": bool | None,
    "array": list[str] | None,
    "object": list[str] | None,
}
"""What the library makes of an option, by the type of its setting."""
Given = dict[str, object]
"""The settings that options give, by name; None where an option was not given."""
Command = Callable[..., int]


class Arguments:
    """Describes parameters of commands in one language."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self.paths = self.argument(..., _PATHS, "PATH...")
        self.settings = {name: self._of_setting(name, setting) for name, setting in SETTINGS.items()}

    def option(self, default: Any, text: Text, *names: str, metavar: str | None = None) -> Any:
        """An option of a command."""
        panel = _OPTIONS.render(self._language)
        described = text.render(self._language)
        return typer.Option(default, *names, help=described, metavar=metavar, rich_help_panel=panel)

    def argument(self, default: Any, text: Text, metavar: str) -> Any:
        """An argument of a command, which is given by its place."""
        panel = _ARGUMENTS.render(self._language)
        described = text.render(self._language)
        return typer.Argument(default, help=described, metavar=metavar, rich_help_panel=panel)

    def _of_setting(self, name: str, setting: Setting) -> Any:
        text = Text(setting.text.en.replace("`", ""), setting.text.zh_cn.replace("`", ""))
        if setting.schema["type"] == "boolean":
            return self.option(None, text, f"--{name}/--no-{name}")
        metavar = "|".join(setting.schema.get("enum", (setting.metavar,)))
        return self.option(None, text, f"--{name}", metavar=metavar)

    def with_settings(self, *names: str) -> Callable[[Command], Command]:
        """Give a command, as its argument `settings`, what the options for settings of these names say."""

        def decorate(command: Command) -> Command:
            def run(*others: Any, **given: Any) -> int:
                settings = as_settings({name: given.pop(name) for name in names})
                return command(*others, **given, settings=settings)

            own = inspect.signature(command, eval_str=True).parameters.values()
            parameters = [each for each in own if each.name != "settings"]
            for name in names:
                default, kind = self.settings[name], _TYPES[SETTINGS[name].schema["type"]]
                parameters.append(inspect.Parameter(name, _KEYWORD, default=default, annotation=kind))
            run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
            return run

        return decorate
