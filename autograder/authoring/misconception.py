"""`micrograder new misconception part4 NAME --task 4.2`: an entry of the bank, with placeholders to be written.

The bank leaves an entry out while one of its placeholders stands, so nothing else changes until it is finished.
"""

from __future__ import annotations

import re
import tomllib

from autograder.authoring.files import Added, text_of, write_all
from autograder.build.assignment import kit_folder
from autograder.build.placeholders import placeholder
from autograder.course import Course, CourseError, Part
from autograder.course.regions import solution_file

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def new_misconception(course: Course, part: Part, name: str, task_id: str) -> Added:
    """Append an entry of that name to the part's bank, with one wrong engine that fails the task.

    Raises CourseError when the part has no such task, or the bank has the name or can't be read.
    """
    part.task(task_id)
    if not _NAME.fullmatch(name):
        raise CourseError(f"{name!r} can't be a misconception's name: small letters, digits and single - between them")
    path = kit_folder(course) / "misconceptions" / f"{part.id}.toml"
    text = text_of(path)
    if text is None:
        text = f"# Part {part.number}'s mistakes; autograder/misconceptions/README.md says what an entry consists of.\n"
    try:
        entries = tomllib.loads(text).get("misconception", [])
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{path.name}: {error}") from None
    if any(entry.get("id") == name for entry in entries):
        raise CourseError(f"{path.name} has a misconception {name} already")
    home = next(file for file in part.graded if task_id in solution_file(course, file).tasks())
    write_all({path: text.rstrip("\n") + "\n\n" + _entry(name, task_id, home)})
    return Added((course.shown(path),))


def _entry(name: str, task: str, file: str) -> str:
    def lacks(what: str) -> str:
        return placeholder(task, f"{what} ({name})")

    return f'''\
[[misconception]]
id = "{name}"
title = "{lacks("a title that students read, such as: = where += belongs")}"
belief = "{lacks("the belief behind the mistake; it is for us")}"
explanation = """
{lacks("an explanation for students: what happens, why it is wrong, a number that it shows")}"""
reread = "{lacks("where to read again: part and section")}"

    [[misconception.engine]]
    fails = ["{task}"]
    file = "{file}"
    change = [
        ["{lacks(f"a text of the finished {file}")}", "{lacks("what stands in its place with the mistake")}"],
    ]
'''


def next_steps(part: Part) -> list[str]:
    """What is to be done after `new misconception`, in order."""
    return [
        "write what is marked PLACEHOLDER there",
        f"python -m autograder.misconceptions.record {part.id}",
        "micrograder build",
        f"micrograder gate {part.id}, which says what is still missing",
    ]
