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
    """One command line for each operating system; `default` for those that are not named."""

    windows: Words | None = None
    mac: Words | None = None
    unix: Words | None = None
    linux: Words | None = None
    default: Words

    def on(self, system: str) -> str:
        return getattr(self, system) or self.default


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
    command: Words | PerSystem
    update: bool = False


class Installer(Described):
    id: Words
    name: Words
    execute_on_start: bool = Field(alias="executeOnStartServer", default=False)
    properties: dict[str, str] = {}
    check: Task
    run: Task


class ClientSettings(Described):
    """The members of LSP4IJ's `clientSettings.schema.json` that we use; it forbids others."""

    class Completions(Described):
        case_sensitive: bool = Field(alias="caseSensitive", default=False)

    class WorkspaceSymbol(Described):
        goto_class: bool = Field(alias="supportsGotoClass", default=False)

    completions: Completions | None = None
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
    for system in SYSTEMS:
        told = [step.command.on(system) for step in (make, install, configure)]
        words = [shlex.split(command) for command in told]
        environment = words[0][-1]
        assert environment == "$USER_HOME$/.mindport"
        assert words[0][-4:-1] == ["-I", "-m", "venv"]
        folder = f"{environment}/{'Scripts' if system == 'windows' else 'bin'}/"
        assert words[1][0].startswith(folder) and words[1][-1] == "mindport"
        assert words[2][0].startswith(folder + "mindport") and words[2][1:] == ["serve", "--stdio"]
        assert words[2][0].endswith(".exe") == (system == "windows")
    assert isinstance(configure, ConfigureServer) and configure.update
    assert make.ignore_stderr and install.ignore_stderr  # pip tells of new versions of itself there


def test_the_first_step_makes_the_environment_that_the_others_use(tmp_path: Path) -> None:
    make, install, _ = steps()
    home = str(tmp_path)
    words = shlex.split(make.command.on("unix").replace("$USER_HOME$", home))
    subprocess.run([sys.executable, *words[1:], "--without-pip"], check=True, timeout=120)
    if sys.platform != "win32":
        assert Path(shlex.split(install.command.on("unix").replace("$USER_HOME$", home))[0]).exists()


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
        ClientSettings.model_validate({"completion": {}})


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
