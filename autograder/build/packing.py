"""How folders and zips get into release/: the same bytes from the same files, and all of them or none.

What may be in them is decided and scanned elsewhere.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from autograder.course.manifest import Course, CourseError

# A zip's first possible moment: the same files give the same bytes whenever they are packed.
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below `folder` by its relative name; nothing where there is no such folder."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def pack(files: Mapping[str, bytes], archive: Path) -> Path:
    """A zip whose bytes depend on nothing but its files: stored, since compressed bytes vary with zlib."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as packed:
        for name, content in sorted(files.items()):
            member = zipfile.ZipInfo(name, _ZIP_TIME)
            member.create_system = 3  # Unix, on every machine
            member.external_attr = 0o644 << 16
            packed.writestr(member, content)
    return archive


def inside(folder: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The same files, below a folder of that name."""
    return {f"{folder}/{name}": content for name, content in files.items()}


def put(course: Course, made: list[Path], staging: Path) -> None:
    """Move what was made into release/, under its own names; when that fails, what stood there comes back.

    Raises CourseError then.
    """
    course.release.mkdir(exist_ok=True)
    aside: list[tuple[Path, Path]] = []
    placed: list[Path] = []
    try:
        for new in made:
            place = course.release / new.name
            if place.exists():
                kept = staging / f"old-{place.name}"
                place.rename(kept)
                aside.append((kept, place))
            new.rename(place)
            placed.append(place)
    except OSError as error:
        for place in placed:
            place.rename(staging / f"refused-{place.name}")
        for kept, place in aside:
            kept.rename(place)
        raise CourseError(f"release/{made[0].name} cannot be replaced: {error}") from None
