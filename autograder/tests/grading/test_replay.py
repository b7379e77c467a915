"""`micrograder replay`: the recorded end of a test again, from the recorded seed, on one screen."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from autograder.cache.ask import official_verdict
from autograder.course import Course, CourseError
from autograder.gradebook.verdicts import save_verdict
from autograder.grading.replay import replay
from autograder.grading.screen import print_replay
from autograder.tests.cache.conftest import course, reference, suites

__all__ = ["course", "reference", "suites"]
PLUS = "test_plus_adds_to_what_is_there"
DRAWN = """

from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.task("4.1")
@given(x=st.integers(0, 10_000))
def test_large_sums_are_right(Value, x):
    out = Value(float(x)) + Value(1.0)
    assert out.data == x + 1.0
"""


def hand_in(course: Course, code: bytes) -> Path:
    folder = course.root / "submitted" / "ada" / "part4"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "value.py").write_bytes(code)
    return folder


def record(course: Course, code: bytes) -> None:
    part = course.part("part4")
    save_verdict(course, "ada", official_verdict(course, part, hand_in(course, code)))


def assigning(reference) -> bytes:
    return reference.sources["value.py"].replace(b"self.grad += ", b"self.grad = ")


def screen(found) -> list[str]:
    text = io.StringIO()
    print_replay(found, Console(file=text, width=80))
    return text.getvalue().splitlines()


def test_a_failed_test_fails_again_with_the_numbers_it_failed_on(course, suites, reference):
    record(course, assigning(reference))
    found = replay(course, course.part("part4"), "ada", PLUS)
    assert found.same
    assert found.changed == ()
    assert found.failing.statement.startswith("assert a.grad == pytest.approx(before + g")
    assert {"g", "before"} <= set(found.failing.values)
    assert found.failing.values == replay(course, course.part("part4"), "ada", PLUS).failing.values
    lines = screen(found)
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


def test_the_smallest_example_that_fails_is_found(course, suites, reference):
    (suites / "part4" / "test_hidden.py").open("a").write(DRAWN)
    code = reference.sources["value.py"] + (
        b"\n_add = Value.__add__\n"
        b"def wrong(self, other):\n"
        b"    out = _add(self, other)\n"
        b"    if out.data > 700.5:\n"
        b"        out.data = 0.0\n"
        b"    return out\n"
        b"Value.__add__ = wrong\n"
    )
    record(course, code)
    found = replay(course, course.part("part4"), "ada", "large_sums")
    assert found.same
    assert found.failing.values == {"x": "700"}


def test_a_changed_submission_and_changed_suites_are_said(course, suites, reference):
    record(course, assigning(reference))
    hand_in(course, reference.sources["value.py"])
    path = suites / "part4" / "test_hidden.py"
    path.write_text(path.read_text() + "\n# one more line\n")
    found = replay(course, course.part("part4"), "ada", PLUS)
    assert not found.same
    assert found.now.outcome == "passed"
    assert [line.partition(" have ")[0].partition(" has ")[0] for line in found.changed] == [
        "the submission",
        "the suites",
    ]


def test_what_cannot_be_replayed_is_said(course, suites, reference):
    part = course.part("part4")
    with pytest.raises(CourseError, match="no recorded result of ada"):
        replay(course, part, "ada")
    record(course, reference.sources["value.py"])
    with pytest.raises(CourseError, match="every test passed"):
        replay(course, part, "ada")
    with pytest.raises(CourseError, match="no test of part4 has 'nonsense'"):
        replay(course, part, "ada", "nonsense")
    with pytest.raises(CourseError, match=r"\d tests have 'plus'"):
        replay(course, part, "ada", "plus")
    with pytest.raises(CourseError, match="invisible"):
        replay(course, part, "a\u202eda")
