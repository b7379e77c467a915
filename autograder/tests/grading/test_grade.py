"""`micrograder grade`: the same gradebook and files as `nbgrader autograde`, nothing twice, nothing lost."""

from __future__ import annotations

import errno
import fcntl
import json
import shutil
import sqlite3
import threading
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.course import CourseError, load_course
from autograder.gradebook import batch as batches
from autograder.gradebook import preprocessors
from autograder.gradebook.overrides import Override, add_override
from autograder.gradebook.verdicts import load_verdict
from autograder.grading import grade as grading
from autograder.grading.stopped import GradingStopped
from autograder.tests.gradebook import fake_judge
from autograder.tests.gradebook.tiny import FULL, PARTLY, hand_in
from autograder.tests.grading.conftest import database

BREAKS = "# break the judge"


class Killed(BaseException):
    """Stands for kill -9: nothing of ours may tidy up after it."""


def tree(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file below `folder`, its bytes and its permissions."""
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mode)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def whole_class(root: Path) -> None:
    """One of each kind that grading must get right."""
    hand_in(root, "ada", FULL, timestamp="2027-05-01 10:00:00 UTC")
    hand_in(root, "bob", PARTLY, answer=None)
    hand_in(root, "cyd", None)
    hand_in(root, "dan", PARTLY, notebook=False)
    hand_in(root, "eve", FULL, raw=b"{")
    hand_in(root, "fay", BREAKS)
    hand_in(root, "gus", PARTLY, timestamp="2027-05-03 23:00:00 UTC")


def mark(root: Path, student: str, points: float, comment: str) -> None:
    """What a marker does in the formgrader."""
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "micrograder") as gradebook:
        gradebook.find_grade("question-second", "part4", "part4", student).manual_score = points
        gradebook.find_comment("question-second", "part4", "part4", student).manual_comment = comment
        gradebook.db.commit()


def test_gradebook_and_files_are_those_that_nbgrader_autograde_gives(classroom, tmp_path):
    whole_class(classroom.root)
    shutil.copytree(classroom.root, tmp_path / "stock")
    outcome = classroom.grade()
    assert list(outcome.ungraded) == ["fay"]
    from autograder.tests.gradebook.conftest import TinyCourse

    stock = TinyCourse(tmp_path / "stock")
    assert not stock.grade()["success"]  # because of fay, too
    assert classroom.database() == database(tmp_path / "stock" / "gradebook.db")
    assert tree(classroom.root / "autograded") == tree(tmp_path / "stock" / "autograded")
    for student in ("ada", "bob", "cyd", "dan", "eve", "gus"):
        name = f".micrograder/verdicts/part4/{student}.json"
        assert (classroom.root / name).read_bytes() == (tmp_path / "stock" / name).read_bytes()


def test_an_unchanged_class_is_not_judged_again_and_nothing_is_written(classroom):
    whole_class(classroom.root)
    shutil.rmtree(classroom.root / "submitted" / "fay")
    classroom.grade()
    before = {path: path.stat().st_mtime_ns for path in classroom.root.rglob("*")}
    content = tree(classroom.root)
    classroom.judged.clear()
    outcome = classroom.grade()
    assert (outcome.graded, outcome.unchanged, outcome.judged) == (0, 6, 0)
    assert classroom.judged == []
    assert tree(classroom.root) == content
    assert {path: path.stat().st_mtime_ns for path in classroom.root.rglob("*")} == before


def test_nbgrader_autograde_takes_what_was_graded_as_graded(classroom):
    hand_in(classroom.root, "ada", PARTLY)
    classroom.grade()
    content = tree(classroom.root / "autograded")
    result = classroom.tiny.grade()
    assert result["success"]
    assert "Skipping existing assignment" in result["log"]
    assert tree(classroom.root / "autograded") == content


def test_equal_submissions_are_judged_once(classroom):
    for student in ("ada", "bob", "cyd"):
        hand_in(classroom.root, student, PARTLY)
    assert classroom.grade().judged == 1
    assert [classroom.tiny.row(name)["task-4-1"] for name in ("ada", "bob", "cyd")] == [(1.25, False)] * 3


def test_only_what_was_handed_in_again_is_judged_again(classroom):
    hand_in(classroom.root, "ada", PARTLY)
    hand_in(classroom.root, "bob", "# earns 4.1=0.5")
    classroom.grade()
    classroom.judged.clear()
    hand_in(classroom.root, "ada", FULL)
    outcome = classroom.grade()
    assert classroom.judged == [FULL.encode()]
    assert (outcome.graded, outcome.unchanged) == (1, 1)
    assert classroom.tiny.row("ada")["task-4-1"] == (2.0, False)


def test_a_changed_answer_alone_is_written_but_not_judged(classroom):
    hand_in(classroom.root, "ada", FULL, answer=None)
    classroom.grade()
    hand_in(classroom.root, "ada", FULL, answer="Now there is one.")
    outcome = classroom.grade()
    assert (outcome.graded, outcome.judged) == (1, 0)
    assert classroom.tiny.row("ada")["question-second"] == (None, True)


def test_suites_that_changed_without_a_consequence_write_nothing_but_the_verdict(classroom, monkeypatch):
    hand_in(classroom.root, "ada", PARTLY)
    classroom.grade()
    before = (classroom.root / "gradebook.db").read_bytes(), tree(classroom.root / "autograded")
    ask = fake_judge.ask
    monkeypatch.setattr(fake_judge, "ask", lambda *call: ask(*call).model_copy(update={"suite": "changed"}))
    outcome = classroom.grade(fresh=True)
    assert (outcome.judged, outcome.graded, outcome.unchanged) == (1, 0, 1)
    assert ((classroom.root / "gradebook.db").read_bytes(), tree(classroom.root / "autograded")) == before
    assert load_verdict(classroom.tiny.course, "part4", "ada").suite == "changed"


def test_fresh_judges_everybody_again(classroom):
    hand_in(classroom.root, "ada", FULL)
    classroom.grade()
    outcome = classroom.grade(fresh=True)
    assert (outcome.judged, outcome.unchanged) == (1, 1)


def test_marks_and_comments_given_by_hand_survive_every_regrade(classroom):
    hand_in(classroom.root, "ada", PARTLY)
    classroom.grade()
    mark(classroom.root, "ada", 3.25, "Nearly.")
    hand_in(classroom.root, "ada", FULL)
    classroom.grade()
    classroom.grade(fresh=True)
    [(_, _, _, manual, _, _)] = [row for row in classroom.database()["grades"] if row[1] == "question-second"]
    assert manual == 3.25
    assert classroom.tiny.comment("ada") == "Nearly."


@pytest.mark.parametrize("place", ["judging", "before the gradebook", "in the gradebook", "after the gradebook"])
def test_after_a_kill_the_next_run_gives_what_an_undisturbed_one_gives(classroom, tmp_path, monkeypatch, place):
    for number, student in enumerate(("ada", "bob", "cyd", "dan")):
        hand_in(classroom.root, student, f"# earns 4.1=0.{number}5 4.2=3")
    shutil.copytree(classroom.root, tmp_path / "undisturbed")
    with monkeypatch.context() as patched:
        _kill_at_the_third(patched, classroom, place)
        with pytest.raises(Killed):
            classroom.grade()
    classroom.before_each = lambda _: None
    classroom.judged.clear()
    outcome = classroom.grade()
    assert outcome.ungraded == {}
    assert outcome.judged <= 2, "what was judged before the kill was judged again"
    other = type(classroom)(type(classroom.tiny)(tmp_path / "undisturbed"))
    other.grade()
    assert classroom.database() == other.database()
    assert tree(classroom.root / "autograded") == tree(other.root / "autograded")


def _kill_at_the_third(monkeypatch, classroom, place: str) -> None:
    calls: list[object] = []

    def count() -> None:
        calls.append(None)
        if len(calls) == 3:
            raise Killed

    def killing(stock):
        def call(*args, **kwargs):
            count()
            return stock(*args, **kwargs)

        return call

    if place == "judging":
        classroom.before_each = lambda _: count()
    elif place == "before the gradebook":
        monkeypatch.setattr(grading, "put_in", killing(grading.put_in))
    elif place == "in the gradebook":
        monkeypatch.setattr(preprocessors, "save_verdict", killing(preprocessors.save_verdict))
    else:
        stock = batches.Transaction.really_commit

        def commit_and_die(self) -> None:
            stock(self)
            count()

        monkeypatch.setattr(batches.Transaction, "really_commit", commit_and_die)


def test_a_submission_that_nbgrader_left_half_graded_is_finished(classroom, monkeypatch):
    hand_in(classroom.root, "ada", PARTLY)
    with monkeypatch.context() as patched:

        def killed(*_):
            raise Killed

        patched.setattr(preprocessors, "ask_judge", killed)
        classroom.tiny.grade()
    assert classroom.grade().graded == 1
    assert classroom.tiny.row("ada")["task-4-1"] == (1.25, False)


def test_a_score_that_somebody_took_out_of_the_gradebook_comes_back(classroom):
    hand_in(classroom.root, "ada", PARTLY)
    classroom.grade()
    with sqlite3.connect(classroom.root / "gradebook.db") as connection:
        connection.execute("update grade set auto_score = 2 where auto_score = 1.25")
    assert classroom.grade().graded == 1
    assert classroom.tiny.row("ada")["task-4-1"] == (1.25, False)


def test_a_failing_judge_leaves_one_student_without_a_score_and_the_next_run_asks_again(classroom):
    hand_in(classroom.root, "ada", FULL)
    hand_in(classroom.root, "fay", BREAKS)
    outcome = classroom.grade()
    assert outcome.ungraded == {"fay": "the judge failed: a bug in the judge"}
    assert classroom.tiny.row("ada")["task-4-1"] == (2.0, False)
    assert classroom.tiny.row("fay")["task-4-1"] == (None, True)
    hand_in(classroom.root, "fay", PARTLY)
    assert classroom.grade().ungraded == {}


def test_a_locked_gradebook_ends_the_run_with_a_sentence_and_keeps_what_was_written(classroom):
    for number, student in enumerate(("ada", "bob", "cyd")):
        hand_in(classroom.root, student, f"# earns 4.1=0.{number}5")
    other = sqlite3.connect(classroom.root / "gradebook.db", isolation_level=None)
    (classroom.root / "nbgrader_config.py").write_text(
        "from pathlib import Path\n"
        "from autograder.gradebook.config import configure\n"
        "c = get_config()\n"
        "configure(c, Path(__file__).parent)\n"
        "c.CourseDirectory.db_url = f\"sqlite:///{Path(__file__).parent / 'gradebook.db'}?timeout=0.1\"\n"
    )

    def lock(code: bytes) -> None:
        if b"0.15" in code:
            other.execute("begin exclusive")

    classroom.before_each = lock
    with pytest.raises(GradingStopped, match=r"the gradebook is locked: .* 1 of 3 submissions are graded"):
        classroom.grade()
    other.execute("rollback")
    other.close()
    classroom.before_each = lambda _: None
    assert classroom.grade().ungraded == {}
    assert classroom.tiny.row("cyd")["task-4-1"] == (0.25, False)


@pytest.mark.parametrize("place", ["put_in", "save"])
def test_a_full_disk_ends_the_run_with_a_sentence_and_keeps_what_was_written(classroom, monkeypatch, place):
    hand_in(classroom.root, "ada", FULL)
    hand_in(classroom.root, "bob", PARTLY)
    classroom.grade()
    hand_in(classroom.root, "bob", FULL)

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        if place == "put_in":
            patched.setattr(grading, "put_in", full)
        else:
            patched.setattr(preprocessors, "save_verdict", full)
        with pytest.raises(GradingStopped, match=r"the disk is full; make room\. 1 of 2 submissions are graded"):
            classroom.grade()
    assert classroom.tiny.row("ada")["task-4-1"] == (2.0, False)
    classroom.grade()
    assert classroom.tiny.row("bob")["task-4-1"] == (2.0, False)


def test_a_folder_that_vanishes_while_the_class_is_judged_is_said_and_costs_nobody_else(classroom):
    hand_in(classroom.root, "ada", PARTLY)
    hand_in(classroom.root, "bob", FULL)
    classroom.before_each = lambda _: shutil.rmtree(classroom.root / "submitted" / "ada", ignore_errors=True)
    outcome = classroom.grade()
    assert list(outcome.ungraded) == ["ada"]
    assert "is gone" in outcome.ungraded["ada"] or "does not exist" in outcome.ungraded["ada"]
    assert classroom.tiny.row("bob")["task-4-1"] == (2.0, False)


def test_who_handed_in_the_same_as_somebody_that_vanishes_is_judged_all_the_same(classroom):
    hand_in(classroom.root, "abe", FULL)
    hand_in(classroom.root, "bob", PARTLY)
    hand_in(classroom.root, "cyd", PARTLY)
    classroom.before_each = lambda _: shutil.rmtree(classroom.root / "submitted" / "bob", ignore_errors=True)
    outcome = classroom.grade()
    assert list(outcome.ungraded) == ["bob"]
    assert outcome.graded + len(outcome.ungraded) == outcome.total == 3
    assert set(classroom.seen.settled_as) == {"abe", "bob", "cyd"}
    assert classroom.tiny.row("cyd")["task-4-1"] == (1.25, False)


def test_what_one_hands_in_meanwhile_is_never_another_ones_score(classroom):
    hand_in(classroom.root, "abe", "# the first to be judged\n" + PARTLY)
    hand_in(classroom.root, "bob", PARTLY)
    hand_in(classroom.root, "cyd", PARTLY)
    hand_in(classroom.root, "dan", "# alone with this\n" + PARTLY)

    def again(_: bytes) -> None:
        for student in ("bob", "dan"):
            (classroom.root / "submitted" / student / "part4" / "value.py").write_text(FULL)

    classroom.before_each = again
    outcome = classroom.grade()
    assert outcome.ungraded == {"dan": "was handed in again while the class was graded; grade once more"}
    assert classroom.tiny.row("cyd")["task-4-1"] == (1.25, False)
    classroom.before_each = lambda _: None
    classroom.grade()
    for student, points in (("bob", 2.0), ("cyd", 1.25), ("dan", 2.0)):
        assert classroom.tiny.row(student)["task-4-1"] == (points, False)


def test_two_runs_of_one_part_wait_for_each_other(classroom):
    hand_in(classroom.root, "ada", PARTLY)
    (classroom.root / ".micrograder").mkdir(exist_ok=True)
    with (classroom.root / ".micrograder" / "grading-part4.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run = threading.Thread(target=classroom.grade)
        run.start()
        while not classroom.seen.remarks:
            assert run.is_alive()
            run.join(0.02)
        assert classroom.seen.remarks == ["part4 is being graded by another run; waiting for it to end"]
        assert classroom.seen.settled_as == {}
    run.join()
    assert classroom.tiny.row("ada")["task-4-1"] == (1.25, False)


def test_every_student_is_reported_once(classroom):
    whole_class(classroom.root)
    classroom.grade()
    kinds = dict.fromkeys(("ada", "bob", "cyd", "dan", "eve", "gus"), "graded")
    assert classroom.seen.total == 7
    assert classroom.seen.settled_as == {**kinds, "fay": "ungraded"}


def test_nothing_handed_in_is_said_before_anything_is_written(classroom):
    with pytest.raises(CourseError, match="there is no submitted/STUDENT/part4"):
        classroom.grade()


def test_without_a_gradebook_none_is_made(classroom):
    hand_in(classroom.root, "ada")
    (classroom.root / "gradebook.db").unlink()
    with pytest.raises(CourseError, match="micrograder release part4"):
        classroom.grade()
    assert not (classroom.root / "gradebook.db").exists()


def test_the_journal_tells_what_was_graded_from_what(classroom):
    hand_in(classroom.root, "ada", PARTLY)
    classroom.grade()
    lines = (classroom.root / ".micrograder" / "journal" / "part4.jsonl").read_text().splitlines()
    events = [json.loads(line) for line in lines]
    assert [(entry["event"], entry["student"]) for entry in events] == [("writing", "ada"), ("written", "ada")]
    assert (events[1]["score"], events[1]["seed"], events[1]["sandbox"]) == (1.25, 0, "good")


def test_points_that_a_ta_has_decided_are_written_once_and_outlive_every_grading(classroom):
    hand_in(classroom.root, "ada", PARTLY)
    classroom.grade()
    course = load_course(classroom.root)
    part = course.part("part4")
    task = part.tasks[0]
    judged = load_verdict(course, "part4", "ada").tasks[0].score
    decided = float(task.points) - 0.25
    assert decided != judged
    add_override(course, part, Override(student="ada", task=task.id, points=decided, reason="it is right in spirit"))

    moves = classroom.preview().moves
    assert [(move.student, move.task, move.before, move.after) for move in moves] == [("ada", task.id, judged, decided)]
    assert classroom.grade().graded == 1
    for _ in range(2):
        assert classroom.grade().unchanged == 1
        with Gradebook(f"sqlite:///{classroom.root / 'gradebook.db'}", "micrograder") as gradebook:
            assert gradebook.find_grade(task.grade_id, "part4", "part4", "ada").auto_score == decided
    assert classroom.preview().moves == ()
    assert load_verdict(course, "part4", "ada").tasks[0].score == judged
