"""The gate's rows about what a part hands out and what stands in its folders: placeholders, hints, TODOs, stray files,
points, and whether each task has a misconception.

Nothing is judged here.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping

from autograder.build.assignment import BYPRODUCTS, HINTS_PER_TASK, drift, kit_folder, part_files
from autograder.build.changes import CHANGES
from autograder.build.phrases import phrase_of, tokens_of
from autograder.build.placeholders import placeholders
from autograder.build.readme import POINTS
from autograder.course import Course, Part
from autograder.course.regions import solution_file
from autograder.misconceptions.bank import load_bank
from autograder.misconceptions.rows import Row

SHORTEST = 5  # tokens: "return order" may be said in a hint, "self.grad += out.grad" may not
SPOKEN = {
    "times": "*", "plus": "+", "minus": "-", "equals": "=", "squared": "**2", "by": "", "the": "", "a": "",
    "divided": "/", "over": "/",
}  # fmt: skip


def handout_rows(course: Course, part: Part) -> list[Row]:
    """The rows of a part. Raises CourseError when its handout can't be built, as for a task without hints."""
    return [
        _written(course, part),
        _hints(course, part),
        _todos(course, part),
        _stray(course, part),
        _points(course, part),
        _misconceptions(course, part),
    ]


def _written(course: Course, part: Part) -> Row:
    return Row("placeholders: none is left", len(part.tasks), placeholders(course, part, kit_folder(course)))


def _hints(course: Course, part: Part) -> Row:
    row = Row(f"hints: {HINTS_PER_TASK} for each task, none gives the code")
    raw = tomllib.loads((course.solutions / part.id / "hints.toml").read_text(encoding="utf-8"))
    code = _solution_lines(course, part)
    for task in part.tasks:
        hints: list[str] = raw[task.id]["hints"]
        if len({" ".join(hint.split()) for hint in hints}) != HINTS_PER_TASK:
            row.breaches.append(f"{task.id} has the same hint twice; each has to say more than the one before it")
        for number, hint in enumerate(hints, 1):
            row.held += 1
            if is_code(hint):
                row.breaches.append(f"hint {number} of {task.id} is code; say in words what to think of")
            elif line := given_away(hint, code[task.id]):
                row.breaches.append(f"hint {number} of {task.id} says the line {line!r}; lead to it without saying it")
    return row


def is_code(hint: str) -> bool:
    """Whether a hint is Python as it stands."""
    try:
        return bool(ast.parse(hint).body)
    except SyntaxError:
        return False


def given_away(hint: str, lines: list[str]) -> str | None:
    """The first line of the solution that a hint says, in code or aloud ("out.grad times ..."); None if none."""
    aloud = re.sub(r"[a-z]+", lambda word: SPOKEN.get(word[0], word[0]), hint.replace("'s ", "."))
    said = [phrase_of(tokens_of(hint)), phrase_of(tokens_of(aloud))]
    for line in lines:
        tokens = tokens_of(line)
        if len(tokens) >= SHORTEST and any(phrase_of(tokens) in text for text in said):
            return line
    return None


def _solution_lines(course: Course, part: Part) -> Mapping[str, list[str]]:
    """By task, the lines of its finished code that do something: no headers of functions, no docstrings."""
    found: dict[str, list[str]] = {task.id: [] for task in part.tasks}
    for name in part.graded:
        for task, _, lines in solution_file(course, name).solution_lines():
            for line in lines:
                text = line.text.strip()
                if task in found and text and not text.startswith(("def ", "#", '"""')):
                    found[task].append(text)
    return found


def _todos(course: Course, part: Part) -> Row:
    row = Row("TODOs: one in every task's stub", len(part.tasks))
    files = part_files(course, part)
    stub = "\n".join(files[name].decode() for name in part.graded)
    for task in part.tasks:
        if not re.search(rf"# TODO {re.escape(task.id)}\b(?!\.)", stub):
            row.breaches.append(f"the stub of {task.id} has no comment '# TODO {task.id}'; write one")
        if f'NotImplementedError("TODO {task.id}:' not in stub:
            row.breaches.append(f"the stub of {task.id} raises no NotImplementedError that names TODO {task.id}")
    return row


def _stray(course: Course, part: Part) -> Row:
    row = Row("files: none is stray, none has drifted")
    row.held = len(part_files(course, part))
    row.breaches += [f"{name}: not what solutions/ says; run: micrograder build" for name in drift(course, part)]
    row.breaches += [f"{name}: belongs to nothing; delete it, or name it in course.toml" for name in stray(course)]
    return row


def stray(course: Course) -> Iterator[str]:
    """The files of solutions/ and the folders of assignments/ that belong to no part."""
    files = {name for part in course.parts for name in (*part.graded, *part.given)}
    known = {"README.md", "course.toml", *files}
    for part in course.parts:
        known |= {f"{part.id}/{name}" for name in ("README.md", "hints.toml", CHANGES, f"{part.id}.py")}
    for path in sorted(course.solutions.rglob("*")):
        name = path.relative_to(course.solutions)
        if path.is_file() and name.as_posix() not in known and not BYPRODUCTS.intersection(name.parts):
            yield f"{course.solutions.name}/{name.as_posix()}"
    for path in sorted(course.assignments.glob("*")):
        if path.name not in {*BYPRODUCTS, *(part.id for part in course.parts)}:
            yield f"{course.assignments.name}/{path.name}"


def _points(course: Course, part: Part) -> Row:
    row = Row("points: they add up; both kinds of tests", len(part.tasks))
    total = sum(task.points for task in part.tasks)
    asked = sum(question.points for question in part.questions)
    if total != part.points or total + asked != part.max_score:
        row.breaches.append(f"the tasks have {float(total):g} points and the part {float(part.points):g}")
    readme = f"{course.solutions.name}/{part.id}/README.md"
    if f"\n{POINTS}\n" not in (course.root / readme).read_text(encoding="utf-8"):
        row.breaches.append(f"{readme} says no points; write a line {POINTS} as the body of a table")
    folder = kit_folder(course) / "suites" / part.id
    for name in ("test_public.py", "test_hidden.py"):
        text = (folder / name).read_text(encoding="utf-8")
        row.breaches += [f"{name} has no test of {t.id}; write one" for t in part.tasks if f'task("{t.id}"' not in text]
    return row


def _misconceptions(course: Course, part: Part) -> Row:
    row = Row("misconceptions: one at least for each task", len(part.tasks))
    failed = {
        task
        for entry in load_bank(part, kit_folder(course) / "misconceptions").misconception
        for engine in entry.engine
        for task in engine.fails
    }
    row.breaches += [
        f"no misconception of {part.id}.toml fails {task.id}; run: micrograder new misconception {part.id} NAME --task "
        f"{task.id}, and finish it"
        for task in part.tasks
        if task.id not in failed
    ]
    return row
