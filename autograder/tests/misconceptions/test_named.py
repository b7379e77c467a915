"""What the banks say is consistent with itself: each recorded mistake is named as itself, and every section exists."""

import re
from pathlib import Path

import pytest

from autograder.course import find_root, load_course
from autograder.misconceptions.bank import FOLDER, load_bank
from autograder.misconceptions.fingerprints import load
from autograder.misconceptions.matcher import name

COURSE = load_course(find_root(Path(__file__)))
BANKS = sorted(path.stem for path in FOLDER.glob("part*.toml"))
SAME_LOSS_FOR_EVER = ("gradients-are-zero-at-the-move", "rebinds-the-name", "moves-the-gradient", "old-graph")


def headings(part: str) -> set[tuple[str, str]]:
    """Number of the section and heading (without its task) of everything below a part's title; "" where unnumbered."""
    found, number = set(), ""
    text = (COURSE.solutions / part / f"{part}.py").read_text(encoding="utf-8")
    for level, title in re.findall(r"^# (##+) (.+?)(?: \(tasks? [^)]*\))?$", text, re.MULTILINE):
        numbered = re.fullmatch(r"(\d+)\. (.+)", title)
        if numbered:
            number, title = numbered.groups()
        elif level == "##":
            number = ""
        found.add((number, title))
    return found


@pytest.mark.parametrize("part", BANKS)
def test_every_section_to_read_again_exists(part):
    for entry in load_bank(COURSE.part(part)).misconception:
        where = re.fullmatch(r'(part) (\d), (?:section (\d+), )?"(.+)"', entry.reread)
        assert where, entry.id
        assert (where[3] or "", where[4]) in headings(f"part{where[2]}"), f"{entry.id}: {entry.reread}"


@pytest.mark.parametrize("part", BANKS)
def test_every_recorded_mistake_is_named_as_itself(part):
    recorded, bank = load(FOLDER / f"{part}.json"), load_bank(COURSE.part(part))
    assert recorded is not None
    for one in recorded.fingerprints:
        if all(len(ways) == 1 for ways in one.tests.values()):
            match = name(recorded.fingerprints, one.task, {test: ways[0] for test, ways in one.tests.items()})
            assert match is not None, f"{one.id} ({one.task})"
            engine = bank.entry(one.id).engine[one.engine]
            assert (match.id, match.certainty) == (one.id, engine.named), f"{one.id} ({one.task})"


def test_four_trainings_that_never_start_are_told_apart_by_what_they_leave_behind():
    recorded = load(FOLDER / "part7.json")
    assert recorded is not None
    for task, mistakes in (("7.2", SAME_LOSS_FOR_EVER[:3]), ("7.3", SAME_LOSS_FOR_EVER)):
        for mistake in mistakes:
            mine = [one for one in recorded.fingerprints if (one.id, one.task) == (mistake, task)]
            assert mine, f"{mistake} ({task})"
            for one in mine:
                match = name(recorded.fingerprints, task, {test: ways[0] for test, ways in one.tests.items()})
                assert match is not None
                assert (match.id, match.certainty) == (mistake, "exact")
