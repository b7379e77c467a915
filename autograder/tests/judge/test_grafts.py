"""A task costs its own points only: a later one is judged on the reference's earlier ones, and gains nothing by it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from autograder.course import Course, Part
from autograder.judge.grafts import grafts
from autograder.judge.verdict import Verdict

# For each task a mistake that breaks it, and it alone.
MISTAKES = {
    "4.1": ("self.grad += out.grad\n", "self.grad -= out.grad\n"),
    "4.2": ("self.grad += other.data * out.grad\n", "self.grad += self.data * out.grad\n"),
    "4.3": ("(1.0 - t * t) * out.grad", "(1.0 + t * t) * out.grad"),
    "4.4": ("        return order\n", "        return order[::-1]\n"),
    "4.5": ("reversed(self.topological_order())", "self.topological_order()[:1]"),
}


def scores(verdict: Verdict) -> dict[str, float]:
    return {task.id: task.score for task in verdict.tasks}


def spoil(source: str, *tasks: str) -> str:
    for task in tasks:
        right, wrong = MISTAKES[task]
        assert source.count(right) == 1
        source = source.replace(right, wrong)
    return source


@pytest.mark.parametrize("wrong", MISTAKES)
def test_a_wrong_task_costs_its_own_points_and_no_others(
    judge: Callable[..., Verdict], suites: str, reference: str, part: Part, wrong: str
) -> None:
    found = scores(judge(spoil(reference, wrong)))
    for task in part.tasks:
        if task.id == wrong:
            assert found[task.id] <= 0.7 * task.points
        else:
            assert found[task.id] == task.points


@pytest.mark.parametrize(
    ("earlier", "later"),
    [("4.1", "4.4"), ("4.2", "4.4"), ("4.3", "4.4"), ("4.1", "4.5"), ("4.2", "4.5"), ("4.3", "4.5"), ("4.4", "4.5")],
)
def test_a_wrong_task_gains_nothing_from_the_reference_s_earlier_ones(
    judge: Callable[..., Verdict], suites: str, reference: str, earlier: str, later: str
) -> None:
    alone = scores(judge(spoil(reference, later)))
    both = scores(judge(spoil(reference, earlier, later)))
    assert both[later] <= alone[later] < {"4.4": 4.0, "4.5": 4.0}[later]
    others = MISTAKES.keys() - {earlier, later}
    assert {task: both[task] for task in others} == {task: alone[task] for task in others}


def test_the_stub_gains_nothing(judge: Callable[..., Verdict], suites: str, stub: str) -> None:
    verdict = judge(stub)
    assert verdict.score == 0.0
    assert {test.outcome for task in verdict.tasks for test in task.tests} <= {"not_done", "blocked"}


def test_a_graft_holds_the_wanted_functions_and_no_others(course: Course, part: Part) -> None:
    source = grafts(course, part, ["4.2", "4.4"])["value"]
    for name in ("__mul__", "topological_order"):
        assert f"Value.{name} = {name}" in source
    for name in ("__add__", "tanh", "backward", "__init__"):
        assert f"def {name}(" not in source


def test_a_graft_leaves_no_name_of_ours_behind(course: Course, part: Part) -> None:
    class Value:
        pass

    names: dict[str, object] = {"Value": Value}
    exec(grafts(course, part, ["4.3"])["value"], names)
    assert names.keys() == {"Value", "__builtins__"}
    assert Value.tanh.__name__ == "tanh"  # type: ignore[attr-defined]
