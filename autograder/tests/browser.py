"""A student in a real browser: what they click and type, and a watch on every address the page asks for."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DESKTOP = {"width": 1300, "height": 900}
PHONE = {"width": 390, "height": 844}
SLOW = 180_000  # milliseconds; the machine may be busy with something else
EDITOR = ".jp-FileEditor:visible .cm-content"


@pytest.fixture(scope="session")
def chromium():
    """The installed browser; the test is skipped where it or the extra is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install -e .[site,browser]")
    if CHROMIUM is None:
        pytest.skip("no Chromium: apt-get install chromium")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


class Student:
    """One browser with its own storage.

    foreign: every address asked for that lies outside the site's own host.
    broken: every error that a page did not catch.
    """

    def __init__(self, context, address: str) -> None:
        self.context, self.address = context, address
        host = "{0.scheme}://{0.netloc}/".format(urlsplit(address))
        self.foreign: list[str] = []
        self.broken: list[str] = []
        context.on("request", lambda one: one.url.startswith((host, "blob:", "data:")) or self.foreign.append(one.url))
        context.on("weberror", lambda one: self.broken.append(one.error.stack))
        context.set_default_timeout(SLOW)
        self.page = context.new_page()
        self.page.on("dialog", lambda one: one.accept())  # "leave the page?", when the notebook was not saved

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
        self.page.keyboard.press("Control+s")
        self.page.wait_for_timeout(1000)

    def tab(self, name: str) -> None:
        self.page.click(f".lm-TabBar-tab:has-text('{name}')")

    def picture(self, name: str) -> None:
        """A screenshot, where somebody wants to look at them: MICROGRADER_PICTURES names the folder."""
        if folder := os.environ.get("MICROGRADER_PICTURES"):
            self.page.screenshot(path=Path(folder, f"{name}.png"))

    @staticmethod
    def _number(cell) -> str:
        return cell.locator(".jp-InputPrompt").inner_text().strip("[]: \n")


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print how long it took; a figure to read with pytest -s, nothing to assert."""
    start = time.monotonic()
    yield
    print(f"{what}: {time.monotonic() - start:.1f} s, load {os.getloadavg()[0]:.1f}")
