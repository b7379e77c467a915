"""How well mistakes are named: two at once, ones that the bank does not have, and the student's own run.

A few by default, all of them with `pytest -m slow`. What counts is that no mistake is called exactly another one.
"""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.build.assignment import part_files
from autograder.course import find_root, load_course
from autograder.judge.seen import Seen
from autograder.misconceptions.bank import FOLDER, Engine, Entry, Workshop, load_bank, patched, write_files
from autograder.misconceptions.fingerprints import Recorded, load
from autograder.misconceptions.matcher import name
from autograder.misconceptions.record import FURTHER_STYLES, STYLES, in_styles
from autograder.misconceptions.runs import Run, judged
from autograder.student.kitlib.seen import Fingerprint, scores

COURSE = load_course(find_root(Path(__file__)))
BANKS = sorted(path.stem for path in FOLDER.glob("part*.json"))
PAIRS = 48
Wrong = tuple[Entry, Engine]


def recorded_of(part: str) -> Recorded:
    recorded = load(FOLDER / f"{part}.json")
    assert recorded is not None
    return recorded


def ends(one: Fingerprint, most: int = 6) -> Iterator[dict[str, Seen]]:
    """A few of the ways in which a recorded engine can end its task's tests."""
    draw = random.Random(one.id)
    for _ in range(most if any(len(ways) > 1 for ways in one.tests.values()) else 1):
        yield {test: draw.choice(ways) for test, ways in one.tests.items()}


@pytest.mark.parametrize("part", BANKS)
def test_a_mistake_that_is_taken_out_of_the_bank_is_never_exactly_another_one(part):
    known = recorded_of(part).fingerprints
    for one in known:
        others = [other for other in known if other.id != one.id]
        for tests in ends(one):
            match = name(others, one.task, tests)
            assert match is None or match.certainty == "likely", (one.id, one.task, match)


@pytest.mark.parametrize("part", BANKS)
def test_a_mistake_of_the_bank_is_never_called_another_one(part):
    known = recorded_of(part).fingerprints
    for one in known:
        for tests in ends(one):
            match = name(known, one.task, tests)
            assert match is None or match.id == one.id, (one.task, one.id, match)


def pairs(part: str, most: int) -> list[tuple[Wrong, Wrong, dict[str, bytes]]]:
    """Submissions with two mistakes of the bank at once, half of them in one task."""
    bank, workshop = load_bank(COURSE.part(part)), Workshop(COURSE, COURSE.part(part))
    engines = [(entry, engine) for entry in bank.misconception for engine in entry.engine]
    together = [pair for pair in itertools.combinations(engines, 2) if pair[0][0].id != pair[1][0].id]
    random.Random(part).shuffle(together)
    halves: dict[bool, list[tuple[Wrong, Wrong, dict[str, bytes]]]] = {True: [], False: []}
    for one, other in together:
        half = halves[bool(set(one[1].fails) & set(other[1].fails))]
        if len(half) < (most + 1) // 2 and (files := both(workshop, one, other)):
            half.append((one, other, files))
    return (halves[True] + halves[False])[:most]


def both(workshop: Workshop, one: Wrong, other: Wrong) -> dict[str, bytes] | None:
    """The files with both mistakes; None where the second can't be made any more, or undoes the first."""
    files = workshop.wrong(*one)
    try:
        return {**files, other[1].file: patched(files[other[1].file], other[1].change)}
    except ValueError:
        return None


def wrongly_exact(one: Wrong, other: Wrong, run: Run) -> list[str]:
    """The tasks at which a mistake was called exactly one that the submission does not have."""
    named = [(task.id, task.misconception) for task in run.verdict.tasks if task.misconception is not None]
    made = {one[0].id, other[0].id}
    return [f"{task}: {found.id}" for task, found in named if found.certainty == "exact" and found.id not in made]


def check_pairs(part: str, most: int) -> None:
    made = pairs(part, most)
    assert len(made) == most
    runs = judged(COURSE, COURSE.part(part), [files for _, _, files in made])
    for (one, other, _), run in zip(made, runs, strict=True):
        assert wrongly_exact(one, other, run) == [], (one[0].id, other[0].id)


def test_two_mistakes_at_once_are_never_exactly_a_third_one():
    check_pairs("part4", 2)


@pytest.mark.slow
@pytest.mark.parametrize("part", BANKS)
def test_many_pairs_of_mistakes_are_never_exactly_a_third_one(part):
    check_pairs(part, PAIRS)


def check_other_orders(part: str, engines: list[Wrong]) -> None:
    """With a node's children kept the other way round, engines are named as themselves; in a set, as nothing else.

    A set's order is another one each time, and what an engine that depends on it shows need not have been recorded.
    """
    workshop, styles = Workshop(COURSE, COURSE.part(part)), (STYLES[1], FURTHER_STYLES[0])
    made = [
        (entry, engine, style, files)
        for entry, engine in engines
        for style, files in zip(styles, in_styles(workshop.wrong(entry, engine), styles), strict=False)
    ]
    runs = judged(COURSE, COURSE.part(part), [files for *_, files in made])
    for (entry, engine, style, _), run in zip(made, runs, strict=True):
        named = {task.id: task.misconception and task.misconception.id for task in run.verdict.tasks}
        allowed = {entry.id} if style == STYLES[1] else {entry.id, None}
        assert {named[task] for task in engine.fails} <= allowed, (entry.id, engine.name)


def test_a_mistake_is_named_whichever_way_round_a_node_keeps_its_children():
    entry = load_bank(COURSE.part("part5")).entry("replaces")
    engines = [(entry, engine) for engine in entry.engine if engine.fails in (("5.5",), ("5.6",))]
    assert len(engines) == 3
    check_other_orders("part5", engines)


@pytest.mark.slow
@pytest.mark.parametrize("part", BANKS)
def test_every_mistake_is_named_whichever_way_round_a_node_keeps_its_children(part):
    bank = load_bank(COURSE.part(part))
    check_other_orders(part, [(entry, engine) for entry in bank.misconception for engine in entry.engine])


def said_to_the_student(part: str, files: dict[str, bytes], folder: Path) -> str:
    """What plain pytest prints in a released folder with these files of ours."""
    course_part = COURSE.part(part)
    place = write_files(folder / part, {**part_files(COURSE, course_part), **files})
    run = subprocess.run(
        [sys.executable, "-m", "pytest"], cwd=place, capture_output=True, encoding="utf-8", check=False
    )
    return " ".join(run.stdout.split())


def public_side(one: Fingerprint) -> Fingerprint:
    """What the student's own run can see of a fingerprint."""
    tests = {test: ways for test, ways in one.tests.items() if test.startswith("public ")}
    return Fingerprint(one.id, one.engine, one.task, {t: [way.portable() for way in ways] for t, ways in tests.items()})


def check_students_run(part: str, entry: Entry, number: int, folder: Path) -> None:
    """The student's run of an engine with one wrong task names its mistake where the public tests can tell it."""
    bank = load_bank(COURSE.part(part))
    files = Workshop(COURSE, COURSE.part(part)).wrong(entry, entry.engine[number])
    screen = said_to_the_student(part, files, folder)
    known = [public_side(one) for one in recorded_of(part).fingerprints]
    own = next(one for one in known if (one.id, one.engine) == (entry.id, number))
    failed = {test: ways[0] for test, ways in own.tests.items() if ways[0].outcome != "passed"}
    alike = [key for key, score in scores(known, own.task, failed).items() if score == 1.0]
    if any(seen.speaks for seen in failed.values()) and len(alike) <= 3:
        for key in alike:
            assert bank.entry(key).title in screen, (entry.id, number)
    else:
        assert "Likely" not in screen, (entry.id, number)


@pytest.mark.parametrize("id", ["replaces", "closure-called", "math-not-imported", "seeded-by-adding"])
def test_the_students_run_sees_what_the_judge_has_recorded(id, tmp_path):
    entry = load_bank(COURSE.part("part4")).entry(id)
    check_students_run("part4", entry, 0, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("part", BANKS)
def test_every_mistake_of_the_bank_is_said_in_the_students_run_where_public_tests_show_it(part, tmp_path):
    for entry in load_bank(COURSE.part(part)).misconception:
        for number, engine in enumerate(entry.engine):
            if len(engine.fails) == 1:
                check_students_run(part, entry, number, tmp_path / f"{entry.id}{number}")
