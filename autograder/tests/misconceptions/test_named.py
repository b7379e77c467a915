"""The recorded fingerprints tell the mistakes apart: each of them is named as itself."""

from pathlib import Path

import pytest

from autograder.course import find_root, load_course
from autograder.misconceptions.bank import FOLDER, load_bank
from autograder.misconceptions.fingerprints import load
from autograder.misconceptions.matcher import name

COURSE = load_course(find_root(Path(__file__)))
BANKS = sorted(path.stem for path in FOLDER.glob("part*.toml"))
SAME_LOSS_FOR_EVER = ("gradients-are-zero-at-the-move", "rebinds-the-name", "moves-the-gradient", "old-graph")


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
