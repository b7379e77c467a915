"""A submission that came as a zip, as `python kit.py submit` packs it: reads single files of it, bounded.

Names in a zip are a stranger's text: they are compared and never used as paths.
"""

from __future__ import annotations

import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from autograder.course import CourseError

MAX_ARCHIVE = 64 << 20  # bytes; a part with its notebook has a hundredth of that
MAX_MEMBERS = 10_000
# The others unpack a whole block at once, however large it turns out to be.
BOUNDED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}


class Unreadable(Exception):
    """A member is there and is not taken; the message ends the sentence "value.py ..."."""


class Archive:
    """One opened zip. Raises CourseError when the file is none, or is too large to be a submission."""

    def __init__(self, path: Path) -> None:
        try:
            if path.stat().st_size > MAX_ARCHIVE:
                raise CourseError(f"{path.name} is larger than {MAX_ARCHIVE >> 20} MB and is not opened")
            self._zip = zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise CourseError(f"{path.name} cannot be read as a zip ({error})") from None
        members = [member for member in self._zip.infolist() if not member.is_dir()]
        if len(members) > MAX_MEMBERS:
            raise CourseError(f"{path.name} holds {len(members)} files and is not opened")
        self._by_name: dict[str, list[zipfile.ZipInfo]] = {}
        for member in members:
            place = PurePosixPath(member.filename)
            if "__MACOSX" not in place.parts:
                self._by_name.setdefault(place.name, []).append(member)

    def close(self) -> None:
        self._zip.close()

    def read(self, name: str, limit: int) -> bytes | None:
        """The member of that name which lies least deep, at most `limit` + 1 bytes of it; None when there is none.

        Raises Unreadable for two at the same depth, a link, a password, damage, and unbounded kinds of packing.
        """
        members = self._by_name.get(name, [])
        if not members:
            return None
        least = min(_depth(member) for member in members)
        found = [member for member in members if _depth(member) == least]
        if len(found) > 1:
            raise Unreadable(f"is in the zip {len(found)} times, and which one counts?")
        member = found[0]
        if stat.S_ISLNK(member.external_attr >> 16):
            raise Unreadable("is a link to another place; hand in the file itself")
        if member.flag_bits & 1:
            raise Unreadable("is locked with a password")
        if member.compress_type not in BOUNDED:
            raise Unreadable("is packed in a way that is not read; pack it as an ordinary zip")
        try:
            with self._zip.open(member) as file:
                return file.read(limit + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError) as error:
            raise Unreadable(f"is damaged inside the zip ({error})") from None


def _depth(member: zipfile.ZipInfo) -> int:
    return len(PurePosixPath(member.filename).parts)
