"""What every score must come to, computed apart: from course.toml's text, the suites' text and the plan.

Nothing here calls what it is to be held against: no manifest, no judge, no late rule of the kit.
"""

from __future__ import annotations

import ast
import math
import tomllib
from datetime import timedelta
from fractions import Fraction
from pathlib import Path

from autograder.tests.term.plan import EXTENSION, Term, Work


def final_scores(root: Path, term: Term, part_id: str) -> dict[str, float]:
    """By student, who handed in `part_id`: the score after everything."""
    raw = tomllib.loads((root / "solutions" / "course.toml").read_text(encoding="utf-8"))
    part = next(one for one in raw["part"] if one["id"] == part_id)
    tests = tests_by_task(root / "autograder" / "suites" / part_id)
    share = Fraction(str(raw["public_share"]))
    found = {}
    for student, work in term.work[part_id].items():
        total = sum(
            (
                Fraction(str(task["points"])) * _share(work, task["id"], tests[task["id"]], share)
                for task in part["task"]
                if "dropped" not in task
            ),
            Fraction(0),
        )
        total += sum(Fraction(work.marks.get(q["id"], 0)) for q in part["question"] if "dropped" not in q)
        late = work.came - part["due"] - (EXTENSION if (student, part_id) in term.extended else timedelta())
        found[student] = float(total * (1 - _taken_off(late, raw)))
    return found


def passes(work: Work, task: str, test: str) -> bool:
    """Whether a submission must pass a test ("public NAME") of a task."""
    return work.lost is not None and test not in work.lost.get(task, ())


def tests_by_task(suites: Path) -> dict[str, list[str]]:
    """The tests of each task, as "public NAME" or "hidden NAME", read from the markers in the suites' text."""
    found: dict[str, list[str]] = {}
    for kind in ("public", "hidden"):
        for node in ast.parse((suites / f"test_{kind}.py").read_text(encoding="utf-8")).body:
            for mark in node.decorator_list if isinstance(node, ast.FunctionDef) else []:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.task":
                    assert isinstance(mark.args[0], ast.Constant)
                    found.setdefault(str(mark.args[0].value), []).append(f"{kind} {node.name}")
    return found


def _share(work: Work, task: str, tests: list[str], public: Fraction) -> Fraction:
    """The part of a task's points that a submission gets."""
    parts = {}
    for kind, weight in (("public", public), ("hidden", 1 - public)):
        own = [test for test in tests if test.startswith(kind)]
        assert own, f"{task} has no {kind} test"
        parts[kind] = weight * Fraction(sum(passes(work, task, test) for test in own), len(own))
    return parts["public"] + parts["hidden"]


def _taken_off(late: timedelta, raw: dict) -> Fraction:
    """The part of the points that lateness costs."""
    if late <= timedelta():
        return Fraction(0)
    if late > timedelta(days=raw["late_window_days"]):
        return Fraction(1)
    return Fraction(math.ceil(late / timedelta(days=1)) * raw["late_percent_per_day"], 100)
