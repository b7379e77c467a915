"""What the formgrader shows beside a written answer: how to mark it, and the model answer.

Read from solutions/ each time a page is made. It is put into no file: autograded/ is copied to feedback/, and from
there to the students.
"""

from __future__ import annotations

from typing import NamedTuple

from autograder.course.manifest import Course, CourseError
from autograder.course.notebook_text import model_answers

HEADING = "**Marking guide"  # where in the text of a model answer's cell the second half begins


class Guide(NamedTuple):
    """Two texts in markdown; where the author has not written them apart, marking holds all and answer is empty."""

    marking: str
    answer: str


class MarkingGuides:
    """A jinja filter: a part's id -> the guide of each of its written answers, by the name of the answer's cell."""

    def __init__(self, course: Course) -> None:
        self.course = course

    def __call__(self, part_id: str) -> dict[str, Guide]:
        """Nothing for a part that is not in the course, or whose notebook text can't be read: marking goes on."""
        try:
            part = self.course.part(part_id)
            texts = {question: text for question, _, text in model_answers(self.course, part)}
        except CourseError:
            return {}
        return {q.grade_id: _split(texts[q.id]) for q in part.questions if q.id in texts}


def _split(text: str) -> Guide:
    answer, heading, marking = text.partition(HEADING)
    return Guide(heading + marking, answer) if heading else Guide(answer, "")
