"""A GitHub Classroom workflow that runs a part's public tests, one step per task. Hidden tests never go there.

Students can change such a workflow in their own repository: its points are a help for them, not the grade.
"""

from __future__ import annotations

from typing import Any

import yaml

from autograder.course.manifest import Part

PATH = ".github/workflows/classroom.yml"
PYTHON = "3.12"
MINUTES = 2  # per task


def workflow(part: Part) -> str:
    """The text of .github/workflows/classroom.yml, for a repository whose root is the released folder."""
    steps: list[dict[str, Any]] = [
        {"name": "Checkout code", "uses": "actions/checkout@v4"},
        {"name": "Python", "uses": "actions/setup-python@v5", "with": {"python-version": PYTHON}},
        {"name": "pytest and hypothesis", "run": "pip install 'pytest>=8.4,<10' 'hypothesis>=6.155,<7'"},
    ]
    steps += [
        {
            "name": task.label,
            "id": task.grade_id,
            "uses": "classroom-resources/autograding-command-grader@v1",
            "with": {
                "test-name": task.label,
                "command": f"pytest --task {task.id}",
                "timeout": MINUTES,
                "max-score": _number(float(task.points)),
            },
        }
        for task in part.tasks
    ]
    results = {
        f"{_variable(task.grade_id)}_RESULTS": f"${{{{steps.{task.grade_id}.outputs.result}}}}" for task in part.tasks
    }
    steps.append(
        {
            "name": "Autograding Reporter",
            "uses": "classroom-resources/autograding-grading-reporter@v1",
            "env": results,
            "with": {"runners": ",".join(task.grade_id for task in part.tasks)},
        }
    )
    document = {
        "name": "Autograding Tests",
        "on": ["push", "repository_dispatch"],
        "permissions": {"checks": "write", "actions": "read", "contents": "read"},
        "jobs": {
            "run-autograding-tests": {
                "runs-on": "ubuntu-latest",
                "if": "github.actor != 'github-classroom[bot]'",
                "steps": steps,
            }
        },
    }
    head = (
        f"# {part.id}: the public tests, one step per task, made by `micrograder export {part.id} --to github`.\n"
        "# All points here are for public tests alone; the grade comes from the course, with the hidden ones.\n"
    )
    return head + yaml.safe_dump(document, sort_keys=False, width=120)


def _variable(name: str) -> str:
    return name.upper()  # the reporter looks for the step's id in capitals, with its hyphens


def _number(points: float) -> int | float:
    return int(points) if points.is_integer() else points
