"""A class with hostile submissions in it, graded through nbgrader: they gain nothing, nobody else loses anything."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from autograder.course.code import worked_solution
from autograder.course.manifest import Course
from autograder.gradebook.session import open_nbgrader
from autograder.gradebook.verdicts import load_verdict
from autograder.judge import judge as judging
from autograder.judge import sandbox
from autograder.judge.judge import SUITES
from autograder.judge.verdict import Level, Verdict
from autograder.judge.zygote import Budget, Limits
from autograder.tests.judge.bench import unavailable
from autograder.tests.judge.test_attacks import ATTACKS, NAMES, check
from autograder.tests.real_course import released_course

# Those that reach for the process, the disk, the parent or the judge; all of them take part in the slow run.
QUICK = (
    "03_patch_builtins",
    "05_patch_json_pickle",
    "17_kill_parent",
    "51_close_fds",
    "53_unlink_itself",
    "57_multiprocessing",
    "71_os_exit_import",
    "101_rewrite_operations",
    "129_steal_the_graft",
)
# For a hundred that hang or crawl: whoever has run out of time once in a task is not tried again there.
SOON_AT_AN_END = Budget(after_a_timeout=Limits(1, 1.0), timeouts=1, whole=60.0)


def test_hostile_submissions_gain_nothing_and_harm_nobody(tmp_path: Path) -> None:
    grade_a_class_with(QUICK, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["strong", "good"])
def test_every_attack_gains_nothing_and_harms_nobody(
    tmp_path: Path, level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not sandbox.probe(level).works:
        unavailable(level, sandbox.probe(level).sentence)
    monkeypatch.setattr(sandbox, "at_least", lambda demanded: level)
    monkeypatch.setattr(judging, "Budget", lambda: SOON_AT_AN_END)
    grade_a_class_with(NAMES, tmp_path)


def grade_a_class_with(attacks: Sequence[str], root: Path) -> None:
    course = released_course(root)
    part = course.part("part4")
    reference = worked_solution(course, part)
    submitted = {f"a{name}": {"value.py": (ATTACKS / name / "value.py").read_bytes()} for name in attacks}
    # Somebody honest comes before, between and after the others; what is graded first must not change later.
    submitted |= dict.fromkeys(("Anna", "aHonest", "zoe"), reference)
    for student, files in submitted.items():
        hand_in(course, student, files)
    special_files(course)
    hidden = digest(SUITES)

    api = open_nbgrader(course)
    result = api.autograde(part.id, "*", force=False)
    assert result["success"], result

    with api.gradebook as gradebook:
        scores = {one.student_id: one.score for one in gradebook.assignment_submissions(part.id)}
    assert {scores[name] for name in ("Anna", "aHonest", "zoe")} == {float(part.points)}
    assert {name: scores[name] for name in ("link", "fifo", "folder")} == {"link": 0.0, "fifo": 0.0, "folder": 0.0}
    for name in attacks:
        verdict = load_verdict(course, part.id, f"a{name}")
        assert verdict is not None
        check(name, without(verdict, "4.6", "4.7"))  # those need checks.py, which nobody but the honest hands in
        assert scores[f"a{name}"] == pytest.approx(verdict.score, abs=0.01), name
    assert digest(SUITES) == hidden
    assert not [path for path in root.rglob("*") if path.name.startswith("pwned")]


def without(verdict: Verdict, *left_out: str) -> Verdict:
    """The verdict on the other tasks alone; those left out have earned nothing."""
    tasks = [task for task in verdict.tasks if task.id not in left_out]
    score, points = sum(task.score for task in tasks), sum(task.max for task in tasks)
    assert score == pytest.approx(verdict.score, abs=0.01)  # both are rounded
    return verdict.model_copy(update={"tasks": tasks, "score": score, "max": points})


def hand_in(course: Course, student: str, files: dict[str, bytes]) -> Path:
    folder = course.root / "submitted" / student / "part4"
    folder.mkdir(parents=True)
    shutil.copy(course.release / "part4" / "part4.ipynb", folder)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def special_files(course: Course) -> None:
    """A link to a hidden suite, a FIFO without a writer, and a folder, each in the place of value.py."""
    (hand_in(course, "link", {}) / "value.py").symlink_to(SUITES / "part4" / "test_hidden.py")
    os.mkfifo(hand_in(course, "fifo", {}) / "value.py")
    (hand_in(course, "folder", {}) / "value.py").mkdir()


def digest(folder: Path) -> str:
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        total.update(path.read_bytes())
    return total.hexdigest()
