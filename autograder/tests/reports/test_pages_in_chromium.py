"""Feedback page and class report in a real browser, opened from disk: desk, phone, paper, light, dark, hostile."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder.gradebook.verdicts import save_verdict
from autograder.judge.verdict import Flag
from autograder.reports.page import write_report
from autograder.tests.chromium import DESKTOP, PHONE, Watched
from autograder.tests.gradebook.tiny import PARTLY, hand_in
from autograder.tests.hostile import ACTS, SHOWN, make_hostile
from autograder.tests.reports.sample import fill, verdict

pytestmark = pytest.mark.slow

PAPER = {"width": 794, "height": 1123}  # A4 at 96 dots per inch
WHITE = "rgb(255, 255, 255)"
# How much lighter one of two colours is than the other, as WCAG counts it; 7 is its stricter demand on text.
CONTRAST = """() => {
    const light = one => {
        const part = value => (value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        const [r, g, b] = one.match(/\\d+/g).map(Number);
        return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b) + 0.05;
    };
    const style = getComputedStyle(document.body);
    const [one, other] = [light(style.color), light(style.backgroundColor)];
    return Math.max(one, other) / Math.min(one, other);
}"""


@pytest.fixture
def opened(chromium):
    """Open a file in a browser of its own; whatever stood in it, nothing was asked for and nothing ran."""
    all_opened: list[Watched] = []

    def open_file(path: Path, viewport=DESKTOP, **how) -> Watched:
        someone = Watched(chromium.new_context(viewport=viewport, **how), "file://")
        someone.page.goto(path.as_uri())
        all_opened.append(someone)
        return someone

    yield open_file
    for one in all_opened:
        one.context.close()
        assert (one.foreign, one.broken, one.complaints, one.dialogs) == ([], [], [], [])


@pytest.fixture
def feedback(tiny) -> Path:
    """The feedback page of a student whose work is hostile, graded by the fake judge."""
    make_hostile(hand_in(tiny.root, "eve", PARTLY))
    assert tiny.grade()["success"]
    tiny.feedback("eve")
    return tiny.root / "feedback" / "eve" / "part4" / "part4.html"


def fits(someone: Watched) -> bool:
    """Nothing makes the page as a whole wider than its window."""
    return someone.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def background(someone: Watched) -> str:
    return someone.page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_hostile_work_is_text_on_the_feedback_page(opened, feedback):
    someone = opened(feedback)
    someone.page.click("summary")
    someone.picture("feedback-hostile")
    text = someone.page.locator("body").inner_text()
    assert all(one in text for one in SHOWN)
    assert someone.page.locator("img, iframe, script, link").count() == 0


def test_the_feedback_page_fits_a_phone_and_paper_and_the_notebook_stays_folded(opened, feedback):
    phone = opened(feedback, PHONE)
    phone.picture("feedback-phone")
    assert fits(phone)
    paper = opened(feedback, PAPER, color_scheme="dark")
    paper.page.emulate_media(media="print")
    paper.picture("feedback-paper")
    assert fits(paper)
    assert background(paper) == WHITE
    assert not paper.page.locator(".text >> nth=0").is_visible()
    assert paper.page.locator(".task >> nth=0").is_visible()


def test_hostile_names_messages_and_flags_are_text_in_the_report(opened, tiny):
    part = tiny.course.part("part4")
    for at, act in enumerate(ACTS):
        broken = verdict(part, {"4.1": ["failed", "error", "passed"]}, problem=act, flags=[Flag(id=act, evidence=act)])
        for test in broken.tasks[0].tests:
            test.name, test.message = act, act
        save_verdict(tiny.course, f"eve{at}' onclick='alert(1)' <b>", broken)
    someone = opened(write_report(tiny.course, [part]))
    someone.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    someone.picture("report-hostile")
    text = someone.page.locator("body").inner_text()
    assert "alert('closed')" in text
    assert "onclick='alert(1)' <b>" in text
    assert someone.page.locator("img, iframe, script, link").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_report_of_two_thousand_is_readable_on_a_desk_a_phone_and_paper(opened, tiny, scheme):
    part = tiny.course.part("part4")
    fill(tiny.course, part, 2000)
    path = write_report(tiny.course, [part])
    desk = opened(path, color_scheme=scheme)
    desk.picture(f"report-{scheme}")
    assert fits(desk)
    assert desk.page.evaluate(CONTRAST) > 7
    assert "2000 judged" in desk.page.locator(".figures").inner_text()
    bars = [int(text) for text in desk.page.locator("svg >> nth=0").locator("g text").all_text_contents()]
    assert sum(bars) == 2000
    for label in desk.page.locator(".chart svg text").all():
        assert label.bounding_box()["height"] >= 11  # pixels
    phone = opened(path, PHONE, color_scheme=scheme)
    phone.picture(f"report-phone-{scheme}")
    assert fits(phone)
    paper = opened(path, PAPER, color_scheme=scheme)
    paper.page.emulate_media(media="print")
    paper.picture(f"report-paper-{scheme}")
    assert fits(paper)
    assert background(paper) == WHITE
    pages = len(re.findall(rb"/Type\s*/Page\b", paper.page.pdf(format="A4")))
    assert 1 < pages < 12
