"""Who hands in what, when, in a term that never was: right and wrong engines from the bank, late work, marks.

Everything is drawn from one seed. What each piece of work must lose is read from the bank's recording and from nothing
that takes part in grading.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from autograder.course import Course, Part
from autograder.misconceptions.bank import FOLDER, Bank, Workshop, load_bank

EXTENSION = timedelta(days=1.5)
# After the due date. The late window is two days long, and each day that has begun costs something.
COMES = {
    "on time": timedelta(hours=-3),
    "hours late": timedelta(hours=5),
    "more than a day late": timedelta(hours=30),
    "too late": timedelta(hours=60),
}
HABITS = ("on time",) * 6 + ("hours late", "more than a day late")


@dataclass(frozen=True)
class Work:
    """One submission: its code, when it came, the answers, and the marks that a person gives them.

    kind  "right", "wrong" or "stub"
    lost  the tests that must not pass, as "public NAME" or "hidden NAME", by task; None: no test of any task does
    """

    kind: str
    files: dict[str, bytes]
    lost: dict[str, frozenset[str]] | None
    came: datetime
    answers: dict[str, str] = field(default_factory=dict)
    marks: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Term:
    """By part and student what is handed in; who is not there handed nothing in. `extended`: (student, part)."""

    students: tuple[str, ...]
    work: dict[str, dict[str, Work]]
    extended: frozenset[tuple[str, str]]


def plan(course: Course, parts: list[Part], students: int, seed: int = 20_261) -> Term:
    """A term for so many students; the same call gives the same term."""
    names = tuple(f"s{number:02d}" for number in range(1, students + 1))
    chance = random.Random(seed)
    ability = {name: chance.choice((0.25, 0.5, 0.75)) for name in names}
    work: dict[str, dict[str, Work]] = {}
    extended = set()
    for at, part in enumerate(parts):
        bank, workshop = load_bank(part), Workshop(course, part)
        wrong = _usable(bank, part)
        work[part.id] = {}
        for number, name in enumerate(names):
            # In every part one each of the rarer kinds, and another one each time.
            special = (number - at) % students
            if special == 0:
                continue  # handed nothing in
            habit = "too late" if special == 1 else chance.choice(HABITS)
            came = part.due + COMES[habit]
            if special == 2:
                extended.add((name, part.id))
                came = part.due + chance.choice((timedelta(hours=30), EXTENSION + timedelta(hours=5)))
            if special == 3:
                kind, files, lost = "stub", {}, None
            elif special in (1, 2) or chance.random() < ability[name]:
                style = chance.choice([*bank.right.values(), {}])
                kind, files, lost = "right", workshop.right(style), {}
            else:
                entry, engine, lost = chance.choice(wrong)
                kind, files = "wrong", workshop.wrong(entry, engine)
            answers = {q.id: f"{name} on {q.id}." for q in part.questions if chance.random() < 0.75}
            marks = {q.id: chance.randint(0, int(q.full_points * 4)) / 4 for q in part.questions if q.id in answers}
            work[part.id][name] = Work(kind, files, lost, came, answers, marks)
    return Term(names, work, frozenset(extended))


def _usable(bank: Bank, part: Part) -> list[tuple]:
    """The wrong engines that show the same each time and do not keep the judge waiting, each with what it loses."""
    raw = json.loads((FOLDER / f"{part.id}.json").read_text(encoding="utf-8"))
    shows: dict[tuple[str, int], dict[str, frozenset[str]]] = {}
    unsteady = set()
    for one in raw["fingerprints"]:
        key = (one["id"], one["engine"])
        shows.setdefault(key, {})[one["task"]] = frozenset(one["tests"])
        if any(len(ways) > 1 or ways[0][0] not in ("failed", "error") for ways in one["tests"].values()):
            unsteady.add(key)
    return [
        (entry, engine, shows[entry.id, number])
        for entry in bank.misconception
        for number, engine in enumerate(entry.engine)
        if (entry.id, number) not in unsteady and set(shows[entry.id, number]) == set(engine.fails)
    ]
