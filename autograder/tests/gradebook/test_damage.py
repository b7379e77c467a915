"""Damaged, strange and hostile submissions: each gets its judged score, none stops the others, none is changed."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path

import pytest

from autograder.gradebook.autograde import FOLDER
from autograder.tests.gradebook.tiny import FULL, PARTLY, PLACEHOLDER, hand_in

CHECK, ANSWER = 2, 5  # where the first check cell and the answer stand in the tiny notebook


def duplicate_check(document: dict) -> None:
    document["cells"].insert(3, copy.deepcopy(document["cells"][CHECK]))


def delete_check(document: dict) -> None:
    del document["cells"][CHECK]


def edit_check(document: dict) -> None:
    document["cells"][CHECK]["source"] = "print(2.0)"
    document["cells"][CHECK]["metadata"]["nbgrader"].update(points=100, schema_version=99, locked=False)


def strip_metadata(document: dict) -> None:
    for cell in document["cells"]:
        cell["metadata"] = {}


def forge_output(document: dict) -> None:
    output = {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": "2.0"}}
    document["cells"][CHECK]["outputs"] = [output]


def forge_stamp(document: dict) -> None:
    document["metadata"]["micrograder"] = {"content": "x", "state": "read", "note": "", "graded": True}


def empty_nbgrader_metadata(document: dict) -> None:
    document["cells"][CHECK]["metadata"]["nbgrader"] = {}


def old_schema(document: dict) -> None:
    document["cells"][CHECK]["metadata"]["nbgrader"] = {"grade": True, "grade_id": "task-4-1", "points": 2}


def unknown_grade_id(document: dict) -> None:
    document["cells"][CHECK]["metadata"]["nbgrader"]["grade_id"] = "bonus"


def nonsense_inside(document: dict) -> None:
    document["cells"] += [7, None, {"cell_type": "code"}, {"cell_type": "raw", "source": 3, "metadata": []}]
    document["cells"][0]["metadata"] = "?"


@pytest.mark.parametrize(
    "edit",
    [
        duplicate_check,
        delete_check,
        edit_check,
        strip_metadata,
        forge_output,
        forge_stamp,
        empty_nbgrader_metadata,
        old_schema,
        unknown_grade_id,
        nonsense_inside,
    ],
)
def test_a_damaged_cell_changes_neither_the_score_nor_the_batch(tiny, edit):
    hand_in(tiny.root, "damaged", PARTLY, edit=edit)
    hand_in(tiny.root, "next", FULL)
    result = tiny.grade()
    assert result["success"], result
    assert tiny.row("damaged")["task-4-1"] == (1.25, False)
    assert tiny.row("damaged")["task-4-2"] == (0, False)
    assert tiny.row("next")["task-4-1"] == (2.0, False)


@pytest.mark.parametrize(
    "raw",
    [b"", b"{not json", b"[]", b'{"cells": 3}', b"[" * 50_000, b"\xff\xfe\x00", b'{"nbformat": 4}', b"null"],
    ids=["empty", "not json", "a list", "cells is a number", "too deep", "not text", "no cells", "null"],
)
def test_an_unreadable_notebook_keeps_the_code_score_and_leaves_the_answer_to_a_person(tiny, raw):
    hand_in(tiny.root, "ada", PARTLY, raw=raw)
    hand_in(tiny.root, "next", FULL)
    result = tiny.grade()
    assert result["success"], result
    assert tiny.row("ada") == {"task-4-1": (1.25, False), "task-4-2": (0, False), "question-second": (None, True)}
    assert "no written answer could be taken from it" in tiny.comment("ada")
    assert "no written answer could be taken from it" in tiny.feedback("ada")
    assert "submitted/ada/part4" in result["log"]
    assert tiny.row("next")["task-4-2"] == (3.5, False)


def test_a_missing_notebook_keeps_the_code_score_and_gives_the_answer_zero_with_the_reason(tiny):
    hand_in(tiny.root, "ada", PARTLY, notebook=False)
    assert tiny.grade()["success"]
    assert tiny.row("ada") == {"task-4-1": (1.25, False), "task-4-2": (0, False), "question-second": (0, False)}
    assert tiny.comment("ada") == "No notebook was handed in (part4.ipynb is not there)."


def test_an_empty_folder_is_graded_too(tiny):
    hand_in(tiny.root, "empty", None, notebook=False)
    assert tiny.grade()["success"]
    assert tiny.row("empty")["task-4-1"] == (0, False)


def test_the_only_notebook_is_taken_under_any_name_and_the_page_says_so(tiny):
    folder = hand_in(tiny.root, "ada", answer="It doubles.")
    (folder / "part4.ipynb").rename(folder / "part4 (1)<b>.ipynb")
    assert tiny.grade()["success"]
    assert tiny.row("ada")["question-second"] == (None, True)
    page = tiny.feedback("ada")
    assert "It doubles." in page
    assert "part4 (1)&lt;b&gt;.ipynb" in page


def test_two_notebooks_of_other_names_are_left_to_a_person(tiny):
    folder = hand_in(tiny.root, "ada")
    (folder / "other.ipynb").write_bytes((folder / "part4.ipynb").read_bytes())
    (folder / "part4.ipynb").rename(folder / "mine.ipynb")
    tiny.grade()
    assert tiny.row("ada")["question-second"] == (None, True)
    assert "which of the 2 other notebooks counts?" in tiny.comment("ada")


def test_an_old_nbformat_keeps_its_answers(tiny):
    def downgrade(document: dict) -> None:
        cells = document.pop("cells")
        for cell in cells:
            cell.pop("id", None)
            if cell["cell_type"] == "code":
                cell["input"] = cell.pop("source")
        document.update(nbformat=3, nbformat_minor=0, worksheets=[{"cells": cells, "metadata": {}}])

    hand_in(tiny.root, "ada", answer="From an old Jupyter.", edit=downgrade)
    assert tiny.grade()["success"]
    assert "From an old Jupyter." in tiny.feedback("ada")


def test_a_deleted_answer_cell_waits_for_a_person_when_the_student_wrote_elsewhere(tiny):
    def move(document: dict) -> None:
        document["cells"][ANSWER]["metadata"] = {}
        document["cells"][ANSWER].pop("id")

    hand_in(tiny.root, "ada", answer="My answer, pasted into a cell of its own.", edit=move)
    hand_in(tiny.root, "bob", edit=lambda document: document["cells"].pop(ANSWER))
    tiny.grade()
    assert tiny.row("ada")["question-second"] == (None, True)
    assert "pasted into a cell of its own" in tiny.feedback("ada")
    assert tiny.row("bob")["question-second"] == (0, False)


def test_of_a_duplicated_answer_the_written_one_counts_and_none_is_lost(tiny):
    def twice(document: dict) -> None:
        first = document["cells"][ANSWER]
        second, third = copy.deepcopy(first), copy.deepcopy(first)
        second["source"], third["source"] = "The later answer.", PLACEHOLDER
        document["cells"] += [second, third]

    hand_in(tiny.root, "ada", answer="The first answer.", edit=twice)
    tiny.grade()
    notebook = json.loads((tiny.autograded("ada") / "part4.ipynb").read_text())
    answer = next(c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("solution"))
    assert "".join(answer["source"]) == "The later answer."
    assert "The first answer." in tiny.feedback("ada")


def test_own_cells_stay_where_they_stood_and_a_prediction_replaces_its_cell(tiny):
    def scribble(document: dict) -> None:
        document["cells"][1]["source"] = "prediction = 6.5"
        own = {"cell_type": "markdown", "metadata": {}, "source": "A note of mine.", "id": "mine"}
        document["cells"].insert(4, own)

    hand_in(tiny.root, "ada", edit=scribble)
    tiny.grade()
    notebook = json.loads((tiny.autograded("ada") / "part4.ipynb").read_text())
    texts = ["".join(cell["source"]) for cell in notebook["cells"]]
    assert texts == [
        "# Part 4",
        "prediction = 6.5",
        'check("4.1")',
        "Between the checks.",
        "A note of mine.",
        'check("4.2")',
        "Because it adds.",
    ]


def test_symbolic_links_are_not_followed(tiny, tmp_path):
    secret = tmp_path / "test_hidden.py"
    secret.write_text(f"SECRET = 4711\n{FULL}")
    folder = hand_in(tiny.root, "ada", None)
    (folder / "value.py").symlink_to(secret)
    (folder / "part4.ipynb").unlink()
    (folder / "part4.ipynb").symlink_to(secret)
    result = tiny.grade()
    assert result["success"], result
    assert "value.py is a symbolic link" in result["log"]
    assert tiny.row("ada")["task-4-1"] == (0, False)
    tiny.feedback("ada")
    for copied in [
        *tiny.root.glob("autograded/**/*"),
        *tiny.root.glob("feedback/**/*"),
        *tiny.root.glob(f"{FOLDER}/**/*"),
    ]:
        assert not copied.is_symlink()
        assert copied.is_dir() or b"4711" not in copied.read_bytes()


def test_a_linked_folder_is_graded_as_empty(tiny, tmp_path):
    elsewhere = hand_in(tiny.root, "bob", FULL)
    (tiny.root / "submitted" / "ada").mkdir()
    (tiny.root / "submitted" / "ada" / "part4").symlink_to(elsewhere)
    tiny.grade()
    assert not (tiny.autograded("ada") / "value.py").exists()
    assert "is a symbolic link" in tiny.comment("ada")


def test_a_pipe_does_not_hang_the_batch(tiny):
    folder = hand_in(tiny.root, "ada", None, notebook=False)
    os.mkfifo(folder / "part4.ipynb")
    assert tiny.grade()["success"]
    assert "is not an ordinary file" in tiny.comment("ada")


def test_a_huge_file_is_not_copied(tiny, monkeypatch):
    monkeypatch.setattr("autograder.gradebook.intake.LARGEST_CODE", 1_000)
    hand_in(tiny.root, "ada", "#" * 1_001)
    result = tiny.grade()
    assert "value.py is larger than 1 kB" in result["log"]
    assert not (tiny.autograded("ada") / "value.py").exists()


@pytest.mark.parametrize("timestamp", ["yesterday-ish", "\x00", "", "9999999999999999999", "2027-13-45 25:61 UTC"])
def test_a_timestamp_that_is_none_does_not_lose_the_student(tiny, timestamp):
    hand_in(tiny.root, "ada", PARTLY, timestamp=timestamp)
    assert tiny.grade()["success"]
    assert tiny.row("ada")["task-4-1"] == (1.25, False)


def test_what_was_handed_in_is_never_changed(tiny):
    folder = hand_in(tiny.root, "ada", PARTLY, edit=duplicate_check, timestamp="2027-05-01 10:00:00 UTC")
    (folder / "extra.txt").write_text("mine")
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}
    tiny.grade()
    tiny.feedback("ada")
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()} == before
    assert tiny.api.coursedir.submitted_directory == "submitted"


@pytest.mark.parametrize("name", ["a[b]", "zero\u200bwidth"])
def test_a_folder_name_that_cannot_be_graded_is_reported_and_the_others_are_graded(tiny, name):
    hand_in(tiny.root, name, FULL)
    hand_in(tiny.root, "bob", PARTLY)
    result = tiny.grade()
    assert not result["success"]
    assert "rename the folder" in result["log"]
    assert tiny.row("bob")["task-4-1"] == (1.25, False)


def test_the_submitted_folder_is_put_back_when_grading_breaks_off(tiny, monkeypatch):
    hand_in(tiny.root, "ada")
    monkeypatch.setattr("autograder.gradebook.preprocessors.ask_judge", _interrupted)
    assert not tiny.grade()["success"]
    assert tiny.api.coursedir.submitted_directory == "submitted"


def test_a_submission_that_was_withdrawn_is_not_graded_from_its_old_copy(tiny):
    folder = hand_in(tiny.root, "ada")
    hand_in(tiny.root, "bob")
    tiny.grade()
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    assert tiny.grade(force=True)["success"]
    assert not (tiny.root / FOLDER / "ada" / "part4").exists()


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_the_intake_copies_bytes_and_nothing_else(tiny):
    folder = hand_in(tiny.root, "ada", "def broken(:\n\x00")
    (folder / "helper.py").write_text("x = 1")
    tiny.grade()
    copied = {path.name for path in Path(tiny.root / FOLDER / "ada" / "part4").iterdir()}
    assert copied == {"value.py", "part4.ipynb"}
    assert (tiny.autograded("ada") / "value.py").read_bytes() == b"def broken(:\n\x00"
