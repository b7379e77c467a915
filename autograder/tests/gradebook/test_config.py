"""nbgrader_config.py and the stock commands, as a TA types them."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nbgrader.converters import Autograde
from traitlets.config import Config

from autograder.course import CourseError
from autograder.gradebook import autograde
from autograder.gradebook.config import configure
from autograder.gradebook.session import has_gradebook, nbgrader_config, open_nbgrader
from autograder.tests.gradebook.tiny import FULL, PARTLY, hand_in, make_course

REPOSITORY = Path(__file__).parents[3]
FAKE = """
from autograder.gradebook import preprocessors
from autograder.tests.gradebook import fake_judge
preprocessors.ask_judge = fake_judge.ask
"""


def nbgrader(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    environment["PATH"] = "/usr/bin:/bin"  # no activated venv: nbgrader must find its own helpers
    command = [sys.executable, "-m", "nbgrader", *arguments]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=300)


def test_the_stock_commands_release_grade_give_feedback_and_export(tmp_path):
    root = make_course(tmp_path / "course with a space")
    config = (REPOSITORY / "nbgrader_config.py").read_text()
    (root / "nbgrader_config.py").write_text(config + FAKE)
    assert nbgrader(root, "generate_assignment", "part4").returncode == 0
    hand_in(root, "ada", PARTLY)
    hand_in(root, "bob", FULL)
    graded = nbgrader(root, "autograde", "part4")
    assert graded.returncode == 0, graded.stderr
    assert nbgrader(root, "generate_feedback", "part4").returncode == 0
    assert "a.grad is 1.0, expected 2.0." in (root / "feedback" / "ada" / "part4" / "part4.html").read_text()
    assert nbgrader(root, "export", "--to", "grades.csv").returncode == 0
    rows = {row["student_id"]: row for row in csv.DictReader((root / "grades.csv").open())}
    assert (float(rows["ada"]["raw_score"]), float(rows["bob"]["raw_score"])) == (1.25, 5.5)
    assert float(rows["ada"]["max_score"]) == 9.5


def test_a_course_that_cannot_be_read_stops_nbgrader_instead_of_leaving_it_to_its_defaults(tmp_path):
    root = make_course(tmp_path / "course")
    shutil.copy(REPOSITORY / "nbgrader_config.py", root)
    (root / "solutions" / "course.toml").write_text("title = ")
    result = nbgrader(root, "autograde", "part4")
    assert result.returncode == 1
    assert "course.toml" in result.stderr
    assert "Traceback" not in result.stderr
    assert not (root / "gradebook.db").exists()


@pytest.fixture
def config(tmp_path) -> Config:
    made = Config()
    configure(made, make_course(tmp_path / "course"))
    return made


def test_nothing_in_the_configuration_runs_a_notebook(config):
    steps = [*config.Autograde.sanitize_preprocessors, *config.Autograde.autograde_preprocessors]
    names = {step.__name__ for step in [*steps, *config.GenerateAssignment.preprocessors]}
    assert not names & {"Execute", "InstantiateTests"}


def test_every_graded_file_is_kept_from_being_overwritten(config):
    assert config.Autograde.exclude_overwriting == {"part4": ["value.py"]}


def test_the_database_waits_for_a_lock(config):
    assert config.CourseDirectory.db_url.endswith("/course/gradebook.db?timeout=60")


def test_configuring_twice_wraps_start_once(config, tmp_path):
    configure(Config(), make_course(tmp_path / "second"))
    autograde.install()
    assert not hasattr(Autograde.start.__wrapped__, "__wrapped__")


def test_caches_and_hidden_tests_that_strayed_into_an_assignment_are_not_released(tiny):
    part = tiny.root / "assignments" / "part4"
    for stray in (".hypothesis/x", ".pytest_cache/x", "__pycache__/value.pyc", "hidden/test_a.py", "test_hidden.py"):
        (part / stray).parent.mkdir(exist_ok=True)
        (part / stray).write_text("secret")
    assert tiny.api.generate_assignment("part4", force=True)["success"]
    released = {path.name for path in (tiny.root / "release" / "part4").rglob("*")}
    assert released == {"value.py", "test_public.py", "part4.ipynb"}


def test_a_release_keeps_the_placeholder_of_a_written_answer(tiny):
    assert "*Your answer.*" in (tiny.root / "release" / "part4" / "part4.ipynb").read_text()


@pytest.mark.parametrize("door", [open_nbgrader, nbgrader_config, has_gradebook])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("raise SystemExit('nbgrader_config.py: not installed')", r"^nbgrader_config\.py: not installed$"),
        ("c = 1 / 0", r"^nbgrader_config\.py: division by zero$"),
    ],
)
def test_a_broken_config_file_is_said_in_the_same_way_by_every_door(tiny, door, text, said):
    (tiny.root / "nbgrader_config.py").write_text(text)
    with pytest.raises(CourseError, match=said):
        door(tiny.course)


def test_without_a_config_file_every_door_uses_what_the_committed_one_says(tiny):
    assert nbgrader_config(tiny.course).CourseDirectory == open_nbgrader(tiny.course).config.CourseDirectory
    assert nbgrader_config(tiny.course).CourseDirectory.course_id == "micrograder"
