"""`micrograder demo`: a course in a folder of its own, a class of sample students, graded through nbgrader.

It uses the same doors as everyone: the release, nbgrader's own steps with this kit's configuration, the verdicts.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.course.manifest import Course, CourseError, Part, load_course
from autograder.demo_class import Student, hand_in, read_class
from autograder.gradebook.verdicts import load_verdict
from autograder.judge.safe_text import plain
from autograder.judge.verdict import Verdict
from autograder.progress import progress

MARKER = ".micrograder-demo"
PART = "part4"
COPIED = ("solutions", "assignments", "nbgrader_config.py")


def run_demo(course: Course, folder: Path, console: Console) -> int:
    """Make the demo course in `folder` and grade it; 0 when everybody was graded, else 1.

    A folder that an earlier demo made is made anew. Raises CourseError when the folder holds anything else, or when
    the course cannot be released.
    """
    from autograder.build.release import release
    from autograder.gradebook.session import open_nbgrader, problem_of
    from autograder.reports.page import write_report

    demo = _copy_course(course, folder)
    part = demo.part(PART)
    console.print(f"Releasing {part.id} ({part.title}) ...", markup=False)
    release(demo, part, early=True)

    students = read_class()
    for student in students:
        hand_in(demo, part, student)
    gradebook = open_nbgrader(demo)
    problems: dict[str, str] = {}
    with progress(console, "Grading", len(students)) as step:
        for student in students:
            problem = problem_of(gradebook.autograde(part.id, student.name, force=False))
            if problem is not None:
                problems[student.name] = problem
            step(student.name)
    with progress(console, "Writing feedback", len(students)) as step:
        for student in students:
            if student.name not in problems:
                problem = problem_of(gradebook.generate_feedback(part.id, student.name))
                if problem is not None:
                    problems[student.name] = problem
            step(student.name)

    console.print(_table(demo, part, students, problems, console))
    _say_where(demo, part, students[0], write_report(demo, [part]), console)
    return 1 if problems else 0


def _copy_course(course: Course, folder: Path) -> Course:
    folder = folder.resolve()
    if folder == course.root or folder in course.root.parents:
        raise CourseError(f"{folder} holds the course itself; name another folder for the demo")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        if not (folder / MARKER).is_file():
            raise CourseError(f"{folder} is there already and no demo made it; name another folder")
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARKER).write_text("Made by `micrograder demo`, which will make it anew.\n", encoding="utf-8")
    for name in COPIED:
        source = course.root / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        elif source.is_file():
            shutil.copy(source, folder / name)
        else:
            raise CourseError(f"{source} is not there; run: micrograder build")
    return load_course(folder)


def _table(demo: Course, part: Part, students: list[Student], problems: dict[str, str], console: Console) -> Table:
    table = Table(box=box.SIMPLE_HEAD if console.is_terminal else None, pad_edge=False, title_justify="left")
    table.add_column("student", no_wrap=True)
    for task in part.tasks:
        table.add_column(task.id, justify="right", no_wrap=True)
    table.add_column("total", justify="right", no_wrap=True)
    table.add_column("what was handed in, and what happened", overflow="fold")
    for student in students:
        verdict = None if student.name in problems else load_verdict(demo, part.id, student.name)
        if verdict is None:
            points = ["-"] * (len(part.tasks) + 1)
            found = problems.get(student.name, "there is no verdict")
        else:
            points = [f"{round(task.score, 1):g}" for task in verdict.tasks]
            points.append(f"{round(verdict.score, 1):g}/{verdict.max:g}")
            found = what_happened(verdict)
        table.add_row(student.name, *points, Text(f"{student.story}: {plain(found, 100)}"))
    return table


def what_happened(verdict: Verdict) -> str:
    """The most telling sentence of a verdict: what stopped it all, the misconception, or the first failed test."""
    if verdict.problem:
        return verdict.problem
    lacking = [task for task in verdict.tasks if task.score < task.max]
    if not lacking:
        return "everything right"
    unstarted = [task.id for task in lacking if any(test.outcome == "not_done" for test in task.tests)]
    if unstarted:
        return f"not started: {', '.join(unstarted)}"
    for task in lacking:
        if task.misconception is not None:
            return f"{task.id}: {task.misconception.title}"
    failed = [(task.id, test) for task in lacking for test in task.tests if test.outcome not in ("passed", "blocked")]
    return f"{failed[0][0]}: {failed[0][1].message}" if failed else "waits for another task"


def _say_where(demo: Course, part: Part, example: Student, report: Path, console: Console) -> None:
    root = demo.root
    lines = {
        "the course": root,
        "released": root / "release" / part.id,
        "handed in": root / "submitted",
        "feedback": root / "feedback" / example.name / part.id / f"{part.id}.html",
        "report": report,
        "verdicts": root / ".micrograder" / "verdicts" / part.id,
        "gradebook": root / "gradebook.db",
    }
    console.print()
    for name, path in lines.items():
        console.print(f"{name:<11}{path}", markup=False, soft_wrap=True)
    console.print("The written answers wait for a person: `jupyter lab` in that folder, menu Nbgrader, Formgrader.")
