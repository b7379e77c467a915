"""Releasing: nbgrader's generate_assignment, the scan, the due dates, and that a refusal changes nothing."""

from __future__ import annotations

import json
import shutil
import zipfile
from datetime import UTC, datetime, timedelta

import pytest

from autograder.build.assignment import build
from autograder.build.release import LeakError, closing_time, release
from autograder.course.manifest import CourseError, load_course
from autograder.gradebook.session import open_gradebook
from autograder.tests.build.tiny import announce, edit

LATER = datetime(2027, 5, 1, tzinfo=UTC)


@pytest.fixture
def gradebook(course):
    with open_gradebook(course) as opened:
        yield opened


def let_out(course, **options):
    return release(course, course.part("part2"), **{"now": LATER, **options})


def everything(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_the_folder_and_the_zip_hold_the_part(built):
    done = let_out(built)
    expected = everything(built.assignments / "part2")
    files = everything(done.folder)
    assert done.files == tuple(sorted(expected))
    assert {n: c for n, c in files.items() if n != "part2.ipynb"} == {
        n: c for n, c in expected.items() if n != "part2.ipynb"
    }
    with zipfile.ZipFile(done.archive) as packed:
        assert packed.namelist() == [f"part2/{name}" for name in sorted(files)]
        assert all(packed.read(f"part2/{name}") == content for name, content in files.items())
    assert sorted(p.name for p in built.release.iterdir()) == ["part2", "part2.zip"]


def test_nbgrader_knows_the_part_its_cells_and_when_it_is_due(built, gradebook):
    let_out(built)
    assignment = gradebook.find_assignment("part2")
    assert assignment.duedate == datetime(2027, 4, 19, 22)
    [notebook] = assignment.notebooks
    assert {cell.name: cell.max_score for cell in notebook.grade_cells} == {
        "task-2-1": 2.0,
        "task-2-2": 2.5,
        "question-why-count": 3.0,
    }


def test_the_students_placeholder_and_checksums_are_in_the_released_notebook(built):
    notebook = json.loads((let_out(built).folder / "part2.ipynb").read_text())
    graded = [cell for cell in notebook["cells"] if "nbgrader" in cell["metadata"]]
    assert all(cell["metadata"]["nbgrader"]["checksum"] for cell in graded)
    assert "".join(graded[2]["source"]) == "Your answer goes here."


def test_two_releases_give_the_same_bytes(built):
    first = let_out(built).archive.read_bytes()
    assert let_out(built).archive.read_bytes() == first


def test_a_dry_run_touches_neither_release_nor_the_gradebook(built):
    let_out(built, dry_run=True)
    assert not built.release.exists()
    assert not (built.root / "gradebook.db").exists()
    assert list(built.state.iterdir()) == []


def test_a_leak_is_refused_with_file_and_line_and_leaves_nothing(built):
    path = built.assignments / "part2" / "kit.py"
    path.write_text(path.read_text() + "# self.past.append(self.count)\n")
    with pytest.raises(LeakError) as caught:
        let_out(built)
    assert "\n  part2/kit.py:6: the solution of task 2.1 (solutions/counter.py:28)" in str(caught.value)
    assert "\n  part2.zip/part2/kit.py:6: the solution of task 2.1" in str(caught.value)
    assert not built.release.exists()
    assert not (built.root / "gradebook.db").exists()


def test_a_refused_release_keeps_the_one_before(built):
    let_out(built)
    before = everything(built.release), (built.root / "gradebook.db").read_bytes()
    edit(built, "solutions/part2/README.md", "then walk", "then return [self.step(width) for width in sorted(widths)]")
    build(built)
    with pytest.raises(LeakError, match=r"part2/README\.md:3: the solution of task 2\.2"):
        let_out(built)
    assert (everything(built.release), (built.root / "gradebook.db").read_bytes()) == before


def test_a_drifted_assignment_is_refused(built):
    edit(built, "assignments/part2/README.md", "then walk", "then rest")
    with pytest.raises(CourseError, match=r"assignments/part2/README\.md: not what solutions/ gives; run: micrograder"):
        let_out(built)
    assert not built.release.exists()


def test_what_a_test_run_left_in_assignments_does_not_leave(built):
    (built.assignments / "part2" / ".hypothesis").mkdir()
    (built.assignments / "part2" / ".hypothesis" / "notes.txt").write_text("an example")
    with pytest.raises(CourseError, match=r"assignments/part2: delete \.hypothesis/notes\.txt"):
        let_out(built)
    assert not built.release.exists()


def test_a_part_that_is_not_built_is_refused(course):
    with pytest.raises(CourseError, match="assignments/part2 is not built yet"):
        let_out(course)


def test_a_part_waits_until_the_one_before_it_is_closed(built):
    closes = datetime(2027, 4, 14, 22, tzinfo=UTC)  # due on the 12th, two days late
    assert closing_time(built, built.part("part1")) == closes
    with pytest.raises(CourseError, match=r"code of part1, which is taken until 2027-04-14 22:00 UTC"):
        let_out(built, now=closes - timedelta(seconds=1))
    assert not built.release.exists()
    assert let_out(built, now=closes).folder.is_dir()


def test_a_part_can_be_released_early_on_purpose(built):
    assert let_out(built, now=datetime(2027, 1, 1, tzinfo=UTC), early=True).folder.is_dir()


def test_the_first_written_part_waits_for_nothing(built):
    assert release(built, built.part("part1"), now=datetime(2027, 1, 1, tzinfo=UTC)).folder.is_dir()


def test_the_longest_extension_of_the_part_before_counts(built, gradebook):
    release(built, built.part("part1"), now=LATER)
    for student, days in (("ada", 3), ("bob", 9), ("cyd", 0)):
        gradebook.add_student(student)
        gradebook.add_submission("part1", student)
        gradebook.grant_extension("part1", student, days=days)
    gradebook.db.commit()
    assert closing_time(built, built.part("part1")) == datetime(2027, 4, 23, 22, tzinfo=UTC)
    with pytest.raises(CourseError, match="2027-04-23 22:00 UTC"):
        let_out(built, now=datetime(2027, 4, 20, tzinfo=UTC))


def test_an_extension_in_the_manifest_counts_like_one_in_the_gradebook(built):
    path = built.solutions / "course.toml"
    path.write_text(path.read_text() + '\n[[extension]]\nstudent = "ada"\npart = "part1"\ndays = 3.5\n')
    before = closing_time(built, built.part("part1"))
    course = load_course(built.root)
    assert closing_time(course, course.part("part1")) - before == timedelta(days=3.5)


def submit(gradebook):
    gradebook.add_student("ada")
    gradebook.add_submission("part2", "ada")
    grade = gradebook.find_grade("task-2-2", "part2", "part2", "ada")
    grade.auto_score = 1.25
    gradebook.find_grade("question-why-count", "part2", "part2", "ada").manual_score = 2.75
    gradebook.db.commit()


def scores(course):
    with open_gradebook(course) as fresh:
        return [
            fresh.find_grade("task-2-2", "part2", "part2", "ada").auto_score,
            fresh.find_grade("question-why-count", "part2", "part2", "ada").manual_score,
        ]


def test_releasing_again_after_submissions_keeps_them_and_takes_the_new_text(built, gradebook):
    let_out(built)
    submit(gradebook)
    edit(built, "solutions/part2/README.md", "then walk", "then stroll")
    announce(built, 'tests = ["2.2 is worth 4 points."]')
    edit(built, "solutions/course.toml", "points = 2.5", "points = 4")
    edit(built, "solutions/course.toml", "2027-04-19", "2027-04-20")
    again = load_course(built.root)
    build(again)
    assert b"stroll" in (let_out(again).folder / "README.md").read_bytes()
    assert scores(built) == [1.25, 2.75]
    with open_gradebook(built) as fresh:
        assert fresh.find_grade_cell("task-2-2", "part2", "part2").max_score == 4.0
        assert fresh.find_assignment("part2").duedate == datetime(2027, 4, 20, 22)


def test_new_graded_cells_after_submissions_are_refused_and_nothing_is_lost(built, gradebook):
    let_out(built)
    submit(gradebook)
    before = everything(built.release)
    edit(built, "solutions/course.toml", 'id = "why-count"', 'id = "why-not"')
    text = (built.root / "solutions/part2/part2.py").read_text()
    (built.root / "solutions/part2/part2.py").write_text(text.replace('"why-count"', '"why-not"'))
    again = load_course(built.root)
    build(again)
    announce(built, 'handout = ["Another question."]')
    build(again)
    with pytest.raises(CourseError, match="Cannot add or remove cells") as caught:
        let_out(again)
    assert 'write dropped = "..." in course.toml' in str(caught.value)
    assert "\n" not in str(caught.value)
    assert everything(built.release) == before
    assert scores(built) == [1.25, 2.75]


def test_the_courses_nbgrader_config_is_used(built):
    path = built.root / "nbgrader_config.py"
    path.write_text(path.read_text() + f"c.CourseDirectory.db_url = 'sqlite:///{built.root}/own.db'\n")
    let_out(built)
    assert (built.root / "own.db").exists()
    assert not (built.root / "gradebook.db").exists()


def test_a_config_that_cannot_be_loaded_is_reported(built):
    (built.root / "nbgrader_config.py").write_text("raise SystemExit('not installed')")
    with pytest.raises(CourseError, match=r"^nbgrader_config\.py: not installed"):
        let_out(built)


def test_when_release_cannot_be_replaced_the_old_one_comes_back(built, monkeypatch):
    from pathlib import Path

    let_out(built)
    before = everything(built.release)
    rename = Path.rename

    def refuse(self, target):
        if self.name == "part2.zip" and ".micrograder" in self.parts:
            raise PermissionError("somebody has it open")
        return rename(self, target)

    edit(built, "solutions/part2/README.md", "then walk", "then stroll")
    announce(built, 'handout = ["Stroll."]')
    build(built)
    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(CourseError, match="somebody has it open"):
        let_out(built)
    monkeypatch.undo()
    shutil.rmtree(built.state)
    assert everything(built.release) == before
