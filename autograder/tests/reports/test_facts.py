"""What the class report counts, and when it raises an alarm."""

from __future__ import annotations

import pytest

from autograder.course.manifest import Part
from autograder.reports.facts import alarm, facts, tells_apart
from autograder.tests.reports.sample import verdict

PART = Part.model_validate(
    {
        "id": "part4",
        "title": "Automating backward",
        "due": "2027-05-03T22:00:00Z",
        "graded": {"value.py": ("Value",)},
        "task": [{"id": f"4.{at}", "title": f"task {at}", "points": at + 1} for at in (1, 2, 3)],
    }
)
MISSED = ["failed", "passed", "failed"]


def test_a_task_counts_all_some_none_and_not_started_apart():
    found = facts(
        PART,
        {
            "a": verdict(PART, {}),
            "b": verdict(PART, {"4.1": MISSED}),
            "c": verdict(PART, {"4.1": MISSED}),
            "d": verdict(PART, {"4.1": ["failed"] * 3}),
            "e": verdict(PART, {"4.1": ["not_done"] * 3}),
            "f": verdict(PART, {"4.1": ["passed", "not_done", "not_done"]}),
            "g": verdict(PART, {"4.1": ["timeout", "crashed", "error"]}),
        },
    )
    task = found.tasks[0]
    assert (task.full, task.some, task.none, task.not_started) == (1, 2, 2, 2)
    assert task.mean == pytest.approx((2 + 3 * 2 / 3) / 7, abs=1e-4)
    assert [test.passed for test in task.tests] == [2, 3, 1]


def test_a_verdict_on_another_part_does_not_count():
    other = verdict(PART, {}).model_copy(update={"part": "part5"})
    assert facts(PART, {"a": verdict(PART, {}), "b": other}).judged == 1


def test_misconceptions_come_most_frequent_first_and_count_a_student_once():
    both = {"4.1": "only-self", "4.3": "only-self"}
    found = facts(
        PART,
        {
            "a": verdict(PART, {"4.1": MISSED, "4.3": MISSED}, beliefs=both),
            "b": verdict(PART, {"4.2": MISSED}, beliefs={"4.2": "replaces"}),
            "c": verdict(PART, {"4.2": MISSED}, beliefs={"4.2": ("replaces", "likely")}),
        },
    )
    first, second = found.beliefs
    assert (first.id, first.students, first.likely, first.reread) == (
        "replaces",
        ("b", "c"),
        1,
        'part 4, section 10, "The bug: a node used twice"',
    )
    assert (second.id, second.students, second.tasks) == ("only-self", ("a",), ("4.1", "4.3"))


def test_tasks_failed_together_leave_out_those_who_have_nothing_right():
    nothing = {task.id: ["failed"] * 3 for task in PART.tasks}
    found = facts(
        PART,
        {
            "a": verdict(PART, {"4.1": MISSED, "4.2": MISSED}),
            "b": verdict(PART, {"4.1": MISSED}),
            "c": verdict(PART, {}),
            "d": verdict(PART, nothing),
        },
    )
    pair = next(pair for pair in found.together if (pair.one, pair.other) == ("4.1", "4.2"))
    assert found.partly_right == 3
    assert pair.both == 1
    assert pair.expected == pytest.approx(2 * 1 / 3)


def test_how_well_a_test_tells_apart_is_the_correlation_with_the_other_tasks():
    others = [float(at) for at in range(10)]
    assert tells_apart(others, others) == pytest.approx(1)
    assert tells_apart([points < 5 for points in others], others) == pytest.approx(-0.8704, abs=1e-4)
    assert tells_apart([True] * 10, others) is None
    assert tells_apart(others[:9], others[:9]) is None


def test_the_points_of_the_task_itself_do_not_count_as_other_points():
    # Everybody has the same in the other tasks: nothing is told apart, although 4.1 decides the total.
    verdicts = {str(at): verdict(PART, {"4.1": MISSED} if at % 2 else {}) for at in range(12)}
    assert facts(PART, verdicts).tasks[0].tells_apart is None


def test_nobody_passing_is_an_alarm_from_three_students_on():
    assert alarm([False] * 3, [1, 2, 3], "passes") == "nobody passes"
    assert alarm([False] * 2, [1, 2], "passes") == ""


def test_the_best_failing_where_the_others_pass_is_an_alarm():
    others = [float(at) for at in range(12)]
    assert alarm([points < 9 for points in others], others, "passes") == (
        "the best fail: 3 of the 3 best in the other tasks, 0 of the 9 others"
    )
    assert alarm([points != 11 for points in others], others, "passes") == ""  # one slip is no alarm
    assert alarm([points >= 9 for points in others], others, "passes") == ""


def test_a_class_in_which_nearly_all_are_the_best_has_no_best():
    others = [10.0] * 11 + [0.0]
    assert alarm([False] * 5 + [True] * 7, others, "passes") == ""


def test_a_wrong_test_is_named_among_the_alarms():
    verdicts = {str(at): verdict(PART, {"4.2": ["passed", "passed", "failed"]}) for at in range(5)}
    assert ("4.2 test_hidden_2_of_task_4_2", "nobody passes") in facts(PART, verdicts).alarms
