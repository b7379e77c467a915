"""A class of any size whose verdicts are drawn with a fixed seed: abler students pass more. No submission is judged."""

from __future__ import annotations

import random

from autograder.course.manifest import Course, Part
from autograder.gradebook.verdicts import save_verdict
from autograder.judge.verdict import Flag, Misconception, Outcome, TaskVerdict, TestVerdict, Verdict, Visibility

BELIEFS = {
    "replaces": ("= where += belongs", 'It replaces. Read again: part 4, section 10, "The bug: a node used twice".'),
    "only-self": ("Only self gets a gradient", "The closure hands something to self and nothing to other."),
    "forgets-gradient-from-above": ("out.grad is left out", "The closure hands on the slope of its own step."),
}


def verdict(part: Part, outcomes: dict[str, list[Outcome]], **more) -> Verdict:
    """A verdict in which the tests of each task ended so; the first is public, the rest hidden, all count alike.

    `beliefs`: a misconception's id per task, or (id, "likely"); other keywords are the verdict's own.
    """
    beliefs = more.pop("beliefs", {})
    tasks = []
    for task in part.tasks:
        ended = outcomes.get(task.id, ["passed"] * 3)
        tests = []
        for at, outcome in enumerate(ended):
            kind: Visibility = "hidden" if at else "public"
            name = f"test_{kind}_{at}_of_{task.grade_id.replace('-', '_')}"
            tests.append(TestVerdict(name=name, visibility=kind, outcome=outcome, message="what the test says"))
        belief = beliefs.get(task.id)
        named = None
        if belief is not None:
            which, certainty = (belief, "exact") if isinstance(belief, str) else belief
            title, explanation = BELIEFS[which]
            named = Misconception(id=which, title=title, explanation=explanation, certainty=certainty)
        points = float(task.points)
        score = round(points * ended.count("passed") / len(ended), 4)
        tasks.append(
            TaskVerdict(id=task.id, title=task.title, score=score, max=points, tests=tests, misconception=named)
        )
    return Verdict(
        part=part.id,
        sandbox="good",
        suite="s",
        submission="f",
        seed=0,
        score=round(sum(task.score for task in tasks), 4),
        max=float(part.points),
        tasks=tasks,
        **more,
    )


def fill(course: Course, part: Part, students: int) -> None:
    """Save a verdict for each of `students` students of mixed ability."""
    draw = random.Random(4)
    for at in range(students):
        able = draw.betavariate(4, 2)
        outcomes: dict[str, list[Outcome]] = {}
        beliefs: dict[str, str | tuple[str, str]] = {}
        for task in part.tasks:
            if draw.random() < able:
                continue
            if draw.random() < 0.3 * (1 - able):
                outcomes[task.id] = ["not_done"] * 3
                continue
            missed: Outcome = "failed" if draw.random() < 0.8 else "blocked"
            outcomes[task.id] = ["passed" if draw.random() < able else missed for _ in range(3)]
            if "failed" in outcomes[task.id] and draw.random() < 0.7:
                which = draw.choice(["replaces", "replaces", *BELIEFS])
                beliefs[task.id] = which if draw.random() < 0.8 else (which, "likely")
        flags = [Flag(id="other-library", evidence="value.py:1 imports torch")] if draw.random() < 0.03 else []
        save_verdict(course, f"s{at:04d}", verdict(part, outcomes, beliefs=beliefs, flags=flags))
