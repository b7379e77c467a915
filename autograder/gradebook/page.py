"""What a feedback page and the formgrader's need beside the notebook: titles, and the student's files beside the stub.

It travels in the autograded notebook's metadata, so that both pages show the files that were graded.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from autograder.course.manifest import Course, Part
from autograder.gradebook.files import Refused, check_folder, read_regular
from autograder.gradebook.listing import Listing, listing
from autograder.student.kitlib.submit import LARGEST_CODE

PAGE = "micrograder_page"


def page_of(course: Course, part: Part, submitted: Path) -> dict[str, Any]:
    """The entry for a notebook's metadata; `submitted` is the student's folder, and what cannot be read is left out."""
    titles = {each.grade_id: each.label + each.remark for each in part.counted}
    return {"title": part.heading, "titles": titles, "files": _files(course, part, submitted)}


def _files(course: Course, part: Part, submitted: Path) -> list[Listing]:
    found: list[Listing] = []
    try:
        check_folder(submitted.parent)
        check_folder(submitted)
    except Refused:
        return found  # the feedback says already that nothing was read
    for name in part.graded:
        try:
            data = read_regular(submitted / name, LARGEST_CODE)
        except Refused:
            continue
        if data is not None:
            found.append(listing(name, handed_out(course, part, name) or "", data.decode("utf-8", errors="replace")))
    return found


def handed_out(course: Course, part: Part, name: str) -> str | None:
    """The file as students got it, or None when neither release/ nor assignments/ has it."""
    for folder in (course.release, course.assignments):
        path = folder / part.id / name
        if path.is_file():
            return path.read_text(encoding="utf-8")
    return None
