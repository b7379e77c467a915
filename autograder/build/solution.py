"""The worked solution of a part, for students, once nothing more is taken: release/partN-solution/ and its zip.

A folder of its own, so that it never meets a student's files. Scanned like a part; only the part's own task code may
be in it. The model answers to the written questions are for markers and stay at home.
"""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

from autograder.build.changes import CHANGELOG, changed_since, changelog, number_of
from autograder.build.leakscan import scan_folder, scan_zip
from autograder.build.packing import contents, inside, pack, put
from autograder.build.release import LeakError, Release, closing_time
from autograder.build.withheld import collect_secrets
from autograder.course.code import worked_solution
from autograder.course.manifest import Course, CourseError, Part

README = """\
# {heading}: the worked solution

{files}, finished, as release {number} of the part asks for it. One way to write it, not the only right one: compare it
with yours. It stands in a folder of its own and replaces nothing.
"""


def release_solution(
    course: Course, part: Part, *, now: datetime | None = None, early: bool = False, dry_run: bool = False
) -> Release:
    """Put the worked solution of `part` into release/, as a folder and a zip.

    now      the moment of the release (aware); the present one if None
    early    although the part can still be handed in
    dry_run  only rehearse: release/ is not touched
    Raises CourseError when the part can still be handed in, when it cannot be rendered, or when it differs from the
    one that was released and students are told nothing of it; LeakError when the scan hits.
    """
    closes = closing_time(course, part)
    if not early and (now or datetime.now(UTC)) < closes:
        raise CourseError(
            f"{part.id} is taken until {closes:%Y-%m-%d %H:%M} UTC (due date, longest extension, late window); release "
            "its worked solution after that, or early on purpose"
        )
    name = f"{part.id}-solution"
    files = {**worked_solution(course, part), CHANGELOG: changelog(course, part).encode()}
    number = number_of(files)
    files["README.md"] = README.format(
        heading=part.heading, files=" and ".join(sorted(part.graded)), number=number
    ).encode()
    secrets = collect_secrets(course, part, worked=True)
    course.state.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=course.state, prefix="release-") as temporary:
        staging = Path(temporary)
        folder = staging / name
        folder.mkdir()
        for file, content in files.items():
            (folder / file).write_bytes(content)
        archive = pack(inside(name, files), staging / f"{name}.zip")
        if leaks := scan_folder(folder, secrets) + scan_zip(archive, secrets):
            raise LeakError(part, leaks)
        changed = changed_since(part, contents(course.release / name), files)
        if not dry_run:
            put(course, [folder, archive], staging)
    return Release(
        folder=course.release / name,
        archive=course.release / f"{name}.zip",
        files=tuple(sorted(files)),
        due=part.due,
        number=number,
        changed=tuple(changed),
        update=None,
    )
