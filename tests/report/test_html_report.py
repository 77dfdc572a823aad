"""The report as an HTML page."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from making import HOSTILE, report
from mindport.catalog.target import Target
from mindport.project.discover import discover
from mindport.project.setting_table import Settings
from mindport.report.api_uses import ApiUse
from mindport.report.formats import make_report
from mindport.report.html_report import marked
from mindport.report.report import pack, unpack
from mindport.report.summary import Totals
from mindport.scan.scan import scan
from mindport.source.lines import LineIndex

SOURCE = "import torch\nif True:\n    名 = '<b>&'; y = torch.sin(torch.foo(1))  # </pre>\nz = torch.nn.ReLU(inplace=True)\n"
VOID = {"meta", "input", "rect", "br", "hr"}


class Page(HTMLParser):
    """Checks that elements are nested properly, and collects them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_content(tmp_path: Path) -> None:
    text = report("html", tmp_path, {"a.py": SOURCE, "b.py": "x = )\n"})
    page = Page(text)
    shown = "".join(page.text)
    assert ("html", {"lang": "en"}) in page.elements
    assert "名 = '<b>&'; y = torch.sin(torch.foo(1))  # </pre>" in shown
    assert "inplace is not supported." in shown
    assert "does not parse" in shown
    assert "MP201:" in shown and "MP301:" in shown
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(set(ids)) == len(ids)
    links = {attributes["href"] for tag, attributes in page.elements if tag == "a" and "href" in attributes}
    assert {link for link in links if str(link).startswith("#")} <= {f"#{name}" for name in ids}


def test_chinese(tmp_path: Path) -> None:
    page = Page(report("html", tmp_path, {"a.py": SOURCE}, "zh-cn"))
    assert ("html", {"lang": "zh-CN"}) in page.elements
    assert "按 torch 模块统计" in page.text and "不支持参数 " in "".join(page.text)


def test_nothing_else_is_needed(tmp_path: Path) -> None:
    page = Page(report("html", tmp_path, {"a.py": SOURCE}))
    assert not [attributes for _, attributes in page.elements if "src" in attributes]
    assert "link" not in {tag for tag, _ in page.elements}
    policy = next(attributes["content"] for _, attributes in page.elements if "http-equiv" in attributes)
    assert policy is not None and policy.startswith("default-src 'none'")


def test_tables_have_headings(tmp_path: Path) -> None:
    page = Page(report("html", tmp_path, {"a.py": SOURCE}))
    assert all("scope" in attributes for tag, attributes in page.elements if tag == "th")
    assert all(attributes["aria-label"] for tag, attributes in page.elements if tag == "svg")
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    name = HOSTILE.replace("/", ";") + ".py"
    source = f"import torch\nx = torch.sin(1)  # {HOSTILE}\ny = torch.nn.ReLU(inplace=True), {HOSTILE!r}\n"
    page = Page(report("html", tmp_path, {name: source}))
    assert [tag for tag, _ in page.elements].count("script") == 1
    assert "img" not in {tag for tag, _ in page.elements}
    assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)
    assert HOSTILE in "".join(page.text)


@pytest.mark.skipif(not shutil.which("chromium"), reason="chromium is not installed")
def test_hostile_names_run_nothing_in_a_browser(tmp_path: Path) -> None:
    name = HOSTILE.replace("/", ";") + ".py"
    source = f"import torch\nx = torch.sin(1)  # {HOSTILE}\n"
    folder = tmp_path / "code"
    made = report("html", folder, {name: source})
    assert title(tmp_path, made) == "Migration report by MindPort"
    # The page's policy lets its own script run and no other; without it an injected one would have run.
    assert 'class="js"' in dom(tmp_path, made)
    injected = made.replace("</main>", "<script>document.title='owned'</script></main>")
    assert title(tmp_path, injected) == "Migration report by MindPort"
    assert title(tmp_path, re.sub("<meta http-equiv[^>]*>", "", injected)) == "owned"


def title(folder: Path, text: str) -> str:
    found = re.search("<title>(.*?)</title>", dom(folder, text))
    assert found is not None
    return found[1]


def dom(folder: Path, text: str) -> str:
    """The page as it is in a browser once its scripts have run."""
    path = folder / "report.html"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--dump-dom"]
    command = ["chromium", *options, f"--user-data-dir={folder / 'profile'}", path.as_uri()]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=True).stdout


def test_cells_are_named(tmp_path: Path) -> None:
    notebook = json.dumps(
        {"nbformat": 4, "cells": [{"cell_type": "code", "source": "import torch\ntorch.sin(1)"}]}
    )
    assert "cell 1 · 2:1" in "".join(Page(report("html", tmp_path, {"a.ipynb": notebook})).text)


def test_long_lines_are_cut() -> None:
    data = ("x" * 500 + "torch.sin" + "y" * 500).encode()
    before, inside, after = marked(LineIndex(data), 500, 509)
    assert inside == "torch.sin"
    assert len(before) < 100 and len(after) < 250


@pytest.mark.parametrize(
    ("api", "module"),
    [
        ("torch.sin", "torch"),
        ("torch.nn.Conv2d", "torch.nn"),
        ("torch.nn.functional.relu", "torch.nn.functional"),
        ("torch.Tensor.view", "torch.Tensor"),
        ("torch.Tensor", "torch.Tensor"),
        ("torch.nn.Module.to", "torch.nn"),
        ("torch.utils.data._utils.worker.x", "torch.utils.data"),
        ("torch", "torch"),
    ],
)
def test_module_of_an_api(api: str, module: str) -> None:
    assert ApiUse(api, "equivalent", "", "", "", "", "").module == module


def test_parts_may_be_kept(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE, encoding="utf-8")
    made = make_report("html", Target(), "en", tmp_path)
    parts = list(scan(discover([tmp_path], ()), Settings(), made, 1))
    kept = [unpack(pack(part)) for part in parts]
    assert "".join(made.compose(kept, Totals())) == "".join(made.compose(parts, Totals()))
