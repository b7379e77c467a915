"""Trying engines of our own in forked children, on the small course's suites."""

import pytest

from autograder.course.code import worked_solution
from autograder.judge import judge as judging
from autograder.judge.judge import JudgeError, judge_submission
from autograder.misconceptions.bank import Workshop, write_files
from autograder.misconceptions.trials import Trial, tried
from autograder.tests.judge.small_course import SMALL, make_small_course


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return make_small_course(tmp_path_factory.mktemp("course"))


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(judging, "SUITES", SMALL)


@pytest.fixture
def worked(course):
    return Workshop(course, course.part("part4")).worked["value.py"].decode()


def engine(worked, old, new):
    assert worked.count(old) == 1
    return {"value.py": worked.replace(old, new).encode()}


def outcomes(noted):
    return {entry.key: entry.verdict.outcome for entry in noted}


def failed_tasks(noted):
    return {entry.task for entry in noted if entry.verdict.outcome != "passed"}


def test_each_trial_is_on_its_own_and_public_tests_of_its_task_come_first(course, worked):
    wrong = engine(worked, "self.grad += out.grad\n", "self.grad -= out.grad\n")
    trials = [Trial(wrong, ("4.1",)), Trial({"value.py": worked.encode()}, ("4.2",)), Trial(wrong, ("4.1",))]
    first, right, again = tried(course.root, "part4", trials)
    assert "4.1" in failed_tasks(first)
    assert failed_tasks(right) == set()
    assert outcomes(again) == outcomes(first)
    assert (first[0].task, right[0].task) == ("4.1", "4.2")
    kinds = [entry.verdict.visibility for entry in right]
    assert kinds == sorted(kinds, reverse=True)
    assert len(right) == 12


def test_a_trial_to_the_first_failure_ends_there_and_one_of_a_task_alone_runs_only_that(course, worked):
    wrong = engine(worked, "(1.0 - t * t) * out.grad", "(1.0 + t * t) * out.grad")
    stopped, alone = tried(
        course.root, "part4", [Trial(wrong, ("4.3",), to_the_first=True), Trial(wrong, ("4.3",), only=True)]
    )
    assert [entry.verdict.outcome for entry in stopped] == ["failed"]
    assert {entry.task for entry in alone} == {"4.3"}
    assert len(alone) == 2


def test_an_open_task_is_not_done_in_one_process_too_and_what_meets_its_todo_first_is_blocked(course):
    part = course.part("part4")
    (noted,) = tried(course.root, "part4", [Trial(worked_solution(course, part, but="4.1"))])
    ends = {(entry.task == "4.1", entry.verdict.outcome) for entry in noted if entry.verdict.outcome != "passed"}
    assert ends == {(True, "not_done"), (False, "blocked")}


def test_an_engine_that_never_ends_that_exits_or_that_eats_memory_fails_its_tests_and_the_others_still_run(
    course, worked
):
    body = "        self.grad = 1.0\n        for node in reversed"
    acts = {
        "while True: pass": {"timeout"},
        "import os; os._exit(3)": {"crashed"},
        "os = [0] * (1 << 31)": {"failed"},
        "import os; os.kill(os.getpid(), 9)": {"crashed"},
    }
    trials = [Trial(engine(worked, body, f"        {act}\n{body}")) for act in acts]
    for noted, ends in zip(tried(course.root, "part4", trials), acts.values(), strict=True):
        assert len(noted) == 12
        assert {entry.verdict.outcome for entry in noted if entry.task == "4.5"} == ends
        assert failed_tasks(noted) == {"4.5"}


def test_grafted_it_costs_the_tasks_that_it_costs_with_the_judge(course, worked, tmp_path):
    part = course.part("part4")
    for old, new in (
        ("        return order\n", "        return order[::-1]\n"),
        ("self.grad += other.data * out.grad\n", "self.grad += self.data * out.grad\n"),
    ):
        files = engine(worked, old, new)
        bare, here = tried(course.root, "part4", [Trial(files), Trial(files, grafted=True)])
        verdict = judge_submission(course, part, write_files(tmp_path, files))
        there = {f"{t.visibility} {t.name}": t.outcome == "passed" for task in verdict.tasks for t in task.tests}
        assert {test: outcome == "passed" for test, outcome in outcomes(here).items()} == there
        assert len(failed_tasks(here)) == 1
        assert len(failed_tasks(bare)) > 1


def test_nothing_is_said_when_the_reference_itself_fails(course, worked, monkeypatch):
    wrong = engine(worked, "self.grad += out.grad\n", "self.grad -= out.grad\n")
    monkeypatch.setattr("autograder.misconceptions.bank.worked_solution", lambda course, part: wrong)
    with pytest.raises(JudgeError, match="the reference fails test_plus"):
        tried(course.root, "part4", [Trial(wrong)])
