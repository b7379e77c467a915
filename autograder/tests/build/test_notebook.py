"""The notebook: nbgrader's metadata, fixed ids, points from the manifest, and what has to be complete."""

from __future__ import annotations

import json
import re

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator

from autograder.build.notebook import build_notebook
from autograder.course.manifest import CourseError
from autograder.course.notebook_text import model_answers
from autograder.tests.build.tiny import edit

SOURCE = "solutions/part2/part2.py"


def cells(course):
    return json.loads(build_notebook(course, course.part("part2")))["cells"]


def test_check_cells_and_answer_cells_carry_what_nbgrader_needs(course):
    notebook = nbformat.reads(build_notebook(course, course.part("part2")), as_version=4)
    MetadataValidator().validate_nb(notebook)
    graded = {c.id: c for c in notebook.cells if "nbgrader" in c.metadata}
    assert list(graded) == ["task-2-1", "task-2-2", "question-why-count"]
    check, answer = graded["task-2-2"], graded["question-why-count"]
    assert (check.source, check.metadata.nbgrader.grade_id, check.metadata.nbgrader.points) == (
        'check("2.2")',
        "task-2-2",
        2.5,
    )
    assert (check.metadata.nbgrader.locked, check.metadata.nbgrader.solution) == (True, False)
    assert (answer.source, answer.cell_type, answer.metadata.nbgrader.points) == (
        "Your answer goes here.",
        "markdown",
        3.0,
    )
    assert (answer.metadata.nbgrader.locked, answer.metadata.nbgrader.solution) == (False, True)


def test_the_model_answer_is_left_out_and_can_be_read_for_the_scan(course):
    text = build_notebook(course, course.part("part2"))
    assert "former place" not in text
    assert "answer" not in "".join(key for cell in json.loads(text)["cells"] for key in cell["metadata"])
    [(question, where, answer)] = model_answers(course, course.part("part2"))
    assert (question, where) == ("why-count", f"{SOURCE}:20")
    assert answer.startswith("Because every single step")


def test_there_are_no_outputs_and_ids_are_fixed(course):
    plain = [c for c in cells(course) if "nbgrader" not in c["metadata"]]
    assert [c["id"] for c in plain] == ["cell-000", "cell-001", "cell-004"]
    assert all(c["outputs"] == [] and c["execution_count"] is None for c in cells(course) if c["cell_type"] == "code")


def test_two_builds_give_the_same_bytes(course):
    part = course.part("part2")
    text = build_notebook(course, part)
    assert text == build_notebook(course, part)
    assert "Zähler" in text
    assert text.endswith("}\n")


def test_blank_lines_between_the_cells_of_the_text_make_no_difference(course):
    before = build_notebook(course, course.part("part2"))
    edit(course, SOURCE, "\n\n", "\n\n\n\n")
    assert build_notebook(course, course.part("part2")) == before


def test_points_come_from_the_manifest_alone(course):
    from autograder.course.manifest import load_course

    edit(course, "solutions/course.toml", "points = 2.5", "points = 7.25")
    again = load_course(course.root)
    assert '"points": 7.25' in build_notebook(again, again.part("part2"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('# %% task="2.2"\ncheck("2.2")\n', "", f"{SOURCE}: task 2.2 has no check cell"),
        ('# %% task="2.2"', '# %% task="2.1"', f'{SOURCE}:11: the check cell of task 2.1 has to say check("2.1")'),
        ('check("2.2")\n', 'check("2.2")\n\n# %% task="2.2"\ncheck("2.2")\n', "task 2.2 has 2 check cells, not one"),
        ('task="2.2"', 'task="2.9"', f"{SOURCE}:11: part2 has no task '2.9'"),
        ('# %% task="2.2"', '# %% [markdown] task="2.2"', "the cell of task 2.2 has to be a code cell"),
        ('question="why-count"', 'question="why-not"', f"{SOURCE}:17: part2 has no question 'why-not'"),
        ('# %% [markdown] question="why-count"\n# Your', "# Your", "question why-count has no answer cell"),
        ('answer="why-count"', 'question="why-count"', f"{SOURCE}:20: an ordinary markdown cell has to ask"),
        ("# %% [markdown]\n# ## Why does a counter never forget?\n", "", f"{SOURCE}:15: an ordinary markdown cell"),
        ('# %% [markdown] answer="why-count"', "# %% [markdown]", "question why-count has no model answer"),
        ('question="why-count"', 'question="why-count" answer="why-count"', f"{SOURCE}:17: a cell marked as"),
        ('task="2.2"', 'tsak="2.2"', f"{SOURCE}:11: a cell is marked 'tsak'"),
    ],
)
def test_what_is_missing_double_or_unknown_is_named(course, old, new, message):
    edit(course, SOURCE, old, new)
    with pytest.raises(CourseError, match=re.escape(message)):
        build_notebook(course, course.part("part2"))


def test_a_part_without_a_notebook_text_is_reported(course):
    (course.root / SOURCE).unlink()
    with pytest.raises(CourseError, match=r"solutions/part2/part2\.py: part2 has no notebook text"):
        build_notebook(course, course.part("part2"))
