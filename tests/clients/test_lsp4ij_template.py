"""The template for LSP4IJ, held against a model written from its documentation.

LSP4IJ publishes no schema for `template.json`; the model says which members its documentation describes.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from client_places import LSP4IJ, accepted, read_json, server_settings
from mindport.project.settings import load_settings
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

SCHEMA = read_json(LSP4IJ / "settings.schema.json")


class Described(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ProgramArgs(Described):
    """The command line by operating system."""

    default: str = Field(min_length=1)
    windows: str | None = None
    mac: str | None = None
    unix: str | None = None


class LanguageMapping(Described):
    """`language` is an IntelliJ language, `language_id` what the server is told."""

    language: str = Field(min_length=1)
    language_id: str = Field(alias="languageId", min_length=1)


class FileType(Described):
    name: str | None = None
    patterns: list[str] = []

    @model_validator(mode="after")
    def says_something(self) -> FileType:
        if self.name is None and not self.patterns:
            raise ValueError("neither name nor patterns")
        return self


class FileTypeMapping(Described):
    file_type: FileType = Field(alias="fileType")
    language_id: str = Field(alias="languageId", min_length=1)


class Environment(Described):
    include_system: bool = Field(alias="includeSystemEnvironmentVariables", default=False)
    variables: dict[str, str] = {}


class Template(Described):
    id: str = Field(min_length=1)
    name: str = Field(min_length=1)
    url: str | None = None
    program_args: ProgramArgs = Field(alias="programArgs")
    working_dir: str | None = Field(alias="workingDir", default=None)
    env: Environment | None = None
    expand_configuration: bool = Field(alias="expandConfiguration", default=False)
    disable_promotion_for: list[str] = Field(alias="disablePromotionFor", default=[])
    language_mappings: list[LanguageMapping] = Field(alias="languageMappings", default=[])
    file_type_mappings: list[FileTypeMapping] = Field(alias="fileTypeMappings", default=[])


def template() -> Template:
    return Template.model_validate(read_json(LSP4IJ / "template.json"))


def test_the_template_is_as_documented() -> None:
    found = template()
    assert found.id == "mindport"
    assert [(mapping.language, mapping.language_id) for mapping in found.language_mappings] == [
        ("Python", "python")
    ]
    [files] = found.file_type_mappings
    assert "*.py" in files.file_type.patterns
    assert files.language_id == "python"


@pytest.mark.parametrize(
    "change",
    [
        {"programArgs": {}},
        {"programArgs": "mindport serve --stdio"},
        {"languageMapping": []},
        {"fileTypeMappings": [{"fileType": {"patterns": ["*.py"]}}]},
        {"fileTypeMappings": [{"fileType": {}, "languageId": "python"}]},
    ],
)
def test_the_model_refuses_what_is_not_documented(change: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Template.model_validate({**read_json(LSP4IJ / "template.json"), **change})


def test_the_folder_holds_only_files_that_are_imported() -> None:
    imported = {
        "template.json",
        "settings.json",
        "settings.schema.json",
        "initializationOptions.json",
        "clientSettings.json",
        "workspaceFolderSettings.json",
        "installer.json",
        "README.md",
    }
    assert {path.name for path in LSP4IJ.iterdir()} - {"README.zh-CN.md"} == imported


def test_the_schema_accepts_what_the_server_accepts() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    ours = SCHEMA["properties"]["mindport"]["properties"]
    assert {
        name: accepted({"type": "string", **schema}) for name, schema in ours.items()
    } == server_settings()


def test_the_settings_leave_the_word_to_the_project() -> None:
    settings = read_json(LSP4IJ / "settings.json")
    jsonschema.validate(settings, SCHEMA)
    assert settings == {"mindport": {}}


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_the_settings_of_the_readme_are_understood(readme: str) -> None:
    example = (LSP4IJ / readme).read_text("utf-8").split("```json\n")[1].split("```")[0]
    settings = json.loads(example)
    jsonschema.validate(settings, SCHEMA)
    loaded = load_settings(None, editor=settings["mindport"])
    assert loaded.problems == ()
    assert loaded.settings.device == "cpu"
    assert loaded.settings.severity == {"MP1": "hint"}


def test_the_schema_refuses_what_the_server_refuses() -> None:
    for wrong in ({"device": "tpu"}, {"severity": {"MP1": "none"}}, {"select": ["X1"]}, {"unknown": 1}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"mindport": wrong}, SCHEMA)
        assert load_settings(None, editor=wrong).problems != ()


def test_the_command_starts_the_server(tmp_path: Path) -> None:
    program, *arguments = shlex.split(template().program_args.default)
    assert program == "mindport"
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": initialize_params(tmp_path)},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    process = subprocess.run(
        [sys.executable, "-m", program, *arguments],
        input=b"".join(map(framed, messages)),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert process.returncode == 0, process.stderr.decode()
    answers = {answer["id"]: answer for answer in unframed(process.stdout) if "method" not in answer}
    assert answers[1]["result"]["capabilities"].get("positionEncoding", "utf-16") == "utf-16"
    assert answers[2]["result"] is None


def initialize_params(folder: Path) -> dict[str, object]:
    """As LSP4IJ: UTF-16 only, and settings by request."""
    return {
        "processId": None,
        "rootUri": folder.as_uri(),
        "capabilities": {
            "general": {"positionEncodings": ["utf-16"]},
            "workspace": {"configuration": True, "applyEdit": True},
        },
    }


def framed(message: dict[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def unframed(output: bytes) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    while output:
        header, _, rest = output.partition(b"\r\n\r\n")
        length = int(header.split(b"Content-Length: ")[1].split(b"\r\n")[0])
        messages.append(json.loads(rest[:length]))
        output = rest[length:]
    return messages
