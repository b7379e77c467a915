"""Part 4 as it is committed, the real judge, nbgrader's own steps: what the reference and three empty hands get."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autograder.build.assignment import worked_solution
from autograder.course.manifest import load_course
from autograder.gradebook.session import open_gradebook

REPOSITORY = Path(__file__).parents[3]
NOTHING_COMES_BACK = """
class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad, self._prev, self._op, self.label = data, 0.0, _children, _op, label
        self._backward = lambda: None

    def nothing(self, *_):
        return None

    __add__ = __mul__ = tanh = topological_order = backward = nothing
"""


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    tmp_path = tmp_path_factory.mktemp("course")
    for name in ("solutions", "assignments"):
        shutil.copytree(REPOSITORY / name, tmp_path / name)
    shutil.copy(REPOSITORY / "nbgrader_config.py", tmp_path)
    course = load_course(tmp_path)
    part = course.part("part4")
    api = open_gradebook(course)
    assert api.generate_assignment(part.id)["success"]
    released = course.release / part.id
    hands = {
        "reference": worked_solution(course, part)["value.py"],
        "stub": (released / "value.py").read_bytes(),
        "blank": b"",
        "nothing": NOTHING_COMES_BACK.encode(),
    }
    for student, code in hands.items():
        folder = tmp_path / "submitted" / student / part.id
        shutil.copytree(released, folder)
        (folder / "value.py").write_bytes(code)
    result = api.autograde(part.id, "*", force=False)
    assert result["success"], result
    return api


def test_the_reference_gets_every_point_and_empty_hands_get_none(graded):
    with graded.gradebook as gradebook:
        scores = {one.student_id: one.score for one in gradebook.assignment_submissions("part4")}
        assert scores == {"reference": 16.0, "stub": 0.0, "blank": 0.0, "nothing": 0.0}
        assert gradebook.find_assignment("part4").max_score == 18.0


def test_the_feedback_of_the_stub_says_what_is_not_started(graded):
    assert graded.generate_feedback("part4", "stub")["success"]
    page = (Path(graded.coursedir.root) / "feedback" / "stub" / "part4" / "part4.html").read_text(encoding="utf-8")
    assert "TODO 4.1 is not done yet" in page
    assert "Task 4.5, backward(): 0 of 4 points" in page
