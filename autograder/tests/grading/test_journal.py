"""The journal: what is in it survives a torn line, and tells what was under way."""

from __future__ import annotations

import pytest

from autograder.grading.journal import WRITING, WRITTEN, Journal
from autograder.tests.judge.small_course import make_small_course


@pytest.fixture
def journal(tmp_path) -> Journal:
    return Journal(make_small_course(tmp_path), "part4")


def test_without_a_file_nothing_is_unfinished(journal):
    assert journal.unfinished() == set()
    assert list(journal.entries()) == []


def test_what_began_and_did_not_end_is_unfinished(journal):
    journal.note(WRITING, "ada")
    journal.note(WRITING, "bob")
    journal.note(WRITTEN, "ada")
    journal.note(WRITING, "cyd")
    journal.note(WRITTEN, "cyd")
    journal.note(WRITING, "ada")
    assert journal.unfinished() == {"ada", "bob"}


def test_every_entry_keeps_what_was_noted_with_it_in_order(journal):
    journal.note(WRITTEN, "ada", seed=3)
    journal.note(WRITTEN, "ada", seed=5)
    journal.note(WRITTEN, "bob", seed=8)
    journal.note(WRITING, "ada", seed=9)
    written = [entry for entry in journal.entries() if (entry["student"], entry["event"]) == ("ada", WRITTEN)]
    assert [entry["seed"] for entry in written] == [3, 5]


@pytest.mark.parametrize("torn", [b'{"event": "writ', b"\xff", b"3", b'{"event": "writing", "student": 7}'])
def test_a_torn_line_hides_neither_what_stands_before_it_nor_what_comes_after(journal, torn):
    journal.note(WRITING, "ada")
    with journal.path.open("ab") as file:
        file.write(torn)
    journal.note(WRITING, "bob")
    journal.note(WRITTEN, "ada")
    assert journal.unfinished() == {"bob"}
