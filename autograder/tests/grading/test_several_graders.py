"""Two runs of one part, one of another and a marker at once lose nothing, on SQLite and on a real PostgreSQL."""

from __future__ import annotations

import json
import multiprocessing
import shutil
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from sqlalchemy.exc import OperationalError

from autograder.course import Course, load_course
from autograder.gradebook.batch import GradebookError, open_batch
from autograder.gradebook.intake import put_in, read_in
from autograder.gradebook.session import nbgrader_config, open_nbgrader, problem_of
from autograder.grading import asking
from autograder.grading.grade import grade
from autograder.grading.stopped import GradingStopped
from autograder.judge.pool import judge_all
from autograder.judge.warm import Done
from autograder.tests.gradebook import fake_judge, postgres
from autograder.tests.gradebook.tiny import MANIFEST, hand_in, make_course
from autograder.tests.grading.conftest import KEYS, Seen

STUDENTS = [f"s{number}" for number in range(8)]
NEW = [f"new{number}" for number in range(4)]
TWO_PARTS = MANIFEST.replace(
    'title = "Announced"\ndue = 2027-05-10T22:00:00Z\n',
    """title = "More operators"
due = 2027-05-10T22:00:00Z
graded = { "value.py" = ["Value"] }
[[part.task]]
id = "5.1"
title = "coercion"
points = 2
""",
)
CONFIG = """from pathlib import Path
from autograder.gradebook.config import configure
c = get_config()
configure(c, Path(__file__).parent)
"""


@pytest.fixture(scope="module")
def socket() -> Iterator[str]:
    with postgres.server() as folder:
        yield folder


@pytest.fixture(scope="module")
def sqlite_course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A released course with part4 and part5, on SQLite."""
    return release_two_parts(tmp_path_factory.mktemp("two") / "course", CONFIG)


@pytest.fixture(scope="module")
def postgres_course(tmp_path_factory: pytest.TempPathFactory, socket: str) -> Path:
    """The same on the server, in the database "released"."""
    postgres.command(socket, "create database released")
    return release_two_parts(
        tmp_path_factory.mktemp("two") / "course", CONFIG + names(postgres.url(socket, "released"))
    )


@pytest.fixture(params=["sqlite", "postgres"])
def two_parts(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    """A copy of the released course, and of its database."""
    monkeypatch.setattr(asking, "official_keys", lambda course, part: KEYS)
    shutil.copytree(request.getfixturevalue(f"{request.param}_course"), tmp_path / "course")
    if request.param == "postgres":
        socket, name = request.getfixturevalue("socket"), f"course_{uuid.uuid4().hex}"
        postgres.command(socket, f"create database {name} template released")
        (tmp_path / "course" / "nbgrader_config.py").write_text(CONFIG + names(postgres.url(socket, name)))
    return load_course(tmp_path / "course")


def names(url: str) -> str:
    """The line of nbgrader_config.py that names a database."""
    return f"c.CourseDirectory.db_url = {url!r}\n"


def release_two_parts(root: Path, config: str) -> Path:
    """Make the course, on the database that its configuration names."""
    make_course(root)
    (root / "solutions" / "course.toml").write_text(TWO_PARTS)
    (root / "nbgrader_config.py").write_text(config)
    four, five = root / "assignments" / "part4", root / "assignments" / "part5"
    five.mkdir()
    document = json.loads((four / "part4.ipynb").read_text().replace("task-4-1", "task-5-1"))
    document["cells"] = [cell for cell in document["cells"] if cell["id"] not in ("task-4-2", "q-second")]
    (five / "part5.ipynb").write_text(json.dumps(document))
    (five / "value.py").write_text((four / "value.py").read_text())
    course = load_course(root)
    for part in ("part4", "part5"):
        assert problem_of(open_nbgrader(course).generate_assignment(part)) is None
    return root


def hand_in_both(course: Course, students: list[str], four: float, five: float) -> None:
    for number, student in enumerate(students):
        hand_in(course.root, student, f"# earns 4.1={four} # {number}\n")
        folder = course.root / "submitted" / student / "part5"
        folder.mkdir(exist_ok=True)
        (folder / "value.py").write_text(f"# earns 5.1={five} # {number}\n")


def gradebook(course: Course) -> Gradebook:
    return Gradebook(nbgrader_config(course).CourseDirectory.db_url, "micrograder")


def run(course: Course, part: str) -> None:
    """What `micrograder grade PART` does, with the judge that believes."""

    def judge(how, jobs, processes) -> Iterator[Done]:
        for job in jobs:
            yield Done(job.name, fake_judge.believe(load_course(how.root).part(how.part), job.submission.sources))

    outcome = grade(course, course.part(part), Seen(), judge=judge)
    assert outcome.ungraded == {}, outcome.ungraded


def mark(course: Course) -> None:
    """What a marker does in the formgrader: 0.25 more for each next student's answer, over and over."""
    for _ in range(3):
        for number, student in enumerate(STUDENTS):
            with gradebook(course) as open_one:
                open_one.find_grade("question-second", "part4", "part4", student).manual_score = 1 + number / 4
                open_one.find_comment("question-second", "part4", "part4", student).manual_comment = f"For {student}."
                open_one.db.commit()


def at_once(*calls: Callable[[], None]) -> None:
    """Each in a process of its own, forked from this one; all must end well."""
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=call) for call in calls]
    for process in processes:
        process.start()
    for process in processes:
        process.join(300)
    assert [process.exitcode for process in processes] == [0] * len(processes)


def test_three_runs_and_a_marker_at_once_lose_nothing(two_parts):
    hand_in_both(two_parts, STUDENTS, 0.5, 0.25)
    run(two_parts, "part4")
    hand_in_both(two_parts, [*STUDENTS, *NEW], 1.75, 1.25)
    at_once(
        lambda: run(two_parts, "part4"),
        lambda: run(two_parts, "part5"),
        lambda: mark(two_parts),
        lambda: run(two_parts, "part4"),
    )
    with gradebook(two_parts) as open_one:
        for part, cell, points in (("part4", "task-4-1", 1.75), ("part5", "task-5-1", 1.25)):
            found = {name: open_one.find_grade(cell, part, part, name).auto_score for name in (*STUDENTS, *NEW)}
            assert found == dict.fromkeys((*STUDENTS, *NEW), points)
        for number, student in enumerate(STUDENTS):
            assert open_one.find_grade("question-second", "part4", "part4", student).manual_score == 1 + number / 4
            comment = open_one.find_comment("question-second", "part4", "part4", student).manual_comment
            assert comment == f"For {student}."
    events = [json.loads(line) for line in (two_parts.state / "journal" / "part4.jsonl").read_text().splitlines()]
    assert len([each for each in events if each["event"] == "written"]) == 2 * len(STUDENTS) + len(NEW)


def test_points_given_for_late_work_change_the_penalty_whatever_the_database(two_parts):
    toml = two_parts.solutions / "course.toml"
    toml.write_text("late_window_days = 3\nlate_percent_per_day = 10\n" + toml.read_text())
    course = load_course(two_parts.root)
    hand_in(course.root, "ada", "# earns 4.1=1.5\n", timestamp="2027-05-05 10:00:00 UTC")
    run(course, "part4")
    with gradebook(course) as open_one:
        assert open_one.find_submission("part4", "ada").late_submission_penalty == pytest.approx(0.3)
        open_one.find_grade("question-second", "part4", "part4", "ada").manual_score = 2.5
        open_one.db.commit()
    with gradebook(course) as open_one:
        assert open_one.find_submission("part4", "ada").late_submission_penalty == pytest.approx(0.8)


class Deadlock(Exception):
    """What psycopg raises for the transaction that PostgreSQL has chosen to end."""

    sqlstate = "40P01"


@pytest.mark.parametrize("two_parts", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("times", "written"), [(1, True), (9, False)])
def test_a_transaction_that_was_in_another_ones_way_is_tried_again(two_parts, monkeypatch, times, written):
    part = two_parts.part("part4")
    taken = put_in(two_parts, part, read_in(part, hand_in(two_parts.root, "ada"), {}))
    verdict = fake_judge.believe(part, {"value.py": b"# earns 4.1=1.25\n"})
    with open_batch(two_parts, part) as batch:
        convert, left = batch._converter.convert, [times]

        def deadlocked(*call):
            left[0] -= 1
            return convert(*call) if left[0] < 0 else OperationalError("update", {}, Deadlock("deadlock detected"))

        monkeypatch.setattr(batch._converter, "convert", deadlocked)
        if written:
            assert batch.write(taken, lambda: verdict) is None
        else:
            with pytest.raises(GradebookError, match="deadlock detected"):
                batch.write(taken, lambda: verdict)


@pytest.mark.parametrize("two_parts", ["postgres"], indirect=True)
def test_a_server_that_ends_the_connection_stops_the_run_with_a_sentence_and_the_next_one_finishes(two_parts, socket):
    hand_in_both(two_parts, STUDENTS[:3], 1.5, 0.25)
    database = nbgrader_config(two_parts).CourseDirectory.db_url

    def judge(how, jobs, processes) -> Iterator[Done]:
        for number, job in enumerate(jobs):
            if number == 2:
                name = database.rpartition("/")[2].partition("?")[0]
                postgres.command(
                    socket, f"select pg_terminate_backend(pid) from pg_stat_activity where datname = '{name}'"
                )
            yield Done(job.name, fake_judge.believe(load_course(how.root).part(how.part), job.submission.sources))

    with pytest.raises(GradingStopped, match=r"the gradebook does not work \(.*\)\. 2 of 3 submissions are graded"):
        grade(two_parts, two_parts.part("part4"), Seen(), judge=judge)
    run(two_parts, "part4")
    with gradebook(two_parts) as open_one:
        assert open_one.find_grade("task-4-1", "part4", "part4", "s2").auto_score == 1.5


@pytest.mark.parametrize("two_parts", ["postgres"], indirect=True)
def test_a_server_that_is_not_there_is_a_sentence(two_parts, tmp_path):
    hand_in_both(two_parts, STUDENTS[:1], 1.5, 0.25)
    (two_parts.root / "nbgrader_config.py").write_text(CONFIG + names(postgres.url(str(tmp_path), "course")))
    with pytest.raises(GradingStopped, match="the gradebook does not work"):
        grade(two_parts, two_parts.part("part4"), Seen(), judge=judge_all)
