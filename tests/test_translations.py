"""Pages of the documentation in two languages: the Chinese one has all that the English one has."""

from __future__ import annotations

import posixpath
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
CHINESE = ".zh-CN."
_FENCE = re.compile(r"^ *(```+|~~~+)")
_LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(<?([^()\s>]+)>?(?: \"[^\"]*\")?\)")
_INLINE_CODE = re.compile(r"`[^`]*`")
_FOLDERS = (("/zh-CN/", "/en/"), ("/zh-cn/", "/"), ("verified/zh-CN.md", "verified/en.md"))
"""Where pages that are written by scripts have their Chinese twins, and where the English ones are."""


class Form(NamedTuple):
    """What both languages of a page have alike."""

    headings: list[int]
    blocks: int
    rows: list[int]
    links: set[str]


def pages() -> list[str]:
    """The Chinese pages that have an English twin beside them."""
    listed = subprocess.run(
        ["git", "ls-files", "*.zh-CN.md"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return sorted(listed.stdout.split())


def form(text: str, folder: str) -> Form:
    """The form of a page in a folder."""
    found = Form([], 0, [], set())
    blocks, fence, is_table = 0, "", False
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark is not None and fence in ("", mark[1]):
            blocks += not fence
            fence = "" if fence else mark[1]
            continue
        if fence:
            continue
        heading = re.match(r"#+(?= )", line)
        if heading is not None:
            found.headings.append(len(heading[0]))
        if line.lstrip().startswith("|"):
            if not is_table:
                found.rows.append(0)
            found.rows[-1] += 1
        is_table = line.lstrip().startswith("|")
        found.links.update(_linked(line, folder))
    return found._replace(blocks=blocks)


def _targets(text: str) -> set[str]:
    """What a text links to, without the place in it, but for places in the page itself."""
    found = {target.partition("#")[0] for target in _LINK.findall(_INLINE_CODE.sub("`", text))}
    return found - {""}


def _in_repository(target: str, folder: str) -> str:
    return posixpath.normpath(posixpath.join(folder, target))


def _linked(line: str, folder: str) -> set[str]:
    """The files and pages that a line links to, by the English one's name."""
    return {
        _english_address(target) if "://" in target else _english(_in_repository(target, folder))
        for target in _targets(line)
    }


def _english_address(address: str) -> str:
    """The address of the English twin of a page of MindSpore's documentation; of others, as it is."""
    is_of_mindspore = re.match(r"https://(?:www\.)?mindspore\.cn/", address)
    return address.replace("/zh-CN/", "/en/") if is_of_mindspore else address


def _english(path: str) -> str:
    path = path.replace(CHINESE, ".").replace(CHINESE.lower(), ".")
    for chinese, english in _FOLDERS:
        path = path.replace(chinese, english)
    return path


@pytest.mark.parametrize("page", pages())
def test_both_languages_have_the_same_form(page: str) -> None:
    folder = posixpath.dirname(page)
    chinese = form((ROOT / page).read_text("utf-8"), folder)
    english = form((ROOT / page.replace(CHINESE, ".")).read_text("utf-8"), folder)
    assert chinese.headings == english.headings
    assert chinese.blocks == english.blocks
    assert chinese.rows == english.rows
    own = {page, page.replace(CHINESE, ".")}  # where a page links to its other language
    assert chinese.links - own == english.links - own


@pytest.mark.parametrize("page", pages())
def test_a_chinese_page_links_to_chinese_pages(page: str) -> None:
    folder = posixpath.dirname(page)
    known = set(pages())
    text = (ROOT / page).read_text("utf-8")
    targets = {_in_repository(target, folder) for target in _targets(text) if "://" not in target}
    own = page.replace(CHINESE, ".")
    english = {target for target in targets - {own} if f"{target.removesuffix('.md')}.zh-CN.md" in known}
    assert not english


def test_the_site_has_the_same_pages_in_both_languages() -> None:
    """In the same order; pages that there are in English alone stand in both."""
    listed = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    english, chinese = (re.findall(r"(?m)([\w./-]+\.md)$", part) for part in listed.split("\n  - 中文:\n"))
    assert english == [_english(page) for page in chinese]
    known = set(pages())
    assert [page for page in chinese if page.replace(".md", ".zh-CN.md") in known] == []
