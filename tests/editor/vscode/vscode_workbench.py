"""VS Code's window in a browser, in the words of its user. Every wait is for something to be seen."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from playwright.sync_api import Error, Frame, Page
from vscode_code_server import CodeServer

SQUIGGLES = ".squiggly-error, .squiggly-warning, .squiggly-info, .squiggly-hint"
ACTION = ".action-widget .monaco-list-row.action"
PICK = ".quick-input-widget:visible"
_Seen = TypeVar("_Seen")


class NotSeenError(AssertionError):
    """What was waited for did not come."""


class Workbench:
    """One browser window on one folder."""

    def __init__(self, page: Page, server: CodeServer, folder: Path, pictures: Path, seconds: float) -> None:
        self.page = page
        self.pictures = pictures
        self.server = server
        self.folder = folder
        self.seconds = seconds
        self.console: list[str] = []
        page.set_default_timeout(seconds * 1000)
        page.on("console", lambda message: self.console.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.console.append(f"error: {error}"))

    def show(self) -> None:
        """Load the window; it is there when the explorer lists files."""
        self.page.goto(self.server.address(self.folder))
        self.page.wait_for_selector(".monaco-workbench .explorer-folders-view .monaco-list-row")

    def picture(self, name: str) -> Path:
        """Keep what the window shows as a picture."""
        self.pictures.mkdir(parents=True, exist_ok=True)
        path = self.pictures / f"{name}.png"
        self.page.screenshot(path=path)
        return path

    def until(self, what: str, look: Callable[[], _Seen | None], seconds: float | None = None) -> _Seen:
        """Look again and again until there is something to see. Raises NotSeenError, naming what was missing."""
        end = time.monotonic() + (self.seconds if seconds is None else seconds)
        while True:
            try:
                seen = look()
            except Error:  # the page was being redrawn
                seen = None
            if seen:
                return seen
            if time.monotonic() > end:
                raise NotSeenError(f"Not seen: {what}")
            self.page.wait_for_timeout(50)

    # Files and commands

    def path(self, name: str) -> Path:
        """A file of the folder."""
        return self.folder / name

    def open_notebook(self, name: str, part: str) -> None:
        """Open a notebook; it is there when a cell shows this text."""
        self._pick("Control+P", name, re.compile(re.escape(name)))
        self.page.wait_for_selector(f'.notebook-editor .view-line:has-text("{part}")')

    def open(self, name: str, line: int = 1, column: int = 1) -> None:
        """Open a file and put the cursor somewhere (counted from 1)."""
        self._pick("Control+P", f"{name}:{line}:{column}", re.compile(re.escape(Path(name).name)))
        self.page.wait_for_selector(f'.tab.active[data-resource-name="{Path(name).name}"]')
        self.page.wait_for_selector(".editor-group-container.active .monaco-editor.focused")

    def command(self, title: str) -> None:
        """Run a command by its title, as the command palette shows it."""
        self._pick("F1", title, re.compile(re.escape(title)), prefix=">")

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def save(self, name: str) -> bytes:
        """Save the active file; what is then on disk, once it is no longer marked as changed."""
        before = self.path(name).stat().st_mtime_ns
        self.press("Control+S")
        self.until(
            f"{name} saved",
            lambda: (
                self.path(name).stat().st_mtime_ns != before
                and not self.page.query_selector(".tab.active.dirty")
            ),
        )
        return self.path(name).read_bytes()

    def close_editors(self) -> None:
        """Close every editor, leaving changes behind."""
        self.press("Control+K", "Control+W")

    def _pick(self, key: str, text: str, row: re.Pattern[str], prefix: str = "") -> None:
        self.press("Escape", key)
        self.page.locator(f"{PICK} input.input").fill(prefix + text)
        self.pick(row)

    # Lists to pick from

    def type_in_list(self, placeholder: str, text: str) -> None:
        """Type into the list that asks for something with this placeholder."""
        self.page.locator(f'{PICK} input.input[placeholder="{placeholder}"]').fill(text)

    def pick(self, row: re.Pattern[str]) -> None:
        """Wait for a row of the open list to match, and choose it."""

        def found() -> bool:
            rows = self.page.locator(f"{PICK} .monaco-list-row")
            if not any(row.search(text.replace("\n", " ")) for text in rows.all_inner_texts()):
                return False
            chosen = self.page.locator(f"{PICK} .monaco-list-row.focused").all_inner_texts()
            is_chosen = any(row.search(text.replace("\n", " ")) for text in chosen)
            self.press("Enter" if is_chosen else "ArrowDown")
            return is_chosen

        self.until(f"a row {row.pattern!r} to pick", found)

    def picks(self) -> list[str]:
        """The rows of the open list."""
        rows = self.page.locator(f"{PICK} .monaco-list-row").all_inner_texts()
        return [" ".join(row.split()) for row in rows]

    def box(self) -> str:
        """The placeholder of the open list's box."""
        return self.page.locator(f"{PICK} input.input").get_attribute("placeholder") or ""

    # What the editor shows

    def squiggles(self) -> int:
        """How many squiggles are in view."""
        return self.page.locator(
            f".editor-instance :is({SQUIGGLES}), .notebook-editor :is({SQUIGGLES})"
        ).count()

    def wait_for_squiggles(self, count: int | None = None) -> None:
        """Until there are squiggles, or just so many."""
        what = "a squiggle" if count is None else f"{count} squiggles"
        self.until(what, lambda: self.squiggles() > 0 if count is None else self.squiggles() == count)

    def problems(self) -> list[str]:
        """The rows of the Problems view (open it first)."""
        rows = self.page.locator(".markers-panel .monaco-list-row").all_inner_texts()
        return [" ".join(row.split()) for row in rows]

    def hover(self, part: str) -> str:
        """The hover text of what is at the cursor, once a text is in it."""
        self.press("Control+K", "Control+I")
        rows = self.page.locator(".monaco-hover:not(.hidden) .hover-row:visible")

        def text() -> str | None:
            whole = "\n".join(rows.all_inner_texts())
            return whole if part in whole else None

        return self.until(f"a hover with {part!r}", text)

    def actions(self) -> list[str]:
        """The titles in the open list of quick fixes or source actions."""
        return self.page.locator(f"{ACTION} .title").all_inner_texts()

    def quick_fixes(self) -> list[str]:
        """Open the quick fixes at the cursor; their titles. Needs a squiggle there."""
        self.press("Control+.")
        return self.until("quick fixes", self.actions)

    def source_actions(self, command: str) -> list[str]:
        """Open what can be done with the whole file; the titles."""
        self.command(command)
        return self.until("source actions", self.actions)

    def choose_action(self, title: str) -> None:
        """Choose from the open list; the file is changed when this returns."""
        titles = self.actions()
        if title not in titles:
            raise NotSeenError(f"Not seen: {title!r} among {titles}")
        self.page.locator(ACTION).nth(titles.index(title)).click()
        self.page.wait_for_selector(".tab.active.dirty")

    def messages(self) -> list[str]:
        """The notifications on the screen."""
        return self.page.locator(".notifications-toasts .notification-list-item").all_inner_texts()

    def wait_for_message(self, part: str) -> str:
        """A notification with this text in it."""
        return self.until(
            f"the message {part!r}", lambda: next((text for text in self.messages() if part in text), None)
        )

    def status(self, part: str) -> str:
        """The item of the status bar with this text in it."""
        items = self.page.locator(".statusbar-item")
        return self.until(
            f"{part!r} in the status bar",
            lambda: next((text.strip() for text in items.all_inner_texts() if part in text), None),
        )

    def click_status(self, part: str) -> None:
        """Click on the item of the status bar with this text in it."""
        self.page.locator(".statusbar-item", has_text=part).locator("a").click()

    def click_message(self, button: str) -> None:
        """Press a button of the newest notification that has it."""
        self.page.locator(".notifications-toasts .monaco-button", has_text=button).first.click()

    def click_word(self, word: str) -> None:
        """Put the cursor into a word that is in view."""
        self.page.locator(".view-line span", has_text=word).last.click()

    def frame(self, part: str) -> Frame:
        """The page that is shown in place of an editor, once this is in it."""

        def found() -> Frame | None:
            for frame in self.page.frames[1:]:
                if frame.locator("body").count() and part in frame.locator("body").inner_text(timeout=500):
                    return frame
            return None

        return self.until(f"a page with {part!r}", found)

    def webview(self, part: str) -> str:
        """The text of the page that is shown in place of an editor, once this is in it."""
        return self.frame(part).locator("body").inner_text()

    def menu(self, file: str, title: str) -> None:
        """Choose from the menu of a file in the explorer."""
        self.page.locator(".explorer-folders-view .monaco-list-row", has_text=file).click(button="right")
        self.page.locator(".monaco-menu .action-label", has_text=title).first.hover()
        self.page.wait_for_selector(f'.monaco-menu .action-item.focused:has-text("{title}")')
        self.press("Enter")  # a click is not heeded for a moment after a menu opens

    def chosen(self) -> str:
        """What is typed in the open list's box."""
        return self.page.locator(f"{PICK} input.input").input_value()

    def line(self) -> str:
        """The text of the line the cursor is in."""
        top = self.page.locator(".monaco-editor.focused .current-line").first.bounding_box()
        lines = self.page.locator(".monaco-editor.focused .view-line")
        for index in range(lines.count()):
            box = lines.nth(index).bounding_box()
            if top and box and abs(box["y"] - top["y"]) < box["height"] / 2:
                return lines.nth(index).inner_text().replace("\u00a0", " ")
        return ""


Start = Callable[..., Workbench]
"""What the fixture `start` gives: opens a folder in a VS Code of its own, see `conftest.py`."""
