"""assignments/ -> release/: what students get, as a folder and a zip, by way of nbgrader's own generate_assignment.

Everything is made and scanned in a folder on the side, first without a database. Only what passed reaches
nbgrader's database and release/; a refusal leaves both as they were. What a part consists of is assignment.py's, what
students are told about a newer release changes.py's; the worked solution is solution.py's.
"""

from __future__ import annotations

import contextlib
import logging
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from nbgrader.api import MissingEntry
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import capture_log

from autograder.build.assignment import drift, kit_folder, part_files
from autograder.build.changes import changed_since, number_of
from autograder.build.leakscan import Leak, scan_folder, scan_zip
from autograder.build.packing import contents, inside, pack, put
from autograder.build.placeholders import placeholders
from autograder.build.withheld import collect_secrets
from autograder.course.manifest import Course, CourseError, Part
from autograder.gradebook.config import put_tools_on_path
from autograder.gradebook.session import has_gradebook, nbgrader_config, open_gradebook


class LeakError(CourseError):
    """A release was refused because of `leaks`; the message lists them, one a line."""

    def __init__(self, part: Part, leaks: list[Leak]) -> None:
        self.leaks = leaks
        listed = "\n".join(f"  {leak}" for leak in leaks)
        super().__init__(f"{part.id} is not released; what would leave holds what students must not see:\n{listed}")


@dataclass(frozen=True)
class Release:
    """What was released: the folder, the zip, the names of the files in both, and the due date in the gradebook.

    number   1 for a part's first release
    changed  files that differ from the release before
    update   from the second release on: the zip of what students do not write
    """

    folder: Path
    archive: Path
    files: tuple[str, ...]
    due: datetime
    number: int
    changed: tuple[str, ...]
    update: Path | None


def release(
    course: Course, part: Part, *, now: datetime | None = None, early: bool = False, dry_run: bool = False
) -> Release:
    """Release `part`: generate, scan, put the due date into nbgrader's database, fill release/.

    now      the moment of the release (aware); the present one if None
    early    release although the part before can still be handed in
    dry_run  only rehearse: neither the gradebook nor release/ is touched
    Releasing again replaces the release before; changes.py says when it may. Raises CourseError when the part before is
    not closed, when a placeholder stands in the part, when assignments/ has drifted from solutions/, when students are
    told nothing of a change, or when nbgrader refuses (it does when submissions exist and graded cells came or went);
    LeakError when the scan hits.
    """
    if not early:
        _check_part_before(course, part, now or datetime.now(UTC))
    if unwritten := placeholders(course, part, kit_folder(course)):
        listed = "\n".join(f"  {each}" for each in unwritten)
        raise CourseError(f"{part.id} is not released; parts of it are not written yet:\n{listed}")
    if not (course.assignments / part.id).is_dir():
        raise CourseError(f"assignments/{part.id} is not built yet; run: micrograder build")
    secrets = collect_secrets(course, part)
    course.state.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=course.state, prefix="release-") as temporary:
        staging = Path(temporary)
        rehearsal = _generate(course, part, staging / "rehearsal", record=False)
        files = contents(rehearsal)
        archive = pack(inside(part.id, files), staging / f"{part.id}.zip")
        if leaks := scan_folder(rehearsal, secrets) + scan_zip(archive, secrets):
            raise LeakError(part, leaks)
        if drifted := drift(course, part):
            raise CourseError(f"{', '.join(drifted)}: not what solutions/ gives; run: micrograder build")
        if strays := sorted({*files} - {*part_files(course, part)}):
            raise CourseError(f"assignments/{part.id}: delete {', '.join(strays)}; it would leave with the part")
        number, changed = number_of(files), changed_since(part, contents(course.release / part.id), files)
        update = staging / f"{part.id}-update.zip" if number > 1 else None
        if not dry_run:
            folder = _generate(course, part, staging / "release", record=True)
            if contents(folder) != files:
                raise CourseError(f"{part.id}: nbgrader gave something else than in the rehearsal; release again")
            with open_gradebook(course) as gradebook:
                # nbgrader annotates each keyword as a dict, but takes a datetime here.
                gradebook.update_or_create_assignment(part.id, duedate=part.due)  # pyright: ignore[reportArgumentType]
            made = [folder, archive]
            if update is not None:
                # Part of what was scanned. Unpacked over a student's folder, it must leave the student's work alone.
                made.append(pack({name: files[name] for name in files if name not in part.handed_in}, update))
            put(course, made, staging)
    return Release(
        folder=course.release / part.id,
        archive=course.release / f"{part.id}.zip",
        files=tuple(sorted(files)),
        due=part.due,
        number=number,
        changed=tuple(changed),
        update=course.release / update.name if update is not None else None,
    )


def closing_time(course: Course, part: Part) -> datetime:
    """When nothing more is taken for `part`: its due date, the longest extension anyone has, the late window."""
    return part.due + _longest_extension(course, part) + timedelta(days=course.late_window_days)


def _check_part_before(course: Course, part: Part, now: datetime) -> None:
    """A part hands out the finished code of the parts before it, so the last of these has to be closed."""
    before = [other for other in course.written_parts if other.number < part.number]
    if before:
        last = max(before, key=lambda other: other.number)
        closes = closing_time(course, last)
        if now < closes:
            raise CourseError(
                f"{part.id} holds the finished code of {last.id}, which is taken until {closes:%Y-%m-%d %H:%M} UTC "
                "(due date, longest extension, late window); release it after that, or early on purpose"
            )


def _longest_extension(course: Course, part: Part) -> timedelta:
    """The longest that course.toml or the gradebook grants to anybody."""
    given = list(course.extensions_of(part).values())
    if has_gradebook(course):
        with open_gradebook(course) as gradebook, contextlib.suppress(MissingEntry):
            submissions = gradebook.find_assignment(part.id).submissions
            given += [each.extension for each in submissions if each.extension is not None]
    return max(given, default=timedelta())


def _generate(course: Course, part: Part, target: Path, *, record: bool) -> Path:
    """Run nbgrader's generate_assignment into `target`, and with `record` note the cells in the course's gradebook.

    Returns the folder it made.
    """
    put_tools_on_path()
    config = nbgrader_config(course)
    # nbgrader joins this to the course's root, so it has to be relative to it.
    config.CourseDirectory.release_directory = target.relative_to(course.root).as_posix()
    config.CourseDirectory.assignment_id = part.id
    config.SaveCells.enabled = record
    config.GenerateAssignment.no_database = not record
    converter = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config)
    converter.force = True
    converter.log.setLevel(logging.INFO)
    result = capture_log(converter)
    folder = target / part.id
    if not result["success"] or not folder.is_dir():
        raise CourseError(f"nbgrader generate_assignment {part.id}: {_reason(result)}")
    return folder


def _reason(result: Mapping[str, object]) -> str:
    """The first error that nbgrader logged, in a line; what it raises itself only points at its log."""
    said = f"{result.get('log', '')}\n{result.get('error', '')}"
    errors = re.findall(r"^\s*[\w.]*(?:Error|Exception): (.+)$", said, re.MULTILINE)
    if errors and errors[0].startswith("Cannot add or remove cells"):
        return f'{errors[0]}; to drop a task or a question, keep it, and write dropped = "..." in course.toml'
    return errors[0] if errors else said.strip().rpartition("\n")[2]
