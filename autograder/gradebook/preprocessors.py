"""nbgrader's steps that are ours. None of them starts a kernel, and none reads a line of the student's code.

First pass, submitted -> autograded:   MarkUngraded, PutCourse, RebuildFromRelease, then nbgrader's own checks.
Second pass, autograded -> autograded: JudgeVerdicts in the place of Execute, SaveScores, AnswerComments.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades
from traitlets import Unicode

from autograder.course.manifest import Course, CourseError, Part, load_course
from autograder.gradebook.late import put_dates, refresh_penalties
from autograder.gradebook.notebook import from_notebook
from autograder.gradebook.overrides import overrides_of
from autograder.gradebook.page import PAGE, page_of
from autograder.gradebook.points import put_points
from autograder.gradebook.rebuild import rebuild
from autograder.gradebook.scores import score_cells
from autograder.gradebook.stamp import KEY, stamp_of
from autograder.gradebook.verdicts import save_verdict, verdict_digest, verdict_path
from autograder.judge.verdict import Verdict

Result = tuple[NotebookNode, dict[str, Any]]


def ask_judge(course: Course, part: Part, path: Path) -> Verdict:
    """The official verdict on a submission; whatever this raises means that the submission stays ungraded."""
    from autograder.cache.ask import official_verdict  # the judge is not needed when only a config file is read

    return official_verdict(course, part, path)


class CourseStep(NbGraderPreprocessor):
    """A step that knows the course; nbgrader_config.py says where it is."""

    course_root = Unicode(help="The folder that holds solutions/course.toml").tag(config=True)

    def course(self) -> Course:
        """The course, read afresh: the formgrader's server lives longer than a course.toml stays the same."""
        return load_course(Path(self.course_root))


class MarkUngraded(NbGraderPreprocessor):
    """Takes the old scores of the check cells out of the gradebook before anything else happens.

    When grading fails or is killed after this, the gradebook says "no score", and not what an earlier file earned. What
    a person has given stays.
    """

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> Result:
        """Changes the gradebook only."""
        where = resources["nbgrader"]
        with Gradebook(where["db_url"]) as gradebook:
            try:
                submitted = gradebook.find_submission_notebook(where["notebook"], where["assignment"], where["student"])
            except MissingEntry:
                return nb, resources
            for grade in submitted.grades:
                grade.auto_score = None
                grade.needs_manual_grade = grade.needs_manual_grade or grade.manual_score is None
            gradebook.db.commit()
        return nb, resources


class PutCourse(CourseStep):
    """Puts course.toml's due date, this student's extension and the points of every cell into the gradebook.

    Before lateness is looked at, and before the notebook's cells are compared with the gradebook's.
    """

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> Result:
        """Changes the gradebook only."""
        course, where = self.course(), resources["nbgrader"]
        with Gradebook(where["db_url"]) as gradebook:
            part = course.part(where["assignment"])
            put_dates(gradebook, course, part, where["student"])
            put_points(gradebook, part, where["student"])
            gradebook.db.commit()
        return nb, resources


class RebuildFromRelease(CourseStep):
    """Replaces the student's notebook by the released one with the student's words in it (see rebuild.py)."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> Result:
        """Needs the notebook in release/, or else in assignments/."""
        course, where = self.course(), resources["nbgrader"]
        name = f"{where['assignment']}/{where['notebook']}.ipynb"
        for folder in (course.release, course.assignments):
            if (folder / name).is_file():
                release: Any = nbformat.read(folder / name, as_version=4)
                points = {each.grade_id: float(each.points) for each in course.part(where["assignment"]).counted}
                for cell in release.cells:
                    mark = cell.metadata.get("nbgrader", {})
                    if mark.get("grade_id") in points:
                        mark["points"] = points[mark["grade_id"]]
                return rebuild(release, from_notebook(nb), stamp_of(nb)), resources
        raise CourseError(f"neither release/ nor assignments/ has {name}; run `micrograder build` first")


class JudgeVerdicts(CourseStep):
    """Writes each check cell's score and message, from the verdict on the submission, as its only output.

    The verdict is the one that resources["nbgrader"]["verdict"]() gives, where `micrograder grade` has put that, and
    otherwise what ask_judge() gives.
    """

    submitted = Unicode(help="The folder that students' submissions lie in").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> Result:
        """Saves the verdict, too. Raises whatever the judge raises: an ungraded submission, never a 0."""
        course, where = self.course(), resources["nbgrader"]
        part, student = course.part(where["assignment"]), where["student"]
        verdict_path(course, part.id, student).unlink(missing_ok=True)
        try:
            ready = where.get("verdict")
            verdict = ready() if ready else ask_judge(course, part, Path(self.submitted) / student / part.id)
            score_cells(nb, part, verdict, overrides_of(course, part, student))
        except Exception as error:
            self.log.error("%s/%s stays ungraded, the judge failed: %s", student, part.id, error)
            raise
        save_verdict(course, student, verdict)
        nb.metadata[PAGE] = page_of(course, part, Path(self.submitted) / student / part.id)
        nb.metadata[KEY] = replace(stamp_of(nb), graded=True, verdict=verdict_digest(verdict)).as_metadata()
        return nb, resources


class SaveScores(SaveAutoGrades):
    """nbgrader's step, except that a mark still holds where the same work is graded again.

    nbgrader asks for every mark again each time it grades, which after a corrected test would be the whole class.
    """

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Saves the scores of all cells; the stamp then no longer tells how the notebook came to be graded again."""
        stamp = stamp_of(nb)
        self._same_work = stamp.same_work
        nb, resources = super().preprocess(nb, resources)
        nb.metadata[KEY] = replace(stamp, same_work=False).as_metadata()
        return nb, resources

    def _add_score(self, cell: NotebookNode, resources: Any) -> None:
        name = cell.metadata.nbgrader["grade_id"]
        grade: Any = self.gradebook.find_grade(name, self.notebook_id, self.assignment_id, self.student_id)
        holds = self._same_work and grade.manual_score is not None and not grade.needs_manual_grade
        super()._add_score(cell, resources)
        if holds:
            grade.needs_manual_grade = False
            self.gradebook.db.commit()


class DropCells(CourseStep):
    """Takes what was just saved for dropped cells out of the score again; comes after SaveScores."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> Result:
        """Changes the gradebook only, and only when the course has dropped something."""
        where = resources["nbgrader"]
        part = self.course().part(where["assignment"])
        if any(each.dropped for each in part.counted):
            with Gradebook(where["db_url"]) as gradebook:
                put_points(gradebook, part, where["student"])
                gradebook.db.commit()
        return nb, resources


class RefreshPenalty(CourseStep):
    """Brings a late submission's penalty up to date with the points given by hand since; comes before GetGrades."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> Result:
        """Changes the gradebook only, and only when the penalty is another one now."""
        course, where = self.course(), resources["nbgrader"]
        with Gradebook(where["db_url"]) as gradebook:
            refresh_penalties(gradebook, course, where["assignment"], where["student"])
        return nb, resources


class WaitingAnswers(NbGraderPreprocessor):
    """Tells the feedback page which written answers nobody has marked yet: they are no 0."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> Result:
        """Puts the names of their cells into resources; changes nothing else."""
        where = resources["nbgrader"]
        with Gradebook(where["db_url"]) as gradebook:
            notebook: Any = gradebook.find_submission_notebook(where["notebook"], where["assignment"], where["student"])
            waiting = [one.name for one in notebook.grades if one.needs_manual_grade and one.manual_score is None]
        where["waiting"] = waiting
        return nb, resources


class AnswerComments(NbGraderPreprocessor):
    """Says beside a written answer why there is none, where nbgrader would only say "No response."

    Comes after SaveScores, which resets these comments. A marker's own comment takes precedence.
    """

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> Result:
        """Changes the gradebook only, and only when the notebook was missing or could not be read."""
        stamp, where = stamp_of(nb), resources["nbgrader"]
        if stamp.state == "read":
            return nb, resources
        with Gradebook(where["db_url"]) as gradebook:
            for cell in nb.cells:
                if utils.is_solution(cell):
                    grade_id = cell.metadata.nbgrader["grade_id"]
                    comment: Any = gradebook.find_comment(
                        grade_id, where["notebook"], where["assignment"], where["student"]
                    )
                    comment.auto_comment = stamp.note
            gradebook.db.commit()
        return nb, resources
