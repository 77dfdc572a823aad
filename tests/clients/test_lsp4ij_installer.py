"""The template's other files, held against what LSP4IJ's schemas and documentation say, told here as facts.

LSP4IJ's schema of `installer.json` does not describe what its documentation and its own templates do (`check`,
`run`, `configureServer`); the model here follows the documentation.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, Literal
from xml.etree import ElementTree

import pytest
from client_places import LSP4IJ, ROOT, read_json
from mindport.lsp.configuration import section
from mindport.project.settings import load_settings
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

Words = Annotated[str, Field(min_length=1)]
PICTURES = ROOT / "pycharm-bridge" / "pictures"
SYSTEMS = ("windows", "mac", "unix")


class Described(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class PerSystem(Described):
    """One command for each operating system, as a text or as words; `default` for those that are not named."""

    windows: Words | list[Words] | None = None
    mac: Words | list[Words] | None = None
    unix: Words | list[Words] | None = None
    linux: Words | list[Words] | None = None
    default: Words | list[Words]

    def on(self, system: str) -> list[str]:
        """The words as LSP4IJ 0.20 has them: it splits a text at each blank, and strips no quotes."""
        command = getattr(self, system) or self.default
        return command.split(" ") if isinstance(command, str) else command

    def text_on(self, system: str) -> str:
        command = getattr(self, system) or self.default
        assert isinstance(command, str)
        return command


class Task(Described):
    """Exactly one of the tasks that LSP4IJ has."""

    exec: Exec | None = None
    configure_server: ConfigureServer | None = Field(alias="configureServer", default=None)

    @model_validator(mode="after")
    def is_one(self) -> Task:
        if len(self.model_fields_set) != 1:
            raise ValueError("not exactly one task")
        return self


class Exec(Described):
    name: Words | None = None
    command: Words | PerSystem
    working_dir: Words | None = Field(alias="workingDir", default=None)
    timeout: Annotated[int, Field(gt=0)] | None = None
    """In milliseconds; a command that still runs then counts as a success."""
    ignore_stderr: bool = Field(alias="ignoreStderr", default=False)
    on_success: Task | None = Field(alias="onSuccess", default=None)
    on_fail: Task | None = Field(alias="onFail", default=None)


class ConfigureServer(Described):
    name: Words | None = None
    command: PerSystem
    update: bool = False


class Installer(Described):
    id: Words
    name: Words
    execute_on_start: bool = Field(alias="executeOnStartServer", default=False)
    properties: dict[str, str] = {}
    check: Task
    run: Task


class ClientSettings(Described):
    """The members of LSP4IJ's `clientSettings.schema.json` (0.20) that are plain, and `workspaceSymbol`; it
    forbids others than those that it names."""

    class WorkspaceSymbol(Described):
        goto_class: bool = Field(alias="supportsGotoClass", default=False)

    case_sensitive: bool = Field(alias="caseSensitive", default=False)
    line_comment_prefix: str | None = Field(alias="lineCommentPrefix", default=None)
    block_comment_prefix: str | None = Field(alias="blockCommentPrefix", default=None)
    block_comment_suffix: str | None = Field(alias="blockCommentSuffix", default=None)
    workspace_symbol: WorkspaceSymbol | None = Field(alias="workspaceSymbol", default=None)


class WorkspaceFolders(Described):
    """LSP4IJ's `workspaceFolders.schema.json`."""

    root_type: Literal["PROJECT_BASE", "SOURCE_ROOTS", "NONE"] = Field(
        alias="rootType", default="PROJECT_BASE"
    )
    lazy: bool = False
    markers: list[str] = []


def installer() -> Installer:
    return Installer.model_validate(read_json(LSP4IJ / "installer.json"))


def steps() -> list[Exec | ConfigureServer]:
    """What `run` does as long as all goes well."""
    found: list[Exec | ConfigureServer] = []
    task: Task | None = installer().run
    while task is not None:
        step = task.exec or task.configure_server
        assert step is not None
        found.append(step)
        task = step.on_success if isinstance(step, Exec) else None
    return found


def test_the_installer_makes_an_environment_installs_and_sets_the_command() -> None:
    check = installer().check.exec
    assert check is not None and check.command == "${server.command}"
    make, install, configure = steps()
    assert isinstance(configure, ConfigureServer) and configure.update
    for system in SYSTEMS:
        words = [make.command.on(system), install.command.on(system)]
        environment = words[0][-1]
        assert environment == "$USER_HOME$/.mindport"
        assert words[0][-4:-1] == ["-I", "-m", "venv"]
        folder = f"{environment}/{'Scripts' if system == 'windows' else 'bin'}/"
        assert words[1][0].startswith(folder) and words[1][-1] == "mindport"
        assert all('"' not in word for word in words[0] + words[1])
        server = shlex.split(configure.command.text_on(system))  # this one LSP4IJ takes apart by quotes
        assert server[0].startswith(folder + "mindport") and server[1:] == ["serve", "--stdio"]
        assert server[0].endswith(".exe") == (system == "windows")
    assert make.ignore_stderr and install.ignore_stderr  # pip tells of new versions of itself there


def test_a_text_is_split_at_blanks_whatever_is_in_quotes() -> None:
    command = PerSystem(default='python -m venv "$USER_HOME$/a b"')
    assert command.on("unix") == ["python", "-m", "venv", '"$USER_HOME$/a', 'b"']


def test_the_first_step_makes_the_environment_that_the_others_use(tmp_path: Path) -> None:
    make, install, _ = steps()
    home = str(tmp_path / "a home")
    words = [word.replace("$USER_HOME$", home) for word in make.command.on("unix")]
    subprocess.run([sys.executable, *words[1:], "--without-pip"], check=True, timeout=120)
    if sys.platform != "win32":
        assert Path(install.command.on("unix")[0].replace("$USER_HOME$", home)).exists()


@pytest.mark.parametrize(
    "change",
    [
        {"check": {}},
        {"run": {"pip": {"name": "mindport"}}},
        {"run": {"exec": {"name": "no command"}}},
        {"run": {"exec": {"command": {"windows": "py"}}}},
        {"run": {"exec": {"command": "a"}, "configureServer": {"command": "b"}}},
        {"steps": []},
    ],
)
def test_the_model_refuses_what_is_not_documented(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Installer.model_validate({**read_json(LSP4IJ / "installer.json"), **change})


def test_client_settings_and_folders_fit_the_schemas() -> None:
    ClientSettings.model_validate(read_json(LSP4IJ / "clientSettings.json"))
    folders = WorkspaceFolders.model_validate(read_json(LSP4IJ / "workspaceFolderSettings.json"))
    assert folders.root_type == "PROJECT_BASE"  # the pyproject.toml of the project decides
    with pytest.raises(ValidationError):
        WorkspaceFolders.model_validate({"rootType": "MARKERS"})
    with pytest.raises(ValidationError):
        ClientSettings.model_validate({"completions": {}})


def test_the_initialization_options_leave_the_word_to_the_project() -> None:
    options = section(read_json(LSP4IJ / "initializationOptions.json"), whole=True)
    assert load_settings(None, editor=options) == load_settings(None)


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_the_pictures_are_there_and_say_what_they_are(readme: str) -> None:
    named = re.findall(r"!\[[^]]+\]\(\.\./pictures/([^)]+)\)", (LSP4IJ / readme).read_text("utf-8"))
    assert sorted(named) == sorted(path.name for path in PICTURES.glob("*.svg"))
    for name in named:
        texts = [element.text or "" for element in ElementTree.parse(PICTURES / name).iter()]
        assert any("not a screenshot" in text and "示意图" in text for text in texts)
    assert len(named) == 4
