"""Collects the pages of the documentation's site, as mkdocs.yml has them, in a folder of their own.

They lie there as they lie here, so that links stay right, and mkdocs can say which are not. What is done
to them: links to files that are no pages lose the link; in the tables of APIs each API becomes a section with
its whole name, so that the search finds it and leads there.

    python scripts/site_pages.py [FOLDER]
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / ".cache" / "site"
PAGES = (
    "*.md",
    "docs/**/*.md",
    "vscode-client/*.md",
    "vscode-client/pages/*.md",
    "pycharm-bridge/*/*.md",
    "tests/bench/README.md",
)
LEFT_OUT = ("docs/texts.md", "docs/examples/flowers/")
"""Pages for who works on mindport, and what is no page of the documentation."""
PICTURES = (".svg", ".png")
LINK = re.compile(r"(?<!!)\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)")
FENCED = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
NAMES = re.compile(r"- ((?:`[^`]+`(?:, )?)+)(?:[:：] ?(.*))?")


def pages() -> Iterator[Path]:
    """The pages of the site, from the root."""
    for pattern in PAGES:
        for path in sorted(ROOT.glob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith(LEFT_OUT):
                yield Path(name)


def collect(out: Path) -> int:
    """Write all pages and their pictures below `out`; how many pages there are."""
    shutil.rmtree(out, ignore_errors=True)
    found = set(pages())
    for page in sorted(found):
        text = (ROOT / page).read_text("utf-8")
        if page.parts[:2] == ("docs", "reference") and page.name != "README.md":
            text = as_sections(text)
        else:
            text = without_other_links(text, page, found)
        (out / page).parent.mkdir(parents=True, exist_ok=True)
        (out / page).write_text(text, "utf-8")
        for picture in pictures(text, page):
            (out / picture).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / picture, out / picture)
    return len(found)


def target(link: str, page: Path) -> Path | None:
    """What a link leads to, from the root; None for what lies elsewhere, or in the same page."""
    if re.match(r"\w+:|#", link):
        return None
    path = (ROOT / page.parent / link.partition("#")[0].replace("%20", " ")).resolve()
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def pictures(text: str, page: Path) -> Iterator[Path]:
    for link in re.findall(r'!\[[^\]]*\]\(([^)\s]+)\)|<img[^>]* src="([^"]+)"', text):
        path = target(link[0] or link[1], page)
        if path is not None and path.suffix in PICTURES and (ROOT / path).is_file():
            yield path


def without_other_links(text: str, page: Path, found: set[Path]) -> str:
    """The text, with links to files of the repository that are no pages as text. A link to nothing stays, so
    that it is told."""

    def replaced(match: re.Match[str]) -> str:
        path = target(match[2], page)
        if path is None or path in found or path.suffix in PICTURES or not (ROOT / path).exists():
            return match[0]
        return match[1]

    parts = FENCED.split(text)
    return "".join(part if part.startswith("```") else LINK.sub(replaced, part) for part in parts)


def as_sections(text: str) -> str:
    """A page of the reference with a section for each row of its table, and for each item of its lists."""
    lines = text.splitlines()
    module = lines[0].removeprefix("# ")
    made = ["---", "hide: [toc]", "---", ""]
    header: Sequence[str] = ()
    for line in lines:
        if not line.startswith("| "):
            header = header if line.startswith("|-") else ()
            made.extend(() if line.startswith("|-") else of_item(line, module))
        elif not header:
            header = cells(line)
        else:
            made.extend(of_row(cells(line), header, module))
    return "\n".join(made) + "\n"


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def of_row(row: Sequence[str], header: Sequence[str], module: str) -> Iterator[str]:
    yield f"### `{module}.{row[0].strip('`')}`"
    yield ""
    for name, cell in zip(header[1:], row[1:], strict=True):
        if cell:
            yield f"- {name}: {cell.replace(chr(92) + '|', '|')}"
    yield ""


def of_item(line: str, module: str) -> Iterator[str]:
    match = NAMES.fullmatch(line)
    if match is None:
        yield line
        return
    names = [f"`{module}.{name}`" for name in re.findall(r"`([^`]+)`", match[1])]
    yield f"### {names[0]}"
    yield ""
    if names[1:]:
        yield f"{', '.join(names)}"
        yield ""
    yield match[2] or ""


if __name__ == "__main__":
    print(collect(Path(sys.argv[1]) if sys.argv[1:] else OUT), "pages")
