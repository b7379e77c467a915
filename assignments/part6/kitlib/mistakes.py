"""Which known mistake looks like the student's: what the public tests saw, compared with the table in mistakes.json.

The table is of one version of test_public.py. Without it, with a damaged one, or with tests that were changed, nothing
is named: a wrong name is worse than none. It runs nothing and prints nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .files import HERE, content_digest
from .seen import Fingerprint, Seen, scores, seen_of

MOST_NAMED = 3


@dataclass(frozen=True)
class Mistake:
    """A known mistake in the course's words; `reread` is the place in the notebook that is about it."""

    title: str
    explanation: str
    reread: str


@dataclass(frozen=True)
class Table:
    """The known mistakes by id, and how each ends the public tests of a task."""

    mistakes: Mapping[str, Mistake]
    fingerprints: tuple[Fingerprint, ...]

    def like(self, task_id: str, tests: Mapping[str, Seen]) -> tuple[Mistake, ...]:
        """The mistakes that end every public test of the task as it ended here, as `tests` has it by name.

        Different mistakes can look the same in the few public tests, so there may be up to MOST_NAMED; with more
        there is nothing to say, nor when no test shows a number or a well-known error.
        """
        failed = {name: seen.portable() for name, seen in tests.items() if seen.outcome != "passed"}
        if not any(seen.speaks for seen in failed.values()):
            return ()
        found = [key for key, score in scores(self.fingerprints, task_id, failed).items() if score == 1.0]
        return tuple(self.mistakes[key] for key in found) if len(found) <= MOST_NAMED else ()


NO_TABLE = Table({}, ())


def read_table(folder: Path = HERE) -> Table:
    """The folder's table; NO_TABLE when there is none that fits its tests."""
    try:
        data = json.loads((folder / "mistakes.json").read_text(encoding="utf-8"))
        if data["tests"] != content_digest((folder / "test_public.py").read_bytes()):
            return NO_TABLE
        mistakes = {
            key: Mistake(one["title"], one["explanation"], one["reread"]) for key, one in data["mistakes"].items()
        }
        fingerprints = tuple(
            Fingerprint(one["id"], 0, one["task"], {name: [seen_of(row) for row in rows] for name, rows in one["seen"]})
            for one in data["fingerprints"]
            if one["id"] in mistakes
        )
        return Table(mistakes, fingerprints)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return NO_TABLE  # the tests say what is wrong without it
