"""Clean copies of what students handed in, made before nbgrader looks at anything.

submitted/ is never changed. nbgrader grades from .micrograder/intake/<student>/<part>/, which holds only the graded
files, one readable notebook, a valid timestamp and nbgrader's secret: ordinary files, whatever stood in submitted/.
Student code is copied here, byte by byte, and neither parsed nor run.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import nbformat
from nbgrader.utils import parse_utc

from autograder.course.manifest import Course, Part
from autograder.gradebook.files import Refused, check_folder, read_regular
from autograder.gradebook.notebook import Cell, Unreadable, read_cells, to_notebook
from autograder.gradebook.overrides import Decisions, decided_for
from autograder.gradebook.stamp import KEY, Stamp, State, graded_stamp
from autograder.judge.safe_text import plain
from autograder.student.kitlib.submit import LARGEST_CODE, LARGEST_NOTEBOOK

TIMESTAMP = "timestamp.txt"
SECRET = "submission_secret.txt"  # nbgrader submit makes it; feedback goes back under its hash
FOLDER = ".micrograder/intake"  # stands where nbgrader's "submitted" stood while it grades


@dataclass(frozen=True)
class Taken:
    """One submission after the intake: its clean folder, the hash of what it holds, and remarks for the TA's log."""

    student: str
    folder: Path
    content: str
    remarks: tuple[str, ...] = ()


def check_student(name: str) -> None:
    """Raises Refused for a folder name that nbgrader or the gradebook cannot carry."""
    if any(character in name for character in "*?[]"):
        raise Refused("has one of * ? [ ] in its name, which nbgrader takes for a pattern; rename the folder")
    if plain(name) != name:
        raise Refused("has invisible or undecodable characters in its name; rename the folder")


@dataclass(frozen=True)
class Read:
    """One submission as it was read, before anything is written: what a clean copy would hold."""

    student: str
    files: dict[str, bytes]
    notebook: list[Cell]
    stamp: Stamp
    remarks: tuple[str, ...]


def read_in(part: Part, submitted: Path, decided: Decisions) -> Read:
    """Read `submitted` (submitted/<student>/<part>), and what was decided about it; nothing is written.

    Whatever is wrong with single files is remarked, never raised: the submission is graded without them. Raises
    Refused when the student's folder has a name that cannot be graded.
    """
    student = submitted.parent.name
    check_student(student)
    handed_in = _HandedIn(submitted)
    files: dict[str, bytes] = {}
    for name in part.graded:
        data = handed_in.read(name, LARGEST_CODE)
        if data is not None:
            files[name] = data
    timestamp = _timestamp(handed_in)
    if timestamp:
        files[TIMESTAMP] = timestamp.encode()
    secret = handed_in.read(SECRET, 200)
    if secret and secret.isalnum():
        files[SECRET] = secret
    cells, state, note = _notebook(handed_in, part)
    work = handed_in.content()
    for task, entry in sorted(decided_for(student, decided).items()):
        handed_in.note(f"override {task}", entry.model_dump_json().encode())  # a new decision is to be graded anew
    for each in part.counted:
        if each.dropped:
            handed_in.note(f"dropped {each.grade_id}", each.dropped.encode())
    remarks = (*handed_in.remarks, *([note] if note else []))
    return Read(student, files, cells, Stamp(handed_in.content(), state, note, work=work), remarks)


def take_in(course: Course, part: Part, submitted: Path, decided: Decisions) -> Taken:
    """Copy `submitted` into the intake, replacing an earlier copy.

    Raises Refused as read_in() does, and OSError when the copy cannot be written.
    """
    return put_in(course, part, read_in(part, submitted, decided))


def put_in(course: Course, part: Part, read: Read) -> Taken:
    """Write the clean copy of what was read. Raises OSError when that cannot be done."""
    folder = course.root / FOLDER / read.student / part.id
    before = graded_stamp(course.root / "autograded" / read.student / part.id / f"{part.notebook}.ipynb")
    stamp = replace(read.stamp, same_work=before is not None and before.work == read.stamp.work)
    clear(folder)
    folder.mkdir(parents=True)
    for name, data in read.files.items():
        (folder / name).write_bytes(data)
    nbformat.write(to_notebook(read.notebook, {KEY: stamp.as_metadata()}), folder / f"{part.notebook}.ipynb")
    return Taken(read.student, folder, read.stamp.content, read.remarks)


def clear(folder: Path) -> None:
    """Remove `folder` and all it holds, read-only files too; nothing happens when it is not there."""
    for place, _, _ in os.walk(folder):
        os.chmod(place, 0o755)
    shutil.rmtree(folder, ignore_errors=not folder.exists())


class _HandedIn:
    """A submission's folder, read file by file, with a hash of all that was read and the remarks on what was not."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.remarks: list[str] = []
        self._hash = hashlib.sha256()
        self.usable = True
        for place in (folder.parent, folder):
            try:
                check_folder(place)
            except Refused as refused:
                self.usable = False
                self.remarks.append(f"the folder {plain(place.name, 100)} {refused}")
                break

    def read(self, name: str, limit: int) -> bytes | None:
        """The file's bytes, or None with a remark when it is there but not taken."""
        try:
            data = read_regular(self.folder / name, limit) if self.usable else None
            self.note(name, b"absent" if data is None else hashlib.sha256(data).digest())
            return data
        except Refused as refused:
            self.remarks.append(f"{plain(name, 100)} {refused}")
            self.note(name, str(refused).encode())
            return None

    def notebooks(self) -> Iterator[str]:
        """The names of the notebooks that lie in the folder itself."""
        if self.usable:
            yield from sorted(
                entry.name
                for entry in os.scandir(self.folder)
                if entry.name.endswith(".ipynb")
                and not entry.name.startswith(".")
                and entry.is_file(follow_symlinks=False)
            )

    def content(self) -> str:
        """The hash of everything read so far, and of what was refused."""
        return self._hash.hexdigest()

    def note(self, name: str, what: bytes) -> None:
        """Let the hash cover `what`, too."""
        self._hash.update(f"{len(name)} {len(what)} ".encode() + os.fsencode(name) + what)


def _timestamp(handed_in: _HandedIn) -> str | None:
    """The submission's time as written, when nbgrader can read it: it gives up on the student when it cannot."""
    data = handed_in.read(TIMESTAMP, 200)
    if data is None or not data.strip():
        return None
    try:
        text = data.decode("utf-8").strip()
        parse_utc(text)
    except Exception:  # dateutil raises a dozen kinds of errors for strange dates
        handed_in.remarks.append("timestamp.txt does not hold a date; graded as if it were not there")
        return None
    return text


def _notebook(handed_in: _HandedIn, part: Part) -> tuple[list[Cell], State, str]:
    """The notebook's cells, and when they are not the student's own: why, in a sentence for the feedback page."""
    wanted = f"{part.notebook}.ipynb"
    if not handed_in.usable:
        return [], "unreadable", f"Nothing was read of what you handed in: {handed_in.remarks.pop()}."
    remarks = len(handed_in.remarks)
    name, note = wanted, ""
    data = handed_in.read(wanted, LARGEST_NOTEBOOK)
    if len(handed_in.remarks) > remarks:
        return [], "unreadable", f"Your notebook was not read: {handed_in.remarks.pop()}."
    if data is None:
        others = list(handed_in.notebooks())
        if not others:
            return [], "missing", f"No notebook was handed in ({wanted} is not there)."
        if len(others) > 1:
            return [], "unreadable", f"{wanted} is not there, and which of the {len(others)} other notebooks counts?"
        name = others[0]
        note = f"{wanted} was not there; “{plain(name, 100)}”, the only notebook handed in, was taken in its place."
        data = handed_in.read(name, LARGEST_NOTEBOOK) or b""
    try:
        return read_cells(data), "read", note
    except Unreadable as unreadable:
        return [], "unreadable", f"“{plain(name, 100)}” {unreadable}, so no written answer could be taken from it."
