"""What a TA does with one part in the browser: release, collect, autograde, mark, give feedback."""

from __future__ import annotations

import shutil

import pytest

from autograder.course import Course, load_course
from autograder.gradebook.session import open_gradebook
from autograder.tests.chromium import DESKTOP
from autograder.tests.formgrader.conftest import STUDENTS, micrograder, send
from autograder.tests.formgrader.jupyter import jupyter_lab
from autograder.tests.formgrader.ta import TA
from autograder.tests.hostile import SHOWN

pytestmark = pytest.mark.slow

ANSWERED = "question-second-backward"


@pytest.fixture
def ta(chromium, course, tmp_path):
    """Whatever was done: no other host was asked, no script broke, the console shows no error, nothing popped up."""
    with jupyter_lab(course.root, tmp_path / "home") as address:
        context = chromium.new_context(viewport=DESKTOP)
        someone = TA(context, address)
        yield someone
        context.close()
        assert someone.foreign == []
        assert someone.broken == []
        assert someone.complaints == []
        assert someone.dialogs == []
        said = (tmp_path / "home" / "lab.log").read_text()
        assert "Traceback" not in said
        assert "[C " not in said


def scores(course: Course) -> dict[str, dict[str, tuple[float | None, float | None, bool]]]:
    """Per student and cell: the judge's points, a person's points, and whether the cell waits for a person."""
    with open_gradebook(course) as gradebook:
        return {
            submission.student_id: {
                grade.name: (grade.auto_score, grade.manual_score, grade.needs_manual_grade)
                for notebook in submission.notebooks
                for grade in notebook.grades
            }
            for submission in gradebook.assignment_submissions("part4")
        }


def test_a_ta_goes_from_release_to_feedback_in_the_browser(ta, course, tmp_path):
    ta.open_formgrader()
    assert ta.warnings() == []
    ta.picture("formgrader")
    assert ta.cell("part4", "status") == "draft"
    assert "Successfully released" in ta.press("part4", "release")
    assert ta.cell("part4", "status") == "released"
    assert (course.root / "exchange/micrograder/outbound/part4/value.py").is_file()

    send(course)
    assert "Successfully collected" in ta.press("part4", "collect")
    assert ta.cell("part4", "num-submissions") == str(len(STUDENTS))
    graded_by_command = load_course(shutil.copytree(course.root, tmp_path / "copy"))
    ta.row("part4").locator(".num-submissions a").click()
    for student in STUDENTS:
        assert "Successfully autograded" in ta.press(student, "autograde")
    ta.picture("submissions")
    micrograder(graded_by_command, "grade", "part4")
    by_button = scores(course)
    assert by_button == scores(graded_by_command)
    assert sum(by_button["Amina"][f"task-4-{n}"][0] for n in range(1, 8)) == 20
    assert sum(by_button["Iris"][f"task-4-{n}"][0] for n in range(1, 8)) == 2

    ta.open_submission("Amina")
    assert ta.shown_points("task-4-2") == "3"
    answer = ta.pages.locator(".nbgrader_cell", has=ta.pages.locator(f"#{ANSWERED}"))
    guide = ta.pages.locator(".marking-guide").last
    answer.scroll_into_view_if_needed()
    assert "Marking guide (2 points)" in guide.inner_text()
    below = guide.bounding_box()["y"] - answer.bounding_box()["y"] - answer.bounding_box()["height"]
    assert 0 <= below < 30  # right under it: nobody has to look for it
    ta.mark(ANSWERED, 1.25, "Say which nodes.")
    ta.picture("marking")
    assert scores(course)["Amina"][ANSWERED] == (None, 1.25, False)

    ta.open_submission("Eve")
    text = ta.pages.locator("body").inner_text()
    assert all(one in text for one in SHOWN)
    assert ta.pages.locator("img").count() == 0

    micrograder(course, "override", "part4", "Dario", "4.1", "1.5", "--reason", "Agreed in the tutorial.")
    micrograder(course, "grade", "part4")
    ta.open_submission("Dario")
    assert ta.shown_points("task-4-1") == "1.5"
    ta.open_submission("Amina")
    assert ta.shown_points(ANSWERED) == "1.25"

    ta.menu("Manage Assignments")
    assert "Successfully generated feedback" in ta.press("part4", "generate-feedback")
    page = (course.root / "feedback/Amina/part4/part4.html").read_text()
    assert "1.25 of 2 points" in page
    assert "Say which nodes." in page
    assert "Agreed in the tutorial." in (course.root / "feedback/Dario/part4/part4.html").read_text()
    kept = [path for name in ("autograded", "feedback", "exchange") for path in (course.root / name).rglob("*.*")]
    assert len(kept) > 6 * len(STUDENTS)
    assert [path for path in kept if path.is_file() and b"Marking guide" in path.read_bytes()] == []

    assert "Successfully released feedback" in ta.press("part4", "release-feedback")
    assert len(list((course.root / "exchange/micrograder/feedback").rglob("*.html"))) == len(STUDENTS)
