"""Plain `nbgrader autograde` again: what is graded stays, what is not is graded, whatever timestamps say."""

from __future__ import annotations

import shutil

from autograder.gradebook import preprocessors
from autograder.tests.gradebook import fake_judge
from autograder.tests.gradebook.tiny import FULL, PARTLY, hand_in


class Killed(BaseException):
    """Stands for kill -9: nbgrader cannot tidy up after it."""


def _killed(*_: object) -> None:
    raise Killed


def test_a_second_run_judges_nobody_again(tiny):
    hand_in(tiny.root, "ada")
    hand_in(tiny.root, "bob", notebook=False)
    tiny.grade()
    assert fake_judge.asked == ["ada", "bob"]
    tiny.grade()
    assert fake_judge.asked == ["ada", "bob"]


def test_a_run_that_was_killed_is_finished_by_the_next_one(tiny, monkeypatch):
    hand_in(tiny.root, "ada", PARTLY)
    monkeypatch.setattr(preprocessors, "ask_judge", _killed)
    assert not tiny.grade()["success"]
    assert tiny.autograded("ada").exists()
    assert tiny.row("ada")["task-4-1"][0] is None
    monkeypatch.setattr(preprocessors, "ask_judge", fake_judge.ask)
    result = tiny.grade()
    assert result["success"]
    assert "ada/part4 was left half graded: grading it again" in result["log"]
    assert tiny.row("ada")["task-4-1"] == (1.25, False)


def test_a_killed_regrade_leaves_no_old_score_and_is_finished_by_the_next_run(tiny, monkeypatch):
    hand_in(tiny.root, "ada", FULL)
    tiny.grade()
    hand_in(tiny.root, "ada", PARTLY)
    monkeypatch.setattr(preprocessors, "ask_judge", _killed)
    tiny.grade(force=True)
    assert tiny.row("ada")["task-4-1"] == (None, True)
    monkeypatch.setattr(preprocessors, "ask_judge", fake_judge.ask)
    tiny.grade()
    assert tiny.row("ada")["task-4-1"] == (1.25, False)


def test_a_changed_file_is_graded_again_although_no_timestamp_says_so(tiny):
    hand_in(tiny.root, "ada", PARTLY)
    hand_in(tiny.root, "bob", PARTLY)
    tiny.grade()
    hand_in(tiny.root, "ada", FULL)
    result = tiny.grade()
    assert "ada/part4 was handed in again, or its points were decided by hand: grading it again" in result["log"]
    assert tiny.row("ada")["task-4-1"] == (2.0, False)
    assert fake_judge.asked == ["ada", "bob", "ada"]


def test_a_changed_answer_is_taken_over(tiny):
    hand_in(tiny.root, "ada", answer=None)
    tiny.grade()
    hand_in(tiny.root, "ada", answer="Now there is one.")
    tiny.grade()
    assert tiny.row("ada")["question-second"] == (None, True)


def test_a_newer_timestamp_is_graded_again(tiny):
    hand_in(tiny.root, "ada", PARTLY, timestamp="2027-05-01 10:00:00 UTC")
    tiny.grade()
    hand_in(tiny.root, "ada", PARTLY, timestamp="2027-05-02 10:00:00 UTC")
    tiny.grade()
    assert fake_judge.asked == ["ada", "ada"]


def test_a_lost_gradebook_is_filled_again(tiny):
    hand_in(tiny.root, "ada", PARTLY)
    tiny.grade()
    (tiny.root / "gradebook.db").unlink()
    assert tiny.api.generate_assignment("part4", force=True)["success"]
    tiny.grade()
    assert tiny.row("ada")["task-4-1"] == (1.25, False)


def test_a_lost_state_folder_costs_nothing(tiny):
    hand_in(tiny.root, "ada", PARTLY)
    tiny.grade()
    shutil.rmtree(tiny.root / ".micrograder")
    assert tiny.grade()["success"]
    assert fake_judge.asked == ["ada"]


def test_a_judge_that_failed_is_asked_again_by_the_next_run(tiny):
    hand_in(tiny.root, "ada", "# break the judge")
    tiny.grade()
    hand_in(tiny.root, "ada", FULL)
    tiny.grade()
    assert tiny.row("ada")["task-4-1"] == (2.0, False)
