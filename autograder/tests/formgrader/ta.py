"""A TA in a real browser: the formgrader inside JupyterLab, by what can be seen and clicked there."""

from __future__ import annotations

import re

from autograder.tests.chromium import SLOW, Watched
from autograder.tests.formgrader.jupyter import TOKEN

COLUMNS = {"release", "collect", "generate-feedback", "release-feedback", "autograde"}


class TA(Watched):
    """Starts JupyterLab's page and opens the formgrader from its menu; `pages` are the formgrader's, in their frame."""

    def __init__(self, context, address: str) -> None:
        super().__init__(context, address)
        self.address = address
        self.pages = self.page.frame_locator(".lm-DockPanel-widget:not(.lm-mod-hidden) iframe")

    def open_formgrader(self) -> None:
        """From the menu of JupyterLab, as the README says."""
        self.page.goto(f"{self.address}lab?token={TOKEN}")
        self.page.click(".lm-MenuBar-item:has-text('Nbgrader')")
        self.page.click(".lm-Menu-item:has-text('Formgrader') >> nth=0")
        self.row("part4").wait_for()

    def menu(self, name: str) -> None:
        """One of the three pages at the left; a submission's page leads to them by its path at the top."""
        if self.pages.locator(".breadcrumb .live-notebook").count():
            self.pages.locator(".breadcrumb a:has-text('Manual Grading')").click()
        self.pages.locator(f".nav-stacked a:has-text('{name}')").click()

    def row(self, name: str):
        """The row of a part or of a student in the page's table."""
        return self.pages.locator("#main-table tr").filter(has=self.pages.get_by_text(name, exact=True)).first

    def press(self, name: str, column: str) -> str:
        """Click the sign in this row and column; returns what the box says that comes up, and closes it."""
        assert column in COLUMNS
        self.row(name).locator(f".{column} a").click()
        box = self.pages.locator(".modal.in")
        box.wait_for(timeout=2 * SLOW)
        said = box.inner_text()
        box.locator(".modal-footer button, button.close").last.click()
        box.wait_for(state="detached")
        return said

    def cell(self, name: str, what: str) -> str:
        """What stands in this row and column."""
        return self.row(name).locator(f".{what}").inner_text().strip()

    def open_submission(self, student: str) -> None:
        """The page on which a student's written answers are marked."""
        self.menu("Manual Grading")
        for _ in ("the part", "its notebook"):
            self.pages.locator("#main-table a:text-is('part4')").click()
        self.pages.locator("#main-table a:visible:has-text('Submission #')").first.wait_for()
        self.pages.locator("button:has-text('Show All Names')").click()
        self.pages.locator(f"#main-table a:visible:has-text('{student}')").first.click()
        for loaded in ("input.score[placeholder]", "textarea.comment[placeholder]"):
            self.pages.locator(loaded).first.wait_for()

    def mark(self, cell: str, points: float, comment: str) -> None:
        """Type points and a comment for a written answer, and wait until the page says that they are saved."""
        for selector, text in ((f"#{cell}", str(points)), (f"#{cell}-comment", comment)):
            field = self.pages.locator(selector)
            field.fill(text)
            with self.page.expect_response(lambda one: one.request.method == "PUT") as answer:
                field.blur()
            assert answer.value.ok

    def shown_points(self, cell: str) -> str:
        """The points that stand in a cell's field: a person's, or the judge's in grey."""
        field = self.pages.locator(f"#{cell}")
        return field.input_value() or field.get_attribute("placeholder") or ""

    def warnings(self) -> list[str]:
        """The yellow and red boxes of the page."""
        found = self.pages.locator(".alert:visible").all_inner_texts()
        return [re.sub(r"\s+", " ", text) for text in found]
