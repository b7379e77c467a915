"""`new misconception`: an entry that stays out of the bank until it is written, and in it afterwards."""

from __future__ import annotations

import pytest

from autograder.authoring.misconception import new_misconception
from autograder.authoring.task import new_task
from autograder.course import CourseError, load_course
from autograder.misconceptions.bank import Workshop, digest_of, load_bank
from autograder.misconceptions.handout import handout_rows
from autograder.tests.authoring.finished import MISCONCEPTION, finish_misconception, finish_task


def bank_of(course, part="part4"):
    return load_bank(course.part(part), course.root / "autograder" / "misconceptions")


def test_an_entry_that_is_not_written_changes_nothing_but_the_gate(copy):
    part, suites = copy.part("part4"), copy.root / "autograder" / "suites"
    workshop = Workshop(copy, part)
    before = (copy.root / "autograder/misconceptions/part4.toml").read_text()
    digest = digest_of(bank_of(copy), workshop, suites)
    new_misconception(copy, part, "adds-the-root", "4.6")
    bank = bank_of(copy)
    assert [entry.id for entry in bank.unwritten] == ["adds-the-root"]
    assert bank.unwritten[0].engine[0].file == "checks.py"
    assert digest_of(bank, workshop, suites) == digest
    assert (copy.root / "autograder/misconceptions/part4.toml").read_text().startswith(before)
    said = next(row.breaches for row in handout_rows(copy, part) if row.what.startswith("placeholders"))
    assert len(said) == 6
    assert "4.6 still lacks a title that students read" in said[0]
    assert all("adds-the-root" in sentence and "misconceptions/part4.toml:" in sentence for sentence in said)


def test_a_written_entry_is_in_the_bank_and_its_task_has_a_misconception(copy):
    new_task(copy, "4.8", title="counting nodes", name="count_nodes")
    course = load_course(copy.root)
    finish_task(course)
    new_misconception(course, course.part("part4"), "counts-uses", "4.8")
    finish_misconception(course)
    bank = bank_of(course)
    assert bank.unwritten == ()
    entry = bank.entry("counts-uses")
    assert entry.title == MISCONCEPTION["title"]
    wrong = Workshop(course, course.part("part4")).wrong(entry, entry.engine[0])
    assert MISCONCEPTION["new"] in wrong["checks.py"].decode()
    rows = {row.what.partition(":")[0]: row.breaches for row in handout_rows(course, course.part("part4"))}
    assert (rows["placeholders"], rows["misconceptions"]) == ([], [])


def test_the_first_entry_of_a_part_makes_its_bank(copy):
    path = copy.root / "autograder" / "misconceptions" / "part8.toml"
    path.unlink()
    new_misconception(copy, copy.part("part8"), "no-shift", "8.2")
    assert [entry.id for entry in bank_of(copy, "part8").unwritten] == ["no-shift"]


@pytest.mark.parametrize(
    ("name", "task", "says"),
    [
        ("replaces", "4.1", "part4.toml has a misconception replaces already"),
        ("Adds Twice", "4.1", "'Adds Twice' can't be a misconception's name"),
        ("adds-twice", "4.9", "part4 has no task '4.9'"),
    ],
)
def test_what_cannot_be_added_is_refused_in_a_sentence(copy, name, task, says):
    path = copy.root / "autograder" / "misconceptions" / "part4.toml"
    before = path.read_bytes()
    with pytest.raises(CourseError) as refused:
        new_misconception(copy, copy.part("part4"), name, task)
    assert says in str(refused.value)
    assert path.read_bytes() == before
