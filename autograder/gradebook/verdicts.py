"""Where the verdicts of graded submissions lie: .micrograder/verdicts/<part>/<student>.json, one document each."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from pydantic import ValidationError

from autograder.cache.store import write_whole
from autograder.course.manifest import Course
from autograder.judge.verdict import Verdict


def verdict_path(course: Course, part_id: str, student: str) -> Path:
    """The file of one student's verdict, whether or not it exists."""
    return course.state / "verdicts" / part_id / f"{student}.json"


def save_verdict(course: Course, student: str, verdict: Verdict) -> Path:
    """Write the verdict; a reader sees the old document or the new one, never half of one."""
    path = verdict_path(course, verdict.part, student)
    write_whole(path, verdict.to_json() + "\n")
    return path


def load_verdict(course: Course, part_id: str, student: str) -> Verdict | None:
    """The verdict that was saved last, or None when there is none that can be read."""
    try:
        return Verdict.model_validate_json(verdict_path(course, part_id, student).read_bytes())
    except (OSError, ValidationError):
        return None


def load_verdicts(course: Course, part_id: str) -> dict[str, Verdict]:
    """Every verdict on a part that can be read, by student, in the order of the names."""
    names = sorted(path.stem for path in verdict_path(course, part_id, "x").parent.glob("*.json"))
    found = {name: load_verdict(course, part_id, name) for name in names}
    return {name: verdict for name, verdict in found.items() if verdict is not None}


def verdict_digest(verdict: Verdict) -> str:
    """Identifies what a verdict says.

    How long the tests took does not count, since it is another time in every run, and neither does which version of
    the suites it was, as long as every test ends the same.
    """
    left_out = {"suite": True, "tasks": {"__all__": {"tests": {"__all__": {"seconds"}}}}}
    plain = verdict.model_dump(mode="json", by_alias=True, exclude=left_out)
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:32]
