"""The pages about editors: their configurations can be read, start the server, and set what there is to set."""

from __future__ import annotations

import json
import re
import sys

import pytest
from mindport.project.settings import load_settings
from pages import PAGES, shown

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ENGLISH = sorted(path.name for path in PAGES.glob("*.md") if not path.name.endswith(".zh-CN.md"))
COMMAND = ["mindport", "serve", "--stdio"]


def configured(settings: dict[str, object]) -> None:
    loaded = load_settings(None, editor=settings["mindport"])
    assert loaded.problems == () and loaded.given == {"device"}


@pytest.mark.parametrize("page", ENGLISH)
def test_both_languages_show_the_same(page: str) -> None:
    translated = page.replace(".md", ".zh-CN.md")
    for language in ("lua", "elisp", "toml", "vim", "json"):
        assert shown(page, language) == shown(translated, language)
    text = (PAGES / translated).read_text("utf-8")
    assert re.search("[一-鿿]", text) and f"]({page})" in text
    assert f"]({translated})" in (PAGES / page).read_text("utf-8")


@pytest.mark.parametrize("page", sorted(path.name for path in PAGES.glob("*.md")))
def test_links_lead_somewhere(page: str) -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", (PAGES / page).read_text("utf-8"))
    assert links and all((PAGES / link).exists() for link in links)


def test_helix() -> None:
    [text] = shown("helix.md", "toml")
    told = tomllib.loads(text)
    server = told["language-server"]["mindport"]
    assert [server["command"], *server["args"]] == COMMAND
    assert "mindport" in told["language"][0]["language-servers"]
    configured(server["config"])


def test_coc() -> None:
    server = json.loads(shown("vim.md", "json")[0])["languageserver"]["mindport"]
    assert [server["command"], *server["args"]] == COMMAND
    configured(server["settings"])


def test_zed() -> None:
    server = json.loads(shown("zed.md", "json")[0])["lsp"]["mindport"]
    assert [server["binary"]["path"], *server["binary"]["arguments"]] == COMMAND
    configured(server["settings"])


def test_sublime() -> None:
    told = json.loads(shown("sublime.md", "json")[0])
    assert told["clients"]["mindport"]["command"] == COMMAND
    configured(told["clients"]["mindport"]["settings"])
    assert list(told["lsp_code_actions_on_save"]) == ["source.fixAll.mindport"]
