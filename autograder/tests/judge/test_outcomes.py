"""Every outcome and its sentence, and what a hidden test never says."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from autograder.judge.outcomes import import_sentence
from autograder.judge.remote import Failure, Place
from autograder.judge.safe_text import plain
from autograder.judge.verdict import TestVerdict, Verdict
from autograder.judge.zygote import Budget
from autograder.tests.judge.conftest import SHORT

PLUS = "test_plus_hands_its_gradient_to_both"
PLUS_HIDDEN = "test_plus_adds_to_what_is_there"
CLOSURE = "self.grad += out.grad\n"
SETTING = "out = a + b; out.grad = g; out._backward(): "


def found(verdict: Verdict, name: str) -> TestVerdict:
    return next(test for task in verdict.tasks for test in task.tests if test.name == name)


# What stands in place of the line that hands a sum's gradient on, and what the two tests of + then say.
CASES = {
    "passed": ("self.grad += out.grad", "passed", "", "passed", ""),
    "a wrong number": (
        *(
            "self.grad += 2 * out.grad",
            "failed",
            SETTING + "a.grad should be 5.0, got 10.0 (a = 2.0, b = -3.0, g = 5.0)",
        ),
        *("failed", "not so with your code: plus adds to what is there"),
    ),
    "no number": (
        *("self.grad = [out.grad]", "failed", SETTING + "a.grad should be 5.0, got [5.0] (a = 2.0, b = -3.0, g = 5.0)"),
        *("failed", "not so with your code: plus adds to what is there"),
    ),
    "an object": (
        "self.grad = self",
        "failed",
        SETTING + "what came back could not be used (NotPlain: an object stands where a plain number is needed)",
        *("failed", "not so with your code: plus adds to what is there"),
    ),
    "an exception": (
        *(
            "raise ValueError(f'with {out.grad}')",
            "error",
            SETTING + "your code raised ValueError at value.py:{line}: with 5.0",
        ),
        *("error", "your code raised ValueError at value.py:{line} where: plus adds to what is there"),
    ),
    "an exception of its own": (
        "raise type(f'With{out.grad}', (Exception,), {})",
        *("error", SETTING + "your code raised With5.0 at value.py:{line}"),
        *("error", "your code raised an exception at value.py:{line} where: plus adds to what is there"),
    ),
    "its own TODO": (
        *("raise NotImplementedError('TODO 4.1: mine')", "not_done", "TODO 4.1 is not done yet"),
        *("not_done", "TODO 4.1 is not done yet"),
    ),
    "another task's TODO": (
        *("raise NotImplementedError('TODO 2.1: theirs')", "blocked", "waits for 2.1"),
        *("blocked", "waits for 2.1"),
    ),
    "no TODO of ours": (
        *("raise NotImplementedError('later')", "error"),
        SETTING + "your code raised NotImplementedError at value.py:{line}: later",
        *("error", "your code raised NotImplementedError at value.py:{line} where: plus adds to what is there"),
    ),
    "an exit": (
        *("__import__('os')._exit(4)", "crashed", "your code ended the process it ran in (exit status 4)"),
        *("crashed", "your code ended the process it ran in (exit status 4)"),
    ),
    "a sleep": (
        "__import__('time').sleep(99)",
        "timeout",
        "stopped after 1.5 s of waiting: _backward() never came back; the last line that ran was value.py:{line}",
        *("timeout", "not run: a test of this task had run out of time before"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_outcome_has_its_sentence(judge: Callable[..., Verdict], small: None, reference: str, case: str) -> None:
    instead, outcome, message, hidden_outcome, hidden_message = CASES[case]
    before, _, after = reference.partition(CLOSURE)
    line = str(before.count("\n") + 1)
    verdict = judge(f"{before}{instead}\n{after}", budget=SHORT)
    public, hidden = found(verdict, PLUS), found(verdict, PLUS_HIDDEN)
    assert (public.outcome, public.message) == (outcome, message.replace("{line}", line))
    assert (hidden.outcome, hidden.message) == (hidden_outcome, hidden_message.replace("{line}", line))
    assert verdict.problem is None


def test_numbers_that_differ_from_call_to_call_are_said_to_differ(
    judge: Callable[..., Verdict], small: None, reference: str
) -> None:
    counting = "self.grad += other.data * out.grad if next(COUNT) < 30 else 99.0"
    source = "import itertools\nCOUNT = itertools.count()\n" + reference
    verdict = judge(source.replace("self.grad += other.data * out.grad", counting))
    test = found(verdict, "test_times_is_right_for_any_numbers")
    assert test.outcome == "failed"
    assert "a.grad should be" in test.message or "different results when it was repeated" in test.message


def test_a_hidden_test_says_nothing_that_the_submission_could_have_heard_in_it(
    judge: Callable[..., Verdict], small: None, reference: str
) -> None:
    echo = """
HEARD = []
class Echo(Exception): pass
def tell():
    text = "heard " + ", ".join(HEARD[-20:])
    raise type("Heard" + text, (Echo,), {})(text)
"""
    source = echo + reference.replace("self.data = data\n", "self.data = data\n        HEARD.append(repr(data))\n")
    source = source.replace(CLOSURE, "tell()\n").replace("order, seen, stack = [], set(), [(self, False)]", "tell()")
    verdict = judge(source)
    messages = [test.message for task in verdict.tasks for test in task.tests if test.visibility == "hidden"]
    assert sum("your code raised an exception" in message for message in messages) >= 3
    for message in messages:
        assert "eard" not in message
        assert not re.search(r"\d\.\d", message.replace("4.", ""))


def test_no_sentence_of_a_task_names_the_graft(judge: Callable[..., Verdict], small: None, reference: str) -> None:
    verdict = judge(reference.replace(CLOSURE, "pass\n"))
    notes = {test.message for task in verdict.tasks[3:] for test in task.tests if test.outcome == "passed"}
    assert notes == {"", "judged with the kit's own 4.1 in place of yours"}


# ---- text that came from a submission ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\nlines\tand  more", "two lines and more"),
        ("\x1b[2Jgone\x07", "\\u{1b}[2Jgone\\u{7}"),
        ("abc\u202edef\u2066\u200b", "abc\\u{202e}def\\u{2066}\\u{200b}"),
        ("\ud800\udfff", "\\u{d800}\\u{dfff}"),
        ("e\u0301 " + "a\u0300\u0300\u0300\u0300", "e\u0301 a\u0300\u0300\\u{300}\\u{300}"),
        ("<value.Value object at 0x7f8ad0c1b2e0>", "<value.Value object>"),
        ("Gr\u00fc\u00dfe \u4f60\u597d", "Gr\u00fc\u00dfe \u4f60\u597d"),
        ("x" * 301, "x" * 297 + "..."),
        ("x" * 300, "x" * 300),
        ("\x00" * 300, ("\\u{0}" * 300)[:297] + "..."),
    ],
)
def test_text_of_a_submission_is_shown_without_its_power(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_an_import_that_fails_is_told_with_its_place() -> None:
    place = Place("value.py", 7, "")
    said = import_sentence("value.py", Failure("SyntaxError", "expected ':' (value.py, line 7)", place))
    assert said == "value.py is not valid Python at value.py:7: expected ':'"
    said = import_sentence("value.py", Failure("Mine\x1b", "no\nway", None))
    assert said == "importing value.py raised Mine\\u{1b}: no way"


def test_a_submission_that_is_slow_everywhere_and_hangs_nowhere_is_ended_too(
    judge: Callable[..., Verdict], small: None, reference: str
) -> None:
    assert reference.count("        self.data = data\n") == 1
    slow = reference.replace("        self.data = data\n", "        import time; time.sleep(0.25); self.data = data\n")
    verdict = judge(slow, budget=Budget(whole=1.0))
    tests = [test for task in verdict.tasks for test in task.tests]
    assert tests[0].outcome == "passed"
    assert tests[-1].message == "not run: the submission had used up its 1 seconds"
    assert tests[-1].outcome == "timeout"
    assert 0 < verdict.score < verdict.max
    assert judge(reference, budget=Budget(whole=100.0)).score == verdict.max
