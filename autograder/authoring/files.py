"""Changes of files that are written by hand: each is put beside its file first, then all are renamed into place.

A change that breaks off leaves every file whole, the old one or the new one.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.course import CourseError

READABLE = 0o644


@dataclass(frozen=True)
class Added:
    """What a skeleton came to: the files that were added to, and those that had their piece already."""

    files: tuple[str, ...]
    untouched: tuple[str, ...] = ()


def text_of(path: Path) -> str | None:
    """The file's text, or None where there is no file. Raises CourseError when it is no text."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise CourseError(f"{path} can't be read as UTF-8 text ({error})") from None


def write_all(texts: Mapping[Path, str]) -> None:
    """Put each text in the place of its file, in this order. Raises CourseError when one can't be written."""
    aside: list[tuple[str, Path]] = []
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
            aside.append((name, path))
            with open(descriptor, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            os.chmod(name, path.stat().st_mode & 0o777 if path.exists() else READABLE)
        while aside:
            os.replace(*aside[0])
            del aside[0]
    except OSError as error:
        raise CourseError(f"{error.filename2 or error.filename} can't be written: {error.strerror}") from None
    finally:
        for name, _ in aside:
            Path(name).unlink(missing_ok=True)
