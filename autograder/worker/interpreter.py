"""What the running Python needs to read from the disk: its program, its standard library, the system's libraries.

The sandbox mounts exactly this and the jail makes exactly this readable. Site-packages are no part of it: a submission
cannot import numpy, torch or somebody else's autograd.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from . import kernel

THIRD_PARTY = ("site-packages", "dist-packages")
LOADER_CACHE = "/etc/ld.so.cache"

# Libraries that every Python process on Linux has loaded. They say where this machine keeps its libraries.
_ALWAYS_LOADED = ("libc.", "libc-", "libm.", "libm-", "libpython", "ld-")


@dataclass(frozen=True)
class Interpreter:
    """Real paths (no symbolic links), parents before what lies in them."""

    program: str
    stdlib: tuple[str, ...]
    libraries: tuple[str, ...]


def find() -> Interpreter:
    """The base interpreter of this process; in a virtual environment, the one that the environment was made from."""
    program = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
    stdlib = {os.path.realpath(os.path.dirname(os.__file__))}
    stdlib |= {os.path.realpath(path) for path in sys.path if os.path.basename(path) == "lib-dynload"}
    libraries: set[str] = set()
    if sys.base_prefix != "/usr":
        libraries |= {os.path.join(sys.base_prefix, name) for name in ("lib", "lib64")}
    for path in kernel.loaded_libraries():
        if os.path.basename(path).startswith(_ALWAYS_LOADED):
            # The loader is named by its short path (/lib64/...), which must exist in the sandbox too.
            libraries |= {os.path.dirname(path), os.path.dirname(os.path.realpath(path))}
    libraries |= {"/usr" + path for path in libraries if path.startswith("/lib")}
    folders = {os.path.realpath(path) for path in libraries if os.path.isdir(path)}
    return Interpreter(program, tuple(sorted(filter(os.path.isdir, stdlib))), tuple(sorted(folders)))


def third_party(folder: str) -> list[str]:
    """The folders with installed packages in a library folder or a standard library."""
    candidates = [os.path.join(folder, name) for name in THIRD_PARTY]
    for entry in os.scandir(folder):
        if entry.name.startswith("python") and entry.is_dir(follow_symlinks=False):
            candidates += [os.path.join(entry.path, name) for name in THIRD_PARTY]
    return [path for path in candidates if os.path.isdir(path)]


def readable(interpreter: Interpreter) -> Iterator[tuple[str, bool]]:
    """What a worker may read: (path, whole). `whole` is False for a folder that may be listed but not read through.

    Landlock can only add: a folder that has site-packages in it is opened entry by entry, without those.
    """
    for folder in interpreter.stdlib:
        if not third_party(folder):
            yield folder, True
            continue
        yield folder, False
        for entry in os.scandir(folder):
            if entry.name not in THIRD_PARTY and not entry.is_symlink():
                yield entry.path, True
    for folder in interpreter.libraries:
        if not third_party(folder) and not any(inside(path, folder) for path in interpreter.stdlib):
            yield folder, True
            continue
        for entry in os.scandir(folder):
            if ".so" in entry.name and entry.is_file():
                yield entry.path, True
    if os.path.exists(LOADER_CACHE):
        yield LOADER_CACHE, True


def inside(path: str, folder: str) -> bool:
    """Whether a real path is a real folder or lies in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")
