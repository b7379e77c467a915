"""The gate: holds a part's suites against the stub, the reference, right engines and wrong ones, and reports breaches.

It changes nothing. What it demands is listed in the report's rows; what is not in it yet: mutants of the reference.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field

from autograder.build.assignment import HINTS_PER_TASK, part_files
from autograder.course import Course, Part
from autograder.course.regions import solution_file
from autograder.judge import judge as judging
from autograder.misconceptions.bank import FOLDER, Bank, Engine, Entry, Workshop, load_bank
from autograder.misconceptions.constants import CONSTANTS, with_constant
from autograder.misconceptions.fingerprints import load
from autograder.misconceptions.record import stale
from autograder.misconceptions.runs import Run, judged

REFERENCE_SEEDS = (0, 1, 2)


@dataclass
class Row:
    """One thing that was held against the suites: how many there were, and a sentence for each that broke the rule."""

    what: str
    held: int
    breaches: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Case:
    """A submission of ours, the seed it is judged with, and what is demanded of its verdict."""

    row: str
    name: str
    files: dict[str, bytes]
    seed: int = 0
    task: str | None = None
    wrong: tuple[Entry, Engine] | None = None


STUB, CONSTANT, REFERENCE, RIGHT, WRONG = (
    "stub: not done, 0 points",
    "constant bodies: 0 points for their task",
    "reference: full points",
    "right engines: full points",
    "wrong engines: lose only their tasks, are named",
)


def gate(course: Course, part: Part) -> list[Row]:
    """Everything that the gate holds against a part's suites. Raises CourseError and JudgeError as the judge does."""
    bank, workshop = load_bank(part), Workshop(course, part)
    cases = list(_cases(course, part, bank, workshop))
    rows = {what: Row(what, 0) for what in (STUB, CONSTANT, REFERENCE, RIGHT, WRONG)}
    runs = judged(course, part, [case.files for case in cases], [case.seed for case in cases])
    for case, run in zip(cases, runs, strict=True):
        rows[case.row].held += 1
        rows[case.row].breaches += [f"{case.name}: {said}" for said in _breaches(case, run)]
    return [*rows.values(), _fingerprints(part, bank, workshop), _hints(course, part), _points(part)]


def _cases(course: Course, part: Part, bank: Bank, workshop: Workshop) -> Iterator[Case]:
    stub = {name: content for name, content in part_files(course, part).items() if name in part.graded}
    yield Case(STUB, "the stub", stub)
    for task in part.tasks:
        for constant in CONSTANTS:
            files = {
                name: with_constant(solution_file(course, name), part, task.id, constant).encode()
                for name in part.graded
            }
            yield Case(CONSTANT, f"{task.id} with a body of {constant}", files, task=task.id)
    for seed in REFERENCE_SEEDS:
        yield Case(REFERENCE, f"the reference under seed {seed}", workshop.worked, seed)
    for name, files in bank.right.items():
        yield Case(RIGHT, f"right/{part.id}/{name}", workshop.right(files))
    for entry in bank.misconception:
        for engine in entry.engine:
            yield Case(WRONG, f"{entry.id} ({engine.name})", workshop.wrong(entry, engine), wrong=(entry, engine))


def _breaches(case: Case, run: Run) -> Iterator[str]:
    verdict = run.verdict
    if verdict.problem:
        yield f"could not be judged: {verdict.problem}"
        return
    if case.row == STUB:
        yield from _stub_breaches(run)
    elif case.row == CONSTANT:
        task = next(task for task in verdict.tasks if task.id == case.task)
        passed = [test.name for test in task.tests if test.outcome == "passed"]
        if passed:
            yield f"passes {passed[0]}; make the test ask for something that such a body can't give"
    elif case.wrong is None:
        for task in verdict.tasks:
            for test in task.tests:
                if test.outcome != "passed":
                    yield f"fails {test.name} of {task.id} ({test.message}); the test demands too much, or it is wrong"
    else:
        yield from _wrong_breaches(*case.wrong, run)


def _stub_breaches(run: Run) -> Iterator[str]:
    if run.verdict.score:
        yield f"earns {run.verdict.score:g} points; find the test that passes and make it ask for something"
    for task in run.verdict.tasks:
        strange = [test for test in task.tests if test.outcome not in ("not_done", "blocked")]
        if strange:
            yield f"{strange[0].name} of {task.id} ends as {strange[0].outcome}; it must meet the task's TODO first"
        elif all(test.outcome == "blocked" for test in task.tests):
            yield f"no test of {task.id} says that it is not done; one of them has to meet its own TODO first"


def _wrong_breaches(entry: Entry, engine: Engine, run: Run) -> Iterator[str]:
    for task in run.verdict.tasks:
        wrong = [test.name for test in task.tests if test.outcome != "passed"]
        if task.id not in engine.fails:
            if wrong:
                yield f"fails {wrong[0]} of {task.id} too; name the tasks it stands on with needs=, or correct `fails`"
            continue
        if not wrong:
            yield f"passes {task.id}; write a test that tells it from the reference"
        elif task.misconception is None:
            yield f"{task.id}: is not named; record anew, or write a test that tells it from its neighbours"
        elif (task.misconception.id, task.misconception.certainty) != (entry.id, engine.named):
            found = f"{task.misconception.id} ({task.misconception.certainty})"
            yield f"{task.id}: is named {found}; write a test that tells the two apart, and record anew"


def _fingerprints(part: Part, bank: Bank, workshop: Workshop) -> Row:
    row = Row("fingerprints: recorded from what stands here", len(bank.misconception))
    if bank.misconception and stale(bank, workshop, load(FOLDER / f"{part.id}.json")):
        row.breaches.append(f"{part.id}.json is stale; run: python -m autograder.misconceptions.record {part.id}")
    return row


def _hints(course: Course, part: Part) -> Row:
    # part_files has refused a task without its hints already; what is left is a hint that is code.
    row = Row(f"hints: {HINTS_PER_TASK} for each task, none is code", 0)
    raw = tomllib.loads((course.solutions / part.id / "hints.toml").read_text(encoding="utf-8"))
    for task in part.tasks:
        for number, hint in enumerate(raw[task.id]["hints"], 1):
            row.held += 1
            if _is_code(hint):
                row.breaches.append(f"hint {number} of {task.id} is code; say in words what to think of")
    return row


def _is_code(hint: str) -> bool:
    try:
        return bool(ast.parse(hint).body)
    except SyntaxError:
        return False


def _points(part: Part) -> Row:
    row = Row("points: they add up; both kinds of tests", len(part.tasks))
    total = sum(task.points for task in part.tasks)
    if total != part.points:
        row.breaches.append(f"the tasks have {float(total):g} points and the part {float(part.points):g}")
    folder = judging.SUITES / part.id
    for name in ("test_public.py", "test_hidden.py"):
        text = (folder / name).read_text(encoding="utf-8")
        row.breaches += [f"{name} has no test of {t.id}; write one" for t in part.tasks if f'task("{t.id}"' not in text]
    return row
