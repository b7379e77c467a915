"""`micrograder new task 4.8`: everything that a task consists of, with placeholders where a person has to write.

course.toml is written last, so that a run that broke off can simply be repeated: what has its piece is left as it is.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from autograder.authoring.files import Added, text_of, write_all
from autograder.authoring.manifest_text import with_task
from autograder.authoring.pieces import Place
from autograder.build.assignment import kit_folder
from autograder.build.placeholders import placeholder
from autograder.course import Course, CourseError, Part, Task
from autograder.course.manifest import TASK_ID
from autograder.course.regions import render, solution_file

_FILE = re.compile(r"[a-z_][a-z0-9_]*\.py")
_OURS = ("kit.py", "conftest.py", "test_public.py", "test_hidden.py")


def new_task(
    course: Course,
    task_id: str,
    *,
    title: str = "",
    points: float = 1,
    file: str | None = None,
    name: str | None = None,
) -> Added:
    """Add the skeleton of a task that follows on the part's last one.

    title, points  for course.toml; a placeholder and 1 when left out
    file           the graded file that it is written in; that of the part's last task when left out
    name           the function's (in value.py: the method's) name; task_4_8 when left out
    Raises CourseError when the task exists or does not follow on, or something can't be called what it was called.
    """
    part = _part(course, task_id)
    if not title.isprintable():
        raise CourseError("a title is one line of text")
    if points <= 0:
        raise CourseError(f"{task_id} needs more than 0 points")
    title = title or placeholder(task_id, "a title of a few words, in course.toml")
    planned = _with(course, part, Task(id=task_id, title=title, points=Fraction(str(points))))
    chosen = _file(planned, part, file)
    place = Place(
        course=course,
        part=part,
        task=task_id,
        title=title,
        file=chosen,
        name=_name(name or f"task_{task_id.replace('.', '_')}"),
        method=_ends_in_value(planned, part, chosen),
    )
    texts: dict[Path, str] = {}
    untouched = []
    for path, has_it, added in _pieces(place):
        before = text_of(path)
        if before is not None and has_it(before):
            untouched.append(path)
        else:
            texts[path] = added(before)
    graded = {name: list(names) for name, names in part.graded.items()}
    names = graded.setdefault(chosen, [])
    if not place.method and place.name not in names:
        names.append(place.name)
    manifest = course.solutions / "course.toml"
    entry = {"id": task_id, "title": place.title, "points": points}
    texts[manifest] = with_task(text_of(manifest) or "", part, entry, graded)
    write_all(texts)
    return Added(tuple(map(course.shown, texts)), tuple(map(course.shown, untouched)))


def _pieces(place: Place) -> list[tuple[Path, Callable[[str], bool], Callable[[str | None], str]]]:
    """Each file of a task, how it is seen there already, and the file's text with it."""
    own, task = place.course.solutions / place.part.id, place.task
    suites = kit_folder(place.course) / "suites" / place.part.id
    region = re.compile(rf"^\s*#: task {re.escape(task)}\s*$", re.MULTILINE)
    return [
        (place.course.solutions / place.file, lambda text: bool(region.search(text)), place.solution),
        (own / "hints.toml", lambda text: f'["{task}"]' in text, place.hints),
        (own / f"{place.part.notebook}.py", lambda text: f'task="{task}"' in text, place.notebook),
        (own / "README.md", lambda text: f"**{task}**" in text, place.readme),
        (suites / "test_public.py", lambda text: f'task("{task}"' in text, place.public_test),
        (suites / "test_hidden.py", lambda text: f'task("{task}"' in text, place.hidden_test),
    ]


def _part(course: Course, task_id: str) -> Part:
    if not (found := TASK_ID.fullmatch(task_id)):
        raise CourseError(f"{task_id!r} is no task id; the eighth task of part 4 is 4.8")
    part = next((part for part in course.parts if part.number == int(found[1])), None)
    if part is None:
        raise CourseError(
            f"course.toml has no part{found[1]}; add a [[part]] with id, title and due first (solutions/README.md)"
        )
    for task in part.tasks:
        if task.id == task_id:
            raise CourseError(f"{task_id} exists already ({task.title}); the next task of {part.id} is {_next(part)}")
    if task_id != _next(part):
        raise CourseError(f"{task_id} does not follow on; the next task of {part.id} is {_next(part)}")
    return part


def _with(course: Course, part: Part, task: Task) -> Course:
    """The course as it will be; its files may already have what a run that broke off has written."""
    longer = part.model_copy(update={"tasks": (*part.tasks, task)})
    return course.model_copy(update={"parts": tuple(longer if each is part else each for each in course.parts)})


def _next(part: Part) -> str:
    return f"{part.number}.{max((int(task.id.partition('.')[2]) for task in part.tasks), default=0) + 1}"


def _file(course: Course, part: Part, file: str | None) -> str:
    if file is None:
        if not part.tasks:
            raise CourseError(f"{part.id} has no task yet; say which file its first one is written in: --file NAME.py")
        return next(name for name in part.graded if part.tasks[-1].id in solution_file(course, name).tasks())
    if not _FILE.fullmatch(file) or keyword.iskeyword(file.removesuffix(".py")) or file in _OURS:
        raise CourseError(f"{file} can't be the name of a student's file; take one like counting.py")
    if file in part.given:
        raise CourseError(f"{file} is handed out finished in {part.id}; name another file, or make it a graded one")
    return file


def _name(name: str) -> str:
    if not name.isidentifier() or keyword.iskeyword(name):
        raise CourseError(f"{name!r} can't be the name of a function")
    return name


def _ends_in_value(course: Course, part: Part, file: str) -> bool:
    """Whether what is added to the end of the file stands in the class Value, and so is a method of it."""
    if file not in part.graded or not (course.solutions / file).is_file():
        return False
    tree = ast.parse(render(solution_file(course, file), part.number, worked=True))
    last = tree.body[-1] if tree.body else None
    return isinstance(last, ast.ClassDef) and last.name == "Value"


def next_steps(task_id: str) -> list[str]:
    """What is to be done after `new task`, in order."""
    part = f"part{task_id.partition('.')[0]}"
    return [
        "write what is marked PLACEHOLDER in these files",
        f"micrograder new misconception {part} NAME --task {task_id}",
        f"python -m autograder.misconceptions.record {part}",
        "micrograder build",
        f"micrograder gate {part}, which says what is still missing",
    ]
