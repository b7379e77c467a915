"""A TA's decision on one task's points: it counts in every grading, and the student reads why."""

from __future__ import annotations

import tomllib

import pytest
from typer.testing import CliRunner

from autograder.cli import app
from autograder.course.manifest import CourseError
from autograder.gradebook.overrides import Override, add_override, overrides_of, overrides_path
from autograder.gradebook.verdicts import load_verdict
from autograder.tests.gradebook.tiny import FULL, PARTLY, hand_in

WHY = 'The "diamond" was explained wrongly in the lecture; ½ is right <b>here</b>.'


@pytest.fixture
def part(tiny):
    return tiny.course.part("4")


def decide(tiny, points: float, task: str = "4.2", student: str = "ada", reason: str = WHY) -> None:
    entry = Override(student=student, task=task, points=points, reason=reason, by="Tom")
    add_override(tiny.course, tiny.course.part("4"), entry)


def test_a_decision_counts_with_the_next_plain_autograde_and_after_every_regrade(tiny):
    hand_in(tiny.root, "ada", PARTLY)
    hand_in(tiny.root, "bob", PARTLY)
    tiny.grade()
    decide(tiny, 2.75)
    assert tiny.grade()["success"]  # not forced: a new decision is reason enough
    assert tiny.row("ada")["task-4-2"] == (2.75, False)
    assert tiny.row("ada")["task-4-1"] == (1.25, False)
    assert tiny.row("bob")["task-4-2"] == (0, False)
    tiny.grade(force=True)
    hand_in(tiny.root, "ada", FULL)
    tiny.grade()
    assert tiny.row("ada")["task-4-2"] == (2.75, False)
    assert tiny.row("ada")["task-4-1"] == (2.0, False)


def test_the_feedback_gives_the_reason_and_the_verdict_stays_the_judges(tiny, part):
    hand_in(tiny.root, "ada", PARTLY)
    decide(tiny, 2.75)
    tiny.grade()
    page = tiny.feedback("ada")
    assert "2.75 of 3.5 points" in page
    assert "Decided by a person by Tom" in page
    assert "explained wrongly in the lecture; ½ is right &lt;b&gt;here&lt;/b&gt;." in page
    assert "the tests alone give 0" in page
    verdict = load_verdict(tiny.course, "part4", "ada")
    assert verdict is not None
    assert verdict.score == 1.25


def test_a_decision_can_take_points_away_and_the_last_one_counts(tiny, part):
    decide(tiny, 1)
    decide(tiny, 0, reason="Copied; see the mail of the 3rd.")
    decide(tiny, 2, task="4.1")
    found = overrides_of(tiny.course, part, "ada")
    assert {task: entry.points for task, entry in found.items()} == {"4.2": 0, "4.1": 2}
    assert len(tomllib.loads(overrides_path(tiny.course, part).read_text())["override"]) == 3


@pytest.mark.parametrize("points", [-0.25, 3.75, float("nan"), float("inf")])
def test_points_outside_the_task_are_refused_and_nothing_is_written(tiny, part, points):
    with pytest.raises(CourseError, match=r"not between 0 and 3\.5"):
        decide(tiny, points)
    assert not overrides_path(tiny.course, part).exists()


def test_an_unknown_task_is_refused(tiny):
    with pytest.raises(CourseError, match=r"no task '4\.9'"):
        decide(tiny, 1, task="4.9")


def test_a_file_that_is_broken_by_hand_stops_grading_in_one_line(tiny, part, caplog):
    hand_in(tiny.root, "ada", FULL)
    overrides_path(tiny.course, part).parent.mkdir()
    overrides_path(tiny.course, part).write_text(
        '[[override]]\nstudent = "ada"\ntask = "4.2"\npoints = 99\nreason = "x"\n'
    )
    result = tiny.grade()
    assert not result["success"]
    assert "99 is not between 0 and 3.5 points" in result["log"] + caplog.text
    assert not tiny.autograded("ada").exists()


def test_the_command_notes_it_and_says_what_to_run(tiny, part):
    hand_in(tiny.root, "ada", FULL)
    words = ["override", "4", "ada", "4.2", "3.25", "--reason", WHY, "--course", str(tiny.root)]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert "nbgrader autograde part4 --student ada" in result.output
    assert overrides_of(tiny.course, part, "ada")["4.2"].reason == WHY
    absent = CliRunner().invoke(app, ["override", "4", "adda", "4.2", "3", "--reason", "x", "--course", str(tiny.root)])
    assert absent.exit_code != 0
    assert "submitted/adda/part4" in str(absent.exception)
