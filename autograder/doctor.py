"""What works on this machine, for `micrograder doctor`: one line per thing, with what to do where it does not.

It changes nothing and judges nothing.
"""

from __future__ import annotations

import platform
import shutil
from collections.abc import Iterator
from importlib import metadata

from autograder.judge.sandbox import explain
from autograder.judge.verdict import LEVELS

LIBRARIES = ("nbgrader", "pytest", "hypothesis", "jupyterlab")


def examine() -> Iterator[str]:
    """One line for a person per thing that was looked at."""
    yield f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    for library in LIBRARIES:
        yield f"{library} {_version(library)}"
    for level in reversed(LEVELS):
        yield f"sandbox: {explain(level)}"
    if shutil.which("dot"):
        yield "graphviz: installed; graphs are drawn with it"
    else:
        yield "graphviz: not installed; graphs are drawn by the kit itself, which needs nothing"


def _version(library: str) -> str:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return "is not installed; run: pip install -e ."
