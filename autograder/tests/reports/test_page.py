"""The class report as a file: it holds what was found, acts on nothing, asks nobody, and can leave names out."""

from __future__ import annotations

import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook
from typer.testing import CliRunner

from autograder.cli import app
from autograder.gradebook.rows import read_rows
from autograder.gradebook.verdicts import save_verdict
from autograder.judge.verdict import Flag
from autograder.reports.page import report
from autograder.tests.gradebook.test_late import rule
from autograder.tests.gradebook.tiny import FULL, PARTLY, hand_in
from autograder.tests.reports.sample import fill, verdict

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>"


def soup_of(tiny, **options) -> BeautifulSoup:
    return BeautifulSoup(report(tiny.course, [tiny.course.part("4")], **options), "html.parser")


def test_a_page_of_a_whole_class_loads_nothing_and_runs_nothing(tiny):
    fill(tiny.course, tiny.course.part("4"), 40)
    page = soup_of(tiny)
    assert not page.find_all(["script", "img", "link", "iframe", "object", "base", "form"])
    for element in page.find_all(True):
        assert not any(name.startswith("on") or name in ("src", "xlink:href", "style") for name in element.attrs)
        assert str(element.get("href", "#")).startswith("#")
    assert not re.search(r"https?://|url\(|@import", str(page))
    assert "default-src 'none'" in str(page.find("meta", attrs={"http-equiv": "Content-Security-Policy"}))


def test_every_chart_says_what_it_is_and_has_the_same_numbers_in_a_table(tiny):
    fill(tiny.course, tiny.course.part("4"), 40)
    page = soup_of(tiny)
    drawings = page.find_all("svg", attrs={"role": "img"})
    assert len(drawings) == 4
    for drawing in drawings:
        ElementTree.fromstring(str(drawing))
        assert drawing["aria-label"]
        twin = drawing.find_next("table")
        said = set(re.findall(r"\d+", " ".join(cell.text for cell in twin.find_all("td"))))
        tips = [tip.text for tip in drawing.find_all("title") if not tip.text.endswith(": 0")]
        assert tips
        for tip in tips:
            count = re.search(r": (\d+)", tip)
            assert count is not None
            assert count.group(1) in said


def test_whatever_can_be_scrolled_is_reached_with_the_keyboard_and_has_a_name(tiny):
    fill(tiny.course, tiny.course.part("4"), 40)
    page = soup_of(tiny)
    scrolled = page.select(".wide, .chart")
    assert len(scrolled) == len(page.select("table")) + len(page.select("svg[role=img]")) > 8
    assert all(one["tabindex"] == "0" and one["role"] == "group" and one["aria-label"] for one in scrolled)


def test_a_class_of_two_thousand_fits_on_the_page(tiny):
    part = tiny.course.part("4")
    fill(tiny.course, part, 2000)
    page = report(tiny.course, [part])
    assert "<b>2000</b> judged" in page
    assert len(page) < 1_000_000
    bars = BeautifulSoup(page, "html.parser").find("svg").find_all("title")
    assert sum(int(bar.text.rpartition(" ")[2]) for bar in bars) == 2000


def test_how_many_of_the_class_have_a_misconception_stands_beside_the_section_to_reteach(tiny):
    part = tiny.course.part("4")
    for at in range(84):
        beliefs = {"4.1": "replaces"} if at < 31 else {}
        outcomes = {"4.1": ["failed", "passed", "failed"]} if at < 31 else {}
        save_verdict(tiny.course, f"s{at}", verdict(part, outcomes, beliefs=beliefs))
    page = soup_of(tiny)
    row = page.find("b", string="= where += belongs").find_parent("tr")
    assert row.find("td").text.strip() == "31 of 84"
    assert "part 4, section 10" in row.text


def test_hostile_names_and_evidence_are_text(tiny):
    part = tiny.course.part("4")
    flags = [Flag(id="looks-around", evidence=HOSTILE)]
    save_verdict(tiny.course, "<b onclick=alert(3)>eve", verdict(part, {}, flags=flags, problem=HOSTILE))
    page = report(tiny.course, [part])
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") == 2
    assert "&lt;b onclick=alert(3)&gt;eve" in page
    for acting in ("<script", "<img", "<b onclick"):
        assert acting not in page


def test_an_anonymous_report_holds_no_name_and_one_number_per_student(tiny):
    part = tiny.course.part("4")
    for at in range(3):
        beliefs = {"4.1": "replaces"}
        flags = [Flag(id="other-library", evidence="value.py:1 imports torch")]
        failed = {"4.1": ["failed"] * 3}
        save_verdict(
            tiny.course, f"zoe{at}", verdict(part, failed, beliefs=beliefs, flags=flags, problem=f"zoe{at}.py")
        )
    hand_in(tiny.root, "zoe9", "# break the judge")
    tiny.grade()
    page = report(tiny.course, [part], anonymous=True)
    assert "zoe" not in page
    assert "zoe0" in report(tiny.course, [part])
    shown = BeautifulSoup(page, "html.parser")
    flagged = {row.find("td").text for row in shown.find("th", string="evidence").find_parent("table").tbody("tr")}
    stopped = {
        row.find("td").text for row in shown.find("th", string="what stopped it").find_parent("table").tbody("tr")
    }
    assert flagged == stopped
    assert len(flagged) == 3


def test_late_work_counts_from_the_extension_and_says_what_was_taken_off(tiny):
    rule(tiny, "late_window_days = 3\n")
    for student, day in (("ada", "04"), ("bob", "04"), ("cyd", "01")):
        hand_in(tiny.root, student, PARTLY, timestamp=f"2027-05-{day} 01:30:00 UTC")  # due on the 3rd at 22:00
    assert tiny.grade()["success"]
    with Gradebook(tiny.api.coursedir.db_url, "micrograder") as gradebook:
        gradebook.grant_extension("part4", "bob", hours=2)
        gradebook.find_submission("part4", "ada").notebooks[0].late_submission_penalty = 0.75
        gradebook.db.commit()
    rows = {row.student: row for row in read_rows(tiny.course, tiny.course.part("4"))}
    assert rows["ada"].late == timedelta(hours=3, minutes=30)
    assert rows["bob"].late == timedelta(hours=1, minutes=30)
    assert rows["cyd"].late == timedelta()
    assert (rows["ada"].score, rows["bob"].score) == (0.5, 1.25)
    assert rows["ada"].waits == ("question-second",)
    table = soup_of(tiny).find("th", string="late by").find_parent("table")
    cells = [[cell.text for cell in row("td")] for row in table.tbody("tr")]
    assert [row[0] for row in cells] == ["ada", "bob"]
    assert cells[0][1].startswith("3 h 30 min")
    assert cells[0][2] == "0.75"


def test_a_submission_that_could_not_be_judged_is_an_alarm_and_no_zero(tiny):
    hand_in(tiny.root, "ada", FULL)
    hand_in(tiny.root, "bob", "# break the judge")
    tiny.grade()
    rows = {row.student: row for row in read_rows(tiny.course, tiny.course.part("4"))}
    assert "task-4-1" in rows["bob"].waits
    assert dict(rows["bob"].cells).get("task-4-1") is None
    assert "without a verdict: bob" in soup_of(tiny).find("ul", class_="alarms").text


def test_without_a_verdict_the_page_says_what_to_run_and_makes_no_gradebook(tiny):
    (tiny.root / "gradebook.db").unlink()
    assert "nbgrader autograde part4" in soup_of(tiny).text
    assert not (tiny.root / "gradebook.db").exists()


@pytest.mark.parametrize("options", [[], ["--anonymous"]])
def test_the_command_says_where_the_report_is(tiny, options):
    fill(tiny.course, tiny.course.part("4"), 5)
    result = CliRunner().invoke(app, ["report", "4", "part4", "--course", str(tiny.root), *options])
    assert result.exit_code == 0, result.output
    name = "part4-anonymous.html" if options else "part4.html"
    assert result.output.strip() == str(tiny.root / "reports" / name)
    assert "<b>5</b> judged" in (tiny.root / "reports" / name).read_text(encoding="utf-8")
