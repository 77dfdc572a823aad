"""The site of the documentation. `make docs` builds it and has these tests look at it, in MINDPORT_SITE."""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "scripts"))
try:
    import site_pages
finally:
    sys.path.pop(0)

SITE = Path(os.environ.get("MINDPORT_SITE", "no site"))
MKDOCS = ROOT / ".cache" / "docs" / "bin" / "mkdocs"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
built = pytest.mark.skipif(not SITE.is_dir(), reason="the site is not built: make docs")


def test_a_row_becomes_a_section_with_the_whole_name() -> None:
    page = (
        "# torch.nn\n\n| PyTorch | MindSpore | notes |\n|---|---|---|\n| `Conv2d` | `nn.Conv2d` | a \\| b |\n"
    )
    made = site_pages.as_sections(page)
    assert "# torch.nn\n" in made
    assert made.endswith("### `torch.nn.Conv2d`\n\n- MindSpore: `nn.Conv2d`\n- notes: a | b\n\n")


def test_an_item_of_a_list_becomes_a_section_with_all_names() -> None:
    made = site_pages.as_sections("# torch\n\n## None\n\n- `a`, `b.c`: Write it.\n\n- A text with `code`.\n")
    assert "### `torch.a`\n\n`torch.a`, `torch.b.c`\n\nWrite it.\n" in made
    assert "\n- A text with `code`.\n" in made


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("[settings](docs/settings.md#x)", "[settings](docs/settings.md#x)"),
        ("[the `Makefile`](Makefile)", "the `Makefile`"),
        ("[digits](docs/examples/digits)", "digits"),
        ("[gone](docs/gone.md)", "[gone](docs/gone.md)"),
        ("[there](https://example.org)", "[there](https://example.org)"),
        ("[here](#measured)", "[here](#measured)"),
        ("```\n[digits](docs/examples/digits)\n```", "```\n[digits](docs/examples/digits)\n```"),
    ],
)
def test_only_links_to_what_is_no_page_go(link: str, expected: str) -> None:
    pages = set(site_pages.pages())
    assert site_pages.without_other_links(link, Path("README.md"), pages) == expected


def test_the_navigation_names_pages() -> None:
    named = re.findall(r"(?m)^ +- (?:[^:\n]+: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"))
    pages = {page.as_posix() for page in site_pages.pages()}
    assert len(named) > 40 and set(named) <= pages


def first_pages(language: str) -> list[str]:
    """The page of each entry of a language's navigation; of a section its first, which stands for it."""
    entries = (ROOT / "mkdocs.yml").read_text("utf-8").partition(f"\n  - {language}:\n")[2]
    return [
        found[1]
        for entry in re.split(r"(?m)^ {6}- ", re.split(r"(?m)^ {2}- ", entries)[0])
        if (found := re.search(r"(\S+)\.md$", entry, re.MULTILINE))
    ]


@built
@pytest.mark.parametrize(("language", "page"), [("English", "index"), ("中文", "README.zh-CN")])
def test_the_navigation_shows_every_section(language: str, page: str) -> None:
    links = re.findall(
        r'<a href="([^"#]+)\.html" class="md-nav__link', (SITE / f"{page}.html").read_text("utf-8")
    )
    shown = {re.sub("(^|/)index$", r"\1README", link) for link in links}
    assert len(first_pages(language)) > 7 and set(first_pages(language)) <= shown


@built
@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_every_api_of_the_tables_is_in_the_search(language: str) -> None:
    index = json.loads((SITE / "search" / "search_index.json").read_text("utf-8"))
    folder = f"docs/reference/{language}/"
    titles = {
        re.sub("<[^>]*>", "", each["title"]) for each in index["docs"] if each["location"].startswith(folder)
    }
    wanted = {
        f"{page.stem}.{name}"
        for page in (ROOT / "docs" / "reference" / language).glob("torch*.md")
        for name in re.findall(r"(?m)^\| `([^`]+)` \|", page.read_text("utf-8"))
    }
    assert len(wanted) > 1000 and wanted - titles == set()


@pytest.mark.parametrize(("link", "code"), [("other.md#一", 0), ("other.md#二", 1), ("gone.md", 1)])
@pytest.mark.skipif(not MKDOCS.exists(), reason="mkdocs is not installed: make docs")
def test_a_link_to_nothing_fails(link: str, code: int, tmp_path: Path) -> None:
    """With the settings of the site, but for its pages, and called as the Makefile does."""
    settings = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:")[0]
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "index.md").write_text(f"# One\n\n[there]({link})\n", "utf-8")
    (pages / "other.md").write_text("# 一\n", "utf-8")
    (tmp_path / "mkdocs.yml").write_text(settings.replace(".cache/site", "pages"), "utf-8")
    called = re.search(r"bin/mkdocs (.*)", (ROOT / "Makefile").read_text("utf-8"))
    assert called is not None
    done = subprocess.run([MKDOCS, *called[1].split()], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == code, done.stderr.decode()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the site is served on this machine."""
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(SITE))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@built
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not on this machine")
@pytest.mark.parametrize(
    ("page", "typed", "expected"),
    [
        ("index.html", "torch.nn.Conv2d", "torch.nn.Conv2d"),
        ("README.zh-CN.html", "torch.nn.Conv2d", "torch.nn.Conv2d"),
        ("index.html", "MP201", "MP201"),
    ],
)
def test_the_search_finds(page: str, typed: str, expected: str, address: str) -> None:
    from playwright.sync_api import sync_playwright

    asked: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        opened = browser.new_page()
        opened.on("request", lambda request: asked.append(request.url))
        opened.goto(f"{address}/{page}?q={typed}")
        results = opened.locator(".md-search-result__item")
        results.first.wait_for(timeout=60_000)
        first = results.first.inner_text()
        browser.close()
    assert expected in first
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == [], (
        "nothing else is loaded"
    )
