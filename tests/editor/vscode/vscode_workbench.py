"""VS Code's window in a browser, in the words of its user. Every wait is for something to be seen, and what had no
effect is done again."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from playwright.sync_api import Frame, Page
from vscode_code_server import CodeServer
from vscode_page import STEP, NotSeenError, WatchedPage

SQUIGGLES = ".squiggly-error, .squiggly-warning, .squiggly-info, .squiggly-hint"
ACTION = ".action-widget .monaco-list-row.action"
PICK = ".quick-input-widget:visible"
EXPLORER = ".explorer-folders-view"
NOTICES = ":is(.notifications-toasts.visible, .notifications-center.visible)"
SECONDS_TO_APPLY = 20.0
_Seen = TypeVar("_Seen")


class Workbench(WatchedPage):
    """One browser window on one folder."""

    is_spoiled = False
    """Whether a step in it failed: what it shows is then not what the next step expects."""

    def __init__(self, page: Page, server: CodeServer, folder: Path, pictures: Path, seconds: float) -> None:
        super().__init__(page, pictures, seconds)
        self.server = server
        self.folder = folder

    def show(self) -> None:
        """Load the window; it is there when the explorer lists files."""
        self.page.goto(self.server.address(self.folder), timeout=self.seconds * 1000)
        rows = self.page.locator(f".monaco-workbench {EXPLORER} .monaco-list-row")
        self.until("files in the explorer", rows.count)

    # Files and commands

    def path(self, name: str) -> Path:
        """A file of the folder."""
        return self.folder / name

    def open(self, name: str, line: int = 1, column: int = 1) -> None:
        """Open a file and put the cursor somewhere (counted from 1)."""
        file = Path(name).name
        editor = self.page.locator(".editor-group-container.active .monaco-editor.focused")
        cursor = self.page.locator('[id="status.editor.selection"]', has_text=f"Ln {line},")
        self.attempt(
            f"{name} with the cursor in line {line}",
            lambda: self._pick(
                ["Escape", "Control+P"], f"{name}:{line}:{column}", re.compile(re.escape(file))
            ),
            lambda: self.is_active(file) and editor.count() and cursor.count(),
        )

    def open_notebook(self, name: str, part: str) -> None:
        """Open a notebook; it is there when a cell shows this text."""
        line = self.page.locator(".notebook-editor .view-line", has_text=part)
        self.attempt(
            f"{name} with {part!r}",
            lambda: self._pick(["Escape", "Control+P"], name, re.compile(re.escape(name))),
            lambda: self.is_active(name) and line.count(),
        )

    def is_active(self, file: str) -> bool:
        """Whether the tab of this file is the active one."""
        return self.page.locator(f'.tab.active[data-resource-name="{file}"]').count() > 0

    def command(self, title: str, closes: str = "Escape") -> None:
        """Run a command by its title, as the command palette shows it. What is open is closed first, by a key that
        also ends a selection: `closes=""` keeps it."""
        keys = [*closes.split(), "F1"]
        what = f"the command {title!r}"
        self.attempt(what, lambda: self._pick(keys, title, re.compile(re.escape(title)), ">"), lambda: True)

    def save(self, name: str) -> bytes:
        """Save the active file; what is then on disk, once it is no longer marked as changed."""
        before = self.path(name).stat().st_mtime_ns
        self.attempt(
            f"{name} saved",
            lambda: self.press("Control+S"),
            lambda: self.path(name).stat().st_mtime_ns != before and not self.is_changed(),
        )
        return self.path(name).read_bytes()

    def is_changed(self) -> bool:
        """Whether the active tab is marked as changed."""
        return self.page.locator(".tab.active.dirty").count() > 0

    def menu(self, file: str, title: str) -> None:
        """Choose from the menu of a file or folder in the explorer."""
        menu = self.page.locator(".monaco-menu")
        entry = self.page.locator(".monaco-menu .action-item", has_text=title).first

        def choose() -> None:
            self.press("Escape")
            if not self.page.locator(EXPLORER).is_visible():
                self.command("View: Show Explorer")
            self.page.locator(f"{EXPLORER} .monaco-list-row", has_text=file).first.click(button="right")
            entry.hover()
            self.page.wait_for_selector(f'.monaco-menu .action-item.focused:has-text("{title}")')
            self.press("Enter")  # a click is not heeded for a moment after a menu opens

        self.attempt(f"{title!r} in the menu of {file}", choose, lambda: menu.count() == 0)

    # Lists to pick from

    def pick(self, row: re.Pattern[str], seconds: float | None = None) -> None:
        """Wait for a row of the open list to match, and choose it; the list is then gone, or another."""

        def found() -> bool:
            rows = self.page.locator(f"{PICK} .monaco-list-row")
            if not any(row.search(text.replace("\n", " ")) for text in rows.all_inner_texts()):
                return False
            chosen = self.page.locator(f"{PICK} .monaco-list-row.focused").all_inner_texts()
            is_chosen = any(row.search(text.replace("\n", " ")) for text in chosen)
            list_before = self._list()
            self.press("Enter" if is_chosen else "ArrowDown")
            if is_chosen:
                self.until("the list taking the choice", lambda: self._list() != list_before, STEP)
            return is_chosen

        self.until(f"a row {row.pattern!r} to pick", found, seconds)

    def picks(self) -> list[str]:
        """The rows of the open list."""
        rows = self.page.locator(f"{PICK} .monaco-list-row").all_inner_texts()
        return [" ".join(row.split()) for row in rows]

    def box(self) -> str:
        """The placeholder of the open list's box."""
        return (self._list() or ("", ""))[0]

    def chosen(self) -> str:
        """What is typed in the open list's box."""
        return (self._list() or ("", ""))[1]

    def type_in_list(self, text: str) -> None:
        """Type into the open list's box in place of what is there, and choose that."""
        self.page.locator(f"{PICK} input.input").fill(text)
        self.press("Enter")

    def ask(self, command: str, placeholder: str, text: str, row: re.Pattern[str]) -> None:
        """Run a command that shows a list, and type into it until a row matches."""

        def type_it() -> None:
            self.command(command)
            self.page.locator(f'{PICK} input.input[placeholder="{placeholder}"]').fill(text)

        self.attempt(
            f"{row.pattern!r} found", type_it, lambda: any(row.search(each) for each in self.picks())
        )

    def _pick(self, keys: list[str], text: str, row: re.Pattern[str], prefix: str = "") -> None:
        self.press(*keys)
        self.page.locator(f"{PICK} input.input").fill(prefix + text)
        self.pick(row, STEP)

    def _list(self) -> tuple[str, str] | None:
        """Placeholder and text of the open list's box, asked for at once: what has gone meanwhile would be waited
        for."""
        boxes = self.page.locator(f"{PICK} input.input").evaluate_all(
            "boxes => boxes.map(box => [box.placeholder, box.value])"
        )
        return (boxes[0][0], boxes[0][1]) if boxes else None

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
        rows = self.page.locator(".monaco-hover:not(.hidden) .hover-row:visible")

        def text() -> str | None:
            whole = "\n".join(rows.all_inner_texts())
            return whole if part in whole else None

        return self.attempt(f"a hover with {part!r}", lambda: self.press("Control+K", "Control+I"), text)

    def actions(self) -> list[str]:
        """The titles in the open list of quick fixes or source actions."""
        return self.page.locator(f"{ACTION} .title").all_inner_texts()

    def open_quick_fixes(self) -> list[str]:
        """Open the quick fixes at the cursor; their titles. Needs a squiggle there."""
        return self.attempt("quick fixes", lambda: self.press("Escape", "Control+."), self.actions)

    def apply(self, title: str, open_list: Callable[[], object], picture: str | None = None) -> None:
        """Choose from a list of quick fixes or source actions; the file is changed when this returns."""

        def choose() -> None:
            open_list()
            self.until(f"{title!r} in the list", lambda: title in self.actions(), STEP)
            if picture is not None:
                self.picture(picture)
            self.page.locator(ACTION).nth(self.actions().index(title)).click()

        self.attempt(f"a change by {title!r}", choose, self.is_changed, SECONDS_TO_APPLY)

    def put_cursor_into(self, word: str) -> None:
        """Put the cursor into a word, scrolled into view if need be; its editor then has the focus."""
        line = self.page.locator(".monaco-editor.focused .view-line", has_text=word)

        def click() -> None:
            span = self.page.locator(".view-line span", has_text=word).last
            span.scroll_into_view_if_needed()
            span.click()

        self.attempt(f"the cursor in {word!r}", click, line.count)

    def line(self) -> str:
        """The text of the line the cursor is in."""
        top = self.page.locator(".monaco-editor.focused .current-line").first.bounding_box()
        lines = self.page.locator(".monaco-editor.focused .view-line")
        for index in range(lines.count()):
            box = lines.nth(index).bounding_box()
            if top and box and abs(box["y"] - top["y"]) < box["height"] / 2:
                return lines.nth(index).inner_text().replace("\u00a0", " ")
        return ""

    def newest_text(self) -> str:
        """What the newest editor shows."""
        lines = self.page.locator(".editor-instance .view-lines")
        return lines.last.inner_text().replace("\xa0", " ") if lines.count() else ""

    # What is around it

    def messages(self) -> list[str]:
        """The notifications on the screen."""
        return self.page.locator(f"{NOTICES} .notification-list-item").all_inner_texts()

    def wait_for_message(self, part: str) -> str:
        """A notification with this text in it; they disappear after a while, and are then looked up in the list."""
        what = f"the message {part!r}"

        def look() -> str | None:
            return next((text for text in self.messages() if part in text), None)

        try:
            return self.until(what, look, STEP)
        except NotSeenError:
            return self.attempt(what, self._list_messages, look)

    def click_message(self, button: str, look: Callable[[], _Seen | None]) -> _Seen:
        """Press a button of the newest notification that has it, until something is seen."""

        def click() -> None:
            buttons = self.page.locator(f"{NOTICES} .monaco-button", has_text=button)
            if not buttons.count():
                self._list_messages()
            buttons.first.click()

        return self.attempt(f"what {button!r} does", click, look)

    def _list_messages(self) -> None:
        self.command("Notifications: Show Notifications")

    def status(self, part: str) -> str:
        """The item of the status bar with this text in it."""
        items = self.page.locator(".statusbar-item")
        return self.until(
            f"{part!r} in the status bar",
            lambda: next((text.strip() for text in items.all_inner_texts() if part in text), None),
        )

    def click_status(self, part: str, placeholder: str) -> None:
        """Click on the item of the status bar with this text in it; a list with this placeholder opens."""
        item = self.page.locator(".statusbar-item", has_text=part).locator("a")
        self.attempt(f"the list {placeholder!r}", item.click, lambda: self.box() == placeholder)

    def frame(self, part: str, seconds: float | None = None) -> Frame:
        """The page that is shown in place of an editor, once this is in it."""

        def found() -> Frame | None:
            for frame in self.page.frames[1:]:
                if frame.locator("body").count() and part in frame.locator("body").inner_text(timeout=500):
                    return frame
            return None

        return self.until(f"a page with {part!r}", found, seconds)

    def webview(self, part: str) -> str:
        """The text of the page that is shown in place of an editor, once this is in it."""
        return self.until(f"a page with {part!r}", lambda: self.frame(part).locator("body").inner_text())


class Opened:
    """The window that the steps of a module share: opened for the first step, and anew, on fresh files, after a
    step in it has failed."""

    def __init__(self, open_window: Callable[[], Workbench]) -> None:
        self._open = open_window
        self._window: Workbench | None = None

    def window(self) -> Workbench:
        """The window as it is, or a new one."""
        if self._window is not None and self._window.is_spoiled:
            self._window.page.context.close()
            self._window.server.stop()
            self._window = None
        if self._window is None:
            self._window = self._open()
        return self._window


Start = Callable[..., Workbench]
"""What the fixture `start` gives: opens a folder in a VS Code of its own, see `conftest.py`."""
