"""What the VS Code extension shows about an API comes from the server: the client holds no names and no words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from client_places import VSCODE, read_json
from mindport.assess.rules import all_rules
from mindport.catalog.catalog import Catalog
from mindport.language import LANGUAGES
from mindport.report import words
from mindport.report.result_tables import TABLES

SOURCES = sorted((VSCODE / "src").rglob("*.ts"))
LITERAL = re.compile(r"'((?:[^'\\\n]|\\.)*)'|\"((?:[^\"\\\n]|\\.)*)\"|`((?:[^`\\]|\\.)*)`")
COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)
DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
OF_A_FRAMEWORK = re.compile(r"\b(?:torch|mindspore|mint|Tensor)\s*\.\s*\w")
CODE = re.compile(r"\bMP[0-9]")


def literals(source: Path) -> Iterator[str]:
    """The texts in a source file."""
    text = COMMENT.sub("", source.read_text("utf-8"))
    for match in LITERAL.finditer(text):
        yield next(group for group in match.groups() if group is not None)


def interface_texts() -> list[str]:
    """All that the client itself has to say, but for the descriptions of settings, which name the choices."""
    bundle: dict[str, str] = read_json(VSCODE / "l10n" / "bundle.l10n.zh-cn.json")
    texts = [*bundle.keys(), *bundle.values()]
    for name in ("package.nls.json", "package.nls.zh-cn.json"):
        manifest: dict[str, str] = read_json(VSCODE / name)
        texts += [text for key, text in manifest.items() if not key.startswith("setting.")]
    return texts


def is_fact(text: str, catalog: Catalog) -> bool:
    """Whether a text names an API, or the code of a rule."""
    named = any(catalog.canonical(name) is not None for name in DOTTED.findall(text))
    return named or bool(OF_A_FRAMEWORK.search(text) or CODE.search(text))


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog.load()


def test_what_is_looked_for_would_be_found(catalog: Catalog, tmp_path: Path) -> None:
    source = tmp_path / "a.ts"
    source.write_text(
        "// 'torch.cat'\nconst a = `see ${x} in torch.nn.Conv2d`, b = 'MP201', c = \"mindport.cat\";"
    )
    assert [is_fact(text, catalog) for text in literals(source)] == [True, True, False]
    assert "MP201" in all_rules()


def test_no_source_names_an_api_or_a_code(catalog: Catalog) -> None:
    found = [f"{path.name}: {text}" for path in SOURCES for text in literals(path) if is_fact(text, catalog)]
    assert SOURCES and found == []


def test_no_text_of_the_interface_names_an_api_or_a_code(catalog: Catalog) -> None:
    texts = interface_texts()
    assert texts and [text for text in texts if is_fact(text, catalog)] == []


def test_the_words_for_what_becomes_of_an_api_are_the_server_s() -> None:
    said = [*words.STATUSES.values(), *(text for table in TABLES.values() for text in table)]
    own = {text.casefold() for text in interface_texts()}
    for language in LANGUAGES:
        assert {text.render(language).casefold() for text in said} & own == set()
