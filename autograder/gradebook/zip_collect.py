"""`nbgrader zip_collect` with collect.py's answers: files go to submitted/, a group's file to each of its members.

Whatever is not collected is said in the log and in downloaded/PART/not_collected.txt, with the reason.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin
from traitlets import Unicode

from autograder.course.manifest import Course, load_course
from autograder.gradebook.collect import Found, plan, read_roster
from autograder.judge.safe_text import plain

LIST = "not_collected.txt"
# nbgrader collects a file for one student. Here the extractor puts the copies of the others: COPIES/STUDENT/path.
COPIES = "copies for the members of a group"


def _planned(course: Course, assignment: str, extracted: Path) -> tuple[list[Found], dict[str, str]]:
    """What is collected of the extracted files, for whom, and why the others are not."""
    part = course.part(assignment)
    files = [path for path in extracted.rglob("*") if path.is_symlink() or path.is_file()]
    names = {path.relative_to(extracted).as_posix() for path in files if COPIES not in path.parts}
    links = {name for name in names if (extracted / name).is_symlink()}
    released = {path.name for path in (course.release / part.id).rglob("*") if path.is_file()}
    handout = released - part.handed_in
    found, left = plan(part, names - links, read_roster(course), handout, course.groups_of(part))
    return found, left | dict.fromkeys(links, "a symbolic link, which could lead anywhere")


def _first_and_others(found: list[Found]) -> tuple[dict[str, Found], list[Found]]:
    """Each file for one student, and the further students of those that a group handed in."""
    first: dict[str, Found] = {}
    for one in found:
        first.setdefault(one.path, one)
    return first, [one for one in found if one is not first[one.path]]


class LmsExtractor(ExtractorPlugin):
    """Unpacks as nbgrader does, and puts a copy of a group's file there for each further member."""

    course_root = Unicode(help="The folder that holds solutions/course.toml").tag(config=True)

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Extract `archive_path` to `extracted_path`; nbgrader walks through it afterwards."""
        super().extract(archive_path, extracted_path)
        app: Any = self.parent  # nbgrader's ZipCollectApp; traitlets' types know only that it may be None
        extracted = Path(extracted_path)
        found, _ = _planned(load_course(Path(self.course_root)), app.coursedir.assignment_id, extracted)
        for one in _first_and_others(found)[1]:
            copy = extracted / COPIES / one.student / one.path
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(extracted / one.path, copy)


class LmsCollector(FileNameCollectorPlugin):
    """nbgrader asks it for one file after the other; the answers come from one plan for all of them."""

    course_root = Unicode(help="The folder that holds solutions/course.toml").tag(config=True)
    _answers: dict[str, Found] | None = None

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """The student and the file that `submitted_file` is for, or None when it is not collected."""
        if self._answers is None:
            self._answers = self._plan()
        found = self._answers.get(os.path.abspath(submitted_file))
        if found is None:
            return None
        info = {"student_id": found.student, "file_id": found.file}
        # An attempt's time is that of handing in; nbgrader writes it to timestamp.txt.
        return info | ({} if found.time is None else {"timestamp": _spaced(found.time)})

    def _plan(self) -> dict[str, Found]:
        app: Any = self.parent
        extracted = Path(app._format_collect_path(app.extracted_directory))
        found, left = _planned(load_course(Path(self.course_root)), app.coursedir.assignment_id, extracted)
        for path, reason in sorted(left.items()):
            self.log.error("not collected: %s: %s", ascii(path), reason)
        note = extracted.parent / LIST
        note.write_text("".join(f"{plain(path, 400)}: {why}\n" for path, why in sorted(left.items())), encoding="utf-8")
        if left:
            self.log.error("%d files were not collected; the list is in %s", len(left), note)
        first, others = _first_and_others(found)
        answers = {os.path.abspath(extracted / path): one for path, one in first.items()}
        return answers | {os.path.abspath(extracted / COPIES / one.student / one.path): one for one in others}


def _spaced(time: str) -> str:
    """2026-10-26-21-59-30 as a date that nbgrader can read."""
    year, month, day, hour, minute, second = time.split("-")
    return f"{year}-{month}-{day} {hour}:{minute}:{second}"
