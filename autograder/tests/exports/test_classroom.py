"""The GitHub Classroom workflow, read with a YAML parser, and its commands run on a released folder."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from autograder.course.manifest import load_course
from autograder.exports.classroom import workflow

REPOSITORY = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def document() -> dict:
    return yaml.safe_load(workflow(load_course(REPOSITORY).part("4")))


def test_the_workflow_has_one_grader_per_task_and_a_reporter_that_knows_them_all(document):
    assert set(document) == {"name", "on", "permissions", "jobs"}  # "on" is text, not YAML's true
    job = document["jobs"]["run-autograding-tests"]
    graders = [step for step in job["steps"] if "command-grader" in step.get("uses", "")]
    reporter = job["steps"][-1]
    assert [step["with"]["max-score"] for step in graders] == [2, 3, 3, 4, 4, 2, 2]
    assert reporter["with"]["runners"] == ",".join(step["id"] for step in graders)
    for step in graders:
        assert reporter["env"][f"{step['id'].upper()}_RESULTS"] == f"${{{{steps.{step['id']}.outputs.result}}}}"


def test_each_command_fails_on_the_stub_for_its_own_task(document, tmp_path):
    # The built assignment is what the release hands out.
    steps = document["jobs"]["run-autograding-tests"]["steps"]
    command = next(step["with"]["command"] for step in steps if step.get("id") == "task-4-3")
    words = shlex.split(command)
    assert words[0] == "pytest"
    arguments = [sys.executable, "-m", *words, "-p", "no:cacheprovider"]
    folder = REPOSITORY / "assignments" / "part4"
    done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done.stdout
    assert "4.3" in done.stdout
    assert "4.1" not in done.stdout


def test_no_hidden_test_is_named(document):
    assert "hidden" not in yaml.safe_dump(document).lower()
