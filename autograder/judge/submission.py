"""A submission as bytes: reads a part's graded files from a folder, a zip or a single file, and follows nothing.

The only code that opens what a student handed in. It runs and imports none of it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from autograder.course import CourseError, Part
from autograder.judge.archive import Archive, Unreadable
from autograder.judge.safe_text import plain

MAX_BYTES = 2 << 20  # of one graded file
_TOO_LARGE = f"is larger than {MAX_BYTES >> 20} MB; the stub has a few kilobytes"


@dataclass(frozen=True)
class Submission:
    """`sources`: what could be read, by file name. `missing`: for every other graded file a sentence that says why."""

    sources: dict[str, bytes]
    missing: dict[str, str]

    @property
    def digest(self) -> str:
        """Identifies the content: the same files give the same text everywhere."""
        total = hashlib.sha256()
        for name in sorted(self.sources):
            total.update(f"{name}\0{len(self.sources[name])}\0".encode() + self.sources[name])
        for name in sorted(self.missing):
            total.update(f"{name}\0missing\0{self.missing[name]}".encode())
        return total.hexdigest()[:16]


def read_submission(part: Part, path: Path) -> Submission:
    """Read the graded files of `part` from `path`: a folder, a zip, or one file (the others are then not handed in).

    Raises CourseError when `path` itself is no such thing: that is a wrong call, not a bad submission.
    """
    try:
        there, folder = os.path.lexists(path), path.is_dir()
    except OSError as error:
        raise CourseError(f"nothing to judge: {path} can't be looked at ({os.strerror(error.errno or 0)})") from None
    if there and not folder and path.suffix.lower() == ".zip":
        return _from_zip(part, path)
    if folder:
        places = {name: path / name for name in part.graded}
    elif there:
        places = {_graded_name(part, path): path}
    else:
        raise CourseError(f"nothing to judge: {path} does not exist")
    sources: dict[str, bytes] = {}
    missing: dict[str, str] = {}
    for name in part.graded:
        if name not in places:
            missing[name] = f"{name} was not handed in"
            continue
        try:
            sources[name] = _read(places[name])
        except _Unreadable as error:
            missing[name] = f"{name} {error}{_lookalikes(path, name) if error.absent else ''}"
    return Submission(sources, missing)


def _from_zip(part: Part, path: Path) -> Submission:
    sources: dict[str, bytes] = {}
    missing: dict[str, str] = {}
    archive = Archive(path)
    try:
        for name in part.graded:
            try:
                data = archive.read(name, MAX_BYTES)
            except Unreadable as error:
                missing[name] = f"{name} {plain(str(error))}"
                continue
            if data is None:
                missing[name] = f"{name} is missing: no file of that name is in the zip"
            elif len(data) > MAX_BYTES:
                missing[name] = f"{name} {_TOO_LARGE}"
            else:
                sources[name] = data
    finally:
        archive.close()
    return Submission(sources, missing)


class _Unreadable(Exception):
    absent = False


def _read(path: Path) -> bytes:
    try:
        # O_NONBLOCK: opening a FIFO without a writer must not wait for one.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise _unreadable(error) from None
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise _Unreadable("is a folder, not a file")
        if not stat.S_ISREG(mode):
            raise _Unreadable("is not an ordinary file")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise _unreadable(error) from None
    finally:
        os.close(descriptor)
    if len(data) > MAX_BYTES:
        raise _Unreadable(_TOO_LARGE)
    return data


def _unreadable(error: OSError) -> _Unreadable:
    if error.errno == errno.ELOOP:
        return _Unreadable("is a link to another place; hand in the file itself")
    if error.errno == errno.ENOENT:
        absent = _Unreadable("is missing: no file of that name was handed in")
        absent.absent = True
        return absent
    return _Unreadable(f"could not be read ({os.strerror(error.errno or 0)})")


def _lookalikes(folder: Path, name: str) -> str:
    """What may be the file under another name: " (found value (1).py instead?)"."""
    stem = name.removesuffix(".py").lower()
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.name.lower().startswith(stem))
    except OSError:
        return ""
    found = [plain(entry, 60) for entry in names if entry != name and not entry.endswith(".ipynb")]
    return f" (found {', '.join(found[:3])}; was it renamed?)" if found else ""


def _graded_name(part: Part, path: Path) -> str:
    if path.name in part.graded:
        return path.name
    if len(part.graded) == 1 and path.suffix == ".py":
        return next(iter(part.graded))
    raise CourseError(f"{path.name} is none of {part.id}'s graded files ({', '.join(part.graded)})")
