"""What the judge saw when a test failed, as plain data that two submissions can be compared by.

Where in the test it failed, the kind of exception, and the plain numbers on the left of the failed comparison. No text
of a submission ever gets in here: a string on the left counts as nothing, and of an exception only its built-in type
and whether its text is one of Python's own that KNOWN_TEXTS lists.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from autograder.judge.remote import ALLOWED_ERRORS, Failure
from autograder.judge.verdict import Outcome

MOST_NUMBERS = 40
AN_ADDRESS = 1 << 32  # an int as large as this is some id(), another one in every run

# Texts of Python's own that tell one mistake from another: each becomes a fixed word.
KNOWN_TEXTS = {
    r"'NoneType' object is not callable": "none-called",
    r"'(int|float)' object has no attribute '(data|grad|_prev|_backward)'": "number-as-node",
    r"'(int|float)' object has no attribute 'backward'": "backward-of-number",
    r"'Value' object is not iterable": "node-iterated",
    r"unhashable type: 'Value'": "node-unhashable",
    r"name 'math' is not defined": "math-missing",
    r"unsupported operand type\(s\) for .{1,12}: '(int|float)' and 'Value'": "number-first",
    r"unsupported operand type\(s\) for .{1,12}: 'Value' and '(int|float)'": "number-second",
    r"maximum recursion depth exceeded.*": "recursion",
    r"math range error": "math-range",
}


@dataclass(frozen=True)
class Seen:
    """One test's end. `line` counts from the test's first line; `error` is "" where nothing was raised."""

    outcome: Outcome
    line: int = 0
    error: str = ""
    numbers: tuple[float, ...] = ()

    @property
    def speaks(self) -> bool:
        """Whether it says more than that something failed: a number, or an error whose text is known."""
        return bool(self.numbers) or ":" in self.error


PASSED = Seen("passed")


def seen_in(item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException], outcome: Outcome, left: object) -> Seen:
    """What was seen of a test that did not pass. `left`: the left side of its failed comparison, if there was one."""
    error = excinfo.value
    failure = getattr(error, "failure", None)
    if isinstance(failure, Failure):
        return Seen(outcome, _line(item, excinfo), _kind(failure.type, failure.text))
    if outcome == "failed" and not isinstance(error, AssertionError):
        # The test itself could not go on with what came back, as when it calls a closure that is None.
        return Seen(outcome, _line(item, excinfo), _kind(type(error).__name__, str(error)))
    if outcome != "failed" or getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
        return Seen(outcome)  # hypothesis draws other numbers in every version of it
    return Seen(outcome, _line(item, excinfo), "", tuple(_numbers(left)))


def _line(item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException]) -> int:
    function = getattr(item, "obj", None)
    code = getattr(function, "__code__", None)
    if code is None or getattr(function, "is_hypothesis_test", False):
        return 0
    lines = [entry.lineno + 1 for entry in excinfo.traceback if entry.frame.code.raw is code]
    return lines[0] - code.co_firstlineno if lines else 0


def _kind(name: str, said: str) -> str:
    kind = name if name in ALLOWED_ERRORS else "other"
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
