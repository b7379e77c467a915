"""A student's file beside the stub it began as, line by line, for the feedback page and the formgrader's.

Text only: the lines are made visible here, and escaped by the templates. No line of the file is run.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Literal, TypedDict

from autograder.gradebook.notebook import visible

LINES = 1_500  # of a file that are shown; comparing takes time that grows with their square
WIDTH = 400  # characters of a line


class Line(TypedDict):
    """A line: as in the stub, added by the student, or the stub's and gone; `number` counts the student's lines."""

    kind: Literal["same", "added", "gone"]
    number: int | None
    text: str


class Listing(TypedDict):
    """One file. `note` says what is not shown, or is empty."""

    name: str
    note: str
    lines: list[Line]


def listing(name: str, stub: str, code: str) -> Listing:
    """The student's `code` with what was added to the stub and what is gone from it."""
    old, new = stub.splitlines(), code.splitlines()
    cut = len(new) - LINES
    new = new[:LINES]
    lines: list[Line] = []
    # The two are different files when a student rewrites everything; then all of it is new.
    for tag, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag in ("delete", "replace"):
            lines += [Line(kind="gone", number=None, text=_shown(text)) for text in old[first:last]]
        if tag != "delete":
            kind = "same" if tag == "equal" else "added"
            lines += [Line(kind=kind, number=at + 1, text=_shown(new[at])) for at in range(start, end)]
    note = f"The last {cut} lines are not shown." if cut > 0 else ""
    return Listing(name=name, note=note, lines=lines)


def _shown(line: str) -> str:
    return visible(line[:WIDTH], WIDTH) + ("…" if len(line) > WIDTH else "")
