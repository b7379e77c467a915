"""Scores for people and for an LMS: what arrives is what the gradebook says, and nothing that is not final."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest
from nbgrader.api import Gradebook
from typer.testing import CliRunner

from autograder.cli import app
from autograder.exports.grades import Format, grades
from autograder.gradebook.rows import Row, read_rows
from autograder.tests.gradebook.tiny import FULL, PARTLY, hand_in


def marked(student: str, plus: float, times: float, answer: float | None, **more) -> Row:
    cells = {"task-4-1": plus, "task-4-2": times} | ({} if answer is None else {"question-second": answer})
    waits = ("question-second",) if answer is None else ()
    return Row(student=student, cells=tuple(sorted(cells.items())), waits=waits, **more)


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


ROWS = [
    marked("ada", 1.25, 3.5, 4, first_name="Ada", last_name='O"Hara, Countess', email="ada@x.edu", lms_id="71"),
    marked("bob", 2, 0, None, first_name="Bob", last_name="Ray", email="bob@x.edu"),
    Row(student="cyd", handed_in=False),
    Row(student="dee", cells=(("question-second", 3.0),), waits=("task-4-1", "task-4-2")),
    marked("eve", 0, 0, 0, email="eve@x.edu", penalty=1.5, late=timedelta(hours=26, minutes=15)),
]


@pytest.fixture
def part(tiny):
    return tiny.course.part("4")


@pytest.mark.parametrize("form", ["canvas", "moodle"])
def test_only_final_scores_leave_for_an_lms_and_the_others_are_named(part, form: Format):
    made = grades(part, ROWS, form)
    assert made.left_out == (("bob", "waits for a mark"), ("cyd", "nothing handed in"), ("dee", "not graded"))
    assert "bob" not in made.text
    assert "dee" not in made.text


def test_canvas_finds_its_columns_the_points_possible_and_each_student(part):
    table = list(csv.reader(io.StringIO(grades(part, ROWS, "canvas").text, newline="")))
    assert table[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Part 4: Automating backward"]
    assert table[1] == ["    Points Possible", "", "", "", "", "9.5"]
    assert table[2] == ['O"Hara, Countess, Ada', "71", "", "ada", "", "8.75"]
    assert table[3][3:] == ["eve", "", "0"]
    assert len(table) == 4


def test_moodle_gets_an_address_and_a_number_to_know_each_student_by(part):
    ada, eve = read(grades(part, ROWS, "moodle").text)
    assert (ada["Email address"], ada["ID number"]) == ("ada@x.edu", "71")
    assert (ada["First name"], ada["Last name"]) == ("Ada", 'O"Hara, Countess')
    assert ada["Part 4: Automating backward (Real)"] == "8.75"
    assert eve["ID number"] == "eve"


def test_the_plain_file_has_everybody_with_every_cell_and_an_empty_score_where_none_is_final(part):
    rows = {row["student"]: row for row in read(grades(part, ROWS, "csv").text)}
    assert [rows[name]["score"] for name in rows] == ["8.75", "", "", "", "0"]
    assert (rows["ada"]["task-4-1"], rows["ada"]["question-second"]) == ("1.25", "4")
    assert (rows["dee"]["task-4-1"], rows["dee"]["question-second"]) == ("", "3")
    assert rows["eve"]["hours_late"] == "26.25"
    assert rows["eve"]["penalty"] == "1.5"
    assert {row["max_score"] for row in rows.values()} == {"9.5"}


def test_nothing_handed_in_is_a_zero_only_when_asked_for(part):
    made = grades(part, ROWS, "moodle", missing_as_zero=True)
    scores = {row["ID number"]: row["Part 4: Automating backward (Real)"] for row in read(made.text)}
    assert scores == {"71": "8.75", "cyd": "0", "eve": "0"}
    assert [student for student, _ in made.left_out] == ["bob", "dee"]


@pytest.mark.parametrize("form", ["csv", "canvas", "moodle"])
def test_a_name_is_no_formula_for_a_spreadsheet(part, form: Format):
    row = marked("mal", 1, 1, 1, first_name="=HYPERLINK(1)", last_name="@SUM(A1)")
    for line in csv.reader(io.StringIO(grades(part, [row], form).text, newline="")):
        assert not any(field.startswith(("=", "@", "+", "-")) for field in line)


def test_what_is_exported_is_what_the_gradebook_holds(tiny, part):
    hand_in(tiny.root, "ada", PARTLY)
    hand_in(tiny.root, "bob", FULL)
    hand_in(tiny.root, "cyd", "# break the judge")
    tiny.grade()
    with Gradebook(tiny.api.coursedir.db_url, "micrograder") as gradebook:
        gradebook.update_or_create_student("dee", email="dee@x.edu")
        for student, points in (("ada", 2.5), ("bob", 3.25)):
            answer = gradebook.find_grade("question-second", "part4", "part4", student)
            answer.manual_score, answer.needs_manual_grade = points, False
        gradebook.find_grade("task-4-2", "part4", "part4", "bob").extra_credit = 0.5
        gradebook.db.commit()
        expected = {name: gradebook.find_submission("part4", name).score for name in ("ada", "bob")}
    rows = {row["student"]: row for row in read(grades(part, read_rows(tiny.course, part), "csv").text)}
    assert {name: float(rows[name]["score"]) for name in expected} == expected == {"ada": 3.75, "bob": 9.25}
    assert (rows["cyd"]["state"], rows["cyd"]["score"]) == ("not graded", "")
    assert (rows["dee"]["state"], rows["dee"]["score"]) == ("nothing handed in", "")


def test_the_command_writes_the_file_and_names_who_has_no_score(tiny):
    hand_in(tiny.root, "ada", FULL)
    tiny.grade()
    result = CliRunner().invoke(app, ["export", "4", "--to", "canvas", "--course", str(tiny.root)])
    assert result.exit_code == 0, result.output
    assert "no score yet: ada: waits for a mark" in result.output
    written = (tiny.root / "exports" / "part4-canvas.csv").read_bytes()
    assert written.count(b"\r\n") == 2
    assert b"\r\r" not in written
