"""A term from the first release to the last CSV, on the real course; term/arithmetic.py says what must come out.

Parts released in order, wrong and late work, extensions, marks, a public test that turns out wrong, a task that comes
to count more and a question that is dropped. The whole one has eight parts, thirty students and the real judge; the
short one has the bank's word for what a judge says (bank_judge.py), so that it takes seconds.
"""

from __future__ import annotations

import csv
import json
import shutil
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.build import release as releasing
from autograder.build import solution
from autograder.build.assignment import build
from autograder.build.release import Release, closing_time, release
from autograder.build.solution import release_solution
from autograder.course import Course, CourseError, load_course
from autograder.exports.write import write_export
from autograder.gradebook.session import open_nbgrader, problem_of
from autograder.grading.asking import JudgeAll
from autograder.grading.grade import Outcome, grade
from autograder.grading.preview import Preview, preview
from autograder.judge import judge as judging
from autograder.judge.pool import judge_all
from autograder.misconceptions.bank import write_files
from autograder.reports.page import write_report
from autograder.tests.grading.conftest import Seen
from autograder.tests.term.arithmetic import final_scores, passes
from autograder.tests.term.bank_judge import BankJudge
from autograder.tests.term.plan import EXTENSION, Term, plan

REPOSITORY = Path(__file__).parents[3]
NEARLY = 1e-3  # scores, penalties and exports are rounded to four digits each
# A number in part 2's public test that a slip of the pen made wrong, for as long as it took somebody to notice.
WRONG_TEST = ("part2", "2.1", "public test_each_node_has_attributes_of_its_own", "a.data == 4.5", "a.data == 4.25")


class Office:
    """What an instructor and the TAs do, on a copy of the course, with a term's plan in the hands of the students."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.verdicts = 0
        self.judge: JudgeAll = judge_all

    @property
    def course(self) -> Course:
        return load_course(self.root)

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{name} has {old!r} {text.count(old)} times"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def release(self, part_id: str, now: datetime) -> Release:
        course = self.course
        return release(course, course.part(part_id), now=now)

    def hand_in(self, term: Term, part_id: str) -> None:
        part = self.course.part(part_id)
        released = self.root / "release" / part_id
        for student, work in term.work[part_id].items():
            folder = self.root / "submitted" / student / part_id
            files = work.files or {name: (released / name).read_bytes() for name in part.graded}
            write_files(folder, files)
            notebook = json.loads((released / f"{part_id}.ipynb").read_text(encoding="utf-8"))
            for cell in notebook["cells"]:
                name = cell["metadata"].get("nbgrader", {}).get("grade_id", "").removeprefix("question-")
                if name in work.answers:
                    cell["source"] = work.answers[name]
            (folder / f"{part_id}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
            (folder / "timestamp.txt").write_text(work.came.strftime("%Y-%m-%d %H:%M:%S UTC"), encoding="utf-8")

    def grade(self, part_id: str) -> Outcome:
        course = self.course
        outcome = grade(course, course.part(part_id), Seen(), judge=self.judge)
        assert outcome.ungraded == {}
        self.verdicts += outcome.judged
        return outcome

    def preview(self, part_id: str) -> Preview:
        course = self.course
        found = preview(course, course.part(part_id), Seen(), judge=self.judge)
        assert found.unjudged == {}
        return found

    def mark(self, term: Term, part_id: str) -> None:
        """What a TA does in the formgrader."""
        with Gradebook(f"sqlite:///{self.root / 'gradebook.db'}", "micrograder") as gradebook:
            for student, work in term.work[part_id].items():
                for question, points in work.marks.items():
                    grade = gradebook.find_grade(f"question-{question}", part_id, part_id, student)
                    grade.manual_score, grade.needs_manual_grade = points, False
            gradebook.db.commit()

    def feedback(self, part_id: str) -> None:
        assert problem_of(open_nbgrader(self.course).generate_feedback(part_id, "*")) is None

    def scores(self, part_id: str) -> dict[str, tuple[str, str]]:
        """By student the state and the score in the exported CSV."""
        course = self.course
        path, _ = write_export(course, course.part(part_id), "csv")
        with path.open(newline="", encoding="utf-8") as file:
            return {row["student"]: (row["state"], row["score"]) for row in csv.DictReader(file)}

    def is_final(self, term: Term, part_id: str) -> None:
        """Hold the exported CSV against the arithmetic."""
        exported, expected = self.scores(part_id), final_scores(self.root, term, part_id)
        assert set(exported) == set(term.students)
        for student, (state, score) in exported.items():
            if student in expected:
                assert (student, state) == (student, "final")
                assert float(score) == pytest.approx(expected[student], abs=NEARLY), f"{part_id}, {student}"
            else:
                assert (state, score) == ("nothing handed in", "")


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Office:
    """A copy of the course in which suites may be edited, with a late rule, and nothing released."""
    root = tmp_path / "course"
    skip = shutil.ignore_patterns("__pycache__", ".*")
    for name in ("solutions", "assignments", "autograder/suites", "autograder/student", "autograder/misconceptions"):
        shutil.copytree(REPOSITORY / name, root / name, ignore=skip)
    shutil.copy(REPOSITORY / "nbgrader_config.py", root)
    monkeypatch.setattr(judging, "SUITES", root / "autograder" / "suites")
    made = Office(root)
    made.edit("solutions/course.toml", "late_percent_per_day = 0 ", "late_percent_per_day = 10 ")
    return made


def planned(office: Office, part_ids: list[str], students: int) -> Term:
    course = office.course
    return plan(course, [course.part(part_id) for part_id in part_ids], students)


def whole_term(office: Office, term: Term) -> Iterator[str]:
    """Run the term; says after each step what it was."""
    part_ids = list(term.work)
    path = office.root / "solutions" / "course.toml"
    days = EXTENSION / timedelta(days=1)
    for student, part_id in sorted(term.extended):
        entry = f'\n[[extension]]\nstudent = "{student}"\npart = "{part_id}"\ndays = {days}\n'
        path.write_text(path.read_text(encoding="utf-8") + entry, encoding="utf-8")
    assert {work.kind for works in term.work.values() for work in works.values()} == {"right", "wrong", "stub"}
    with_wrong_test, _, _, right, wrong = WRONG_TEST
    office.edit(f"autograder/suites/{with_wrong_test}/test_public.py", right, wrong)
    build(office.course)

    now = datetime(2026, 9, 1, tzinfo=UTC)
    for part_id in part_ids:
        if part_id != part_ids[0]:
            with pytest.raises(CourseError, match="holds the finished code of"):
                office.release(part_id, now - timedelta(minutes=1))
        assert office.release(part_id, now).number == 1
        if part_id == part_ids[0]:
            with Gradebook(f"sqlite:///{office.root / 'gradebook.db'}", "micrograder") as gradebook:
                for student in term.students:
                    gradebook.add_student(student)
        office.hand_in(term, part_id)
        assert office.grade(part_id).graded == len(term.work[part_id])
        office.mark(term, part_id)
        if part_id == with_wrong_test:
            yield from _corrected(office, term)
        office.feedback(part_id)
        office.is_final(term, part_id)
        now = closing_time(office.course, office.course.part(part_id))
        yield f"{part_id} graded, marked, exported"
    _solution(office, part_ids[-1], now)

    first = part_ids[0]
    _changed_points(office, term, first)
    yield f"points of {first} changed"
    page = write_report(office.course, [office.course.part(part_id) for part_id in part_ids]).read_text(
        encoding="utf-8"
    )
    for part_id in part_ids:
        assert f"<b>{len(term.work[part_id])}</b> judged" in page
        office.is_final(term, part_id)
        assert office.grade(part_id).graded == 0


def _corrected(office: Office, term: Term) -> Iterator[str]:
    part_id, task, test, right, wrong = WRONG_TEST
    before = office.scores(part_id)
    office.edit(f"autograder/suites/{part_id}/test_public.py", wrong, right)
    found = office.preview(part_id)
    able = {student for student, work in term.work[part_id].items() if passes(work, task, test)}
    assert {(move.student, move.task) for move in found.moves} == {(student, task) for student in able}
    assert all(move.tests == ((test, "failed", "passed"),) for move in found.moves)
    assert office.scores(part_id) == before
    assert office.grade(part_id).graded >= len(able)
    assert office.preview(part_id).moves == ()
    due = office.course.part(part_id).due
    entry = '[[release]]\nnumber = 2\ndate = 2026-10-12\ntests = ["2.1 asked for 4.25 where 4.5 is right."]\n'
    (office.root / "solutions" / part_id / "changes.toml").write_text(entry, encoding="utf-8")
    build(office.course)
    again = office.release(part_id, due)
    assert again.number == 2
    assert "test_public.py" in again.changed
    yield f"a test of {part_id} corrected"


def _changed_points(office: Office, term: Term, part_id: str) -> None:
    """Part 1's second task counts more from now on, and one of its questions nothing."""
    whole = office.scores(part_id)
    office.edit("solutions/course.toml", 'id = "no-u-curve"', 'id = "no-u-curve"\n    dropped = "it was misleading"')
    head = '    title = "central difference"\n    points = '
    office.edit("solutions/course.toml", f"{head}4", f"{head}7")
    found = office.preview(part_id)
    assert found.worth == (22.0, 23.0)
    assert any(move.task == "no-u-curve" and move.after == 0 for move in found.moves)
    assert any(move.task == "1.2" and move.after > (move.before or 0) for move in found.moves)
    assert office.scores(part_id) == whole
    office.grade(part_id)
    office.feedback(part_id)
    assert office.scores(part_id) != whole
    office.is_final(term, part_id)


def _solution(office: Office, part_id: str, closes: datetime) -> None:
    course = office.course
    part = course.part(part_id)
    with pytest.raises(CourseError, match="is taken until"):
        release_solution(course, part, now=closes - timedelta(minutes=1))
    assert set(part.graded) < set(release_solution(course, part, now=closes).files)


def test_a_short_term_ends_with_the_scores_that_arithmetic_gives(office, monkeypatch):
    for module in (releasing, solution):  # the leak scan takes seconds, and has tests of its own
        monkeypatch.setattr(module, "scan_folder", lambda *_: [])
        monkeypatch.setattr(module, "scan_zip", lambda *_: [])
    term = planned(office, ["part1", "part2"], 6)
    part_id, _, test, _, wrong = WRONG_TEST
    office.judge = BankJudge(term, {part_id: ("test_public.py", test, wrong)})
    assert len(list(whole_term(office, term))) == 4


@pytest.mark.slow
def test_the_whole_term_ends_with_the_scores_that_arithmetic_gives(office, capsys):
    parts, students = [f"part{number}" for number in range(1, 9)], 30
    began = time.monotonic()
    for step in whole_term(office, planned(office, parts, students)):
        with capsys.disabled():
            print(f"  {step}; {office.verdicts} verdicts, {(time.monotonic() - began) / 60:.1f} minutes")
    handed_in = sum(1 for _ in office.root.glob("submitted/*/*"))
    with capsys.disabled():
        print(f"  {students} students, {handed_in} submissions, {office.verdicts} verdicts")
    assert handed_in == students * len(parts) - len(parts)
