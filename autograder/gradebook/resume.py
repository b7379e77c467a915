"""Which submissions nbgrader would skip although they are not graded, or no longer graded from what lies there.

nbgrader skips whatever has a folder in autograded/: also one that a killed run left half done, and one whose file
changed without a newer timestamp. Taking that folder away makes plain `nbgrader autograde` grade it again; marks
given by hand live in the gradebook and survive.
"""

from __future__ import annotations

from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from autograder.course.manifest import Part
from autograder.gradebook.intake import Taken, clear
from autograder.gradebook.stamp import graded_stamp


def forget_unfinished(db_url: str, course_id: str, autograded: Path, part: Part, taken: list[Taken]) -> list[str]:
    """Remove autograded/<student>/<part> of every submission in `taken` that has to be graded again.

    Returns one sentence per removed folder, for the log.
    """
    present = [one for one in taken if (autograded / one.student / part.id).exists()]
    if not present:
        return []
    scored = _scored(db_url, course_id, part)
    sentences = []
    for one in present:
        folder = autograded / one.student / part.id
        graded = graded_stamp(folder / f"{part.notebook}.ipynb")
        if graded is None:
            reason = "was left half graded"
        elif one.student not in scored:
            reason = "has no score in the gradebook"
        elif graded.content != one.content:
            reason = "was handed in again, or its points were decided by hand"
        else:
            continue
        clear(folder)
        sentences.append(f"{one.student}/{part.id} {reason}: grading it again")
    return sentences


def _scored(db_url: str, course_id: str, part: Part) -> set[str]:
    """The students who have a score for every task of the part."""
    checks = {task.grade_id for task in part.tasks}
    with Gradebook(db_url, course_id) as gradebook:
        try:
            submissions = gradebook.assignment_submissions(part.id)
        except MissingEntry:
            return set()
        grades = {
            str(submission.student_id): [grade for notebook in submission.notebooks for grade in notebook.grades]
            for submission in submissions
        }
        return {
            student
            for student, all_of_them in grades.items()
            if checks <= {grade.name for grade in all_of_them if grade.auto_score is not None}
        }
