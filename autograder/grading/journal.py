"""The journal of a part's grading: .micrograder/journal/<part>.jsonl, one JSON document a line, only ever added to.

A line is on the disk before what it announces begins, so that after any kill it is known what was under way. It
decides nothing; grade.py does.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from autograder.course import Course

# What an entry says of a student: scores are about to be written; they are written; the submission stays ungraded.
WRITING, WRITTEN, UNGRADED = "writing", "written", "ungraded"


class Journal:
    """The journal of one part. OSError comes out of note() when the disk does not take a line."""

    def __init__(self, course: Course, part_id: str) -> None:
        self.path: Path = course.state / "journal" / f"{part_id}.jsonl"

    def note(self, event: str, student: str, **more: str | float | int | None) -> None:
        """Add a line, and return when it is on the disk. Safe with several processes on one file."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        when = datetime.now(UTC).isoformat(timespec="seconds")
        line = json.dumps({"event": event, "student": student, "when": when, **more})
        descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            # A line that a killed run left torn must not swallow this one.
            start = "\n" if self._torn(descriptor) else ""
            os.write(descriptor, f"{start}{line}\n".encode())
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def entries(self) -> Iterator[dict[str, Any]]:
        """Every entry that can be read, in order; torn lines are left out."""
        try:
            lines = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return
        for line in lines:
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if isinstance(entry, dict) and isinstance(entry.get("student"), str):
                yield entry

    def unfinished(self) -> set[str]:
        """The students for whom writing began and did not end."""
        last = {entry["student"]: entry.get("event") for entry in self.entries()}
        return {student for student, event in last.items() if event == WRITING}

    @staticmethod
    def _torn(descriptor: int) -> bool:
        size = os.fstat(descriptor).st_size
        return size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
