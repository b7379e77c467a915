"""A real Chromium for the tests, and a watch on what its pages ask for and complain about.

The browser is the system's; playwright only drives it. Nothing is fetched for it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SLOW = 180_000  # milliseconds; the machine may be busy with something else
DESKTOP = {"width": 1300, "height": 900}
PHONE = {"width": 390, "height": 844}


@contextmanager
def running_chromium() -> Iterator:
    """The browser; the test is skipped where there is none, or no playwright."""
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install -e .[browser]")
    if CHROMIUM is None:
        pytest.skip("no Chromium: apt-get install chromium")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


class Watched:
    """One page in a context of its own.

    foreign: every address asked for outside `host`. broken: errors of the pages' scripts. complaints: what the console
    shows as an error. dialogs: every box that a page opened; all are accepted.
    """

    def __init__(self, context, host: str) -> None:
        self.context = context
        self.foreign: list[str] = []
        self.broken: list[str] = []
        self.complaints: list[str] = []
        self.dialogs: list[str] = []
        context.on("request", lambda one: one.url.startswith((host, "blob:", "data:")) or self.foreign.append(one.url))
        context.on("weberror", lambda one: self.broken.append(one.error.stack))
        context.on("console", lambda one: one.type == "error" and self.complaints.append(one.text))
        context.set_default_timeout(SLOW)
        self.page = context.new_page()
        self.page.on("dialog", self._accept)

    def _accept(self, dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.accept()

    def picture(self, name: str) -> None:
        """A screenshot, where somebody wants to look at them: MICROGRADER_PICTURES names the folder."""
        if folder := os.environ.get("MICROGRADER_PICTURES"):
            self.page.screenshot(path=Path(folder, f"{name}.png"))
