"""What a failed test saw, in a student's words: what was computed, what was expected, what came out.

The student's own run (conftest.py) and the judge both use it, so that both say the same sentence. It travels with
every released folder: it imports only pytest and the standard library and runs on Python 3.10. It decides nothing.
"""

import ast
import re
from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple

import pytest

RELATIONS = {
    "==": "should be",
    "!=": "should not be",
    "<": "should be less than",
    "<=": "should be at most",
    ">": "should be greater than",
    ">=": "should be at least",
    "in": "should be one of",
    "not in": "should not be one of",
    "is": "should be the same object as",
    "is not": "should not be the same object as",
}
LONGEST = 160  # characters of a value that are shown

_compared = pytest.StashKey[Dict[str, Any]]()


@dataclass(frozen=True)
class Observation:
    """One failed test. The texts are for people; `expected` and `got` are None where no comparison failed."""

    setting: str
    subject: str
    relation: str = ""
    expected: Optional[str] = None
    got: Optional[str] = None
    note: str = ""

    def sentence(self) -> str:
        """Everything in one sentence, for example "b = a + a at a = 3: a.grad should be 6.0, got 1.0"."""
        if self.expected is None:
            said = self.note or f"{self.subject} does not hold"
        else:
            said = f"{self.subject} {RELATIONS.get(self.relation, self.relation)} {self.expected}, got {self.got}"
            said += f" ({self.note})" if self.note else ""
        return f"{self.setting}: {said}" if self.setting else said


def remember_comparison(config: pytest.Config, op: str, left: object, right: object) -> None:
    """Keep the two sides of a comparison that just failed; call it from pytest_assertrepr_compare."""
    config.stash[_compared] = {"op": op, "left": left, "right": right}


def forget_comparison(config: pytest.Config) -> None:
    """Start a test with nothing remembered; call it from pytest_runtest_setup."""
    config.stash[_compared] = {}


def left_of(config: pytest.Config) -> object:
    """The left side of the comparison that failed last in this test; None where there was none."""
    return config.stash.get(_compared, {}).get("left")


def describe(item: pytest.Item, excinfo: "pytest.ExceptionInfo[BaseException]") -> Observation:
    """The observation behind a test's failed assertion (or behind an exception that its own code raised)."""
    setting = setting_of(item)
    if not isinstance(excinfo.value, AssertionError):
        note = f"what came back could not be used ({type(excinfo.value).__name__}: {shorten(str(excinfo.value))})"
        return Observation(setting, "", note=note)
    subject = _left_source(excinfo)
    note = str(excinfo.value).partition("assert ")[0].strip()
    compared = item.config.stash.get(_compared, {})
    if not compared:
        return Observation(setting, subject, note=note)
    return Observation(setting, subject, compared["op"], show(compared["right"]), show(compared["left"]), note)


def setting_of(item: pytest.Item) -> str:
    """What the test computes: the first line of its docstring, without the full stop."""
    text = getattr(getattr(item, "function", None), "__doc__", None) or ""
    return text.strip().partition("\n")[0].rstrip(".")


def claim_of(name: str) -> str:
    """A test's name as a sentence: "test_plus_hands_its_gradient_on" -> "plus hands its gradient on"."""
    return re.sub(r"\[.*", "", name).removeprefix("test_").replace("_", " ")


def show(value: object) -> str:
    """A value as text for people: plain numbers and strings as they are, anything else as safely as possible."""
    expected = getattr(value, "expected", None) if type(value).__module__.startswith("_pytest") else None
    if expected is not None:  # pytest.approx: show the number, not the tolerance
        return show(expected)
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__} without a usable repr>"
    return shorten(text)


def shorten(text: str) -> str:
    """The text on one line, cut where it gets too long."""
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _left_source(excinfo: "pytest.ExceptionInfo[BaseException]") -> str:
    """The source of what the failed assert looked at: "a.grad" for `assert a.grad == 6.0`."""
    statement = str(excinfo.traceback[-1].statement).strip()
    try:
        parsed = ast.parse(statement).body[0]
    except (SyntaxError, IndexError):
        return statement
    if not isinstance(parsed, ast.Assert):
        return statement
    test = parsed.test
    return ast.unparse(test.left if isinstance(test, ast.Compare) else test)


def todo_of(message: str) -> Optional[str]:
    """The task whose TODO a NotImplementedError's text names ("TODO 4.1: ..." -> "4.1"), or None."""
    found = re.match(r"TODO (\d+\.\d+)\b", message)
    return found.group(1) if found else None


def task_of(item: pytest.Item) -> "Tuple[str, Tuple[str, ...]]":
    """The task a test belongs to and the other tasks it stands on, from its marker.

    Raises pytest.UsageError for a test without a marker: every test of a suite belongs to a task.
    """
    marker = item.get_closest_marker("task")
    if marker is None or not marker.args:
        raise pytest.UsageError(f"{item.nodeid} has no @pytest.mark.task(...)")
    return marker.args[0], tuple(marker.kwargs.get("needs", ()))


def forward_of(item: pytest.Item) -> "Tuple[str, ...]":
    """The tasks whose forward lines a test only runs through: it can pass although their gradients are wrong."""
    marker = item.get_closest_marker("task")
    return tuple(marker.kwargs.get("forward", ())) if marker else ()
