"""Late work: what it costs, and that points given by hand later are counted in."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook

from autograder.course import CourseError, load_course
from autograder.gradebook.late import DAY, penalty
from autograder.tests.gradebook.tiny import PARTLY, hand_in

RULE = "late_window_days = 3\nlate_percent_per_day = 10\n"
MORE_TIME = '[[extension]]\nstudent = "ada"\npart = "part4"\ndays = 1.5\n'
DUE = datetime(2027, 5, 3, 22)


def rule(tiny, text: str = RULE, extensions: str = "") -> None:
    """Write the late rule into the tiny course's manifest."""
    path = tiny.root / "solutions" / "course.toml"
    path.write_text(text + path.read_text() + extensions)


def late(tiny, student: str, by: timedelta, value: str = PARTLY) -> None:
    hand_in(tiny.root, student, value, timestamp=f"{DUE + by} UTC")


def open_gradebook(tiny) -> Gradebook:
    return Gradebook(tiny.api.coursedir.db_url, "micrograder")


def penalty_of(tiny, student: str) -> float | None:
    with open_gradebook(tiny) as gradebook:
        return gradebook.find_submission_notebook("part4", "part4", student).late_submission_penalty


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0, None),
        (1, 0.7),
        (DAY, 0.7),
        (DAY + 1, 1.4),
        (3 * DAY, 2.1),
        (3 * DAY + 1, 7.0),
        (300 * DAY, 7.0),
    ],
)
def test_each_day_that_has_begun_costs_its_share_and_after_the_window_nothing_is_left(tiny, seconds, expected):
    rule(tiny)
    assert penalty(load_course(tiny.root), 7.0, seconds) == expected


def test_more_days_than_a_hundred_percent_take_no_more_than_there_is(tiny):
    rule(tiny, "late_window_days = 30\nlate_percent_per_day = 35\n")
    assert penalty(load_course(tiny.root), 7.0, 4 * DAY) == 7.0


def test_without_a_rule_work_inside_the_window_costs_nothing(tiny):
    rule(tiny, "late_window_days = 3\n")
    assert penalty(load_course(tiny.root), 7.0, 2 * DAY) is None


@pytest.mark.parametrize(
    ("extensions", "said"),
    [
        (MORE_TIME + MORE_TIME, "ada has two extensions for part4"),
        (MORE_TIME.replace("part4", "part9"), "the extension of ada is for part9, which is no part"),
        (MORE_TIME.replace("1.5", "0"), "extension.0.days"),
    ],
)
def test_an_impossible_extension_is_said(tiny, extensions, said):
    rule(tiny, extensions=extensions)
    with pytest.raises(CourseError, match=said):
        load_course(tiny.root)


def test_nbgrader_autograde_takes_off_the_penalty_and_knows_the_extension(tiny):
    rule(tiny, extensions=MORE_TIME)
    late(tiny, "ada", timedelta(days=1, hours=12))
    late(tiny, "bob", timedelta(days=1, hours=12))
    assert tiny.grade()["success"]
    assert penalty_of(tiny, "ada") is None
    assert penalty_of(tiny, "bob") == 0.25
    with open_gradebook(tiny) as gradebook:
        assert gradebook.find_assignment("part4").duedate == DUE
        assert gradebook.find_submission("part4", "ada").extension == timedelta(days=1.5)


def test_an_extension_granted_through_nbgrader_stays_where_the_course_names_none(tiny):
    rule(tiny)
    late(tiny, "bob", timedelta(hours=5))
    tiny.grade()
    with open_gradebook(tiny) as gradebook:
        gradebook.grant_extension("part4", "bob", hours=6)
    tiny.grade(force=True)
    assert penalty_of(tiny, "bob") is None


def test_points_given_by_hand_later_are_counted_in_at_once_and_in_the_feedback(tiny):
    rule(tiny)
    late(tiny, "bob", timedelta(hours=30))
    tiny.grade()
    with open_gradebook(tiny) as gradebook:
        gradebook.find_grade("question-second", "part4", "part4", "bob").manual_score = 3.5
        gradebook.db.commit()
    assert penalty_of(tiny, "bob") == 0.95  # a fifth of 1.25 + 3.5
    with open_gradebook(tiny) as gradebook:
        gradebook.find_submission_notebook("part4", "part4", "bob").late_submission_penalty = 0.25  # by somebody else
        gradebook.db.commit()
    page = BeautifulSoup(tiny.feedback("bob"), "html.parser")
    assert penalty_of(tiny, "bob") == 0.95
    assert page.find(class_="total").text == "3.8 of 9.5 points, 0.95 taken off for lateness"
