"""What was seen of a test that failed, as plain data, and how far it agrees with what a known mistake shows.

The judge (judge/seen.py, misconceptions/) and the student's own run (mistakes.py) both compare by it. Where in the
test it failed, the kind of exception, and the plain numbers on the left of the failed comparison: no text of a
submission ever gets in here. A string on the left counts as nothing, and of an exception only its built-in type and
whether its text is one of Python's own that KNOWN_TEXTS lists. It imports only the standard library.
"""

from __future__ import annotations

import builtins
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # pictures and kit.py work without it
    import pytest

MOST_NUMBERS = 40
AN_ADDRESS = 1 << 32  # an int as large as this is some id(), another one in every run
IN_ITS_PLACE = 0.5  # what a test counts that failed where it should, with a number that depends on an order

# Texts of Python's own that tell one mistake from another: each becomes a fixed word.
KNOWN_TEXTS = {
    r"'NoneType' object is not callable": "none-called",
    r"'(int|float)' object has no attribute '(data|grad|_prev|_backward)'": "number-as-node",
    r"'(int|float)' object has no attribute 'backward'": "backward-of-number",
    r"'Value' object is not iterable": "node-iterated",
    r"unhashable type: 'Value'": "node-unhashable",
    r"name 'math' is not defined.*": "math-missing",
    r"unsupported operand type\(s\) for .{1,12}: '(int|float)' and 'Value'": "number-first",
    r"unsupported operand type\(s\) for .{1,12}: 'Value' and '(int|float)'": "number-second",
    r"maximum recursion depth exceeded.*": "recursion",
    r"math range error": "math-range",
}


@dataclass(frozen=True)
class Seen:
    """One test's end. `line` counts from the test's first line; `error` is "" where nothing was raised."""

    outcome: str
    line: int = 0
    error: str = ""
    numbers: tuple[float, ...] = ()

    @property
    def speaks(self) -> bool:
        """Whether it says more than that something failed: a number, or an error whose text is known."""
        return bool(self.numbers) or ":" in self.error

    def portable(self) -> Seen:
        """The same as it looks in any run: an exception counts by its kind alone.

        The judge sends operations to a worker and may notice at a later line that one raised.
        """
        return Seen("failed", 0, self.error) if self.error else self

    def row(self) -> list[Any]:
        """As it is written into JSON; seen_of reads it."""
        return [self.outcome, self.line, self.error, [float(f"{number:.12g}") for number in self.numbers]]


PASSED = Seen("passed")
Tests = dict[str, list[Seen]]  # by test, the ways in which it ended; a test that is missing has passed in every run


@dataclass
class Fingerprint:
    """One way to have a misconception: what `engine` of entry `id` shows on `task`."""

    id: str
    engine: int
    task: str
    tests: Tests = field(default_factory=dict)


def seen_of(row: list[Any]) -> Seen:
    """What `Seen.row` wrote. Raises ValueError or TypeError for anything else."""
    outcome, line, error, numbers = row
    return Seen(outcome, line, error, tuple(float(number) for number in numbers))


def seen_in(
    item: pytest.Item,
    excinfo: pytest.ExceptionInfo[BaseException],
    outcome: str,
    left: object,
    raised: tuple[str, str] | None,
) -> Seen:
    """What was seen of a test that did not pass.

    left     the left side of its failed comparison, if there was one
    raised   the type's name and the text of an exception that was no failed comparison of the test's own
    """
    by_hypothesis = bool(getattr(getattr(item, "obj", None), "is_hypothesis_test", False))
    line = 0 if by_hypothesis else _line(item, excinfo)
    if raised is not None:
        return Seen(outcome, line, _kind(*raised))
    if outcome != "failed" or by_hypothesis:
        return Seen(outcome)  # hypothesis draws other numbers in every version of it
    return Seen(outcome, line, "", tuple(_numbers(left)))


def same(one: Seen, other: Seen) -> bool:
    """Whether two tests ended alike; last digits of a number do not count, the sign of a zero does."""
    return _same_place(one, other) and all(_close(p, q) for p, q in zip(one.numbers, other.numbers, strict=True))


def agreement(recorded: Tests, failed: Mapping[str, Seen]) -> float:
    """How far the tests that failed, here or there, agree: 1.0 when all do in everything, 0.0 when none does.

    Where the recorded number itself varies with an order that is left to the engine, another number in the same place
    counts IN_ITS_PLACE: not every order was recorded.
    """
    names = failed.keys() | {name for name, ways in recorded.items() if PASSED not in ways}
    if not names:
        return 0.0
    return sum(_agrees(recorded.get(name, [PASSED]), failed.get(name, PASSED)) for name in sorted(names)) / len(names)


def scores(fingerprints: Iterable[Fingerprint], task: str, failed: Mapping[str, Seen]) -> dict[str, float]:
    """Per misconception of the task the agreement of its nearest engine with the tests that failed."""
    best: dict[str, float] = {}
    for one in fingerprints:
        if one.task == task:
            best[one.id] = max(best.get(one.id, 0.0), agreement(one.tests, failed))
    return best


def _agrees(ways: list[Seen], seen: Seen) -> float:
    if any(same(seen, way) for way in ways):
        return 1.0
    alike = [way for way in ways if way.numbers and _same_place(seen, way)]
    return IN_ITS_PLACE if len(alike) > 1 else 0.0


def _same_place(one: Seen, other: Seen) -> bool:
    return (one.outcome, one.line, one.error, len(one.numbers)) == (
        other.outcome,
        other.line,
        other.error,
        len(other.numbers),
    )


def _close(p: float, q: float) -> bool:
    if p == q:
        return math.copysign(1.0, p) == math.copysign(1.0, q)
    return (math.isnan(p) and math.isnan(q)) or math.isclose(p, q, rel_tol=1e-9, abs_tol=1e-13)


def _line(item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException]) -> int:
    code = getattr(getattr(item, "obj", None), "__code__", None)
    if code is None:
        return 0
    lines = [entry.lineno + 1 for entry in excinfo.traceback if entry.frame.code.raw is code]
    return lines[0] - code.co_firstlineno if lines else 0


def _kind(name: str, said: str) -> str:
    built_in = getattr(builtins, name, None)
    kind = name if isinstance(built_in, type) and issubclass(built_in, Exception) else "other"
    known = next((word for text, word in KNOWN_TEXTS.items() if re.fullmatch(text, said)), "")
    return f"{kind}:{known}" if known else kind


def _numbers(value: object) -> list[float]:
    """The plain numbers in a value, in order; those of a set sorted. True and False count as 1 and 0."""
    if type(value) is int and abs(value) >= AN_ADDRESS:
        return []
    if type(value) in (bool, int, float):
        return [float(value)]  # type: ignore[arg-type]
    if type(value) is set:
        found = sorted(number for item in value for number in _numbers(item))
        return found[:MOST_NUMBERS]
    if type(value) in (list, tuple):
        found = [number for item in value for number in _numbers(item)]  # type: ignore[attr-defined]
        return found[:MOST_NUMBERS]
    return []
