"""What the judge saw when a test failed: student/kitlib/seen.py says what that is, this file where from.

An exception of the submission carries a Failure; one of the test itself, as when it calls a closure that is None, is
evidence as well.
"""

from __future__ import annotations

import pytest

from autograder.judge.remote import Failure
from autograder.judge.verdict import Outcome
from autograder.student.kitlib import seen as seen_there
from autograder.student.kitlib.seen import PASSED, Seen

__all__ = ["PASSED", "Seen", "seen_in"]


def seen_in(item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException], outcome: Outcome, left: object) -> Seen:
    """What was seen of a test that did not pass. `left`: the left side of its failed comparison, if there was one."""
    error = excinfo.value
    failure = getattr(error, "failure", None)
    raised = None
    if isinstance(failure, Failure):
        raised = (failure.type, failure.text)
    elif outcome == "failed" and not isinstance(error, AssertionError):
        raised = (type(error).__name__, str(error))
    return seen_there.seen_in(item, excinfo, outcome, left, raised)
