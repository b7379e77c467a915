"""A judge for tests of the bridge: it reads value.py as text and believes what a comment in it claims.

"# earns 4.1=1.25 4.2=3" gives these points, anything else 0; "# break the judge" raises.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from autograder.course.manifest import Course, Part
from autograder.judge.verdict import Misconception, TaskVerdict, TestVerdict, Verdict

HIDDEN = "not so with your code: plus collects <both> contributions"
asked: list[str] = []


def ask(course: Course, part: Part, path: Path) -> Verdict:
    """The verdict that the file claims."""
    asked.append(path.parent.name)
    file = path / "value.py"
    return believe(part, {file.name: file.read_bytes()} if file.is_file() and not file.is_symlink() else {})


def believe(part: Part, sources: Mapping[str, bytes]) -> Verdict:
    """The verdict that these files claim."""
    there = "value.py" in sources
    text = sources["value.py"].decode(errors="replace") if there else ""
    if "break the judge" in text:
        raise RuntimeError("a bug in the judge")
    claims = dict(re.findall(r"([45]\.[12])=([\d.]+|nan|inf|-1)", text))
    tasks = [_task(task.id, task.title, float(claims.get(task.id, 0)), float(task.points), text) for task in part.tasks]
    return Verdict(
        part=part.id,
        sandbox="good",
        suite="s",
        submission="f",
        seed=0,
        score=sum(task.score for task in tasks),
        max=float(part.points),
        problem=None if there else "value.py was not handed in.",
        tasks=tasks,
    )


def _task(task_id: str, title: str, score: float, points: float, text: str) -> TaskVerdict:
    full = score == points
    message = next(iter(re.findall(r"# says (.*)", text)), "a.grad is 1.0, expected 2.0.")
    outcome = "passed" if full else "failed"
    tests = [
        TestVerdict(name="test_a_plus_a", visibility="public", outcome=outcome, message="" if full else message),
        TestVerdict(name="test_secret_diamond", visibility="hidden", outcome=outcome, message="" if full else HIDDEN),
        TestVerdict(name="test_secret_chain", visibility="hidden", outcome="passed"),
    ]
    belief = Misconception(id="m", title="Assigned, not added", explanation="A node used twice.", certainty="exact")
    return TaskVerdict(
        id=task_id, title=title, score=score, max=points, tests=tests, misconception=None if full else belief
    )
