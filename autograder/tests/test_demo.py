"""The demo: its class is what the README promises, and a run of it grades real submissions with the real judge."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from autograder import demo
from autograder.course.manifest import CourseError, load_course
from autograder.demo_class import read_class
from autograder.judge.verdict import TaskVerdict, TestVerdict, Verdict

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def course():
    if not (REPOSITORY / "assignments" / "part4").is_dir():
        pytest.skip("assignments/part4 is not built")
    return load_course(REPOSITORY)


def page() -> Console:
    return Console(file=io.StringIO(), width=80, highlight=False)


def test_the_class_has_a_dozen_students_of_different_names_and_stories():
    students = read_class()
    assert len(students) >= 12
    assert len({student.name for student in students}) == len(students)
    assert len({student.story for student in students}) == len(students)


def test_a_small_class_is_released_to_graded_and_given_feedback(course, tmp_path, monkeypatch):
    chosen = {student.name: student for student in read_class()}
    monkeypatch.setattr(demo, "read_class", lambda: [chosen[name] for name in ("Amina", "Dario", "Hugo", "Lena")])
    console = page()
    assert demo.run_demo(course, tmp_path / "demo", console) == 0
    text = console.file.getvalue()
    rows = {line.split()[0]: line for line in text.splitlines() if line.strip()}
    assert "20/20" in rows["Amina"]
    assert "20/20" in rows["Lena"]
    assert "0/20" in rows["Hugo"].split()
    assert rows["Dario"].split()[4] == "4"  # the order does not depend on the closures
    assert float(rows["Dario"].split()[1]) < 2
    assert "not started" in " ".join(text.split())
    assert "Grading: 4 of 4 (Lena)" in text
    table, _, _ = text.partition("the course ")
    assert max(len(line) for line in table.splitlines()) <= 80
    assert "\x1b" not in text
    for name in ("Amina", "Dario", "Hugo", "Lena"):
        assert (tmp_path / "demo" / "feedback" / name / "part4" / "part4.html").is_file()
    assert "<b>4</b> judged" in (tmp_path / "demo" / "reports" / "part4.html").read_text(encoding="utf-8")


def test_a_folder_that_no_demo_made_is_left_alone(course, tmp_path):
    (tmp_path / "thesis.txt").write_text("precious")
    with pytest.raises(CourseError, match="no demo made it"):
        demo.run_demo(course, tmp_path, page())
    assert (tmp_path / "thesis.txt").read_text() == "precious"


def test_the_course_itself_is_no_place_for_a_demo(course):
    with pytest.raises(CourseError, match="holds the course itself"):
        demo.run_demo(course, REPOSITORY, page())


def verdict(*tasks: TaskVerdict, problem: str | None = None) -> Verdict:
    return Verdict(
        part="part4",
        sandbox="good",
        suite="",
        submission="",
        seed=0,
        score=0,
        max=4,
        tasks=list(tasks),
        problem=problem,
    )


def task(outcome: str, message: str = "", score: float = 0) -> TaskVerdict:
    test = TestVerdict(name="t", visibility="public", outcome=outcome, message=message)  # type: ignore[arg-type]
    return TaskVerdict(id="4.1", title="+", score=score, max=2, tests=[test])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (verdict(task("error"), problem="no value.py"), "no value.py"),
        (verdict(task("passed", score=2)), "everything right"),
        (verdict(task("not_done")), "not started: 4.1"),
        (verdict(task("failed", "a.grad is 1.0")), "4.1: a.grad is 1.0"),
        (verdict(task("blocked")), "waits for another task"),
    ],
)
def test_the_table_says_what_matters_most(given, said):
    assert demo.what_happened(given) == said
