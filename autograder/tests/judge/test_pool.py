"""Warm judges: a verdict for every job, the same as the judge's own, whatever happens to the processes."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from functools import partial

import pytest

from autograder.judge import judge as judging
from autograder.judge.judge import JudgeError
from autograder.judge.pool import judge_all
from autograder.judge.sandbox import available
from autograder.judge.submission import Submission
from autograder.judge.verdict import Verdict
from autograder.judge.warm import Done, Job, WarmJudge, setting
from autograder.tests.judge.small_course import SMALL
from autograder.tests.processes import judges

pytestmark = pytest.mark.usefixtures("small")


def untimed(verdict: Verdict) -> dict:
    plain = verdict.model_dump()
    for task in plain["tasks"]:
        for test in task["tests"]:
            del test["seconds"]
    return plain


def submission(code: str) -> Submission:
    return Submission({"value.py": code.encode()}, {})


def test_many_submissions_get_the_verdicts_that_the_judge_gives_one_by_one(course, part, reference, stub, judge):
    codes = {
        "right": reference,
        "stub": stub,
        "assigns": reference.replace("self.grad += ", "self.grad = "),
        "exits": "import os\nos._exit(3)\n",
        "no python": "def (",
    }
    jobs = [Job(name, submission(code)) for name, code in codes.items()]
    found = {done.name: done.verdict for done in judge_all(setting(course, part, available()), jobs, 2)}
    assert {name: untimed(verdict) for name, verdict in found.items()} == {
        name: untimed(judge(code)) for name, code in codes.items()
    }


def test_no_job_starts_no_process(course, part):
    assert list(judge_all(setting(course, part, available()), [], 2)) == []
    assert judges() == []


def test_jobs_are_taken_from_the_list_as_they_are_needed(course, part, stub):
    taken: list[int] = []

    def jobs():
        for number in range(9):
            taken.append(number)
            yield Job(str(number), submission(stub))

    answers = judge_all(setting(course, part, available()), jobs(), 1)
    next(answers)
    assert len(taken) <= 3
    answers.close()
    assert judges() == []


def test_a_test_whose_end_is_known_is_not_run(course, part, stub, reference):
    how = setting(course, part, available())
    [right] = judge_all(how, [Job("a", submission(reference))], 1)
    [taken_over] = judge_all(how, [Job("b", submission(stub), right.used)], 1)
    assert taken_over.verdict.score == right.verdict.max


def test_a_process_that_is_killed_loses_no_job(course, part, stub):
    jobs = [Job(str(number), submission(stub)) for number in range(6)]
    names = []
    for done in judge_all(setting(course, part, available()), jobs, 2):
        names.append(done.name)
        assert done.verdict is not None, done.problem
        if len(names) == 1:
            os.kill(judges()[0], signal.SIGKILL)
    assert sorted(names) == ["0", "1", "2", "3", "4", "5"]


def test_suites_that_cannot_be_collected_end_it_with_a_sentence(course, part, stub, tmp_path, monkeypatch):
    (tmp_path / "part4").mkdir()
    (tmp_path / "part4" / "test_hidden.py").write_text("import no_such_module\n")
    (tmp_path / "pytest.ini").write_text((SMALL / "pytest.ini").read_text())
    monkeypatch.setattr(judging, "SUITES", tmp_path)
    with pytest.raises(JudgeError, match="no_such_module"):
        list(judge_all(setting(course, part, available()), [Job("a", submission(stub))], 1))


def test_a_judge_that_has_waited_as_long_as_it_may_ends_by_itself(course, part, stub):
    judge = WarmJudge(replace(setting(course, part, available()), idle=1.0))
    assert judge.receive() is None
    judge.send(Job("a", submission(stub)))
    answer = judge.receive()
    assert isinstance(answer, Done)
    assert answer.name == "a"
    with pytest.raises(EOFError):
        judge.receive()
    judge.jobs.clear()
    assert judge.close() == 0


def test_a_judge_that_must_not_judge_says_why_and_ends(course, part, stub):
    judge = WarmJudge(replace(setting(course, part, available()), objection=partial(str.format, "not here")))
    judge.send(Job("a", submission(stub)))
    assert judge.receive() == "not here"
    with pytest.raises((EOFError, OSError)):
        judge.receive()
    judge.close()
