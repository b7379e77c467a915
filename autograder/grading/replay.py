"""`micrograder replay`: one test of a recorded result once more, with the recorded seed, and what it fails on.

For whoever grades: it shows what hidden tests put in. It changes no score and writes nothing.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

import pytest

from autograder.course import Course, CourseError, Part
from autograder.course.code import given_files
from autograder.gradebook.files import Refused
from autograder.gradebook.intake import check_student
from autograder.gradebook.verdicts import load_verdict
from autograder.judge.grafts import grafts
from autograder.judge.judge import collected, sandbox_level, suite_digest
from autograder.judge.plugin import Noted
from autograder.judge.session import Suites
from autograder.judge.students import Remote
from autograder.judge.submission import read_submission
from autograder.judge.verdict import TestVerdict, Verdict
from autograder.student.kitlib import observe

LONGEST = 160  # characters of a value that are shown


@dataclass(frozen=True)
class Failing:
    """What a test failed on: where ("part4/test_hidden.py:26"), the statement, and the plain values beside it."""

    where: str
    statement: str
    values: dict[str, str]
    observation: str


@dataclass(frozen=True)
class Replayed:
    """A recorded test and its end now. `changed`: what is no longer as it was when the result was recorded."""

    student: str
    part: str
    task: str
    recorded: TestVerdict
    now: TestVerdict
    verdict: Verdict
    stand_ins: tuple[str, ...]
    changed: tuple[str, ...]
    failing: Failing | None

    @property
    def same(self) -> bool:
        """Whether the test ends as it did."""
        return self.now.outcome == self.recorded.outcome


def replay(course: Course, part: Part, student: str, test: str | None = None) -> Replayed:
    """Run the test named `test`, or the first that failed, as it was run for the student's recorded result.

    `test` may be a piece of a name that only one test has. Raises CourseError when there is no recorded result, no
    such test, or nothing in submitted/; JudgeError when the judge itself fails.
    """
    try:
        check_student(student)
    except Refused as refused:
        raise CourseError(f"{student!r} {refused}") from None
    verdict = load_verdict(course, part.id, student)
    if verdict is None:
        raise CourseError(f"there is no recorded result of {student} in {part.id}; run: micrograder grade {part.id}")
    task, recorded = _chosen(verdict, test)
    submission = read_submission(part, course.root / "submitted" / student / part.id)
    level = sandbox_level(verdict.sandbox)
    seen: list[Failing] = []

    def work(suites: Suites) -> tuple[Noted, tuple[str, ...]]:
        file = f"test_{recorded.visibility}.py"
        wanted = [each for each in suites.tests if each.partition("::")[2] == recorded.name and file in each]
        if not wanted:
            raise CourseError(f"{recorded.name} is no longer among the {recorded.visibility} tests of {part.id}")
        remote = Remote(level, {**given_files(course, part), **submission.sources}, verdict.seed)
        [entry] = suites.run(remote, {wanted[0]: ()}, seed=verdict.seed)
        failed = {each.id for each in verdict.tasks if any(t.outcome != "passed" for t in each.tests)}
        others = entry.may_blame(failed)
        if not others:
            return entry, ()
        # As the judge does: what stands on other failed tasks has a second try with the reference in their place.
        first = list(seen)
        seen.clear()
        sources = {others: grafts(course, part, others)}
        [again] = suites.run(remote, {wanted[0]: others}, sources, seed=verdict.seed)
        if again.verdict.outcome == "passed":
            return again, others
        seen[:] = first
        return entry, ()

    def watch(item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        seen.append(_failing(item, excinfo))

    entry, stand_ins = collected(part, work, watch)
    changed = []
    if submission.digest != verdict.submission:
        changed.append("the submission has changed since the result was recorded")
    if suite_digest(part) != verdict.suite:
        changed.append("the suites have changed since the result was recorded")
    return Replayed(
        student, part.id, task, recorded, entry.verdict, verdict, stand_ins, tuple(changed), seen[-1] if seen else None
    )


def _chosen(verdict: Verdict, name: str | None) -> tuple[str, TestVerdict]:
    """The task and the test that are meant."""
    tests = [(task.id, test) for task in verdict.tasks for test in task.tests]
    if name is None:
        failed = [(task, test) for task, test in tests if test.outcome not in ("passed", "not_done", "blocked")]
        failed = failed or [(task, test) for task, test in tests if test.outcome != "passed"]
        if not failed:
            raise CourseError("every test passed; name the test to run again")
        return failed[0]
    exact = [each for each in tests if each[1].name == name]
    found = exact or [each for each in tests if name in each[1].name]
    if len(found) == 1:
        return found[0]
    if not found:
        raise CourseError(f"no test of {verdict.part} has {name!r} in its name")
    listed = ", ".join(f"{test.visibility} {test.name}" for _, test in found[:4])
    raise CourseError(f"{len(found)} tests have {name!r} in their names: {listed}")


def _failing(item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException]) -> Failing:
    function: Any = getattr(item, "obj", None)
    inner = getattr(getattr(function, "hypothesis", None), "inner_test", function)
    code = getattr(inner, "__code__", None)
    entries = [entry for entry in excinfo.traceback if entry.frame.code.raw is code]
    entry = entries[-1] if entries else excinfo.traceback[-1]
    values = {
        name: observe.show(value)
        for name, value in entry.frame.f_locals.items()
        if not name.startswith("@") and _plain(value) and len(repr(value)) <= LONGEST
    }
    where = f"{item.nodeid.partition('::')[0]}:{entry.lineno + 1}"
    return Failing(where, _statement(entry), values, observe.describe(item, excinfo).sentence())


def _statement(entry: Any) -> str:
    """The whole statement, on one line where it parses."""
    text = str(entry.statement).strip()
    try:
        return ast.unparse(ast.parse(text))
    except SyntaxError:
        return text


def _plain(value: object) -> bool:
    """Numbers, texts and containers of them: what a test made itself, and nothing of the submission's."""
    if type(value) in (list, tuple, set):
        return all(_plain(each) for each in value)  # type: ignore[attr-defined]
    if type(value) is dict:
        return all(_plain(key) and _plain(each) for key, each in value.items())
    return value is None or type(value) in (bool, int, float, str)
