"""Names the mistake behind a failed task: compares what was seen of its tests with what the bank's engines show.

exact   every test of the task ended as it does with one entry: same outcome, same place, same numbers; no other entry
        shows the same; and at least one test says more than "failed" (a number, or a well-known error).
likely  the same, where no test says more than "failed"; or no entry agrees in everything, but one is clearly nearest:
        at least LIKELY of the tests that failed, here or there, agree, and the next entry stands MARGIN behind.
nothing otherwise, and always when a test of the task was not started or waits for another task.

Two mistakes at once agree with neither alone on all tests, because every test of a task has its own numbers; a mistake
that the bank does not have can be near one that it has. Both are at best likely. Only sentences of the bank come out.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from autograder.course import Part
from autograder.judge.judge import suite_digest
from autograder.judge.plugin import Noted
from autograder.judge.verdict import READ_AGAIN, Misconception
from autograder.misconceptions.bank import FOLDER, Bank, has_bank, load_bank
from autograder.misconceptions.fingerprints import Recorded, load, shown
from autograder.student.kitlib.seen import Fingerprint, Seen, scores

LIKELY = 0.75
MARGIN = 0.25


@dataclass(frozen=True)
class Match:
    """The entry that fits, and how surely."""

    id: str
    certainty: Literal["exact", "likely"]


def explain(part: Part, seed: int, noted: Sequence[Noted]) -> dict[str, Misconception]:
    """The misconception behind each failed task for which one is found; for judge_submission.

    Nothing is found when the run cannot be compared with the recorded ones (other suites, another seed).
    """
    known = _known(part.id) if has_bank(part) else None
    if known is None or known.seed != seed or known.suite != suite_digest(part):
        return {}
    bank = _bank(part)
    found = {}
    for task in part.tasks:
        match = name(known.fingerprints, task.id, {e.key: e.seen for e in noted if e.task == task.id})
        if match is not None:
            found[task.id] = sentence(bank, match)
    return found


def sentence(bank: Bank, match: Match) -> Misconception:
    """What the verdict says of a match: the bank's own words."""
    entry = bank.entry(match.id)
    text = f"{' '.join(entry.explanation.split())}{READ_AGAIN}{entry.reread}."
    return Misconception(id=entry.id, title=entry.title, explanation=text, certainty=match.certainty)


def name(fingerprints: Sequence[Fingerprint], task: str, tests: Mapping[str, Seen]) -> Match | None:
    """Which entry fits what was seen of one task's tests."""
    failed = shown(tests)
    if not failed or any(seen.outcome in ("not_done", "blocked") for seen in failed.values()):
        return None
    speaks = any(seen.speaks for seen in failed.values())
    best = scores(fingerprints, task, failed)
    if not best:
        return None
    ranked = sorted(best.items(), key=lambda pair: -pair[1])
    first, score = ranked[0]
    second = ranked[1][1] if len(ranked) > 1 else 0.0
    if score == 1.0 and second < 1.0:
        return Match(first, "exact" if speaks else "likely")
    if speaks and LIKELY <= score < 1.0 and score - second >= MARGIN:
        return Match(first, "likely")
    return None


@functools.cache
def _known(part_id: str) -> Recorded | None:
    return load(FOLDER / f"{part_id}.json")


_banks: dict[str, Bank] = {}


def _bank(part: Part) -> Bank:
    if part.id not in _banks:
        _banks[part.id] = load_bank(part)
    return _banks[part.id]
