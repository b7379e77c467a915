"""Every part as it is committed, from release to export: nbgrader's own steps, the real judge, the student's own run.

The reference gets the maximum, the untouched stub and other empty hands nothing.
"""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from nbgrader.apps import NbGraderAPI
from nbgrader.plugins import CsvExportPlugin

from autograder.build.release import release
from autograder.course.code import worked_solution
from autograder.course.manifest import Course, Part, load_course
from autograder.gradebook.session import open_nbgrader

REPOSITORY = Path(__file__).parents[3]
PARTS = load_course(REPOSITORY).written_parts
NOTHING_COMES_BACK = b"""
class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad, self._prev, self._op, self.label = data, 0.0, _children, _op, label
        self._backward = lambda: None

    def nothing(self, *_):
        return None

    __add__ = __mul__ = tanh = topological_order = backward = nothing


def gradient_check(*_):
    return None


record_schedule = gradient_check
"""


@dataclass
class Graded:
    """A part after its release and grading."""

    course: Course
    part: Part
    api: NbGraderAPI


@pytest.fixture(scope="module", params=PARTS, ids=[part.id for part in PARTS])
def graded(request, tmp_path_factory) -> Graded:
    root = tmp_path_factory.mktemp("course")
    for name in ("solutions", "assignments"):
        shutil.copytree(REPOSITORY / name, root / name)
    shutil.copy(REPOSITORY / "nbgrader_config.py", root)
    course = load_course(root)
    part = course.part(request.param.id)
    release(course, part, early=True)
    released = course.release / part.id
    hands: dict[str, dict[str, bytes]] = {"reference": worked_solution(course, part), "stub": {}}
    if part.id == "part4":
        hands["blank"] = dict.fromkeys(part.graded, b"")
        hands["nothing"] = dict.fromkeys(part.graded, NOTHING_COMES_BACK)
    for student, files in hands.items():
        folder = root / "submitted" / student / part.id
        shutil.copytree(released, folder)
        for name, code in files.items():
            (folder / name).write_bytes(code)
    api = open_nbgrader(course)
    result = api.autograde(part.id, "*", force=False)
    assert result["success"], result
    return Graded(course, part, api)


def test_the_reference_gets_every_point_and_empty_hands_get_none(graded: Graded) -> None:
    with graded.api.gradebook as gradebook:
        scores = {one.student_id: one.score for one in gradebook.assignment_submissions(graded.part.id)}
        assert scores.pop("reference") == float(graded.part.points)
        assert set(scores.values()) == {0.0}
        assert gradebook.find_assignment(graded.part.id).max_score == float(graded.part.max_score)


def test_the_feedback_names_every_task_and_says_what_is_not_started(graded: Graded) -> None:
    page = Path(graded.course.root) / "feedback" / "stub" / graded.part.id / f"{graded.part.id}.html"
    assert graded.api.generate_feedback(graded.part.id, "stub")["success"]
    text = page.read_text(encoding="utf-8")
    first = graded.part.tasks[0]
    assert f"TODO {first.id} is not done yet" in text
    for task in graded.part.tasks:
        assert f"Task {task.id}, " in text


def test_the_export_has_the_scores(graded: Graded, tmp_path: Path) -> None:
    exporter = CsvExportPlugin(to=str(tmp_path / "grades.csv"))
    with graded.api.gradebook as gradebook:
        exporter.export(gradebook)
    with open(tmp_path / "grades.csv", encoding="utf-8", newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file) if row["assignment"] == graded.part.id}
    assert float(rows["reference"]["raw_score"]) == float(graded.part.points)
    assert float(rows["stub"]["raw_score"]) == 0.0
    assert float(rows["stub"]["max_score"]) == float(graded.part.max_score)


def test_the_released_folder_tells_a_student_what_to_do_first(graded: Graded) -> None:
    screen = own_run(graded.course.release / graded.part.id)
    assert f"First: {graded.part.tasks[0].id}, " in screen.stdout
    assert "Traceback" not in screen.stdout
    for task in graded.part.tasks:
        assert f"  {task.id}  {task.title} " in screen.stdout
    assert screen.returncode == 1


def test_the_reference_is_done_in_the_students_own_run(graded: Graded) -> None:
    screen = own_run(graded.course.root / "submitted" / "reference" / graded.part.id)
    assert screen.stdout.count(" done ") >= len(graded.part.tasks)
    assert screen.returncode == 0


def own_run(folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHON"))}
    return subprocess.run(
        [sys.executable, "-m", "pytest"],
        cwd=folder,
        env={**environment, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=200,
    )
