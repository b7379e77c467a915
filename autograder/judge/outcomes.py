"""From what a test raised to an outcome and one sentence for the student.

A public test's sentence shows numbers. A hidden test's shows none of its inputs, and nothing that student code could
have put them into: no exception texts, no class names of theirs, no reprs.
"""

from __future__ import annotations

import re

import pytest

from autograder.judge.remote import ALLOWED_ERRORS, Failure, Place, WorkerStopped
from autograder.judge.safe_text import plain
from autograder.judge.verdict import Outcome, Visibility
from autograder.student.kitlib import observe

_PLACE = re.compile(r" \(\S+, line \d+\)$")  # what Python puts at the end of a SyntaxError's text


def judge_failure(
    item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException], visibility: Visibility, task: str
) -> tuple[Outcome, str]:
    """The outcome of a test that did not pass, and its sentence."""
    error = excinfo.value
    if isinstance(error, WorkerStopped):
        return error.outcome, error.sentence
    if isinstance(error, NotImplementedError) and (todo := observe.todo_of(str(error))):
        if todo == task:
            return "not_done", f"TODO {task} is not done yet"
        return "blocked", f"waits for {plain(todo, 12)}"
    failure = getattr(error, "failure", None)  # in one process an exception has none
    if isinstance(failure, Failure):
        return "error", _sentence(item, failure, visibility)
    if type(error).__name__.startswith("Flaky"):
        return "failed", "the same calculation gave different results when it was repeated"
    if visibility == "hidden":
        return "failed", f"not so with your code: {observe.claim_of(item.name)}"
    return "failed", plain(observe.describe(item, excinfo).sentence())


def _sentence(item: pytest.Item, failure: Failure, visibility: Visibility) -> str:
    if visibility == "hidden":
        kind = failure.type if failure.type in ALLOWED_ERRORS else "an exception"
        return f"your code raised {kind}{_at(failure.place)} where: {observe.claim_of(item.name)}"
    said = f"your code raised {plain(failure.type, 60)}{_at(failure.place)}"
    if failure.text:
        said += f": {plain(failure.text, 160)}"
    setting = observe.setting_of(item)
    return f"{setting}: {said}" if setting else said


def import_sentence(file: str, failure: Failure) -> str:
    """What to say when a file of the submission can't even be imported."""
    kind = plain(failure.type, 60)
    text = plain(failure.text, 160)
    if failure.type in ("SyntaxError", "IndentationError", "TabError"):
        return f"{file} is not valid Python{_at(failure.place)}: {_PLACE.sub('', text)}"
    return f"importing {file} raised {kind}{_at(failure.place)}: {text}"


def _at(place: Place | None) -> str:
    return "" if place is None else f" at {place.file}:{place.line}"
