"""One task's verdict as the block of HTML that stands under its check cell in the feedback and in the formgrader.

Everything that comes from the verdict is escaped. A hidden test is never named; what its sentence may say is the
judge's business (outcomes.py), which keeps the test's inputs out of it.
"""

from __future__ import annotations

from html import escape

from autograder.gradebook.overrides import Override, points_of
from autograder.judge.safe_text import plain
from autograder.judge.verdict import TaskVerdict, TestVerdict, Verdict
from autograder.judge.words import OUTCOMES, SENTENCE_LIMIT, hidden_tests, sentence


def task_html(verdict: Verdict, task: TaskVerdict, override: Override | None = None) -> str:
    """Points, what stopped the whole submission if something did, the tests, and the misconception if there is one."""
    lines = [f"<p><strong>Task {_safe(task.id)}, {_safe(task.title)}: {_points(task, override)} points</strong></p>"]
    if override is not None:
        lines.append(_decided(task, override))
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
    said = sentence(test, verdict)
    message = f"<br>{escape(said)}" if said else ""
    return f"<code>{_safe(test.name)}</code>: {OUTCOMES[test.outcome]}{message}"


def _hidden(tests: list[TestVerdict], verdict: Verdict) -> str:
    count, said = hidden_tests(tests, verdict)
    sentences = "".join(f"<li>{escape(each)}</li>" for each in said)
    return f"<p>{count}</p>" + (f"<ul>{sentences}</ul>" if sentences else "")


def _decided(task: TaskVerdict, override: Override) -> str:
    by = f" by {_safe(override.by)}" if override.by else ""
    judged = f"the tests alone give {round(task.score, 2):g}"
    return f"<p><strong>Decided by a person{by}:</strong> {_safe(override.reason)} <em>({judged})</em></p>"


def _points(task: TaskVerdict, override: Override | None) -> str:
    return f"{round(points_of(task, override), 2):g} of {round(task.max, 2):g}"


def _safe(text: str) -> str:
    return escape(plain(text, SENTENCE_LIMIT))
