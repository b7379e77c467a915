"""One task's verdict as the block of HTML that stands under its check cell in the feedback and in the formgrader.

Everything that comes from the verdict is escaped. A hidden test is never named; what its sentence may say is the
judge's business (outcomes.py), which keeps the test's inputs out of it.
"""

from __future__ import annotations

from collections import Counter
from html import escape

from autograder.judge.safe_text import plain
from autograder.judge.verdict import Outcome, TaskVerdict, TestVerdict, Verdict

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


def task_html(verdict: Verdict, task: TaskVerdict) -> str:
    """Points, what stopped the whole submission if something did, the tests, and the misconception if there is one."""
    lines = [f"<p><strong>Task {_safe(task.id)}, {_safe(task.title)}: {_points(task)} points</strong></p>"]
    if verdict.problem:
        lines.append(f"<p>{_safe(verdict.problem)}</p>")
    if task.misconception is not None:
        belief = task.misconception
        certainty = (
            "This explains exactly what was seen." if belief.certainty == "exact" else "This is the likely reason."
        )
        lines.append(
            f"<p><strong>{_safe(belief.title)}</strong><br>{_safe(belief.explanation)} <em>{certainty}</em></p>"
        )
    public = [test for test in task.tests if test.visibility == "public"]
    hidden = [test for test in task.tests if test.visibility == "hidden"]
    if public:
        lines.append("<ul>" + "".join(f"<li>{_public(test, verdict)}</li>" for test in public) + "</ul>")
    if hidden:
        lines.append(_hidden(hidden, verdict))
    return f'<div class="micrograder-verdict">{"".join(lines)}</div>'


def _public(test: TestVerdict, verdict: Verdict) -> str:
    said = _sentence(test, verdict)
    message = f"<br>{said}" if said else ""
    return f"<code>{_safe(test.name)}</code>: {OUTCOMES[test.outcome]}{message}"


def _hidden(tests: list[TestVerdict], verdict: Verdict) -> str:
    counts = Counter(test.outcome for test in tests)
    noun = "test" if len(tests) == 1 else "tests"
    passed = f"{counts['passed']} passed"
    others = [f"{counts[kind]} {words}" for kind, words in OUTCOMES.items() if kind != "passed" and counts[kind]]
    count = f"<p>Of {len(tests)} hidden {noun}: {', '.join([passed, *others])}.</p>"
    sentences = dict.fromkeys(filter(None, (_sentence(test, verdict) for test in tests)))
    return count + ("<ul>" + "".join(f"<li>{each}</li>" for each in sentences) + "</ul>" if sentences else "")


def _sentence(test: TestVerdict, verdict: Verdict) -> str:
    """The test's sentence, or "" when it only repeats what stopped the whole submission."""
    return "" if test.message in (verdict.problem or "") else _safe(test.message)


def _points(task: TaskVerdict) -> str:
    return f"{round(task.score, 2):g} of {round(task.max, 2):g}"


def _safe(text: str) -> str:
    return escape(plain(text, SENTENCE_LIMIT))
