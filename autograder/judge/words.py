"""A verdict's tests in words, as students read them: no hidden test is named, and nothing is said twice.

Plain text; whoever writes HTML escapes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from autograder.judge.safe_text import plain
from autograder.judge.verdict import Outcome, TestVerdict, Verdict

SENTENCE_LIMIT = 1_000

OUTCOMES: dict[Outcome, str] = {
    "passed": "passed",
    "failed": "failed",
    "not_done": "not started: the TODO is still there",
    "blocked": "waits for another task",
    "error": "stopped with an error in your code",
    "timeout": "took too long",
    "crashed": "ended the Python process",
}


def sentence(test: TestVerdict, verdict: Verdict) -> str:
    """The test's sentence, or "" when it only repeats what stopped the whole submission."""
    return "" if test.message in (verdict.problem or "") else plain(test.message, SENTENCE_LIMIT)


def hidden_tests(tests: Sequence[TestVerdict], verdict: Verdict) -> tuple[str, list[str]]:
    """How many of a task's hidden tests ended how, and what they say, each sentence once."""
    counts = Counter(test.outcome for test in tests)
    noun = "test" if len(tests) == 1 else "tests"
    passed = f"{counts['passed']} passed"
    others = [f"{counts[kind]} {words}" for kind, words in OUTCOMES.items() if kind != "passed" and counts[kind]]
    said = dict.fromkeys(filter(None, (sentence(test, verdict) for test in tests)))
    return f"Of {len(tests)} hidden {noun}: {', '.join([passed, *others])}.", list(said)
