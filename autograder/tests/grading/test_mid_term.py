"""Changes after submissions exist: one edit, one preview, one `grade`, and nothing that anybody did is lost."""

from __future__ import annotations

import io
import shutil
import sqlite3

import pytest
from nbgrader.api import Gradebook
from rich.console import Console

from autograder.cache.keys import Keys
from autograder.course import CourseError, load_course
from autograder.exports.grades import grades
from autograder.gradebook.overrides import Override, add_override
from autograder.gradebook.rows import Row, read_rows
from autograder.grading import asking
from autograder.grading.screen import print_preview
from autograder.reports.page import report
from autograder.tests.gradebook import fake_judge
from autograder.tests.gradebook.tiny import hand_in
from autograder.tests.grading.test_grade import mark, tree

ON_TIME, LATE = "2027-05-03 21:00:00 UTC", "2027-05-04 10:00:00 UTC"
FULL_POINTS = {"4.1": 2.0, "4.2": 3.5}


@pytest.fixture
def term(classroom, monkeypatch):
    """Three students, graded and marked: ada on time, bob late, cyd without an answer. The late rule takes 10 %."""
    ask = fake_judge.ask

    def scaled(course, part, path):
        """As the real judge: a task's score is a share of what the task counts."""
        verdict = ask(course, part, path)
        for task in verdict.tasks:
            task.score *= task.max / FULL_POINTS[task.id]
        return verdict.model_copy(update={"score": sum(task.score for task in verdict.tasks)})

    def keys(course, part):
        return Keys("part4", "good", 0, "judge", {}, f"{part.tasks} {fake_judge.HIDDEN}")

    monkeypatch.setattr(fake_judge, "ask", scaled)
    monkeypatch.setattr(asking, "official_keys", keys)
    edit(classroom, 'title = "Tiny"', 'title = "Tiny"\nlate_percent_per_day = 10\nlate_window_days = 2')
    hand_in(classroom.root, "ada", "# earns 4.1=1.5 4.2=3.5\n", timestamp=ON_TIME)
    hand_in(classroom.root, "bob", "# earns 4.1=2 4.2=1.75\n", timestamp=LATE)
    hand_in(classroom.root, "cyd", "# earns 4.1=0.5 4.2=0\n", answer=None, timestamp=ON_TIME)
    classroom.grade()
    mark(classroom.root, "ada", 3.25, "Nearly.")
    mark(classroom.root, "bob", 1.5, "Half of it.")
    settle(classroom, "ada", "bob")
    classroom.grade()  # bob's penalty covers his mark from here on
    assert scores(classroom) == {"ada": 8.25, "bob": 4.725, "cyd": 0.5}
    return classroom


def edit(classroom, old: str, new: str) -> None:
    """One edit in course.toml."""
    path = classroom.root / "solutions" / "course.toml"
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def settle(classroom, *students: str) -> None:
    """The formgrader takes a cell that was marked off its list."""
    with Gradebook(f"sqlite:///{classroom.root / 'gradebook.db'}", "micrograder") as gradebook:
        for student in students:
            gradebook.find_grade("question-second", "part4", "part4", student).needs_manual_grade = False
        gradebook.db.commit()


def rows(classroom) -> dict[str, Row]:
    course = load_course(classroom.root)
    return {row.student: row for row in read_rows(course, course.part("part4"))}


def scores(classroom) -> dict[str, float]:
    return {student: row.score for student, row in rows(classroom).items()}


def not_final(classroom) -> tuple:
    course = load_course(classroom.root)
    part = course.part("part4")
    return grades(part, read_rows(course, part), "csv").left_out


def shown(classroom) -> list[str]:
    text = io.StringIO()
    before = tree(classroom.root)
    found = classroom.preview()
    assert tree(classroom.root) == before
    print_preview(load_course(classroom.root).part("part4"), found, Console(file=text, width=80))
    return text.getvalue().splitlines()


def nbgrader_s(classroom, student: str) -> tuple[float, float]:
    """The score and the maximum that nbgrader itself computes."""
    with Gradebook(f"sqlite:///{classroom.root / 'gradebook.db'}", "micrograder") as gradebook:
        submission = gradebook.find_submission("part4", student)
        return submission.score, submission.max_score


def promised(lines: list[str]) -> dict[str, float]:
    """By student, what the preview said the score would change by."""
    found = [line.split(": ") for line in lines if line.endswith(" points") and not line.startswith((" ", "part4"))]
    return {student: float(change.removesuffix(" points")) for student, change in found}


def grade_as_previewed(classroom) -> list[str]:
    """Preview, grade, and hold the one against the other; returns the preview's lines."""
    before, lines = scores(classroom), shown(classroom)
    assert classroom.grade().ungraded == {}
    after = scores(classroom)
    moved = {name: after[name] - before[name] for name in after if abs(after[name] - before[name]) > 1e-9}
    assert moved == pytest.approx(promised(lines), abs=1e-3)
    assert shown(classroom)[-1] == "part4: 0 of 3 submissions would move; nothing was written"
    assert classroom.grade().unchanged == 3
    return lines


def test_a_corrected_test_moves_those_it_was_wrong_for_and_marks_stay_settled(term, monkeypatch):
    ask = fake_judge.ask

    def corrected(course, part, path):
        verdict = ask(course, part, path)
        [task] = [task for task in verdict.tasks if task.id == "4.1"]
        task.score = task.max if task.score == 1.5 else task.score
        return verdict.model_copy(update={"suite": "corrected", "score": sum(t.score for t in verdict.tasks)})

    monkeypatch.setattr(fake_judge, "ask", corrected)
    monkeypatch.setattr(fake_judge, "HIDDEN", "another sentence")
    lines = grade_as_previewed(term)
    assert lines[:2] == ["ada: +0.5 points", "  4.1: 1.5 -> 2"]
    assert scores(term) == {"ada": 8.75, "bob": 4.725, "cyd": 0.5}
    assert not_final(term) == ()
    assert term.tiny.comment("ada") == "Nearly."


def test_a_mark_waits_again_once_other_work_is_handed_in(term):
    hand_in(term.root, "ada", "# earns 4.1=2 4.2=3.5\n", answer="A new answer.", timestamp=ON_TIME)
    term.grade()
    assert not_final(term) == (("ada", "waits for a mark"),)
    hand_in(term.root, "ada", "# earns 4.1=2 4.2=3.5\n", answer="A newer answer.", timestamp=ON_TIME)
    term.grade()
    term.grade(fresh=True)
    assert not_final(term) == (("ada", "waits for a mark"),)


def test_a_due_date_that_moves_changes_what_lateness_costs(term):
    edit(term, "due = 2027-05-03T22:00:00Z", "due = 2027-05-03T20:00:00Z")
    lines = grade_as_previewed(term)
    assert "ada: -0.825 points" in lines
    assert "  taken off for lateness: 0 -> 0.825" in lines
    edit(term, "due = 2027-05-03T20:00:00Z", "due = 2027-05-04T22:00:00Z")
    lines = grade_as_previewed(term)
    assert "bob: +0.525 points" in lines
    assert scores(term) == {"ada": 8.25, "bob": 5.25, "cyd": 0.5}


def test_a_new_extension_counts_in_the_preview_too(term):
    edit(
        term,
        '[[part]]\nid = "part5"',
        '[[extension]]\nstudent = "bob"\npart = "part4"\ndays = 1\n[[part]]\nid = "part5"',
    )
    assert grade_as_previewed(term)[:2] == ["bob: +0.525 points", "  taken off for lateness: 0.525 -> 0"]


def test_a_task_that_counts_more_is_worth_more_for_everybody(term):
    edit(term, "points = 2\n", "points = 6\n")
    lines = grade_as_previewed(term)
    assert "part4 would be worth 13.5 points; it is worth 9.5 now" in lines
    assert scores(term) == {"ada": 11.25, "bob": pytest.approx(9.25 * 0.9), "cyd": 1.5}
    assert nbgrader_s(term, "ada") == (11.25, 13.5)
    assert not_final(term) == ()
    assert "<b>1.5</b> of 13.5 points" in term.tiny.feedback("cyd")


def test_a_mark_above_what_a_question_is_worth_now_stays_and_waits_for_its_marker(term):
    edit(term, "points = 4\n", "points = 3\n")
    sentence = "ada: second is worth 3 points and was marked 3.25; mark it again"
    assert sentence in shown(term)
    term.grade()
    assert sentence in term.seen.remarks
    assert not_final(term) == (("ada", "waits for a mark"),)
    assert rows(term)["ada"].score == 8.25
    assert nbgrader_s(term, "cyd") == (0.5, 8.5)


def test_an_answer_left_open_is_still_known_as_one_after_its_question_counts_more(term):
    edit(term, "points = 4\n", "points = 5\n")
    term.grade(fresh=True)
    hand_in(term.root, "cyd", "# earns 4.1=0.25 4.2=0\n", answer=None, timestamp=ON_TIME)
    term.grade()
    assert term.tiny.row("cyd")["question-second"] == (0.0, False)
    assert term.tiny.grade("cyd", force=True)["success"]
    assert term.tiny.row("cyd")["question-second"] == (0.0, False)


def test_a_dropped_task_counts_for_nobody_and_comes_back_as_it_was(term):
    course = load_course(term.root)
    add_override(course, course.part("part4"), Override(student="cyd", task="4.2", points=1.25, reason="In spirit."))
    term.grade()
    whole = scores(term)
    assert whole["cyd"] == 1.75
    edit(term, "points = 3.5\n", 'points = 3.5\ndropped = "its tests were wrong"\n')
    lines = grade_as_previewed(term)
    assert "  4.2: 1.25 -> 0" in lines
    assert scores(term) == {"ada": 4.75, "bob": pytest.approx(3.5 * 0.9), "cyd": 0.5}
    assert nbgrader_s(term, "bob") == (3.5, 6.0)
    assert not_final(term) == ()
    page = term.tiny.feedback("ada")
    assert "4.2 closure of * (no longer counts: its tests were wrong)" in page
    course = load_course(term.root)
    assert "closure of * (no longer counts: its tests were wrong)" in report(course, [course.part("part4")])
    edit(term, 'dropped = "its tests were wrong"\n', "")
    grade_as_previewed(term)
    assert scores(term) == whole


def test_a_dropped_question_waits_for_nobody_and_its_marks_and_comments_come_back(term):
    with Gradebook(f"sqlite:///{term.root / 'gradebook.db'}", "micrograder") as gradebook:
        gradebook.find_grade("question-second", "part4", "part4", "ada").extra_credit = 0.5
        gradebook.db.commit()
    hand_in(term.root, "dan", "# earns 4.1=2 4.2=0\n", timestamp=ON_TIME)
    term.grade()
    whole = scores(term)
    assert whole["ada"] == 8.75
    assert not_final(term) == (("dan", "waits for a mark"),)
    edit(term, "points = 4\n", 'points = 4\ndropped = "asked twice"\n')
    assert shown(term)[:2] == ["ada: -3.75 points", "  second: 3.75 -> 0"]
    term.grade()
    assert scores(term) == {"ada": 5.0, "bob": pytest.approx(3.75 * 0.9), "cyd": 0.5, "dan": 2.0}
    assert not_final(term) == ()
    assert nbgrader_s(term, "ada") == (5.0, 5.5)
    assert "A second backward (no longer counts: asked twice)" in term.tiny.feedback("ada")
    assert "Nearly." in term.tiny.feedback("ada")
    # Through nbgrader, too, and for what is handed in later.
    hand_in(term.root, "dan", "# earns 4.1=1 4.2=0\n", answer="Another.", timestamp=ON_TIME)
    assert term.tiny.grade("dan")["success"]
    assert term.tiny.row("dan")["question-second"] == (0.0, False)
    edit(term, 'dropped = "asked twice"\n', "")
    assert "  second: 0 -> 3.75" in shown(term)
    term.grade()
    assert scores(term) == whole | {"dan": 1.0}
    assert not_final(term) == (("dan", "waits for a mark"),)
    with sqlite3.connect(term.root / "gradebook.db") as connection:
        assert connection.execute("select count(*) from micrograder_set_aside").fetchone() == (0,)


def test_a_dropped_part_is_worth_nothing_and_comes_back_as_it_was(term):
    whole, comments = scores(term), term.database()["comments"]
    edit(term, 'title = "Automating backward"\n', 'title = "Automating backward"\ndropped = "the server was down"\n')
    lines = grade_as_previewed(term)
    assert "part4 would be worth 0 points; it is worth 9.5 now" in lines
    assert scores(term) == dict.fromkeys(whole, 0.0)
    assert nbgrader_s(term, "ada") == (0.0, 0.0)
    assert not_final(term) == ()
    course = load_course(term.root)
    assert "no longer counts: the server was down" in report(course, [course.part("part4")])
    assert "no longer counts: the server was down" in term.tiny.feedback("bob")
    edit(term, 'dropped = "the server was down"\n', "")
    grade_as_previewed(term)
    assert scores(term) == whole
    assert term.database()["comments"] == comments


def test_what_somebody_got_whose_files_are_gone_moves_too(term):
    shutil.rmtree(term.root / "submitted" / "bob")
    edit(term, "points = 4\n", 'points = 4\ndropped = "asked twice"\n')
    assert "bob: -1.35 points" in shown(term)
    term.grade()
    assert scores(term)["bob"] == pytest.approx(3.75 * 0.9)


def test_points_decided_above_a_new_maximum_are_for_a_person_to_decide(term):
    course = load_course(term.root)
    add_override(course, course.part("part4"), Override(student="ada", task="4.1", points=2, reason="Right."))
    edit(term, "points = 2\n", "points = 1\n")
    with pytest.raises(CourseError, match=r"part4\.toml: ada, 4\.1: 2 is not between 0 and 1 points"):
        term.preview()


@pytest.mark.parametrize("written", ["true", "3"])
def test_a_drop_needs_its_reason(term, written):
    edit(term, "points = 2\n", f"points = 2\ndropped = {written}\n")
    with pytest.raises(CourseError, match="dropped"):
        load_course(term.root)
