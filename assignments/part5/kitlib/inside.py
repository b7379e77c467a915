"""Runs pytest inside a notebook's own process, for the browser, where there are no others.

The student's modules, and ours, are put aside before and back afterwards, so that the tests read the saved files and
the notebook keeps its objects. It is not used where a process can be started: that is the better way.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any, Iterator

from .carry import copy_folder
from .files import HERE, IN_BROWSER

# Calls inside each other, instead of Python's 1000. Each takes room on the browser's own stack as well, and when that
# is used up, Python is gone with all objects. At 400 a call without end is an ordinary RecursionError.
BROWSER_LIMIT = 400


def run_pytest(arguments: list[str]) -> str:
    """What pytest writes for these arguments, run on a copy of the folder in memory; the folder stays as it is."""
    import pytest

    written = io.StringIO()
    copy = _COPY.renew()
    with fresh_modules(HERE), contextlib.redirect_stdout(written), contextlib.redirect_stderr(written):
        os.chdir(copy)
        # Neither the folder itself nor "" is looked through: in the browser every look is a slow question.
        sys.path[:] = [str(copy), *(path for path in sys.path if path not in ("", str(HERE)))]
        if IN_BROWSER:
            sys.setrecursionlimit(BROWSER_LIMIT)
        # Without the plugin that collects garbage five times over, which takes a third of a check.
        pytest.main([*arguments, "--capture=sys", f"--rootdir={copy}", "-p", "no:unraisableexception"])
    return written.getvalue().replace(str(copy), str(HERE))


class _Copy:
    """The folder in memory. kitlib/ is copied once: it is the course's, and reading it takes as long as the tests."""

    def __init__(self) -> None:
        self._temporary: tempfile.TemporaryDirectory | None = None

    def renew(self) -> Path:
        """The copy, with all files but those of kitlib/ as they are saved now."""
        if self._temporary is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="micrograder-")
            return copy_folder(HERE, Path(self._temporary.name))
        copy = Path(self._temporary.name).resolve() / HERE.resolve().name
        for old in copy.iterdir():
            if old.is_file():
                old.unlink()
        for path in HERE.iterdir():
            if path.suffix in (".py", ".json", ".ini") and not path.name.startswith("."):
                (copy / path.name).write_bytes(path.read_bytes())
        sys.path_importer_cache.pop(str(copy), None)  # what it remembers of the folder is of the last check
        return copy


_COPY = _Copy()


@contextlib.contextmanager
def fresh_modules(folder: Path) -> Iterator[None]:
    """In the block, nothing of `folder` is imported yet; after it all is as before, whatever the block imported."""
    own = {path.stem for path in folder.glob("*.py")} | {"kitlib"}
    kept = _taken_out(own)
    place, path, arguments = os.getcwd(), sys.path[:], sys.argv[:]
    limit, writes_nothing, dice = sys.getrecursionlimit(), sys.dont_write_bytecode, random.getstate()
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        os.chdir(place)
        sys.path[:], sys.argv[:], sys.dont_write_bytecode = path, arguments, writes_nothing
        random.setstate(dice)
        _taken_out(own)
        sys.modules.update(kept)


def guard_cells() -> None:
    """In the browser, give every cell the limit that is safe there, as the tests have it; elsewhere do nothing."""
    if not IN_BROWSER:
        return
    sys.setrecursionlimit(BROWSER_LIMIT)
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None:
        return
    # Again before every cell, since the completion of names (jedi) sets a limit of its own. By name, since a check
    # imports this file anew.
    if _lower_the_limit.__name__ not in [one.__name__ for one in shell.events.callbacks["pre_run_cell"]]:
        shell.events.register("pre_run_cell", _lower_the_limit)


def _lower_the_limit(*_: object) -> None:
    sys.setrecursionlimit(BROWSER_LIMIT)


def _taken_out(names: set[str]) -> dict[str, Any]:
    """Remove the modules of these names, and what is in them, from those imported; returns them."""
    found = {name: module for name, module in sys.modules.items() if name.partition(".")[0] in names}
    for name in found:
        del sys.modules[name]
    return found
