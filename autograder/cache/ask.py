"""The official verdict on one submission: the kept one, or else the judge's, which is then kept.

What `nbgrader autograde` and `micrograder grade` both use. `micrograder judge` asks the judge itself, always.
"""

from __future__ import annotations

from pathlib import Path

from autograder.cache.keys import Keys, keys_of
from autograder.cache.store import VerdictCache
from autograder.course import Course, Part
from autograder.judge.judge import SEED, collected, judge_with
from autograder.judge.sandbox import at_least
from autograder.judge.session import Results
from autograder.judge.submission import read_submission
from autograder.judge.verdict import Verdict
from autograder.misconceptions.matcher import explain


def official_keys(course: Course, part: Part) -> Keys:
    """The keys of official verdicts: at the best sandbox level here, which must be at least course.toml's.

    Raises SandboxError when this machine has no such level.
    """
    return keys_of(course, part, at_least(course.sandbox), seed=SEED)


def official_verdict(course: Course, part: Part, path: Path) -> Verdict:
    """The verdict on what lies at `path`.

    Raises SandboxError as official_keys(), CourseError for a wrong path, JudgeError when the judge itself failed, and
    OSError when the verdict can't be kept.
    """
    keys, cache = official_keys(course, part), VerdictCache(course)
    submission = read_submission(part, path)
    found = cache.find(keys, submission)
    if found.verdict is not None:
        return found.verdict
    results = Results(found.known)
    verdict = collected(
        part,
        lambda suites: judge_with(
            suites, course, part, submission, keys.level, seed=keys.seed, explain=explain, results=results
        ),
    )
    cache.keep(keys, submission, verdict, results.used)
    return verdict
