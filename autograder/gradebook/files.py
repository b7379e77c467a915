"""Reading files that somebody handed in: ordinary files only, no links followed, no more than asked for."""

from __future__ import annotations

import os
import stat
from pathlib import Path


class Refused(Exception):
    """A file or folder is there but is not taken; the message says why, without the path."""


def read_regular(path: Path, limit: int) -> bytes | None:
    """The bytes of `path`, or None when there is nothing of that name.

    Raises Refused for a symbolic link, a pipe, a device, a folder, more than `limit` bytes or an unreadable file.
    Never blocks: a pipe is opened without waiting for its other end.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        kind = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Refused(f"cannot be read ({error.strerror})") from None
    if stat.S_ISLNK(kind):
        raise Refused("is a symbolic link; hand in the file itself")
    if not stat.S_ISREG(kind):
        raise Refused("is not an ordinary file")
    try:
        descriptor = os.open(path, flags)
    except OSError as error:
        raise Refused(f"cannot be read ({error.strerror})") from None
    with open(descriptor, "rb") as file:
        # The look above was at the name; this one is at what was really opened.
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Refused("is not an ordinary file")
        data = file.read(limit + 1)
    if len(data) > limit:
        raise Refused(f"is larger than {limit // 1000} kB")
    return data


def check_folder(path: Path) -> None:
    """Raises Refused unless `path` is a real folder that can be listed."""
    if path.is_symlink():
        raise Refused("is a symbolic link; hand in the folder itself")
    if not path.is_dir():
        raise Refused("is not a folder")
    if not os.access(path, os.R_OK | os.X_OK):
        raise Refused("cannot be read (permission denied)")
