"""A program for the tests: makes, or grades, a class of the judge's small course with everything real but its size.

python -m autograder.tests.grading.grade_small make|grade|stock FOLDER
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from autograder.course import Course, load_course
from autograder.course.regions import render, solution_file
from autograder.gradebook.session import open_nbgrader, problem_of
from autograder.judge import judge as judging
from autograder.tests.gradebook.tiny import nbgrader_cell
from autograder.tests.judge.small_course import SMALL, make_small_course

WRONG = ("self.grad += ", "self.grad = ")


def make(root: Path) -> None:
    """The course, released, with six students."""
    root.mkdir()
    course = make_small_course(root)
    part = course.part("part4")
    folder = course.assignments / part.id
    folder.mkdir(parents=True)
    cells = [
        new_code_cell("", id=task.grade_id, metadata=nbgrader_cell(task.grade_id, float(task.points), answer=False))
        for task in part.tasks
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(new_notebook(cells=cells, metadata=kernel), folder / "part4.ipynb")
    stub = render(solution_file(course, "value.py"), 4)
    (folder / "value.py").write_text(stub)
    problem = problem_of(open_nbgrader(course).generate_assignment(part.id))
    assert problem is None, problem
    worked = render(solution_file(course, "value.py"), 4, worked=True)
    codes = {"ada": worked, "bob": stub, "cyd": worked.replace(*WRONG), "dan": "def (", "eve": worked + "\nx = 1\n"}
    codes["fay"] = worked.replace(*WRONG, 1)
    for student, code in codes.items():
        shutil.copytree(course.release / part.id, root / "submitted" / student / part.id)
        (root / "submitted" / student / part.id / "value.py").write_text(code)


def grade(course: Course) -> None:
    """As `micrograder grade part4` does, with the small suites."""
    from rich.console import Console

    from autograder.grading.grade import grade as grade_class
    from autograder.grading.screen import Screen, print_outcome

    console = Console(highlight=False)
    part = course.part("part4")
    with Screen(console) as screen:
        outcome = grade_class(course, part, screen, processes=2)
    print_outcome(part, outcome, console)


def main(what: str, root: Path) -> None:
    """Do what is asked for."""
    judging.SUITES = SMALL
    if what == "make":
        make(root)
    elif what == "grade":
        grade(load_course(root))
    else:
        problem = problem_of(open_nbgrader(load_course(root)).autograde("part4", "*", force=False))
        assert problem is None, problem


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]).resolve())
