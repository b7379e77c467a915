"""A tiny course on disk for the gradebook's tests: one part, two tasks, one written answer, a stub."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

MANIFEST = """
title = "Tiny"
[[part]]
id = "part4"
title = "Automating backward"
due = 2027-05-03T22:00:00Z
graded = { "value.py" = ["Value"] }
[[part.task]]
id = "4.1"
title = "closure of +"
points = 2
[[part.task]]
id = "4.2"
title = "closure of *"
points = 3.5
[[part.question]]
id = "second"
title = "A second backward"
points = 4
[[part]]
id = "part5"
title = "Announced"
due = 2027-05-10T22:00:00Z
"""
PLACEHOLDER = "*Your answer.*"
FULL = "# earns 4.1=2 4.2=3.5\n"
PARTLY = "# earns 4.1=1.25 4.2=0\n"


def nbgrader_cell(grade_id: str, points: float, *, answer: bool) -> dict:
    return {
        "nbgrader": {
            "schema_version": 3,
            "grade": True,
            "grade_id": grade_id,
            "solution": answer,
            "locked": not answer,
            "task": False,
            "points": points,
        }
    }


def assignment_notebook() -> nbformat.NotebookNode:
    cells = [
        new_markdown_cell("# Part 4", id="cell-000"),
        new_code_cell("prediction = ...", id="cell-001"),
        new_code_cell('check("4.1")', id="task-4-1", metadata=nbgrader_cell("task-4-1", 2, answer=False)),
        new_markdown_cell("Between the checks.", id="cell-003"),
        new_code_cell('check("4.2")', id="task-4-2", metadata=nbgrader_cell("task-4-2", 3.5, answer=False)),
        new_markdown_cell(PLACEHOLDER, id="q-second", metadata=nbgrader_cell("question-second", 4, answer=True)),
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return new_notebook(cells=cells, metadata=kernel)


def make_course(root: Path) -> Path:
    """Write the course's files below `root` and return it."""
    (root / "solutions").mkdir(parents=True)
    (root / "solutions" / "course.toml").write_text(MANIFEST)
    part = root / "assignments" / "part4"
    part.mkdir(parents=True)
    (part / "value.py").write_text(f"# the stub {FULL}")  # full marks if it ever replaced a student's file
    (part / "test_public.py").write_text("# public tests\n")
    nbformat.write(assignment_notebook(), part / "part4.ipynb")
    return root


def hand_in(
    root: Path,
    student: str,
    value: str | None = FULL,
    *,
    answer: str | None = "Because it adds.",
    edit=None,
    raw: bytes | None = None,
    notebook: bool = True,
    timestamp: str | None = None,
) -> Path:
    """Put one submission into submitted/ and return its folder; `edit` changes the released notebook's JSON."""
    folder = root / "submitted" / student / "part4"
    folder.mkdir(parents=True, exist_ok=True)
    if value is not None:
        (folder / "value.py").write_text(value)
    if timestamp is not None:
        (folder / "timestamp.txt").write_text(timestamp)
    document = json.loads((root / "release" / "part4" / "part4.ipynb").read_text())
    if answer is not None:
        document["cells"][5]["source"] = answer
    if edit is not None:
        edit(document)
    if notebook:
        data = json.dumps(document).encode() if raw is None else raw
        (folder / "part4.ipynb").write_bytes(data)
    return folder
