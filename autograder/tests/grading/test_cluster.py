"""`grade --scheduler`: the local verdicts from a real Dask cluster, whatever happens to its workers."""

from __future__ import annotations

import dataclasses
import os
import signal
from pathlib import Path

import pytest
from typer.testing import CliRunner

from autograder.cache.keys import keys_of
from autograder.cli import app
from autograder.course import Course, load_course
from autograder.course.regions import render, solution_file
from autograder.grading import cluster as clusters
from autograder.grading import on_worker
from autograder.grading.cluster import judge_on
from autograder.grading.grade import grade
from autograder.grading.on_worker import Expected, expected
from autograder.grading.stopped import ClusterError, GradingStopped
from autograder.judge import judge as judging
from autograder.judge.pool import judge_all
from autograder.judge.sandbox import SandboxError, available
from autograder.judge.submission import Submission
from autograder.judge.warm import Done, Job, setting
from autograder.tests.gradebook.tiny import FULL, PARTLY, hand_in
from autograder.tests.grading.conftest import Seen
from autograder.tests.grading.dask_cluster import Cluster, copy_of_the_kit, kill_the_worker_at_a_stub
from autograder.tests.judge.small_course import SMALL, make_small_course
from autograder.tests.processes import children, gone


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    monkeypatch.setattr(judging, "SUITES", SMALL)
    (tmp_path / "course").mkdir()
    return make_small_course(tmp_path / "course")


def worked(course: Course) -> str:
    return render(solution_file(course, "value.py"), 4, worked=True)


def job(name: str, code: str) -> Job:
    return Job(name, Submission({"value.py": code.encode()}, {}))


def bytes_of(done: Done) -> bytes:
    """A verdict's document without the times that the tests took."""
    assert done.verdict is not None, done.problem
    for task in done.verdict.tasks:
        for test in task.tests:
            test.seconds = 0.0
    return done.verdict.to_json().encode()


def test_verdicts_are_the_local_ones_to_the_byte_though_a_worker_is_killed_and_another_has_other_code(course, tmp_path):
    right = worked(course)
    wrong = right.replace("self.grad += ", "self.grad = ")
    codes = {
        "right": right,
        "stub": render(solution_file(course, "value.py"), 4),
        "assigns": wrong,
        "no python": "def (",
    }
    jobs = [job(f"{name} {number}", f"{code}\n# {number}\n") for number in range(2) for name, code in codes.items()]
    how = setting(course, course.part("part4"), available())
    elsewhere, changed = copy_of_the_kit(tmp_path / "elsewhere"), copy_of_the_kit(tmp_path / "changed")
    with (changed / "autograder" / "judge" / "words.py").open("a") as file:
        file.write("# another version\n")
    remarks: list[str] = []
    with Cluster(tmp_path) as cluster:
        cluster.worker("with a nanny")
        mortal = cluster.worker("without", "--no-nanny", kit=elsewhere)
        cluster.worker("other", "--no-nanny", kit=changed)
        addresses = cluster.wait_for(["with a nanny", "without", "other"])
        found: dict[str, bytes] = {}
        for done in judge_on(cluster.address, remarks.append)(how, jobs, None):
            if not found:
                its_judges = children(mortal.pid)
                assert its_judges
                mortal.send_signal(signal.SIGKILL)
                mortal.wait()
            found[done.name] = bytes_of(done)
        gone(its_judges)
    assert found == {done.name: bytes_of(done) for done in judge_all(how, jobs, 1)}
    assert remarks == [f"{addresses['other']} gets nothing to judge: the judge's code there and here are not the same"]


@pytest.mark.slow
def test_what_kills_its_workers_stays_ungraded_and_costs_nobody_else_anything(course, tmp_path):
    right, stub = worked(course), render(solution_file(course, "value.py"), 4)
    jobs = [
        job("ada", right),
        job("kills", stub),
        *(job(f"bob {number}", f"{right}\n# {number}\n") for number in range(5)),
    ]
    how = dataclasses.replace(setting(course, course.part("part4"), available()), explain=kill_the_worker_at_a_stub)
    with Cluster(tmp_path) as cluster:
        cluster.worker("one")
        cluster.worker("two")
        cluster.wait_for(["one", "two"])
        found = {done.name: done for done in judge_on(cluster.address, print)(how, jobs, None)}
    assert set(found) == {each.name for each in jobs}
    killer = found.pop("kills")
    assert (killer.verdict, killer.problem) == (None, clusters.WORKERS_ENDED)
    assert {done.verdict.score for done in found.values()} == {found["ada"].verdict.max}


@pytest.mark.slow
def test_a_scheduler_that_dies_on_the_way_is_said(course, tmp_path):
    jobs = [job(str(number), f"# {number}\n") for number in range(20)]
    how = setting(course, course.part("part4"), available())
    with Cluster(tmp_path) as cluster:
        cluster.worker("one")
        cluster.wait_for(["one"])
        answers = judge_on(cluster.address, print)(how, jobs, None)
        next(answers)
        os.kill(cluster.processes[0].pid, signal.SIGKILL)
        with pytest.raises(ClusterError, match=rf"the scheduler at {cluster.address} is gone"):
            list(answers)


def test_jobs_are_taken_as_the_workers_need_them(course):
    """With one thread in the cluster, at most two jobs are on their way."""
    run = clusters._Run(Talker(), "tcp://x", setting(course, course.part("part4"), "good"), print)
    run._slots = 1
    taken = iter(range(9))
    run._hand_out(job(str(number), "") for number in taken)
    assert next(taken) == 2


class Talker:
    """A Client as far as handing out goes."""

    def submit(self, *_: object, **__: object) -> object:
        return object()


def test_a_scheduler_that_cannot_be_reached_ends_the_run_with_a_sentence_and_what_was_done_stays(
    classroom, monkeypatch
):
    monkeypatch.setattr(clusters, "CONNECT", 1)
    hand_in(classroom.root, "ada", PARTLY)
    classroom.grade()
    hand_in(classroom.root, "bob", FULL)
    course = load_course(classroom.root)
    sentence = r"no Dask scheduler answers at tcp://127\.0\.0\.1:9 .* 1 of 2 submissions are graded and stay so"
    with pytest.raises(GradingStopped, match=sentence):
        grade(course, course.part("part4"), Seen(), judge=judge_on("tcp://127.0.0.1:9", print))
    assert classroom.grade().unchanged == 1


def test_a_cluster_that_goes_on_the_way_leaves_what_was_written(classroom):
    hand_in(classroom.root, "ada", PARTLY)
    hand_in(classroom.root, "bob", FULL)

    def first_only(how, jobs, processes):
        yield next(iter(classroom._pool(how, jobs, processes)))
        raise ClusterError("the scheduler at tcp://x is gone (closed)")

    course = load_course(classroom.root)
    with pytest.raises(GradingStopped, match=r"the scheduler at tcp://x is gone .* 1 of 2 submissions are graded"):
        grade(course, course.part("part4"), Seen(), judge=first_only)
    assert classroom.tiny.row("ada")["task-4-1"] == (1.25, False)


def test_nothing_to_judge_asks_no_scheduler(course):
    how = setting(course, course.part("part4"), "good")
    assert list(judge_on("tcp://127.0.0.1:9", print)(how, [], None)) == []


def wanted(course: Course) -> Expected:
    part = course.part("part4")
    return expected(course, part, keys_of(course, part, available()))


def test_a_worker_that_would_judge_as_this_machine_does_may(course):
    how = setting(course, course.part("part4"), available())
    assert wanted(course)(course, course.part("part4"), how) is None


def test_a_worker_with_another_library_may_not_judge_and_it_is_named(course, monkeypatch):
    how, here = setting(course, course.part("part4"), available()), wanted(course)
    monkeypatch.setattr(on_worker, "versions", lambda: {**here.versions, "pytest": "7.0"})
    assert here(course, course.part("part4"), how) == f"pytest is 7.0 there and {here.versions['pytest']} here"


def test_a_worker_with_other_suites_may_not_judge(course, monkeypatch):
    how, here = setting(course, course.part("part4"), available()), wanted(course)
    monkeypatch.setattr(judging, "SUITES", SMALL.parent / "golden")
    assert "the suites of part4 there and here are not the same" in str(here(course, course.part("part4"), how))


def test_a_worker_without_the_sandbox_level_may_not_judge(course, monkeypatch):
    def missing(level: str) -> None:
        raise SandboxError("bubblewrap is not installed.")

    how, here = setting(course, course.part("part4"), available()), wanted(course)
    monkeypatch.setattr(on_worker, "demand", missing)
    assert here(course, course.part("part4"), how) == (
        f"the machine that grades has sandbox level {how.level}, this one has not. bubblewrap is not installed."
    )


@pytest.mark.parametrize(("more", "error"), [([], GradingStopped), (["--preview"], ClusterError)])
def test_grading_and_its_preview_both_ask_the_scheduler_that_is_named(classroom, monkeypatch, more, error):
    monkeypatch.setattr(clusters, "CONNECT", 1)
    hand_in(classroom.root, "ada", PARTLY)
    where = ["--course", str(classroom.root)]
    result = CliRunner().invoke(app, ["grade", "part4", "--scheduler", "tcp://127.0.0.1:9", *where, *more])
    assert isinstance(result.exception, error)
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in str(result.exception)


@pytest.mark.parametrize("more", [[], ["--preview"]])
def test_processes_are_not_for_a_cluster(more):
    result = CliRunner().invoke(app, ["grade", "part4", "--scheduler", "tcp://x:1", "--processes", "2", *more])
    assert "--processes is for judging on this machine" in str(result.exception)
