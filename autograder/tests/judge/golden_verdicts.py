"""The golden folders: a submission and, beside it, what the judge says about it.

After a change of a sentence or a suite, write the expected verdicts anew and read the difference:

    python -m autograder.tests.judge.golden_verdicts --write
    git diff autograder/tests/judge/golden

They are judged by the small suites, so that they change with the judge's sentences and not with the course's tests.
Times, hashes, the seed and the level are left out. The reference and the stub are rendered, not stored.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from pathlib import Path
from typing import Any

from autograder.course import Course
from autograder.course.regions import render, solution_file
from autograder.judge import judge as judging
from autograder.judge.verdict import TestVerdict, Verdict
from autograder.judge.zygote import Budget, Limits
from autograder.tests.judge.small_course import SMALL, make_small_course

GOLDEN = Path(__file__).parent / "golden"
RENDERED = {"reference": True, "stub": False}  # folder -> whether it is the worked solution

# One second of computing, and far more of waiting, so that a busy machine does not change the sentence.
BUDGET = Budget(Limits(1, 60.0), Limits(5, 60.0), Limits(1, 60.0))


def scenarios() -> list[str]:
    """The names of the golden folders."""
    return sorted(path.name for path in GOLDEN.iterdir() if path.is_dir())


def judged(course: Course, scenario: str) -> Verdict:
    """The verdict on a golden folder's submission."""
    with tempfile.TemporaryDirectory() as folder:
        for file in (GOLDEN / scenario).iterdir():
            if file.name != "expected.json":
                (Path(folder) / file.name).write_bytes(file.read_bytes())
        if scenario in RENDERED:
            source = render(solution_file(course, "value.py"), 4, worked=RENDERED[scenario])
            (Path(folder) / "value.py").write_text(source, encoding="utf-8")
        return judging.judge_submission(course, course.part("part4"), Path(folder), budget=BUDGET)


def kept(verdict: Verdict) -> dict[str, Any]:
    """What of a verdict is compared."""
    return {
        "score": verdict.score,
        "problem": verdict.problem,
        "tasks": {
            task.id: {
                "score": task.score,
                "tests": {f"{test.visibility} {test.name}": f"{test.outcome}: {_said(test)}" for test in task.tests},
            }
            for task in verdict.tasks
        },
    }


def _said(test: TestVerdict) -> str:
    """The message without what another version of Python or hypothesis says in another way."""
    said = test.message.replace(" and no __dict__ for setting new attributes", "")
    said = re.sub(r"(RecursionError at value.py):\d+", r"\1:N", said)
    return re.sub(r"-?\d+\.\d+", "N", said) if "for any numbers" in said else said


def main() -> None:
    """Write every expected.json anew."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--write", action="store_true", required=True, help="write them; git shows what changed")
    parser.parse_args()
    judging.SUITES = SMALL
    with tempfile.TemporaryDirectory() as folder:
        course = make_small_course(Path(folder))
        for scenario in scenarios():
            text = json.dumps(kept(judged(course, scenario)), indent=1, ensure_ascii=False) + "\n"
            (GOLDEN / scenario / "expected.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
