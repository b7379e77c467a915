"""Verdicts on the disk: .micrograder/cache/<part>/<hash>.json, one file per submission content and way of judging.

A file is written whole or not at all, and one that can't be understood counts as not there. The folder may be deleted.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from autograder.cache.keys import Keys, submission_key
from autograder.course import Course
from autograder.judge.plugin import Noted
from autograder.judge.seen import Seen
from autograder.judge.session import Key
from autograder.judge.submission import Submission
from autograder.judge.verdict import TestVerdict, Verdict


@dataclass(frozen=True)
class Found:
    """What is known of a submission: its verdict, or how those of its tests ended that have not changed since."""

    verdict: Verdict | None = None
    known: Mapping[Key, Noted] = field(default_factory=dict)


class VerdictCache:
    """The kept verdicts of a course. OSError comes out of keep() when the disk does not take them."""

    def __init__(self, course: Course) -> None:
        self._folder = course.state / "cache"

    def find(self, keys: Keys, submission: Submission) -> Found:
        """What is known of this submission, judged in this way."""
        try:
            document = json.loads(self._path(keys, submission).read_bytes())
            if document["whole"] == keys.whole:
                return Found(verdict=Verdict.model_validate(document["verdict"]))
            tests = [(_noted(entry), tuple(stand_ins), digest) for digest, stand_ins, entry in document["tests"]]
        except (OSError, ValueError, KeyError, TypeError, ValidationError):
            return Found()
        if any(entry.verdict.outcome == "timeout" for entry, _, _ in tests):
            return Found()  # how long the other tests of its task may take depends on it
        kept = [(entry, stand_ins) for entry, stand_ins, digest in tests if digest == keys.test(entry.nodeid)]
        return Found(known={(entry.nodeid, stand_ins): entry for entry, stand_ins in kept})

    def keep(self, keys: Keys, submission: Submission, verdict: Verdict, used: Mapping[Key, Noted]) -> None:
        """Keep the verdict, and the ends of the tests that it was made of."""
        document = {
            "whole": keys.whole,
            "verdict": verdict.model_dump(by_alias=True),
            "tests": [[keys.test(nodeid), stand_ins, _plain(entry)] for (nodeid, stand_ins), entry in used.items()],
        }
        write_whole(self._path(keys, submission), json.dumps(document, separators=(",", ":")))

    def _path(self, keys: Keys, submission: Submission) -> Path:
        name = hashlib.sha256(f"{keys.base}\n{submission_key(submission)}".encode()).hexdigest()[:40]
        return self._folder / keys.part / f"{name}.json"


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old text or the new one, never half of one. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _plain(entry: Noted) -> dict[str, Any]:
    return {
        "nodeid": entry.nodeid,
        "task": entry.task,
        "needs": entry.needs,
        "forward": entry.forward,
        "verdict": entry.verdict.model_dump(),
        "seen": asdict(entry.seen),
    }


def _noted(raw: dict[str, Any]) -> Noted:
    seen = Seen(**{**raw["seen"], "numbers": tuple(raw["seen"]["numbers"])})
    verdict = TestVerdict.model_validate(raw["verdict"])
    return Noted(raw["nodeid"], raw["task"], tuple(raw["needs"]), verdict, tuple(raw["forward"]), seen)
