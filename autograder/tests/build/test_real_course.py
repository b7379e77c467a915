"""The course that stands in this repository: it builds, has not drifted, and leaves without an alarm."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from autograder.build.assignment import build, part_files
from autograder.build.leakscan import scan_folder
from autograder.build.withheld import collect_secrets
from autograder.course.code import worked_solution
from autograder.course.manifest import Course, load_course


@pytest.fixture(scope="module")
def real() -> Course:
    return load_course(Path(__file__).parents[3])


def test_assignments_is_what_solutions_gives(real):
    assert build(real, check=True) == []


def test_no_part_has_a_false_alarm_and_every_worked_solution_has_one(real, tmp_path):
    for part in real.written_parts:
        folder = tmp_path / part.id
        folder.mkdir()
        for name, content in part_files(real, part).items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)
        secrets = collect_secrets(real, part)
        assert scan_folder(folder, secrets) == []
        for name, content in worked_solution(real, part).items():
            (folder / name).write_bytes(content)
        found = " ".join(leak.what for leak in scan_folder(folder, secrets))
        assert [task.id for task in part.tasks if f"task {task.id} " not in found] == []


def test_every_test_function_of_a_hidden_suite_is_recognised(real, tmp_path):
    """One hidden test at a time, without its name and docstring, pasted into a README as one line."""
    for part in real.written_parts:
        secrets = collect_secrets(real, part)
        suite = (real.root / "autograder" / "suites" / part.id / "test_hidden.py").read_text()
        for node in ast.parse(suite).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
                folder = tmp_path / node.name
                folder.mkdir()
                body = node.body[1:] if ast.get_docstring(node) else node.body
                lines = suite.splitlines()[body[0].lineno - 1 : node.end_lineno]
                (folder / "README.md").write_text(" ".join(line.strip() for line in lines))
                assert scan_folder(folder, secrets) != [], node.name
