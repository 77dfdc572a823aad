"""Write what clients and the documentation say of settings, from the table of settings.

`python scripts/settings_files.py` writes; `--check` exits 1 if a file is not as it would be written.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mindport.language import Language, Text
from mindport.project.setting_table import SETTINGS, Setting, Settings

ROOT = Path(__file__).resolve().parents[1]
VSCODE = ROOT / "vscode-client"
SCHEMA = ROOT / "pycharm-bridge" / "lsp4ij" / "settings.schema.json"
DEFAULTS: Mapping[str, Any] = Settings().as_json()
OFFERED: Mapping[str, Setting] = {name: one for name, one in SETTINGS.items() if one.in_editor}
FOLLOWS = Text("As the editor", "与编辑器一致")
LANGUAGES: Mapping[str, str] = {"en": "English", "zh-cn": "简体中文"}
"""The languages, each in its own words."""

TITLE = Text("Settings", "设置")
ABOUT = Text(
    "Each setting has the same name everywhere: in `[tool.mindport]` of `pyproject.toml`, in an editor "
    "(`mindport.NAME`), and on the command line (`--NAME`, with `--graph-mode` for `graphMode`), where it "
    "overrides the others. Lists are given on the command line by repeating the option, codes also with "
    "commas: `--ignore MP1,MP207`.",
    "每项设置在各处名称相同：`pyproject.toml` 的 `[tool.mindport]`、编辑器（`mindport.NAME`）"
    "以及命令行（`--NAME`，其中 `graphMode` 写作 `--graph-mode`；优先级最高）。"
    "在命令行中重复选项即可给出列表，代码还可以用逗号分隔：`--ignore MP1,MP207`。",
)
HEADINGS = Text("| setting | value | default | what it does |", "| 设置 | 取值 | 默认值 | 作用 |")


def manifest() -> str:
    """The extension's `package.json`: its own settings stay as they are."""
    content = json.loads((VSCODE / "package.json").read_text("utf-8"))
    configuration = content["contributes"]["configuration"]
    made = {f"mindport.{name}": _property(name, one) for name, one in OFFERED.items()}
    properties = _put(configuration["properties"], made, lambda name: name[len("mindport.") :] in SETTINGS)
    for order, each in enumerate(properties.values()):
        each["order"] = order
    configuration["properties"] = properties
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _property(name: str, setting: Setting) -> dict[str, Any]:
    made: dict[str, Any] = dict(setting.schema)
    default = DEFAULTS[name]
    if setting.follows_editor:
        made["enum"] = ["", *made["enum"]]
        made["enumItemLabels"] = [f"%setting.{name}.follow%", *(LANGUAGES[each] for each in made["enum"][1:])]
        default = ""
    if setting.choices:
        made["markdownEnumDescriptions"] = [f"%setting.{name}.{choice}%" for choice in setting.choices]
    described = {"scope": "resource", "order": 0, "markdownDescription": f"%setting.{name}%"}
    return {**made, "default": default, **described}


def texts(language: Language) -> str:
    """The extension's texts in a language: those of settings are ours."""
    path = VSCODE / ("package.nls.json" if language == "en" else f"package.nls.{language}.json")
    made = {}
    for name, setting in OFFERED.items():
        made[f"setting.{name}"] = setting.text.render(language)
        if setting.follows_editor:
            made[f"setting.{name}.follow"] = FOLLOWS.render(language)
        for choice, text in setting.choices.items():
            made[f"setting.{name}.{choice}"] = text.render(language)
    content = json.loads(path.read_text("utf-8"))
    is_ours = re.compile(r"setting\.(" + "|".join(SETTINGS) + r")(\.|$)")
    return json.dumps(_put(content, made, is_ours.match), indent=2, ensure_ascii=False) + "\n"


def _put(content: Mapping[str, Any], made: Mapping[str, Any], is_ours: Any) -> dict[str, Any]:
    """The content with what is made in the place of the first entry that is ours."""
    result: dict[str, Any] = {}
    for name, value in content.items():
        if not is_ours(name):
            result[name] = value
        elif not made.keys() & result.keys():
            result |= made
    return result


def client() -> str:
    """The list of settings that the extension sends."""
    text = (VSCODE / "src" / "settingsForServer.ts").read_text("utf-8")
    names = "".join(f"    '{name}',\n" for name in OFFERED)
    return re.sub(
        r"(SERVER_SETTINGS = \[\n).*?(\] as const)",
        lambda match: match[1] + names + match[2],
        text,
        flags=re.S,
    )


def schema() -> str:
    """The schema that LSP4IJ completes and checks settings with: it shows one text, so it has both."""
    content = json.loads(SCHEMA.read_text("utf-8"))
    content["properties"]["mindport"]["properties"] = {
        name: {
            **setting.schema,
            "default": DEFAULTS[name],
            "description": _plain(f"{setting.text.render('en')} {setting.text.render('zh-cn')}"),
        }
        for name, setting in SETTINGS.items()
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _plain(text: str) -> str:
    return text.replace("`", "")


def page(language: Language) -> str:
    """The page about settings."""
    rows = [HEADINGS.render(language), "|---|---|---|---|"]
    for name, setting in SETTINGS.items():
        said = [setting.text.render(language)]
        said += [f"`{choice}`: {text.render(language)}" for choice, text in setting.choices.items()]
        cells = [f"`{name}`", setting.accepted.render(language).strip(), _default(name), " ".join(said)]
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join([f"# {TITLE.render(language)}", "", ABOUT.render(language), "", *rows]) + "\n"


def _default(name: str) -> str:
    value = DEFAULTS[name]
    return f"`{json.dumps(value)}`"


def files() -> dict[Path, str]:
    """Every file by its path."""
    return {
        VSCODE / "package.json": manifest(),
        VSCODE / "package.nls.json": texts("en"),
        VSCODE / "package.nls.zh-cn.json": texts("zh-cn"),
        VSCODE / "src" / "settingsForServer.ts": client(),
        SCHEMA: schema(),
        ROOT / "docs" / "settings.md": page("en"),
        ROOT / "docs" / "settings.zh-CN.md": page("zh-cn"),
    }


def main() -> int:
    """Write the files, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    made = files()
    stale = [path for path, text in made.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        if check:
            print(f"{path} is not up to date: run python scripts/settings_files.py", file=sys.stderr)
        else:
            path.write_text(made[path], encoding="utf-8")
            print(f"wrote {path}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
