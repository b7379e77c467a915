"""What the judge saw of every wrong engine of the bank, recorded in partN.json beside it. record.py writes them.

For each misconception, task and test: the different ways in which the test ended. More than one, where the order of
a set, or the order in which a graph is walked, is left to the engine. Hidden numbers are in here, so
it stays in the house.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.course import CourseError
from autograder.student.kitlib.seen import Fingerprint, Seen, seen_of


@dataclass
class Recorded:
    """Everything recorded for a part; `suite` and `seed` say of which run, `digest` from what."""

    suite: str
    seed: int
    digest: str
    fingerprints: list[Fingerprint] = field(default_factory=list)


def save(path: Path, recorded: Recorded) -> None:
    """Write them, one test a line, so that a difference can be read."""
    tree: dict[str, Any] = {"suite": recorded.suite, "seed": recorded.seed, "digest": recorded.digest}
    lines = [f" {json.dumps(key)}: {json.dumps(value)}," for key, value in tree.items()]
    rows = []
    for one in recorded.fingerprints:
        tests = [
            f"   {json.dumps(test)}: {json.dumps([each.row() for each in seen])}" for test, seen in one.tests.items()
        ]
        head = json.dumps({"id": one.id, "engine": one.engine, "task": one.task})[:-1]
        rows.append(f'  {head}, "tests": {{\n' + ",\n".join(tests) + "}}")
    text = "{\n" + "\n".join(lines) + '\n "fingerprints": [\n' + ",\n".join(rows) + "\n ]\n}\n"
    path.write_text(text, encoding="utf-8")


def load(path: Path) -> Recorded | None:
    """Read them; None when nothing was recorded. Raises CourseError when the file is damaged."""
    if not path.is_file():
        return None
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        found = [
            Fingerprint(
                one["id"], one["engine"], one["task"], {k: [seen_of(r) for r in v] for k, v in one["tests"].items()}
            )
            for one in raw["fingerprints"]
        ]
        return Recorded(raw["suite"], raw["seed"], raw["digest"], found)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise CourseError(
            f"{path.name} is damaged ({error}); run: python -m autograder.misconceptions.record"
        ) from None


def shown(tests: Mapping[str, Seen]) -> dict[str, Seen]:
    """The tests that did not pass, by name."""
    return {name: seen for name, seen in tests.items() if seen.outcome != "passed"}
