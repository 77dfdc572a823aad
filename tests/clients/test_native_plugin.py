"""The native plugin: that it compiles against the signatures we know, and that `plugin.xml` fits the classes."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree

import pytest
from client_places import ROOT
from mindport.language import LANGUAGES
from mindport.project.setting_table import SETTINGS, Device

PLUGIN = ROOT / "pycharm-bridge" / "plugin"
SOURCES = PLUGIN / "src" / "main" / "java"
STUBS = Path(__file__).parent / "jetbrains_stubs"
XML = ElementTree.parse(PLUGIN / "src" / "main" / "resources" / "META-INF" / "plugin.xml").getroot()
EXTENSIONS = {
    "platform.lsp.serverSupportProvider": ("implementation", "implements LspServerSupportProvider"),
    "applicationService": ("serviceImplementation", "implements PersistentStateComponent"),
    "applicationConfigurable": ("instance", "implements Configurable"),
    "toolWindow": ("factoryClass", "implements ToolWindowFactory"),
    "statusBarWidgetFactory": ("implementation", "implements StatusBarWidgetFactory"),
}
"""The extension points we use: the attribute with the class, and what the class must be (IntelliJ Platform SDK)."""
needs_javac = pytest.mark.skipif(
    shutil.which("javac") is None, reason="a Java compiler is not on this machine"
)


def source(name: str) -> str:
    """The source of a class by its full name."""
    return SOURCES.joinpath(*name.split(".")).with_suffix(".java").read_text("utf-8")


def compiled(sources: Path, output: Path) -> subprocess.CompletedProcess[str]:
    options = [
        "-Xlint:all",
        "-Xlint:-serial",
        "-Werror",
        "-encoding",
        "UTF-8",
        "--release",
        "17",
        "-d",
        str(output),
    ]
    files = [str(path) for path in sorted(sources.rglob("*.java"))]
    command = ["javac", *options, "-sourcepath", str(STUBS), *files]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@needs_javac
def test_the_sources_compile(tmp_path: Path) -> None:
    done = compiled(SOURCES, tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "mindport" / "pycharm" / "MindPortSupport.class").exists()


@needs_javac
@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("MindPortServer", "isSupportedFile", "isSupported"),
        ("ScanAction", "server.sendRequestSync(", "server.sendRequest("),
        ("MindPortSettings", "    public void loadState", "    public int loadState"),
    ],
)
def test_a_wrong_signature_is_noticed(tmp_path: Path, file: str, right: str, wrong: str) -> None:
    sources = tmp_path / "sources"
    shutil.copytree(SOURCES, sources)
    path = sources / "mindport" / "pycharm" / f"{file}.java"
    text = path.read_text("utf-8")
    assert right in text
    path.write_text(text.replace(right, wrong), "utf-8")
    assert compiled(sources, tmp_path / "classes").returncode != 0


def test_the_stubs_have_nothing_that_is_not_used() -> None:
    used = "\n".join(path.read_text("utf-8") for path in [*SOURCES.rglob("*.java"), *STUBS.rglob("*.java")])
    for path in STUBS.rglob("*.java"):
        assert len(re.findall(rf"\b{path.stem}\b", used)) > 1, path.stem


def test_every_extension_names_a_class_that_is_what_it_must_be() -> None:
    [extensions] = XML.findall("extensions")
    assert extensions.get("defaultExtensionNs") == "com.intellij"
    for extension in extensions:
        attribute, kind = EXTENSIONS[extension.tag]
        assert kind in source(str(extension.get(attribute))), extension.tag
    assert {extension.tag for extension in extensions} == set(EXTENSIONS)


def test_the_action_is_in_the_menus_of_editor_and_project_view() -> None:
    [action] = XML.findall("actions/action")
    assert "extends AnAction" in source(str(action.get("class")))
    groups = {group.get("group-id") for group in action.findall("add-to-group")}
    assert groups == {"EditorPopupMenu", "ProjectViewPopupMenu"}


def test_the_plugin_says_what_it_is_and_what_it_needs() -> None:
    assert [depends.text for depends in XML.findall("depends")] == [
        "com.intellij.modules.platform",
        "com.intellij.modules.lsp",
    ]
    for member in ("id", "name", "vendor", "description"):
        assert (XML.findtext(member) or "").strip(), member
    since = re.search(r'sinceBuild = "(\d+)"', (PLUGIN / "build.gradle.kts").read_text("utf-8"))
    assert (
        since is not None and int(since[1]) >= 253
    )  # the module lsp is in all unified PyCharms from there on
    ids = [str(each.get("id")) for each in XML.iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    assert f'ID = "{XML.find("extensions/statusBarWidgetFactory").get("id")}"' in source(  # type: ignore[union-attr]
        "mindport.pycharm.TargetWidgetFactory"
    )
    assert f'getToolWindow("{XML.find("extensions/toolWindow").get("id")}")' in source(  # type: ignore[union-attr]
        "mindport.pycharm.ReportWindow"
    )


def test_the_settings_are_the_servers() -> None:
    settings = source("mindport.pycharm.MindPortSettings")
    told = re.findall(r'put\(told, "(\w+)"', settings)
    assert told == ["target", "device", "language"] and set(told) <= set(SETTINGS)
    offered = re.findall(r'new String\[\] \{"", ([^}]+)\}', source("mindport.pycharm.MindPortConfigurable"))
    assert [re.findall(r'"([^"]+)"', each) for each in offered] == [list(get_args(Device)), list(LANGUAGES)]
