"""A student in a real browser: what they click and type in a notebook and an editor."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from autograder.tests.chromium import SLOW, Watched

EDITOR = ".jp-FileEditor:visible .cm-content"
DIRTY = ".lm-TabBar-tab.lm-mod-current.jp-mod-dirty"


class Student(Watched):
    """One browser with its own storage; what it asks for outside the host of `address` is noted as foreign."""

    def __init__(self, context, address: str) -> None:
        super().__init__(context, "{0.scheme}://{0.netloc}/".format(urlsplit(address)))
        self.address = address

    def open(self, path: str = "") -> None:
        self.page.goto(self.address + path)

    def notebook(self) -> None:
        """Wait until the notebook is there."""
        self.page.wait_for_selector(".jp-Notebook .jp-CodeCell")

    def cell(self, text: str):
        """The code cell that holds this text."""
        return self.page.locator(".jp-Notebook .jp-CodeCell", has_text=text).first

    def run(self, text: str) -> str:
        """Run the cell that holds this text and return its output, when it is done."""
        cell = self.cell(text)
        cell.scroll_into_view_if_needed()
        cell.locator(".cm-content").click()
        # The number of an earlier run goes: after a reload Python counts from 1 again, and the same one may come.
        cell.locator(".jp-InputPrompt").evaluate("one => one.textContent = '[ ]:'")
        self.page.keyboard.press("Control+Enter")
        end = time.monotonic() + SLOW / 1000
        while not self._number(cell).isdigit():
            assert time.monotonic() < end, f"no end: {text}"
            self.page.wait_for_timeout(50)
        return "\n".join(cell.locator(".jp-OutputArea-output").all_inner_texts())

    def add(self, code: str) -> None:
        """A new cell with this code at the end of the notebook."""
        last = self.page.locator(".jp-Notebook .jp-Cell").last
        last.scroll_into_view_if_needed()
        last.locator(".jp-InputPrompt").click()
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("b")
        self.page.keyboard.press("Enter")
        self.page.keyboard.insert_text(code)

    def edit(self, name: str) -> None:
        """Open a file of the folder from the list at the left, in its editor."""
        self.page.dblclick(f".jp-DirListing-item:has-text('{name}')")
        self.page.wait_for_selector(EDITOR)

    def put(self, text: str) -> None:
        """Put this text in the place of all that is in the open editor, and save it."""
        self.page.locator(EDITOR).click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)
        self.save()

    def save(self) -> None:
        """Save what is open, with the keyboard, wherever in it the focus is; fails when that does not save it."""
        self.page.keyboard.press("Control+s")
        self.page.wait_for_selector(DIRTY, state="detached", timeout=10_000)  # sooner than JupyterLab by itself
        self.page.wait_for_timeout(1000)

    def unsaved(self) -> bool:
        """Whether the open tab says so."""
        return self.page.locator(DIRTY).count() == 1

    def tab(self, name: str) -> None:
        self.page.click(f".lm-TabBar-tab:has-text('{name}')")

    @staticmethod
    def _number(cell) -> str:
        return cell.locator(".jp-InputPrompt").inner_text().strip("[]: \n")


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print how long it took; a figure to read with pytest -s, nothing to assert."""
    start = time.monotonic()
    yield
    print(f"{what}: {time.monotonic() - start:.1f} s, load {os.getloadavg()[0]:.1f}")
