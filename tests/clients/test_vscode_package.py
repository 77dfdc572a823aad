"""The manifest of the VS Code extension: settings as the server has them, every text in both languages."""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest
from client_places import ROOT, VSCODE, accepted, read_json, server_settings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MANIFEST = read_json(VSCODE / "package.json")
PROPERTIES: dict[str, dict[str, Any]] = MANIFEST["contributes"]["configuration"]["properties"]
START_SETTINGS = ["mindport.path", "mindport.importStrategy", "mindport.interpreter"]
SHOWN = {"mindport.codeLens", "mindport.logLevel", "mindport.trace.server"}
OWN_SETTINGS = {"mindport.enable", *START_SETTINGS, *SHOWN}
SETTING = re.compile(r"`(mindport\.[\w.]+)`")
NOT_OFFERED = {"jobs"}
"""Settings of the command line that an editor has no use for."""


def sources() -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted((VSCODE / "src").glob("*.ts")))


def test_every_setting_of_the_server_is_offered() -> None:
    offered = {name.removeprefix("mindport.") for name in PROPERTIES.keys() - OWN_SETTINGS}
    assert offered == server_settings().keys() - NOT_OFFERED


@pytest.mark.parametrize("name", sorted(server_settings().keys() - NOT_OFFERED - {"language"}))
def test_a_setting_accepts_what_the_server_accepts(name: str) -> None:
    assert accepted(PROPERTIES[f"mindport.{name}"]) == server_settings()[name]


def test_language_may_also_be_left_to_the_editor() -> None:
    language = PROPERTIES["mindport.language"]
    assert language["enum"] == ["", *server_settings()["language"]["enum"]]
    assert language["default"] == ""


def test_the_client_sends_the_settings_it_offers() -> None:
    listed = re.search(
        r"SERVER_SETTINGS = \[(.*?)\]", (VSCODE / "src/settingsForServer.ts").read_text(), re.S
    )
    assert listed is not None
    sent = re.findall(r"'(\w+)'", listed[1])
    assert {f"mindport.{name}" for name in sent} == PROPERTIES.keys() - OWN_SETTINGS


def test_every_text_of_the_manifest_is_in_both_languages() -> None:
    used = set(re.findall(r'"%([\w.]+)%"', (VSCODE / "package.json").read_text("utf-8")))
    english = read_json(VSCODE / "package.nls.json")
    chinese = read_json(VSCODE / "package.nls.zh-cn.json")
    assert used == english.keys() == chinese.keys()
    assert all(re.search(r"[\u4e00-\u9fff]", text) for text in chinese.values())
    assert all(PROPERTIES[name]["markdownDescription"].startswith("%") for name in PROPERTIES)


def test_every_message_of_the_code_is_in_both_languages() -> None:
    used = set(re.findall(r"l10n\.t\(\s*'([^']+)'", sources()))
    bundle: dict[str, str] = read_json(VSCODE / "l10n" / "bundle.l10n.zh-cn.json")
    assert used == bundle.keys()
    for message, translation in bundle.items():
        assert sorted(re.findall(r"\{\d\}", message)) == sorted(re.findall(r"\{\d\}", translation))
        assert re.search(r"[\u4e00-\u9fff]", translation)


def test_no_message_is_shown_untranslated() -> None:
    shown = re.findall(r"show(?:Error|Warning|Information)Message\(\s*(['\"`])", sources())
    assert shown == []


def test_the_commands_of_the_manifest_are_the_ones_registered() -> None:
    declared = {command["command"] for command in MANIFEST["contributes"]["commands"]}
    assert declared == set(re.findall(r"registerCommand\(\s*'([^']+)'", sources()))


EDITOR_COMMANDS = {
    "workbench.action.files.openFolder",
    "workbench.actions.view.problems",
    "editor.action.quickFix",
}
"""Commands of VS Code itself that the walkthrough names."""


@pytest.mark.parametrize("texts", ["package.nls.json", "package.nls.zh-cn.json"])
def test_every_command_of_the_walkthrough_exists(texts: str) -> None:
    """Each step has a button, and a page in each language; what ends it can happen."""
    [walkthrough] = MANIFEST["contributes"]["walkthroughs"]
    known = EDITOR_COMMANDS | {command["command"] for command in MANIFEST["contributes"]["commands"]}
    written = read_json(VSCODE / texts)
    for step in walkthrough["steps"]:
        buttons = re.findall(r"\]\(command:([\w.]+)\)", written[step["description"].strip("%")])
        assert len(buttons) == 1 and set(buttons) <= known
        events = [event.removeprefix("onCommand:") for event in step["completionEvents"]]
        assert all(event in known or event.startswith("onContext:") for event in events)
        page = VSCODE / step["media"]["markdown"]
        assert page.is_file() and page.with_name(f"{page.stem}.nls.zh-cn.md").is_file()
    pages = {VSCODE / step["media"]["markdown"] for step in walkthrough["steps"]}
    assert {path.name.split(".")[0] for path in (VSCODE / "walkthrough").iterdir()} == {p.stem for p in pages}


def test_the_pages_of_rules_are_shown_as_previews() -> None:
    scheme = re.search(r"SCHEME = '([\w-]+)'", (VSCODE / "src" / "rulePages.ts").read_text("utf-8"))
    assert scheme is not None
    associations = MANIFEST["contributes"]["configurationDefaults"]["workbench.editorAssociations"]
    assert associations == {f"{scheme[1]}:/**/*.md": "vscode.markdown.preview.editor"}


def test_untrusted_workspaces_cannot_choose_what_is_run() -> None:
    trust = MANIFEST["capabilities"]["untrustedWorkspaces"]
    assert trust["supported"] == "limited"
    assert trust["restrictedConfigurations"] == [*START_SETTINGS, "mindport.python"]
    assert {PROPERTIES[name]["scope"] for name in START_SETTINGS} == {"machine-overridable"}


def test_what_says_how_to_start_is_what_a_restart_is_for() -> None:
    listed = re.search(r"PROGRAM_SETTINGS = \[(.*?)\]", (VSCODE / "src/settings.ts").read_text("utf-8"))
    assert listed is not None
    assert [f"mindport.{name}" for name in re.findall(r"'(\w+)'", listed[1])] == START_SETTINGS


def test_versions_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert MANIFEST["version"] == project["version"]
    probe = (VSCODE / "src" / "probe.ts").read_text("utf-8")
    minimum = re.search(r"MINIMUM_PYTHON: Version = \[(\d+), (\d+), 0\]", probe)
    assert minimum is not None
    assert project["requires-python"] == f">={minimum[1]}.{minimum[2]}"
    assert MANIFEST["license"] == project["license"]


def test_the_types_are_not_newer_than_the_editor_that_is_asked_for() -> None:
    def numbers(version: str) -> list[int]:
        return [int(part) for part in version.lstrip("^").split(".")]

    assert numbers(MANIFEST["devDependencies"]["@types/vscode"]) <= numbers(MANIFEST["engines"]["vscode"])


def test_dependencies_are_pinned() -> None:
    pinned = {**MANIFEST["dependencies"], **MANIFEST["devDependencies"]}
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in pinned.values())
    packages = read_json(VSCODE / "package-lock.json")["packages"]
    locked = {name.removeprefix("node_modules/"): entry for name, entry in packages.items()}
    assert {name: locked[name]["version"] for name in pinned} == pinned
    assert all("integrity" in entry for name, entry in packages.items() if name)


def test_licence_is_the_one_of_the_project() -> None:
    assert (VSCODE / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_the_readmes_list_every_setting(readme: str) -> None:
    text = (VSCODE / readme).read_text("utf-8")
    listed = {name for line in text.splitlines() if line.startswith("| `") for name in SETTING.findall(line)}
    assert listed == PROPERTIES.keys()
