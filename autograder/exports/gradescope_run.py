"""Runs inside Gradescope's container: judges /autograder/submission and writes /autograder/results/results.json.

When the judge itself fails, no results.json is written and the exit status is 1: Gradescope then shows that the
autograder failed, and gives no score. What is printed is for instructors only.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from autograder.course.manifest import CourseError, load_course
from autograder.judge import JudgeError, judge_submission
from autograder.judge.safe_text import plain
from autograder.judge.sandbox import SandboxError, at_least
from autograder.judge.verdict import TaskVerdict, Verdict
from autograder.judge.words import OUTCOMES, hidden_tests, sentence
from autograder.misconceptions.matcher import explain


def run(root: Path) -> int:
    """Judge what lies under `root` ("/autograder"); the exit status."""
    started = time.monotonic()
    target = root / "results" / "results.json"
    target.unlink(missing_ok=True)  # an older run's result must not stand for this one
    source = root / "source"
    try:
        course = load_course(source)
        part = course.part((source / "part").read_text(encoding="utf-8").strip())
        level = at_least(course.sandbox)
        verdict = judge_submission(course, part, root / "submission", sandbox=level, explain=explain)
    except (CourseError, JudgeError, SandboxError, OSError) as error:
        print(f"micrograder: no score was given: {error}")
        return 1
    print(f"sandbox level {verdict.sandbox}; suite {verdict.suite}; submission {verdict.submission}")
    for flag in verdict.flags:
        print(f"flag for a human, {flag.id}: {plain(flag.evidence, 400)}")
    target.parent.mkdir(parents=True, exist_ok=True)
    written = target.with_suffix(".part")
    written.write_text(json.dumps(results(verdict, time.monotonic() - started), indent=2), encoding="utf-8")
    os.replace(written, target)
    return 0


def results(verdict: Verdict, seconds: float) -> dict[str, Any]:
    """The verdict as Gradescope's results.json; one entry per task, without a hidden test's name."""
    document: dict[str, Any] = {
        "execution_time": round(seconds),
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "output_format": "text",
        "tests": [_task(verdict, task) for task in verdict.tasks],
    }
    if verdict.problem:
        document["output"] = plain(verdict.problem, 1_000)
    return document


def _task(verdict: Verdict, task: TaskVerdict) -> dict[str, Any]:
    lines: list[str] = []
    if task.misconception is not None:
        belief = task.misconception
        surely = "" if belief.certainty == "exact" else " (likely)"
        lines += [f"{belief.title}{surely}", belief.explanation, ""]
    for test in task.tests:
        if test.visibility == "public":
            lines.append(f"{test.name}: {OUTCOMES[test.outcome]}")
            lines += [f"    {said}" for said in [sentence(test, verdict)] if said]
    if hidden := [test for test in task.tests if test.visibility == "hidden"]:
        count, said = hidden_tests(hidden, verdict)
        lines += [count, *(f"    {each}" for each in said)]
    return {
        "name": f"{task.id} {task.title}",
        "number": task.id,
        "score": task.score,
        "max_score": task.max,
        "status": "passed" if task.score >= task.max else "failed",
        "output": "\n".join(lines),
        "output_format": "text",
        "visibility": "visible",
    }


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1])))
