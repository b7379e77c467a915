"""assignments/: what it is built from, what counts as drift, and that a failed build leaves it alone."""

from __future__ import annotations

import json
import re

import pytest

from autograder.build.assignment import build, drift, part_files
from autograder.course.code import worked_solution
from autograder.course.manifest import CourseError
from autograder.student.kitlib.files import content_digest
from autograder.tests.build.tiny import edit


def contents(course):
    return {
        path.relative_to(course.assignments).as_posix(): path.read_bytes()
        for path in course.assignments.rglob("*")
        if path.is_file()
    }


def test_a_part_is_its_stub_notebook_readme_tests_kit_and_data(built):
    names = {name for name in contents(built) if name.startswith("part2/")}
    own = ["CHANGELOG.md", "README.md", "counter.py", "part2.ipynb", "test_public.py", "part.json"]
    kit = ["conftest.py", "kit.py", "kitlib/__init__.py"]
    assert names == {f"part2/{name}" for name in own + kit}


def test_the_first_build_names_what_it_wrote_and_the_second_nothing(course):
    assert "assignments/part2/counter.py" in build(course)
    before = contents(course)
    assert build(course) == []
    assert contents(course) == before


def test_part_json_is_the_manifest_for_the_kit(built):
    data = json.loads((built.assignments / "part2" / "part.json").read_text())
    assert data["files"] == {"counter.py": ["Counter"]}
    assert data["given"] == {}
    assert data["tasks"][1] == {
        "id": "2.2",
        "title": "many steps",
        "points": 2.5,
        "public_points": 1.0,
        "file": "counter.py",
        "names": ["Counter.walk"],
        "hints": ["How many?", "In which order?", "A list of what step returns."],
    }
    tests = (built.assignments / "part2" / "test_public.py").read_bytes()
    assert data["originals"] == {"test_public.py": content_digest(tests)}
    notebook = json.loads((built.assignments / "part2" / data["notebook"]).read_text())
    answers = {c["id"]: "".join(c["source"]) for c in notebook["cells"] if c["id"].startswith("question-")}
    assert data["questions"] == answers
    assert answers


@pytest.mark.parametrize("name", ["counter.py", "part2.ipynb", "README.md", "kit.py", "part.json"])
def test_check_names_an_edited_file_and_writes_nothing(built, name):
    path = built.assignments / "part2" / name
    path.write_bytes(path.read_bytes() + b"\n")
    before = contents(built)
    assert build(built, check=True) == [f"assignments/part2/{name}"]
    assert contents(built) == before
    assert drift(built, built.part("1")) == []
    assert build(built) == [f"assignments/part2/{name}"]
    assert build(built, check=True) == []


def test_check_names_missing_and_stray_files_and_folders(built):
    (built.assignments / "part1" / "README.md").unlink()
    (built.assignments / "part2" / "notes.txt").write_text("mine")
    (built.assignments / "part7").mkdir()
    (built.assignments / "part7" / "value.py").write_text("")
    (built.assignments / "stray.md").write_text("")
    expected = [f"assignments/{n}" for n in ["part1/README.md", "part2/notes.txt", "part7/value.py", "stray.md"]]
    assert build(built, check=True) == expected
    assert build(built) == expected
    assert sorted(path.name for path in built.assignments.iterdir()) == ["part1", "part2"]


def test_what_pytest_leaves_behind_is_no_drift(built):
    (built.assignments / "part2" / "__pycache__").mkdir()
    (built.assignments / "part2" / "__pycache__" / "kit.cpython-311.pyc").write_bytes(b"\0")
    assert build(built, check=True) == []


def test_a_build_that_fails_leaves_assignments_as_it_was(built):
    before = contents(built)
    edit(built, "solutions/part1/README.md", "# Counting", "# Counting up")
    edit(built, "solutions/counter.py", "#: task 2.2", "#: task 2.22")
    with pytest.raises(CourseError, match=r"solutions/counter\.py:50: course\.toml gives part2 no task 2\.22"):
        build(built)
    assert contents(built) == before


def test_a_checkout_with_windows_newlines_builds_the_same(built):
    for path in [*built.solutions.rglob("*.*"), *(built.root / "autograder").rglob("*.py")]:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert build(built, check=True) == []


def test_the_worked_solution_is_the_finished_file(course):
    [(name, content)] = worked_solution(course, course.part("part2")).items()
    assert name == "counter.py"
    assert b"sorted(widths)" in content
    assert b"TODO" not in content


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("solutions/counter.py", "#: task 2.2", "#: task 2.1", "task 2.2 (many steps) has code in no file"),
        (
            "solutions/counter.py",
            """        #: stub
        #:| # TODO 2.2: take every step.
        #:| raise NotImplementedError("TODO 2.2: many steps")
""",
            "",
            "solutions/counter.py: task 2.2 has no '#: stub'",
        ),
        ("solutions/part2/hints.toml", '["2.2"]', '["2.3"]', "solutions/part2/hints.toml: part2 has no task '2.3'"),
        ("solutions/part2/hints.toml", '"In which order?", ', "", "task 2.2 has 2 hints; it needs 3"),
        ("solutions/part2/hints.toml", '"How many?"', "7", 'task 2.2 needs ["2.2"] with hints'),
        ("solutions/part2/hints.toml", '["2.2"]', '["2.2"', "solutions/part2/hints.toml: "),
    ],
)
def test_what_a_task_lacks_is_named(course, file, old, new, message):
    edit(course, file, old, new)
    with pytest.raises(CourseError, match=re.escape(message)):
        part_files(course, course.part("part2"))


@pytest.mark.parametrize(
    "name", ["solutions/part2/README.md", "autograder/suites/part2/test_public.py", "solutions/counter.py"]
)
def test_a_missing_source_is_named(course, name):
    (course.root / name).unlink()
    with pytest.raises(CourseError, match=f"{re.escape(name)} does not exist"):
        build(course)
