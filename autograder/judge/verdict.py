"""The verdict: one document per submission, the contract that everything downstream reads.

Only the shape of the document and the arithmetic of a score; how a verdict is reached is judge.py's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Outcome = Literal["passed", "failed", "not_done", "blocked", "error", "timeout", "crashed"]
Visibility = Literal["public", "hidden"]
Level = Literal["strong", "good", "weak"]
LEVELS: tuple[Level, ...] = ("weak", "good", "strong")


READ_AGAIN = " Read again: "  # what parts a misconception's explanation from the section to reread


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestVerdict(_Document):
    """What one test of a suite found; the message is one sentence for the student, empty when it passed."""

    __test__ = False

    name: str
    visibility: Visibility
    outcome: Outcome
    message: str = ""
    seconds: float = 0.0


class Misconception(_Document):
    """The mistaken belief that explains what was observed."""

    id: str
    title: str
    explanation: str
    certainty: Literal["exact", "likely"]

    @property
    def reread(self) -> str:
        """The section to reread, or "" when the explanation names none."""
        return self.explanation.rpartition(READ_AGAIN)[2].removesuffix(".") if READ_AGAIN in self.explanation else ""


class TaskVerdict(_Document):
    """One task's points and the tests they come from."""

    id: str
    title: str
    score: float
    max: float
    tests: list[TestVerdict]
    misconception: Misconception | None = None


class Flag(_Document):
    """Evidence for a human; it never changes a score."""

    id: str
    evidence: str


class Verdict(_Document):
    """Everything the judge has to say about one submission."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    schema_version: int = Field(default=1, alias="schema")
    part: str
    sandbox: Level
    suite: str
    submission: str
    seed: int
    score: float
    max: float
    problem: str | None = None
    tasks: list[TaskVerdict]
    flags: list[Flag] = []

    def to_json(self) -> str:
        """The document as printed by `micrograder judge --json`."""
        return self.model_dump_json(indent=2, by_alias=True)


def task_points(points: Fraction, public_share: Fraction, tests: Sequence[TestVerdict]) -> Fraction:
    """A task's score: its public share spread evenly over its public tests, the rest over its hidden ones.

    Every test counts in the denominator, whether it ran or not. A task that has tests of one kind only gives
    all its points for that kind.
    """
    earned = Fraction(0)
    shares: dict[Visibility, Fraction] = {"public": public_share, "hidden": 1 - public_share}
    present: set[Visibility] = {test.visibility for test in tests}
    whole = sum((shares[kind] for kind in present), Fraction(0))
    for kind in present:
        group = [test for test in tests if test.visibility == kind]
        passed = sum(test.outcome == "passed" for test in group)
        earned += points * shares[kind] / whole * Fraction(passed, len(group))
    return earned
