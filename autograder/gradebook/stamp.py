"""The kit's own entry in a notebook's metadata: what was handed in, and whether the notebook here was graded from it.

A stamp travels from the intake through nbgrader's two passes into autograded/. It counts as graded only when the
last step before the grades are saved says so; a run that was killed leaves a notebook whose stamp does not.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from nbformat import NotebookNode

KEY = "micrograder"
State = Literal["read", "missing", "unreadable"]


@dataclass(frozen=True)
class Stamp:
    """content: hash of everything that is graded: what was handed in, and what was decided about it; state and note:
    what became of the notebook; graded: see above; verdict: hash of the verdict that it was graded with, see
    verdicts.py; work: hash of what was handed in alone; same_work: it is what was graded the time before, too."""

    content: str
    state: State = "read"
    note: str = ""
    graded: bool = False
    verdict: str = ""
    work: str = ""
    same_work: bool = False

    def as_metadata(self) -> dict[str, Any]:
        """The entry to put under metadata["micrograder"]."""
        return asdict(self)


def stamp_of(notebook: NotebookNode) -> Stamp:
    """The stamp of a notebook that came through the intake; raises ValueError for any other notebook."""
    try:
        return Stamp(**notebook.metadata[KEY])
    except (KeyError, TypeError):
        raise ValueError("this notebook did not come through the kit's intake; grade from the course's root") from None


def graded_stamp(path: Path) -> Stamp | None:
    """The stamp of the autograded notebook at `path`; None when it is not there or was not graded to the end."""
    try:
        stamp = Stamp(**json.loads(path.read_bytes())["metadata"][KEY])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return stamp if stamp.graded else None
