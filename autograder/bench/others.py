"""Other graders on the same tests, for comparison: stock nbgrader and otter-grader.

Both run the notebook in a kernel of its own; its first cell runs the part's suites on the code beside it, as plain
pytest in that kernel, and each check asks for one task's share. So they do the work that the judge does, and protect
nothing. otter-grader is no dependency of ours: it is installed into a temporary folder, from pip's index, for the run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from autograder.course import Course, Part
from autograder.misconceptions.bank import write_files

Codes = list[dict[str, bytes]]
Steps = Iterator[tuple[str, Callable[[], None]]]  # what is measured, and the doing of it

RUN = """
from pathlib import Path
from autograder.course import load_course
from autograder.judge.judge import collected
from autograder.judge.students import InProcess
part = load_course(Path({root!r})).part({part!r})
noted = collected(part, lambda suites: suites.run(InProcess(Path("."))))
points = {{task.id: float(task.points) for task in part.tasks}}
def share(task):
    outcomes = [entry.verdict.outcome == "passed" for entry in noted if entry.task == task]
    return points[task] * sum(outcomes) / len(outcomes)
"""
OTTER = """
import sys
from otter.api import grade_submission
for path in sys.argv[2:]:
    grade_submission(path, sys.argv[1], quiet=True)
"""
OTTER_TEST = """
OK_FORMAT = True
case = {{"code": ">>> share({task!r}) == {points!r}\\nTrue\\n", "hidden": False, "locked": False}}
suite = {{"cases": [case], "scored": True, "setup": "", "teardown": "", "type": "doctest"}}
test = {{"name": {name!r}, "points": {points!r}, "suites": [suite]}}
"""


def stock_nbgrader(course: Course, part: Part, root: Path, codes: Codes) -> Steps:
    """Its own `autograde` with a kernel per notebook, and its own feedback."""
    checks = []
    for task in part.tasks:
        mark = {"schema_version": 3, "grade": True, "grade_id": task.grade_id, "solution": False, "locked": True}
        mark |= {"task": False, "points": float(task.points)}
        checks.append(new_code_cell(f'share("{task.id}")', id=task.grade_id, metadata={"nbgrader": mark}))
    notebook = _notebook(course, part, checks)
    _write(root / "source" / part.id, {}, notebook)
    for number, files in enumerate(codes):
        _write(root / "submitted" / f"s{number:04d}" / part.id, files, notebook)
    nbgrader(root, "generate_assignment", part.id)
    yield "graded", lambda: nbgrader(root, "autograde", part.id, "--Execute.timeout=300")
    yield "feedback", lambda: nbgrader(root, "generate_feedback", part.id)


def otter_grader(course: Course, part: Part, root: Path, codes: Codes) -> Steps:
    """Its non-containerized grading, all submissions in one process, one test for each task."""
    library = root / "library"
    _run(root, [sys.executable, "-m", "pip", "install", "-q", "--target", str(library), "otter-grader"], {})
    (root / "tests").mkdir()
    for task in part.tasks:
        text = OTTER_TEST.format(task=task.id, points=float(task.points), name=task.grade_id)
        (root / "tests" / f"{task.grade_id.replace('-', '_')}.py").write_text(text)
    seen = {"PYTHONPATH": str(library)}
    _run(root, [sys.executable, "-m", "otter", "generate", "-t", "tests", "--no-environment", "-o", "checks.zip"], seen)
    packed = []
    for number, files in enumerate(codes):
        folder = root / f"s{number:04d}"
        _write(folder, files, _notebook(course, part, []))
        packed.append(f"{folder}.zip")
        with zipfile.ZipFile(packed[-1], "w") as archive:
            for path in sorted(folder.iterdir()):
                archive.write(path, path.name)
    yield "graded", lambda: _run(root, [sys.executable, "-c", OTTER, "checks.zip", *packed], seen)


OTHERS = {"stock nbgrader": stock_nbgrader, "otter-grader": otter_grader}


def nbgrader(root: Path, *arguments: str) -> None:
    """Run one of nbgrader's commands in the course at `root`. Raises CalledProcessError when it fails."""
    _run(root, [sys.executable, "-m", "nbgrader", *arguments], {})


def _notebook(course: Course, part: Part, checks: list[NotebookNode]) -> NotebookNode:
    first = new_code_cell(RUN.format(root=str(course.root), part=part.id), id="run")
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return new_notebook(cells=[first, *checks], metadata=kernel)


def _write(folder: Path, files: dict[str, bytes], notebook: NotebookNode) -> None:
    write_files(folder, files)
    nbformat.write(notebook, folder / "notebook.ipynb")


def _run(root: Path, command: list[str], environment: dict[str, str]) -> None:
    root.mkdir(parents=True, exist_ok=True)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    subprocess.run(command, cwd=root, check=True, capture_output=True, env={**os.environ, "PATH": path, **environment})
