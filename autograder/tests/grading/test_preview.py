"""`micrograder grade --preview`: whose score would move and why, and not a byte written."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from autograder.course import load_course
from autograder.grading.screen import print_preview
from autograder.tests.gradebook.tiny import FULL, PARTLY, hand_in
from autograder.tests.grading.test_grade import BREAKS, mark, tree


def shown(classroom) -> str:
    text = io.StringIO()
    part = load_course(classroom.root).part("part4")
    print_preview(part, classroom.preview(), Console(file=text, width=80))
    return text.getvalue()


def test_an_unchanged_class_would_not_move(classroom):
    hand_in(classroom.root, "ada", PARTLY)
    classroom.grade()
    assert classroom.preview().moves == ()
    assert "0 of 1 submissions would move" in shown(classroom)


def test_it_says_who_moves_by_how_much_and_which_test_did_it(classroom):
    hand_in(classroom.root, "ada", PARTLY)
    hand_in(classroom.root, "bob", PARTLY)
    classroom.grade()
    hand_in(classroom.root, "ada", FULL.replace("4.2=3.5", "4.2=0"))
    [move] = classroom.preview().moves
    assert (move.student, move.task, move.before, move.after, move.by_hand) == ("ada", "4.1", 1.25, 2.0, False)
    assert move.tests == (
        ("public test_a_plus_a", "failed", "passed"),
        ("hidden test_secret_diamond", "failed", "passed"),
    )
    text = shown(classroom)
    assert "ada: +0.75 points" in text
    assert "4.1: 1.25 -> 2" in text
    assert "failed -> passed: public test_a_plus_a" in text
    assert "1 of 2 submissions would move" in text


def test_a_marker_s_points_stay(classroom):
    hand_in(classroom.root, "ada", PARTLY)
    classroom.grade()
    with_mark = classroom.tiny.api.gradebook
    with with_mark as gradebook:
        gradebook.find_grade("task-4-1", "part4", "part4", "ada").manual_score = 1.75
        gradebook.db.commit()
    hand_in(classroom.root, "ada", "# earns 4.1=2")
    [move] = classroom.preview().moves
    assert move.by_hand
    assert "ada: +0 points" in shown(classroom)


@pytest.mark.parametrize("graded_before", [False, True])
def test_nothing_is_written(classroom, graded_before):
    hand_in(classroom.root, "ada", PARTLY)
    if graded_before:
        classroom.grade()
        mark(classroom.root, "ada", 2.5, "Good.")
    hand_in(classroom.root, "ada", FULL)
    hand_in(classroom.root, "fay", BREAKS)
    before = {path: path.stat().st_mtime_ns for path in classroom.root.rglob("*")}
    content = tree(classroom.root)
    found = classroom.preview()
    assert {move.student for move in found.moves} == {"ada"}
    assert list(found.unjudged) == ["fay"]
    assert tree(classroom.root) == content
    assert {path: path.stat().st_mtime_ns for path in classroom.root.rglob("*")} == before
